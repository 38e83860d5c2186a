//! The rule of a zone for the years to come, in the form of POSIX: `CET-1CEST,M3.5.0,M10.5.0/3`.

use chrono::{DateTime, Datelike, NaiveDate};

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Seconds east of UTC in winter.
    standard: i32,
    /// Seconds east of UTC in summer, when it begins, and when it ends.
    summer: Option<(i32, Turn, Turn)>,
}

/// When clocks turn: a day of the year, and seconds after its midnight in local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    day: Day,
    seconds: i64,
}

/// A day of the year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    /// `M3.5.0`: the fifth, that is the last, Sunday of March.
    Weekday { month: u32, week: u32, weekday: u32 },
    /// `J60`: a day of the year from 1, the 29th of February left out.
    Julian(u32),
    /// `59`: a day of the year from 0.
    Ordinal(u32),
}

impl Rule {
    /// Reads a rule; none if it is not one.
    pub(crate) fn parse(text: &str) -> Option<Rule> {
        let (standard, rest) = offset(name(text)?)?;
        if rest.is_empty() {
            return Some(Rule { standard, summer: None });
        }
        let rest = name(rest)?;
        let (summer, rest) = if rest.starts_with(',') { (standard + 3600, rest) } else { offset(rest)? };
        let (start, end) = rest.strip_prefix(',')?.split_once(',')?;
        Some(Rule { standard, summer: Some((summer, Turn::parse(start)?, Turn::parse(end)?)) })
    }

    /// Seconds east of UTC at an instant.
    pub(crate) fn offset(&self, utc: i64) -> i32 {
        let Some((summer, start, end)) = &self.summer else { return self.standard };
        let Some(year) = DateTime::from_timestamp(utc + i64::from(self.standard), 0).map(|t| t.year()) else {
            return self.standard;
        };
        let begins = start.local(year).map(|local| local - i64::from(self.standard));
        let ends = end.local(year).map(|local| local - i64::from(*summer));
        let (Some(begins), Some(ends)) = (begins, ends) else { return self.standard };
        let is_summer =
            if begins < ends { (begins..ends).contains(&utc) } else { !(ends..begins).contains(&utc) };
        if is_summer { *summer } else { self.standard }
    }
}

impl Turn {
    fn parse(text: &str) -> Option<Turn> {
        let (day, time) = text.split_once('/').unwrap_or((text, "2"));
        let day = if let Some(parts) = day.strip_prefix('M') {
            let mut parts = parts.split('.').map(|part| part.parse::<u32>().ok());
            Day::Weekday { month: parts.next()??, week: parts.next()??, weekday: parts.next()?? }
        } else if let Some(number) = day.strip_prefix('J') {
            Day::Julian(number.parse().ok()?)
        } else {
            Day::Ordinal(day.parse().ok()?)
        };
        Some(Turn { day, seconds: i64::from(clock(time)?) })
    }

    /// Seconds since the epoch in local time.
    fn local(self, year: i32) -> Option<i64> {
        let date = match self.day {
            Day::Weekday { month, week, weekday } => {
                let first = NaiveDate::from_ymd_opt(year, month, 1)?;
                let ahead = (7 + weekday - first.weekday().num_days_from_sunday()) % 7;
                let day = 1 + ahead + (week - 1) * 7;
                // The fifth is the last, which may be the fourth.
                NaiveDate::from_ymd_opt(year, month, day)
                    .or_else(|| NaiveDate::from_ymd_opt(year, month, day - 7))?
            }
            Day::Julian(number) => {
                let leap = NaiveDate::from_ymd_opt(year, 2, 29).is_some();
                NaiveDate::from_yo_opt(year, number + u32::from(leap && number > 59))?
            }
            Day::Ordinal(number) => NaiveDate::from_yo_opt(year, number + 1)?,
        };
        Some(date.and_hms_opt(0, 0, 0)?.and_utc().timestamp() + self.seconds)
    }
}

/// The text behind the name of a clock: `CET` or `<+03>`.
fn name(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('<') {
        return rest.split_once('>').map(|(_, rest)| rest);
    }
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    (end >= 3).then(|| &text[end..])
}

/// An offset, which POSIX counts west of UTC, and the text behind it.
fn offset(text: &str) -> Option<(i32, &str)> {
    let end = text.find(|c: char| !matches!(c, '0'..='9' | ':' | '+' | '-')).unwrap_or(text.len());
    Some((-clock(&text[..end])?, &text[end..]))
}

/// Seconds of `h`, `h:mm`, `h:mm:ss`, with a sign.
fn clock(text: &str) -> Option<i32> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut seconds = 0;
    let mut unit = 3600;
    for part in text.split(':') {
        seconds += part.parse::<i32>().ok()? * unit;
        unit /= 60;
    }
    Some(sign * seconds)
}
