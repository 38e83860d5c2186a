//! What a query remembers: per operator and partition, as of one batch.

mod state_panel;

pub use state_panel::{StatePanel, StateTables};
