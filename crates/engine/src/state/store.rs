//! A state store: the keys and values of one operator in one partition, at one version.

use std::collections::BTreeMap;

use bytes::Bytes;
use imbl::{OrdMap, Vector};
use tidemark_types::{ErrorClass, SimTime, SparkError};

/// Which store: Spark's `StateStoreId`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreId {
    /// The operator, numbered from the sink side.
    pub operator: usize,
    /// The partition.
    pub partition: usize,
    /// The name, `default` for an operator with one store.
    pub name: &'static str,
}

/// The most bytes of keys and values that the state of one query may have: a tab has no more memory to give, and the state
/// of a batch takes about twice as much there, as does that of each batch before that can be gone back to. Three million
/// groups of a window and a short name fit.
pub const STATE_BYTES_MAX: usize = 1 << 28;

/// The name of the error.
const STATE_TOO_LARGE: &str = "TIDEMARK_STATE_BYTES_MAX";

/// The error of a query whose state has grown beyond `most` bytes.
pub(crate) fn too_large(bytes: usize, most: usize) -> SparkError {
    let text = format!(
        "Tidemark keeps the state of a query in the memory of the tab, at most {most} bytes of keys and values; this \
         batch would make it {bytes}. Add a watermark so that old keys go, or group by fewer keys."
    );
    SparkError::new(ErrorClass::Spark, STATE_TOO_LARGE, "54000", text)
        .with_parameter("bytes", bytes.to_string())
        .with_parameter("most", most.to_string())
}

/// The name of the only store of an operator.
pub(crate) const DEFAULT: &str = "default";

impl StoreId {
    /// The folder of the files, below the checkpoint.
    pub fn folder(&self, checkpoint: &str) -> String {
        format!("{checkpoint}/{}", self.folder_below())
    }

    /// The folder of the files, relative to the checkpoint.
    pub(crate) fn folder_below(&self) -> String {
        let base = format!("state/{}/{}", self.operator, self.partition);
        if self.name == DEFAULT { base } else { format!("{base}/{}", self.name) }
    }
}

/// The entries at one version, in the order of the bytes of their keys. A clone is cheap.
#[derive(Clone, Debug, Default)]
pub struct StateStore {
    version: i64,
    entries: OrdMap<Bytes, Bytes>,
    bytes: usize,
    /// The files that hold it, as loading reads them; of no account for what it is.
    pub(crate) files: Vector<Bytes>,
}

impl PartialEq for StateStore {
    fn eq(&self, other: &Self) -> bool {
        self.version == other.version && self.entries == other.entries
    }
}

impl Eq for StateStore {}

impl StateStore {
    /// The version: the number of the batch that comes next.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The bytes of all keys and values.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The value of a key.
    pub fn get(&self, key: &[u8]) -> Option<&Bytes> {
        self.entries.get(key)
    }

    /// All entries.
    pub fn iter(&self) -> impl Iterator<Item = (&Bytes, &Bytes)> {
        self.entries.iter()
    }

    /// Sets or removes a key.
    pub(crate) fn apply(&mut self, key: Bytes, value: Option<Bytes>) {
        let key_bytes = key.len();
        let old = match value {
            Some(value) => {
                self.bytes += key_bytes + value.len();
                self.entries.insert(key, value)
            }
            None => self.entries.remove(&key),
        };
        if let Some(old) = old {
            self.bytes -= key_bytes + old.len();
        }
    }

    /// The entries are now those of this version.
    pub(crate) fn at_version(mut self, version: i64) -> StateStore {
        self.version = version;
        self
    }
}

/// A store with what a batch has changed in it, in the order of the changes.
#[derive(Clone, Debug)]
pub(crate) struct Save {
    /// Which store.
    pub(crate) id: StoreId,
    /// The entries after the batch.
    pub(crate) store: StateStore,
    /// The changes; `None` removes a key.
    pub(crate) changes: Vec<(Bytes, Option<Bytes>)>,
}

impl Save {
    /// A store as the batch found it.
    pub(crate) fn new(id: StoreId, store: StateStore) -> Save {
        Save { id, store, changes: Vec::new() }
    }

    /// Sets a key.
    pub(crate) fn put(&mut self, key: Bytes, value: Bytes) {
        self.changes.push((key.clone(), Some(value.clone())));
        self.store.apply(key, Some(value));
    }

    /// Removes a key.
    pub(crate) fn remove(&mut self, key: Bytes) {
        self.changes.push((key.clone(), None));
        self.store.apply(key, None);
    }
}

/// The stores of a run, as they were after its last batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct StateStores {
    /// The newest version of each store that this run has had in its hands.
    pub(crate) kept: BTreeMap<StoreId, StateStore>,
    /// When maintenance ran last; the time of the first batch before that.
    pub(crate) maintained: Option<SimTime>,
    /// The versions of the snapshots that this run has written last.
    pub(crate) snapshots: BTreeMap<StoreId, i64>,
    /// How often a store was found in memory.
    pub(crate) hits: u64,
    /// How often it was not.
    pub(crate) misses: u64,
}
