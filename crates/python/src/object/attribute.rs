//! Attributes: where they are found, how they bind, how they are set.

use std::rc::Rc;

use crate::host::Target;
use crate::machine::{Args, Fault, Machine, NativeKind, R};
use crate::value::{Body, Bound, HostFunction, ObjId, Type, Value, hash_str};

impl Machine {
    /// What the class or its bases call `name`, unbound.
    pub(crate) fn lookup_class(&self, class: ObjId, name: &str) -> Option<Value> {
        let hash = hash_str(name);
        let data = self.class_data(class)?;
        data.mro.iter().find_map(|c| self.class_data(*c)?.dict.get_hashed(hash, name).cloned())
    }

    /// A method that code outside of the machine defines for the class of a value.
    pub(crate) fn special(&self, value: &Value, name: &str) -> Option<Value> {
        let class = match value {
            Value::Obj(id) => self.heap.get(*id).class,
            Value::Host(_) => self.class_of(value),
            _ => return None,
        };
        if class.0 < crate::value::TYPES.len() as u32 {
            return None;
        }
        match self.lookup_class(class, name)? {
            Value::Native(_) => None,
            found => Some(found),
        }
    }

    pub(crate) fn own_attribute(&self, value: &Value, name: &str) -> Option<Value> {
        let Value::Obj(id) = value else { return None };
        let attrs = self.heap.get(*id).attrs?;
        self.dict_of(attrs).get_str(name).cloned()
    }

    /// The dict of an object's attributes, made if it has none.
    pub(crate) fn attrs_of(&mut self, id: ObjId) -> ObjId {
        match self.heap.get(id).attrs {
            Some(attrs) => attrs,
            None => {
                let attrs = self.new_dict_id();
                self.heap.get_mut(id).attrs = Some(attrs);
                attrs
            }
        }
    }

    pub(crate) fn set_own_attribute(&mut self, id: ObjId, name: &str, value: Value) {
        let attrs = self.attrs_of(id);
        self.dict_mut(attrs).set_str(name, value);
    }

    /// Attributes that need no code: those of instances and modules, and methods.
    pub(crate) fn quick_attribute(&self, object: &Value, name: &Rc<str>) -> Option<Value> {
        let class = match object {
            Value::Obj(id) => {
                let obj = self.heap.get(*id);
                match &obj.body {
                    Body::Class(_) | Body::Super(..) | Body::Function(_) => return None,
                    Body::Module(_) => return self.own_attribute(object, name),
                    _ => {}
                }
                if self.class_data(obj.class)?.hooked {
                    return None;
                }
                obj.class
            }
            _ => self.class_of(object),
        };
        let found = self.lookup_class(class, name);
        match found {
            None => self.own_attribute(object, name),
            Some(Value::Obj(id)) => match &self.heap.get(id).body {
                Body::Function(_) => match self.own_attribute(object, name) {
                    Some(own) => Some(own),
                    None => Some(Value::Bound(Rc::new(Bound {
                        function: Value::Obj(id),
                        receiver: object.clone(),
                    }))),
                },
                _ => None,
            },
            Some(Value::Native(native)) if native.0.kind == NativeKind::Method => {
                match self.own_attribute(object, name) {
                    Some(own) => Some(own),
                    None => Some(Value::Bound(Rc::new(Bound {
                        function: Value::Native(native),
                        receiver: object.clone(),
                    }))),
                }
            }
            Some(Value::Native(_) | Value::HostFunction(_)) => None,
            Some(plain) => self.own_attribute(object, name).or(Some(plain)),
        }
    }

    /// What a class attribute becomes when read through an object.
    pub(crate) fn bind(&mut self, found: &Value, object: &Value) -> R {
        let bound = |function: Value| Value::Bound(Rc::new(Bound { function, receiver: object.clone() }));
        match found {
            Value::Native(native) => Ok(match native.0.kind {
                NativeKind::Method => bound(found.clone()),
                NativeKind::Class => {
                    let class = Value::Obj(self.class_of(object));
                    Value::Bound(Rc::new(Bound { function: found.clone(), receiver: class }))
                }
                NativeKind::Function | NativeKind::Static => found.clone(),
            }),
            Value::HostFunction(function) => match &**function {
                HostFunction::Method { .. } | HostFunction::Getter(_) => Ok(bound(found.clone())),
                HostFunction::Property { name, .. } => {
                    let target = Target::Property { receiver: object.clone(), name: name.clone() };
                    self.ask_host(target, &Args::default())
                }
                HostFunction::Refused(message) => {
                    let message = message.clone();
                    self.raise_error(Type::NotImplementedError, &message)
                }
                HostFunction::Module { .. } | HostFunction::Static { .. } => Ok(found.clone()),
            },
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Function(_) => Ok(bound(found.clone())),
                Body::Property(parts) => {
                    let getter = parts[0].clone();
                    if getter.is_none() {
                        let (class, name) = (self.type_name(object), self.property_name(found));
                        return self.attribute_error(
                            &format!("property '{name}' of '{class}' object has no getter"),
                            object,
                            &name,
                        );
                    }
                    self.call1(&getter, object)
                }
                Body::StaticMethod(inner) => Ok(inner.clone()),
                Body::ClassMethod(inner) => {
                    let inner = inner.clone();
                    let class = Value::Obj(self.class_of(object));
                    self.bind_to_class(&inner, class)
                }
                _ => match self.special(found, "__get__") {
                    Some(get) => {
                        let get = self.bind(&get, found)?;
                        let class = Value::Obj(self.class_of(object));
                        self.call_value(&get, Args::new(vec![object.clone(), class]))
                    }
                    None => Ok(found.clone()),
                },
            },
            other => Ok(other.clone()),
        }
    }

    fn bind_to_class(&mut self, inner: &Value, class: Value) -> R {
        if let Value::Obj(id) = inner
            && let Body::Property(parts) = &self.heap.get(*id).body
        {
            let getter = parts[0].clone();
            return self.call1(&getter, &class);
        }
        Ok(Value::Bound(Rc::new(Bound { function: inner.clone(), receiver: class })))
    }

    fn property_name(&self, property: &Value) -> String {
        let Some(Body::Property(parts)) = self.body(property) else { return String::new() };
        match self.body(&parts[0]).or_else(|| self.body(&parts[1])) {
            Some(Body::Function(f)) => f.name.to_string(),
            _ => String::new(),
        }
    }

    fn is_data_descriptor(&self, found: &Value) -> bool {
        match found {
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::Property(_) => true,
                Body::Function(_) | Body::Class(_) | Body::StaticMethod(_) | Body::ClassMethod(_) => false,
                _ => self.special(found, "__set__").is_some(),
            },
            Value::HostFunction(f) => matches!(&**f, HostFunction::Property { .. }),
            _ => false,
        }
    }

    /// `object.name`
    pub(crate) fn get_attribute(&mut self, object: &Value, name: &Rc<str>) -> R {
        let class = self.class_of(object);
        if self.class_data(class).is_some_and(|c| c.hooked)
            && let Some(hook) = self.special(object, "__getattribute__")
        {
            let hook = self.bind(&hook, object)?;
            return match self.call1(&hook, &Value::Str(name.clone())) {
                Err(fault) if self.fault_is(&fault, Type::AttributeError) => {
                    self.missing_attribute(object, name, Some(fault))
                }
                other => other,
            };
        }
        match self.plain_attribute(object, name)? {
            Some(value) => Ok(value),
            None => self.missing_attribute(object, name, None),
        }
    }

    /// Asks `__getattr__`, or raises.
    fn missing_attribute(&mut self, object: &Value, name: &Rc<str>, fault: Option<Fault>) -> R {
        if let Some(hook) = self.special(object, "__getattr__") {
            let hook = self.bind(&hook, object)?;
            return self.call1(&hook, &Value::Str(name.clone()));
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        let text = match self.body(object) {
            Some(Body::Class(c)) => format!("type object '{}' has no attribute '{name}'", c.name),
            Some(Body::Module(module)) => format!("module '{module}' has no attribute '{name}'"),
            Some(Body::Super(..)) => format!("'super' object has no attribute '{name}'"),
            None if self.class_of(object) == Type::Method.id() => {
                format!("'function' object has no attribute '{name}'")
            }
            _ => format!("'{}' object has no attribute '{name}'", self.type_name(object)),
        };
        self.attribute_error(&text, object, name)
    }

    pub(crate) fn attribute_error<T>(&mut self, text: &str, object: &Value, name: &str) -> R<T> {
        let attributes = [("name", Value::str(name)), ("obj", object.clone())];
        Err(self.error_with(Type::AttributeError, text, &attributes))
    }

    /// An attribute by the usual rules, without hooks.
    pub(crate) fn plain_attribute(&mut self, object: &Value, name: &Rc<str>) -> R<Option<Value>> {
        match self.body(object) {
            Some(Body::Class(_)) => return self.class_attribute(object, name),
            Some(Body::Super(start, receiver)) => {
                let (start, receiver) = (*start, receiver.clone());
                return self.super_attribute(object, start, &receiver, name);
            }
            _ => {}
        }
        let class = self.class_of(object);
        let found = self.lookup_class(class, name);
        if let Some(found) = &found
            && self.is_data_descriptor(found)
        {
            return self.bind(found, object).map(Some);
        }
        if let Some(own) = self.own_attribute(object, name) {
            return self.check_refused(own).map(Some);
        }
        if let Some(found) = found {
            return self.bind(&found, object).map(Some);
        }
        self.built_in_attribute(object, name)
    }

    fn check_refused(&mut self, value: Value) -> R {
        match &value {
            Value::HostFunction(f) => match &**f {
                HostFunction::Refused(message) => {
                    let message = message.clone();
                    self.raise_error(Type::NotImplementedError, &message)
                }
                _ => Ok(value),
            },
            _ => Ok(value),
        }
    }

    fn class_attribute(&mut self, object: &Value, name: &Rc<str>) -> R<Option<Value>> {
        let Value::Obj(id) = object else { return Ok(None) };
        let meta = self.heap.get(*id).class;
        let from_meta = self.lookup_class(meta, name);
        if let Some(found) = &from_meta
            && self.is_data_descriptor(found)
        {
            return self.bind(found, object).map(Some);
        }
        if let Some(found) = self.lookup_class(*id, name) {
            return self.bind_on_class(&found, object).map(Some);
        }
        if let Some(value) = self.built_in_class_attribute(*id, name) {
            return Ok(Some(value));
        }
        match from_meta {
            Some(found) => self.bind(&found, object).map(Some),
            None => Ok(None),
        }
    }

    fn bind_on_class(&mut self, found: &Value, class: &Value) -> R {
        match found {
            Value::Native(native) if native.0.kind == NativeKind::Class => {
                Ok(Value::Bound(Rc::new(Bound { function: found.clone(), receiver: class.clone() })))
            }
            Value::HostFunction(_) => self.check_refused(found.clone()),
            Value::Obj(id) => match &self.heap.get(*id).body {
                Body::StaticMethod(inner) => Ok(inner.clone()),
                Body::ClassMethod(inner) => {
                    let inner = inner.clone();
                    self.bind_to_class(&inner, class.clone())
                }
                Body::Function(_) | Body::Property(_) | Body::Class(_) => Ok(found.clone()),
                _ => match self.special(found, "__get__") {
                    Some(get) => {
                        let get = self.bind(&get, found)?;
                        self.call_value(&get, Args::new(vec![Value::None, class.clone()]))
                    }
                    None => Ok(found.clone()),
                },
            },
            other => Ok(other.clone()),
        }
    }

    fn super_attribute(
        &mut self,
        object: &Value,
        start: ObjId,
        receiver: &Value,
        name: &Rc<str>,
    ) -> R<Option<Value>> {
        if &**name == "__class__" {
            return Ok(Some(Value::Obj(self.class_of(object))));
        }
        let on_class = self.as_class(receiver).filter(|c| self.class_is(*c, start));
        let class = on_class.unwrap_or_else(|| self.class_of(receiver));
        let Some(data) = self.class_data(class) else { return Ok(None) };
        let mro = Rc::clone(&data.mro);
        let from = mro.iter().position(|c| *c == start).map_or(0, |at| at + 1);
        for base in &mro[from..] {
            let Some(found) = self.class_data(*base).and_then(|c| c.dict.get_str(name)).cloned() else {
                continue;
            };
            return match on_class {
                Some(_) => self.bind_on_class(&found, receiver).map(Some),
                None => self.bind(&found, receiver).map(Some),
            };
        }
        Ok(None)
    }

    /// `object.name = value`
    pub(crate) fn set_attr(&mut self, object: &Value, name: &Rc<str>, value: Value) -> R<()> {
        if let Some(hook) = self.special(object, "__setattr__") {
            let hook = self.bind(&hook, object)?;
            self.call_value(&hook, Args::new(vec![Value::Str(name.clone()), value]))?;
            return Ok(());
        }
        self.plain_set_attr(object, name, value)
    }

    pub(crate) fn plain_set_attr(&mut self, object: &Value, name: &Rc<str>, value: Value) -> R<()> {
        let class = self.class_of(object);
        if let Some(found) = self.lookup_class(class, name)
            && self.is_data_descriptor(&found)
        {
            return self.set_through(&found, object, name, value);
        }
        let Value::Obj(id) = object else { return self.cannot_set(object, name) };
        if matches!(self.heap.get(*id).body, Body::Exception(_))
            && self.set_exception_attribute(*id, name, &value)?
        {
            return Ok(());
        }
        match &self.heap.get(*id).body {
            Body::Class(data) => {
                if !data.user {
                    let text = format!("cannot set '{name}' attribute of immutable type '{}'", data.name);
                    return self.type_error(&text);
                }
                let text = if &**name == "__name__" { self.as_text(&value) } else { None };
                if let (Some(text), Some(data)) = (text, self.class_data_mut(*id)) {
                    data.name = text;
                    return Ok(());
                }
                if let Some(data) = self.class_data_mut(*id) {
                    data.dict.set_name(name, value);
                }
                Ok(())
            }
            Body::Function(_) => self.set_function_attribute(*id, name, value),
            Body::Exception(_) | Body::Module(_) | Body::Instance => {
                self.set_instance(object, *id, class, name, value)
            }
            _ if self.class_data(class).is_some_and(|c| c.user) => {
                self.set_instance(object, *id, class, name, value)
            }
            _ => self.cannot_set(object, name),
        }
    }

    fn set_instance(
        &mut self,
        object: &Value,
        id: ObjId,
        class: ObjId,
        name: &Rc<str>,
        value: Value,
    ) -> R<()> {
        if &**name == "__class__"
            && let Some(new) = self.as_class(&value)
        {
            self.heap.get_mut(id).class = new;
            return Ok(());
        }
        if &**name == "__dict__"
            && let Some(dict) = self.is_dict(&value)
        {
            self.heap.get_mut(id).attrs = Some(dict);
            return Ok(());
        }
        if let Some(data) = self.class_data(class)
            && let Some(slots) = &data.slots
            && !slots.contains(name)
        {
            return self.cannot_set(object, name);
        }
        if !self.class_data(class).is_some_and(|c| c.user) && matches!(self.heap.get(id).body, Body::Instance)
        {
            return self.cannot_set(object, name);
        }
        let attrs = self.attrs_of(id);
        self.dict_mut(attrs).set_name(name, value);
        Ok(())
    }

    fn cannot_set(&mut self, object: &Value, name: &str) -> R<()> {
        let class = self.class_of(object);
        let kind = self.type_name(object);
        let text = if self.lookup_class(class, name).is_some() {
            format!("'{kind}' object attribute '{name}' is read-only")
        } else {
            format!("'{kind}' object has no attribute '{name}'")
        };
        self.attribute_error(&text, object, name)
    }

    fn set_through(&mut self, found: &Value, object: &Value, name: &Rc<str>, value: Value) -> R<()> {
        if let Value::HostFunction(f) = found {
            if let HostFunction::Property { name, settable: true } = &**f {
                let target = Target::SetProperty { receiver: object.clone(), name: name.clone() };
                self.ask_host(target, &Args::new(vec![value]))?;
                return Ok(());
            }
            let kind = self.type_name(object);
            let text = format!("property '{name}' of '{kind}' object has no setter");
            return self.attribute_error(&text, object, name);
        }
        if let Some(Body::Property(parts)) = self.body(found) {
            let setter = parts[1].clone();
            if setter.is_none() {
                let kind = self.type_name(object);
                let text = format!("property '{name}' of '{kind}' object has no setter");
                return self.attribute_error(&text, object, name);
            }
            self.call_value(&setter, Args::new(vec![object.clone(), value]))?;
            return Ok(());
        }
        self.call_special(found, "__set__", &[object.clone(), value])?;
        Ok(())
    }

    /// `del object.name`
    pub(crate) fn delete_attribute(&mut self, object: &Value, name: &Rc<str>) -> R<()> {
        if let Some(hook) = self.special(object, "__delattr__") {
            let hook = self.bind(&hook, object)?;
            self.call1(&hook, &Value::Str(name.clone()))?;
            return Ok(());
        }
        self.plain_delete_attribute(object, name)
    }

    pub(crate) fn plain_delete_attribute(&mut self, object: &Value, name: &Rc<str>) -> R<()> {
        let class = self.class_of(object);
        if let Some(found) = self.lookup_class(class, name) {
            if let Some(Body::Property(parts)) = self.body(&found) {
                let deleter = parts[2].clone();
                if deleter.is_none() {
                    let kind = self.type_name(object);
                    let text = format!("property '{name}' of '{kind}' object has no deleter");
                    return self.attribute_error(&text, object, name);
                }
                self.call1(&deleter, object)?;
                return Ok(());
            }
            if self.special(&found, "__delete__").is_some() {
                self.call_special(&found, "__delete__", std::slice::from_ref(object))?;
                return Ok(());
            }
        }
        let Value::Obj(id) = object else { return self.no_attribute(object, name) };
        if let Some(data) = self.class_data_mut(*id) {
            if data.dict.remove_str(name).is_none() {
                let class = data.name.clone();
                let text = format!("type object '{class}' has no attribute '{name}'");
                return self.attribute_error(&text, object, name);
            }
            return Ok(());
        }
        let removed = match self.heap.get(*id).attrs {
            Some(attrs) => self.dict_mut(attrs).remove_str(name).is_some(),
            None => false,
        };
        if removed { Ok(()) } else { self.no_attribute(object, name) }
    }

    fn no_attribute(&mut self, object: &Value, name: &str) -> R<()> {
        let text = format!("'{}' object has no attribute '{name}'", self.type_name(object));
        self.attribute_error(&text, object, name)
    }
}
