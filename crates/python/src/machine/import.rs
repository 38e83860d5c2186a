//! Imports: library modules, modules of the host, and errors for all others.

use std::rc::Rc;

use crate::compile::compile_module;
use crate::host::{Constant, Export};
use crate::machine::Need;
use crate::machine::{Machine, R};
use crate::module::{library_source, native_module};
use crate::value::{Body, Dict, HostFunction, Obj, ObjId, Type, Value};

impl Machine {
    /// `import name`, or the first step of `from name import ...`.
    pub(crate) fn import(&mut self, name: &Rc<str>, level: i64, names: &Value) -> R {
        if level > 0 {
            return self
                .raise_error(Type::ImportError, "attempted relative import with no known parent package");
        }
        let mut parent: Option<ObjId> = None;
        let mut first = Value::None;
        let mut at = 0;
        loop {
            let end = name[at..].find('.').map_or(name.len(), |e| at + e);
            let full = &name[..end];
            let Some(module) = self.load_module(full)? else {
                return self.no_module(full, parent);
            };
            if let Value::Obj(id) = module {
                if let Some(parent) = parent
                    && self.own_attribute(&Value::Obj(parent), &name[at..end]).is_none()
                {
                    self.set_own_attribute(parent, &name[at..end], module.clone());
                }
                parent = Some(id);
            }
            if first.is_none() {
                first = module.clone();
            }
            if end == name.len() {
                return Ok(if names.is_none() { first } else { module });
            }
            at = end + 1;
        }
    }

    fn no_module(&mut self, full: &str, parent: Option<ObjId>) -> R {
        let text = match (parent, full.rsplit_once('.')) {
            (Some(_), Some((package, _))) if !self.is_package(package) => {
                format!("No module named '{full}'; '{package}' is not a package")
            }
            _ => format!("No module named '{full}'"),
        };
        Err(self.error_with(Type::ModuleNotFoundError, &text, &[("name", Value::str(full))]))
    }

    fn is_package(&self, name: &str) -> bool {
        let prefix = format!("{name}.");
        self.host.modules.keys().any(|m| m.starts_with(&prefix)) || matches!(name, "collections")
    }

    fn load_module(&mut self, full: &str) -> R<Option<Value>> {
        let found = self.logged(|m| Ok(m.load_now(full)?.unwrap_or(Value::None)))?;
        Ok(if found.is_none() { None } else { Some(found) })
    }

    fn load_now(&mut self, full: &str) -> R<Option<Value>> {
        let known = self.modules.get(full).copied();
        // A result in the log says that the module's own code has run, well or badly.
        if let (Some(id), Some(result)) = (known, self.replayed()) {
            if let Err(fault) = result {
                self.modules.remove(full);
                return Err(fault);
            }
            return Ok(Some(Value::Obj(id)));
        }
        if let Some(id) = known {
            return Ok(Some(Value::Obj(id)));
        }
        if let Some(table) = native_module(full) {
            let mut dict = Dict::default();
            for function in table {
                dict.set_str(function.name, Value::Native(crate::value::Native(function)));
            }
            return Ok(Some(Value::Obj(self.add_module(full, dict))));
        }
        if self.host.modules.contains_key(full) {
            return Ok(Some(Value::Obj(self.add_host_module(full))));
        }
        let Some(source) = library_source(full) else { return Ok(None) };
        let file = format!("<library {full}>");
        let code = match compile_module(source, &file, true) {
            Ok(code) => code,
            Err(errors) => {
                let text = errors.first().map(ToString::to_string).unwrap_or_default();
                return self.raise_error(Type::SystemError, &text);
            }
        };
        let id = self.add_module(full, Dict::default());
        let globals = self.attrs_of(id);
        self.need(Need::Code(code, globals, None))?;
        Ok(Some(Value::Obj(id)))
    }

    /// A module object with these names.
    pub(crate) fn add_module(&mut self, name: &str, mut dict: Dict) -> ObjId {
        dict.set_str("__name__", Value::str(name));
        let attrs = match self.dict(dict) {
            Value::Obj(id) => id,
            _ => unreachable!("a dict is on the heap"),
        };
        let id = self.heap.add(Obj {
            class: Type::Module.id(),
            attrs: Some(attrs),
            body: Body::Module(Rc::from(name)),
        });
        self.modules.insert(name.to_owned(), id);
        id
    }

    fn add_host_module(&mut self, full: &str) -> ObjId {
        let host = Rc::clone(&self.host);
        let id = self.add_module(full, Dict::default());
        let Some(module) = host.modules.get(full) else { return id };
        for (name, export) in &module.exports {
            let value = match export {
                Export::Function => {
                    let function = HostFunction::Module { module: full.to_owned(), name: name.clone() };
                    Value::HostFunction(Rc::new(function))
                }
                Export::Class(class) => {
                    self.host_classes.get(class.0 as usize).map_or(Value::None, |c| Value::Obj(*c))
                }
                Export::Exception(class) => {
                    self.exceptions.get(class).map_or(Value::None, |c| Value::Obj(*c))
                }
                Export::Module(other) => match self.modules.get(other) {
                    Some(other) => Value::Obj(*other),
                    None => Value::Obj(self.add_host_module(other)),
                },
                Export::Constant(constant) => self.constant(constant),
                Export::Refused(message) => {
                    Value::HostFunction(Rc::new(HostFunction::Refused(message.clone())))
                }
            };
            self.set_own_attribute(id, name, value);
        }
        let prefix = format!("{full}.");
        for child in
            host.modules.keys().filter(|m| m.starts_with(&prefix) && !m[prefix.len()..].contains('.'))
        {
            let child_id = match self.modules.get(child) {
                Some(found) => *found,
                None => self.add_host_module(child),
            };
            let short = &child[prefix.len()..];
            if self.own_attribute(&Value::Obj(id), short).is_none() {
                self.set_own_attribute(id, short, Value::Obj(child_id));
            }
        }
        if let Some(all) = &module.all {
            let names = all.iter().map(|n| Value::str(n)).collect();
            let all = self.list(names);
            self.set_own_attribute(id, "__all__", all);
        }
        id
    }

    pub(crate) fn constant(&mut self, constant: &Constant) -> Value {
        match constant {
            Constant::None => Value::None,
            Constant::Bool(b) => Value::Bool(*b),
            Constant::Int(i) => Value::Int(*i),
            Constant::Float(f) => Value::Float(*f),
            Constant::Str(s) => Value::str(s),
            Constant::List(items) => {
                let items = items.iter().map(|i| self.constant(i)).collect();
                self.list(items)
            }
            Constant::Tuple(items) => Value::tuple(items.iter().map(|i| self.constant(i)).collect()),
            Constant::Dict(pairs) => {
                let pairs = pairs.iter().map(|(k, v)| (self.constant(k), self.constant(v))).collect();
                self.new_dict(pairs)
            }
            Constant::Object(object) => Value::Host(*object),
        }
    }

    pub(crate) fn import_from(&mut self, module: &Value, name: &Rc<str>) -> R {
        if let Some(value) = self.own_attribute(module, name) {
            if let Value::HostFunction(f) = &value
                && let HostFunction::Refused(message) = &**f
            {
                let message = message.clone();
                return self.raise_error(Type::NotImplementedError, &message);
            }
            return Ok(value);
        }
        let module_name = match self.body(module) {
            Some(Body::Module(name)) => name.to_string(),
            _ => String::new(),
        };
        let full = format!("{module_name}.{name}");
        if let Some(found) = self.load_module(&full)? {
            if let Value::Obj(id) = module {
                self.set_own_attribute(*id, name, found.clone());
            }
            return Ok(found);
        }
        let text = format!("cannot import name '{name}' from '{module_name}' (unknown location)");
        Err(self.error_with(Type::ImportError, &text, &[("name", Value::str(&module_name))]))
    }

    pub(crate) fn import_star(&mut self, module: &Value) -> R<()> {
        let Value::Obj(id) = module else { return Ok(()) };
        let attrs = self.attrs_of(*id);
        let all = self.dict_of(attrs).get_str("__all__").cloned();
        let wanted: Option<Vec<Rc<str>>> = all
            .and_then(|a| self.quick_items(&a))
            .map(|names| names.iter().filter_map(|n| self.as_text(n)).collect());
        let pairs: Vec<(Rc<str>, Value)> = self
            .dict_of(attrs)
            .iter()
            .filter_map(|(k, v)| self.as_text(k).map(|k| (k, v.clone())))
            .filter(|(k, v)| match &wanted {
                Some(wanted) => wanted.contains(k),
                None => !k.starts_with('_') && !matches!(self.body(v), Some(Body::Module(_))),
            })
            .filter(|(_, v)| !matches!(v, Value::HostFunction(f) if matches!(**f, HostFunction::Refused(_))))
            .collect();
        let Some(frame) = self.top_py() else { return Ok(()) };
        let target = frame.names.unwrap_or(frame.globals);
        for (name, value) in pairs {
            self.dict_mut(target).set_name(&name, value);
        }
        Ok(())
    }

    /// A function of the library's core.
    pub(crate) fn core(&self, name: &str) -> Value {
        self.modules
            .get("_core")
            .and_then(|m| self.own_attribute(&Value::Obj(*m), name))
            .unwrap_or(Value::None)
    }
}
