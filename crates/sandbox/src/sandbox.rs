//! The sandbox: acts in, moments out.

use std::collections::BTreeMap;
use std::rc::Rc;

use imbl::Vector;
use tidemark_protocol::{Act, ScriptState};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::Event;
use tidemark_types::SimTime;
use tidemark_world::{Change, World};

use crate::driver::Driver;
use crate::moment::{Lanes, Moment, ScriptStand};

mod act;
mod recorder;
mod tick;
mod update;

/// When the page's World begins: 2026-01-01T12:00:00Z.
const PAGE_CLOCK: SimTime = SimTime(1_767_268_800_000);
/// The root of the page's World.
const PAGE_ROOT: &str = "/tidemark";

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
}
