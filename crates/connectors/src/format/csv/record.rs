//! Lines of CSV to their cells.

use crate::format::csv::options::CsvOptions;

/// A cell: its text, and whether it stood in quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) quoted: bool,
}

/// The cells of the record at the beginning of `text`, and the length of the record with its line end.
///
/// A quoted cell may go over line ends only if `multi_line` is set. A quote within quotes that neither ends the cell
/// nor is escaped makes all up to the separator the cell, quotes included.
pub(crate) fn record(text: &[u8], options: &CsvOptions, multi_line: bool) -> (Vec<Cell>, usize) {
    let mut cells = Vec::new();
    let mut at = 0;
    loop {
        let (cell, end) = cell(text, at, options, multi_line);
        cells.push(cell);
        match text.get(end) {
            Some(byte) if *byte == options.separator => at = end + 1,
            Some(b'\r') if text.get(end + 1) == Some(&b'\n') => return (cells, end + 2),
            Some(_) => return (cells, end + 1),
            None => return (cells, end),
        }
    }
}

fn cell(text: &[u8], start: usize, options: &CsvOptions, multi_line: bool) -> (Cell, usize) {
    let lead = start
        + text[start..].iter().take_while(|b| matches!(b, b' ' | b'\t') && **b != options.separator).count();
    if text.get(lead).is_some()
        && text.get(lead).copied() == options.quote
        && (lead == start || options.trim_start)
    {
        if let Some(found) = quoted(text, lead, options, multi_line) {
            return found;
        }
        let end = plain_end(text, lead, options);
        return (Cell { text: lossy(&text[lead..end]), quoted: false }, end);
    }
    let end = plain_end(text, start, options);
    let mut value = &text[start..end];
    if options.trim_start {
        value = value.trim_ascii_start();
    }
    if options.trim_end {
        value = value.trim_ascii_end();
    }
    (Cell { text: lossy(value), quoted: false }, end)
}

/// A cell in quotes that begins at `start`, unless a quote stands free within it.
fn quoted(text: &[u8], start: usize, options: &CsvOptions, multi_line: bool) -> Option<(Cell, usize)> {
    let quote = options.quote?;
    let mut value = Vec::new();
    let mut at = start + 1;
    loop {
        let Some(byte) = text.get(at).copied() else {
            return Some((Cell { text: lossy(&value), quoted: true }, at));
        };
        let next = text.get(at + 1).copied();
        if byte == options.escape && byte != quote && (next == Some(quote) || next == Some(options.escape)) {
            value.extend(next);
            at += 2;
        } else if byte == quote && options.escape == quote && next == Some(quote) {
            value.push(quote);
            at += 2;
        } else if byte == quote {
            let after = at + 1 + text[at + 1..].iter().take_while(|b| **b == b' ').count();
            let closes = match text.get(after) {
                None | Some(b'\n' | b'\r') => true,
                Some(other) => *other == options.separator,
            };
            return closes.then(|| (Cell { text: lossy(&value), quoted: true }, after));
        } else if matches!(byte, b'\n' | b'\r') && !multi_line {
            return Some((Cell { text: lossy(&value), quoted: true }, at));
        } else {
            value.push(byte);
            at += 1;
        }
    }
}

fn plain_end(text: &[u8], start: usize, options: &CsvOptions) -> usize {
    memchr::memchr3(options.separator, b'\n', b'\r', &text[start..]).map_or(text.len(), |at| start + at)
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
