//! SQL text: expressions, SELECT and the few commands of views, read by Spark's grammar, then planned.
//!
//! The parser is our own and small: errors must stand at the token, and in the words, of Spark's parser, keywords must
//! stay usable as names, and intervals and suffixed numbers are Spark's own.

mod cursor;
mod expression;
mod interval;
mod literal;
mod plan;
mod query;
mod statement;
mod subquery;

pub(crate) use literal::decimal as decimal_literal;
pub use plan::plan_statement;
pub use statement::{Statement, parse_expression, parse_statement};
pub(crate) use subquery::MARKS;
