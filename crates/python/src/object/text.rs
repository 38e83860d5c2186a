//! `repr`, `str` and replacement fields.

use std::rc::Rc;

use crate::builtin::number_text::{complex_repr, float_repr};
use crate::compile::Conversion;
use crate::machine::{Args, Machine, R};
use crate::value::{Body, ObjId, Type, Value, ViewKind};

/// The repr of a text.
pub(crate) fn quote(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || c as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", c as u32)),
            c if printable(c) => out.push(c),
            c => out.push_str(&escape(c)),
        }
    }
    out.push(quote);
    out
}

fn escape(c: char) -> String {
    match c as u32 {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code @ 0x100..=0xffff => format!("\\u{code:04x}"),
        code => format!("\\U{code:08x}"),
    }
}

/// Whether `repr` shows a character as it is.
pub(crate) fn printable(c: char) -> bool {
    let code = c as u32;
    if code < 0x7f {
        return code >= 0x20;
    }
    !(code <= 0xa0
        || code == 0xad
        || (0x2000..=0x200f).contains(&code)
        || (0x2028..=0x202f).contains(&code)
        || (0x205f..=0x206f).contains(&code)
        || code == 0x3000
        || code == 0xfeff
        || (0xe000..=0xf8ff).contains(&code)
        || (0xfff0..=0xfffb).contains(&code)
        || code >= 0xe0000)
}

/// The text with all but ASCII escaped.
pub(crate) fn ascii(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii() { c.to_string() } else { escape(c) }).collect()
}

/// The repr of bytes.
pub(crate) fn quote_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = String::from("b");
    out.push(quote);
    for b in bytes {
        match b {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b if *b as char == quote => {
                out.push('\\');
                out.push(quote);
            }
            0x20..=0x7e => out.push(*b as char),
            b => out.push_str(&format!("\\x{b:02x}")),
        }
    }
    out.push(quote);
    out
}

impl Machine {
    /// The text of a special method that must give a str.
    fn text_special(&mut self, value: &Value, name: &str) -> R<Option<String>> {
        match self.call_special(value, name, &[])? {
            None => Ok(None),
            Some(result) => match self.as_text(&result) {
                Some(text) => Ok(Some(text.to_string())),
                None => {
                    let kind = self.type_name(&result);
                    self.type_error(&format!("{name} returned non-string (type {kind})"))
                }
            },
        }
    }

    /// `str(value)`
    pub(crate) fn str_of(&mut self, value: &Value) -> R<String> {
        if let Value::Str(text) = value {
            return Ok(text.to_string());
        }
        if let Some(text) = self.text_special(value, "__str__")? {
            return Ok(text);
        }
        self.plain_str(value)
    }

    /// `object.__str__`
    pub(crate) fn plain_str(&mut self, value: &Value) -> R<String> {
        match self.body(value) {
            Some(Body::Exception(_)) => {
                let Value::Obj(id) = value else { return Ok(String::new()) };
                self.exception_text(*id)
            }
            Some(Body::Boxed(inner)) if self.special(value, "__repr__").is_none() => {
                let inner = inner.clone();
                self.str_of(&inner)
            }
            _ => self.repr(value),
        }
    }

    // tidy: table
    pub(crate) fn exception_text(&mut self, id: ObjId) -> R<String> {
        let class = self.heap.get(id).class;
        let args = Rc::clone(&self.exception(id).args);
        let is = |m: &Self, kind: Type| m.class_is(class, kind.id());
        if is(self, Type::BaseExceptionGroup) {
            let count = self.group_items(id).map_or(0, |g| g.len());
            let message = match args.first() {
                Some(message) => self.str_of(message)?,
                None => String::new(),
            };
            return Ok(format!("{message} ({count} sub-exception{})", if count == 1 { "" } else { "s" }));
        }
        if is(self, Type::UnicodeDecodeError) && args.len() == 5 {
            return self.decode_text(&args);
        }
        if is(self, Type::UnicodeEncodeError) && args.len() == 5 {
            return self.encode_text(&args);
        }
        if is(self, Type::OSError) && args.len() >= 2 {
            let number = self.str_of(&args[0])?;
            let text = self.str_of(&args[1])?;
            return Ok(match args.get(2) {
                Some(file) => format!("[Errno {number}] {text}: {}", self.repr(file)?),
                None => format!("[Errno {number}] {text}"),
            });
        }
        match &args[..] {
            [] => Ok(String::new()),
            [one] if is(self, Type::KeyError) => self.repr(one),
            [one] => self.str_of(one),
            _ => self.repr(&Value::Tuple(args)),
        }
    }

    fn decode_text(&mut self, args: &[Value]) -> R<String> {
        let encoding = self.str_of(&args[0])?;
        let reason = self.str_of(&args[4])?;
        let (start, end) = (args[2].as_int().unwrap_or(0), args[3].as_int().unwrap_or(0));
        if end - start == 1 {
            let byte = self.as_bytes(&args[1]).and_then(|b| b.get(start as usize).copied()).unwrap_or(0);
            return Ok(format!(
                "'{encoding}' codec can't decode byte 0x{byte:02x} in position {start}: {reason}"
            ));
        }
        Ok(format!("'{encoding}' codec can't decode bytes in position {start}-{}: {reason}", end - 1))
    }

    fn encode_text(&mut self, args: &[Value]) -> R<String> {
        let encoding = self.str_of(&args[0])?;
        let reason = self.str_of(&args[4])?;
        let (start, end) = (args[2].as_int().unwrap_or(0), args[3].as_int().unwrap_or(0));
        if end - start == 1 {
            let text = self.as_text(&args[1]);
            let c = text.and_then(|t| t.chars().nth(start as usize)).unwrap_or('?');
            return Ok(format!(
                "'{encoding}' codec can't encode character '{}' in position {start}: {reason}",
                escape(c)
            ));
        }
        Ok(format!("'{encoding}' codec can't encode characters in position {start}-{}: {reason}", end - 1))
    }

    /// `repr(value)`
    pub(crate) fn repr(&mut self, value: &Value) -> R<String> {
        if let Some(text) = self.text_special(value, "__repr__")? {
            return Ok(text);
        }
        match value {
            Value::Tuple(_) | Value::Obj(_) => self.nested(|m| m.plain_repr_of(value)),
            _ => self.plain_repr_of(value),
        }
    }

    // tidy: table
    pub(crate) fn plain_repr_of(&mut self, value: &Value) -> R<String> {
        Ok(match value {
            Value::None => "None".to_owned(),
            Value::Ellipsis => "Ellipsis".to_owned(),
            Value::NotImplemented => "NotImplemented".to_owned(),
            Value::Bool(true) => "True".to_owned(),
            Value::Bool(false) => "False".to_owned(),
            Value::Int(i) => i.to_string(),
            Value::Big(b) => b.to_string(),
            Value::Float(f) => float_repr(*f),
            Value::Complex(r, i) => complex_repr(*r, *i),
            Value::Str(s) => quote(s),
            Value::Bytes(b) => quote_bytes(b),
            Value::Tuple(items) => {
                let parts = self.repr_all(items)?;
                if items.len() == 1 { format!("({parts},)") } else { format!("({parts})") }
            }
            Value::Range(r) if r.step == 1 => format!("range({}, {})", r.start, r.stop),
            Value::Range(r) => format!("range({}, {}, {})", r.start, r.stop, r.step),
            Value::Slice(s) => {
                let parts = self.repr_all(&s[..])?;
                format!("slice({parts})")
            }
            Value::Native(n) => match n.0.kind {
                crate::machine::NativeKind::Method => {
                    format!("<method '{}' of '{}' objects>", n.0.name, n.0.owner)
                }
                _ => format!("<built-in function {}>", n.0.name),
            },
            Value::Bound(b) => {
                let receiver = match b.function {
                    Value::Native(_) => {
                        let kind = self.type_name(&b.receiver);
                        format!("{kind} object at {}", self.address(&b.receiver))
                    }
                    _ => self.repr(&b.receiver)?,
                };
                match &b.function {
                    Value::Native(n) => format!("<built-in method {} of {receiver}>", n.0.name),
                    Value::Obj(id) => match &self.heap.get(*id).body {
                        Body::Function(f) => format!("<bound method {} of {receiver}>", f.qualname),
                        _ => format!("<bound method of {receiver}>"),
                    },
                    other => format!("<bound method {} of {receiver}>", self.host_name(other)),
                }
            }
            Value::HostFunction(_) => {
                format!("<function {} at {}>", self.host_name(value), self.address(value))
            }
            Value::Host(object) => {
                let name = self
                    .host
                    .class(object.class)
                    .map_or_else(String::new, |c| format!("{}.{}", c.module, c.qualified_name));
                format!("<{name} object at 0x{:012x}>", 0x7f10_0000_0000u64 + object.id * 64)
            }
            Value::Obj(id) => return self.object_repr(*id, value),
        })
    }

    fn host_name(&self, value: &Value) -> String {
        use crate::value::HostFunction;
        match value {
            Value::HostFunction(f) => match &**f {
                HostFunction::Module { name, .. }
                | HostFunction::Static { name, .. }
                | HostFunction::Property { name, .. } => name.clone(),
                HostFunction::Method { name, class } => format!("{class}.{name}"),
                HostFunction::Getter(name) => name.clone(),
                HostFunction::Refused(_) => String::new(),
            },
            _ => String::new(),
        }
    }

    pub(crate) fn address(&self, value: &Value) -> String {
        let number = match value {
            Value::Obj(id) => u64::from(id.0) * 48,
            _ => 0x10_0000,
        };
        format!("0x{:012x}", 0x7f00_0000_0000u64 + number)
    }

    fn repr_all(&mut self, items: &[Value]) -> R<String> {
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            parts.push(self.repr(item)?);
        }
        Ok(parts.join(", "))
    }

    /// The repr of a container that may contain itself.
    fn guarded(&mut self, id: ObjId, inside: &str, build: impl FnOnce(&mut Self) -> R<String>) -> R<String> {
        if self.visiting.contains(&id) {
            return Ok(inside.to_owned());
        }
        if self.visiting.len() > crate::machine::DEPTH_MAX {
            return self.raise_error(
                Type::RecursionError,
                "maximum recursion depth exceeded while getting the repr of an object",
            );
        }
        self.visiting.push(id);
        let result = build(self);
        self.visiting.pop();
        result
    }

    // tidy: table
    fn object_repr(&mut self, id: ObjId, value: &Value) -> R<String> {
        let class = self.heap.get(id).class;
        let class_name = self.class_name(class);
        let plain = class.0 < crate::value::TYPES.len() as u32;
        Ok(match &self.heap.get(id).body {
            Body::List(items) => {
                let items = items.clone();
                self.guarded(id, "[...]", |m| Ok(format!("[{}]", m.repr_all(&items)?)))?
            }
            Body::Dict(dict) => {
                let pairs: Vec<(Value, Value)> = dict.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                let proxy = class == Type::MappingProxy.id();
                let text = self.guarded(id, "{...}", |m| m.repr_pairs(&pairs))?;
                if proxy { format!("mappingproxy({text})") } else { text }
            }
            Body::Set(set) => {
                let items: Vec<Value> = set.keys().cloned().collect();
                let text = self.guarded(id, "...", |m| m.repr_all(&items))?;
                match (items.is_empty(), plain) {
                    (true, _) => format!("{class_name}()"),
                    (false, true) => format!("{{{text}}}"),
                    (false, false) => format!("{class_name}({{{text}}})"),
                }
            }
            Body::FrozenSet(set) => {
                let items: Vec<Value> = set.keys().cloned().collect();
                let text = self.repr_all(&items)?;
                if items.is_empty() { format!("{class_name}()") } else { format!("{class_name}({{{text}}})") }
            }
            Body::ByteArray(bytes) => format!("bytearray({})", quote_bytes(bytes)),
            Body::Boxed(inner) => {
                let inner = inner.clone();
                self.repr(&inner)?
            }
            Body::Exception(data) => {
                let args = Rc::clone(&data.args);
                match &args[..] {
                    [one] => format!("{class_name}({})", self.repr(one)?),
                    _ => format!("{class_name}({})", self.repr_all(&args)?),
                }
            }
            Body::Function(f) => format!("<function {} at {}>", f.qualname, self.address(value)),
            Body::Class(c) => {
                if &*c.module == "builtins" {
                    format!("<class '{}'>", c.name)
                } else {
                    format!("<class '{}.{}'>", c.module, c.qualname)
                }
            }
            Body::Module(name) => format!("<module '{name}' (built-in)>"),
            Body::Generator(g) => {
                format!("<generator object {} at {}>", g.qualname, self.address(value))
            }
            Body::View(dict, kind) => {
                let (dict, kind) = (*dict, *kind);
                let items = self.view_items(dict, kind);
                let name = match kind {
                    ViewKind::Keys => "dict_keys",
                    ViewKind::Values => "dict_values",
                    ViewKind::Items => "dict_items",
                };
                format!("{name}([{}])", self.repr_all(&items)?)
            }
            Body::Code(code) => format!(
                "<code object {} at {}, file \"{}\", line {}>",
                code.name,
                self.address(value),
                code.source.file,
                code.first_line
            ),
            Body::Super(start, object) => {
                let (start, object) = (self.class_name(*start), self.type_name(&object.clone()));
                format!("<super: <class '{start}'>, <{object} object>>")
            }
            Body::Instance if class == Type::Union.id() => {
                let parts = self
                    .own_attribute(value, "__args__")
                    .and_then(|a| self.quick_items(&a))
                    .unwrap_or_default();
                let mut texts = Vec::new();
                for part in &parts {
                    texts.push(self.annotation_text(part)?);
                }
                texts.join(" | ")
            }
            Body::Instance if class == Type::GenericAlias.id() => {
                let origin = self.own_attribute(value, "__origin__").unwrap_or(Value::None);
                let parts = self
                    .own_attribute(value, "__args__")
                    .and_then(|a| self.quick_items(&a))
                    .unwrap_or_default();
                let mut texts = Vec::new();
                for part in &parts {
                    texts.push(self.annotation_text(part)?);
                }
                format!("{}[{}]", self.annotation_text(&origin)?, texts.join(", "))
            }
            _ => self.default_repr(class, value),
        })
    }

    /// A type as annotations show it.
    pub(crate) fn annotation_text(&mut self, value: &Value) -> R<String> {
        match self.body(value) {
            Some(Body::Class(c)) if &*c.name == "NoneType" => Ok("None".to_owned()),
            Some(Body::Class(c)) if &*c.module == "builtins" => Ok(c.qualname.to_string()),
            Some(Body::Class(c)) => Ok(format!("{}.{}", c.module, c.qualname)),
            _ if matches!(value, Value::Ellipsis) => Ok("...".to_owned()),
            _ => self.repr(value),
        }
    }

    /// `<module.Class object at 0x...>`
    pub(crate) fn default_repr(&self, class: ObjId, value: &Value) -> String {
        let (module, name) = match self.class_data(class) {
            Some(c) => (c.module.to_string(), c.qualname.to_string()),
            None => ("builtins".to_owned(), "object".to_owned()),
        };
        let full = if module == "builtins" { name } else { format!("{module}.{name}") };
        format!("<{full} object at {}>", self.address(value))
    }

    fn repr_pairs(&mut self, pairs: &[(Value, Value)]) -> R<String> {
        let mut parts = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let key = self.repr(key)?;
            parts.push(format!("{key}: {}", self.repr(value)?));
        }
        Ok(format!("{{{}}}", parts.join(", ")))
    }

    /// A replacement field of an f-string.
    pub(crate) fn format_field(&mut self, value: &Value, conversion: Conversion, spec: &Value) -> R {
        let spec = self.as_text(spec).unwrap_or_else(|| Rc::from(""));
        let converted = match conversion {
            Conversion::None => return self.format(value, &spec).map(Value::from),
            Conversion::Str => self.str_of(value)?,
            Conversion::Repr => self.repr(value)?,
            Conversion::Ascii => ascii(&self.repr(value)?),
        };
        if spec.is_empty() {
            return Ok(Value::from(converted));
        }
        self.format(&Value::from(converted), &spec).map(Value::from)
    }

    /// `format(value, spec)`
    pub(crate) fn format(&mut self, value: &Value, spec: &str) -> R<String> {
        if let Some(method) = self.special(value, "__format__") {
            let method = self.bind(&method, value)?;
            let result = self.call_value(&method, Args::new(vec![Value::str(spec)]))?;
            return match self.as_text(&result) {
                Some(text) => Ok(text.to_string()),
                None => {
                    let kind = self.type_name(&result);
                    self.type_error(&format!("__format__ must return a str, not {kind}"))
                }
            };
        }
        self.plain_format(value, spec)
    }

    /// `object.__format__`
    pub(crate) fn plain_format(&mut self, value: &Value, spec: &str) -> R<String> {
        if spec.is_empty() {
            return self.str_of(value);
        }
        let inner = self.unboxed(value);
        match inner {
            Value::Obj(_)
            | Value::None
            | Value::Host(_)
            | Value::Bound(_)
            | Value::Native(_)
            | Value::Tuple(_) => {
                let kind = self.type_name(value);
                self.type_error(&format!("unsupported format string passed to {kind}.__format__"))
            }
            other => crate::builtin::format_spec::format_value(self, &other, spec),
        }
    }
}
