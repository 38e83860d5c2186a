//! Instants and the clock on a wall: microseconds since the epoch against local days and times.

use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveDateTime};
use tidemark_types::Zone;

/// Microseconds in a day.
pub(crate) const DAY: i64 = 86_400_000_000;
/// Microseconds in a second.
pub(crate) const SECOND: i64 = 1_000_000;
/// 1970-01-01 in days of the common era.
const EPOCH_DAYS: i32 = 719_163;

/// The date of a number of days since the epoch.
pub(crate) fn date_of(days: i32) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt(days.checked_add(EPOCH_DAYS)?)
}

/// The number of days since the epoch of a date.
pub(crate) fn days_of(date: NaiveDate) -> i32 {
    date.num_days_from_ce() - EPOCH_DAYS
}

/// The date and time without a zone of microseconds since the epoch.
pub(crate) fn naive_of(micros: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|t| t.naive_utc())
}

/// The instant as the clock on the wall shows it: microseconds without a zone.
pub(crate) fn to_local(micros: i64, zone: Zone) -> i64 {
    micros.saturating_add(i64::from(zone.offset_seconds(micros)) * SECOND)
}

/// The instant at which the clock on the wall shows this: the earlier of two; behind a gap, as much later as the gap
/// is long.
pub(crate) fn from_local(local: i64, zone: Zone) -> i64 {
    match (zone, naive_of(local)) {
        (Zone::Fixed(seconds), _) => local.saturating_sub(i64::from(seconds) * SECOND),
        (Zone::Region(_), Some(naive)) => zone.instant_micros(naive),
        (Zone::Region(_), None) => local,
    }
}

/// The local day of an instant.
pub(crate) fn day_of(micros: i64, zone: Zone) -> i32 {
    to_local(micros, zone).div_euclid(DAY) as i32
}

/// The first instant of a local day.
pub(crate) fn start_of_day(days: i32, zone: Zone) -> i64 {
    from_local(i64::from(days).saturating_mul(DAY), zone)
}

/// A date some months later, at the end of a month that is too short.
pub(crate) fn add_months(days: i32, months: i32) -> Option<i32> {
    let date = date_of(days)?;
    let moved = if months >= 0 {
        date.checked_add_months(Months::new(months.unsigned_abs()))
    } else {
        date.checked_sub_months(Months::new(months.unsigned_abs()))
    };
    moved.map(days_of)
}

/// An instant some months later at the same local time.
pub(crate) fn timestamp_add_months(micros: i64, months: i32, zone: Zone) -> Option<i64> {
    let local = to_local(micros, zone);
    let days = add_months(local.div_euclid(DAY) as i32, months)?;
    Some(from_local(i64::from(days) * DAY + local.rem_euclid(DAY), zone))
}

/// An instant later by a day-time interval: whole days keep the local time, the rest is exact.
pub(crate) fn timestamp_add_micros(micros: i64, interval: i64, zone: Zone) -> Option<i64> {
    if let Zone::Fixed(_) = zone {
        return micros.checked_add(interval);
    }
    let (days, rest) = (interval / DAY, interval % DAY);
    let moved =
        if days == 0 { micros } else { from_local(to_local(micros, zone).checked_add(days * DAY)?, zone) };
    moved.checked_add(rest)
}

/// Microseconds since the epoch of a date and time without a zone.
pub(crate) fn micros_of(naive: NaiveDateTime) -> i64 {
    naive.and_utc().timestamp_micros()
}
