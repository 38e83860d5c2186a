//! The check from attempt to attempt, in slices that can be stopped.

use std::collections::VecDeque;

use tidemark_protocol::lesson::filled;
use tidemark_protocol::{
    Act, CheckAsk, CheckFailure, CheckReport, Expect, LessonFile, SweepCell, SweepRow, SweepTable, Verdict,
};
use tidemark_trace::CrashPoint;

use super::attempt::Attempt;
use super::data::hidden_files;
use super::judge::{self, Oracle, Wrong};
use crate::sweep::Sweep;

/// Who goes through the acts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Who {
    /// The solution: what it writes is right.
    Solution,
    /// The learner's script, with a crash in every run or without.
    Learner(Option<CrashPoint>),
    /// The learner's script, with a crash at every write, each in its turn.
    Swept,
}

/// What is under way.
enum Busy {
    Attempt(Trial, Box<Attempt>),
    Sweep(Box<Sweep>),
}

/// A script, a data set, a crash.
#[derive(Clone, Copy, Debug)]
struct Trial {
    /// 0 for the visible data, then the hidden ones.
    data: usize,
    who: Who,
}

/// A check under way.
pub struct LessonCheck {
    ask: CheckAsk,
    trials: VecDeque<Trial>,
    busy: Option<Busy>,
    oracle: Oracle,
    /// What the sweep has found, if there was one.
    survived: String,
    report: CheckReport,
}

impl LessonCheck {
    /// A check at its beginning.
    pub fn new(ask: CheckAsk) -> LessonCheck {
        let points: Vec<CrashPoint> = ask.check.expect.iter().flat_map(points).collect();
        let mut trials: VecDeque<Trial> = (0..=ask.check.hidden.len())
            .flat_map(|data| {
                let crashes = points.iter().map(|point| Who::Learner(Some(*point)));
                let all = [Who::Solution, Who::Learner(None)].into_iter().chain(crashes);
                all.map(move |who| Trial { data, who }).collect::<Vec<_>>()
            })
            .collect();
        let sweeps = ask.check.expect.iter().filter(|expect| **expect == Expect::Sweep);
        trials.extend(sweeps.map(|_| Trial { data: 0, who: Who::Swept }));
        let report = CheckReport { planned: trials.len() as u64, ..CheckReport::default() };
        LessonCheck { ask, trials, busy: None, oracle: Oracle::new(), survived: String::new(), report }
    }

    /// Works for about so many ticks and says how it stands; the first thing that is wrong ends it.
    pub fn work(&mut self, ticks: usize) -> &CheckReport {
        if self.report.over {
            return &self.report;
        }
        match self.busy.take().or_else(|| self.next()) {
            None => {
                self.report.over = true;
                self.report.sentence = self.praise();
            }
            Some(Busy::Attempt(trial, mut attempt)) => {
                self.report.sentence = format!("Checking on {}.", place(trial));
                if attempt.work(ticks) {
                    self.report.tried += 1;
                    self.close(trial, &attempt);
                } else {
                    self.busy = Some(Busy::Attempt(trial, attempt));
                }
            }
            Some(Busy::Sweep(mut sweep)) => {
                let goes_on = sweep.work(ticks);
                let table = sweep.table();
                self.report.sentence =
                    format!("Trying every crash on the visible data: {} of {}.", table.tried, table.planned);
                if goes_on {
                    self.busy = Some(Busy::Sweep(sweep));
                } else {
                    self.report.tried += 1;
                    self.swept(&table);
                }
            }
        }
        &self.report
    }

    /// Works to the end.
    pub fn finish(mut self) -> CheckReport {
        while !self.work(1_000).over {}
        self.report
    }

    fn next(&mut self) -> Option<Busy> {
        let trial = self.trials.pop_front()?;
        let script = if trial.who == Who::Solution { &self.ask.solution } else { &self.ask.script };
        let with_script = |act: &Act| match act {
            Act::Edit { script: name, .. } => Act::Edit { script: name.clone(), text: script.clone() },
            other => other.clone(),
        };
        let mut acts: Vec<Act> = self.ask.begin.iter().map(with_script).collect();
        acts.extend(filled(&self.ask.check.acts, &self.files(trial.data)));
        let crash = match trial.who {
            Who::Learner(crash) => crash,
            Who::Solution => None,
            Who::Swept => return Some(Busy::Sweep(Box::new(Sweep::new(&acts, false)))),
        };
        Some(Busy::Attempt(trial, Box::new(Attempt::new(acts, crash))))
    }

    fn files(&self, data: usize) -> Vec<LessonFile> {
        let check = &self.ask.check;
        match data.checked_sub(1).and_then(|at| check.hidden.get(at)) {
            Some(seed) => hidden_files(&check.data, *seed, &self.ask.files),
            None => self.ask.files.clone(),
        }
    }

    fn close(&mut self, trial: Trial, attempt: &Attempt) {
        let crash = match trial.who {
            Who::Solution => {
                self.oracle = judge::oracle(&self.ask.check, attempt);
                return;
            }
            Who::Learner(crash) => crash,
            Who::Swept => None,
        };
        if let Some(wrong) = judge::judge(&self.ask.check, attempt, &self.oracle, crash) {
            self.report.over = true;
            self.report.failure = Some(failure(trial, &wrong, attempt));
            self.report.sentence =
                self.report.failure.as_ref().map(|failure| failure.message.clone()).unwrap_or_default();
        }
    }

    /// The worst that a crash did, if it did anything.
    fn swept(&mut self, table: &SweepTable) {
        self.survived = format!(" {}", table.sentence);
        // Half of the very first plan is in Spark's way too: no script can help that.
        let is_fault = |row: &SweepRow, cell: &SweepCell| match cell.verdict {
            Verdict::Right => false,
            Verdict::Stuck => row.point != CrashPoint::C03,
            Verdict::Doubled | Verdict::Lost => true,
        };
        let cells =
            table.rows.iter().flat_map(|row| row.cells.iter().filter(move |cell| is_fault(row, cell)));
        let Some(worst) = cells.max_by_key(|cell| cell.verdict) else { return };
        let message = format!("On the visible data, with a crash {}, {}.", worst.place, harm(worst));
        self.report.over = true;
        self.report.sentence.clone_from(&message);
        self.report.failure = Some(CheckFailure {
            message,
            data: format!("crash {}", worst.place),
            acts: worst.acts.clone(),
            moment: usize::MAX >> 1,
        });
    }

    fn praise(&self) -> String {
        let hidden = self.ask.check.hidden.len();
        let crashes: Vec<&str> = self.ask.check.expect.iter().flat_map(points).map(in_words).collect();
        let crashes = if crashes.is_empty() || !self.survived.is_empty() {
            String::new()
        } else {
            format!(", {}", crashes.join(", "))
        };
        format!("Right on the visible data and on {hidden} hidden data sets{crashes}.{}", self.survived)
    }
}

fn points(expect: &Expect) -> Vec<CrashPoint> {
    match expect {
        Expect::Survives { points } => points.clone(),
        _ => Vec::new(),
    }
}

/// What a crash did to the tables.
fn harm(cell: &SweepCell) -> String {
    match cell.verdict {
        Verdict::Right => "all is right".to_owned(),
        Verdict::Doubled => format!("{} too often", rows(cell.doubled)),
        Verdict::Lost => format!("{} too few", rows(cell.lost)),
        Verdict::Stuck => format!("the script is stuck: {}", cell.message.trim_end_matches('.')),
    }
}

fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}

fn data_name(data: usize) -> String {
    if data == 0 { "the visible data".to_owned() } else { format!("hidden data {data}") }
}

/// `hidden data 2, with a crash inside foreachBatch`.
fn place(trial: Trial) -> String {
    match trial.who {
        Who::Learner(Some(point)) => format!("{}, {}", data_name(trial.data), in_words(point)),
        _ => data_name(trial.data),
    }
}

/// A crash as a part of a sentence.
fn in_words(point: CrashPoint) -> &'static str {
    match point {
        CrashPoint::C01 => "with a crash before the listing",
        CrashPoint::C02 => "with a crash after the note of new files",
        CrashPoint::C03 => "with a crash in the middle of offsets/N",
        CrashPoint::C04 => "with a crash after offsets/N",
        CrashPoint::C05 => "with a crash while rows are read",
        CrashPoint::C06 => "with a crash before the state is saved",
        CrashPoint::C07 => "with a crash after the state is saved",
        CrashPoint::C08 => "with a crash before the sink writes",
        CrashPoint::C09 => "with a crash before the sink's commit",
        CrashPoint::C10 => "with a crash between the sink's commit and commits/N",
        CrashPoint::C11 => "with a crash in the middle of commits/N",
        CrashPoint::C12 => "with a crash after commits/N",
        CrashPoint::C13 => "with a crash inside foreachBatch",
        CrashPoint::C14 => "with a crash during recovery",
    }
}

fn failure(trial: Trial, wrong: &Wrong, attempt: &Attempt) -> CheckFailure {
    let step = wrong.moment + 1;
    let second = if wrong.appears {
        format!("It first appears at step {step}.")
    } else {
        format!("Step {step} is the last one.")
    };
    let data = if trial.data == 0 { "check".to_owned() } else { data_name(trial.data) };
    CheckFailure {
        message: format!("On {}, {}. {second}", place(trial), wrong.what),
        data,
        acts: attempt.done.clone(),
        moment: wrong.moment,
    }
}
