//! One streaming query: plain state, moved on by [`StreamExecution::step`].

use std::sync::Arc;

use tidemark_plan::{Plan, SinkSpec, Trigger};
use tidemark_trace::{BatchFact, Fact, Phase, QueryFact};
use tidemark_types::{Batch, QueryId, RunId, SimTime, SparkError, StructType};
use tidemark_world::World;

use crate::connector::Connectors;
use crate::error::{Error, Result};
use crate::sink::{Sink, SinkContext};
use crate::state::operator::StatefulOperator;
use crate::state::{OperatorMetrics, StateStores};
use crate::stream::commit_log::CommitLog;
use crate::stream::conf::QueryConf;
use crate::stream::log::MetadataLog;
use crate::stream::offset_log::OffsetLog;
use crate::stream::progress::{StreamingQueryProgress, StreamingQueryStatus};
use crate::stream::report::Reporter;
use crate::stream::stage::{MicroBatch, Stage, StreamSource};
use crate::stream::step::{Did, Step};
use crate::stream::watermark::WatermarkTracker;

/// One run of a streaming query, from `start()` to its end.
///
/// A clone is a moment: it goes on by itself from there. After [`Error::Crashed`] it is to be dropped; what is left of
/// the query is in the World.
#[derive(Clone, Debug)]
pub struct StreamExecution {
    pub(super) query: QueryId,
    pub(super) run: RunId,
    pub(super) spec: Arc<SinkSpec>,
    pub(super) plan: Arc<Plan>,
    pub(super) schema: Arc<StructType>,
    pub(super) conf: QueryConf,
    pub(super) checkpoint: String,
    pub(super) checkpoint_is_temporary: bool,
    pub(super) sources: Vec<StreamSource>,
    /// The source of each line of `offsets/N`: one for each time the plan reads a stream.
    pub(super) lines: Vec<usize>,
    pub(super) sink: Box<dyn Sink>,
    pub(super) stage: Stage,
    pub(super) batch: MicroBatch,
    pub(super) offset_version: u32,
    pub(super) watermark: WatermarkTracker,
    /// The plan as a batch runs it.
    pub(super) prepared: Arc<Plan>,
    pub(super) operators: Arc<Vec<StatefulOperator>>,
    pub(super) stores: StateStores,
    /// The most bytes that they may have.
    pub(super) state_bytes_max: usize,
    /// The watermark by which the last batch of this run has cleared its state.
    pub(super) evicted_ms: Option<i64>,
    /// What progress says of the stateful operators after the last batch of this run.
    pub(super) operator_metrics: Vec<OperatorMetrics>,
    pub(super) due: Option<SimTime>,
    pub(super) idle_triggers: u64,
    pub(super) batches_run: u64,
    pub(super) reporter: Reporter,
    pub(super) exception: Option<SparkError>,
    pub(super) printed: String,
}

impl StreamExecution {
    /// Does the next thing of the query.
    ///
    /// Errors: only [`Error::Crashed`]. What Spark refuses ends the query: the answer is [`Step::Ended`], and
    /// [`StreamExecution::exception`] says why.
    pub fn step(&mut self, world: &mut World, connectors: &dyn Connectors) -> Result<Step> {
        loop {
            let stage = self.stage;
            match self.advance(world, connectors, stage) {
                Ok(Some(step)) => return Ok(step),
                Ok(None) => {}
                Err(Error::Crashed(place)) => return Err(Error::Crashed(place)),
                Err(Error::Spark(cause)) => {
                    self.fail(world, *cause);
                    return Ok(Step::Ended);
                }
            }
        }
    }

    /// Tells how many of the partitions of the batch the user's function has computed, from the first on; without this
    /// call all of them.
    pub fn note_computed(&mut self, partitions: usize) {
        self.batch.uncommitted = self.uncommitted(partitions);
    }

    /// Lets the state of the query have at most so many bytes of keys and values.
    pub fn limit_state(&mut self, bytes_max: usize) {
        self.state_bytes_max = bytes_max;
    }

    /// Tells the outcome of the user's function after [`crate::stream::Question::ForeachBatch`].
    ///
    /// `actions` is how often the function has computed the rows: each time counts as input. The error is the one that
    /// the query fails with, `FOREACH_BATCH_USER_FUNCTION_ERROR`.
    pub fn answer_foreach_batch(
        &mut self,
        world: &mut World,
        actions: u64,
        outcome: std::result::Result<(), SparkError>,
    ) {
        if self.stage != Stage::Ask {
            return;
        }
        let stateful = !self.operators.is_empty();
        for metrics in &mut self.batch.operators {
            *metrics = metrics.times(actions.max(1));
        }
        for source in &mut self.sources {
            source.rows *= if stateful { actions.min(1) } else { actions };
        }
        match outcome {
            Ok(()) => self.stage = Stage::Commit,
            Err(cause) => self.fail(world, cause),
        }
    }

    /// Ends the query where it stands: a batch under way has `offsets/N` but no `commits/N`.
    pub fn stop(&mut self, world: &mut World) -> Result<()> {
        if self.stage == Stage::Ended {
            return Ok(());
        }
        self.finish(world)
    }

    /// The id of the query: that of its checkpoint.
    pub fn id(&self) -> &QueryId {
        &self.query
    }

    /// The id of this run.
    pub fn run_id(&self) -> &RunId {
        &self.run
    }

    /// The name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.spec.query_name.as_deref()
    }

    /// Whether the query still runs.
    pub fn is_active(&self) -> bool {
        self.stage != Stage::Ended
    }

    /// Why the query failed, if it did: a `StreamingQueryException` with `STREAM_FAILED`.
    pub fn exception(&self) -> Option<&SparkError> {
        self.exception.as_ref()
    }

    /// `status`.
    pub fn status(&self) -> StreamingQueryStatus {
        self.reporter.status(self.stage)
    }

    /// `recentProgress`, oldest first.
    pub fn recent_progress(&self) -> &[StreamingQueryProgress] {
        self.reporter.entries()
    }

    /// `lastProgress`.
    pub fn last_progress(&self) -> Option<&StreamingQueryProgress> {
        self.reporter.entries().last()
    }

    /// When the next trigger is due, if the query waits for a time: the clock may be moved there.
    pub fn next_due(&self) -> Option<SimTime> {
        (self.stage == Stage::Trigger).then_some(self.due).flatten()
    }

    /// How many triggers have found nothing to run: `processAllAvailable` waits until this grows.
    pub fn idle_triggers(&self) -> u64 {
        self.idle_triggers
    }

    /// How many batches this run has finished.
    pub fn batches_run(&self) -> u64 {
        self.batches_run
    }

    /// The number of the batch under way, or of the one that comes next.
    pub fn batch_id(&self) -> tidemark_types::BatchId {
        self.batch.id
    }

    /// The text that the sink has printed since the last call.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// The rows of the memory sink, if it is one: the table under the query's name.
    pub fn memory(&self) -> Option<Batch> {
        self.sink.memory()
    }

    /// The schema and the shared pieces of the rows of the memory sink.
    pub fn memory_parts(&self) -> Option<(Arc<tidemark_types::StructType>, Arc<Vec<Batch>>)> {
        self.sink.memory_parts()
    }

    /// The schema of the rows that the sink gets.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// What `writeStream` was told.
    pub fn spec(&self) -> &SinkSpec {
        &self.spec
    }

    /// The settings of the query, those of its checkpoint included.
    pub fn conf(&self) -> &QueryConf {
        &self.conf
    }

    /// The absolute path of the checkpoint.
    pub fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// The name of the sink in progress.
    pub fn sink_description(&self) -> String {
        self.sink.description()
    }

    // ---- for the stages

    pub(super) fn offset_log(&self) -> OffsetLog {
        OffsetLog(MetadataLog::new(format!("{}/offsets", self.checkpoint)))
    }

    pub(super) fn commit_log(&self) -> CommitLog {
        CommitLog(MetadataLog::new(format!("{}/commits", self.checkpoint)))
    }

    pub(super) fn sink_context(&self) -> SinkContext {
        SinkContext {
            query: self.query.clone(),
            run: self.run.clone(),
            batch: self.batch.id,
            mode: self.spec.output_mode,
            schema: self.schema.clone(),
        }
    }

    /// Notes that a phase took place, and answers with its sentence.
    pub(super) fn did(
        &self,
        world: &mut World,
        phase: Phase,
        note: String,
        rows: Option<u64>,
    ) -> Option<Step> {
        let fact = BatchFact {
            query: self.query.clone(),
            batch: self.batch.id,
            phase,
            again: self.batch.again,
            note,
            rows,
        };
        let sentence = fact.sentence();
        world.emit(Fact::Batch(fact));
        Some(Step::Did(Did { phase, batch: Some(self.batch.id), sentence }))
    }

    /// Answers with a sentence about something beside the ten phases.
    pub(super) fn aside(&self, phase: Phase, sentence: String) -> Option<Step> {
        let batch = (self.stage != Stage::Initialize).then_some(self.batch.id);
        Some(Step::Did(Did { phase, batch, sentence }))
    }

    /// Ends the query well.
    pub(super) fn finish(&mut self, world: &mut World) -> Result<()> {
        self.stage = Stage::Ended;
        if self.checkpoint_is_temporary && world.is_folder(&self.checkpoint) {
            world.delete_tree(&self.checkpoint)?;
        }
        world.emit(Fact::Query(QueryFact::Terminated { query: self.query.clone(), error: None }));
        Ok(())
    }

    /// Whether this run is to end after the batches that there are.
    pub(super) fn is_bounded(&self) -> bool {
        matches!(self.spec.trigger, Trigger::Once | Trigger::AvailableNow)
    }
}
