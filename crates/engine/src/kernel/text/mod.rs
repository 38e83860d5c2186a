//! Text: functions of strings, patterns, JSON, and values as text.

pub(crate) mod constant;
pub(crate) mod json;
pub(crate) mod pattern;
pub(crate) mod string;
