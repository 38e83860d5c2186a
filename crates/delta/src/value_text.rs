//! Values as Java prints them: floats, decimals and times in statistics and partition values.

use chrono::DateTime;

/// A double as `Double.toString` prints it: `1.5`, `1.0E10`, `NaN`.
pub(crate) fn java_double(value: f64) -> String {
    if !value.is_finite() {
        return special(value);
    }
    layout(&format!("{value:e}"), value.abs())
}

/// A float as `Float.toString` prints it.
pub(crate) fn java_float(value: f32) -> String {
    if !value.is_finite() {
        return special(f64::from(value));
    }
    layout(&format!("{value:e}"), f64::from(value.abs()))
}

fn special(value: f64) -> String {
    if value.is_nan() {
        "NaN".into()
    } else if value > 0.0 {
        "Infinity".into()
    } else {
        "-Infinity".into()
    }
}

/// Turns the shortest digits, `1.25e-7`, into Java's layout.
fn layout(scientific: &str, magnitude: f64) -> String {
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, digits) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    if magnitude != 0.0 && !(1e-3..1e7).contains(&magnitude) {
        let point = if digits.contains('.') { "" } else { ".0" };
        return format!("{sign}{digits}{point}E{exponent}");
    }
    let plain: String = digits.chars().filter(|c| *c != '.').collect();
    if exponent < 0 {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{plain}");
    }
    let whole = exponent as usize + 1;
    if plain.len() <= whole {
        let zeros = "0".repeat(whole - plain.len());
        format!("{sign}{plain}{zeros}.0")
    } else {
        format!("{sign}{}.{}", &plain[..whole], &plain[whole..])
    }
}

/// A decimal in plain digits.
pub(crate) fn decimal(unscaled: i128, scale: i8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    let scale = usize::try_from(scale).unwrap_or(0);
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

/// Microseconds since the epoch in this form; the number itself beyond the calendar.
pub(crate) fn micros_text(micros: i64, form: &str) -> String {
    DateTime::from_timestamp_micros(micros).map_or_else(|| micros.to_string(), |t| t.format(form).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_java_prints_them() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (7.5, "7.5"),
            (100.0, "100.0"),
            (123_456.789, "123456.789"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.25e20, "1.25E20"),
            (0.001, "0.001"),
            (0.000_999, "9.99E-4"),
            (-2.5e-7, "-2.5E-7"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (value, expected) in cases {
            assert_eq!(java_double(value), expected);
        }
        assert_eq!(java_float(0.1), "0.1");
    }

    #[test]
    fn decimals_keep_their_scale() {
        let cases = [(150, 2, "1.50"), (-5, 2, "-0.05"), (0, 2, "0.00"), (42, 0, "42")];
        for (unscaled, scale, expected) in cases {
            assert_eq!(decimal(unscaled, scale), expected);
        }
    }
}
