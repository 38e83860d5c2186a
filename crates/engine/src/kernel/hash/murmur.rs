//! Spark's hash of values, Murmur3 over 32 bits with seed 42: what `hash()` shows and where a shuffle puts a row.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, Int32Array};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, TimestampMicrosecondType,
};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::value::{Value, extent};
use crate::kernel::error::unsupported;

/// The seed of `hash()` and of shuffles.
const SEED: i32 = 42;

const C1: u32 = 0xcc9e_2d51;
const C2: u32 = 0x1b87_3593;

fn mix_k1(k1: u32) -> u32 {
    k1.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2)
}

fn mix_h1(h1: u32, k1: u32) -> u32 {
    (h1 ^ k1).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn finish(h1: u32, length: u32) -> i32 {
    let mut h = h1 ^ length;
    h ^= h >> 16;
    h = h.wrapping_mul(0x85eb_ca6b);
    h ^= h >> 13;
    h = h.wrapping_mul(0xc2b2_ae35);
    (h ^ (h >> 16)) as i32
}

/// The hash of four bytes.
pub fn hash_int(value: i32, seed: i32) -> i32 {
    finish(mix_h1(seed as u32, mix_k1(value as u32)), 4)
}

/// The hash of eight bytes.
pub fn hash_long(value: i64, seed: i32) -> i32 {
    let h1 = mix_h1(seed as u32, mix_k1(value as u32));
    finish(mix_h1(h1, mix_k1((value as u64 >> 32) as u32)), 8)
}

/// The hash of bytes: words first, then each byte left over as a word of its own, with its sign.
pub fn hash_bytes(bytes: &[u8], seed: i32) -> i32 {
    let mut h1 = seed as u32;
    let words = bytes.chunks_exact(4);
    let rest = words.remainder();
    for word in words {
        h1 = mix_h1(h1, mix_k1(u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    }
    for byte in rest {
        h1 = mix_h1(h1, mix_k1(*byte as i8 as i32 as u32));
    }
    finish(h1, bytes.len() as u32)
}

/// `hash(…)`.
pub(crate) fn hash(args: &[Value], types: &[DataType], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let columns = args.iter().map(|a| a.clone().into_array(rows)).collect::<Result<Vec<_>>>()?;
    debug_assert_eq!(columns.len(), types.len());
    let hashes = hash_columns(&columns, rows)?;
    Ok(Value::of(Arc::new(Int32Array::from(hashes)), scalar))
}

/// Spark's hash of each row over these columns.
pub fn hash_columns(columns: &[ArrayRef], rows: usize) -> Result<Vec<i32>> {
    let mut hashes = vec![SEED; rows];
    for column in columns {
        update(column, &mut hashes)?;
    }
    Ok(hashes)
}

/// The partition of each row when rows are spread by these keys over `partitions`: where Spark puts them.
pub fn partition_of(keys: &[ArrayRef], rows: usize, partitions: usize) -> Result<Vec<u32>> {
    let count = partitions as i32;
    Ok(hash_columns(keys, rows)?.into_iter().map(|h| h.rem_euclid(count) as u32).collect())
}

fn each<T: ArrowPrimitiveType>(column: &ArrayRef, hashes: &mut [i32], one: impl Fn(T::Native, i32) -> i32) {
    let array = column.as_primitive::<T>();
    match array.nulls() {
        None => {
            for (hash, value) in hashes.iter_mut().zip(array.values()) {
                *hash = one(*value, *hash);
            }
        }
        Some(nulls) => {
            for (row, (hash, value)) in hashes.iter_mut().zip(array.values()).enumerate() {
                if nulls.is_valid(row) {
                    *hash = one(*value, *hash);
                }
            }
        }
    }
}

/// Takes one more column into the hashes; a null changes nothing.
// tidy: table
fn update(column: &ArrayRef, hashes: &mut [i32]) -> Result<()> {
    match column.data_type() {
        Arrow::Null => {}
        Arrow::Boolean => {
            for (hash, value) in hashes.iter_mut().zip(column.as_boolean()) {
                if let Some(value) = value {
                    *hash = hash_int(i32::from(value), *hash);
                }
            }
        }
        Arrow::Int8 => each::<Int8Type>(column, hashes, |v, h| hash_int(i32::from(v), h)),
        Arrow::Int16 => each::<Int16Type>(column, hashes, |v, h| hash_int(i32::from(v), h)),
        Arrow::Int32 => each::<Int32Type>(column, hashes, hash_int),
        Arrow::Date32 => each::<Date32Type>(column, hashes, hash_int),
        Arrow::Interval(_) => each::<IntervalYearMonthType>(column, hashes, hash_int),
        Arrow::Int64 => each::<Int64Type>(column, hashes, hash_long),
        Arrow::Timestamp(..) => each::<TimestampMicrosecondType>(column, hashes, hash_long),
        Arrow::Duration(_) => each::<DurationMicrosecondType>(column, hashes, hash_long),
        Arrow::Float32 => each::<Float32Type>(column, hashes, |v, h| {
            let v = if v.is_nan() { f32::from_bits(0x7fc0_0000) } else { v + 0.0 };
            hash_int(v.to_bits() as i32, h)
        }),
        Arrow::Float64 => each::<Float64Type>(column, hashes, |v, h| {
            let v = if v.is_nan() { f64::from_bits(0x7ff8_0000_0000_0000) } else { v + 0.0 };
            hash_long(v.to_bits() as i64, h)
        }),
        Arrow::Decimal128(precision, _) if *precision <= 18 => {
            each::<Decimal128Type>(column, hashes, |v, h| hash_long(v as i64, h));
        }
        Arrow::Decimal128(..) => {
            each::<Decimal128Type>(column, hashes, |v, h| hash_bytes(&minimal_bytes(v), h));
        }
        Arrow::Utf8 => {
            for (hash, value) in hashes.iter_mut().zip(column.as_string::<i32>()) {
                if let Some(value) = value {
                    *hash = hash_bytes(value.as_bytes(), *hash);
                }
            }
        }
        Arrow::Binary => {
            for (hash, value) in hashes.iter_mut().zip(column.as_binary::<i32>()) {
                if let Some(value) = value {
                    *hash = hash_bytes(value, *hash);
                }
            }
        }
        Arrow::Struct(_) => {
            let values = column.as_struct();
            for (row, hash) in hashes.iter_mut().enumerate().filter(|(row, _)| values.is_valid(*row)) {
                for field in values.columns() {
                    fold(&field.slice(row, 1), hash)?;
                }
            }
        }
        Arrow::List(_) => {
            let list = column.as_list::<i32>();
            for (row, hash) in hashes.iter_mut().enumerate().filter(|(row, _)| list.is_valid(*row)) {
                fold(&list.value(row), hash)?;
            }
        }
        Arrow::Map(..) => {
            let map = column.as_map();
            for (row, hash) in hashes.iter_mut().enumerate().filter(|(row, _)| map.is_valid(*row)) {
                let entries: ArrayRef = Arc::new(map.value(row));
                fold(&entries, hash)?;
            }
        }
        other => return Err(unsupported(format!("the hash of {other}"))),
    }
    Ok(())
}

/// Takes the elements one after the other into one hash.
fn fold(elements: &ArrayRef, hash: &mut i32) -> Result<()> {
    for index in 0..elements.len() {
        update(&elements.slice(index, 1), std::slice::from_mut(hash))?;
    }
    Ok(())
}

/// The fewest bytes in two's complement, the highest first: Java's `BigInteger.toByteArray`.
fn minimal_bytes(value: i128) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    let sign = if value < 0 { 0xff } else { 0 };
    let mut start = 0;
    while start < 15 && bytes[start] == sign && (bytes[start + 1] & 0x80) == (sign & 0x80) {
        start += 1;
    }
    bytes[start..].to_vec()
}
