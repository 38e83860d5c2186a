//! JSON as Python values and back to PySpark's text.

use serde_json::Value as Json;
use tidemark_python::{Machine, Value};

/// The Python value of a JSON one: objects are dicts.
pub(crate) fn to_python(machine: &mut Machine, json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::Float(n.as_f64().unwrap_or(f64::NAN)),
        },
        Json::String(s) => Value::str(s),
        Json::Array(items) => {
            let items = items.iter().map(|item| to_python(machine, item)).collect();
            machine.new_list(items)
        }
        Json::Object(fields) => {
            let items =
                fields.iter().map(|(key, value)| (Value::str(key), to_python(machine, value))).collect();
            machine.new_dict(items)
        }
    }
}

/// The text that Python's `json.dumps` makes: `", "` and `": "` between parts; indented by four if `pretty`.
pub(crate) fn dumps(json: &Json, pretty: bool) -> String {
    let mut out = String::new();
    write(json, pretty, 0, &mut out);
    out
}

fn write(json: &Json, pretty: bool, depth: usize, out: &mut String) {
    let (items, open, close): (Vec<(Option<&String>, &Json)>, char, char) = match json {
        Json::Array(items) => (items.iter().map(|item| (None, item)).collect(), '[', ']'),
        Json::Object(fields) => (fields.iter().map(|(key, value)| (Some(key), value)).collect(), '{', '}'),
        Json::Number(n) if n.is_f64() => return out.push_str(&python_float(n.as_f64().unwrap_or(0.0))),
        plain => return out.push_str(&plain.to_string()),
    };
    out.push(open);
    for (at, (key, value)) in items.iter().enumerate() {
        if at > 0 {
            out.push_str(if pretty { "," } else { ", " });
        }
        if pretty {
            out.push('\n');
            out.push_str(&"    ".repeat(depth + 1));
        }
        if let Some(key) = key {
            out.push_str(&Json::String((*key).clone()).to_string());
            out.push_str(": ");
        }
        write(value, pretty, depth + 1, out);
    }
    if pretty && !items.is_empty() {
        out.push('\n');
        out.push_str(&"    ".repeat(depth));
    }
    out.push(close);
}

fn python_float(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e16 { format!("{number:.1}") } else { format!("{number}") }
}
