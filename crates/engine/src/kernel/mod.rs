//! Expressions over columns: a resolved [`tidemark_plan::Scalar`] becomes a [`Program`], and a program turns a batch
//! into one Arrow array, never a row at a time in boxes.
//!
//! Branches that guard others (`CASE`, `coalesce`, `AND`, `OR`) compute the guarded side only for the rows that need it,
//! so an error hidden behind a guard stays hidden, as in Spark.

mod arithmetic;
mod cast;
mod compare;
mod context;
mod datetime;
mod datetime_pattern;
mod decimal;
mod error;
mod function;
mod hash;
mod hash64;
mod interval;
mod json;
mod literal;
mod logic;
mod math;
mod nested;
mod pattern;
mod program;
mod selection;
mod shape;
mod string;
mod text;
mod value;
mod window;
mod zone;

pub use context::EvalContext;
pub use datetime_pattern::{ParseFailure, Pattern};
pub use hash::{hash_bytes, hash_columns, hash_int, hash_long, partition_of};
pub use program::{Program, compile};

pub(crate) use arithmetic::widen;
pub(crate) use compare::{normalized, rows_of, sort_places, take_rows};
pub(crate) use decimal::{Exact, typed};
pub(crate) use error::{arithmetic_overflow, decimal_out_of_range, internal, unsupported};
pub(crate) use hash64::hash64_columns;
pub(crate) use selection::decided;
pub(crate) use shape::conform;
pub(crate) use value::Value;
