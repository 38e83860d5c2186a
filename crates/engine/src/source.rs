//! What the engine asks of a streaming source.

use std::fmt::Debug;
use std::sync::Arc;

use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::error::Result;

/// The position of a source, as its line in `offsets/N` writes it: `{"logOffset":0}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offset(pub String);

/// How much a batch may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadLimit {
    /// All there is.
    All,
    /// At most so many files, rows or the like.
    MaxFiles(u64),
    /// At most so many bytes, one file at least.
    MaxBytes(u64),
    /// At most so many rows.
    MaxRows(u64),
}

/// The rows of one task: read when asked, so that reading is a step of its own.
#[derive(Clone, Debug)]
pub struct Task {
    /// The rows, in the order of reading.
    pub batches: Vec<Batch>,
    /// The file each batch came from, for `input_file_name()`, if from a file.
    pub files: Vec<Option<String>>,
}

/// A streaming source: one for each relation of the plan, with its folder in the checkpoint.
///
/// Checked by the engine: `list` and `note` are called only when no batch is pending; `read` only after `offsets/N` is
/// durable; `commit(end of N-1)` only after `offsets/N` is durable.
/// Owed by the implementer: an offset stays readable as long as it stands in the offset log; the same range gives the
/// same rows; nothing is kept in memory that cannot be rebuilt from the checkpoint by `recover`.
pub trait Source: Debug {
    /// The schema of the rows.
    fn schema(&self) -> Arc<StructType>;

    /// The name in progress: `FileStreamSource[file:/tidemark/in]`.
    fn description(&self) -> String;

    /// Reads what the source keeps in its folder of the checkpoint. Called once, before anything else.
    fn recover(&mut self, world: &mut World) -> Result<()>;

    /// Fixes the end for `availableNow`: data that arrive later belong to the next run.
    fn prepare_available_now(&mut self, world: &mut World) -> Result<()>;

    /// The limit that the options set.
    fn default_limit(&self) -> ReadLimit;

    /// Looks for new data. The answer says what is new in words for the learner, `None` when nothing is.
    fn list(&mut self, world: &mut World, start: Option<&Offset>, limit: ReadLimit)
    -> Result<Option<String>>;

    /// Makes what `list` found durable in the source's own log, if it has one. Says what it wrote, in words for the
    /// learner: `sources/0/1 lists b.json`.
    fn note(&mut self, world: &mut World) -> Result<Option<String>>;

    /// The end of what has been noted, `None` when the source has no offset yet.
    fn latest_offset(&self, start: Option<&Offset>) -> Result<Option<Offset>>;

    /// Plans the rows between two offsets: what `getBatch` does. Errors of a missing log entry come out here.
    fn plan(&mut self, world: &mut World, start: Option<&Offset>, end: &Offset) -> Result<()>;

    /// Reads the rows planned last, task by task.
    fn read(&mut self, world: &mut World) -> Result<Vec<Task>>;

    /// All before this offset is done for good. Says what it tidied away, in words for the learner, if anything.
    fn commit(&mut self, world: &mut World, end: &Offset) -> Result<Option<String>>;

    /// What lies between two offsets, in words for the learner: `b.json and c.json`.
    fn words(&self, start: Option<&Offset>, end: &Offset) -> String {
        match start {
            Some(start) => format!("{} from {} to {}", self.description(), start.0, end.0),
            None => format!("{} up to {}", self.description(), end.0),
        }
    }

    /// An offset as progress shows it: JSON text.
    fn offset_json(&self, offset: &Offset) -> String {
        offset.0.clone()
    }

    /// The newest offset as progress shows it (`latestOffset`), `None` for `null`.
    fn latest_json(&self) -> Option<String> {
        None
    }

    /// The `metrics` of progress, by name.
    fn metrics(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// A copy with all its state, for a moment.
    fn boxed_clone(&self) -> Box<dyn Source>;
}

impl Clone for Box<dyn Source> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
