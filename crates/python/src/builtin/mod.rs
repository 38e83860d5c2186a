//! The built-in functions, and the methods of the built-in types.

mod bytes;
mod construct;
mod dict;
pub(crate) mod format_spec;
mod functions;
mod iterators;
mod list;
pub(crate) mod number_text;
mod numbers;
mod object;
mod percent;
mod set;
mod str_format;
mod str_methods;
mod str_search;
mod tables;

pub(crate) use numbers::{ratio, scale};
pub(crate) use tables::{FUNCTIONS, METHODS};
