//! The lane: one row per batch, ten steps above the tide line, their files below it.

mod batch;
mod lane_panel;
mod step;

pub use lane_panel::Lane;
