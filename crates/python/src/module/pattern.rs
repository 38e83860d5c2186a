//! The native part of `re`.

use std::rc::Rc;

use crate::machine::{Args, Machine, NativeFunction, R};
use crate::module::regex::{Mode, Regex, compile, find};
use crate::value::{Body, Type, Value};

pub(crate) static PATTERN: &[NativeFunction] = &[
    NativeFunction::function("_re", "compile", |m, a| {
        let text = a.get(0).and_then(|t| m.as_text(t)).unwrap_or_else(|| Rc::from(""));
        let flags = a.get(1).and_then(|f| m.as_index(f)).unwrap_or(0);
        match compile(&text, flags) {
            Ok(regex) => {
                let names = regex.names.iter().map(|(n, g)| (Value::str(n), Value::Int(*g as i64))).collect();
                let names = m.new_dict(names);
                let (groups, flags) = (regex.groups as i64, regex.flags);
                let handle = m.add(Type::Object, Body::Regex(Rc::new(regex)));
                Ok(Value::tuple(vec![handle, Value::Int(groups), names, Value::Int(flags)]))
            }
            Err((text, at)) => Ok(Value::tuple(vec![Value::None, Value::from(text), Value::Int(at as i64)])),
        }
    }),
    NativeFunction::function("_re", "find", |m, a| {
        let (regex, chars, from, end) = parts(m, a)?;
        let mode = match a.get(4).and_then(Value::as_int) {
            Some(1) => Mode::Start,
            Some(2) => Mode::Whole,
            _ => Mode::Search,
        };
        if from > end {
            return Ok(Value::None);
        }
        match find(&regex, &chars, from, end, mode, None) {
            Ok(Some(slots)) => Ok(spans(&slots)),
            Ok(None) => Ok(Value::None),
            Err(_) => m.raise_error(Type::RuntimeError, "the regular expression takes too long"),
        }
    }),
    NativeFunction::function("_re", "find_all", |m, a| {
        let (regex, chars, from, end) = parts(m, a)?;
        let limit = a.get(4).and_then(Value::as_int).filter(|l| *l > 0).map_or(usize::MAX, |l| l as usize);
        let mut found = Vec::new();
        let (mut at, mut empty_at) = (from, None);
        while at <= end && found.len() < limit {
            match find(&regex, &chars, at, end, Mode::Search, empty_at) {
                Ok(Some(slots)) => {
                    let stop = slots[1].unwrap_or(end);
                    found.push(spans(&slots));
                    empty_at = slots[1].filter(|_| slots[0] == slots[1]);
                    at = stop;
                }
                Ok(None) => break,
                Err(_) => return m.raise_error(Type::RuntimeError, "the regular expression takes too long"),
            }
        }
        Ok(m.list(found))
    }),
];

fn spans(slots: &[Option<usize>]) -> Value {
    Value::tuple(slots.iter().map(|s| Value::Int(s.map_or(-1, |s| s as i64))).collect())
}

fn parts(m: &mut Machine, args: &Args) -> R<(Rc<Regex>, Vec<char>, usize, usize)> {
    let Some(Body::Regex(regex)) = args.get(0).and_then(|h| m.body(h)) else {
        return m.type_error("not a compiled expression");
    };
    let regex = Rc::clone(regex);
    let chars: Vec<char> =
        args.get(1).and_then(|t| m.as_text(t)).map(|t| t.chars().collect()).unwrap_or_default();
    let bound = |at: usize, default: usize| match args.get(at).and_then(Value::as_int) {
        Some(i) => (i.max(0) as usize).min(chars.len()),
        None => default,
    };
    let (from, end) = (bound(2, 0), bound(3, chars.len()));
    Ok((regex, chars, from, end))
}
