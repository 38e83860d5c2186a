//! The words of a SQL or DDL text, cut as Spark's grammar cuts them, with their places.

use crate::error::{ErrorClass, SparkError};

/// The kind of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A word: a keyword or a plain identifier.
    Word(String),
    /// An identifier in backticks, without them.
    Quoted(String),
    /// A number with its suffix as written: `1`, `1.5BD`, `2L`.
    Number(String),
    /// A string constant, escapes resolved.
    Text(String),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// A character that fits nowhere.
    Unknown(char),
    /// The end.
    End,
}

/// One token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

/// Longest first, so that `<=>` is not read as `<=`.
const SYMBOLS: [&str; 37] = [
    "<=>", "::", "<=", ">=", "<>", "!=", "==", "||", "->", "=>", "<<", ">>", "(", ")", "[", "]", "<", ">",
    "=", "+", "-", "*", "/", "%", ",", ".", ";", ":", "?", "!", "~", "&", "|", "^", "{", "}", "@",
];

/// Cuts a text into tokens; the last one is [`TokenKind::End`].
pub fn tokenize(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(start) = skip_blank(text, at) {
        let (kind, end) = next_token(text, start);
        tokens.push(Token { kind, start, end });
        at = end;
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    tokens
}

/// The first byte from `at` on that is neither blank nor comment.
fn skip_blank(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = &text[at..];
        let c = rest.chars().next()?;
        if c.is_whitespace() {
            at += c.len_utf8();
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") && !rest.starts_with("/*+") {
            at += rest.find("*/").map_or(rest.len(), |i| i + 2);
        } else {
            return Some(at);
        }
    }
}

fn next_token(text: &str, start: usize) -> (TokenKind, usize) {
    let rest = &text[start..];
    let bytes = rest.as_bytes();
    let first = bytes[0];
    if first == b'`' {
        return quoted_identifier(rest, start);
    }
    if first == b'\'' || first == b'"' {
        return string(rest, start, start, false);
    }
    if matches!(first, b'r' | b'R') && matches!(bytes.get(1), Some(b'\'' | b'"')) {
        return string(&rest[1..], start, start + 1, true);
    }
    if first.is_ascii_digit() || first == b'.' && bytes.get(1).is_some_and(u8::is_ascii_digit) {
        let length = number_length(bytes);
        let word = word_length(rest);
        if length >= word {
            return (TokenKind::Number(rest[..length].to_owned()), start + length);
        }
    }
    let length = word_length(rest);
    if length > 0 {
        return (TokenKind::Word(rest[..length].to_owned()), start + length);
    }
    for symbol in SYMBOLS {
        if rest.starts_with(symbol) {
            return (TokenKind::Symbol(symbol), start + symbol.len());
        }
    }
    let c = rest.chars().next().unwrap_or(' ');
    (TokenKind::Unknown(c), start + c.len_utf8())
}

fn word_length(rest: &str) -> usize {
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
}

fn quoted_identifier(rest: &str, start: usize) -> (TokenKind, usize) {
    let mut name = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        if c != '`' {
            name.push(c);
        } else if chars.peek().is_some_and(|&(_, next)| next == '`') {
            chars.next();
            name.push('`');
        } else {
            return (TokenKind::Quoted(name), start + i + 1);
        }
    }
    (TokenKind::Unknown('`'), start + 1)
}

/// A string constant from its quote on; two quotes in a row are one.
fn string(rest: &str, start: usize, from: usize, raw: bool) -> (TokenKind, usize) {
    let quote = rest.chars().next().unwrap_or('\'');
    let mut value = String::new();
    let mut chars = rest.char_indices().skip(1).peekable();
    while let Some((i, c)) = chars.next() {
        if c == '\\' && !raw {
            unescape(&mut chars, &mut value);
        } else if c != quote {
            value.push(c);
        } else if !raw && chars.peek().is_some_and(|&(_, next)| next == quote) {
            chars.next();
            value.push(quote);
        } else {
            return (TokenKind::Text(value), from + i + 1);
        }
    }
    (TokenKind::Unknown(quote), start + 1)
}

fn unescape(chars: &mut std::iter::Peekable<impl Iterator<Item = (usize, char)>>, value: &mut String) {
    let Some((_, c)) = chars.next() else { return };
    match c {
        '0' => value.push('\0'),
        'b' => value.push('\u{8}'),
        'n' => value.push('\n'),
        'r' => value.push('\r'),
        't' => value.push('\t'),
        'Z' => value.push('\u{1a}'),
        '%' => value.push_str("\\%"),
        '_' => value.push_str("\\_"),
        'u' => {
            let digits: String =
                std::iter::from_fn(|| chars.next_if(|(_, d)| d.is_ascii_hexdigit()).map(|(_, d)| d))
                    .take(4)
                    .collect();
            match u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32) {
                Some(c) if digits.len() == 4 => value.push(c),
                _ => {
                    value.push('u');
                    value.push_str(&digits);
                }
            }
        }
        other => value.push(other),
    }
}

fn number_length(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = digits(0);
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1) != Some(&b'.') {
        at += 1 + digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent > 0 {
            at += 1 + sign + exponent;
        }
    }
    let upper = |i: usize| bytes.get(i).map(u8::to_ascii_uppercase);
    let suffix = match (upper(at), upper(at + 1)) {
        (Some(b'B'), Some(b'D')) => 2,
        (Some(b'L' | b'S' | b'Y' | b'F' | b'D'), _) => 1,
        _ => 0,
    };
    let whole = bytes.get(at + suffix).is_none_or(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
    if whole { at + suffix } else { at }
}

/// The line, from 1, and the position in it, from 0, of a byte.
pub fn line_and_pos(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() as u32 + 1;
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (line, before[start..].chars().count() as u32)
}

/// A `ParseException` that points at a place, as Spark prints it.
pub fn parse_error(
    text: &str,
    at: usize,
    condition: &str,
    sql_state: &str,
    message: impl Into<String>,
) -> SparkError {
    let (line, pos) = line_and_pos(text, at);
    let mut context = format!(" (line {line}, pos {pos})\n\n== SQL ==\n");
    for (i, content) in text.split('\n').enumerate() {
        if i > 0 {
            context.push('\n');
        }
        context.push_str(content);
        if i as u32 + 1 == line {
            context.push('\n');
            context.push_str(&"-".repeat(pos as usize));
            context.push_str("^^^");
        }
    }
    SparkError::new(ErrorClass::Parse, condition, sql_state, message).with_context(context)
}

/// `PARSE_SYNTAX_ERROR` at a token: `Syntax error at or near 'x'`.
pub fn syntax_error(text: &str, token: &Token, hint: &str) -> SparkError {
    let near = match token.kind {
        TokenKind::End => "end of input".to_owned(),
        _ => format!("'{}'", &text[token.start..token.end]),
    };
    parse_error(
        text,
        token.start,
        "PARSE_SYNTAX_ERROR",
        "42601",
        format!("Syntax error at or near {near}{hint}."),
    )
    .with_parameter("error", near)
    .with_parameter("hint", hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_as_spark_cuts_them() {
        let cut = |text: &str| -> Vec<String> {
            tokenize(text)
                .iter()
                .map(|t| match &t.kind {
                    TokenKind::Word(w) => w.clone(),
                    TokenKind::Quoted(q) => format!("`{q}`"),
                    TokenKind::Number(n) => format!("#{n}"),
                    TokenKind::Text(s) => format!("'{s}'"),
                    TokenKind::Symbol(s) => (*s).to_owned(),
                    TokenKind::Unknown(c) => format!("?{c}"),
                    TokenKind::End => "$".to_owned(),
                })
                .collect()
        };
        for (text, tokens) in [
            ("a.b<=>1L", "a . b <=> #1L $"),
            ("1.5BD+.5 1e3 2.", "#1.5BD + #.5 #1e3 #2. $"),
            ("1a `x``y` -- c\n2", "1a `x`y` #2 $"),
            (r"'it''s' r'a\n' 'a\tb' /* c */ 7", "'it's' 'a\\n' 'a\tb' #7 $"),
            ("x::int 'open", "x :: int ?' open $"),
        ] {
            assert_eq!(cut(text).join(" "), tokens, "{text}");
        }
    }

    #[test]
    fn errors_point_at_their_place() {
        let error = syntax_error("id +\nx )", &tokenize("id +\nx )")[3], "");
        assert_eq!(
            error.full_message(),
            "\n[PARSE_SYNTAX_ERROR] Syntax error at or near ')'. SQLSTATE: 42601 (line 2, pos 2)\n\n== SQL ==\nid +\nx )\n--^^^"
        );
    }
}
