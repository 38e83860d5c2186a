//! Columns in the middle of an expression: their carriers, their shape, their order.

pub(crate) mod compare;
pub(crate) mod shape;
pub(crate) mod value;

pub(crate) use compare::{normalized, rows_of, sort_places, take_rows};
pub(crate) use shape::{conform, conform_batch, conform_columns};
pub(crate) use value::Value;
