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

/// The text of `show()` for batches of one schema: ends with a line end; a caller that prints adds another.
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
                let text = value_text(column, &field.data_type, row, style).unwrap_or_else(|| "NULL".to_owned());
                truncate(&escape(&text), options.truncate)
            });
            rows.push(cells.collect());
        }
    }
    let header: Vec<String> = names.iter().map(|name| truncate(&escape(name), options.truncate)).collect();
    let mut text =
        if options.vertical { vertical_text(&header, &rows) } else { table_text(&header, &rows, options.truncate > 0) };
    if options.vertical && rows.is_empty() {
        text.push_str("(0 rows)\n");
    } else if more {
        let unit = if options.rows == 1 { "row" } else { "rows" };
        text.push_str(&format!("only showing top {} {unit}\n", options.rows));
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
    let mut line = String::from("+");
    for width in &widths {
        line.push_str(&"-".repeat(*width));
        line.push('+');
    }
    line.push('\n');
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
    let mut text = String::from("|");
    for (cell, width) in cells.iter().zip(widths) {
        let blanks = " ".repeat(width - display_width(cell));
        if right {
            text.push_str(&blanks);
            text.push_str(cell);
        } else {
            text.push_str(cell);
            text.push_str(&blanks);
        }
        text.push('|');
    }
    text.push('\n');
    text
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

/// The width of a text: East Asian wide characters count twice.
pub fn display_width(text: &str) -> usize {
    text.chars().map(|c| if is_full_width(c) { 2 } else { 1 }).sum()
}

fn is_full_width(c: char) -> bool {
    matches!(c as u32,
        0x1100..=0x115F | 0x2E80..=0x303E | 0x3041..=0x33FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA000..=0xA4CF
        | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6)
}
