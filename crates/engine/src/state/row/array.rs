//! Arrays and maps inside rows: `UnsafeArrayData`, `UnsafeMapData`.
//!
//! An array is its length, a bitset of nulls and one slot for each element, as wide as the element's type, padded to
//! whole words; what does not fit follows. A map is the size of its key array, the keys and the values.

use arrow::array::ArrayRef;
use tidemark_types::DataType;

use crate::error::Result;
use crate::state::row::write::{bitset_bytes, fixed, is_null, put_reference, write_variable};

/// The bytes of one slot.
pub(in crate::state) fn element_bytes(data_type: &DataType) -> usize {
    match data_type {
        DataType::Boolean | DataType::Byte => 1,
        DataType::Short => 2,
        DataType::Integer | DataType::Date | DataType::Float | DataType::YearMonthInterval => 4,
        _ => 8,
    }
}

/// Appends an array of these elements.
pub(in crate::state) fn write_array(out: &mut Vec<u8>, element: &DataType, values: &ArrayRef) -> Result<()> {
    let (base, length, width) = (out.len(), values.len(), element_bytes(element));
    let head = 8 + bitset_bytes(length);
    out.extend_from_slice(&(length as u64).to_le_bytes());
    out.resize(base + head + (length * width).next_multiple_of(8), 0);
    for index in 0..length {
        let slot = base + head + index * width;
        if is_null(values, index) {
            out[base + 8 + index / 8] |= 1 << (index % 8);
        } else if let Some(word) = fixed(element, values, index) {
            out[slot..slot + width].copy_from_slice(&word.to_le_bytes()[..width]);
        } else {
            let start = out.len();
            let size = write_variable(out, element, values, index)?;
            put_reference(out, slot, start - base, size);
        }
    }
    Ok(())
}

/// Appends a map of these keys and values.
pub(in crate::state) fn write_map(
    out: &mut Vec<u8>,
    (key, value): (&DataType, &DataType),
    entries: &[ArrayRef],
) -> Result<()> {
    let size_at = out.len();
    out.resize(size_at + 8, 0);
    write_array(out, key, &entries[0])?;
    let size = (out.len() - size_at - 8) as u64;
    out[size_at..size_at + 8].copy_from_slice(&size.to_le_bytes());
    write_array(out, value, &entries[1])
}
