//! Hashes, and the tables that dicts and sets are.

use crate::machine::{Args, Machine, R};
use crate::value::{Body, Dict, Found, ObjId, Type, Value, hash_join, hash_str, plain_hash, same};

impl Machine {
    /// `hash(value)`
    pub(crate) fn hash(&mut self, value: &Value) -> R<u64> {
        if let Some(hash) = plain_hash(value) {
            return Ok(hash);
        }
        match value {
            Value::Tuple(items) => {
                let mut hashes = Vec::new();
                for item in items.iter() {
                    hashes.push(self.nested(|m| m.hash(item))?);
                }
                Ok(hash_join(hashes.into_iter()))
            }
            Value::Host(object) => match self.call_special(value, "__hash__", &[])? {
                Some(hash) => Ok(hash.as_int().unwrap_or(0) as u64),
                None => Ok(object.id.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(object.class.0))),
            },
            Value::Obj(id) => self.hash_object(*id, value),
            _ => self.unhashable(value),
        }
    }

    fn unhashable(&mut self, value: &Value) -> R<u64> {
        let kind = self.type_name(value);
        self.type_error(&format!("unhashable type: '{kind}'"))
    }

    fn hash_object(&mut self, id: ObjId, value: &Value) -> R<u64> {
        match self.special(value, "__hash__") {
            Some(Value::None) => return self.unhashable(value),
            Some(method) => {
                let method = self.bind(&method, value)?;
                let result = self.call_value(&method, Args::default())?;
                return match &result {
                    Value::Int(_) | Value::Bool(_) | Value::Big(_) => Ok(plain_hash(&result).unwrap_or(0)),
                    _ => self.type_error("__hash__ method should return an integer"),
                };
            }
            None => {}
        }
        match &self.heap.get(id).body {
            Body::List(_) | Body::Dict(_) | Body::Set(_) | Body::ByteArray(_) => self.unhashable(value),
            Body::FrozenSet(set) => {
                let mut all = 0x1234_5678u64;
                for (hash, ..) in set.iter_hashed() {
                    all ^= hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
                }
                Ok(all & 0x1fff_ffff_ffff_ffff)
            }
            Body::Boxed(inner) => {
                let inner = inner.clone();
                self.hash(&inner)
            }
            Body::Instance => match self.own_attribute(value, "__origin__") {
                Some(_) => Ok(self.repr(value).map(|t| hash_str(&t))?),
                None => Ok(u64::from(id.0) * 16 + 7),
            },
            _ => Ok(u64::from(id.0) * 16 + 7),
        }
    }

    /// Where a key is in a table, with its hash.
    pub(crate) fn find(&mut self, table: ObjId, key: &Value) -> R<(u64, Option<usize>)> {
        let hash = self.hash(key)?;
        match self.dict_of(table).find(hash, key) {
            Found::At(at) => Ok((hash, Some(at))),
            Found::Absent => Ok((hash, None)),
            Found::Unclear => {
                for (at, candidate) in self.dict_of(table).candidates(hash) {
                    if same(&candidate, key) || self.eq(&candidate, key)? {
                        return Ok((hash, Some(at)));
                    }
                }
                Ok((hash, None))
            }
        }
    }

    pub(crate) fn table_get(&mut self, table: ObjId, key: &Value) -> R<Option<Value>> {
        let (_, at) = self.find(table, key)?;
        Ok(at.and_then(|at| self.dict_of(table).slot(at)).map(|(_, v)| v.clone()))
    }

    pub(crate) fn table_set(&mut self, table: ObjId, key: Value, value: Value) -> R<()> {
        let (hash, at) = self.find(table, &key)?;
        match at {
            Some(at) => self.dict_mut(table).set_slot(at, value),
            None => self.dict_mut(table).push(hash, key, value),
        }
        Ok(())
    }

    pub(crate) fn table_remove(&mut self, table: ObjId, key: &Value) -> R<Option<(Value, Value)>> {
        let (_, at) = self.find(table, key)?;
        Ok(at.and_then(|at| self.dict_mut(table).remove_slot(at)))
    }

    pub(crate) fn table_has(&mut self, table: ObjId, key: &Value) -> R<bool> {
        Ok(self.find(table, key)?.1.is_some())
    }

    pub(crate) fn set_add(&mut self, set: &Value, value: Value) -> R<()> {
        let Some(id) = self.is_set(set) else { return Ok(()) };
        let (hash, at) = self.find(id, &value)?;
        if at.is_none() {
            self.dict_mut(id).push(hash, value, Value::None);
        }
        Ok(())
    }

    pub(crate) fn dict_set(&mut self, dict: &Value, key: Value, value: Value) -> R<()> {
        match self.is_dict(dict) {
            Some(id) => self.table_set(id, key, value),
            None => Ok(()),
        }
    }

    /// A set of these items.
    pub(crate) fn build_set(&mut self, items: &[Value]) -> R {
        let set = self.logged(|m| Ok(m.set(Dict::default())))?;
        for item in items {
            self.set_add(&set, item.clone())?;
        }
        Ok(set)
    }

    /// A table of these items, as the body of a new set.
    pub(crate) fn table_of(&mut self, items: &[Value]) -> R<Dict> {
        let set = self.build_set(items)?;
        Ok(self.is_set(&set).map(|id| self.dict_of(id).clone()).unwrap_or_default())
    }

    /// A dict of alternating keys and values.
    pub(crate) fn build_dict(&mut self, items: &[Value]) -> R {
        let dict = self.logged(|m| Ok(m.dict(Dict::default())))?;
        for pair in items.chunks(2) {
            if let [key, value] = pair {
                self.dict_set(&dict, key.clone(), value.clone())?;
            }
        }
        Ok(dict)
    }

    /// `**other` in a dict display, `*other` in a set display.
    pub(crate) fn update_display(&mut self, target: &Value, other: &Value) -> R<()> {
        if self.is_set(target).is_some() {
            for item in self.collect_items(other)? {
                self.set_add(target, item)?;
            }
            return Ok(());
        }
        let Some(pairs) = self.mapping_pairs(other)? else {
            let kind = self.type_name(other);
            return self.type_error(&format!("'{kind}' object is not a mapping"));
        };
        for (key, value) in pairs {
            self.dict_set(target, key, value)?;
        }
        Ok(())
    }

    /// Keys and values of a dict or of an object with `keys` and `__getitem__`.
    pub(crate) fn mapping_pairs(&mut self, value: &Value) -> R<Option<Vec<(Value, Value)>>> {
        if let Some(id) = self.is_dict(value)
            && self.special(value, "keys").is_none()
        {
            return Ok(Some(self.dict_of(id).iter().map(|(k, v)| (k.clone(), v.clone())).collect()));
        }
        let Some(method) = self.special(value, "keys") else { return Ok(None) };
        let method = self.bind(&method, value)?;
        let keys = self.call_value(&method, Args::default())?;
        let mut pairs = Vec::new();
        for key in self.collect_items(&keys)? {
            let item = self.get_item(value, &key)?;
            pairs.push((key, item));
        }
        Ok(Some(pairs))
    }

    pub(crate) fn callee_name(&self, function: &Value) -> String {
        match function {
            Value::Bound(b) => self.callee_name(&b.function),
            Value::Native(n) => format!("{}()", n.0.name),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Function(f) => {
                    format!("{}.{}()", self.as_text(&f.module).as_deref().unwrap_or("__main__"), f.qualname)
                }
                Body::Class(c) => format!("{}()", c.name),
                _ => format!("{} object", self.type_name(function)),
            },
            _ => format!("{} object", self.type_name(function)),
        }
    }

    /// Adds keyword arguments to those collected for a call.
    pub(crate) fn merge_keywords(&mut self, dict: &Value, other: &Value, function: &Value) -> R<()> {
        let Some(pairs) = self.mapping_pairs(other)? else {
            let (name, kind) = (self.callee_name(function), self.type_name(other));
            return self.type_error(&format!("{name} argument after ** must be a mapping, not {kind}"));
        };
        let Some(id) = self.is_dict(dict) else { return Ok(()) };
        let before: Vec<bool> = pairs
            .iter()
            .map(|(k, _)| k.as_str().is_some_and(|k| self.dict_of(id).get_str(k).is_some()))
            .collect();
        for ((key, value), doubled) in pairs.into_iter().zip(before) {
            let Some(text) = self.as_text(&key) else {
                return self.type_error("keywords must be strings");
            };
            if doubled {
                let name = self.callee_name(function);
                return self.type_error(&format!("{name} got multiple values for keyword argument '{text}'"));
            }
            self.dict_mut(id).set_name(&text, value);
        }
        Ok(())
    }

    /// `dict(...)` and `dict.update(...)`.
    pub(crate) fn update_dict(&mut self, dict: &Value, args: &Args) -> R<()> {
        if let Some(from) = args.get(0) {
            match self.mapping_pairs(from)? {
                Some(pairs) => {
                    for (key, value) in pairs {
                        self.dict_set(dict, key, value)?;
                    }
                }
                None => {
                    for (at, item) in self.collect_items(from)?.into_iter().enumerate() {
                        let pair = match self.quick_items(&item) {
                            Some(pair) => pair,
                            None if self.is_iterator(&item) => self.collect_items(&item)?,
                            None => {
                                let text = format!(
                                    "cannot convert dictionary update sequence element #{at} to a sequence"
                                );
                                return self.type_error(&text);
                            }
                        };
                        let [key, value] = &pair[..] else {
                            let text = format!(
                                "dictionary update sequence element #{at} has length {}; 2 is required",
                                pair.len()
                            );
                            return self.value_error(&text);
                        };
                        self.dict_set(dict, key.clone(), value.clone())?;
                    }
                }
            }
        }
        for (name, value) in &args.names {
            self.dict_set(dict, Value::Str(name.clone()), value.clone())?;
        }
        Ok(())
    }

    pub(crate) fn key_missing<T>(&mut self, key: &Value) -> R<T> {
        self.key_error(key.clone())
    }

    /// Whether a table of the machine is a frozen set.
    pub(crate) fn is_frozen(&self, id: ObjId) -> bool {
        matches!(self.heap.get(id).body, Body::FrozenSet(_))
            || self.heap.get(id).class == Type::FrozenSet.id()
    }
}
