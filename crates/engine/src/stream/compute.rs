//! The rows of a batch through the plan.

use std::collections::BTreeMap;

use tidemark_plan::Plan;
use tidemark_types::{Batch, ErrorClass, SimTime, SparkError};

use crate::error::Result;
use crate::source::Task;
use crate::stream::conf::QueryConf;

/// The rows of each relation, by its identity, task by task.
pub(super) type Inputs = BTreeMap<u64, Vec<Task>>;
/// The rows of a result, partition by partition.
pub(super) type Partitions = Vec<Vec<Batch>>;

/// Runs the plan over the rows of a batch. `now` is the time of the batch: `current_timestamp()`.
pub(super) fn compute(plan: &Plan, inputs: &Inputs, _conf: &QueryConf, _now: SimTime) -> Result<Partitions> {
    match plan {
        Plan::Relation { source, .. } => {
            let tasks = inputs.get(source).map(Vec::as_slice).unwrap_or_default();
            Ok(tasks.iter().map(|task| task.batches.clone()).collect())
        }
        _ => Err(SparkError::plain(ErrorClass::UnsupportedOperation, "operators are not hooked in").into()),
    }
}
