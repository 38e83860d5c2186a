//! Spark's hashes: of 32 bits for `hash()` and shuffles, of 64 bits for approximate counts.

pub(crate) mod murmur;
pub(crate) mod xx;

pub use murmur::{hash_bytes, hash_columns, hash_int, hash_long, partition_of};
