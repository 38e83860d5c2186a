//! Timestamps and dates in JSON text, with the formats and the zone of the options.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{Date32Type, TimestampMicrosecondType};
use tidemark_types::datetime_pattern::DateTimePattern;
use tidemark_types::timestamp::{date_text, parse_date, parse_timestamp, parse_timestamp_ntz};
use tidemark_types::{DataType, ErrorClass, SimTime, SparkError, Zone};

use crate::format::json::options::JsonOptions;

/// How texts of times are read and written.
#[derive(Clone, Debug)]
pub struct Moments {
    zone: Zone,
    timestamp: Format,
    timestamp_ntz: Format,
    date: Format,
    now_micros: i64,
}

/// How one kind of text is read.
#[derive(Clone, Debug)]
enum Format {
    /// As a cast reads it.
    Default,
    /// By one pattern alone.
    Pattern(DateTimePattern),
    /// By no pattern that there is: never.
    Never,
}

impl Format {
    fn new(pattern: Option<&String>) -> Self {
        match pattern.map(|text| DateTimePattern::compile(text)) {
            None => Format::Default,
            Some(Ok(pattern)) => Format::Pattern(pattern),
            Some(Err(_)) => Format::Never,
        }
    }
}

/// The zone of a name.
///
/// Errors: `INVALID_TIMEZONE`.
pub fn parse_zone(name: &str) -> Result<Zone, SparkError> {
    Zone::parse(name).ok_or_else(|| {
        SparkError::new(
            ErrorClass::DateTime,
            "INVALID_TIMEZONE",
            "22009",
            format!(
                "The timezone: {name} is invalid. The timezone must be either a region-based zone ID or a zone offset. \
                 Region IDs must have the form 'area/city', such as 'America/Los_Angeles'. Zone offsets must be in the \
                 format '(+|-)HH', '(+|-)HH:mm’ or '(+|-)HH:mm:ss', e.g '-08' , '+01:00' or '-13:33:33', and must be in the \
                 range from -18:00 to +18:00. 'Z' and 'UTC' are accepted as synonyms for '+00:00'."
            ),
        )
        .with_parameter("timeZone", name)
    })
}

impl Moments {
    /// What the options say; `now` is what texts without a date count from.
    pub fn new(options: &JsonOptions, now: SimTime) -> Self {
        Moments {
            zone: Zone::parse(&options.time_zone).unwrap_or(Zone::UTC),
            timestamp: Format::new(options.timestamp_format.as_ref()),
            timestamp_ntz: Format::new(options.timestamp_ntz_format.as_ref()),
            date: Format::new(options.date_format.as_ref()),
            now_micros: now.0 * 1000,
        }
    }

    /// A timestamp in microseconds.
    pub fn timestamp(&self, text: &str) -> Option<i64> {
        match &self.timestamp {
            Format::Default => match plain_timestamp(text.as_bytes()) {
                Some((micros, true)) => Some(micros),
                Some((micros, false)) if self.zone == Zone::UTC => Some(micros),
                _ => parse_timestamp(text, self.zone, self.now_micros),
            },
            Format::Pattern(pattern) => pattern.parse_timestamp(text, self.zone),
            Format::Never => None,
        }
    }

    /// A timestamp without zone in microseconds.
    pub fn timestamp_ntz(&self, text: &str) -> Option<i64> {
        match &self.timestamp_ntz {
            Format::Default => parse_timestamp_ntz(text),
            Format::Pattern(pattern) => pattern.parse_timestamp_ntz(text),
            Format::Never => None,
        }
    }

    /// A date in days; by default a number too long for a year counts days itself.
    pub fn date(&self, text: &str) -> Option<i32> {
        match &self.date {
            Format::Default => parse_date(text).or_else(|| text.parse().ok()),
            Format::Pattern(pattern) => pattern.parse_date(text),
            Format::Never => None,
        }
    }

    /// The text of a timestamp.
    pub fn timestamp_text(&self, micros: i64) -> String {
        match &self.timestamp {
            Format::Pattern(pattern) => pattern.timestamp_text(micros, self.zone),
            _ => {
                let offset = self.zone.offset_seconds(micros);
                let mut text = milliseconds_text(micros + i64::from(offset) * 1_000_000);
                match offset {
                    0 => text.push('Z'),
                    _ => {
                        let all = offset.unsigned_abs();
                        let sign = if offset < 0 { '-' } else { '+' };
                        text.push_str(&format!("{sign}{:02}:{:02}", all / 3600, all / 60 % 60));
                    }
                }
                text
            }
        }
    }

    /// The text of a date or timestamp in a column, `None` for null.
    pub fn cell_text(&self, column: &dyn Array, data_type: &DataType, row: usize) -> Option<String> {
        if column.is_null(row) {
            return None;
        }
        Some(match data_type {
            DataType::Date => self.date_text(column.as_primitive::<Date32Type>().value(row)),
            DataType::Timestamp => {
                self.timestamp_text(column.as_primitive::<TimestampMicrosecondType>().value(row))
            }
            _ => self.timestamp_ntz_text(column.as_primitive::<TimestampMicrosecondType>().value(row)),
        })
    }

    /// The text of a timestamp without zone.
    pub fn timestamp_ntz_text(&self, micros: i64) -> String {
        match &self.timestamp_ntz {
            Format::Pattern(pattern) => pattern.timestamp_ntz_text(micros),
            _ => milliseconds_text(micros),
        }
    }

    /// The text of a date.
    pub fn date_text(&self, days: i32) -> String {
        match &self.date {
            Format::Pattern(pattern) => pattern.date_text(days),
            _ => date_text(days),
        }
    }
}

/// `2026-01-01T10:02:00.000`
fn milliseconds_text(micros: i64) -> String {
    let (days, rest) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
    let millis = rest / 1000;
    let (hours, minutes, seconds) = (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
    format!("{}T{hours:02}:{minutes:02}:{seconds:02}.{:03}", date_text(days as i32), millis % 1000)
}

/// The one form that nearly all data have, `2026-01-01T10:02:00[.fraction][Z]`, and whether it ends with `Z`.
fn plain_timestamp(text: &[u8]) -> Option<(i64, bool)> {
    let (date, time) = text.split_at_checked(10)?;
    let days = plain_date(date)?;
    let [b'T' | b' ', h, i, b':', m, n, b':', s, t, rest @ ..] = time else { return None };
    let (hour, minute, second) = (two(*h, *i)?, two(*m, *n)?, two(*s, *t)?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (rest, zoned) = match rest {
        [rest @ .., b'Z'] => (rest, true),
        rest => (rest, false),
    };
    let micros = match rest {
        [] => 0,
        [b'.', digits @ ..] if (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit) => {
            (0..6).fold(0, |value, at| value * 10 + digits.get(at).map_or(0, |digit| i64::from(digit & 0x0F)))
        }
        _ => return None,
    };
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second;
    Some((seconds * 1_000_000 + micros, zoned))
}

/// `2026-01-01` in days since 1970-01-01.
fn plain_date(text: &[u8]) -> Option<i64> {
    let [a, b, c, d, b'-', e, f, b'-', g, h] = text else { return None };
    let (year, month, day) = (two(*a, *b)? * 100 + two(*c, *d)?, two(*e, *f)?, two(*g, *h)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return None,
    };
    if day == 0 || day > length {
        return None;
    }
    // Years begin in March, so that a leap day is the last of its year; 719468 days lead from there to 1970.
    let year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    (tens.is_ascii_digit() && ones.is_ascii_digit())
        .then(|| i64::from(tens & 0x0F) * 10 + i64::from(ones & 0x0F))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_way_agrees() {
        let table = [
            "2024-01-02T03:04:05Z",
            "2024-02-29 23:59:59.123456789Z",
            "1969-12-31T23:59:59.9Z",
            "0001-01-01T00:00:00Z",
            "2100-02-29T00:00:00Z",
            "2000-02-29T00:00:00.5Z",
            "2024-13-01T00:00:00Z",
            "9999-12-31T23:59:59Z",
        ];
        for text in table {
            let slow = parse_timestamp(text, Zone::UTC, 0);
            assert_eq!(plain_timestamp(text.as_bytes()).map(|(micros, _)| micros), slow, "{text}");
        }
    }
}
