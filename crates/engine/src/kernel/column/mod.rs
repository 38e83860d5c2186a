//! Columns in the middle of an expression: their carriers, their shape, their order.

pub(crate) mod compare;
pub(crate) mod shape;
pub(crate) mod value;
