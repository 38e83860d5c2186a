//! A plan on its way, in slices.

use std::sync::Arc;

use tidemark_plan::{Attribute, Plan};
use tidemark_types::StructType;

use crate::error::Result;
use crate::operator::flow::{BoxedOperator, Inputs, Partitions, Pull, RunContext};
use crate::operator::planner;
use crate::operator::prune::pruned;
use crate::operator::push::pushed;

/// Runs a plan over the rows of its relations and returns its result, partition by partition.
///
/// Shape: one element for each Spark partition of the result, in Spark's order, empty ones too; a stateless chain over a
/// relation has exactly the partitions of its tasks. Every batch has the schema of `plan.output()`.
/// Errors: the first row that Spark refuses; a relation whose source has no entry in `inputs` has no rows.
pub fn run(plan: &Plan, inputs: &Inputs, context: &RunContext) -> Result<Partitions> {
    let mut execution = Execution::new(plan, inputs, context.clone())?;
    while !execution.step()? {}
    Ok(execution.into_partitions())
}

/// A plan on its way: each [`Execution::step`] does the work of about one batch, so that a long run can be stopped
/// between two steps.
#[derive(Debug)]
pub struct Execution {
    root: BoxedOperator,
    context: RunContext,
    schema: Arc<StructType>,
    done: Partitions,
    current: Vec<tidemark_types::Batch>,
    rows: u64,
}

impl Execution {
    /// Prepares a plan: moves filters down, leaves out what the result does not need and compiles the rest. Reads and
    /// computes nothing yet.
    pub fn new(plan: &Plan, inputs: &Inputs, context: RunContext) -> Result<Self> {
        let root = planner::operator(&pruned(&pushed(plan)), inputs, &context)?;
        let schema = Arc::new(Attribute::schema(&plan.output()));
        Ok(Execution { root, context, schema, done: Vec::new(), current: Vec::new(), rows: 0 })
    }

    /// Does the work of about one batch. Says whether that was the last.
    pub fn step(&mut self) -> Result<bool> {
        match self.root.pull(&self.context)? {
            Pull::Rows(piece) => {
                self.rows += piece.batch.rows() as u64;
                if piece.batch.rows() > 0 {
                    self.current.push(piece.batch);
                }
            }
            Pull::PartitionEnd => self.done.push(std::mem::take(&mut self.current)),
            Pull::Busy => {}
            Pull::End => return Ok(true),
        }
        Ok(false)
    }

    /// The schema of the result.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// How many rows have come out so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The partitions that are over.
    pub fn into_partitions(self) -> Partitions {
        self.done
    }
}
