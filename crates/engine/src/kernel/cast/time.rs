//! Casts of dates, timestamps and intervals.

use arrow::array::AsArray;
use arrow::datatypes::{
    Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int32Type, Int64Type,
    IntervalYearMonthType, TimestampMicrosecondType,
};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::cast::convert::{convert, nulls};
use crate::kernel::cast::number;
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::{cast_invalid_input, cast_overflow, datetime_overflow, unsupported};
use crate::kernel::number::arithmetic::widen;
use crate::kernel::number::decimal::{Exact, scale_of};
use crate::kernel::text::constant::{double_sql, timestamp_sql};
use crate::kernel::time::interval::zoned;
use crate::kernel::time::zone;

/// A time, or a value that becomes one.
// tidy: table
pub(super) fn cast(
    value: &Value,
    from: &DataType,
    to: &DataType,
    fails: bool,
    context: &EvalContext,
) -> Result<Value> {
    let at = context.zone;
    let too_far = |_| datetime_overflow("convert a time");
    let stamped = |value: Value| Value::of(zoned(value.inner(), to), value.is_scalar());
    match (from, to) {
        (DataType::Date, DataType::Timestamp) => {
            let made = convert::<Date32Type, TimestampMicrosecondType>(
                value,
                true,
                |d| Some(zone::start_of_day(d, at)),
                |_| datetime_overflow("convert a date"),
            )?;
            Ok(stamped(made))
        }
        (DataType::Date, DataType::TimestampNtz) => {
            let made = convert::<Date32Type, TimestampMicrosecondType>(
                value,
                fails,
                |d| i64::from(d).checked_mul(zone::DAY),
                |_| datetime_overflow("convert a date"),
            )?;
            Ok(stamped(made))
        }
        (DataType::Timestamp, DataType::Date) => convert::<TimestampMicrosecondType, Date32Type>(
            value,
            fails,
            |t| Some(zone::day_of(t, at)),
            too_far,
        ),
        (DataType::TimestampNtz, DataType::Date) => convert::<TimestampMicrosecondType, Date32Type>(
            value,
            fails,
            |t| Some(t.div_euclid(zone::DAY) as i32),
            too_far,
        ),
        (DataType::Timestamp, DataType::TimestampNtz) => {
            let made = convert::<TimestampMicrosecondType, TimestampMicrosecondType>(
                value,
                fails,
                |t| Some(zone::to_local(t, at)),
                too_far,
            )?;
            Ok(stamped(made))
        }
        (DataType::TimestampNtz, DataType::Timestamp) => {
            let made = convert::<TimestampMicrosecondType, TimestampMicrosecondType>(
                value,
                fails,
                |t| Some(zone::from_local(t, at)),
                too_far,
            )?;
            Ok(stamped(made))
        }
        (DataType::Timestamp, to) => of_timestamp(value, to, fails, context),
        (from, DataType::Timestamp) => Ok(stamped(to_timestamp(value, from, fails)?)),
        (DataType::DayTimeInterval, DataType::Long) => {
            convert::<DurationMicrosecondType, Int64Type>(value, fails, |v| Some(v / zone::SECOND), too_far)
        }
        (DataType::YearMonthInterval, DataType::Integer) => {
            convert::<IntervalYearMonthType, Int32Type>(value, fails, Some, |_| {
                datetime_overflow("convert an interval")
            })
        }
        (from, to) if !fails => {
            let _ = from;
            Ok(nulls(value, to))
        }
        (from, to) => Err(unsupported(format!("a cast of {} to {}", from.sql(), to.sql()))),
    }
}

/// Seconds since the epoch as numbers.
fn of_timestamp(value: &Value, to: &DataType, fails: bool, context: &EvalContext) -> Result<Value> {
    let array = value.inner().as_primitive::<TimestampMicrosecondType>();
    let seconds = |micros: i64| micros.div_euclid(zone::SECOND);
    let exact = |micros: i64| micros as f64 / zone::SECOND as f64;
    match to {
        DataType::Long => convert::<TimestampMicrosecondType, Int64Type>(
            value,
            fails,
            |t| Some(seconds(t)),
            |_| datetime_overflow("convert a timestamp"),
        ),
        DataType::Byte | DataType::Short | DataType::Integer => {
            let fits = |t: i64| match to {
                DataType::Byte => i8::try_from(seconds(t)).is_ok(),
                DataType::Short => i16::try_from(seconds(t)).is_ok(),
                _ => i32::try_from(seconds(t)).is_ok(),
            };
            let longs = convert::<TimestampMicrosecondType, Int64Type>(
                value,
                fails,
                |t| fits(t).then(|| seconds(t)),
                |t| cast_overflow(&timestamp_sql(t, context.zone), &DataType::Timestamp, to),
            )?;
            number::cast(&longs, &DataType::Long, to, false)
        }
        DataType::Double => {
            let doubles = array.unary::<_, Float64Type>(exact);
            Ok(Value::of(std::sync::Arc::new(doubles), value.is_scalar()))
        }
        DataType::Float => {
            let floats = array.unary::<_, Float32Type>(|t| exact(t) as f32);
            Ok(Value::of(std::sync::Arc::new(floats), value.is_scalar()))
        }
        DataType::Decimal(..) => {
            let doubles = array.unary::<_, Float64Type>(exact);
            let doubles = Value::of(std::sync::Arc::new(doubles), value.is_scalar());
            number::cast(&doubles, &DataType::Double, to, fails)
        }
        DataType::Boolean => {
            let longs = convert::<TimestampMicrosecondType, Int64Type>(value, fails, Some, |_| {
                datetime_overflow("convert a timestamp")
            })?;
            number::cast(&longs, &DataType::Long, to, fails)
        }
        other => Err(unsupported(format!("a cast of TIMESTAMP to {}", other.sql()))),
    }
}

/// Numbers as seconds since the epoch.
fn to_timestamp(value: &Value, from: &DataType, fails: bool) -> Result<Value> {
    let micros = zone::SECOND as f64;
    match from {
        from if from.is_integral() => convert::<Int64Type, TimestampMicrosecondType>(
            &widen(value),
            fails,
            |v| Some(v.saturating_mul(zone::SECOND)),
            |_| datetime_overflow("convert a number"),
        ),
        DataType::Float | DataType::Double => {
            let doubles = match from {
                DataType::Float => number::cast(value, from, &DataType::Double, fails)?,
                _ => value.clone(),
            };
            let in_range = |v: f64| libm::floor(v) <= i64::MAX as f64 && libm::ceil(v) >= i64::MIN as f64;
            convert::<Float64Type, TimestampMicrosecondType>(
                &doubles,
                fails,
                |v| (v.is_finite() && in_range(v * micros)).then_some((v * micros) as i64),
                |v| {
                    if v.is_finite() {
                        cast_overflow(&double_sql(v * micros), &DataType::Double, &DataType::Long)
                    } else {
                        cast_invalid_input(&double_sql(v), &DataType::Double, &DataType::Timestamp)
                    }
                },
            )
        }
        DataType::Decimal(..) => {
            let scale = scale_of(from);
            convert::<Decimal128Type, TimestampMicrosecondType>(
                value,
                fails,
                |v| {
                    let scaled = Exact { scale: i32::from(scale) - 6, ..Exact::new(v, scale) };
                    scaled.truncated().and_then(|v| i64::try_from(v).ok())
                },
                |_| datetime_overflow("convert a decimal"),
            )
        }
        DataType::Boolean => {
            let longs = number::cast(value, from, &DataType::Long, fails)?;
            convert::<Int64Type, TimestampMicrosecondType>(&longs, fails, Some, |_| {
                datetime_overflow("convert a truth")
            })
        }
        other if !fails => {
            let _ = other;
            Ok(nulls(value, &DataType::Timestamp))
        }
        other => Err(unsupported(format!("a cast of {} to TIMESTAMP", other.sql()))),
    }
}
