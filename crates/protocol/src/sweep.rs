//! The crash sweep: a script replayed with a crash at each write, and what came of each.

use std::fmt;

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

impl SweepCell {
    /// Whether it is the one crash that Spark itself does not come back from: half of the very first plan stays in the
    /// way, as a temporary file in `offsets/`.
    pub fn is_first_plan(&self) -> bool {
        self.verdict == Verdict::Stuck && self.when == When::During && self.place.ends_with("offsets/0")
    }
}

impl SweepTable {
    /// Whether every crash came out right, but for the one that Spark itself does not come back from.
    pub fn is_green(&self) -> bool {
        let mut cells = self.rows.iter().flat_map(|row| &row.cells);
        self.tried > 0 && cells.all(|cell| cell.verdict == Verdict::Right || cell.is_first_plan())
    }

    /// Whether all planned crashes have been tried, or there is nothing to try.
    pub fn is_over(&self) -> bool {
        self.tried >= self.planned
    }
}

impl SweepRow {
    /// The crash at this point that came out worst: the first of them.
    pub fn worst(&self) -> Option<&SweepCell> {
        self.cells.iter().find(|cell| Some(cell.verdict) == self.verdict)
    }

    /// The most rows too many, rows missing and batches run again of one crash at this point.
    pub fn most(&self) -> (u64, u64, u64) {
        let most = |count: fn(&SweepCell) -> u64| self.cells.iter().map(count).max().unwrap_or(0);
        (most(|cell| cell.doubled), most(|cell| cell.lost), most(|cell| cell.again))
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Right => "right",
            Verdict::Doubled => "doubled",
            Verdict::Lost => "lost",
            Verdict::Stuck => "stuck",
        })
    }
}

/// The table as lines of text, and its sentence.
impl fmt::Display for SweepTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tried > 0 {
            writeln!(
                f,
                "crash  where                           verdict  crashes  too many  missing  run again  worst"
            )?;
        }
        for row in self.rows.iter().filter(|_| self.tried > 0) {
            write!(f, "{:?}    {:<30}  ", row.point, row.point.phrase())?;
            match (&row.absent, row.verdict) {
                (Some(absent), _) => writeln!(f, "{absent}")?,
                (None, None) => writeln!(f, "not tried")?,
                (None, Some(verdict)) => {
                    let (doubled, lost, again) = row.most();
                    let crashes = row.cells.len();
                    let verdict_text = verdict.to_string();
                    write!(f, "{verdict_text:<8} {crashes:>7} {doubled:>9} {lost:>8} {again:>10}")?;
                    match row.worst().filter(|_| verdict != Verdict::Right) {
                        Some(worst) => writeln!(f, "  {}", worst.place)?,
                        None => writeln!(f)?,
                    }
                }
            }
        }
        write!(f, "{}", self.sentence)
    }
}
