//! Casts between all types: ANSI ones fail on a value that does not fit, tolerant ones give null.

mod cast;
mod number;
mod parse;
mod time;

pub(crate) use cast::cast;
