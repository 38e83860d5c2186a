//! The second half of a trigger: a planned batch, from its rows to `commits/N`.

use std::sync::Arc;

use tidemark_plan::Trigger;
use tidemark_trace::{Phase, When};
use tidemark_types::{Batch, ErrorClass, SimTime, SparkError};
use tidemark_world::World;

use crate::batch::{ExecContext, read_inputs};
use crate::connector::Connectors;
use crate::error::{Error, OURS, Result};
use crate::operator::RunContext;
use crate::sink::{Accepted, Sink};
use crate::state::operator::watermark_nodes;
use crate::stream::commit_log::CommitMetadata;
use crate::stream::cost;
use crate::stream::execution::StreamExecution;
use crate::stream::log::concurrent_update;
use crate::stream::pushdown::{cut, rows_read};
use crate::stream::stage::Stage;
use crate::stream::step::{Question, Step};
use crate::stream::watermark::{WatermarkPolicy, has_watermark};

impl StreamExecution {
    /// Does what a stage means, and sets the next one. `None`: nothing happened that anybody could see.
    // tidy: table
    pub(super) fn advance(
        &mut self,
        world: &mut World,
        connectors: &dyn Connectors,
        stage: Stage,
    ) -> Result<Option<Step>> {
        match stage {
            Stage::Initialize => self.initialize(world, connectors),
            Stage::Trigger => self.start_trigger(world),
            Stage::List(index) => self.list(world, index),
            Stage::Note(index) => self.note(world, index),
            Stage::Decide => self.decide(world),
            Stage::Plan => self.write_offsets(world),
            Stage::Finish(index) => self.finish_source(world, index),
            Stage::Purge => self.purge(world),
            Stage::GetBatch => self.get_batch(world),
            Stage::Describe(index) => self.describe(world, index),
            Stage::Begin => self.begin(world),
            Stage::Read => self.read(world, connectors),
            Stage::Work => self.work(world),
            Stage::Save(index) => self.save(world, index),
            Stage::Ask => Ok(Some(self.ask())),
            Stage::Write(task) => self.write(world, task),
            Stage::Commit => self.commit(world),
            Stage::AfterCommit => self.after_commit(world),
            Stage::Advance => self.advance_watermark(world),
            Stage::Done => self.done(world),
            Stage::Maintain(index) => self.maintain(world, index),
            Stage::Ended => Ok(Some(Step::Ended)),
        }
    }

    /// Plans the rows.
    fn get_batch(&mut self, world: &mut World) -> Result<Option<Step>> {
        self.reporter.say("Processing new data");
        for stream in self.sources.iter_mut().filter(|s| s.has_data()) {
            let (start, end) = (stream.committed.clone(), stream.available.clone());
            if let Some(end) = end {
                stream.source().plan(world, start.as_ref(), &end)?;
            }
        }
        self.reporter.spend(world, "getBatch", cost::GET_BATCH);
        self.reporter.spend(world, "queryPlanning", cost::QUERY_PLANNING);
        self.stage = Stage::Describe(0);
        Ok(None)
    }

    /// Asks the sink whether it wants the rows.
    fn begin(&mut self, world: &mut World) -> Result<Option<Step>> {
        let context = self.sink_context();
        let accepted = self.sink.begin(world, &context)?;
        self.reporter.spend(world, "addBatch", cost::BEGIN);
        match accepted {
            Accepted::Rows => {
                self.stage = Stage::Read;
                Ok(None)
            }
            Accepted::Skip(reason) => {
                self.stage = Stage::Advance;
                Ok(self.did(world, Phase::Commit, reason, None))
            }
        }
    }

    fn read(&mut self, world: &mut World, connectors: &dyn Connectors) -> Result<Option<Step>> {
        world.at_phase(Phase::Read, When::Before)?;
        let mut context = ExecContext { world: &mut *world, settings: &self.conf, connectors };
        let mut inputs = read_inputs(&self.plan, &mut context)?;
        let (mut rows, mut names) = (0, Vec::new());
        let run_context = RunContext::of_session(&self.conf, SimTime(self.batch.timestamp_ms), true);
        let plan = Arc::clone(&self.prepared);
        for stream in self.sources.iter_mut().filter(|s| s.has_data()) {
            let tasks = stream.source().read(world).map_err(|error| in_task(self.sink.as_ref(), error))?;
            rows += tasks.iter().flat_map(|t| &t.batches).map(|b| b.rows() as u64).sum::<u64>();
            inputs.insert(stream.relation, tasks);
            cut(&plan, &mut inputs, &run_context)?;
            stream.rows = rows_read(&plan, stream.relation, &inputs, &self.conf, &run_context)?;
            if let (Some(source), Some(end)) = (&stream.source, &stream.available) {
                names.push(source.words(stream.committed.as_ref(), end));
            }
        }
        self.batch.inputs = inputs;
        self.reporter.spend(world, "addBatch", cost::READ);
        world.at_phase(Phase::Read, When::After)?;
        self.stage = Stage::Work;
        let from = if names.is_empty() { String::new() } else { format!(" from {}", names.join(", ")) };
        Ok(self.did(world, Phase::Read, format!("{}{from}", count(rows, "row")), Some(rows)))
    }

    fn work(&mut self, world: &mut World) -> Result<Option<Step>> {
        world.at_phase(Phase::Work, When::Before)?;
        let partitions = self.compute(world).map_err(|error| in_task(self.sink.as_ref(), error))?;
        let schema = Arc::clone(&self.schema);
        self.batch
            .set_output(&schema, partitions)
            .map_err(|error| SparkError::plain(ErrorClass::Py4JJava, error.to_string()))?;
        self.reporter.spend(world, "addBatch", cost::WORK);
        world.at_phase(Phase::Work, When::After)?;
        self.stage = if self.batch.saves.is_empty() { self.after_work() } else { Stage::Save(0) };
        let rows: usize = self.batch.output.iter().map(Batch::rows).sum();
        let tasks = self.batch.output.len();
        let note = format!("{} in {}", count(rows as u64, "row"), count(tasks as u64, "task"));
        Ok(self.did(world, Phase::Work, note, Some(rows as u64)))
    }

    /// What follows when rows and state are there.
    pub(super) fn after_work(&self) -> Stage {
        if self.sink.is_foreach_batch() { Stage::Ask } else { Stage::Write(0) }
    }

    fn ask(&self) -> Step {
        Step::Ask(Question::ForeachBatch {
            batch: self.batch.id,
            partitions: self.batch.output.clone(),
            schema: self.schema.clone(),
        })
    }

    fn write(&mut self, world: &mut World, task: usize) -> Result<Option<Step>> {
        let tasks = self.batch.output.len();
        if task == 0 {
            world.at_phase(Phase::Write, When::Before)?;
        }
        let written = match self.batch.output.get(task) {
            Some(rows) => {
                let context = self.sink_context();
                self.sink.write(world, &context, task, rows)?
            }
            None => None,
        };
        if written.is_some() {
            self.reporter.spend(world, "addBatch", cost::WRITE);
        }
        if task + 1 >= tasks {
            world.at_phase(Phase::Write, When::After)?;
        }
        self.stage = if task + 1 >= tasks { Stage::Commit } else { Stage::Write(task + 1) };
        let rows = self.batch.output.get(task).map(|b| b.rows() as u64);
        Ok(written.and_then(|note| self.did(world, Phase::Write, note, rows)))
    }

    fn commit(&mut self, world: &mut World) -> Result<Option<Step>> {
        world.at_phase(Phase::Commit, When::Before)?;
        self.forget_uncommitted(world)?;
        let context = self.sink_context();
        let note = self.sink.commit(world, &context)?;
        self.printed.push_str(&self.sink.take_output());
        self.reporter.spend(world, "addBatch", cost::COMMIT);
        world.at_phase(Phase::Commit, When::After)?;
        self.batch.output.clear();
        self.stage = Stage::AfterCommit;
        Ok(self.did(world, Phase::Commit, note, None))
    }

    fn after_commit(&mut self, world: &mut World) -> Result<Option<Step>> {
        let context = self.sink_context();
        match self.sink.after_commit(world, &context)? {
            Some(text) => {
                self.reporter.spend(world, "addBatch", cost::AFTER_COMMIT);
                Ok(self.aside(Phase::Commit, text))
            }
            None => {
                self.stage = Stage::Advance;
                Ok(None)
            }
        }
    }

    fn advance_watermark(&mut self, world: &mut World) -> Result<Option<Step>> {
        self.stage = Stage::Done;
        if !has_watermark(&self.plan) {
            return Ok(None);
        }
        world.at_phase(Phase::Advance, When::Before)?;
        let nodes = watermark_nodes(&self.prepared);
        self.watermark.advance(&self.batch.event_times, &nodes, WatermarkPolicy::of(&self.conf));
        self.reporter.spend(world, "commitOffsets", cost::ADVANCE);
        world.at_phase(Phase::Advance, When::After)?;
        let note = format!("the watermark is {}", SimTime(self.watermark.current_ms()));
        Ok(self.did(world, Phase::Advance, note, None))
    }

    fn done(&mut self, world: &mut World) -> Result<Option<Step>> {
        world.at_phase(Phase::Done, When::Before)?;
        let id = self.batch.id.0;
        let entry = CommitMetadata { next_batch_watermark_ms: self.watermark.current_ms() };
        if !self.commit_log().0.add(world, id, &entry.render())? {
            return Err(concurrent_update(id).into());
        }
        self.reporter.spend(world, "commitOffsets", cost::DONE);
        world.at_phase(Phase::Done, When::After)?;
        if let Some(uncommitted) = self.batch.uncommitted.take().filter(|u| u.validated) {
            return Err(uncommitted.error(id).into());
        }
        let step = self.did(world, Phase::Done, format!("commits/{id} says so"), None);
        self.reporter.data_available(false);
        self.evicted_ms = Some(self.batch.watermark_ms);
        self.operator_metrics = std::mem::take(&mut self.batch.operators);
        self.report(world, true);
        self.batches_run += 1;
        self.next_batch();
        self.reporter.say("Waiting for next trigger");
        self.stage = Stage::Trigger;
        if self.spec.trigger == Trigger::Once {
            self.finish(world)?;
        }
        Ok(step)
    }
}

/// An error of a task, as the sink reports it.
pub(super) fn in_task(sink: &dyn Sink, error: Error) -> Error {
    match error {
        // What Tidemark cannot do is told by its own name.
        Error::Spark(cause) if cause.condition.0.starts_with(OURS) => Error::Spark(cause),
        Error::Spark(cause) => sink.task_failed(*cause).into(),
        Error::Crashed(place) => Error::Crashed(place),
    }
}

/// `1 row`, `2 rows`.
pub(super) fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
