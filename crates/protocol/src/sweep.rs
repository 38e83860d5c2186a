//! The crash sweep: a script replayed with a crash at each write, and what came of each.

use serde::{Deserialize, Serialize};
use tidemark_trace::{CrashPoint, When};

use crate::act::Act;

/// What came of a crash, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The tables hold the rows of a run without a crash.
    Right,
    /// Some rows are there more often.
    Doubled,
    /// Some rows are missing.
    Lost,
    /// The script fails after the restart, or never ends.
    Stuck,
}

/// The whole table; while the sweep goes on, what is known so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SweepTable {
    /// Whether each crash is followed by a second one within the recovery.
    pub recovery: bool,
    /// Fourteen rows, one for each named point.
    pub rows: Vec<SweepRow>,
    /// Crashes to try.
    pub planned: u64,
    /// Crashes tried.
    pub tried: u64,
    /// Points that apply to the script.
    pub applicable: u64,
    /// Points of those at which everything came out right.
    pub survived: u64,
    /// One sentence: `Survived 11 of 11 crash points.`
    pub sentence: String,
}

/// All crashes of one named point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRow {
    /// The point.
    pub point: CrashPoint,
    /// Why it does not apply: `no state`; none if it does.
    pub absent: Option<String>,
    /// The worst verdict; none while nothing has been tried.
    pub verdict: Option<Verdict>,
    /// The crashes, in the order of the run.
    pub cells: Vec<SweepCell>,
}

/// One crash, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepCell {
    /// Where, in words: `after offsets/1`.
    pub place: String,
    /// On which side.
    pub when: When,
    /// The batch, if the crash was in one.
    pub batch: Option<i64>,
    /// What came of it.
    pub verdict: Verdict,
    /// Rows that are there too often.
    pub doubled: u64,
    /// Rows that are missing.
    pub lost: u64,
    /// Batches that were run again.
    pub again: u64,
    /// Why the script is stuck; empty if it is not.
    pub message: String,
    /// The acts that lead there: a branch of its own.
    pub acts: Vec<Act>,
}
