//! Cells of CSV to values, and the types that cells tell.

use tidemark_types::DataType;

use crate::format::csv::options::CsvOptions;
use crate::format::csv::record::Cell;
use crate::format::json::column::{Column, Values};
use crate::format::json::moments::Moments;
use crate::format::json::number::parse_decimal;

/// Adds a cell to a column; false, and a null, if it is none of the type.
pub(crate) fn push(
    column: &mut Column,
    cell: Option<&Cell>,
    options: &CsvOptions,
    moments: &Moments,
) -> bool {
    let Some(cell) = cell.filter(|cell| !is_null(cell, options)) else {
        column.push_null();
        return true;
    };
    let text = text_of(cell, options);
    let data_type = column.data_type.clone();
    let taken = match (&mut column.values, &data_type) {
        (Values::Bytes(_, bytes), _) => {
            bytes.extend_from_slice(text.as_bytes());
            Some(())
        }
        (Values::Boolean(v), _) => text.to_ascii_lowercase().parse().ok().map(|x| v.push(x)),
        (Values::Byte(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Short(v), _) => text.parse().ok().map(|x| v.push(x)),
        (Values::Integer(v), DataType::Integer) => text.parse().ok().map(|x| v.push(x)),
        (Values::Long(v), DataType::Long) => text.parse().ok().map(|x| v.push(x)),
        (Values::Float(v), _) => float(text, options).map(|x| v.push(x as f32)),
        (Values::Double(v), _) => float(text, options).map(|x| v.push(x)),
        (Values::Decimal(v), DataType::Decimal(p, s)) => {
            parse_decimal(&text.replace(',', ""), *p, *s).map(|x| v.push(x))
        }
        (Values::Integer(v), DataType::Date) => moments.date(text).map(|x| v.push(x)),
        (Values::Long(v), DataType::Timestamp) => moments.timestamp(text).map(|x| v.push(x)),
        (Values::Long(v), DataType::TimestampNtz) => moments.timestamp_ntz(text).map(|x| v.push(x)),
        _ => None,
    };
    match taken {
        Some(()) => column.push_valid(),
        None => column.push_null(),
    }
    taken.is_some()
}

/// Whether a cell stands for null: an empty one does, and one in quotes whose text is that of null.
pub(crate) fn is_null(cell: &Cell, options: &CsvOptions) -> bool {
    text_of(cell, options) == options.null_value || (cell.text.is_empty() && !cell.quoted)
}

/// The text of a cell; the option `emptyValue` speaks for an empty one in quotes.
fn text_of<'a>(cell: &'a Cell, options: &'a CsvOptions) -> &'a str {
    match &options.empty_value {
        Some(empty) if cell.quoted && cell.text.is_empty() => empty,
        _ => &cell.text,
    }
}

fn float(text: &str, options: &CsvOptions) -> Option<f64> {
    match text {
        text if text == options.nan => Some(f64::NAN),
        text if text == options.positive_infinity => Some(f64::INFINITY),
        text if text == options.negative_infinity => Some(f64::NEG_INFINITY),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        text if text.ends_with(|c: char| c.is_ascii_digit() || c == '.') => text.trim().parse().ok(),
        _ => None,
    }
}

/// The type of a column after one more cell.
pub(crate) fn widen(known: &DataType, cell: &Cell, options: &CsvOptions, moments: &Moments) -> DataType {
    if is_null(cell, options) {
        return known.clone();
    }
    let found = type_of(&cell.text, options, moments);
    match (known, found) {
        (DataType::Null, found) => found,
        (known, found) if *known == found => found,
        (DataType::Integer | DataType::Long, DataType::Integer | DataType::Long) => DataType::Long,
        (DataType::Double, DataType::Integer | DataType::Long)
        | (DataType::Integer | DataType::Long, DataType::Double) => DataType::Double,
        (DataType::Date, DataType::Timestamp) | (DataType::Timestamp, DataType::Date) => DataType::Timestamp,
        _ => DataType::String,
    }
}

fn type_of(text: &str, options: &CsvOptions, moments: &Moments) -> DataType {
    if text.parse::<i32>().is_ok() {
        DataType::Integer
    } else if text.parse::<i64>().is_ok() {
        DataType::Long
    } else if float(text, options).is_some() {
        DataType::Double
    } else if text.len() == 10 && moments.date(text).is_some() {
        DataType::Date
    } else if moments.timestamp(text).is_some() {
        DataType::Timestamp
    } else if matches!(text.to_ascii_lowercase().as_str(), "true" | "false") {
        DataType::Boolean
    } else {
        DataType::String
    }
}
