//! The crash sweep: one row per crash point, what came of it, and the way to each branch.

mod glyph;
mod side;
mod sweep_panel;
mod table;

pub use sweep_panel::{SweepNote, SweepPicture};
