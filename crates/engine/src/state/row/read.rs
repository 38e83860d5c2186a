//! From `UnsafeRow` bytes back to columns.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationMicrosecondArray,
    Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, IntervalYearMonthArray,
    ListArray, MapArray, NullArray, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::DataType as Arrow;
use arrow::error::ArrowError;
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::error::{Error, Result};
use crate::kernel::internal;
use crate::state::row::array::element_bytes;
use crate::state::row::write::{bitset_bytes, is_wide};

/// The columns of rows that `encode` has written.
///
/// Errors: bytes that are no rows of these types.
pub(in crate::state) fn decode(types: &[DataType], rows: &[&[u8]]) -> Result<Vec<ArrayRef>> {
    let bitset = bitset_bytes(types.len());
    types
        .iter()
        .enumerate()
        .map(|(index, data_type)| {
            let cells: Option<Vec<Cell<'_>>> =
                rows.iter().map(|row| Cell::of_field(row, bitset, index)).collect();
            column(data_type, &cells.ok_or_else(broken)?)
        })
        .collect()
}

/// The bytes are no row.
fn broken() -> Error {
    SparkError::new(
        ErrorClass::Spark,
        "STATE_STORE_INVALID_VALUE_FORMAT",
        "XXKST",
        "The bytes of a state row do not fit its schema",
    )
    .into()
}

/// The place of one value: its container and where its slot is in it; `None` for null.
#[derive(Clone, Copy)]
struct Cell<'a>(Option<(&'a [u8], usize)>);

impl<'a> Cell<'a> {
    fn of_field(row: &'a [u8], bitset: usize, index: usize) -> Option<Cell<'a>> {
        let null = row.get(index / 8)? & (1 << (index % 8)) != 0;
        let at = bitset + 8 * index;
        row.get(at..at + 8)?;
        Some(Cell((!null).then_some((row, at))))
    }

    fn bytes<const N: usize>(self) -> Option<[u8; N]> {
        let (container, at) = self.0?;
        container.get(at..at + N)?.try_into().ok()
    }

    /// The bytes of a value of variable length.
    fn variable(self) -> Option<&'a [u8]> {
        let word = u64::from_le_bytes(self.bytes::<8>()?);
        let (offset, size) = ((word >> 32) as usize, (word & 0xffff_ffff) as usize);
        self.0?.0.get(offset..offset.checked_add(size)?)
    }

    /// The elements of an array in these bytes.
    fn elements(array: &'a [u8], element: &DataType) -> Option<Vec<Cell<'a>>> {
        let length = u64::from_le_bytes(array.get(..8)?.try_into().ok()?) as usize;
        if length > array.len() {
            return None;
        }
        let (head, width) = (8 + bitset_bytes(length), element_bytes(element));
        (0..length)
            .map(|index| {
                let null = array.get(8 + index / 8)? & (1 << (index % 8)) != 0;
                let at = head + index * width;
                array.get(at..at + width)?;
                Some(Cell((!null).then_some((array, at))))
            })
            .collect()
    }
}

/// One column of these values.
// tidy: table
fn column(data_type: &DataType, cells: &[Cell<'_>]) -> Result<ArrayRef> {
    macro_rules! numbers {
        ($array:ty, $number:ty) => {{
            const N: usize = size_of::<$number>();
            let values: Vec<Option<$number>> =
                cells.iter().map(|cell| cell.bytes::<N>().map(<$number>::from_le_bytes)).collect();
            Arc::new(<$array>::from(values))
        }};
    }
    Ok(match data_type {
        DataType::Null => Arc::new(NullArray::new(cells.len())),
        DataType::Boolean => {
            let values: Vec<Option<bool>> =
                cells.iter().map(|cell| cell.bytes::<1>().map(|b| b[0] != 0)).collect();
            Arc::new(BooleanArray::from(values))
        }
        DataType::Byte => numbers!(Int8Array, i8),
        DataType::Short => numbers!(Int16Array, i16),
        DataType::Integer => numbers!(Int32Array, i32),
        DataType::Date => numbers!(Date32Array, i32),
        DataType::YearMonthInterval => numbers!(IntervalYearMonthArray, i32),
        DataType::Long => numbers!(Int64Array, i64),
        DataType::DayTimeInterval => numbers!(DurationMicrosecondArray, i64),
        DataType::TimestampNtz => numbers!(TimestampMicrosecondArray, i64),
        DataType::Timestamp => {
            let values: Vec<Option<i64>> =
                cells.iter().map(|cell| cell.bytes::<8>().map(i64::from_le_bytes)).collect();
            Arc::new(TimestampMicrosecondArray::from(values).with_timezone("UTC"))
        }
        DataType::Float => numbers!(Float32Array, f32),
        DataType::Double => numbers!(Float64Array, f64),
        DataType::Decimal(precision, scale) => decimals(cells, data_type, *precision, *scale)?,
        DataType::String => {
            let values = cells
                .iter()
                .map(|cell| present(*cell)?.map(std::str::from_utf8).transpose().map_err(|_| broken()))
                .collect::<Result<Vec<_>>>()?;
            Arc::new(StringArray::from(values))
        }
        DataType::Binary => {
            let values = cells.iter().map(|cell| present(*cell)).collect::<Result<Vec<_>>>()?;
            Arc::new(BinaryArray::from(values))
        }
        DataType::Struct(schema) => {
            let types: Vec<DataType> = schema.fields.iter().map(|f| f.data_type.clone()).collect();
            structs(&types, schema.to_arrow().fields, cells)?
        }
        DataType::Array(element, _) => arrays(element, &data_type.to_arrow(), cells)?,
        DataType::Map(key, value, _) => maps((key, value), &data_type.to_arrow(), cells)?,
    })
}

/// The bytes of a value of variable length, `None` for null.
fn present(cell: Cell<'_>) -> Result<Option<&[u8]>> {
    match cell.0 {
        None => Ok(None),
        Some(_) => cell.variable().map(Some).ok_or_else(broken),
    }
}

fn decimals(cells: &[Cell<'_>], data_type: &DataType, precision: u8, scale: i8) -> Result<ArrayRef> {
    let values: Vec<Option<i128>> = cells
        .iter()
        .map(|cell| {
            if !is_wide(data_type) {
                return Ok(cell.bytes::<8>().map(|b| i128::from(i64::from_le_bytes(b))));
            }
            let sign = |bytes: &[u8]| if bytes.first().is_some_and(|b| b & 0x80 != 0) { -1 } else { 0 };
            Ok(present(*cell)?
                .map(|b| b.iter().fold(sign(b), |sum: i128, byte| (sum << 8) | i128::from(*byte))))
        })
        .collect::<Result<_>>()?;
    let made = Decimal128Array::from(values).with_precision_and_scale(precision, scale).map_err(internal)?;
    Ok(Arc::new(made))
}

fn nulls(cells: &[Cell<'_>]) -> Option<NullBuffer> {
    let buffer: NullBuffer = cells.iter().map(|cell| cell.0.is_some()).collect();
    (buffer.null_count() > 0).then_some(buffer)
}

fn structs(types: &[DataType], fields: arrow::datatypes::Fields, cells: &[Cell<'_>]) -> Result<ArrayRef> {
    let bitset = bitset_bytes(types.len());
    let rows = cells.iter().map(|cell| present(*cell)).collect::<Result<Vec<_>>>()?;
    let columns = types
        .iter()
        .enumerate()
        .map(|(index, data_type)| {
            let inner: Option<Vec<Cell<'_>>> = rows
                .iter()
                .map(|row| row.map_or(Some(Cell(None)), |row| Cell::of_field(row, bitset, index)))
                .collect();
            column(data_type, &inner.ok_or_else(broken)?)
        })
        .collect::<Result<Vec<_>>>()?;
    let made =
        StructArray::try_new_with_length(fields, columns, nulls(cells), cells.len()).map_err(internal)?;
    Ok(Arc::new(made))
}

fn not_nested() -> Error {
    internal(ArrowError::SchemaError("a nested type is carried by a nested array".into()))
}

fn arrays(element: &DataType, arrow: &Arrow, cells: &[Cell<'_>]) -> Result<ArrayRef> {
    let Arrow::List(field) = arrow else { return Err(not_nested()) };
    let (mut inner, mut lengths) = (Vec::new(), Vec::with_capacity(cells.len()));
    for cell in cells {
        let elements = match present(*cell)? {
            Some(array) => Cell::elements(array, element).ok_or_else(broken)?,
            None => Vec::new(),
        };
        lengths.push(elements.len());
        inner.extend(elements);
    }
    let values = column(element, &inner)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    Ok(Arc::new(ListArray::try_new(field.clone(), offsets, values, nulls(cells)).map_err(internal)?))
}

fn maps((key, value): (&DataType, &DataType), arrow: &Arrow, cells: &[Cell<'_>]) -> Result<ArrayRef> {
    let Arrow::Map(field, sorted) = arrow else { return Err(not_nested()) };
    let Arrow::Struct(fields) = field.data_type() else { return Err(not_nested()) };
    let (mut keys, mut values, mut lengths) = (Vec::new(), Vec::new(), Vec::with_capacity(cells.len()));
    for cell in cells {
        let before = keys.len();
        if let Some(map) = present(*cell)? {
            let (own_keys, own_values) = split_map(map, key, value).ok_or_else(broken)?;
            keys.extend(own_keys);
            values.extend(own_values);
        }
        lengths.push(keys.len() - before);
    }
    let columns = vec![column(key, &keys)?, column(value, &values)?];
    let entries =
        StructArray::try_new_with_length(fields.clone(), columns, None, keys.len()).map_err(internal)?;
    let offsets = OffsetBuffer::from_lengths(lengths);
    let made = MapArray::try_new(field.clone(), offsets, entries, nulls(cells), *sorted).map_err(internal)?;
    Ok(Arc::new(made))
}

fn split_map<'a>(map: &'a [u8], key: &DataType, value: &DataType) -> Option<(Vec<Cell<'a>>, Vec<Cell<'a>>)> {
    let size = u64::from_le_bytes(map.get(..8)?.try_into().ok()?) as usize;
    let end = size.checked_add(8)?;
    let keys = Cell::elements(map.get(8..end)?, key)?;
    let values = Cell::elements(map.get(end..)?, value)?;
    (keys.len() == values.len()).then_some((keys, values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::row::encode;

    fn window() -> DataType {
        let field = |name: &str| tidemark_types::StructField::new(name, DataType::Timestamp, true);
        DataType::Struct(tidemark_types::StructType::new(vec![field("start"), field("end")]))
    }

    #[test]
    fn the_bytes_are_those_of_spark() {
        let keys: ArrayRef = Arc::new(StringArray::from(vec!["a", "b"]));
        let sums: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        let key = encode(&[DataType::String], &[keys], 2).expect("strings have a form");
        let value = encode(&[DataType::Long], &[sums], 2).expect("numbers have a form");
        assert_eq!(key[0][..], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 16, 0, 0, 0, b'a', 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(value[1][..], [0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn there_and_back() {
        let list: ArrayRef =
            Arc::new(ListArray::from_iter_primitive::<arrow::datatypes::Int32Type, _, _>(vec![
                Some(vec![Some(1), None, Some(-3)]),
                None,
                Some(vec![]),
            ]));
        let element = DataType::Array(Box::new(DataType::Integer), true);
        let list = crate::kernel::conform(&list, &element).expect("it is a list");
        let times = TimestampMicrosecondArray::from(vec![Some(5), None, Some(-1)]).with_timezone("UTC");
        let times: ArrayRef = Arc::new(times);
        let DataType::Struct(schema) = window() else { panic!("a window is a struct") };
        let windows: ArrayRef = Arc::new(
            StructArray::try_new(
                schema.to_arrow().fields,
                vec![times.clone(), times.clone()],
                Some(NullBuffer::from(vec![true, false, true])),
            )
            .expect("the columns fit"),
        );
        let wide = Decimal128Array::from(vec![Some(-129), None, Some(i128::from(i64::MAX) * 1000)])
            .with_precision_and_scale(30, 2)
            .expect("it fits");
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(vec![Some("pelican"), None, Some("")])),
            list,
            times,
            windows,
            Arc::new(wide),
            Arc::new(Float64Array::from(vec![Some(1.5), None, Some(-0.0)])),
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ];
        let types = [
            DataType::String,
            element,
            DataType::Timestamp,
            window(),
            DataType::Decimal(30, 2),
            DataType::Double,
            DataType::Boolean,
        ];
        let rows = encode(&types, &columns, 3).expect("all types have a form");
        let borrowed: Vec<&[u8]> = rows.iter().map(|row| &row[..]).collect();
        let back = decode(&types, &borrowed).expect("what was written can be read");
        for ((left, right), data_type) in columns.iter().zip(&back).zip(&types) {
            assert_eq!(left, right, "{data_type}");
        }
        assert!(decode(&types, &[&[0; 8]]).is_err());
    }
}
