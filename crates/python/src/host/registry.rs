//! The registry of host modules, classes and exceptions: pure data, shared by all clones of a machine.
//!
//! ```
//! use tidemark_python::{Export, Host, HostClass, HostModule, Member};
//! let mut host = Host::new();
//! let column = host.add_class(
//!     HostClass::new("Column", "pyspark.sql.column").member("alias", Member::Method).member("__add__", Member::Method),
//! );
//! host.add_module(
//!     HostModule::new("pyspark.sql.functions").export("col", Export::Function).export("Column", Export::Class(column)),
//! );
//! ```

use std::collections::BTreeMap;
use std::rc::Rc;

/// Names a class that the host registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostClassId(pub u32);

/// A handle to an object that lives in the host: Python sees only class and identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostObject {
    /// The class whose members the object has.
    pub class: HostClassId,
    /// The host's own number for it; equal numbers are the same object (`is`).
    pub id: u64,
}

/// A value known when the registry is built.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// `None`
    None,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Str(String),
    /// A list, made anew for each machine.
    List(Vec<Constant>),
    /// A tuple.
    Tuple(Vec<Constant>),
    /// A dict in this order.
    Dict(Vec<(Constant, Constant)>),
    /// An object of the host.
    Object(HostObject),
}

/// What a name of a host class is.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// Calling it asks [`Target::Method`](crate::Target::Method) with the object as receiver. Names such as `__add__`,
    /// `__radd__`, `__eq__`, `__getitem__`, `__len__`, `__iter__`, `__contains__`, `__bool__`, `__call__`,
    /// `__repr__`, `__str__`, `__enter__`, `__exit__`, `__getattr__` make operators and protocols ask; without them
    /// Python's usual error is raised.
    Method,
    /// Reading it asks [`Target::Property`](crate::Target::Property).
    Property,
    /// Like `Property`, and writing it asks [`Target::SetProperty`](crate::Target::SetProperty).
    SettableProperty,
    /// Called on the class or an object; asks [`Target::Static`](crate::Target::Static).
    StaticMethod,
    /// A class attribute.
    Constant(Constant),
    /// A nested class.
    Class(HostClassId),
    /// The name exists at the original but not here: using it raises `NotImplementedError` with this message.
    Refused(String),
}

/// A class of host objects.
#[derive(Clone, Debug, PartialEq)]
pub struct HostClass {
    /// `__name__`
    pub name: String,
    /// `__qualname__`
    pub qualified_name: String,
    /// `__module__`
    pub module: String,
    /// `__doc__`
    pub doc: Option<String>,
    /// Base classes among the registered ones; members are inherited.
    pub bases: Vec<HostClassId>,
    /// Calling the class asks [`Target::Construct`](crate::Target::Construct); otherwise it is a `TypeError`.
    pub constructible: bool,
    /// The names of the class in the order of `dir`.
    pub members: Vec<(String, Member)>,
}

impl HostClass {
    /// A class without members that cannot be constructed from Python.
    pub fn new(name: &str, module: &str) -> Self {
        Self {
            name: name.to_owned(),
            qualified_name: name.to_owned(),
            module: module.to_owned(),
            doc: None,
            bases: Vec::new(),
            constructible: false,
            members: Vec::new(),
        }
    }

    /// Adds a base class.
    pub fn base(mut self, base: HostClassId) -> Self {
        self.bases.push(base);
        self
    }

    /// Lets Python call the class.
    pub fn constructible(mut self) -> Self {
        self.constructible = true;
        self
    }

    /// Adds a member.
    pub fn member(mut self, name: &str, member: Member) -> Self {
        self.members.push((name.to_owned(), member));
        self
    }

    /// Adds methods by name.
    pub fn methods(mut self, names: &[&str]) -> Self {
        self.members.extend(names.iter().map(|n| ((*n).to_owned(), Member::Method)));
        self
    }

    /// Adds read-only properties by name.
    pub fn properties(mut self, names: &[&str]) -> Self {
        self.members.extend(names.iter().map(|n| ((*n).to_owned(), Member::Property)));
        self
    }
}

/// An exception class of the host, which Python can raise, catch and derive from.
#[derive(Clone, Debug, PartialEq)]
pub struct HostException {
    /// `__name__`; [`PyException::class`](crate::PyException::class) refers to it.
    pub name: String,
    /// `__module__`, shown in tracebacks before the name.
    pub module: String,
    /// Names of the base classes: registered earlier, or built in such as `Exception`.
    pub bases: Vec<String>,
    /// Methods without parameters that return an attribute of the exception: `("getCondition", "_condition")`.
    pub getters: Vec<(String, String)>,
}

/// What a name of a host module is.
#[derive(Clone, Debug, PartialEq)]
pub enum Export {
    /// Calling it asks [`Target::Function`](crate::Target::Function).
    Function,
    /// A registered class.
    Class(HostClassId),
    /// A registered exception, or a built-in one, by name.
    Exception(String),
    /// Another registered module, by full name.
    Module(String),
    /// A value.
    Constant(Constant),
    /// The name exists at the original but not here: importing or reading it raises `NotImplementedError` with this
    /// message.
    Refused(String),
}

/// A module that `import` finds; `a.b` also becomes an attribute of the module `a`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostModule {
    /// The full dotted name.
    pub name: String,
    /// The names in it.
    pub exports: Vec<(String, Export)>,
    /// Names that `from m import *` brings; all public ones when `None`.
    pub all: Option<Vec<String>>,
}

impl HostModule {
    /// An empty module of this full name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), exports: Vec::new(), all: None }
    }

    /// Adds a name.
    pub fn export(mut self, name: &str, export: Export) -> Self {
        self.exports.push((name.to_owned(), export));
        self
    }

    /// Adds functions by name.
    pub fn functions(mut self, names: &[&str]) -> Self {
        self.exports.extend(names.iter().map(|n| ((*n).to_owned(), Export::Function)));
        self
    }
}

/// Everything that the host offers. Build it once, wrap it in `Rc`, give it to each machine.
#[derive(Clone, Debug, Default)]
pub struct Host {
    pub(crate) classes: Vec<HostClass>,
    pub(crate) exceptions: Vec<HostException>,
    pub(crate) modules: BTreeMap<String, HostModule>,
}

impl Host {
    /// A host that offers nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Registers a class; its bases must be registered before it.
    pub fn add_class(&mut self, class: HostClass) -> HostClassId {
        let id = HostClassId(self.classes.len() as u32);
        self.classes.push(class);
        id
    }

    /// Adds a member to a class registered before, for classes that refer to each other.
    pub fn add_member(&mut self, class: HostClassId, name: &str, member: Member) {
        if let Some(found) = self.classes.get_mut(class.0 as usize) {
            found.members.push((name.to_owned(), member));
        }
    }

    /// Registers an exception class; its bases must be built in or registered before it.
    pub fn add_exception(&mut self, exception: HostException) {
        self.exceptions.push(exception);
    }

    /// Registers a module; missing parents are made as empty packages. A second module of the same name adds to it.
    pub fn add_module(&mut self, module: HostModule) {
        let mut parent = module.name.as_str();
        while let Some((head, _)) = parent.rsplit_once('.') {
            self.modules.entry(head.to_owned()).or_insert_with(|| HostModule::new(head));
            parent = head;
        }
        let entry = self.modules.entry(module.name.clone()).or_insert_with(|| HostModule::new(&module.name));
        entry.exports.extend(module.exports);
        if module.all.is_some() {
            entry.all = module.all;
        }
    }

    /// The class of this id, if it was registered here.
    pub fn class(&self, id: HostClassId) -> Option<&HostClass> {
        self.classes.get(id.0 as usize)
    }

    /// Finds a registered class by name.
    pub fn class_named(&self, name: &str) -> Option<HostClassId> {
        self.classes.iter().position(|c| c.name == name).map(|i| HostClassId(i as u32))
    }

    /// Finds what `class` or its bases call `name`.
    pub fn member(&self, class: HostClassId, name: &str) -> Option<&Member> {
        let found = self.class(class)?;
        found
            .members
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, m)| m)
            .or_else(|| found.bases.iter().find_map(|b| self.member(*b, name)))
    }

    /// Wraps the finished registry for [`Machine::new`](crate::Machine::new).
    pub fn finish(self) -> Rc<Self> {
        Rc::new(self)
    }
}
