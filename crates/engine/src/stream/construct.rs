//! The first half of a trigger: what the next batch is made of, up to `offsets/N` on disk.

use tidemark_plan::Trigger;
use tidemark_trace::{Fact, Phase, QueryFact, When};
use tidemark_types::SimTime;
use tidemark_world::World;

use crate::error::Result;
use crate::source::Offset;
use crate::stream::cost;
use crate::stream::execution::StreamExecution;
use crate::stream::log::{concurrent_update, illegal_state};
use crate::stream::offset_log::OffsetSeq;
use crate::stream::stage::{MicroBatch, Stage};
use crate::stream::step::Step;

impl StreamExecution {
    pub(super) fn start_trigger(&mut self, world: &mut World) -> Result<Option<Step>> {
        let now = world.now();
        if self.maintenance_is_due(now) {
            self.stage = Stage::Maintain(0);
            return Ok(None);
        }
        if self.due.is_some_and(|due| now < due) {
            self.reporter.say("Waiting for next trigger");
            return Ok(Some(Step::Idle));
        }
        if let Trigger::ProcessingTime(interval) = self.spec.trigger
            && interval > 0
        {
            self.due = Some(SimTime(now.0.div_euclid(interval) * interval + interval));
        }
        self.reporter.start_trigger(now);
        for stream in &mut self.sources {
            stream.rows = 0;
        }
        self.stage = if self.batch.planned { Stage::GetBatch } else { Stage::List(0) };
        Ok(None)
    }

    pub(super) fn list(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        if index == self.sources.len() {
            self.stage = Stage::Decide;
            return Ok(None);
        }
        let description = self.sources[index].description();
        self.reporter.say(format!("Getting offsets from {description}"));
        world.at_phase(Phase::List, When::Before)?;
        let stream = &mut self.sources[index];
        let (start, limit) = (stream.committed.clone(), stream.limit);
        let found = stream.source().list(world, start.as_ref(), limit)?;
        self.reporter.spend(world, "latestOffset", cost::LIST);
        world.at_phase(Phase::List, When::After)?;
        self.stage = Stage::Note(index);
        Ok(found.and_then(|note| self.did(world, Phase::List, note, None)))
    }

    pub(super) fn note(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        world.at_phase(Phase::Note, When::Before)?;
        let stream = &mut self.sources[index];
        let start = stream.committed.clone();
        let wrote = stream.source().note(world)?;
        if let Some(end) = stream.source().latest_offset(start.as_ref())? {
            stream.available = Some(end);
        }
        if wrote.is_some() {
            self.reporter.spend(world, "latestOffset", cost::NOTE);
        }
        world.at_phase(Phase::Note, When::After)?;
        self.stage = Stage::List(index + 1);
        Ok(wrote.and_then(|note| self.did(world, Phase::Note, note, None)))
    }

    /// A batch runs when a source has data, or when a stateful operator asks for one without.
    pub(super) fn decide(&mut self, world: &mut World) -> Result<Option<Step>> {
        let has_data = self.sources.iter().any(|s| s.has_data());
        // The plan of the batch before is asked whether it wants another one, data or not.
        if self.batches_run > 0 && self.conf.enabled("spark.sql.streaming.noDataMicroBatches.enabled") {
            self.check_watermark(self.watermark.current_ms())?;
        }
        self.reporter.data_available(has_data);
        if has_data || self.wants_batch_without_data() {
            self.stage = Stage::Plan;
            return Ok(None);
        }
        self.report(world, false);
        self.idle_triggers += 1;
        world.emit(Fact::Query(QueryFact::Idle { query: self.query.clone() }));
        if self.is_bounded() {
            self.finish(world)?;
            return Ok(Some(Step::Ended));
        }
        self.reporter.say(match self.spec.trigger {
            Trigger::ProcessingTime(interval) if interval > 0 => "Waiting for next trigger",
            _ => "Waiting for data to arrive",
        });
        self.stage = Stage::Trigger;
        Ok(Some(Step::Idle))
    }

    /// Whether a stateful operator of the batch before asks for one more: the watermark has moved. Only a batch of this
    /// run counts; a query without state never asks.
    fn wants_batch_without_data(&self) -> bool {
        let mode = self.spec.output_mode;
        self.evicted_ms.is_some_and(|evicted| self.watermark.current_ms() > evicted)
            && self.conf.enabled("spark.sql.streaming.noDataMicroBatches.enabled")
            && self.operators.iter().any(|operator| operator.wants_batch_for_watermark(mode))
    }

    pub(super) fn write_offsets(&mut self, world: &mut World) -> Result<Option<Step>> {
        self.reporter.say("Writing offsets to log");
        world.at_phase(Phase::Plan, When::Before)?;
        self.batch.watermark_ms = self.watermark.current_ms();
        self.batch.timestamp_ms = world.now().0;
        let entry = OffsetSeq {
            version: self.offset_version,
            batch_watermark_ms: self.batch.watermark_ms,
            batch_timestamp_ms: self.batch.timestamp_ms,
            conf: self.conf.relevant(),
            offsets: self.offset_lines(),
        };
        let id = self.batch.id.0;
        if !self.offset_log().0.add(world, id, &entry.render())? {
            return Err(concurrent_update(id).into());
        }
        self.batch.planned = true;
        self.reporter.spend(world, "walCommit", cost::PLAN);
        world.at_phase(Phase::Plan, When::After)?;
        self.stage = Stage::Finish(0);
        let names: Vec<String> = self
            .sources
            .iter()
            .filter(|s| s.has_data())
            .filter_map(|s| Some(s.source.as_ref()?.words(s.committed.as_ref(), s.available.as_ref()?)))
            .collect();
        let what = if names.is_empty() { "no new data".to_owned() } else { names.join(", ") };
        Ok(self.did(world, Phase::Plan, format!("offsets/{id} now names {what}"), None))
    }

    fn offset_lines(&self) -> Vec<Option<Offset>> {
        if self.offset_version == 1 {
            self.lines.iter().map(|source| self.sources[*source].available.clone()).collect()
        } else {
            self.sources.iter().map(|s| s.available.clone()).collect()
        }
    }

    /// Tells one source that the batch before is done for good.
    pub(super) fn finish_source(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        let id = self.batch.id.0;
        if id == 0 || index == self.sources.len() {
            self.stage = Stage::Purge;
            return Ok(None);
        }
        if index == 0 && self.offset_log().get(world, id - 1)?.is_none() {
            return Err(illegal_state(format!("batch {} doesn't exist", id - 1)).into());
        }
        self.stage = Stage::Finish(index + 1);
        let stream = &mut self.sources[index];
        let Some(end) = stream.committed.clone() else { return Ok(None) };
        let done = stream.source().commit(world, &end)?;
        let Some(text) = done else { return Ok(None) };
        self.reporter.spend(world, "walCommit", cost::TIDY);
        Ok(self.aside(Phase::Plan, text))
    }

    /// Deletes one old entry of the logs, until none is left that is too old.
    pub(super) fn purge(&mut self, world: &mut World) -> Result<Option<Step>> {
        let keep = self.conf.number("spark.sql.streaming.minBatchesToRetain");
        let bound = self.batch.id.0 - keep;
        if bound > 0 {
            for log in [self.offset_log().0, self.commit_log().0] {
                if let Some(old) = log.oldest_below(world, bound) {
                    let path = log.path(old);
                    world.delete(&path)?;
                    self.reporter.spend(world, "walCommit", cost::TIDY);
                    let short = path.strip_prefix(&format!("{}/", self.checkpoint)).unwrap_or(&path);
                    return Ok(self.aside(Phase::Plan, format!("{short} is old and goes.")));
                }
            }
        }
        self.stage = Stage::GetBatch;
        Ok(None)
    }

    /// The batch is over; the next one begins where it ended.
    pub(super) fn next_batch(&mut self) {
        for stream in &mut self.sources {
            if stream.available.is_some() {
                stream.committed.clone_from(&stream.available);
            }
        }
        let late_ms = self.batch.watermark_ms;
        self.batch = MicroBatch { late_ms, ..MicroBatch::new(self.batch.id.0 + 1) };
    }
}
