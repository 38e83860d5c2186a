//! Batch readers and writers: files, and Delta tables.

pub mod delta;
pub mod describe;
pub mod files;
pub(crate) mod part;
pub mod partition;
pub mod reader;
pub mod state;
pub mod write;
