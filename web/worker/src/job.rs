//! Work beside the sandbox: it has worlds of its own, and the learner goes on meanwhile.

use tidemark_protocol::FromWorker;
use tidemark_sandbox::{LessonCheck, Sweep};

/// A crash sweep or the check of a lesson.
pub(crate) enum Job {
    /// A crash sweep.
    Sweep(Box<Sweep>),
    /// The check of a lesson.
    Check(Box<LessonCheck>),
}

impl Job {
    /// Works for about so many ticks; says whether there is more to do.
    pub(crate) fn work(&mut self, ticks: usize) -> bool {
        match self {
            Job::Sweep(sweep) => sweep.work(ticks),
            Job::Check(check) => !check.work(ticks).over,
        }
    }

    /// How it stands while it goes on. The ways to the cells of a sweep are long: they come at the end.
    pub(crate) fn report(&mut self, number: u64) -> FromWorker {
        match self {
            Job::Sweep(sweep) => {
                let mut table = Box::new(sweep.table());
                for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
                    cell.acts.clear();
                }
                FromWorker::Swept { number, table }
            }
            Job::Check(check) => FromWorker::Checked { number, report: Box::new(check.work(0).clone()) },
        }
    }

    /// What came of it, or what has come of it when it is given up.
    pub(crate) fn end(self, number: u64) -> FromWorker {
        match self {
            Job::Sweep(sweep) => FromWorker::Swept { number, table: Box::new(sweep.stop()) },
            Job::Check(mut check) => FromWorker::Checked { number, report: Box::new(check.work(0).clone()) },
        }
    }

    /// What is to be said when it is given up: a sweep keeps what it has tried.
    pub(crate) fn stop(self, number: u64) -> Option<FromWorker> {
        match self {
            Job::Sweep(sweep) => Some(FromWorker::Swept { number, table: Box::new(sweep.stop()) }),
            Job::Check(_) => None,
        }
    }
}
