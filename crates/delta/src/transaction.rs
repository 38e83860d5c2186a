//! A transaction: read a snapshot, decide, put one commit; on a lost race look at the winner and try the next version.

use serde_json::{Value, json};
use tidemark_types::Millis;
use tidemark_world::{World, WorldError};

use crate::action::{Action, CommitInfo, TextMap};
use crate::condition;
use crate::conflict::{self, Claim};
use crate::error::Result;
use crate::log::read_commit;
use crate::operation::Operation;
use crate::path;
use crate::protocol;
use crate::snapshot::Snapshot;

/// Who writes our commits.
pub const ENGINE_INFO: &str = concat!("Tidemark/", env!("CARGO_PKG_VERSION"));

/// What a transaction has read and looked up so far.
#[derive(Clone, Debug)]
pub struct Transaction {
    snapshot: Option<Snapshot>,
    claim: Claim,
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
    ///
    /// Errors: those of [`Snapshot::load`]; `DELTA_UNSUPPORTED_FEATURES_FOR_WRITE`.
    pub fn start(world: &mut World, table_path: &str) -> Result<Transaction> {
        Transaction::start_after(world, table_path, None)
    }

    /// The same, with a snapshot of the table that is known from before: only what came after it is read.
    pub fn start_after(world: &mut World, table_path: &str, known: Option<&Snapshot>) -> Result<Transaction> {
        let snapshot = match known {
            Some(known) => known.update(world, None)?,
            None => Snapshot::find(world, table_path)?,
        };
        if let Some(snapshot) = &snapshot {
            protocol::check_writable(table_path, snapshot.protocol())?;
        }
        let claim = Claim { table_path: table_path.to_owned(), ..Claim::default() };
        Ok(Transaction { snapshot, claim })
    }

    /// The snapshot that was read; none if there is no table yet.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// The version of the last write of an application; notes that it was looked up, for the conflict check.
    pub fn transaction_version(&mut self, app_id: &str) -> Option<i64> {
        self.claim.app_ids.insert(app_id.to_owned());
        self.snapshot.as_ref()?.transaction(app_id).map(|txn| txn.version)
    }

    /// Notes that the whole table was read.
    pub fn read_whole_table(&mut self) {
        self.claim.read_whole_table = true;
    }

    /// Notes that these files were read, by their paths in the log.
    pub fn read_files<'a>(&mut self, paths: impl IntoIterator<Item = &'a str>) {
        self.claim.read_files.extend(paths.into_iter().map(str::to_owned));
    }

    /// Puts the commit: `commitInfo`, then the actions in this order.
    ///
    /// Shape: tries the version after the snapshot's, then the next ones as long as no winner conflicts.
    /// Errors: the conflict family of Delta; `DELTA_DUPLICATE_ACTIONS_FOUND`; a crash of the driver.
    pub fn commit(
        mut self,
        world: &mut World,
        actions: Vec<Action>,
        operation: &Operation,
        metrics: TextMap,
        user_metadata: Option<&str>,
    ) -> Result<Committed> {
        refuse_twice(&actions)?;
        let read_version = self.snapshot.as_ref().map(Snapshot::version);
        let isolation = isolation_level(&actions, operation);
        self.claim.changes_data = isolation == "Serializable";
        let blind = self.is_blind_append(&actions);
        let txn_id = world.uuid();
        let mut version = read_version.map_or(0, |read| read + 1);
        loop {
            increase_time(world, &self.claim.table_path, version);
            let mut info = TextMap::new();
            info.insert("timestamp".into(), json!(world.now().0));
            info.insert("operation".into(), json!(operation.name));
            info.insert("operationParameters".into(), Value::Object(operation.parameters.clone()));
            if let Some(read) = read_version {
                info.insert("readVersion".into(), json!(read));
            }
            info.insert("isolationLevel".into(), json!(isolation));
            info.insert("isBlindAppend".into(), json!(blind));
            info.insert("operationMetrics".into(), Value::Object(metrics.clone()));
            if let Some(text) = user_metadata {
                info.insert("userMetadata".into(), json!(text));
            }
            info.insert("engineInfo".into(), json!(ENGINE_INFO));
            info.insert("txnId".into(), json!(txn_id));
            let info = CommitInfo(info);
            let bytes = render(&info, &actions);
            let temporary = path::commit_temporary(&self.claim.table_path, version, &world.uuid());
            match world.put_log(&path::commit(&self.claim.table_path, version), &temporary, bytes) {
                Ok(()) => return Ok(Committed { version, info }),
                Err(WorldError::AlreadyExists { .. }) => {
                    let winner = read_commit(world, &self.claim.table_path, version)?;
                    conflict::check(&self.claim, &actions, version, &winner)?;
                    version += 1;
                }
                Err(other) => return Err(other.into()),
            }
        }
    }

    /// Only files come, and nothing was read to choose them.
    fn is_blind_append(&self, actions: &[Action]) -> bool {
        let others = |a: &Action| matches!(a, Action::Remove(_) | Action::Cdc(_));
        !self.claim.read_whole_table && self.claim.read_files.is_empty() && !actions.iter().any(others)
    }
}

/// `SnapshotIsolation` where files move without a change of rows, and for VACUUM, which has no actions.
fn isolation_level(actions: &[Action], operation: &Operation) -> &'static str {
    let mut files = actions.iter().filter_map(|action| match action {
        Action::Add(add) => Some(add.data_change),
        Action::Remove(remove) => Some(remove.data_change),
        Action::Cdc(_) => Some(true),
        _ => None,
    });
    let moves = match files.next() {
        None => operation.name.starts_with("VACUUM"),
        Some(first) => !first && files.all(|change| !change),
    };
    if moves { "SnapshotIsolation" } else { "Serializable" }
}

fn refuse_twice(actions: &[Action]) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for action in actions {
        if let Action::Add(add) = action
            && !seen.insert(add.path.as_str())
        {
            return Err(condition::duplicate_actions(&add.path).into());
        }
    }
    Ok(())
}

/// A commit is younger than the one before it: if the clock has not moved since, it moves by a millisecond.
fn increase_time(world: &mut World, table_path: &str, version: i64) {
    let Some(before) = world.head(&path::commit(table_path, version - 1)) else { return };
    let behind = before.modified.0 - world.now().0;
    if behind >= 0 {
        world.advance(Millis(behind + 1));
    }
}

fn render(info: &CommitInfo, actions: &[Action]) -> String {
    let mut out = Action::CommitInfo(info.clone()).render();
    out.push('\n');
    for action in actions {
        out.push_str(&action.render());
        out.push('\n');
    }
    out
}
