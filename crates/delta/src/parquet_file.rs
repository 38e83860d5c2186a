//! Parquet bytes to batches and back, in Spark's types.

use std::sync::Arc;

use bytes::Bytes;
use tidemark_types::{Batch, StructType};

use crate::condition;
use crate::error::Result;

/// The schema that a Parquet file has by itself, with Spark's types.
///
/// Shape: `path` is only for the error. Errors: `FAILED_READ_FILE.NO_HINT`.
pub fn read_schema(path: &str, _bytes: &Bytes) -> Result<StructType> {
    Err(condition::failed_read_file(path, "to be written").into())
}

/// The rows of a Parquet file as these columns: found by name without case, cast to the wanted type, null where missing.
///
/// Shape: `path` is only for the error. Errors: `FAILED_READ_FILE.NO_HINT`.
pub fn read(path: &str, _bytes: &Bytes, _schema: &Arc<StructType>) -> Result<Batch> {
    Err(condition::failed_read_file(path, "to be written").into())
}

/// The rows as one Parquet file: Snappy, Spark's physical types, Spark's row metadata in the footer.
pub fn write(_batch: &Batch) -> Result<Bytes> {
    Ok(Bytes::new())
}
