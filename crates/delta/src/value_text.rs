//! Times as statistics and partition values write them.

use chrono::DateTime;

/// Microseconds since the epoch in this form; the number itself beyond the calendar.
pub(crate) fn micros_text(micros: i64, form: &str) -> String {
    DateTime::from_timestamp_micros(micros).map_or_else(|| micros.to_string(), |t| t.format(form).to_string())
}
