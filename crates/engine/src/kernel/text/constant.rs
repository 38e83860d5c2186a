//! Values as text: what a cast to string gives, and how error messages quote a value.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, GenericStringBuilder};
use arrow::datatypes::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};
use tidemark_types::DataType;
use tidemark_types::Zone;
use tidemark_types::number::{decimal_text, double_text};
use tidemark_types::timestamp::{date_text, timestamp_ntz_text, timestamp_text};
use tidemark_types::value_text::{TextStyle, value_text};

use crate::kernel::column::value::Value;

/// The text of each value, as `CAST(x AS STRING)` gives it.
pub(crate) fn texts(value: &Value, data_type: &DataType, zone: Zone) -> Value {
    let array = value.inner();
    let mut builder = GenericStringBuilder::<i32>::with_capacity(array.len(), array.len() * 8);
    let style = TextStyle::cast(zone);
    for row in 0..array.len() {
        if array.is_null(row) {
            builder.append_null();
            continue;
        }
        let written = match data_type {
            DataType::Long => write!(builder, "{}", array.as_primitive::<Int64Type>().value(row)),
            DataType::Integer => write!(builder, "{}", array.as_primitive::<Int32Type>().value(row)),
            _ => builder.write_str(&value_text(array, data_type, row, style).unwrap_or_default()),
        };
        written.expect("writing to a builder does not fail");
        builder.append_value("");
    }
    Value::of(Arc::new(builder.finish()), value.is_scalar())
}

/// A text as a SQL constant.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// A double as a SQL constant.
pub(crate) fn double_sql(value: f64) -> String {
    if value.is_finite() { format!("{}D", double_text(value)) } else { double_text(value) }
}

/// A decimal as a SQL constant.
pub(crate) fn decimal_sql(unscaled: i128, scale: i8) -> String {
    format!("{}BD", decimal_text(unscaled, scale))
}

/// The value of a row as a SQL constant, as error messages show it; times in UTC.
// tidy: table
pub(crate) fn sql_text(array: &ArrayRef, row: usize, data_type: &DataType) -> String {
    if array.is_null(row) {
        return "NULL".to_owned();
    }
    match data_type {
        DataType::Byte => format!("{}Y", array.as_primitive::<Int8Type>().value(row)),
        DataType::Short => format!("{}S", array.as_primitive::<Int16Type>().value(row)),
        DataType::Long => format!("{}L", array.as_primitive::<Int64Type>().value(row)),
        DataType::Float => double_sql(f64::from(array.as_primitive::<Float32Type>().value(row))),
        DataType::Double => double_sql(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal(_, scale) => decimal_sql(array.as_primitive::<Decimal128Type>().value(row), *scale),
        DataType::String => quoted(array.as_string::<i32>().value(row)),
        DataType::Date => format!("DATE '{}'", date_text(array.as_primitive::<Date32Type>().value(row))),
        DataType::Timestamp => {
            timestamp_sql(array.as_primitive::<TimestampMicrosecondType>().value(row), Zone::UTC)
        }
        DataType::TimestampNtz => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            format!("TIMESTAMP_NTZ '{}'", timestamp_ntz_text(micros))
        }
        other => value_text(array, other, row, TextStyle::cast(Zone::UTC)).unwrap_or_default(),
    }
}

/// A timestamp as a SQL constant.
pub(crate) fn timestamp_sql(micros: i64, zone: Zone) -> String {
    format!("TIMESTAMP '{}'", timestamp_text(micros, zone))
}
