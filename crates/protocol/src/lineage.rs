//! Where a row comes from, and where it went.

use serde::{Deserialize, Serialize};

/// The thing whose way is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "lowercase")]
pub enum LineageOf {
    /// A row of a table, by its place in the view of the moment.
    Row {
        /// The name of the sink.
        sink: String,
        /// The place of the row.
        row: usize,
    },
    /// A line of an input file.
    Line {
        /// The path relative to the root.
        path: String,
        /// The line, from 1.
        line: u32,
    },
}

/// The way of a row: from input lines to table rows, with all between.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lineage {
    /// One sentence: `id 3 came from line 1 of in/b.json in batch 1 and stands in version 1.`
    pub sentence: String,
    /// The stations in the direction of the data: input lines, batch, state, data file, version, row. A line that went
    /// several ways has them one after the other, each from its batch to its row.
    pub hops: Vec<Hop>,
    /// Whether every input line among the stations is known to have a part in the row; else it is one of them.
    #[serde(default)]
    pub sure: bool,
}

/// One station.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hop {
    /// What it is.
    pub kind: HopKind,
    /// What it is called: `in/b.json, line 1`.
    pub name: String,
    /// Its content or what it did, as text: the line, the row.
    pub text: String,
    /// The object to open, relative to the root.
    pub path: Option<String>,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The batch.
    pub batch: Option<i64>,
    /// The run of the script in which the batch ran.
    #[serde(default)]
    pub run: Option<u32>,
    /// The place of a row in its sink, for the last station.
    pub row: Option<usize>,
}

/// The kinds of stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HopKind {
    /// A line of an input file.
    Input,
    /// The batch that read it.
    Batch,
    /// A key of the state.
    State,
    /// A data file.
    File,
    /// A version of the table.
    Version,
    /// A row of the table.
    Row,
}
