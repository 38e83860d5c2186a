//! Names of columns: dots, backticks, comparison without case.

use tidemark_types::{ErrorClass, SparkError};

/// The parts of an attribute name: `a.b`, `` `a.b`.c ``.
pub fn parse_attribute_name(text: &str) -> Result<Vec<String>, SparkError> {
    let error = || {
        SparkError::new(
            ErrorClass::Analysis,
            "INVALID_ATTRIBUTE_NAME_SYNTAX",
            "42601",
            format!("Syntax error in the attribute name: {text}. Check that backticks appear in pairs, a quoted string is a complete name part and use a backtick only inside quoted name parts."),
        )
        .with_parameter("name", text)
    };
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        if quoted {
            if c != '`' {
                part.push(c);
            } else if chars.peek() == Some(&'`') {
                chars.next();
                part.push('`');
            } else {
                quoted = false;
                if chars.peek().is_some_and(|&next| next != '.') {
                    return Err(error());
                }
            }
        } else if c == '`' {
            if !part.is_empty() {
                return Err(error());
            }
            quoted = true;
        } else if c == '.' {
            if chars.peek().is_none() || part.is_empty() && !text.contains('`') {
                return Err(error());
            }
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    if quoted {
        return Err(error());
    }
    parts.push(part);
    Ok(parts)
}

/// The parts, each in backticks: `` `a`.`b` ``.
pub fn quote(parts: &[String]) -> String {
    let quoted: Vec<String> = parts.iter().map(|p| format!("`{}`", p.replace('`', "``"))).collect();
    quoted.join(".")
}

/// The parts, in backticks only where a part is no plain identifier.
pub fn quote_if_needed(parts: &[String]) -> String {
    let quoted: Vec<String> = parts
        .iter()
        .map(|p| {
            let plain = !p.is_empty() && p.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if plain && !p.chars().all(|c| c.is_ascii_digit()) {
                p.clone()
            } else {
                format!("`{}`", p.replace('`', "``"))
            }
        })
        .collect();
    quoted.join(".")
}

/// Whether two names are the same: without case unless the session asks for it.
pub fn same(left: &str, right: &str, case_sensitive: bool) -> bool {
    if case_sensitive {
        left == right
    } else {
        left.eq_ignore_ascii_case(right) || left.to_lowercase() == right.to_lowercase()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attribute_names_have_parts() {
        for (text, parts) in [
            ("a", vec!["a"]),
            ("a.b", vec!["a", "b"]),
            ("`a.b`", vec!["a.b"]),
            ("`a.b`.c", vec!["a.b", "c"]),
            ("`a``b`", vec!["a`b"]),
            ("a b", vec!["a b"]),
        ] {
            assert_eq!(parse_attribute_name(text).expect("the name is good"), parts, "{text}");
        }
        for text in ["`a", "a`b", "`a`b", "a.", ".a"] {
            let error = parse_attribute_name(text).expect_err("the name is bad");
            assert_eq!(error.condition.0, "INVALID_ATTRIBUTE_NAME_SYNTAX", "{text}");
        }
    }
}
