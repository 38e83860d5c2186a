//! Spark's 64-bit hash, xxHash64 with seed 42, as `approx_count_distinct` takes it.

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray};
use arrow::datatypes::{
    DataType as Arrow, Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, TimestampMicrosecondType,
};

use crate::error::Result;
use crate::kernel::error::unsupported;

const P1: u64 = 0x9E37_79B1_85EB_CA87;
const P2: u64 = 0xC2B2_AE3D_27D4_EB4F;
const P3: u64 = 0x1656_67B1_9E37_79F9;
const P4: u64 = 0x85EB_CA77_C2B2_AE63;
const P5: u64 = 0x27D4_EB2F_1656_67C5;
const SEED: u64 = 42;

fn avalanche(mut hash: u64) -> i64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(P2);
    hash ^= hash >> 29;
    hash = hash.wrapping_mul(P3);
    (hash ^ (hash >> 32)) as i64
}

/// The hash of four bytes.
pub(crate) fn hash64_int(value: i32, seed: u64) -> i64 {
    let mut hash = seed.wrapping_add(P5).wrapping_add(4);
    hash ^= u64::from(value as u32).wrapping_mul(P1);
    avalanche(hash.rotate_left(23).wrapping_mul(P2).wrapping_add(P3))
}

/// The hash of eight bytes.
pub(crate) fn hash64_long(value: i64, seed: u64) -> i64 {
    let mut hash = seed.wrapping_add(P5).wrapping_add(8);
    hash ^= (value as u64).wrapping_mul(P2).rotate_left(31).wrapping_mul(P1);
    avalanche(hash.rotate_left(27).wrapping_mul(P1).wrapping_add(P4))
}

fn round(lane: u64, word: u64) -> u64 {
    lane.wrapping_add(word.wrapping_mul(P2)).rotate_left(31).wrapping_mul(P1)
}

/// The hash of bytes.
pub(crate) fn hash64_bytes(bytes: &[u8], seed: u64) -> i64 {
    let word = |chunk: &[u8]| u64::from_le_bytes(chunk.try_into().expect("a chunk of eight has eight bytes"));
    let mut rest = bytes;
    let mut hash = if bytes.len() >= 32 {
        let mut lanes =
            [seed.wrapping_add(P1).wrapping_add(P2), seed.wrapping_add(P2), seed, seed.wrapping_sub(P1)];
        while rest.len() >= 32 {
            for (index, lane) in lanes.iter_mut().enumerate() {
                *lane = round(*lane, word(&rest[index * 8..index * 8 + 8]));
            }
            rest = &rest[32..];
        }
        let start = lanes[0]
            .rotate_left(1)
            .wrapping_add(lanes[1].rotate_left(7))
            .wrapping_add(lanes[2].rotate_left(12))
            .wrapping_add(lanes[3].rotate_left(18));
        lanes.iter().fold(start, |hash, lane| (hash ^ round(0, *lane)).wrapping_mul(P1).wrapping_add(P4))
    } else {
        seed.wrapping_add(P5)
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    while rest.len() >= 8 {
        hash ^= round(0, word(&rest[..8]));
        hash = hash.rotate_left(27).wrapping_mul(P1).wrapping_add(P4);
        rest = &rest[8..];
    }
    if rest.len() >= 4 {
        let half = u32::from_le_bytes(rest[..4].try_into().expect("four bytes are there"));
        hash ^= u64::from(half).wrapping_mul(P1);
        hash = hash.rotate_left(23).wrapping_mul(P2).wrapping_add(P3);
        rest = &rest[4..];
    }
    for byte in rest {
        hash ^= u64::from(*byte).wrapping_mul(P5);
        hash = hash.rotate_left(11).wrapping_mul(P1);
    }
    avalanche(hash)
}

fn each<T: ArrowPrimitiveType>(column: &ArrayRef, hash: impl Fn(T::Native) -> i64) -> Vec<i64> {
    column.as_primitive::<T>().values().iter().map(|v| hash(*v)).collect()
}

/// The hash of each row of one column; what stands for a null is not defined.
// tidy: table
pub(crate) fn hash64_columns(columns: &[ArrayRef], rows: usize) -> Result<Vec<i64>> {
    let column = &columns[0];
    Ok(match column.data_type() {
        Arrow::Null => vec![SEED as i64; rows],
        Arrow::Boolean => {
            column.as_boolean().iter().map(|v| hash64_int(i32::from(v == Some(true)), SEED)).collect()
        }
        Arrow::Int8 => each::<Int8Type>(column, |v| hash64_int(i32::from(v), SEED)),
        Arrow::Int16 => each::<Int16Type>(column, |v| hash64_int(i32::from(v), SEED)),
        Arrow::Int32 => each::<Int32Type>(column, |v| hash64_int(v, SEED)),
        Arrow::Date32 => each::<Date32Type>(column, |v| hash64_int(v, SEED)),
        Arrow::Interval(_) => each::<IntervalYearMonthType>(column, |v| hash64_int(v, SEED)),
        Arrow::Int64 => each::<Int64Type>(column, |v| hash64_long(v, SEED)),
        Arrow::Timestamp(..) => each::<TimestampMicrosecondType>(column, |v| hash64_long(v, SEED)),
        Arrow::Duration(_) => each::<DurationMicrosecondType>(column, |v| hash64_long(v, SEED)),
        Arrow::Float32 => each::<Float32Type>(column, |v| hash64_int((v + 0.0).to_bits() as i32, SEED)),
        Arrow::Float64 => each::<Float64Type>(column, |v| hash64_long((v + 0.0).to_bits() as i64, SEED)),
        Arrow::Decimal128(..) => each::<Decimal128Type>(column, |v| hash64_long(v as i64, SEED)),
        Arrow::Utf8 => {
            column.as_string::<i32>().iter().map(|v| hash64_bytes(v.unwrap_or("").as_bytes(), SEED)).collect()
        }
        Arrow::Binary => {
            column.as_binary::<i32>().iter().map(|v| hash64_bytes(v.unwrap_or_default(), SEED)).collect()
        }
        other => return Err(unsupported(format!("a 64-bit hash of {other}"))),
    })
}
