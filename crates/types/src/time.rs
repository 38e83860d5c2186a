//! Two kinds of time that never mix: event time in the data, simulated time of the World.

use std::fmt;
use std::ops::Add;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A time in the data: microseconds since the epoch, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventTime(pub i64);

/// A time of the World's clock: milliseconds since the epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SimTime(pub i64);

impl SimTime {
    /// The same instant as event time.
    pub fn to_event_time(self) -> EventTime {
        EventTime(self.0 * 1000)
    }

    /// `2026-01-01T12:00:00.000Z`: as progress and logs write it.
    pub fn iso(self) -> String {
        DateTime::<Utc>::from_timestamp_millis(self.0)
            .map_or_else(|| self.0.to_string(), |t| t.format("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }
}

/// A number of milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Millis(pub i64);

impl Add<Millis> for SimTime {
    type Output = SimTime;
    fn add(self, by: Millis) -> SimTime {
        SimTime(self.0 + by.0)
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.iso())
    }
}
