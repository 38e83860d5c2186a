//! `from_json` and `to_json`.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, GenericStringBuilder, ListArray, MapArray, StringArray,
    StructArray, new_null_array,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType as Arrow, Float32Type, Float64Type, TimestampMicrosecondType};
use serde_json::Value as Json;
use tidemark_plan::CastMode;
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{DataType, Zone};

use crate::error::Result;
use crate::kernel::cast::cast;
use crate::kernel::column::value::{Value, extent};
use crate::kernel::context::EvalContext;
use crate::kernel::error::{internal, unsupported};
use crate::kernel::text::string::text;
use crate::kernel::time::datetime_pattern::Pattern;
use crate::kernel::time::zone;

/// `from_json(a)`: what does not read as the type is null, field by field; text that is no JSON gives a row of nulls.
pub(crate) fn from_json(args: &[Value], out: &DataType, rows: usize, context: &EvalContext) -> Result<Value> {
    let (rows, scalar) = extent(&args[..1], rows);
    if matches!(args[0].inner().data_type(), Arrow::Null) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    let mut documents: Vec<Option<Json>> = Vec::with_capacity(rows);
    for row in 0..rows {
        let source = if args[0].is_null(row) { "" } else { text(&args[0], row) };
        documents.push(if source.trim().is_empty() {
            None
        } else {
            let parsed: Option<Json> = serde_json::from_str(source).ok();
            match (parsed, out) {
                (Some(document @ Json::Object(_)), _) => Some(document),
                (Some(document), DataType::Array(..)) => Some(document),
                (_, DataType::Struct(_)) => Some(Json::Object(serde_json::Map::new())),
                _ => None,
            }
        });
    }
    let refs: Vec<Option<&Json>> = documents.iter().map(Option::as_ref).collect();
    Ok(Value::of(column(&refs, out, context)?, scalar))
}

/// JSON values as a column; a value of another kind is null.
fn column(values: &[Option<&Json>], data_type: &DataType, context: &EvalContext) -> Result<ArrayRef> {
    match data_type {
        DataType::Struct(fields) => {
            let objects: Vec<_> = values.iter().map(|v| v.and_then(Json::as_object)).collect();
            let nulls: NullBuffer = objects.iter().map(Option::is_some).collect();
            let mut columns = Vec::with_capacity(fields.fields.len());
            for field in &fields.fields {
                let inner: Vec<_> = objects
                    .iter()
                    .map(|o| o.and_then(|o| o.get(&field.name)).filter(|v| !v.is_null()))
                    .collect();
                columns.push(column(&inner, &field.data_type, context)?);
            }
            let made = StructArray::try_new_with_length(
                fields.to_arrow().fields,
                columns,
                Some(nulls),
                values.len(),
            );
            Ok(Arc::new(made.map_err(internal)?))
        }
        DataType::Array(element, _) => {
            let arrays: Vec<_> = values.iter().map(|v| v.and_then(Json::as_array)).collect();
            let nulls: NullBuffer = arrays.iter().map(Option::is_some).collect();
            let lengths = arrays.iter().map(|a| a.map_or(0, Vec::len));
            let offsets = OffsetBuffer::from_lengths(lengths);
            let inner: Vec<_> = arrays
                .iter()
                .flat_map(|a| a.iter().flat_map(|a| a.iter()))
                .map(|v| Some(v).filter(|v| !v.is_null()))
                .collect();
            let Arrow::List(field) = data_type.to_arrow() else { return Err(unsupported(data_type.sql())) };
            let made = ListArray::try_new(field, offsets, column(&inner, element, context)?, Some(nulls));
            Ok(Arc::new(made.map_err(internal)?))
        }
        DataType::Map(key, value, _) => map(values, key, value, data_type, context),
        _ => scalars(values, data_type, context),
    }
}

fn map(
    values: &[Option<&Json>],
    key: &DataType,
    value: &DataType,
    data_type: &DataType,
    context: &EvalContext,
) -> Result<ArrayRef> {
    let objects: Vec<_> = values.iter().map(|v| v.and_then(Json::as_object)).collect();
    let nulls: NullBuffer = objects.iter().map(Option::is_some).collect();
    let offsets = OffsetBuffer::from_lengths(objects.iter().map(|o| o.map_or(0, serde_json::Map::len)));
    let entries: Vec<(&String, &Json)> = objects.iter().flatten().flat_map(|o| o.iter()).collect();
    let keys: StringArray = entries.iter().map(|(k, _)| Some(k.as_str())).collect();
    let keys = cast(&Value::array(Arc::new(keys)), &DataType::String, key, CastMode::Try, context)?;
    let items: Vec<_> = entries.iter().map(|(_, v)| Some(*v).filter(|v| !v.is_null())).collect();
    let Arrow::Map(field, sorted) = data_type.to_arrow() else { return Err(unsupported(data_type.sql())) };
    let Arrow::Struct(fields) = field.data_type() else { return Err(unsupported(data_type.sql())) };
    let columns = vec![keys.into_array(entries.len())?, column(&items, value, context)?];
    let entries = StructArray::try_new(fields.clone(), columns, None).map_err(internal)?;
    Ok(Arc::new(MapArray::try_new(field, offsets, entries, Some(nulls), sorted).map_err(internal)?))
}

/// Values without parts: read as text, then cast; only kinds that fit the type count.
fn scalars(values: &[Option<&Json>], data_type: &DataType, context: &EvalContext) -> Result<ArrayRef> {
    if *data_type == DataType::Boolean {
        let flags: BooleanArray = values.iter().map(|v| v.and_then(Json::as_bool)).collect();
        return Ok(Arc::new(flags));
    }
    let texts: StringArray = values.iter().map(|v| v.and_then(|v| scalar_text(v, data_type))).collect();
    let texts = Value::array(Arc::new(texts));
    cast(&texts, &DataType::String, data_type, CastMode::Try, context)?.into_array(values.len())
}

fn scalar_text(value: &Json, data_type: &DataType) -> Option<String> {
    match (value, data_type) {
        (Json::String(text), DataType::String) => Some(text.clone()),
        (other, DataType::String) => Some(other.to_string()),
        (Json::Number(number), DataType::Timestamp) => {
            let seconds = number.as_i64()?;
            Some(
                tidemark_types::timestamp::timestamp_text(seconds.checked_mul(zone::SECOND)?, Zone::UTC)
                    + "Z",
            )
        }
        (Json::Number(number), t) if t.is_numeric() => Some(number.to_string()),
        (Json::String(text), DataType::Float | DataType::Double) => {
            matches!(text.as_str(), "NaN" | "Infinity" | "+Infinity" | "-Infinity" | "INF" | "+INF" | "-INF")
                .then(|| text.replace("INF", "inf"))
        }
        (Json::String(text), DataType::Decimal(..)) => Some(text.clone()),
        (Json::String(text), t) if !t.is_numeric() => Some(text.clone()),
        _ => None,
    }
}

/// `to_json(a)`: null fields are left out.
pub(crate) fn to_json(value: &Value, data_type: &DataType, context: &EvalContext) -> Result<Value> {
    let array = value.inner();
    let writer = Writer {
        zone: context.zone,
        timestamp: Pattern::compile("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")?,
        timestamp_ntz: Pattern::compile("yyyy-MM-dd'T'HH:mm:ss.SSS")?,
    };
    let mut builder = GenericStringBuilder::<i32>::new();
    let mut scratch = String::new();
    for row in 0..array.len() {
        if array.is_null(row) {
            builder.append_null();
            continue;
        }
        scratch.clear();
        writer.write(array, row, data_type, &mut scratch);
        builder.append_value(&scratch);
    }
    Ok(Value::of(Arc::new(builder.finish()), value.is_scalar()))
}

struct Writer {
    zone: Zone,
    timestamp: Pattern,
    timestamp_ntz: Pattern,
}

impl Writer {
    // tidy: table
    fn write(&self, array: &ArrayRef, row: usize, data_type: &DataType, out: &mut String) {
        if array.is_null(row) {
            out.push_str("null");
            return;
        }
        let micros = || array.as_primitive::<TimestampMicrosecondType>().value(row);
        let plain = || value_text(array, data_type, row, TextStyle::cast(self.zone)).unwrap_or_default();
        match data_type {
            DataType::Struct(fields) => {
                let values = array.as_struct();
                let mut first = true;
                out.push('{');
                for (column, field) in values.columns().iter().zip(&fields.fields) {
                    if column.is_null(row) || field.data_type == DataType::Null {
                        continue;
                    }
                    separate(&mut first, out);
                    quote(&field.name, out);
                    out.push(':');
                    self.write(column, row, &field.data_type, out);
                }
                out.push('}');
            }
            DataType::Array(element, _) => {
                let values = array.as_list::<i32>().value(row);
                let mut first = true;
                out.push('[');
                for index in 0..values.len() {
                    separate(&mut first, out);
                    self.write(&values, index, element, out);
                }
                out.push(']');
            }
            DataType::Map(key, value, _) => {
                let entries = array.as_map().value(row);
                let mut first = true;
                out.push('{');
                for index in 0..entries.len() {
                    separate(&mut first, out);
                    let style = TextStyle::cast(self.zone);
                    quote(&value_text(entries.column(0), key, index, style).unwrap_or_default(), out);
                    out.push(':');
                    self.write(entries.column(1), index, value, out);
                }
                out.push('}');
            }
            DataType::Timestamp => {
                let local = zone::naive_of(zone::to_local(micros(), self.zone)).unwrap_or_default();
                quote(&self.timestamp.format(local, self.zone.offset_seconds(micros())), out);
            }
            DataType::TimestampNtz => {
                quote(&self.timestamp_ntz.format(zone::naive_of(micros()).unwrap_or_default(), 0), out);
            }
            DataType::Float if !array.as_primitive::<Float32Type>().value(row).is_finite() => {
                quote(&plain(), out);
            }
            DataType::Double if !array.as_primitive::<Float64Type>().value(row).is_finite() => {
                quote(&plain(), out);
            }
            DataType::Boolean => out.push_str(&plain()),
            other if other.is_numeric() => out.push_str(&plain()),
            DataType::Binary => quote(&base64(array.as_binary::<i32>().value(row)), out),
            _ => quote(&plain(), out),
        }
    }
}

fn separate(first: &mut bool, out: &mut String) {
    if !std::mem::take(first) {
        out.push(',');
    }
}

/// A JSON text, escaped as Jackson escapes it.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => write!(out, "\\u{:04X}", c as u32).expect("writing to a String does not fail"),
            c => out.push(c),
        }
    }
    out.push('"');
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_u32, |word, (i, b)| word | u32::from(*b) << (16 - 8 * i));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize] as char;
            out.push(if place <= chunk.len() { letter } else { '=' });
        }
    }
    out
}
