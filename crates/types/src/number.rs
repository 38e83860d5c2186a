//! The text of numbers, as Java prints them and Spark's cast to string gives it.

/// The text of a double: `8.0`, `1.0E10`, `NaN`, `Infinity`.
pub fn double_text(value: f64) -> String {
    java_text(value, &format!("{value:e}"))
}

/// The text of a float, with the digits that a float has.
pub fn float_text(value: f32) -> String {
    java_text(f64::from(value), &format!("{value:e}"))
}

/// Digits as Java lays them out: plain from 10⁻³ to 10⁷, else with an exponent.
fn java_text(value: f64, shortest: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let Some((mantissa, exponent)) = shortest.trim_start_matches('-').split_once('e') else {
        return shortest.to_owned();
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let magnitude = value.abs();
    if magnitude == 0.0 {
        return format!("{sign}0.0");
    }
    if (1e-3..1e7).contains(&magnitude) {
        return format!("{sign}{}", plain(&digits, exponent));
    }
    let fraction = if digits.len() > 1 { &digits[1..] } else { "0" };
    format!("{sign}{}.{fraction}E{exponent}", &digits[..1])
}

fn plain(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        return format!("{digits}{}.0", "0".repeat(whole - digits.len()));
    }
    format!("{}.{}", &digits[..whole], &digits[whole..])
}

/// The text of a decimal: all its digits, never an exponent.
pub fn decimal_text(unscaled: i128, scale: i8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    if scale <= 0 {
        let zeros = if unscaled == 0 { 0 } else { scale.unsigned_abs() as usize };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let scale = scale as usize;
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_in_java() {
        for (value, text) in [
            (8.0, "8.0"),
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (0.001, "0.001"),
            (0.000_99, "9.9E-4"),
            (1e7, "1.0E7"),
            (9_999_999.5, "9999999.5"),
            (1e10, "1.0E10"),
            (1.234e20, "1.234E20"),
            (123_456.789, "123456.789"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
            (1.333_333_333_333_333_3, "1.3333333333333333"),
            (f64::MAX, "1.7976931348623157E308"),
        ] {
            assert_eq!(double_text(value), text);
        }
        assert_eq!(float_text(0.1), "0.1");
        assert_eq!(float_text(3.402_823_5e38), "3.4028235E38");
        for (unscaled, scale, text) in [
            (12345, 2, "123.45"),
            (-5, 2, "-0.05"),
            (0, 2, "0.00"),
            (7, 0, "7"),
            (7, -2, "700"),
            (100, 3, "0.100"),
        ] {
            assert_eq!(decimal_text(unscaled, scale), text);
        }
    }
}
