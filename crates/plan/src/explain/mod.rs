//! The text of `explain()`: Spark's operators in Spark's layout.
//!
//! The engine runs the resolved plan itself; what is shown here is how Spark would lay it out, so that a learner
//! recognises exchanges, partial aggregates and pushed filters.

mod logical;
mod physical;
mod scalar_text;
mod tree;

pub use physical::explain;
pub use scalar_text::{attribute_text, scalar_text};
