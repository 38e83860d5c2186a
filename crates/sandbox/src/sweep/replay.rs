//! One crash, or two, on its way: the acts before it are shared, those after it are done.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use tidemark_protocol::{Act, ArmPlace, ScriptState};
use tidemark_trace::{Event, Fact, When};

use super::site::written;
use crate::sandbox::{Sandbox, Work};

/// Ticks of the sandbox between two looks at the facts.
const SLICE: usize = 50;

/// An act of the run without a crash, and how it ended.
#[derive(Clone, Debug)]
pub(super) struct Done {
    /// The act.
    pub(super) act: Act,
    /// Whether the script or a query had failed after it.
    pub(super) failed: bool,
    /// The sandbox before it, if a crash can fall in it.
    pub(super) before: Option<Rc<Sandbox>>,
}

/// A driver that is down, and the acts that led there.
#[derive(Clone, Debug)]
pub(super) struct Down {
    pub(super) sandbox: Sandbox,
    pub(super) acts: Vec<Act>,
}

/// An act still to do.
#[derive(Clone, Debug)]
struct Ahead {
    act: Act,
    may_fail: bool,
}

/// A sandbox on its way through a crash.
#[derive(Debug)]
pub(super) struct Replay {
    sandbox: Sandbox,
    ahead: VecDeque<Ahead>,
    acts: Vec<Act>,
    now: Option<Ahead>,
    events: Vec<Event>,
    ticks: usize,
    ticks_max: usize,
    keeps_down: bool,
    /// The driver as it was down the first time, if that was wanted.
    pub(super) down: Option<Rc<Down>>,
    /// The paths written by the first restart.
    pub(super) recovery: Vec<String>,
    /// How often the driver stopped.
    pub(super) crashes: usize,
    /// Batches that restarts ran again.
    pub(super) again: u64,
    /// Why it does not go on.
    pub(super) stuck: Option<String>,
}

impl Replay {
    /// A crash that is armed just before the first of some acts.
    pub(super) fn first(
        before: &Sandbox,
        shared: Vec<Act>,
        arm: ArmPlace,
        rest: &[Done],
        ticks_max: usize,
        keeps_down: bool,
    ) -> Replay {
        let mut replay = Replay::new(before.clone(), shared, rest, ticks_max);
        replay.ahead.push_front(Ahead { act: Act::Arm { place: arm }, may_fail: false });
        replay.keeps_down = keeps_down;
        replay
    }

    /// A second crash, at a write of the restart from the first one.
    pub(super) fn second(down: &Down, k: u64, when: When, rest: &[Done], ticks_max: usize) -> Replay {
        let mut replay = Replay::new(down.sandbox.clone(), down.acts.clone(), rest, ticks_max);
        let may_fail = replay.ahead.pop_front().is_some_and(|ahead| ahead.may_fail);
        replay.ahead.push_front(Ahead { act: Act::Restart, may_fail });
        let place = ArmPlace::Write { k, when };
        replay.ahead.push_front(Ahead { act: Act::Arm { place }, may_fail: false });
        replay.crashes = 1;
        replay
    }

    fn new(sandbox: Sandbox, acts: Vec<Act>, rest: &[Done], ticks_max: usize) -> Replay {
        let ahead = rest.iter().map(|done| Ahead { act: done.act.clone(), may_fail: done.failed }).collect();
        Replay {
            sandbox,
            ahead,
            acts,
            now: None,
            events: Vec::new(),
            ticks: 0,
            ticks_max,
            keeps_down: false,
            down: None,
            recovery: Vec::new(),
            crashes: 0,
            again: 0,
            stuck: None,
        }
    }

    /// The sandbox as it stands.
    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The acts that led here from the beginning.
    pub(super) fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// Works for about so many ticks; says whether it is over.
    pub(super) fn work(&mut self, ticks: &mut usize) -> bool {
        while *ticks > 0 {
            if self.stuck.is_some() {
                return true;
            }
            match &self.now {
                Some(_) => self.slice(ticks),
                None => match self.ahead.pop_front() {
                    Some(next) => self.begin(next),
                    None => return true,
                },
            }
        }
        false
    }

    fn begin(&mut self, next: Ahead) {
        match self.sandbox.apply(&next.act) {
            Ok(()) => {
                self.acts.push(next.act.clone());
                self.now = Some(next);
            }
            // What is to be deleted may have another name after a crash, or is not there.
            Err(_) if matches!(next.act, Act::Delete { .. } | Act::Stop { .. }) => {}
            Err(refused) => self.stuck = Some(format!("{} is refused: {refused}", next.act)),
        }
    }

    fn slice(&mut self, ticks: &mut usize) {
        let slice = SLICE.min(*ticks);
        *ticks -= slice;
        self.ticks += slice;
        let work = self.sandbox.work(slice);
        self.events.extend(self.sandbox.take_events());
        self.sandbox.take_changes();
        if work == Work::Rest {
            self.rested();
        } else if self.ticks > self.ticks_max {
            self.stuck = Some("The script does not come to an end after the restart.".to_owned());
        }
    }

    /// An act is over: the driver may be down.
    fn rested(&mut self) {
        let Some(done) = self.now.take() else { return };
        let events = std::mem::take(&mut self.events);
        let is_restart = done.act == Act::Restart;
        if is_restart {
            self.again += again(&events);
        }
        if self.sandbox.script_state() == ScriptState::Crashed {
            self.crashes += 1;
            if self.keeps_down && self.down.is_none() {
                self.down = Some(Rc::new(Down { sandbox: self.sandbox.clone(), acts: self.acts.clone() }));
            }
            self.ahead.push_front(Ahead { act: Act::Restart, may_fail: done.may_fail });
        } else if !done.may_fail {
            self.stuck = failure(&self.sandbox);
        }
        if is_restart && self.recovery.is_empty() && self.stuck.is_none() {
            self.recovery = written(&events);
        }
    }
}

/// Distinct batches that ran again.
fn again(events: &[Event]) -> u64 {
    let batches: BTreeSet<(&str, i64)> = events
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::Batch(fact) if fact.again => Some((fact.query.0.as_str(), fact.batch.0)),
            _ => None,
        })
        .collect();
    batches.len() as u64
}

/// Why the script or a query has failed, in one line.
pub(super) fn failure(sandbox: &Sandbox) -> Option<String> {
    let first_line = |text: &str| text.lines().next().unwrap_or_default().to_owned();
    let driver = sandbox.driver();
    let of_script = driver.and_then(|d| d.error()).map(|error| {
        let message = first_line(&error.message);
        let line = error.frames.last().map(|frame| frame.span.line);
        match line {
            Some(line) => format!("Line {line}: {}: {message}", error.class),
            None => format!("{}: {message}", error.class),
        }
    });
    let of_query = || {
        let mut queries = driver?.queries.all();
        queries.find_map(|(_, query)| query.execution.exception().map(|error| first_line(&error.message)))
    };
    let is_failed = sandbox.script_state() == ScriptState::Failed;
    of_script.or_else(of_query).or_else(|| is_failed.then(|| "The script does not start.".to_owned()))
}
