//! Rounding, roots, and the values that depend on where a row stands.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Decimal128Array, Float32Array, Float64Array, Int64Array, StringArray,
};
use arrow::datatypes::{
    DataType as Arrow, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::{arithmetic_overflow, decimal_out_of_range, unsupported};
use crate::kernel::number::arithmetic::{map_checked, widen};
use crate::kernel::number::decimal::{Exact, scale_of, typed};

/// `round(a, scale)`, half up away from zero; the scale is a constant.
pub(crate) fn round(args: &[Value], data_type: &DataType, out: &DataType, rows: usize) -> Result<Value> {
    let value = &args[0];
    let places = match args.get(1) {
        Some(scale) if scale.is_null(0) => {
            return Ok(Value::scalar(arrow::array::new_null_array(&out.to_arrow(), 1)));
        }
        Some(scale) if rows > 0 || scale.is_scalar() => scale.inner().as_primitive::<Int32Type>().value(0),
        _ => 0,
    };
    let overflow = || arithmetic_overflow("overflow", "");
    macro_rules! integers {
        ($type:ty, $native:ty) => {
            map_checked::<$type, $type>(
                value,
                |v| round_integer(i64::from(v), places).and_then(|r| <$native>::try_from(r).ok()),
                |_| overflow(),
            )
        };
    }
    match data_type {
        DataType::Byte => integers!(Int8Type, i8),
        DataType::Short => integers!(Int16Type, i16),
        DataType::Integer => integers!(Int32Type, i32),
        DataType::Long => integers!(Int64Type, i64),
        DataType::Float => {
            let floats = value.inner().as_primitive::<Float32Type>();
            let made: Float32Array =
                floats.unary(|v| round_text(v.is_finite(), &f64::from(v).to_string(), places).unwrap_or(v));
            Ok(Value::of(Arc::new(made), value.is_scalar()))
        }
        DataType::Double => {
            let floats = value.inner().as_primitive::<Float64Type>();
            let made: Float64Array = floats.unary(|v| round_double(v, places));
            Ok(Value::of(Arc::new(made), value.is_scalar()))
        }
        DataType::Decimal(..) => round_decimal(value, scale_of(data_type), places, out),
        DataType::Null => Ok(value.clone()),
        other => Err(unsupported(format!("round of {}", other.sql()))),
    }
}

/// A double rounded as its shortest decimal text is.
fn round_double(value: f64, places: i32) -> f64 {
    if !value.is_finite() || libm::floor(value) == value && places >= 0 {
        return value;
    }
    round_text(true, &value.to_string(), places).unwrap_or(value)
}

/// The number that a plain decimal text shows, rounded half up to some places.
fn round_text<F: std::str::FromStr>(finite: bool, text: &str, places: i32) -> Option<F> {
    if !finite {
        return None;
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if places >= 0 && fraction.len() <= places as usize {
        return None;
    }
    let keep = whole.len() as i64 + i64::from(places);
    let all: Vec<u8> = whole.bytes().chain(fraction.bytes()).collect();
    if keep < 0 {
        return format!("{sign}0").parse().ok();
    }
    let keep = keep as usize;
    let mut kept: Vec<u8> = std::iter::once(b'0').chain(all[..keep].iter().copied()).collect();
    if all.get(keep).is_some_and(|d| *d >= b'5') {
        for digit in kept.iter_mut().rev() {
            if *digit == b'9' {
                *digit = b'0';
            } else {
                *digit += 1;
                break;
            }
        }
    }
    let kept = String::from_utf8(kept).ok()?;
    format!("{sign}{kept}e{}", -i64::from(places)).parse().ok()
}

fn round_integer(value: i64, places: i32) -> Option<i64> {
    if places >= 0 {
        return Some(value);
    }
    let Some(unit) = 10_i128.checked_pow(places.unsigned_abs()).filter(|unit| *unit <= 10_i128.pow(20))
    else {
        return Some(0);
    };
    let value = i128::from(value);
    let half = if value < 0 { -unit / 2 } else { unit / 2 };
    i64::try_from((value + half) / unit * unit).ok()
}

fn round_decimal(value: &Value, scale: i8, places: i32, out: &DataType) -> Result<Value> {
    let DataType::Decimal(precision, out_scale) = *out else {
        return Err(unsupported(format!("a rounded decimal of type {}", out.sql())));
    };
    let rounded = |v: i128| Exact::new(v, scale).rescale(places);
    let made = map_checked::<Decimal128Type, Decimal128Type>(
        value,
        |v| rounded(v)?.fit(precision, out_scale),
        |v| decimal_out_of_range(&rounded(v).map_or_else(String::new, Exact::plain), precision, out_scale),
    )?;
    decimals(&made, precision, out_scale)
}

fn decimals(value: &Value, precision: u8, scale: i8) -> Result<Value> {
    let array: Decimal128Array = value.inner().as_primitive::<Decimal128Type>().clone();
    Ok(Value::of(typed(array, precision, scale)?, value.is_scalar()))
}

/// `floor(a)`: bigint, or a decimal without a fraction.
pub(crate) fn floor(value: &Value, data_type: &DataType, out: &DataType) -> Result<Value> {
    whole(value, data_type, out, libm::floor, false)
}

/// `ceil(a)`: bigint, or a decimal without a fraction.
pub(crate) fn ceil(value: &Value, data_type: &DataType, out: &DataType) -> Result<Value> {
    whole(value, data_type, out, libm::ceil, true)
}

fn whole(
    value: &Value,
    data_type: &DataType,
    out: &DataType,
    toward: fn(f64) -> f64,
    up: bool,
) -> Result<Value> {
    let floats: ArrayRef = match data_type {
        DataType::Double => value.inner().clone(),
        DataType::Float => {
            Arc::new(value.inner().as_primitive::<Float32Type>().unary::<_, Float64Type>(f64::from))
        }
        DataType::Decimal(..) => return whole_decimal(value, scale_of(data_type), out, up),
        DataType::Null => return Ok(value.clone()),
        _ => return Ok(widen(value)),
    };
    let made: Int64Array = floats.as_primitive::<Float64Type>().unary(|v| toward(v) as i64);
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

fn whole_decimal(value: &Value, scale: i8, out: &DataType, up: bool) -> Result<Value> {
    let unit = 10_i128.pow(u32::from(scale.unsigned_abs()));
    let toward = |v: i128| if up { -(-v).div_euclid(unit) } else { v.div_euclid(unit) };
    match *out {
        DataType::Decimal(precision, _) => {
            let made = map_checked::<Decimal128Type, Decimal128Type>(
                value,
                |v| Some(toward(v)),
                |_| arithmetic_overflow("overflow", ""),
            )?;
            decimals(&made, precision, 0)
        }
        _ => map_checked::<Decimal128Type, Int64Type>(
            value,
            |v| i64::try_from(toward(v)).ok(),
            |_| arithmetic_overflow("overflow", ""),
        ),
    }
}

/// `sqrt(a)`: NaN below zero.
pub(crate) fn sqrt(value: &Value) -> Value {
    if matches!(value.inner().data_type(), Arrow::Null) {
        return value.clone();
    }
    let made: Float64Array = value.inner().as_primitive::<Float64Type>().unary(f64::sqrt);
    Value::of(Arc::new(made), value.is_scalar())
}

/// `input_file_name()`: empty when the rows are of no file.
pub(crate) fn input_file_name(context: &EvalContext) -> Value {
    let name = context.file.as_deref().unwrap_or("");
    Value::scalar(Arc::new(StringArray::from(vec![name])))
}

/// `monotonically_increasing_id()`: the task in the upper 31 bits, the row's place in it in the lower 33.
pub(crate) fn monotonically_increasing_id(rows: usize, context: &EvalContext) -> Value {
    let first = ((context.partition as i64) << 33) + context.first_row;
    let ids: Int64Array = (first..first + rows as i64).collect::<Vec<_>>().into();
    Value::array(Arc::new(ids))
}
