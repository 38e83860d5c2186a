//! Bytes to lines, as Hadoop's line reader cuts them.

/// The lines of a piece `start..end` of a text: those that begin in it. A line begins a piece only if the piece
/// before has not taken it, so that pieces share no line.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    separator: Option<&'a [u8]>,
}

impl<'a> Lines<'a> {
    /// Lines that end with `separator`, or with any of `\n`, `\r\n`, `\r` if there is none.
    pub fn new(text: &'a [u8], start: usize, end: usize, separator: Option<&'a [u8]>) -> Self {
        let mut lines = Lines { text, at: start, end, separator };
        if start == 0 {
            lines.at = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        } else {
            lines.cut();
        }
        lines
    }

    fn cut(&mut self) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let (length, ending) = match self.separator {
            Some(separator) => match memchr::memmem::find(rest, separator) {
                Some(at) => (at, separator.len()),
                None => (rest.len(), 0),
            },
            None => match memchr::memchr2(b'\n', b'\r', rest) {
                Some(at) if rest[at..].starts_with(b"\r\n") => (at, 2),
                Some(at) => (at, 1),
                None => (rest.len(), 0),
            },
        };
        self.at += length + ending;
        &rest[..length]
    }
}

/// What may stand before a text in UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        (self.at < self.text.len() && self.at <= self.end).then(|| self.cut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, start: usize, end: usize, separator: Option<&str>) -> Vec<String> {
        Lines::new(text.as_bytes(), start, end, separator.map(str::as_bytes))
            .map(|line| String::from_utf8_lossy(line).into_owned())
            .collect()
    }

    #[test]
    fn cuts_lines() {
        let table: &[(&str, Option<&str>, &[&str])] = &[
            ("", None, &[]),
            ("a", None, &["a"]),
            ("a\n", None, &["a"]),
            ("x\r\n\ny\rz", None, &["x", "", "y", "z"]),
            ("\u{feff}a\nb", None, &["a", "b"]),
            ("a;b;", Some(";"), &["a", "b"]),
            ("a\nb||c", Some("||"), &["a\nb", "c"]),
        ];
        for (text, separator, expected) in table {
            assert_eq!(lines(text, 0, text.len(), *separator), *expected, "{text:?}");
        }
    }

    #[test]
    fn pieces_share_no_line() {
        let text = "one\ntwo\r\nthree\n\nfive\rsix";
        let whole = lines(text, 0, text.len(), None);
        for cut in 1..text.len() {
            let mut parts = lines(text, 0, cut, None);
            parts.extend(lines(text, cut, text.len(), None));
            assert_eq!(parts, whole, "cut at {cut}");
        }
    }
}
