//! How a query fails: the error below becomes a `StreamingQueryException`.

use tidemark_trace::{Fact, QueryFact};
use tidemark_types::{ErrorClass, SparkError};
use tidemark_world::World;

use crate::stream::execution::StreamExecution;
use crate::stream::stage::{Stage, StreamSource};

impl StreamExecution {
    /// Ends the query with an error.
    pub(super) fn fail(&mut self, world: &mut World, cause: SparkError) {
        let reason = cause.full_message();
        let text =
            format!("Query [id = {}, runId = {}] terminated with exception: {reason}", self.query, self.run);
        let error = SparkError::new(ErrorClass::StreamingQuery, "STREAM_FAILED", "XXKST", text)
            .with_parameter("id", self.query.0.clone())
            .with_parameter("runId", self.run.0.clone())
            .with_parameter("message", reason.clone())
            .with_cause(cause);
        if self.checkpoint_is_temporary
            && self.conf.enabled("spark.sql.streaming.forceDeleteTempCheckpointLocation")
            && world.is_folder(&self.checkpoint)
        {
            // A query that has failed stays failed, whether or not its folder could go.
            let _ = world.delete_tree(&self.checkpoint);
        }
        self.stage = Stage::Ended;
        self.exception = Some(error);
        self.reporter.failed(&reason);
        world.emit(Fact::Query(QueryFact::Terminated { query: self.query.clone(), error: Some(reason) }));
    }

    /// What `str(exception)` adds below the message: where the query stood.
    pub fn exception_details(&self) -> String {
        let identifier = match self.name() {
            Some(name) => format!("{name} [id = {}, runId = {}]", self.query, self.run),
            None => format!("[id = {}, runId = {}]", self.query, self.run),
        };
        let offsets = |pick: fn(&StreamSource) -> Option<&str>| {
            let texts: Vec<String> = self
                .sources
                .iter()
                .filter_map(|s| pick(s).map(|offset| format!("{}: {offset}", s.description())))
                .collect();
            format!("{{{}}}", texts.join(","))
        };
        let committed = offsets(|s| s.committed.as_ref().map(|o| o.0.as_str()));
        let available = offsets(|s| s.available.as_ref().map(|o| o.0.as_str()));
        let state = if self.sources.iter().all(|s| s.source.is_some()) { "ACTIVE" } else { "INITIALIZING" };
        format!(
            "=== Streaming Query ===\nIdentifier: {identifier}\nCurrent Committed Offsets: {committed}\n\
             Current Available Offsets: {available}\n\nCurrent State: {state}\nThread State: RUNNABLE\n"
        )
    }
}
