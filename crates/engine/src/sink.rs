//! What the engine asks of a sink.

use std::fmt::Debug;
use std::sync::Arc;

use tidemark_plan::OutputMode;
use tidemark_types::{Batch, BatchId, QueryId, RunId, SparkError, StructType};
use tidemark_world::World;

use crate::error::Result;

/// What a sink is told with each batch.
#[derive(Clone, Debug)]
pub struct SinkContext {
    /// The query.
    pub query: QueryId,
    /// The run.
    pub run: RunId,
    /// The batch.
    pub batch: BatchId,
    /// The output mode.
    pub mode: OutputMode,
    /// The schema of the rows.
    pub schema: Arc<StructType>,
}

/// What a sink says to a batch before it is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// It takes the rows.
    Rows,
    /// It already has this batch, and says why: read, work, save and write never happen.
    Skip(String),
}

/// A sink.
///
/// Checked by the engine: the order `begin`, `write` once per task in the order of tasks, `commit`, `after_commit`
/// until it returns `None`; each call is a step, so a crash can fall between any two.
/// Owed by the implementer: a batch becomes visible in `commit` and not before, as far as the kind of sink allows.
pub trait Sink: Debug {
    /// The name in progress: `DeltaSink[file:/tidemark/out]`, `MemorySink`.
    fn description(&self) -> String;

    /// Looks whether the batch is wanted.
    fn begin(&mut self, world: &mut World, context: &SinkContext) -> Result<Accepted>;

    /// Takes the rows of one task. Says whether something was written, in words for the learner.
    fn write(
        &mut self,
        world: &mut World,
        context: &SinkContext,
        task: usize,
        rows: &Batch,
    ) -> Result<Option<String>>;

    /// Makes the batch visible. Says how, in words for the learner.
    fn commit(&mut self, world: &mut World, context: &SinkContext) -> Result<String>;

    /// Work after the commit, one durable thing a call, `None` when there is no more: a Delta checkpoint.
    fn after_commit(&mut self, world: &mut World, context: &SinkContext) -> Result<Option<String>>;

    /// Whether a query may run without a checkpoint location: its checkpoint then goes with it.
    fn takes_temporary_checkpoint(&self) -> bool {
        false
    }

    /// Whether a query may go on from a checkpoint in this mode: a memory sink has lost its rows.
    fn recovers(&self, _mode: OutputMode) -> bool {
        true
    }

    /// How Spark reports that a task which was to write its rows here has failed.
    fn task_failed(&self, cause: SparkError) -> SparkError {
        cause
    }

    /// `numOutputRows` of progress, −1 where Spark does not know.
    fn output_rows(&self) -> i64 {
        -1
    }

    /// The text that the sink has printed since the last call: the console.
    fn take_output(&mut self) -> String {
        String::new()
    }

    /// All rows of the sink, if it is the memory sink: its table under the query's name.
    fn memory(&self) -> Option<Batch> {
        None
    }

    /// The schema and the shared pieces of the same rows: to keep them costs nothing.
    fn memory_parts(&self) -> Option<(Arc<StructType>, Arc<Vec<Batch>>)> {
        None
    }

    /// How many rows of the memory sink each batch has brought, in the order of the rows.
    fn memory_batches(&self) -> Vec<(i64, usize)> {
        Vec::new()
    }

    /// Whether the batch is handed to the user's function: `foreachBatch`. The engine then asks instead of writing.
    fn is_foreach_batch(&self) -> bool {
        false
    }

    /// A copy with all its state, for a moment.
    fn boxed_clone(&self) -> Box<dyn Sink>;
}

impl Clone for Box<dyn Sink> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}
