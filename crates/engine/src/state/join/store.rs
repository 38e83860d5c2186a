//! The stored rows of one side of a join: how many rows each key has, and each row by key and number.

use arrow::array::ArrayRef;
use bytes::Bytes;
use tidemark_types::DataType;

use crate::error::Result;
use crate::state::event_time::field;
use crate::state::row::decode;
use crate::state::row::{bitset_bytes, with_last};
use crate::state::store::Save;

/// One side in one partition.
pub(in crate::state) struct SideStore<'a> {
    counts: &'a mut Save,
    rows: &'a mut Save,
    key_types: &'a [DataType],
    /// The columns of a row, then the mark `matched`.
    value_types: &'a [DataType],
}

/// A stored row on its way.
#[derive(Clone, Debug)]
pub(in crate::state) struct StoredRow {
    /// Its key with its number.
    pub(in crate::state) key: Bytes,
    /// Its columns and its mark.
    pub(in crate::state) value: Bytes,
}

impl<'a> SideStore<'a> {
    pub(in crate::state) fn new(
        (counts, rows): (&'a mut Save, &'a mut Save),
        key_types: &'a [DataType],
        value_types: &'a [DataType],
    ) -> Self {
        SideStore { counts, rows, key_types, value_types }
    }

    /// The number of rows.
    pub(in crate::state) fn len(&self) -> usize {
        self.rows.store.len()
    }

    /// The bytes of all keys and values.
    pub(in crate::state) fn bytes(&self) -> usize {
        self.rows.store.bytes() + self.counts.store.bytes()
    }

    fn count(&self, key: &[u8]) -> i64 {
        self.counts.store.get(key).and_then(|value| field(value, 1, 0)).unwrap_or(0)
    }

    fn set_count(&mut self, key: &Bytes, count: i64) {
        if count == 0 {
            return self.counts.remove(key.clone());
        }
        let mut value = vec![0; 16];
        value[8..].copy_from_slice(&count.to_le_bytes());
        self.counts.put(key.clone(), Bytes::from(value));
    }

    /// The rows of a key, in their order.
    pub(in crate::state) fn rows_of(&self, key: &[u8]) -> Vec<StoredRow> {
        (0..self.count(key)).filter_map(|index| self.row(key, index)).collect()
    }

    fn row(&self, key: &[u8], index: i64) -> Option<StoredRow> {
        let key = with_last(key, self.key_types, index);
        let value = self.rows.store.get(&key)?.clone();
        Some(StoredRow { key, value })
    }

    /// Stores one more row.
    pub(in crate::state) fn append(&mut self, key: &Bytes, value: Bytes) {
        let count = self.count(key);
        self.rows.put(with_last(key, self.key_types, count), value);
        self.set_count(key, count + 1);
    }

    /// Marks a row as matched, if it is not yet.
    pub(in crate::state) fn mark(&mut self, row: &StoredRow) {
        if self.rows.store.get(&row.key).is_some_and(|value| !self.is_matched(value)) {
            let value = marked(&row.value, self.value_types.len());
            self.rows.put(row.key.clone(), value);
        }
    }

    /// Whether a row, as it is stored now, has been matched.
    pub(in crate::state) fn has_match(&self, row: &StoredRow) -> bool {
        self.rows.store.get(&row.key).is_some_and(|value| self.is_matched(value))
    }

    /// Whether the bytes of a row say that it has been matched.
    pub(in crate::state) fn is_matched(&self, value: &[u8]) -> bool {
        is_marked(value, self.value_types.len())
    }

    /// Removes the rows that are over and returns their values. The last row of a key takes a free place.
    pub(in crate::state) fn remove_over(&mut self, is_over: &dyn Fn(&[u8], &[u8]) -> bool) -> Vec<Bytes> {
        let keys: Vec<Bytes> = self.counts.store.iter().map(|(key, _)| key.clone()).collect();
        let mut removed = Vec::new();
        for key in keys {
            let before = self.count(&key);
            let (mut index, mut count) = (0, before);
            while index < count {
                let Some(row) = self.row(&key, index) else { break };
                if !is_over(&key, &row.value) {
                    index += 1;
                    continue;
                }
                count -= 1;
                if index < count
                    && let Some(last) = self.row(&key, count)
                {
                    self.rows.put(row.key, last.value);
                    self.rows.remove(last.key);
                } else {
                    self.rows.remove(row.key);
                }
                removed.push(row.value);
            }
            if count != before {
                self.set_count(&key, count);
            }
        }
        removed
    }

    /// The columns of stored rows, without the mark.
    pub(in crate::state) fn columns(&self, values: &[Bytes]) -> Result<Vec<ArrayRef>> {
        let rows: Vec<&[u8]> = values.iter().map(|value| &value[..]).collect();
        let mut columns = decode(self.value_types, &rows)?;
        columns.pop();
        Ok(columns)
    }
}

/// Where the mark lies in a row: in the last field.
fn mark_at(fields: usize) -> usize {
    bitset_bytes(fields) + 8 * (fields - 1)
}

/// Whether the mark of a row with so many fields is set.
pub(in crate::state) fn is_marked(value: &[u8], fields: usize) -> bool {
    value.get(mark_at(fields)).is_some_and(|byte| *byte != 0)
}

/// A row with the mark set.
pub(in crate::state) fn marked(value: &Bytes, fields: usize) -> Bytes {
    let mut bytes = value.to_vec();
    if let Some(byte) = bytes.get_mut(mark_at(fields)) {
        *byte = 1;
    }
    Bytes::from(bytes)
}
