//! Exact decimals: 128 bits at rest, 256 on the way, rounded half up to the type that Spark gives the result.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array};
use arrow::datatypes::{Decimal128Type, Int64Type, i256};
use tidemark_types::DataType;

use crate::error::{Error, Result};
use crate::kernel::column::value::Value;
use crate::kernel::error::{
    cast_overflow, decimal_out_of_range, divide_by_zero, internal, remainder_by_zero,
};
use crate::kernel::number::arithmetic::{Operation, map_checked, zip_checked};

/// An exact number: unscaled value and scale.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact {
    pub(crate) unscaled: i256,
    pub(crate) scale: i32,
}

impl Exact {
    /// A decimal at rest.
    pub(crate) fn new(unscaled: i128, scale: i8) -> Self {
        Exact { unscaled: i256::from_i128(unscaled), scale: i32::from(scale) }
    }

    /// The same number with this scale, rounded half up; `None` when it grows too large.
    pub(crate) fn rescale(self, scale: i32) -> Option<Exact> {
        if scale >= self.scale {
            let factor = power_of_ten((scale - self.scale) as u32)?;
            return Some(Exact { unscaled: self.unscaled.checked_mul(factor)?, scale });
        }
        let Some(divisor) = power_of_ten((self.scale - scale) as u32) else {
            return Some(Exact { unscaled: i256::ZERO, scale });
        };
        Some(Exact { unscaled: divide_half_up(self.unscaled, divisor), scale })
    }

    /// The unscaled value in a decimal of this type; `None` when it has too many digits.
    pub(crate) fn fit(self, precision: u8, scale: i8) -> Option<i128> {
        let value = self.rescale(i32::from(scale))?.unscaled.to_i128()?;
        (value.unsigned_abs() < 10_u128.pow(u32::from(precision))).then_some(value)
    }

    /// The number without an exponent, as error messages show it.
    pub(crate) fn plain(self) -> String {
        plain_text(&self.unscaled.to_string(), self.scale)
    }
}

/// Digits with a point put in: `-1234`, scale 2 is `-12.34`.
pub(crate) fn plain_text(unscaled: &str, scale: i32) -> String {
    let (sign, digits) = match unscaled.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", unscaled),
    };
    if scale <= 0 {
        let zeros = if digits == "0" { 0 } else { scale.unsigned_abs() as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let scale = scale as usize;
    let padded = format!("{}{digits}", "0".repeat((scale + 1).saturating_sub(digits.len())));
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

fn power_of_ten(exponent: u32) -> Option<i256> {
    i256::from_i128(10).checked_pow(exponent)
}

fn divide_half_up(value: i256, divisor: i256) -> i256 {
    let quotient = value.wrapping_div(divisor);
    let rest = value.wrapping_rem(divisor);
    let half = divisor.wrapping_sub(rest.wrapping_abs());
    if half > rest.wrapping_abs() || rest == i256::ZERO {
        quotient
    } else if value.is_negative() != divisor.is_negative() {
        quotient.wrapping_sub(i256::ONE)
    } else {
        quotient.wrapping_add(i256::ONE)
    }
}

/// `+ - * / % div` of two decimals; `out` is the type that Spark gives.
pub(crate) fn arithmetic(
    op: Operation,
    left: &Value,
    right: &Value,
    types: &[DataType],
    out: &DataType,
    rows: usize,
) -> Result<ArrayRef> {
    let (scale_left, scale_right) = (scale_of(&types[0]), scale_of(&types[1]));
    if let DataType::Long = out {
        let fail = |a: i128, b: i128| match b {
            0 => divide_by_zero(),
            _ => cast_overflow(&format!("{}BD", Exact::new(a, scale_left).plain()), &types[0], out),
        };
        let whole = |a, b| divide(Exact::new(a, scale_left), Exact::new(b, scale_right), 0, false);
        // Spark keeps the lowest 64 bits of a quotient that is too large.
        let apply = |a, b| whole(a, b).map(|quotient| quotient.unscaled.as_i128() as i64);
        return zip_checked::<Decimal128Type, Decimal128Type, Int64Type>(left, right, rows, apply, fail);
    }
    let DataType::Decimal(precision, scale) = *out else {
        return Err(crate::kernel::error::unsupported(format!("a decimal result of type {}", out.sql())));
    };
    let exact = |a: i128, b: i128| {
        let (a, b) = (Exact::new(a, scale_left), Exact::new(b, scale_right));
        operate(op, a, b, i32::from(scale))
    };
    let apply = |a: i128, b: i128| exact(a, b)?.fit(precision, scale);
    let fail = |a: i128, b: i128| failure(op, b, exact(a, b), precision, scale);
    let array =
        zip_checked::<Decimal128Type, Decimal128Type, Decimal128Type>(left, right, rows, apply, fail)?;
    typed(array.as_primitive::<Decimal128Type>().clone(), precision, scale)
}

fn failure(op: Operation, right: i128, exact: Option<Exact>, precision: u8, scale: i8) -> Error {
    match (op, right) {
        (Operation::Divide | Operation::IntegralDivide, 0) => divide_by_zero(),
        (Operation::Remainder, 0) => remainder_by_zero(),
        _ => {
            let shown = exact.map_or_else(String::new, |e| e.significant().plain());
            decimal_out_of_range(&shown, precision, scale)
        }
    }
}

fn operate(op: Operation, a: Exact, b: Exact, scale: i32) -> Option<Exact> {
    let wider = a.scale.max(b.scale);
    match op {
        Operation::Add | Operation::Subtract | Operation::Remainder => {
            let (x, y) = (a.rescale(wider)?.unscaled, b.rescale(wider)?.unscaled);
            let unscaled = match op {
                Operation::Add => x.checked_add(y)?,
                Operation::Subtract => x.checked_sub(y)?,
                _ => x.checked_rem(y)?,
            };
            Some(Exact { unscaled, scale: wider })
        }
        Operation::Multiply => {
            Some(Exact { unscaled: a.unscaled.checked_mul(b.unscaled)?, scale: a.scale + b.scale })
        }
        Operation::Divide => divide(a, b, scale, true),
        Operation::IntegralDivide => divide(a, b, 0, false),
    }
}

fn divide(a: Exact, b: Exact, scale: i32, half_up: bool) -> Option<Exact> {
    if b.unscaled == i256::ZERO {
        return None;
    }
    let shift = scale - a.scale + b.scale;
    let (numerator, denominator) = if shift >= 0 {
        (a.unscaled.checked_mul(power_of_ten(shift as u32)?)?, b.unscaled)
    } else {
        (a.unscaled, b.unscaled.checked_mul(power_of_ten(shift.unsigned_abs())?)?)
    };
    let unscaled = if half_up {
        let positive = divide_half_up(numerator.wrapping_abs(), denominator.wrapping_abs());
        if numerator.is_negative() == denominator.is_negative() { positive } else { positive.wrapping_neg() }
    } else {
        numerator.wrapping_div(denominator)
    };
    Some(Exact { unscaled, scale })
}

/// `-a` or `abs(a)`: always fits.
pub(crate) fn signed(value: &Value, precision: u8, scale: i8, abs: bool) -> Result<Value> {
    let made = map_checked::<Decimal128Type, Decimal128Type>(
        value,
        |v| Some(if abs { v.wrapping_abs() } else { v.wrapping_neg() }),
        |_| decimal_out_of_range("", precision, scale),
    )?;
    let array = typed(made.inner().as_primitive::<Decimal128Type>().clone(), precision, scale)?;
    Ok(Value::of(array, value.is_scalar()))
}

/// The scale of a decimal type.
pub(crate) fn scale_of(data_type: &DataType) -> i8 {
    match data_type {
        DataType::Decimal(_, scale) => *scale,
        _ => 0,
    }
}

/// Unscaled values as a column of this decimal type.
pub(crate) fn typed(array: Decimal128Array, precision: u8, scale: i8) -> Result<ArrayRef> {
    Ok(Arc::new(array.with_precision_and_scale(precision, scale).map_err(internal)?))
}

/// The decimals of a column with another type, null or an error where one does not fit.
pub(crate) fn rescaled(
    array: &ArrayRef,
    from_scale: i8,
    precision: u8,
    scale: i8,
    fails: bool,
) -> Result<ArrayRef> {
    let decimals = array.as_primitive::<Decimal128Type>();
    let mut out = Vec::with_capacity(array.len());
    for row in 0..array.len() {
        if decimals.is_null(row) {
            out.push(None);
            continue;
        }
        let exact = Exact::new(decimals.value(row), from_scale);
        match exact.fit(precision, scale) {
            None if fails => return Err(decimal_out_of_range(&exact.plain(), precision, scale)),
            fitted => out.push(fitted),
        }
    }
    typed(Decimal128Array::from(out), precision, scale)
}

impl Exact {
    /// The number with at most 38 digits that count, rounded half up: so far Spark computes.
    fn significant(self) -> Exact {
        let digits = self.unscaled.wrapping_abs().to_string().len() as i32;
        let shown = if digits > 38 { self.rescale(self.scale - (digits - 38)) } else { None };
        shown.unwrap_or(self)
    }

    /// The whole part.
    pub(crate) fn truncated(self) -> Option<i128> {
        divide(self, Exact::new(1, 0), 0, false)?.unscaled.to_i128()
    }

    /// The quotient by a count, rounded half up to this scale.
    pub(crate) fn over(self, count: i64, scale: i32) -> Option<Exact> {
        divide(self, Exact::new(i128::from(count), 0), scale, true)
    }
}
