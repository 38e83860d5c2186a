//! Which tables the queries write, and what kind each is of.

use std::collections::BTreeSet;

use tidemark_world::World;

use super::files;
use super::follow::{Reader, names};
use super::row::{Placed, Table, Writer};
use crate::moment::{Lane, Lanes, Memories};
use crate::sink::cells;

/// A table that a query writes.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// A Delta table, by its absolute path.
    Delta(&'a str),
    /// A table in memory, by its name.
    Memory(&'a str),
    /// A folder of files, by its absolute path, with the query that writes it.
    Files(&'a Lane, &'a str),
}

/// The tables of the queries so far, each once: sinks first, then what their functions have written.
pub(crate) fn places(lanes: &Lanes) -> Vec<Place<'_>> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for lane in lanes.iter() {
        let Some(path) = lane.sink_path.as_deref() else { continue };
        if !seen.insert((lane.sink_kind.as_str(), path)) {
            continue;
        }
        found.extend(match lane.sink_kind.as_str() {
            "delta" => Some(Place::Delta(path)),
            "memory" => Some(Place::Memory(path)),
            "json" | "csv" | "text" | "parquet" => Some(Place::Files(lane, path)),
            _ => None,
        });
    }
    let written = lanes.iter().flat_map(|lane| lane.way.written_tables());
    found.extend(written.filter(|path| seen.insert(("delta", path))).map(Place::Delta));
    found
}

/// The whole table at a place, if it has been begun.
pub(crate) fn table_at(
    reader: &mut Reader,
    world: &World,
    lanes: &Lanes,
    memories: &Memories,
    place: Place<'_>,
) -> Option<Table> {
    match place {
        Place::Delta(path) => reader.read(world, lanes, path),
        Place::Memory(name) => memory(memories, lanes, name),
        Place::Files(lane, path) => files::table(world, lane, path),
    }
}

/// All tables of the queries so far.
pub(crate) fn tables(world: &World, lanes: &Lanes, memories: &Memories) -> Vec<Table> {
    let mut reader = Reader::default();
    let read = |place| table_at(&mut reader, world, lanes, memories, place);
    places(lanes).into_iter().filter_map(read).collect()
}

fn memory(memories: &Memories, lanes: &Lanes, name: &str) -> Option<Table> {
    let rows = memories.rows(name)?;
    let batches = memories.batches(name);
    let query = lanes.iter().filter(|lane| lane.view.name.as_deref() == Some(name)).last();
    let query = query.map(|lane| lane.view.id.clone()).unwrap_or_default();
    let mut writers = batches
        .into_iter()
        .flat_map(|(batch, rows)| std::iter::repeat_n(batch, rows))
        .map(|batch| Writer { query: query.clone(), batch });
    let placed = cells(&rows, rows.rows()).into_iter().enumerate().map(|(position, cells)| Placed {
        cells,
        writer: writers.next(),
        version: None,
        txn: None,
        moved: None,
        file: None,
        position,
    });
    Some(Table {
        name: name.to_owned(),
        kind: "memory",
        columns: names(rows.schema()),
        total: rows.rows() as u64,
        rows: placed.collect(),
        ..Table::default()
    })
}
