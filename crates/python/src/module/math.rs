//! The native part of `math`.

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{One as _, Signed as _};

use crate::builtin::{ratio, scale};
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::object::{as_big, as_float, truncate};
use crate::value::{Type, Value};

macro_rules! floats {
    ($($name:literal => $f:expr),* $(,)?) => {
        &[$(NativeFunction::function("math", $name, |m, a| {
            let x = number(m, a, 0)?;
            let f: fn(f64) -> f64 = $f;
            let y = f(x);
            if y.is_nan() && !x.is_nan() {
                return m.value_error("math domain error");
            }
            if y.is_infinite() && x.is_finite() {
                return m.raise_error(Type::OverflowError, "math range error");
            }
            Ok(Value::Float(y))
        })),*,
        NativeFunction::function("math", "floor", |m, a| rounded(m, a, "__floor__", f64::floor)),
        NativeFunction::function("math", "ceil", |m, a| rounded(m, a, "__ceil__", f64::ceil)),
        NativeFunction::function("math", "trunc", |m, a| rounded(m, a, "__trunc__", f64::trunc)),
        NativeFunction::function("math", "sqrt", |m, a| {
            let x = number(m, a, 0)?;
            if x < 0.0 { m.value_error("math domain error") } else { Ok(Value::Float(x.sqrt())) }
        }),
        NativeFunction::function("math", "log", log),
        NativeFunction::function("math", "log2", |m, a| logarithm(m, a, libm::log2)),
        NativeFunction::function("math", "log10", |m, a| logarithm(m, a, libm::log10)),
        NativeFunction::function("math", "pow", |m, a| {
            let (x, y) = (number(m, a, 0)?, number(m, a, 1)?);
            let z = libm::pow(x, y);
            if (z.is_nan() && !x.is_nan() && !y.is_nan()) || (x == 0.0 && y < 0.0) {
                return m.value_error("math domain error");
            }
            if z.is_infinite() && x.is_finite() && y.is_finite() {
                return m.raise_error(Type::OverflowError, "math range error");
            }
            Ok(Value::Float(z))
        }),
        NativeFunction::function("math", "fmod", |m, a| {
            let (x, y) = (number(m, a, 0)?, number(m, a, 1)?);
            if y == 0.0 || x.is_infinite() { m.value_error("math domain error") } else { Ok(Value::Float(x % y)) }
        }),
        NativeFunction::function("math", "atan2", |m, a| Ok(Value::Float(libm::atan2(number(m, a, 0)?, number(m, a, 1)?)))),
        NativeFunction::function("math", "copysign", |m, a| {
            Ok(Value::Float(number(m, a, 0)?.copysign(number(m, a, 1)?)))
        }),
        NativeFunction::function("math", "isnan", |m, a| Ok(Value::Bool(number(m, a, 0)?.is_nan()))),
        NativeFunction::function("math", "isinf", |m, a| Ok(Value::Bool(number(m, a, 0)?.is_infinite()))),
        NativeFunction::function("math", "isfinite", |m, a| Ok(Value::Bool(number(m, a, 0)?.is_finite()))),
        NativeFunction::function("math", "isqrt", |m, a| {
            let n = integer(m, a, 0)?;
            if n.is_negative() {
                return m.value_error("isqrt() argument must be nonnegative");
            }
            Ok(Value::big(n.sqrt()))
        }),
        NativeFunction::function("math", "factorial", factorial),
        NativeFunction::function("math", "gcd", |m, a| fold(m, a, BigInt::default(), |x, y| x.gcd(y))),
        NativeFunction::function("math", "lcm", |m, a| fold(m, a, BigInt::one(), |x, y| x.lcm(y))),
        NativeFunction::function("math", "comb", |m, a| {
            let (n, k) = (integer(m, a, 0)?, integer(m, a, 1)?);
            if n.is_negative() || k.is_negative() {
                return m.value_error("n must be a non-negative integer");
            }
            if k > n {
                return Ok(Value::Int(0));
            }
            Ok(Value::big(num_integer::binomial(n, k)))
        }),
        NativeFunction::function("math", "modf", |m, a| {
            let x = number(m, a, 0)?;
            Ok(Value::tuple(vec![Value::Float((x - x.trunc()).copysign(x)), Value::Float(x.trunc())]))
        }),
        NativeFunction::function("math", "ldexp", |m, a| {
            let e = a.get(1).and_then(Value::as_int).unwrap_or(0);
            Ok(Value::Float(scale(number(m, a, 0)?, e)))
        }),
        NativeFunction::function("math", "frexp", |m, a| {
            let x = number(m, a, 0)?;
            if x == 0.0 || !x.is_finite() {
                return Ok(Value::tuple(vec![Value::Float(x), Value::Int(0)]));
            }
            let mut e = 0;
            let mut y = x;
            while y.abs() >= 1.0 {
                y /= 2.0;
                e += 1;
            }
            while y.abs() < 0.5 {
                y *= 2.0;
                e -= 1;
            }
            Ok(Value::tuple(vec![Value::Float(y), Value::Int(e)]))
        }),
        NativeFunction::function("math", "fsum", fsum)]
    };
}

pub(crate) static MATH: &[NativeFunction] = floats!(
    "sin" => libm::sin,
    "cos" => libm::cos,
    "tan" => libm::tan,
    "asin" => libm::asin,
    "acos" => libm::acos,
    "atan" => libm::atan,
    "sinh" => libm::sinh,
    "cosh" => libm::cosh,
    "tanh" => libm::tanh,
    "exp" => libm::exp,
    "expm1" => libm::expm1,
    "log1p" => libm::log1p,
    "fabs" => f64::abs,
    "cbrt" => libm::cbrt,
    "degrees" => f64::to_degrees,
    "radians" => f64::to_radians,
);

fn number(m: &mut Machine, args: &Args, at: usize) -> R<f64> {
    let value = args.get(at).cloned().unwrap_or(Value::None);
    if let Some(found) = m.call_special(&value, "__float__", &[])? {
        return Ok(as_float(&found).unwrap_or(0.0));
    }
    match as_float(&m.unboxed(&value)) {
        Some(f) => Ok(f),
        None => {
            let kind = m.type_name(&value);
            m.type_error(&format!("must be real number, not {kind}"))
        }
    }
}

fn integer(m: &mut Machine, args: &Args, at: usize) -> R<BigInt> {
    let value = args.get(at).cloned().unwrap_or(Value::None);
    match m.big_of(&value) {
        Some(big) => Ok(big),
        None => {
            let kind = m.type_name(&value);
            m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
        }
    }
}

fn rounded(m: &mut Machine, args: &Args, name: &str, round: fn(f64) -> f64) -> R {
    let value = args.get(0).cloned().unwrap_or(Value::None);
    if let Some(found) = m.call_special(&value, name, &[])? {
        return Ok(found);
    }
    if let Some(big) = m.big_of(&value) {
        return Ok(Value::big(big));
    }
    let f = number(m, args, 0)?;
    match truncate(round(f)) {
        Some(big) => Ok(Value::big(big)),
        None if f.is_nan() => m.value_error("cannot convert float NaN to integer"),
        None => m.raise_error(Type::OverflowError, "cannot convert float infinity to integer"),
    }
}

fn logarithm(m: &mut Machine, args: &Args, log: fn(f64) -> f64) -> R {
    let x = number(m, args, 0)?;
    if x <= 0.0 {
        return m.value_error("math domain error");
    }
    if x.is_infinite()
        && let Some(big) = args.get(0).and_then(as_big)
    {
        let bits = big.bits() as i64 - 1000;
        let small = as_float(&Value::big(big >> bits)).unwrap_or(1.0);
        return Ok(Value::Float(log(small) + bits as f64 * log(2.0)));
    }
    Ok(Value::Float(log(x)))
}

fn log(m: &mut Machine, args: &Args) -> R {
    let Value::Float(x) = logarithm(m, args, libm::log)? else { return Ok(Value::None) };
    if args.items.len() < 2 {
        return Ok(Value::Float(x));
    }
    let base = number(m, args, 1)?;
    if base <= 0.0 {
        return m.value_error("math domain error");
    }
    if base == 1.0 {
        return m.raise_error(Type::ZeroDivisionError, "float division by zero");
    }
    Ok(Value::Float(x / libm::log(base)))
}

fn factorial(m: &mut Machine, args: &Args) -> R {
    if let Some(Value::Float(_)) = args.get(0) {
        return m.type_error("'float' object cannot be interpreted as an integer");
    }
    let n = integer(m, args, 0)?;
    if n.is_negative() {
        return m.value_error("factorial() not defined for negative values");
    }
    let Ok(n) = u32::try_from(&n) else {
        return m.raise_error(Type::OverflowError, "factorial() argument should not exceed 4294967295");
    };
    let mut result = BigInt::one();
    for i in 2..=n.min(20_000) {
        result *= i;
    }
    Ok(Value::big(result))
}

fn fold(m: &mut Machine, args: &Args, start: BigInt, join: fn(&BigInt, &BigInt) -> BigInt) -> R {
    let mut result = start;
    for at in 0..args.items.len() {
        let n = integer(m, args, at)?;
        result = join(&result, &n);
    }
    Ok(Value::big(result.abs()))
}

/// The exact sum of floats, rounded once.
fn fsum(m: &mut Machine, args: &Args) -> R {
    let items = match args.get(0) {
        Some(iterable) => m.collect_items(iterable)?,
        None => Vec::new(),
    };
    let (mut n, mut d) = (BigInt::default(), BigInt::one());
    for item in &items {
        let f = number(m, &Args::new(vec![item.clone()]), 0)?;
        let Some((a, b)) = ratio(f) else { return Ok(Value::Float(f)) };
        n = n * &b + a * &d;
        d *= b;
        let g = n.gcd(&d);
        if !g.is_one() && g.is_positive() {
            n /= &g;
            d /= &g;
        }
    }
    m.binary(crate::compile::BinOp::Div, &Value::big(n), &Value::big(d))
}
