//! Broken JSON of a checkpoint, in the words of the library that Spark reads it with.

use serde_json::Value;
use tidemark_types::{ErrorClass, SparkError};

/// A JSON text, or the error that Spark would pass on.
pub(crate) fn parse_json(text: &str) -> Result<Value, SparkError> {
    serde_json::from_str(text).map_err(|error| SparkError::plain(ErrorClass::Py4JJava, message(text, &error)))
}

fn message(text: &str, error: &serde_json::Error) -> String {
    let place = format!(
        "\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: {}, column: {}]",
        error.line(),
        error.column().max(1)
    );
    if text.trim().is_empty() {
        return format!("No content to map due to end-of-input{place}");
    }
    if error.is_eof() {
        return format!("Unexpected end-of-input{place}");
    }
    let start = text.char_indices().nth(error.column().saturating_sub(1)).map_or(0, |(at, _)| at);
    let word: String = text[start..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    match text[start..].chars().next() {
        Some(letter) if letter.is_alphabetic() => format!(
            "Unrecognized token '{word}': was expecting (JSON String, Number, Array, Object or token 'null', \
             'true' or 'false'){place}"
        ),
        Some(other) => format!(
            "Unexpected character ('{other}' (code {})): expected a valid value (JSON String, Number, Array, Object \
             or token 'null', 'true' or 'false'){place}",
            other as u32
        ),
        None => format!("Unexpected end-of-input{place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (text, start) in [
            ("xx", "Unrecognized token 'xx': was expecting"),
            ("", "No content to map"),
            ("{\"a\":", "Unexpected end-of-input"),
        ] {
            let got = parse_json(text).expect_err("it is broken").message;
            assert!(got.starts_with(start), "{got}");
        }
    }
}
