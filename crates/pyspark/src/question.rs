//! What the API asks of the sandbox, and what comes back: nothing runs in this room.

use std::sync::Arc;

use tidemark_plan::spec::Listing;
use tidemark_plan::{Plan, ReadSpec, SinkSpec, WriteSpec};
use tidemark_python::Value;
use tidemark_types::{Batch, SparkError, StructType};

/// A running or ended query, as the sandbox numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueryHandle(pub u64);

/// A question that the script cannot go on without.
#[derive(Clone, Debug)]
pub enum Question {
    /// The schema of what a reader names. Answer: [`Answer::Schema`].
    Resolve(ReadSpec),
    /// All rows of a batch plan. Answer: [`Answer::Rows`].
    Collect(Arc<Plan>),
    /// Writes a batch plan. Answer: [`Answer::Done`].
    Write(Arc<Plan>, WriteSpec),
    /// Starts a streaming query. Answer: [`Answer::Started`].
    Start {
        /// What it computes.
        plan: Arc<Plan>,
        /// Where it writes.
        spec: SinkSpec,
        /// The function of `foreachBatch`.
        function: Option<Value>,
    },
    /// Something about a query.
    Query(QueryHandle, QueryRequest),
    /// All active queries. Answer: [`Answer::Queries`].
    ActiveQueries,
    /// The query of this id, if it is active. Answer: [`Answer::Queries`], none or one.
    FindQuery(String),
    /// Waits until any query ends. Answer: [`Answer::Done`].
    AwaitAny(Option<i64>),
}

/// What is asked of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum QueryRequest {
    /// How it stands. Answer: [`Answer::Query`].
    Look,
    /// Waits until it ends, for at most so many milliseconds. Answer: [`Answer::Ended`].
    AwaitTermination(Option<i64>),
    /// Runs it until it finds nothing new. Answer: [`Answer::Done`].
    ProcessAllAvailable,
    /// Stops it. Answer: [`Answer::Done`].
    Stop,
}

/// How a query stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryInfo {
    /// The id from the checkpoint.
    pub id: String,
    /// The id of the run.
    pub run_id: String,
    /// The name.
    pub name: Option<String>,
    /// Whether it runs.
    pub is_active: bool,
    /// `status` as JSON text.
    pub status: String,
    /// `recentProgress`, oldest first, each as JSON text.
    pub recent_progress: Vec<String>,
    /// Why it failed.
    pub exception: Option<SparkError>,
    /// The physical plan of the last batch, as `explain()` prints it.
    pub explain: String,
}

/// What comes back.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is done.
    Done,
    /// A schema, and the files that the reader has found for good.
    Schema(StructType, Option<Listing>),
    /// Rows, task by task.
    Rows(Vec<Batch>),
    /// The query that started.
    Started(QueryHandle),
    /// How a query stands.
    Query(Box<QueryInfo>),
    /// Whether a query ended in time.
    Ended(bool),
    /// Queries.
    Queries(Vec<QueryHandle>),
    /// Spark refuses.
    Failed(Box<SparkError>),
}
