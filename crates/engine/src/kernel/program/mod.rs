//! Compiled expressions: from a scalar to a program, and the rows that each of its branches sees.

mod compiled;
mod function;
mod literal;
mod logic;
mod selection;

pub use compiled::{Program, compile};
pub(crate) use selection::decided;
