//! Tables as they grow: a Delta table to which a commit only adds is not read again, only what the commit brought.

use std::collections::{BTreeMap, BTreeSet};

use tidemark_delta::{Action, Add, Snapshot};
use tidemark_types::StructType;
use tidemark_world::{Change, World};

use super::copies::Copies;
use super::delta::{Reading, RowCache};
use super::delta_log::Log;
use super::row::{Placed, Table};
use crate::moment::Lanes;
use crate::store::relative;

/// Rows beyond which a table is not read: it is counted from its log.
const ROWS_READ_MAX: i64 = 20_000;

/// Reads tables, and remembers what it has read of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reader {
    pub(super) cache: RowCache,
    /// The Delta tables as they were last read, by their absolute paths.
    followed: BTreeMap<String, Followed>,
}

/// A Delta table as far as its log has been followed.
#[derive(Clone, Debug)]
struct Followed {
    version: i64,
    /// As of the version at which the table was last read as a whole: what shape its files have.
    shape: Snapshot,
    log: Log,
    orphans: BTreeSet<String>,
    total: i64,
    copies: Copies,
}

/// What has become of a table since it was last read.
pub(crate) struct News {
    pub(crate) version: i64,
    pub(crate) total: u64,
    /// Data files that no commit names, relative to the root.
    pub(crate) orphans: Vec<String>,
    /// The rows that came.
    pub(crate) rows: Vec<Placed>,
    /// Whether the table is now too large for its rows to be shown.
    pub(crate) is_too_large: bool,
}

impl Reader {
    /// The same for another moment: what tables hold is read anew, what files hold is not.
    pub(crate) fn elsewhere(&self) -> Reader {
        Reader { cache: self.cache.clone(), followed: BTreeMap::new() }
    }

    /// The whole Delta table at a path, if it has been begun.
    pub(super) fn read(&mut self, world: &World, lanes: &Lanes, path: &str) -> Option<Table> {
        self.followed.remove(path);
        let name = format!("{}/", relative(world, path).unwrap_or(path));
        let mut table = Table { name, kind: "delta", ..Table::default() };
        let log = Log::read(world, lanes, path);
        let orphans = log.orphans(world);
        table.orphans = shown(world, &orphans);
        let mut copy = world.clone();
        let Some(snapshot) = Snapshot::find(&mut copy, path).ok()? else {
            return (!orphans.is_empty()).then_some(table);
        };
        table.version = Some(snapshot.version());
        table.columns = names(snapshot.schema());
        let total: i64 = snapshot.files().filter_map(Add::num_records).sum();
        table.total = u64::try_from(total).unwrap_or(0);
        if total <= ROWS_READ_MAX {
            let cache = &mut self.cache;
            let mut reading = Reading { cache, world: copy, snapshot: &snapshot, log: &log };
            table.rows = reading.rows_of(snapshot.files().collect());
        }
        let version = snapshot.version();
        let copies = Copies::of(&table.rows);
        let followed = Followed { version, shape: snapshot, log, orphans, total, copies };
        self.followed.insert(path.to_owned(), followed);
        Some(table)
    }

    /// What these changes made of the Delta table at a path; none if it has to be read as a whole.
    pub(crate) fn follow(
        &mut self,
        world: &World,
        lanes: &Lanes,
        path: &str,
        changes: &[Change],
    ) -> Option<News> {
        let mut followed = self.followed.remove(path)?;
        let mut came = Vec::new();
        for change in changes {
            followed.heed(lanes, change, &mut came)?;
        }
        followed.total += came.iter().filter_map(Add::num_records).sum::<i64>();
        let is_too_large = followed.total > ROWS_READ_MAX;
        let rows = if is_too_large {
            followed.copies = Copies::default();
            Vec::new()
        } else {
            let (cache, world) = (&mut self.cache, world.clone());
            let mut reading = Reading { cache, world, snapshot: &followed.shape, log: &followed.log };
            reading.rows_of(came.iter().collect())
        };
        followed.copies.add(&rows);
        let news = News {
            version: followed.version,
            total: u64::try_from(followed.total).unwrap_or(0),
            orphans: shown(world, &followed.orphans),
            rows,
            is_too_large,
        };
        self.followed.insert(path.to_owned(), followed);
        Some(news)
    }

    /// How often each row is in the Delta table at a path, as it was last read.
    pub(crate) fn copies(&self, path: &str) -> Option<&Copies> {
        self.followed.get(path).map(|followed| &followed.copies)
    }
}

impl Followed {
    /// Takes a change in; none if it is of a kind that only reading the whole table can tell.
    fn heed(&mut self, lanes: &Lanes, change: &Change, came: &mut Vec<Add>) -> Option<()> {
        match change {
            Change::MakeFolder { .. } => Some(()),
            Change::DeleteTree { path } => {
                let is_apart = |one: &str, other: &str| {
                    !one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                (is_apart(path, &self.log.table) && is_apart(&self.log.table, path)).then_some(())
            }
            Change::Delete { path } => {
                let is_part = self.log.version_named(path).is_some() || self.log.knows(path);
                self.orphans.remove(path);
                (!is_part).then_some(())
            }
            Change::Put { path, .. } if self.log.is_data_file(path) => {
                self.orphans.insert(path.clone());
                (!self.log.knows(path)).then_some(())
            }
            Change::Put { path, bytes, .. } => match self.log.version_named(path) {
                None => Some(()),
                Some(version) if version == self.version + 1 => {
                    self.take(lanes, version, std::str::from_utf8(bytes).ok()?, came)
                }
                Some(_) => None,
            },
        }
    }

    /// Takes the next commit in, if all that it does is to add files.
    fn take(&mut self, lanes: &Lanes, version: i64, text: &str, came: &mut Vec<Add>) -> Option<()> {
        let mut actions = Vec::new();
        for line in text.lines() {
            let action = Action::parse(line).ok()?;
            match &action {
                Action::Add(add) if self.log.added(&add.path).is_none() => came.push(add.clone()),
                Action::Txn(_) | Action::CommitInfo(_) => {}
                _ => return None,
            }
            actions.push(action);
        }
        self.log.take(lanes, version, actions);
        self.version = version;
        let log = &self.log;
        self.orphans.retain(|path| !log.knows(path));
        Some(())
    }
}

fn shown(world: &World, paths: &BTreeSet<String>) -> Vec<String> {
    paths.iter().filter_map(|path| relative(world, path).map(str::to_owned)).collect()
}

/// The names of columns.
pub(super) fn names(schema: &StructType) -> Vec<String> {
    schema.names().iter().map(|name| (*name).to_owned()).collect()
}
