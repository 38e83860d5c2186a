//! The time plane of a query: input rows by event time and batch, what became of each, and the windows they fell into.
//!
//! Everything is asked of the store and of the engine: watermarks stand in `offsets/` and `commits/`, the rows in the input
//! files, and a window's value is what the query's own aggregate gives for the rows that counted.

mod draw;
mod read;
mod shape;
mod windows;
mod words;

pub(crate) use draw::plane;

/// The number of streaming sources of a plan.
pub(crate) fn sources(plan: &tidemark_plan::Plan) -> usize {
    shape::streams(plan).len()
}
