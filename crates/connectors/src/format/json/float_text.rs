//! Doubles and floats as Java shows them.

/// Java's `Double.toString`: `1.0`, `1.0E20`, `NaN`.
pub fn double_text(value: f64) -> String {
    if value.is_nan() || value.is_infinite() {
        return special(value.is_nan(), value < 0.0);
    }
    shaped(&format!("{value:e}"), value == 0.0)
}

/// Java's `Float.toString`.
pub fn float_text(value: f32) -> String {
    if value.is_nan() || value.is_infinite() {
        return special(value.is_nan(), value < 0.0);
    }
    shaped(&format!("{value:e}"), value == 0.0)
}

fn special(nan: bool, negative: bool) -> String {
    match (nan, negative) {
        (true, _) => "NaN".into(),
        (false, true) => "-Infinity".into(),
        (false, false) => "Infinity".into(),
    }
}

/// From the shortest digits with an exponent, `-1.25e-7`, to Java's form.
fn shaped(scientific: &str, zero: bool) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(|c| *c != '.').collect();
    if zero {
        return format!("{sign}0.0");
    }
    if (-3..7).contains(&exponent) {
        let (whole, fraction) = if exponent < 0 {
            ("0".to_owned(), format!("{}{digits}", "0".repeat((-exponent - 1) as usize)))
        } else {
            let width = exponent as usize + 1;
            let padded = format!("{digits:0<width$}");
            (padded[..width].to_owned(), padded[width..].to_owned())
        };
        let fraction = if fraction.is_empty() { "0" } else { &fraction };
        return format!("{sign}{whole}.{fraction}");
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{sign}{first}.{rest}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_java() {
        let table = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.001, "0.001"),
            (0.0001, "1.0E-4"),
            (1.5e-5, "1.5E-5"),
            (1_234_567.5, "1234567.5"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.25e20, "1.25E20"),
            (-123.0, "-123.0"),
            (f64::INFINITY, "Infinity"),
        ];
        for (value, expected) in table {
            assert_eq!(double_text(value), expected);
        }
        assert_eq!(float_text(123_456_789.125), "1.23456792E8");
    }
}
