//! CSV as Spark reads and writes it: columns by position.

mod csv_format;
mod options;
mod record;
mod value;

pub use csv_format::CsvFormat;
