//! What flows between operators, and what an execution is told.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use tidemark_types::{Batch, SimTime};

use crate::connector::Settings;
use crate::error::Result;
use crate::kernel::EvalContext;
use crate::source::Task;

/// The most rows that an operator makes into one batch.
pub const BATCH_ROWS: usize = 16_384;

/// The tasks of every relation of a plan, by the identity of its source.
pub type Inputs = BTreeMap<u64, Vec<Task>>;

/// The rows of a result, partition by partition: Spark's partitions in Spark's order.
pub type Partitions = Vec<Vec<Batch>>;

/// What an execution is told, the same for all its rows.
#[derive(Clone, Debug)]
pub struct RunContext {
    /// The instant and the zone.
    pub eval: EvalContext,
    /// The number of partitions after a shuffle: `spark.sql.shuffle.partitions`.
    pub shuffle_partitions: usize,
    /// The number of tasks that run at a time: `local[2]` has 2.
    pub parallelism: usize,
    /// Whether small partitions are put together after a shuffle, as adaptive execution does: for all but stateful
    /// micro-batches.
    pub adaptive: bool,
}

impl RunContext {
    /// The context of a session at this instant.
    pub fn of_session(settings: &dyn Settings, now: SimTime, adaptive: bool) -> Self {
        let number = |name: &str, default: usize| {
            settings.get(name).and_then(|text| text.trim().parse().ok()).filter(|n| *n > 0).unwrap_or(default)
        };
        let enabled =
            settings.get("spark.sql.adaptive.enabled").is_none_or(|text| text.eq_ignore_ascii_case("true"));
        RunContext {
            eval: EvalContext::of_session(settings, now),
            shuffle_partitions: number("spark.sql.shuffle.partitions", 200),
            parallelism: number("spark.default.parallelism", 2),
            adaptive: adaptive && enabled,
        }
    }
}

/// Some rows on their way, with the file they came from while that is known.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The rows.
    pub batch: Batch,
    /// The file.
    pub file: Option<Arc<str>>,
}

impl Piece {
    /// Rows of no file.
    pub fn new(batch: Batch) -> Self {
        Piece { batch, file: None }
    }
}

/// What an operator answers when pulled.
#[derive(Clone, Debug)]
pub enum Pull {
    /// Rows of the current partition.
    Rows(Piece),
    /// The current partition is over; the next pull begins another or ends.
    PartitionEnd,
    /// Work was done, no rows came of it yet: pull again.
    Busy,
    /// All partitions are over.
    End,
}

/// An operator that is pulled.
///
/// Owed by the implementer: one pull does the work of about one batch; after `End` comes nothing but `End`; each
/// partition, also an empty one, ends with `PartitionEnd`.
pub trait Operator: Debug {
    /// Does the work of about one batch.
    fn pull(&mut self, context: &RunContext) -> Result<Pull>;
}

/// An operator of any kind.
pub type BoxedOperator = Box<dyn Operator>;
