//! Exceptions: how they are made, matched, chained and grouped.

use std::rc::Rc;

use crate::compile::Code;
use crate::machine::{Args, Fault, Machine, R};
use crate::value::{Body, ExceptionData, Obj, ObjId, TraceEntry, Type, Value};

impl Machine {
    pub(crate) fn new_exception(&mut self, class: ObjId, args: Vec<Value>) -> ObjId {
        let data = ExceptionData {
            args: Rc::from(args),
            cause: None,
            context: None,
            suppress: false,
            trace: Vec::new(),
        };
        self.heap.add(Obj { class, attrs: None, body: Body::Exception(Box::new(data)) })
    }

    /// A fault that raises an exception with one message.
    pub(crate) fn error(&mut self, class: Type, message: &str) -> Fault {
        Fault::Raise(self.new_exception(class.id(), vec![Value::str(message)]))
    }

    pub(crate) fn raise_error<T>(&mut self, class: Type, message: &str) -> R<T> {
        Err(self.error(class, message))
    }

    pub(crate) fn type_error<T>(&mut self, message: &str) -> R<T> {
        Err(self.error(Type::TypeError, message))
    }

    pub(crate) fn value_error<T>(&mut self, message: &str) -> R<T> {
        Err(self.error(Type::ValueError, message))
    }

    pub(crate) fn key_error<T>(&mut self, key: Value) -> R<T> {
        Err(Fault::Raise(self.new_exception(Type::KeyError.id(), vec![key])))
    }

    /// A fault with attributes on its exception.
    pub(crate) fn error_with(&mut self, class: Type, message: &str, attributes: &[(&str, Value)]) -> Fault {
        let id = self.new_exception(class.id(), vec![Value::str(message)]);
        for (name, value) in attributes {
            self.set_own_attribute(id, name, value.clone());
        }
        Fault::Raise(id)
    }

    pub(crate) fn unknown_name(&mut self, name: &str) -> Fault {
        self.error_with(
            Type::NameError,
            &format!("name '{name}' is not defined"),
            &[("name", Value::str(name))],
        )
    }

    pub(crate) fn unbound_local(&mut self, name: &str) -> Fault {
        let text = format!("cannot access local variable '{name}' where it is not associated with a value");
        self.error_with(Type::UnboundLocalError, &text, &[("name", Value::str(name))])
    }

    pub(crate) fn unbound_cell(&mut self, code: &Code, at: usize) -> Fault {
        let name = &code.cells[at];
        if at < code.own_cells {
            return self.unbound_local(name);
        }
        let text = format!(
            "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
        );
        self.error_with(Type::NameError, &text, &[("name", Value::str(name))])
    }

    /// The exception that is being handled becomes the context of a new one.
    pub(crate) fn add_context(&mut self, exc: ObjId) {
        let Value::Obj(handled) = self.handled else { return };
        if handled == exc
            || self.exception(exc).context.is_some()
            || self.is_exception(&Value::Obj(handled)).is_none()
        {
            return;
        }
        if !self.exception(exc).trace.is_empty() {
            return;
        }
        let mut at = handled;
        while let Some(Value::Obj(next)) = self.exception(at).context.clone() {
            if next == exc {
                self.exception_mut(at).context = None;
                break;
            }
            at = next;
        }
        self.exception_mut(exc).context = Some(Value::Obj(handled));
    }

    fn exception_from(&mut self, value: &Value) -> R<Option<ObjId>> {
        if let Some(id) = self.is_exception(value) {
            return Ok(Some(id));
        }
        match self.as_class(value) {
            Some(class) if self.class_is(class, Type::BaseException.id()) => {
                let made = self.call_value(value, Args::default())?;
                match self.is_exception(&made) {
                    Some(id) => Ok(Some(id)),
                    None => {
                        let (class, kind) = (self.plain_repr(value), self.type_name(&made));
                        self.type_error(&format!(
                            "calling {class} should have returned an instance of BaseException, not <class '{kind}'>"
                        ))
                    }
                }
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn raise(&mut self, exc: &Value, cause: Option<&Value>) -> R {
        let Some(id) = self.exception_from(exc)? else {
            return self.type_error("exceptions must derive from BaseException");
        };
        if let Some(cause) = cause {
            let found = if cause.is_none() {
                None
            } else {
                match self.exception_from(cause)? {
                    Some(found) => Some(Value::Obj(found)),
                    None => return self.type_error("exception causes must derive from BaseException"),
                }
            };
            let data = self.exception_mut(id);
            data.cause = found;
            data.suppress = true;
        }
        let handled = self.handled.clone();
        if let Value::Obj(handled) = handled
            && handled != id
            && self.exception(id).context.is_none()
        {
            let trace = std::mem::take(&mut self.exception_mut(id).trace);
            self.add_context(id);
            self.exception_mut(id).trace = trace;
        }
        Err(Fault::Raise(id))
    }

    pub(crate) fn match_exception(&mut self, exc: &Value, kind: &Value) -> R<bool> {
        let kinds = match self.as_tuple(kind) {
            Some(kinds) => kinds.to_vec(),
            None => vec![kind.clone()],
        };
        let class = self.class_of(exc);
        let mut found = false;
        for kind in kinds {
            match self.as_class(&kind) {
                Some(id) if self.class_is(id, Type::BaseException.id()) => found |= self.class_is(class, id),
                _ => {
                    return self.type_error(
                        "catching classes that do not inherit from BaseException is not allowed",
                    );
                }
            }
        }
        Ok(found)
    }

    /// The exceptions of a group.
    pub(crate) fn group_items(&self, exc: ObjId) -> Option<Vec<Value>> {
        if !self.class_is(self.heap.get(exc).class, Type::BaseExceptionGroup.id()) {
            return None;
        }
        let items = self.exception(exc).args.get(1)?;
        self.quick_items(items)
    }

    /// A group like `group` with other exceptions.
    pub(crate) fn derive_group(&mut self, group: ObjId, items: Vec<Value>) -> Value {
        let message = self.exception(group).args.first().cloned().unwrap_or(Value::None);
        let list = self.list(items);
        let class = self.heap.get(group).class;
        let new = self.new_exception(class, vec![message, list]);
        let old = self.exception(group).clone();
        let data = self.exception_mut(new);
        (data.cause, data.context, data.suppress, data.trace) =
            (old.cause, old.context, old.suppress, old.trace);
        if let Some(notes) = self.own_attribute(&Value::Obj(group), "__notes__") {
            self.set_own_attribute(new, "__notes__", notes);
        }
        Value::Obj(new)
    }

    /// Splits an exception or a group into what matches and what does not.
    pub(crate) fn split_group(
        &mut self,
        exc: &Value,
        test: &mut dyn FnMut(&mut Self, &Value) -> R<bool>,
    ) -> R<(Value, Value)> {
        if exc.is_none() {
            return Ok((Value::None, Value::None));
        }
        if test(self, exc)? {
            return Ok((exc.clone(), Value::None));
        }
        let Some(id) = self.is_exception(exc) else { return Ok((Value::None, exc.clone())) };
        let Some(items) = self.group_items(id) else { return Ok((Value::None, exc.clone())) };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for item in items {
            let (a, b) = self.split_group(&item, test)?;
            if !a.is_none() {
                yes.push(a);
            }
            if !b.is_none() {
                no.push(b);
            }
        }
        if yes.is_empty() {
            return Ok((Value::None, exc.clone()));
        }
        let matched = self.derive_group(id, yes);
        let rest = if no.is_empty() { Value::None } else { self.derive_group(id, no) };
        Ok((matched, rest))
    }

    pub(crate) fn star_match(&mut self, rest: &Value, kind: &Value) -> R {
        let kind = kind.clone();
        let (mut found, rest) = self.split_group(rest, &mut |m, e| m.match_exception(e, &kind))?;
        if let Some(id) = self.is_exception(&found)
            && self.group_items(id).is_none()
        {
            let list = self.list(vec![found.clone()]);
            let trace = self.exception(id).trace.clone();
            let group = self.new_exception(Type::ExceptionGroup.id(), vec![Value::str(""), list]);
            self.exception_mut(group).trace = trace;
            found = Value::Obj(group);
        }
        Ok(Value::tuple(vec![found, rest]))
    }

    /// What remains to be raised after `except*`.
    pub(crate) fn star_result(&mut self, original: &Value, rest: &Value, raised: &Value) -> Value {
        let mut all = self.quick_items(raised).unwrap_or_default();
        if all.is_empty() {
            return rest.clone();
        }
        if !rest.is_none() {
            all.push(rest.clone());
        }
        if let [one] = &all[..] {
            return one.clone();
        }
        let list = self.list(all);
        let group = self.new_exception(Type::ExceptionGroup.id(), vec![Value::str(""), list]);
        if let Some(id) = self.is_exception(original) {
            let trace: Vec<TraceEntry> = self.exception(id).trace.clone();
            self.exception_mut(group).trace = trace;
        }
        Value::Obj(group)
    }

    /// The value of a `StopIteration`.
    pub(crate) fn stop_value(&self, exc: ObjId) -> Value {
        self.exception(exc).args.first().cloned().unwrap_or(Value::None)
    }

    /// Whether the fault raises this kind of exception.
    pub(crate) fn fault_is(&self, fault: &Fault, class: Type) -> bool {
        match fault {
            Fault::Raise(id) => self.class_is(self.heap.get(*id).class, class.id()),
            Fault::Need(_) => false,
        }
    }
}
