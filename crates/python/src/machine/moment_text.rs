//! `repr()` of dates and times without running Python code: `datetime.datetime(2024, 1, 1, 10, 0)`.

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Year, month and day of a number of days since 1970, in the calendar that Python extends to all years.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years begin in March, so that the day that comes every four years is the last one.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day_of_month)
}

/// A date by its days since 1970.
pub(crate) fn date_repr(days: i32) -> String {
    let (year, month, day) = civil(i64::from(days));
    format!("datetime.date({year}, {month}, {day})")
}

/// A time by the microseconds of its wall clock; seconds and microseconds show when there are some.
pub(crate) fn datetime_repr(wall_micros: i64, offset_micros: Option<i64>) -> String {
    let (year, month, day) = civil(wall_micros.div_euclid(DAY));
    let of_day = wall_micros.rem_euclid(DAY);
    let (seconds, micros) = (of_day / SECOND, of_day % SECOND);
    let mut text =
        format!("datetime.datetime({year}, {month}, {day}, {}, {}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 || micros != 0 {
        text.push_str(&format!(", {}", seconds % 60));
    }
    if micros != 0 {
        text.push_str(&format!(", {micros}"));
    }
    match offset_micros {
        None => {}
        Some(0) => text.push_str(", tzinfo=datetime.timezone.utc"),
        Some(offset) => {
            text.push_str(&format!(", tzinfo=datetime.timezone({})", timedelta_repr(offset)));
        }
    }
    text.push(')');
    text
}

/// A length of time: days, seconds and microseconds, those that are not zero.
pub(crate) fn timedelta_repr(micros: i64) -> String {
    let of_day = micros.rem_euclid(DAY);
    let parts =
        [("days", micros.div_euclid(DAY)), ("seconds", of_day / SECOND), ("microseconds", of_day % SECOND)];
    let shown: Vec<String> =
        parts.iter().filter(|(_, n)| *n != 0).map(|(name, n)| format!("{name}={n}")).collect();
    let shown = if shown.is_empty() { "0".to_owned() } else { shown.join(", ") };
    format!("datetime.timedelta({shown})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_python() {
        for (days, text) in [
            (0, "datetime.date(1970, 1, 1)"),
            (-1, "datetime.date(1969, 12, 31)"),
            (19_782, "datetime.date(2024, 2, 29)"),
            (-719_162, "datetime.date(1, 1, 1)"),
            (2_932_896, "datetime.date(9999, 12, 31)"),
        ] {
            assert_eq!(date_repr(days), text);
        }
        let hour = 3_600 * SECOND;
        for (wall, offset, text) in [
            (1_704_103_200 * SECOND, None, "datetime.datetime(2024, 1, 1, 10, 0)"),
            (1_704_103_207 * SECOND, None, "datetime.datetime(2024, 1, 1, 10, 0, 7)"),
            (1_704_103_200 * SECOND + 5, None, "datetime.datetime(2024, 1, 1, 10, 0, 0, 5)"),
            (0, Some(0), "datetime.datetime(1970, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)"),
            (
                -1,
                Some(2 * hour),
                "datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=datetime.timezone(datetime.timedelta(seconds=7200)))",
            ),
        ] {
            assert_eq!(datetime_repr(wall, offset), text);
        }
        for (micros, text) in [
            (0, "datetime.timedelta(0)"),
            (-1, "datetime.timedelta(days=-1, seconds=86399, microseconds=999999)"),
            (DAY, "datetime.timedelta(days=1)"),
        ] {
            assert_eq!(timedelta_repr(micros), text);
        }
    }
}
