//! Methods of `bytes` and `bytearray`.

use std::rc::Rc;

use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, Type, Value};

macro_rules! shared {
    ($owner:literal) => {
        [
            NativeFunction::method($owner, "decode", |m, a| {
                let bytes = receiver(m, a)?;
                let encoding = a.at(1, "encoding").and_then(|e| m.as_text(e));
                let errors = a.at(2, "errors").and_then(|e| m.as_text(e));
                m.decode(
                    &bytes,
                    encoding.as_deref().unwrap_or("utf-8"),
                    errors.as_deref().unwrap_or("strict"),
                )
            }),
            NativeFunction::method($owner, "hex", hex),
            NativeFunction::class($owner, "fromhex", from_hex),
            NativeFunction::method($owner, "split", split),
            NativeFunction::method($owner, "join", join),
            NativeFunction::method($owner, "strip", |m, a| {
                let bytes = receiver(m, a)?;
                Ok(like(m, a, bytes.trim_ascii()))
            }),
            NativeFunction::method($owner, "rstrip", |m, a| {
                let bytes = receiver(m, a)?;
                Ok(like(m, a, bytes.trim_ascii_end()))
            }),
            NativeFunction::method($owner, "lstrip", |m, a| {
                let bytes = receiver(m, a)?;
                Ok(like(m, a, bytes.trim_ascii_start()))
            }),
            NativeFunction::method($owner, "upper", |m, a| {
                let bytes = receiver(m, a)?;
                Ok(like(m, a, &bytes.to_ascii_uppercase()))
            }),
            NativeFunction::method($owner, "lower", |m, a| {
                let bytes = receiver(m, a)?;
                Ok(like(m, a, &bytes.to_ascii_lowercase()))
            }),
            NativeFunction::method($owner, "replace", replace),
            NativeFunction::method($owner, "find", |m, a| {
                let (bytes, part) = (receiver(m, a)?, argument(m, a, 1)?);
                Ok(Value::Int(position(&bytes, &part).map_or(-1, |p| p as i64)))
            }),
            NativeFunction::method($owner, "index", |m, a| {
                let (bytes, part) = (receiver(m, a)?, argument(m, a, 1)?);
                match position(&bytes, &part) {
                    Some(at) => Ok(Value::Int(at as i64)),
                    None => m.value_error("subsection not found"),
                }
            }),
            NativeFunction::method($owner, "count", |m, a| {
                let (bytes, part) = (receiver(m, a)?, argument(m, a, 1)?);
                let mut n = 0;
                let mut rest: &[u8] = &bytes;
                while let Some(at) = position(rest, &part) {
                    n += 1;
                    rest = &rest[at + part.len().max(1)..];
                }
                Ok(Value::Int(n))
            }),
            NativeFunction::method($owner, "startswith", |m, a| {
                let (bytes, part) = (receiver(m, a)?, argument(m, a, 1)?);
                Ok(Value::Bool(bytes.starts_with(&part)))
            }),
            NativeFunction::method($owner, "endswith", |m, a| {
                let (bytes, part) = (receiver(m, a)?, argument(m, a, 1)?);
                Ok(Value::Bool(bytes.ends_with(&part)))
            }),
        ]
    };
}

pub(crate) static BYTES: &[NativeFunction] = &shared!("bytes");
pub(crate) static SHARED: &[NativeFunction] = &shared!("bytearray");

pub(crate) static BYTEARRAY: &[NativeFunction] = &[
    NativeFunction::method("bytearray", "append", |m, a| {
        let byte = a.get(1).and_then(Value::as_int).and_then(|b| u8::try_from(b).ok());
        let Some(byte) = byte else { return m.value_error("byte must be in range(0, 256)") };
        change(m, a, |bytes| bytes.push(byte))
    }),
    NativeFunction::method("bytearray", "extend", |m, a| {
        let more = match a.get(1) {
            Some(value) => match m.as_bytes(value) {
                Some(bytes) => bytes.to_vec(),
                None => m.collect_items(value)?.iter().filter_map(Value::as_int).map(|i| i as u8).collect(),
            },
            None => Vec::new(),
        };
        change(m, a, |bytes| bytes.extend_from_slice(&more))
    }),
    NativeFunction::method("bytearray", "clear", |m, a| change(m, a, Vec::clear)),
    NativeFunction::method("bytearray", "reverse", |m, a| change(m, a, |b| b.reverse())),
    NativeFunction::method("bytearray", "pop", |m, a| {
        let last = receiver(m, a)?.last().copied();
        change(m, a, |bytes| {
            bytes.pop();
        })?;
        match last {
            Some(byte) => Ok(Value::Int(i64::from(byte))),
            None => m.raise_error(Type::IndexError, "pop from empty bytearray"),
        }
    }),
];

fn change(m: &mut Machine, args: &Args, change: impl FnOnce(&mut Vec<u8>)) -> R {
    if let Some(Value::Obj(id)) = args.get(0)
        && let Body::ByteArray(bytes) = &mut m.heap.get_mut(*id).body
    {
        change(bytes);
    }
    Ok(Value::None)
}

fn receiver(m: &mut Machine, args: &Args) -> R<Rc<[u8]>> {
    argument(m, args, 0)
}

fn argument(m: &mut Machine, args: &Args, at: usize) -> R<Rc<[u8]>> {
    let value = args.get(at).cloned().unwrap_or(Value::None);
    match m.as_bytes(&value) {
        Some(bytes) => Ok(bytes),
        None => {
            let kind = m.type_name(&value);
            m.type_error(&format!("a bytes-like object is required, not '{kind}'"))
        }
    }
}

fn like(m: &mut Machine, args: &Args, bytes: &[u8]) -> Value {
    match args.get(0).and_then(|v| m.body(v)) {
        Some(Body::ByteArray(_)) => m.add(Type::ByteArray, Body::ByteArray(bytes.to_vec())),
        _ => Value::bytes(bytes),
    }
}

fn position(bytes: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    bytes.windows(part.len()).position(|w| w == part)
}

fn hex(m: &mut Machine, args: &Args) -> R {
    let bytes = receiver(m, args)?;
    let sep = args.at(1, "sep").and_then(|s| m.as_text(s)).unwrap_or_else(|| Rc::from(""));
    let parts: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
    Ok(Value::from(parts.join(&sep)))
}

fn from_hex(m: &mut Machine, args: &Args) -> R {
    let text = args.get(1).and_then(|t| m.as_text(t)).unwrap_or_else(|| Rc::from(""));
    let chars: Vec<char> = text.chars().collect();
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at].is_whitespace() {
            at += 1;
            continue;
        }
        for offset in 0..2 {
            if !chars.get(at + offset).is_some_and(char::is_ascii_hexdigit) {
                let place = at + offset;
                return m.value_error(&format!(
                    "non-hexadecimal number found in fromhex() arg at position {place}"
                ));
            }
        }
        let pair: String = chars[at..at + 2].iter().collect();
        bytes.push(u8::from_str_radix(&pair, 16).unwrap_or(0));
        at += 2;
    }
    match args.get(0).and_then(|c| m.as_class(c)) {
        Some(class) if class == Type::ByteArray.id() => Ok(m.add(Type::ByteArray, Body::ByteArray(bytes))),
        _ => Ok(Value::bytes(&bytes)),
    }
}

fn split(m: &mut Machine, args: &Args) -> R {
    let bytes = receiver(m, args)?;
    let limit =
        args.at(2, "maxsplit").and_then(Value::as_int).filter(|l| *l >= 0).map_or(usize::MAX, |l| l as usize);
    let mut parts: Vec<Vec<u8>> = Vec::new();
    match args.at(1, "sep") {
        None | Some(Value::None) => {
            parts.extend(bytes.split(u8::is_ascii_whitespace).filter(|p| !p.is_empty()).map(<[u8]>::to_vec));
        }
        Some(_) => {
            let sep = argument(m, args, 1)?;
            if sep.is_empty() {
                return m.value_error("empty separator");
            }
            let mut rest: &[u8] = &bytes;
            while let Some(at) = position(rest, &sep).filter(|_| parts.len() < limit) {
                parts.push(rest[..at].to_vec());
                rest = &rest[at + sep.len()..];
            }
            parts.push(rest.to_vec());
        }
    }
    let parts = parts.iter().map(|p| like(m, args, p)).collect();
    Ok(m.list(parts))
}

fn join(m: &mut Machine, args: &Args) -> R {
    let sep = receiver(m, args)?;
    let items = match args.get(1) {
        Some(iterable) => m.collect_items(iterable)?,
        None => Vec::new(),
    };
    let mut parts: Vec<Rc<[u8]>> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        match m.as_bytes(item) {
            Some(bytes) => parts.push(bytes),
            None => {
                let kind = m.type_name(item);
                return m
                    .type_error(&format!("sequence item {at}: expected a bytes-like object, {kind} found"));
            }
        }
    }
    let joined = parts.join(&sep[..]);
    Ok(like(m, args, &joined))
}

fn replace(m: &mut Machine, args: &Args) -> R {
    let (bytes, old, new) = (receiver(m, args)?, argument(m, args, 1)?, argument(m, args, 2)?);
    let mut out = Vec::new();
    let mut rest: &[u8] = &bytes;
    while let Some(at) = position(rest, &old).filter(|_| !old.is_empty()) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&new);
        rest = &rest[at + old.len()..];
    }
    out.extend_from_slice(rest);
    Ok(like(m, args, &out))
}
