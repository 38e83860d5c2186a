//! Methods of `str` that search, split, join and replace.

use std::rc::Rc;

use crate::builtin::str_methods::receiver;
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::Value;

pub(crate) static SEARCH: &[NativeFunction] = &[
    NativeFunction::method("str", "find", |m, a| find(m, a, "find", false)),
    NativeFunction::method("str", "rfind", |m, a| find(m, a, "rfind", true)),
    NativeFunction::method("str", "index", |m, a| match find(m, a, "index", false)? {
        Value::Int(-1) => m.value_error("substring not found"),
        found => Ok(found),
    }),
    NativeFunction::method("str", "rindex", |m, a| match find(m, a, "rindex", true)? {
        Value::Int(-1) => m.value_error("substring not found"),
        found => Ok(found),
    }),
    NativeFunction::method("str", "count", count),
    NativeFunction::method("str", "startswith", |m, a| affix(m, a, "startswith")),
    NativeFunction::method("str", "endswith", |m, a| affix(m, a, "endswith")),
    NativeFunction::method("str", "replace", replace),
    NativeFunction::method("str", "split", |m, a| split(m, a, false)),
    NativeFunction::method("str", "rsplit", |m, a| split(m, a, true)),
    NativeFunction::method("str", "splitlines", splitlines),
    NativeFunction::method("str", "partition", |m, a| partition(m, a, false)),
    NativeFunction::method("str", "rpartition", |m, a| partition(m, a, true)),
    NativeFunction::method("str", "join", join),
];

fn text_argument(m: &mut Machine, args: &Args, at: usize) -> R<Rc<str>> {
    match args.get(at) {
        Some(value) => match m.as_text(value) {
            Some(text) => Ok(text),
            None => {
                let kind = m.type_name(value);
                m.type_error(&format!("must be str, not {kind}"))
            }
        },
        None => m.type_error("expected at least 1 argument, got 0"),
    }
}

/// The part of a text between optional positions, with the character before it; `None` if they cross.
fn window<'a>(m: &mut Machine, args: &Args, from: usize, text: &'a str) -> R<Option<(usize, &'a str)>> {
    let len = text.chars().count() as i64;
    let mut bound = |at: usize, default: i64| -> R<i64> {
        Ok(match args.get(at) {
            None | Some(Value::None) => default,
            Some(value) => match m.index_of(value)? {
                Some(i) if i < 0 => (i + len).max(0),
                Some(i) => i,
                None => {
                    return m
                        .type_error("slice indices must be integers or None or have an __index__ method");
                }
            },
        })
    };
    let (start, stop) = (bound(from, 0)?, bound(from + 1, len)?.min(len));
    if start > stop {
        return Ok(None);
    }
    let byte = |at: i64| text.char_indices().nth(at as usize).map_or(text.len(), |(b, _)| b);
    Ok(Some((start as usize, &text[byte(start)..byte(stop)])))
}

fn find(m: &mut Machine, args: &Args, name: &str, last: bool) -> R {
    let text = receiver(m, args)?;
    let _ = name;
    let part = text_argument(m, args, 1)?;
    let Some((before, window)) = window(m, args, 2, &text)? else { return Ok(Value::Int(-1)) };
    let found = if last { window.rfind(&*part) } else { window.find(&*part) };
    Ok(Value::Int(found.map_or(-1, |b| (before + window[..b].chars().count()) as i64)))
}

fn count(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    let part = text_argument(m, args, 1)?;
    let Some((_, window)) = window(m, args, 2, &text)? else { return Ok(Value::Int(0)) };
    let n = if part.is_empty() { window.chars().count() + 1 } else { window.matches(&*part).count() };
    Ok(Value::Int(n as i64))
}

fn affix(m: &mut Machine, args: &Args, name: &str) -> R {
    let text = receiver(m, args)?;
    let given = args.get(1).cloned().unwrap_or(Value::None);
    let parts = match (m.as_text(&given), m.as_tuple(&given)) {
        (Some(one), _) => vec![one],
        (None, Some(all)) => {
            let mut parts = Vec::new();
            for part in all.iter() {
                match m.as_text(part) {
                    Some(part) => parts.push(part),
                    None => {
                        let kind = m.type_name(part);
                        return m.type_error(&format!("tuple for {name} must only contain str, not {kind}"));
                    }
                }
            }
            parts
        }
        _ => {
            let kind = m.type_name(&given);
            return m.type_error(&format!("{name} first arg must be str or a tuple of str, not {kind}"));
        }
    };
    let Some((_, window)) = window(m, args, 2, &text)? else { return Ok(Value::Bool(false)) };
    let found = parts
        .iter()
        .any(|p| if name == "startswith" { window.starts_with(&**p) } else { window.ends_with(&**p) });
    Ok(Value::Bool(found))
}

fn replace(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    if args.items.len() < 3 {
        let given = args.items.len() - 1;
        return m.type_error(&format!("replace expected at least 2 arguments, got {given}"));
    }
    for at in [1, 2] {
        if let Some(value) = args.get(at)
            && m.as_text(value).is_none()
        {
            let kind = m.type_name(value);
            return m.type_error(&format!("replace() argument {at} must be str, not {kind}"));
        }
    }
    let (old, new) = (text_argument(m, args, 1)?, text_argument(m, args, 2)?);
    let limit = args.at(3, "count").and_then(Value::as_int).unwrap_or(-1);
    if limit < 0 {
        return Ok(Value::from(text.replace(&*old, &new)));
    }
    Ok(Value::from(text.replacen(&*old, &new, limit as usize)))
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

fn split_spaces(text: &str, limit: usize, from_right: bool) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = text;
    if from_right {
        loop {
            rest = rest.trim_end_matches(is_space);
            if rest.is_empty() {
                break;
            }
            if parts.len() == limit {
                parts.push(rest.to_owned());
                break;
            }
            let start =
                rest.char_indices().rev().find(|(_, c)| is_space(*c)).map_or(0, |(b, c)| b + c.len_utf8());
            parts.push(rest[start..].to_owned());
            rest = &rest[..start];
        }
        parts.reverse();
        return parts;
    }
    loop {
        rest = rest.trim_start_matches(is_space);
        if rest.is_empty() {
            break;
        }
        if parts.len() == limit {
            parts.push(rest.to_owned());
            break;
        }
        let end = rest.find(is_space).unwrap_or(rest.len());
        parts.push(rest[..end].to_owned());
        rest = &rest[end..];
    }
    parts
}

fn split(m: &mut Machine, args: &Args, from_right: bool) -> R {
    let text = receiver(m, args)?;
    let limit = args.at(2, "maxsplit").and_then(Value::as_int).unwrap_or(-1);
    let limit = if limit < 0 { usize::MAX } else { limit as usize };
    let parts: Vec<String> = match args.at(1, "sep") {
        None | Some(Value::None) => split_spaces(&text, limit, from_right),
        Some(value) => {
            let Some(sep) = m.as_text(value) else {
                let kind = m.type_name(value);
                return m.type_error(&format!("must be str or None, not {kind}"));
            };
            if sep.is_empty() {
                return m.value_error("empty separator");
            }
            let most = limit.saturating_add(1);
            if from_right {
                let mut parts: Vec<String> = text.rsplitn(most, &*sep).map(str::to_owned).collect();
                parts.reverse();
                parts
            } else {
                text.splitn(most, &*sep).map(str::to_owned).collect()
            }
        }
    };
    Ok(m.list(parts.into_iter().map(Value::from).collect()))
}

fn splitlines(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    let keep = match args.at(1, "keepends") {
        Some(value) => m.truth(value)?,
        None => false,
    };
    let mut lines = Vec::new();
    let mut rest: &str = &text;
    let ends = ['\n', '\r', '\x0b', '\x0c', '\x1c', '\x1d', '\x1e', '\u{85}', '\u{2028}', '\u{2029}'];
    while !rest.is_empty() {
        let end = rest.find(ends).unwrap_or(rest.len());
        let width = if rest[end..].starts_with("\r\n") {
            2
        } else {
            rest[end..].chars().next().map_or(0, char::len_utf8)
        };
        lines.push(Value::str(&rest[..if keep { end + width } else { end }]));
        rest = &rest[end + width..];
    }
    Ok(m.list(lines))
}

fn partition(m: &mut Machine, args: &Args, last: bool) -> R {
    let text = receiver(m, args)?;
    let sep = text_argument(m, args, 1)?;
    if sep.is_empty() {
        return m.value_error("empty separator");
    }
    let found = if last { text.rsplit_once(&*sep) } else { text.split_once(&*sep) };
    let parts = match (found, last) {
        (Some((a, b)), _) => [Value::str(a), Value::Str(sep), Value::str(b)],
        (None, false) => [Value::Str(text), Value::str(""), Value::str("")],
        (None, true) => [Value::str(""), Value::str(""), Value::Str(text)],
    };
    Ok(Value::tuple(parts.to_vec()))
}

fn join(m: &mut Machine, args: &Args) -> R {
    let sep = receiver(m, args)?;
    let Some(iterable) = args.get(1) else {
        return m.type_error("str.join() takes exactly one argument (0 given)");
    };
    if m.quick_items(iterable).is_none()
        && !m.is_iterator(iterable)
        && m.special(iterable, "__iter__").is_none()
        && m.special(iterable, "__getitem__").is_none()
    {
        return m.type_error("can only join an iterable");
    }
    let items = m.collect_items(iterable)?;
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(&sep);
        }
        match m.as_text(item) {
            Some(text) => out.push_str(&text),
            None => {
                let kind = m.type_name(item);
                return m.type_error(&format!("sequence item {at}: expected str instance, {kind} found"));
            }
        }
    }
    Ok(Value::from(out))
}
