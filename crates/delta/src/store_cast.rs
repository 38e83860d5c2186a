//! Store assignment: data cast to the table's types when it is written.
//!
//! Source: Spark's ANSI store assignment, as Delta's sink and INSERT apply it.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _, StringArray};
use arrow::datatypes::TimestampMicrosecondType;
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
    if *to == DataType::String
        && matches!(from, DataType::Float | DataType::Double | DataType::Timestamp | DataType::TimestampNtz)
    {
        return as_texts(column, name);
    }
    let column = if *from == DataType::String && to.is_numeric() { trimmed(column) } else { column.clone() };
    adapt(&column, to, ColumnNames::Logical).map_err(|_| refusal(&column, from, to, name))
}

fn refusal(column: &ArrayRef, from: &DataType, to: &DataType, name: &str) -> SparkError {
    let malformed = (0..column.len()).find(|row| {
        !column.is_null(*row) && adapt(&column.slice(*row, 1), to, ColumnNames::Logical).is_err()
    });
    match (column.as_string_opt::<i32>(), malformed) {
        (Some(texts), Some(row)) => condition::cast_invalid_input(texts.value(row), &from.sql(), &to.sql()),
        _ => condition::cast_overflow_in_insert(&from.sql(), &to.sql(), name),
    }
}

fn trimmed(column: &ArrayRef) -> ArrayRef {
    let Some(texts) = column.as_string_opt::<i32>() else { return column.clone() };
    Arc::new(texts.iter().map(|text| text.map(str::trim)).collect::<StringArray>())
}

fn as_texts(column: &ArrayRef, name: &str) -> Result<ArrayRef, SparkError> {
    let mut texts = Vec::with_capacity(column.len());
    for row in 0..column.len() {
        let text = match column.as_primitive_opt::<TimestampMicrosecondType>() {
            Some(_) if column.is_null(row) => None,
            Some(times) => Some(timestamp_ntz_text(times.value(row))),
            None => partition_value::text(column, row)
                .map_err(|_| condition::cast_overflow_in_insert("DOUBLE", "STRING", name))?,
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
