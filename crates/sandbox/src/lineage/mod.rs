//! Where a row of a table comes from, and where a line of an input file went.
//!
//! The engine itself is asked: a batch's plan with one line in the place of all, see `engine::stream::Probe`.

mod back;
mod forth;
mod line;
mod way;
mod word;

pub(crate) use way::{Way, follow, note};
