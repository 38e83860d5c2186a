//! The tables that queries write, as of a moment: rows, the batch and version that brought each, orphan files.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidemark_delta::{Action, Snapshot};
use tidemark_protocol::{SinkRow, SinkView};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::zone::Zone;
use tidemark_types::{Batch, DataType};
use tidemark_world::World;

use crate::driver::Driver;
use crate::moment::Lanes;
use crate::store::relative;

/// Rows beyond which a table is not read for a view: it is counted from its log.
const ROWS_READ_MAX: i64 = 20_000;

/// All sinks of the queries so far, each once.
pub(crate) fn sinks(world: &World, lanes: &Lanes, driver: Option<&Driver>) -> Vec<SinkView> {
    let mut seen = BTreeSet::new();
    let mut views = Vec::new();
    for lane in lanes.iter() {
        let Some(path) = &lane.sink_path else { continue };
        if !seen.insert((lane.sink_kind.clone(), path.clone())) {
            continue;
        }
        let view = match lane.sink_kind.as_str() {
            "delta" => delta(world, path),
            "memory" => driver.and_then(|d| d.queries.memory(path)).map(|rows| memory(path, &rows)),
            _ => None,
        };
        views.extend(view);
    }
    views
}

fn empty(name: &str, kind: &str) -> SinkView {
    SinkView {
        name: name.to_owned(),
        kind: kind.to_owned(),
        version: None,
        columns: Vec::new(),
        rows: Vec::new(),
        total: 0,
        orphans: Vec::new(),
        text: String::new(),
    }
}

fn memory(name: &str, rows: &Batch) -> SinkView {
    let mut view = empty(name, "memory");
    view.columns = rows.schema().names().iter().map(|n| (*n).to_owned()).collect();
    view.total = rows.rows() as u64;
    view.rows = cells(rows, SinkView::ROWS_MAX)
        .into_iter()
        .map(|cells| SinkRow { cells, batch: None, version: None, file: None, copies: 1 })
        .collect();
    count_copies(&mut view.rows);
    view
}

/// The cells of the first rows of a batch, as Spark shows them.
pub(crate) fn cells(batch: &Batch, most: usize) -> Vec<Vec<String>> {
    let style = TextStyle::show(Zone::UTC);
    (0..batch.rows().min(most))
        .map(|row| {
            batch
                .schema()
                .fields
                .iter()
                .zip(batch.columns())
                .map(|(field, column)| cell(column, &field.data_type, row, style))
                .collect()
        })
        .collect()
}

fn cell(column: &arrow::array::ArrayRef, data_type: &DataType, row: usize, style: TextStyle) -> String {
    value_text(column, data_type, row, style).unwrap_or_else(|| "NULL".to_owned())
}

fn delta(world: &World, path: &str) -> Option<SinkView> {
    let name = format!("{}/", relative(world, path).unwrap_or(path));
    let mut view = empty(&name, "delta");
    // Reading for a view is no act: it works on a copy, so that nothing of it is counted.
    let mut world = world.clone();
    let (added, batches) = commits(&world, path);
    view.orphans = orphans(&world, path, &added);
    let Some(snapshot) = Snapshot::find(&mut world, path).ok()? else {
        return (!view.orphans.is_empty()).then_some(view);
    };
    view.version = Some(snapshot.version());
    let schema = snapshot.schema().clone();
    view.columns = schema.names().iter().map(|n| (*n).to_owned()).collect();
    let total: i64 = snapshot.files().iter().filter_map(tidemark_delta::Add::num_records).sum();
    view.total = u64::try_from(total).unwrap_or(0);
    if total > ROWS_READ_MAX {
        return Some(view);
    }
    let mut files: Vec<_> = snapshot.files().to_vec();
    files.sort_by_key(|add| (added.get(&add.path).copied().unwrap_or(i64::MAX), add.path.clone()));
    for add in &files {
        let Ok(rows) = snapshot.read_file(&mut world, add, &Arc::clone(&schema)) else { continue };
        let version = added.get(&add.path).copied();
        let batch = version.and_then(|v| batches.get(&v).copied());
        let cells = cells(&rows, rows.rows());
        view.rows.extend(cells.into_iter().map(|cells| SinkRow { cells, batch, version, file: None, copies: 1 }));
    }
    count_copies(&mut view.rows);
    view.rows.truncate(SinkView::ROWS_MAX);
    Some(view)
}

fn count_copies(rows: &mut [SinkRow]) {
    let mut counts: BTreeMap<Vec<String>, u32> = BTreeMap::new();
    for row in rows.iter() {
        *counts.entry(row.cells.clone()).or_default() += 1;
    }
    for row in rows {
        row.copies = counts.get(&row.cells).copied().unwrap_or(1);
    }
}

/// The version that added each file, and the batch of each version that a query wrote.
fn commits(world: &World, path: &str) -> (BTreeMap<String, i64>, BTreeMap<i64, i64>) {
    let (mut added, mut batches) = (BTreeMap::new(), BTreeMap::new());
    let folder = format!("{path}/_delta_log");
    for meta in world.peek_list(&folder) {
        let name = &meta.path[folder.len() + 1..];
        let Some(version) = name.strip_suffix(".json").and_then(|v| v.parse::<i64>().ok()) else { continue };
        let Some(object) = world.peek(&meta.path) else { continue };
        for line in String::from_utf8_lossy(&object.bytes).lines() {
            match Action::parse(line) {
                Ok(Action::Add(add)) => {
                    added.insert(add.path.clone(), version);
                }
                Ok(Action::Txn(txn)) => {
                    batches.insert(version, txn.version);
                }
                _ => {}
            }
        }
    }
    (added, batches)
}

/// Data files that no commit names, relative to the root.
fn orphans(world: &World, path: &str, added: &BTreeMap<String, i64>) -> Vec<String> {
    world
        .peek_list(path)
        .iter()
        .filter(|meta| meta.path.ends_with(".parquet") && !meta.path.contains("/_delta_log/"))
        .filter(|meta| !added.contains_key(&meta.path[path.len() + 1..]))
        .filter_map(|meta| relative(world, &meta.path).map(str::to_owned))
        .collect()
}
