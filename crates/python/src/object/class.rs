//! Classes: what is an instance of what, how classes are made, how instances are made.

use std::rc::Rc;

use crate::host::{HostClassId, Target};
use crate::machine::Need;
use crate::machine::{Args, Machine, R};
use crate::value::{
    Body, ClassData, Dict, EXCEPTIONS_FROM, GeneratorState, HostFunction, Obj, ObjId, TYPES, Type, Value,
};

impl Machine {
    // tidy: table
    pub(crate) fn class_of(&self, value: &Value) -> ObjId {
        match value {
            Value::None => Type::NoneType.id(),
            Value::Ellipsis => Type::Ellipsis.id(),
            Value::NotImplemented => Type::NotImplemented.id(),
            Value::Bool(_) => Type::Bool.id(),
            Value::Int(_) | Value::Big(_) => Type::Int.id(),
            Value::Float(_) => Type::Float.id(),
            Value::Complex(..) => Type::Complex.id(),
            Value::Str(_) => Type::Str.id(),
            Value::Bytes(_) => Type::Bytes.id(),
            Value::Tuple(_) => Type::Tuple.id(),
            Value::Range(_) => Type::Range.id(),
            Value::Slice(_) => Type::Slice.id(),
            Value::Obj(id) => self.heap.get(*id).class,
            Value::Native(native) => match native.0.kind {
                crate::machine::NativeKind::Method => Type::MethodDescriptor.id(),
                _ => Type::Builtin.id(),
            },
            Value::Bound(bound) => match bound.function {
                Value::Native(_) => Type::Builtin.id(),
                _ => Type::Method.id(),
            },
            Value::HostFunction(f) => match **f {
                HostFunction::Property { .. } => Type::Property.id(),
                _ => Type::HostFunction.id(),
            },
            Value::Host(object) => {
                self.host_classes.get(object.class.0 as usize).copied().unwrap_or(Type::Object.id())
            }
        }
    }

    pub(crate) fn class_is(&self, class: ObjId, base: ObjId) -> bool {
        class == base || self.class_data(class).is_some_and(|c| c.mro.contains(&base))
    }

    pub(crate) fn is_instance_of_named(&self, value: &Value, name: &str) -> bool {
        let Value::Obj(id) = value else { return false };
        self.class_data(self.heap.get(*id).class)
            .is_some_and(|c| c.mro.iter().any(|b| self.class_data(*b).is_some_and(|b| &*b.name == name)))
    }

    /// Name of the value's type.
    pub fn type_name(&self, value: &Value) -> String {
        let class = self.class_of(value);
        match self.class_data(class) {
            // The original has these in C, where the name of a type holds its module.
            Some(c)
                if matches!(&*c.module, "datetime" | "decimal")
                    || (&*c.name, &*c.module) == ("deque", "collections") =>
            {
                format!("{}.{}", c.module, c.name)
            }
            Some(c) => c.name.to_string(),
            None => "object".to_owned(),
        }
    }

    pub(crate) fn class_name(&self, class: ObjId) -> Rc<str> {
        self.class_data(class).map_or_else(|| Rc::from("object"), |c| c.name.clone())
    }

    /// `C3`: the order in which the bases of a class are searched.
    fn linearize(&mut self, class: ObjId, bases: &[ObjId]) -> R<Vec<ObjId>> {
        let mut lists: Vec<Vec<ObjId>> =
            bases.iter().filter_map(|b| self.class_data(*b).map(|c| c.mro.to_vec())).collect();
        lists.push(bases.to_vec());
        let mut order = vec![class];
        loop {
            lists.retain(|l| !l.is_empty());
            if lists.is_empty() {
                return Ok(order);
            }
            let next = lists.iter().map(|l| l[0]).find(|c| !lists.iter().any(|l| l[1..].contains(c)));
            let Some(next) = next else {
                let mut names: Vec<String> = Vec::new();
                for base in bases {
                    names.push(self.class_name(*base).to_string());
                }
                let text = format!(
                    "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                    names.join(", ")
                );
                return self.type_error(&text);
            };
            order.push(next);
            for list in &mut lists {
                if list[0] == next {
                    list.remove(0);
                }
            }
        }
    }

    /// What a class takes from its bases: body of instances, host class, whether attributes are hooked, whether slots hold.
    fn class_shape(
        &mut self,
        bases: &[ObjId],
        namespace: &Dict,
    ) -> R<(Type, Option<HostClassId>, bool, bool)> {
        for (at, base) in bases.iter().enumerate() {
            if bases[..at].contains(base) {
                let name = self.class_name(*base);
                return self.type_error(&format!("duplicate base class {name}"));
            }
        }
        let mut layout = Type::Object;
        let mut host = None;
        let mut hooked = namespace.get_str("__getattribute__").is_some();
        let mut slotted = namespace.get_str("__slots__").is_some();
        for base in bases {
            let Some(data) = self.class_data(*base) else {
                return self.type_error("bases must be types");
            };
            if data.layout != Type::Object {
                layout = data.layout;
            }
            hooked |= data.hooked;
            slotted &= data.slots.is_some() || *base == Type::Object.id();
            host = host.or(data.host);
            if matches!(
                layout,
                Type::Bool
                    | Type::NoneType
                    | Type::Function
                    | Type::Range
                    | Type::Slice
                    | Type::Generator
                    | Type::Ellipsis
            ) {
                let text = format!("type '{}' is not an acceptable base type", data.name);
                return self.type_error(&text);
            }
        }
        Ok((layout, host, hooked, slotted))
    }

    /// Makes a class from a namespace, without running any hook.
    pub(crate) fn make_class(&mut self, meta: ObjId, name: &Rc<str>, bases: &[ObjId], namespace: &Dict) -> R {
        let bases: Vec<ObjId> = if bases.is_empty() { vec![Type::Object.id()] } else { bases.to_vec() };
        let (layout, host, hooked, slotted) = self.class_shape(&bases, namespace)?;
        let slots = if slotted { self.slots_of(namespace, &bases) } else { None };
        let module = namespace.get_str("__module__").and_then(|m| self.as_text(m));
        let qualname = namespace.get_str("__qualname__").and_then(|q| self.as_text(q));
        let data = ClassData {
            name: name.clone(),
            qualname: qualname.unwrap_or_else(|| name.clone()),
            module: module.unwrap_or_else(|| Rc::from("__main__")),
            bases: bases.clone(),
            mro: Rc::from(Vec::new()),
            dict: Dict::default(),
            layout,
            host,
            user: true,
            subclasses: Vec::new(),
            hooked,
            slots,
        };
        let id = self.heap.add(Obj { class: meta, attrs: None, body: Body::Class(Box::new(data)) });
        let mro = self.linearize(id, &bases)?;
        let mut dict = Dict::default();
        for (key, value) in namespace.iter() {
            let Some(key) = self.as_text(key) else { continue };
            let is_function = matches!(self.body(value), Some(Body::Function(_)));
            let value = match &*key {
                "__qualname__" => continue,
                "__init_subclass__" | "__class_getitem__" if is_function => {
                    self.add(Type::ClassMethod, Body::ClassMethod(value.clone()))
                }
                "__new__" if is_function => self.add(Type::StaticMethod, Body::StaticMethod(value.clone())),
                _ => value.clone(),
            };
            dict.set_name(&key, value);
        }
        if dict.get_str("__eq__").is_some() && dict.get_str("__hash__").is_none() {
            dict.set_str("__hash__", Value::None);
        }
        if dict.get_str("__doc__").is_none() {
            dict.set_str("__doc__", Value::None);
        }
        if let Some(data) = self.class_data_mut(id) {
            data.mro = Rc::from(mro);
            data.dict = dict;
        }
        for base in &bases {
            if let Some(data) = self.class_data_mut(*base)
                && data.user
            {
                data.subclasses.push(id);
            }
        }
        Ok(Value::Obj(id))
    }

    fn slots_of(&self, namespace: &Dict, bases: &[ObjId]) -> Option<Rc<[Rc<str>]>> {
        let own = namespace.get_str("__slots__")?;
        let mut names: Vec<Rc<str>> = match self.as_text(own) {
            Some(one) => vec![one],
            None => self.quick_items(own)?.iter().filter_map(|n| self.as_text(n)).collect(),
        };
        for base in bases {
            if let Some(more) = self.class_data(*base).and_then(|c| c.slots.clone()) {
                names.extend(more.iter().cloned());
            }
        }
        if names.iter().any(|n| &**n == "__dict__") {
            return None;
        }
        Some(Rc::from(names))
    }

    /// `type(name, bases, namespace)`: makes the class and runs the hooks of its members and bases.
    pub(crate) fn new_class(
        &mut self,
        meta: ObjId,
        name: &Rc<str>,
        bases: &[ObjId],
        namespace: &Dict,
        args: &Args,
    ) -> R {
        let class = self.logged(|m| m.make_class(meta, name, bases, namespace))?;
        for (key, value) in namespace.iter() {
            if let Value::Obj(_) = value
                && self.special(value, "__set_name__").is_some()
            {
                self.call_special(value, "__set_name__", &[class.clone(), key.clone()])?;
            }
        }
        let Value::Obj(id) = class else { return Ok(class) };
        let mro = self.class_data(id).map(|c| Rc::clone(&c.mro)).unwrap_or_default();
        for base in mro.iter().skip(1) {
            let Some(hook) =
                self.class_data(*base).and_then(|c| c.dict.get_str("__init_subclass__")).cloned()
            else {
                continue;
            };
            let inner = match self.body(&hook) {
                Some(Body::ClassMethod(inner)) => inner.clone(),
                _ => break,
            };
            self.call_value(&inner, Args { items: vec![class.clone()], names: args.names.clone() })?;
            return Ok(class);
        }
        if let Some((key, _)) = args.names.first() {
            let _ = key;
            let text = format!("{name}.__init_subclass__() takes no keyword arguments");
            return self.type_error(&text);
        }
        Ok(class)
    }

    fn base_classes(&mut self, bases: &Value) -> R<(Vec<ObjId>, bool)> {
        let mut found = Vec::new();
        let mut changed = false;
        for base in self.as_tuple(bases).iter().flat_map(|t| t.iter().cloned()).collect::<Vec<_>>() {
            if let Some(class) = self.as_class(&base) {
                found.push(class);
                continue;
            }
            changed = true;
            if let Some(entries) = self.call_special(&base, "__mro_entries__", std::slice::from_ref(bases))? {
                for entry in self.quick_items(&entries).unwrap_or_default() {
                    if let Some(class) = self.as_class(&entry) {
                        found.push(class);
                    }
                }
                continue;
            }
            match self.own_attribute(&base, "__origin__").and_then(|o| self.as_class(&o)) {
                Some(class) => found.push(class),
                None => {
                    return self.type_error(
                        "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases",
                    );
                }
            }
        }
        Ok((found, changed))
    }

    pub(crate) fn build_class(&mut self, name: &Rc<str>, body: &Value, bases: &Value, keywords: &Value) -> R {
        let (classes, changed) = self.base_classes(bases)?;
        let mut args = Args::default();
        let mut meta = Value::Obj(Type::Type.id());
        if let Some(dict) = self.is_dict(keywords) {
            for (key, value) in self.dict_of(dict).clone().iter() {
                match self.as_text(key) {
                    Some(key) if &*key == "metaclass" => meta = value.clone(),
                    Some(key) => args.names.push((key, value.clone())),
                    None => {}
                }
            }
        }
        let mut meta = self.as_class(&meta).unwrap_or(Type::Type.id());
        for class in &classes {
            let other = self.heap.get(*class).class;
            if self.class_is(other, meta) {
                meta = other;
            } else if !self.class_is(meta, other) {
                return self.type_error(
                    "metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases",
                );
            }
        }
        let tuple = Value::tuple(classes.iter().map(|c| Value::Obj(*c)).collect());
        let namespace = match self.lookup_class(meta, "__prepare__") {
            Some(hook) if !matches!(hook, Value::Native(_)) => {
                let hook = self.bind_on_type(&hook, meta);
                let items = vec![Value::Str(name.clone()), tuple.clone()];
                self.call_value(&hook, Args { items, names: args.names.clone() })?
            }
            _ => self.logged(|m| Ok(Value::Obj(m.new_dict_id())))?,
        };
        let Some(space) = self.is_dict(&namespace) else {
            return self.type_error("__prepare__() must return a mapping");
        };
        let Value::Obj(function) = body else { return Ok(Value::None) };
        let module = self
            .function_data(*function)
            .and_then(|f| self.dict_of(f.globals).get_str("__name__").cloned())
            .unwrap_or(Value::None);
        if self.dict_of(space).get_str("__module__").is_none() {
            self.dict_mut(space).set_str("__module__", module);
        }
        if changed {
            self.dict_mut(space).set_str("__orig_bases__", bases.clone());
        }
        let function = *function;
        let cell = self.logged(|m| m.need(Need::Body(function, space)))?;
        let class = if meta == Type::Type.id() {
            let namespace = self.dict_of(space).clone();
            self.new_class(meta, name, &classes, &namespace, &args)?
        } else {
            let items = vec![Value::Str(name.clone()), tuple, namespace];
            self.call_value(&Value::Obj(meta), Args { items, names: args.names })?
        };
        if let Value::Obj(cell) = cell {
            self.set_cell(cell, Some(class.clone()));
        }
        Ok(class)
    }

    fn bind_on_type(&self, hook: &Value, class: ObjId) -> Value {
        match self.body(hook) {
            Some(Body::ClassMethod(inner)) => {
                let bound = crate::value::Bound { function: inner.clone(), receiver: Value::Obj(class) };
                Value::Bound(Rc::new(bound))
            }
            _ => hook.clone(),
        }
    }

    /// Calls a class.
    pub(crate) fn call_class(&mut self, id: ObjId, args: &Args) -> R {
        let meta = self.heap.get(id).class;
        if meta != Type::Type.id()
            && let Some(hook) = self.special(&Value::Obj(id), "__call__")
        {
            let hook = self.bind(&hook, &Value::Obj(id))?;
            return self.call_value(&hook, args.clone());
        }
        self.construct(id, args)
    }

    /// `type.__call__`
    pub(crate) fn construct(&mut self, id: ObjId, args: &Args) -> R {
        let Some(data) = self.class_data(id) else { return Ok(Value::None) };
        if !data.user {
            return match data.host {
                Some(class) => self.construct_host(id, class, args),
                None => self.construct_built_in(id, args),
            };
        }
        let name = data.name.clone();
        let new = self.lookup_class(id, "__new__").filter(|n| !matches!(n, Value::Native(_)));
        let object = match &new {
            Some(new) => {
                let new = match self.body(new) {
                    Some(Body::StaticMethod(inner)) => inner.clone(),
                    _ => new.clone(),
                };
                self.call_value(&new, args.with_first(Value::Obj(id)))?
            }
            None => self.logged(|m| m.allocate(id, args))?,
        };
        if !self.class_is(self.class_of(&object), id) {
            return Ok(object);
        }
        let init =
            self.lookup_class(self.class_of(&object), "__init__").filter(|n| !matches!(n, Value::Native(_)));
        match init {
            Some(init) => {
                let init = self.bind(&init, &object)?;
                let result = self.call_value(&init, args.clone())?;
                if !result.is_none() {
                    let kind = self.type_name(&result);
                    return self.type_error(&format!("__init__() should return None, not '{kind}'"));
                }
            }
            None => {
                if new.is_none() && !(args.items.is_empty() && args.names.is_empty()) {
                    let layout = self.class_data(id).map_or(Type::Object, |c| c.layout);
                    if layout == Type::Object {
                        return self.type_error(&format!("{name}() takes no arguments"));
                    }
                }
                if new.is_none() {
                    self.fill(&object, args)?;
                }
            }
        }
        Ok(object)
    }

    fn construct_host(&mut self, id: ObjId, class: HostClassId, args: &Args) -> R {
        if self.host.class(class).is_some_and(|c| c.constructible) {
            return self.ask_host(Target::Construct { class }, args);
        }
        let name = self.class_name(id);
        self.type_error(&format!("cannot create '{name}' instances"))
    }

    /// What `__init__` of a changeable built-in type does.
    pub(crate) fn fill(&mut self, object: &Value, args: &Args) -> R<()> {
        match self.body(object) {
            Some(Body::List(_)) => {
                let items = match args.get(0) {
                    Some(from) => self.collect_items(from)?,
                    None => Vec::new(),
                };
                if let Value::Obj(id) = object {
                    *self.list_mut(*id) = items;
                }
            }
            Some(Body::Dict(_)) => self.update_dict(object, args)?,
            Some(Body::Set(_)) => {
                if let Some(from) = args.get(0) {
                    for item in self.collect_items(from)? {
                        self.set_add(object, item)?;
                    }
                }
            }
            Some(Body::Exception(_)) => {
                if let Value::Obj(id) = object {
                    self.exception_mut(*id).args = Rc::from(args.items.clone());
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// `object.__new__` and its like: an instance without `__init__`.
    pub(crate) fn allocate(&mut self, class: ObjId, args: &Args) -> R {
        let Some(data) = self.class_data(class) else {
            return self.type_error("object.__new__(X): X is not a type object");
        };
        let layout = data.layout;
        let abstracts = data.dict.get_str("__abstractmethods__").cloned();
        if let Some(names) = abstracts.and_then(|a| self.quick_items(&a))
            && !names.is_empty()
        {
            let mut texts: Vec<String> = names.iter().filter_map(|n| n.as_str().map(str::to_owned)).collect();
            texts.sort();
            let name = self.class_name(class);
            let plural = if texts.len() == 1 { "" } else { "s" };
            return self.type_error(&format!(
                "Can't instantiate abstract class {name} with abstract method{plural} {}",
                texts.join(", ")
            ));
        }
        let body = match layout {
            Type::Object => Body::Instance,
            Type::List => Body::List(Vec::new()),
            Type::Dict => Body::Dict(Dict::default()),
            Type::Set => Body::Set(Dict::default()),
            Type::FrozenSet => {
                let made = self.construct_built_in(Type::FrozenSet.id(), args)?;
                match self.is_set(&made) {
                    Some(id) => Body::FrozenSet(self.dict_of(id).clone()),
                    None => Body::Instance,
                }
            }
            Type::Type => return self.class_from_args(class, args),
            Type::Module => Body::Module(Rc::from("module")),
            Type::Property => match self.construct_built_in(Type::Property.id(), args)? {
                Value::Obj(made) => self.heap.get(made).body.clone(),
                _ => Body::Instance,
            },
            _ if layout >= EXCEPTIONS_FROM => {
                return Ok(Value::Obj(self.new_exception(class, args.items.clone())));
            }
            _ => {
                let inner = self.construct_built_in(layout.id(), args)?;
                if matches!(inner, Value::Obj(_)) {
                    return Ok(inner);
                }
                Body::Boxed(inner)
            }
        };
        Ok(Value::Obj(self.heap.add(Obj { class, attrs: None, body })))
    }

    pub(crate) fn class_from_args(&mut self, meta: ObjId, args: &Args) -> R {
        let (Some(name), Some(bases), Some(namespace)) = (args.get(0), args.get(1), args.get(2)) else {
            return self.type_error("type() takes 1 or 3 arguments");
        };
        let Some(name) = self.as_text(name) else {
            let kind = self.type_name(name);
            return self.type_error(&format!("type.__new__() argument 1 must be str, not {kind}"));
        };
        let (bases, _) = self.base_classes(bases)?;
        let Some(namespace) = self.is_dict(namespace) else {
            return self.type_error("type.__new__() argument 3 must be dict");
        };
        let namespace = self.dict_of(namespace).clone();
        self.new_class(meta, &name, &bases, &namespace, args)
    }

    /// `isinstance` for a class, a tuple of such, or a union.
    pub(crate) fn instance_check(&mut self, value: &Value, kind: &Value) -> R<bool> {
        let class = self.class_of(value);
        self.check_class(
            class,
            Some(value),
            kind,
            "isinstance() arg 2 must be a type, a tuple of types, or a union",
        )
    }

    pub(crate) fn subclass_check(&mut self, class: ObjId, kind: &Value) -> R<bool> {
        self.check_class(
            class,
            None,
            kind,
            "issubclass() arg 2 must be a class, a tuple of classes, or a union",
        )
    }

    fn check_class(&mut self, class: ObjId, value: Option<&Value>, kind: &Value, message: &str) -> R<bool> {
        if let Some(kinds) = self.as_tuple(kind) {
            for kind in kinds.iter() {
                if self.check_class(class, value, kind, message)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if let Some(base) = self.as_class(kind) {
            if self.class_is(class, base) {
                return Ok(true);
            }
            if self.heap.get(base).class != Type::Type.id() {
                let answer = match value {
                    Some(value) => {
                        self.call_special(kind, "__instancecheck__", std::slice::from_ref(value))?
                    }
                    None => self.call_special(kind, "__subclasscheck__", &[Value::Obj(class)])?,
                };
                if let Some(answer) = answer {
                    return self.truth(&answer);
                }
            }
            return Ok(false);
        }
        if self.class_of(kind) == Type::Union.id() {
            let kinds = self.own_attribute(kind, "__args__").unwrap_or(Value::None);
            return self.check_class(class, value, &kinds, message);
        }
        if kind.is_none() && matches!(value, Some(Value::None)) {
            return Ok(true);
        }
        if self.class_of(kind) == Type::GenericAlias.id() {
            let name = if value.is_some() { "isinstance() argument 2" } else { "issubclass() argument 2" };
            return self.type_error(&format!("{name} cannot be a parameterized generic"));
        }
        self.type_error(message)
    }

    /// `super()` of the running method.
    pub(crate) fn super_of_frame(&mut self) -> R {
        let found = self.top_py().and_then(|frame| {
            let at = frame.code.cells.iter().position(|c| &**c == "__class__")?;
            let cell = *frame.cells.get(at)?;
            let first = match frame.code.cell_params.iter().find(|(_, local)| *local == 0) {
                Some((cell, _)) => self.cell(*frame.cells.get(*cell as usize)?)?,
                None => frame.locals.first()?.clone()?,
            };
            Some((cell, first))
        });
        let Some((cell, first)) = found else {
            return self.raise_error(Type::RuntimeError, "super(): no arguments");
        };
        match self.cell(cell).and_then(|c| self.as_class(&c)) {
            Some(class) => Ok(self.add(Type::Super, Body::Super(class, first))),
            None => self.raise_error(Type::RuntimeError, "super(): empty __class__ cell"),
        }
    }

    pub(crate) fn generator_is_done(&self, id: ObjId) -> bool {
        matches!(&self.heap.get(id).body, Body::Generator(g) if matches!(g.state, GeneratorState::Done))
    }

    /// The built-in type of a class object, if it is one.
    pub(crate) fn built_in_type(class: ObjId) -> Option<Type> {
        TYPES.get(class.0 as usize).map(|(kind, _, _)| *kind)
    }
}
