//! Event times: what a watermark node sees of a batch, and which rows and keys are behind the watermark.

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use arrow::datatypes::{DataType as Arrow, TimestampMicrosecondType};
use tidemark_plan::Attribute;
use tidemark_types::{DataType, SimTime};

use crate::state::row::bitset_bytes;

/// What one watermark node has seen of a batch, in milliseconds. A null counts as 1970-01-01.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EventTimeStats {
    /// The number of rows.
    pub count: u64,
    /// The latest time.
    pub max_ms: i64,
    /// The earliest time.
    pub min_ms: i64,
    /// The mean.
    pub avg_ms: f64,
}

impl EventTimeStats {
    /// Takes the rows of a column in.
    pub fn add(&mut self, times: &ArrayRef) {
        let Some(times) = times.as_primitive_opt::<TimestampMicrosecondType>() else { return };
        for row in 0..times.len() {
            let ms = if times.is_valid(row) { times.value(row).div_euclid(1000) } else { 0 };
            self.max_ms = if self.count == 0 { ms } else { self.max_ms.max(ms) };
            self.min_ms = if self.count == 0 { ms } else { self.min_ms.min(ms) };
            self.count += 1;
            self.avg_ms += (ms as f64 - self.avg_ms) / self.count as f64;
        }
    }

    /// The texts of progress, by name.
    pub fn texts(&self) -> [(&'static str, String); 3] {
        [
            ("max", SimTime(self.max_ms).iso()),
            ("min", SimTime(self.min_ms).iso()),
            ("avg", SimTime(self.avg_ms as i64).iso()),
        ]
    }
}

/// The column that holds the event time: the first with a watermark.
pub(super) fn event_time_column(columns: &[Attribute]) -> Option<usize> {
    columns.iter().position(|column| column.watermark_delay.is_some())
}

/// The rows whose time is not at or before the watermark; a window is as late as its end. Null is never late.
pub(super) fn in_time(times: &ArrayRef, watermark_micros: i64) -> BooleanArray {
    let ends =
        if matches!(times.data_type(), Arrow::Struct(_)) { times.as_struct().column(1) } else { times };
    let Some(ends) = ends.as_primitive_opt::<TimestampMicrosecondType>() else {
        return BooleanArray::from(vec![true; times.len()]);
    };
    (0..ends.len())
        .map(|row| Some(times.is_null(row) || ends.is_null(row) || ends.value(row) > watermark_micros))
        .collect()
}

/// Where the event time lies in the bytes of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyTime {
    index: usize,
    fields: usize,
    window: bool,
}

impl KeyTime {
    /// The place in keys of these columns, if one of them is the event time.
    pub(super) fn of(columns: &[Attribute]) -> Option<KeyTime> {
        let index = event_time_column(columns)?;
        let window = matches!(columns[index].data_type, DataType::Struct(_));
        Some(KeyTime { index, fields: columns.len(), window })
    }

    /// The place in keys of these types, if the time is the key of this number.
    pub(super) fn at(index: usize, types: &[DataType]) -> KeyTime {
        KeyTime { index, fields: types.len(), window: matches!(types[index], DataType::Struct(_)) }
    }

    /// The position among the key columns.
    pub(super) fn index(self) -> usize {
        self.index
    }

    /// The time of a key in microseconds: a window's end, or the time itself.
    pub(super) fn read(self, key: &[u8]) -> Option<i64> {
        let word = field(key, self.fields, self.index)?;
        if !self.window {
            return Some(word);
        }
        let (offset, size) = ((word as u64 >> 32) as usize, (word as u64 & 0xffff_ffff) as usize);
        field(key.get(offset..offset.checked_add(size)?)?, 2, 1)
    }
}

/// The eight bytes of a field, `None` for null.
pub(super) fn field(row: &[u8], fields: usize, index: usize) -> Option<i64> {
    if row.get(index / 8)? & (1 << (index % 8)) != 0 {
        return None;
    }
    let at = bitset_bytes(fields) + 8 * index;
    Some(i64::from_le_bytes(row.get(at..at + 8)?.try_into().ok()?))
}
