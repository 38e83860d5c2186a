//! Parquet, by the reader and the writer of the Delta room.

use std::sync::Arc;

use bytes::Bytes;
use tidemark_delta::parquet_file;
use tidemark_engine::Result;
use tidemark_types::{Batch, ErrorClass, SimTime, SparkError, StructType};

use crate::batch::delta::engine_error;
use crate::format::file_format::{FileFormat, Input};
use crate::format::json::json_format::check_names;

/// Parquet.
#[derive(Clone, Copy, Debug)]
pub struct ParquetFormat;

impl FileFormat for ParquetFormat {
    fn title(&self) -> &'static str {
        "Parquet"
    }

    fn extension(&self) -> &'static str {
        "snappy.parquet"
    }

    fn splittable(&self) -> bool {
        false
    }

    fn infer(&self, files: &[Bytes], _now: SimTime) -> Result<Option<StructType>> {
        let Some(first) = files.first() else { return Ok(None) };
        let schema = parquet_file::read_schema("", first).map_err(engine_error)?;
        Ok(Some(schema.as_nullable()))
    }

    fn check_read(&self, schema: &StructType) -> Result<()> {
        check_names(schema)
    }

    fn check_write(&self, schema: &StructType) -> Result<()> {
        check_names(schema)
    }

    fn decode(&self, input: &Input<'_>, schema: &Arc<StructType>) -> Result<Batch> {
        parquet_file::read(input.uri, input.bytes, schema).map_err(engine_error)
    }

    fn encode(&self, batches: &[Batch], schema: &Arc<StructType>) -> Result<Bytes> {
        let rows = Batch::concat(schema, batches)
            .map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()))?;
        parquet_file::write(&rows).map_err(engine_error)
    }
}
