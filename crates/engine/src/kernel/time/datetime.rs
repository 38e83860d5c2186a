//! Functions of dates and timestamps, in the session's zone.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, GenericStringBuilder, Int32Array, Int64Array,
    TimestampMicrosecondArray, new_null_array,
};
use arrow::datatypes::{DataType as Arrow, Date32Type, TimestampMicrosecondType};
use chrono::{Datelike, NaiveDateTime};
use tidemark_plan::CastMode;
use tidemark_types::{DataType, Zone};

use crate::error::Result;
use crate::kernel::cast::cast;
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::context::EvalContext;
use crate::kernel::error::cannot_parse_timestamp;
use crate::kernel::text::string::text;
use crate::kernel::time::datetime_pattern::{ParseFailure, Pattern};
use crate::kernel::time::interval::timestamps;
use crate::kernel::time::zone;

/// `current_timestamp()`.
pub(crate) fn current_timestamp(context: &EvalContext) -> Value {
    let now = TimestampMicrosecondArray::from(vec![context.now_micros]);
    Value::scalar(timestamps(now, &DataType::Timestamp))
}

/// `current_date()`: the session's day.
pub(crate) fn current_date(context: &EvalContext) -> Value {
    let today = zone::day_of(context.now_micros, context.zone);
    Value::scalar(Arc::new(Date32Array::from(vec![today])))
}

/// A part of a date or a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

/// A column of dates or timestamps as wall clock microseconds; dates are midnights.
fn local_micros(value: &Value, data_type: &DataType, context: &EvalContext) -> TimestampMicrosecondArray {
    let array = value.inner();
    match data_type {
        DataType::Date => array
            .as_primitive::<Date32Type>()
            .unary::<_, TimestampMicrosecondType>(|d| i64::from(d) * zone::DAY),
        DataType::Timestamp if context.zone != Zone::UTC => {
            let instants = array.as_primitive::<TimestampMicrosecondType>();
            instants.unary::<_, TimestampMicrosecondType>(|t| zone::to_local(t, context.zone))
        }
        _ => array.as_primitive::<TimestampMicrosecondType>().clone().with_timezone_opt(None::<Arc<str>>),
    }
}

/// `year(a)` and its kin.
pub(crate) fn part(part: Part, value: &Value, data_type: &DataType, context: &EvalContext) -> Value {
    if *data_type == DataType::Null {
        return Value::of(new_null_array(&Arrow::Int32, value.inner().len()), value.is_scalar());
    }
    let local = local_micros(value, data_type, context);
    let date = |micros: i64| zone::date_of(micros.div_euclid(zone::DAY) as i32);
    let second_of_day = |micros: i64| micros.rem_euclid(zone::DAY) / zone::SECOND;
    let made: Int32Array = local.unary(|micros| match part {
        Part::Year => date(micros).map_or(0, |d| d.year()),
        Part::Month => date(micros).map_or(0, |d| d.month() as i32),
        Part::Day => date(micros).map_or(0, |d| d.day() as i32),
        Part::Hour => (second_of_day(micros) / 3600) as i32,
        Part::Minute => (second_of_day(micros) / 60 % 60) as i32,
        Part::Second => (second_of_day(micros) % 60) as i32,
    });
    Value::of(Arc::new(made), value.is_scalar())
}

/// `date_trunc(unit, a)`: null for a unit that Spark does not know.
pub(crate) fn date_trunc(args: &[Value], types: &[DataType], rows: usize, context: &EvalContext) -> Value {
    let (rows, scalar) = extent(args, rows);
    if types.contains(&DataType::Null) {
        return Value::of(new_null_array(&DataType::Timestamp.to_arrow(), rows), scalar);
    }
    let times = args[1].view::<TimestampMicrosecondType>();
    let nulls = nulls_of(&[&args[0], &args[1]], rows);
    let mut out = Vec::with_capacity(rows);
    for row in 0..rows {
        if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
            out.push(None);
        } else {
            out.push(truncated(text(&args[0], row), times.get(row), context.zone));
        }
    }
    let kind = if types[1] == DataType::TimestampNtz { DataType::TimestampNtz } else { DataType::Timestamp };
    Value::of(timestamps(TimestampMicrosecondArray::from(out), &kind), scalar)
}

fn truncated(unit: &str, micros: i64, at: Zone) -> Option<i64> {
    let local = zone::to_local(micros, at);
    let (days, in_day) = (local.div_euclid(zone::DAY), local.rem_euclid(zone::DAY));
    let date = zone::date_of(days as i32)?;
    let first_of = |month0: u32| date.with_day(1).and_then(|d| d.with_month0(month0));
    let start = match unit.to_ascii_uppercase().as_str() {
        "MICROSECOND" => return Some(micros),
        "MILLISECOND" => return Some(micros.div_euclid(1000) * 1000),
        "SECOND" => return Some(micros.div_euclid(zone::SECOND) * zone::SECOND),
        "MINUTE" => return Some(zone::from_local(days * zone::DAY + in_day / 60_000_000 * 60_000_000, at)),
        "HOUR" => {
            return Some(zone::from_local(days * zone::DAY + in_day / 3_600_000_000 * 3_600_000_000, at));
        }
        "DAY" | "DD" => date,
        "WEEK" => date - chrono::TimeDelta::days(i64::from(date.weekday().num_days_from_monday())),
        "MON" | "MONTH" | "MM" => first_of(date.month0())?,
        "QUARTER" => first_of(date.month0() / 3 * 3)?,
        "YEAR" | "YYYY" | "YY" => first_of(0)?,
        _ => return None,
    };
    Some(zone::start_of_day(zone::days_of(start), at))
}

/// The texts of a pattern column, compiled; a pattern is compiled once while it repeats.
fn with_patterns<T>(
    args: &[Value],
    rows: usize,
    mut each: impl FnMut(usize, &Pattern) -> Result<T>,
) -> Result<Vec<Option<T>>> {
    let nulls = nulls_of(&[&args[0], &args[1]], rows);
    let mut last: Option<(String, Pattern)> = None;
    let mut out = Vec::with_capacity(rows);
    for row in 0..rows {
        if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
            out.push(None);
            continue;
        }
        let source = text(&args[1], row);
        if last.as_ref().is_none_or(|(known, _)| known != source) {
            last = Some((source.to_owned(), Pattern::compile(source)?));
        }
        let pattern = &last.as_ref().expect("it has just been put there").1;
        out.push(Some(each(row, pattern)?));
    }
    Ok(out)
}

/// `date_format(a, pattern)`.
pub(crate) fn date_format(
    args: &[Value],
    types: &[DataType],
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if types.contains(&DataType::Null) {
        return Ok(Value::of(new_null_array(&Arrow::Utf8, rows), scalar));
    }
    let local = Value::of(Arc::new(local_micros(&args[0], &types[0], context)), args[0].is_scalar());
    let times = local.view::<TimestampMicrosecondType>();
    let offset = |micros: i64| match types[0] {
        DataType::Timestamp => context.zone.offset_seconds(micros),
        _ => 0,
    };
    let instants = (types[0] != DataType::Date).then(|| args[0].view::<TimestampMicrosecondType>());
    let texts = with_patterns(args, rows, |row, pattern| {
        let micros = times.get(row);
        let seconds = offset(instants.map_or(micros, |i| i.get(row)));
        Ok(zone::naive_of(micros).map(|naive| pattern.format(naive, seconds)))
    })?;
    let mut builder = GenericStringBuilder::<i32>::new();
    for text in texts {
        builder.append_option(text.flatten());
    }
    Ok(Value::of(Arc::new(builder.finish()), scalar))
}

/// The local times that texts show under their patterns, with the offset if the pattern has one.
fn parsed(args: &[Value], rows: usize, function: &str) -> Result<Vec<Option<(NaiveDateTime, Option<i32>)>>> {
    with_patterns(args, rows, |row, pattern| {
        let source = text(&args[0], row);
        pattern
            .parse(source)
            .map_err(|failure| cannot_parse_timestamp(&failure_text(source, &failure), function))
    })
}

fn failure_text(source: &str, failure: &ParseFailure) -> String {
    match failure {
        ParseFailure::At(index) => format!("Text '{source}' could not be parsed at index {index}"),
        ParseFailure::Rest(index) => {
            format!("Text '{source}' could not be parsed, unparsed text found at index {index}")
        }
        ParseFailure::Value(reason) => format!("Text '{source}' could not be parsed: {reason}"),
    }
}

/// The microseconds of parsed local times.
fn instants(args: &[Value], rows: usize, function: &str, context: &EvalContext) -> Result<Vec<Option<i64>>> {
    let micros = |(naive, offset): (NaiveDateTime, Option<i32>)| match offset {
        Some(seconds) => zone::micros_of(naive) - i64::from(seconds) * zone::SECOND,
        None => zone::from_local(zone::micros_of(naive), context.zone),
    };
    Ok(parsed(args, rows, function)?.into_iter().map(|p| p.map(micros)).collect())
}

/// `to_date(a, pattern)`.
pub(crate) fn to_date(
    args: &[Value],
    types: &[DataType],
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if types.contains(&DataType::Null) {
        return Ok(Value::of(new_null_array(&Arrow::Date32, rows), scalar));
    }
    if types[0] != DataType::String || args.len() == 1 {
        return cast(&args[0], &types[0], &DataType::Date, CastMode::Ansi, context);
    }
    let days: Date32Array = parsed(args, rows, "try_to_date")?
        .into_iter()
        .map(|p| p.map(|(naive, _)| zone::days_of(naive.date())))
        .collect();
    Ok(Value::of(Arc::new(days), scalar))
}

/// `to_timestamp(a, pattern)`.
pub(crate) fn to_timestamp(
    args: &[Value],
    types: &[DataType],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if types.contains(&DataType::Null) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    if types[0] != DataType::String || args.len() == 1 {
        return cast(&args[0], &types[0], out, CastMode::Ansi, context);
    }
    let micros = TimestampMicrosecondArray::from(instants(args, rows, "try_to_timestamp", context)?);
    Ok(Value::of(timestamps(micros, out), scalar))
}

/// `unix_timestamp(a)`, `unix_timestamp(a, pattern)`: whole seconds.
pub(crate) fn unix_timestamp(
    args: &[Value],
    types: &[DataType],
    rows: usize,
    context: &EvalContext,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if args.is_empty() {
        let now: ArrayRef = Arc::new(Int64Array::from(vec![context.now_micros.div_euclid(zone::SECOND)]));
        return Ok(Value::scalar(now));
    }
    if types.contains(&DataType::Null) {
        return Ok(Value::of(new_null_array(&Arrow::Int64, rows), scalar));
    }
    let micros = if types[0] == DataType::String && args.len() > 1 {
        TimestampMicrosecondArray::from(instants(args, rows, "try_to_timestamp", context)?)
    } else {
        let made = cast(&args[0], &types[0], &DataType::Timestamp, CastMode::Ansi, context)?;
        made.into_array(rows)?.as_primitive::<TimestampMicrosecondType>().clone()
    };
    let seconds: Int64Array = micros.unary(|t| t.div_euclid(zone::SECOND));
    Ok(Value::of(Arc::new(seconds), scalar))
}
