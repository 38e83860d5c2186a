//! The sinks of streaming queries, by the name in `format(…)`.

mod console;
mod delta;
mod foreach_batch;
mod memory;
mod noop;
mod open;

pub use console::ConsoleSink;
pub use delta::DeltaSink;
pub use foreach_batch::ForeachBatchSink;
pub use memory::MemorySink;
pub use noop::NoopSink;
pub use open::open;
