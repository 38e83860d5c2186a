//! The store: the tree of everything durable, with what changed in this step.

mod row;
mod store_panel;

pub use store_panel::StorePanel;
