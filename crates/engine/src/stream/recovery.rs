//! The first step of a run: sources are made, and the checkpoint says where to go on.
//!
//! With O the newest offset entry and C the newest commit entry:
//!
//! ```text
//! no O, no C    batch 0 is new
//! no O, some C  refused
//! C == O        batch O is done: batch O+1 is new, and begins where O ended
//! otherwise     batch O runs again with exactly what offsets/O says
//! ```

use std::sync::Arc;

use tidemark_plan::Trigger;
use tidemark_trace::{Fact, Phase, QueryFact};
use tidemark_types::{BatchId, ErrorClass, SparkError};
use tidemark_world::World;

use crate::connector::Connectors;
use crate::error::Result;
use crate::source::{Offset, ReadLimit};
use crate::state::operator::stateful_operators;
use crate::stream::cost;
use crate::stream::execution::StreamExecution;
use crate::stream::log::illegal_state;
use crate::stream::offset_log::OffsetSeq;
use crate::stream::stage::{MicroBatch, Stage};
use crate::stream::step::Step;

impl StreamExecution {
    pub(super) fn initialize(
        &mut self,
        world: &mut World,
        connectors: &dyn Connectors,
    ) -> Result<Option<Step>> {
        world.advance(cost::START);
        self.make_sources(world, connectors)?;
        let resumed = self.read_checkpoint(world)?;
        let partitions = self.conf.number("spark.sql.shuffle.partitions").max(1) as usize;
        let mode = self.spec.output_mode;
        self.operators = Arc::new(stateful_operators(&self.prepared, mode, partitions));
        world.emit(Fact::Query(QueryFact::Started {
            query: self.query.clone(),
            run: self.run.clone(),
            name: self.spec.query_name.clone(),
            resumed,
        }));
        let text = match (resumed, self.batch.planned) {
            (false, _) => "The checkpoint is new: the query starts with batch 0.".to_owned(),
            (true, false) => {
                format!("The checkpoint says where to go on: batch {} comes next.", self.batch.id)
            }
            (true, true) => format!(
                "offsets/{id} is there and commits/{id} is not: batch {id} runs again with exactly the same data.",
                id = self.batch.id
            ),
        };
        let step = self.aside(Phase::List, text);
        self.stage = Stage::Trigger;
        Ok(step)
    }

    fn make_sources(&mut self, world: &mut World, connectors: &dyn Connectors) -> Result<()> {
        let trigger = self.spec.trigger;
        for (index, stream) in self.sources.iter_mut().enumerate() {
            let folder = format!("{}/sources/{index}", self.checkpoint);
            let mut source = connectors.source(&self.conf, &stream.spec, &stream.schema, &folder)?;
            source.recover(world)?;
            stream.limit = match trigger {
                Trigger::Once => ReadLimit::All,
                Trigger::AvailableNow => {
                    source.prepare_available_now(world)?;
                    source.default_limit()
                }
                Trigger::Default | Trigger::ProcessingTime(_) => source.default_limit(),
            };
            stream.source = Some(source);
        }
        world.make_folders(self.offset_log().0.folder())?;
        world.make_folders(self.commit_log().0.folder())?;
        Ok(())
    }

    /// Says whether there was something to go on from.
    fn read_checkpoint(&mut self, world: &mut World) -> Result<bool> {
        let latest = self.offset_log().latest(world)?;
        let committed = self.commit_log().latest(world)?;
        let Some((newest, entry)) = latest else {
            if committed.is_some() {
                return Err(illegal_state("assertion failed").into());
            }
            self.check_empty(world)?;
            self.offset_version =
                self.conf.number("spark.sql.streaming.offsetLog.formatVersion").clamp(1, 2) as u32;
            return Ok(false);
        };
        self.offset_version = entry.version;
        let ends = self.by_source(&entry)?;
        for (stream, end) in self.sources.iter_mut().zip(ends) {
            stream.available = end;
        }
        let mut late_ms = 0;
        if newest != 0 {
            let before = self.offset_log().get(world, newest - 1)?;
            let before =
                before.ok_or_else(|| illegal_state(format!("batch {} doesn't exist", newest - 1)))?;
            late_ms = before.batch_watermark_ms;
            let starts = self.by_source(&before)?;
            for (stream, start) in self.sources.iter_mut().zip(starts) {
                stream.committed = start;
            }
        }
        self.conf.restore(&entry.conf);
        self.watermark.restore(entry.batch_watermark_ms);
        self.batch = MicroBatch {
            id: BatchId(newest),
            planned: true,
            again: true,
            watermark_ms: entry.batch_watermark_ms,
            late_ms,
            timestamp_ms: entry.batch_timestamp_ms,
            ..MicroBatch::new(newest)
        };
        if let Some((done, metadata)) = committed
            && done == newest
        {
            self.replan(world)?;
            self.watermark.restore(metadata.next_batch_watermark_ms);
            let late_ms = entry.batch_watermark_ms;
            self.batch = MicroBatch { late_ms, ..MicroBatch::new(newest + 1) };
        }
        Ok(true)
    }

    /// Lets the sources plan the last batch once more, though it is done: the engine relies on that they can.
    fn replan(&mut self, world: &mut World) -> Result<()> {
        for stream in &mut self.sources {
            let (start, end) = (stream.committed.clone(), stream.available.clone());
            if let Some(end) = end {
                stream.source().plan(world, start.as_ref(), &end)?;
                stream.committed = Some(end);
            }
        }
        Ok(())
    }

    /// The offset of each source, from the lines of an entry.
    fn by_source(&self, entry: &OffsetSeq) -> Result<Vec<Option<Offset>>> {
        let (logged, wanted) = (entry.offsets.len(), self.lines.len());
        if entry.version == 1 && logged != wanted {
            let text = format!(
                "assertion failed: There are [{logged}] sources in the checkpoint offsets and now there are [{wanted}] \
                 sources requested by the query. Cannot continue."
            );
            return Err(illegal_state(text).into());
        }
        let mut out = vec![None; self.sources.len()];
        if entry.version == 1 {
            for (line, source) in self.lines.iter().enumerate() {
                out[*source].clone_from(&entry.offsets[line]);
            }
        } else {
            for (source, offset) in out.iter_mut().zip(&entry.offsets) {
                source.clone_from(offset);
            }
        }
        Ok(out)
    }

    /// A query that starts with batch 0 must find nothing of an older one.
    fn check_empty(&self, world: &mut World) -> Result<()> {
        if !self.conf.enabled("spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart") {
            return Ok(());
        }
        for folder in ["offsets", "state", "commits"] {
            let path = format!("{}/{folder}", self.checkpoint);
            if !world.exists(&path) || world.list(&path).is_empty() {
                continue;
            }
            let text = format!(
                "The checkpoint location file:{path} should be empty on batch 0\nPlease either use a new checkpoint \
                 location, or delete the existing data in the checkpoint location."
            );
            let condition = "STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY";
            return Err(SparkError::new(ErrorClass::Spark, condition, "42K03", text)
                .with_parameter("checkpointLocation", format!("file:{path}"))
                .into());
        }
        Ok(())
    }
}
