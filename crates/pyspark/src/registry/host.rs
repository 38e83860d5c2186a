//! Builds the host: every name of PySpark either works or says that it is not here yet.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use tidemark_python::{Constant, Export, Host, HostClass, HostClassId, HostModule, HostObject, Member};

use crate::function;
use crate::registry::class::{Class, WINDOW_METHODS};
use crate::registry::exception;
use crate::registry::name_list::{members_of, names, refusal};

/// Extra places where a class can be imported from, besides the list.
const ALSO: &[(&str, Class)] = &[
    ("pyspark.sql", Class::Session),
    ("pyspark.sql", Class::Frame),
    ("pyspark.sql", Class::Column),
    ("pyspark.sql", Class::Row),
    ("pyspark.sql", Class::Grouped),
    ("pyspark.sql.session", Class::Session),
    ("pyspark.sql.dataframe", Class::Frame),
    ("pyspark.sql.column", Class::Column),
    ("pyspark.sql.streaming", Class::Query),
    ("pyspark.sql.streaming.query", Class::Query),
    ("pyspark.sql.streaming", Class::Streams),
    ("pyspark.sql.streaming", Class::StreamReader),
    ("pyspark.sql.streaming", Class::StreamWriter),
    ("pyspark.sql.streaming.listener", Class::Progress),
    ("delta", Class::DeltaTable),
    ("pyspark.sql", Class::Window),
    ("pyspark.sql", Class::WindowSpec),
];

thread_local! {
    /// The host, built by the first session of a thread: it never changes, and every start of a script needs it.
    static HOST: OnceCell<Rc<Host>> = const { OnceCell::new() };
}

/// The host with all modules, classes and exceptions.
pub(crate) fn build() -> Rc<Host> {
    HOST.with(|host| Rc::clone(host.get_or_init(build_anew)))
}

fn build_anew() -> Rc<Host> {
    let mut host = Host::new();
    let errors = exception::register(&mut host);
    for class in Class::ALL {
        let id = host.add_class(host_class(class));
        debug_assert_eq!(
            id,
            HostClassId(class as u32),
            "classes are registered in the order of their numbers"
        );
    }
    for module in modules(&errors).into_values() {
        host.add_module(module);
    }
    host.finish()
}

fn host_class(class: Class) -> HostClass {
    let face = class.face();
    let short = face.name.rsplit('.').next().unwrap_or(face.name);
    let mut built = HostClass::new(short, face.module).methods(face.methods).properties(face.properties);
    face.name.clone_into(&mut built.qualified_name);
    if face.constructible {
        built = built.constructible();
    }
    if let Some(base) = face.base {
        built = built.base(HostClassId(base as u32));
    }
    if class == Class::Session {
        let builder = HostObject { class: HostClassId(Class::Builder as u32), id: BUILDER_ID };
        built.members.retain(|(name, _)| name != "builder" && name != "getActiveSession" && name != "active");
        built = built
            .member("builder", Member::Constant(Constant::Object(builder)))
            .member("getActiveSession", Member::StaticMethod)
            .member("active", Member::StaticMethod);
    }
    if class == Class::DeltaTable {
        for name in ["forPath", "forName", "isDeltaTable"] {
            built = built.member(name, Member::StaticMethod);
        }
    }
    if class == Class::Window {
        for name in WINDOW_METHODS {
            built = built.member(name, Member::StaticMethod);
        }
        for (name, value) in
            [("unboundedPreceding", i64::MIN), ("unboundedFollowing", i64::MAX), ("currentRow", 0)]
        {
            built = built.member(name, Member::Constant(Constant::Int(value)));
        }
    }
    let known: BTreeSet<String> = built.members.iter().map(|(name, _)| name.clone()).collect();
    for member in members_of(face.name) {
        if !known.contains(member) && !inherited(face.base, member) {
            built = built.member(member, Member::Refused(refusal(&format!("{}.{member}", face.name))));
        }
    }
    built
}

/// The handle of the one builder: the session makes it second.
pub(crate) const BUILDER_ID: u64 = 1;

fn inherited(base: Option<Class>, member: &str) -> bool {
    base.is_some_and(|base| {
        let face = base.face();
        face.methods.contains(&member) || face.properties.contains(&member)
    })
}

fn modules(errors: &[&'static str]) -> BTreeMap<String, HostModule> {
    let mut modules: BTreeMap<String, HostModule> = BTreeMap::new();
    let mut taken: BTreeSet<(String, String)> = BTreeSet::new();
    let mut export = |module: &str, name: &str, export: Export| {
        if taken.insert((module.to_owned(), name.to_owned())) {
            let entry = modules.entry(module.to_owned()).or_insert_with(|| HostModule::new(module));
            entry.exports.push((name.to_owned(), export));
        }
    };
    for class in Class::ALL {
        let face = class.face();
        if !face.name.contains('.') {
            export(face.module, face.name, Export::Class(HostClassId(class as u32)));
        }
    }
    for (module, class) in ALSO {
        export(module, class.face().name, Export::Class(HostClassId(*class as u32)));
    }
    for name in errors {
        export("pyspark.errors", name, Export::Exception((*name).to_owned()));
        export("pyspark.sql.utils", name, Export::Exception((*name).to_owned()));
    }
    export("py4j.protocol", "Py4JJavaError", Export::Exception("Py4JJavaError".to_owned()));
    for name in exception::DELTA {
        export("delta.exceptions", name, Export::Exception((*name).to_owned()));
    }
    for name in function::names() {
        export("pyspark.sql.functions", name, Export::Function);
    }
    for name in names() {
        let module = name.module;
        if name.name.contains('.') {
            continue;
        }
        let class = (name.kind == "class")
            .then(|| Class::ALL.into_iter().find(|c| c.face().name == name.name))
            .flatten();
        match class {
            Some(class) => export(module, name.name, Export::Class(HostClassId(class as u32))),
            None => export(module, name.name, Export::Refused(refusal(&format!("{module}.{}", name.name)))),
        }
    }
    let version = Constant::Str("4.2.0".to_owned());
    export("pyspark", "__version__", Export::Constant(version));
    modules
}
