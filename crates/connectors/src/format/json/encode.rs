//! Rows to JSON text, as Spark's generator writes it.

use arrow::array::{
    Array, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DurationMicrosecondArray, Float32Array,
    Float64Array, Int8Array, Int16Array, Int32Array, Int64Array, IntervalYearMonthArray, ListArray, MapArray,
    StringArray, StructArray, TimestampMicrosecondArray,
};
use tidemark_types::number::{double_text, float_text};
use tidemark_types::value_text::{day_time_text, year_month_text};
use tidemark_types::{Batch, DataType, StructType};

use crate::format::json::moments::Moments;
use crate::format::json::number::write_base64;
use crate::format::json::row_text::decimal_text;

/// Writes rows of one batch.
#[derive(Debug)]
pub struct Encoder<'a> {
    fields: Vec<Field<'a>>,
    moments: &'a Moments,
    ignore_nulls: bool,
}

#[derive(Debug)]
struct Field<'a> {
    /// The name in quotes with its colon.
    name: Vec<u8>,
    column: Column<'a>,
}

#[derive(Debug)]
enum Column<'a> {
    Null,
    Boolean(&'a BooleanArray),
    Byte(&'a Int8Array),
    Short(&'a Int16Array),
    Integer(&'a Int32Array),
    Long(&'a Int64Array),
    Float(&'a Float32Array),
    Double(&'a Float64Array),
    Decimal(&'a Decimal128Array, i8),
    Text(&'a StringArray),
    Binary(&'a BinaryArray),
    Date(&'a Date32Array),
    Timestamp(&'a TimestampMicrosecondArray),
    TimestampNtz(&'a TimestampMicrosecondArray),
    DayTime(&'a DurationMicrosecondArray),
    YearMonth(&'a IntervalYearMonthArray),
    List(&'a ListArray, Box<Column<'a>>),
    Map(&'a MapArray, Box<Column<'a>>, Box<Column<'a>>),
    Struct(&'a StructArray, Vec<Field<'a>>),
}

impl<'a> Encoder<'a> {
    /// An encoder of the rows of this batch.
    pub fn new(batch: &'a Batch, moments: &'a Moments, ignore_nulls: bool) -> Self {
        let arrays: Vec<&dyn Array> = batch.columns().iter().map(AsRef::as_ref).collect();
        Encoder { fields: fields(batch.schema(), &arrays), moments, ignore_nulls }
    }

    /// Adds the object of one row.
    pub fn row(&self, row: usize, out: &mut Vec<u8>) {
        self.object(&self.fields, row, out);
    }

    fn object(&self, fields: &[Field<'_>], row: usize, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut first = true;
        for field in fields {
            let null = field.column.is_null(row);
            if null && self.ignore_nulls {
                continue;
            }
            if !std::mem::take(&mut first) {
                out.push(b',');
            }
            out.extend_from_slice(&field.name);
            self.value(&field.column, row, out);
        }
        out.push(b'}');
    }

    // tidy: table
    fn value(&self, column: &Column<'_>, row: usize, out: &mut Vec<u8>) {
        if column.is_null(row) {
            out.extend_from_slice(b"null");
            return;
        }
        match column {
            Column::Null => out.extend_from_slice(b"null"),
            Column::Boolean(a) => out.extend_from_slice(if a.value(row) { b"true" } else { b"false" }),
            Column::Byte(a) => text(out, &a.value(row).to_string()),
            Column::Short(a) => text(out, &a.value(row).to_string()),
            Column::Integer(a) => text(out, &a.value(row).to_string()),
            Column::Long(a) => text(out, &a.value(row).to_string()),
            Column::Float(a) => number(out, &float_text(a.value(row)), a.value(row).is_finite()),
            Column::Double(a) => number(out, &double_text(a.value(row)), a.value(row).is_finite()),
            Column::Decimal(a, scale) => text(out, &decimal_text(a.value(row), *scale)),
            Column::Text(a) => quoted(out, a.value(row)),
            Column::Binary(a) => {
                out.push(b'"');
                write_base64(a.value(row), out);
                out.push(b'"');
            }
            Column::Date(a) => quoted(out, &self.moments.date_text(a.value(row))),
            Column::Timestamp(a) => quoted(out, &self.moments.timestamp_text(a.value(row))),
            Column::TimestampNtz(a) => quoted(out, &self.moments.timestamp_ntz_text(a.value(row))),
            Column::DayTime(a) => quoted(out, &day_time_text(a.value(row))),
            Column::YearMonth(a) => quoted(out, &year_month_text(a.value(row))),
            Column::List(a, element) => {
                let offsets = a.value_offsets();
                out.push(b'[');
                for (at, index) in (offsets[row] as usize..offsets[row + 1] as usize).enumerate() {
                    if at > 0 {
                        out.push(b',');
                    }
                    self.value(element, index, out);
                }
                out.push(b']');
            }
            Column::Map(a, keys, values) => self.map(a, keys, values, row, out),
            Column::Struct(_, fields) => self.object(fields, row, out),
        }
    }

    fn map(&self, map: &MapArray, keys: &Column<'_>, values: &Column<'_>, row: usize, out: &mut Vec<u8>) {
        let offsets = map.value_offsets();
        out.push(b'{');
        for (at, index) in (offsets[row] as usize..offsets[row + 1] as usize).enumerate() {
            if at > 0 {
                out.push(b',');
            }
            match keys {
                Column::Text(a) => quoted(out, a.value(index)),
                other => {
                    let mut key = Vec::new();
                    self.value(other, index, &mut key);
                    quoted(out, String::from_utf8_lossy(&key).trim_matches('"'));
                }
            }
            out.push(b':');
            self.value(values, index, out);
        }
        out.push(b'}');
    }
}

impl Column<'_> {
    fn is_null(&self, row: usize) -> bool {
        match self {
            Column::Null => true,
            Column::Boolean(a) => a.is_null(row),
            Column::Byte(a) => a.is_null(row),
            Column::Short(a) => a.is_null(row),
            Column::Integer(a) => a.is_null(row),
            Column::Long(a) => a.is_null(row),
            Column::Float(a) => a.is_null(row),
            Column::Double(a) => a.is_null(row),
            Column::Decimal(a, _) => a.is_null(row),
            Column::Text(a) => a.is_null(row),
            Column::Binary(a) => a.is_null(row),
            Column::Date(a) => a.is_null(row),
            Column::Timestamp(a) | Column::TimestampNtz(a) => a.is_null(row),
            Column::DayTime(a) => a.is_null(row),
            Column::YearMonth(a) => a.is_null(row),
            Column::List(a, _) => a.is_null(row),
            Column::Map(a, ..) => a.is_null(row),
            Column::Struct(a, _) => a.is_null(row),
        }
    }
}

fn fields<'a>(schema: &StructType, arrays: &[&'a dyn Array]) -> Vec<Field<'a>> {
    schema
        .fields
        .iter()
        .zip(arrays)
        .map(|(field, array)| {
            let mut name = Vec::new();
            quoted(&mut name, &field.name);
            name.push(b':');
            Field { name, column: column(&field.data_type, *array) }
        })
        .collect()
}

fn column<'a>(data_type: &DataType, array: &'a dyn Array) -> Column<'a> {
    fn typed<T: 'static>(array: &dyn Array) -> &T {
        array.as_any().downcast_ref().expect("a batch carries each field in the Arrow type of its data type")
    }
    match data_type {
        DataType::Null => Column::Null,
        DataType::Boolean => Column::Boolean(typed(array)),
        DataType::Byte => Column::Byte(typed(array)),
        DataType::Short => Column::Short(typed(array)),
        DataType::Integer => Column::Integer(typed(array)),
        DataType::Long => Column::Long(typed(array)),
        DataType::Float => Column::Float(typed(array)),
        DataType::Double => Column::Double(typed(array)),
        DataType::Decimal(_, scale) => Column::Decimal(typed(array), *scale),
        DataType::String => Column::Text(typed(array)),
        DataType::Binary => Column::Binary(typed(array)),
        DataType::Date => Column::Date(typed(array)),
        DataType::Timestamp => Column::Timestamp(typed(array)),
        DataType::TimestampNtz => Column::TimestampNtz(typed(array)),
        DataType::DayTimeInterval => Column::DayTime(typed(array)),
        DataType::YearMonthInterval => Column::YearMonth(typed(array)),
        DataType::Array(element, _) => {
            let list: &ListArray = typed(array);
            Column::List(list, Box::new(column(element, list.values().as_ref())))
        }
        DataType::Map(key, value, _) => {
            let map: &MapArray = typed(array);
            let (keys, values) = (column(key, map.keys().as_ref()), column(value, map.values().as_ref()));
            Column::Map(map, Box::new(keys), Box::new(values))
        }
        DataType::Struct(schema) => {
            let rows: &StructArray = typed(array);
            let arrays: Vec<&dyn Array> = rows.columns().iter().map(AsRef::as_ref).collect();
            Column::Struct(rows, fields(schema, &arrays))
        }
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

fn number(out: &mut Vec<u8>, value: &str, finite: bool) {
    if finite { text(out, value) } else { quoted(out, value) }
}

/// A string in quotes, with the escapes that are needed and no others.
pub fn quoted(out: &mut Vec<u8>, value: &str) {
    out.push(b'"');
    let bytes = value.as_bytes();
    let mut from = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            8 => b"\\b",
            12 => b"\\f",
            0..0x20 => b"",
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        from = at + 1;
        if escape.is_empty() {
            text(out, &format!("\\u{byte:04X}"));
        } else {
            out.extend_from_slice(escape);
        }
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}
