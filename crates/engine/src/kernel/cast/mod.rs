//! Casts between all types: ANSI ones fail on a value that does not fit, tolerant ones give null.

mod convert;
mod number;
mod parse;
mod time;

pub(crate) use convert::cast;
