//! The sinks of streaming queries, by the name in `format(…)`.

mod console;
mod delta;
mod file;
mod foreach_batch;
mod memory;
mod noop;
mod open;
pub(crate) mod sink_log;

pub use console::ConsoleSink;
pub use delta::DeltaSink;
pub use file::FileSink;
pub use foreach_batch::ForeachBatchSink;
pub use memory::MemorySink;
pub use noop::NoopSink;
pub use open::open;
