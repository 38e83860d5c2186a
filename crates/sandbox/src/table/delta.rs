//! The rows of a Delta table, with the version that brought each.

use std::collections::BTreeMap;
use std::rc::Rc;

use tidemark_delta::{Add, Snapshot, path as delta_path};
use tidemark_world::World;

use super::delta_log::Log;
use super::row::Placed;
use crate::sink::cells;
use crate::store::relative;

/// How often in a row files may have been rewritten before a row counts as brought by the last rewriting.
const REWRITES_MAX: usize = 16;

/// The rows of data files that have been read.
#[derive(Clone, Debug, Default)]
pub(super) struct RowCache {
    files: BTreeMap<String, Rc<Vec<Vec<String>>>>,
    rows: usize,
}

impl RowCache {
    /// Rows that are kept at most; with one more all are forgotten.
    const ROWS_MAX: usize = 50_000;

    fn keep(&mut self, key: String, rows: Rc<Vec<Vec<String>>>) {
        self.rows += rows.len();
        if self.rows > RowCache::ROWS_MAX {
            self.files.clear();
            self.rows = rows.len();
        }
        self.files.insert(key, rows);
    }
}

/// Reads the rows of files with the version that brought each.
pub(super) struct Reading<'a> {
    pub(super) cache: &'a mut RowCache,
    /// Reading for a view is no act: it works on a copy, so that nothing of it is counted.
    pub(super) world: World,
    pub(super) snapshot: &'a Snapshot,
    pub(super) log: &'a Log,
}

impl Reading<'_> {
    /// The rows of files, in the order in which they came.
    pub(super) fn rows_of(&mut self, mut files: Vec<&Add>) -> Vec<Placed> {
        files.sort_by_key(|add| (self.version_of(add).unwrap_or(i64::MAX), add.path.clone()));
        let mut rows: Vec<Placed> = files.into_iter().flat_map(|add| self.rows(add, 0)).collect();
        rows.sort_by_key(|row| row.version);
        rows
    }

    fn version_of(&self, add: &Add) -> Option<i64> {
        self.log.added(&add.path).map(|(version, _)| *version)
    }

    fn rows(&mut self, add: &Add, rewrites: usize) -> Vec<Placed> {
        let Some(rows) = self.cells_of(add) else { return Vec::new() };
        let version = self.version_of(add);
        let commit = version.and_then(|version| self.log.commit(version));
        let writer = commit.and_then(|commit| commit.writer.clone());
        let txn = commit.and_then(|commit| commit.txn.clone());
        let absolute = delta_path::resolve(self.snapshot.table_path(), &add.path);
        let file = relative(&self.world, &absolute).map(str::to_owned);
        let mut before = match commit {
            Some(commit) if commit.writer.is_none() && rewrites < REWRITES_MAX => {
                self.rows_before(&commit.removed, version, rewrites)
            }
            _ => Vec::new(),
        };
        let place = |(position, cells): (usize, &Vec<String>)| {
            let own = Placed {
                cells: cells.clone(),
                writer: writer.clone(),
                version,
                txn: txn.clone(),
                moved: None,
                file: file.clone(),
                position,
            };
            match before.iter().position(|old| old.cells == own.cells) {
                None => own,
                Some(at) => {
                    let old = before.swap_remove(at);
                    Placed { writer: old.writer, version: old.version, txn: old.txn, moved: version, ..own }
                }
            }
        };
        rows.iter().enumerate().map(place).collect()
    }

    /// The rows of the files that a commit took out: those that come again were only moved.
    fn rows_before(&mut self, removed: &[String], version: Option<i64>, rewrites: usize) -> Vec<Placed> {
        let adds: Vec<&Add> = removed
            .iter()
            .filter_map(|path| self.log.added(path))
            .filter(|(older, _)| Some(*older) < version)
            .map(|(_, add)| add)
            .collect();
        adds.into_iter().flat_map(|add| self.rows(add, rewrites + 1)).collect()
    }

    /// The rows of a file: a data file never changes, so it is read once.
    fn cells_of(&mut self, add: &Add) -> Option<Rc<Vec<Vec<String>>>> {
        let schema = self.snapshot.schema();
        let file = delta_path::resolve(self.snapshot.table_path(), &add.path);
        let modified = self.world.head(&file)?.modified;
        let key = format!("{file} {modified} {:?} {:?}", add.deletion_vector, schema.names());
        if let Some(known) = self.cache.files.get(&key) {
            return Some(known.clone());
        }
        let rows = self.snapshot.read_file(&mut self.world, add, schema).ok()?;
        let made = Rc::new(cells(&rows, rows.rows()));
        self.cache.keep(key, made.clone());
        Some(made)
    }
}
