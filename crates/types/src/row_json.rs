//! Rows as Spark writes them in JSON: `df.toJSON()`, `to_json`, the JSON sink.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    Date32Type, Decimal128Type, DurationMicrosecondType, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, IntervalYearMonthType, TimestampMicrosecondType,
};
use chrono::{Datelike, Timelike};

use crate::batch::Batch;
use crate::data_type::DataType;
use crate::number::{decimal_text, double_text, float_text};
use crate::schema::StructType;
use crate::timestamp::date_text;
use crate::value_text::{day_time_text, year_month_text};
use crate::zone::Zone;

/// How rows are written as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonStyle {
    /// The zone of timestamps.
    pub zone: Zone,
    /// Whether a field that is null is left out: `ignoreNullFields`, on by default.
    pub ignore_null_fields: bool,
}

/// One row of a batch as a JSON object.
pub fn row_json(batch: &Batch, row: usize, style: JsonStyle) -> String {
    let mut text = String::new();
    write_object(batch.schema(), batch.columns(), row, style, &mut text);
    text
}

/// One cell as JSON; `None` if it is null.
pub fn value_json(array: &ArrayRef, data_type: &DataType, row: usize, style: JsonStyle) -> Option<String> {
    if is_null(array, data_type, row) {
        return None;
    }
    let mut text = String::new();
    write_value(array, data_type, row, style, &mut text);
    Some(text)
}

fn is_null(array: &ArrayRef, data_type: &DataType, row: usize) -> bool {
    *data_type == DataType::Null || array.is_null(row)
}

fn write_object(schema: &StructType, columns: &[ArrayRef], row: usize, style: JsonStyle, text: &mut String) {
    text.push('{');
    let mut first = true;
    for (field, column) in schema.fields.iter().zip(columns) {
        let null = is_null(column, &field.data_type, row);
        if null && style.ignore_null_fields {
            continue;
        }
        if !std::mem::take(&mut first) {
            text.push(',');
        }
        write_text(&field.name, text);
        text.push(':');
        write_nullable(column, &field.data_type, row, style, text);
    }
    text.push('}');
}

fn write_nullable(array: &ArrayRef, data_type: &DataType, row: usize, style: JsonStyle, text: &mut String) {
    if is_null(array, data_type, row) {
        text.push_str("null");
    } else {
        write_value(array, data_type, row, style, text);
    }
}

// tidy: table
fn write_value(array: &ArrayRef, data_type: &DataType, row: usize, style: JsonStyle, text: &mut String) {
    match data_type {
        DataType::Null => text.push_str("null"),
        DataType::Boolean => text.push_str(if array.as_boolean().value(row) { "true" } else { "false" }),
        DataType::Byte => text.push_str(&array.as_primitive::<Int8Type>().value(row).to_string()),
        DataType::Short => text.push_str(&array.as_primitive::<Int16Type>().value(row).to_string()),
        DataType::Integer => text.push_str(&array.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::Long => text.push_str(&array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::Float => {
            let value = array.as_primitive::<Float32Type>().value(row);
            write_number(value.is_finite(), &float_text(value), text);
        }
        DataType::Double => {
            let value = array.as_primitive::<Float64Type>().value(row);
            write_number(value.is_finite(), &double_text(value), text);
        }
        DataType::Decimal(_, scale) => {
            text.push_str(&decimal_text(array.as_primitive::<Decimal128Type>().value(row), *scale));
        }
        DataType::String => write_text(array.as_string::<i32>().value(row), text),
        DataType::Binary => write_text(&base64(array.as_binary::<i32>().value(row)), text),
        DataType::Date => write_text(&date_text(array.as_primitive::<Date32Type>().value(row)), text),
        DataType::Timestamp => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            let offset = offset_text(style.zone.offset_seconds(micros));
            write_text(&format!("{}{offset}", iso_text(micros, style.zone)), text);
        }
        DataType::TimestampNtz => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            write_text(&iso_text(micros, Zone::UTC), text);
        }
        DataType::DayTimeInterval => {
            write_text(&day_time_text(array.as_primitive::<DurationMicrosecondType>().value(row)), text);
        }
        DataType::YearMonthInterval => {
            write_text(&year_month_text(array.as_primitive::<IntervalYearMonthType>().value(row)), text);
        }
        DataType::Array(element, _) => {
            let values = array.as_list::<i32>().value(row);
            text.push('[');
            for i in 0..values.len() {
                if i > 0 {
                    text.push(',');
                }
                write_nullable(&values, element, i, style, text);
            }
            text.push(']');
        }
        DataType::Map(key, value, _) => {
            let entries = array.as_map().value(row);
            let cast = crate::value_text::TextStyle::cast(style.zone);
            text.push('{');
            for i in 0..entries.len() {
                if i > 0 {
                    text.push(',');
                }
                let name = crate::value_text::value_text(entries.column(0), key, i, cast);
                write_text(&name.unwrap_or_else(|| "null".to_owned()), text);
                text.push(':');
                write_nullable(entries.column(1), value, i, style, text);
            }
            text.push('}');
        }
        DataType::Struct(schema) => write_object(schema, array.as_struct().columns(), row, style, text),
    }
}

/// NaN and the infinities are texts.
fn write_number(finite: bool, number: &str, text: &mut String) {
    if finite { text.push_str(number) } else { write_text(number, text) }
}

/// A string with JSON's escapes; other characters as they are.
fn write_text(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            c if (c as u32) < 0x20 => text.push_str(&format!("\\u{:04X}", c as u32)),
            c => text.push(c),
        }
    }
    text.push('"');
}

/// `2024-01-01T10:00:00.500`.
fn iso_text(micros: i64, zone: Zone) -> String {
    match zone.local(micros) {
        Some(t) => format!(
            "{}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}",
            crate::timestamp::year_text(t.year()),
            t.month(),
            t.day(),
            t.hour(),
            t.minute(),
            t.second(),
            t.nanosecond() / 1_000_000
        ),
        None => micros.to_string(),
    }
}

/// `Z`, `+05:30`.
fn offset_text(seconds: i32) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let total = seconds.unsigned_abs();
    format!("{sign}{:02}:{:02}", total / 3600, total / 60 % 60)
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { digit as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{
        BinaryArray, Float64Array, Int32Array, Int32Builder, ListBuilder, StringArray, StructArray,
        TimestampMicrosecondArray,
    };

    use super::*;

    #[test]
    fn rows_are_sparks_json() {
        let schema = StructType::from_ddl("a INT, b STRING, s STRUCT<x: INT, y: INT>, r ARRAY<INT>, bin BINARY, ts TIMESTAMP, w DOUBLE, n DOUBLE, t STRING")
            .expect("the text is good");
        let DataType::Struct(inner) = &schema.fields[2].data_type else {
            panic!("the third column is a struct")
        };
        let numbers = |v: Option<i32>| Arc::new(Int32Array::from(vec![v])) as ArrayRef;
        let field = arrow::datatypes::Field::new("element", arrow::datatypes::DataType::Int32, true);
        let mut list = ListBuilder::new(Int32Builder::new()).with_field(field);
        list.append_value([Some(1), None]);
        let columns: Vec<ArrayRef> = vec![
            numbers(Some(1)),
            Arc::new(StringArray::from(vec![None::<&str>])),
            Arc::new(StructArray::new(inner.to_arrow().fields, vec![numbers(Some(1)), numbers(None)], None)),
            Arc::new(list.finish()),
            Arc::new(BinaryArray::from_vec(vec![b"ab"])),
            Arc::new(TimestampMicrosecondArray::from(vec![1_704_103_200_500_000]).with_timezone("UTC")),
            Arc::new(Float64Array::from(vec![8.0])),
            Arc::new(Float64Array::from(vec![f64::NAN])),
            Arc::new(StringArray::from(vec!["q\"\\ é\n"])),
        ];
        let batch = Batch::new(Arc::new(schema), columns, 1);
        let style = JsonStyle { zone: Zone::UTC, ignore_null_fields: true };
        assert_eq!(
            row_json(&batch, 0, style),
            r#"{"a":1,"s":{"x":1},"r":[1,null],"bin":"YWI=","ts":"2024-01-01T10:00:00.500Z","w":8.0,"n":"NaN","t":"q\"\\ é\n"}"#
        );
        let kolkata = JsonStyle {
            zone: Zone::parse("Asia/Kolkata").expect("the zone is known"),
            ignore_null_fields: false,
        };
        let text = row_json(&batch, 0, kolkata);
        assert!(text.starts_with(r#"{"a":1,"b":null,"s":{"x":1,"y":null}"#), "{text}");
        assert!(text.contains("2024-01-01T15:30:00.500+05:30"), "{text}");
    }
}
