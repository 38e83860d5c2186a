//! One run of a script through the acts of a check, on one data set.

use std::collections::{BTreeSet, VecDeque};

use tidemark_protocol::{Act, ArmPlace, ScriptState, View};
use tidemark_trace::CrashPoint;
use tidemark_world::World;

use crate::sandbox::{Sandbox, Work};

/// After so many ticks without an end a run is interrupted.
const TICKS_MAX: usize = 2_500;
/// After so many crashes of one run it is given up.
const RESTARTS_MAX: u32 = 3;

/// How a run of the script ended.
#[derive(Clone, Debug)]
pub(super) struct RunEnd {
    /// How the script stood.
    pub(super) state: ScriptState,
    /// The moment.
    pub(super) moment: usize,
    /// Whether it was interrupted because it found no end.
    pub(super) is_endless: bool,
    /// The sentence of its error.
    pub(super) error: String,
}

/// One run through the acts.
pub(super) struct Attempt {
    sandbox: Sandbox,
    acts: VecDeque<Act>,
    crash: Option<CrashPoint>,
    left: usize,
    restarts: u32,
    /// The acts that were done, crashes and restarts among them.
    pub(super) done: Vec<Act>,
    /// The World at each moment.
    pub(super) worlds: Vec<World>,
    /// The runs in their order.
    pub(super) ends: Vec<RunEnd>,
    /// The options that queries were started with, in lower case.
    pub(super) options: BTreeSet<String>,
    /// The most rows that an operator held.
    pub(super) state_rows_max: u64,
    /// Why an act was refused.
    pub(super) refused: Option<String>,
}

impl Attempt {
    /// At the beginning. With a crash, every run of the script is killed there once and started again.
    pub(super) fn new(acts: Vec<Act>, crash: Option<CrashPoint>) -> Attempt {
        Attempt {
            sandbox: Sandbox::default(),
            acts: acts.into(),
            crash,
            left: 0,
            restarts: 0,
            done: Vec::new(),
            worlds: Vec::new(),
            ends: Vec::new(),
            options: BTreeSet::new(),
            state_rows_max: 0,
            refused: None,
        }
    }

    /// Works for so many ticks; says whether all acts are done.
    pub(super) fn work(&mut self, ticks: usize) -> bool {
        for _ in 0..ticks {
            if self.left > 0 {
                self.tick();
            } else if !self.begin() {
                return true;
            }
            self.keep();
        }
        false
    }

    /// What a view of the last moment shows.
    pub(super) fn last_view(&self) -> View {
        self.sandbox.view_at(self.sandbox.moments())
    }

    /// A moment as it is drawn.
    pub(super) fn view_at(&self, moment: usize) -> View {
        self.sandbox.view_at(moment)
    }

    /// The newest moment.
    pub(super) fn last_moment(&self) -> usize {
        self.worlds.len().saturating_sub(1)
    }

    /// Begins the next act; says whether there was one.
    fn begin(&mut self) -> bool {
        let Some(act) = self.acts.pop_front() else { return false };
        let arm = self.crash.filter(|_| matches!(act, Act::Run { .. }));
        if let Some(point) = arm {
            self.apply(Act::Arm { place: ArmPlace::Point { point } });
            self.keep();
        }
        self.apply(act);
        true
    }

    fn apply(&mut self, act: Act) {
        match self.sandbox.apply(&act) {
            Ok(()) => {
                self.done.push(act);
                self.left = TICKS_MAX;
            }
            Err(refused) => {
                self.refused = Some(refused.to_string());
                self.acts.clear();
            }
        }
    }

    fn tick(&mut self) {
        self.left -= 1;
        if self.sandbox.work(1) == Work::Rest {
            self.left = 0;
            self.rested(false);
        } else if self.left == 0 {
            self.sandbox.halt();
            self.rested(true);
        }
    }

    fn rested(&mut self, is_endless: bool) {
        if !matches!(self.done.last(), Some(Act::Run { .. } | Act::Restart)) {
            return;
        }
        self.look_at_queries();
        let state = self.sandbox.script_state();
        if state == ScriptState::Crashed && self.restarts < RESTARTS_MAX {
            self.restarts += 1;
            self.acts.push_front(Act::Restart);
            return;
        }
        self.restarts = 0;
        self.keep();
        let error = match state {
            ScriptState::Failed => error_in_words(&self.last_view()),
            _ => String::new(),
        };
        self.ends.push(RunEnd { state, moment: self.last_moment(), is_endless, error });
        if is_endless || state == ScriptState::Failed || state == ScriptState::Crashed {
            self.acts.clear();
            if is_endless {
                // What was interrupted cannot be done again as one act.
                self.done.pop();
            }
        }
    }

    fn look_at_queries(&mut self) {
        let Some(driver) = self.sandbox.driver() else { return };
        for (_, running) in driver.queries.all() {
            let query = &running.execution;
            self.options.extend(query.spec().options.keys().map(|name| name.to_lowercase()));
            let operators = query.recent_progress().iter().flat_map(|progress| &progress.state_operators);
            let rows = operators.filter_map(|operator| operator["numRowsTotal"].as_u64()).max();
            self.state_rows_max = self.state_rows_max.max(rows.unwrap_or(0));
        }
    }

    /// Keeps the World of each moment that has come.
    fn keep(&mut self) {
        while self.worlds.len() < self.sandbox.moments() {
            self.worlds.push(self.sandbox.world().clone());
        }
    }
}

/// The error that ended a run, without the frames around it: of a function that a query calls, its own error.
fn error_in_words(view: &View) -> String {
    let Some(error) = view.script.errors.first() else { return view.sentence.clone() };
    let is_error = |line: &&str| {
        let class = line.split(':').next().unwrap_or_default();
        let name = class.rsplit('.').next().unwrap_or_default();
        name.ends_with("Error") || name.ends_with("Exception")
    };
    let place = |line: &&str| line.trim_start().starts_with("File ");
    let number = |line: &str| line.split("line ").nth(1)?.split(',').next().map(str::to_owned);
    let inner = error.message.lines().rev().find(is_error);
    let at = error.message.lines().rev().find(place).and_then(number);
    match (inner, at) {
        (Some(inner), Some(at)) => format!("line {at}: {inner}"),
        _ => {
            let first = error.message.lines().next().unwrap_or_default();
            format!("line {}: {}: {first}", error.line, error.class)
        }
    }
}
