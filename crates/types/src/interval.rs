//! Texts of calendar intervals: `5 minutes`, `1 day 2 hours`, `interval 10 seconds`, as delays, windows and triggers take them.

use crate::error::{ErrorClass, SparkError};

/// A calendar interval: its parts never convert into each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalendarInterval {
    /// Months; a year is twelve.
    pub months: i64,
    /// Days; a week is seven.
    pub days: i64,
    /// Microseconds.
    pub micros: i64,
}

impl CalendarInterval {
    /// The length in microseconds when there are no months: a day is 24 hours.
    pub fn micros_without_months(self) -> Option<i64> {
        (self.months == 0).then(|| self.days.checked_mul(86_400_000_000)?.checked_add(self.micros)).flatten()
    }
}

fn invalid(text: &str, kind: &str, detail: &str) -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        &format!("INVALID_INTERVAL_FORMAT.{kind}"),
        "22006",
        format!(
            "Error parsing '{text}' to interval. Please ensure that the value provided is in a valid format for \
             defining an interval. You can reference the documentation for the correct format. {detail}"
        ),
    )
}

/// Reads an interval.
///
/// Errors: `INVALID_INTERVAL_FORMAT.*`, as `IllegalArgumentException`.
/// Source: Spark `IntervalUtils.stringToInterval`.
pub fn parse(text: &str) -> Result<CalendarInterval, SparkError> {
    let lower = text.trim().to_lowercase();
    let body = match lower.strip_prefix("interval") {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest.trim(),
        _ => lower.as_str(),
    };
    if body.is_empty() {
        return Err(invalid(text, "INPUT_IS_EMPTY", "Interval string cannot be empty."));
    }
    let mut interval = CalendarInterval::default();
    let mut words = spread_signs(body).into_iter();
    while let Some(number) = words.next() {
        let digits = number.trim_start_matches(['+', '-']);
        let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
        if !plain || digits.matches('.').count() > 1 {
            return Err(invalid(text, "UNRECOGNIZED_NUMBER", &format!("Unrecognized number {number}.")));
        }
        let Some(unit) = words.next() else {
            return Err(invalid(
                text,
                "MISSING_UNIT",
                &format!("Expect a unit name after {number} but hit EOL."),
            ));
        };
        add(&mut interval, text, &number, &unit)?;
    }
    Ok(interval)
}

/// The words of a text; a sign that stands alone joins its number.
fn spread_signs(body: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in body.split_whitespace() {
        match words.last_mut() {
            Some(last) if last == "-" || last == "+" => last.push_str(word),
            _ => words.push(word.to_owned()),
        }
    }
    words
}

fn add(interval: &mut CalendarInterval, text: &str, number: &str, unit: &str) -> Result<(), SparkError> {
    let overflow = || invalid(text, "ARITHMETIC_EXCEPTION", "Uncaught arithmetic exception while parsing.");
    let singular = unit.strip_suffix('s').unwrap_or(unit);
    let scale_micros: i64 = match singular {
        "year" | "month" | "week" | "day" => 0,
        "hour" => 3_600_000_000,
        "minute" => 60_000_000,
        "second" => 1_000_000,
        "millisecond" => 1_000,
        "microsecond" => 1,
        _ => return Err(invalid(text, "INVALID_UNIT", &format!("Invalid unit '{unit}'."))),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if !fraction.is_empty() && singular != "second" {
        return Err(invalid(text, "INVALID_FRACTION", &format!("'{unit}' cannot have fractional part.")));
    }
    let count: i64 = match whole {
        "" | "+" | "-" => 0,
        digits => digits.parse().map_err(|_| overflow())?,
    };
    let plus = |to: &mut i64, by: i64| -> Result<(), SparkError> {
        *to = count.checked_mul(by).and_then(|v| to.checked_add(v)).ok_or_else(overflow)?;
        Ok(())
    };
    match singular {
        "year" => plus(&mut interval.months, 12),
        "month" => plus(&mut interval.months, 1),
        "week" => plus(&mut interval.days, 7),
        "day" => plus(&mut interval.days, 1),
        _ => {
            plus(&mut interval.micros, scale_micros)?;
            if fraction.is_empty() {
                return Ok(());
            }
            let micros: String = fraction.chars().chain("000000".chars()).take(6).collect();
            let micros: i64 = micros.parse().map_err(|_| overflow())?;
            interval.micros += if number.starts_with('-') { -micros } else { micros };
            Ok(())
        }
    }
}

/// The milliseconds of a trigger's text.
///
/// Errors: those of [`parse`]; months; a negative interval.
pub fn trigger_millis(text: &str) -> Result<i64, SparkError> {
    let interval = parse(text)?;
    let Some(micros) = interval.micros_without_months() else {
        return Err(SparkError::new(
            ErrorClass::IllegalArgument,
            "_LEGACY_ERROR_TEMP_3262",
            "",
            format!("Doesn't support month or year interval: {text}"),
        ));
    };
    if micros < 0 {
        return Err(SparkError::plain(
            ErrorClass::IllegalArgument,
            "requirement failed: the interval of trigger should not be negative",
        ));
    }
    Ok(micros / 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_their_parts() {
        for (text, months, days, micros) in [
            ("5 minutes", 0, 0, 300_000_000),
            ("interval 1 day 2 hours", 0, 1, 7_200_000_000),
            ("1 week", 0, 7, 0),
            ("1 year 1 month", 13, 0, 0),
            ("- 1 second", 0, 0, -1_000_000),
            ("1.5 seconds", 0, 0, 1_500_000),
            ("250 milliseconds", 0, 0, 250_000),
        ] {
            assert_eq!(parse(text), Ok(CalendarInterval { months, days, micros }), "{text}");
        }
    }

    #[test]
    fn bad_texts_are_named() {
        for (text, condition) in [
            ("abc", "INVALID_INTERVAL_FORMAT.UNRECOGNIZED_NUMBER"),
            ("5 fortnights", "INVALID_INTERVAL_FORMAT.INVALID_UNIT"),
            ("5", "INVALID_INTERVAL_FORMAT.MISSING_UNIT"),
            ("1.5 minutes", "INVALID_INTERVAL_FORMAT.INVALID_FRACTION"),
        ] {
            assert_eq!(parse(text).unwrap_err().condition.0, condition, "{text}");
        }
    }
}
