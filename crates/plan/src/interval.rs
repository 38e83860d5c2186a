//! Intervals from text: `10 minutes`, `1 day 2 hours`.

use tidemark_types::{ErrorClass, SparkError};

use crate::error::analysis;

/// Microseconds of a day.
pub const DAY_MICROS: i64 = 86_400_000_000;

/// Days that a month counts where it must be a time: in a watermark's delay.
const MONTH_DAYS: i64 = 31;

/// An interval of the calendar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Months.
    pub months: i64,
    /// Days.
    pub days: i64,
    /// Microseconds.
    pub micros: i64,
}

impl Interval {
    /// Days and microseconds as microseconds.
    pub fn total_micros(self) -> i64 {
        self.days * DAY_MICROS + self.micros
    }

    /// All of it as microseconds, a month being 31 days.
    pub fn total_micros_with_months(self) -> i64 {
        self.months * MONTH_DAYS * DAY_MICROS + self.total_micros()
    }
}

/// Microseconds in a unit, or months; `None` for an unknown word.
// tidy: table
fn unit(word: &str) -> Option<(i64, i64, i64)> {
    Some(match word {
        "year" | "years" => (12, 0, 0),
        "month" | "months" => (1, 0, 0),
        "week" | "weeks" => (0, 7, 0),
        "day" | "days" => (0, 1, 0),
        "hour" | "hours" => (0, 0, 3_600_000_000),
        "minute" | "minutes" => (0, 0, 60_000_000),
        "second" | "seconds" => (0, 0, 1_000_000),
        "millisecond" | "milliseconds" => (0, 0, 1000),
        "microsecond" | "microseconds" => (0, 0, 1),
        _ => return None,
    })
}

/// The interval that a text means; errors are `INVALID_INTERVAL_FORMAT.*` as `trigger` raises them.
pub fn parse_interval(text: &str) -> Result<Interval, SparkError> {
    let lower = text.trim().to_lowercase();
    let body =
        lower.strip_prefix("interval").filter(|rest| rest.starts_with(char::is_whitespace)).unwrap_or(&lower);
    let words: Vec<&str> = body.split_whitespace().collect();
    if words.is_empty() {
        return Err(invalid(text, "INPUT_IS_EMPTY", "Interval string cannot be empty."));
    }
    let mut interval = Interval::default();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next() {
        // A sign may stand alone before its number.
        let joined = if word == "-" || word == "+" {
            format!("{word}{}", words.next().unwrap_or(""))
        } else {
            word.to_owned()
        };
        let (negative, digits) = match joined.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, joined.strip_prefix('+').unwrap_or(&joined)),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let numeric = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if digits.is_empty()
            || !numeric(whole)
            || !numeric(fraction)
            || whole.is_empty() && fraction.is_empty()
        {
            return Err(invalid(text, "UNRECOGNIZED_NUMBER", &format!("Unrecognized number {joined}.")));
        }
        let Some(name) = words.next() else {
            return Err(invalid(
                text,
                "MISSING_UNIT",
                &format!("Expect a unit name after {joined} but hit EOL."),
            ));
        };
        let Some((months, days, micros)) = unit(name) else {
            return Err(invalid(text, "INVALID_UNIT", &format!("Invalid unit {name}.")));
        };
        let sign = if negative { -1 } else { 1 };
        let count: i64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| overflow(text))? };
        let add = |total: i64, unit: i64| {
            count
                .checked_mul(unit)
                .and_then(|v| v.checked_mul(sign))
                .and_then(|v| total.checked_add(v))
                .ok_or_else(|| overflow(text))
        };
        interval.months = add(interval.months, months)?;
        interval.days = add(interval.days, days)?;
        interval.micros = add(interval.micros, micros)?;
        if !fraction.is_empty() {
            if micros != 1_000_000 {
                return Err(invalid(
                    text,
                    "INVALID_FRACTION",
                    &format!("{name} cannot have fractional part."),
                ));
            }
            let digits = format!("{fraction:0<6}");
            interval.micros += sign * digits[..6].parse::<i64>().unwrap_or(0);
        }
    }
    Ok(interval)
}

/// The interval of a window's duration or a watermark's delay; errors are `CANNOT_PARSE_INTERVAL`.
pub fn parse_duration(text: &str) -> Result<Interval, SparkError> {
    parse_interval(text).map_err(|_| {
        analysis(
            "CANNOT_PARSE_INTERVAL",
            "22006",
            format!(
                "Unable to parse '{text}'. Please ensure that the value provided is in a valid format for defining an interval. You can reference the documentation for the correct format. If the issue persists, please double check that the input value is not null or empty and try again."
            ),
        )
        .with_parameter("intervalString", format!("'{text}'"))
    })
}

fn invalid(text: &str, condition: &str, reason: &str) -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        &format!("INVALID_INTERVAL_FORMAT.{condition}"),
        "22006",
        format!(
            "Error parsing '{text}' to interval. Please ensure that the value provided is in a valid format for defining an interval. You can reference the documentation for the correct format. {reason}"
        ),
    )
    .with_parameter("input", format!("'{text}'"))
}

fn overflow(text: &str) -> SparkError {
    invalid(text, "ARITHMETIC_EXCEPTION", "Uncaught arithmetic exception while parsing.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals() {
        for (text, months, days, micros) in [
            ("10 minutes", 0, 0, 600_000_000),
            ("1 day 2 hours", 0, 1, 7_200_000_000),
            ("interval 1 week", 0, 7, 0),
            ("-5 minutes", 0, 0, -300_000_000),
            ("- 5 Minutes", 0, 0, -300_000_000),
            ("1.5 seconds", 0, 0, 1_500_000),
            ("1 month", 1, 0, 0),
            ("0 seconds", 0, 0, 0),
        ] {
            assert_eq!(parse_interval(text), Ok(Interval { months, days, micros }), "{text}");
        }
        for (text, condition) in [
            ("soon", "INVALID_INTERVAL_FORMAT.UNRECOGNIZED_NUMBER"),
            ("", "INVALID_INTERVAL_FORMAT.INPUT_IS_EMPTY"),
            ("5", "INVALID_INTERVAL_FORMAT.MISSING_UNIT"),
            ("5 parsecs", "INVALID_INTERVAL_FORMAT.INVALID_UNIT"),
        ] {
            assert_eq!(parse_interval(text).expect_err("the text is bad").condition.0, condition, "{text}");
        }
        assert_eq!(parse_duration("abc").expect_err("the text is bad").condition.0, "CANNOT_PARSE_INTERVAL");
    }
}
