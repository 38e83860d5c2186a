//! Expressions over columns: a [`tidemark_plan::Scalar`] becomes a [`Program`], which turns a batch into one array.
//!
//! Branches that guard others (`CASE`, `coalesce`, `AND`, `OR`) compute the guarded side only for the rows that need it,
//! so an error hidden behind a guard stays hidden, as in Spark.

mod cast;
mod column;
mod context;
mod error;
mod hash;
mod nested;
mod number;
mod program;
mod text;
mod time;

pub use context::EvalContext;
pub use hash::{hash_bytes, hash_columns, hash_int, hash_long, partition_of};
pub use program::{Program, compile};
pub use time::{ParseFailure, Pattern};

pub(crate) use column::{
    Value, conform, conform_batch, conform_columns, normalized, rows_of, sort_places, take_rows,
};
pub(crate) use error::{arithmetic_overflow, decimal_out_of_range, internal, unsupported};
pub(crate) use hash::xx::hash64_columns;
pub(crate) use number::{arithmetic::widen, decimal::Exact, decimal::typed};
pub(crate) use program::decided;
pub(crate) use time::sessions_of;
