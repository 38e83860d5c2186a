//! Two moments side by side: only what differs.

use serde::{Deserialize, Serialize};
use tidemark_types::SimTime;

use crate::view::Cost;
use crate::work::Place;

/// What differs between two moments, of two branches or of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The left moment.
    pub left: Side,
    /// The right moment.
    pub right: Side,
    /// One sentence: `out/ holds 3 rows on the left and 6 on the right; ids 1 to 3 are there twice.`
    pub sentence: String,
    /// Objects that differ, in the order of their paths.
    pub objects: Vec<ObjectDifference>,
    /// How many objects are the same on both sides.
    pub same_objects: u64,
    /// Tables of which rows differ; a table without a difference is there with no rows.
    pub sinks: Vec<SinkDifference>,
    /// Spark's measures that differ, each with its name and both values, `-` where there is none.
    pub progress: Vec<Measure>,
}

/// One side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// Where it is.
    pub place: Place,
    /// The name of the branch.
    pub name: String,
    /// The sentence of the moment.
    pub sentence: String,
    /// The World's time.
    pub at: SimTime,
    /// What all batches up to here cost.
    pub cost: Cost,
}

/// An object that is not the same on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectDifference {
    /// The path relative to the root.
    pub path: String,
    /// Its size on the left, if it is there.
    pub left: Option<u64>,
    /// Its size on the right, if it is there.
    pub right: Option<u64>,
    /// A few words: `plan of batch 1`.
    pub note: String,
}

/// A table, and its rows that are not equally often on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SinkDifference {
    /// The path or the name.
    pub name: String,
    /// The column names.
    pub columns: Vec<String>,
    /// Rows on the left.
    pub left_total: u64,
    /// Rows on the right.
    pub right_total: u64,
    /// The rows that differ.
    pub rows: Vec<RowDifference>,
}

/// A row, and how often it is on each side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowDifference {
    /// The cells as Spark shows them.
    pub cells: Vec<String>,
    /// How often on the left.
    pub left: u64,
    /// How often on the right.
    pub right: u64,
}

/// A measure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// Spark's name.
    pub name: String,
    /// The left value.
    pub left: String,
    /// The right value.
    pub right: String,
}
