//! The inside of JSON strings: where one ends, and what its escapes stand for.

use crate::format::json::lexer::Rules;

/// A string found by [`scan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The place of the closing quote.
    pub end: usize,
    /// Whether there are escapes before it.
    pub escaped: bool,
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Finds the end of a string whose content begins at `at`. `None` when it has no end, a bad escape, a control
/// character that is not allowed, or bytes that are no UTF-8.
pub fn scan(text: &[u8], mut at: usize, quote: u8, rules: Rules) -> Option<Found> {
    let start = at;
    let quotes = ONES * u64::from(quote);
    let backslashes = ONES * u64::from(b'\\');
    let mut escaped = false;
    let mut not_ascii = 0;
    loop {
        // Eight bytes at a time up to the first that is a quote, a backslash or a control character.
        while let Some(chunk) = text.get(at..at + 8) {
            let word = u64::from_le_bytes(chunk.try_into().expect("the slice has eight bytes"));
            let stops = (zeros(word ^ quotes) | zeros(word ^ backslashes) | below_space(word)) & HIGH;
            not_ascii |= word & HIGH;
            if stops != 0 {
                at += (stops.trailing_zeros() / 8) as usize;
                break;
            }
            at += 8;
        }
        let byte = *text.get(at)?;
        if byte == quote {
            let valid = not_ascii == 0 || std::str::from_utf8(&text[start..at]).is_ok();
            return valid.then_some(Found { end: at, escaped });
        }
        not_ascii |= u64::from(byte) & 0x80;
        at += match byte {
            b'\\' => {
                escaped = true;
                escape_length(&text[at + 1..], rules)?
            }
            0..0x20 if !rules.control_chars => return None,
            _ => 1,
        };
    }
}

fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word
}

fn below_space(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word
}

/// The length of an escape with its backslash, given what follows the backslash.
fn escape_length(rest: &[u8], rules: Rules) -> Option<usize> {
    match rest.first()? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(2),
        b'u' => rest.get(1..5)?.iter().all(u8::is_ascii_hexdigit).then_some(6),
        b'\'' if rules.single_quotes => Some(2),
        _ if rules.any_escape => Some(2),
        _ => None,
    }
}

/// Adds what the content of a scanned string stands for. Half a surrogate pair becomes `?`, as in Java's encoder.
pub fn unescape(content: &[u8], out: &mut Vec<u8>) {
    let mut rest = content;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let code = rest.get(at + 1).copied().unwrap_or(b'\\');
        rest = rest.get(at + 2..).unwrap_or_default();
        match code {
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'u' => rest = unescape_unicode(rest, out),
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
}

fn unescape_unicode<'a>(rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let unit = hex(rest);
    let mut rest = rest.get(4..).unwrap_or_default();
    let mut code = unit;
    if (0xD800..0xDC00).contains(&unit) && rest.starts_with(b"\\u") {
        let low = hex(&rest[2..]);
        if (0xDC00..0xE000).contains(&low) {
            code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            rest = rest.get(6..).unwrap_or_default();
        }
    }
    let letter = char::from_u32(code).unwrap_or('?');
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
    rest
}

fn hex(digits: &[u8]) -> u32 {
    let text = digits.get(..4).and_then(|four| std::str::from_utf8(four).ok());
    text.and_then(|four| u32::from_str_radix(four, 16).ok()).unwrap_or(u32::from(b'?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unescapes() {
        let table = [
            ("plain", "plain"),
            (r#"a\"b\\c\/d"#, r#"a"b\c/d"#),
            (r"\b\f\n\r\t", "\u{8}\u{c}\n\r\t"),
            (r"\u00e9\u0041", "éA"),
            (r"\ud83d\ude00", "😀"),
            (r"\ud83d x", "? x"),
            (r"\ude00", "?"),
            (r"\'", "'"),
        ];
        for (text, expected) in table {
            let mut out = Vec::new();
            unescape(text.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{text}");
        }
    }

    #[test]
    fn finds_the_end() {
        let rules = Rules::default();
        for length in 0..40 {
            let text = format!("{}\"tail", "é".repeat(length / 2) + &"x".repeat(length % 2));
            let found = scan(text.as_bytes(), 0, b'"', rules).expect("there is a quote");
            assert_eq!(found, Found { end: text.find('"').expect("there is a quote"), escaped: false });
            assert_eq!(scan(&text.as_bytes()[..found.end], 0, b'"', rules), None);
        }
        assert_eq!(scan(b"a\xffb\"", 0, b'"', rules), None);
        assert_eq!(scan(b"1234567\x01\"", 0, b'"', rules), None);
    }
}
