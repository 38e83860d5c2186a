//! Patterns: LIKE, RLIKE, replace and split by regular expressions of Java.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, GenericStringBuilder, ListBuilder, new_null_array};
use arrow::datatypes::{DataType as Arrow, Field, Int32Type};
use regex_lite::Regex;

use crate::error::Result;
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::error::{invalid_like_pattern, invalid_pattern};
use crate::kernel::text::string::text;

/// The compiled patterns of a column of patterns: one is kept while it repeats.
struct Patterns<F: Fn(&str) -> Result<Regex>> {
    last: Option<(String, Regex)>,
    make: F,
}

impl<F: Fn(&str) -> Result<Regex>> Patterns<F> {
    fn new(make: F) -> Self {
        Patterns { last: None, make }
    }

    fn get(&mut self, pattern: &str) -> Result<&Regex> {
        if self.last.as_ref().is_none_or(|(text, _)| text != pattern) {
            self.last = Some((pattern.to_owned(), (self.make)(pattern)?));
        }
        Ok(&self.last.as_ref().expect("it has just been put there").1)
    }
}

/// `a LIKE pattern`.
pub(crate) fn like(args: &[Value], rows: usize) -> Result<Value> {
    test(args, rows, |pattern| {
        let source = like_to_regex(pattern)?;
        Regex::new(&source).map_err(|_| invalid_pattern("like", pattern))
    })
}

/// `a RLIKE pattern`: the pattern is found somewhere.
pub(crate) fn rlike(args: &[Value], rows: usize) -> Result<Value> {
    test(args, rows, |pattern| java_regex("rlike", pattern))
}

fn test(args: &[Value], rows: usize, make: impl Fn(&str) -> Result<Regex>) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let Some(nulls) = text_nulls(args, rows) else {
        return Ok(Value::of(new_null_array(&Arrow::Boolean, rows), scalar));
    };
    let mut patterns = Patterns::new(make);
    let mut out = Vec::with_capacity(rows);
    for (row, null) in nulls.iter().enumerate() {
        out.push(if *null {
            None
        } else {
            Some(patterns.get(text(&args[1], row))?.is_match(text(&args[0], row)))
        });
    }
    Ok(Value::of(Arc::new(BooleanArray::from(out)), scalar))
}

/// Which rows have a null argument; `None` when an argument has no values at all.
fn text_nulls(args: &[Value], rows: usize) -> Option<Vec<bool>> {
    if args.iter().any(|a| matches!(a.inner().data_type(), Arrow::Null)) {
        return None;
    }
    let refs: Vec<&Value> = args.iter().collect();
    let nulls = nulls_of(&refs, rows);
    Some((0..rows).map(|row| nulls.as_ref().is_some_and(|n| n.is_null(row))).collect())
}

/// The regular expression of a LIKE pattern: `%` any text, `_` any character, `\` takes the next literally.
pub(crate) fn like_to_regex(pattern: &str) -> Result<String> {
    let mut out = String::from("(?s)^");
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                None => return Err(invalid_like_pattern(pattern, None)),
                Some(next @ ('_' | '%' | '\\')) => {
                    out.push_str(&regex_lite::escape(next.encode_utf8(&mut [0; 4])));
                }
                Some(next) => return Err(invalid_like_pattern(pattern, Some(next))),
            },
            '_' => out.push('.'),
            '%' => out.push_str(".*"),
            other => out.push_str(&regex_lite::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    out.push_str("\\z");
    Ok(out)
}

/// A regular expression as Java writes it.
fn java_regex(function: &str, pattern: &str) -> Result<Regex> {
    let ascii = ascii_classes(pattern);
    Regex::new(&ascii).map_err(|_| invalid_pattern(function, pattern))
}

/// `\d`, `\w`, `\s` and their opposites mean ASCII in Java.
fn ascii_classes(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    let mut in_class = 0_usize;
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(kind @ ('d' | 'w' | 's')) => {
                    let class = match kind {
                        'd' => "0-9",
                        'w' => "a-zA-Z0-9_",
                        _ => " \\t\\n\\x0B\\f\\r",
                    };
                    out.push_str(&if in_class > 0 { class.to_owned() } else { format!("[{class}]") });
                }
                Some(kind @ ('D' | 'W' | 'S')) => {
                    let class = match kind {
                        'D' => "0-9",
                        'W' => "a-zA-Z0-9_",
                        _ => " \\t\\n\\x0B\\f\\r",
                    };
                    out.push_str(&format!("[^{class}]"));
                }
                Some('Z') => out.push_str("\\z"),
                Some(other) => out.extend(['\\', other]),
                None => out.push('\\'),
            },
            '[' => {
                in_class += 1;
                out.push(c);
            }
            ']' => {
                in_class = in_class.saturating_sub(1);
                out.push(c);
            }
            other => out.push(other),
        }
    }
    out
}

/// `regexp_replace(a, pattern, by)`: `$1` in `by` is a group.
pub(crate) fn regexp_replace(args: &[Value], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let Some(nulls) = text_nulls(args, rows) else {
        return Ok(Value::of(new_null_array(&Arrow::Utf8, rows), scalar));
    };
    let mut patterns = Patterns::new(|pattern| java_regex("regexp_replace", pattern));
    let mut builder = GenericStringBuilder::<i32>::new();
    for (row, null) in nulls.iter().enumerate() {
        if *null {
            builder.append_null();
            continue;
        }
        let by = java_replacement(text(&args[2], row));
        let regex = patterns.get(text(&args[1], row))?;
        builder.append_value(regex.replace_all(text(&args[0], row), by.as_str()));
    }
    Ok(Value::of(Arc::new(builder.finish()), scalar))
}

/// A replacement as the regex crate writes it: `$1` becomes `${1}`, `\$` becomes `$$`.
fn java_replacement(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('$') => out.push_str("$$"),
                Some(other) => out.push(other),
                None => {}
            },
            '$' => {
                let mut digits = String::new();
                while let Some(digit) = chars.peek().filter(|d| d.is_ascii_digit()) {
                    digits.push(*digit);
                    chars.next();
                }
                if digits.is_empty() {
                    out.push('$');
                } else {
                    out.push_str(&format!("${{{digits}}}"));
                }
            }
            other => out.push(other),
        }
    }
    out
}

/// `split(a, pattern, limit)`: at most `limit` pieces if positive; trailing empty pieces stay.
pub(crate) fn split(args: &[Value], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let field = Arc::new(Field::new("element", Arrow::Utf8, false));
    let Some(nulls) = text_nulls(args, rows) else {
        return Ok(Value::of(new_null_array(&Arrow::List(field), rows), scalar));
    };
    let mut patterns = Patterns::new(|pattern| java_regex("split", pattern));
    let mut builder = ListBuilder::new(GenericStringBuilder::<i32>::new()).with_field(field);
    for (row, null) in nulls.iter().enumerate() {
        if *null {
            builder.append_null();
            continue;
        }
        let limit = args.get(2).map_or(-1, |l| l.view::<Int32Type>().get(row));
        let regex = patterns.get(text(&args[1], row))?;
        for piece in pieces(text(&args[0], row), regex, text(&args[1], row).is_empty(), limit) {
            builder.values().append_value(piece);
        }
        builder.append(true);
    }
    let list: ArrayRef = Arc::new(builder.finish());
    Ok(Value::of(list, scalar))
}

/// The pieces of a text, as Java's `split` cuts it.
fn pieces<'a>(text: &'a str, regex: &Regex, every_character: bool, limit: i32) -> Vec<&'a str> {
    let limit = if limit > 0 { limit as usize } else { usize::MAX };
    if every_character {
        let mut out: Vec<&str> = Vec::new();
        let mut starts = text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        starts.push(text.len());
        for pair in starts.windows(2) {
            if out.len() + 1 == limit {
                out.push(&text[pair[0]..]);
                return out;
            }
            out.push(&text[pair[0]..pair[1]]);
        }
        return if out.is_empty() { vec![""] } else { out };
    }
    let mut out = Vec::new();
    let mut from = 0;
    for found in regex.find_iter(text) {
        if out.len() + 1 == limit {
            break;
        }
        if found.end() == 0 {
            continue;
        }
        out.push(&text[from..found.start()]);
        from = found.end();
    }
    out.push(&text[from..]);
    out
}
