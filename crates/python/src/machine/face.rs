//! The public face of the machine: programs in, answers in, values out.

use std::rc::Rc;

use crate::compile::{Code, compile_module};
use crate::diagnostic::{Span, SyntaxError};
use crate::host::{HostClassId, Printed, PyException, Stop, SystemError, SystemReply};
use crate::machine::frame::{Action, Frame, NativeFrame, Then, Waiting};
use crate::machine::moment_text::{date_repr, datetime_repr, timedelta_repr};
use crate::machine::{Args, Machine};
use crate::module::CORE;
use crate::value::{Body, Dict, HostFunction, Type, Value, View, plain_hash};

/// A compiled script: read once, run by any number of machines.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Rc<Code>,
    pub(crate) core: Rc<Code>,
}

impl Program {
    /// Compiles a script. All errors of syntax, and all syntax that this machine does not have, are found here.
    pub fn compile(source: &str, file: &str) -> Result<Self, Vec<SyntaxError>> {
        let code = compile_module(source, file, false)?;
        let core = compile_module(CORE, "<library core>", true)?;
        Ok(Self { code, core })
    }
}

impl Machine {
    /// Answers [`Stop::Ask`].
    pub fn answer(&mut self, answer: Result<Value, PyException>) {
        self.waiting = None;
        self.incoming = Some(match answer {
            Ok(value) => Ok(value),
            Err(exception) => Err(self.exception_of(exception)),
        });
    }

    fn exception_of(&mut self, exception: PyException) -> crate::value::ObjId {
        let class = self.exceptions.get(&exception.class).copied();
        let id = self.new_exception(class.unwrap_or(Type::RuntimeError.id()), exception.args);
        for (name, value) in exception.attributes {
            self.set_own_attribute(id, &name, value);
        }
        id
    }

    /// Answers [`Stop::System`].
    pub fn answer_system(&mut self, answer: Result<SystemReply, SystemError>) {
        let path = match &self.waiting {
            Some(Waiting::System(call)) => crate::module::path_of(call),
            _ => None,
        };
        self.waiting = None;
        self.incoming = Some(match answer {
            Ok(reply) => Ok(crate::module::reply_value(reply)),
            Err(error) => Err(self.system_exception(error, path)),
        });
    }

    fn system_exception(&mut self, error: SystemError, path: Option<String>) -> crate::value::ObjId {
        let (class, number, text) = match error {
            SystemError::NotFound => (Type::FileNotFoundError, 2, "No such file or directory"),
            SystemError::Exists => (Type::FileExistsError, 17, "File exists"),
            SystemError::IsFolder => (Type::IsADirectoryError, 21, "Is a directory"),
            SystemError::NotFolder => (Type::NotADirectoryError, 20, "Not a directory"),
            SystemError::NotEmpty => (Type::OSError, 39, "Directory not empty"),
            SystemError::Denied => (Type::PermissionError, 13, "Permission denied"),
            SystemError::NoSpace => (Type::OSError, 28, "No space left on device"),
        };
        let mut args = vec![Value::Int(number), Value::str(text)];
        args.extend(path.map(Value::from));
        self.new_exception(class.id(), args)
    }

    /// Calls a Python value on top of what the machine does now; allowed at any stop, also while a question is
    /// pending. The next [`Machine::run`] executes it and ends with [`Stop::Returned`] or [`Stop::Raised`].
    pub fn call(&mut self, function: &Value, args: Vec<Value>, kwargs: Vec<(String, Value)>) {
        let handled = std::mem::replace(&mut self.handled, Value::None);
        self.frames.push(Frame::Barrier(self.waiting.take(), self.incoming.take(), handled));
        let names = kwargs.into_iter().map(|(n, v)| (Rc::from(n), v)).collect();
        let action = Action::Call(function.clone(), Args { items: args, names });
        self.frames.push(Frame::Native(Box::new(NativeFrame {
            action,
            log: Vec::new(),
            depth: 0,
            then: Then::Push,
        })));
    }

    /// Keeps a value that the host holds on to alive, such as a function that it will call later.
    /// Functions and instances among the arguments of a [`Stop::Ask`] are kept without this.
    pub fn keep(&mut self, value: &Value) {
        self.kept.push(value.clone());
    }

    /// Takes what the script printed since the last time.
    pub fn take_stdout(&mut self) -> Vec<Printed> {
        std::mem::take(&mut self.printed)
    }

    /// Instructions executed since the machine was made.
    pub fn instructions(&self) -> u64 {
        self.executed
    }

    /// Line of the script that runs now, of the innermost frame that belongs to the script.
    pub fn current_line(&self) -> Option<u32> {
        self.current_span().map(|s| s.line)
    }

    /// As [`Machine::current_line`], the whole expression or statement.
    pub fn current_span(&self) -> Option<Span> {
        self.script_frame().map(crate::machine::PyFrame::span)
    }

    /// Sets a global name of the script, such as `spark`.
    pub fn set_global(&mut self, name: &str, value: Value) {
        let main = self.main;
        self.dict_mut(main).set_str(name, value);
    }

    /// Reads a global name of the script.
    pub fn global(&self, name: &str) -> Option<Value> {
        self.dict_of(self.main).get_str(name).cloned()
    }

    /// What a value is, one level deep.
    // tidy: table
    pub fn view(&self, value: &Value) -> View {
        match value {
            Value::None => View::None,
            Value::Bool(b) => View::Bool(*b),
            Value::Int(i) => View::Int(*i),
            Value::Big(b) => View::Big((**b).clone()),
            Value::Float(f) => View::Float(*f),
            Value::Str(s) => View::Str(s.clone()),
            Value::Bytes(b) => View::Bytes(b.to_vec()),
            Value::Tuple(items) => View::Tuple(items.to_vec()),
            Value::Range(r) => View::Range(r.start, r.stop, r.step),
            Value::Host(object) => View::Host(*object),
            Value::Native(n) => View::Function(n.0.name.to_owned()),
            Value::Bound(b) => self.view(&b.function),
            Value::HostFunction(f) => View::Function(match &**f {
                HostFunction::Module { name, .. }
                | HostFunction::Method { name, .. }
                | HostFunction::Static { name, .. }
                | HostFunction::Property { name, .. } => name.clone(),
                HostFunction::Getter(name) => name.clone(),
                HostFunction::Refused(_) => String::new(),
            }),
            Value::Ellipsis | Value::NotImplemented | Value::Complex(..) | Value::Slice(_) => {
                View::Other(self.type_name(value))
            }
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::List(items) => View::List(items.clone()),
                Body::Dict(d) => View::Dict(d.iter().map(|(k, v)| (k.clone(), v.clone())).collect()),
                Body::Set(d) | Body::FrozenSet(d) => View::Set(d.keys().cloned().collect()),
                Body::View(dict, kind) => View::List(self.view_items(*dict, *kind)),
                Body::ByteArray(b) => View::Bytes(b.clone()),
                Body::Boxed(inner) => self.view(inner),
                Body::Function(f) => View::Function(f.name.to_string()),
                Body::Class(c) => View::Class(c.name.to_string(), c.host),
                Body::Exception(e) => {
                    let text = match &e.args[..] {
                        [] => String::new(),
                        [Value::Str(s)] => s.to_string(),
                        [one] => self.plain_repr(one),
                        _ => self.plain_repr(&Value::Tuple(Rc::clone(&e.args))),
                    };
                    View::Exception(self.type_name(value), text)
                }
                Body::Instance => self.view_instance(value),
                _ => View::Other(self.type_name(value)),
            },
        }
    }

    fn view_instance(&self, value: &Value) -> View {
        let number = |name: &str| self.own_attribute(value, name).and_then(|v| v.as_int());
        let class = self.class_of(value);
        let data = self.class_data(class);
        let mro = data.map(|c| Rc::clone(&c.mro)).unwrap_or_default();
        for base in mro.iter() {
            let Some(base) = self.class_data(*base) else { continue };
            match (&*base.module, &*base.name) {
                ("datetime", "datetime") => {
                    let offset = self
                        .own_attribute(value, "_tzinfo")
                        .filter(|t| !t.is_none())
                        .and_then(|t| self.own_attribute(&t, "_micros"))
                        .and_then(|m| m.as_int());
                    return View::Datetime {
                        wall_micros: number("_micros").unwrap_or(0),
                        offset_micros: offset,
                    };
                }
                ("datetime", "date") => return View::Date(number("_days").unwrap_or(0) as i32),
                ("datetime", "timedelta") => return View::Timedelta(number("_micros").unwrap_or(0)),
                ("decimal", "Decimal") => {
                    let text = self.own_attribute(value, "_text").and_then(|t| self.as_text(&t));
                    return View::Decimal(text.map(|t| t.to_string()).unwrap_or_default());
                }
                _ => {}
            }
        }
        View::Instance(self.type_name(value), data.and_then(|c| c.host))
    }

    /// `repr()` without running Python code: instances with their own `__repr__` show as `<Name object>`.
    pub fn plain_repr(&self, value: &Value) -> String {
        let all = |items: &[Value]| items.iter().map(|i| self.plain_repr(i)).collect::<Vec<_>>().join(", ");
        match self.view(value) {
            View::Str(s) => crate::object::quote(&s),
            View::List(items) => format!("[{}]", all(&items)),
            View::Tuple(items) if items.len() == 1 => format!("({},)", all(&items)),
            View::Tuple(items) => format!("({})", all(&items)),
            View::Set(items) => format!("{{{}}}", all(&items)),
            View::Dict(pairs) => {
                let parts: Vec<String> = pairs
                    .iter()
                    .map(|(k, v)| format!("{}: {}", self.plain_repr(k), self.plain_repr(v)))
                    .collect();
                format!("{{{}}}", parts.join(", "))
            }
            View::Exception(class, text) => format!("{class}({})", crate::object::quote(&text)),
            View::Instance(name, _) | View::Other(name) => format!("<{name} object>"),
            View::Function(name) => format!("<function {name}>"),
            View::Class(name, _) => format!("<class '{name}'>"),
            View::Float(f) => crate::builtin::number_text::float_repr(f),
            View::Bool(true) => "True".to_owned(),
            View::Bool(false) => "False".to_owned(),
            View::None => "None".to_owned(),
            View::Int(i) => i.to_string(),
            View::Big(b) => b.to_string(),
            View::Bytes(b) => crate::object::quote_bytes(&b),
            View::Range(a, b, c) => format!("range({a}, {b}, {c})"),
            View::Decimal(text) => format!("Decimal('{text}')"),
            View::Datetime { wall_micros, offset_micros } => datetime_repr(wall_micros, offset_micros),
            View::Date(days) => date_repr(days),
            View::Timedelta(micros) => timedelta_repr(micros),
            View::Host(_) => format!("<{} object>", self.type_name(value)),
        }
    }

    /// Reads an attribute without running Python code: own attributes, then those of the class.
    pub fn attribute(&self, value: &Value, name: &str) -> Option<Value> {
        if let Some(id) = self.is_exception(value)
            && name == "args"
        {
            return Some(Value::Tuple(Rc::clone(&self.exception(id).args)));
        }
        self.own_attribute(value, name).or_else(|| match self.as_class(value) {
            Some(class) => self.lookup_class(class, name),
            None => self.lookup_class(self.class_of(value), name),
        })
    }

    /// Sets an attribute of an instance, function or module without running Python code.
    pub fn set_attribute(&mut self, value: &Value, name: &str, new: Value) {
        if let Value::Obj(id) = value {
            self.set_own_attribute(*id, name, new);
        }
    }

    /// A new list.
    pub fn new_list(&mut self, items: Vec<Value>) -> Value {
        self.list(items)
    }

    /// A new dict; keys must be plain (None, bool, int, float, str, bytes, tuples of these, host objects).
    pub fn new_dict(&mut self, items: Vec<(Value, Value)>) -> Value {
        let mut dict = Dict::default();
        for (key, value) in items {
            let hash = plain_hash(&key).unwrap_or(0);
            match dict.find(hash, &key) {
                crate::value::Found::At(at) => dict.set_slot(at, value),
                _ => dict.push(hash, key, value),
            }
        }
        self.dict(dict)
    }

    /// A new set of plain items.
    pub fn new_set(&mut self, items: Vec<Value>) -> Value {
        let mut set = Dict::default();
        for item in items {
            let hash = plain_hash(&item).unwrap_or(0);
            if matches!(set.find(hash, &item), crate::value::Found::Absent) {
                set.push(hash, item, Value::None);
            }
        }
        self.set(set)
    }

    /// An exception object, to be handed to Python code as a value.
    pub fn new_exception_value(&mut self, exception: PyException) -> Value {
        Value::Obj(self.exception_of(exception))
    }

    /// The class object of a host class, as Python sees it.
    pub fn host_class(&self, class: HostClassId) -> Value {
        self.host_classes.get(class.0 as usize).map_or(Value::None, |c| Value::Obj(*c))
    }

    /// The host class that a class object or an instance is of or derives from.
    pub fn host_class_of(&self, value: &Value) -> Option<HostClassId> {
        let class = self.as_class(value).unwrap_or_else(|| self.class_of(value));
        self.class_data(class).and_then(|c| c.host)
    }

    /// Drives a machine without a host to its end.
    pub(crate) fn drive(&mut self) -> (String, Result<(), crate::host::Traceback>) {
        let mut out = String::new();
        loop {
            let stop = self.run(1_000_000);
            for piece in self.take_stdout() {
                if !piece.error {
                    out.push_str(&piece.text);
                }
            }
            match stop {
                Stop::Finished | Stop::Returned(_) => return (out, Ok(())),
                Stop::OutOfFuel => {}
                Stop::Ask(_) => self.answer(Err(PyException::new("RuntimeError", "there is no host"))),
                Stop::System(call) => {
                    let reply = match call {
                        crate::host::SystemCall::Stat { .. } => Ok(SystemReply::Absent),
                        crate::host::SystemCall::Sleep { .. } => Ok(SystemReply::Done),
                        crate::host::SystemCall::Now => Ok(SystemReply::Now(1_704_067_200_000_000)),
                        _ => Err(SystemError::NotFound),
                    };
                    self.answer_system(reply);
                }
                Stop::Raised(traceback) => {
                    let quiet = traceback.exit_status == Some(0);
                    return (out, if quiet { Ok(()) } else { Err(traceback) });
                }
            }
        }
    }
}
