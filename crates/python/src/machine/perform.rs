//! Performs native operations, and calls values on their behalf.

use std::rc::Rc;

use crate::host::{HostCall, SystemCall, Target};
use crate::machine::Need;
use crate::machine::frame::Action;
use crate::machine::{Args, Fault, Machine, R};
use crate::value::{Body, HostFunction, ObjId, Type, Value};

impl Machine {
    // tidy: table
    pub(crate) fn perform(&mut self, action: &Action) -> R {
        match action {
            Action::Call(function, args) => self.call_now(function, args),
            Action::Binary(op, a, b) => self.binary(*op, a, b),
            Action::InPlace(op, a, b) => self.in_place(*op, a, b),
            Action::Unary(op, a) => self.unary(*op, a),
            Action::Compare(op, a, b) => self.compare(*op, a, b),
            Action::Truth(a) => self.truth(a).map(Value::Bool),
            Action::GetAttr(object, name) => self.get_attribute(object, name),
            Action::SetAttr(object, name, value) => {
                self.set_attr(object, name, value.clone()).map(|()| Value::None)
            }
            Action::DelAttr(object, name) => self.delete_attribute(object, name).map(|()| Value::None),
            Action::GetItem(object, key) => self.get_item(object, key),
            Action::SetItem(object, key, value) => {
                self.set_item(object, key, value.clone()).map(|()| Value::None)
            }
            Action::DelItem(object, key) => self.delete_item(object, key).map(|()| Value::None),
            Action::Iter(value) => self.iter_of(value),
            Action::Next(iterator) => match self.next(iterator)? {
                Some(value) => Ok(value),
                None => Err(Fault::Raise(self.new_exception(Type::StopIteration.id(), Vec::new()))),
            },
            Action::Send(iterator, value) => self.send(iterator, value),
            Action::Collect(value) => self.collect_items(value).map(Value::tuple),
            Action::Unpack(value, count) => self.unpack(value, *count),
            Action::UnpackEx(value, before, after) => self.unpack_star(value, *before, *after),
            Action::Format(value, conversion, spec) => self.format_field(value, *conversion, spec),
            Action::BuildSet(items) => self.build_set(items),
            Action::BuildDict(items) => self.build_dict(items),
            Action::SetAdd(set, value) => self.set_add(set, value.clone()).map(|()| Value::None),
            Action::DictAdd(dict, key, value) => {
                self.dict_set(dict, key.clone(), value.clone()).map(|()| Value::None)
            }
            Action::DictUpdate(dict, other) => self.update_display(dict, other).map(|()| Value::None),
            Action::DictMerge(dict, other, function) => {
                self.merge_keywords(dict, other, function).map(|()| Value::None)
            }
            Action::BuildClass(name, body, bases, keywords) => self.build_class(name, body, bases, keywords),
            Action::Import(name, level, names) => self.import(name, *level, names),
            Action::ImportFrom(module, name) => self.import_from(module, name),
            Action::ImportStar(module) => self.import_star(module).map(|()| Value::None),
            Action::MatchExc(exc, kind) => self.match_exception(exc, kind).map(Value::Bool),
            Action::Raise(exc, cause) => self.raise(exc, cause.as_ref()),
            Action::WithPrepare(manager) => self.with_prepare(manager),
            Action::StarMatch(rest, kind) => self.star_match(rest, kind),
            Action::MatchKeys(subject, keys) => self.match_keys(subject, keys),
            Action::MatchClass(subject, class, names, count) => {
                self.match_class(subject, class, names, *count)
            }
            Action::MatchRest(subject, keys) => self.match_rest(subject, keys),
            Action::Length(value) => self.length(value).map(|n| Value::Int(n as i64)),
        }
    }

    /// Asks for something to run first, unless it has run.
    pub(crate) fn need(&mut self, need: Need) -> R {
        if let Some(result) = self.replayed() {
            return result;
        }
        self.need_depth = self.depth;
        Err(Fault::Need(Box::new(need)))
    }

    /// Asks the outside.
    pub(crate) fn system(&mut self, call: SystemCall) -> R {
        self.need(Need::System(call))
    }

    /// Asks the host.
    pub(crate) fn ask_host(&mut self, target: Target, args: &Args) -> R {
        let call = HostCall {
            target,
            args: args.items.clone(),
            kwargs: args.names.iter().map(|(n, v)| (n.to_string(), v.clone())).collect(),
            span: crate::diagnostic::Span::default(),
        };
        self.need(Need::Host(call))
    }

    /// Calls a value as a step of a native operation.
    pub(crate) fn call_value(&mut self, function: &Value, args: Args) -> R {
        self.logged(|m| m.call_now(function, &args))
    }

    pub(crate) fn call1(&mut self, function: &Value, arg: &Value) -> R {
        self.call_value(function, Args::new(vec![arg.clone()]))
    }

    /// Calls the method that the class of a value has, if it has one.
    pub(crate) fn call_special(&mut self, value: &Value, name: &str, args: &[Value]) -> R<Option<Value>> {
        let Some(method) = self.special(value, name) else { return Ok(None) };
        let method = self.bind(&method, value)?;
        self.call_value(&method, Args::new(args.to_vec())).map(Some)
    }

    pub(crate) fn call_now(&mut self, function: &Value, args: &Args) -> R {
        match function {
            Value::Native(native) => (native.0.call)(self, args),
            Value::Bound(bound) => {
                let bound = Rc::clone(bound);
                self.call_now(&bound.function, &args.with_first(bound.receiver.clone()))
            }
            Value::HostFunction(function) => {
                let function = Rc::clone(function);
                self.call_host_function(&function, args)
            }
            Value::Obj(id) => self.call_object(*id, function, args),
            Value::Host(object) if self.host.member(object.class, "__call__").is_some() => {
                let target = Target::Method { receiver: function.clone(), name: "__call__".to_owned() };
                self.ask_host(target, args)
            }
            other => self.not_callable(other),
        }
    }

    fn not_callable(&mut self, value: &Value) -> R {
        let name = self.type_name(value);
        self.type_error(&format!("'{name}' object is not callable"))
    }

    fn call_object(&mut self, id: ObjId, function: &Value, args: &Args) -> R {
        match &self.heap.get(id).body {
            Body::Function(_) => self.need(Need::Call(id, args.clone())),
            Body::Class(_) => self.call_class(id, args),
            Body::StaticMethod(inner) => {
                let inner = inner.clone();
                self.call_now(&inner, args)
            }
            _ => match self.special(function, "__call__") {
                Some(method) => {
                    let method = self.bind(&method, function)?;
                    self.call_now(&method, args)
                }
                None => self.not_callable(function),
            },
        }
    }

    pub(crate) fn call_host_function(&mut self, function: &HostFunction, args: &Args) -> R {
        match function {
            HostFunction::Module { module, name } => {
                self.ask_host(Target::Function { module: module.clone(), name: name.clone() }, args)
            }
            HostFunction::Static { class, name } => {
                self.ask_host(Target::Static { class: *class, name: name.clone() }, args)
            }
            HostFunction::Getter(name) => {
                let found = args.get(0).and_then(|receiver| self.own_attribute(receiver, name));
                Ok(found.unwrap_or(Value::None))
            }
            HostFunction::Property { .. } => self.type_error("'property' object is not callable"),
            HostFunction::Refused(message) => {
                let message = message.clone();
                self.raise_error(Type::NotImplementedError, &message)
            }
            HostFunction::Method { name, class } => {
                let Some((receiver, rest)) = args.items.split_first() else {
                    return self.type_error(&format!(
                        "{class}.{name}() missing 1 required positional argument: 'self'"
                    ));
                };
                let target = Target::Method { receiver: receiver.clone(), name: name.clone() };
                self.ask_host(target, &Args { items: rest.to_vec(), names: args.names.clone() })
            }
        }
    }

    /// Whether the value can be called.
    pub(crate) fn is_callable(&self, value: &Value) -> bool {
        match value {
            Value::Native(_) | Value::Bound(_) | Value::HostFunction(_) => true,
            Value::Host(object) => self.host.member(object.class, "__call__").is_some(),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Function(_) | Body::Class(_) | Body::StaticMethod(_) => true,
                _ => self.special(value, "__call__").is_some(),
            },
            _ => false,
        }
    }
}
