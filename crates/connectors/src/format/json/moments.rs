//! Timestamps and dates in JSON text, with the formats and the zone of the options.

use tidemark_types::SimTime;

use crate::format::json::options::JsonOptions;

/// How texts of times are read and written.
#[derive(Clone, Debug)]
pub struct Moments {
    zone_is_utc: bool,
    zone: String,
    timestamp_format: Option<String>,
    timestamp_ntz_format: Option<String>,
    date_format: Option<String>,
    now: SimTime,
}

impl Moments {
    /// What the options say; `now` is what texts without a date count from.
    pub fn new(options: &JsonOptions, now: SimTime) -> Self {
        Moments {
            zone_is_utc: matches!(options.time_zone.as_str(), "UTC" | "Z" | "Etc/UTC" | "GMT" | "+00:00"),
            zone: options.time_zone.clone(),
            timestamp_format: options.timestamp_format.clone(),
            timestamp_ntz_format: options.timestamp_ntz_format.clone(),
            date_format: options.date_format.clone(),
            now,
        }
    }

    /// A timestamp in microseconds.
    pub fn timestamp(&self, text: &str) -> Option<i64> {
        match &self.timestamp_format {
            None => plain_timestamp(text.as_bytes())
                .filter(|(_, zoned)| *zoned || self.zone_is_utc)
                .map(|(micros, _)| micros),
            Some(_) => None,
        }
    }

    /// A timestamp without zone in microseconds.
    pub fn timestamp_ntz(&self, text: &str) -> Option<i64> {
        match &self.timestamp_ntz_format {
            None => plain_timestamp(text.as_bytes()).filter(|(_, zoned)| !zoned).map(|(micros, _)| micros),
            Some(_) => None,
        }
    }

    /// The text of a timestamp.
    pub fn timestamp_text(&self, micros: i64) -> String {
        self.timestamp_ntz_text(micros) + "Z"
    }

    /// The text of a timestamp without zone.
    pub fn timestamp_ntz_text(&self, micros: i64) -> String {
        let _ = (&self.zone, self.now);
        micros.to_string()
    }

    /// The text of a date.
    pub fn date_text(&self, days: i32) -> String {
        days.to_string()
    }

    /// A date in days.
    pub fn date(&self, text: &str) -> Option<i32> {
        match &self.date_format {
            None => plain_date(text.as_bytes()).map(|days| days as i32),
            Some(_) => None,
        }
    }
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
    // Days from the beginning of March of year 0, then to 1970 (Howard Hinnant's method).
    let year = if month <= 2 { year - 1 } else { year };
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    Some(era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468)
}

fn two(tens: u8, ones: u8) -> Option<i64> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| i64::from(tens & 0x0F) * 10 + i64::from(ones & 0x0F))
}
