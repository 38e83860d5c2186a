//! The rail: one tick per moment, a line per branch, the playhead, and the acts.

mod acts;
mod lines;
mod rail_panel;
mod track;

pub(crate) use lines::runs;
pub use rail_panel::RailPanel;
