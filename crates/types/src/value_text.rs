//! The text of one cell, as Spark's cast to string and `Dataset.show` give it.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, IntervalYearMonthType, TimestampMicrosecondType,
};

use crate::data_type::DataType;
use crate::number::{decimal_text, double_text, float_text};
use crate::timestamp::{date_text, timestamp_ntz_text, timestamp_text};
use crate::zone::Zone;

/// How a value becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextStyle {
    /// The zone of timestamps.
    pub zone: Zone,
    /// What stands for null inside a nested value: `null` in a cast, `NULL` in a table.
    pub null: &'static str,
    /// Whether bytes are shown as `[61 62]`; else they are read as UTF-8.
    pub hex_binary: bool,
}

impl TextStyle {
    /// The style of `CAST(x AS STRING)`.
    pub fn cast(zone: Zone) -> TextStyle {
        TextStyle { zone, null: "null", hex_binary: false }
    }

    /// The style of `show()` and the console sink.
    pub fn show(zone: Zone) -> TextStyle {
        TextStyle { zone, null: "NULL", hex_binary: true }
    }
}

/// The text of one cell, `None` if it is null.
pub fn value_text(array: &ArrayRef, data_type: &DataType, row: usize, style: TextStyle) -> Option<String> {
    if array.is_null(row) || *data_type == DataType::Null {
        return None;
    }
    Some(present_text(array, data_type, row, style))
}

// tidy: table
fn present_text(array: &ArrayRef, data_type: &DataType, row: usize, style: TextStyle) -> String {
    match data_type {
        DataType::Null => style.null.to_owned(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Byte => array.as_primitive::<Int8Type>().value(row).to_string(),
        DataType::Short => array.as_primitive::<Int16Type>().value(row).to_string(),
        DataType::Integer => array.as_primitive::<Int32Type>().value(row).to_string(),
        DataType::Long => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float => float_text(array.as_primitive::<Float32Type>().value(row)),
        DataType::Double => double_text(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal(_, scale) => {
            decimal_text(array.as_primitive::<Decimal128Type>().value(row), *scale)
        }
        DataType::String => array.as_string::<i32>().value(row).to_owned(),
        DataType::Binary => binary_text(array.as_binary::<i32>().value(row), style),
        DataType::Date => date_text(array.as_primitive::<Date32Type>().value(row)),
        DataType::Timestamp => {
            timestamp_text(array.as_primitive::<TimestampMicrosecondType>().value(row), style.zone)
        }
        DataType::TimestampNtz => {
            timestamp_ntz_text(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::DayTimeInterval => {
            day_time_text(array.as_primitive::<DurationMicrosecondType>().value(row))
        }
        DataType::YearMonthInterval => {
            year_month_text(array.as_primitive::<IntervalYearMonthType>().value(row))
        }
        DataType::Array(element, _) => {
            let values = array.as_list::<i32>().value(row);
            let texts: Vec<String> = (0..values.len()).map(|i| nested(&values, element, i, style)).collect();
            format!("[{}]", texts.join(", "))
        }
        DataType::Map(key, value, _) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            let texts: Vec<String> = (0..entries.len())
                .map(|i| format!("{} -> {}", nested(keys, key, i, style), nested(values, value, i, style)))
                .collect();
            format!("{{{}}}", texts.join(", "))
        }
        DataType::Struct(schema) => {
            let columns = array.as_struct();
            let texts: Vec<String> = schema
                .fields
                .iter()
                .enumerate()
                .map(|(i, field)| nested(columns.column(i), &field.data_type, row, style))
                .collect();
            format!("{{{}}}", texts.join(", "))
        }
    }
}

fn nested(array: &ArrayRef, data_type: &DataType, row: usize, style: TextStyle) -> String {
    value_text(array, data_type, row, style).unwrap_or_else(|| style.null.to_owned())
}

fn binary_text(bytes: &[u8], style: TextStyle) -> String {
    if !style.hex_binary {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let hex: Vec<String> = bytes.iter().map(|b| format!("{b:02X}")).collect();
    format!("[{}]", hex.join(" "))
}

/// `INTERVAL '1 02:03:04.5' DAY TO SECOND`.
pub fn day_time_text(micros: i64) -> String {
    format!("INTERVAL '{}' DAY TO SECOND", day_time_digits(micros))
}

/// `1 02:03:04.5`.
pub fn day_time_digits(micros: i64) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let total = micros.unsigned_abs();
    let (seconds, fraction) = (total / 1_000_000, total % 1_000_000);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let mut text = format!("{sign}{days} {hours:02}:{minutes:02}:{:02}", seconds % 60);
    if fraction > 0 {
        let digits = format!("{fraction:06}");
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    text
}

/// `INTERVAL '1-2' YEAR TO MONTH`.
pub fn year_month_text(months: i32) -> String {
    let sign = if months < 0 { "-" } else { "" };
    let total = months.unsigned_abs();
    format!("INTERVAL '{sign}{}-{}' YEAR TO MONTH", total / 12, total % 12)
}
