//! Times as the pictures write them: as short as the picture allows.

use crate::time::SimTime;

/// How times are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// With month and day.
    pub days: bool,
    /// With seconds.
    pub seconds: bool,
}

impl Clock {
    /// Short enough for these times, in milliseconds.
    pub fn of(times: impl Iterator<Item = i64>) -> Clock {
        let mut clock = Clock::default();
        let mut first_day = None;
        for time in times {
            clock.seconds |= time.rem_euclid(60_000) != 0;
            let day = time.div_euclid(86_400_000);
            clock.days |= *first_day.get_or_insert(day) != day;
        }
        clock
    }

    /// `10:08`, with seconds or a date where the picture has them.
    pub fn text(self, millis: i64) -> String {
        let iso = iso(millis);
        let clock = iso.get(11..if self.seconds { 19 } else { 16 }).unwrap_or(&iso);
        match iso.get(5..10) {
            Some(day) if self.days => format!("{day} {clock}"),
            _ => clock.to_owned(),
        }
    }

    /// `[10:00, 10:10)`.
    pub fn window(self, start: i64, end: i64) -> String {
        format!("[{}, {})", self.text(start), self.text(end))
    }
}

/// `2026-01-01T10:08:00.000Z`.
pub fn iso(millis: i64) -> String {
    SimTime(millis).iso()
}

/// `5 minutes`, `90 seconds`, `2 hours`.
pub fn length(millis: i64) -> String {
    let (count, unit) = match millis {
        m if m != 0 && m % 86_400_000 == 0 => (m / 86_400_000, "day"),
        m if m != 0 && m % 3_600_000 == 0 => (m / 3_600_000, "hour"),
        m if m != 0 && m % 60_000 == 0 => (m / 60_000, "minute"),
        m if m % 1000 == 0 => (m / 1000, "second"),
        m => (m, "millisecond"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// The time that a text of a row names, in UTC: date and clock, with or without seconds and their fraction.
pub fn parse(text: &str) -> Option<i64> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let sign = |at: usize| text.as_bytes().get(at).copied();
    if sign(4)? != b'-' || sign(7)? != b'-' || !matches!(sign(10)?, b'T' | b' ') || sign(13)? != b':' {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let second = if sign(16) == Some(b':') { number(17, 19)? } else { 0 };
    let milli = if sign(19) == Some(b'.') { number(20, 23)? } else { 0 };
    // Days since the epoch by the civil calendar: March is the first month, so that the leap day is the last of a year.
    let shifted = year - i64::from(month <= 2);
    let era = shifted.div_euclid(400);
    let of_era = shifted.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(((days * 24 + number(11, 13)?) * 60 + number(14, 16)?) * 60_000 + second * 1000 + milli)
}

#[cfg(test)]
mod tests {
    use super::{Clock, iso, length, parse};

    #[test]
    fn what_is_parsed_is_what_is_written() {
        for text in ["2026-01-01T10:02:00.000Z", "2024-02-29T23:59:59.999Z", "1969-12-31T00:00:00.000Z"] {
            assert_eq!(parse(text).map(iso).as_deref(), Some(text));
        }
        assert_eq!(parse("2026-01-01 10:02"), parse("2026-01-01T10:02:00"));
        assert_eq!(parse("tomorrow, at ten o'clock"), None);
    }

    #[test]
    fn times_are_as_short_as_the_picture_allows() {
        let at = |text: &str| parse(text).expect("a time of the table");
        let (ten, later) = (at("2026-01-01T10:00:00"), at("2026-01-02T10:00:30"));
        assert_eq!(Clock::of([ten].into_iter()).text(ten), "10:00");
        assert_eq!(Clock::of([ten, later].into_iter()).text(later), "01-02 10:00:30");
        assert_eq!(
            (length(300_000), length(3_600_000), length(90_000)),
            ("5 minutes".into(), "1 hour".into(), "90 seconds".into())
        );
    }
}
