//! Methods of `list` and `tuple`.

use std::rc::Rc;

use crate::builtin::functions::sort_items;
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, IterState, ObjId, Type, Value, same};

pub(crate) static LIST: &[NativeFunction] = &[
    NativeFunction::method("list", "append", |m, a| {
        let (id, item) = one(m, a, "append")?;
        m.list_mut(id).push(item);
        Ok(Value::None)
    }),
    NativeFunction::method("list", "extend", |m, a| {
        let (id, from) = one(m, a, "extend")?;
        let items = m.collect_items(&from)?;
        m.list_mut(id).extend(items);
        Ok(Value::None)
    }),
    NativeFunction::method("list", "insert", insert),
    NativeFunction::method("list", "pop", pop),
    NativeFunction::method("list", "remove", remove),
    NativeFunction::method("list", "clear", |m, a| {
        let id = receiver(m, a)?;
        m.list_mut(id).clear();
        Ok(Value::None)
    }),
    NativeFunction::method("list", "copy", |m, a| {
        let id = receiver(m, a)?;
        let items = m.list_items(id).clone();
        Ok(m.list(items))
    }),
    NativeFunction::method("list", "reverse", |m, a| {
        let id = receiver(m, a)?;
        m.list_mut(id).reverse();
        Ok(Value::None)
    }),
    NativeFunction::method("list", "sort", sort),
    NativeFunction::method("list", "index", |m, a| {
        let id = receiver(m, a)?;
        let items = m.list_items(id).clone();
        index(m, a, &items, "list")
    }),
    NativeFunction::method("list", "count", |m, a| {
        let (id, item) = one(m, a, "count")?;
        let items = m.list_items(id).clone();
        count(m, &items, &item)
    }),
    NativeFunction::method("list", "__reversed__", |m, a| {
        let id = receiver(m, a)?;
        let mut items = m.list_items(id).clone();
        items.reverse();
        Ok(m.iterator(Type::ListReverseIterator, IterState::Tuple(Rc::from(items), 0)))
    }),
];

pub(crate) static TUPLE: &[NativeFunction] = &[
    NativeFunction::method("tuple", "index", |m, a| {
        let items = a.get(0).and_then(|t| m.as_tuple(t)).unwrap_or_default();
        index(m, a, &items, "tuple")
    }),
    NativeFunction::method("tuple", "count", |m, a| {
        let items = a.get(0).and_then(|t| m.as_tuple(t)).unwrap_or_default();
        let item = a.get(1).cloned().unwrap_or(Value::None);
        count(m, &items, &item)
    }),
];

pub(crate) static RANGE: &[NativeFunction] = &[
    NativeFunction::method("range", "index", |m, a| {
        if let (Some(Value::Range(r)), Some(item)) = (a.get(0), a.get(1)) {
            if let Some(i) = item.as_int().filter(|i| r.contains(*i)) {
                return Ok(Value::Int((i - r.start) / r.step));
            }
            let text = m.repr(item)?;
            return m.value_error(&format!("{text} is not in range"));
        }
        Ok(Value::None)
    }),
    NativeFunction::method("range", "count", |_, a| match (a.get(0), a.get(1)) {
        (Some(Value::Range(r)), Some(item)) => {
            Ok(Value::Int(i64::from(item.as_int().is_some_and(|i| r.contains(i)))))
        }
        _ => Ok(Value::Int(0)),
    }),
];

pub(crate) static SLICE: &[NativeFunction] = &[NativeFunction::method("slice", "indices", |m, a| {
    if let (Some(Value::Slice(s)), Some(len)) = (a.get(0), a.get(1).and_then(Value::as_int)) {
        let range = m.slice_range(s, len.max(0) as usize)?;
        return Ok(Value::tuple(vec![
            Value::Int(range.start),
            Value::Int(range.stop),
            Value::Int(range.step),
        ]));
    }
    Ok(Value::None)
})];

fn receiver(m: &mut Machine, args: &Args) -> R<ObjId> {
    match args.get(0).and_then(|l| m.is_list(l)) {
        Some(id) => Ok(id),
        None => m.type_error("descriptor requires a 'list' object"),
    }
}

fn one(m: &mut Machine, args: &Args, name: &str) -> R<(ObjId, Value)> {
    let id = receiver(m, args)?;
    match &args.items[..] {
        [_, item] => Ok((id, item.clone())),
        all => {
            let given = all.len() - 1;
            m.type_error(&format!("list.{name}() takes exactly one argument ({given} given)"))
        }
    }
}

fn insert(m: &mut Machine, args: &Args) -> R {
    let id = receiver(m, args)?;
    let [_, at, item] = &args.items[..] else {
        let given = args.items.len() - 1;
        return m.type_error(&format!("insert expected 2 arguments, got {given}"));
    };
    let len = m.list_items(id).len() as i64;
    let Some(at) = m.index_of(at)? else {
        let kind = m.type_name(at);
        return m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"));
    };
    let at = if at < 0 { (at + len).max(0) } else { at.min(len) };
    m.list_mut(id).insert(at as usize, item.clone());
    Ok(Value::None)
}

fn pop(m: &mut Machine, args: &Args) -> R {
    let id = receiver(m, args)?;
    let len = m.list_items(id).len() as i64;
    if len == 0 {
        return m.raise_error(Type::IndexError, "pop from empty list");
    }
    let at = match args.get(1) {
        Some(at) => match m.index_of(at)? {
            Some(at) => at,
            None => {
                let kind = m.type_name(at);
                return m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"));
            }
        },
        None => -1,
    };
    let at = if at < 0 { at + len } else { at };
    if at < 0 || at >= len {
        return m.raise_error(Type::IndexError, "pop index out of range");
    }
    Ok(m.list_mut(id).remove(at as usize))
}

fn position(m: &mut Machine, items: &[Value], item: &Value) -> R<Option<usize>> {
    for (at, candidate) in items.iter().enumerate() {
        if same(candidate, item) || m.eq(candidate, item)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn remove(m: &mut Machine, args: &Args) -> R {
    let (id, item) = one(m, args, "remove")?;
    let items = m.list_items(id).clone();
    match position(m, &items, &item)? {
        Some(at) => {
            m.list_mut(id).remove(at);
            Ok(Value::None)
        }
        None => m.value_error("list.remove(x): x not in list"),
    }
}

fn index(m: &mut Machine, args: &Args, items: &[Value], name: &str) -> R {
    let item = args.get(1).cloned().unwrap_or(Value::None);
    let len = items.len() as i64;
    let mut bound = |at: usize, default: i64| -> R<usize> {
        let i = match args.get(at) {
            Some(value) => m.index_of(value)?.unwrap_or(default),
            None => default,
        };
        Ok(if i < 0 { (i + len).max(0) } else { i.min(len) } as usize)
    };
    let (start, stop) = (bound(2, 0)?, bound(3, len)?);
    let window = if start <= stop { &items[start..stop] } else { &[] };
    match position(m, window, &item)? {
        Some(at) => Ok(Value::Int((start + at) as i64)),
        None if name == "tuple" => m.value_error("tuple.index(x): x not in tuple"),
        None => {
            let text = m.repr(&item)?;
            m.value_error(&format!("{text} is not in list"))
        }
    }
}

fn count(m: &mut Machine, items: &[Value], item: &Value) -> R {
    let mut count = 0;
    for candidate in items {
        if same(candidate, item) || m.eq(candidate, item)? {
            count += 1;
        }
    }
    Ok(Value::Int(count))
}

fn sort(m: &mut Machine, args: &Args) -> R {
    let id = receiver(m, args)?;
    if args.items.len() > 1 {
        return m.type_error("sort() takes no positional arguments");
    }
    let reverse = match args.named("reverse") {
        Some(value) => m.truth(value)?,
        None => false,
    };
    let items = m.list_items(id).clone();
    let sorted = sort_items(m, items, args.named("key"), reverse)?;
    if let Body::List(list) = &mut m.heap.get_mut(id).body {
        *list = sorted;
    }
    Ok(Value::None)
}
