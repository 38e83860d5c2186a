//! The sources that make their own rows: so many a second, or so many a batch.

mod micro_batch;
mod options;
mod per_second;

pub use micro_batch::RateMicroBatchSource;
pub use options::{check_schema, schema};
pub use per_second::RateSource;
