//! Dates and timestamps from text and back, by the rules of Spark's casts.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::zone::Zone;

/// The days from 0001-01-01 to 1970-01-01.
const EPOCH_FROM_CE: i32 = 719_163;

/// The date of a text, in days since the epoch: `2024`, `2024-1`, `2024-01-02`, and whatever follows a blank or `T`.
pub fn parse_date(text: &str) -> Option<i32> {
    let bytes = trimmed(text).as_bytes();
    let (sign, mut at) = sign_of(bytes);
    let mut segments = [1_i64, 1, 1];
    let (mut segment, mut value, mut digits) = (0, 0_i64, 0);
    while at < bytes.len() && !matches!(bytes[at], b' ' | b'T') {
        match bytes[at] {
            b'-' if segment < 2 => {
                date_digits(segment, digits)?;
                segments[segment] = value;
                (segment, value, digits) = (segment + 1, 0, 0);
            }
            b @ b'0'..=b'9' => {
                value = value.checked_mul(10)?.checked_add(i64::from(b - b'0'))?;
                digits += 1;
            }
            _ => return None,
        }
        at += 1;
    }
    date_digits(segment, digits)?;
    if segment < 2 && at < bytes.len() {
        return None;
    }
    segments[segment] = value;
    days(sign * segments[0], segments[1], segments[2])
}

/// The instant of a text in microseconds; a text without a zone is in `zone`, one without a date is on the day of
/// `now_micros`.
pub fn parse_timestamp(text: &str, zone: Zone, now_micros: i64) -> Option<i64> {
    let parsed = split(text)?;
    let zone = match &parsed.zone {
        Some(name) => Zone::parse(name)?,
        None => zone,
    };
    let date = match parsed.date {
        Some((year, month, day)) => from_ymd(year, month, day)?,
        None => zone.local(now_micros)?.date(),
    };
    let at = zone.instant_micros(NaiveDateTime::new(date, parsed.time()?)) + parsed.micros;
    Some(at)
}

/// The wall clock time of a text in microseconds; a text with a zone or without a date has none.
pub fn parse_timestamp_ntz(text: &str) -> Option<i64> {
    let parsed = split(text)?;
    if parsed.zone.is_some() {
        return None;
    }
    wall_clock(&parsed)
}

/// The wall clock time of a text as a cast reads it: a zone is left out, a text without a date has none.
pub fn cast_timestamp_ntz(text: &str) -> Option<i64> {
    wall_clock(&split(text)?)
}

fn wall_clock(parsed: &Parsed) -> Option<i64> {
    let (year, month, day) = parsed.date?;
    let local = NaiveDateTime::new(from_ymd(year, month, day)?, parsed.time()?);
    Some(local.and_utc().timestamp_micros() + parsed.micros)
}

/// A text cut into its numbers.
struct Parsed {
    date: Option<(i64, i64, i64)>,
    hour: i64,
    minute: i64,
    second: i64,
    micros: i64,
    zone: Option<String>,
}

impl Parsed {
    fn time(&self) -> Option<NaiveTime> {
        NaiveTime::from_hms_opt(self.hour as u32, self.minute as u32, self.second as u32)
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c.is_control())
}

fn sign_of(bytes: &[u8]) -> (i64, usize) {
    match bytes.first() {
        Some(b'-') => (-1, 1),
        Some(b'+') => (1, 1),
        _ => (1, 0),
    }
}

/// How many digits each part may have: 4 to 7 in a date's year, one or two elsewhere.
fn date_digits(segment: usize, digits: usize) -> Option<()> {
    let good = if segment == 0 { (4..=7).contains(&digits) } else { digits == 1 || digits == 2 };
    good.then_some(())
}

/// Segments are year, month, day, hour, minute, second, fraction, zone.
fn timestamp_digits(segment: usize, digits: usize) -> Option<()> {
    let good = match segment {
        0 => (4..=6).contains(&digits),
        6 => true,
        7 => digits <= 2,
        _ => digits == 1 || digits == 2,
    };
    good.then_some(())
}

fn split(text: &str) -> Option<Parsed> {
    let text = trimmed(text);
    let bytes = text.as_bytes();
    let (sign, mut at) = sign_of(bytes);
    let signed = at > 0;
    let mut segments = [1_i64, 1, 1, 0, 0, 0, 0, 0];
    let (mut segment, mut value, mut digits, mut just_time) = (0, 0_i64, 0, false);
    let mut zone = None;
    if bytes.len() == at {
        return None;
    }
    while at < bytes.len() {
        let b = bytes[at];
        if b.is_ascii_digit() {
            if segment != 6 || digits < 6 {
                value = value.checked_mul(10)?.checked_add(i64::from(b - b'0'))?;
            }
            digits += 1;
            at += 1;
            continue;
        }
        if at == 0 && b == b'T' {
            just_time = true;
            segment = 3;
            at += 1;
            continue;
        }
        let next = match (segment, b) {
            (0 | 1, b'-') | (2, b' ' | b'T') | (3 | 4, b':') => segment + 1,
            (0, b':') if !signed => {
                just_time = true;
                segment = 3;
                4
            }
            (5, b'.') => 6,
            (5 | 6, _) => {
                zone = Some(text.get(at..)?.to_owned());
                7
            }
            _ => return None,
        };
        timestamp_digits(segment, digits)?;
        segments[segment] = fraction(segment, value, digits);
        (segment, value, digits) = (next, 0, 0);
        if zone.is_some() {
            break;
        }
        at += 1;
    }
    timestamp_digits(segment, digits)?;
    segments[segment] = fraction(segment, value, digits);
    let [year, month, day, hour, minute, second, micros, _] = segments;
    let date = (!just_time).then_some((sign * year, month, day));
    Some(Parsed { date, hour, minute, second, micros, zone })
}

/// The fraction of a second becomes microseconds.
fn fraction(segment: usize, value: i64, digits: usize) -> i64 {
    if segment == 6 { value * 10_i64.pow(6 - digits.min(6) as u32) } else { value }
}

fn from_ymd(year: i64, month: i64, day: i64) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month as u32, day as u32)
}

fn days(year: i64, month: i64, day: i64) -> Option<i32> {
    // The calendar repeats every 400 years; years beyond chrono's reach are folded into it.
    let folded = year.rem_euclid(400);
    let date = NaiveDate::from_ymd_opt(folded as i32 + 2000, month as u32, day as u32)?;
    let cycles = (year - folded - 2000) / 400;
    i32::try_from(i64::from(date.num_days_from_ce() - EPOCH_FROM_CE) + cycles * 146_097).ok()
}

/// The text of a date: `2024-01-02`, `+10000-01-01`.
pub fn date_text(days: i32) -> String {
    match NaiveDate::from_num_days_from_ce_opt(days.saturating_add(EPOCH_FROM_CE)) {
        Some(date) => format!("{}-{:02}-{:02}", year_text(date.year()), date.month(), date.day()),
        None => days.to_string(),
    }
}

pub(crate) fn year_text(year: i32) -> String {
    match year {
        0..=9999 => format!("{year:04}"),
        10_000.. => format!("+{year}"),
        _ => format!("-{:04}", year.unsigned_abs()),
    }
}

/// The text of an instant in a zone: `2024-01-02 03:04:05.5`, the fraction without zeros at its end.
pub fn timestamp_text(micros: i64, zone: Zone) -> String {
    match zone.local(micros) {
        Some(local) => local_text(local),
        None => micros.to_string(),
    }
}

/// The text of a wall clock time.
pub fn timestamp_ntz_text(micros: i64) -> String {
    timestamp_text(micros, Zone::UTC)
}

fn local_text(local: NaiveDateTime) -> String {
    let mut text = format!(
        "{}-{:02}-{:02} {:02}:{:02}:{:02}",
        year_text(local.year()),
        local.month(),
        local.day(),
        local.hour(),
        local.minute(),
        local.second()
    );
    let micros = local.nanosecond() / 1000;
    if micros > 0 {
        let fraction = format!("{micros:06}");
        text.push('.');
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_767_268_800_000_000; // 2026-01-01T12:00:00Z

    fn round(text: &str, zone: &str) -> Option<String> {
        let zone = Zone::parse(zone).expect("the zone is known");
        parse_timestamp(text, zone, NOW).map(|t| timestamp_text(t, Zone::UTC))
    }

    #[test]
    fn timestamps_are_read_as_spark_casts_them() {
        for (text, utc) in [
            ("2024-01-02 03:04:05", Some("2024-01-02 03:04:05")),
            ("2024-01-02T03:04:05", Some("2024-01-02 03:04:05")),
            ("2024-01-02T03:04:05Z", Some("2024-01-02 03:04:05")),
            ("2024-01-02T03:04:05.678+02:00", Some("2024-01-02 01:04:05.678")),
            ("2024-01-02T03:04:05+0200", Some("2024-01-02 01:04:05")),
            ("2024-01-02T03:04:05+02", Some("2024-01-02 01:04:05")),
            ("2024-01-02T03:04:05 Europe/Paris", Some("2024-01-02 02:04:05")),
            ("2024-01-02T03:04:05.123456789Z", Some("2024-01-02 03:04:05.123456")),
            ("2024-01-02T03:04", Some("2024-01-02 03:04:00")),
            ("2024-01-02 3:4:5", Some("2024-01-02 03:04:05")),
            ("2024-1-2", Some("2024-01-02 00:00:00")),
            ("2024-01", Some("2024-01-01 00:00:00")),
            ("2024", Some("2024-01-01 00:00:00")),
            ("03:04:05", Some("2026-01-01 03:04:05")),
            ("T03:04", Some("2026-01-01 03:04:00")),
            ("  2024-01-02 03:04:05\t", Some("2024-01-02 03:04:05")),
            ("0001-01-01 00:00:00", Some("0001-01-01 00:00:00")),
            ("+10000-01-01 00:00:00", Some("+10000-01-01 00:00:00")),
            ("02/01/2024 03:04", None),
            ("20240102", None),
            ("1704164645", None),
            ("", None),
            ("now", None),
            ("2024-02-30 00:00:00", None),
            ("2024-01-02 25:00:00", None),
            ("2024-01-02t03:04:05", None),
            ("2024-01-02T03:04:05z", None),
            ("2024-01-02T03:04:05 Nowhere/Land", None),
        ] {
            assert_eq!(round(text, "UTC").as_deref(), utc, "{text}");
        }
        assert_eq!(round("2024-07-01 12:00:00", "America/New_York").as_deref(), Some("2024-07-01 16:00:00"));
        assert_eq!(round("2024-03-10 02:30:00", "America/New_York").as_deref(), Some("2024-03-10 07:30:00"));
        assert_eq!(round("2024-11-03 01:30:00", "America/New_York").as_deref(), Some("2024-11-03 05:30:00"));
        assert_eq!(parse_timestamp_ntz("2024-01-02T03:04:05Z"), None);
        assert_eq!(
            parse_timestamp_ntz("2024-01-02").map(timestamp_ntz_text).as_deref(),
            Some("2024-01-02 00:00:00")
        );
    }

    #[test]
    fn dates_are_read_as_spark_casts_them() {
        for (text, date) in [
            ("2024-01-02", Some("2024-01-02")),
            ("2024-1-2", Some("2024-01-02")),
            ("2024-01", Some("2024-01-01")),
            ("2024", Some("2024-01-01")),
            ("2024-01-02 10:00:00", Some("2024-01-02")),
            ("2024-01-02Tx", Some("2024-01-02")),
            ("19724", Some("+19724-01-01")),
            ("-0044-03-15", Some("-0044-03-15")),
            ("2024-02-30", None),
            ("2024-01 x", None),
            ("24-01-02", None),
            ("", None),
            ("abc", None),
        ] {
            assert_eq!(parse_date(text).map(date_text).as_deref(), date, "{text}");
        }
    }
}
