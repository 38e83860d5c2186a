//! Acts: what each does to the World, the script and its driver.

use std::rc::Rc;

use imbl::Vector;
use tidemark_protocol::{Act, QueryState, ScriptState};
use tidemark_types::Millis;
use tidemark_world::World;

use super::{Goal, Pause, Sandbox, SandboxError};
use crate::driver::{Driver, conf_of};
use crate::fault::{armed_at, fault_of_place, in_words};
use crate::view::{can, syntax_errors};

impl Sandbox {
    /// Begins an act.
    ///
    /// Errors: the act makes no sense now; nothing changed. The text says why and what to do.
    pub fn apply(&mut self, act: &Act) -> Result<(), SandboxError> {
        self.be_at_rest()?;
        self.notice = None;
        self.begin_act(act)
    }

    /// Errors: an act goes on.
    pub(super) fn be_at_rest(&self) -> Result<(), SandboxError> {
        if self.is_busy() {
            return Err(SandboxError("The run goes on. Stop it first.".to_owned()));
        }
        Ok(())
    }

    /// Begins an act; the first moments may be made at once.
    pub(super) fn begin_act(&mut self, act: &Act) -> Result<(), SandboxError> {
        self.refuse(act)?;
        let before = self.moments.len();
        (self.step, self.quiet) = (0, 0);
        self.acts.push(act.clone());
        self.carry_out(act);
        self.heed_pause();
        if self.moments.len() > before {
            self.keep_keyframe();
        }
        Ok(())
    }

    // tidy: table
    fn carry_out(&mut self, act: &Act) {
        match act {
            Act::Seed { seed } => self.seed(*seed),
            Act::Put { path, text } => self.drop_file(path, text),
            Act::Import { name, archive } => self.import(name, archive),
            Act::Edit { script, text } => self.edit(script, text),
            Act::Run { script } if self.is_other(script) => self.start_aside(script),
            Act::Run { .. } | Act::Restart => {
                if self.start() {
                    self.goal = Some(Goal::Rest);
                }
            }
            Act::Step => {
                let waits = self.script.state == ScriptState::Parked;
                let alive = matches!(self.script.state, ScriptState::Running | ScriptState::Parked)
                    || self.driver.as_ref().is_some_and(|d| !d.active_queries().is_empty());
                if alive || self.start() {
                    self.script.state = ScriptState::Running;
                    if let Some(driver) = &mut self.driver
                        && let Some(query) = driver.active_queries().first().copied()
                        && waits
                    {
                        driver.wake_query(query);
                    }
                    self.goal = Some(Goal::OneStep);
                }
            }
            Act::Trigger { query } => {
                if let Some(driver) = &mut self.driver
                    && let Some(handle) = driver.find_query(query.as_deref())
                {
                    driver.make_due(&mut self.world, handle);
                    driver.wake_query(handle);
                    self.goal = Some(Goal::OneTrigger(handle));
                    self.script.state = ScriptState::Running;
                }
            }
            Act::Arm { place } => {
                self.world.arm(fault_of_place(place));
                self.record(&format!("A crash is armed: {}.", in_words(place)), None, None, true);
            }
            Act::Disarm { place } => {
                if let Some(fault) = armed_at(&self.world, place).cloned() {
                    self.world.faults().remove(&fault);
                }
                self.record(&format!("A crash is disarmed: {}.", in_words(place)), None, None, true);
            }
            Act::Crash => {
                self.world.crash_now("here");
                self.crash("The driver stopped. The store is as you see it.");
            }
            Act::Pause { moments, ticks } => {
                self.pause = Some(Pause { moments: *moments, ticks: *ticks });
            }
            Act::Delete { path } => self.delete(path),
            Act::Stop { query } => self.stop(query.as_deref()),
            Act::Advance { millis } => {
                self.world.advance(Millis(*millis));
                if let Some(driver) = &mut self.driver {
                    driver.wake();
                }
                let sentence = format!("The clock is at {}.", self.world.now());
                self.record(&sentence, None, None, true);
            }
            Act::Set { name, value } => {
                Rc::make_mut(&mut self.settings).insert(name.clone(), value.clone());
                if let Some(driver) = &mut self.driver {
                    driver.session().set_conf(name, value);
                }
                self.record(&format!("{name} is {value} from the next run on."), None, None, true);
            }
        }
    }

    fn seed(&mut self, seed: u64) {
        self.world = World::new(self.world.root(), seed, self.world.now());
        if let Some(first) = self.moments.get_mut(0) {
            Rc::make_mut(&mut first.moment).world = self.world.clone();
            first.acts = 1;
        }
    }

    /// Whether this is the name of a script beside the main one.
    pub(super) fn is_other(&self, script: &str) -> bool {
        *script != *self.script.name && self.script.others.contains_key(script)
    }

    /// The first script that is written is the main one; others lie beside it.
    fn edit(&mut self, script: &str, text: &str) {
        if *script == *self.script.name || self.script.text.is_empty() {
            self.script.name = script.into();
            self.script.text = text.into();
            self.script.errors = Rc::default();
            self.record("The script was changed.", None, None, true);
            return;
        }
        Rc::make_mut(&mut self.script.others).insert(script.to_owned(), text.into());
        self.record(&format!("{script} was changed. It runs beside {}.", self.script.name), None, None, true);
    }

    /// Whether a path holds what a query remembers.
    pub(super) fn is_checkpoint(&self, path: &str) -> bool {
        let absolute = self.world.resolve(path);
        let is_kept = |name: &str| self.world.exists(&format!("{absolute}/{name}"));
        is_kept("offsets") || is_kept("metadata")
    }

    pub(super) fn refuse(&self, act: &Act) -> Result<(), SandboxError> {
        let can = can(&self.moment("", None, None, true));
        let reason = match act {
            Act::Run { script } if *script != *self.script.name && !self.is_other(script) => {
                can.run.or(Some(format!("There is no script {script}.")))
            }
            Act::Run { .. } => can.run,
            Act::Step => can.step,
            Act::Trigger { query } => can.trigger.or_else(|| {
                let found = self.driver.as_ref().and_then(|d| d.find_query(query.as_deref()));
                let name = query.as_deref().unwrap_or_default();
                found.is_none().then(|| format!("There is no query {name}."))
            }),
            Act::Crash => can.crash,
            Act::Restart => can.restart,
            Act::Stop { .. } => can.stop,
            Act::Seed { .. } if self.moments.len() > 1 => Some("The seed is the first act.".to_owned()),
            Act::Import { name, archive } => self.refuse_import(name, archive),
            Act::Delete { path } => {
                let absolute = self.world.resolve(path);
                if !self.world.exists(&absolute) {
                    Some(format!("There is no {path} to delete."))
                } else if absolute == self.world.root() {
                    Some("The root of the store stays.".to_owned())
                } else {
                    None
                }
            }
            Act::Disarm { place } => {
                let is_armed = armed_at(&self.world, place).is_some();
                (!is_armed).then(|| format!("No crash is armed there: {}.", in_words(place)))
            }
            Act::Put { path, .. } if self.world.is_folder(&self.world.resolve(path)) => {
                Some(format!("{path} is a folder. A file wants another name."))
            }
            Act::Put { path, text } => self.no_room(path, text.len()),
            _ => None,
        };
        reason.map_or(Ok(()), |reason| Err(SandboxError(reason)))
    }

    /// Starts the script afresh; says whether it compiles.
    pub(super) fn start(&mut self) -> bool {
        self.world.restart();
        self.drop_driver();
        self.script.runs += 1;
        self.script.run = self.script.runs;
        self.script.taken = 0;
        self.script.printed = Vector::new();
        self.script.errors = Rc::default();
        let (name, text) = (self.script.name.clone(), self.script.text.clone());
        match Driver::new(&mut self.world, &name, &text, conf_of(&self.settings)) {
            Ok(driver) => {
                self.driver = Some(driver);
                self.script.state = ScriptState::Running;
                self.script.line = Some(1);
                true
            }
            Err(errors) => {
                self.driver = None;
                self.script.state = ScriptState::Failed;
                self.script.errors = Rc::new(syntax_errors(&errors));
                let sentence = match errors.first() {
                    Some(first) => {
                        format!("The script was not started: line {}: {}.", first.span.line, first.message)
                    }
                    None => "The script was not started.".to_owned(),
                };
                self.record(&sentence, None, None, true);
                false
            }
        }
    }

    /// The driver goes, and with it the queries that it left running.
    pub(super) fn drop_driver(&mut self) {
        let Some(driver) = self.driver.take() else { return };
        for handle in driver.active_queries() {
            if let Some(lane) = self.lanes.get_mut(self.script.run, handle) {
                lane.view.state = QueryState::Ended;
            }
        }
    }

    pub(super) fn stop(&mut self, query: Option<&str>) {
        let handle = self.driver.as_ref().and_then(|d| d.find_query(query));
        let Some(driver) = &mut self.driver else { return };
        let waits = driver.is_waiting() || driver.is_over;
        match handle.filter(|_| waits) {
            Some(handle) => {
                let stopped = driver.stop_query(&mut self.world, handle);
                if stopped.is_ok() {
                    self.sync_lanes();
                    self.script.state = ScriptState::Running;
                    self.record("The query was stopped. Its checkpoint stays.", None, None, true);
                    self.goal = Some(Goal::Rest);
                }
            }
            None => {
                self.sync();
                self.drop_driver();
                self.script.state = ScriptState::Stopped;
                self.record("The script was stopped. The store is as you see it.", None, None, true);
            }
        }
    }

    /// Ends the present act where it stands.
    pub(super) fn interrupt(&mut self) {
        self.goal = None;
        if self.aside.is_some() {
            return self.interrupt_aside();
        }
        if self.driver.as_ref().is_some_and(|d| d.is_waiting() || d.is_over) {
            self.script.state = ScriptState::Parked;
            let sentence = "The run was interrupted. Step, Trigger or Run go on from here.";
            self.record(sentence, None, None, true);
        } else {
            self.stop(None);
        }
    }
}
