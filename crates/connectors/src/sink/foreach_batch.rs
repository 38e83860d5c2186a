//! The sink that is the user's function: a mark that the engine is to ask.

use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_types::{Batch, ErrorClass, SparkError};
use tidemark_world::World;

/// `foreachBatch(function)`: the engine asks, the function writes.
#[derive(Clone, Debug, Default)]
pub struct ForeachBatchSink;

impl Sink for ForeachBatchSink {
    fn description(&self) -> String {
        "ForeachBatchSink".into()
    }

    fn begin(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Accepted> {
        Ok(Accepted::Rows)
    }

    fn write(
        &mut self,
        _world: &mut World,
        _context: &SinkContext,
        _task: usize,
        _rows: &Batch,
    ) -> Result<Option<String>> {
        Ok(None)
    }

    fn commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<String> {
        Ok("the function has returned".into())
    }

    fn after_commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        Ok(None)
    }

    fn takes_temporary_checkpoint(&self) -> bool {
        true
    }

    fn is_foreach_batch(&self) -> bool {
        true
    }

    /// The rows are computed inside the function, so the function has failed.
    fn task_failed(&self, cause: SparkError) -> SparkError {
        let reason = format!(
            "An exception was raised by the Python Proxy. Return Message: Traceback (most recent call last):\n{}\n",
            cause.full_message()
        );
        let text = format!(
            "An error occurred in the user provided function in foreach batch sink. Reason: {reason}"
        );
        SparkError::new(ErrorClass::Spark, "FOREACH_BATCH_USER_FUNCTION_ERROR", "39000", text)
            .with_parameter("reason", reason)
            .with_cause(cause)
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}
