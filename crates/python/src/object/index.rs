//! `object[key]`: reading, writing, deleting; slices.

use std::rc::Rc;

use crate::machine::{Args, Machine, R};
use crate::object::char_value;
use crate::value::{Body, Found, ObjId, Range, Type, Value, plain_hash};

/// The positions that a slice takes.
pub(crate) struct SliceRange {
    pub(crate) start: i64,
    pub(crate) stop: i64,
    pub(crate) step: i64,
}

impl SliceRange {
    pub(crate) fn range(&self) -> Range {
        Range { start: self.start, stop: self.stop, step: self.step }
    }

    pub(crate) fn positions(&self) -> Vec<usize> {
        let range = self.range();
        (0..range.len()).map(|i| range.at(i) as usize).collect()
    }
}

impl Machine {
    /// The item of a plain list, tuple or dict.
    pub(crate) fn quick_item(&self, object: &Value, key: &Value) -> Option<Value> {
        match object {
            Value::Tuple(items) => at(items, key.as_int()?).cloned(),
            Value::Obj(id) => {
                let obj = self.heap.get(*id);
                match &obj.body {
                    Body::List(items) if obj.class == Type::List.id() => at(items, key.as_int()?).cloned(),
                    Body::Dict(dict) if obj.class == Type::Dict.id() => {
                        match dict.find(plain_hash(key)?, key) {
                            Found::At(slot) => dict.slot(slot).map(|(_, v)| v.clone()),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An index as a number; objects with `__index__` too.
    pub(crate) fn index_of(&mut self, value: &Value) -> R<Option<i64>> {
        if let Some(index) = self.as_index(value) {
            return Ok(Some(index));
        }
        if let Value::Big(b) = value {
            let text = "cannot fit 'int' into an index-sized integer";
            let _ = b;
            return self.raise_error(Type::IndexError, text);
        }
        match self.call_special(value, "__index__", &[])? {
            Some(index) => Ok(index.as_int()),
            None => Ok(None),
        }
    }

    fn slice_part(&mut self, value: &Value) -> R<Option<i64>> {
        if value.is_none() {
            return Ok(None);
        }
        if let Value::Big(b) = value {
            let negative = b.sign() == num_bigint::Sign::Minus;
            return Ok(Some(if negative { i64::MIN / 2 } else { i64::MAX / 2 }));
        }
        match self.index_of(value)? {
            Some(i) => Ok(Some(i)),
            None => self.type_error("slice indices must be integers or None or have an __index__ method"),
        }
    }

    /// The positions of a slice in a sequence of this length.
    pub(crate) fn slice_range(&mut self, slice: &[Value; 3], len: usize) -> R<SliceRange> {
        let len = len as i64;
        let step = self.slice_part(&slice[2])?.unwrap_or(1);
        if step == 0 {
            return self.value_error("slice step cannot be zero");
        }
        let (low, high) = if step > 0 { (0, len) } else { (-1, len - 1) };
        let mut clamp = |value: &Value, default: i64| -> R<i64> {
            Ok(match self.slice_part(value)? {
                None => default,
                Some(i) if i < 0 => (i + len).max(low),
                Some(i) => i.min(high),
            })
        };
        let start = clamp(&slice[0], if step > 0 { low } else { high })?;
        let stop = clamp(&slice[1], if step > 0 { high } else { low })?;
        Ok(SliceRange { start, stop, step })
    }

    /// `object[key]`
    pub(crate) fn get_item(&mut self, object: &Value, key: &Value) -> R {
        if let Some(value) = self.quick_item(object, key) {
            return Ok(value);
        }
        if let Some(class) = self.as_class(object) {
            return self.class_item(class, object, key);
        }
        if let Some(value) = self.call_special(object, "__getitem__", std::slice::from_ref(key))? {
            return Ok(value);
        }
        self.plain_get_item(object, key)
    }

    fn class_item(&mut self, class: ObjId, object: &Value, key: &Value) -> R {
        if let Some(value) = self.call_special(object, "__getitem__", std::slice::from_ref(key))? {
            return Ok(value);
        }
        if let Some(hook) = self.lookup_class(class, "__class_getitem__") {
            let hook = match self.body(&hook) {
                Some(Body::ClassMethod(inner)) => inner.clone(),
                _ => hook,
            };
            return self.call_value(&hook, Args::new(vec![object.clone(), key.clone()]));
        }
        let generic = matches!(
            Self::built_in_type(class),
            Some(Type::List | Type::Dict | Type::Tuple | Type::Set | Type::FrozenSet | Type::Type)
        );
        if generic {
            return Ok(self.generic_alias(object.clone(), key));
        }
        let name = self.class_name(class);
        self.type_error(&format!("type '{name}' is not subscriptable"))
    }

    /// `list[int]` and its like.
    pub(crate) fn generic_alias(&mut self, origin: Value, key: &Value) -> Value {
        let args = match key {
            Value::Tuple(_) => key.clone(),
            other => Value::tuple(vec![other.clone()]),
        };
        let alias = self.add(Type::GenericAlias, Body::Instance);
        if let Value::Obj(id) = alias {
            self.set_own_attribute(id, "__origin__", origin);
            self.set_own_attribute(id, "__args__", args);
        }
        alias
    }

    pub(crate) fn plain_get_item(&mut self, object: &Value, key: &Value) -> R {
        match &self.unboxed(object) {
            Value::Str(text) => self.text_item(text, key),
            Value::Tuple(items) => self.sequence_item(items, key, "tuple", Value::tuple),
            Value::Bytes(bytes) => self.bytes_item(bytes, key),
            Value::Range(range) => self.range_item(range, key),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::List(items) => {
                    let items = items.clone();
                    match key {
                        Value::Slice(slice) => {
                            let positions = self.slice_range(slice, items.len())?.positions();
                            Ok(self.list(positions.iter().map(|p| items[*p].clone()).collect()))
                        }
                        _ => self.sequence_item(&items, key, "list", Value::tuple),
                    }
                }
                Body::Dict(_) => {
                    if let Some(value) = self.table_get(*id, key)? {
                        return Ok(value);
                    }
                    match self.call_special(object, "__missing__", std::slice::from_ref(key))? {
                        Some(value) => Ok(value),
                        None => self.key_missing(key),
                    }
                }
                Body::ByteArray(bytes) => {
                    let bytes: Rc<[u8]> = Rc::from(bytes.as_slice());
                    match self.bytes_item(&bytes, key)? {
                        Value::Bytes(part) => Ok(self.add(Type::ByteArray, Body::ByteArray(part.to_vec()))),
                        other => Ok(other),
                    }
                }
                _ => self.not_subscriptable(object),
            },
            _ => self.not_subscriptable(object),
        }
    }

    fn not_subscriptable(&mut self, object: &Value) -> R {
        let kind = self.type_name(object);
        self.type_error(&format!("'{kind}' object is not subscriptable"))
    }

    fn bad_index<T>(&mut self, name: &str, key: &Value) -> R<T> {
        let kind = self.type_name(key);
        let quoted = if name == "string" { format!("'{kind}'") } else { kind };
        self.type_error(&format!(
            "{name} indices must be integers or slices, not {}",
            quoted.trim_matches('\'')
        ))
    }

    fn sequence_item(
        &mut self,
        items: &[Value],
        key: &Value,
        name: &str,
        build: fn(Vec<Value>) -> Value,
    ) -> R {
        if let Value::Slice(slice) = key {
            let positions = self.slice_range(slice, items.len())?.positions();
            return Ok(build(positions.iter().map(|p| items[*p].clone()).collect()));
        }
        match self.index_of(key)? {
            Some(i) => match at(items, i) {
                Some(value) => Ok(value.clone()),
                None => self.raise_error(Type::IndexError, &format!("{name} index out of range")),
            },
            None => self.bad_index(name, key),
        }
    }

    fn text_item(&mut self, text: &Rc<str>, key: &Value) -> R {
        if let Value::Slice(slice) = key {
            if text.is_ascii() {
                let range = self.slice_range(slice, text.len())?;
                if range.step == 1 {
                    let (start, stop) = (range.start as usize, range.stop.max(range.start) as usize);
                    return Ok(Value::str(&text[start..stop]));
                }
                let bytes = text.as_bytes();
                let picked: String = range.positions().iter().map(|p| bytes[*p] as char).collect();
                return Ok(Value::from(picked));
            }
            let chars: Vec<char> = text.chars().collect();
            let positions = self.slice_range(slice, chars.len())?.positions();
            return Ok(Value::from(positions.iter().map(|p| chars[*p]).collect::<String>()));
        }
        let Some(i) = self.index_of(key)? else {
            let kind = self.type_name(key);
            return self.type_error(&format!("string indices must be integers, not '{kind}'"));
        };
        let len = if text.is_ascii() { text.len() } else { text.chars().count() } as i64;
        let at = if i < 0 { i + len } else { i };
        if at < 0 || at >= len {
            return self.raise_error(Type::IndexError, "string index out of range");
        }
        let found = if text.is_ascii() {
            text.as_bytes().get(at as usize).map(|b| *b as char)
        } else {
            text.chars().nth(at as usize)
        };
        Ok(found.map_or(Value::None, char_value))
    }

    fn bytes_item(&mut self, bytes: &[u8], key: &Value) -> R {
        if let Value::Slice(slice) = key {
            let positions = self.slice_range(slice, bytes.len())?.positions();
            let picked: Vec<u8> = positions.iter().map(|p| bytes[*p]).collect();
            return Ok(Value::bytes(&picked));
        }
        match self.index_of(key)? {
            Some(i) => {
                let at = if i < 0 { i + bytes.len() as i64 } else { i };
                match usize::try_from(at).ok().and_then(|a| bytes.get(a)) {
                    Some(b) => Ok(Value::Int(i64::from(*b))),
                    None => self.raise_error(Type::IndexError, "index out of range"),
                }
            }
            None => {
                let kind = self.type_name(key);
                self.type_error(&format!("byte indices must be integers or slices, not {kind}"))
            }
        }
    }

    fn range_item(&mut self, range: &Range, key: &Value) -> R {
        let len = range.len();
        if let Value::Slice(slice) = key {
            let part = self.slice_range(slice, len as usize)?;
            let made = Range {
                start: range.at(part.start),
                stop: range.at(part.stop),
                step: range.step.wrapping_mul(part.step),
            };
            return Ok(Value::Range(Rc::new(made)));
        }
        match self.index_of(key)? {
            Some(i) => {
                let at = if i < 0 { i + len } else { i };
                if at < 0 || at >= len {
                    return self.raise_error(Type::IndexError, "range object index out of range");
                }
                Ok(Value::Int(range.at(at)))
            }
            None => self.bad_index("range", key),
        }
    }

    /// `object[key] = value`
    pub(crate) fn set_item(&mut self, object: &Value, key: &Value, value: Value) -> R<()> {
        if self.call_special(object, "__setitem__", &[key.clone(), value.clone()])?.is_some() {
            return Ok(());
        }
        self.plain_set_item(object, key, value)
    }

    pub(crate) fn plain_set_item(&mut self, object: &Value, key: &Value, value: Value) -> R<()> {
        if let Value::Obj(id) = object {
            let id = *id;
            let mapping = self.heap.get(id).class == Type::MappingProxy.id();
            match &self.heap.get(id).body {
                Body::Dict(_) if !mapping => return self.table_set(id, key.clone(), value),
                Body::List(items) => {
                    let len = items.len();
                    if let Value::Slice(slice) = key {
                        return self.set_slice(id, slice, &value);
                    }
                    let Some(i) = self.index_of(key)? else { return self.bad_index("list", key) };
                    let at = if i < 0 { i + len as i64 } else { i };
                    match usize::try_from(at).ok().filter(|a| *a < len) {
                        Some(at) => self.list_mut(id)[at] = value,
                        None => {
                            return self.raise_error(Type::IndexError, "list assignment index out of range");
                        }
                    }
                    return Ok(());
                }
                Body::ByteArray(bytes) => {
                    let len = bytes.len() as i64;
                    let Some(i) = self.index_of(key)? else { return self.bad_index("bytearray", key) };
                    let at = if i < 0 { i + len } else { i };
                    let byte = self.as_index(&value).and_then(|b| u8::try_from(b).ok());
                    let Some(byte) = byte else { return self.value_error("byte must be in range(0, 256)") };
                    if at < 0 || at >= len {
                        return self.raise_error(Type::IndexError, "bytearray index out of range");
                    }
                    if let Body::ByteArray(bytes) = &mut self.heap.get_mut(id).body {
                        bytes[at as usize] = byte;
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        let kind = self.type_name(object);
        self.type_error(&format!("'{kind}' object does not support item assignment"))
    }

    fn set_slice(&mut self, id: ObjId, slice: &[Value; 3], value: &Value) -> R<()> {
        let iterable = self.quick_items(value).is_some()
            || self.is_iterator(value)
            || self.special(value, "__iter__").is_some();
        if !iterable {
            return self.type_error("can only assign an iterable");
        }
        let new = self.collect_items(value)?;
        let len = self.list_items(id).len();
        let range = self.slice_range(slice, len)?;
        if range.step == 1 {
            let (start, stop) = (range.start as usize, range.stop.max(range.start) as usize);
            self.list_mut(id).splice(start..stop, new);
            return Ok(());
        }
        let positions = range.positions();
        if positions.len() != new.len() {
            let text = format!(
                "attempt to assign sequence of size {} to extended slice of size {}",
                new.len(),
                positions.len()
            );
            return self.value_error(&text);
        }
        for (position, item) in positions.into_iter().zip(new) {
            self.list_mut(id)[position] = item;
        }
        Ok(())
    }

    /// `del object[key]`
    pub(crate) fn delete_item(&mut self, object: &Value, key: &Value) -> R<()> {
        if self.call_special(object, "__delitem__", std::slice::from_ref(key))?.is_some() {
            return Ok(());
        }
        self.plain_delete_item(object, key)
    }

    pub(crate) fn plain_delete_item(&mut self, object: &Value, key: &Value) -> R<()> {
        if let Value::Obj(id) = object {
            let id = *id;
            match &self.heap.get(id).body {
                Body::Dict(_) => {
                    return match self.table_remove(id, key)? {
                        Some(_) => Ok(()),
                        None => self.key_missing(key),
                    };
                }
                Body::List(items) => {
                    let len = items.len();
                    if let Value::Slice(slice) = key {
                        let mut positions = self.slice_range(slice, len)?.positions();
                        positions.sort_unstable();
                        for position in positions.into_iter().rev() {
                            self.list_mut(id).remove(position);
                        }
                        return Ok(());
                    }
                    let Some(i) = self.index_of(key)? else { return self.bad_index("list", key) };
                    let at = if i < 0 { i + len as i64 } else { i };
                    if at < 0 || at >= len as i64 {
                        return self.raise_error(Type::IndexError, "list assignment index out of range");
                    }
                    self.list_mut(id).remove(at as usize);
                    return Ok(());
                }
                Body::ByteArray(bytes) => {
                    let len = bytes.len() as i64;
                    let i = self.index_of(key)?.unwrap_or(len);
                    let at = if i < 0 { i + len } else { i };
                    if at < 0 || at >= len {
                        return self.raise_error(Type::IndexError, "bytearray index out of range");
                    }
                    if let Body::ByteArray(bytes) = &mut self.heap.get_mut(id).body {
                        bytes.remove(at as usize);
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        let kind = self.type_name(object);
        self.type_error(&format!("'{kind}' object doesn't support item deletion"))
    }
}

/// The item at an index that may count from the end.
fn at(items: &[Value], index: i64) -> Option<&Value> {
    let index = if index < 0 { index + items.len() as i64 } else { index };
    usize::try_from(index).ok().and_then(|i| items.get(i))
}
