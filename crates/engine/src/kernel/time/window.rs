//! Windows of time, aligned to the epoch in UTC.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, StructArray, TimestampMicrosecondArray};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType as Arrow, Field, Int64Type, TimestampMicrosecondType};
use tidemark_plan::interval::{Interval, parse_interval};
use tidemark_types::{DataType, Zone};

use crate::error::Result;
use crate::kernel::column::shape::conform;
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::{internal, unsupported};
use crate::kernel::time::interval::timestamps;
use crate::kernel::time::zone;

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
    let ends: Vec<i64> = starts.iter().map(|s| s + size).collect();
    session_struct(starts.into(), ends.into(), window, nulls)
}

/// `session_window(t, gap)`: the session that each row opens. A gap that is null or no interval leaves the end open.
///
/// Source: a gap is an interval of the calendar: months and days keep the local time.
pub(crate) fn session_windows(
    args: &[Value],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let times = args[0].clone().into_array(rows)?;
    let times = times.as_primitive::<TimestampMicrosecondType>();
    let gaps = args[1].clone().into_array(rows)?;
    let gaps = gaps.as_string::<i32>();
    let zone = if times.timezone().is_some() { context.zone } else { Zone::UTC };
    let mut known: Option<(&str, Option<Interval>)> = None;
    let mut ends = Vec::with_capacity(rows);
    for row in 0..rows {
        let text = gaps.is_valid(row).then(|| gaps.value(row));
        let gap = text.and_then(|text| match &known {
            Some((last, gap)) if *last == text => *gap,
            _ => {
                let gap = parse_interval(text).ok();
                known = Some((text, gap));
                gap
            }
        });
        let time = times.is_valid(row).then(|| times.value(row));
        ends.push(time.zip(gap).and_then(|(time, gap)| later(time, gap, zone)));
    }
    let made = session_struct(times.clone(), ends.into(), out, times.nulls().cloned())?;
    Ok(Value::array(conform(&made, out)?))
}

fn later(time: i64, gap: Interval, zone: Zone) -> Option<i64> {
    let mut at = time;
    if gap.months != 0 {
        at = zone::timestamp_add_months(at, i32::try_from(gap.months).ok()?, zone)?;
    }
    if gap.days != 0 {
        at = zone::timestamp_add_micros(at, gap.days.checked_mul(zone::DAY)?, zone)?;
    }
    at.checked_add(gap.micros)
}

/// Sessions of these starts and ends, as a column of this type.
pub(crate) fn sessions_of(starts: Vec<i64>, ends: Vec<i64>, out: &DataType) -> Result<ArrayRef> {
    conform(&session_struct(starts.into(), ends.into(), out, None)?, out)
}

fn session_struct(
    starts: TimestampMicrosecondArray,
    ends: TimestampMicrosecondArray,
    session: &DataType,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let DataType::Struct(fields) = session else {
        return Err(unsupported(format!("a window of type {}", session.sql())));
    };
    let kind = fields.fields.first().map_or(DataType::Timestamp, |f| f.data_type.clone());
    let len = starts.len();
    let columns = vec![timestamps(starts, &kind), timestamps(ends, &kind)];
    let made =
        StructArray::try_new_with_length(fields.to_arrow().fields, columns, nulls, len).map_err(internal)?;
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
