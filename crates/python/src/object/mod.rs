//! How objects behave: attributes, classes, operators, comparison, iteration, indexing, texts.

mod attribute;
mod builtin_attribute;
mod class;
mod compare;
mod hashing;
mod index;
mod iterate;
mod operator;
mod protocol;
mod text;

pub(crate) use iterate::char_value;
pub(crate) use operator::{as_big, as_float, float_divmod, ldexp, truncate};
pub(crate) use text::{ascii, printable, quote, quote_bytes};
