//! What an expression sees besides its columns.

use std::sync::Arc;

use tidemark_types::{SimTime, Zone};

use crate::connector::Settings;

/// What an expression sees besides its columns: fixed for one execution, save for the place of the rows.
#[derive(Clone, Debug)]
pub struct EvalContext {
    /// `current_timestamp()`: microseconds since the epoch.
    pub now_micros: i64,
    /// The session's time zone.
    pub zone: Zone,
    /// The number of the task, for `monotonically_increasing_id()`.
    pub partition: usize,
    /// How many rows of the task came before.
    pub first_row: i64,
    /// The file the rows came from, for `input_file_name()`.
    pub file: Option<Arc<str>>,
}

impl EvalContext {
    /// A context in UTC at this instant.
    pub fn at(now_micros: i64) -> Self {
        EvalContext { now_micros, zone: Zone::UTC, partition: 0, first_row: 0, file: None }
    }

    /// A context of a session: its zone, and the World's time.
    pub fn of_session(settings: &dyn Settings, now: SimTime) -> Self {
        let zone = settings
            .get("spark.sql.session.timeZone")
            .and_then(|name| Zone::parse(&name))
            .unwrap_or(Zone::UTC);
        EvalContext { zone, ..EvalContext::at(now.to_event_time().0) }
    }
}
