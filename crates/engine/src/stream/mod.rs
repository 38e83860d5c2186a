//! Micro-batch queries: [`StreamExecution`] is one query, [`StreamExecution::step`] does one thing of its protocol.

mod active;
mod batch;
pub mod commit_log;
pub mod conf;
mod construct;
pub mod cost;
mod execution;
mod failure;
pub mod jackson;
pub mod log;
pub mod offset_log;
mod probe;
pub mod progress;
mod pushdown;
mod recovery;
mod report;
mod stage;
mod start;
mod state;
mod step;
pub mod watermark;

pub use active::ActiveQueries;
pub use execution::StreamExecution;
pub use probe::{Gathers, Probe, RowsRead};
pub use progress::{SinkProgress, SourceProgress, StreamingQueryProgress, StreamingQueryStatus};
pub use step::{Did, Question, Step};
