//! Text: a row for each line, or for each file.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, StringArray};
use bytes::Bytes;
use tidemark_engine::Result;
use tidemark_plan::spec::Options;
use tidemark_types::{Batch, DataType, ErrorClass, SimTime, SparkError, StructField, StructType};

use crate::format::file_format::{FileFormat, Input};
use crate::format::json::options::{line_separator, parse_boolean};
use crate::format::lines::Lines;

/// Text with its options.
#[derive(Clone, Debug)]
pub struct TextFormat {
    whole_text: bool,
    line_separator: Option<Vec<u8>>,
}

impl TextFormat {
    /// Text as reader or writer was told.
    pub fn new(options: &Options) -> Result<Self> {
        let whole_text = options.get("wholetext").map_or(Ok(false), |text| parse_boolean(text))?;
        Ok(TextFormat { whole_text, line_separator: line_separator(options)? })
    }

    fn check(schema: &StructType) -> Result<()> {
        if let Some(field) = schema.fields.iter().find(|f| f.data_type != DataType::String) {
            return Err(unsupported_type("Text", &field.name, &field.data_type).into());
        }
        if schema.fields.len() != 1 {
            let count = schema.fields.len();
            return Err(SparkError::new(
                ErrorClass::Analysis,
                "_LEGACY_ERROR_TEMP_1290",
                "",
                format!("Text data source supports only a single column, and you have {count} columns."),
            )
            .into());
        }
        Ok(())
    }
}

impl FileFormat for TextFormat {
    fn title(&self) -> &'static str {
        "Text"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn splittable(&self) -> bool {
        !self.whole_text
    }

    fn infer(&self, _files: &[Bytes], _now: SimTime) -> Result<Option<StructType>> {
        Ok(Some(StructType::new(vec![StructField::new("value", DataType::String, true)])))
    }

    fn check_read(&self, schema: &StructType) -> Result<()> {
        Self::check(schema)
    }

    fn check_write(&self, schema: &StructType) -> Result<()> {
        Self::check(schema)
    }

    fn decode(&self, input: &Input<'_>, schema: &Arc<StructType>) -> Result<Batch> {
        let values: Vec<_> = if self.whole_text {
            vec![String::from_utf8_lossy(input.bytes)]
        } else {
            Lines::new(input.bytes, input.start, input.end, self.line_separator.as_deref())
                .map(String::from_utf8_lossy)
                .collect()
        };
        let column: ArrayRef = Arc::new(StringArray::from_iter_values(&values));
        let columns = schema.fields.iter().map(|_| column.clone()).collect();
        Ok(Batch::new(schema.clone(), columns, values.len()))
    }

    fn encode(&self, batches: &[Batch], _schema: &Arc<StructType>) -> Result<Bytes> {
        let separator = self.line_separator.as_deref().unwrap_or(b"\n");
        let mut out = Vec::new();
        for batch in batches {
            let values =
                batch.columns().first().and_then(|column| column.as_any().downcast_ref::<StringArray>());
            let Some(values) = values else { continue };
            for row in 0..values.len() {
                if values.is_valid(row) {
                    out.extend_from_slice(values.value(row).as_bytes());
                }
                out.extend_from_slice(separator);
            }
        }
        Ok(out.into())
    }
}

/// `UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE`.
pub fn unsupported_type(format: &str, column: &str, data_type: &DataType) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
        "0A000",
        format!(
            "The {format} datasource doesn't support the column `{column}` of the type \"{}\".",
            data_type.sql()
        ),
    )
    .with_parameter("columnName", format!("`{column}`"))
    .with_parameter("columnType", format!("\"{}\"", data_type.sql()))
    .with_parameter("format", format)
}
