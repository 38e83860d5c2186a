//! One query in the three output modes, side by side.

mod modes_panel;

pub use modes_panel::Modes;
