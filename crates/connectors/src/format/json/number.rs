//! Numbers and bytes in JSON text.

/// An integer literal that fits eight bytes. The text is one that the lexer has taken.
pub fn parse_long(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() <= 18 {
        let value = digits.iter().fold(0_i64, |value, digit| value * 10 + i64::from(digit & 0x0F));
        return Some(if negative { -value } else { value });
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// A number literal as a double; too large ones are infinite. `-0` without a fraction is 0.
pub fn parse_double(text: &[u8], integer: bool) -> f64 {
    let long = if integer { parse_long(text) } else { None };
    match (long, text) {
        (Some(value), _) => value as f64,
        (None, b"NaN") => f64::NAN,
        (None, b"Infinity" | b"+Infinity" | b"+INF") => f64::INFINITY,
        (None, b"-Infinity" | b"-INF") => f64::NEG_INFINITY,
        (None, text) => as_text(text).parse().unwrap_or(f64::NAN),
    }
}

/// A number literal as a float, rounded once.
pub fn parse_float(text: &[u8], integer: bool) -> f32 {
    match parse_long(text).filter(|_| integer) {
        Some(value) => value as f32,
        None => match as_text(text).parse() {
            Ok(value) => value,
            Err(_) => parse_double(text, integer) as f32,
        },
    }
}

/// The strings that stand for a double where `allowNonNumericNumbers` is on.
pub fn non_numeric(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "+INF" | "+Infinity" | "Infinity" => Some(f64::INFINITY),
        "-INF" | "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn as_text(text: &[u8]) -> &str {
    std::str::from_utf8(text).unwrap_or("NaN")
}

/// Decimal text as an integer of scale `scale`, rounded half up; `None` when it is no number or has more than
/// `precision` digits.
pub fn parse_decimal(text: &str, precision: u8, scale: i8) -> Option<i128> {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        None => (text, 0),
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
    };
    let (negative, digits) = match mantissa.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    // The number is 0.d1 d2 d3 … times ten to the power of `point`.
    let whole = digits.iter().position(|b| *b == b'.').unwrap_or(digits.len());
    let mut count = 0;
    let mut value: i128 = 0;
    let keep = (whole as i64).checked_add(exponent)?.checked_add(i64::from(scale))?;
    let mut round_up = false;
    for (at, digit) in digits.iter().enumerate() {
        if at == whole {
            continue;
        }
        if !digit.is_ascii_digit() {
            return None;
        }
        if count < keep {
            value = value.checked_mul(10)?.checked_add(i128::from(digit & 0x0F))?;
        } else if count == keep {
            round_up = *digit >= b'5';
        }
        count += 1;
    }
    if count == 0 {
        return None;
    }
    if value != 0 {
        for _ in count..keep.max(count) {
            value = value.checked_mul(10)?;
        }
    }
    value += i128::from(round_up);
    let fits = value < 10_i128.checked_pow(u32::from(precision))?;
    fits.then_some(if negative { -value } else { value })
}

/// Base64 with its padding and nothing else.
pub fn parse_base64(text: &[u8]) -> Option<Vec<u8>> {
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.iter().rev().take_while(|b| **b == b'=').count();
    if padding > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    for four in text[..text.len() - padding].chunks(4) {
        let mut bits: u32 = 0;
        for index in 0..4 {
            bits = bits << 6 | four.get(index).map_or(Some(0), |b| sextet(*b))?;
        }
        out.extend_from_slice(&bits.to_be_bytes()[1..four.len()]);
    }
    Some(out)
}

fn sextet(byte: u8) -> Option<u32> {
    Some(match byte {
        b'A'..=b'Z' => u32::from(byte - b'A'),
        b'a'..=b'z' => u32::from(byte - b'a') + 26,
        b'0'..=b'9' => u32::from(byte - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Base64 with padding, as Spark writes binary values.
pub fn write_base64(bytes: &[u8], out: &mut Vec<u8>) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for index in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * index) & 63) as usize];
            out.push(if index <= three.len() { letter } else { b'=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        let table = [
            ("1.234", 5, 2, Some(123)),
            ("1.235", 5, 2, Some(124)),
            ("-1.235", 5, 2, Some(-124)),
            ("12345", 5, 2, None),
            ("999.995", 5, 2, None),
            ("1", 5, 2, Some(100)),
            ("1e5", 10, 2, Some(10_000_000)),
            ("1e-5", 10, 2, Some(0)),
            ("5e-3", 10, 2, Some(1)),
            ("12345e-2", 10, 2, Some(12345)),
            ("0e99", 10, 2, Some(0)),
            ("1e99", 38, 0, None),
            ("+.5", 10, 1, Some(5)),
            ("x", 10, 1, None),
            (".", 10, 1, None),
            ("", 10, 1, None),
            (
                "12345678901234567890123456789012345678",
                38,
                0,
                Some(12_345_678_901_234_567_890_123_456_789_012_345_678),
            ),
        ];
        for (text, precision, scale, expected) in table {
            assert_eq!(parse_decimal(text, precision, scale), expected, "{text}");
        }
    }

    #[test]
    fn integers_and_doubles() {
        assert_eq!(parse_long(b"9223372036854775807"), Some(i64::MAX));
        assert_eq!(parse_long(b"-9223372036854775808"), Some(i64::MIN));
        assert_eq!(parse_long(b"9223372036854775808"), None);
        assert_eq!(parse_double(b"1e400", false), f64::INFINITY);
        assert_eq!(parse_double(b"-0", true).to_bits(), 0.0_f64.to_bits());
        assert_eq!(parse_double(b"-0.0", false).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(parse_float(b"1e39", false), f32::INFINITY);
    }

    #[test]
    fn base64() {
        for (bytes, text) in
            [(&b"\x01\x02\x03"[..], "AQID"), (b"\x01", "AQ=="), (b"\x01\x02", "AQI="), (b"", "")]
        {
            let mut out = Vec::new();
            write_base64(bytes, &mut out);
            assert_eq!(out, text.as_bytes());
            assert_eq!(parse_base64(text.as_bytes()).as_deref(), Some(bytes));
        }
        for text in ["AQ", "A Q==", "????", "A==="] {
            assert_eq!(parse_base64(text.as_bytes()), None, "{text}");
        }
    }
}
