//! How plans run: columns through operators in a batch, and micro-batches one protocol step at a time.
//!
//! Owns: kernels of expressions, batch operators, the micro-batch state machine, offset log, commit log, progress, the
//! traits of sources and sinks.
//! May touch: types, trace, world, plan.
//! Must not know: Delta, file formats, Python, the page.
//! Invariants: `offsets/N` is durable before the first row of batch N is read; `commits/N` is written only after the
//! sink has accepted batch N; one call of a step makes at most one thing durable or visible.

pub mod batch;
pub mod connector;
pub mod error;
pub mod kernel;
pub mod operator;
pub mod sink;
pub mod source;
pub mod state;
pub mod stream;

pub use connector::{Connectors, Reader};
pub use error::{Error, Result};
pub use sink::{Accepted, Sink, SinkContext};
pub use source::{Offset, ReadLimit, Source, Task};
