//! Comparisons as Spark orders values: NaN equals NaN and is the greatest, -0.0 equals 0.0, text by bytes, structs and
//! arrays element by element with nulls first.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float32Array, Float64Array, ListArray, StructArray,
};
use arrow::array::{UInt32Array, new_null_array};
use arrow::buffer::BooleanBuffer;
use arrow::compute::kernels::cmp;
use arrow::compute::take;
use arrow::datatypes::{DataType as Arrow, Float32Type, Float64Type};
use arrow::row::{RowConverter, Rows, SortField};

use crate::error::Result;
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::error::internal;

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// `left ? right`, null where either is null.
pub(crate) fn compare(op: Comparison, left: &Value, right: &Value, rows: usize) -> Result<Value> {
    let (_, scalar) = extent(&[left.clone(), right.clone()], rows);
    let rows = if scalar { 1 } else { rows };
    if matches!(left.inner().data_type(), Arrow::Null) || matches!(right.inner().data_type(), Arrow::Null) {
        return Ok(Value::of(new_null_array(&Arrow::Boolean, rows), scalar));
    }
    if left.inner().data_type().is_nested() {
        let bits = compare_nested(op, left, right, rows)?;
        let nulls = nulls_of(&[left, right], rows);
        return Ok(Value::of(Arc::new(BooleanArray::new(bits, nulls)), scalar));
    }
    let (left, right) = (normal_value(left)?, normal_value(right)?);
    let out = match op {
        Comparison::Equal => cmp::eq(&left, &right),
        Comparison::Less => cmp::lt(&left, &right),
        Comparison::LessOrEqual => cmp::lt_eq(&left, &right),
        Comparison::Greater => cmp::gt(&left, &right),
        Comparison::GreaterOrEqual => cmp::gt_eq(&left, &right),
    }
    .map_err(internal)?;
    Ok(Value::of(Arc::new(out), scalar))
}

/// `left <=> right`: never null.
pub(crate) fn equal_null_safe(left: &Value, right: &Value, rows: usize) -> Result<Value> {
    let equal = compare(Comparison::Equal, left, right, rows)?;
    let scalar = equal.is_scalar();
    let rows = if scalar { 1 } else { rows };
    let bools = equal.inner().as_boolean();
    let (left_nulls, right_nulls) = (left.inner().logical_nulls(), right.inner().logical_nulls());
    let is_null = |nulls: &Option<arrow::buffer::NullBuffer>, value: &Value, row: usize| {
        nulls.as_ref().is_some_and(|n| n.is_null(value.at(row)))
    };
    let bits = BooleanBuffer::collect_bool(rows, |row| {
        match (is_null(&left_nulls, left, row), is_null(&right_nulls, right, row)) {
            (true, true) => true,
            (false, false) => bools.value(row),
            _ => false,
        }
    });
    Ok(Value::of(Arc::new(BooleanArray::new(bits, None)), scalar))
}

fn compare_nested(op: Comparison, left: &Value, right: &Value, rows: usize) -> Result<BooleanBuffer> {
    let converter = row_converter(std::slice::from_ref(left.inner()))?;
    let lefts = converter.convert_columns(&[normalized(left.inner())?]).map_err(internal)?;
    let rights = converter.convert_columns(&[normalized(right.inner())?]).map_err(internal)?;
    Ok(BooleanBuffer::collect_bool(rows, |row| {
        let (a, b) = (lefts.row(left.at(row)), rights.row(right.at(row)));
        match op {
            Comparison::Equal => a == b,
            Comparison::Less => a < b,
            Comparison::LessOrEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterOrEqual => a >= b,
        }
    }))
}

fn normal_value(value: &Value) -> Result<Value> {
    Ok(Value::of(normalized(value.inner())?, value.is_scalar()))
}

/// The same values with one form for what compares equal: `NaN` and `0.0`.
pub(crate) fn normalized(array: &ArrayRef) -> Result<ArrayRef> {
    Ok(match array.data_type() {
        Arrow::Float32 => {
            let floats = array.as_primitive::<Float32Type>();
            let out: Float32Array = floats.unary(|v| if v.is_nan() { f32::NAN } else { v + 0.0 });
            Arc::new(out)
        }
        Arrow::Float64 => {
            let floats = array.as_primitive::<Float64Type>();
            let out: Float64Array = floats.unary(|v| if v.is_nan() { f64::NAN } else { v + 0.0 });
            Arc::new(out)
        }
        Arrow::List(field) if holds_float(field.data_type()) => {
            let list = array.as_list::<i32>();
            let values = normalized(list.values())?;
            let made =
                ListArray::try_new(field.clone(), list.offsets().clone(), values, list.nulls().cloned());
            Arc::new(made.map_err(internal)?)
        }
        Arrow::Struct(fields) if holds_float(array.data_type()) => {
            let values = array.as_struct();
            let columns = values.columns().iter().map(normalized).collect::<Result<Vec<_>>>()?;
            let made = StructArray::try_new(fields.clone(), columns, values.nulls().cloned());
            Arc::new(made.map_err(internal)?)
        }
        _ => array.clone(),
    })
}

fn holds_float(data_type: &Arrow) -> bool {
    match data_type {
        Arrow::Float32 | Arrow::Float64 => true,
        Arrow::List(field) => holds_float(field.data_type()),
        Arrow::Struct(fields) => fields.iter().any(|f| holds_float(f.data_type())),
        _ => false,
    }
}

/// A converter of columns like these to comparable rows.
pub(crate) fn row_converter(columns: &[ArrayRef]) -> Result<RowConverter> {
    let fields = columns.iter().map(|c| SortField::new(c.data_type().clone())).collect();
    RowConverter::new(fields).map_err(internal)
}

/// Columns as comparable rows, equal where Spark's grouping finds them equal.
pub(crate) fn rows_of(converter: &RowConverter, columns: &[ArrayRef]) -> Result<Rows> {
    let columns = columns.iter().map(normalized).collect::<Result<Vec<_>>>()?;
    converter.convert_columns(&columns).map_err(internal)
}

/// `greatest(…)` and `least(…)`: nulls are skipped.
pub(crate) fn extreme(args: &[Value], greatest: bool, rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let mut best = args[0].clone().into_array(rows)?;
    let op = if greatest { Comparison::Greater } else { Comparison::Less };
    for arg in &args[1..] {
        let other = arg.clone().into_array(rows)?;
        let wins = compare(op, &Value::array(other.clone()), &Value::array(best.clone()), rows)?;
        let wins = wins.inner().as_boolean().clone();
        let picks: Vec<(usize, usize)> = (0..rows)
            .map(|row| {
                let takes = if best.is_null(row) {
                    !other.is_null(row)
                } else {
                    !other.is_null(row) && wins.value(row)
                };
                (usize::from(takes), row)
            })
            .collect();
        best = arrow::compute::interleave(&[best.as_ref(), other.as_ref()], &picks).map_err(internal)?;
    }
    Ok(Value::of(best, scalar))
}

/// `isnan(a)`: false for null.
pub(crate) fn is_nan(value: &Value) -> Value {
    let array = value.inner();
    let bits = match array.data_type() {
        Arrow::Float32 => {
            let floats = array.as_primitive::<Float32Type>();
            BooleanBuffer::collect_bool(array.len(), |i| floats.is_valid(i) && floats.value(i).is_nan())
        }
        Arrow::Float64 => {
            let floats = array.as_primitive::<Float64Type>();
            BooleanBuffer::collect_bool(array.len(), |i| floats.is_valid(i) && floats.value(i).is_nan())
        }
        _ => BooleanBuffer::new_unset(array.len()),
    };
    Value::of(Arc::new(BooleanArray::new(bits, None)), value.is_scalar())
}

/// The order of rows under these columns, each with its direction: stable, nulls where told.
pub(crate) fn sort_places(columns: &[ArrayRef], fields: Vec<SortField>) -> Result<UInt32Array> {
    let converter = RowConverter::new(fields).map_err(internal)?;
    let rows = rows_of(&converter, columns)?;
    let mut places: Vec<u32> = (0..rows.num_rows() as u32).collect();
    places.sort_by(|a, b| rows.row(*a as usize).cmp(&rows.row(*b as usize)));
    Ok(places.into())
}

/// Rows of an array at these places.
pub(crate) fn take_rows(array: &ArrayRef, places: &UInt32Array) -> Result<ArrayRef> {
    take(array.as_ref(), places, None).map_err(internal)
}
