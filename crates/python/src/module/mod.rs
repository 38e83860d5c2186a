//! The modules of the standard library that the machine has: Python sources over a few native functions.

mod library;
mod math;
mod pattern;
mod regex;
mod system;

pub(crate) use library::{CORE, library_source, native_module};
pub(crate) use regex::Regex;
pub(crate) use system::{path_of, reply_value};
