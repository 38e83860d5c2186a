//! State that lives from batch to batch: rows in Spark's own binary form, their stores and files, and who uses them.

mod aggregate;
mod buffer;
mod deduplicate;
mod event_time;
mod files;
mod frame;
mod grouping;
mod join;
pub(crate) mod known;
mod limit;
mod metadata;
mod metrics;
pub(crate) mod operator;
pub mod reader;
mod row;
mod run;
mod schema_text;
mod session;
mod store;

pub use event_time::EventTimeStats;
pub(crate) use files::{Upkeep, load, snapshot_due, write_delta, write_snapshot};
pub(crate) use metadata::{check_state, state_files};
pub use metrics::OperatorMetrics;
pub(crate) use run::{Given, prepared, run_batch};
pub use store::{STATE_BYTES_MAX, StateStore, StoreId};
pub(crate) use store::{Save, StateStores};
