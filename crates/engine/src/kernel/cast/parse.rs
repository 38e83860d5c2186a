//! Casts of text.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BooleanArray, Date32Array, Decimal128Array, PrimitiveArray,
    StringArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{
    DurationMicrosecondType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    IntervalYearMonthType, i256,
};
use tidemark_types::timestamp::{cast_timestamp_ntz, parse_date, parse_timestamp};
use tidemark_types::{DataType, interval};

use crate::error::{Error, Result};
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::{cast_invalid_input, decimal_out_of_range, unsupported};
use crate::kernel::number::decimal::{Exact, typed};
use crate::kernel::text::constant::quoted;
use crate::kernel::time::interval::timestamps;

/// Texts as another type; text that reads as no such value fails or gives null.
// tidy: table
pub(super) fn of_text(value: &Value, to: &DataType, fails: bool, context: &EvalContext) -> Result<Value> {
    let texts = value.inner().as_string::<i32>();
    let invalid = |text: &str| cast_invalid_input(&quoted(text), &DataType::String, to);
    macro_rules! integer {
        ($type:ty) => {
            primitive::<$type>(texts, fails, |t| long_of_text(t).and_then(|v| v.try_into().ok()), invalid)?
        };
    }
    let array: ArrayRef = match to {
        DataType::Boolean => {
            let flags = values(texts, fails, truth_of_text, invalid)?;
            Arc::new(BooleanArray::from(flags))
        }
        DataType::Byte => integer!(Int8Type),
        DataType::Short => integer!(Int16Type),
        DataType::Integer => integer!(Int32Type),
        DataType::Long => integer!(Int64Type),
        DataType::Float => {
            primitive::<Float32Type>(texts, fails, |t| float_text(t).and_then(|t| t.parse().ok()), invalid)?
        }
        DataType::Double => primitive::<Float64Type>(texts, fails, double_of_text, invalid)?,
        DataType::Decimal(precision, scale) => decimals(texts, *precision, *scale, fails, invalid)?,
        DataType::Date => Arc::new(Date32Array::from(values(texts, fails, parse_date, invalid)?)),
        DataType::Timestamp => {
            let parse = |text: &str| parse_timestamp(text, context.zone, context.now_micros);
            timestamps(TimestampMicrosecondArray::from(values(texts, fails, parse, invalid)?), to)
        }
        DataType::TimestampNtz => timestamps(
            TimestampMicrosecondArray::from(values(texts, fails, cast_timestamp_ntz, invalid)?),
            to,
        ),
        DataType::DayTimeInterval => {
            let parse = |text: &str| interval::parse(text).ok().and_then(|i| i.micros_without_months());
            primitive::<DurationMicrosecondType>(texts, fails, parse, invalid)?
        }
        DataType::YearMonthInterval => {
            let parse = |text: &str| interval::parse(text).ok().and_then(|i| i32::try_from(i.months).ok());
            primitive::<IntervalYearMonthType>(texts, fails, parse, invalid)?
        }
        other => return Err(unsupported(format!("a cast of STRING to {}", other.sql()))),
    };
    Ok(Value::of(array, value.is_scalar()))
}

fn values<T>(
    texts: &StringArray,
    fails: bool,
    parse: impl Fn(&str) -> Option<T>,
    invalid: impl Fn(&str) -> Error,
) -> Result<Vec<Option<T>>> {
    let mut out = Vec::with_capacity(texts.len());
    for text in texts {
        match text.map(|text| (text, parse(text))) {
            Some((text, None)) if fails => return Err(invalid(text)),
            parsed => out.push(parsed.and_then(|(_, value)| value)),
        }
    }
    Ok(out)
}

fn primitive<T: ArrowPrimitiveType>(
    texts: &StringArray,
    fails: bool,
    parse: impl Fn(&str) -> Option<T::Native>,
    invalid: impl Fn(&str) -> Error,
) -> Result<ArrayRef> {
    let made: PrimitiveArray<T> = values(texts, fails, parse, invalid)?.into_iter().collect();
    Ok(Arc::new(made))
}

/// A text without the blanks and control characters around it.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ' || c.is_control() || c.is_whitespace())
}

fn truth_of_text(text: &str) -> Option<bool> {
    match trimmed(text).to_ascii_lowercase().as_str() {
        "t" | "true" | "y" | "yes" | "1" => Some(true),
        "f" | "false" | "n" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// The integer of a text: a sign and digits, nothing else.
fn long_of_text(text: &str) -> Option<i64> {
    let text = trimmed(text);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// The text of a float in the form that Rust reads: Java's names of infinity and NaN in any case, no type suffix.
fn float_text(text: &str) -> Option<&str> {
    let text = trimmed(text);
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => return Some("inf"),
        "-inf" | "-infinity" => return Some("-inf"),
        "nan" => return Some("NaN"),
        _ => {}
    }
    let text = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')).then_some(text)
}

/// The double of a text.
pub(crate) fn double_of_text(text: &str) -> Option<f64> {
    float_text(text)?.parse().ok()
}

/// The exact number of a text: digits with a point and an exponent.
pub(crate) fn decimal_of_text(text: &str) -> Option<Exact> {
    let text = trimmed(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if digits.len() + fraction.len() == 0 || !is_number(digits) || !is_number(fraction) {
        return None;
    }
    let all = format!("{digits}{fraction}");
    let significant = all.trim_start_matches('0');
    let mut unscaled = if significant.is_empty() { i256::ZERO } else { i256::from_string(significant)? };
    if whole.starts_with('-') {
        unscaled = unscaled.wrapping_neg();
    }
    Some(Exact { unscaled, scale: fraction.len() as i32 - exponent })
}

fn decimals(
    texts: &StringArray,
    precision: u8,
    scale: i8,
    fails: bool,
    invalid: impl Fn(&str) -> Error,
) -> Result<ArrayRef> {
    let mut out = Vec::with_capacity(texts.len());
    for text in texts {
        let Some(text) = text else {
            out.push(None);
            continue;
        };
        let exact = decimal_of_text(text);
        match (exact, exact.and_then(|e| e.fit(precision, scale))) {
            (None, _) if fails => return Err(invalid(text)),
            (Some(exact), None) if fails => {
                return Err(decimal_out_of_range(&exact.plain(), precision, scale));
            }
            (_, fitted) => out.push(fitted),
        }
    }
    typed(Decimal128Array::from(out), precision, scale)
}
