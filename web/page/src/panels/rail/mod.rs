//! The rail: one tick per moment, the playhead, and the acts.

mod acts;
mod rail_panel;
mod track;

pub use rail_panel::RailPanel;
