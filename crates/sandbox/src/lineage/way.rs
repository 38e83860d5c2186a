//! What a query keeps of its batches, so that its rows can be followed later.

use std::collections::BTreeMap;
use std::rc::Rc;

use bytes::Bytes;
use imbl::{OrdMap, Vector};
use tidemark_engine::stream::{Probe, RowsRead, StreamExecution};
use tidemark_plan::spec::Options;
use tidemark_protocol::{Lineage, LineageOf};
use tidemark_trace::{Event, Fact, ObjectFact, Phase};
use tidemark_types::Batch;
use tidemark_world::World;

use super::{back, forth};
use crate::driver::{Driver, Tick};
use crate::moment::{Lane, Lanes, Memories};
use crate::table::{Placed, tables};

/// Rows of a batch beyond which only its files are kept: such a batch is followed to its files, not to their lines.
const ROWS_KEPT_MAX: usize = 20_000;

/// The plan of a query, and what its batches have read and written.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub(crate) probe: Probe,
    checkpoint: String,
    /// What the writer was told.
    options: Options,
    /// The batches that have read, in the order in which they did.
    taken: Vector<Rc<Taken>>,
    /// What the function of `foreachBatch` has written: absolute path and batch.
    wrote: OrdMap<String, i64>,
}

/// What a batch has read.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) batch: i64,
    /// The rows; none if there were too many.
    pub(crate) read: RowsRead,
    /// How many rows there were in the streams.
    pub(crate) rows: usize,
    /// The files by absolute path, as they were then.
    pub(crate) files: BTreeMap<String, Bytes>,
}

impl Taken {
    /// Whether the rows were too many to be kept.
    pub(crate) fn is_too_large(&self) -> bool {
        self.rows > ROWS_KEPT_MAX
    }
}

impl Way {
    /// The way of a query that has just started.
    pub(crate) fn of(query: &StreamExecution) -> Way {
        Way {
            probe: query.probe(),
            checkpoint: query.checkpoint().to_owned(),
            options: query.spec().options.clone(),
            taken: Vector::new(),
            wrote: OrdMap::new(),
        }
    }

    /// The absolute path of the checkpoint.
    pub(crate) fn checkpoint(&self) -> &str {
        &self.checkpoint
    }

    /// The options of the writer.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// The folders of the Delta tables that the function of `foreachBatch` has written.
    pub(crate) fn written_tables(&self) -> Vec<&str> {
        let mut found: Vec<&str> = self
            .wrote
            .keys()
            .filter_map(|path| path.split_once("/_delta_log/").map(|(table, _)| table))
            .collect();
        found.dedup();
        found
    }

    /// The batch in which the function of `foreachBatch` wrote an object.
    pub(crate) fn batch_that_wrote(&self, path: &str) -> Option<i64> {
        self.wrote.get(path).copied()
    }

    pub(super) fn taken(&self) -> impl DoubleEndedIterator<Item = &Taken> {
        self.taken.iter().map(Rc::as_ref)
    }

    fn take(&mut self, batch: i64, mut read: RowsRead, world: &World) {
        let mut files = BTreeMap::new();
        let mut rows = 0;
        for (relation, _) in self.probe.streams() {
            for task in read.inputs.get(relation).into_iter().flatten() {
                rows += task.batches.iter().map(Batch::rows).sum::<usize>();
                for path in task.files.iter().flatten().map(|uri| world.from_uri(uri)) {
                    if let Some(object) = world.peek(&path) {
                        files.insert(path, object.bytes.clone());
                    }
                }
            }
        }
        if rows > ROWS_KEPT_MAX {
            read.inputs.clear();
        }
        self.taken.push_back(Rc::new(Taken { batch, read, rows, files }));
    }
}

/// Notes what a tick has read, and what a function of `foreachBatch` has written in it.
pub(crate) fn note(
    lanes: &mut Lanes,
    run: u32,
    driver: &Driver,
    world: &World,
    tick: &Result<Tick, tidemark_engine::Error>,
    events: &[Event],
) {
    if let Ok(Tick::Did { query, batch: Some(batch), phase: Phase::Read, .. }) = tick
        && let Some(read) = driver.queries.get(*query).and_then(|running| running.execution.rows_read())
        && let Some(lane) = lanes.get_mut(run, *query)
    {
        lane.way.take(*batch, read, world);
    }
    if let Some((handle, batch)) = driver.in_function()
        && let Some(lane) = lanes.get_mut(run, handle)
    {
        for event in events {
            if let Fact::Object(ObjectFact::Put { path, .. }) = &event.fact {
                lane.way.wrote.insert(path.clone(), batch);
            }
        }
    }
}

/// All that lineage looks at.
pub(super) struct Scene<'a> {
    pub(super) world: &'a World,
    pub(super) lanes: &'a Lanes,
    pub(super) tables: Vec<crate::table::Table>,
}

impl<'a> Scene<'a> {
    /// The lanes of a query over all runs.
    pub(super) fn lanes_of(&self, query: &str) -> Vec<&'a Lane> {
        self.lanes.iter().filter(|lane| lane.view.id == query).collect()
    }

    /// The run whose function wrote a row, if it was a function: each try of a batch has its own.
    pub(super) fn run_of<'b>(&self, lane: &'b Lane, row: &Placed) -> &'b Lane
    where
        'a: 'b,
    {
        let path = row.file.as_ref().map(|file| self.world.resolve(file));
        let wrote = |own: &&Lane| path.as_ref().is_some_and(|path| own.way.wrote.contains_key(path));
        self.lanes_of(&lane.view.id).into_iter().find(wrote).unwrap_or(lane)
    }
}

/// The way of a row or a line as of a moment.
pub(crate) fn follow(world: &World, lanes: &Lanes, memories: &Memories, of: &LineageOf) -> Lineage {
    let scene = Scene { world, lanes, tables: tables(world, lanes, memories) };
    match of {
        LineageOf::Row { sink, row } => back::row(&scene, sink, *row),
        LineageOf::Line { path, line } => forth::line(&scene, path, *line),
    }
}
