//! Values of a script as plain, stable JSON: what a conformance case records.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use tidemark_pyspark::Session;
use tidemark_python::{Machine, Value, View};
use tidemark_types::SimTime;

/// Turns values into JSON as `run_spark.py` does.
pub(crate) struct Recorder<'a> {
    pub(crate) machine: &'a Machine,
    pub(crate) session: &'a Session,
    /// Whether times near the World's become `<now>`.
    pub(crate) is_delta: bool,
    pub(crate) now: SimTime,
}

impl Recorder<'_> {
    /// The value of a `show`.
    pub(crate) fn value(&self, value: &Value) -> Json {
        match self.machine.view(value) {
            View::Exception(class, message) => self.error(value, &class, &message),
            View::List(items)
                if !items.is_empty() && items.iter().all(|v| self.session.row_of(v).is_some()) =>
            {
                let columns = self.session.row_of(&items[0]).map(|(names, _)| names).unwrap_or_default();
                self.rows(columns, &items)
            }
            _ => self.plain(value),
        }
    }

    /// Rows under their columns, sorted by their text.
    pub(crate) fn rows(&self, columns: Vec<String>, rows: &[Value]) -> Json {
        let mut made: Vec<Json> = rows
            .iter()
            .map(|row| {
                let values = self.session.row_of(row).map(|(_, values)| values).unwrap_or_default();
                Json::Array(values.iter().map(|v| self.plain(v)).collect())
            })
            .collect();
        made.sort_by_key(python_text);
        json!({"columns": columns, "rows": made})
    }

    // tidy: table
    fn plain(&self, value: &Value) -> Json {
        if let Some((names, values)) = self.session.row_of(value) {
            if names.is_empty() {
                return Json::Array(values.iter().map(|v| self.plain(v)).collect());
            }
            let fields = names.into_iter().zip(values.iter().map(|v| self.plain(v))).collect::<Map<_, _>>();
            return Json::Object(fields);
        }
        if let Some(dict) = self.session.progress_of(value) {
            return self.plain(&dict);
        }
        match self.machine.view(value) {
            View::None => Json::Null,
            View::Bool(b) => Json::Bool(b),
            View::Int(i) => json!(i),
            View::Float(f) if f.is_nan() => json!("NaN"),
            View::Float(f) if f.is_infinite() => json!(if f > 0.0 { "Infinity" } else { "-Infinity" }),
            View::Float(f) => json!(f),
            View::Str(s) => Json::String(self.text(&s)),
            View::Bytes(bytes) => {
                Json::String(format!("0x{}", bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()))
            }
            View::Decimal(text) => Json::String(text),
            View::Datetime { wall_micros, offset_micros } => {
                Json::String(iso(wall_micros - offset_micros.unwrap_or(0)))
            }
            View::Date(days) => Json::String(iso(i64::from(days) * 86_400_000_000)[..10].to_owned()),
            View::Timedelta(micros) => {
                let (days, rest) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
                Json::String(format!("P{days}D{rest}us"))
            }
            View::List(items) | View::Tuple(items) => {
                Json::Array(items.iter().map(|v| self.plain(v)).collect())
            }
            View::Set(items) => {
                let mut items: Vec<Json> = items.iter().map(|v| self.plain(v)).collect();
                items.sort_by_key(python_text);
                Json::Array(items)
            }
            View::Dict(items) => {
                let sorted: BTreeMap<String, Json> = items
                    .iter()
                    .map(|(k, v)| {
                        let key = match self.plain(k) {
                            Json::String(text) => text,
                            other => python_text(&other),
                        };
                        (key, self.plain(v))
                    })
                    .collect();
                Json::Object(sorted.into_iter().collect())
            }
            _ => Json::String(self.text(&self.machine.plain_repr(value))),
        }
    }

    /// An exception: class, condition, first line, and the cause of a failed query.
    pub(crate) fn error(&self, value: &Value, class: &str, message: &str) -> Json {
        let condition =
            self.machine.attribute(value, "_condition").and_then(|v| v.as_str().map(str::to_owned));
        let found = conditions(message);
        let condition = condition.or_else(|| {
            (class == "Py4JJavaError" || self.is_delta && message.starts_with('['))
                .then(|| found.first().cloned())
                .flatten()
        });
        let first = message.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
        let mut error = json!({"error": class, "condition": condition, "message": self.text(first)});
        if condition.as_deref() == Some("STREAM_FAILED") {
            let cause = found.into_iter().find(|c| c != "STREAM_FAILED");
            error["cause"] = json!(cause);
        }
        error
    }

    /// A text with what is not stable taken out.
    pub(crate) fn text(&self, text: &str) -> String {
        let text = if self.is_delta { replace_clock(text, self.now) } else { text.to_owned() };
        replace_expression_ids(&replace_uuids(&text))
    }
}

/// The text by which Python's `json.dumps(…, sort_keys=True)` would sort.
fn python_text(json: &Json) -> String {
    match json {
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(python_text).collect();
            format!("[{}]", items.join(", "))
        }
        Json::Object(fields) => {
            let sorted: BTreeMap<&String, &Json> = fields.iter().collect();
            let fields: Vec<String> =
                sorted.iter().map(|(k, v)| format!("{}: {}", json!(k), python_text(v))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

/// All `[NAME.LIKE_THIS]` of a text.
fn conditions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split('[').skip(1) {
        if let Some((name, _)) = part.split_once(']')
            && name.len() > 1
            && name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_' || c == '.')
        {
            found.push(name.to_owned());
        }
    }
    found
}

/// `2024-01-01T10:00:00Z`, with microseconds only if there are some.
pub(crate) fn iso(micros: i64) -> String {
    let text = SimTime(micros.div_euclid(1000)).iso();
    let fraction = micros.rem_euclid(1_000_000);
    let whole = &text[..19];
    if fraction == 0 { format!("{whole}Z") } else { format!("{whole}.{fraction:06}Z") }
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, b)| match at {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_digit() || (b'a'..=b'f').contains(b),
        })
}

fn replace_uuids(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if bytes.get(at..at + 36).is_some_and(is_uuid) {
            out.push_str("<uuid>");
            at += 36;
        } else {
            let c = text[at..].chars().next().unwrap_or(' ');
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

fn replace_expression_ids(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        out.push(c);
        let follows_name = before.is_ascii_alphanumeric() || matches!(before, '_' | ')' | ']');
        if c == '#' && follows_name && chars.peek().is_some_and(char::is_ascii_digit) {
            while chars.peek().is_some_and(char::is_ascii_digit) {
                chars.next();
            }
            out.push('n');
        }
        before = c;
    }
    out
}

/// Times within a day of the World's become `<now>`.
fn replace_clock(text: &str, now: SimTime) -> String {
    let day = |millis: i64| millis.div_euclid(86_400_000);
    let near = |millis: i64| (day(millis) - day(now.0)).abs() <= 1;
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if let Some((length, millis)) = clock_at(bytes, at)
            && near(millis)
        {
            out.push_str("<now>");
            at += length;
            continue;
        }
        let c = text[at..].chars().next().unwrap_or(' ');
        out.push(c);
        at += c.len_utf8();
    }
    out
}

/// A date with time, or thirteen digits, at a place: its length and its milliseconds.
fn clock_at(bytes: &[u8], at: usize) -> Option<(usize, i64)> {
    let digits =
        |from: usize, n: usize| bytes.get(from..from + n).is_some_and(|b| b.iter().all(u8::is_ascii_digit));
    let number =
        |from: usize, n: usize| std::str::from_utf8(&bytes[from..from + n]).ok()?.parse::<i64>().ok();
    let word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let starts = at == 0 || !word(bytes.get(at - 1));
    if starts && digits(at, 13) && !word(bytes.get(at + 13)) {
        return Some((13, number(at, 13)?));
    }
    let is = |offset: usize, wanted: &[u8]| bytes.get(at + offset).is_some_and(|b| wanted.contains(b));
    let shaped = digits(at, 4)
        && is(4, b"-")
        && digits(at + 5, 2)
        && is(7, b"-")
        && digits(at + 8, 2)
        && is(10, b" T")
        && digits(at + 11, 2)
        && is(13, b":")
        && digits(at + 14, 2)
        && is(16, b":")
        && digits(at + 17, 2);
    if !shaped {
        return None;
    }
    let mut length = 19;
    if is(19, b".") {
        length += 1;
        while bytes.get(at + length).is_some_and(u8::is_ascii_digit) {
            length += 1;
        }
    }
    if is(length, b"Z") {
        length += 1;
    }
    let (year, month, day) = (number(at, 4)?, number(at + 5, 2)?, number(at + 8, 2)?);
    Some((length, days_from_civil(year, month, day) * 86_400_000))
}

/// Days since 1970 of a date of the Gregorian calendar.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_stable() {
        assert_eq!(replace_uuids("a 84ed9859-6656-4997-9230-c74a40004f62 b"), "a <uuid> b");
        assert_eq!(replace_expression_ids("ts#12, #3"), "ts#n, #3");
        let now = SimTime(1_767_268_800_000);
        assert_eq!(replace_clock("at 2026-01-01T10:00:00.000Z", now), "at <now>");
        assert_eq!(replace_clock("at 2024-01-01T10:00:00Z", now), "at 2024-01-01T10:00:00Z");
        assert_eq!(replace_clock("t 1767268800001,", now), "t <now>,");
    }

    #[test]
    fn conditions_are_found_in_order() {
        assert_eq!(
            conditions("[STREAM_FAILED] x [CAST_INVALID_INPUT] y [id = 3]"),
            ["STREAM_FAILED", "CAST_INVALID_INPUT"]
        );
    }
}
