//! A hash table that keeps the order of insertion: the body of `dict`, `set` and all namespaces.
//!
//! Equality of keys may need Python code, so the table only offers candidates by hash; short cuts exist for keys whose
//! equality is plain.

use std::rc::Rc;

use crate::value::{Value, plain_eq, same};

const LINEAR_MAX: usize = 8;
const EMPTY: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Entry {
    hash: u64,
    key: Value,
    value: Value,
}

/// An insertion-ordered table from values to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dict {
    entries: Vec<Option<Entry>>,
    table: Vec<u32>,
    live: usize,
}

/// What a look-up by plain equality says.
pub(crate) enum Found {
    At(usize),
    Absent,
    /// Some key with this hash needs Python code to compare.
    Unclear,
}

/// The hash of a text, the same on every machine.
pub(crate) fn hash_str(text: &str) -> u64 {
    hash_bytes(text.as_bytes())
}

/// The hash of bytes, the same on every machine.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or([0; 8]));
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    for byte in chunks.remainder() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) & 0x1fff_ffff_ffff_ffff
}

impl Dict {
    pub(crate) fn len(&self) -> usize {
        self.live
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// Number of slots, dead ones included; positions of iterators count these.
    pub(crate) fn slots(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn slot(&self, at: usize) -> Option<(&Value, &Value)> {
        self.entries.get(at).and_then(|e| e.as_ref()).map(|e| (&e.key, &e.value))
    }

    pub(crate) fn slot_hash(&self, at: usize) -> u64 {
        self.entries.get(at).and_then(|e| e.as_ref()).map_or(0, |e| e.hash)
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> {
        self.entries.iter().flatten().map(|e| (&e.key, &e.value))
    }

    pub(crate) fn iter_hashed(&self) -> impl Iterator<Item = (u64, &Value, &Value)> {
        self.entries.iter().flatten().map(|e| (e.hash, &e.key, &e.value))
    }

    pub(crate) fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> {
        self.iter().map(|(k, _)| k)
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    fn slot_of_hash(&self, hash: u64, mut accept: impl FnMut(&Entry) -> bool) -> Option<usize> {
        if self.table.is_empty() {
            return self.entries.iter().position(|e| e.as_ref().is_some_and(|e| e.hash == hash && accept(e)));
        }
        let mask = self.table.len() - 1;
        let mut at = (hash as usize) & mask;
        loop {
            let index = self.table[at];
            if index == EMPTY {
                return None;
            }
            if let Some(entry) = &self.entries[index as usize]
                && entry.hash == hash
                && accept(entry)
            {
                return Some(index as usize);
            }
            at = (at + 1) & mask;
        }
    }

    /// Finds a key by plain equality.
    pub(crate) fn find(&self, hash: u64, key: &Value) -> Found {
        let mut unclear = false;
        let found = self.slot_of_hash(hash, |e| match plain_eq(&e.key, key) {
            Some(equal) => equal || same(&e.key, key),
            None => {
                unclear = true;
                false
            }
        });
        match found {
            Some(at) if !unclear => Found::At(at),
            None if !unclear => Found::Absent,
            _ => Found::Unclear,
        }
    }

    /// All keys of this hash with their slots, in order of probing.
    pub(crate) fn candidates(&self, hash: u64) -> Vec<(usize, Value)> {
        let mut all = Vec::new();
        if self.table.is_empty() {
            for (at, entry) in self.entries.iter().enumerate() {
                if let Some(e) = entry
                    && e.hash == hash
                {
                    all.push((at, e.key.clone()));
                }
            }
            return all;
        }
        let mask = self.table.len() - 1;
        let mut at = (hash as usize) & mask;
        while self.table[at] != EMPTY {
            let index = self.table[at] as usize;
            if let Some(e) = &self.entries[index]
                && e.hash == hash
            {
                all.push((index, e.key.clone()));
            }
            at = (at + 1) & mask;
        }
        all
    }

    pub(crate) fn set_slot(&mut self, at: usize, value: Value) {
        if let Some(Some(entry)) = self.entries.get_mut(at) {
            entry.value = value;
        }
    }

    /// Appends a key that is known to be absent.
    pub(crate) fn push(&mut self, hash: u64, key: Value, value: Value) {
        self.entries.push(Some(Entry { hash, key, value }));
        self.live += 1;
        if self.table.is_empty() {
            if self.entries.len() > LINEAR_MAX {
                self.rebuild();
            }
            return;
        }
        if self.entries.len() * 3 > self.table.len() * 2 {
            self.rebuild();
            return;
        }
        let index = self.entries.len() as u32 - 1;
        self.link(hash, index);
    }

    fn link(&mut self, hash: u64, index: u32) {
        let mask = self.table.len() - 1;
        let mut at = (hash as usize) & mask;
        while self.table[at] != EMPTY {
            at = (at + 1) & mask;
        }
        self.table[at] = index;
    }

    fn rebuild(&mut self) {
        self.entries.retain(Option::is_some);
        if self.entries.len() <= LINEAR_MAX {
            self.table.clear();
            return;
        }
        let size = (self.entries.len() * 3).next_power_of_two().max(32);
        self.table.clear();
        self.table.resize(size, EMPTY);
        for index in 0..self.entries.len() {
            let hash = self.slot_hash(index);
            self.link(hash, index as u32);
        }
    }

    pub(crate) fn remove_slot(&mut self, at: usize) -> Option<(Value, Value)> {
        let entry = self.entries.get_mut(at)?.take()?;
        self.live -= 1;
        if self.live == 0 {
            self.clear();
        } else if at + 1 == self.entries.len() && self.table.is_empty() {
            self.entries.pop();
        }
        Some((entry.key, entry.value))
    }

    /// The last live slot.
    pub(crate) fn last_slot(&self) -> Option<usize> {
        self.entries.iter().rposition(Option::is_some)
    }

    /// The first live slot.
    pub(crate) fn first_slot(&self) -> Option<usize> {
        self.entries.iter().position(Option::is_some)
    }

    fn find_str(&self, hash: u64, key: &str) -> Option<usize> {
        self.slot_of_hash(hash, |e| matches!(&e.key, Value::Str(s) if **s == *key))
    }

    pub(crate) fn get_str(&self, key: &str) -> Option<&Value> {
        let at = self.find_str(hash_str(key), key)?;
        self.slot(at).map(|(_, v)| v)
    }

    /// As `get_str` with the hash of the text.
    pub(crate) fn get_hashed(&self, hash: u64, key: &str) -> Option<&Value> {
        let at = self.find_str(hash, key)?;
        self.slot(at).map(|(_, v)| v)
    }

    pub(crate) fn set_str(&mut self, key: &str, value: Value) {
        let hash = hash_str(key);
        match self.find_str(hash, key) {
            Some(at) => self.set_slot(at, value),
            None => self.push(hash, Value::str(key), value),
        }
    }

    pub(crate) fn set_name(&mut self, key: &Rc<str>, value: Value) {
        let hash = hash_str(key);
        match self.find_str(hash, key) {
            Some(at) => self.set_slot(at, value),
            None => self.push(hash, Value::Str(key.clone()), value),
        }
    }

    pub(crate) fn remove_str(&mut self, key: &str) -> Option<Value> {
        let at = self.find_str(hash_str(key), key)?;
        self.remove_slot(at).map(|(_, v)| v)
    }
}
