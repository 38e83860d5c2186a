//! The sandbox: acts in, moments out.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use imbl::Vector;
use tidemark_protocol::{Act, ScriptState};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::Event;
use tidemark_types::SimTime;
use tidemark_world::{Change, World};

use crate::driver::Driver;
use crate::moment::{Lanes, Memories, ScriptStand};
use crate::sink::Sinks;
use crate::store::Notes;
use crate::table::Reader;

mod act;
mod aside;
mod branch;
mod carry;
mod changes;
mod last_step;
mod put;
mod recorder;
mod rewind;
mod tick;
mod timeline;
mod update;

use aside::Aside;
use branch::Branch;
use timeline::{Entry, Keyframes};

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
pub(crate) enum Goal {
    /// Until the script is over or parks.
    Rest,
    /// Until one thing has happened.
    OneStep,
    /// Until a query has done one trigger.
    OneTrigger(QueryHandle),
}

/// Where the next act is to stop, as `pause` says it.
#[derive(Clone, Debug)]
pub(crate) struct Pause {
    moments: u64,
    ticks: Option<u64>,
}

/// A World, a script, every moment since the beginning, and the other branches.
#[derive(Clone, Debug)]
pub struct Sandbox {
    /// The World before the first act.
    origin: World,
    world: World,
    driver: Option<Driver>,
    /// Another script, run beside the main one.
    aside: Option<Aside>,
    script: ScriptStand,
    lanes: Lanes,
    settings: Rc<BTreeMap<String, String>>,
    memories: Memories,
    sinks: Sinks,
    notes: Notes,
    /// Whether a table in memory has changed since `sinks` was read.
    are_sinks_old: bool,
    reader: Reader,
    /// Changes of tables since `sinks` was read.
    unread: Vec<Change>,
    acts: Vec<Act>,
    moments: Vector<Entry>,
    keyframes: Keyframes,
    goal: Option<Goal>,
    pause: Option<Pause>,
    /// Moments that the present act has made.
    step: usize,
    /// Ticks since the newest moment of the present act.
    quiet: u64,
    /// Whether the batch under way is a second try.
    again: bool,
    rows: u64,
    marks_sent: usize,
    acts_sent: usize,
    /// Acts that are still to be done.
    queue: VecDeque<Act>,
    /// Why the queue was given up.
    refusal: Option<SandboxError>,
    branches: Vec<Branch>,
    current: usize,
    /// Switches so far.
    looks: u64,
    /// What happened to branches, for the next updates.
    notice: Option<String>,
    events: Vec<Event>,
    changes: Vec<Change>,
    last_changes: usize,
    seq: u64,
}

impl Default for Sandbox {
    fn default() -> Self {
        Sandbox::new(World::new(PAGE_ROOT, 0, PAGE_CLOCK))
    }
}

impl Sandbox {
    /// A sandbox of a World, without a script.
    pub fn new(world: World) -> Self {
        let mut sandbox = Sandbox::blank(&world);
        sandbox.record("The store is empty. Nothing has run.", None, None, false);
        sandbox
    }

    /// A sandbox of a World, without a moment.
    fn blank(world: &World) -> Self {
        let script = ScriptStand {
            name: "main.py".into(),
            text: "".into(),
            state: ScriptState::Fresh,
            line: None,
            printed: Vector::new(),
            errors: Rc::default(),
            run: 0,
            runs: 0,
            taken: 0,
            others: Rc::default(),
        };
        Sandbox {
            origin: world.clone(),
            world: world.clone(),
            driver: None,
            aside: None,
            script,
            lanes: Lanes::default(),
            settings: Rc::default(),
            memories: Memories::default(),
            sinks: Sinks::default(),
            notes: Notes::default(),
            are_sinks_old: false,
            reader: Reader::default(),
            unread: Vec::new(),
            acts: Vec::new(),
            moments: Vector::new(),
            keyframes: Keyframes::default(),
            goal: None,
            pause: None,
            step: 0,
            quiet: 0,
            again: false,
            rows: 0,
            marks_sent: 0,
            acts_sent: 0,
            queue: VecDeque::new(),
            refusal: None,
            branches: vec![Branch::main()],
            current: 0,
            looks: 0,
            notice: None,
            events: Vec::new(),
            changes: Vec::new(),
            last_changes: 0,
            seq: 0,
        }
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

    /// Works on the present act, or on acts that wait, for about so many ticks.
    pub fn work(&mut self, ticks: usize) -> Work {
        for _ in 0..ticks {
            if self.goal.is_some() {
                self.tick();
                continue;
            }
            let Some(act) = self.queue.pop_front() else { return Work::Rest };
            if let Err(refusal) = self.begin_act(&act) {
                self.queue.clear();
                self.refusal = Some(refusal);
            }
        }
        if self.is_busy() { Work::Busy(self.busy_text()) } else { Work::Rest }
    }

    /// Whether an act goes on.
    pub(crate) fn is_busy(&self) -> bool {
        self.goal.is_some() || !self.queue.is_empty()
    }

    /// Takes the reason for which acts that waited were given up.
    pub fn take_refusal(&mut self) -> Option<SandboxError> {
        self.refusal.take()
    }

    /// Interrupts the present act: what has been done stays. A script in an endless loop is stopped for good.
    pub fn halt(&mut self) {
        self.queue.clear();
        if self.goal.is_none() {
            return;
        }
        self.note_pause(self.step as u64, Some(self.quiet));
        self.pause = None;
        self.interrupt();
    }
}
