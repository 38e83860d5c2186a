//! Methods of `str` that change case, shape or encoding, and tests of characters.

use std::rc::Rc;

use crate::machine::{Args, Machine, NativeFunction, R};
use crate::value::{Body, Type, Value};

pub(crate) static STR: &[NativeFunction] = &[
    NativeFunction::method("str", "upper", |m, a| change(m, a, |t| t.to_uppercase())),
    NativeFunction::method("str", "lower", |m, a| change(m, a, |t| t.to_lowercase())),
    NativeFunction::method("str", "casefold", |m, a| change(m, a, |t| t.to_lowercase().replace('ß', "ss"))),
    NativeFunction::method("str", "title", |m, a| change(m, a, title)),
    NativeFunction::method("str", "capitalize", |m, a| {
        change(m, a, |t| {
            let mut chars = t.chars();
            chars.next().map_or_else(String::new, |c| {
                c.to_uppercase().collect::<String>() + &chars.as_str().to_lowercase()
            })
        })
    }),
    NativeFunction::method("str", "swapcase", |m, a| {
        change(m, a, |t| {
            t.chars()
                .flat_map(|c| -> Vec<char> {
                    if c.is_uppercase() { c.to_lowercase().collect() } else { c.to_uppercase().collect() }
                })
                .collect()
        })
    }),
    NativeFunction::method("str", "strip", |m, a| strip(m, a, true, true)),
    NativeFunction::method("str", "lstrip", |m, a| strip(m, a, true, false)),
    NativeFunction::method("str", "rstrip", |m, a| strip(m, a, false, true)),
    NativeFunction::method("str", "removeprefix", |m, a| {
        let (text, part) = two(m, a, "removeprefix")?;
        Ok(Value::str(text.strip_prefix(&*part).unwrap_or(&text)))
    }),
    NativeFunction::method("str", "removesuffix", |m, a| {
        let (text, part) = two(m, a, "removesuffix")?;
        Ok(Value::str(text.strip_suffix(&*part).unwrap_or(&text)))
    }),
    NativeFunction::method("str", "center", |m, a| pad(m, a, 'c')),
    NativeFunction::method("str", "ljust", |m, a| pad(m, a, 'l')),
    NativeFunction::method("str", "rjust", |m, a| pad(m, a, 'r')),
    NativeFunction::method("str", "zfill", zfill),
    NativeFunction::method("str", "expandtabs", expandtabs),
    NativeFunction::method("str", "isalpha", |m, a| test(m, a, |t| all(t, char::is_alphabetic))),
    NativeFunction::method("str", "isdigit", |m, a| {
        test(m, a, |t| all(t, |c| is_decimal(c) || "²³¹⁰⁴⁵⁶⁷⁸⁹".contains(c)))
    }),
    NativeFunction::method("str", "isdecimal", |m, a| test(m, a, |t| all(t, is_decimal))),
    NativeFunction::method("str", "isnumeric", |m, a| test(m, a, |t| all(t, char::is_numeric))),
    NativeFunction::method("str", "isalnum", |m, a| {
        test(m, a, |t| all(t, |c| c.is_alphabetic() || c.is_numeric()))
    }),
    NativeFunction::method("str", "isspace", |m, a| test(m, a, |t| all(t, char::is_whitespace))),
    NativeFunction::method("str", "isascii", |m, a| test(m, a, str::is_ascii)),
    NativeFunction::method("str", "isupper", |m, a| {
        test(m, a, |t| t.chars().any(char::is_uppercase) && !t.chars().any(char::is_lowercase))
    }),
    NativeFunction::method("str", "islower", |m, a| {
        test(m, a, |t| t.chars().any(char::is_lowercase) && !t.chars().any(char::is_uppercase))
    }),
    NativeFunction::method("str", "istitle", |m, a| test(m, a, is_title)),
    NativeFunction::method("str", "isidentifier", |m, a| test(m, a, is_identifier)),
    NativeFunction::method("str", "isprintable", |m, a| {
        test(m, a, |t| t.chars().all(crate::object::printable))
    }),
    NativeFunction::method("str", "encode", |m, a| {
        let text = receiver(m, a)?;
        let encoding = a.at(1, "encoding").and_then(|e| m.as_text(e));
        let errors = a.at(2, "errors").and_then(|e| m.as_text(e));
        let bytes =
            m.encode(&text, encoding.as_deref().unwrap_or("utf-8"), errors.as_deref().unwrap_or("strict"))?;
        Ok(Value::bytes(&bytes))
    }),
    NativeFunction::method("str", "format", |m, a| {
        let text = receiver(m, a)?;
        let rest = Args { items: a.items[1..].to_vec(), names: a.names.clone() };
        m.str_format(&text, &rest, None).map(Value::from)
    }),
    NativeFunction::method("str", "format_map", |m, a| {
        let text = receiver(m, a)?;
        let mapping = a.get(1).cloned().unwrap_or(Value::None);
        m.str_format(&text, &Args::default(), Some(&mapping)).map(Value::from)
    }),
    NativeFunction::fixed("str", "maketrans", maketrans),
    NativeFunction::method("str", "translate", translate),
];

pub(crate) fn receiver(m: &mut Machine, args: &Args) -> R<Rc<str>> {
    match args.get(0) {
        Some(value) => match m.as_text(value) {
            Some(text) => Ok(text),
            None => {
                let kind = m.type_name(value);
                m.type_error(&format!("descriptor for 'str' objects doesn't apply to a '{kind}' object"))
            }
        },
        None => m.type_error("unbound method of 'str' needs an argument"),
    }
}

fn two(m: &mut Machine, args: &Args, name: &str) -> R<(Rc<str>, Rc<str>)> {
    let text = receiver(m, args)?;
    match args.get(1).and_then(|p| m.as_text(p)) {
        Some(part) => Ok((text, part)),
        None => {
            let kind = args.get(1).map_or_else(String::new, |v| m.type_name(v));
            m.type_error(&format!("{name}() argument must be str, not {kind}"))
        }
    }
}

fn change(m: &mut Machine, args: &Args, change: impl FnOnce(&str) -> String) -> R {
    let text = receiver(m, args)?;
    Ok(Value::from(change(&text)))
}

fn test(m: &mut Machine, args: &Args, test: impl FnOnce(&str) -> bool) -> R {
    let text = receiver(m, args)?;
    Ok(Value::Bool(test(&text)))
}

fn all(text: &str, test: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(test)
}

fn is_decimal(c: char) -> bool {
    // Where the ten digits of other scripts begin.
    const ZEROS: [u32; 14] =
        [0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xff10];
    c.is_ascii_digit() || ZEROS.iter().any(|z| (*z..z + 10).contains(&(c as u32)))
}

fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}

fn title(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        if inside {
            out.extend(c.to_lowercase());
        } else {
            out.extend(c.to_uppercase());
        }
        inside = c.is_alphabetic();
    }
    out
}

fn is_title(text: &str) -> bool {
    let (mut inside, mut found) = (false, false);
    for c in text.chars() {
        if c.is_uppercase() {
            if inside {
                return false;
            }
            (inside, found) = (true, true);
        } else if c.is_lowercase() {
            if !inside {
                return false;
            }
            found = true;
        } else {
            inside = false;
        }
    }
    found
}

fn strip(m: &mut Machine, args: &Args, left: bool, right: bool) -> R {
    let text = receiver(m, args)?;
    let chars: Option<Vec<char>> = match args.get(1) {
        None | Some(Value::None) => None,
        Some(value) => match m.as_text(value) {
            Some(chars) => Some(chars.chars().collect()),
            None => {
                let name = if left && right {
                    "strip"
                } else if left {
                    "lstrip"
                } else {
                    "rstrip"
                };
                return m.type_error(&format!("{name} arg must be None or str"));
            }
        },
    };
    let drop = |c: char| {
        chars.as_ref().map_or_else(|| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c), |s| s.contains(&c))
    };
    let mut out: &str = &text;
    if left {
        out = out.trim_start_matches(drop);
    }
    if right {
        out = out.trim_end_matches(drop);
    }
    Ok(Value::str(out))
}

fn width_of(m: &mut Machine, args: &Args) -> R<usize> {
    match args.get(1) {
        Some(value) => match m.index_of(value)? {
            Some(width) => Ok(width.max(0) as usize),
            None => {
                let kind = m.type_name(value);
                m.type_error(&format!("'{kind}' object cannot be interpreted as an integer"))
            }
        },
        None => m.type_error("expected at least 1 argument, got 0"),
    }
}

fn pad(m: &mut Machine, args: &Args, side: char) -> R {
    let text = receiver(m, args)?;
    let width = width_of(m, args)?;
    let fill = match args.get(2) {
        Some(value) => match m.as_text(value) {
            Some(fill) if fill.chars().count() == 1 => fill.chars().next().unwrap_or(' '),
            _ => return m.type_error("The fill character must be exactly one character long"),
        },
        None => ' ',
    };
    let missing = width.saturating_sub(text.chars().count());
    let left = match side {
        'l' => 0,
        'r' => missing,
        _ => missing / 2 + (missing & width & 1),
    };
    let repeat = |n: usize| fill.to_string().repeat(n);
    Ok(Value::from(format!("{}{text}{}", repeat(left), repeat(missing - left))))
}

fn zfill(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    let width = width_of(m, args)?;
    let missing = width.saturating_sub(text.chars().count());
    let (sign, digits) = match text.chars().next() {
        Some('+' | '-') => text.split_at(1),
        _ => ("", &*text),
    };
    Ok(Value::from(format!("{sign}{}{digits}", "0".repeat(missing))))
}

fn expandtabs(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    let size = args.at(1, "tabsize").and_then(Value::as_int).unwrap_or(8).max(0) as usize;
    let mut out = String::new();
    let mut column = 0;
    for c in text.chars() {
        match c {
            '\t' => {
                if size > 0 {
                    let spaces = size - column % size;
                    out.push_str(&" ".repeat(spaces));
                    column += spaces;
                }
            }
            '\n' | '\r' => {
                out.push(c);
                column = 0;
            }
            c => {
                out.push(c);
                column += 1;
            }
        }
    }
    Ok(Value::from(out))
}

fn maketrans(m: &mut Machine, args: &Args) -> R {
    let mut pairs = Vec::new();
    if let [one] = &args.items[..] {
        let Some(id) = m.is_dict(one) else {
            return m.type_error("if you give only one argument to maketrans it must be a dict");
        };
        for (key, value) in m.dict_of(id).iter() {
            let key = match m.as_text(key) {
                Some(text) => Value::Int(text.chars().next().map_or(0, |c| i64::from(c as u32))),
                None => key.clone(),
            };
            pairs.push((key, value.clone()));
        }
        return Ok(m.new_dict(pairs));
    }
    let texts: Vec<Rc<str>> = args.items.iter().filter_map(|i| m.as_text(i)).collect();
    let (Some(from), Some(to)) = (texts.first(), texts.get(1)) else {
        return m.type_error("maketrans() argument 2 must be str");
    };
    if from.chars().count() != to.chars().count() {
        return m.value_error("the first two maketrans arguments must have equal length");
    }
    for (a, b) in from.chars().zip(to.chars()) {
        pairs.push((Value::Int(i64::from(a as u32)), Value::Int(i64::from(b as u32))));
    }
    if let Some(gone) = texts.get(2) {
        pairs.extend(gone.chars().map(|c| (Value::Int(i64::from(c as u32)), Value::None)));
    }
    Ok(m.new_dict(pairs))
}

fn translate(m: &mut Machine, args: &Args) -> R {
    let text = receiver(m, args)?;
    let table = args.get(1).cloned().unwrap_or(Value::None);
    let mut out = String::new();
    for c in text.chars() {
        let key = Value::Int(i64::from(c as u32));
        match m.get_item(&table, &key) {
            Ok(Value::None) => {}
            Ok(found) => match (found.as_int(), m.as_text(&found)) {
                (Some(code), _) => out.extend(u32::try_from(code).ok().and_then(char::from_u32)),
                (_, Some(text)) => out.push_str(&text),
                _ => return m.type_error("character mapping must return integer, None or str"),
            },
            Err(fault) if m.fault_is(&fault, Type::LookupError) => out.push(c),
            Err(fault) => return Err(fault),
        }
    }
    Ok(Value::from(out))
}

impl Machine {
    /// Bytes of a bytes-like value.
    pub(crate) fn as_bytes(&self, value: &Value) -> Option<Rc<[u8]>> {
        match value {
            Value::Bytes(bytes) => Some(bytes.clone()),
            Value::Obj(_) => match self.body(value)? {
                Body::ByteArray(bytes) => Some(Rc::from(bytes.as_slice())),
                Body::Boxed(Value::Bytes(bytes)) => Some(bytes.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    fn unicode_error<T>(
        &mut self,
        class: Type,
        encoding: &str,
        object: Value,
        place: (usize, usize),
        reason: &str,
    ) -> R<T> {
        let args = vec![
            Value::str(encoding),
            object,
            Value::Int(place.0 as i64),
            Value::Int(place.1 as i64),
            Value::str(reason),
        ];
        Err(crate::machine::Fault::Raise(self.new_exception(class.id(), args)))
    }

    pub(crate) fn encode(&mut self, text: &str, encoding: &str, errors: &str) -> R<Vec<u8>> {
        let name = encoding.to_ascii_lowercase().replace('_', "-");
        let (limit, label, reason) = match name.as_str() {
            "utf-8" | "utf8" | "u8" => return Ok(text.as_bytes().to_vec()),
            "utf-8-sig" => return Ok([b"\xef\xbb\xbf", text.as_bytes()].concat()),
            "utf-16-le" | "utf-16le" => return Ok(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
            "utf-16-be" | "utf-16be" => return Ok(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
            "utf-16" => {
                return Ok([0xff, 0xfe]
                    .into_iter()
                    .chain(text.encode_utf16().flat_map(u16::to_le_bytes))
                    .collect());
            }
            "utf-32-le" => return Ok(text.chars().flat_map(|c| (c as u32).to_le_bytes()).collect()),
            "ascii" | "us-ascii" => (0x80, "ascii", "ordinal not in range(128)"),
            "latin-1" | "latin1" | "iso-8859-1" | "l1" => (0x100, "latin-1", "ordinal not in range(256)"),
            _ => return self.raise_error(Type::LookupError, &format!("unknown encoding: {encoding}")),
        };
        let mut out = Vec::new();
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            let code = chars[at] as u32;
            if code < limit {
                out.push(code as u8);
                at += 1;
                continue;
            }
            match errors {
                "ignore" => {}
                "replace" => out.push(b'?'),
                "backslashreplace" => out.extend(crate::object::ascii(&chars[at].to_string()).bytes()),
                "xmlcharrefreplace" => out.extend(format!("&#{code};").bytes()),
                _ => {
                    let mut end = at;
                    while end < chars.len() && chars[end] as u32 >= limit {
                        end += 1;
                    }
                    return self.unicode_error(
                        Type::UnicodeEncodeError,
                        label,
                        Value::str(text),
                        (at, end),
                        reason,
                    );
                }
            }
            at += 1;
        }
        Ok(out)
    }

    pub(crate) fn decode(&mut self, bytes: &[u8], encoding: &str, errors: &str) -> R {
        let name = encoding.to_ascii_lowercase().replace('_', "-");
        match name.as_str() {
            "utf-8" | "utf8" | "u8" => self.decode_utf8(bytes, errors),
            "utf-8-sig" => self.decode_utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), errors),
            "latin-1" | "latin1" | "iso-8859-1" | "l1" => {
                Ok(Value::from(bytes.iter().map(|b| *b as char).collect::<String>()))
            }
            "utf-16-le" | "utf-16" => {
                let bytes =
                    if name == "utf-16" { bytes.strip_prefix(&[0xff, 0xfe]).unwrap_or(bytes) } else { bytes };
                let units: Vec<u16> =
                    bytes.chunks(2).map(|c| u16::from_le_bytes([c[0], *c.get(1).unwrap_or(&0)])).collect();
                Ok(Value::from(String::from_utf16_lossy(&units)))
            }
            "ascii" | "us-ascii" => {
                let mut out = String::new();
                for (at, b) in bytes.iter().enumerate() {
                    match (b.is_ascii(), errors) {
                        (true, _) => out.push(*b as char),
                        (_, "ignore") => {}
                        (_, "replace") => out.push('\u{fffd}'),
                        _ => {
                            return self.unicode_error(
                                Type::UnicodeDecodeError,
                                "ascii",
                                Value::bytes(bytes),
                                (at, at + 1),
                                "ordinal not in range(128)",
                            );
                        }
                    }
                }
                Ok(Value::from(out))
            }
            _ => self.raise_error(Type::LookupError, &format!("unknown encoding: {encoding}")),
        }
    }

    fn decode_utf8(&mut self, bytes: &[u8], errors: &str) -> R {
        let mut out = String::new();
        let mut rest = bytes;
        let mut at = 0;
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    out.push_str(text);
                    return Ok(Value::from(out));
                }
                Err(error) => {
                    let valid = error.valid_up_to();
                    out.push_str(std::str::from_utf8(&rest[..valid]).unwrap_or(""));
                    let start = at + valid;
                    let bad = rest[valid];
                    let (len, reason) = match error.error_len() {
                        None => (rest.len() - valid, "unexpected end of data"),
                        Some(len) if (0xc2..=0xf4).contains(&bad) => (len, "invalid continuation byte"),
                        Some(len) => (len, "invalid start byte"),
                    };
                    match errors {
                        "ignore" => {}
                        "replace" => out.push('\u{fffd}'),
                        "backslashreplace" => {
                            for b in &rest[valid..valid + len] {
                                out.push_str(&format!("\\x{b:02x}"));
                            }
                        }
                        _ => {
                            return self.unicode_error(
                                Type::UnicodeDecodeError,
                                "utf-8",
                                Value::bytes(bytes),
                                (start, start + len),
                                reason,
                            );
                        }
                    }
                    at = start + len;
                    rest = &bytes[at..];
                }
            }
        }
    }
}
