//! Text: case, length, concatenation, trimming, pieces.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryBuilder, BooleanArray, GenericStringBuilder, Int32Array, new_null_array,
};
use arrow::buffer::BooleanBuffer;
use arrow::datatypes::{DataType as Arrow, Int32Type};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::error::unsupported;

type StringBuilder = GenericStringBuilder<i32>;

/// The text of a row.
pub(crate) fn text(value: &Value, row: usize) -> &str {
    value.inner().as_string::<i32>().value(value.at(row))
}

fn is_void(value: &Value) -> bool {
    matches!(value.inner().data_type(), Arrow::Null)
}

/// Makes a text of each text.
fn map_text(value: &Value, mut write: impl FnMut(&str, &mut String)) -> Value {
    if is_void(value) {
        return value.clone();
    }
    let array = value.inner().as_string::<i32>();
    let mut builder = StringBuilder::with_capacity(array.len(), array.value_data().len());
    let mut scratch = String::new();
    for item in array {
        match item {
            Some(text) => {
                scratch.clear();
                write(text, &mut scratch);
                builder.append_value(&scratch);
            }
            None => builder.append_null(),
        }
    }
    Value::of(Arc::new(builder.finish()), value.is_scalar())
}

/// `upper(a)`.
pub(crate) fn upper(value: &Value) -> Value {
    map_text(value, |text, out| {
        if text.is_ascii() {
            out.extend(text.bytes().map(|b| b.to_ascii_uppercase() as char));
        } else {
            out.push_str(&text.to_uppercase());
        }
    })
}

/// `lower(a)`.
pub(crate) fn lower(value: &Value) -> Value {
    map_text(value, |text, out| {
        if text.is_ascii() {
            out.extend(text.bytes().map(|b| b.to_ascii_lowercase() as char));
        } else {
            out.push_str(&text.to_lowercase());
        }
    })
}

/// `length(a)`: characters of text, bytes of binary.
pub(crate) fn length(value: &Value) -> Value {
    let array = value.inner();
    let out: ArrayRef = match array.data_type() {
        Arrow::Utf8 => Arc::new(
            array
                .as_string::<i32>()
                .iter()
                .map(|t| t.map(|t| t.chars().count() as i32))
                .collect::<Int32Array>(),
        ),
        Arrow::Binary => Arc::new(
            array.as_binary::<i32>().iter().map(|b| b.map(|b| b.len() as i32)).collect::<Int32Array>(),
        ),
        _ => new_null_array(&Arrow::Int32, array.len()),
    };
    Value::of(out, value.is_scalar())
}

/// `trim(a)` and its sides: spaces only, as Spark does.
pub(crate) fn trim(value: &Value, start: bool, end: bool) -> Value {
    map_text(value, |text, out| {
        let text = if start { text.trim_start_matches(' ') } else { text };
        out.push_str(if end { text.trim_end_matches(' ') } else { text });
    })
}

/// `concat(…)` of texts, of binaries or of arrays: null if any is null.
pub(crate) fn concat(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if args.iter().any(is_void) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    let refs: Vec<&Value> = args.iter().collect();
    let nulls = nulls_of(&refs, rows);
    let is_null = |row: usize| nulls.as_ref().is_some_and(|n| n.is_null(row));
    match out {
        DataType::String => {
            let mut builder = StringBuilder::new();
            let mut scratch = String::new();
            for row in 0..rows {
                if is_null(row) {
                    builder.append_null();
                    continue;
                }
                scratch.clear();
                for arg in args {
                    scratch.push_str(text(arg, row));
                }
                builder.append_value(&scratch);
            }
            Ok(Value::of(Arc::new(builder.finish()), scalar))
        }
        DataType::Binary => {
            let mut builder = BinaryBuilder::new();
            let mut scratch = Vec::new();
            for row in 0..rows {
                if is_null(row) {
                    builder.append_null();
                    continue;
                }
                scratch.clear();
                for arg in args {
                    scratch.extend_from_slice(arg.inner().as_binary::<i32>().value(arg.at(row)));
                }
                builder.append_value(&scratch);
            }
            Ok(Value::of(Arc::new(builder.finish()), scalar))
        }
        DataType::Array(..) => crate::kernel::nested::concat_arrays(args, out, rows, scalar),
        other => Err(unsupported(format!("concat of {}", other.sql()))),
    }
}

/// `concat_ws(sep, …)`: nulls are left out, arrays give their elements; null only if the separator is.
pub(crate) fn concat_ws(args: &[Value], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if is_void(&args[0]) {
        return Ok(Value::of(new_null_array(&Arrow::Utf8, rows), scalar));
    }
    let mut builder = StringBuilder::new();
    let mut scratch = String::new();
    for row in 0..rows {
        if args[0].is_null(row) {
            builder.append_null();
            continue;
        }
        scratch.clear();
        let separator = text(&args[0], row);
        let mut first = true;
        let mut add = |piece: &str| {
            if !std::mem::take(&mut first) {
                scratch.push_str(separator);
            }
            scratch.push_str(piece);
        };
        for arg in args[1..].iter().filter(|arg| !is_void(arg) && !arg.is_null(row)) {
            match arg.inner().data_type() {
                Arrow::List(_) => {
                    let items = arg.inner().as_list::<i32>().value(arg.at(row));
                    items.as_string::<i32>().iter().flatten().for_each(&mut add);
                }
                _ => add(text(arg, row)),
            }
        }
        builder.append_value(&scratch);
    }
    Ok(Value::of(Arc::new(builder.finish()), scalar))
}

/// `substring(a, from, length)`: from 1; from the end if negative; a window that begins before the text is cut.
pub(crate) fn substring(args: &[Value], rows: usize) -> Value {
    let (rows, scalar) = extent(args, rows);
    if is_void(&args[0]) {
        return args[0].clone();
    }
    let refs: Vec<&Value> = args.iter().collect();
    let nulls = nulls_of(&refs, rows);
    let from = args[1].view::<Int32Type>();
    let length = args.get(2).map(Value::view::<Int32Type>);
    let is_null = |row: usize| nulls.as_ref().is_some_and(|n| n.is_null(row));
    let range = |row: usize, count: usize| {
        piece(
            count as i64,
            i64::from(from.get(row)),
            length.map_or(i64::from(i32::MAX), |l| i64::from(l.get(row))),
        )
    };
    if matches!(args[0].inner().data_type(), Arrow::Binary) {
        let mut builder = BinaryBuilder::new();
        for row in 0..rows {
            if is_null(row) {
                builder.append_null();
                continue;
            }
            let bytes = args[0].inner().as_binary::<i32>().value(args[0].at(row));
            let (start, end) = range(row, bytes.len());
            builder.append_value(&bytes[start..end]);
        }
        return Value::of(Arc::new(builder.finish()), scalar);
    }
    let mut builder = StringBuilder::new();
    for row in 0..rows {
        if is_null(row) {
            builder.append_null();
            continue;
        }
        let text = text(&args[0], row);
        if text.is_ascii() {
            let (start, end) = range(row, text.len());
            builder.append_value(&text[start..end]);
        } else {
            let (start, end) = range(row, text.chars().count());
            builder.append_value(text.chars().skip(start).take(end - start).collect::<String>());
        }
    }
    Value::of(Arc::new(builder.finish()), scalar)
}

fn piece(count: i64, from: i64, length: i64) -> (usize, usize) {
    let start = match from {
        0 => 0,
        n if n > 0 => n - 1,
        n => count + n,
    };
    let end = if length < 0 { start } else { start.saturating_add(length) };
    let (start, end) = (start.clamp(0, count), end.clamp(0, count));
    (start as usize, end.max(start) as usize)
}

/// `startswith(a, b)`.
pub(crate) fn starts_with(args: &[Value]) -> Result<Value> {
    predicate(args, |text, part| text.starts_with(part), |bytes, part| bytes.starts_with(part))
}

/// `endswith(a, b)`.
pub(crate) fn ends_with(args: &[Value]) -> Result<Value> {
    predicate(args, |text, part| text.ends_with(part), |bytes, part| bytes.ends_with(part))
}

/// `contains(a, b)`.
pub(crate) fn contains(args: &[Value]) -> Result<Value> {
    predicate(
        args,
        |text, part| text.contains(part),
        |bytes, part| part.is_empty() || bytes.windows(part.len()).any(|w| w == part),
    )
}

fn predicate(
    args: &[Value],
    text_test: fn(&str, &str) -> bool,
    byte_test: fn(&[u8], &[u8]) -> bool,
) -> Result<Value> {
    let longest = args.iter().filter(|a| !a.is_scalar()).map(|a| a.inner().len()).max();
    let (rows, scalar) = extent(args, longest.unwrap_or(1));
    if args.iter().any(is_void) {
        return Ok(Value::of(new_null_array(&Arrow::Boolean, rows), scalar));
    }
    let nulls = nulls_of(&[&args[0], &args[1]], rows);
    let valid = |row: usize| nulls.as_ref().is_none_or(|n| n.is_valid(row));
    let bits = match args[0].inner().data_type() {
        Arrow::Utf8 => BooleanBuffer::collect_bool(rows, |row| {
            valid(row) && text_test(text(&args[0], row), text(&args[1], row))
        }),
        Arrow::Binary => BooleanBuffer::collect_bool(rows, |row| {
            let bytes = |arg: &Value| arg.inner().as_binary::<i32>().value(arg.at(row)).to_vec();
            valid(row) && byte_test(&bytes(&args[0]), &bytes(&args[1]))
        }),
        other => return Err(unsupported(format!("a text test of {other}"))),
    };
    Ok(Value::of(Arc::new(BooleanArray::new(bits, nulls)), scalar))
}
