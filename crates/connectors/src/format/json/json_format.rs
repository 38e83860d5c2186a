//! JSON as a file format.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::spec::Options;
use tidemark_types::{Batch, DataType, ErrorClass, SimTime, SparkError, StructType};

use crate::format::file_format::{FileFormat, Input};
use crate::format::json::decode::decode;
use crate::format::json::encode::Encoder;
use crate::format::json::infer::infer;
use crate::format::json::moments::Moments;
use crate::format::json::options::JsonOptions;

/// JSON with its options.
#[derive(Clone, Debug)]
pub struct JsonFormat {
    options: JsonOptions,
}

impl JsonFormat {
    /// JSON as reader or writer was told.
    pub fn new(options: &Options, settings: &dyn Settings) -> Result<Self> {
        Ok(JsonFormat { options: JsonOptions::new(options, settings)? })
    }
}

impl FileFormat for JsonFormat {
    fn title(&self) -> &'static str {
        "JSON"
    }

    fn extension(&self) -> &'static str {
        "json"
    }

    fn splittable(&self) -> bool {
        !self.options.multi_line
    }

    fn infer(&self, files: &[Bytes], now: SimTime) -> Result<Option<StructType>> {
        if files.is_empty() {
            return Ok(None);
        }
        let moments = Moments::new(&self.options, now);
        let schema = infer(files.iter().map(AsRef::as_ref), &self.options, &moments)?;
        Ok(Some(schema))
    }

    fn check_read(&self, schema: &StructType) -> Result<()> {
        check_names(schema)?;
        check_map_keys(schema)?;
        check_corrupt_column(&self.options.corrupt_column, schema)
    }

    fn check_write(&self, schema: &StructType) -> Result<()> {
        check_names(schema)
    }

    fn decode(&self, input: &Input<'_>, schema: &Arc<StructType>) -> Result<Batch> {
        Ok(decode(input, schema, &self.options)?)
    }

    fn encode(&self, batches: &[Batch], _schema: &Arc<StructType>) -> Result<Bytes> {
        let moments = Moments::new(&self.options, SimTime(0));
        let separator = self.options.line_separator.as_deref().unwrap_or(b"\n");
        let mut out = Vec::new();
        for batch in batches {
            let encoder = Encoder::new(batch, &moments, self.options.ignore_null_fields);
            for row in 0..batch.rows() {
                encoder.row(row, &mut out);
                out.extend_from_slice(separator);
            }
        }
        Ok(out.into())
    }
}

/// Refuses two columns whose names differ at most in case.
pub fn check_names(schema: &StructType) -> Result<()> {
    let mut seen = BTreeSet::new();
    match schema.fields.iter().map(|f| f.name.to_lowercase()).find(|name| !seen.insert(name.clone())) {
        None => Ok(()),
        Some(name) => Err(SparkError::new(
            ErrorClass::Analysis,
            "COLUMN_ALREADY_EXISTS",
            "42711",
            format!("The column `{name}` already exists. Choose another name or rename the existing column."),
        )
        .with_parameter("columnName", format!("`{name}`"))
        .into()),
    }
}

/// Refuses a column for malformed records that cannot hold them.
pub fn check_corrupt_column(name: &str, schema: &StructType) -> Result<()> {
    match schema.fields.iter().find(|f| f.name == name) {
        Some(field) if field.data_type != DataType::String || !field.nullable => {
            Err(corrupt_record_type(name, &field.data_type).into())
        }
        _ => Ok(()),
    }
}

fn check_map_keys(schema: &StructType) -> Result<()> {
    fn keys_are_texts(data_type: &DataType) -> bool {
        match data_type {
            DataType::Map(key, value, _) => **key == DataType::String && keys_are_texts(value),
            DataType::Array(element, _) => keys_are_texts(element),
            DataType::Struct(schema) => schema.fields.iter().all(|f| keys_are_texts(&f.data_type)),
            _ => true,
        }
    }
    if schema.fields.iter().all(|f| keys_are_texts(&f.data_type)) {
        return Ok(());
    }
    let text = DataType::Struct(schema.clone()).sql();
    Err(SparkError::new(
        ErrorClass::Analysis,
        "INVALID_JSON_SCHEMA_MAP_TYPE",
        "22032",
        format!("Input schema \"{text}\" can only contain STRING as a key type for a MAP."),
    )
    .with_parameter("jsonSchema", format!("\"{text}\""))
    .into())
}

fn corrupt_record_type(name: &str, data_type: &DataType) -> SparkError {
    let actual = data_type.sql();
    SparkError::new(
        ErrorClass::Analysis,
        "INVALID_CORRUPT_RECORD_TYPE",
        "42804",
        format!(
            "The column `{name}` for corrupt records must have the nullable STRING type, but got \"{actual}\"."
        ),
    )
    .with_parameter("columnName", format!("`{name}`"))
    .with_parameter("actualType", format!("\"{actual}\""))
}
