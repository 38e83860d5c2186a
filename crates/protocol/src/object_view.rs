//! An opened object: raw, as fields, in words.

use serde::{Deserialize, Serialize};
use tidemark_types::SimTime;

/// One object, opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectView {
    /// The path relative to the root.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SimTime,
    /// What it is, in words: `offset log: batch 1 is planned`.
    pub kind: String,
    /// What it promises, one sentence.
    pub words: String,
    /// The raw text, cut at [`ObjectView::RAW_MAX`] characters; a hex dump of a binary object.
    pub raw: String,
    /// The content.
    pub body: ObjectBody,
}

impl ObjectView {
    /// How many characters of the raw text are carried at most.
    pub const RAW_MAX: usize = 100_000;
}

/// The content by kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "body", rename_all = "lowercase")]
pub enum ObjectBody {
    /// Rows: JSON lines, Parquet.
    Rows {
        /// The rows.
        table: Table,
    },
    /// Named fields: offsets, commits, metadata, source log, a Delta commit.
    Fields {
        /// The fields in order.
        fields: Vec<Field>,
    },
    /// Text only.
    Text,
    /// It is gone at this moment.
    Gone,
}

/// Columns and rows as text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The column names.
    pub columns: Vec<String>,
    /// The rows, cells as Spark shows them.
    pub rows: Vec<Vec<String>>,
    /// The number of all rows.
    pub total: u64,
}

/// One named field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// The name as it stands in the file.
    pub name: String,
    /// The value as text.
    pub value: String,
    /// What it means, a few words.
    pub meaning: String,
    /// How deep it is nested, from 0.
    pub depth: u8,
}
