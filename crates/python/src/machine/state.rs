//! The state of a machine, and how parts of it are made and looked at.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::host::{Host, Printed};
use crate::machine::frame::{Frame, LogEntry, PyFrame, Waiting};
use crate::machine::{Fault, R};
use crate::value::{Body, ClassData, Dict, ExceptionData, Heap, IterState, Obj, ObjId, Type, Value};

/// Most Python frames at a time.
pub(crate) const FRAMES_MAX: usize = 1000;
/// Deepest nesting of native operations.
pub(crate) const DEPTH_MAX: usize = 80;

/// A running script: plain data that can stop after any instruction and be cloned at any stop.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) heap: Heap,
    pub(crate) frames: Vec<Frame>,
    pub(crate) py_frames: usize,
    pub(crate) modules: BTreeMap<String, ObjId>,
    /// The dict of built-in names.
    pub(crate) builtins: ObjId,
    /// The dict of the script's names.
    pub(crate) main: ObjId,
    pub(crate) host: Rc<Host>,
    pub(crate) host_classes: Vec<ObjId>,
    /// Exception classes by name, built in and of the host.
    pub(crate) exceptions: BTreeMap<String, ObjId>,
    /// The exception being handled, or `None`.
    pub(crate) handled: Value,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) cursor: usize,
    pub(crate) depth: usize,
    /// The depth at which the last need arose.
    pub(crate) need_depth: usize,
    /// How deep a walk into containers is.
    pub(crate) nesting: usize,
    /// Containers whose repr is being built.
    pub(crate) visiting: Vec<ObjId>,
    pub(crate) waiting: Option<Waiting>,
    pub(crate) incoming: Option<Result<Value, ObjId>>,
    pub(crate) printed: Vec<Printed>,
    pub(crate) fuel: u64,
    pub(crate) executed: u64,
    pub(crate) collect_at: usize,
    /// Where `print` writes instead of the standard output.
    pub(crate) redirect: Option<Value>,
    /// Values that the host holds on to.
    pub(crate) kept: Vec<Value>,
}

impl Machine {
    pub(crate) fn add(&mut self, class: Type, body: Body) -> Value {
        Value::Obj(self.heap.add(Obj { class: class.id(), attrs: None, body }))
    }

    pub(crate) fn list(&mut self, items: Vec<Value>) -> Value {
        self.add(Type::List, Body::List(items))
    }

    pub(crate) fn dict(&mut self, dict: Dict) -> Value {
        self.add(Type::Dict, Body::Dict(dict))
    }

    pub(crate) fn set(&mut self, set: Dict) -> Value {
        self.add(Type::Set, Body::Set(set))
    }

    pub(crate) fn new_dict_id(&mut self) -> ObjId {
        self.heap.add(Obj { class: Type::Dict.id(), attrs: None, body: Body::Dict(Dict::default()) })
    }

    pub(crate) fn iterator(&mut self, class: Type, state: IterState) -> Value {
        self.add(class, Body::Iter(Box::new(state)))
    }

    pub(crate) fn body(&self, value: &Value) -> Option<&Body> {
        match value {
            Value::Obj(id) => Some(&self.heap.get(*id).body),
            _ => None,
        }
    }

    pub(crate) fn class_data(&self, id: ObjId) -> Option<&ClassData> {
        match &self.heap.get(id).body {
            Body::Class(c) => Some(c),
            _ => None,
        }
    }

    pub(crate) fn class_data_mut(&mut self, id: ObjId) -> Option<&mut ClassData> {
        match &mut self.heap.get_mut(id).body {
            Body::Class(c) => Some(c),
            _ => None,
        }
    }

    pub(crate) fn as_class(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::Class(_)) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn dict_of(&self, id: ObjId) -> &Dict {
        match &self.heap.get(id).body {
            Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => d,
            _ => unreachable!("only dicts and sets are read as tables"),
        }
    }

    pub(crate) fn dict_mut(&mut self, id: ObjId) -> &mut Dict {
        match &mut self.heap.get_mut(id).body {
            Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => d,
            _ => unreachable!("only dicts and sets are written as tables"),
        }
    }

    pub(crate) fn is_dict(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::Dict(_)) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn is_list(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::List(_)) => Some(*id),
            _ => None,
        }
    }

    pub(crate) fn is_set(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::Set(_) | Body::FrozenSet(_)) => {
                Some(*id)
            }
            _ => None,
        }
    }

    pub(crate) fn list_items(&self, id: ObjId) -> &Vec<Value> {
        match &self.heap.get(id).body {
            Body::List(items) => items,
            _ => unreachable!("only lists are read as lists"),
        }
    }

    pub(crate) fn list_mut(&mut self, id: ObjId) -> &mut Vec<Value> {
        match &mut self.heap.get_mut(id).body {
            Body::List(items) => items,
            _ => unreachable!("only lists are written as lists"),
        }
    }

    pub(crate) fn exception(&self, id: ObjId) -> &ExceptionData {
        match &self.heap.get(id).body {
            Body::Exception(e) => e,
            _ => unreachable!("only exceptions are raised"),
        }
    }

    pub(crate) fn exception_mut(&mut self, id: ObjId) -> &mut ExceptionData {
        match &mut self.heap.get_mut(id).body {
            Body::Exception(e) => e,
            _ => unreachable!("only exceptions are raised"),
        }
    }

    pub(crate) fn is_exception(&self, value: &Value) -> Option<ObjId> {
        match value {
            Value::Obj(id) if matches!(self.heap.get(*id).body, Body::Exception(_)) => Some(*id),
            _ => None,
        }
    }

    /// The unchangeable value in an instance of a class derived from such a type, else the value itself.
    pub(crate) fn unboxed(&self, value: &Value) -> Value {
        match self.body(value) {
            Some(Body::Boxed(inner)) => inner.clone(),
            _ => value.clone(),
        }
    }

    pub(crate) fn as_text(&self, value: &Value) -> Option<Rc<str>> {
        match value {
            Value::Str(s) => Some(s.clone()),
            Value::Obj(_) => match self.body(value) {
                Some(Body::Boxed(Value::Str(s))) => Some(s.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn as_tuple(&self, value: &Value) -> Option<Rc<[Value]>> {
        match value {
            Value::Tuple(t) => Some(t.clone()),
            Value::Obj(_) => match self.body(value) {
                Some(Body::Boxed(Value::Tuple(t))) => Some(t.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn as_index(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Obj(_) => self.unboxed_int(value),
            other => other.as_int(),
        }
    }

    fn unboxed_int(&self, value: &Value) -> Option<i64> {
        match self.body(value) {
            Some(Body::Boxed(inner)) => inner.as_int(),
            _ => None,
        }
    }

    /// Runs a step of a native operation once, however often the operation begins again.
    pub(crate) fn logged(&mut self, step: impl FnOnce(&mut Self) -> R) -> R {
        if let Some(entry) = self.log.get(self.cursor)
            && entry.depth == self.depth
        {
            let result = entry.result.clone();
            self.cursor += 1;
            return result.map_err(Fault::Raise);
        }
        if self.depth > DEPTH_MAX {
            return self.raise_error(Type::RecursionError, "maximum recursion depth exceeded");
        }
        let start = self.cursor;
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        let kept = match result {
            Err(Fault::Need(need)) => return Err(Fault::Need(need)),
            Ok(value) => Ok(value),
            Err(Fault::Raise(exc)) => Err(exc),
        };
        self.log.truncate(start);
        self.log.push(LogEntry { depth: self.depth, result: kept.clone() });
        self.cursor = start + 1;
        kept.map_err(Fault::Raise)
    }

    /// Runs a step of an operation that walks into containers, up to a depth.
    pub(crate) fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> R<T>) -> R<T> {
        if self.nesting > DEPTH_MAX {
            return self.raise_error(Type::RecursionError, "maximum recursion depth exceeded");
        }
        self.nesting += 1;
        let result = step(self);
        self.nesting -= 1;
        result
    }

    /// What a need gave, if it has run already.
    pub(crate) fn replayed(&mut self) -> Option<R> {
        let entry = self.log.get(self.cursor).filter(|e| e.depth == self.depth)?;
        let result = entry.result.clone();
        self.cursor += 1;
        Some(result.map_err(Fault::Raise))
    }

    pub(crate) fn top_py(&self) -> Option<&PyFrame> {
        self.frames.iter().rev().find_map(|f| match f {
            Frame::Py(p) => Some(&**p),
            _ => None,
        })
    }

    /// The innermost frame that belongs to the script and not to the library.
    pub(crate) fn script_frame(&self) -> Option<&PyFrame> {
        self.frames.iter().rev().find_map(|f| match f {
            Frame::Py(p) if !p.code.source.library => Some(&**p),
            _ => None,
        })
    }
}
