//! Dates, timestamps, intervals: parts, patterns, windows, the clock on a wall.

pub(crate) mod datetime;
pub(crate) mod datetime_pattern;
pub(crate) mod interval;
pub(crate) mod window;
pub(crate) mod zone;

pub use datetime_pattern::{ParseFailure, Pattern};
pub(crate) use window::sessions_of;
