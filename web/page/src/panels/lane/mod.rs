//! The lane: one row per batch, ten steps above the tide line, their files below it, and gaps that arm a crash.

mod batch;
mod gap;
mod lane_panel;
mod next;
mod row;
mod step;

pub use lane_panel::Lane;
