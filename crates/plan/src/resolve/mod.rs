//! Resolution: names become columns, types agree, functions are found, and what is wrong is said in Spark's words.

pub mod aggregating;
pub mod call;
pub mod casting;
pub mod coerce;
pub mod expression;
pub mod function;
pub mod operator;
mod over;
pub mod project;
pub mod rewrite;
pub mod scope;
pub mod session;
pub mod special;
pub mod typed;

pub use expression::{Ids, Resolver, TimeWindow};
pub use session::session_key;
pub use typed::Typed;
