//! Methods that objects of built-in types have under their special names, and methods of classes and exceptions.

use std::rc::Rc;

use crate::compile::{BinOp, CmpOp, UnOp};
use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, ObjId, Type, Value};

fn this(args: &Args) -> Value {
    args.get(0).cloned().unwrap_or(Value::None)
}

fn other(args: &Args) -> Value {
    args.get(1).cloned().unwrap_or(Value::None)
}

pub(crate) static OBJECT: &[NativeFunction] = &[
    NativeFunction::method("object", "__init__", |m, a| {
        let rest = Args { items: a.items.get(1..).unwrap_or(&[]).to_vec(), names: a.names.clone() };
        let object = this(a);
        m.fill(&object, &rest)?;
        Ok(Value::None)
    }),
    NativeFunction::fixed("object", "__new__", |m, a| {
        let class = a.get(0).and_then(|c| m.as_class(c));
        let layout = class.and_then(|c| m.class_data(c)).map_or(Type::Object, |c| c.layout);
        if layout != Type::Object {
            let name = class.map_or_else(|| Rc::from(""), |c| m.class_name(c));
            let kind = m.class_name(layout.id());
            return m.type_error(&format!("object.__new__({name}) is not safe, use {kind}.__new__()"));
        }
        make(m, a)
    }),
    NativeFunction::method("object", "__repr__", |m, a| {
        let object = this(a);
        match m.body(&object) {
            Some(Body::Instance) => Ok(Value::from(m.default_repr(m.class_of(&object), &object))),
            _ => m.plain_repr_of(&object).map(Value::from),
        }
    }),
    NativeFunction::method("object", "__str__", |m, a| m.plain_str(&this(a)).map(Value::from)),
    NativeFunction::method("object", "__format__", |m, a| {
        let spec = m.as_text(&other(a)).unwrap_or_else(|| Rc::from(""));
        m.plain_format(&this(a), &spec).map(Value::from)
    }),
    NativeFunction::method("object", "__eq__", |m, a| {
        if m.plain_equal(&this(a), &other(a))? { Ok(Value::Bool(true)) } else { not_equal(m, a) }
    }),
    NativeFunction::method("object", "__ne__", |m, a| {
        let equal = m.compare(CmpOp::Eq, &this(a), &other(a))?;
        m.truth(&equal).map(|t| Value::Bool(!t))
    }),
    NativeFunction::method("object", "__hash__", |m, a| match this(a) {
        Value::Obj(id) if matches!(m.heap.get(id).body, Body::Instance) => {
            Ok(Value::Int(i64::from(id.0) * 16 + 7))
        }
        Value::Obj(id) => match &m.heap.get(id).body {
            Body::Boxed(inner) => {
                let inner = inner.clone();
                m.hash(&inner).map(|h| Value::Int(h as i64))
            }
            _ => m.hash(&Value::Obj(id)).map(|h| Value::Int(h as i64)),
        },
        value => m.hash(&value).map(|h| Value::Int(h as i64)),
    }),
    NativeFunction::method("object", "__getattribute__", |m, a| {
        let (object, name) = (this(a), other(a));
        let name = m.as_text(&name).unwrap_or_else(|| Rc::from(""));
        match m.plain_attribute(&object, &name)? {
            Some(value) => Ok(value),
            None => {
                let kind = m.type_name(&object);
                m.attribute_error(&format!("'{kind}' object has no attribute '{name}'"), &object, &name)
            }
        }
    }),
    NativeFunction::method("object", "__setattr__", |m, a| {
        let name = m.as_text(&other(a)).unwrap_or_else(|| Rc::from(""));
        let value = a.get(2).cloned().unwrap_or(Value::None);
        m.plain_set_attr(&this(a), &name, value).map(|()| Value::None)
    }),
    NativeFunction::method("object", "__delattr__", |m, a| {
        let name = m.as_text(&other(a)).unwrap_or_else(|| Rc::from(""));
        m.plain_delete_attribute(&this(a), &name).map(|()| Value::None)
    }),
    NativeFunction::method("object", "__lt__", |_, _| Ok(Value::NotImplemented)),
    NativeFunction::method("object", "__le__", |_, _| Ok(Value::NotImplemented)),
    NativeFunction::method("object", "__gt__", |_, _| Ok(Value::NotImplemented)),
    NativeFunction::method("object", "__ge__", |_, _| Ok(Value::NotImplemented)),
    NativeFunction::class("object", "__init_subclass__", |_, _| Ok(Value::None)),
    NativeFunction::method("object", "__dir__", |m, a| {
        let dir = m.builtin("dir");
        m.call1(&dir, &this(a))
    }),
];

fn not_equal(m: &mut Machine, args: &Args) -> R {
    let same_kind = !matches!(m.body(&this(args)), Some(Body::Instance))
        && m.class_of(&this(args)) == m.class_of(&other(args));
    Ok(if same_kind { Value::Bool(false) } else { Value::NotImplemented })
}

/// The `__new__` of types whose instances have a body of their own.
pub(crate) static NEW: &[NativeFunction] = &[NativeFunction::fixed("object", "__new__", make)];

fn make(m: &mut Machine, args: &Args) -> R {
    match args.get(0).and_then(|c| m.as_class(c)) {
        Some(class) => {
            let rest = Args { items: args.items[1..].to_vec(), names: args.names.clone() };
            if m.class_data(class).is_some_and(|c| !c.user) {
                return m.construct_built_in(class, &rest);
            }
            m.logged(|m| m.allocate(class, &rest))
        }
        None => m.type_error("object.__new__(X): X is not a type object"),
    }
}

pub(crate) static TYPE: &[NativeFunction] = &[
    NativeFunction::method("type", "mro", |m, a| {
        let mro =
            m.as_class(&this(a)).and_then(|c| m.class_data(c)).map(|c| c.mro.to_vec()).unwrap_or_default();
        Ok(m.list(mro.into_iter().map(Value::Obj).collect()))
    }),
    NativeFunction::method("type", "__subclasses__", |m, a| {
        let all: Vec<ObjId> = m
            .as_class(&this(a))
            .and_then(|c| m.class_data(c))
            .map(|c| c.subclasses.clone())
            .unwrap_or_default();
        Ok(m.list(all.into_iter().map(Value::Obj).collect()))
    }),
    NativeFunction::method("type", "__call__", |m, a| match m.as_class(&this(a)) {
        Some(class) => {
            let rest = Args { items: a.items[1..].to_vec(), names: a.names.clone() };
            m.construct(class, &rest)
        }
        None => m.type_error("type.__call__ needs a class"),
    }),
    NativeFunction::fixed("type", "__new__", |m, a| match a.get(0).and_then(|c| m.as_class(c)) {
        Some(meta) => {
            let rest = Args { items: a.items[1..].to_vec(), names: a.names.clone() };
            if rest.items.len() == 1 {
                return Ok(Value::Obj(m.class_of(&rest.items[0])));
            }
            m.class_from_args(meta, &rest)
        }
        None => m.type_error("type.__new__(X): X is not a type object"),
    }),
    NativeFunction::method("type", "__init__", |_, _| Ok(Value::None)),
    NativeFunction::class("type", "__prepare__", |m, _| Ok(Value::Obj(m.new_dict_id()))),
    NativeFunction::method("type", "__instancecheck__", |m, a| {
        let class = m.class_of(&other(a));
        let truth = m.as_class(&this(a)).is_some_and(|c| m.class_is(class, c));
        Ok(Value::Bool(truth))
    }),
    NativeFunction::method("type", "__subclasscheck__", |m, a| {
        let truth = match (m.as_class(&this(a)), m.as_class(&other(a))) {
            (Some(base), Some(class)) => m.class_is(class, base),
            _ => false,
        };
        Ok(Value::Bool(truth))
    }),
    NativeFunction::method("type", "__or__", |m, a| m.union_of(&this(a), &other(a))),
];

/// Special names of containers.
pub(crate) static CONTAINER: &[NativeFunction] = &[
    NativeFunction::method("container", "__len__", |m, a| {
        m.plain_length(&this(a)).map(|n| Value::Int(n as i64))
    }),
    NativeFunction::method("container", "__contains__", |m, a| {
        m.plain_contains(&this(a), &other(a)).map(Value::Bool)
    }),
    NativeFunction::method("container", "__iter__", |m, a| {
        let object = this(a);
        match m.quick_iter_plain(&object) {
            Some(iterator) => Ok(iterator),
            None => m.iter_of(&object),
        }
    }),
];

pub(crate) static GET_ITEM: &[NativeFunction] =
    &[NativeFunction::method("container", "__getitem__", |m, a| m.plain_get_item(&this(a), &other(a)))];

pub(crate) static SET_ITEM: &[NativeFunction] = &[
    NativeFunction::method("container", "__setitem__", |m, a| {
        let value = a.get(2).cloned().unwrap_or(Value::None);
        m.plain_set_item(&this(a), &other(a), value).map(|()| Value::None)
    }),
    NativeFunction::method("container", "__delitem__", |m, a| {
        m.plain_delete_item(&this(a), &other(a)).map(|()| Value::None)
    }),
];

macro_rules! binary {
    ($($name:literal => $op:ident),*) => {
        &[$(NativeFunction::method("number", $name, |m, a| {
            Ok(m.plain_binary(BinOp::$op, &this(a), &other(a))?.unwrap_or(Value::NotImplemented))
        })),*]
    };
}

macro_rules! reflected {
    ($($name:literal => $op:ident),*) => {
        &[$(NativeFunction::method("number", $name, |m, a| {
            Ok(m.plain_binary(BinOp::$op, &other(a), &this(a))?.unwrap_or(Value::NotImplemented))
        })),*]
    };
}

macro_rules! ordered {
    ($($name:literal => $op:ident),*) => {
        &[$(NativeFunction::method("object", $name, |m, a| {
            let (x, y) = (m.unboxed(&this(a)), m.unboxed(&other(a)));
            match m.compare(CmpOp::$op, &x, &y) {
                Err(fault) if m.fault_is(&fault, Type::TypeError) => Ok(Value::NotImplemented),
                other => other,
            }
        })),*]
    };
}

pub(crate) static ADD: &[NativeFunction] = binary!("__add__" => Add, "__mul__" => Mul);
pub(crate) static ARITHMETIC: &[NativeFunction] = binary!(
    "__sub__" => Sub, "__truediv__" => Div, "__floordiv__" => FloorDiv, "__mod__" => Mod, "__pow__" => Pow
);
pub(crate) static REFLECTED: &[NativeFunction] = reflected!(
    "__radd__" => Add, "__rsub__" => Sub, "__rmul__" => Mul, "__rtruediv__" => Div
);
pub(crate) static BITS: &[NativeFunction] = binary!(
    "__and__" => And, "__or__" => Or, "__xor__" => Xor, "__sub__" => Sub
);
pub(crate) static ORDER: &[NativeFunction] =
    ordered!("__lt__" => Lt, "__le__" => Le, "__gt__" => Gt, "__ge__" => Ge);
pub(crate) static UNARY: &[NativeFunction] = &[
    NativeFunction::method("number", "__neg__", |m, a| {
        let inner = m.unboxed(&this(a));
        m.unary(UnOp::Minus, &inner)
    }),
    NativeFunction::method("number", "__bool__", |m, a| {
        let inner = m.unboxed(&this(a));
        m.truth(&inner).map(Value::Bool)
    }),
    NativeFunction::method("number", "__float__", |m, a| {
        let inner = m.unboxed(&this(a));
        m.construct_built_in(Type::Float.id(), &Args::new(vec![inner]))
    }),
];

pub(crate) static EXCEPTION: &[NativeFunction] = &[
    NativeFunction::method("BaseException", "with_traceback", |m, a| {
        if let Some(id) = m.is_exception(&this(a)) {
            m.set_exception_attribute(id, "__traceback__", &other(a))?;
        }
        Ok(this(a))
    }),
    NativeFunction::method("BaseException", "add_note", |m, a| {
        let (object, note) = (this(a), other(a));
        if m.as_text(&note).is_none() {
            let kind = m.type_name(&note);
            return m.type_error(&format!("note must be a str, not '{kind}'"));
        }
        if let Value::Obj(id) = object {
            match m.own_attribute(&object, "__notes__").and_then(|n| m.is_list(&n)) {
                Some(list) => m.list_mut(list).push(note),
                None => {
                    let notes = m.list(vec![note]);
                    m.set_own_attribute(id, "__notes__", notes);
                }
            }
        }
        Ok(Value::None)
    }),
];

pub(crate) static GROUP: &[NativeFunction] = &[
    NativeFunction::method("BaseExceptionGroup", "split", |m, a| {
        let (yes, no) = split(m, a)?;
        Ok(Value::tuple(vec![yes, no]))
    }),
    NativeFunction::method("BaseExceptionGroup", "subgroup", |m, a| split(m, a).map(|(yes, _)| yes)),
    NativeFunction::method("BaseExceptionGroup", "derive", |m, a| {
        let items = m.collect_items(&other(a))?;
        match m.is_exception(&this(a)) {
            Some(id) => Ok(m.derive_group(id, items)),
            None => Ok(Value::None),
        }
    }),
];

fn split(m: &mut Machine, args: &Args) -> R<(Value, Value)> {
    let kind = other(args);
    let by_class = m.as_class(&kind).is_some() || m.as_tuple(&kind).is_some();
    m.split_group(&this(args), &mut |m, exc| {
        if by_class {
            return m.match_exception(exc, &kind);
        }
        let answer = m.call1(&kind, exc)?;
        m.truth(&answer)
    })
}

pub(crate) static PROPERTY: &[NativeFunction] = &[
    NativeFunction::method("property", "getter", |m, a| replace(m, a, 0)),
    NativeFunction::method("property", "setter", |m, a| replace(m, a, 1)),
    NativeFunction::method("property", "deleter", |m, a| replace(m, a, 2)),
];

fn replace(m: &mut Machine, args: &Args, at: usize) -> R {
    match m.body(&this(args)) {
        Some(Body::Property(parts)) => {
            let mut parts = parts.clone();
            parts[at] = other(args);
            Ok(m.add(Type::Property, Body::Property(parts)))
        }
        _ => m.type_error("descriptor requires a 'property' object"),
    }
}

pub(crate) static FUNCTION: &[NativeFunction] = &[
    NativeFunction::method("function", "__get__", |m, a| {
        let function = this(a);
        if other(a).is_none() {
            return Ok(function);
        }
        m.bind(&function, &other(a))
    }),
    NativeFunction::method("function", "__call__", |m, a| {
        let rest = Args { items: a.items[1..].to_vec(), names: a.names.clone() };
        m.call_value(&this(a), rest)
    }),
];

impl Machine {
    /// A built-in name.
    pub(crate) fn builtin(&self, name: &str) -> Value {
        self.dict_of(self.builtins).get_str(name).cloned().unwrap_or(Value::None)
    }

    /// An iterator over the body of a container, whatever its class defines.
    pub(crate) fn quick_iter_plain(&mut self, value: &Value) -> Option<Value> {
        if let Value::Obj(id) = value
            && self.special(value, "__iter__").is_some()
        {
            let body = self.heap.get(*id).body.clone();
            let items = match body {
                Body::List(items) => items,
                Body::Dict(d) | Body::Set(d) | Body::FrozenSet(d) => d.keys().cloned().collect(),
                Body::Boxed(inner) => return self.quick_iter(&inner),
                _ => return None,
            };
            let state = crate::value::IterState::Tuple(Rc::from(items), 0);
            return Some(self.iterator(Type::ListIterator, state));
        }
        self.quick_iter(value)
    }
}
