//! The files of a state store: `N.delta` has the changes of batch N−1, `N.snapshot` all entries at version N.
//!
//! Plain, a file is a run of `{ key size, key, value size, value }` with sizes as 32 big-endian bits; a value size of −1
//! removes the key, a key size of −1 ends the file.

use bytes::Bytes;
use imbl::Vector;
use tidemark_types::{ErrorClass, SparkError};
use tidemark_world::{Entry, World, WorldError};

use crate::error::{Error, Result};
use crate::operator::hash_of;
use crate::state::frame::{Frames, decompress};
use crate::state::known;
use crate::state::row::Packer;
use crate::state::store::{Save, StateStore, StoreId};

/// The file that a batch leaves behind: its path below the folder, and its bytes.
pub(crate) fn write_delta(save: &Save) -> (String, Vec<u8>) {
    let records = save.changes.iter().map(|(key, value)| (key, value.as_ref()));
    (format!("{}.delta", save.store.version()), render(records))
}

/// All entries of a store.
pub(crate) fn write_snapshot(store: &StateStore) -> (String, Vec<u8>) {
    let records = store.iter().map(|(key, value)| (key, Some(value)));
    (format!("{}.snapshot", store.version()), render(records))
}

fn render<'a>(records: impl Iterator<Item = (&'a Bytes, Option<&'a Bytes>)>) -> Vec<u8> {
    let mut frames = Frames::default();
    for (key, value) in records {
        frames.push(&(key.len() as i32).to_be_bytes());
        frames.push(key);
        frames.push(&value.map_or(-1, |value| value.len() as i32).to_be_bytes());
        frames.push(value.map_or(&[], |value| &value[..]));
    }
    frames.push(&(-1_i32).to_be_bytes());
    frames.finish()
}

/// The bytes of files that a store being loaded may keep in memory.
const HELD_BYTES: usize = 64 << 20;

/// A record of a file: a key and its value, `None` where the key goes.
type Record = (Bytes, Option<Bytes>);

/// Hands on the records of a file one by one, `None` when it is cut off or damaged. They keep the whole file in memory.
fn read_records(file: &[u8], take: &mut dyn FnMut(Record)) -> Option<()> {
    let plain = Bytes::from(decompress(file)?);
    let mut at = 0;
    let size = |at: usize| Some(i32::from_be_bytes(plain.get(at..at.checked_add(4)?)?.try_into().ok()?));
    loop {
        let Ok(key_size) = usize::try_from(size(at)?) else { return Some(()) };
        let (key_at, value_size_at) = (at + 4, at + 4 + key_size);
        let value_size = size(value_size_at)?;
        let key = plain.slice(key_at..value_size_at);
        at = value_size_at + 4;
        let value = match usize::try_from(value_size) {
            Ok(value_size) => {
                plain.get(at..at.checked_add(value_size)?)?;
                at += value_size;
                Some(plain.slice(at - value_size..at))
            }
            Err(_) => None,
        };
        take((key, value));
    }
}

/// The newest record of each key, in the order in which the keys came.
#[derive(Default)]
struct Newest {
    records: Vec<Record>,
    /// The place of a record plus 1, 0 where nothing is.
    slots: Vec<u32>,
    /// The bytes of files that the records keep in memory, about.
    held: usize,
}

impl Newest {
    fn take(&mut self, record: Record) {
        if self.records.len() * 2 >= self.slots.len() {
            self.grow();
        }
        self.held += record.0.len() + record.1.as_ref().map_or(0, Bytes::len);
        let slot = self.slot(&record.0);
        match self.slots[slot] {
            0 => {
                self.records.push(record);
                self.slots[slot] = self.records.len() as u32;
            }
            place => self.records[place as usize - 1].1 = record.1,
        }
    }

    /// Where a key is, or may be put.
    fn slot(&self, key: &[u8]) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash_of(key) as usize & last;
        while self.slots[slot] != 0 && self.records[self.slots[slot] as usize - 1].0 != key {
            slot = (slot + 1) & last;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(64)];
        for place in 0..self.records.len() {
            let slot = self.slot(&self.records[place].0);
            self.slots[slot] = place as u32 + 1;
        }
    }

    /// Takes the records of a file, `None` when it is cut off or damaged.
    fn read(&mut self, file: &[u8]) -> Option<()> {
        read_records(file, &mut |record| self.take(record))?;
        if self.held > HELD_BYTES {
            self.pack();
        }
        Some(())
    }

    /// Lets go of the files: records are copied out of them.
    fn pack(&mut self) {
        let mut packer = Packer::new(2 * self.records.len());
        for (key, value) in &self.records {
            packer.open().extend_from_slice(key);
            packer.close();
            packer.open().extend_from_slice(value.as_deref().unwrap_or_default());
            packer.close();
        }
        let mut parts = packer.finish().into_iter();
        for (key, value) in &mut self.records {
            *key = parts.next().unwrap_or_default();
            *value = parts.next().filter(|_| value.is_some());
        }
        self.held = 0;
    }

    /// The store that comes of them.
    fn store(mut self) -> StateStore {
        self.slots = Vec::new();
        self.records.retain(|(_, value)| value.is_some());
        self.pack();
        let mut store = StateStore::default();
        self.records.into_iter().for_each(|(key, value)| store.apply(key, value));
        store
    }
}

/// What a delta changes, in its order.
///
/// Errors: the delta is missing or damaged.
pub(crate) fn changes(
    world: &mut World,
    checkpoint: &str,
    id: &StoreId,
    version: i64,
    run: &str,
) -> Result<Vec<Record>> {
    let bytes = delta(world, &id.folder(checkpoint), version, id, run)?;
    let mut found = Vec::new();
    read_records(&bytes, &mut |record| found.push(record)).ok_or_else(damaged)?;
    Ok(found)
}

fn delta(world: &mut World, folder: &str, version: i64, id: &StoreId, run: &str) -> Result<Bytes> {
    let path = format!("{folder}/{version}.delta");
    match world.get(&path) {
        Err(WorldError::NotFound { .. }) => Err(missing(&path, id, run)),
        other => Ok(other?),
    }
}

/// The versions that a folder has files of, ascending, each with whether it is a snapshot.
fn versions(world: &mut World, folder: &str) -> Vec<(i64, bool)> {
    let mut found: Vec<(i64, bool)> = world
        .children(folder)
        .iter()
        .filter_map(|entry| match entry {
            Entry::File(meta) => {
                let (version, kind) = meta.path.rsplit('/').next()?.split_once('.')?;
                let snapshot = match kind {
                    "delta" => false,
                    "snapshot" => true,
                    _ => return None,
                };
                Some((version.parse().ok()?, snapshot))
            }
            Entry::Folder(_) => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// A store at a version: the newest snapshot up to there, and the deltas after it.
///
/// Errors: a delta is missing, or a file is damaged.
pub(crate) fn load(
    world: &mut World,
    checkpoint: &str,
    id: &StoreId,
    version: i64,
    run: &str,
) -> Result<StateStore> {
    let folder = id.folder(checkpoint);
    if version == 0 {
        return Ok(StateStore::default());
    }
    let mut files = Vector::new();
    let snapshot = versions(world, &folder).into_iter().rfind(|(v, snapshot)| *snapshot && *v <= version);
    let mut from = 1;
    if let Some((snapshot, _)) = snapshot {
        let bytes = world.get(&format!("{folder}/{snapshot}.snapshot"))?;
        files.push_back(bytes);
        from = snapshot + 1;
    }
    for version in from..=version {
        files.push_back(delta(world, &folder, version, id, run)?);
    }
    if let Some(store) = known::find(&files, version) {
        return Ok(store);
    }
    let mut newest = Newest::default();
    for file in &files {
        newest.read(file).ok_or_else(damaged)?;
    }
    let mut store = newest.store().at_version(version);
    store.files = files;
    known::keep(&store);
    Ok(store)
}

fn damaged() -> Error {
    let cause = SparkError::java("java.io.EOFException", "Stream ended prematurely");
    SparkError::new(
        ErrorClass::Spark,
        "CANNOT_LOAD_STATE_STORE.UNCATEGORIZED",
        "58030",
        "An error occurred during loading state. ",
    )
    .with_cause(cause)
    .into()
}

fn missing(path: &str, id: &StoreId, run: &str) -> Error {
    let provider = format!(
        "HDFSStateStoreProvider[stateStoreProviderId=StateStoreProviderId[ storeId=StateStoreId[ operatorId={}, \
         partitionId={}, storeName={} ], queryRunId={run} ]]",
        id.operator, id.partition, id.name
    );
    let text = format!(
        "An error occurred during loading state. Error reading delta file file:{path} of {provider}: file:{path} does \
         not exist."
    );
    let condition = "CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS";
    SparkError::new(ErrorClass::Spark, condition, "58030", text)
        .with_parameter("fileToRead", format!("file:{path}"))
        .with_parameter("clazz", provider)
        .with_cause(SparkError::java(
            "java.io.FileNotFoundException",
            format!("File file:{path} does not exist"),
        ))
        .into()
}

/// What maintenance does in one folder next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Upkeep {
    /// A snapshot of the newest version is due.
    Snapshot,
    /// This file is not needed any more.
    Delete(String),
}

/// The next thing that maintenance does for a store whose newest version is `version`.
///
/// A snapshot is due when more than `deltas_min` deltas follow the last one; files go that no version of the last
/// `retain` needs.
pub(crate) fn snapshot_due(
    world: &mut World,
    folder: &str,
    version: i64,
    deltas_min: i64,
    retain: i64,
) -> Option<Upkeep> {
    let files = versions(world, folder);
    let last_snapshot =
        |bound: i64| files.iter().filter(|(v, s)| *s && *v <= bound).map(|(v, _)| *v).max().unwrap_or(0);
    let deltas = files.iter().filter(|(v, s)| !*s && *v > last_snapshot(version) && *v <= version).count();
    if deltas as i64 > deltas_min {
        return Some(Upkeep::Snapshot);
    }
    let oldest = version - retain;
    if oldest <= 0 {
        return None;
    }
    let needed = last_snapshot(oldest).max(1);
    let (old, snapshot) = files.into_iter().find(|(v, _)| *v < needed)?;
    Some(Upkeep::Delete(format!("{folder}/{old}.{}", if snapshot { "snapshot" } else { "delta" })))
}

#[cfg(test)]
mod tests {
    use tidemark_types::SimTime;

    use super::*;
    use crate::state::store::DEFAULT;

    fn id() -> StoreId {
        StoreId { operator: 0, partition: 1, name: DEFAULT }
    }

    fn keep(world: &mut World, version: i64, changes: &[(&'static str, Option<&'static str>)]) {
        let mut save = Save::new(id(), StateStore::default().at_version(version));
        for (key, value) in changes {
            let key = Bytes::from_static(key.as_bytes());
            match value {
                Some(value) => save.put(key, Bytes::from_static(value.as_bytes())),
                None => save.remove(key),
            }
        }
        let (name, bytes) = write_delta(&save);
        world.put(&format!("/w/ckpt/state/0/1/{name}"), bytes).expect("nothing is armed");
    }

    #[test]
    fn versions_are_replayed() {
        let mut world = World::new("/w", 0, SimTime(0));
        keep(&mut world, 1, &[("a", Some("1")), ("b", Some("2"))]);
        keep(&mut world, 2, &[("a", None), ("c", Some("3"))]);
        keep(&mut world, 3, &[]);
        let store = load(&mut world, "/w/ckpt", &id(), 3, "r").expect("all files are there");
        let entries: Vec<_> = store.iter().map(|(k, v)| (&k[..], &v[..])).collect();
        assert_eq!(entries, [(&b"b"[..], &b"2"[..]), (&b"c"[..], &b"3"[..])]);
        assert_eq!((store.version(), store.len(), store.bytes()), (3, 2, 4));
        let (name, bytes) = write_snapshot(&store);
        world.put(&format!("/w/ckpt/state/0/1/{name}"), bytes).expect("nothing is armed");
        world.delete("/w/ckpt/state/0/1/1.delta").expect("it is there");
        assert_eq!(load(&mut world, "/w/ckpt", &id(), 3, "r").expect("the snapshot is enough"), store);
        let error = load(&mut world, "/w/ckpt", &id(), 2, "r").expect_err("1.delta is missing").to_string();
        assert!(
            error.contains(
                "Error reading delta file file:/w/ckpt/state/0/1/1.delta of HDFSStateStoreProvider"
            ),
            "{error}"
        );
    }

    #[test]
    fn upkeep_is_that_of_spark() {
        let mut world = World::new("/w", 0, SimTime(0));
        let folder = "/w/ckpt/state/0/1";
        for version in 1..=8 {
            keep(&mut world, version, &[]);
            if let Some(Upkeep::Snapshot) = snapshot_due(&mut world, folder, version, 2, 2) {
                world.put(&format!("{folder}/{version}.snapshot"), "").expect("nothing is armed");
            }
        }
        while let Some(Upkeep::Delete(path)) = snapshot_due(&mut world, folder, 8, 2, 2) {
            world.delete(&path).expect("it is there");
        }
        let names: Vec<String> =
            world.peek_list(folder).iter().map(|m| m.path[folder.len() + 1..].to_owned()).collect();
        assert_eq!(names, ["6.delta", "6.snapshot", "7.delta", "8.delta"]);
    }
}
