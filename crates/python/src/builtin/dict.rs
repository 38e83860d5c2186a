//! Methods of `dict`.

use crate::builtin::functions::view_of;
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, Dict, ObjId, Type, Value, ViewKind};

pub(crate) static DICT: &[NativeFunction] = &[
    NativeFunction::method("dict", "get", |m, a| {
        let id = receiver(m, a)?;
        let Some(key) = a.get(1) else { return m.type_error("get expected at least 1 argument, got 0") };
        let found = m.table_get(id, key)?;
        Ok(found.or_else(|| a.get(2).cloned()).unwrap_or(Value::None))
    }),
    NativeFunction::method("dict", "setdefault", |m, a| {
        let id = receiver(m, a)?;
        let Some(key) = a.get(1) else {
            return m.type_error("setdefault expected at least 1 argument, got 0");
        };
        if let Some(found) = m.table_get(id, key)? {
            return Ok(found);
        }
        let default = a.get(2).cloned().unwrap_or(Value::None);
        m.table_set(id, key.clone(), default.clone())?;
        Ok(default)
    }),
    NativeFunction::method("dict", "pop", |m, a| {
        let id = receiver(m, a)?;
        let Some(key) = a.get(1) else { return m.type_error("pop expected at least 1 argument, got 0") };
        match (m.table_remove(id, key)?, a.get(2)) {
            (Some((_, value)), _) => Ok(value),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => m.key_missing(key),
        }
    }),
    NativeFunction::method("dict", "popitem", |m, a| {
        let id = receiver(m, a)?;
        let last = m.dict_of(id).last_slot();
        match last.and_then(|at| m.dict_mut(id).remove_slot(at)) {
            Some((key, value)) => Ok(Value::tuple(vec![key, value])),
            None => m.key_error(Value::str("popitem(): dictionary is empty")),
        }
    }),
    NativeFunction::method("dict", "update", |m, a| {
        receiver(m, a)?;
        let dict = a.items[0].clone();
        let rest = Args { items: a.items[1..].to_vec(), names: a.names.clone() };
        m.update_dict(&dict, &rest)?;
        Ok(Value::None)
    }),
    NativeFunction::method("dict", "clear", |m, a| {
        let id = receiver(m, a)?;
        m.dict_mut(id).clear();
        Ok(Value::None)
    }),
    NativeFunction::method("dict", "copy", |m, a| {
        let id = receiver(m, a)?;
        let dict = m.dict_of(id).clone();
        Ok(m.dict(dict))
    }),
    NativeFunction::method("dict", "keys", |m, a| view(m, a, ViewKind::Keys)),
    NativeFunction::method("dict", "values", |m, a| view(m, a, ViewKind::Values)),
    NativeFunction::method("dict", "items", |m, a| view(m, a, ViewKind::Items)),
    NativeFunction::class("dict", "fromkeys", |m, a| {
        let Some(keys) = a.get(1) else {
            return m.type_error("fromkeys expected at least 1 argument, got 0");
        };
        let value = a.get(2).cloned().unwrap_or(Value::None);
        let keys = m.collect_items(keys)?;
        let class = a.get(0).cloned().unwrap_or(Value::Obj(Type::Dict.id()));
        let dict = m.call_value(&class, Args::default())?;
        for key in keys {
            m.dict_set(&dict, key, value.clone())?;
        }
        Ok(dict)
    }),
    NativeFunction::method("dict", "move_to_end", |m, a| {
        let id = receiver(m, a)?;
        let key = a.get(1).cloned().unwrap_or(Value::None);
        let last = match a.at(2, "last") {
            Some(value) => m.truth(value)?,
            None => true,
        };
        let Some((found, value)) = m.table_remove(id, &key)? else { return m.key_missing(&key) };
        let hash = m.hash(&found)?;
        if last {
            m.dict_mut(id).push(hash, found, value);
        } else {
            let old = m.dict_of(id).clone();
            let table = m.dict_mut(id);
            table.clear();
            table.push(hash, found, value);
            for (hash, key, value) in old.iter_hashed() {
                table.push(hash, key.clone(), value.clone());
            }
        }
        Ok(Value::None)
    }),
];

pub(crate) static PROXY: &[NativeFunction] = &[
    NativeFunction::method("mappingproxy", "get", |m, a| {
        let id = receiver(m, a)?;
        let key = a.get(1).cloned().unwrap_or(Value::None);
        let found = m.table_get(id, &key)?;
        Ok(found.or_else(|| a.get(2).cloned()).unwrap_or(Value::None))
    }),
    NativeFunction::method("mappingproxy", "keys", |m, a| view(m, a, ViewKind::Keys)),
    NativeFunction::method("mappingproxy", "values", |m, a| view(m, a, ViewKind::Values)),
    NativeFunction::method("mappingproxy", "items", |m, a| view(m, a, ViewKind::Items)),
];

pub(crate) static VIEW: &[NativeFunction] = &[NativeFunction::method("dict_keys", "isdisjoint", |m, a| {
    let (Some(view), Some(other)) = (a.get(0), a.get(1)) else { return Ok(Value::Bool(true)) };
    let mine = m.quick_items(view).unwrap_or_default();
    let table: Dict = m.table_of(&mine)?;
    let set = m.set(table);
    let Some(id) = m.is_set(&set) else { return Ok(Value::Bool(true)) };
    for item in m.collect_items(other)? {
        if m.table_has(id, &item)? {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
})];

fn receiver(m: &mut Machine, args: &Args) -> R<ObjId> {
    match args.get(0) {
        Some(Value::Obj(id)) if matches!(m.heap.get(*id).body, Body::Dict(_)) => Ok(*id),
        _ => m.type_error("descriptor requires a 'dict' object"),
    }
}

fn view(m: &mut Machine, args: &Args, kind: ViewKind) -> R {
    receiver(m, args)?;
    view_of(m, &args.items[0], kind)
}
