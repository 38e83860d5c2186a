//! The options of CSV, understood.

use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SparkError};

use crate::format::json::options::{JsonOptions, parse_boolean};

/// The options of one CSV reader or writer.
#[derive(Clone, Debug)]
pub(crate) struct CsvOptions {
    /// Mode, column for malformed records, line ends and formats of times, as JSON has them.
    pub(crate) base: JsonOptions,
    pub(crate) header: bool,
    pub(crate) separator: u8,
    pub(crate) quote: Option<u8>,
    pub(crate) escape: u8,
    pub(crate) comment: Option<u8>,
    pub(crate) null_value: String,
    pub(crate) empty_value: Option<String>,
    pub(crate) trim_start: bool,
    pub(crate) trim_end: bool,
    pub(crate) infer_schema: bool,
    pub(crate) enforce_schema: bool,
    pub(crate) nan: String,
    pub(crate) positive_infinity: String,
    pub(crate) negative_infinity: String,
}

impl CsvOptions {
    pub(crate) fn new(options: &Options, settings: &dyn Settings) -> Result<Self> {
        let flag =
            |name: &str, default: bool| options.get(name).map_or(Ok(default), |text| parse_boolean(text));
        let text =
            |name: &str, default: &str| options.get(name).cloned().unwrap_or_else(|| default.to_owned());
        let letter = |name: &str, default: Option<u8>| match options.get(name).map(String::as_bytes) {
            None => Ok(default),
            Some([] | [0]) => Ok(None),
            Some([one]) => Ok(Some(*one)),
            Some(_) => Err(SparkError::plain(
                ErrorClass::Runtime,
                format!("{name} cannot be more than one character."),
            )),
        };
        Ok(CsvOptions {
            base: JsonOptions::new(options, settings)?,
            header: flag("header", false)?,
            separator: separator(options)?,
            quote: letter("quote", Some(b'"'))?,
            escape: letter("escape", Some(b'\\'))?.unwrap_or(b'\\'),
            comment: letter("comment", None)?,
            null_value: text("nullvalue", ""),
            empty_value: options.get("emptyvalue").cloned(),
            trim_start: flag("ignoreleadingwhitespace", false)?,
            trim_end: flag("ignoretrailingwhitespace", false)?,
            infer_schema: flag("inferschema", false)?,
            enforce_schema: flag("enforceschema", true)?,
            nan: text("nanvalue", "NaN"),
            positive_infinity: text("positiveinf", "Inf"),
            negative_infinity: text("negativeinf", "-Inf"),
        })
    }
}

fn separator(options: &Options) -> Result<u8> {
    let text = options.get("sep").or_else(|| options.get("delimiter")).map_or(",", String::as_str);
    match text.as_bytes() {
        b"\\t" => Ok(b'\t'),
        [one] => Ok(*one),
        _ => Err(SparkError::plain(
            ErrorClass::UnsupportedOperation,
            format!("Tidemark reads CSV with a separator of one ASCII character only, not {text:?}."),
        )
        .into()),
    }
}
