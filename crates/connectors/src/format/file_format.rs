//! What a format of files is asked.

use std::fmt::Debug;
use std::sync::Arc;

use bytes::Bytes;
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::spec::Options;
use tidemark_types::{Batch, SimTime, StructType};

use crate::format::csv::CsvFormat;
use crate::format::json::JsonFormat;
use crate::format::parquet::ParquetFormat;
use crate::format::text::TextFormat;

/// A piece of a file that one task reads.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// The `file:` URI of the file, for messages.
    pub uri: &'a str,
    /// The whole file.
    pub bytes: &'a Bytes,
    /// The first byte of the piece.
    pub start: usize,
    /// The byte after the last one. A record belongs to the piece in which it begins.
    pub end: usize,
    /// The World's time, for texts that mean today.
    pub now: SimTime,
}

/// A format of files, with the options of one reader or writer already understood.
pub trait FileFormat: Debug {
    /// The name as messages show it: `JSON`.
    fn title(&self) -> &'static str;

    /// The end of a file's name: `json`, `snappy.parquet`.
    fn extension(&self) -> &'static str;

    /// Says which columns the files have, where only their order tells: `decode` may be asked for fewer.
    fn declare(&mut self, _columns: &StructType) {}

    /// Whether a file may be cut between tasks.
    fn splittable(&self) -> bool;

    /// The schema of these files, `None` when they do not tell: no file, no row.
    fn infer(&self, files: &[Bytes], now: SimTime) -> Result<Option<StructType>>;

    /// Refuses a schema that the format cannot read.
    fn check_read(&self, schema: &StructType) -> Result<()>;

    /// Refuses a schema that the format cannot write.
    fn check_write(&self, schema: &StructType) -> Result<()>;

    /// The rows of a piece: only the columns of `schema` are looked at.
    fn decode(&self, input: &Input<'_>, schema: &Arc<StructType>) -> Result<Batch>;

    /// The bytes of a file with these rows.
    fn encode(&self, batches: &[Batch], schema: &Arc<StructType>) -> Result<Bytes>;
}

/// The format of this name with these options; `None` when no file format has the name.
pub fn open(name: &str, options: &Options, settings: &dyn Settings) -> Result<Option<Box<dyn FileFormat>>> {
    Ok(match name {
        "csv" => Some(Box::new(CsvFormat::new(options, settings)?)),
        "json" => Some(Box::new(JsonFormat::new(options, settings)?)),
        "parquet" => Some(Box::new(ParquetFormat)),
        "text" => Some(Box::new(TextFormat::new(options)?)),
        _ => None,
    })
}
