//! Spark's measures by batch, as plots on the axis of the rail and as `lastProgress`; and the bill.

mod bill;
mod numbers_panel;
mod plots;
mod progress;

pub use bill::Bill;
pub use numbers_panel::Numbers;
pub use progress::Progress;
