//! Arithmetic of dates, timestamps and intervals.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, PrimitiveArray, new_null_array};
use arrow::datatypes::{
    Date32Type, Decimal128Type, DurationMicrosecondType, Float64Type, Int32Type, Int64Type,
    IntervalYearMonthType, TimestampMicrosecondType,
};
use tidemark_types::{DataType, Zone};

use crate::error::Result;
use crate::kernel::column::value::{Value, extent};
use crate::kernel::context::EvalContext;
use crate::kernel::error::{datetime_overflow, interval_divided_by_zero, interval_overflow, unsupported};
use crate::kernel::number::arithmetic::{Operation, map_checked, widen, zip_checked};
use crate::kernel::number::decimal::scale_of;
use crate::kernel::time::zone;

/// An operator of which one side at least is a time or an interval.
pub(crate) fn arithmetic(
    op: Operation,
    args: &[Value],
    types: &[DataType],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<ArrayRef> {
    let (left, right) = (&args[0], &args[1]);
    match op {
        Operation::Add if is_interval(&types[0]) && !is_interval(&types[1]) => {
            add(right, left, &types[1], &types[0], out, rows, context, false)
        }
        Operation::Add if types[0].is_integral() => {
            add(right, left, &types[1], &types[0], out, rows, context, false)
        }
        Operation::Add => add(left, right, &types[0], &types[1], out, rows, context, false),
        Operation::Subtract => subtract(left, right, types, out, rows, context),
        Operation::Multiply if is_interval(&types[1]) => scale(op, right, left, &types[1], &types[0], rows),
        Operation::Multiply | Operation::Divide => scale(op, left, right, &types[0], &types[1], rows),
        Operation::IntegralDivide => {
            zip_checked::<DurationMicrosecondType, DurationMicrosecondType, Int64Type>(
                left,
                right,
                rows,
                i64::checked_div,
                |_, b| if b == 0 { interval_divided_by_zero() } else { interval_overflow() },
            )
        }
        Operation::Remainder => Err(refuse(op, types)),
    }
}

fn is_interval(data_type: &DataType) -> bool {
    matches!(data_type, DataType::DayTimeInterval | DataType::YearMonthInterval)
}

fn refuse(op: Operation, types: &[DataType]) -> crate::error::Error {
    unsupported(format!("{op:?} of {} and {}", types[0].sql(), types[1].sql()))
}

/// `left ± right` where right is an interval or a number of days.
// tidy: table
fn add(
    left: &Value,
    right: &Value,
    left_type: &DataType,
    right_type: &DataType,
    out: &DataType,
    rows: usize,
    context: &EvalContext,
    minus: bool,
) -> Result<ArrayRef> {
    let sign = if minus { -1 } else { 1 };
    let zone = if *left_type == DataType::TimestampNtz { Zone::UTC } else { context.zone };
    match (left_type, right_type) {
        (DataType::Date, number) if number.is_integral() => zip_checked::<Date32Type, Int64Type, Date32Type>(
            left,
            &widen(right),
            rows,
            |day, by| i32::try_from(i64::from(day).checked_add(by.checked_mul(sign)?)?).ok(),
            |_, _| datetime_overflow("add days to a date"),
        ),
        (DataType::Date, DataType::YearMonthInterval) => {
            zip_checked::<Date32Type, IntervalYearMonthType, Date32Type>(
                left,
                right,
                rows,
                |day, months| zone::add_months(day, months.checked_mul(sign as i32)?),
                |_, _| datetime_overflow("add months to a date"),
            )
        }
        (DataType::Date, DataType::DayTimeInterval) if *out == DataType::Date => {
            zip_checked::<Date32Type, DurationMicrosecondType, Date32Type>(
                left,
                right,
                rows,
                |day, micros| i32::try_from(i64::from(day) + sign * (micros / zone::DAY)).ok(),
                |_, _| datetime_overflow("add days to a date"),
            )
        }
        (DataType::Date, DataType::DayTimeInterval) => {
            let made = zip_checked::<Date32Type, DurationMicrosecondType, TimestampMicrosecondType>(
                left,
                right,
                rows,
                |day, by| {
                    zone::timestamp_add_micros(zone::start_of_day(day, zone), by.checked_mul(sign)?, zone)
                },
                |_, _| datetime_overflow("add an interval to a date"),
            )?;
            Ok(zoned(&made, out))
        }
        (DataType::Timestamp | DataType::TimestampNtz, DataType::DayTimeInterval) => {
            let made =
                zip_checked::<TimestampMicrosecondType, DurationMicrosecondType, TimestampMicrosecondType>(
                    left,
                    right,
                    rows,
                    |at, by| zone::timestamp_add_micros(at, by.checked_mul(sign)?, zone),
                    |_, _| datetime_overflow("add an interval to a timestamp"),
                )?;
            Ok(zoned(&made, out))
        }
        (DataType::Timestamp | DataType::TimestampNtz, DataType::YearMonthInterval) => {
            let made =
                zip_checked::<TimestampMicrosecondType, IntervalYearMonthType, TimestampMicrosecondType>(
                    left,
                    right,
                    rows,
                    |at, by| zone::timestamp_add_months(at, by.checked_mul(sign as i32)?, zone),
                    |_, _| datetime_overflow("add an interval to a timestamp"),
                )?;
            Ok(zoned(&made, out))
        }
        (DataType::DayTimeInterval, DataType::DayTimeInterval) => {
            zip_checked::<DurationMicrosecondType, DurationMicrosecondType, DurationMicrosecondType>(
                left,
                right,
                rows,
                |a, b| if minus { a.checked_sub(b) } else { a.checked_add(b) },
                |_, _| interval_overflow(),
            )
        }
        (DataType::YearMonthInterval, DataType::YearMonthInterval) => {
            zip_checked::<IntervalYearMonthType, IntervalYearMonthType, IntervalYearMonthType>(
                left,
                right,
                rows,
                |a, b| if minus { a.checked_sub(b) } else { a.checked_add(b) },
                |_, _| interval_overflow(),
            )
        }
        _ => Err(refuse(
            if minus { Operation::Subtract } else { Operation::Add },
            &[left_type.clone(), right_type.clone()],
        )),
    }
}

fn subtract(
    left: &Value,
    right: &Value,
    types: &[DataType],
    out: &DataType,
    rows: usize,
    context: &EvalContext,
) -> Result<ArrayRef> {
    match (&types[0], &types[1]) {
        (DataType::Date, DataType::Date) => zip_checked::<Date32Type, Date32Type, DurationMicrosecondType>(
            left,
            right,
            rows,
            |a, b| (i64::from(a) - i64::from(b)).checked_mul(zone::DAY),
            |_, _| interval_overflow(),
        ),
        (DataType::Timestamp, DataType::Timestamp) | (DataType::TimestampNtz, DataType::TimestampNtz) => {
            let zone = if types[0] == DataType::Timestamp { context.zone } else { Zone::UTC };
            zip_checked::<TimestampMicrosecondType, TimestampMicrosecondType, DurationMicrosecondType>(
                left,
                right,
                rows,
                |a, b| zone::to_local(a, zone).checked_sub(zone::to_local(b, zone)),
                |_, _| interval_overflow(),
            )
        }
        _ => add(left, right, &types[0], &types[1], out, rows, context, true),
    }
}

/// An interval times or over a number: rounded half up.
fn scale(
    op: Operation,
    interval: &Value,
    number: &Value,
    interval_type: &DataType,
    number_type: &DataType,
    rows: usize,
) -> Result<ArrayRef> {
    if !is_interval(interval_type) || !number_type.is_numeric() {
        return Err(refuse(op, &[interval_type.clone(), number_type.clone()]));
    }
    let number = as_double(number, number_type);
    let apply = move |amount: f64, by: f64| -> Option<f64> {
        let exact = match op {
            Operation::Multiply => amount * by,
            _ if by == 0.0 => return None,
            _ => amount / by,
        };
        let rounded = libm::floor(exact.abs() + 0.5);
        exact.is_finite().then_some(if exact < 0.0 { -rounded } else { rounded })
    };
    let fail = move |by: f64| match op {
        Operation::Divide if by == 0.0 => interval_divided_by_zero(),
        _ => interval_overflow(),
    };
    if *interval_type == DataType::DayTimeInterval {
        return zip_checked::<DurationMicrosecondType, Float64Type, DurationMicrosecondType>(
            interval,
            &number,
            rows,
            |a, b| apply(a as f64, b).filter(|v| v.abs() < 9.3e18).map(|v| v as i64),
            |_, b| fail(b),
        );
    }
    zip_checked::<IntervalYearMonthType, Float64Type, IntervalYearMonthType>(
        interval,
        &number,
        rows,
        |a, b| apply(f64::from(a), b).filter(|v| v.abs() <= f64::from(i32::MAX)).map(|v| v as i32),
        |_, b| fail(b),
    )
}

fn as_double(number: &Value, data_type: &DataType) -> Value {
    let array: ArrayRef = match data_type {
        DataType::Double => number.inner().clone(),
        DataType::Float => {
            let floats = number.inner().as_primitive::<arrow::datatypes::Float32Type>();
            Arc::new(floats.unary::<_, Float64Type>(f64::from))
        }
        DataType::Decimal(..) => {
            let factor = libm::pow(10.0, f64::from(scale_of(data_type)));
            let decimals = number.inner().as_primitive::<Decimal128Type>();
            Arc::new(decimals.unary::<_, Float64Type>(|v| v as f64 / factor))
        }
        _ => {
            let wide = widen(number);
            Arc::new(wide.inner().as_primitive::<Int64Type>().unary::<_, Float64Type>(|v| v as f64))
        }
    };
    Value::of(array, number.is_scalar())
}

/// `-a` or `abs(a)` of an interval.
pub(crate) fn signed(value: &Value, data_type: &DataType, abs: bool) -> Result<Value> {
    if *data_type == DataType::DayTimeInterval {
        let apply = |v: i64| if abs { v.checked_abs() } else { v.checked_neg() };
        return map_checked::<DurationMicrosecondType, DurationMicrosecondType>(value, apply, |_| {
            interval_overflow()
        });
    }
    let apply = |v: i32| if abs { v.checked_abs() } else { v.checked_neg() };
    map_checked::<IntervalYearMonthType, IntervalYearMonthType>(value, apply, |_| interval_overflow())
}

/// Microseconds as `timestamp` or `timestamp_ntz`.
pub(crate) fn zoned(array: &ArrayRef, out: &DataType) -> ArrayRef {
    let micros = array.as_primitive::<TimestampMicrosecondType>().clone();
    timestamps(micros, out)
}

/// Microseconds as `timestamp` or `timestamp_ntz`.
pub(crate) fn timestamps(micros: PrimitiveArray<TimestampMicrosecondType>, out: &DataType) -> ArrayRef {
    match out {
        DataType::Timestamp => Arc::new(micros.with_timezone("UTC")),
        _ => Arc::new(micros.with_timezone_opt(None::<Arc<str>>)),
    }
}

/// `add_months(a, months)`: the months are an int or an interval.
pub(crate) fn add_months(
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
    let months = match types[1] {
        DataType::Integer => {
            let months = args[1].inner().as_primitive::<Int32Type>().unary::<_, IntervalYearMonthType>(|m| m);
            Value::of(Arc::new(months), args[1].is_scalar())
        }
        _ => args[1].clone(),
    };
    let made = add(&args[0], &months, &types[0], &DataType::YearMonthInterval, out, rows, context, false)?;
    Ok(Value::of(made, scalar))
}
