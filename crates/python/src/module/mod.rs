//! The modules of the standard library that the machine has: Python sources over a few native functions.

mod library;
mod math;
mod system;

pub(crate) use library::{CORE, library_source, native_module};
pub(crate) use system::{path_of, reply_value};
