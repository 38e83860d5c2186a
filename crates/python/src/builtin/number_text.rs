//! Numbers as text and back.

use num_bigint::BigInt;
use num_traits::Num as _;

/// The shortest text that reads back as the same float, as Python writes it.
pub(crate) fn float_repr(f: f64) -> String {
    if f.is_nan() {
        return "nan".to_owned();
    }
    if f.is_infinite() {
        return if f > 0.0 { "inf".to_owned() } else { "-inf".to_owned() };
    }
    let (negative, digits, exponent) = shortest(f);
    let sign = if negative { "-" } else { "" };
    if (-4..16).contains(&exponent) {
        return format!("{sign}{}", positional(&digits, exponent, true));
    }
    format!("{sign}{}", scientific(&digits, exponent))
}

/// Sign, shortest digits without the point, and the exponent of the first digit.
pub(crate) fn shortest(f: f64) -> (bool, String, i32) {
    let text = format!("{:e}", f.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (f.is_sign_negative(), mantissa.replace('.', ""), exponent.parse().unwrap_or(0))
}

pub(crate) fn positional(digits: &str, exponent: i32, point: bool) -> String {
    let count = digits.len() as i32;
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    if count > exponent + 1 {
        let (whole, part) = digits.split_at(exponent as usize + 1);
        return format!("{whole}.{part}");
    }
    let zeros = "0".repeat((exponent + 1 - count) as usize);
    format!("{digits}{zeros}{}", if point { ".0" } else { "" })
}

pub(crate) fn scientific(digits: &str, exponent: i32) -> String {
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { String::new() } else { format!(".{rest}") };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}e{sign}{:02}", exponent.abs())
}

/// A float without `.0`, as parts of complex numbers show.
fn short(f: f64) -> String {
    let text = float_repr(f);
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The repr of a complex number.
pub(crate) fn complex_repr(r: f64, i: f64) -> String {
    if r == 0.0 && !r.is_sign_negative() {
        return format!("{}j", short(i));
    }
    let sign = if i.is_sign_negative() { "" } else { "+" };
    format!("({}{sign}{}j)", short(r), short(i))
}

fn clean_digits(text: &str) -> Option<String> {
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    Some(text.replace('_', ""))
}

/// Reads an integer as `int(text, base)` does.
pub(crate) fn parse_int(text: &str, base: u32) -> Option<BigInt> {
    let trimmed = text.trim();
    let (negative, body) = match trimmed.as_bytes().first()? {
        b'-' => (true, &trimmed[1..]),
        b'+' => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let lower = body.to_ascii_lowercase();
    let prefix = match lower.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 0,
    };
    let (digits, base) = if prefix != 0 && (base == prefix || base == 0) {
        (lower[2..].strip_prefix('_').unwrap_or(&lower[2..]).to_owned(), prefix)
    } else if base == 0 {
        if lower.len() > 1 && lower.starts_with('0') && lower.bytes().any(|b| b != b'0' && b != b'_') {
            return None;
        }
        (lower, 10)
    } else {
        (lower, base)
    };
    let digits: String = clean_digits(&digits)?
        .chars()
        .map(|c| if c.is_ascii() { Some(c) } else { c.to_digit(10).and_then(|d| char::from_digit(d, 10)) })
        .collect::<Option<String>>()?;
    if digits.is_empty() || digits.starts_with(['+', '-']) {
        return None;
    }
    let number = BigInt::from_str_radix(&digits, base).ok()?;
    Some(if negative { -number } else { number })
}

/// Reads a float as `float(text)` does.
pub(crate) fn parse_float(text: &str) -> Option<f64> {
    let trimmed = text.trim();
    let lower = trimmed.to_ascii_lowercase();
    let body = lower.trim_start_matches(['+', '-']);
    if lower.len() - body.len() > 1 {
        return None;
    }
    let negative = lower.starts_with('-');
    let size = match body {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => {
            if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
                return None;
            }
            let around = body.as_bytes();
            for (at, b) in around.iter().enumerate() {
                let digit = |i: Option<usize>| i.and_then(|i| around.get(i)).is_some_and(u8::is_ascii_digit);
                if *b == b'_' && !(digit(at.checked_sub(1)) && digit(Some(at + 1))) {
                    return None;
                }
            }
            body.replace('_', "").parse().ok()?
        }
    };
    Some(if negative { -size } else { size })
}
