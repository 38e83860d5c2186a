//! Rows as Spark keeps them in bytes: `UnsafeRow`, with the arrays and maps inside.

mod array;
mod grow;
mod pack;
mod read;
mod write;

pub(super) use grow::with_last;
pub(super) use pack::Packer;
pub(super) use read::decode;
pub(super) use write::{bitset_bytes, encode};
