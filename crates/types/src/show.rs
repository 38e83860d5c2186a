//! The table of `Dataset.show` and of the console sink, byte for byte.

use crate::batch::Batch;
use crate::value_text::{TextStyle, value_text};
use crate::zone::Zone;

/// The narrowest column.
const WIDTH_MIN: usize = 3;

/// How many characters of a cell are shown when `truncate=True`.
pub const TRUNCATE_DEFAULT: usize = 20;

/// How a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowOptions {
    /// How many rows.
    pub rows: usize,
    /// The greatest length of a cell; 0 shows all of it, aligned left.
    pub truncate: usize,
    /// One line for each cell.
    pub vertical: bool,
    /// The zone of timestamps.
    pub zone: Zone,
}

/// The text of `show()` for batches of one schema, as a caller prints it with one more line end: then a blank line
/// follows the table, but none follows `only showing top 2 rows`.
///
/// `batches` hold at least one row more than `options.rows` if there are more rows.
pub fn show_text(names: &[&str], batches: &[Batch], options: ShowOptions) -> String {
    let style = TextStyle::show(options.zone);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut more = false;
    'all: for batch in batches {
        for row in 0..batch.rows() {
            if rows.len() == options.rows {
                more = true;
                break 'all;
            }
            let cells = batch.schema().fields.iter().zip(batch.columns()).map(|(field, column)| {
                let text =
                    value_text(column, &field.data_type, row, style).unwrap_or_else(|| "NULL".to_owned());
                truncate(&escape(&text), options.truncate)
            });
            rows.push(cells.collect());
        }
    }
    let header: Vec<String> = names.iter().map(|name| escape(name)).collect();
    let mut text = if options.vertical {
        vertical_text(&header, &rows)
    } else {
        table_text(&header, &rows, options.truncate > 0)
    };
    if options.vertical && rows.is_empty() {
        text.push_str("(0 rows)");
    } else if more {
        let unit = if options.rows == 1 { "row" } else { "rows" };
        text.push_str(&format!("only showing top {} {unit}", options.rows));
    }
    text
}

/// Line ends and the like inside a cell are shown as escapes.
fn escape(text: &str) -> String {
    if !text.contains(['\n', '\r', '\t', '\u{c}', '\u{8}', '\u{b}', '\u{7}']) {
        return text.to_owned();
    }
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{c}' => escaped.push_str("\\f"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{b}' => escaped.push_str("\\v"),
            '\u{7}' => escaped.push_str("\\a"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Spark counts UTF-16 units here.
fn truncate(text: &str, limit: usize) -> String {
    if limit == 0 || text.encode_utf16().count() <= limit {
        return text.to_owned();
    }
    let kept = if limit < 4 { limit } else { limit - 3 };
    let units: Vec<u16> = text.encode_utf16().take(kept).collect();
    let mut cut = String::from_utf16_lossy(&units);
    if limit >= 4 {
        cut.push_str("...");
    }
    cut
}

fn table_text(header: &[String], rows: &[Vec<String>], right: bool) -> String {
    let mut widths = vec![WIDTH_MIN; header.len()];
    for row in std::iter::once(header).chain(rows.iter().map(Vec::as_slice)) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(display_width(cell));
        }
    }
    let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    let line = format!("+{}+\n", rules.join("+"));
    let mut text = line.clone();
    text.push_str(&row_text(header, &widths, right));
    text.push_str(&line);
    for row in rows {
        text.push_str(&row_text(row, &widths, right));
    }
    text.push_str(&line);
    text
}

fn row_text(cells: &[String], widths: &[usize], right: bool) -> String {
    let padded: Vec<String> = cells
        .iter()
        .zip(widths)
        .map(|(cell, width)| {
            let blanks = " ".repeat(width - display_width(cell));
            if right { format!("{blanks}{cell}") } else { format!("{cell}{blanks}") }
        })
        .collect();
    format!("|{}|\n", padded.join("|"))
}

fn vertical_text(header: &[String], rows: &[Vec<String>]) -> String {
    let names = header.iter().map(|n| display_width(n)).fold(WIDTH_MIN, usize::max);
    let values = rows.iter().flatten().map(|v| display_width(v)).fold(WIDTH_MIN, usize::max);
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let title = format!("-RECORD {number}");
        text.push_str(&format!("{title:-<width$}\n", width = names + values + 5));
        for (name, value) in header.iter().zip(row) {
            let after_name = " ".repeat(names - display_width(name));
            let after_value = " ".repeat(values - display_width(value));
            text.push_str(&format!(" {name}{after_name} | {value}{after_value} \n"));
        }
    }
    text
}

/// The width of a text in UTF-16 units, as Spark counts it: East Asian wide characters count twice.
pub fn display_width(text: &str) -> usize {
    text.chars().map(|c| c.len_utf16() + usize::from(is_full_width(c))).sum()
}

fn is_full_width(c: char) -> bool {
    matches!(c as u32,
        0x1100..=0x115F | 0x2E80..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE10..=0xFE19 | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int32Array, StringArray, TimestampMicrosecondArray};

    use super::*;
    use crate::schema::StructType;

    fn batch() -> Batch {
        let schema =
            StructType::from_ddl("id INT, name STRING, amt DOUBLE, ts TIMESTAMP").expect("the text is good");
        let at = [Some(1_704_103_200_500_000), None, Some(1_704_067_200_000_000)];
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int32Array::from(vec![1, 2, 30])),
            Arc::new(StringArray::from(vec![Some("a"), None, Some("a rather long text that is cut")])),
            Arc::new(Float64Array::from(vec![1.5, f64::NAN, 1e20])),
            Arc::new(TimestampMicrosecondArray::from(at.to_vec()).with_timezone("UTC")),
        ];
        Batch::new(Arc::new(schema), columns, 3)
    }

    fn show(rows: usize, truncate: usize, vertical: bool) -> String {
        let batch = batch();
        let options = ShowOptions { rows, truncate, vertical, zone: Zone::UTC };
        show_text(&batch.schema().names(), std::slice::from_ref(&batch), options)
    }

    /// As Spark 4.2 printed them, less the line end of `print`.
    #[test]
    fn tables_are_sparks() {
        for (got, wanted) in [
            (
                show(20, 20, false),
                "\
+---+--------------------+------+--------------------+
| id|                name|   amt|                  ts|
+---+--------------------+------+--------------------+
|  1|                   a|   1.5|2024-01-01 10:00:...|
|  2|                NULL|   NaN|                NULL|
| 30|a rather long tex...|1.0E20| 2024-01-01 00:00:00|
+---+--------------------+------+--------------------+
",
            ),
            (
                show(1, 20, false),
                "\
+---+----+---+--------------------+
| id|name|amt|                  ts|
+---+----+---+--------------------+
|  1|   a|1.5|2024-01-01 10:00:...|
+---+----+---+--------------------+
only showing top 1 row",
            ),
            (
                show(20, 0, false),
                "\
+---+------------------------------+------+---------------------+
|id |name                          |amt   |ts                   |
+---+------------------------------+------+---------------------+
|1  |a                             |1.5   |2024-01-01 10:00:00.5|
|2  |NULL                          |NaN   |NULL                 |
|30 |a rather long text that is cut|1.0E20|2024-01-01 00:00:00  |
+---+------------------------------+------+---------------------+
",
            ),
            (
                show(20, 3, false),
                "\
+---+----+---+---+
| id|name|amt| ts|
+---+----+---+---+
|  1|   a|1.5|202|
|  2| NUL|NaN|NUL|
| 30| a r|1.0|202|
+---+----+---+---+
",
            ),
            (
                show(0, 20, false),
                "\
+---+----+---+---+
| id|name|amt| ts|
+---+----+---+---+
+---+----+---+---+
only showing top 0 rows",
            ),
            (
                show(1, 20, true),
                "-RECORD 0--------------------\n id   | 1                    \n name | a                    \n amt  | 1.5                  \n ts   | 2024-01-01 10:00:... \nonly showing top 1 row",
            ),
        ] {
            assert_eq!(got, wanted);
        }
    }

    #[test]
    fn no_columns_and_wide_ones() {
        let empty = Batch::new(Arc::new(StructType::default()), Vec::new(), 2);
        let options = ShowOptions { rows: 20, truncate: 20, vertical: false, zone: Zone::UTC };
        assert_eq!(show_text(&[], &[empty], options), "++\n||\n++\n||\n||\n++\n");
        for (text, width) in
            [("你好", 4), ("ｆｕｌｌ", 8), ("é", 1), ("한글", 4), ("😀", 2), ("ｱ", 1), ("‘’", 2)]
        {
            assert_eq!(display_width(text), width, "{text}");
        }
        assert_eq!(escape("a\nb\tc"), "a\\nb\\tc");
    }
}
