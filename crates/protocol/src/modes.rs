//! One query in the three output modes, side by side.

use serde::{Deserialize, Serialize};

/// What each mode hands to the sink, batch by batch, for the same input in the same order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModesView {
    /// The place of the query among the queries of the view.
    pub query: usize,
    /// Why there is nothing to compare; none if there is.
    pub absent: Option<String>,
    /// The mode that the query itself has: `append`.
    pub own: String,
    /// The columns of the result.
    pub columns: Vec<String>,
    /// Append, update, complete.
    pub modes: Vec<ModeOutcome>,
}

impl ModesView {
    /// How many batches of input are gone through at most: the first.
    pub const BATCHES_MAX: usize = 20;
    /// How many rows of a batch are carried at most.
    pub const ROWS_MAX: usize = 100;
}

/// One mode.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeOutcome {
    /// `append`, `update` or `complete`.
    pub mode: String,
    /// Spark's message, if it refuses the query in this mode.
    pub refused: Option<String>,
    /// What came out, in the order of the batches.
    pub batches: Vec<ModeBatch>,
    /// Rows of all batches together.
    pub total: u64,
}

/// What one batch handed to the sink.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModeBatch {
    /// The batch.
    pub batch: i64,
    /// Which input it followed, from 0: batches of one input stand side by side.
    pub input: usize,
    /// The names of the files of that input.
    pub files: Vec<String>,
    /// Whether it ran without input.
    pub idle: bool,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// How many rows there are.
    pub total: u64,
}
