//! `Row`: a tuple with names.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use tidemark_python::{Machine, Value, View};

use crate::call::Call;
use crate::cell::row_object;
use crate::fault::Fault;
use crate::object::{Object, Objects};

/// `Row(id=1)` with names, `Row("id", "user")` as a class of rows, `Row(1, 2)` without names.
pub(crate) fn construct(objects: &mut Objects, call: &mut Call<'_>) -> Result<Value, Fault> {
    let args = std::mem::take(&mut call.args);
    let kwargs = std::mem::take(&mut call.kwargs);
    if !args.is_empty() && !kwargs.is_empty() {
        return Err(Fault::pyspark_value(
            "CANNOT_SET_TOGETHER",
            "args and kwargs should not be set together.".to_owned(),
        ));
    }
    let (names, values) = if kwargs.is_empty() { (Vec::new(), args) } else { kwargs.into_iter().unzip() };
    Ok(row_object(call.machine, objects, Arc::new(names), values))
}

/// A call of a row's method.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    names: &Arc<Vec<String>>,
    values: &Rc<Vec<Value>>,
    call: &mut Call<'_>,
) -> Result<Value, Fault> {
    let first = call.args.first().cloned().unwrap_or(Value::None);
    Ok(match call.method() {
        "__len__" => Value::Int(values.len() as i64),
        "__iter__" => Value::tuple(values.as_ref().clone()),
        "__fields__" => {
            let names = names.iter().map(|n| Value::str(n)).collect();
            call.machine.new_list(names)
        }
        "__repr__" | "__str__" => Value::from(repr(call.machine, objects, names, values)),
        "__getattr__" => {
            let name = first.as_str().unwrap_or_default();
            match names.iter().position(|n| n == name) {
                Some(at) => values[at].clone(),
                None => {
                    return Err(Fault::attribute(name));
                }
            }
        }
        "__getitem__" => item(call.machine, names, values, &first)?,
        "__contains__" => {
            let found = match first.as_str().filter(|_| !names.is_empty()) {
                Some(name) => names.iter().any(|n| n == name),
                None => values.iter().any(|v| equal(call.machine, objects, v, &first)),
            };
            Value::Bool(found)
        }
        "__eq__" | "__ne__" => {
            let same = parts(call.machine, objects, &first).is_some_and(|other| {
                other.len() == values.len()
                    && other.iter().zip(values.iter()).all(|(a, b)| equal(call.machine, objects, a, b))
            });
            Value::Bool(same == (call.method() == "__eq__"))
        }
        "__lt__" | "__le__" | "__gt__" | "__ge__" => {
            let Some(other) = parts(call.machine, objects, &first) else { return Ok(Value::NotImplemented) };
            let order = compare_all(call.machine, objects, values, &other)?;
            Value::Bool(match call.method() {
                "__lt__" => order == Ordering::Less,
                "__le__" => order != Ordering::Greater,
                "__gt__" => order == Ordering::Greater,
                _ => order != Ordering::Less,
            })
        }
        "__hash__" => {
            let text = repr(call.machine, objects, names, values);
            let hash = text.bytes().fold(7_i64, |h, b| h.wrapping_mul(31).wrapping_add(i64::from(b)));
            Value::Int(hash & 0x7FFF_FFFF)
        }
        "asDict" => {
            let [recursive] = call.bind(["recursive"])?;
            as_dict(call.machine, objects, names, values, matches!(recursive, Some(Value::Bool(true))))?
        }
        "count" => {
            let n = values.iter().filter(|v| equal(call.machine, objects, v, &first)).count();
            Value::Int(n as i64)
        }
        "index" => match values.iter().position(|v| equal(call.machine, objects, v, &first)) {
            Some(at) => Value::Int(at as i64),
            None => return Err(Fault::Python("ValueError", "tuple.index(x): x not in tuple".into())),
        },
        "__call__" => {
            let names: Vec<String> = values.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
            let args = std::mem::take(&mut call.args);
            if args.len() > names.len() {
                return Err(Fault::pyspark_value(
                    "TOO_MANY_VALUES",
                    format!("Expected {} values for `fields`, got {}.", names.len(), args.len()),
                ));
            }
            row_object(call.machine, objects, Arc::new(names), args)
        }
        other => return Err(Fault::refused(&format!("Row.{other}"))),
    })
}

fn item(machine: &Machine, names: &[String], values: &[Value], key: &Value) -> Result<Value, Fault> {
    match machine.view(key) {
        View::Int(at) => {
            let index = if at < 0 { at + values.len() as i64 } else { at };
            usize::try_from(index)
                .ok()
                .and_then(|index| values.get(index).cloned())
                .ok_or_else(|| Fault::Python("IndexError", "tuple index out of range".into()))
        }
        View::Str(name) => match names.iter().position(|n| **n == *name) {
            Some(at) => Ok(values[at].clone()),
            None => Err(Fault::key(&name)),
        },
        _ => match key {
            Value::Slice(bounds) => {
                let bound = |v: &Value, default: i64| v.as_int().unwrap_or(default);
                let n = values.len() as i64;
                let clamp = |i: i64| (if i < 0 { i + n } else { i }).clamp(0, n) as usize;
                let (from, to) = (clamp(bound(&bounds[0], 0)), clamp(bound(&bounds[1], n)));
                Ok(Value::tuple(values.get(from..to.max(from)).unwrap_or_default().to_vec()))
            }
            _ => Err(Fault::type_error("tuple indices must be integers or slices, not object")),
        },
    }
}

/// The text of a row: `Row(id=1, user='a')`.
pub(crate) fn repr(machine: &Machine, objects: &Objects, names: &[String], values: &[Value]) -> String {
    let parts: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            let text = value_repr(machine, objects, value);
            match names.get(at) {
                Some(name) => format!("{name}={text}"),
                None => text,
            }
        })
        .collect();
    if names.is_empty() {
        return format!("<Row({})>", parts.join(", "));
    }
    format!("Row({})", parts.join(", "))
}

fn value_repr(machine: &Machine, objects: &Objects, value: &Value) -> String {
    if let Some(Object::Row(names, values)) = objects.of(value).as_deref() {
        return repr(machine, objects, names, values);
    }
    match machine.view(value) {
        View::List(items) => {
            let items: Vec<_> = items.iter().map(|v| value_repr(machine, objects, v)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => machine.plain_repr(value),
    }
}

fn parts(machine: &Machine, objects: &Objects, value: &Value) -> Option<Vec<Value>> {
    if let Some(Object::Row(_, values)) = objects.of(value).as_deref() {
        return Some(values.as_ref().clone());
    }
    match machine.view(value) {
        View::Tuple(items) => Some(items),
        _ => None,
    }
}

fn equal(machine: &Machine, objects: &Objects, a: &Value, b: &Value) -> bool {
    match (machine.view(a), machine.view(b)) {
        (View::Int(x), View::Float(y)) | (View::Float(y), View::Int(x)) => x as f64 == y,
        (View::Float(x), View::Float(y)) => x == y,
        _ => value_repr(machine, objects, a) == value_repr(machine, objects, b),
    }
}

fn compare_all(machine: &Machine, objects: &Objects, a: &[Value], b: &[Value]) -> Result<Ordering, Fault> {
    for (x, y) in a.iter().zip(b) {
        if equal(machine, objects, x, y) {
            continue;
        }
        return compare(machine, objects, x, y);
    }
    Ok(a.len().cmp(&b.len()))
}

fn compare(machine: &Machine, objects: &Objects, a: &Value, b: &Value) -> Result<Ordering, Fault> {
    if let (Some(x), Some(y)) = (parts(machine, objects, a), parts(machine, objects, b)) {
        return compare_all(machine, objects, &x, &y);
    }
    let number = |v: &View| match v {
        View::Int(i) => Some(*i as f64),
        View::Float(f) => Some(*f),
        View::Bool(t) => Some(f64::from(u8::from(*t))),
        _ => None,
    };
    let (va, vb) = (machine.view(a), machine.view(b));
    let order = match (&va, &vb) {
        (View::Str(x), View::Str(y)) => Some(x.cmp(y)),
        (View::Int(x), View::Int(y)) => Some(x.cmp(y)),
        (View::Date(x), View::Date(y)) => Some(x.cmp(y)),
        (View::Timedelta(x), View::Timedelta(y)) => Some(x.cmp(y)),
        (View::Bytes(x), View::Bytes(y)) => Some(x.cmp(y)),
        (View::Datetime { wall_micros: x, .. }, View::Datetime { wall_micros: y, .. }) => Some(x.cmp(y)),
        (View::List(x), View::List(y)) => return compare_all(machine, objects, x, y),
        _ => number(&va).zip(number(&vb)).and_then(|(x, y)| x.partial_cmp(&y)),
    };
    order.ok_or_else(|| {
        let (x, y) = (machine.type_name(a), machine.type_name(b));
        Fault::type_error(format!("'<' not supported between instances of '{x}' and '{y}'"))
    })
}

fn as_dict(
    machine: &mut Machine,
    objects: &Objects,
    names: &[String],
    values: &[Value],
    recursive: bool,
) -> Result<Value, Fault> {
    if names.is_empty() && !values.is_empty() {
        return Err(Fault::pyspark_type("CANNOT_CONVERT_TYPE", "Cannot convert Row into dict.".to_owned()));
    }
    let mut items = Vec::new();
    for (name, value) in names.iter().zip(values) {
        let value = if recursive { dict_of(machine, objects, value)? } else { value.clone() };
        items.push((Value::str(name), value));
    }
    Ok(machine.new_dict(items))
}

fn dict_of(machine: &mut Machine, objects: &Objects, value: &Value) -> Result<Value, Fault> {
    if let Some(Object::Row(names, values)) = objects.of(value).as_deref() {
        return as_dict(machine, objects, names, values, true);
    }
    match machine.view(value) {
        View::List(items) => {
            let items = items.iter().map(|v| dict_of(machine, objects, v)).collect::<Result<_, _>>()?;
            Ok(machine.new_list(items))
        }
        _ => Ok(value.clone()),
    }
}
