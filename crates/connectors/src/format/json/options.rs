//! The options of JSON, understood.

use tidemark_engine::connector::Settings;
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SparkError};

use crate::format::json::lexer::Rules;
use crate::format::json::moments::parse_zone;

/// What becomes of a malformed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseMode {
    /// It becomes a row with what could be read.
    Permissive,
    /// It is left out.
    DropMalformed,
    /// The query fails.
    FailFast,
}

/// The options of one JSON reader or writer.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonOptions {
    /// The tolerances of the text.
    pub rules: Rules,
    /// What becomes of a malformed record.
    pub mode: ParseMode,
    /// The column for malformed records.
    pub corrupt_column: String,
    /// Whether a file is one document.
    pub multi_line: bool,
    /// What ends a line, if not any of the usual.
    pub line_separator: Option<Vec<u8>>,
    /// The zone of texts without one.
    pub time_zone: String,
    /// The one pattern for timestamps, if given.
    pub timestamp_format: Option<String>,
    /// The one pattern for timestamps without zone, if given.
    pub timestamp_ntz_format: Option<String>,
    /// The one pattern for dates, if given.
    pub date_format: Option<String>,
    /// Inference makes a string of every single value.
    pub primitives_as_string: bool,
    /// Inference makes decimals of fractions.
    pub prefers_decimal: bool,
    /// Inference leaves out what is always null or empty.
    pub drop_null_fields: bool,
    /// Inference looks for timestamps in strings.
    pub infer_timestamp: bool,
    /// Writing leaves out nulls.
    pub ignore_null_fields: bool,
}

impl JsonOptions {
    /// What reader or writer was told.
    pub fn new(options: &Options, settings: &dyn Settings) -> Result<Self, SparkError> {
        let flag = |name: &str, default: bool| match options.get(name) {
            None => Ok(default),
            Some(text) => parse_boolean(text),
        };
        let default = Rules::default();
        let rules = Rules {
            comments: flag("allowcomments", default.comments)?,
            unquoted_names: flag("allowunquotedfieldnames", default.unquoted_names)?,
            single_quotes: flag("allowsinglequotes", default.single_quotes)?,
            leading_zeros: flag("allownumericleadingzeros", default.leading_zeros)?,
            any_escape: flag("allowbackslashescapinganycharacter", default.any_escape)?,
            control_chars: flag("allowunquotedcontrolchars", default.control_chars)?,
            non_numeric: flag("allownonnumericnumbers", default.non_numeric)?,
        };
        if let Some(ratio) = options.get("samplingratio") {
            ratio.trim().parse::<f64>().map_err(|_| {
                SparkError::plain(ErrorClass::NumberFormat, format!("For input string: \"{ratio}\""))
            })?;
        }
        check_encoding(options.get("encoding").or_else(|| options.get("charset")))?;
        let setting = |name: &str| settings.get(name);
        if let Some(zone) = options.get("timezone") {
            parse_zone(zone)?;
        }
        Ok(JsonOptions {
            rules,
            mode: parse_mode(options.get("mode")),
            corrupt_column: options
                .get("columnnameofcorruptrecord")
                .cloned()
                .or_else(|| setting("spark.sql.columnNameOfCorruptRecord"))
                .unwrap_or_else(|| "_corrupt_record".into()),
            multi_line: flag("multiline", false)?,
            line_separator: line_separator(options)?,
            time_zone: options
                .get("timezone")
                .cloned()
                .or_else(|| setting("spark.sql.session.timeZone"))
                .unwrap_or_else(|| "UTC".into()),
            timestamp_format: options.get("timestampformat").cloned(),
            timestamp_ntz_format: options.get("timestampntzformat").cloned(),
            date_format: options.get("dateformat").cloned(),
            primitives_as_string: flag("primitivesasstring", false)?,
            prefers_decimal: flag("prefersdecimal", false)?,
            drop_null_fields: flag("dropfieldifallnull", false)?,
            infer_timestamp: flag("infertimestamp", false)?,
            ignore_null_fields: match setting("spark.sql.jsonGenerator.ignoreNullFields") {
                Some(text) => flag("ignorenullfields", text != "false")?,
                None => flag("ignorenullfields", true)?,
            },
        })
    }
}

fn parse_mode(text: Option<&String>) -> ParseMode {
    match text.map(|text| text.to_ascii_uppercase()).as_deref() {
        Some("DROPMALFORMED") => ParseMode::DropMalformed,
        Some("FAILFAST") => ParseMode::FailFast,
        _ => ParseMode::Permissive,
    }
}

/// A flag as Scala reads it.
pub fn parse_boolean(text: &str) -> Result<bool, SparkError> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(SparkError::plain(ErrorClass::IllegalArgument, format!("For input string: \"{text}\""))),
    }
}

/// The option `lineSep`.
pub fn line_separator(options: &Options) -> Result<Option<Vec<u8>>, SparkError> {
    match options.get("linesep") {
        Some(text) if text.is_empty() => Err(SparkError::plain(
            ErrorClass::IllegalArgument,
            "requirement failed: 'lineSep' cannot be an empty string.",
        )),
        other => Ok(other.map(|text| text.as_bytes().to_vec())),
    }
}

fn check_encoding(name: Option<&String>) -> Result<(), SparkError> {
    const KNOWN: &str = "iso-8859-1, us-ascii, utf-16, utf-16be, utf-16le, utf-32, utf-8";
    let Some(name) = name else { return Ok(()) };
    match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" => Ok(()),
        other if KNOWN.split(", ").any(|known| known == other) => Err(SparkError::plain(
            ErrorClass::UnsupportedOperation,
            format!("Tidemark reads JSON in UTF-8 only, not in {name}."),
        )),
        _ => Err(SparkError::new(
            ErrorClass::IllegalArgument,
            "INVALID_PARAMETER_VALUE.CHARSET",
            "22023",
            format!(
                "The value of parameter(s) `charset` in `JSONOptionsInRead` is invalid: expects one of the {KNOWN}, but \
                 got {name}."
            ),
        )),
    }
}
