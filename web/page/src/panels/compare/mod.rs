//! Two moments side by side: only what differs.

mod compare_panel;

pub use compare_panel::Compare;
