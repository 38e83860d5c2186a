//! Iteration: iterators, their next items, and all items at once.

use std::rc::Rc;

use crate::machine::Need;
use crate::machine::{Args, Machine, R};
use crate::value::{Body, IterState, ObjId, Type, Value, ViewKind};

/// Most items that are made at once from a range.
const ITEMS_MAX: i64 = 50_000_000;

impl Machine {
    /// Items of a container that needs no code to be walked.
    pub(crate) fn quick_items(&self, value: &Value) -> Option<Vec<Value>> {
        match value {
            Value::Tuple(items) => Some(items.to_vec()),
            Value::Str(text) => Some(text.chars().map(char_value).collect()),
            Value::Bytes(bytes) => Some(bytes.iter().map(|b| Value::Int(i64::from(*b))).collect()),
            Value::Range(range) if range.len() < ITEMS_MAX => {
                Some((0..range.len()).map(|i| Value::Int(range.at(i))).collect())
            }
            Value::Obj(id) => {
                if self.special(value, "__iter__").is_some() {
                    return None;
                }
                match &self.heap.get(*id).body {
                    Body::List(items) => Some(items.clone()),
                    Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => Some(d.keys().cloned().collect()),
                    Body::ByteArray(bytes) => Some(bytes.iter().map(|b| Value::Int(i64::from(*b))).collect()),
                    Body::Boxed(inner) => self.quick_items(inner),
                    Body::View(dict, kind) => Some(self.view_items(*dict, *kind)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(crate) fn view_items(&self, dict: ObjId, kind: ViewKind) -> Vec<Value> {
        let table = self.dict_of(dict);
        match kind {
            ViewKind::Keys => table.keys().cloned().collect(),
            ViewKind::Values => table.iter().map(|(_, v)| v.clone()).collect(),
            ViewKind::Items => table.iter().map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()])).collect(),
        }
    }

    /// All items of anything that can be iterated.
    pub(crate) fn collect_items(&mut self, value: &Value) -> R<Vec<Value>> {
        if let Some(items) = self.quick_items(value) {
            return Ok(items);
        }
        if let Value::Range(_) = value {
            return Err(crate::machine::Fault::Raise(self.new_exception(Type::MemoryError.id(), Vec::new())));
        }
        let collect = self.core("collect");
        let list = self.call1(&collect, value)?;
        Ok(self.quick_items(&list).unwrap_or_default())
    }

    /// An iterator over a built-in container.
    pub(crate) fn quick_iter(&mut self, value: &Value) -> Option<Value> {
        let (class, state) = match value {
            Value::Tuple(items) => (Type::TupleIterator, IterState::Tuple(items.clone(), 0)),
            Value::Str(text) => (Type::StrIterator, IterState::Str(text.clone(), 0)),
            Value::Bytes(bytes) => (Type::BytesIterator, IterState::Bytes(bytes.clone(), 0)),
            Value::Range(r) => {
                (Type::RangeIterator, IterState::Range { next: r.start, left: r.len(), step: r.step })
            }
            Value::Obj(id) => {
                if self.special(value, "__iter__").is_some() {
                    return None;
                }
                let id = *id;
                match &self.heap.get(id).body {
                    Body::List(_) => (Type::ListIterator, IterState::List(id, 0)),
                    Body::Dict(d) => {
                        let len = d.len();
                        (
                            Type::DictKeyIterator,
                            IterState::Dict { dict: id, kind: ViewKind::Keys, slot: 0, len },
                        )
                    }
                    Body::Set(d) | Body::FrozenSet(d) => {
                        let len = d.len();
                        (Type::SetIterator, IterState::Set { set: id, slot: 0, len })
                    }
                    Body::View(dict, kind) => {
                        let (dict, kind) = (*dict, *kind);
                        let len = self.dict_of(dict).len();
                        let class = match kind {
                            ViewKind::Keys => Type::DictKeyIterator,
                            ViewKind::Values => Type::DictValueIterator,
                            ViewKind::Items => Type::DictItemIterator,
                        };
                        (class, IterState::Dict { dict, kind, slot: 0, len })
                    }
                    Body::ByteArray(bytes) => {
                        (Type::BytesIterator, IterState::Bytes(Rc::from(bytes.as_slice()), 0))
                    }
                    Body::Boxed(inner) => {
                        let inner = inner.clone();
                        return self.quick_iter(&inner);
                    }
                    Body::Iter(_) | Body::Generator(_) => return Some(value.clone()),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(self.iterator(class, state))
    }

    /// `iter(value)`
    pub(crate) fn iter_of(&mut self, value: &Value) -> R {
        if let Some(found) = self.special(value, "__iter__") {
            if found.is_none() {
                return self.not_iterable(value);
            }
            let method = self.bind(&found, value)?;
            let iterator = self.call_value(&method, Args::default())?;
            if self.is_iterator(&iterator) {
                return Ok(iterator);
            }
            if matches!(value, Value::Host(_))
                && let Some(iterator) = self.quick_iter(&iterator)
            {
                return Ok(iterator);
            }
            let kind = self.type_name(&iterator);
            return self.type_error(&format!("iter() returned non-iterator of type '{kind}'"));
        }
        if let Some(iterator) = self.quick_iter(value) {
            return Ok(iterator);
        }
        if self.special(value, "__getitem__").is_some() && self.as_class(value).is_none() {
            return Ok(self.iterator(Type::SequenceIterator, IterState::Sequence(value.clone(), 0)));
        }
        self.not_iterable(value)
    }

    fn not_iterable<T>(&mut self, value: &Value) -> R<T> {
        let kind = self.type_name(value);
        self.type_error(&format!("'{kind}' object is not iterable"))
    }

    pub(crate) fn is_iterator(&self, value: &Value) -> bool {
        matches!(self.body(value), Some(Body::Iter(_) | Body::Generator(_)))
            || self.special(value, "__next__").is_some()
    }

    /// The next item of an iterator that needs no code: `None` if it does, `Some(None)` at the end.
    // tidy: table
    pub(crate) fn quick_next(&mut self, iterator: &Value) -> Option<Option<Value>> {
        let Value::Obj(id) = iterator else { return None };
        let Body::Iter(state) = &self.heap.get(*id).body else { return None };
        let (item, next) = match &**state {
            IterState::List(list, at) => {
                (self.list_items(*list).get(*at).cloned(), IterState::List(*list, at + 1))
            }
            IterState::Tuple(items, at) => (items.get(*at).cloned(), IterState::Tuple(items.clone(), at + 1)),
            IterState::Range { next, left, step } => {
                let item = if *left > 0 { Some(Value::Int(*next)) } else { None };
                (item, IterState::Range { next: next.wrapping_add(*step), left: left - 1, step: *step })
            }
            IterState::Str(text, at) => {
                let item = text[*at..].chars().next();
                let width = item.map_or(0, char::len_utf8);
                (item.map(char_value), IterState::Str(text.clone(), at + width))
            }
            IterState::Bytes(bytes, at) => {
                (bytes.get(*at).map(|b| Value::Int(i64::from(*b))), IterState::Bytes(bytes.clone(), at + 1))
            }
            IterState::Dict { dict, kind, slot, len } => {
                let table = self.dict_of(*dict);
                if table.len() != *len {
                    return None;
                }
                let mut at = *slot;
                while at < table.slots() && table.slot(at).is_none() {
                    at += 1;
                }
                let item = table.slot(at).map(|(k, v)| match kind {
                    ViewKind::Keys => k.clone(),
                    ViewKind::Values => v.clone(),
                    ViewKind::Items => Value::tuple(vec![k.clone(), v.clone()]),
                });
                (item, IterState::Dict { dict: *dict, kind: *kind, slot: at + 1, len: *len })
            }
            IterState::DictReversed { dict, kind, slot } => {
                let table = self.dict_of(*dict);
                let mut at = *slot;
                while at > 0 && table.slot(at - 1).is_none() {
                    at -= 1;
                }
                let item = at.checked_sub(1).and_then(|a| table.slot(a)).map(|(k, v)| match kind {
                    ViewKind::Keys => k.clone(),
                    ViewKind::Values => v.clone(),
                    ViewKind::Items => Value::tuple(vec![k.clone(), v.clone()]),
                });
                (item, IterState::DictReversed { dict: *dict, kind: *kind, slot: at.saturating_sub(1) })
            }
            IterState::Set { set, slot, len } => {
                let table = self.dict_of(*set);
                if table.len() != *len {
                    return None;
                }
                let mut at = *slot;
                while at < table.slots() && table.slot(at).is_none() {
                    at += 1;
                }
                let item = table.slot(at).map(|(k, _)| k.clone());
                (item, IterState::Set { set: *set, slot: at + 1, len: *len })
            }
            IterState::Done => return Some(None),
            IterState::Sequence(..)
            | IterState::ReversedSequence(..)
            | IterState::Callable(..)
            | IterState::Zip(..)
            | IterState::Enumerate(..) => return None,
        };
        let next = if item.is_some() { next } else { IterState::Done };
        self.set_iterator(*id, next);
        Some(item)
    }

    fn set_iterator(&mut self, id: ObjId, next: IterState) {
        if let Body::Iter(state) = &mut self.heap.get_mut(id).body {
            **state = next;
        }
    }

    /// The next item of any iterator, as a step of a native operation.
    pub(crate) fn next(&mut self, iterator: &Value) -> R<Option<Value>> {
        let step = self.logged(|m| {
            Ok(match m.next_now(iterator)? {
                Some(item) => Value::tuple(vec![item]),
                None => Value::tuple(Vec::new()),
            })
        })?;
        Ok(match step {
            Value::Tuple(items) => items.first().cloned(),
            _ => None,
        })
    }

    fn next_now(&mut self, iterator: &Value) -> R<Option<Value>> {
        if let Some(item) = self.quick_next(iterator) {
            return Ok(item);
        }
        if let Some(id) = self.generator_id(iterator) {
            let result = self.need(Need::Resume(id, Value::None));
            return self.end_at_stop(result);
        }
        if let Value::Obj(id) = iterator
            && let Body::Iter(state) = &self.heap.get(*id).body
        {
            let state = (**state).clone();
            return self.next_of(*id, state);
        }
        match self.special(iterator, "__next__") {
            Some(method) => {
                let method = self.bind(&method, iterator)?;
                let result = self.call_value(&method, Args::default());
                self.end_at_stop(result)
            }
            None => {
                let kind = self.type_name(iterator);
                self.type_error(&format!("'{kind}' object is not an iterator"))
            }
        }
    }

    fn end_at_stop(&mut self, result: R) -> R<Option<Value>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(fault) if self.fault_is(&fault, Type::StopIteration) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    fn next_of(&mut self, id: ObjId, state: IterState) -> R<Option<Value>> {
        match state {
            IterState::Sequence(object, at) => match self.get_item(&object, &Value::Int(at)) {
                Ok(item) => {
                    self.set_iterator(id, IterState::Sequence(object, at + 1));
                    Ok(Some(item))
                }
                Err(fault) if self.fault_is(&fault, Type::IndexError) => {
                    self.set_iterator(id, IterState::Done);
                    Ok(None)
                }
                Err(fault) => Err(fault),
            },
            IterState::ReversedSequence(object, at) => {
                if at < 0 {
                    return Ok(None);
                }
                let item = self.get_item(&object, &Value::Int(at))?;
                self.set_iterator(id, IterState::ReversedSequence(object, at - 1));
                Ok(Some(item))
            }
            IterState::Callable(function, end) => {
                let item = self.call_value(&function, Args::default())?;
                if self.eq(&item, &end)? {
                    self.set_iterator(id, IterState::Done);
                    return Ok(None);
                }
                Ok(Some(item))
            }
            IterState::Enumerate(inner, count) => match self.next(&inner)? {
                Some(item) => {
                    let more = self.binary(crate::compile::BinOp::Add, &count, &Value::Int(1))?;
                    self.set_iterator(id, IterState::Enumerate(inner, more));
                    Ok(Some(Value::tuple(vec![count, item])))
                }
                None => Ok(None),
            },
            IterState::Zip(iterators, strict) => self.next_zip(&iterators, strict),
            IterState::Dict { .. } => {
                self.set_iterator(id, IterState::Done);
                self.raise_error(Type::RuntimeError, "dictionary changed size during iteration")
            }
            IterState::Set { .. } => {
                self.set_iterator(id, IterState::Done);
                self.raise_error(Type::RuntimeError, "Set changed size during iteration")
            }
            _ => Ok(None),
        }
    }

    fn next_zip(&mut self, iterators: &[Value], strict: bool) -> R<Option<Value>> {
        let mut items = Vec::with_capacity(iterators.len());
        let plural = |n: usize| if n == 1 { "argument 1".to_owned() } else { format!("arguments 1-{n}") };
        for (at, iterator) in iterators.iter().enumerate() {
            match self.next(iterator)? {
                Some(item) => items.push(item),
                None if !strict => return Ok(None),
                None if at > 0 => {
                    let text = format!("zip() argument {} is shorter than {}", at + 1, plural(at));
                    return self.value_error(&text);
                }
                None => {
                    for (other, iterator) in iterators.iter().enumerate().skip(1) {
                        if self.next(iterator)?.is_some() {
                            let text =
                                format!("zip() argument {} is longer than {}", other + 1, plural(other));
                            return self.value_error(&text);
                        }
                    }
                    return Ok(None);
                }
            }
        }
        if items.is_empty() { Ok(None) } else { Ok(Some(Value::tuple(items))) }
    }

    /// Sends a value to what a generator delegates to.
    pub(crate) fn send(&mut self, iterator: &Value, value: &Value) -> R {
        if let Some(id) = self.generator_id(iterator) {
            return self.logged(|m| m.need(Need::Resume(id, value.clone())));
        }
        if value.is_none() {
            return match self.next(iterator)? {
                Some(item) => Ok(item),
                None => Err(crate::machine::Fault::Raise(
                    self.new_exception(Type::StopIteration.id(), Vec::new()),
                )),
            };
        }
        let send = self.get_attribute(iterator, &Rc::from("send"))?;
        self.call1(&send, value)
    }

    /// Items of a tuple or list of exactly this length.
    pub(crate) fn quick_unpack(&self, value: &Value, count: usize) -> Option<Rc<[Value]>> {
        match value {
            Value::Tuple(items) if items.len() == count => Some(items.clone()),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::List(items) if items.len() == count && self.heap.get(*id).class == Type::List.id() => {
                    Some(Rc::from(items.as_slice()))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether `iter` takes it.
    pub(crate) fn is_iterable(&self, value: &Value) -> bool {
        self.quick_items(value).is_some()
            || self.is_iterator(value)
            || self.special(value, "__iter__").is_some_and(|i| !i.is_none())
            || self.special(value, "__getitem__").is_some()
    }

    fn unpackable(&mut self, value: &Value) -> R<()> {
        if self.is_iterable(value) {
            return Ok(());
        }
        let kind = self.type_name(value);
        self.type_error(&format!("cannot unpack non-iterable {kind} object"))
    }

    pub(crate) fn unpack(&mut self, value: &Value, count: usize) -> R {
        self.unpackable(value)?;
        let items = match self.quick_items(value) {
            Some(items) => items,
            None => {
                let iterator = self.iter_of(value)?;
                let mut items = Vec::new();
                while items.len() <= count {
                    match self.next(&iterator)? {
                        Some(item) => items.push(item),
                        None => break,
                    }
                }
                items
            }
        };
        if items.len() > count {
            return self.value_error(&format!("too many values to unpack (expected {count})"));
        }
        if items.len() < count {
            let got = items.len();
            return self.value_error(&format!("not enough values to unpack (expected {count}, got {got})"));
        }
        Ok(Value::tuple(items))
    }

    pub(crate) fn unpack_star(&mut self, value: &Value, before: usize, after: usize) -> R {
        self.unpackable(value)?;
        let mut items = self.collect_items(value)?;
        if items.len() < before + after {
            let (least, got) = (before + after, items.len());
            return self
                .value_error(&format!("not enough values to unpack (expected at least {least}, got {got})"));
        }
        let tail = items.split_off(items.len() - after);
        let middle = items.split_off(before);
        let middle = self.list(middle);
        items.push(middle);
        items.extend(tail);
        Ok(Value::tuple(items))
    }
}

/// A text of one character.
pub(crate) fn char_value(c: char) -> Value {
    let mut buffer = [0; 4];
    Value::str(c.encode_utf8(&mut buffer))
}
