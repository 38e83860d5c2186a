//! The built-in functions.

use std::rc::Rc;

use num_traits::Signed as _;

use crate::compile::{BinOp, compile_expression, compile_module};
use crate::host::Printed;
use crate::machine::{Args, Fault, Machine, NativeFunction, Need, R};
use crate::object::{as_big, ascii, float_divmod};
use crate::value::{Body, Dict, Type, Value, ViewKind};

pub(crate) static FUNCTIONS: &[NativeFunction] = &[
    NativeFunction::function("builtins", "print", print),
    NativeFunction::function("builtins", "len", |m, a| {
        one(m, a, "len", |m, v| m.length(v).map(|n| Value::Int(n as i64)))
    }),
    NativeFunction::function("builtins", "repr", |m, a| one(m, a, "repr", |m, v| m.repr(v).map(Value::from))),
    NativeFunction::function("builtins", "ascii", |m, a| {
        one(m, a, "ascii", |m, v| m.repr(v).map(|t| Value::from(ascii(&t))))
    }),
    NativeFunction::function("builtins", "abs", abs),
    NativeFunction::function("builtins", "all", |m, a| every(m, a, "all", false)),
    NativeFunction::function("builtins", "any", |m, a| every(m, a, "any", true)),
    NativeFunction::function("builtins", "bin", |m, a| radix(m, a, "bin", 2, "0b")),
    NativeFunction::function("builtins", "oct", |m, a| radix(m, a, "oct", 8, "0o")),
    NativeFunction::function("builtins", "hex", |m, a| radix(m, a, "hex", 16, "0x")),
    NativeFunction::function("builtins", "callable", |m, a| {
        one(m, a, "callable", |m, v| Ok(Value::Bool(m.is_callable(v))))
    }),
    NativeFunction::function("builtins", "chr", chr),
    NativeFunction::function("builtins", "ord", ord),
    NativeFunction::function("builtins", "hash", |m, a| {
        one(m, a, "hash", |m, v| m.hash(v).map(|h| Value::Int(if h as i64 == -1 { -2 } else { h as i64 })))
    }),
    NativeFunction::function("builtins", "id", |m, a| one(m, a, "id", |m, v| Ok(Value::Int(identity(m, v))))),
    NativeFunction::function("builtins", "getattr", getattr),
    NativeFunction::function("builtins", "hasattr", hasattr),
    NativeFunction::function("builtins", "setattr", setattr),
    NativeFunction::function("builtins", "delattr", delattr),
    NativeFunction::function("builtins", "isinstance", |m, a| {
        let [value, kind] = pair(m, a, "isinstance")?;
        m.instance_check(&value, &kind).map(Value::Bool)
    }),
    NativeFunction::function("builtins", "issubclass", |m, a| {
        let [class, kind] = pair(m, a, "issubclass")?;
        match m.as_class(&class) {
            Some(id) => m.subclass_check(id, &kind).map(Value::Bool),
            None => m.type_error("issubclass() arg 1 must be a class"),
        }
    }),
    NativeFunction::function("builtins", "iter", iter),
    NativeFunction::function("builtins", "next", next),
    NativeFunction::function("builtins", "divmod", divmod),
    NativeFunction::function("builtins", "pow", pow),
    NativeFunction::function("builtins", "round", super::numbers::round),
    NativeFunction::function("builtins", "format", |m, a| {
        let spec = a.get(1).and_then(|s| m.as_text(s)).unwrap_or_else(|| Rc::from(""));
        match a.get(0) {
            Some(value) => m.format(value, &spec).map(Value::from),
            None => m.type_error("format expected at least 1 argument, got 0"),
        }
    }),
    NativeFunction::function("builtins", "sorted", sorted),
    NativeFunction::function("builtins", "min", |m, a| extreme(m, a, "min")),
    NativeFunction::function("builtins", "max", |m, a| extreme(m, a, "max")),
    NativeFunction::function("builtins", "sum", sum),
    NativeFunction::function("builtins", "dir", dir),
    NativeFunction::function("builtins", "vars", vars),
    NativeFunction::function("builtins", "globals", |m, _| {
        let globals = m.script_or_top().map(|f| f.globals);
        Ok(Value::Obj(globals.unwrap_or(m.main)))
    }),
    NativeFunction::function("builtins", "locals", |m, _| Ok(m.local_names())),
    NativeFunction::function("builtins", "eval", eval),
    NativeFunction::function("builtins", "exec", exec),
    NativeFunction::function("builtins", "compile", compile),
    NativeFunction::function("builtins", "__import__", |m, a| {
        let name = a.get(0).and_then(|n| m.as_text(n)).unwrap_or_else(|| Rc::from(""));
        m.import(&name, 0, &Value::None)
    }),
    NativeFunction::function("builtins", "__install__", |m, a| {
        let builtins = m.builtins;
        for (name, value) in &a.names {
            m.dict_mut(builtins).set_name(name, value.clone());
        }
        Ok(Value::None)
    }),
];

/// The single argument of a function.
pub(crate) fn one(
    m: &mut Machine,
    args: &Args,
    name: &str,
    then: impl FnOnce(&mut Machine, &Value) -> R,
) -> R {
    if let Some((key, _)) = args.names.first() {
        let _ = key;
        return m.type_error(&format!("{name}() takes no keyword arguments"));
    }
    match &args.items[..] {
        [value] => then(m, value),
        all => {
            let count = all.len();
            m.type_error(&format!("{name}() takes exactly one argument ({count} given)"))
        }
    }
}

pub(crate) fn pair(m: &mut Machine, args: &Args, name: &str) -> R<[Value; 2]> {
    match &args.items[..] {
        [a, b] => Ok([a.clone(), b.clone()]),
        all => {
            let count = all.len();
            m.type_error(&format!("{name} expected 2 arguments, got {count}"))
        }
    }
}

fn identity(m: &Machine, value: &Value) -> i64 {
    match value {
        Value::Obj(id) => 0x7f00_0000_0000 + i64::from(id.0) * 48,
        other => {
            crate::value::plain_hash(other)
                .map_or(0x7e00_0000_0000, |h| 0x5500_0000_0000 + (h % 0xffff_ffff) as i64 * 16)
                + i64::from(m.class_of(other).0)
        }
    }
}

fn print(m: &mut Machine, args: &Args) -> R {
    let text_option = |m: &mut Machine, name: &str, default: &str| -> R<String> {
        match args.named(name) {
            None | Some(Value::None) => Ok(default.to_owned()),
            Some(value) => match m.as_text(value) {
                Some(text) => Ok(text.to_string()),
                None => {
                    let kind = m.type_name(value);
                    m.type_error(&format!("{name} must be None or a string, not {kind}"))
                }
            },
        }
    };
    for (name, _) in &args.names {
        if !matches!(&**name, "sep" | "end" | "file" | "flush") {
            return m.type_error(&format!("'{name}' is an invalid keyword argument for print()"));
        }
    }
    let sep = text_option(m, "sep", " ")?;
    let end = text_option(m, "end", "\n")?;
    let mut parts = Vec::with_capacity(args.items.len());
    for item in &args.items {
        parts.push(m.str_of(item)?);
    }
    let text = format!("{}{end}", parts.join(&sep));
    let file = args.named("file").filter(|f| !f.is_none()).cloned().or_else(|| m.redirect.clone());
    match &file {
        None => {
            m.write_out(&text, false);
            Ok(Value::None)
        }
        Some(file) => {
            let write = m.get_attribute(file, &Rc::from("write"))?;
            m.call1(&write, &Value::from(text))?;
            Ok(Value::None)
        }
    }
}

impl Machine {
    /// Adds to the standard output, or to that for errors.
    pub(crate) fn write_out(&mut self, text: &str, error: bool) {
        let line = self.current_line().unwrap_or(0);
        match self.printed.last_mut() {
            Some(last) if last.line == line && last.error == error => last.text.push_str(text),
            _ => self.printed.push(Printed { text: text.to_owned(), line, error }),
        }
    }

    pub(crate) fn script_or_top(&self) -> Option<&crate::machine::PyFrame> {
        self.top_py()
    }

    fn local_names(&mut self) -> Value {
        let Some(frame) = self.top_py() else { return Value::Obj(self.main) };
        if let Some(names) = frame.names {
            return Value::Obj(names);
        }
        if frame.code.locals.is_empty() && frame.code.cells.is_empty() && &*frame.code.name == "<module>" {
            return Value::Obj(frame.globals);
        }
        let mut dict = Dict::default();
        let code = Rc::clone(&frame.code);
        let cells = frame.cells.clone();
        let locals = frame.locals.clone();
        for (name, value) in code.locals.iter().zip(&locals) {
            if let Some(value) = value {
                dict.set_name(name, value.clone());
            }
        }
        for (name, cell) in code.cells.iter().zip(cells) {
            if let Some(value) = self.cell(cell) {
                dict.set_name(name, value);
            }
        }
        self.dict(dict)
    }
}

fn abs(m: &mut Machine, args: &Args) -> R {
    one(m, args, "abs", |m, v| {
        if let Some(result) = m.call_special(v, "__abs__", &[])? {
            return Ok(result);
        }
        match m.unboxed(v) {
            Value::Float(f) => Ok(Value::Float(f.abs())),
            Value::Complex(r, i) => Ok(Value::Float(libm::hypot(r, i))),
            other => match as_big(&other) {
                Some(big) => Ok(Value::big(big.abs())),
                None => {
                    let kind = m.type_name(v);
                    m.type_error(&format!("bad operand type for abs(): '{kind}'"))
                }
            },
        }
    })
}

fn every(m: &mut Machine, args: &Args, name: &str, until: bool) -> R {
    one(m, args, name, |m, v| {
        if let Some(items) = m.quick_items(v) {
            for item in items {
                if m.truth(&item)? == until {
                    return Ok(Value::Bool(until));
                }
            }
            return Ok(Value::Bool(!until));
        }
        let function = m.core(if until { "any_of" } else { "all_of" });
        m.call1(&function, v)
    })
}

fn radix(m: &mut Machine, args: &Args, name: &str, base: u32, prefix: &str) -> R {
    one(m, args, name, |m, v| {
        let value = match m.call_special(v, "__index__", &[])? {
            Some(index) => index,
            None => m.unboxed(v),
        };
        match as_big(&value) {
            Some(big) => {
                let sign = if big.is_negative() { "-" } else { "" };
                Ok(Value::from(format!("{sign}{prefix}{}", big.abs().to_str_radix(base))))
            }
            None => {
                let kind = m.type_name(v);
                m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
            }
        }
    })
}

fn chr(m: &mut Machine, args: &Args) -> R {
    one(m, args, "chr", |m, v| match m.as_index(v) {
        Some(code) => match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(c) => Ok(crate::object::char_value(c)),
            None => m.value_error("chr() arg not in range(0x110000)"),
        },
        None => {
            let kind = m.type_name(v);
            m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
        }
    })
}

fn ord(m: &mut Machine, args: &Args) -> R {
    one(m, args, "ord", |m, v| {
        let chars: Vec<i64> = match (m.as_text(v), m.as_bytes(v)) {
            (Some(text), _) => text.chars().map(|c| i64::from(c as u32)).collect(),
            (_, Some(bytes)) => bytes.iter().map(|b| i64::from(*b)).collect(),
            _ => {
                let kind = m.type_name(v);
                return m.type_error(&format!("ord() expected string of length 1, but {kind} found"));
            }
        };
        match &chars[..] {
            [one] => Ok(Value::Int(*one)),
            all => {
                let len = all.len();
                m.type_error(&format!("ord() expected a character, but string of length {len} found"))
            }
        }
    })
}

fn attribute_name(m: &mut Machine, value: &Value) -> R<Rc<str>> {
    match m.as_text(value) {
        Some(name) => Ok(name),
        None => {
            let kind = m.type_name(value);
            m.type_error(&format!("attribute name must be string, not '{kind}'"))
        }
    }
}

fn getattr(m: &mut Machine, args: &Args) -> R {
    let (Some(object), Some(name)) = (args.get(0), args.get(1)) else {
        let count = args.items.len();
        return m.type_error(&format!("getattr expected at least 2 arguments, got {count}"));
    };
    let name = attribute_name(m, name)?;
    match m.get_attribute(object, &name) {
        Err(fault) if m.fault_is(&fault, Type::AttributeError) => match args.get(2) {
            Some(default) => Ok(default.clone()),
            None => Err(fault),
        },
        other => other,
    }
}

fn hasattr(m: &mut Machine, args: &Args) -> R {
    let [object, name] = pair(m, args, "hasattr")?;
    let name = attribute_name(m, &name)?;
    match m.get_attribute(&object, &name) {
        Ok(_) => Ok(Value::Bool(true)),
        Err(fault) if m.fault_is(&fault, Type::AttributeError) => Ok(Value::Bool(false)),
        Err(fault) => Err(fault),
    }
}

fn setattr(m: &mut Machine, args: &Args) -> R {
    let [object, name, value] = &args.items[..] else {
        let count = args.items.len();
        return m.type_error(&format!("setattr expected 3 arguments, got {count}"));
    };
    let name = attribute_name(m, name)?;
    m.set_attr(object, &name, value.clone()).map(|()| Value::None)
}

fn delattr(m: &mut Machine, args: &Args) -> R {
    let [object, name] = pair(m, args, "delattr")?;
    let name = attribute_name(m, &name)?;
    m.delete_attribute(&object, &name).map(|()| Value::None)
}

fn iter(m: &mut Machine, args: &Args) -> R {
    match &args.items[..] {
        [value] => m.iter_of(value),
        [function, end] => {
            if !m.is_callable(function) {
                return m.type_error("iter(v, w): v must be callable");
            }
            let state = crate::value::IterState::Callable(function.clone(), end.clone());
            Ok(m.iterator(Type::CallableIterator, state))
        }
        _ => m.type_error("iter expected at least 1 argument, got 0"),
    }
}

fn next(m: &mut Machine, args: &Args) -> R {
    let Some(iterator) = args.get(0) else {
        return m.type_error("next expected at least 1 argument, got 0");
    };
    match m.next_or_stop(iterator) {
        Err(fault) if m.fault_is(&fault, Type::StopIteration) => match args.get(1) {
            Some(default) => Ok(default.clone()),
            None => Err(fault),
        },
        other => other,
    }
}

fn divmod(m: &mut Machine, args: &Args) -> R {
    let [a, b] = pair(m, args, "divmod")?;
    if let Some(result) = m.call_special(&a, "__divmod__", std::slice::from_ref(&b))? {
        return Ok(result);
    }
    match (m.unboxed(&a), m.unboxed(&b)) {
        (x @ Value::Float(_), y) | (x, y @ Value::Float(_)) => {
            let (Some(f), Some(g)) = (crate::object::as_float(&x), crate::object::as_float(&y)) else {
                return divmod_error(m, &a, &b);
            };
            if g == 0.0 {
                return m.raise_error(Type::ZeroDivisionError, "float divmod()");
            }
            let (q, r) = float_divmod(f, g);
            Ok(Value::tuple(vec![Value::Float(q), Value::Float(r)]))
        }
        (x, y) if as_big(&x).is_some() && as_big(&y).is_some() => {
            let q = m.binary(BinOp::FloorDiv, &x, &y)?;
            let r = m.binary(BinOp::Mod, &x, &y)?;
            Ok(Value::tuple(vec![q, r]))
        }
        (Value::Obj(_), _) => {
            let q = m.binary(BinOp::FloorDiv, &a, &b)?;
            let r = m.binary(BinOp::Mod, &a, &b)?;
            Ok(Value::tuple(vec![q, r]))
        }
        _ => divmod_error(m, &a, &b),
    }
}

fn divmod_error(m: &mut Machine, a: &Value, b: &Value) -> R {
    let (x, y) = (m.type_name(a), m.type_name(b));
    m.type_error(&format!("unsupported operand type(s) for divmod(): '{x}' and '{y}'"))
}

fn pow(m: &mut Machine, args: &Args) -> R {
    let (Some(base), Some(exp)) = (args.at(0, "base"), args.at(1, "exp")) else {
        return m.type_error("pow() missing required argument 'exp' (pos 2)");
    };
    match args.at(2, "mod") {
        None | Some(Value::None) => m.binary(BinOp::Pow, base, exp),
        Some(modulus) => m.mod_pow(base, exp, modulus),
    }
}

/// Keys of items by a function, or the items.
pub(crate) fn keys_of(m: &mut Machine, items: &[Value], key: Option<&Value>) -> R<Vec<Value>> {
    match key {
        None | Some(Value::None) => Ok(items.to_vec()),
        Some(key) => {
            let function = m.core("keys_of");
            let list = m.call_value(&function, Args::new(vec![key.clone(), Value::tuple(items.to_vec())]))?;
            Ok(m.quick_items(&list).unwrap_or_default())
        }
    }
}

/// A stable sort by keys, which may ask Python code to compare.
pub(crate) fn sort_items(
    m: &mut Machine,
    items: Vec<Value>,
    key: Option<&Value>,
    reverse: bool,
) -> R<Vec<Value>> {
    let keys = keys_of(m, &items, key)?;
    let mut pairs: Vec<(Value, Value)> = keys.into_iter().zip(items).collect();
    if reverse {
        pairs.reverse();
    }
    let mut fault = None;
    let sorted = merge_sort(m, pairs, &mut fault);
    if let Some(fault) = fault {
        return Err(fault);
    }
    let mut items: Vec<Value> = sorted.into_iter().map(|(_, v)| v).collect();
    if reverse {
        items.reverse();
    }
    Ok(items)
}

fn merge_sort(m: &mut Machine, pairs: Vec<(Value, Value)>, fault: &mut Option<Fault>) -> Vec<(Value, Value)> {
    let mut width = 1;
    let mut all = pairs;
    while width < all.len() && fault.is_none() {
        let mut next = Vec::with_capacity(all.len());
        for chunk in all.chunks(2 * width) {
            let (left, right) = chunk.split_at(width.min(chunk.len()));
            let (mut i, mut j) = (0, 0);
            while i < left.len() && j < right.len() {
                let take_right = match m.less(&right[j].0, &left[i].0) {
                    Ok(less) => less,
                    Err(found) => {
                        *fault = Some(found);
                        return Vec::new();
                    }
                };
                if take_right {
                    next.push(right[j].clone());
                    j += 1;
                } else {
                    next.push(left[i].clone());
                    i += 1;
                }
            }
            next.extend_from_slice(&left[i..]);
            next.extend_from_slice(&right[j..]);
        }
        all = next;
        width *= 2;
    }
    all
}

fn sorted(m: &mut Machine, args: &Args) -> R {
    let [iterable] = &args.items[..] else {
        let count = args.items.len();
        return m.type_error(&format!("sorted expected 1 argument, got {count}"));
    };
    let items = m.collect_items(iterable)?;
    let reverse = match args.named("reverse") {
        Some(value) => m.truth(value)?,
        None => false,
    };
    let items = sort_items(m, items, args.named("key"), reverse)?;
    Ok(m.list(items))
}

fn extreme(m: &mut Machine, args: &Args, name: &str) -> R {
    let default = args.named("default");
    let items = match &args.items[..] {
        [] => return m.type_error(&format!("{name} expected at least 1 argument, got 0")),
        [one] => m.collect_items(one)?,
        many => {
            if default.is_some() {
                return m.type_error(&format!(
                    "Cannot specify a default for {name}() with multiple positional arguments"
                ));
            }
            many.to_vec()
        }
    };
    let keys = keys_of(m, &items, args.named("key"))?;
    let mut best: Option<usize> = None;
    for at in 0..items.len() {
        let better = match best {
            None => true,
            Some(b) => {
                let op = if name == "min" { crate::compile::CmpOp::Lt } else { crate::compile::CmpOp::Gt };
                let result = m.compare(op, &keys[at], &keys[b])?;
                m.truth(&result)?
            }
        };
        if better {
            best = Some(at);
        }
    }
    match (best, default) {
        (Some(at), _) => Ok(items[at].clone()),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => m.value_error(&format!("{name}() arg is an empty sequence")),
    }
}

fn sum(m: &mut Machine, args: &Args) -> R {
    let Some(iterable) = args.get(0) else {
        return m.type_error("sum() takes at least 1 positional argument (0 given)");
    };
    let mut total = args.at(1, "start").cloned().unwrap_or(Value::Int(0));
    if m.as_text(&total).is_some() {
        return m.type_error("sum() can't sum strings [use ''.join(seq) instead]");
    }
    for item in m.collect_items(iterable)? {
        total = m.binary(BinOp::Add, &total, &item)?;
    }
    Ok(total)
}

fn dir(m: &mut Machine, args: &Args) -> R {
    let mut names: Vec<Rc<str>> = Vec::new();
    let add = |dict: &Dict, names: &mut Vec<Rc<str>>| {
        names.extend(dict.keys().filter_map(|k| if let Value::Str(s) = k { Some(s.clone()) } else { None }));
    };
    match args.get(0) {
        None => {
            let locals = m.local_names();
            if let Some(id) = m.is_dict(&locals) {
                add(m.dict_of(id), &mut names);
            }
        }
        Some(value) => {
            if let Some(found) = m.call_special(value, "__dir__", &[])? {
                let items = m.collect_items(&found)?;
                return sort_items(m, items, None, false).map(|i| m.list(i));
            }
            if let Value::Obj(id) = value
                && let Some(attrs) = m.heap.get(*id).attrs
            {
                add(m.dict_of(attrs), &mut names);
            }
            if !matches!(m.body(value), Some(Body::Module(_))) {
                let class = m.as_class(value).unwrap_or_else(|| m.class_of(value));
                let mro = m.class_data(class).map(|c| Rc::clone(&c.mro)).unwrap_or_default();
                for base in mro.iter() {
                    if let Some(data) = m.class_data(*base) {
                        add(&data.dict, &mut names);
                    }
                }
            }
        }
    }
    names.sort();
    names.dedup();
    Ok(m.list(names.into_iter().map(Value::Str).collect()))
}

fn vars(m: &mut Machine, args: &Args) -> R {
    match args.get(0) {
        None => Ok(m.local_names()),
        Some(value) => match m.get_attribute(value, &Rc::from("__dict__")) {
            Err(fault) if m.fault_is(&fault, Type::AttributeError) => {
                m.type_error("vars() argument must have __dict__ attribute")
            }
            other => other,
        },
    }
}

fn spaces(m: &mut Machine, args: &Args) -> (crate::value::ObjId, Option<crate::value::ObjId>) {
    let given = args.at(1, "globals").and_then(|g| m.is_dict(g));
    let locals = args.at(2, "locals").and_then(|l| m.is_dict(l));
    match given {
        Some(globals) => (globals, locals),
        None => {
            let here = m.local_names();
            let globals = m.top_py().map_or(m.main, |f| f.globals);
            let names = m.is_dict(&here).filter(|n| *n != globals);
            (globals, locals.or(names))
        }
    }
}

fn compile_error(m: &mut Machine, errors: &[crate::diagnostic::SyntaxError]) -> R {
    let Some(first) = errors.first() else { return Ok(Value::None) };
    let class = match first.class.as_str() {
        "IndentationError" => Type::IndentationError,
        "TabError" => Type::TabError,
        _ => Type::SyntaxError,
    };
    let text = format!("{} ({}, line {})", first.message, first.file, first.span.line);
    let attributes = [
        ("msg", Value::str(&first.message)),
        ("lineno", Value::Int(i64::from(first.span.line))),
        ("offset", Value::Int(i64::from(first.span.column) + 1)),
        ("filename", Value::str(&first.file)),
        ("text", Value::str(&first.source_line)),
    ];
    Err(m.error_with(class, &text, &attributes))
}

fn eval(m: &mut Machine, args: &Args) -> R {
    run_text(m, args, "eval")
}

fn exec(m: &mut Machine, args: &Args) -> R {
    run_text(m, args, "exec").map(|_| Value::None)
}

fn compile(m: &mut Machine, args: &Args) -> R {
    let text =
        |at: usize, name: &str| args.at(at, name).and_then(|v| m.as_text(v)).unwrap_or_else(|| Rc::from(""));
    let (source, file, mode) = (text(0, "source"), text(1, "filename"), text(2, "mode"));
    let made = if &*mode == "eval" {
        compile_expression(&source, &file)
    } else {
        compile_module(&source, &file, false)
    };
    match made {
        Ok(code) => Ok(m.add(Type::Code, Body::Code(code))),
        Err(errors) => compile_error(m, &errors),
    }
}

fn run_text(m: &mut Machine, args: &Args, name: &str) -> R {
    let code = match args.get(0) {
        Some(value) => match (m.as_text(value), m.body(value)) {
            (Some(text), _) => {
                let made = if name == "eval" {
                    compile_expression(&text, "<string>")
                } else {
                    compile_module(&text, "<string>", false)
                };
                match made {
                    Ok(code) => code,
                    Err(errors) => return compile_error(m, &errors),
                }
            }
            (_, Some(Body::Code(code))) => Rc::clone(code),
            _ => return m.type_error(&format!("{name}() arg 1 must be a string, bytes or code object")),
        },
        None => return m.type_error(&format!("{name} expected at least 1 argument, got 0")),
    };
    let (globals, names) = match m.logged(|m| {
        let (globals, names) = spaces(m, args);
        Ok(Value::tuple(vec![Value::Obj(globals), names.map_or(Value::None, Value::Obj)]))
    })? {
        Value::Tuple(parts) => match (&parts[0], &parts[1]) {
            (Value::Obj(g), Value::Obj(n)) => (*g, Some(*n)),
            (Value::Obj(g), _) => (*g, None),
            _ => (m.main, None),
        },
        _ => (m.main, None),
    };
    m.logged(|m| m.need(Need::Code(code, globals, names)))
}

/// A live view of a dict.
pub(crate) fn view_of(m: &mut Machine, dict: &Value, kind: ViewKind) -> R {
    let class = match kind {
        ViewKind::Keys => Type::DictKeys,
        ViewKind::Values => Type::DictValues,
        ViewKind::Items => Type::DictItems,
    };
    match m.is_dict(dict) {
        Some(id) => Ok(m.add(class, Body::View(id, kind))),
        None => m.type_error("descriptor requires a 'dict' object"),
    }
}
