//! Interval constants of SQL text: `INTERVAL 1 DAY 2 HOURS`, `INTERVAL '1-2' YEAR TO MONTH`.

use tidemark_types::SparkError;
use tidemark_types::lexer::TokenKind;

use crate::expr::Expr;
use crate::interval::{Interval, parse_interval};
use crate::literal::Literal;

use super::cursor::Cursor;

const UNITS: [&str; 6] = ["year", "month", "day", "hour", "minute", "second"];

/// The place of a unit from the greatest on, finer units counting as the field they fall into.
fn unit_index(word: &str) -> Option<usize> {
    let word = word.to_lowercase();
    let singular = word.strip_suffix('s').unwrap_or(&word);
    match singular {
        "week" => Some(2),
        "millisecond" | "microsecond" => Some(5),
        other => UNITS.iter().position(|u| *u == other),
    }
}

/// The constant after `INTERVAL`; `None`, with the cursor where it was, if what follows is no interval.
pub(super) fn interval(cursor: &mut Cursor<'_>) -> Result<Option<Expr>, SparkError> {
    let start = cursor.position();
    let mut text = String::new();
    let (mut first, mut last): (Option<usize>, usize) = (None, 0);
    loop {
        let position = cursor.position();
        let negative = cursor.eat("-");
        let value = match cursor.peek().kind.clone() {
            TokenKind::Number(number) => number,
            TokenKind::Text(value) => value,
            _ => {
                cursor.go_back(position);
                break;
            }
        };
        cursor.next();
        let sign = if negative { "-" } else { "" };
        let unit = match &cursor.peek().kind {
            TokenKind::Word(word) => unit_index(word).map(|index| (word.clone(), index)),
            _ => None,
        };
        let Some((word, index)) = unit else {
            // `INTERVAL '1 day 2 hours'`: units are in the string.
            if first.is_none() && !negative {
                return string_interval(&value).map(Some);
            }
            return Err(cursor.error());
        };
        cursor.next();
        if first.is_none() && cursor.is_word("to") {
            cursor.next();
            let TokenKind::Word(end) = &cursor.peek().kind else { return Err(cursor.error()) };
            let Some(end) = unit_index(end) else { return Err(cursor.error()) };
            cursor.next();
            return range(&format!("{sign}{value}"), index, end).map(Some).ok_or_else(|| cursor.error());
        }
        text.push_str(&format!("{sign}{value} {} ", word.to_lowercase()));
        first = Some(first.map_or(index, |f: usize| f.min(index)));
        last = last.max(index);
    }
    match first {
        None => {
            cursor.go_back(start);
            Ok(None)
        }
        Some(first) => {
            let interval = parse_interval(&text)?;
            Ok(Some(constant(interval, first, last)))
        }
    }
}

fn string_interval(text: &str) -> Result<Expr, SparkError> {
    let interval = parse_interval(text)?;
    let indices: Vec<usize> = text.split_whitespace().filter_map(unit_index).collect();
    let first = indices.iter().copied().min().unwrap_or(5);
    let last = indices.iter().copied().max().unwrap_or(5);
    Ok(constant(interval, first, last))
}

/// `'1-2' YEAR TO MONTH`, `'10 10:30' DAY TO MINUTE`.
fn range(value: &str, first: usize, last: usize) -> Option<Expr> {
    let negative = value.starts_with('-');
    let parts: Vec<&str> = value.trim_start_matches('-').split(['-', ' ', ':']).collect();
    if first >= last || parts.len() != last - first + 1 {
        return None;
    }
    let mut text = String::new();
    for (part, unit) in parts.iter().zip(&UNITS[first..]) {
        let sign = if negative { "-" } else { "" };
        text.push_str(&format!("{sign}{part} {unit} "));
    }
    Some(constant(parse_interval(&text).ok()?, first, last))
}

fn constant(interval: Interval, first: usize, last: usize) -> Expr {
    if first < 2 {
        let months = interval.months as i32;
        let text = year_month_text(months, first, last.min(1));
        return Expr::Interval { literal: Literal::YearMonthInterval(months), text };
    }
    let micros = interval.total_micros();
    Expr::Interval { literal: Literal::DayTimeInterval(micros), text: day_time_text(micros, first, last) }
}

fn year_month_text(months: i32, first: usize, last: usize) -> String {
    let sign = if months < 0 { "-" } else { "" };
    let total = months.unsigned_abs();
    match (first, last) {
        (0, 0) => format!("INTERVAL '{sign}{}' YEAR", total / 12),
        (1, _) => format!("INTERVAL '{sign}{total}' MONTH"),
        _ => format!("INTERVAL '{sign}{}-{}' YEAR TO MONTH", total / 12, total % 12),
    }
}

/// The text with the fields from the greatest to the smallest unit that was written.
fn day_time_text(micros: i64, first: usize, last: usize) -> String {
    let sign = if micros < 0 { "-" } else { "" };
    let total = micros.unsigned_abs();
    let seconds = total / 1_000_000;
    let sizes = [86_400, 3600, 60, 1];
    let mut text = String::new();
    for (field, size) in sizes.iter().enumerate().take(last - 1).skip(first - 2) {
        let value = if field == first - 2 { seconds / size } else { seconds % sizes[field - 1] / size };
        let separator = match (field, text.is_empty()) {
            (_, true) => "",
            (1, _) => " ",
            _ => ":",
        };
        let digits = if field == 0 { value.to_string() } else { format!("{value:02}") };
        text.push_str(separator);
        text.push_str(&digits);
    }
    let fraction = total % 1_000_000;
    if last == 5 && fraction > 0 {
        let digits = format!("{fraction:06}");
        text.push('.');
        text.push_str(digits.trim_end_matches('0'));
    }
    let (from, to) = (UNITS[first].to_uppercase(), UNITS[last].to_uppercase());
    if first == last {
        format!("INTERVAL '{sign}{text}' {from}")
    } else {
        format!("INTERVAL '{sign}{text}' {from} TO {to}")
    }
}
