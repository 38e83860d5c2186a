//! The `%` operator of texts.

use std::rc::Rc;

use num_traits::Signed as _;

use crate::builtin::format_spec::float_digits;
use crate::machine::{Machine, R};
use crate::object::{as_big, as_float, ascii, truncate};
use crate::value::{Type, Value};

#[derive(Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
    bytes: bool,
}

impl Conversion {
    fn pad(&self, sign: &str, prefix: &str, body: &str, number: bool) -> String {
        let len = sign.len() + prefix.len() + body.chars().count();
        let missing = self.width.saturating_sub(len);
        if self.left {
            format!("{sign}{prefix}{body}{}", " ".repeat(missing))
        } else if self.zero && number {
            format!("{sign}{prefix}{}{body}", "0".repeat(missing))
        } else {
            format!("{}{sign}{prefix}{body}", " ".repeat(missing))
        }
    }

    fn sign(&self, negative: bool) -> &'static str {
        if negative {
            "-"
        } else if self.plus {
            "+"
        } else if self.space {
            " "
        } else {
            ""
        }
    }
}

struct Arguments {
    all: Rc<[Value]>,
    at: usize,
    mapping: Option<Value>,
    bytes: bool,
}

impl Machine {
    /// `format % values`
    pub(crate) fn percent(&mut self, format: &str, values: &Value, bytes: bool) -> R<String> {
        let chars: Vec<char> = format.chars().collect();
        let tuple = self.as_tuple(values);
        let is_tuple = tuple.is_some();
        let mapping = (self.is_dict(values).is_some() || self.special(values, "__getitem__").is_some())
            .then(|| values.clone());
        let all = tuple.unwrap_or_else(|| Rc::from(vec![values.clone()]));
        let mut arguments = Arguments { all, at: 0, mapping, bytes };
        let mut out = String::new();
        let mut at = 0;
        while at < chars.len() {
            if chars[at] != '%' {
                out.push(chars[at]);
                at += 1;
                continue;
            }
            at += 1;
            if at >= chars.len() {
                return self.value_error("incomplete format");
            }
            let part = self.percent_field(&chars, &mut at, &mut arguments)?;
            out.push_str(&part);
        }
        let used_up = arguments.at >= arguments.all.len();
        if !used_up && (is_tuple || arguments.mapping.is_none()) {
            return self.type_error("not all arguments converted during string formatting");
        }
        Ok(out)
    }

    fn percent_next(&mut self, arguments: &mut Arguments) -> R {
        match arguments.all.get(arguments.at) {
            Some(value) => {
                arguments.at += 1;
                Ok(value.clone())
            }
            None => self.type_error("not enough arguments for format string"),
        }
    }

    fn percent_field(&mut self, chars: &[char], at: &mut usize, arguments: &mut Arguments) -> R<String> {
        let mut named = None;
        if chars.get(*at) == Some(&'(') {
            let end = chars[*at..].iter().position(|c| *c == ')').map(|e| e + *at);
            let Some(end) = end else { return self.value_error("incomplete format key") };
            let key: String = chars[*at + 1..end].iter().collect();
            let Some(mapping) = arguments.mapping.clone() else {
                return self.type_error("format requires a mapping");
            };
            named = Some(self.get_item(&mapping, &Value::from(key))?);
            arguments.at = arguments.all.len();
            *at = end + 1;
        }
        let mut conversion = Conversion { bytes: arguments.bytes, ..Conversion::default() };
        while let Some(c) = chars.get(*at) {
            match c {
                '-' => conversion.left = true,
                '+' => conversion.plus = true,
                ' ' => conversion.space = true,
                '0' => conversion.zero = true,
                '#' => conversion.alternate = true,
                _ => break,
            }
            *at += 1;
        }
        let width = self.percent_number(chars, at, arguments)?;
        if let Some(width) = width {
            conversion.left |= width < 0;
            conversion.width = width.unsigned_abs() as usize;
        }
        if chars.get(*at) == Some(&'.') {
            *at += 1;
            conversion.precision =
                Some(self.percent_number(chars, at, arguments)?.unwrap_or(0).max(0) as usize);
        }
        while matches!(chars.get(*at), Some('l' | 'h' | 'L')) {
            *at += 1;
        }
        let Some(kind) = chars.get(*at).copied() else { return self.value_error("incomplete format") };
        *at += 1;
        if kind == '%' {
            return Ok("%".to_owned());
        }
        if !"diouxXeEfFgGcrsab".contains(kind) {
            let place = *at - 1;
            return self.value_error(&format!(
                "unsupported format character '{kind}' (0x{:x}) at index {place}",
                kind as u32
            ));
        }
        let value = match named {
            Some(value) => value,
            None => self.percent_next(arguments)?,
        };
        self.percent_value(&conversion, kind, &value)
    }

    fn percent_number(
        &mut self,
        chars: &[char],
        at: &mut usize,
        arguments: &mut Arguments,
    ) -> R<Option<i64>> {
        if chars.get(*at) == Some(&'*') {
            *at += 1;
            let value = self.percent_next(arguments)?;
            return match value.as_int() {
                Some(number) => Ok(Some(number)),
                None => self.type_error("* wants int"),
            };
        }
        let start = *at;
        while chars.get(*at).is_some_and(char::is_ascii_digit) {
            *at += 1;
        }
        Ok(chars[start..*at].iter().collect::<String>().parse().ok())
    }

    fn percent_value(&mut self, c: &Conversion, kind: char, value: &Value) -> R<String> {
        match kind {
            's' | 'r' | 'a' | 'b' => {
                let text = match (kind, self.as_bytes(value)) {
                    ('s' | 'b', Some(bytes)) if c.bytes => bytes.iter().map(|b| *b as char).collect(),
                    ('s', _) => self.str_of(value)?,
                    ('r', _) => self.repr(value)?,
                    _ => ascii(&self.repr(value)?),
                };
                let cut: String = match c.precision {
                    Some(precision) => text.chars().take(precision).collect(),
                    None => text,
                };
                Ok(c.pad("", "", &cut, false))
            }
            'c' => {
                let text = match (value.as_int(), self.as_text(value)) {
                    (Some(code), _) => match u32::try_from(code).ok().and_then(char::from_u32) {
                        Some(ch) => ch.to_string(),
                        None => {
                            return self.raise_error(Type::OverflowError, "%c arg not in range(0x110000)");
                        }
                    },
                    (None, Some(text)) if text.chars().count() == 1 => text.to_string(),
                    _ => return self.type_error("%c requires int or char"),
                };
                Ok(c.pad("", "", &text, false))
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' => self.percent_int(c, kind, value),
            _ => {
                let inner = self.unboxed(value);
                let Some(f) = as_float(&inner) else {
                    let name = self.type_name(value);
                    return self.type_error(&format!("must be real number, not {name}"));
                };
                let digits = float_digits(f, kind, c.precision, c.alternate);
                Ok(c.pad(c.sign(f.is_sign_negative()), "", &digits, true))
            }
        }
    }

    fn percent_int(&mut self, c: &Conversion, kind: char, value: &Value) -> R<String> {
        let inner = self.unboxed(value);
        let number = match &inner {
            Value::Float(f) if matches!(kind, 'd' | 'i' | 'u') => truncate(*f),
            other => as_big(other),
        };
        let Some(number) = number else {
            let name = self.type_name(value);
            let wants = if matches!(kind, 'd' | 'i' | 'u') {
                "a real number is required"
            } else {
                "an integer is required"
            };
            return self.type_error(&format!("%{kind} format: {wants}, not {name}"));
        };
        let size = number.abs();
        let (prefix, mut digits) = match kind {
            'o' => ("0o", size.to_str_radix(8)),
            'x' => ("0x", size.to_str_radix(16)),
            'X' => ("0X", size.to_str_radix(16).to_uppercase()),
            _ => ("", size.to_string()),
        };
        if let Some(precision) = c.precision {
            digits = format!("{}{digits}", "0".repeat(precision.saturating_sub(digits.len())));
        }
        Ok(c.pad(c.sign(number.is_negative()), if c.alternate { prefix } else { "" }, &digits, true))
    }
}
