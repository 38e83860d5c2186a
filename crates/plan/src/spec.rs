//! What a reader or a writer was told: format, paths, options, modes.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_types::{SimTime, StructType};

/// Options by lower-case name, with the value as written.
pub type Options = BTreeMap<String, String>;

/// What `spark.read` or `spark.readStream` was told.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSpec {
    /// The format in lower case: `json`, `text`, `delta`, `rate`.
    pub format: String,
    /// The paths as written; empty for sources without one.
    pub paths: Vec<String>,
    /// The name of a table, for `table(…)`.
    pub table: Option<String>,
    /// The options.
    pub options: Options,
    /// The declared schema, if any.
    pub schema: Option<StructType>,
    /// Whether `readStream` was asked.
    pub streaming: bool,
    /// The files that a batch reader found at `load()`: it reads these whenever its rows are wanted. `None` if the
    /// source is asked anew each time, as a Delta table is.
    pub listing: Option<Listing>,
}

/// Files that were found once.
pub type Listing = Arc<Vec<ListedFile>>;

/// A file as a listing showed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// Its absolute path.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written.
    pub modified: SimTime,
    /// The columns that its folders name, outermost first: `day=1` is `("day", Some("1"))`.
    pub partition: Vec<(String, Option<String>)>,
}

impl ListedFile {
    /// A file outside of partition folders.
    pub fn new(path: impl Into<String>, size: u64, modified: SimTime) -> Self {
        ListedFile { path: path.into(), size, modified, partition: Vec::new() }
    }
}

/// What a batch `write` does with a table that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveMode {
    /// It adds rows.
    Append,
    /// It replaces the rows.
    Overwrite,
    /// It fails.
    ErrorIfExists,
    /// It does nothing.
    Ignore,
}

/// What `df.write` was told.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteSpec {
    /// The format in lower case.
    pub format: String,
    /// The path, for `save(path)`.
    pub path: Option<String>,
    /// The table, for `saveAsTable`.
    pub table: Option<String>,
    /// The mode.
    pub mode: SaveMode,
    /// The options.
    pub options: Options,
    /// The columns of `partitionBy`.
    pub partition_by: Vec<String>,
}

/// The output mode of a streaming query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputMode {
    /// Only rows that are final.
    Append,
    /// Rows that changed.
    Update,
    /// The whole result.
    Complete,
}

/// When a streaming query looks for new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Trigger {
    /// As soon as the batch before is over.
    Default,
    /// Every so many milliseconds.
    ProcessingTime(i64),
    /// One batch, then the end.
    Once,
    /// All that is there at the start, then the end.
    AvailableNow,
}

/// What `df.writeStream` was told.
#[derive(Clone, Debug, PartialEq)]
pub struct SinkSpec {
    /// The format in lower case; `foreachbatch` for a function.
    pub format: String,
    /// The path, for `start(path)`.
    pub path: Option<String>,
    /// The table, for `toTable(name)`.
    pub table: Option<String>,
    /// The name of the query.
    pub query_name: Option<String>,
    /// The output mode.
    pub output_mode: OutputMode,
    /// The trigger.
    pub trigger: Trigger,
    /// The options, `checkpointlocation` among them.
    pub options: Options,
    /// The columns of `partitionBy`.
    pub partition_by: Vec<String>,
}
