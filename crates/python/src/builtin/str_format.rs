//! `str.format` and `str.format_map`.

use std::rc::Rc;

use crate::machine::{Args, Machine, R};
use crate::object::ascii;
use crate::value::{Type, Value};

struct Fields<'a> {
    args: &'a Args,
    mapping: Option<&'a Value>,
    next: usize,
    automatic: Option<bool>,
}

impl Machine {
    pub(crate) fn str_format(&mut self, format: &str, args: &Args, mapping: Option<&Value>) -> R<String> {
        let mut fields = Fields { args, mapping, next: 0, automatic: None };
        let chars: Vec<char> = format.chars().collect();
        self.format_part(&chars, &mut fields, 3)
    }

    fn format_part(&mut self, chars: &[char], fields: &mut Fields<'_>, depth: usize) -> R<String> {
        if depth == 0 {
            return self.value_error("Max string recursion exceeded");
        }
        let mut out = String::new();
        let mut at = 0;
        while at < chars.len() {
            match chars[at] {
                '{' if chars.get(at + 1) == Some(&'{') => {
                    out.push('{');
                    at += 2;
                }
                '}' if chars.get(at + 1) == Some(&'}') => {
                    out.push('}');
                    at += 2;
                }
                '}' => return self.value_error("Single '}' encountered in format string"),
                '{' => {
                    let mut level = 0;
                    let end = chars[at..].iter().position(|c| {
                        match c {
                            '{' => level += 1,
                            '}' => level -= 1,
                            _ => {}
                        }
                        level == 0
                    });
                    let Some(end) = end else {
                        let text = if at + 1 == chars.len() {
                            "Single '{' encountered in format string"
                        } else {
                            "expected '}' before end of string"
                        };
                        return self.value_error(text);
                    };
                    let field = self.format_one(&chars[at + 1..at + end], fields, depth)?;
                    out.push_str(&field);
                    at += end + 1;
                }
                c => {
                    out.push(c);
                    at += 1;
                }
            }
        }
        Ok(out)
    }

    fn format_one(&mut self, field: &[char], fields: &mut Fields<'_>, depth: usize) -> R<String> {
        let mut brackets = 0;
        let stop = field.iter().position(|c| {
            match c {
                '[' => brackets += 1,
                ']' => brackets -= 1,
                _ => {}
            }
            brackets == 0 && (*c == '!' || *c == ':')
        });
        let (name, rest) = field.split_at(stop.unwrap_or(field.len()));
        let (conversion, spec): (Option<char>, &[char]) = match rest {
            ['!', c, ':', spec @ ..] => (Some(*c), spec),
            ['!', c] => (Some(*c), &[]),
            [':', spec @ ..] => (None, spec),
            _ => (None, &[]),
        };
        let name: String = name.iter().collect();
        let value = self.format_lookup(&name, fields)?;
        let spec = self.format_part(spec, fields, depth - 1)?;
        let converted = match conversion {
            None => return self.format(&value, &spec),
            Some('s') => self.str_of(&value)?,
            Some('r') => self.repr(&value)?,
            Some('a') => ascii(&self.repr(&value)?),
            Some(other) => {
                return self.value_error(&format!("Unknown conversion specifier '{other}'"));
            }
        };
        self.format(&Value::from(converted), &spec)
    }

    fn format_lookup(&mut self, name: &str, fields: &mut Fields<'_>) -> R {
        let first = name.find(['.', '[']).unwrap_or(name.len());
        let (head, mut path) = name.split_at(first);
        let mut value = self.format_first(head, fields)?;
        while !path.is_empty() {
            if let Some(rest) = path.strip_prefix('.') {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                if end == 0 {
                    return self.value_error("Empty attribute in format string");
                }
                value = self.get_attribute(&value, &Rc::from(&rest[..end]))?;
                path = &rest[end..];
            } else if let Some(rest) = path.strip_prefix('[') {
                let Some(end) = rest.find(']') else {
                    return self.value_error("Missing ']' in format string");
                };
                let key = match rest[..end].parse::<i64>() {
                    Ok(number) => Value::Int(number),
                    Err(_) => Value::str(&rest[..end]),
                };
                value = self.get_item(&value, &key)?;
                path = &rest[end + 1..];
            } else {
                return self.value_error("Only '.' or '[' may follow ']' in format field specifier");
            }
        }
        Ok(value)
    }

    fn format_first(&mut self, head: &str, fields: &mut Fields<'_>) -> R {
        let number = head.parse::<usize>().ok();
        if head.is_empty() || number.is_some() {
            let automatic = head.is_empty();
            if fields.automatic.is_some_and(|a| a != automatic) {
                return self.value_error(if automatic {
                    "cannot switch from manual field specification to automatic field numbering"
                } else {
                    "cannot switch from automatic field numbering to manual field specification"
                });
            }
            fields.automatic = Some(automatic);
            let at = number.unwrap_or(fields.next);
            if automatic {
                fields.next += 1;
            }
            if fields.mapping.is_some() {
                return self.value_error("Format string contains positional fields");
            }
            return match fields.args.items.get(at) {
                Some(value) => Ok(value.clone()),
                None => self.raise_error(
                    Type::IndexError,
                    &format!("Replacement index {at} out of range for positional args tuple"),
                ),
            };
        }
        if let Some(mapping) = fields.mapping {
            return self.get_item(mapping, &Value::str(head));
        }
        match fields.args.named(head) {
            Some(value) => Ok(value.clone()),
            None => self.key_error(Value::str(head)),
        }
    }
}
