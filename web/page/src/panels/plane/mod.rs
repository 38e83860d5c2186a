//! The time plane: event time across, batches up, each row a mark with its fate, windows as columns, two staircases.

mod marks;
mod plane_panel;
mod scale;
mod twin;
mod why;

pub use plane_panel::Plane;
