//! What one step of a query did, and what it asks.

use std::sync::Arc;

use tidemark_trace::Phase;
use tidemark_types::{Batch, BatchId, StructType};

/// What a step did. A step makes at most one thing durable or visible.
#[derive(Clone, Debug)]
pub enum Step {
    /// Something happened.
    Did(Did),
    /// The query waits for an answer; the next step goes on after it.
    Ask(Question),
    /// Nothing to do now: no new data, or the next trigger is not due, see `StreamExecution::next_due`.
    Idle,
    /// The query is over, well or with `StreamExecution::exception`.
    Ended,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Did {
    /// The column of the lane under which it belongs.
    pub phase: Phase,
    /// The batch, `None` while the query starts.
    pub batch: Option<BatchId>,
    /// The sentence for the learner: `Batch 2 is planned: offsets/2 now names c.json and d.json.`
    pub sentence: String,
}

/// What a query asks the one who steps it.
#[derive(Clone, Debug)]
pub enum Question {
    /// Calls the user's function of `foreachBatch`; answered by `StreamExecution::answer_foreach_batch`.
    ForeachBatch {
        /// The batch: `epoch_id`.
        batch: BatchId,
        /// The rows, task by task.
        partitions: Vec<Batch>,
        /// The schema of the rows.
        schema: Arc<StructType>,
    },
}
