//! The options of the rate sources, and what their rows look like.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, TimestampMicrosecondArray};
use tidemark_engine::{Result, Task};
use tidemark_plan::spec::Options;
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructField, StructType};

/// `timestamp timestamp, value bigint`.
pub fn schema() -> StructType {
    StructType::new(vec![
        StructField::new("timestamp", DataType::Timestamp, true),
        StructField::new("value", DataType::Long, true),
    ])
}

/// Refuses a declared schema.
pub fn check_schema(format: &str, declared: Option<&StructType>) -> Result<()> {
    if declared.is_none() {
        return Ok(());
    }
    let provider = if format == "rate" { "RateStreamProvider" } else { "RatePerMicroBatchProvider" };
    Err(SparkError::new(
        ErrorClass::UnsupportedOperation,
        "_LEGACY_ERROR_TEMP_2242",
        "",
        format!("{provider} source does not support user-specified schema."),
    )
    .with_parameter("provider", provider)
    .into())
}

/// A number, or the default; Java's error for what is none.
pub(crate) fn number(options: &Options, name: &str, default: i64) -> Result<i64> {
    match options.get(name) {
        None => Ok(default),
        Some(text) => text.trim().parse().map_err(|_| {
            SparkError::plain(ErrorClass::NumberFormat, format!("For input string: \"{text}\"")).into()
        }),
    }
}

/// Refuses a number that is not positive.
pub(crate) fn positive(value: i64, name: &str) -> Result<i64> {
    if value > 0 {
        return Ok(value);
    }
    Err(refused(format!("Invalid value '{value}'. The option '{name}' must be positive")))
}

/// Refuses a number below 0.
pub(crate) fn not_negative(value: i64, name: &str) -> Result<i64> {
    if value >= 0 {
        return Ok(value);
    }
    Err(refused(format!("Invalid value '{value}'. The option '{name}' must not be negative")))
}

fn refused(text: String) -> tidemark_engine::Error {
    SparkError::plain(ErrorClass::IllegalArgument, text).into()
}

/// A time text in seconds: `10`, `10s`, `1m`, `2h`, `1d`.
pub(crate) fn seconds(options: &Options, name: &str) -> Result<i64> {
    let Some(text) = options.get(name) else { return Ok(0) };
    let text = text.trim().to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].trim() {
        "" | "s" => Some(1),
        "m" | "min" => Some(60),
        "h" => Some(3600),
        "d" => Some(86_400),
        _ => None,
    };
    let number = digits.trim().parse::<i64>().ok();
    number.zip(unit).map(|(number, unit)| number * unit).ok_or_else(|| {
        SparkError::plain(ErrorClass::NumberFormat, format!("Invalid time string: {text}")).into()
    })
}

/// Rows `from..to` over so many tasks, each value in turn to the next task.
pub(crate) fn tasks(from: i64, to: i64, partitions: i64, micros_of: impl Fn(i64) -> i64) -> Vec<Task> {
    if from >= to {
        return Vec::new();
    }
    let schema = Arc::new(schema());
    (0..partitions)
        .map(|task| {
            let values: Vec<i64> = (from + task..to).step_by(partitions as usize).collect();
            let times = values.iter().map(|value| micros_of(*value));
            let times: ArrayRef =
                Arc::new(TimestampMicrosecondArray::from_iter_values(times).with_timezone("UTC"));
            let rows = values.len();
            let batch = Batch::new(schema.clone(), vec![times, Arc::new(Int64Array::from(values))], rows);
            Task { batches: vec![batch], files: vec![None] }
        })
        .collect()
}
