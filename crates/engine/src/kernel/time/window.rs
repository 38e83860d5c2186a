//! Windows of time, aligned to the epoch in UTC.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, StructArray, TimestampMicrosecondArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType as Arrow, Field, Int64Type, TimestampMicrosecondType};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::shape::conform;
use crate::kernel::column::value::Value;
use crate::kernel::error::{internal, unsupported};
use crate::kernel::time::interval::timestamps;

/// `window(t, size, slide, start)`: the window of each time, or all of them as an array where the type is one.
///
/// Source: `start = floor((t - startTime) / slide) * slide + startTime`; earlier starts follow while they still hold t.
pub(crate) fn windows(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let times = args[0].clone().into_array(rows)?;
    let times = times.as_primitive::<TimestampMicrosecondType>();
    let (size, slide, origin) = (number(&args[1]), number(&args[2]), number(&args[3]));
    let last = |t: i64| (t - origin).div_euclid(slide) * slide + origin;
    match out {
        DataType::Struct(_) => {
            let starts: Vec<i64> = times.values().iter().map(|t| last(*t)).collect();
            let made = window_struct(starts, size, out, times.nulls().cloned())?;
            Ok(Value::array(conform(&made, out)?))
        }
        DataType::Array(element, _) => {
            let mut starts = Vec::new();
            let mut lengths = Vec::with_capacity(rows);
            for row in 0..times.len() {
                let before = starts.len();
                if times.is_valid(row) {
                    let t = times.value(row);
                    let newest = last(t);
                    let count = (size - (t - newest) + slide - 1).div_euclid(slide).max(0);
                    starts.extend((0..count).map(|back| newest - back * slide));
                }
                lengths.push(starts.len() - before);
            }
            let values = conform(&window_struct(starts, size, element, None)?, element)?;
            let field = Arc::new(Field::new("element", values.data_type().clone(), true));
            let offsets = OffsetBuffer::from_lengths(lengths);
            let list =
                ListArray::try_new(field, offsets, values, times.nulls().cloned()).map_err(internal)?;
            let list: ArrayRef = Arc::new(list);
            Ok(Value::array(conform(&list, out)?))
        }
        other => Err(unsupported(format!("a window of type {}", other.sql()))),
    }
}

fn number(value: &Value) -> i64 {
    match value.inner().data_type() {
        Arrow::Int64 => value.inner().as_primitive::<Int64Type>().value(0),
        _ => value.inner().as_primitive::<arrow::datatypes::DurationMicrosecondType>().value(0),
    }
}

fn window_struct(
    starts: Vec<i64>,
    size: i64,
    window: &DataType,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let DataType::Struct(fields) = window else {
        return Err(unsupported(format!("a window of type {}", window.sql())));
    };
    let kind = fields.fields.first().map_or(DataType::Timestamp, |f| f.data_type.clone());
    let ends: Vec<i64> = starts.iter().map(|s| s + size).collect();
    let len = starts.len();
    let columns =
        vec![timestamps(TimestampMicrosecondArray::from(starts), &kind), timestamps(ends.into(), &kind)];
    let arrow = fields.to_arrow().fields;
    let made = StructArray::try_new_with_length(arrow, columns, nulls, len).map_err(internal)?;
    Ok(Arc::new(made))
}

/// `window_time(w)`: the end less one microsecond.
pub(crate) fn window_time(value: &Value) -> Result<Value> {
    let windows = value.inner().as_struct();
    let ends = windows.column(1).as_primitive::<TimestampMicrosecondType>();
    let nulls = NullBuffer::union(windows.nulls(), ends.nulls());
    let shifted: Vec<i64> = ends.values().iter().map(|e| e - 1).collect();
    let made = TimestampMicrosecondArray::new(shifted.into(), nulls);
    let kind = match ends.data_type() {
        Arrow::Timestamp(_, Some(_)) => DataType::Timestamp,
        _ => DataType::TimestampNtz,
    };
    Ok(Value::of(timestamps(made, &kind), value.is_scalar()))
}
