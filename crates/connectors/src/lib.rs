//! Sources and sinks: what `format(…)` can name.
//!
//! Owns: file formats and how files become tasks, the file source, Delta as sink and source, memory, console and noop sinks, batch readers
//! and writers.
//! May touch: types, trace, world, plan, engine, delta.
//! Must not know: Python, the protocol of a micro-batch, the page.
//! Invariants: rows are decoded once, at the source, into the declared schema, and encoded once, at the sink; the same
//! files give the same tasks in the same order.

pub mod batch;
mod compact_log;
pub mod condition;
pub mod delta_source;
pub mod file_source;
pub mod format;
pub mod formats;
pub mod glob;
pub mod packing;
pub mod rate;
pub mod sink;

pub use formats::Formats;
