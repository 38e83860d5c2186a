//! Two moments side by side: only what differs.

mod compare_panel;
mod differences;
mod side;

pub use compare_panel::Compare;
