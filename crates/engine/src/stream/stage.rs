//! Where a query stands between two steps.
//!
//! ```text
//! initialize ─▶ trigger ─▶ list ─▶ note ─▶ plan ─▶ read ─▶ work ─▶ save ─▶ write ─▶ commit ─▶ advance ─▶ done ─┐
//!                 ▲                       offsets/N                               (sink)            commits/N  │
//!                 └────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```

use std::sync::Arc;

use tidemark_plan::ReadSpec;
use tidemark_types::{Batch, BatchId, StructType};

use crate::operator::{Inputs, Partitions};
use crate::source::{Offset, ReadLimit, Source};
use crate::state::{EventTimeStats, OperatorMetrics, Save};
use crate::stream::state::Uncommitted;

/// What the next step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Makes the sources and reads the checkpoint.
    Initialize,
    /// Waits for the next trigger and starts it.
    Trigger,
    /// Lists the source of this number.
    List(usize),
    /// Lets the source of this number note what it found.
    Note(usize),
    /// Decides whether there is a batch to run.
    Decide,
    /// Writes `offsets/N`.
    Plan,
    /// Tells the source of this number that the batch before is done for good.
    Finish(usize),
    /// Deletes old log entries.
    Purge,
    /// Plans the rows of the batch.
    GetBatch,
    /// Writes the file of this number about the stateful operators, or checks all of them.
    Describe(usize),
    /// Asks the sink whether it wants the batch.
    Begin,
    /// Reads.
    Read,
    /// Runs the operators.
    Work,
    /// Writes the state of the store of this number.
    Save(usize),
    /// Waits for the user's function.
    Ask,
    /// Writes the rows of the task of this number.
    Write(usize),
    /// The sink commits.
    Commit,
    /// The sink does what it does after a commit.
    AfterCommit,
    /// The watermark advances.
    Advance,
    /// Writes `commits/N`.
    Done,
    /// Tidies the files of the store of this number, between two batches.
    Maintain(usize),
    /// The query is over.
    Ended,
}

/// One streaming relation of the plan, and its source once the query has started.
#[derive(Clone, Debug)]
pub(super) struct StreamSource {
    /// The identity of the relation.
    pub(super) relation: u64,
    /// What to read.
    pub(super) spec: Arc<ReadSpec>,
    /// The schema of the rows.
    pub(super) schema: Arc<StructType>,
    /// The source, from `Initialize` on.
    pub(super) source: Option<Box<dyn Source>>,
    /// The limit in force.
    pub(super) limit: ReadLimit,
    /// Where the batch begins.
    pub(super) committed: Option<Offset>,
    /// Where the batch ends.
    pub(super) available: Option<Offset>,
    /// The rows read in this batch, over all scans.
    pub(super) rows: u64,
}

impl StreamSource {
    /// The source.
    pub(super) fn source(&mut self) -> &mut Box<dyn Source> {
        self.source.as_mut().expect("sources are made before anything is asked of them")
    }

    /// Its name in progress.
    pub(super) fn description(&self) -> String {
        self.source.as_ref().map(|s| s.description()).unwrap_or_default()
    }

    /// An offset as progress shows it.
    pub(super) fn offset_json(&self, offset: Option<&Offset>) -> Option<String> {
        let source = self.source.as_ref()?;
        offset.map(|offset| source.offset_json(offset))
    }

    /// Whether there is something between begin and end.
    pub(super) fn has_data(&self) -> bool {
        self.available.is_some() && self.available != self.committed
    }
}

/// The batch under way, or the one that comes next.
#[derive(Clone, Debug)]
pub(super) struct MicroBatch {
    /// Its number.
    pub(super) id: BatchId,
    /// Whether `offsets/N` says what it is made of.
    pub(super) planned: bool,
    /// Whether it has been planned by a run before this one.
    pub(super) again: bool,
    /// The watermark in force, in milliseconds: what is over by then goes out of the state.
    pub(super) watermark_ms: i64,
    /// The watermark of the batch before, in milliseconds: rows behind it are late.
    pub(super) late_ms: i64,
    /// The time of the batch, in milliseconds.
    pub(super) timestamp_ms: i64,
    /// The rows that were read, by relation.
    pub(super) inputs: Inputs,
    /// The rows to be written, by partition.
    pub(super) output: Vec<Batch>,
    /// The state to be saved, by operator and partition.
    pub(super) saves: Vec<Save>,
    /// What progress says of the stateful operators.
    pub(super) operators: Vec<OperatorMetrics>,
    /// What the watermark nodes have seen.
    pub(super) event_times: Vec<EventTimeStats>,
    /// What of the state the user's function has left out.
    pub(super) uncommitted: Option<Uncommitted>,
}

impl MicroBatch {
    pub(super) fn new(id: i64) -> Self {
        MicroBatch {
            id: BatchId(id),
            planned: false,
            again: false,
            watermark_ms: 0,
            late_ms: 0,
            timestamp_ms: 0,
            inputs: Inputs::new(),
            output: Vec::new(),
            saves: Vec::new(),
            operators: Vec::new(),
            event_times: Vec::new(),
            uncommitted: None,
        }
    }

    /// One batch for each partition.
    pub(super) fn set_output(
        &mut self,
        schema: &Arc<StructType>,
        partitions: Partitions,
    ) -> Result<(), arrow::error::ArrowError> {
        self.output = partitions.iter().map(|p| Batch::concat(schema, p)).collect::<Result<_, _>>()?;
        Ok(())
    }
}
