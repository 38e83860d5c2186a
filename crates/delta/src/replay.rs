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

use crate::action::{Action, Add, DomainMetadata, Metadata, Protocol, Remove, SetTransaction};
use crate::checkpoint;
use crate::condition;
use crate::error::Result;
use crate::file_list::{FileList, key};
use crate::log::{CheckpointFile, CommitFile, Listing, read_actions};
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
    if let Some(snapshot) = find(world, table_path, version)? {
        return Ok(snapshot);
    }
    let missing = if world.exists(table_path) {
        condition::table_not_found(table_path)
    } else {
        condition::path_not_found(table_path)
    };
    Err(missing.into())
}

/// The newest state, or that of `version`; none if there is no log.
pub(crate) fn find(world: &mut World, table_path: &str, version: Option<i64>) -> Result<Option<Snapshot>> {
    let listing = Listing::read(world, table_path);
    listing.latest().map(|_| rebuild(world, table_path, &listing, version)).transpose()
}

/// The newest state, or that of `version`, from a known one, by the commits that came after it.
pub(crate) fn update(world: &mut World, known: &Snapshot, version: Option<i64>) -> Result<Option<Snapshot>> {
    let (path, from) = (known.table_path.as_str(), known.version);
    let listing = Listing::read_from(world, path, from);
    let newest = listing.latest();
    let target = version.or(newest).unwrap_or(from);
    let versions = listing.commits.iter().map(|commit| commit.version).take_while(|found| *found <= target);
    if target < from || !versions.eq(from..=target) {
        return find(world, path, version);
    }
    let mut replay = Replay::after(known);
    for commit in listing.commits.iter().filter(|commit| (from + 1..=target).contains(&commit.version)) {
        for action in read_actions(world, &commit.path)? {
            replay.apply(path, action);
        }
    }
    replay.finish(path, target).map(Some)
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

#[derive(Debug, Default)]
struct Replay {
    protocol: Option<Protocol>,
    metadata: Option<Metadata>,
    transactions: BTreeMap<String, SetTransaction>,
    domains: BTreeMap<String, DomainMetadata>,
    live: FileList<Add>,
    tombstones: FileList<Remove>,
}

impl Replay {
    /// All that was replayed up to a version.
    fn after(known: &Snapshot) -> Replay {
        Replay {
            protocol: Some(known.protocol.clone()),
            metadata: Some(known.metadata.clone()),
            transactions: known.transactions.clone(),
            domains: known.domains.clone(),
            live: known.files.clone(),
            tombstones: known.tombstones.clone(),
        }
    }

    fn apply(&mut self, table_path: &str, action: Action) {
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
                self.live.insert(key, add);
            }
            Action::Remove(remove) => {
                let key = key(table_path, &remove.path, remove.deletion_vector.as_ref());
                self.live.remove(&key);
                self.tombstones.insert(key, remove);
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
            files: self.live,
            tombstones: self.tombstones,
            transactions: self.transactions,
            domains: self.domains,
        })
    }
}
