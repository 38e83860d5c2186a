//! Where the driver is to stop: a plan that is asked before and after each write and each phase.

use tidemark_trace::{Phase, When};

/// One armed crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// At the k-th write from now on, counted from 1.
    Write {
        /// How many writes away.
        k: u64,
        /// On which side of it.
        when: When,
    },
    /// At a phase of the next batch that reaches it.
    Phase {
        /// The phase.
        phase: Phase,
        /// On which side of it.
        when: When,
    },
    /// At the next write into a folder of this name.
    Folder {
        /// The name of the folder, `offsets`.
        name: String,
        /// On which side of it.
        when: When,
    },
    /// At the first phase after the restart that follows a crash.
    Recovery,
    /// In the next function that a query calls with its batch: after the first commit that it makes to a table, or when
    /// it returns without one.
    Function {
        /// Whether such a function runs.
        is_inside: bool,
    },
    /// At the next write whose path ends with this text.
    Path {
        /// The end of the path.
        suffix: String,
        /// On which side of it.
        when: When,
    },
}

/// The armed crashes, and whether one has fired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultPlan {
    armed: Vec<Fault>,
    fired: Option<String>,
    /// Whether the driver is up again after a crash and no phase has begun since.
    recovering: bool,
}

impl FaultPlan {
    /// Adds a crash to the plan.
    pub fn arm(&mut self, fault: Fault) {
        self.armed.push(fault);
    }

    /// Takes one armed crash away; says whether it was armed.
    pub fn remove(&mut self, fault: &Fault) -> bool {
        let place = self.armed.iter().position(|armed| armed == fault);
        place.map(|place| self.armed.remove(place)).is_some()
    }

    /// Takes all armed crashes away.
    pub fn disarm(&mut self) {
        self.armed.clear();
    }

    /// A query calls a function with its batch.
    pub fn enter_function(&mut self) {
        for fault in &mut self.armed {
            if let Fault::Function { is_inside } = fault {
                *is_inside = true;
            }
        }
    }

    /// The armed crashes.
    pub fn armed(&self) -> &[Fault] {
        &self.armed
    }

    /// Where the driver stopped, if it did.
    pub fn fired(&self) -> Option<&str> {
        self.fired.as_deref()
    }

    pub(crate) fn clear_fired(&mut self) {
        self.recovering |= self.fired.take().is_some();
    }

    pub(crate) fn fire(&mut self, place: String) {
        self.fired = Some(place);
        self.recovering = false;
    }

    /// One write is about to happen: counts it down and says on which side of it to stop.
    pub(crate) fn at_write(&mut self, path: &str) -> Option<When> {
        let mut hit = None;
        let mut index = 0;
        while index < self.armed.len() {
            let stop = match &mut self.armed[index] {
                Fault::Write { k, when } => {
                    *k = k.saturating_sub(1);
                    (*k == 0).then_some(*when)
                }
                Fault::Path { suffix, when } => path.ends_with(suffix.as_str()).then_some(*when),
                Fault::Folder { name, when } => {
                    (path.rsplit('/').nth(1) == Some(name.as_str())).then_some(*when)
                }
                Fault::Function { is_inside: true } => is_table_commit(path).then_some(When::After),
                Fault::Function { is_inside: false } | Fault::Phase { .. } | Fault::Recovery => None,
            };
            if stop.is_some() && hit.is_none() {
                hit = stop;
                self.armed.remove(index);
            } else {
                index += 1;
            }
        }
        hit
    }

    /// A phase begins or ends.
    pub(crate) fn at_phase(&mut self, phase: Phase, when: When) -> bool {
        let is_first = std::mem::take(&mut self.recovering);
        let wanted = Fault::Phase { phase, when };
        let returns = (phase, when) == (Phase::Commit, When::Before);
        let is_hit = |fault: &Fault| match fault {
            Fault::Recovery => is_first,
            Fault::Function { is_inside } => *is_inside && returns,
            other => *other == wanted,
        };
        match self.armed.iter().position(is_hit) {
            Some(index) => {
                self.armed.remove(index);
                true
            }
            None => false,
        }
    }
}

/// Whether this is the file that makes rows part of a Delta table.
fn is_table_commit(path: &str) -> bool {
    path.rsplit('/').nth(1) == Some("_delta_log") && path.ends_with(".json")
}
