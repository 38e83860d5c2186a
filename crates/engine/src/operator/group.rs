//! Groups: a number for each distinct key, in the order of first sight.

use std::fmt;

use arrow::array::ArrayRef;
use arrow::row::{RowConverter, Rows, SortField};
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::error::Result;
use crate::kernel::{internal, rows_of};

/// The most distinct keys that one operator holds for a batch in one partition: a tab has no more memory to give.
pub const GROUPS_MAX: usize = 1 << 22;

/// The name of the error.
const TOO_MANY_GROUPS: &str = "TIDEMARK_GROUPS_MAX";

/// Distinct keys with their numbers: Arrow rows in an open table, no allocation for a row that is known.
pub struct GroupTable {
    converter: RowConverter,
    rows: Rows,
    hashes: Vec<u64>,
    /// The number of a group plus 1, 0 where nothing is.
    slots: Vec<u32>,
    columns: usize,
    most: usize,
}

impl fmt::Debug for GroupTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GroupTable").field("groups", &self.hashes.len()).finish_non_exhaustive()
    }
}

impl GroupTable {
    /// No groups yet, of keys with these types.
    ///
    /// Errors: a key that cannot be compared, such as a map.
    pub fn new(types: &[DataType]) -> Result<Self> {
        let fields = types.iter().map(|t| SortField::new(t.to_arrow())).collect();
        let converter = RowConverter::new(fields).map_err(internal)?;
        let rows = converter.empty_rows(0, 0);
        Ok(GroupTable {
            converter,
            rows,
            hashes: Vec::new(),
            slots: vec![0; 64],
            columns: types.len(),
            most: GROUPS_MAX,
        })
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The group of each row, new ones numbered as they come.
    pub fn intern(&mut self, keys: &[ArrayRef], rows: usize) -> Result<Vec<u32>> {
        if self.columns == 0 {
            if rows > 0 && self.hashes.is_empty() {
                self.hashes.push(0);
            }
            return Ok(vec![0; rows]);
        }
        let input = rows_of(&self.converter, keys)?;
        let mut groups = Vec::with_capacity(rows);
        for row in &input {
            let hash = hash_of(row.data());
            let group = match self.find(hash, row.data()) {
                Ok(group) => group,
                Err(slot) => {
                    if self.hashes.len() >= self.most {
                        return Err(too_many(self.most).into());
                    }
                    let group = self.hashes.len() as u32;
                    self.rows.push(row);
                    self.hashes.push(hash);
                    self.slots[slot] = group + 1;
                    self.grow();
                    group
                }
            };
            groups.push(group);
        }
        Ok(groups)
    }

    /// The group of each row, `None` for keys that are not there.
    pub fn lookup(&self, keys: &[ArrayRef], rows: usize) -> Result<Vec<Option<u32>>> {
        if self.columns == 0 {
            return Ok(vec![(!self.hashes.is_empty()).then_some(0); rows]);
        }
        let input = rows_of(&self.converter, keys)?;
        Ok(input.iter().map(|row| self.find(hash_of(row.data()), row.data()).ok()).collect())
    }

    /// The keys of all groups in the order of their numbers, as columns.
    pub fn keys(&self) -> Result<Vec<ArrayRef>> {
        if self.columns == 0 {
            return Ok(Vec::new());
        }
        self.converter.convert_rows(&self.rows).map_err(internal)
    }

    /// The group with this key, or the free slot for it.
    fn find(&self, hash: u64, key: &[u8]) -> std::result::Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                number => {
                    let group = number - 1;
                    if self.hashes[group as usize] == hash && self.rows.row(group as usize).data() == key {
                        return Ok(group);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        if self.hashes.len() * 2 < self.slots.len() {
            return;
        }
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (group, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = group as u32 + 1;
        }
    }
}

/// The error of a batch with more groups than `most`.
fn too_many(most: usize) -> SparkError {
    let text = format!(
        "Tidemark keeps the groups of a batch in the memory of the tab, at most {most} in a partition; this batch has more. \
         Read fewer files in a batch (maxFilesPerTrigger), take more shuffle partitions, or group by fewer keys."
    );
    SparkError::new(ErrorClass::Spark, TOO_MANY_GROUPS, "54000", text)
        .with_parameter("most", most.to_string())
}

/// A quick hash of bytes, the same everywhere; only the table sees it.
pub(crate) fn hash_of(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    let mut mix = |word: u64| hash = (hash.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    for word in words {
        mix(u64::from_le_bytes(word.try_into().expect("a chunk of eight has eight bytes")));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::Int64Array;

    use super::*;

    #[test]
    fn more_groups_than_there_is_room_for_are_an_error_by_name() {
        let mut table = GroupTable::new(&[DataType::Long]).expect("a key that can be compared");
        table.most = 3;
        let mut intern = |keys: Vec<i64>| {
            let rows = keys.len();
            table.intern(&[Arc::new(Int64Array::from(keys))], rows)
        };
        assert_eq!(intern(vec![5, 6, 5, 7]).expect("three groups"), [0, 1, 0, 2]);
        assert_eq!(intern(vec![7, 6]).expect("no new group"), [2, 1]);
        let error = intern(vec![8]).expect_err("one group too many").to_string();
        assert!(error.starts_with("[TIDEMARK_GROUPS_MAX]") && error.contains("at most 3"), "{error}");
    }
}
