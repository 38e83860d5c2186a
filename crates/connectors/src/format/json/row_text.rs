//! A row as Java's `toString` shows it, for the messages of bad records.

use tidemark_types::DataType;
use tidemark_types::number::{double_text, float_text};

use crate::format::json::column::{Column, Values};

/// `[1,x,null]`: the values of row `row`.
pub fn row_text(columns: &[&Column], row: usize) -> String {
    let values: Vec<String> = columns.iter().map(|column| value_text(column, row)).collect();
    format!("[{}]", values.join(","))
}

fn value_text(column: &Column, row: usize) -> String {
    if !column.is_valid(row) {
        return "null".into();
    }
    let part = |ends: &[i32]| ends[row] as usize..ends[row + 1] as usize;
    let all = |column: &Column, range: std::ops::Range<usize>| {
        let values: Vec<String> = range.map(|at| value_text(column, at)).collect();
        format!("[{}]", values.join(","))
    };
    match &column.values {
        Values::Null => "null".into(),
        Values::Boolean(v) => v[row].to_string(),
        Values::Byte(v) => v[row].to_string(),
        Values::Short(v) => v[row].to_string(),
        Values::Integer(v) => v[row].to_string(),
        Values::Long(v) => v[row].to_string(),
        Values::Float(v) => float_text(v[row]),
        Values::Double(v) => double_text(v[row]),
        Values::Decimal(v) => match column.data_type {
            DataType::Decimal(_, scale) => decimal_text(v[row], scale),
            _ => v[row].to_string(),
        },
        Values::Bytes(ends, bytes) => String::from_utf8_lossy(&bytes[part(ends)]).into_owned(),
        Values::List(ends, element) => all(element, part(ends)),
        Values::Map(ends, keys, values) => {
            format!("keys: {}, values: {}", all(keys, part(ends)), all(values, part(ends)))
        }
        Values::Struct(fields) => row_text(&fields.columns.iter().collect::<Vec<_>>(), row),
    }
}

/// A decimal as Java's `BigDecimal.toString` shows it.
pub fn decimal_text(value: i128, scale: i8) -> String {
    let digits = value.unsigned_abs().to_string();
    let sign = if value < 0 { "-" } else { "" };
    let scale = i32::from(scale);
    let adjusted = digits.len() as i32 - 1 - scale;
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    if scale > 0 && adjusted >= -6 {
        let width = scale as usize + 1;
        let padded = format!("{digits:0>width$}");
        let (whole, fraction) = padded.split_at(padded.len() - scale as usize);
        return format!("{sign}{whole}.{fraction}");
    }
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    let plus = if adjusted > 0 { "+" } else { "" };
    format!("{sign}{first}{point}{rest}E{plus}{adjusted}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals() {
        let table = [
            (150, 2, "1.50"),
            (-5, 2, "-0.05"),
            (0, 2, "0.00"),
            (12, 0, "12"),
            (1, 7, "1E-7"),
            (0, 7, "0E-7"),
            (123, 10, "1.23E-8"),
            (1, 6, "0.000001"),
        ];
        for (value, scale, expected) in table {
            assert_eq!(decimal_text(value, scale), expected);
        }
    }
}
