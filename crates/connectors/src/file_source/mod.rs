//! The streaming source over a folder of files.
//!
//! Each listing sees the whole folder; the seen map tells which files are new; the source log gives what is new a
//! number, so that an offset names it for ever.

pub(crate) mod listing;
mod options;
mod seen;
mod source;
mod source_log;

pub use options::FileStreamOptions;
pub(crate) use options::time_string_ms;
pub use source::FileSource;
