//! The tables that queries write, row by row: where each row lies, and which batch of which query brought it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use tidemark_delta::{Action, Add, Snapshot, path as delta_path};
use tidemark_types::StructType;
use tidemark_world::World;

use crate::file_table;
use crate::moment::{Lanes, Memories};
use crate::sink::cells;
use crate::store::relative;

/// Rows beyond which a table is not read: it is counted from its log.
const ROWS_READ_MAX: i64 = 20_000;
/// How often in a row files may have been rewritten before a row counts as brought by the last rewriting.
const REWRITES_MAX: usize = 16;

/// One table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// `out/`, or the name of a memory table.
    pub(crate) name: String,
    /// `delta`, `memory` or `files`.
    pub(crate) kind: &'static str,
    /// The version of a Delta table.
    pub(crate) version: Option<i64>,
    /// The column names.
    pub(crate) columns: Vec<String>,
    /// The rows, in the order in which they came; none if there are too many.
    pub(crate) rows: Vec<Placed>,
    /// The number of all rows.
    pub(crate) total: u64,
    /// Data files that no commit names, relative to the root.
    pub(crate) orphans: Vec<String>,
}

/// A row and its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The cells as Spark shows them.
    pub(crate) cells: Vec<String>,
    /// Who brought it, if a query did.
    pub(crate) writer: Option<Writer>,
    /// The version that brought it.
    pub(crate) version: Option<i64>,
    /// The note by which a second try of the batch would find it, `7f3ac1d2, 1`, if the commit has one.
    pub(crate) txn: Option<String>,
    /// The version that rewrote the file in which it came, if one did.
    pub(crate) moved: Option<i64>,
    /// The data file, relative to the root.
    pub(crate) file: Option<String>,
    /// Its place in the file, from 0.
    pub(crate) position: usize,
}

/// A batch of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Writer {
    /// The id of the query.
    pub(crate) query: String,
    /// The batch.
    pub(crate) batch: i64,
}

/// The rows of data files that have been read.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowCache {
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

/// All tables of the queries so far, each once: sinks first, then what their functions have written.
pub(crate) fn tables(world: &World, lanes: &Lanes, memories: &Memories) -> Vec<Table> {
    tables_with(&mut RowCache::default(), world, lanes, memories)
}

/// The same, with the rows of files that have been read before.
pub(crate) fn tables_with(
    cache: &mut RowCache,
    world: &World,
    lanes: &Lanes,
    memories: &Memories,
) -> Vec<Table> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for lane in lanes.iter() {
        let Some(path) = &lane.sink_path else { continue };
        if !seen.insert((lane.sink_kind.as_str(), path.as_str())) {
            continue;
        }
        found.extend(match lane.sink_kind.as_str() {
            "delta" => delta(cache, world, lanes, path),
            "memory" => memory(memories, lanes, path),
            "json" | "csv" | "text" | "parquet" => file_table::table(world, lane, path),
            _ => None,
        });
    }
    for path in lanes.iter().flat_map(|lane| lane.way.written_tables()) {
        if seen.insert(("delta", path)) {
            found.extend(delta(cache, world, lanes, path));
        }
    }
    found
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

fn names(schema: &StructType) -> Vec<String> {
    schema.names().iter().map(|name| (*name).to_owned()).collect()
}

fn delta(cache: &mut RowCache, world: &World, lanes: &Lanes, path: &str) -> Option<Table> {
    let name = format!("{}/", relative(world, path).unwrap_or(path));
    let mut table = Table { name, kind: "delta", ..Table::default() };
    // Reading for a view is no act: it works on a copy, so that nothing of it is counted.
    let mut world = world.clone();
    let log = Log::read(&world, lanes, path);
    table.orphans = orphans(&world, path, &log);
    let Some(snapshot) = Snapshot::find(&mut world, path).ok()? else {
        return (!table.orphans.is_empty()).then_some(table);
    };
    table.version = Some(snapshot.version());
    let schema = snapshot.schema().clone();
    table.columns = names(&schema);
    let total: i64 = snapshot.files().filter_map(Add::num_records).sum();
    table.total = u64::try_from(total).unwrap_or(0);
    if total > ROWS_READ_MAX {
        return Some(table);
    }
    let mut files: Vec<&Add> = snapshot.files().collect();
    files.sort_by_key(|add| (log.version_of(&add.path).unwrap_or(i64::MAX), add.path.clone()));
    let mut reading = Reading { cache, world, snapshot: &snapshot, schema, log: &log };
    table.rows = files.iter().flat_map(|add| reading.rows(add, 0)).collect();
    table.rows.sort_by_key(|row| row.version);
    Some(table)
}

/// What the commits of a table say of its files.
struct Log {
    commits: BTreeMap<i64, Commit>,
    /// Each file that came, and the version with which it did.
    added: BTreeMap<String, (i64, Add)>,
}

#[derive(Default)]
struct Commit {
    writer: Option<Writer>,
    txn: Option<String>,
    removed: Vec<String>,
}

impl Log {
    fn read(world: &World, lanes: &Lanes, path: &str) -> Log {
        let mut log = Log { commits: BTreeMap::new(), added: BTreeMap::new() };
        let folder = format!("{path}/_delta_log");
        for meta in world.peek_list(&folder) {
            let name = &meta.path[folder.len() + 1..];
            let Some(version) = name.strip_suffix(".json").and_then(|v| v.parse::<i64>().ok()) else {
                continue;
            };
            let Some(object) = world.peek(&meta.path) else { continue };
            let mut commit = Commit::default();
            for line in String::from_utf8_lossy(&object.bytes).lines() {
                match Action::parse(line) {
                    Ok(Action::Add(add)) => {
                        log.added.insert(add.path.clone(), (version, add));
                    }
                    Ok(Action::Remove(remove)) => commit.removed.push(remove.path),
                    Ok(Action::Txn(txn)) => {
                        let app = txn.app_id.split('-').next().unwrap_or_default();
                        commit.txn = Some(format!("{app}, {}", txn.version));
                        commit.writer = Some(Writer { query: txn.app_id, batch: txn.version });
                    }
                    _ => {}
                }
            }
            // What a function of foreachBatch wrote is known from the run, whatever the commit calls itself.
            let by_function = lanes.iter().find_map(|lane| {
                let batch = lane.way.batch_that_wrote(&meta.path)?;
                Some(Writer { query: lane.view.id.clone(), batch })
            });
            commit.writer = by_function.or(commit.writer);
            log.commits.insert(version, commit);
        }
        log
    }

    fn version_of(&self, path: &str) -> Option<i64> {
        self.added.get(path).map(|(version, _)| *version)
    }
}

/// Reads the rows of files with the version that brought each.
struct Reading<'a> {
    cache: &'a mut RowCache,
    world: World,
    snapshot: &'a Snapshot,
    schema: Arc<StructType>,
    log: &'a Log,
}

impl Reading<'_> {
    fn rows(&mut self, add: &Add, rewrites: usize) -> Vec<Placed> {
        let Some(rows) = self.cells_of(add) else { return Vec::new() };
        let version = self.log.version_of(&add.path);
        let commit = version.and_then(|version| self.log.commits.get(&version));
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
        self.placed(&rows, |cells, position| {
            let own = Placed {
                cells,
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
        })
    }

    /// The rows of the files that a commit took out: those that come again were only moved.
    fn rows_before(&mut self, removed: &[String], version: Option<i64>, rewrites: usize) -> Vec<Placed> {
        let adds: Vec<Add> = removed
            .iter()
            .filter_map(|path| self.log.added.get(path))
            .filter(|(older, _)| Some(*older) < version)
            .map(|(_, add)| add.clone())
            .collect();
        adds.iter().flat_map(|add| self.rows(add, rewrites + 1)).collect()
    }

    /// The rows of a file: a data file never changes, so it is read once.
    fn cells_of(&mut self, add: &Add) -> Option<Rc<Vec<Vec<String>>>> {
        let file = delta_path::resolve(self.snapshot.table_path(), &add.path);
        let modified = self.world.head(&file)?.modified;
        let key = format!("{file} {modified} {:?} {:?}", add.deletion_vector, self.schema.names());
        if let Some(known) = self.cache.files.get(&key) {
            return Some(known.clone());
        }
        let rows = self.snapshot.read_file(&mut self.world, add, &self.schema).ok()?;
        let made = Rc::new(cells(&rows, rows.rows()));
        self.cache.keep(key, made.clone());
        Some(made)
    }

    fn placed(&self, rows: &[Vec<String>], make: impl FnMut(Vec<String>, usize) -> Placed) -> Vec<Placed> {
        let mut make = make;
        rows.iter().enumerate().map(|(at, cells)| make(cells.clone(), at)).collect()
    }
}

/// Data files that no commit names, relative to the root.
fn orphans(world: &World, path: &str, log: &Log) -> Vec<String> {
    let known: BTreeSet<String> = log.added.keys().map(|added| delta_path::resolve(path, added)).collect();
    world
        .peek_list(path)
        .iter()
        .filter(|meta| meta.path.ends_with(".parquet") && !meta.path.contains("/_delta_log/"))
        .filter(|meta| !known.contains(&meta.path))
        .filter_map(|meta| relative(world, &meta.path).map(str::to_owned))
        .collect()
}
