//! Patterns of dates and times, `yyyy-MM-dd HH:mm`, as Spark takes them from Java.

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};

use crate::zone::Zone;

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
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// A pattern, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateTimePattern {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Literal(String),
    /// A letter and how many of it.
    Field(char, usize),
    Optional(Vec<Item>),
}

/// What a text says by a pattern; what it does not say is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Parsed {
    year: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    day_of_year: Option<u32>,
    hour: Option<u32>,
    half_day_hour: Option<u32>,
    afternoon: Option<bool>,
    minute: u32,
    second: u32,
    nanos: u32,
    zone: Option<Zone>,
}

impl DateTimePattern {
    /// Takes a pattern apart. The error is the letter, or the text, that no pattern may hold.
    pub fn compile(pattern: &str) -> Result<DateTimePattern, String> {
        let letters: Vec<char> = pattern.chars().collect();
        let mut at = 0;
        let items = items(&letters, &mut at, false)?;
        Ok(DateTimePattern { items })
    }

    /// The instant that a text names, in microseconds; a text without a zone is in `zone`.
    pub fn parse_timestamp(&self, text: &str, zone: Zone) -> Option<i64> {
        let parsed = self.parse(text)?;
        let local = parsed.local()?;
        Some(parsed.zone.unwrap_or(zone).instant_micros(local))
    }

    /// The wall clock time that a text names, in microseconds; none if it names a zone.
    pub fn parse_timestamp_ntz(&self, text: &str) -> Option<i64> {
        let parsed = self.parse(text).filter(|parsed| parsed.zone.is_none())?;
        Some(parsed.local()?.and_utc().timestamp_micros())
    }

    /// The date that a text names, in days.
    pub fn parse_date(&self, text: &str) -> Option<i32> {
        let date = self.parse(text)?.local()?.date();
        i32::try_from(date.signed_duration_since(NaiveDate::default()).num_days()).ok()
    }

    /// The text of an instant in a zone.
    pub fn timestamp_text(&self, micros: i64, zone: Zone) -> String {
        match zone.local(micros) {
            Some(local) => self.text(local, zone, zone.offset_seconds(micros)),
            None => micros.to_string(),
        }
    }

    /// The text of a wall clock time.
    pub fn timestamp_ntz_text(&self, micros: i64) -> String {
        self.timestamp_text(micros, Zone::UTC)
    }

    /// The text of a date.
    pub fn date_text(&self, days: i32) -> String {
        self.timestamp_text(i64::from(days) * 86_400_000_000, Zone::UTC)
    }

    fn parse(&self, text: &str) -> Option<Parsed> {
        let mut parsed = Parsed::default();
        let end = parse_items(&self.items, text, 0, &mut parsed)?;
        (end == text.len()).then_some(parsed)
    }

    fn text(&self, local: NaiveDateTime, zone: Zone, offset: i32) -> String {
        let mut out = String::new();
        write_items(&self.items, local, zone, offset, &mut out);
        out
    }
}

impl Parsed {
    fn local(&self) -> Option<NaiveDateTime> {
        let year = i32::try_from(self.year.unwrap_or(1970)).ok()?;
        let date = match self.day_of_year {
            Some(day) => NaiveDate::from_yo_opt(year, day)?,
            None => NaiveDate::from_ymd_opt(year, self.month.unwrap_or(1), self.day.unwrap_or(1))?,
        };
        let hour = match (self.hour, self.half_day_hour) {
            (Some(hour), _) => hour,
            (None, Some(hour)) => hour + if self.afternoon == Some(true) { 12 } else { 0 },
            (None, None) => 0,
        };
        let time = NaiveTime::from_hms_nano_opt(hour, self.minute, self.second, self.nanos / 1000 * 1000)?;
        Some(NaiveDateTime::new(date, time))
    }
}

fn items(letters: &[char], at: &mut usize, nested: bool) -> Result<Vec<Item>, String> {
    let mut out = Vec::new();
    let mut literal = String::new();
    while let Some(letter) = letters.get(*at).copied() {
        *at += 1;
        match letter {
            '\'' if letters.get(*at) == Some(&'\'') => {
                literal.push('\'');
                *at += 1;
            }
            '\'' => quoted(letters, at, &mut literal)?,
            '[' => {
                flush(&mut literal, &mut out);
                out.push(Item::Optional(items(letters, at, true)?));
            }
            ']' if nested => {
                flush(&mut literal, &mut out);
                return Ok(out);
            }
            ']' | '{' | '}' | '#' => return Err(letter.to_string()),
            'a'..='z' | 'A'..='Z' => {
                flush(&mut literal, &mut out);
                let count = 1 + letters[*at..].iter().take_while(|next| **next == letter).count();
                *at += count - 1;
                out.push(field(letter, count)?);
            }
            other => literal.push(other),
        }
    }
    flush(&mut literal, &mut out);
    Ok(out)
}

fn quoted(letters: &[char], at: &mut usize, literal: &mut String) -> Result<(), String> {
    loop {
        match (letters.get(*at), letters.get(*at + 1)) {
            (Some('\''), Some('\'')) => {
                literal.push('\'');
                *at += 2;
            }
            (Some('\''), _) => {
                *at += 1;
                return Ok(());
            }
            (Some(letter), _) => {
                literal.push(*letter);
                *at += 1;
            }
            (None, _) => return Err("'".into()),
        }
    }
}

fn flush(literal: &mut String, out: &mut Vec<Item>) {
    if !literal.is_empty() {
        out.push(Item::Literal(std::mem::take(literal)));
    }
}

fn field(letter: char, count: usize) -> Result<Item, String> {
    let most = match letter {
        'y' | 'u' => 6,
        'M' | 'L' | 'E' | 'G' => 4,
        'D' => 3,
        'd' | 'H' | 'h' | 'K' | 'k' | 'm' | 's' | 'V' => 2,
        'a' => 1,
        'S' => 9,
        'X' | 'x' | 'Z' => 5,
        'z' | 'O' => 4,
        _ => return Err(letter.to_string()),
    };
    if count > most || (letter == 'V' && count != 2) {
        return Err(letter.to_string().repeat(count));
    }
    Ok(Item::Field(letter, count))
}

/// Whether a field is read as digits of a fixed number.
fn fixed_width(item: Option<&Item>) -> usize {
    match item {
        Some(Item::Field('M' | 'L' | 'd' | 'H' | 'h' | 'K' | 'k' | 'm' | 's', 2)) => 2,
        Some(Item::Field('y' | 'u', 2)) => 2,
        Some(Item::Field('D', 3)) => 3,
        _ => 0,
    }
}

fn parse_items(items: &[Item], text: &str, start: usize, parsed: &mut Parsed) -> Option<usize> {
    let mut at = start;
    for (index, item) in items.iter().enumerate() {
        at = match item {
            Item::Literal(literal) => {
                let part = text.get(at..at + literal.len())?;
                part.eq_ignore_ascii_case(literal).then_some(at + literal.len())?
            }
            Item::Optional(inner) => {
                let mut trial = *parsed;
                match parse_items(inner, text, at, &mut trial) {
                    Some(end) => {
                        *parsed = trial;
                        end
                    }
                    None => at,
                }
            }
            Item::Field(letter, count) => {
                let mut reserved = 0;
                for next in &items[index + 1..] {
                    match fixed_width(Some(next)) {
                        0 => break,
                        width => reserved += width,
                    }
                }
                parse_field(*letter, *count, text, at, reserved, parsed)?
            }
        };
    }
    Some(at)
}

/// A number of `least` to `most` digits; `reserved` more must be left for the numbers that follow at once.
fn number(text: &str, at: usize, least: usize, most: usize, reserved: usize) -> Option<(i64, usize)> {
    let digits = text.get(at..)?.bytes().take_while(u8::is_ascii_digit).count();
    let length = digits.saturating_sub(if least == most { 0 } else { reserved }).min(most);
    if length < least || length == 0 {
        return None;
    }
    Some((text[at..at + length].parse().ok()?, at + length))
}

// tidy: table
fn parse_field(
    letter: char,
    count: usize,
    text: &str,
    at: usize,
    reserved: usize,
    parsed: &mut Parsed,
) -> Option<usize> {
    let two =
        |text: &str| if count == 2 { number(text, at, 2, 2, 0) } else { number(text, at, 1, 19, reserved) };
    let within =
        |value: i64, low: u32, high: u32| u32::try_from(value).ok().filter(|v| (low..=high).contains(v));
    Some(match letter {
        'y' | 'u' => {
            let (year, end) = parse_year(count, text, at, reserved)?;
            parsed.year = Some(year);
            end
        }
        'M' | 'L' if count >= 3 => {
            let (index, end) = name(text, at, &MONTHS, count == 3)?;
            parsed.month = Some(index as u32 + 1);
            end
        }
        'M' | 'L' => {
            let (value, end) = two(text)?;
            parsed.month = Some(within(value, 1, 12)?);
            end
        }
        'd' => {
            let (value, end) = two(text)?;
            parsed.day = Some(within(value, 1, 31)?);
            end
        }
        'D' => {
            let (value, end) = number(text, at, count, 3, reserved)?;
            parsed.day_of_year = Some(within(value, 1, 366)?);
            end
        }
        'H' | 'k' => {
            let (value, end) = two(text)?;
            let hour = if letter == 'k' { within(value, 1, 24)? % 24 } else { within(value, 0, 23)? };
            parsed.hour = Some(hour);
            end
        }
        'h' | 'K' => {
            let (value, end) = two(text)?;
            let hour = if letter == 'h' { within(value, 1, 12)? % 12 } else { within(value, 0, 11)? };
            parsed.half_day_hour = Some(hour);
            end
        }
        'm' => {
            let (value, end) = two(text)?;
            parsed.minute = within(value, 0, 59)?;
            end
        }
        's' => {
            let (value, end) = two(text)?;
            parsed.second = within(value, 0, 59)?;
            end
        }
        'S' => {
            let (value, end) = number(text, at, 1, count, 0)?;
            parsed.nanos = (value * 10_i64.pow(9 - (end - at) as u32)) as u32;
            end
        }
        'a' => {
            let (index, end) = name(text, at, &["AM", "PM"], false)?;
            parsed.afternoon = Some(index == 1);
            end
        }
        'E' => name(text, at, &DAYS, count < 4)?.1,
        'G' => name(text, at, &["AD", "BC"], false)?.1,
        'X' | 'x' | 'Z' | 'O' | 'z' | 'V' => {
            let length = text[at..].find([' ', ',', ']', ')']).unwrap_or(text.len() - at);
            let zone = &text[at..at + length];
            let wrong = matches!(letter, 'x' | 'Z') && zone == "Z" && count < 5;
            parsed.zone = Some(Zone::parse(zone).filter(|_| !wrong)?);
            at + length
        }
        _ => return None,
    })
}

fn parse_year(count: usize, text: &str, at: usize, reserved: usize) -> Option<(i64, usize)> {
    if count == 2 {
        return number(text, at, 2, 2, 0).map(|(value, end)| (2000 + value, end));
    }
    let (sign, from) = match text.as_bytes().get(at) {
        Some(b'+') => (1, at + 1),
        Some(b'-') => (-1, at + 1),
        _ => (1, at),
    };
    // Without a sign, four letters take four digits and no more.
    let most = if count == 1 || from > at { 10 } else { count };
    number(text, from, count, most, reserved).map(|(value, end)| (sign * value, end))
}

fn name(text: &str, at: usize, names: &[&str], short: bool) -> Option<(usize, usize)> {
    names.iter().enumerate().find_map(|(index, full)| {
        let name = if short { &full[..3] } else { full };
        let part = text.get(at..at + name.len())?;
        part.eq_ignore_ascii_case(name).then_some((index, at + name.len()))
    })
}

fn write_items(items: &[Item], local: NaiveDateTime, zone: Zone, offset: i32, out: &mut String) {
    for item in items {
        match item {
            Item::Literal(literal) => out.push_str(literal),
            Item::Optional(inner) => write_items(inner, local, zone, offset, out),
            Item::Field(letter, count) => out.push_str(&field_text(*letter, *count, local, zone, offset)),
        }
    }
}

fn field_text(letter: char, count: usize, local: NaiveDateTime, zone: Zone, offset: i32) -> String {
    let padded = |value: u32| format!("{value:0count$}");
    match letter {
        'y' | 'u' => year_text(local.year(), count),
        'M' | 'L' if count == 3 => MONTHS[local.month0() as usize][..3].to_owned(),
        'M' | 'L' if count == 4 => MONTHS[local.month0() as usize].to_owned(),
        'M' | 'L' => padded(local.month()),
        'd' => padded(local.day()),
        'D' => padded(local.ordinal()),
        'H' => padded(local.hour()),
        'k' => padded(if local.hour() == 0 { 24 } else { local.hour() }),
        'h' => padded(local.hour12().1),
        'K' => padded(local.hour() % 12),
        'm' => padded(local.minute()),
        's' => padded(local.second()),
        'S' => format!("{:09}", local.nanosecond())[..count].to_owned(),
        'a' => (if local.hour() < 12 { "AM" } else { "PM" }).to_owned(),
        'E' if count < 4 => DAYS[local.weekday().num_days_from_monday() as usize][..3].to_owned(),
        'E' => DAYS[local.weekday().num_days_from_monday() as usize].to_owned(),
        'G' => (if local.year() > 0 { "AD" } else { "BC" }).to_owned(),
        'V' | 'z' => match zone {
            Zone::Region(region) => region.name().to_owned(),
            Zone::Fixed(0) => (if letter == 'z' { "UTC" } else { "Z" }).to_owned(),
            Zone::Fixed(_) => offset_text(offset, "+HH:MM"),
        },
        'X' if offset == 0 => "Z".into(),
        'X' | 'x' => offset_text(offset, ["+HHmm", "+HHMM", "+HH:MM", "+HHMMss", "+HH:MM:ss"][count - 1]),
        'Z' if count == 5 && offset == 0 => "Z".into(),
        'Z' if count == 5 => offset_text(offset, "+HH:MM:ss"),
        'Z' if count < 4 => offset_text(offset, "+HHMM"),
        _ if offset == 0 => "GMT".into(),
        _ => format!("GMT{}", offset_text(offset, "+HH:MM")),
    }
}

fn year_text(year: i32, count: usize) -> String {
    match count {
        2 => format!("{:02}", year.rem_euclid(100)),
        1 => year.to_string(),
        _ if year >= 10_i32.pow(count as u32) => format!("+{year}"),
        _ if year < 0 => format!("-{:0count$}", year.unsigned_abs()),
        _ => format!("{year:0count$}"),
    }
}

/// An offset in a form: small letters are written only if they are not zero.
fn offset_text(offset: i32, form: &str) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let all = offset.unsigned_abs();
    let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
    let colon = if form.contains(':') { ":" } else { "" };
    let mut out = format!("{sign}{hours:02}");
    if form.contains("MM") || minutes > 0 {
        out.push_str(&format!("{colon}{minutes:02}"));
    }
    if form.contains("ss") && seconds > 0 {
        out.push_str(&format!("{colon}{seconds:02}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timestamp::timestamp_text;

    #[test]
    fn reads_by_pattern() {
        let table = [
            ("dd/MM/yyyy HH:mm", "02/01/2024 03:04", Some("2024-01-02 03:04:00")),
            ("dd/MM/yyyy HH:mm", "2024-01-02 03:04:05", None),
            ("dd/MM/yyyy HH:mm", "2/1/2024 3:4", None),
            ("d/M/yyyy", "2/1/2024", Some("2024-01-02 00:00:00")),
            ("yyyyMMdd", "20240102", Some("2024-01-02 00:00:00")),
            ("yyyyMMddHHmmss", "20240102030405", Some("2024-01-02 03:04:05")),
            (
                "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
                "2024-01-02T03:04:05.678+02:00",
                Some("2024-01-02 01:04:05.678"),
            ),
            ("yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", "2024-01-02T03:04:05", Some("2024-01-02 03:04:05")),
            ("yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", "2024-01-02T03:04:05Z", Some("2024-01-02 03:04:05")),
            ("yyyy-MM-dd HH:mm:ss.SSSSSS", "2024-01-02 03:04:05.1", Some("2024-01-02 03:04:05.1")),
            ("dd MMM yyyy", "02 Jan 2024", Some("2024-01-02 00:00:00")),
            ("MMMM d, yyyy h:mm a", "january 2, 2024 3:04 PM", Some("2024-01-02 15:04:00")),
            ("EEE, dd MMM yyyy", "Tue, 02 Jan 2024", Some("2024-01-02 00:00:00")),
            ("yyyy-MM-dd VV", "2024-01-02 Europe/Paris", Some("2024-01-01 23:00:00")),
            ("yyyy-DDD", "2024-060", Some("2024-02-29 00:00:00")),
            ("yyyy-MM-dd", "2024-02-30", None),
            ("yyyy-MM-dd", "2024-01-02 ", None),
            ("yy", "24", Some("2024-01-01 00:00:00")),
            ("HH:mm", "03:04", Some("1970-01-01 03:04:00")),
            ("HH:mm", "24:00", None),
        ];
        for (pattern, text, expected) in table {
            let compiled = DateTimePattern::compile(pattern).expect("the pattern is good");
            let got =
                compiled.parse_timestamp(text, Zone::UTC).map(|micros| timestamp_text(micros, Zone::UTC));
            assert_eq!(got.as_deref(), expected, "{pattern} {text}");
        }
        for (pattern, wrong) in
            [("yyyy-MM-dd b", "b"), ("YYYY", "Y"), ("MMMMM", "MMMMM"), ("'x", "'"), ("x]", "]")]
        {
            assert_eq!(DateTimePattern::compile(pattern), Err(wrong.to_owned()), "{pattern}");
        }
    }

    #[test]
    fn writes_by_pattern() {
        let micros = 1_704_164_645_123_456; // 2024-01-02T03:04:05.123456Z
        let table = [
            ("yyyy-MM-dd'T'HH:mm:ss[.SSS][XXX]", "UTC", "2024-01-02T03:04:05.123Z"),
            ("yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", "Europe/Paris", "2024-01-02T04:04:05.123456+01:00"),
            ("dd.MM.yy h a", "UTC", "02.01.24 3 AM"),
            ("EEEE d MMMM, D", "UTC", "Tuesday 2 January, 2"),
            ("yyyy/MM/dd HH:mm z", "UTC", "2024/01/02 03:04 UTC"),
            ("Z x O", "+05:30", "+0530 +0530 GMT+05:30"),
            ("''yy''", "UTC", "'24'"),
        ];
        for (pattern, zone, expected) in table {
            let compiled = DateTimePattern::compile(pattern).expect("the pattern is good");
            let zone = Zone::parse(zone).expect("the zone is known");
            assert_eq!(compiled.timestamp_text(micros, zone), expected, "{pattern}");
        }
    }
}
