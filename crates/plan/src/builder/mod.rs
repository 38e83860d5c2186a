//! The face of analysis: a session's [`Analyzer`] turns calls of the DataFrame API into resolved frames, each one
//! checked at once, as Spark does.
//!
//! Nothing here asks for the world outside. Who needs the schema of a path or a table first reads
//! [`Analyzer::relations_of`], looks it up, and hands the frames in.

pub(crate) mod combine;
mod group;
mod missing;
mod rows;
mod select;
mod session;
mod view;

pub use combine::{all_of, join_type};
pub(crate) use missing::narrowed;
pub(crate) use select::aliased;
pub use session::{Analyzer, Frame, Grouped, JoinOn, Relations, Settings};
