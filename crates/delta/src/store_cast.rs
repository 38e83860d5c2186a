//! Store assignment: data cast to the table's types when it is written.
//!
//! Source: Spark's ANSI store assignment, as Delta's sink and INSERT apply it.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray as _, StringArray, new_empty_array};
use arrow::compute::concat;
use arrow::datatypes::TimestampMicrosecondType;
use arrow::error::ArrowError;
use tidemark_types::timestamp::timestamp_ntz_text;
use tidemark_types::{DataType, SparkError};

use crate::adapt::{ColumnNames, adapt};
use crate::condition;
use crate::partition_value;

/// The values as the table's type.
///
/// Errors: `CAST_INVALID_INPUT` for a malformed text, `CAST_OVERFLOW_IN_TABLE_INSERT` for a value that does not fit.
pub(crate) fn to_table_type(
    column: &ArrayRef,
    from: &DataType,
    to: &DataType,
    name: &str,
) -> Result<ArrayRef, SparkError> {
    let is_flat = column.data_type().is_primitive() || *from == DataType::Boolean;
    if *to == DataType::String && is_flat {
        return as_texts(column, from, name);
    }
    if *from == DataType::String && !matches!(to, DataType::String | DataType::Binary) {
        let column = if to.is_numeric() { trimmed(column) } else { column.clone() };
        return from_texts(&column, to).map_err(|_| refusal(&column, from, to, name));
    }
    adapt(column, to, ColumnNames::Logical).map_err(|_| refusal(column, from, to, name))
}

fn refusal(column: &ArrayRef, from: &DataType, to: &DataType, name: &str) -> SparkError {
    let malformed = (0..column.len())
        .find(|row| !column.is_null(*row) && from_texts(&column.slice(*row, 1), to).is_err());
    match (column.as_string_opt::<i32>(), malformed) {
        (Some(texts), Some(row)) => condition::cast_invalid_input(texts.value(row), &from.sql(), &to.sql()),
        _ => condition::cast_overflow_in_insert(&from.sql(), &to.sql(), name),
    }
}

fn trimmed(column: &ArrayRef) -> ArrayRef {
    let Some(texts) = column.as_string_opt::<i32>() else { return column.clone() };
    Arc::new(texts.iter().map(|text| text.map(str::trim)).collect::<StringArray>())
}

/// Texts read as values of another type.
fn from_texts(column: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    let texts = column.as_string_opt::<i32>().ok_or_else(|| ArrowError::CastError("no texts".to_owned()))?;
    let one = |text: Option<&str>| match text {
        Some("") => Err(ArrowError::ParseError("an empty text".to_owned())),
        text => partition_value::column(text, to, 1),
    };
    let values = texts.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    let values: Vec<&dyn Array> = values.iter().map(AsRef::as_ref).collect();
    if values.is_empty() {
        return Ok(new_empty_array(&to.to_arrow()));
    }
    concat(&values)
}

fn as_texts(column: &ArrayRef, from: &DataType, name: &str) -> Result<ArrayRef, SparkError> {
    let mut texts = Vec::with_capacity(column.len());
    for row in 0..column.len() {
        let text = match column.as_primitive_opt::<TimestampMicrosecondType>() {
            Some(_) if column.is_null(row) => None,
            Some(times) => Some(timestamp_ntz_text(times.value(row))),
            None => partition_value::text(column, row)
                .map_err(|_| condition::cast_overflow_in_insert(&from.sql(), "STRING", name))?,
        };
        texts.push(text);
    }
    Ok(Arc::new(StringArray::from(texts)))
}

#[cfg(test)]
mod tests {
    use arrow::array::{Float64Array, Int64Array, TimestampMicrosecondArray};

    use super::*;

    #[test]
    fn a_value_that_does_not_fit_is_refused() {
        let big: ArrayRef = Arc::new(Int64Array::from(vec![1, 1 << 40]));
        let error =
            to_table_type(&big, &DataType::Long, &DataType::Integer, "id").expect_err("it does not fit");
        assert_eq!(
            error.message,
            "Fail to assign a value of \"BIGINT\" type to the \"INT\" type column or variable `id` due to an overflow. Use `try_cast` on the input value to tolerate overflow and return NULL instead."
        );
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some(" 7 "), None, Some("x1")]));
        let error =
            to_table_type(&texts, &DataType::String, &DataType::Integer, "v").expect_err("x1 is no number");
        assert_eq!(error.condition.0, "CAST_INVALID_INPUT");
        assert!(error.message.starts_with("The value 'x1' of the type \"STRING\" cannot be cast to \"INT\""));
        let good =
            to_table_type(&texts.slice(0, 2), &DataType::String, &DataType::Integer, "v").expect("a number");
        assert_eq!(good.null_count(), 1);
    }

    #[test]
    fn texts_are_those_of_spark() {
        let doubles: ArrayRef = Arc::new(Float64Array::from(vec![Some(1e20), None]));
        let times: ArrayRef =
            Arc::new(TimestampMicrosecondArray::from(vec![0, 1_500_000]).with_timezone("UTC"));
        for (column, from, expected) in [
            (doubles, DataType::Double, vec![Some("1.0E20"), None]),
            (times, DataType::Timestamp, vec![Some("1970-01-01 00:00:00"), Some("1970-01-01 00:00:01.5")]),
        ] {
            let texts = to_table_type(&column, &from, &DataType::String, "v").expect("everything has a text");
            assert_eq!(texts.as_string::<i32>(), &StringArray::from(expected));
        }
    }
}
