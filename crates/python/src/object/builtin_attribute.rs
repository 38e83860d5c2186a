//! The attributes that objects of built-in types have beside their methods.

use std::rc::Rc;

use crate::machine::{Machine, R};
use crate::value::{Body, ObjId, Type, Value};

impl Machine {
    /// Attributes such as `__class__`, `__name__`, `args`.
    // tidy: table
    pub(crate) fn built_in_attribute(&mut self, object: &Value, name: &str) -> R<Option<Value>> {
        match name {
            "__class__" => return Ok(Some(Value::Obj(self.class_of(object)))),
            "__dict__" => return self.dict_attribute(object),
            "__doc__" => {
                if let Some(Body::Function(f)) = self.body(object) {
                    return Ok(Some(f.doc.clone()));
                }
                if let Some(Body::Property(parts)) = self.body(object) {
                    if !parts[3].is_none() {
                        return Ok(Some(parts[3].clone()));
                    }
                    let getter = parts[0].clone();
                    return self.plain_attribute(&getter, &Rc::from("__doc__"));
                }
                return Ok(Some(Value::None));
            }
            _ => {}
        }
        Ok(match object {
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Function(_) => self.function_attribute(*id, name),
                Body::Exception(_) => self.exception_attribute(*id, name),
                Body::Generator(g) => match name {
                    "__name__" => Some(Value::Str(g.name.clone())),
                    "__qualname__" => Some(Value::Str(g.qualname.clone())),
                    _ => None,
                },
                Body::Cell(value) if name == "cell_contents" => match value {
                    Some(value) => Some(value.clone()),
                    None => return self.value_error("Cell is empty"),
                },
                Body::Property(parts) => match name {
                    "fget" => Some(parts[0].clone()),
                    "fset" => Some(parts[1].clone()),
                    "fdel" => Some(parts[2].clone()),
                    _ => None,
                },
                Body::StaticMethod(inner) | Body::ClassMethod(inner) => match name {
                    "__func__" | "__wrapped__" => Some(inner.clone()),
                    "__name__" | "__qualname__" | "__module__" => {
                        let inner = inner.clone();
                        Some(self.get_attribute(&inner, &Rc::from(name))?)
                    }
                    _ => None,
                },
                Body::Code(code) => {
                    let texts = |names: &[Rc<str>]| {
                        Value::tuple(names.iter().map(|n| Value::Str(n.clone())).collect())
                    };
                    match name {
                        "co_name" => Some(Value::Str(code.name.clone())),
                        "co_qualname" => Some(Value::Str(code.qualname.clone())),
                        "co_filename" => Some(Value::Str(code.source.file.clone())),
                        "co_firstlineno" => Some(Value::Int(i64::from(code.first_line))),
                        "co_argcount" => Some(Value::Int(code.positional as i64)),
                        "co_kwonlyargcount" => Some(Value::Int(code.kwonly as i64)),
                        "co_posonlyargcount" => Some(Value::Int(code.posonly as i64)),
                        "co_varnames" => Some(texts(&code.locals)),
                        "co_freevars" => Some(texts(&code.cells[code.own_cells..])),
                        "co_cellvars" => Some(texts(&code.cells[..code.own_cells])),
                        "co_flags" => Some(Value::Int(
                            3 | i64::from(code.vararg) << 2
                                | i64::from(code.kwarg) << 3
                                | i64::from(code.generator) << 5,
                        )),
                        _ => None,
                    }
                }
                _ => None,
            },
            Value::Bound(bound) => match name {
                "__self__" => Some(bound.receiver.clone()),
                "__func__" => Some(bound.function.clone()),
                _ => {
                    let function = bound.function.clone();
                    return self.plain_attribute(&function, &Rc::from(name));
                }
            },
            Value::Native(native) => match name {
                "__name__" => Some(Value::str(native.0.name)),
                "__qualname__" => Some(if native.0.kind == crate::machine::NativeKind::Function {
                    Value::str(native.0.name)
                } else {
                    Value::from(format!("{}.{}", native.0.owner, native.0.name))
                }),
                "__module__" => Some(Value::str(match native.0.kind {
                    crate::machine::NativeKind::Function => native.0.owner,
                    _ => "builtins",
                })),
                _ => None,
            },
            Value::HostFunction(function) => Self::host_function_attribute(function, name),
            Value::Int(_) | Value::Bool(_) | Value::Big(_) => match name {
                "real" | "numerator" => Some(self.plain_int(object)),
                "imag" => Some(Value::Int(0)),
                "denominator" => Some(Value::Int(1)),
                _ => None,
            },
            Value::Float(f) => match name {
                "real" => Some(Value::Float(*f)),
                "imag" => Some(Value::Float(0.0)),
                _ => None,
            },
            Value::Complex(r, i) => match name {
                "real" => Some(Value::Float(*r)),
                "imag" => Some(Value::Float(*i)),
                _ => None,
            },
            Value::Range(r) => match name {
                "start" => Some(Value::Int(r.start)),
                "stop" => Some(Value::Int(r.stop)),
                "step" => Some(Value::Int(r.step)),
                _ => None,
            },
            Value::Slice(s) => match name {
                "start" => Some(s[0].clone()),
                "stop" => Some(s[1].clone()),
                "step" => Some(s[2].clone()),
                _ => None,
            },
            _ => None,
        })
    }

    fn host_function_attribute(function: &crate::value::HostFunction, name: &str) -> Option<Value> {
        use crate::value::HostFunction;
        let (module, own) = match function {
            HostFunction::Module { module, name } => (module.clone(), name.clone()),
            HostFunction::Method { name, .. }
            | HostFunction::Static { name, .. }
            | HostFunction::Property { name, .. } => (String::new(), name.clone()),
            HostFunction::Refused(_) | HostFunction::Getter(_) => return None,
        };
        match name {
            "__name__" | "__qualname__" => Some(Value::from(own)),
            "__module__" => Some(Value::from(module)),
            _ => None,
        }
    }

    fn plain_int(&self, value: &Value) -> Value {
        match value {
            Value::Bool(b) => Value::Int(i64::from(*b)),
            other => other.clone(),
        }
    }

    fn dict_attribute(&mut self, object: &Value) -> R<Option<Value>> {
        let Value::Obj(id) = object else { return Ok(None) };
        let class = self.heap.get(*id).class;
        let slotted = self.class_data(class).is_some_and(|c| c.slots.is_some());
        let has = match &self.heap.get(*id).body {
            Body::Instance | Body::Exception(_) | Body::Function(_) | Body::Module(_) => !slotted,
            _ => self.class_data(class).is_some_and(|c| c.user) && !slotted,
        };
        if !has {
            return Ok(None);
        }
        let attrs = self.attrs_of(*id);
        Ok(Some(Value::Obj(attrs)))
    }

    pub(crate) fn built_in_class_attribute(&mut self, id: ObjId, name: &str) -> Option<Value> {
        let data = self.class_data(id)?;
        let classes = |ids: &[ObjId]| Value::tuple(ids.iter().map(|c| Value::Obj(*c)).collect());
        Some(match name {
            "__name__" => Value::str(data.name.rsplit('.').next().unwrap_or(&data.name)),
            "__qualname__" => Value::Str(data.qualname.clone()),
            "__module__" => Value::Str(data.module.clone()),
            "__mro__" => classes(&data.mro),
            "__bases__" => classes(&data.bases),
            "__base__" => data.bases.first().map_or(Value::None, |b| Value::Obj(*b)),
            "__class__" => Value::Obj(self.heap.get(id).class),
            "__doc__" => Value::None,
            "__annotations__" if data.user => {
                let dict = self.new_dict_id();
                if let Some(data) = self.class_data_mut(id) {
                    data.dict.set_str("__annotations__", Value::Obj(dict));
                }
                Value::Obj(dict)
            }
            "__dict__" => {
                let dict = data.dict.clone();
                self.add(Type::MappingProxy, Body::Dict(dict))
            }
            _ => return None,
        })
    }

    fn function_attribute(&mut self, id: ObjId, name: &str) -> Option<Value> {
        let data = self.function_data(id)?;
        Some(match name {
            "__name__" => Value::Str(data.name.clone()),
            "__qualname__" => Value::Str(data.qualname.clone()),
            "__module__" => data.module.clone(),
            "__defaults__" if data.defaults.is_empty() => Value::None,
            "__defaults__" => Value::Tuple(data.defaults.clone()),
            "__globals__" => Value::Obj(data.globals),
            "__closure__" if data.closure.is_empty() => Value::None,
            "__closure__" => Value::tuple(data.closure.iter().map(|c| Value::Obj(*c)).collect()),
            "__code__" => {
                let code = Rc::clone(&data.code);
                self.add(Type::Code, Body::Code(code))
            }
            "__kwdefaults__" => {
                let pairs = data.kwdefaults.clone();
                if pairs.is_empty() {
                    return Some(Value::None);
                }
                let dict = self.new_dict_id();
                for (name, value) in pairs {
                    self.dict_mut(dict).set_name(&name, value);
                }
                Value::Obj(dict)
            }
            "__annotations__" => match &data.annotations {
                Some(found) => found.clone(),
                None => {
                    let dict = Value::Obj(self.new_dict_id());
                    if let Body::Function(f) = &mut self.heap.get_mut(id).body {
                        f.annotations = Some(dict.clone());
                    }
                    dict
                }
            },
            _ => return None,
        })
    }

    pub(crate) fn set_function_attribute(&mut self, id: ObjId, name: &str, value: Value) -> R<()> {
        let text = self.as_text(&value);
        let tuple = self.as_tuple(&value);
        let Body::Function(data) = &mut self.heap.get_mut(id).body else { return Ok(()) };
        match (name, text, tuple) {
            ("__name__", Some(text), _) => data.name = text,
            ("__qualname__", Some(text), _) => data.qualname = text,
            ("__doc__", ..) => data.doc = value,
            ("__module__", ..) => data.module = value,
            ("__defaults__", _, Some(values)) => data.defaults = values,
            ("__defaults__", ..) => data.defaults = Rc::from(Vec::new()),
            ("__annotations__", ..) => data.annotations = Some(value),
            _ => self.set_own_attribute(id, name, value),
        }
        Ok(())
    }

    fn exception_attribute(&mut self, id: ObjId, name: &str) -> Option<Value> {
        let class = self.heap.get(id).class;
        let data = self.exception(id);
        let arg = |at: usize| data.args.get(at).cloned().unwrap_or(Value::None);
        match name {
            "args" => return Some(Value::Tuple(data.args.clone())),
            "__cause__" => return Some(data.cause.clone().unwrap_or(Value::None)),
            "__context__" => return Some(data.context.clone().unwrap_or(Value::None)),
            "__suppress_context__" => return Some(Value::Bool(data.suppress)),
            "__traceback__" => return Some(self.traceback_object(&Value::Obj(id))),
            _ => {}
        }
        let is = |kind: Type| self.class_is(class, kind.id());
        match name {
            "value" if is(Type::StopIteration) => Some(arg(0)),
            "code" if is(Type::SystemExit) => Some(match data.args.len() {
                0 => Value::None,
                1 => arg(0),
                _ => Value::Tuple(data.args.clone()),
            }),
            "errno" | "strerror" | "filename" if is(Type::OSError) => Some(match (name, data.args.len()) {
                (_, 0 | 1) => Value::None,
                ("errno", _) => arg(0),
                ("strerror", _) => arg(1),
                _ => arg(2),
            }),
            "filename2" if is(Type::OSError) => Some(Value::None),
            "name" | "path" | "obj"
                if is(Type::ImportError) || is(Type::NameError) || is(Type::AttributeError) =>
            {
                Some(Value::None)
            }
            "msg" if is(Type::ImportError) || is(Type::SyntaxError) => Some(arg(0)),
            "message" if is(Type::BaseExceptionGroup) => Some(arg(0)),
            "exceptions" if is(Type::BaseExceptionGroup) => {
                Some(Value::tuple(self.group_items(id).unwrap_or_default()))
            }
            "encoding" if is(Type::UnicodeError) => Some(arg(0)),
            "object" if is(Type::UnicodeError) => Some(arg(1)),
            "start" if is(Type::UnicodeError) => Some(arg(2)),
            "end" if is(Type::UnicodeError) => Some(arg(3)),
            "reason" if is(Type::UnicodeError) => Some(arg(4)),
            _ => None,
        }
    }

    /// Sets an attribute that exceptions have by nature; returns whether it is one.
    pub(crate) fn set_exception_attribute(&mut self, id: ObjId, name: &str, value: &Value) -> R<bool> {
        match name {
            "args" => {
                let items = self.collect_items(value)?;
                self.exception_mut(id).args = Rc::from(items);
            }
            "__cause__" => {
                let data = self.exception_mut(id);
                data.cause = if value.is_none() { None } else { Some(value.clone()) };
                data.suppress = true;
            }
            "__context__" => {
                self.exception_mut(id).context = if value.is_none() { None } else { Some(value.clone()) };
            }
            "__suppress_context__" => {
                self.exception_mut(id).suppress = matches!(value, Value::Bool(true));
            }
            "__traceback__" => {
                let trace = match self.body(value) {
                    Some(Body::Traceback(entries)) => entries.to_vec(),
                    _ => Vec::new(),
                };
                self.exception_mut(id).trace = trace;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
