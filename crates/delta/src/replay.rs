//! Replay: from the listing of a log to the state at a version.
//!
//! ```text
//! checkpoint 10 ── 11.json ── 12.json ──▶ state at 12
//!   protocol, metaData: the last one holds as a whole
//!   txn:                the last one for each appId
//!   add, remove:        the last one for each (path, deletion vector)
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_types::StructType;
use tidemark_world::World;

use crate::action::{
    Action, Add, DeletionVector, DomainMetadata, Metadata, Protocol, Remove, SetTransaction,
};
use crate::checkpoint;
use crate::condition;
use crate::error::Result;
use crate::log::{CheckpointFile, CommitFile, Listing, read_actions};
use crate::path;
use crate::protocol;
use crate::snapshot::Snapshot;

/// The checkpoint and the commits that rebuild a version.
#[derive(Debug)]
struct Segment {
    version: i64,
    checkpoint: Option<CheckpointFile>,
    commits: Vec<CommitFile>,
}

pub(crate) fn load(world: &mut World, table_path: &str, version: Option<i64>) -> Result<Snapshot> {
    let listing = Listing::read(world, table_path);
    if listing.latest().is_some() {
        return rebuild(world, table_path, &listing, version);
    }
    let missing = if world.exists(table_path) {
        condition::table_not_found(table_path)
    } else {
        condition::path_not_found(table_path)
    };
    Err(missing.into())
}

/// The newest state; none if there is no log.
pub(crate) fn find(world: &mut World, table_path: &str) -> Result<Option<Snapshot>> {
    let listing = Listing::read(world, table_path);
    listing.latest().map(|_| rebuild(world, table_path, &listing, None)).transpose()
}

fn rebuild(world: &mut World, table_path: &str, listing: &Listing, version: Option<i64>) -> Result<Snapshot> {
    let segment = decide_segment(table_path, listing, version)?;
    let mut replay = Replay::default();
    if let Some(checkpoint) = &segment.checkpoint {
        for action in checkpoint::read(world, table_path, &checkpoint.form)? {
            replay.apply(table_path, action);
        }
    }
    for commit in &segment.commits {
        for action in read_actions(world, &commit.path)? {
            replay.apply(table_path, action);
        }
    }
    replay.finish(table_path, segment.version)
}

/// Chooses what to read, and refuses a log that cannot give the version.
fn decide_segment(table_path: &str, listing: &Listing, version: Option<i64>) -> Result<Segment> {
    let latest = listing.latest().unwrap_or(0);
    let earliest = listing.earliest_rebuildable().unwrap_or(0);
    let target = version.unwrap_or(latest);
    if target > latest || target < earliest {
        return Err(condition::version_not_found(target, earliest, latest).into());
    }
    let checkpoint = listing.checkpoints.iter().rev().find(|c| c.version <= target).cloned();
    let first = checkpoint.as_ref().map_or(0, |c| c.version + 1);
    let commits: Vec<CommitFile> =
        listing.commits.iter().filter(|c| (first..=target).contains(&c.version)).cloned().collect();
    let to_load = version.unwrap_or(-1);
    let found: Vec<i64> = commits.iter().map(|c| c.version).collect();
    for pair in found.windows(2) {
        if pair[1] != pair[0] + 1 {
            return Err(condition::versions_not_contiguous(&found, pair[0], pair[1], to_load).into());
        }
    }
    match found.first() {
        Some(at) if *at != first && checkpoint.is_none() => {
            return Err(condition::truncated_log(table_path, target).into());
        }
        Some(at) if *at != first => {
            return Err(condition::versions_not_contiguous(&found, first - 1, *at, to_load).into());
        }
        None if first <= target => {
            return Err(condition::truncated_log(table_path, target).into());
        }
        Some(_) | None => {}
    }
    if found.last().is_some_and(|last| *last != target) {
        return Err(condition::version_not_found(target, earliest, latest).into());
    }
    Ok(Segment { version: target, checkpoint, commits })
}

/// The key of a file: two adds of one path differ if their deletion vectors do.
type FileKey = (String, Option<String>);

fn key(table_path: &str, add_path: &str, vector: Option<&DeletionVector>) -> FileKey {
    (path::resolve(table_path, add_path), vector.map(DeletionVector::unique_id))
}

#[derive(Debug, Default)]
struct Replay {
    protocol: Option<Protocol>,
    metadata: Option<Metadata>,
    transactions: BTreeMap<String, SetTransaction>,
    domains: BTreeMap<String, DomainMetadata>,
    live: BTreeMap<FileKey, (u64, Add)>,
    tombstones: BTreeMap<FileKey, (u64, Remove)>,
    count: u64,
}

impl Replay {
    fn apply(&mut self, table_path: &str, action: Action) {
        self.count += 1;
        match action {
            Action::Protocol(protocol) => self.protocol = Some(protocol),
            Action::Metadata(metadata) => self.metadata = Some(metadata),
            Action::Txn(txn) => {
                self.transactions.insert(txn.app_id.clone(), txn);
            }
            Action::DomainMetadata(domain) if domain.removed => {
                self.domains.remove(&domain.domain);
            }
            Action::DomainMetadata(domain) => {
                self.domains.insert(domain.domain.clone(), domain);
            }
            Action::Add(add) => {
                let key = key(table_path, &add.path, add.deletion_vector.as_ref());
                self.tombstones.remove(&key);
                self.live.insert(key, (self.count, add));
            }
            Action::Remove(remove) => {
                let key = key(table_path, &remove.path, remove.deletion_vector.as_ref());
                self.live.remove(&key);
                self.tombstones.insert(key, (self.count, remove));
            }
            Action::CommitInfo(_) | Action::Cdc(_) | Action::Sidecar(_) | Action::Unknown(_) => {}
        }
    }

    fn finish(self, table_path: &str, version: i64) -> Result<Snapshot> {
        let protocol = self.protocol.ok_or_else(|| condition::state_recover("protocol", version))?;
        protocol::check_readable(table_path, &protocol)?;
        let metadata = self.metadata.ok_or_else(|| condition::state_recover("metadata", version))?;
        let schema = match metadata.schema_string.as_str() {
            "" => StructType::default(),
            text => StructType::from_json(text)?,
        };
        Ok(Snapshot {
            table_path: table_path.to_owned(),
            version,
            protocol,
            metadata,
            schema: Arc::new(schema),
            files: in_order(self.live),
            tombstones: in_order(self.tombstones),
            transactions: self.transactions,
            domains: self.domains,
        })
    }
}

fn in_order<T>(found: BTreeMap<FileKey, (u64, T)>) -> Vec<T> {
    let mut list: Vec<(u64, T)> = found.into_values().collect();
    list.sort_by_key(|(count, _)| *count);
    list.into_iter().map(|(_, action)| action).collect()
}
