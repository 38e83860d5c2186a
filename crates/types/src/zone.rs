//! Time zones as Java names them: regions, offsets, short ids.

use chrono::{DateTime, NaiveDateTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;

/// A time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// Seconds east of UTC.
    Fixed(i32),
    /// A region with its rules.
    Region(Tz),
}

/// Java's `ZoneId.SHORT_IDS`.
const SHORT_IDS: [(&str, &str); 28] = [
    ("ACT", "Australia/Darwin"),
    ("AET", "Australia/Sydney"),
    ("AGT", "America/Argentina/Buenos_Aires"),
    ("ART", "Africa/Cairo"),
    ("AST", "America/Anchorage"),
    ("BET", "America/Sao_Paulo"),
    ("BST", "Asia/Dhaka"),
    ("CAT", "Africa/Harare"),
    ("CNT", "America/St_Johns"),
    ("CST", "America/Chicago"),
    ("CTT", "Asia/Shanghai"),
    ("EAT", "Africa/Addis_Ababa"),
    ("ECT", "Europe/Paris"),
    ("IET", "America/Indiana/Indianapolis"),
    ("IST", "Asia/Kolkata"),
    ("JST", "Asia/Tokyo"),
    ("MIT", "Pacific/Apia"),
    ("NET", "Asia/Yerevan"),
    ("NST", "Pacific/Auckland"),
    ("PLT", "Asia/Karachi"),
    ("PNT", "America/Phoenix"),
    ("PRT", "America/Puerto_Rico"),
    ("PST", "America/Los_Angeles"),
    ("SST", "Pacific/Guadalcanal"),
    ("VST", "Asia/Ho_Chi_Minh"),
    ("EST", "-05:00"),
    ("MST", "-07:00"),
    ("HST", "-10:00"),
];

impl Zone {
    /// Greenwich.
    pub const UTC: Zone = Zone::Fixed(0);

    /// The zone of a name, `None` if Java knows none: `UTC`, `+02:00`, `Europe/Paris`, `GMT+1`.
    pub fn parse(name: &str) -> Option<Zone> {
        let name = name.trim();
        if let Some((_, long)) = SHORT_IDS.iter().find(|(short, _)| *short == name) {
            return Zone::parse(long);
        }
        if matches!(name, "Z" | "UTC" | "GMT" | "UT") {
            return Some(Zone::UTC);
        }
        if name.starts_with(['+', '-']) {
            return offset(name).map(Zone::Fixed);
        }
        for prefix in ["UTC", "GMT", "UT"] {
            if let Some(rest) = name.strip_prefix(prefix).filter(|rest| rest.starts_with(['+', '-'])) {
                return offset(rest).map(Zone::Fixed);
            }
        }
        name.parse::<Tz>().ok().map(Zone::Region)
    }

    /// Seconds east of UTC at an instant in microseconds.
    pub fn offset_seconds(self, micros: i64) -> i32 {
        match self {
            Zone::Fixed(seconds) => seconds,
            Zone::Region(tz) => DateTime::from_timestamp_micros(micros)
                .map_or(0, |t| tz.offset_from_utc_datetime(&t.naive_utc()).fix().local_minus_utc()),
        }
    }

    /// The microseconds of a wall clock time; in a gap it moves on by the gap, in an overlap the first one counts.
    pub fn instant_micros(self, local: NaiveDateTime) -> i64 {
        let as_utc = local.and_utc().timestamp_micros();
        let seconds = match self {
            Zone::Fixed(seconds) => seconds,
            Zone::Region(tz) => match tz.offset_from_local_datetime(&local) {
                chrono::LocalResult::Single(o) => o.fix().local_minus_utc(),
                chrono::LocalResult::Ambiguous(first, second) => {
                    first.fix().local_minus_utc().max(second.fix().local_minus_utc())
                }
                chrono::LocalResult::None => {
                    let before = local.checked_sub_signed(TimeDelta::hours(24)).unwrap_or(local);
                    tz.offset_from_utc_datetime(&before).fix().local_minus_utc()
                }
            },
        };
        as_utc - i64::from(seconds) * 1_000_000
    }

    /// The wall clock time at an instant, `None` beyond the calendar.
    pub fn local(self, micros: i64) -> Option<NaiveDateTime> {
        let shifted = micros.checked_add(i64::from(self.offset_seconds(micros)) * 1_000_000)?;
        Some(DateTime::from_timestamp_micros(shifted)?.naive_utc())
    }
}

/// Seconds of `+h`, `+hh`, `+hh:mm`, `+h:mm`, `+hhmm`, `+hh:mm:ss`, `+hhmmss`.
fn offset(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = &text[1..];
    let parts: Vec<&str> = match rest.split(':').collect::<Vec<_>>() {
        parts if parts.len() > 1 => parts,
        _ if !rest.is_ascii() => return None,
        _ => match rest.len() {
            1 | 2 => vec![rest],
            4 => vec![&rest[..2], &rest[2..]],
            6 => vec![&rest[..2], &rest[2..4], &rest[4..]],
            _ => return None,
        },
    };
    if parts.len() > 3
        || parts.iter().any(|p| p.is_empty() || p.len() > 2 || !p.bytes().all(|b| b.is_ascii_digit()))
    {
        return None;
    }
    let number = |i: usize| parts.get(i).map_or(Some(0), |p| p.parse::<i32>().ok());
    let (hours, minutes, seconds) = (number(0)?, number(1)?, number(2)?);
    let total = hours * 3600 + minutes * 60 + seconds;
    (minutes < 60 && seconds < 60 && total <= 18 * 3600).then_some(sign * total)
}
