//! Numbers: Spark's own measures, by their own names; and the bill.

mod bill;
mod numbers_panel;

pub use bill::Bill;
pub use numbers_panel::Numbers;
