//! The time plane: event time across, batches up. All times are milliseconds since the epoch.

use serde::{Deserialize, Serialize};
use tidemark_types::SimTime;

/// The picture of one query's time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaneView {
    /// The place of the query among the queries of the view.
    pub query: usize,
    /// Why there is nothing to draw; none if there is.
    pub absent: Option<String>,
    /// What the query was told: `window 10 minutes, watermark 5 minutes, append`.
    pub setup: String,
    /// The picture in one sentence.
    pub sentence: String,
    /// Columns of the input that a row carries.
    pub columns: Vec<String>,
    /// The batches, oldest first; the last one may be the next that has not run.
    pub bands: Vec<PlaneBand>,
    /// The input rows in the order in which they were read, at most [`PlaneView::ROWS_MAX`].
    pub rows: Vec<PlaneRow>,
    /// How many input rows there are.
    pub total: u64,
    /// The windows in the order of their starts.
    pub windows: Vec<PlaneWindow>,
}

impl PlaneView {
    /// How many rows are drawn at most: the first.
    pub const ROWS_MAX: usize = 500;
}

/// One batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneBand {
    /// The batch.
    pub batch: i64,
    /// Whether it has not run yet.
    pub next: bool,
    /// Its trigger's time.
    pub at: SimTime,
    /// The input files, by name.
    pub files: Vec<String>,
    /// Rows for windows that end here or before are dropped: the watermark of the batch before.
    pub filter: Option<i64>,
    /// Windows that end here or before leave: the watermark of this batch.
    pub evict: Option<i64>,
    /// The watermark that it leaves to the next batch, if it moved it.
    pub sets: Option<i64>,
    /// What happened, in one sentence.
    pub sentence: String,
}

/// What became of an input row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It was in time.
    Ontime,
    /// It was behind the watermark, but what it belongs to is still open.
    Late,
    /// It was too late.
    Dropped,
    /// The query had its key already.
    Repeated,
    /// It has no event time.
    Untimed,
}

/// One input row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneRow {
    /// The batch that read it.
    pub batch: i64,
    /// The file, relative to the root.
    pub file: String,
    /// The line in it, from 1.
    pub line: u32,
    /// Its event time.
    pub event: Option<i64>,
    /// The key, for the letter in the mark.
    pub key: String,
    /// The value beside the mark.
    pub value: String,
    /// The cells of `columns`.
    pub cells: Vec<String>,
    /// What became of it.
    pub fate: Fate,
    /// Why, with numbers.
    pub reason: String,
    /// The places of its windows.
    pub windows: Vec<usize>,
    /// The watermark that it set, if it is the row that moved it.
    pub sets: Option<i64>,
}

/// One window; a session has a key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneWindow {
    /// Where it begins.
    pub start: i64,
    /// Where it ends, not included.
    pub end: i64,
    /// The key of a session; empty for windows that all keys share.
    pub key: String,
    /// The batch with which it left the state; none while it is open.
    pub left: Option<i64>,
    /// What it came to, by batch: one entry where the query says it once, several where it says every change.
    pub values: Vec<PlaneValue>,
    /// How far a session reached batch by batch while it grew and merged, each piece for itself; empty for other windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grew: Vec<PlaneReach>,
    /// What it stands at now: `c 4.0, b 3.0`.
    pub now: String,
    /// Why it is not out yet, for an open one.
    pub why: Option<WhyNot>,
}

/// How far a piece of a session reached after a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlaneReach {
    /// The batch.
    pub batch: i64,
    /// Where it began.
    pub start: i64,
    /// Where it ended, not included.
    pub end: i64,
}

/// A value that left the query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaneValue {
    /// The batch.
    pub batch: i64,
    /// `a 8.0, b 7.0`.
    pub text: String,
}

/// Why a window is not out yet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WhyNot {
    /// The line of the last batch.
    pub line: Option<i64>,
    /// The line of the next batch.
    pub next: Option<i64>,
    /// An event at this time or later closes it.
    pub closes: i64,
    /// The answer in words.
    pub sentence: String,
}
