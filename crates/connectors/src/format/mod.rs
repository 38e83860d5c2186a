//! File formats: bytes of a file to columns and back.

pub mod csv;
pub mod file_format;
pub mod json;
pub mod lines;
pub mod parquet;
pub mod read;
pub mod text;

pub use file_format::{FileFormat, Input, open};
pub use read::read_files;
