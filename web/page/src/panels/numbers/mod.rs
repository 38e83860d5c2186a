//! Numbers: Spark's own measures, by their own names.

mod numbers_panel;

pub use numbers_panel::Numbers;
