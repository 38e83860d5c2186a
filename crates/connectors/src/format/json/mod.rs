//! JSON as Spark reads and writes it: one record a line, or one document a file.

pub mod column;
pub mod convert;
pub mod decode;
pub mod encode;
pub mod infer;
pub mod json_format;
pub mod lexer;
pub mod moments;
pub mod number;
pub mod options;
pub mod row_text;
pub mod text;

pub use json_format::JsonFormat;
pub use options::{JsonOptions, ParseMode};
