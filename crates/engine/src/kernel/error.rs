//! The errors of expressions, in Spark's words.

use arrow::error::ArrowError;
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::error::Error;
use crate::kernel::text::constant::quoted;

const ANSI: &str = "\"spark.sql.ansi.enabled\"";

/// An Arrow kernel refused what resolution had promised: a broken invariant of ours, told as Spark tells its own.
pub(crate) fn internal(error: ArrowError) -> Error {
    SparkError::new(ErrorClass::Spark, "INTERNAL_ERROR", "XX000", error.to_string()).into()
}

/// A part that is not built: told by name.
pub(crate) fn unsupported(what: impl Into<String>) -> Error {
    SparkError::plain(ErrorClass::UnsupportedOperation, format!("{} is not supported", what.into())).into()
}

/// `ARITHMETIC_OVERFLOW`, with the function that tolerates it, if there is one.
pub(crate) fn arithmetic_overflow(message: &str, suggested: &str) -> Error {
    let alternative = match suggested {
        "" => String::new(),
        name => format!(" Use '{name}' to tolerate overflow and return NULL instead."),
    };
    let text = format!("{message}.{alternative} If necessary set {ANSI} to \"false\" to bypass this error.");
    SparkError::new(ErrorClass::Arithmetic, "ARITHMETIC_OVERFLOW", "22003", text)
        .with_parameter("message", message)
        .with_parameter("alternative", alternative)
        .with_parameter("config", ANSI)
        .into()
}

/// `BINARY_ARITHMETIC_OVERFLOW`: of bytes and shorts.
pub(crate) fn binary_overflow(left: i64, symbol: &str, right: i64, function: &str) -> Error {
    let text = format!(
        "{left}S {symbol} {right}S caused overflow. Use `{function}` to ignore overflow problem and return NULL."
    );
    SparkError::new(ErrorClass::Arithmetic, "BINARY_ARITHMETIC_OVERFLOW", "22003", text)
        .with_parameter("value1", format!("{left}S"))
        .with_parameter("symbol", symbol)
        .with_parameter("value2", format!("{right}S"))
        .with_parameter("functionName", format!("`{function}`"))
        .into()
}

/// `DIVIDE_BY_ZERO`.
pub(crate) fn divide_by_zero() -> Error {
    by_zero("DIVIDE_BY_ZERO", "Division", "try_divide")
}

/// `REMAINDER_BY_ZERO`.
pub(crate) fn remainder_by_zero() -> Error {
    by_zero("REMAINDER_BY_ZERO", "Remainder", "try_mod")
}

fn by_zero(condition: &str, what: &str, function: &str) -> Error {
    let text = format!(
        "{what} by zero. Use `{function}` to tolerate divisor being 0 and return NULL instead. If necessary set {ANSI} to \"false\" to bypass this error."
    );
    SparkError::new(ErrorClass::Arithmetic, condition, "22012", text).with_parameter("config", ANSI).into()
}

/// `INTERVAL_DIVIDED_BY_ZERO`.
pub(crate) fn interval_divided_by_zero() -> Error {
    let text = "Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead.";
    SparkError::new(ErrorClass::Arithmetic, "INTERVAL_DIVIDED_BY_ZERO", "22012", text).into()
}

/// `INTERVAL_ARITHMETIC_OVERFLOW`.
pub(crate) fn interval_overflow() -> Error {
    let text = "Integer overflow while operating with intervals. Try devising appropriate values for the interval parameters.";
    SparkError::new(ErrorClass::Arithmetic, "INTERVAL_ARITHMETIC_OVERFLOW.WITHOUT_SUGGESTION", "22015", text)
        .into()
}

/// `CAST_INVALID_INPUT`; the value is quoted as SQL by the caller.
pub(crate) fn cast_invalid_input(value_sql: &str, from: &DataType, to: &DataType) -> Error {
    let class = match to {
        DataType::Boolean => ErrorClass::Runtime,
        DataType::Date | DataType::Timestamp | DataType::TimestampNtz => ErrorClass::DateTime,
        _ => ErrorClass::NumberFormat,
    };
    let text = format!(
        "The value {value_sql} of the type \"{}\" cannot be cast to \"{}\" because it is malformed. Correct the value as per the syntax, or change its target type. Use `try_cast` to tolerate malformed input and return NULL instead.",
        from.sql(),
        to.sql()
    );
    SparkError::new(class, "CAST_INVALID_INPUT", "22018", text)
        .with_parameter("expression", value_sql)
        .with_parameter("sourceType", format!("\"{}\"", from.sql()))
        .with_parameter("targetType", format!("\"{}\"", to.sql()))
        .into()
}

/// `CAST_OVERFLOW`; the value is quoted as SQL by the caller.
pub(crate) fn cast_overflow(value_sql: &str, from: &DataType, to: &DataType) -> Error {
    let text = format!(
        "The value {value_sql} of the type \"{}\" cannot be cast to \"{}\" due to an overflow. Use `try_cast` to tolerate overflow and return NULL instead.",
        from.sql(),
        to.sql()
    );
    SparkError::new(ErrorClass::Arithmetic, "CAST_OVERFLOW", "22003", text)
        .with_parameter("value", value_sql)
        .with_parameter("sourceType", format!("\"{}\"", from.sql()))
        .with_parameter("targetType", format!("\"{}\"", to.sql()))
        .into()
}

/// `NUMERIC_VALUE_OUT_OF_RANGE`: a decimal that does not fit its type.
pub(crate) fn decimal_out_of_range(value: &str, precision: u8, scale: i8) -> Error {
    let text = format!(
        " {value} cannot be represented as Decimal({precision}, {scale}). If necessary set {ANSI} to \"false\" to bypass this error, and return NULL instead."
    );
    SparkError::new(ErrorClass::Arithmetic, "NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION", "22003", text)
        .with_parameter("value", value)
        .with_parameter("precision", precision.to_string())
        .with_parameter("scale", scale.to_string())
        .with_parameter("config", ANSI)
        .into()
}

/// `INVALID_ARRAY_INDEX`, or its sister of `element_at`.
pub(crate) fn invalid_array_index(index: i64, size: usize, element_at: bool) -> Error {
    let (condition, advice) = if element_at {
        ("INVALID_ARRAY_INDEX_IN_ELEMENT_AT", "`try_element_at`")
    } else {
        ("INVALID_ARRAY_INDEX", "the SQL function `get()`")
    };
    let text = format!(
        "The index {index} is out of bounds. The array has {size} elements. Use {advice} to tolerate accessing element at invalid index and return NULL instead."
    );
    SparkError::new(ErrorClass::ArrayIndexOutOfBounds, condition, "22003", text)
        .with_parameter("indexValue", index.to_string())
        .with_parameter("arraySize", size.to_string())
        .into()
}

/// `INVALID_INDEX_OF_ZERO`.
pub(crate) fn index_of_zero() -> Error {
    let text = "The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has index 1).";
    SparkError::new(ErrorClass::Runtime, "INVALID_INDEX_OF_ZERO", "22003", text).into()
}

/// `NULL_MAP_KEY`.
pub(crate) fn null_map_key() -> Error {
    SparkError::new(ErrorClass::Runtime, "NULL_MAP_KEY", "2200E", "Cannot use null as map key.").into()
}

/// `DUPLICATED_MAP_KEY`.
pub(crate) fn duplicated_map_key(key: &str) -> Error {
    let text = format!(
        "Duplicate map key {key} was found, please check the input data.\nIf you want to remove the duplicated keys, you can set \"spark.sql.mapKeyDedupPolicy\" to \"LAST_WIN\" so that the key inserted at last takes precedence."
    );
    SparkError::new(ErrorClass::Runtime, "DUPLICATED_MAP_KEY", "23505", text)
        .with_parameter("key", key)
        .with_parameter("mapKeyDedupPolicy", "\"spark.sql.mapKeyDedupPolicy\"")
        .into()
}

/// `CANNOT_PARSE_TIMESTAMP`: a text that its pattern does not match.
pub(crate) fn cannot_parse_timestamp(message: &str, function: &str) -> Error {
    let text =
        format!("{message}. Use `{function}` to tolerate invalid input string and return NULL instead.");
    SparkError::new(ErrorClass::DateTime, "CANNOT_PARSE_TIMESTAMP", "22007", text)
        .with_parameter("message", message)
        .with_parameter("func", format!("`{function}`"))
        .into()
}

/// `INVALID_DATETIME_PATTERN`.
pub(crate) fn invalid_datetime_pattern(pattern: &str) -> Error {
    let text = format!(
        "Unrecognized datetime pattern: '{pattern}'. You can form a valid datetime pattern with the guide from 'https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html'."
    );
    SparkError::new(ErrorClass::Runtime, "INVALID_DATETIME_PATTERN.WITH_SUGGESTION", "22007", text)
        .with_parameter("pattern", format!("'{pattern}'"))
        .into()
}

/// `DATETIME_OVERFLOW`.
pub(crate) fn datetime_overflow(operation: &str) -> Error {
    let text = format!("Datetime operation overflow: {operation}.");
    SparkError::new(ErrorClass::Arithmetic, "DATETIME_OVERFLOW", "22008", text)
        .with_parameter("operation", operation)
        .into()
}

/// `INVALID_FORMAT.ESC_AT_THE_END` and `INVALID_FORMAT.ESC_IN_THE_MIDDLE`: a broken LIKE pattern.
pub(crate) fn invalid_like_pattern(pattern: &str, precedes: Option<char>) -> Error {
    let (condition, why) = match precedes {
        None => ("INVALID_FORMAT.ESC_AT_THE_END", "end with".to_owned()),
        Some(c) => ("INVALID_FORMAT.ESC_IN_THE_MIDDLE", format!("precede '{c}'")),
    };
    let text =
        format!("The format is invalid: {}. The escape character is not allowed to {why}.", quoted(pattern));
    SparkError::new(ErrorClass::Analysis, condition, "42601", text)
        .with_parameter("format", quoted(pattern))
        .into()
}

/// `INVALID_PARAMETER_VALUE.PATTERN`: a broken regular expression.
pub(crate) fn invalid_pattern(function: &str, pattern: &str) -> Error {
    let text = format!("The value of parameter(s) `regexp` in `{function}` is invalid: '{pattern}'.");
    SparkError::new(ErrorClass::Runtime, "INVALID_PARAMETER_VALUE.PATTERN", "22023", text)
        .with_parameter("parameter", "`regexp`")
        .with_parameter("functionName", format!("`{function}`"))
        .with_parameter("value", format!("'{pattern}'"))
        .into()
}

/// `INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION`: a pattern that meant something before Spark 3.
pub(crate) fn datetime_pattern_changed(pattern: &str) -> Error {
    let text = format!(
        "You may get a different result due to the upgrading to Spark >= 3.0:\nFail to recognize '{pattern}' pattern in the DateTimeFormatter.\n1) You can set \"spark.sql.legacy.timeParserPolicy\" to \"LEGACY\" to restore the behavior before Spark 3.0.\n2) You can form a valid datetime pattern with the guide from 'https://spark.apache.org/docs/latest/sql-ref-datetime-pattern.html'."
    );
    let condition = "INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION";
    SparkError::new(ErrorClass::Upgrade, condition, "42K0B", text)
        .with_parameter("pattern", format!("'{pattern}'"))
        .with_parameter("config", "\"spark.sql.legacy.timeParserPolicy\"")
        .into()
}
