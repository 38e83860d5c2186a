//! Methods of `int` and `float`, and `round`.

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{FromPrimitive as _, Pow as _, Signed as _, ToPrimitive as _};

use crate::machine::{Args, Machine, NativeFunction, R};
use crate::object::{as_big, as_float, ldexp};
use crate::value::{Type, Value};

pub(crate) static INT: &[NativeFunction] = &[
    NativeFunction::method("int", "bit_length", |m, a| Ok(Value::Int(receiver(m, a).bits() as i64))),
    NativeFunction::method("int", "bit_count", |m, a| {
        let (_, bytes) = receiver(m, a).to_bytes_le();
        Ok(Value::Int(bytes.iter().map(|b| i64::from(b.count_ones())).sum()))
    }),
    NativeFunction::method("int", "conjugate", |m, a| Ok(Value::big(receiver(m, a)))),
    NativeFunction::method("int", "is_integer", |_, _| Ok(Value::Bool(true))),
    NativeFunction::method("int", "as_integer_ratio", |m, a| {
        Ok(Value::tuple(vec![Value::big(receiver(m, a)), Value::Int(1)]))
    }),
    NativeFunction::method("int", "to_bytes", to_bytes),
    NativeFunction::class("int", "from_bytes", from_bytes),
    NativeFunction::method("int", "__index__", |m, a| Ok(Value::big(receiver(m, a)))),
    NativeFunction::method("int", "__int__", |m, a| Ok(Value::big(receiver(m, a)))),
];

pub(crate) static FLOAT: &[NativeFunction] = &[
    NativeFunction::method("float", "is_integer", |m, a| {
        let f = float_receiver(m, a);
        Ok(Value::Bool(f.is_finite() && f.fract() == 0.0))
    }),
    NativeFunction::method("float", "as_integer_ratio", |m, a| {
        let f = float_receiver(m, a);
        match ratio(f) {
            Some((n, d)) => Ok(Value::tuple(vec![Value::big(n), Value::big(d)])),
            None if f.is_nan() => m.value_error("cannot convert NaN to integer ratio"),
            None => m.raise_error(Type::OverflowError, "cannot convert Infinity to integer ratio"),
        }
    }),
    NativeFunction::method("float", "conjugate", |m, a| Ok(Value::Float(float_receiver(m, a)))),
    NativeFunction::method("float", "hex", |m, a| Ok(Value::from(hex(float_receiver(m, a))))),
];

fn receiver(m: &Machine, args: &Args) -> BigInt {
    args.get(0).and_then(|v| m.big_of(v)).unwrap_or_default()
}

fn float_receiver(m: &Machine, args: &Args) -> f64 {
    args.get(0).and_then(|v| as_float(&m.unboxed(v))).unwrap_or(0.0)
}

/// Numerator and denominator of a finite float.
pub(crate) fn ratio(f: f64) -> Option<(BigInt, BigInt)> {
    if !f.is_finite() {
        return None;
    }
    let bits = f.abs().to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let (mantissa, shift) = if exponent == 0 {
        (bits & ((1 << 52) - 1), -1074)
    } else {
        ((bits & ((1 << 52) - 1)) | (1 << 52), exponent - 1075)
    };
    let mut n = BigInt::from(mantissa);
    let mut d = BigInt::from(1);
    if shift >= 0 {
        n <<= shift as u64;
    } else {
        d <<= (-shift) as u64;
    }
    let g = n.gcd(&d);
    if g > BigInt::from(0) {
        n /= &g;
        d /= &g;
    }
    Some((if f.is_sign_negative() { -n } else { n }, d))
}

fn hex(f: f64) -> String {
    let sign = if f.is_sign_negative() { "-" } else { "" };
    if !f.is_finite() {
        return format!("{sign}{}", if f.is_nan() { "nan" } else { "inf" });
    }
    let bits = f.abs().to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let mantissa = bits & ((1 << 52) - 1);
    if bits == 0 {
        return format!("{sign}0x0.0p+0");
    }
    let (lead, power) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    format!("{sign}0x{lead}.{mantissa:013x}p{power:+}")
}

fn order(m: &mut Machine, args: &Args, at: usize) -> R<bool> {
    let text = args.at(at, "byteorder").and_then(|o| m.as_text(o));
    match text.as_deref() {
        Some("little") => Ok(true),
        Some("big") | None => Ok(false),
        Some(_) => m.value_error("byteorder must be either 'little' or 'big'"),
    }
}

fn to_bytes(m: &mut Machine, args: &Args) -> R {
    let number = receiver(m, args);
    let length = args.at(1, "length").and_then(Value::as_int).unwrap_or(1).max(0) as usize;
    let little = order(m, args, 2)?;
    let signed = matches!(args.named("signed"), Some(Value::Bool(true)));
    if number.sign() == Sign::Minus && !signed {
        return m.raise_error(Type::OverflowError, "can't convert negative int to unsigned");
    }
    let fill = if number.is_negative() { 0xff } else { 0 };
    let mut bytes = if signed { number.to_signed_bytes_le() } else { number.to_bytes_le().1 };
    while bytes.len() > length && bytes.last() == Some(&fill) {
        bytes.pop();
    }
    if bytes.len() > length {
        return m.raise_error(Type::OverflowError, "int too big to convert");
    }
    bytes.resize(length, fill);
    if !little {
        bytes.reverse();
    }
    Ok(Value::bytes(&bytes))
}

fn from_bytes(m: &mut Machine, args: &Args) -> R {
    let mut bytes = match args.get(1) {
        Some(value) => match m.as_bytes(value) {
            Some(bytes) => bytes.to_vec(),
            None => {
                let items = m.collect_items(value)?;
                items.iter().filter_map(|i| i.as_int()).map(|i| i as u8).collect()
            }
        },
        None => Vec::new(),
    };
    let little = order(m, args, 2)?;
    if !little {
        bytes.reverse();
    }
    let signed = matches!(args.named("signed"), Some(Value::Bool(true)));
    Ok(Value::big(if signed {
        BigInt::from_signed_bytes_le(&bytes)
    } else {
        BigInt::from_bytes_le(Sign::Plus, &bytes)
    }))
}

/// Rounds a quotient half to even.
fn divide_even(n: &BigInt, d: &BigInt) -> BigInt {
    let (q, r) = n.div_mod_floor(d);
    let twice: BigInt = &r * 2;
    match twice.cmp(d) {
        std::cmp::Ordering::Less => q,
        std::cmp::Ordering::Greater => q + 1,
        std::cmp::Ordering::Equal => {
            if q.is_even() {
                q
            } else {
                q + 1
            }
        }
    }
}

/// Rounds a float to a number of decimal digits by its exact value.
pub(crate) fn round_digits(f: f64, digits: i64) -> f64 {
    if !f.is_finite() || digits > 330 {
        return f;
    }
    if digits < -330 {
        return 0.0f64.copysign(f);
    }
    if digits >= 0 {
        let text = format!("{f:.*}", digits as usize);
        return text.parse().unwrap_or(f);
    }
    let Some((n, d)) = ratio(f) else { return f };
    let unit = BigInt::from(10).pow(-digits as u32);
    let rounded = divide_even(&n, &(d * &unit)) * unit;
    rounded.to_f64().map_or(f, |r| if r == 0.0 { 0.0f64.copysign(f) } else { r })
}

pub(crate) fn round(m: &mut Machine, args: &Args) -> R {
    let Some(value) = args.at(0, "number") else {
        return m.type_error("round() missing required argument 'number' (pos 1)");
    };
    let digits = args.at(1, "ndigits").filter(|d| !d.is_none());
    if m.special(value, "__round__").is_some() {
        let more: Vec<Value> = digits.into_iter().cloned().collect();
        return Ok(m.call_special(value, "__round__", &more)?.unwrap_or(Value::None));
    }
    let inner = m.unboxed(value);
    match (&inner, digits) {
        (Value::Float(f), None) => {
            if f.is_nan() {
                return m.value_error("cannot convert float NaN to integer");
            }
            let floor = f.floor();
            let rest = f - floor;
            let whole = if rest > 0.5 || (rest == 0.5 && floor % 2.0 != 0.0) { floor + 1.0 } else { floor };
            match BigInt::from_f64(whole) {
                Some(big) => Ok(Value::big(big)),
                None => m.raise_error(Type::OverflowError, "cannot convert float infinity to integer"),
            }
        }
        (Value::Float(f), Some(digits)) => match m.as_index(digits) {
            Some(digits) => Ok(Value::Float(round_digits(*f, digits))),
            None => {
                let kind = m.type_name(digits);
                m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
            }
        },
        (number, digits) => match as_big(number) {
            Some(big) => match digits.and_then(|d| m.as_index(d)) {
                Some(digits) if digits < 0 => {
                    let unit = BigInt::from(10).pow(digits.unsigned_abs().min(100_000) as u32);
                    Ok(Value::big(divide_even(&big, &unit) * unit))
                }
                _ => Ok(Value::big(big)),
            },
            None => {
                let kind = m.type_name(value);
                m.type_error(&format!("type {kind} doesn't define __round__ method"))
            }
        },
    }
}

/// `math.ldexp`, here because floats are taken apart here.
pub(crate) fn scale(f: f64, e: i64) -> f64 {
    ldexp(f, e)
}
