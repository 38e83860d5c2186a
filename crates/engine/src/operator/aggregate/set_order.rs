//! The order in which `collect_set` gives its values: that of the hash set in which Spark keeps them.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, TimestampMicrosecondType,
};

use crate::kernel::hash_bytes;

/// The seed with which a text hashes itself.
const SEED: i32 = 42;

/// The least number of places of a set.
const PLACES_MIN: usize = 16;

/// Where a value stands among `count` values: the place of its hash, then the hash itself.
pub(crate) fn place(hash: i32, count: usize) -> (u32, i32) {
    let mut places = PLACES_MIN;
    while count * 4 >= places * 3 {
        places *= 2;
    }
    let spread = hash ^ ((hash as u32 >> 16) as i32);
    (spread as u32 & (places as u32 - 1), spread)
}

/// The hash of a value as the set takes it; 0 for types whose values stay in the order in which they come.
pub(crate) fn hash_of(values: &ArrayRef, row: usize) -> i32 {
    match values.data_type() {
        DataType::Boolean if values.as_boolean().value(row) => 1231,
        DataType::Boolean => 1237,
        DataType::Int8 => i32::from(values.as_primitive::<Int8Type>().value(row)),
        DataType::Int16 => i32::from(values.as_primitive::<Int16Type>().value(row)),
        DataType::Int32 => values.as_primitive::<Int32Type>().value(row),
        DataType::Date32 => values.as_primitive::<Date32Type>().value(row),
        DataType::Int64 => of_long(values.as_primitive::<Int64Type>().value(row)),
        DataType::Timestamp(..) => of_long(values.as_primitive::<TimestampMicrosecondType>().value(row)),
        DataType::Float32 => values.as_primitive::<Float32Type>().value(row).to_bits() as i32,
        DataType::Float64 => folded(values.as_primitive::<Float64Type>().value(row).to_bits() as i64),
        DataType::Decimal128(_, scale) => {
            of_decimal(values.as_primitive::<Decimal128Type>().value(row), u32::from(scale.unsigned_abs()))
        }
        DataType::Utf8 => hash_bytes(values.as_string::<i32>().value(row).as_bytes(), SEED),
        _ => 0,
    }
}

/// A long that is an int hashes as the int.
fn of_long(value: i64) -> i32 {
    i32::try_from(value).unwrap_or_else(|_| folded(value))
}

/// A decimal that is a whole number hashes as that, another as a double.
fn of_decimal(unscaled: i128, scale: u32) -> i32 {
    let unit = 10_i128.pow(scale);
    if unscaled % unit == 0 {
        return i64::try_from(unscaled / unit).map_or(0, of_long);
    }
    let value = unscaled as f64 / unit as f64;
    let narrow = value as f32;
    if f64::from(narrow) == value { narrow.to_bits() as i32 } else { folded(value.to_bits() as i64) }
}

fn folded(bits: i64) -> i32 {
    (bits ^ ((bits as u64 >> 32) as i64)) as i32
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{BooleanArray, Float32Array, Float64Array, Int32Array, Int64Array, StringArray};

    use super::*;

    /// The values in the order of the set, by their places in the array.
    fn ordered(values: &ArrayRef) -> Vec<usize> {
        let mut rows: Vec<usize> = (0..values.len()).collect();
        rows.sort_by_key(|row| place(hash_of(values, *row), values.len()));
        rows
    }

    #[test]
    fn orders_are_those_recorded_from_spark() {
        let big = 1_i64 << 33;
        let longs = vec![5, -1, -2, 3, big, -big, 17, 33, 100, -100];
        let doubles = vec![5.0, -1.0, -2.5, 3.0, 17.25, 0.1, 100.0, -100.0, 1e300];
        let floats = vec![5.0, -1.0, -2.5, 3.0, 17.25, 0.5, 100.0, -100.0];
        let texts = vec!["a", "b", "c", "hello", "", "zz", "é", "0", "10", "20", "user"];
        let numbers: Vec<String> = (0..14).map(|n: i32| n.to_string()).collect();
        let sevens: Vec<i32> = (0..30).map(|n| 7 * n).collect();
        let table: [(ArrayRef, &[usize]); 7] = [
            (Arc::new(Int64Array::from(longs)), &[1, 2, 5, 6, 7, 4, 9, 3, 8, 0]),
            (Arc::new(Float64Array::from(doubles)), &[1, 4, 5, 2, 0, 8, 3, 7, 6]),
            (Arc::new(Float32Array::from(floats)), &[1, 2, 5, 3, 0, 7, 6, 4]),
            (Arc::new(StringArray::from(texts)), &[9, 4, 10, 0, 6, 2, 3, 5, 8, 1, 7]),
            (Arc::new(StringArray::from(numbers)), &[13, 3, 2, 11, 10, 1, 5, 9, 4, 12, 7, 6, 8, 0]),
            (Arc::new(BooleanArray::from(vec![true, false])), &[1, 0]),
            (
                Arc::new(Int32Array::from(sevens)),
                &[
                    0, 28, 19, 10, 1, 29, 20, 11, 2, 21, 12, 3, 22, 13, 4, 23, 14, 5, 24, 15, 6, 25, 16, 7,
                    26, 17, 8, 27, 18, 9,
                ],
            ),
        ];
        for (values, wanted) in table {
            assert_eq!(ordered(&values), wanted, "{values:?}");
        }
    }
}
