//! Values of partition columns as the log writes them, and back as columns.

use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, BinaryArray, BooleanArray, Date32Array, Float32Array, Float64Array,
    Int64Array, StringArray, TimestampMicrosecondArray, UInt32Array, new_null_array,
};
use arrow::compute::take;
use arrow::datatypes::{DataType as Arrow, Float32Type, Float64Type, TimestampMicrosecondType};
use arrow::error::ArrowError;
use tidemark_types::number::{double_text, float_text};
use tidemark_types::timestamp::{parse_date, parse_timestamp, parse_timestamp_ntz};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{DataType, Zone};

use crate::cast::{cast, decimals};
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
        DataType::String => Arc::new(StringArray::from(vec![text])),
        DataType::Boolean => Arc::new(BooleanArray::from(vec![parse::<bool>(&text.to_lowercase())?])),
        DataType::Byte | DataType::Short | DataType::Integer | DataType::Long => {
            cast(&(Arc::new(Int64Array::from(vec![parse::<i64>(text)?])) as ArrayRef), &arrow)?
        }
        DataType::Decimal(precision, scale) => decimal(text, *precision, *scale)?,
        DataType::Date => Arc::new(Date32Array::from(vec![known(parse_date(text), text)?])),
        DataType::Timestamp => {
            let micros = known(parse_timestamp(text, Zone::UTC, 0), text)?;
            Arc::new(TimestampMicrosecondArray::from(vec![micros]).with_timezone("UTC"))
        }
        DataType::TimestampNtz => {
            Arc::new(TimestampMicrosecondArray::from(vec![known(parse_timestamp_ntz(text), text)?]))
        }
        other => return Err(ArrowError::ParseError(format!("{text} is no {}", other.simple_string()))),
    };
    take(&one, &UInt32Array::from(vec![0; rows]), None)
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, ArrowError> {
    text.parse().map_err(|_| ArrowError::ParseError(format!("{text} is no number")))
}

fn known<T>(value: Option<T>, text: &str) -> Result<T, ArrowError> {
    value.ok_or_else(|| ArrowError::ParseError(format!("{text} is no date or time")))
}

fn decimal(text: &str, precision: u8, scale: i8) -> Result<ArrayRef, ArrowError> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = parse::<i128>(&format!("{whole}{part}"))?;
    decimals(vec![Some(digits)], i8::try_from(part.len()).unwrap_or(i8::MAX), precision, scale)
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
        other => {
            let data_type = DataType::from_arrow(other)
                .ok_or_else(|| ArrowError::CastError(format!("{other} cannot be a partition column")))?;
            value_text(column, &data_type, row, TextStyle::cast(Zone::UTC)).unwrap_or_default()
        }
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
