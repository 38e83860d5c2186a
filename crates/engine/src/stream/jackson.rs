//! Broken JSON of a checkpoint, in the words of the library that Spark reads it with.

use serde_json::Value;
use tidemark_types::SparkError;

const SOURCE: &str = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1";

/// The value of a JSON text of one line.
///
/// Errors: what Spark passes on when the text is broken.
pub fn parse_json(text: &str) -> Result<Value, SparkError> {
    serde_json::from_str(text).map_err(|error| {
        let class = match (text.trim().is_empty(), error.is_eof()) {
            (true, _) => "com.fasterxml.jackson.databind.exc.MismatchedInputException",
            (false, true) => "com.fasterxml.jackson.core.io.JsonEOFException",
            (false, false) => "com.fasterxml.jackson.core.JsonParseException",
        };
        SparkError::java(class, message(text, &error))
    })
}

fn message(text: &str, error: &serde_json::Error) -> String {
    if text.trim().is_empty() {
        return format!("No content to map due to end-of-input\n at {SOURCE}]");
    }
    if error.is_eof() {
        let column = text.chars().count() + 1;
        return format!("Unexpected end-of-input{}\n at {SOURCE}, column: {column}]", where_it_ends(text));
    }
    let column = error.column().max(1);
    let start = text.char_indices().nth(column - 1).map_or(0, |(at, _)| at);
    let start = if text[start..].starts_with(char::is_alphabetic) { word_start(text, start) } else { start };
    let place = format!("\n at {SOURCE}, column: {}]", start + 1);
    let expected = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";
    let word: String = text[start..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    match text[start..].chars().next() {
        Some(letter) if letter.is_alphabetic() => {
            format!("Unrecognized token '{word}': was expecting {expected}{place}")
        }
        Some(other) => {
            format!(
                "Unexpected character ('{other}' (code {})): expected a valid value {expected}{place}",
                other as u32
            )
        }
        None => format!("Unexpected end-of-input{place}"),
    }
}

/// The first letter of the word around a place.
fn word_start(text: &str, at: usize) -> usize {
    text[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |before| before + 1)
}

/// What the reader was in when the text ended.
fn where_it_ends(text: &str) -> String {
    let (mut in_string, mut escaped, mut is_key) = (false, false, false);
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut before = ' ';
    for (at, letter) in text.chars().enumerate() {
        if in_string {
            in_string = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
        } else {
            match letter {
                '"' => {
                    in_string = true;
                    is_key = matches!(open.last(), Some(('{', _))) && before != ':';
                }
                '{' | '[' => open.push((letter, at + 1)),
                '}' | ']' => {
                    open.pop();
                }
                _ => {}
            }
            if !letter.is_whitespace() {
                before = letter;
            }
        }
    }
    match (in_string, is_key, open.last()) {
        (true, true, _) => " in field name".to_owned(),
        (true, false, _) => ": was expecting closing quote for a string value".to_owned(),
        (false, _, Some((marker, _))) if matches!(before, ':' | ',') => {
            format!(" within/between {} entries", if *marker == '{' { "Object" } else { "Array" })
        }
        (false, _, Some((marker, column))) => {
            let kind = if *marker == '{' { "Object" } else { "Array" };
            format!(": expected close marker for {kind} (start marker at {SOURCE}, column: {column}])")
        }
        (false, _, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let table = [
            (
                "xx",
                "Unrecognized token 'xx': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')",
                ", column: 1]",
            ),
            ("", "No content to map due to end-of-input", "; line: 1]"),
            ("{\"nextBatc", "Unexpected end-of-input in field name", ", column: 11]"),
            (
                "{\"id\":\"8400-x",
                "Unexpected end-of-input: was expecting closing quote for a string value",
                ", column: 14]",
            ),
            ("{\"logOffset\":", "Unexpected end-of-input within/between Object entries", ", column: 14]"),
            (
                "{\"a\":1",
                "Unexpected end-of-input: expected close marker for Object (start marker at ",
                ", column: 7]",
            ),
        ];
        for (text, start, end) in table {
            let got = parse_json(text).expect_err("it is broken").message;
            assert!(got.starts_with(start) && got.ends_with(end), "{got}");
        }
    }
}
