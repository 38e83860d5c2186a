//! The sandbox: acts in, moments out.

use std::collections::BTreeMap;
use std::rc::Rc;

use imbl::Vector;
use tidemark_engine::Error;
use tidemark_protocol::{
    Act, BranchMark, Busy, MomentMark, ObjectView, QueryState, ScriptState, Update, View,
};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::{Event, Fact, Phase, Seq};
use tidemark_types::{Millis, SimTime};
use tidemark_world::{Change, World};

use crate::driver::{Driver, Rest, Tick, conf_of};
use crate::fault::fault_of_place;
use crate::lane::new_lane;
use crate::moment::{Lanes, Moment, ScriptStand, StepNote};
use crate::view::{syntax_errors, traceback, view};
use crate::{object, store};

/// When the page's World begins: 2026-01-01T12:00:00Z.
const PAGE_CLOCK: SimTime = SimTime(1_767_268_800_000);
/// The root of the page's World.
const PAGE_ROOT: &str = "/tidemark";
/// Facts that an update carries at most: the newest.
const EVENTS_MAX: usize = 5_000;

/// Why an act was refused: nothing changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SandboxError(pub String);

/// Whether there is more to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// The run goes on; what it is doing in words.
    Busy(String),
    /// It rests.
    Rest,
}

/// How far the present act goes.
#[derive(Clone, Debug)]
enum Goal {
    /// Until the script is over or parks.
    Rest,
    /// Until one thing has happened.
    OneStep,
    /// Until a query has done one trigger.
    OneTrigger(QueryHandle),
}

/// A World, a script, and every moment since the beginning.
#[derive(Clone, Debug)]
pub struct Sandbox {
    world: World,
    driver: Option<Driver>,
    script: ScriptStand,
    lanes: Lanes,
    settings: BTreeMap<String, String>,
    acts: Vec<Act>,
    moments: Vec<Moment>,
    goal: Option<Goal>,
    step: usize,
    events: Vec<Event>,
    changes: Vec<Change>,
    last_changes: usize,
    seq: u64,
    marks_sent: usize,
    acts_sent: usize,
    rows: u64,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox::new(World::new(PAGE_ROOT, 0, PAGE_CLOCK))
    }
}

impl Sandbox {
    /// A sandbox of a World, without a script.
    pub fn new(world: World) -> Self {
        let script = ScriptStand {
            name: "main.py".into(),
            text: "".into(),
            state: ScriptState::Fresh,
            line: None,
            printed: Vector::new(),
            errors: Rc::default(),
            run: 0,
        };
        let mut sandbox = Sandbox {
            world,
            driver: None,
            script,
            lanes: Lanes::default(),
            settings: BTreeMap::new(),
            acts: Vec::new(),
            moments: Vec::new(),
            goal: None,
            step: 0,
            events: Vec::new(),
            changes: Vec::new(),
            last_changes: 0,
            seq: 0,
            marks_sent: 0,
            acts_sent: 0,
            rows: 0,
        };
        sandbox.record("The store is empty. Nothing has run.", None, None, false);
        sandbox
    }

    /// The World as it stands now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The World as it stands now, to be changed from outside.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The acts so far.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// How many moments there are.
    pub fn moments(&self) -> usize {
        self.moments.len()
    }

    /// How the script stands now.
    pub fn script_state(&self) -> ScriptState {
        self.script.state
    }

    /// The run of the script, while it lives.
    pub fn driver(&self) -> Option<&Driver> {
        self.driver.as_ref()
    }

    /// Takes the changes of the store since the last call, in the order in which they happened.
    pub fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Does acts one after the other, each to its rest.
    ///
    /// Errors: an act that is refused; those before it are done.
    pub fn replay(&mut self, acts: &[Act]) -> Result<(), SandboxError> {
        for act in acts {
            self.apply(act)?;
            self.rest();
        }
        Ok(())
    }

    /// Works until the present act is over.
    pub fn rest(&mut self) {
        while self.work(1_000) != Work::Rest {}
    }

    /// Goes back to a moment: what came after it is dropped.
    ///
    /// The acts are rewritten so that they lead just there: a run that is cut in the middle becomes its single steps.
    pub fn go_back(&mut self, index: usize) {
        if index + 1 >= self.moments.len() {
            return;
        }
        self.goal = None;
        self.moments.truncate(index + 1);
        let Some(moment) = self.moments.last().cloned() else { return };
        let Moment { world, driver, script, lanes, acts, step, .. } = moment;
        let was_over = self.acts.len() == acts && step + 1 >= self.step;
        let cut = self.acts.get(acts.saturating_sub(1)).cloned();
        self.acts.truncate(acts);
        let is_run = matches!(cut, Some(Act::Run { .. } | Act::Restart | Act::Trigger { .. }));
        if is_run && !was_over && script.state == ScriptState::Running {
            self.acts.pop();
            self.acts.extend(std::iter::repeat_n(Act::Step, step + 1));
            let acts = self.acts.len();
            if let Some(last) = self.moments.last_mut() {
                last.acts = acts;
            }
        }
        self.acts_sent = self.acts_sent.min(acts.saturating_sub(1));
        (self.world, self.driver, self.script, self.lanes) = (world, driver, script, lanes);
        self.marks_sent = self.marks_sent.min(self.moments.len());
    }

    /// Begins an act.
    ///
    /// Errors: the act makes no sense now; nothing changed. The text says why and what to do.
    // tidy: table
    pub fn apply(&mut self, act: &Act) -> Result<(), SandboxError> {
        if self.goal.is_some() {
            return Err(SandboxError("The run goes on. Stop it first.".to_owned()));
        }
        self.step = 0;
        self.refuse(act)?;
        self.acts.push(act.clone());
        match act {
            Act::Seed { seed } => {
                self.world = World::new(self.world.root(), *seed, self.world.now());
                if let Some(first) = self.moments.first_mut() {
                    first.world = self.world.clone();
                    first.acts = 1;
                }
            }
            Act::Put { path, text } => self.put(path, text),
            Act::Import { .. } => {}
            Act::Edit { script, text } => {
                self.script.name = script.as_str().into();
                self.script.text = text.as_str().into();
                self.script.errors = Rc::default();
                self.record("The script was changed.", None, None, true);
            }
            Act::Run { .. } | Act::Restart => {
                if self.start() {
                    self.goal = Some(Goal::Rest);
                }
            }
            Act::Step => {
                let alive = matches!(self.script.state, ScriptState::Running | ScriptState::Parked)
                    || self.driver.as_ref().is_some_and(|d| !d.active_queries().is_empty());
                if alive || self.start() {
                    self.script.state = ScriptState::Running;
                    if let Some(driver) = &mut self.driver
                        && let Some(query) = driver.active_queries().first().copied()
                        && alive
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
                self.record(&format!("A crash is armed: {place}."), None, None, true);
            }
            Act::Crash => {
                self.world.crash_now("here");
                self.crash("The driver stopped. The store is as you see it.");
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
                self.settings.insert(name.clone(), value.clone());
                if let Some(driver) = &mut self.driver {
                    driver.session().set_conf(name, value);
                }
                self.record(&format!("{name} is {value} from the next run on."), None, None, true);
            }
        }
        Ok(())
    }

    /// Works on the present act for about so many ticks.
    pub fn work(&mut self, ticks: usize) -> Work {
        for _ in 0..ticks {
            if self.goal.is_none() {
                return Work::Rest;
            }
            self.tick();
        }
        if self.goal.is_none() { Work::Rest } else { Work::Busy(self.busy_text()) }
    }

    /// Interrupts the present act: what has been done stays. A script in an endless loop is stopped for good.
    pub fn halt(&mut self) {
        if self.goal.take().is_none() {
            return;
        }
        let waits = self.driver.as_ref().is_some_and(|d| d.is_waiting() || d.is_over);
        if waits {
            self.script.state = ScriptState::Parked;
            self.record("The run was interrupted. Step, Trigger or Run go on from here.", None, None, true);
        } else {
            self.stop(None);
        }
        // What was interrupted cannot be replayed as one act: it is kept as the steps that it made.
        if let Some(at) = self.acts.iter().rposition(|a| matches!(a, Act::Run { .. } | Act::Restart)) {
            let steps = self.step.saturating_sub(1);
            self.acts_sent = self.acts_sent.min(at);
            self.acts.truncate(at);
            self.acts.extend(std::iter::repeat_n(Act::Step, steps));
            self.acts.push(Act::Stop { query: None });
            let acts = self.acts.len();
            if let Some(last) = self.moments.last_mut() {
                last.acts = acts;
            }
        }
    }

    // ---- what the page asks

    /// The view of a moment; the newest for an index behind the end.
    pub fn view_at(&self, index: usize) -> View {
        let index = index.min(self.moments.len() - 1);
        let before = index.checked_sub(1).and_then(|at| self.moments.get(at)).map(|m| &m.world);
        view(index, &self.moments[index], before)
    }

    /// An object as of a moment.
    pub fn object_at(&self, index: usize, path: &str) -> ObjectView {
        let index = index.min(self.moments.len() - 1);
        object::open(&self.moments[index].world, path)
    }

    /// How the sandbox stands, for the page; marks and events since the last update.
    pub fn update(&mut self, number: u64, moment: usize) -> Update {
        let first_mark = self.marks_sent.min(self.moments.len());
        let marks: Vec<MomentMark> = self.moments[first_mark..].iter().map(|m| m.mark.clone()).collect();
        self.marks_sent = self.moments.len();
        let first_act = self.acts_sent.min(self.acts.len());
        let acts = self.acts[first_act..].to_vec();
        self.acts_sent = self.acts.len();
        let mut events = self.take_events();
        if events.len() > EVENTS_MAX {
            events.drain(..events.len() - EVENTS_MAX);
        }
        Update {
            number,
            view: Rc::new(self.view_at(moment)),
            marks,
            first_mark,
            moments: self.moments.len(),
            branch: 0,
            branches: vec![BranchMark { name: "main".to_owned(), fork: None, moments: self.moments.len() }],
            events,
            acts,
            first_act,
            busy: self.goal.is_some().then(|| Busy { what: self.busy_text() }),
        }
    }

    // ---- acts

    fn refuse(&self, act: &Act) -> Result<(), SandboxError> {
        let can = view(0, &self.moment("", None, None, true), None).can;
        let reason = match act {
            Act::Run { .. } => can.run,
            Act::Step => can.step,
            Act::Trigger { .. } => can.trigger,
            Act::Crash => can.crash,
            Act::Restart => can.restart,
            Act::Stop { .. } => can.stop,
            Act::Seed { .. } if self.moments.len() > 1 => Some("The seed is the first act.".to_owned()),
            Act::Import { name, .. } => Some(format!("{name} cannot be imported yet.")),
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
            Act::Put { path, .. } if self.world.is_folder(&self.world.resolve(path)) => {
                Some(format!("{path} is a folder. A file wants another name."))
            }
            _ => None,
        };
        reason.map_or(Ok(()), |reason| Err(SandboxError(reason)))
    }

    fn put(&mut self, path: &str, text: &str) {
        self.world.advance(Millis(1000));
        let now = self.world.now();
        let absolute = self.world.resolve(path);
        let is_new = self.world.peek(&absolute).is_none();
        self.world.drop_file(&absolute, text.to_owned(), now);
        if let Some(driver) = &mut self.driver {
            driver.wake();
        }
        let verb = if is_new { "lies in the store" } else { "has new content" };
        self.record(&format!("{path} {verb}."), None, None, true);
    }

    fn delete(&mut self, path: &str) {
        let absolute = self.world.resolve(path);
        // The learner deletes even while the driver is down.
        let down = self.world.crashed().map(str::to_owned);
        self.world.restart();
        // `refuse` has seen that it is there.
        let _ = self.world.delete_tree(&absolute);
        if let Some(place) = down {
            self.world.crash_now(&place);
        }
        let sentence = if path.contains("ckpt") || path.contains("checkpoint") {
            format!(
                "{path} is gone: the query's memory of what it has done. The sink stays. Step back to undo."
            )
        } else {
            format!("{path} is gone. Step back to undo.")
        };
        self.record(&sentence, None, None, true);
    }

    /// Starts the script afresh; says whether it compiles.
    fn start(&mut self) -> bool {
        self.world.restart();
        self.drop_driver();
        self.script.run += 1;
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
    fn drop_driver(&mut self) {
        let Some(driver) = self.driver.take() else { return };
        for handle in driver.active_queries() {
            if let Some(lane) = self.lanes.get_mut(self.script.run, handle) {
                lane.view.state = QueryState::Ended;
            }
        }
    }

    fn stop(&mut self, query: Option<&str>) {
        let handle = self.driver.as_ref().and_then(|d| d.find_query(query));
        let Some(driver) = &mut self.driver else { return };
        let waits = driver.is_waiting() || driver.is_over;
        match handle.filter(|_| waits) {
            Some(handle) => {
                let stopped = driver.stop_query(&mut self.world, handle);
                if stopped.is_ok() {
                    self.record("The query was stopped. Its checkpoint stays.", None, None, true);
                    self.sync_lanes();
                    self.script.state = ScriptState::Running;
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

    fn crash(&mut self, sentence: &str) {
        self.sync();
        self.lanes.crash(self.script.run);
        self.driver = None;
        self.goal = None;
        self.script.state = ScriptState::Crashed;
        self.record(sentence, None, None, false);
        if let Some(last) = self.moments.last_mut() {
            last.mark.crash = true;
        }
    }

    // ---- one tick

    fn tick(&mut self) {
        let Some(driver) = &mut self.driver else {
            self.goal = None;
            return;
        };
        let before = self.world.now();
        let tick = driver.tick(&mut self.world);
        self.drain();
        self.sync();
        match tick {
            Ok(Tick::Quiet) => {}
            Ok(Tick::Did { query, batch, phase, sentence }) => {
                let millis = self.world.now().0 - before.0;
                self.did(query, batch, phase, &sentence, millis);
                if matches!(self.goal, Some(Goal::OneStep)) {
                    self.goal = None;
                }
            }
            Ok(Tick::Idle { query }) => {
                if matches!(self.goal, Some(Goal::OneTrigger(wanted)) if wanted == query) {
                    self.park("Nothing new to read. The query waits.");
                }
            }
            Ok(Tick::QueryEnded { sentence, .. }) => {
                self.record(&sentence, None, None, false);
                if matches!(self.goal, Some(Goal::OneTrigger(_) | Goal::OneStep)) {
                    self.goal = Some(Goal::Rest);
                }
            }
            Ok(Tick::Rest(rest)) => self.rested(rest),
            Err(Error::Crashed(place)) => {
                let place = self.plain_place(&place);
                self.crash(&format!("The driver stopped {place}. The store is as you see it."));
            }
            Err(Error::Spark(error)) => {
                self.script.state = ScriptState::Failed;
                self.goal = None;
                self.record(&format!("The run failed: {error}"), None, None, false);
            }
        }
    }

    fn rested(&mut self, rest: Rest) {
        match rest {
            Rest::Parked => self.park("The query waits for data. Drop a file, or press Trigger."),
            Rest::Ended => {
                self.goal = None;
                self.script.state = ScriptState::Ended;
                self.script.line = None;
                self.record("The script has ended.", None, None, false);
            }
            Rest::Failed => {
                self.goal = None;
                self.script.state = ScriptState::Failed;
                let error = self.driver.as_ref().and_then(Driver::error);
                let diagnostic = error.map(|error| traceback(&self.script.name, error));
                let sentence = match &diagnostic {
                    Some(d) => {
                        format!(
                            "Line {}: {}: {}",
                            d.line,
                            d.class,
                            d.message.lines().next().unwrap_or_default()
                        )
                    }
                    None => "The script ended with an error.".to_owned(),
                };
                self.script.errors = Rc::new(diagnostic.into_iter().collect());
                self.record(&sentence, None, None, false);
            }
        }
    }

    fn park(&mut self, sentence: &str) {
        self.goal = None;
        self.script.state = ScriptState::Parked;
        self.record(sentence, None, None, false);
    }

    fn did(&mut self, query: QueryHandle, batch: Option<i64>, phase: Phase, sentence: &str, millis: i64) {
        let written = self.written();
        let shown = written.as_deref().and_then(|path| store::relative(&self.world, path)).map(str::to_owned);
        if let (Some(path), Some(batch)) = (written, batch) {
            self.lanes.writers.insert(path, batch);
        }
        let again = self
            .events
            .iter()
            .rev()
            .find_map(|e| match &e.fact {
                Fact::Batch(fact) => Some(fact.again),
                _ => None,
            })
            .unwrap_or(false);
        let run = self.script.run;
        if let (Some(batch), Some(lane)) = (batch, self.lanes.get_mut(run, query)) {
            let note = StepNote { batch, phase, millis, file: shown.as_deref(), sentence, again };
            lane.note(run, &note);
        }
        self.record(sentence, batch, Some(phase), false);
    }

    /// The object that the last tick wrote, if it wrote one that is no temporary file.
    fn written(&self) -> Option<String> {
        self.changes.iter().rev().take(self.last_changes).find_map(|change| match change {
            Change::Put { path, .. } => Some(path.clone()),
            _ => None,
        })
    }

    /// Takes facts and changes out of the World.
    fn drain(&mut self) {
        let changes = self.world.take_changes();
        self.last_changes = changes.len();
        self.changes.extend(changes);
        let at = self.world.now();
        for fact in self.world.take_facts() {
            if let Fact::Batch(batch) = &fact {
                self.rows += batch.rows.unwrap_or(0);
            }
            self.events.push(Event { seq: Seq(self.seq), cause: None, at, fact });
            self.seq += 1;
        }
    }

    /// Brings what is drawn of the script and its queries up to date.
    fn sync(&mut self) {
        if let Some(driver) = &self.driver {
            self.script.line = driver.line().or(self.script.line);
            let known = self.script.printed.len();
            for piece in &driver.printed()[known.min(driver.printed().len())..] {
                self.script.printed.push_back((piece.text.as_str().into(), piece.line));
            }
        }
        self.sync_lanes();
    }

    fn sync_lanes(&mut self) {
        let Some(driver) = &self.driver else { return };
        let run = self.script.run;
        for (handle, running) in driver.queries.all() {
            let query = &running.execution;
            if self.lanes.get_mut(run, handle).is_none() {
                let lane = new_lane(run, handle, query, &self.world);
                self.lanes.push(lane);
            }
            let Some(lane) = self.lanes.get_mut(run, handle) else { continue };
            lane.view.state = match (query.is_active(), query.exception()) {
                (true, _) => QueryState::Active,
                (false, None) => QueryState::Ended,
                (false, Some(_)) => QueryState::Failed,
            };
            let progress = query.recent_progress();
            if lane.view.recent.len() != progress.len() || progress.len() >= 99 {
                lane.view.recent =
                    progress.iter().map(|p| (p.batch_id.0, p.num_input_rows() as i64)).collect();
                lane.view.last_progress = progress.last().map(|p| p.pretty_json()).unwrap_or_default();
                if let Some(last) = progress.last()
                    && let Some(batch) = lane.batches.back_mut()
                    && batch.batch == last.batch_id.0
                {
                    Rc::make_mut(batch).input_rows = last.num_input_rows() as i64;
                }
            }
            lane.view.exception = query.exception().map(ToString::to_string);
        }
    }

    fn moment(&self, sentence: &str, batch: Option<i64>, phase: Option<Phase>, act: bool) -> Moment {
        let mark = MomentMark {
            at: self.world.now(),
            sentence: sentence.to_owned(),
            run: self.script.run,
            batch,
            phase,
            crash: false,
            act,
            output: false,
            duplicate: false,
        };
        Moment {
            world: self.world.clone(),
            driver: self.driver.clone(),
            script: self.script.clone(),
            lanes: self.lanes.clone(),
            mark,
            acts: self.acts.len(),
            step: self.step,
        }
    }

    fn record(&mut self, sentence: &str, batch: Option<i64>, phase: Option<Phase>, act: bool) {
        self.drain();
        let mut moment = self.moment(sentence, batch, phase, act);
        if phase == Some(Phase::Commit) {
            let (output, duplicate) = self.what_came_out(&moment);
            moment.mark.output = output;
            moment.mark.duplicate = duplicate;
        }
        self.moments.push(moment);
        self.step += 1;
    }

    /// Whether rows left the query in this commit, and whether one of them was there before.
    fn what_came_out(&self, moment: &Moment) -> (bool, bool) {
        let rows = |m: &Moment| crate::sink::sinks(&m.world, &m.lanes, m.driver.as_ref());
        let now = rows(moment);
        let before = self.moments.last().map(rows).unwrap_or_default();
        let total = |views: &[tidemark_protocol::SinkView]| views.iter().map(|v| v.total).sum::<u64>();
        let doubled = |views: &[tidemark_protocol::SinkView]| {
            views.iter().flat_map(|v| &v.rows).filter(|r| r.copies > 1).count()
        };
        (total(&now) > total(&before), doubled(&now) > doubled(&before))
    }

    /// The place of a crash in the learner's words.
    fn plain_place(&self, place: &str) -> String {
        let words = Phase::ALL.into_iter().find_map(|phase| {
            let side = place.strip_suffix(phase.verb())?.trim_end();
            (side == "before" || side == "after").then(|| format!("{side} {}", noun(phase)))
        });
        words.unwrap_or_else(|| place.replace(&format!("{}/", self.world.root()), ""))
    }

    fn busy_text(&self) -> String {
        let batch = self.moments.iter().rev().find_map(|m| m.mark.batch);
        match batch {
            Some(batch) => format!("batch {batch}, {} rows", self.rows),
            None => format!("line {}", self.script.line.unwrap_or(0)),
        }
    }
}

/// A phase as a noun: what a crash was before or after.
fn noun(phase: Phase) -> &'static str {
    match phase {
        Phase::List => "the listing of the source",
        Phase::Note => "the note of the new files",
        Phase::Plan => "the plan of the batch",
        Phase::Read => "the reading",
        Phase::Work => "the work",
        Phase::Save => "the saving of state",
        Phase::Write => "the writing of the sink's files",
        Phase::Commit => "the commit of the sink",
        Phase::Advance => "the advance of the watermark",
        Phase::Done => "the mark of the batch",
    }
}
