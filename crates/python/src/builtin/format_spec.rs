//! The format specification language of `format()`, f-strings and `str.format`.

use num_bigint::BigInt;
use num_traits::Signed as _;

use crate::builtin::number_text::{positional, scientific, shortest};
use crate::machine::{Machine, R};
use crate::object::{as_big, as_float};
use crate::value::{Type, Value};

/// A specification, taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) fill: Option<char>,
    pub(crate) align: Option<char>,
    pub(crate) sign: Option<char>,
    pub(crate) alternate: bool,
    pub(crate) zero: bool,
    pub(crate) width: usize,
    pub(crate) grouping: Option<char>,
    pub(crate) precision: Option<usize>,
    pub(crate) kind: Option<char>,
}

impl Spec {
    /// Reads a specification; `None` if it is none.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let chars: Vec<char> = text.chars().collect();
        let mut spec = Self::default();
        let mut at = 0;
        let aligns = ['<', '>', '=', '^'];
        if chars.len() >= 2 && aligns.contains(&chars[1]) {
            spec.fill = Some(chars[0]);
            spec.align = Some(chars[1]);
            at = 2;
        } else if !chars.is_empty() && aligns.contains(&chars[0]) {
            spec.align = Some(chars[0]);
            at = 1;
        }
        if let Some(c @ ('+' | '-' | ' ')) = chars.get(at) {
            spec.sign = Some(*c);
            at += 1;
        }
        if chars.get(at) == Some(&'z') {
            at += 1;
        }
        if chars.get(at) == Some(&'#') {
            spec.alternate = true;
            at += 1;
        }
        if chars.get(at) == Some(&'0') {
            spec.zero = true;
            at += 1;
        }
        let number = |at: &mut usize| {
            let start = *at;
            while chars.get(*at).is_some_and(char::is_ascii_digit) {
                *at += 1;
            }
            chars[start..*at].iter().collect::<String>().parse::<usize>().ok()
        };
        spec.width = number(&mut at).unwrap_or(0);
        if let Some(c @ (',' | '_')) = chars.get(at) {
            spec.grouping = Some(*c);
            at += 1;
        }
        if chars.get(at) == Some(&'.') {
            at += 1;
            spec.precision = Some(number(&mut at)?);
        }
        if let Some(c) = chars.get(at) {
            spec.kind = Some(*c);
            at += 1;
        }
        if at == chars.len() { Some(spec) } else { None }
    }

    /// Pads a text to the width.
    pub(crate) fn pad(&self, text: &str, default: char) -> String {
        let len = text.chars().count();
        if len >= self.width {
            return text.to_owned();
        }
        let missing = self.width - len;
        let fill = self.fill.unwrap_or(if self.zero && self.align.is_none() { '0' } else { ' ' });
        let repeat = |n: usize| fill.to_string().repeat(n);
        match self.align.unwrap_or(default) {
            '<' => format!("{text}{}", repeat(missing)),
            '^' => format!("{}{text}{}", repeat(missing / 2), repeat(missing - missing / 2)),
            _ => format!("{}{text}", repeat(missing)),
        }
    }

    fn sign_of(&self, negative: bool) -> &'static str {
        match (negative, self.sign) {
            (true, _) => "-",
            (false, Some('+')) => "+",
            (false, Some(' ')) => " ",
            _ => "",
        }
    }

    /// Joins sign, prefix and digits, grouped and padded.
    fn number(&self, sign: &str, prefix: &str, digits: &str, group: usize) -> String {
        let inner = self.align == Some('=') || (self.zero && self.align.is_none());
        let fill = self.fill.unwrap_or(if self.zero { '0' } else { ' ' });
        let (whole, rest) = match digits.find(['.', 'e', 'E', '%']) {
            Some(at) if group == 3 => digits.split_at(at),
            _ => (digits, ""),
        };
        let used = sign.len() + prefix.len() + rest.chars().count();
        let mut body = whole.to_owned();
        if let Some(separator) = self.grouping {
            body = grouped(whole, separator, group);
            if inner && fill == '0' {
                let mut padded = whole.to_owned();
                while body.chars().count() + used < self.width {
                    padded.insert(0, '0');
                    let next = grouped(&padded, separator, group);
                    if next.chars().count() + used > self.width {
                        break;
                    }
                    body = next;
                }
            }
        }
        if inner {
            let missing = self.width.saturating_sub(body.chars().count() + used);
            return format!("{sign}{prefix}{}{body}{rest}", fill.to_string().repeat(missing));
        }
        self.pad(&format!("{sign}{prefix}{body}{rest}"), '>')
    }
}

fn grouped(digits: &str, separator: char, size: usize) -> String {
    let mut out = String::new();
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(size) {
            out.push(separator);
        }
        out.push(c);
    }
    out
}

fn unknown<T>(machine: &mut Machine, kind: char, value: &Value) -> R<T> {
    let name = machine.type_name(value);
    machine.value_error(&format!("Unknown format code '{kind}' for object of type '{name}'"))
}

/// Formats a value of a built-in type.
pub(crate) fn format_value(machine: &mut Machine, value: &Value, text: &str) -> R<String> {
    let Some(spec) = Spec::parse(text) else {
        let name = machine.type_name(value);
        return machine
            .value_error(&format!("Invalid format specifier '{text}' for object of type '{name}'"));
    };
    match value {
        Value::Str(s) => format_text(machine, value, s, &spec),
        Value::Bool(_) if spec.kind.is_none() || spec.kind == Some('s') => {
            let text = machine.str_of(value)?;
            if spec.kind.is_none() {
                return format_int(machine, value, &spec);
            }
            Ok(spec.pad(&text, '<'))
        }
        Value::Int(_) | Value::Big(_) | Value::Bool(_) => format_int(machine, value, &spec),
        Value::Float(f) => format_float(machine, value, *f, &spec),
        _ => {
            let name = machine.type_name(value);
            machine.type_error(&format!("unsupported format string passed to {name}.__format__"))
        }
    }
}

fn format_text(machine: &mut Machine, value: &Value, text: &str, spec: &Spec) -> R<String> {
    match spec.kind {
        None | Some('s') => {}
        Some(kind) => return unknown(machine, kind, value),
    }
    if spec.sign.is_some() {
        return machine.value_error("Sign not allowed in string format specifier");
    }
    if let Some(c) = spec.grouping {
        return machine.value_error(&format!("Cannot specify '{c}' with 's'."));
    }
    if spec.align == Some('=') {
        return machine.value_error("'=' alignment not allowed in string format specifier");
    }
    let cut: String = match spec.precision {
        Some(precision) => text.chars().take(precision).collect(),
        None => text.to_owned(),
    };
    Ok(spec.pad(&cut, '<'))
}

fn format_int(machine: &mut Machine, value: &Value, spec: &Spec) -> R<String> {
    let Some(number) = as_big(value) else { return Ok(String::new()) };
    let kind = spec.kind.unwrap_or('d');
    if matches!(kind, 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%') {
        let Some(float) = as_float(value).filter(|f| f.is_finite()) else {
            return machine.raise_error(Type::OverflowError, "int too large to convert to float");
        };
        return format_float(machine, &Value::Float(float), float, spec);
    }
    if spec.precision.is_some() {
        return machine.value_error("Precision not allowed in integer format specifier");
    }
    let size: BigInt = number.abs();
    let sign = spec.sign_of(number.is_negative());
    let (prefix, digits, group) = match kind {
        'd' | 'n' => ("", size.to_string(), 3),
        'b' => ("0b", size.to_str_radix(2), 4),
        'o' => ("0o", size.to_str_radix(8), 4),
        'x' => ("0x", size.to_str_radix(16), 4),
        'X' => ("0X", size.to_str_radix(16).to_uppercase(), 4),
        'c' => {
            let c = u32::try_from(&number).ok().and_then(char::from_u32);
            return match c {
                Some(c) => Ok(spec.pad(&c.to_string(), '<')),
                None => machine.raise_error(Type::OverflowError, "%c arg not in range(0x110000)"),
            };
        }
        other => return unknown(machine, other, value),
    };
    if spec.grouping == Some(',') && group == 4 {
        return machine.value_error(&format!("Cannot specify ',' with '{kind}'."));
    }
    Ok(spec.number(sign, if spec.alternate { prefix } else { "" }, &digits, group))
}

/// Digits of a float in a format kind, without sign.
pub(crate) fn float_digits(f: f64, kind: char, precision: Option<usize>, alternate: bool) -> String {
    let size = f.abs();
    if !size.is_finite() {
        let text = if size.is_nan() { "nan" } else { "inf" };
        return if kind.is_uppercase() { text.to_uppercase() } else { text.to_owned() };
    }
    let digits = precision.unwrap_or(6);
    let text = match kind.to_ascii_lowercase() {
        'f' => {
            let text = format!("{size:.digits$}");
            if alternate && digits == 0 { format!("{text}.") } else { text }
        }
        'e' => exponent_form(size, digits, alternate),
        '%' => format!("{:.digits$}%", size * 100.0),
        _ => general(size, digits.max(1), alternate),
    };
    if kind.is_uppercase() { text.to_uppercase() } else { text }
}

fn exponent_form(size: f64, digits: usize, alternate: bool) -> String {
    let text = format!("{size:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if alternate && digits == 0 { "." } else { "" };
    format!("{mantissa}{point}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(size: f64, digits: usize, alternate: bool) -> String {
    let text = format!("{size:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let all = mantissa.replace('.', "");
    let kept = if alternate { all.as_str() } else { all.trim_end_matches('0') };
    let kept = if kept.is_empty() { "0" } else { kept };
    if exponent < -4 || exponent >= digits as i32 {
        return scientific(kept, exponent);
    }
    positional(kept, exponent, false)
}

fn format_float(machine: &mut Machine, value: &Value, f: f64, spec: &Spec) -> R<String> {
    let negative = f.is_sign_negative() && !f.is_nan();
    let sign = spec.sign_of(negative);
    let digits = match spec.kind {
        None => match spec.precision {
            None => crate::builtin::number_text::float_repr(f.abs()),
            Some(precision) => {
                // As `g`, but with a digit behind the point, and scientific one digit earlier.
                let precision = precision.max(1);
                let text = general(f.abs(), precision, false);
                let (_, _, exponent) = shortest(f);
                if f.is_finite() && !text.contains(['.', 'e']) {
                    if exponent >= precision as i32 { text } else { format!("{text}.0") }
                } else if f.is_finite() {
                    text
                } else {
                    float_digits(f, 'g', None, false)
                }
            }
        },
        Some('n') => float_digits(f, 'g', spec.precision, spec.alternate),
        Some(kind @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G' | '%')) => {
            float_digits(f, kind, spec.precision, spec.alternate)
        }
        Some(kind) => return unknown(machine, kind, value),
    };
    Ok(spec.number(sign, "", &digits, 3))
}
