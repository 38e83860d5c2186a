//! Patterns of dates and times as Spark takes them: Java's `DateTimeFormatter` letters.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::error::Result;
use crate::kernel::error::{datetime_pattern_changed, invalid_datetime_pattern};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A compiled pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    Text(String),
    Field(char, usize),
    OptionalStart,
    OptionalEnd,
}

/// Why a text does not match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseFailure {
    /// Nothing fits at this index.
    At(usize),
    /// The pattern is over here, the text is not.
    Rest(usize),
    /// The parts are there but make no time.
    Value(String),
}

/// What a text has shown so far.
#[derive(Clone, Debug, Default)]
struct Found {
    year: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    hour: Option<i64>,
    hour_of_half: Option<i64>,
    afternoon: Option<bool>,
    minute: Option<i64>,
    second: Option<i64>,
    nanos: Option<i64>,
    offset: Option<i32>,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// Errors: letters that Spark refuses: `INVALID_DATETIME_PATTERN`, or `INCONSISTENT_BEHAVIOR_CROSS_VERSION` for
    /// those that meant something before Spark 3.
    pub fn compile(source: &str) -> Result<Pattern> {
        let mut items = Vec::new();
        let mut chars = source.chars().peekable();
        let mut open = 0_usize;
        while let Some(c) = chars.next() {
            match c {
                '\'' => items.push(Item::Text(quoted(&mut chars, source)?)),
                '[' => {
                    open += 1;
                    items.push(Item::OptionalStart);
                }
                ']' if open > 0 => {
                    open -= 1;
                    items.push(Item::OptionalEnd);
                }
                letter if letter.is_ascii_alphabetic() => {
                    let mut count = 1;
                    while chars.next_if_eq(&letter).is_some() {
                        count += 1;
                    }
                    if !is_known(letter, count) {
                        return Err(refused(source));
                    }
                    items.push(Item::Field(letter, count));
                }
                '{' | '}' | '#' | ']' => return Err(invalid_datetime_pattern(source)),
                other => match items.last_mut() {
                    Some(Item::Text(text)) => text.push(other),
                    _ => items.push(Item::Text(other.to_string())),
                },
            }
        }
        Ok(Pattern { items })
    }

    /// The text of a local time; `offset` is how many seconds its zone is east of UTC.
    pub fn format(&self, at: NaiveDateTime, offset: i32) -> String {
        let mut out = String::new();
        for item in &self.items {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Field(letter, count) => field_text(*letter, *count, at, offset, &mut out),
                Item::OptionalStart | Item::OptionalEnd => {}
            }
        }
        out
    }

    /// The local time that a text shows, and the seconds east of UTC if it names them.
    ///
    /// Parts that the pattern leaves out are those of 1970-01-01 00:00:00.
    pub fn parse(&self, text: &str) -> std::result::Result<(NaiveDateTime, Option<i32>), ParseFailure> {
        let mut found = Found::default();
        let end = parse_items(&self.items, text, 0, &mut found)?;
        if end < text.len() {
            return Err(ParseFailure::Rest(end));
        }
        found.resolve().map_err(ParseFailure::Value)
    }
}

fn refused(source: &str) -> crate::error::Error {
    let old_letters = "GyYMLwWDdFEuaHkKhmsSzZX";
    let was_fine = source.chars().filter(char::is_ascii_alphabetic).all(|c| old_letters.contains(c));
    if was_fine { datetime_pattern_changed(source) } else { invalid_datetime_pattern(source) }
}

fn quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, source: &str) -> Result<String> {
    let mut out = String::new();
    loop {
        match chars.next() {
            None => return Err(invalid_datetime_pattern(source)),
            Some('\'') if chars.next_if_eq(&'\'').is_some() => out.push('\''),
            Some('\'') if out.is_empty() => return Ok("'".to_owned()),
            Some('\'') => return Ok(out),
            Some(c) => out.push(c),
        }
    }
}

fn is_known(letter: char, count: usize) -> bool {
    match letter {
        'G' | 'M' | 'L' | 'E' | 'Q' | 'q' => count <= 4,
        'y' => count <= 6,
        'd' | 'H' | 'h' | 'K' | 'k' | 'm' | 's' => count <= 2,
        'D' => count <= 3,
        'S' => count <= 9,
        'a' => count == 1,
        'z' => count <= 4,
        'V' => count == 2,
        'X' | 'x' | 'Z' => count <= 5,
        'O' => count == 1 || count == 4,
        'F' => count == 1,
        _ => false,
    }
}

fn cut(name: &str, count: usize) -> &str {
    if count <= 3 { &name[..3] } else { name }
}

// tidy: table
fn field_text(letter: char, count: usize, at: NaiveDateTime, offset: i32, out: &mut String) {
    let mut number = |value: i64, width: usize| out.push_str(&format!("{value:0width$}"));
    match letter {
        'y' if count == 2 => number(i64::from(at.year().rem_euclid(100)), 2),
        'y' => {
            let year = if at.year() > 0 { at.year() } else { 1 - at.year() };
            if count >= 4 && i64::from(year) >= 10_i64.pow(count as u32) {
                out.push('+');
            }
            out.push_str(&format!("{year:0count$}"));
        }
        'G' => out.push_str(match (count, at.year() > 0) {
            (4, true) => "Anno Domini",
            (4, false) => "Before Christ",
            (_, true) => "AD",
            (_, false) => "BC",
        }),
        'M' | 'L' if count >= 3 => out.push_str(cut(MONTHS[at.month0() as usize], count)),
        'M' | 'L' => number(i64::from(at.month()), count),
        'Q' | 'q' => {
            let quarter = at.month0() / 3 + 1;
            match count {
                3 => out.push_str(&format!("Q{quarter}")),
                4 => out.push_str(
                    ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"][quarter as usize - 1],
                ),
                _ => number(i64::from(quarter), count),
            }
        }
        'd' => number(i64::from(at.day()), count),
        'D' => number(i64::from(at.ordinal()), count),
        'F' => number(i64::from((at.day() - 1) / 7 + 1), 1),
        'E' => out.push_str(cut(WEEKDAYS[at.weekday().num_days_from_monday() as usize], count)),
        'a' => out.push_str(if at.hour() < 12 { "AM" } else { "PM" }),
        'H' => number(i64::from(at.hour()), count),
        'k' => number(i64::from(if at.hour() == 0 { 24 } else { at.hour() }), count),
        'K' => number(i64::from(at.hour() % 12), count),
        'h' => number(i64::from(if at.hour().is_multiple_of(12) { 12 } else { at.hour() % 12 }), count),
        'm' => number(i64::from(at.minute()), count),
        's' => number(i64::from(at.second()), count),
        'S' => out.push_str(&format!("{:09}", at.nanosecond())[..count]),
        'V' => out.push_str(&if offset == 0 { "UTC".to_owned() } else { offset_text(offset, ':', false) }),
        'z' if offset == 0 => out.push_str(if count == 4 { "Coordinated Universal Time" } else { "UTC" }),
        'O' if offset == 0 => out.push_str("GMT"),
        'z' | 'O' => out.push_str(&format!("GMT{}", offset_text(offset, ':', false))),
        'X' | 'x' | 'Z' => out.push_str(&zone_text(letter, count, offset)),
        _ => {}
    }
}

fn zone_text(letter: char, count: usize, offset: i32) -> String {
    match (letter, count) {
        ('X', _) | ('Z', 5) if offset == 0 => "Z".to_owned(),
        ('X' | 'x', 1) => {
            let text = offset_text(offset, ':', true);
            text.strip_suffix(":00").map_or_else(|| text.replace(':', ""), str::to_owned)
        }
        ('X' | 'x', 2 | 4) | ('Z', 1..=3) => offset_text(offset, ':', true).replace(':', ""),
        ('Z', 4) if offset == 0 => "GMT".to_owned(),
        ('Z', 4) => format!("GMT{}", offset_text(offset, ':', true)),
        _ => offset_text(offset, ':', true),
    }
}

fn offset_text(offset: i32, separator: char, full: bool) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let total = offset.unsigned_abs();
    let (hours, minutes) = (total / 3600, total / 60 % 60);
    if full || minutes > 0 {
        format!("{sign}{hours:02}{separator}{minutes:02}")
    } else {
        format!("{sign}{hours}")
    }
}

fn parse_items(
    items: &[Item],
    text: &str,
    start: usize,
    found: &mut Found,
) -> std::result::Result<usize, ParseFailure> {
    let mut at = start;
    let mut index = 0;
    while index < items.len() {
        match &items[index] {
            Item::Text(wanted) => {
                let have = text.get(at..at + wanted.len());
                if !have.is_some_and(|have| have.eq_ignore_ascii_case(wanted)) {
                    return Err(ParseFailure::At(at));
                }
                at += wanted.len();
            }
            Item::OptionalStart => {
                let end = closing(items, index);
                let mut tried = found.clone();
                if let Ok(next) = parse_items(&items[index + 1..end], text, at, &mut tried) {
                    (*found, at) = (tried, next);
                }
                index = end;
            }
            Item::OptionalEnd => {}
            Item::Field(letter, count) => {
                let reserved = reserved_digits(&items[index + 1..]);
                at = parse_field(*letter, *count, text, at, reserved, found)?;
            }
        }
        index += 1;
    }
    Ok(at)
}

/// The place of the bracket that closes this one.
fn closing(items: &[Item], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, item) in items.iter().enumerate().skip(open) {
        match item {
            Item::OptionalStart => depth += 1,
            Item::OptionalEnd => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    items.len()
}

/// How many digits the numbers that follow without a gap need.
fn reserved_digits(items: &[Item]) -> usize {
    items
        .iter()
        .map_while(|item| match item {
            Item::Field('M' | 'L' | 'd' | 'H' | 'h' | 'm' | 's' | 'k' | 'K', count @ 2) => Some(*count),
            Item::Field('S' | 'y', count) => Some(*count),
            _ => None,
        })
        .sum()
}

fn digits(
    text: &str,
    at: usize,
    least: usize,
    most: usize,
    reserved: usize,
) -> std::result::Result<(i64, usize), ParseFailure> {
    let available = text.get(at..).unwrap_or("").bytes().take_while(u8::is_ascii_digit).count();
    let taken = available.saturating_sub(reserved).max(least).min(most).min(available);
    if taken < least {
        return Err(ParseFailure::At(at));
    }
    let value = text[at..at + taken].parse().map_err(|_| ParseFailure::At(at))?;
    Ok((value, at + taken))
}

/// The index of the name with which the text goes on, and how long it is.
fn name(
    text: &str,
    at: usize,
    names: &[&str],
    count: usize,
) -> std::result::Result<(usize, usize), ParseFailure> {
    let rest = text.get(at..).ok_or(ParseFailure::At(at))?;
    names
        .iter()
        .map(|name| cut(name, count))
        .position(|name| rest.get(..name.len()).is_some_and(|have| have.eq_ignore_ascii_case(name)))
        .map(|index| (index, cut(names[index], count).len()))
        .ok_or(ParseFailure::At(at))
}

// tidy: table
fn parse_field(
    letter: char,
    count: usize,
    text: &str,
    at: usize,
    reserved: usize,
    found: &mut Found,
) -> std::result::Result<usize, ParseFailure> {
    let most = if count == 1 { 19 } else { count };
    match letter {
        'y' if count == 2 => {
            let (value, end) = digits(text, at, 2, 2, 0)?;
            found.year = Some(2000 + value);
            Ok(end)
        }
        'y' => {
            let signed = usize::from(text.get(at..).is_some_and(|rest| rest.starts_with(['+', '-'])));
            let (value, end) = digits(text, at + signed, count, if count == 3 { 3 } else { 10 }, reserved)?;
            found.year = Some(if text[at..].starts_with('-') { -value } else { value });
            Ok(end)
        }
        'M' | 'L' if count >= 3 => {
            let (index, length) = name(text, at, &MONTHS, count)?;
            found.month = Some(index as i64 + 1);
            Ok(at + length)
        }
        'E' => {
            let (_, length) = name(text, at, &WEEKDAYS, count)?;
            Ok(at + length)
        }
        'a' => {
            let (index, length) = name(text, at, &["AM", "PM"], 4)?;
            found.afternoon = Some(index == 1);
            Ok(at + length)
        }
        'G' => {
            let (_, length) = name(text, at, &["AD", "BC"], 4)?;
            Ok(at + length)
        }
        'S' => {
            let (value, end) = digits(text, at, 1, count, 0)?;
            found.nanos = Some(value * 10_i64.pow(9 - (end - at) as u32));
            Ok(end)
        }
        'X' | 'x' | 'Z' | 'z' | 'V' | 'O' => {
            let rest = text.get(at..).unwrap_or("");
            let length = rest
                .find(|c: char| !(c.is_ascii_alphanumeric() || "+-:/_".contains(c)))
                .unwrap_or(rest.len());
            let zone = tidemark_types::Zone::parse(&rest[..length]).ok_or(ParseFailure::At(at))?;
            found.offset = Some(zone.offset_seconds(0));
            Ok(at + length)
        }
        _ => {
            let (value, end) = digits(text, at, count, most, reserved)?;
            let slot = match letter {
                'M' | 'L' => &mut found.month,
                'd' => &mut found.day,
                'D' => &mut found.day_of_year,
                'H' => &mut found.hour,
                'k' => &mut found.hour,
                'K' | 'h' => &mut found.hour_of_half,
                'm' => &mut found.minute,
                's' => &mut found.second,
                _ => return Ok(end),
            };
            *slot = Some(if (letter == 'k' && value == 24) || (letter == 'h' && value == 12) {
                0
            } else {
                value
            });
            Ok(end)
        }
    }
}

impl Found {
    fn resolve(self) -> std::result::Result<(NaiveDateTime, Option<i32>), String> {
        let within = |value: Option<i64>, least: i64, most: i64, default: i64, name: &str| match value {
            Some(v) if v < least || v > most => {
                Err(format!("Invalid value for {name} (valid values {least} - {most}): {v}"))
            }
            other => Ok(other.unwrap_or(default)),
        };
        let year = self.year.unwrap_or(1970) as i32;
        let month = within(self.month, 1, 12, 1, "MonthOfYear")?;
        let day = within(self.day, 1, 31, 1, "DayOfMonth")?;
        let half = within(self.hour_of_half, 0, 12, 0, "ClockHourOfAmPm")?;
        let default_hour = half + if self.afternoon == Some(true) { 12 } else { 0 };
        let hour = within(self.hour, 0, 23, default_hour, "HourOfDay")?;
        let minute = within(self.minute, 0, 59, 0, "MinuteOfHour")?;
        let second = within(self.second, 0, 59, 0, "SecondOfMinute")?;
        let date = match self.day_of_year {
            Some(ordinal) => NaiveDate::from_yo_opt(year, ordinal as u32),
            None => NaiveDate::from_ymd_opt(year, month as u32, day as u32),
        };
        let date = date.ok_or_else(|| match (month, day) {
            (2, 29) => format!("Invalid date 'February 29' as '{year}' is not a leap year"),
            _ => format!("Invalid date '{} {day}'", MONTHS[month as usize - 1].to_uppercase()),
        })?;
        let nanos = self.nanos.unwrap_or(0) as u32;
        let time = NaiveTime::from_hms_nano_opt(hour as u32, minute as u32, second as u32, nanos)
            .ok_or_else(|| "Invalid time".to_owned())?;
        Ok((NaiveDateTime::new(date, time), self.offset))
    }
}
