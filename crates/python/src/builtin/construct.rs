//! What calling a built-in type makes.

use std::rc::Rc;

use num_bigint::BigInt;

use crate::builtin::number_text::{parse_float, parse_int};
use crate::machine::{Args, Fault, Machine, Need, R};
use crate::object::{as_big, as_float, quote, truncate};
use crate::value::{Body, Dict, EXCEPTIONS_FROM, IterState, ObjId, Range, Type, Value, ViewKind};

impl Machine {
    fn at_most(&mut self, name: &str, args: &Args, most: usize) -> R<()> {
        if args.items.len() > most {
            let given = args.items.len();
            let plural = if most == 1 { "" } else { "s" };
            return self.type_error(&format!("{name} expected at most {most} argument{plural}, got {given}"));
        }
        Ok(())
    }

    // tidy: table
    pub(crate) fn construct_built_in(&mut self, id: ObjId, args: &Args) -> R {
        let Some(kind) = Self::built_in_type(id) else { return Ok(Value::None) };
        match kind {
            Type::Object => Ok(self.plain_instance(Type::Object.id())),
            Type::Type => self.type_of_or_new(args),
            Type::Int => self.make_int(args),
            Type::Bool => match args.get(0) {
                Some(value) => self.truth(value).map(Value::Bool),
                None => Ok(Value::Bool(false)),
            },
            Type::Float => self.make_float(args),
            Type::Complex => {
                let part =
                    |m: &Self, at: usize| args.get(at).and_then(|v| as_float(&m.unboxed(v))).unwrap_or(0.0);
                match args.get(0) {
                    Some(Value::Complex(r, i)) => Ok(Value::Complex(*r, *i)),
                    _ => Ok(Value::Complex(part(self, 0), part(self, 1))),
                }
            }
            Type::Str => self.make_str(args),
            Type::Bytes => self.make_bytes(args).map(|b| Value::bytes(&b)),
            Type::ByteArray => {
                let bytes = self.make_bytes(args)?;
                Ok(self.add(Type::ByteArray, Body::ByteArray(bytes)))
            }
            Type::Tuple => {
                self.at_most("tuple", args, 1)?;
                match args.get(0) {
                    Some(tuple @ Value::Tuple(_)) => Ok(tuple.clone()),
                    Some(from) => self.collect_items(from).map(Value::tuple),
                    None => Ok(Value::tuple(Vec::new())),
                }
            }
            Type::List => {
                self.at_most("list", args, 1)?;
                let items = match args.get(0) {
                    Some(from) => self.collect_items(from)?,
                    None => Vec::new(),
                };
                Ok(self.list(items))
            }
            Type::Dict => {
                self.at_most("dict", args, 1)?;
                let dict = self.logged(|m| Ok(m.dict(Dict::default())))?;
                self.update_dict(&dict, args)?;
                Ok(dict)
            }
            Type::Set => {
                self.at_most("set", args, 1)?;
                let items = match args.get(0) {
                    Some(from) => self.collect_items(from)?,
                    None => Vec::new(),
                };
                self.build_set(&items)
            }
            Type::FrozenSet => {
                self.at_most("frozenset", args, 1)?;
                let items = match args.get(0) {
                    Some(frozen @ Value::Obj(f)) if self.heap.get(*f).class == Type::FrozenSet.id() => {
                        return Ok(frozen.clone());
                    }
                    Some(from) => self.collect_items(from)?,
                    None => Vec::new(),
                };
                let table = self.table_of(&items)?;
                Ok(self.add(Type::FrozenSet, Body::FrozenSet(table)))
            }
            Type::Range => self.make_range(args),
            Type::Slice => {
                let parts = match &args.items[..] {
                    [] => return self.type_error("slice expected at least 1 argument, got 0"),
                    [stop] => [Value::None, stop.clone(), Value::None],
                    [start, stop] => [start.clone(), stop.clone(), Value::None],
                    [start, stop, step, ..] => [start.clone(), stop.clone(), step.clone()],
                };
                Ok(Value::Slice(Rc::new(parts)))
            }
            Type::Property => {
                let part = |at: usize, name: &str| args.at(at, name).cloned().unwrap_or(Value::None);
                let parts = [part(0, "fget"), part(1, "fset"), part(2, "fdel"), part(3, "doc")];
                Ok(self.add(Type::Property, Body::Property(Box::new(parts))))
            }
            Type::StaticMethod => {
                Ok(self
                    .add(Type::StaticMethod, Body::StaticMethod(args.get(0).cloned().unwrap_or(Value::None))))
            }
            Type::ClassMethod => {
                Ok(self
                    .add(Type::ClassMethod, Body::ClassMethod(args.get(0).cloned().unwrap_or(Value::None))))
            }
            Type::Super => match (args.get(0).and_then(|c| self.as_class(c)), args.get(1)) {
                (Some(class), Some(object)) => Ok(self.add(Type::Super, Body::Super(class, object.clone()))),
                (None, None) => self.super_of_frame(),
                _ => self.type_error("super() argument 1 must be a type"),
            },
            Type::Map => self.make_map(args),
            Type::Filter => self.make_filter(args),
            Type::Zip => self.make_zip(args),
            Type::Enumerate => {
                let Some(from) = args.at(0, "iterable") else {
                    return self.type_error("enumerate() missing required argument 'iterable' (pos 1)");
                };
                let iterator = self.iter_of(from)?;
                let start = args.at(1, "start").cloned().unwrap_or(Value::Int(0));
                Ok(self.iterator(Type::Enumerate, IterState::Enumerate(iterator, start)))
            }
            Type::Reversed => self.make_reversed(args),
            Type::NoneType => Ok(Value::None),
            Type::Module => {
                let name = args.get(0).and_then(|n| self.as_text(n)).unwrap_or_else(|| Rc::from("module"));
                Ok(self.add(Type::Module, Body::Module(name)))
            }
            Type::MappingProxy => match args.get(0).and_then(|d| self.is_dict(d)) {
                Some(dict) => {
                    let dict = self.dict_of(dict).clone();
                    Ok(self.add(Type::MappingProxy, Body::Dict(dict)))
                }
                None => self.type_error("mappingproxy() argument must be a mapping"),
            },
            kind if kind >= EXCEPTIONS_FROM => self.make_exception(id, args),
            _ => {
                let name = self.class_name(id);
                self.type_error(&format!("cannot create '{name}' instances"))
            }
        }
    }

    fn make_exception(&mut self, id: ObjId, args: &Args) -> R {
        let mut class = id;
        if id == Type::OSError.id() && args.items.len() >= 2 {
            let specific = match args.items[0].as_int() {
                Some(2) => Type::FileNotFoundError,
                Some(17) => Type::FileExistsError,
                Some(21) => Type::IsADirectoryError,
                Some(20) => Type::NotADirectoryError,
                Some(13) => Type::PermissionError,
                Some(110) => Type::TimeoutError,
                _ => Type::OSError,
            };
            class = specific.id();
        }
        if self.class_is(class, Type::BaseExceptionGroup.id()) {
            let items = match args.get(1) {
                Some(list) => self.collect_items(list)?,
                None => {
                    return self
                        .type_error("BaseExceptionGroup.__new__() takes exactly 2 arguments (1 given)");
                }
            };
            if items.is_empty() {
                return self.value_error("second argument (exceptions) must be a non-empty sequence");
            }
            for (at, item) in items.iter().enumerate() {
                if self.is_exception(item).is_none() {
                    return self.value_error(&format!(
                        "Item {at} of second argument (exceptions) is not an exception"
                    ));
                }
            }
        }
        let named = self.class_is(class, Type::ImportError.id())
            || self.class_is(class, Type::NameError.id())
            || self.class_is(class, Type::AttributeError.id());
        if !named && !args.names.is_empty() {
            let name = self.class_name(class);
            return self.type_error(&format!("{name}() takes no keyword arguments"));
        }
        let made = self.new_exception(class, args.items.clone());
        for (name, value) in &args.names {
            self.set_own_attribute(made, name, value.clone());
        }
        Ok(Value::Obj(made))
    }

    fn type_of_or_new(&mut self, args: &Args) -> R {
        match &args.items[..] {
            [value] if args.names.is_empty() => Ok(Value::Obj(self.class_of(value))),
            [_, _, _] => self.class_from_args(Type::Type.id(), args),
            _ => self.type_error("type() takes 1 or 3 arguments"),
        }
    }

    fn make_int(&mut self, args: &Args) -> R {
        let Some(value) = args.get(0) else { return Ok(Value::Int(0)) };
        let base = match args.at(1, "base") {
            Some(base) => match self.as_index(base) {
                Some(base) if base == 0 || (2..=36).contains(&base) => Some(base as u32),
                Some(_) => return self.value_error("int() base must be >= 2 and <= 36, or 0"),
                None => return self.type_error("'str' object cannot be interpreted as an integer"),
            },
            None => None,
        };
        let inner = self.unboxed(value);
        let text = match &inner {
            Value::Str(text) => Some(text.to_string()),
            other => self.as_bytes(other).map(|b| String::from_utf8_lossy(&b).into_owned()),
        };
        if let Some(text) = text {
            let base = base.unwrap_or(10);
            return match parse_int(&text, base) {
                Some(number) => Ok(Value::big(number)),
                None => {
                    let shown = self.repr(value)?;
                    self.value_error(&format!("invalid literal for int() with base {base}: {shown}"))
                }
            };
        }
        if base.is_some() {
            return self.type_error("int() can't convert non-string with explicit base");
        }
        for name in ["__int__", "__index__", "__trunc__"] {
            if let Some(result) = self.call_special(value, name, &[])? {
                return Ok(result);
            }
        }
        match inner {
            Value::Int(_) | Value::Big(_) => Ok(inner),
            Value::Bool(b) => Ok(Value::Int(i64::from(b))),
            Value::Float(f) if f.is_nan() => self.value_error("cannot convert float NaN to integer"),
            Value::Float(f) => match truncate(f) {
                Some(big) => Ok(Value::big(big)),
                None => self.raise_error(Type::OverflowError, "cannot convert float infinity to integer"),
            },
            _ => {
                let kind = self.type_name(value);
                self.type_error(&format!(
                    "int() argument must be a string, a bytes-like object or a real number, not '{kind}'"
                ))
            }
        }
    }

    fn make_float(&mut self, args: &Args) -> R {
        let Some(value) = args.get(0) else { return Ok(Value::Float(0.0)) };
        let inner = self.unboxed(value);
        if let Value::Str(text) = &inner {
            return match parse_float(text) {
                Some(f) => Ok(Value::Float(f)),
                None => {
                    let shown = quote(text);
                    self.value_error(&format!("could not convert string to float: {shown}"))
                }
            };
        }
        for name in ["__float__", "__index__"] {
            if let Some(result) = self.call_special(value, name, &[])? {
                return Ok(Value::Float(as_float(&result).unwrap_or(0.0)));
            }
        }
        match as_float(&inner) {
            Some(f) if f.is_infinite() && !matches!(inner, Value::Float(_)) => {
                self.raise_error(Type::OverflowError, "int too large to convert to float")
            }
            Some(f) => Ok(Value::Float(f)),
            None => {
                let kind = self.type_name(value);
                self.type_error(&format!("float() argument must be a string or a real number, not '{kind}'"))
            }
        }
    }

    fn make_str(&mut self, args: &Args) -> R {
        let Some(value) = args.at(0, "object") else { return Ok(Value::str("")) };
        if args.items.len() > 3 {
            let given = args.items.len();
            return self.type_error(&format!("str() takes at most 3 arguments ({given} given)"));
        }
        if let Some(encoding) = args.at(1, "encoding") {
            let Some(encoding) = self.as_text(encoding) else {
                let kind = self.type_name(encoding);
                return self.type_error(&format!("str() argument 'encoding' must be str, not {kind}"));
            };
            let Some(bytes) = self.as_bytes(value) else {
                if self.as_text(value).is_some() {
                    return self.type_error("decoding str is not supported");
                }
                let kind = self.type_name(value);
                return self.type_error(&format!("decoding to str: need a bytes-like object, {kind} found"));
            };
            let errors = args.at(2, "errors").and_then(|e| self.as_text(e));
            return self.decode(&bytes, &encoding, errors.as_deref().unwrap_or("strict"));
        }
        self.str_of(value).map(Value::from)
    }

    fn make_bytes(&mut self, args: &Args) -> R<Vec<u8>> {
        let Some(value) = args.get(0) else { return Ok(Vec::new()) };
        if let Some(text) = self.as_text(value) {
            let Some(encoding) = args.at(1, "encoding").and_then(|e| self.as_text(e)) else {
                return self.type_error("string argument without an encoding");
            };
            let errors = args.at(2, "errors").and_then(|e| self.as_text(e));
            return self.encode(&text, &encoding, errors.as_deref().unwrap_or("strict"));
        }
        if let Some(bytes) = self.as_bytes(value) {
            return Ok(bytes.to_vec());
        }
        if let Some(count) = self.as_index(value) {
            if count < 0 {
                return self.value_error("negative count");
            }
            return Ok(vec![0; count as usize]);
        }
        if let Some(made) = self.call_special(value, "__bytes__", &[])? {
            return Ok(self.as_bytes(&made).map(|b| b.to_vec()).unwrap_or_default());
        }
        let mut bytes = Vec::new();
        for item in self.collect_items(value)? {
            match self.as_index(&item) {
                Some(b) => match u8::try_from(b) {
                    Ok(b) => bytes.push(b),
                    Err(_) => return self.value_error("bytes must be in range(0, 256)"),
                },
                None => {
                    let kind = self.type_name(&item);
                    return self.type_error(&format!("'{kind}' object cannot be interpreted as an integer"));
                }
            }
        }
        Ok(bytes)
    }

    fn make_range(&mut self, args: &Args) -> R {
        let mut numbers = Vec::new();
        for value in &args.items {
            match self.index_of(value)? {
                Some(i) => numbers.push(i),
                None => {
                    let kind = self.type_name(value);
                    return self.type_error(&format!("'{kind}' object cannot be interpreted as an integer"));
                }
            }
        }
        let (start, stop, step) = match numbers[..] {
            [] => return self.type_error("range expected at least 1 argument, got 0"),
            [stop] => (0, stop, 1),
            [start, stop] => (start, stop, 1),
            [start, stop, step] => (start, stop, step),
            _ => {
                let given = numbers.len();
                return self.type_error(&format!("range expected at most 3 arguments, got {given}"));
            }
        };
        if step == 0 {
            return self.value_error("range() arg 3 must not be zero");
        }
        Ok(Value::Range(Rc::new(Range { start, stop, step })))
    }

    /// A generator of the library that shows as an object of another type.
    fn library_iterator(&mut self, class: Type, function: &str, args: Vec<Value>) -> R {
        let function = self.core(function);
        let made = self.call_value(&function, Args::new(args))?;
        if let Value::Obj(id) = made {
            self.heap.get_mut(id).class = class.id();
        }
        Ok(made)
    }

    fn make_map(&mut self, args: &Args) -> R {
        let Some((function, iterables)) = args.items.split_first().filter(|(_, i)| !i.is_empty()) else {
            return self.type_error("map() must have at least two arguments.");
        };
        let mut all = vec![function.clone()];
        for iterable in iterables {
            all.push(self.iter_of(iterable)?);
        }
        self.library_iterator(Type::Map, if all.len() == 2 { "map_one" } else { "map_many" }, all)
    }

    fn make_filter(&mut self, args: &Args) -> R {
        let [function, iterable] = &args.items[..] else {
            let given = args.items.len();
            return self.type_error(&format!("filter expected 2 arguments, got {given}"));
        };
        let iterator = self.iter_of(iterable)?;
        let name = if function.is_none() { "filter_true" } else { "filter_by" };
        self.library_iterator(Type::Filter, name, vec![function.clone(), iterator])
    }

    fn make_zip(&mut self, args: &Args) -> R {
        let mut iterators = Vec::new();
        for (at, iterable) in args.items.iter().enumerate() {
            match self.iter_of(iterable) {
                Ok(iterator) => iterators.push(iterator),
                Err(fault)
                    if self.fault_is(&fault, Type::TypeError) && self.quick_items(iterable).is_none() =>
                {
                    if self.special(iterable, "__iter__").is_some() {
                        return Err(fault);
                    }
                    let kind = self.type_name(iterable);
                    let _ = at;
                    return self.type_error(&format!("'{kind}' object is not iterable"));
                }
                Err(fault) => return Err(fault),
            }
        }
        let strict = match args.named("strict") {
            Some(value) => self.truth(value)?,
            None => false,
        };
        Ok(self.iterator(Type::Zip, IterState::Zip(iterators, strict)))
    }

    fn make_reversed(&mut self, args: &Args) -> R {
        let Some(value) = args.get(0) else {
            return self.type_error("reversed expected 1 argument, got 0");
        };
        if let Some(found) = self.call_special(value, "__reversed__", &[])? {
            return Ok(found);
        }
        let dict = match self.body(value) {
            Some(Body::Dict(_)) => self.is_dict(value).map(|id| (id, ViewKind::Keys)),
            Some(Body::View(dict, kind)) => Some((*dict, *kind)),
            _ => None,
        };
        if let Some((dict, kind)) = dict {
            let slot = self.dict_of(dict).slots();
            return Ok(self.iterator(Type::Reversed, IterState::DictReversed { dict, kind, slot }));
        }
        if let Value::Range(r) = value {
            let len = r.len();
            let next = if len == 0 { r.start } else { r.at(len - 1) };
            return Ok(
                self.iterator(Type::RangeIterator, IterState::Range { next, left: len, step: -r.step })
            );
        }
        if self.is_set(value).is_none()
            && let Some(mut items) = self.quick_items(value)
            && self.special(value, "__getitem__").is_none()
        {
            items.reverse();
            let class =
                if self.is_list(value).is_some() { Type::ListReverseIterator } else { Type::Reversed };
            return Ok(self.iterator(class, IterState::Tuple(Rc::from(items), 0)));
        }
        if self.special(value, "__len__").is_some() && self.special(value, "__getitem__").is_some() {
            let len = self.length(value)? as i64;
            return Ok(self.iterator(Type::Reversed, IterState::ReversedSequence(value.clone(), len - 1)));
        }
        let kind = self.type_name(value);
        self.type_error(&format!("'{kind}' object is not reversible"))
    }

    /// `next(iterator)` with `StopIteration` at the end, which keeps the value of a generator.
    pub(crate) fn next_or_stop(&mut self, iterator: &Value) -> R {
        if let Some(id) = self.generator_id(iterator) {
            return self.logged(|m| m.need(Need::Resume(id, Value::None)));
        }
        if let Some(method) = self.special(iterator, "__next__") {
            let method = self.bind(&method, iterator)?;
            return self.call_value(&method, Args::default());
        }
        match self.next(iterator)? {
            Some(value) => Ok(value),
            None => Err(Fault::Raise(self.new_exception(Type::StopIteration.id(), Vec::new()))),
        }
    }

    /// An integer of any size from a value that is one.
    pub(crate) fn big_of(&self, value: &Value) -> Option<BigInt> {
        as_big(&self.unboxed(value))
    }
}
