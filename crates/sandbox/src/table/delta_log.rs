//! What the commits of a Delta table say of its files, and who wrote them.

use std::collections::{BTreeMap, BTreeSet};

use tidemark_delta::{Action, Add, path as delta_path};
use tidemark_world::World;

use super::row::Writer;
use crate::moment::Lanes;

/// The commits of a table, as far as they have been read.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    /// The absolute path of the table.
    pub(super) table: String,
    commits: BTreeMap<i64, Commit>,
    /// Each file that came, by its absolute path, and the version with which it did.
    added: BTreeMap<String, (i64, Add)>,
}

/// One of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Commit {
    pub(super) writer: Option<Writer>,
    pub(super) txn: Option<String>,
    /// The paths of the files that it took out, as it names them.
    pub(super) removed: Vec<String>,
}

impl Log {
    /// Reads all commits that are there. Lines that are none are passed over.
    pub(super) fn read(world: &World, lanes: &Lanes, table: &str) -> Log {
        let mut log = Log { table: table.to_owned(), ..Log::default() };
        for meta in world.peek_list(&delta_path::log_folder(table)) {
            let (Some(version), Some(object)) = (log.version_named(&meta.path), world.peek(&meta.path))
            else {
                continue;
            };
            let text = String::from_utf8_lossy(&object.bytes);
            let actions = text.lines().filter_map(|line| Action::parse(line).ok()).collect();
            log.take(lanes, version, actions);
        }
        log
    }

    /// The version that an object of this path commits, if it is a commit of this table.
    pub(super) fn version_named(&self, path: &str) -> Option<i64> {
        let name = path.strip_prefix(&self.table)?.strip_prefix("/_delta_log/")?;
        name.strip_suffix(".json")?.parse().ok()
    }

    /// Takes a commit in.
    pub(super) fn take(&mut self, lanes: &Lanes, version: i64, actions: Vec<Action>) {
        let mut commit = Commit::default();
        for action in actions {
            match action {
                Action::Add(add) => {
                    self.added.insert(delta_path::resolve(&self.table, &add.path), (version, add));
                }
                Action::Remove(remove) => commit.removed.push(remove.path),
                Action::Txn(txn) => {
                    let app = txn.app_id.split('-').next().unwrap_or_default();
                    commit.txn = Some(format!("{app}, {}", txn.version));
                    commit.writer = Some(Writer { query: txn.app_id, batch: txn.version });
                }
                _ => {}
            }
        }
        // What a function of foreachBatch wrote is known from the run, whatever the commit calls itself.
        let path = delta_path::commit(&self.table, version);
        let by_function = lanes.iter().find_map(|lane| {
            let batch = lane.way.batch_that_wrote(&path)?;
            Some(Writer { query: lane.view.id.clone(), batch })
        });
        commit.writer = by_function.or(commit.writer);
        self.commits.insert(version, commit);
    }

    /// The commit of a version.
    pub(super) fn commit(&self, version: i64) -> Option<&Commit> {
        self.commits.get(&version)
    }

    /// The file that a commit names so, and the version with which it came.
    pub(super) fn added(&self, named: &str) -> Option<&(i64, Add)> {
        self.added.get(&delta_path::resolve(&self.table, named))
    }

    /// Whether a commit names the file at this absolute path.
    pub(super) fn knows(&self, path: &str) -> bool {
        self.added.contains_key(path)
    }

    /// Data files that no commit names, by their absolute paths.
    pub(super) fn orphans(&self, world: &World) -> BTreeSet<String> {
        let files = world.peek_list(&self.table).into_iter().map(|meta| meta.path);
        files.filter(|path| self.is_data_file(path) && !self.knows(path)).collect()
    }

    /// Whether a path is that of a data file of this table.
    pub(super) fn is_data_file(&self, path: &str) -> bool {
        let below = path.strip_prefix(&self.table).is_some_and(|rest| rest.starts_with('/'));
        below && path.ends_with(".parquet") && !path.contains("/_delta_log/")
    }
}
