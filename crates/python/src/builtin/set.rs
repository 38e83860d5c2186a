//! Methods of `set` and `frozenset`.

use crate::compile::BinOp;
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, Dict, ObjId, Type, Value};

macro_rules! shared {
    ($owner:literal) => {
        [
            NativeFunction::method($owner, "union", |m, a| combine(m, a, BinOp::Or)),
            NativeFunction::method($owner, "intersection", |m, a| combine(m, a, BinOp::And)),
            NativeFunction::method($owner, "difference", |m, a| combine(m, a, BinOp::Sub)),
            NativeFunction::method($owner, "symmetric_difference", |m, a| combine(m, a, BinOp::Xor)),
            NativeFunction::method($owner, "isdisjoint", |m, a| {
                let id = receiver(m, a)?;
                for item in other_items(m, a)? {
                    if m.table_has(id, &item)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Ok(Value::Bool(true))
            }),
            NativeFunction::method($owner, "issubset", |m, a| {
                let id = receiver(m, a)?;
                let items = other_items(m, a)?;
                let other = other_set(m, &items)?;
                m.table_within(id, other).map(Value::Bool)
            }),
            NativeFunction::method($owner, "issuperset", |m, a| {
                let id = receiver(m, a)?;
                let items = other_items(m, a)?;
                let other = other_set(m, &items)?;
                m.table_within(other, id).map(Value::Bool)
            }),
            NativeFunction::method($owner, "copy", |m, a| {
                let id = receiver(m, a)?;
                let table = m.dict_of(id).clone();
                Ok(like(m, id, table))
            }),
        ]
    };
}

pub(crate) static FROZEN: &[NativeFunction] = &shared!("frozenset");
pub(crate) static SHARED: &[NativeFunction] = &shared!("set");

pub(crate) static SET: &[NativeFunction] = &[
    NativeFunction::method("set", "add", |m, a| {
        let item = argument(m, a, "add")?;
        m.set_add(&a.items[0], item).map(|()| Value::None)
    }),
    NativeFunction::method("set", "discard", |m, a| {
        let id = receiver(m, a)?;
        let item = argument(m, a, "discard")?;
        m.table_remove(id, &item).map(|_| Value::None)
    }),
    NativeFunction::method("set", "remove", |m, a| {
        let id = receiver(m, a)?;
        let item = argument(m, a, "remove")?;
        match m.table_remove(id, &item)? {
            Some(_) => Ok(Value::None),
            None => m.key_missing(&item),
        }
    }),
    NativeFunction::method("set", "pop", |m, a| {
        let id = receiver(m, a)?;
        let first = m.dict_of(id).first_slot();
        match first.and_then(|at| m.dict_mut(id).remove_slot(at)) {
            Some((key, _)) => Ok(key),
            None => m.key_error(Value::str("pop from an empty set")),
        }
    }),
    NativeFunction::method("set", "clear", |m, a| {
        let id = receiver(m, a)?;
        m.dict_mut(id).clear();
        Ok(Value::None)
    }),
    NativeFunction::method("set", "update", |m, a| {
        receiver(m, a)?;
        for other in &a.items[1..] {
            for item in m.collect_items(other)? {
                m.set_add(&a.items[0], item)?;
            }
        }
        Ok(Value::None)
    }),
    NativeFunction::method("set", "intersection_update", |m, a| replace(m, a, BinOp::And)),
    NativeFunction::method("set", "difference_update", |m, a| replace(m, a, BinOp::Sub)),
    NativeFunction::method("set", "symmetric_difference_update", |m, a| replace(m, a, BinOp::Xor)),
];

fn receiver(m: &mut Machine, args: &Args) -> R<ObjId> {
    match args.get(0).and_then(|s| m.is_set(s)) {
        Some(id) => Ok(id),
        None => m.type_error("descriptor requires a 'set' object"),
    }
}

fn argument(m: &mut Machine, args: &Args, name: &str) -> R<Value> {
    match &args.items[..] {
        [_, item] => Ok(item.clone()),
        all => {
            let given = all.len().saturating_sub(1);
            m.type_error(&format!("set.{name}() takes exactly one argument ({given} given)"))
        }
    }
}

fn other_items(m: &mut Machine, args: &Args) -> R<Vec<Value>> {
    match args.get(1) {
        Some(other) => m.collect_items(other),
        None => Ok(Vec::new()),
    }
}

fn other_set(m: &mut Machine, items: &[Value]) -> R<ObjId> {
    let set = m.build_set(items)?;
    match m.is_set(&set) {
        Some(id) => Ok(id),
        None => m.type_error("not a set"),
    }
}

fn like(m: &mut Machine, id: ObjId, table: Dict) -> Value {
    if m.is_frozen(id) { m.add(Type::FrozenSet, Body::FrozenSet(table)) } else { m.set(table) }
}

fn combine(m: &mut Machine, args: &Args, op: BinOp) -> R {
    let id = receiver(m, args)?;
    let table = combined(m, args, op)?;
    Ok(like(m, id, table))
}

fn combined(m: &mut Machine, args: &Args, op: BinOp) -> R<Dict> {
    let id = receiver(m, args)?;
    let mut table = m.dict_of(id).clone();
    for other in &args.items[1..] {
        let current = m.set(table);
        table = m.set_operation(op, &current, other)?.unwrap_or_default();
    }
    Ok(table)
}

fn replace(m: &mut Machine, args: &Args, op: BinOp) -> R {
    let id = receiver(m, args)?;
    let table = combined(m, args, op)?;
    *m.dict_mut(id) = table;
    Ok(Value::None)
}
