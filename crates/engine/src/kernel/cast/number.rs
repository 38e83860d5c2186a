//! Casts between numbers, and between numbers and truth.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Decimal128Array, PrimitiveArray,
};
use arrow::buffer::BooleanBuffer;
use arrow::datatypes::{Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::cast::convert::convert;
use crate::kernel::cast::parse::decimal_of_text;
use crate::kernel::column::value::Value;
use crate::kernel::error::{cast_overflow, decimal_out_of_range, unsupported};
use crate::kernel::number::arithmetic::widen;
use crate::kernel::number::decimal::{Exact, scale_of, typed};
use crate::kernel::text::constant::{decimal_sql, double_sql};

/// A number or a truth as another one.
pub(super) fn cast(value: &Value, from: &DataType, to: &DataType, fails: bool) -> Result<Value> {
    match from {
        DataType::Boolean => of_boolean(value, to),
        DataType::Float => {
            let wide = value.inner().as_primitive::<Float32Type>().unary::<_, Float64Type>(f64::from);
            of_double(&Value::of(Arc::new(wide), value.is_scalar()), to, fails)
        }
        DataType::Double => of_double(value, to, fails),
        DataType::Decimal(..) => of_decimal(value, from, to, fails),
        _ => of_integer(&widen(value), from, to, fails),
    }
}

fn of_boolean(value: &Value, to: &DataType) -> Result<Value> {
    let flags = value.inner().as_boolean();
    let longs: PrimitiveArray<Int64Type> = flags.iter().map(|f| f.map(i64::from)).collect();
    of_integer(&Value::of(Arc::new(longs), value.is_scalar()), &DataType::Integer, to, true)
}

/// Integers, carried in eight bytes, as another type.
fn of_integer(value: &Value, from: &DataType, to: &DataType, fails: bool) -> Result<Value> {
    let sql = |v: i64| match from {
        DataType::Byte => format!("{v}Y"),
        DataType::Short => format!("{v}S"),
        DataType::Long => format!("{v}L"),
        _ => v.to_string(),
    };
    let overflow = |v: i64| cast_overflow(&sql(v), from, to);
    let longs = || value.inner().as_primitive::<Int64Type>();
    match to {
        DataType::Byte => convert::<Int64Type, Int8Type>(value, fails, |v| v.try_into().ok(), overflow),
        DataType::Short => convert::<Int64Type, Int16Type>(value, fails, |v| v.try_into().ok(), overflow),
        DataType::Integer => convert::<Int64Type, Int32Type>(value, fails, |v| v.try_into().ok(), overflow),
        DataType::Long => Ok(value.clone()),
        DataType::Float => Ok(made(value, longs().unary::<_, Float32Type>(|v| v as f32))),
        DataType::Double => Ok(made(value, longs().unary::<_, Float64Type>(|v| v as f64))),
        DataType::Boolean => Ok(truth(value, longs(), |v| v != 0)),
        DataType::Decimal(precision, scale) => {
            let exact = |v: i64| Exact::new(i128::from(v), 0);
            let out = convert::<Int64Type, Decimal128Type>(
                value,
                fails,
                |v| exact(v).fit(*precision, *scale),
                |v| decimal_out_of_range(&exact(v).plain(), *precision, *scale),
            )?;
            decimals(&out, *precision, *scale)
        }
        other => Err(unsupported(format!("a cast of {} to {}", from.sql(), other.sql()))),
    }
}

fn made<T: ArrowPrimitiveType>(value: &Value, array: PrimitiveArray<T>) -> Value {
    Value::of(Arc::new(array), value.is_scalar())
}

fn truth<T: ArrowPrimitiveType>(
    value: &Value,
    array: &PrimitiveArray<T>,
    test: impl Fn(T::Native) -> bool,
) -> Value {
    let bits = BooleanBuffer::collect_bool(array.len(), |row| test(array.value(row)));
    Value::of(Arc::new(BooleanArray::new(bits, array.nulls().cloned())), value.is_scalar())
}

fn decimals(value: &Value, precision: u8, scale: i8) -> Result<Value> {
    let array: Decimal128Array = value.inner().as_primitive::<Decimal128Type>().clone();
    Ok(Value::of(typed(array, precision, scale)?, value.is_scalar()))
}

/// The whole part of a double, if it is within these bounds.
fn whole(v: f64, least: f64, most: f64) -> Option<f64> {
    (libm::floor(v) <= most && libm::ceil(v) >= least).then_some(v)
}

fn of_double(value: &Value, to: &DataType, fails: bool) -> Result<Value> {
    let overflow = |v: f64| cast_overflow(&double_sql(v), &DataType::Double, to);
    let doubles = || value.inner().as_primitive::<Float64Type>();
    macro_rules! integer {
        ($type:ty, $native:ty) => {
            convert::<Float64Type, $type>(
                value,
                fails,
                |v| whole(v, <$native>::MIN as f64, <$native>::MAX as f64).map(|v| v as $native),
                overflow,
            )
        };
    }
    match to {
        DataType::Byte => integer!(Int8Type, i8),
        DataType::Short => integer!(Int16Type, i16),
        DataType::Integer => integer!(Int32Type, i32),
        DataType::Long => integer!(Int64Type, i64),
        DataType::Float => Ok(made(value, doubles().unary::<_, Float32Type>(|v| v as f32))),
        DataType::Double => Ok(value.clone()),
        DataType::Boolean => Ok(truth(value, doubles(), |v| v != 0.0)),
        DataType::Decimal(precision, scale) => decimal_of_double(value, *precision, *scale, fails),
        other => Err(unsupported(format!("a cast of DOUBLE to {}", other.sql()))),
    }
}

/// A double as the decimal that its shortest text shows; NaN and the infinities give null.
fn decimal_of_double(value: &Value, precision: u8, scale: i8, fails: bool) -> Result<Value> {
    let doubles = value.inner().as_primitive::<Float64Type>();
    let mut out = Vec::with_capacity(doubles.len());
    for row in 0..doubles.len() {
        let v = doubles.value(row);
        if doubles.is_null(row) || !v.is_finite() {
            out.push(None);
            continue;
        }
        let exact = decimal_of_text(&format!("{v:e}"));
        match exact.and_then(|e| e.fit(precision, scale)) {
            None if fails => {
                let plain = exact.map_or_else(|| format!("{v}"), Exact::plain);
                return Err(decimal_out_of_range(&plain, precision, scale));
            }
            fitted => out.push(fitted),
        }
    }
    Ok(Value::of(typed(Decimal128Array::from(out), precision, scale)?, value.is_scalar()))
}

/// The double nearest to a decimal.
pub(crate) fn double_of_decimal(unscaled: i128, scale: i8) -> f64 {
    const EXACT_MAX: u128 = 1 << 53;
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    if let (true, Some(power)) = (unscaled.unsigned_abs() <= EXACT_MAX, POWERS.get(scale as usize)) {
        return unscaled as f64 / power;
    }
    format!("{unscaled}e{}", -i32::from(scale)).parse().unwrap_or(f64::NAN)
}

fn of_decimal(value: &Value, from: &DataType, to: &DataType, fails: bool) -> Result<Value> {
    let scale = scale_of(from);
    let unit = 10_i128.pow(u32::from(scale.unsigned_abs()));
    let overflow = |v: i128| cast_overflow(&decimal_sql(v, scale), from, to);
    let array = || value.inner().as_primitive::<Decimal128Type>();
    macro_rules! integer {
        ($type:ty) => {
            convert::<Decimal128Type, $type>(value, fails, |v| (v / unit).try_into().ok(), overflow)
        };
    }
    match to {
        DataType::Byte => integer!(Int8Type),
        DataType::Short => integer!(Int16Type),
        DataType::Integer => integer!(Int32Type),
        DataType::Long => integer!(Int64Type),
        DataType::Float => {
            let floats = array().unary::<_, Float32Type>(|v| {
                format!("{v}e{}", -i32::from(scale)).parse().unwrap_or(f32::NAN)
            });
            Ok(made(value, floats))
        }
        DataType::Double => Ok(made(value, array().unary::<_, Float64Type>(|v| double_of_decimal(v, scale)))),
        DataType::Boolean => Ok(truth(value, array(), |v| v != 0)),
        DataType::Decimal(precision, to_scale) => {
            let out: ArrayRef =
                crate::kernel::number::decimal::rescaled(value.inner(), scale, *precision, *to_scale, fails)?;
            Ok(Value::of(out, value.is_scalar()))
        }
        other => Err(unsupported(format!("a cast of {} to {}", from.sql(), other.sql()))),
    }
}
