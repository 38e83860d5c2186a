//! A machine at its beginning: types, built-in names, the host's classes.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::builtin::{FUNCTIONS, METHODS};
use crate::host::{Host, Member};
use crate::machine::Machine;
use crate::machine::face::Program;
use crate::machine::frame::{Frame, PyFrame};
use crate::value::{
    Body, ClassData, Dict, EXCEPTIONS_FROM, Heap, HostFunction, Native, Obj, ObjId, TYPES, Type, Value,
};

const PUBLIC: &[Type] = &[
    Type::Object,
    Type::Type,
    Type::Int,
    Type::Bool,
    Type::Float,
    Type::Complex,
    Type::Str,
    Type::Bytes,
    Type::ByteArray,
    Type::Tuple,
    Type::List,
    Type::Dict,
    Type::Set,
    Type::FrozenSet,
    Type::Range,
    Type::Slice,
    Type::Property,
    Type::StaticMethod,
    Type::ClassMethod,
    Type::Super,
    Type::Map,
    Type::Filter,
    Type::Zip,
    Type::Enumerate,
    Type::Reversed,
];

impl Machine {
    /// A machine at the start of a script, with `__name__ == "__main__"`.
    pub fn new(program: &Program, host: Rc<Host>) -> Self {
        let mut machine = Self {
            heap: Heap::default(),
            frames: Vec::new(),
            py_frames: 0,
            modules: BTreeMap::new(),
            builtins: ObjId(0),
            main: ObjId(0),
            host,
            host_classes: Vec::new(),
            exceptions: BTreeMap::new(),
            handled: Value::None,
            log: Vec::new(),
            cursor: 0,
            depth: 0,
            need_depth: 0,
            nesting: 0,
            visiting: Vec::new(),
            waiting: None,
            incoming: None,
            printed: Vec::new(),
            fuel: 0,
            executed: 0,
            collect_at: 500_000,
            redirect: None,
            kept: Vec::new(),
        };
        machine.make_types();
        machine.make_builtins();
        machine.make_host_classes();
        machine.make_host_exceptions();
        let mut names = Dict::default();
        names.set_str("__builtins__", Value::None);
        names.set_str("__doc__", program.code.doc.clone());
        names.set_str("__file__", Value::Str(program.code.source.file.clone()));
        let module = machine.add_module("__main__", names);
        machine.main = machine.attrs_of(module);
        machine.frames.push(Frame::Py(Box::new(PyFrame::new(Rc::clone(&program.code), machine.main))));
        let core = machine.add_module("_core", Dict::default());
        let globals = machine.attrs_of(core);
        machine.frames.push(Frame::Py(Box::new(PyFrame::new(Rc::clone(&program.core), globals))));
        machine.py_frames = 2;
        machine
    }

    fn make_types(&mut self) {
        for (kind, name, base) in TYPES {
            let is_object = *kind == Type::Object;
            let mut mro = vec![kind.id()];
            if !is_object && let Some(data) = self.class_data(base.id()) {
                mro.extend(data.mro.iter().copied());
            }
            let data = ClassData {
                name: Rc::from(*name),
                qualname: Rc::from(*name),
                module: Rc::from("builtins"),
                bases: if is_object { Vec::new() } else { vec![base.id()] },
                mro: Rc::from(mro),
                dict: Dict::default(),
                layout: *kind,
                host: None,
                user: false,
                subclasses: Vec::new(),
                hooked: false,
                slots: None,
            };
            let class = Type::Type.id();
            let id = self.heap.add(Obj { class, attrs: None, body: Body::Class(Box::new(data)) });
            debug_assert_eq!(id, kind.id());
            if *kind >= EXCEPTIONS_FROM {
                self.exceptions.insert((*name).to_owned(), id);
            }
        }
        let group = Type::ExceptionGroup.id();
        let mro = self.class_data(group).map(|c| c.mro.to_vec()).unwrap_or_default();
        if let Some(data) = self.class_data_mut(group) {
            let at = mro.len() - 2;
            let mut mro = mro;
            mro.insert(at, Type::Exception.id());
            data.mro = Rc::from(mro);
            data.bases.push(Type::Exception.id());
        }
        for kind in [Type::List, Type::Dict, Type::Set, Type::ByteArray] {
            if let Some(data) = self.class_data_mut(kind.id()) {
                data.dict.set_str("__hash__", Value::None);
            }
        }
        for (kind, table) in METHODS {
            for function in *table {
                if let Some(data) = self.class_data_mut(kind.id()) {
                    data.dict.set_str(function.name, Value::Native(Native(function)));
                }
            }
        }
    }

    fn make_builtins(&mut self) {
        let mut names = Dict::default();
        for function in FUNCTIONS {
            names.set_str(function.name, Value::Native(Native(function)));
        }
        for (kind, name, _) in TYPES {
            if PUBLIC.contains(kind) || *kind >= EXCEPTIONS_FROM {
                names.set_str(name, Value::Obj(kind.id()));
            }
        }
        names.set_str("IOError", Value::Obj(Type::OSError.id()));
        names.set_str("EnvironmentError", Value::Obj(Type::OSError.id()));
        names.set_str("NotImplemented", Value::NotImplemented);
        names.set_str("Ellipsis", Value::Ellipsis);
        names.set_str("__debug__", Value::Bool(true));
        let module = self.add_module("builtins", names);
        self.builtins = self.attrs_of(module);
    }

    fn make_host_classes(&mut self) {
        let host = Rc::clone(&self.host);
        for (at, class) in host.classes.iter().enumerate() {
            let bases: Vec<ObjId> =
                class.bases.iter().filter_map(|b| self.host_classes.get(b.0 as usize).copied()).collect();
            let bases = if bases.is_empty() { vec![Type::Object.id()] } else { bases };
            let id = ObjId(self.heap.len() as u32);
            let mut mro = vec![id];
            for base in &bases {
                if let Some(data) = self.class_data(*base) {
                    let more: Vec<ObjId> = data.mro.iter().copied().filter(|c| !mro.contains(c)).collect();
                    mro.retain(|c| *c != Type::Object.id());
                    mro.extend(more);
                }
            }
            let data = ClassData {
                name: Rc::from(class.name.as_str()),
                qualname: Rc::from(class.qualified_name.as_str()),
                module: Rc::from(class.module.as_str()),
                bases,
                mro: Rc::from(mro),
                dict: Dict::default(),
                layout: Type::Object,
                host: Some(crate::host::HostClassId(at as u32)),
                user: false,
                subclasses: Vec::new(),
                hooked: false,
                slots: None,
            };
            let body = Body::Class(Box::new(data));
            let made = self.heap.add(Obj { class: Type::Type.id(), attrs: None, body });
            debug_assert_eq!(made, id);
            self.host_classes.push(made);
        }
        for at in 0..host.classes.len() {
            self.make_host_members(at);
        }
    }

    fn make_host_members(&mut self, at: usize) {
        let host = Rc::clone(&self.host);
        let class = &host.classes[at];
        let mut dict = Dict::default();
        dict.set_str("__doc__", class.doc.as_deref().map_or(Value::None, Value::str));
        for (name, member) in &class.members {
            let function = |f: HostFunction| Value::HostFunction(Rc::new(f));
            let value = match member {
                Member::Method => {
                    function(HostFunction::Method { name: name.clone(), class: class.name.clone() })
                }
                Member::Property => function(HostFunction::Property { name: name.clone(), settable: false }),
                Member::SettableProperty => {
                    function(HostFunction::Property { name: name.clone(), settable: true })
                }
                Member::StaticMethod => function(HostFunction::Static {
                    class: crate::host::HostClassId(at as u32),
                    name: name.clone(),
                }),
                Member::Constant(constant) => self.constant(constant),
                Member::Class(other) => {
                    self.host_classes.get(other.0 as usize).map_or(Value::None, |c| Value::Obj(*c))
                }
                Member::Refused(message) => function(HostFunction::Refused(message.clone())),
            };
            dict.set_str(name, value);
        }
        let id = self.host_classes[at];
        if let Some(data) = self.class_data_mut(id) {
            data.dict = dict;
        }
    }

    fn make_host_exceptions(&mut self) {
        let host = Rc::clone(&self.host);
        for exception in &host.exceptions {
            let mut bases: Vec<ObjId> =
                exception.bases.iter().filter_map(|b| self.exceptions.get(b).copied()).collect();
            if bases.is_empty() {
                bases.push(Type::Exception.id());
            }
            let mut space = Dict::default();
            space.set_str("__module__", Value::str(&exception.module));
            for (method, attribute) in &exception.getters {
                let getter = Value::HostFunction(Rc::new(HostFunction::Getter(attribute.clone())));
                space.set_str(method, getter);
            }
            let name: Rc<str> = Rc::from(exception.name.as_str());
            if let Ok(Value::Obj(id)) = self.make_class(Type::Type.id(), &name, &bases, &space) {
                self.exceptions.insert(exception.name.clone(), id);
            }
        }
    }
}
