//! What all tables hold, as multisets of rows, and how two such stands differ.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tidemark_delta::{Snapshot, parquet_file};
use tidemark_types::Batch;
use tidemark_world::World;

use crate::sandbox::Sandbox;
use crate::sink::cells;

/// The rows of one table, each with how often it is there.
type Rows = BTreeMap<Vec<String>, u64>;

/// Every table of a sandbox: Delta tables, folders of files that Spark wrote, memory tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tables {
    rows: BTreeMap<String, Rows>,
    /// The batches that are marked as done, by the path of their mark.
    done: BTreeSet<String>,
}

/// How the tables after a crash differ from those without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Difference {
    /// Rows that are there too often.
    pub(super) doubled: u64,
    /// Rows that are missing.
    pub(super) lost: u64,
    /// Whether a batch of the run without a crash was not needed after it: what it let out still waits.
    pub(super) waits: bool,
}

impl Tables {
    /// The tables as they stand.
    pub(super) fn of(sandbox: &Sandbox) -> Tables {
        // Reading works on a copy: nothing of it is counted.
        let mut world = sandbox.world().clone();
        let files: Vec<String> = world.peek_list(world.root()).into_iter().map(|meta| meta.path).collect();
        let mut rows = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for path in &files {
            for log in ["/_delta_log/", "/_spark_metadata/"] {
                if let Some((folder, _)) = path.split_once(log)
                    && seen.insert(folder.to_owned())
                {
                    let found = if log == "/_delta_log/" {
                        delta(&mut world, folder)
                    } else {
                        logged(&world, folder, &files)
                    };
                    rows.insert(folder.to_owned(), found);
                }
            }
        }
        for path in &files {
            let Some((folder, name)) = path.rsplit_once('/') else { continue };
            let in_table = seen.iter().any(|table| is_below(folder, table));
            if name.starts_with("part-") && !in_table {
                add_file(&world, folder, path, rows.entry(folder.to_owned()).or_default());
            }
        }
        if let Some(driver) = sandbox.driver() {
            for (_, query) in driver.queries.all() {
                if let (Some(name), Some(batch)) = (query.execution.name(), query.execution.memory()) {
                    let mut found = Rows::new();
                    count(&batch, &mut found);
                    rows.insert(format!("memory {name}"), found);
                }
            }
        }
        let is_mark = |path: &String| path.rsplit('/').nth(1) == Some("commits");
        Tables { rows, done: files.into_iter().filter(is_mark).collect() }
    }

    /// How `other` differs from these.
    pub(super) fn difference(&self, other: &Tables) -> Difference {
        let mut difference = Difference::default();
        let names: BTreeSet<&String> = self.rows.keys().chain(other.rows.keys()).collect();
        let none = Rows::new();
        for name in names {
            let wanted = self.rows.get(name).unwrap_or(&none);
            let got = other.rows.get(name).unwrap_or(&none);
            for (row, times) in wanted {
                difference.lost += times.saturating_sub(got.get(row).copied().unwrap_or(0));
            }
            for (row, times) in got {
                difference.doubled += times.saturating_sub(wanted.get(row).copied().unwrap_or(0));
            }
        }
        difference.waits =
            difference.lost > 0 && difference.doubled == 0 && !self.done.is_subset(&other.done);
        difference
    }
}

/// A number for what lies in a store: paths and bytes, whenever they were written. FNV-1a, 64 bits.
pub(super) fn fingerprint(world: &World) -> u64 {
    let add = |hash: u64, bytes: &[u8]| {
        bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    };
    world.peek_list(world.root()).iter().fold(0xcbf2_9ce4_8422_2325, |hash, meta| {
        let bytes = world.peek(&meta.path).map_or(&[][..], |object| &object.bytes);
        add(add(add(hash, meta.path.as_bytes()), &meta.size.to_le_bytes()), bytes)
    })
}

fn is_below(folder: &str, table: &str) -> bool {
    folder.strip_prefix(table).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn count(batch: &Batch, rows: &mut Rows) {
    for row in cells(batch, usize::MAX) {
        *rows.entry(row).or_default() += 1;
    }
}

fn delta(world: &mut World, folder: &str) -> Rows {
    let mut rows = Rows::new();
    let Ok(Some(snapshot)) = Snapshot::find(world, folder) else { return rows };
    let schema = Arc::new(snapshot.schema().clone());
    for add in snapshot.files() {
        if let Ok(batch) = snapshot.read_file(world, add, &schema) {
            count(&batch, &mut rows);
        }
    }
    rows
}

/// The files that a file sink's log names.
fn logged(world: &World, folder: &str, files: &[String]) -> Rows {
    let mut named = BTreeSet::new();
    let log = format!("{folder}/_spark_metadata/");
    for path in files.iter().filter(|path| path.starts_with(&log)) {
        let Some(object) = world.peek(path) else { continue };
        for line in String::from_utf8_lossy(&object.bytes).lines() {
            let entry: Option<serde_json::Value> = serde_json::from_str(line).ok();
            if let Some(uri) = entry.as_ref().and_then(|e| e.get("path")).and_then(|p| p.as_str()) {
                named.insert(world.from_uri(uri));
            }
        }
    }
    let mut rows = Rows::new();
    for path in named {
        add_file(world, folder, &path, &mut rows);
    }
    rows
}

/// The rows of one file; its folder below the table is part of each, as partition columns are.
fn add_file(world: &World, folder: &str, path: &str, rows: &mut Rows) {
    let Some(object) = world.peek(path) else { return };
    let below = path.strip_prefix(folder).and_then(|p| p.rsplit_once('/')).map_or("", |(below, _)| below);
    let mut found = Rows::new();
    if path.ends_with(".parquet") {
        let batch = parquet_file::read_schema(path, &object.bytes)
            .and_then(|schema| parquet_file::read(path, &object.bytes, &Arc::new(schema)));
        if let Ok(batch) = batch {
            count(&batch, &mut found);
        }
    } else {
        for line in String::from_utf8_lossy(&object.bytes).lines() {
            *found.entry(vec![line.to_owned()]).or_default() += 1;
        }
    }
    for (mut row, times) in found {
        if !below.is_empty() {
            row.push(below.to_owned());
        }
        *rows.entry(row).or_default() += times;
    }
}
