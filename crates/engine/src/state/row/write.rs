//! Rows as Spark keeps them in bytes: `UnsafeRow`.
//!
//! A row is a bitset of nulls (whole words), eight bytes for each field, then what does not fit there. A field of
//! variable length holds its offset from the start of the row in the high half and its size in the low one.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, TimestampMicrosecondType,
};
use bytes::Bytes;
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::unsupported;
use crate::state::row::array::{write_array, write_map};
use crate::state::row::pack::Packer;

/// The greatest precision of a decimal that fits into eight bytes.
pub(in crate::state) const LONG_DIGITS_MAX: u8 = 18;

/// Each row of these columns as bytes.
///
/// Errors: a type that no state holds.
pub(in crate::state) fn encode(types: &[DataType], columns: &[ArrayRef], rows: usize) -> Result<Vec<Bytes>> {
    let mut packer = Packer::new(rows);
    for row in 0..rows {
        write_row(packer.open(), types, columns, row)?;
        packer.close();
    }
    Ok(packer.finish())
}

/// The bytes of the bitset for so many fields.
pub(in crate::state) fn bitset_bytes(fields: usize) -> usize {
    fields.div_ceil(64) * 8
}

/// Appends one row.
pub(in crate::state) fn write_row(
    out: &mut Vec<u8>,
    types: &[DataType],
    columns: &[ArrayRef],
    row: usize,
) -> Result<()> {
    let base = out.len();
    let bitset = bitset_bytes(types.len());
    out.resize(base + bitset + 8 * types.len(), 0);
    for (index, (data_type, column)) in types.iter().zip(columns).enumerate() {
        let slot = base + bitset + 8 * index;
        if is_null(column, row) {
            out[base + index / 8] |= 1 << (index % 8);
            if is_wide(data_type) {
                let end = out.len();
                put_reference(out, slot, end - base, 0);
                out.resize(end + 16, 0);
            }
        } else if let Some(word) = fixed(data_type, column, row) {
            out[slot..slot + 8].copy_from_slice(&word.to_le_bytes());
        } else {
            let start = out.len();
            let size = write_variable(out, data_type, column, row)?;
            put_reference(out, slot, start - base, size);
        }
    }
    Ok(())
}

pub(in crate::state) fn is_null(column: &ArrayRef, row: usize) -> bool {
    column.is_null(row) || matches!(column.data_type(), Arrow::Null)
}

/// Whether a value fits into its eight bytes.
pub(in crate::state) fn fixed_width(data_type: &DataType) -> bool {
    match data_type {
        DataType::Decimal(..) => !is_wide(data_type),
        DataType::String
        | DataType::Binary
        | DataType::Array(..)
        | DataType::Map(..)
        | DataType::Struct(_) => false,
        _ => true,
    }
}

/// Whether a value takes sixteen bytes beside the row.
pub(in crate::state) fn is_wide(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Decimal(precision, _) if *precision > LONG_DIGITS_MAX)
}

/// Writes where a value lies.
pub(in crate::state) fn put_reference(out: &mut [u8], slot: usize, offset: usize, size: usize) {
    let word = ((offset as u64) << 32) | size as u64;
    out[slot..slot + 8].copy_from_slice(&word.to_le_bytes());
}

/// A value that fits into its eight bytes; the bytes of a smaller one come first, zeros follow.
// tidy: table
pub(in crate::state) fn fixed(data_type: &DataType, column: &ArrayRef, row: usize) -> Option<u64> {
    Some(match data_type {
        DataType::Null => 0,
        DataType::Boolean => u64::from(column.as_boolean().value(row)),
        DataType::Byte => u64::from(column.as_primitive::<Int8Type>().value(row) as u8),
        DataType::Short => u64::from(column.as_primitive::<Int16Type>().value(row) as u16),
        DataType::Integer => u64::from(column.as_primitive::<Int32Type>().value(row) as u32),
        DataType::Date => u64::from(column.as_primitive::<Date32Type>().value(row) as u32),
        DataType::YearMonthInterval => {
            u64::from(column.as_primitive::<IntervalYearMonthType>().value(row) as u32)
        }
        DataType::Long => column.as_primitive::<Int64Type>().value(row) as u64,
        DataType::DayTimeInterval => column.as_primitive::<DurationMicrosecondType>().value(row) as u64,
        DataType::Timestamp | DataType::TimestampNtz => {
            column.as_primitive::<TimestampMicrosecondType>().value(row) as u64
        }
        DataType::Float => u64::from(column.as_primitive::<Float32Type>().value(row).to_bits()),
        DataType::Double => column.as_primitive::<Float64Type>().value(row).to_bits(),
        DataType::Decimal(precision, _) if *precision <= LONG_DIGITS_MAX => {
            column.as_primitive::<Decimal128Type>().value(row) as u64
        }
        DataType::Decimal(..)
        | DataType::String
        | DataType::Binary
        | DataType::Array(..)
        | DataType::Map(..)
        | DataType::Struct(_) => return None,
    })
}

/// Appends a value of variable length, padded to whole words, and says its size without the padding.
pub(in crate::state) fn write_variable(
    out: &mut Vec<u8>,
    data_type: &DataType,
    column: &ArrayRef,
    row: usize,
) -> Result<usize> {
    let start = out.len();
    let mut least = 0;
    match data_type {
        DataType::String => out.extend_from_slice(column.as_string::<i32>().value(row).as_bytes()),
        DataType::Binary => out.extend_from_slice(column.as_binary::<i32>().value(row)),
        DataType::Decimal(..) => {
            out.extend_from_slice(&two_complement(column.as_primitive::<Decimal128Type>().value(row)));
            least = 16;
        }
        DataType::Struct(schema) => {
            let types: Vec<DataType> = schema.fields.iter().map(|f| f.data_type.clone()).collect();
            write_row(out, &types, column.as_struct().columns(), row)?;
        }
        DataType::Array(element, _) => write_array(out, element, &column.as_list::<i32>().value(row))?,
        DataType::Map(key, value, _) => {
            write_map(out, (key, value), column.as_map().value(row).columns())?;
        }
        other => return Err(unsupported(format!("state of type {}", other.sql()))),
    }
    let size = out.len() - start;
    out.resize(start + size.max(least).next_multiple_of(8), 0);
    Ok(size)
}

/// The fewest bytes that hold a number, as Java's `BigInteger.toByteArray` gives them.
fn two_complement(value: i128) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let filler = if value < 0 { 0xff } else { 0 };
    let mut start = 0;
    while start < 15 && bytes[start] == filler && (bytes[start + 1] ^ filler) & 0x80 == 0 {
        start += 1;
    }
    bytes[start..].to_vec()
}
