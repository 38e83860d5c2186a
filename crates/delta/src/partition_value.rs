//! Values of partition columns as the log writes them, and back as columns.

use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, BinaryArray, Float32Array, Float64Array, StringArray, UInt32Array,
    new_null_array,
};
use arrow::compute::take;
use arrow::datatypes::{DataType as Arrow, Float32Type, Float64Type, TimestampMicrosecondType};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use tidemark_types::DataType;
use tidemark_types::number::{double_text, float_text};

use crate::adapt::strict_cast;
use crate::value_text::micros_text;

/// A column of `rows` values, all of them the one that the text means; null for null and for the empty text.
///
/// Shape: timestamps are read with and without a zone; without one they are taken as UTC.
pub(crate) fn column(text: Option<&str>, data_type: &DataType, rows: usize) -> Result<ArrayRef, ArrowError> {
    let arrow = data_type.to_arrow();
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(new_null_array(&arrow, rows)) };
    let one: ArrayRef = match data_type {
        DataType::Binary => Arc::new(BinaryArray::from(vec![text.as_bytes()])),
        DataType::Double => Arc::new(Float64Array::from(vec![parse::<f64>(text)?])),
        DataType::Float => Arc::new(Float32Array::from(vec![parse::<f32>(text)?])),
        _ => strict_cast(&(Arc::new(StringArray::from(vec![text])) as ArrayRef), &arrow)?,
    };
    take(&one, &UInt32Array::from(vec![0; rows]), None)
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, ArrowError> {
    text.parse().map_err(|_| ArrowError::ParseError(format!("{text} is no number")))
}

/// The text of one value; none for null and for the empty text, which a partition column cannot hold.
pub(crate) fn text(column: &ArrayRef, row: usize) -> Result<Option<String>, ArrowError> {
    if column.is_null(row) {
        return Ok(None);
    }
    let text = match column.data_type() {
        Arrow::Float32 => float_text(column.as_primitive::<Float32Type>().value(row)),
        Arrow::Float64 => double_text(column.as_primitive::<Float64Type>().value(row)),
        Arrow::Binary => String::from_utf8_lossy(column.as_binary::<i32>().value(row)).into_owned(),
        Arrow::Timestamp(_, zone) => {
            let micros = column.as_primitive::<TimestampMicrosecondType>().value(row);
            match zone {
                Some(_) => micros_text(micros, "%Y-%m-%dT%H:%M:%S%.6fZ"),
                None => micros_text(micros, "%Y-%m-%d %H:%M:%S%.6f"),
            }
        }
        _ => ArrayFormatter::try_new(column, &FormatOptions::default())?.value(row).to_string(),
    };
    Ok(Some(text).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_survives_its_text() {
        let cases = [
            (DataType::Integer, "-7", "-7"),
            (DataType::Boolean, "true", "true"),
            (DataType::Double, "1.5", "1.5"),
            (DataType::Double, "NaN", "NaN"),
            (DataType::Decimal(10, 2), "1.50", "1.50"),
            (DataType::Date, "2026-01-31", "2026-01-31"),
            (DataType::Timestamp, "2026-01-31 10:00:00.5", "2026-01-31T10:00:00.500000Z"),
            (DataType::Timestamp, "2026-01-31T10:00:00.500000Z", "2026-01-31T10:00:00.500000Z"),
            (DataType::String, "a b/c%é", "a b/c%é"),
            (DataType::Binary, "xyz", "xyz"),
        ];
        for (data_type, written, expected) in cases {
            let values = column(Some(written), &data_type, 2).expect("the text is a value");
            assert_eq!(values.len(), 2);
            assert_eq!(
                text(&values, 1).expect("the value has a text").as_deref(),
                Some(expected),
                "{written}"
            );
        }
        let nulls = column(Some(""), &DataType::String, 1).expect("the empty text is null");
        assert!(nulls.is_null(0));
        assert_eq!(text(&nulls, 0).expect("null has no text"), None);
    }
}
