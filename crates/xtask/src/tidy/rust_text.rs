//! Rust text with everything blanked that is not code, so that rules can look for words and braces.

/// The text with comments, strings and characters turned into blanks; line ends stay where they are.
pub(crate) fn blank_non_code(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut at = 0;
    while at < characters.len() {
        let end = end_of_non_code(&characters, at);
        if end == at {
            code.push(characters[at]);
            at += 1;
        } else {
            code.extend(
                characters[at..end].iter().map(|character| if *character == '\n' { '\n' } else { ' ' }),
            );
            at = end;
        }
    }
    code
}

/// Where the comment, string or character that begins at `at` ends; `at` itself if none begins there.
fn end_of_non_code(text: &[char], at: usize) -> usize {
    let next = |offset: usize| text.get(at + offset).copied().unwrap_or('\n');
    let word_before = at > 0 && (text[at - 1].is_alphanumeric() || text[at - 1] == '_');
    match (text[at], next(1)) {
        ('/', '/') => end_where(text, at, |rest| rest[0] == '\n'),
        ('/', '*') => end_of_block_comment(text, at),
        ('"', _) => end_of_string(text, at + 1),
        ('r', '"' | '#') if !word_before => end_of_raw_string(text, at, at + 1),
        ('b' | 'c', 'r') if !word_before && matches!(next(2), '"' | '#') => {
            end_of_raw_string(text, at, at + 2)
        }
        ('\'', '\\') => end_where(text, at + 3, |rest| rest[0] == '\'') + 1,
        ('\'', _) if next(2) == '\'' => at + 3,
        _ => at,
    }
}

fn end_where(text: &[char], from: usize, stop: impl Fn(&[char]) -> bool) -> usize {
    (from..text.len()).find(|at| stop(&text[*at..])).unwrap_or(text.len())
}

fn end_of_block_comment(text: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut at = start;
    while at < text.len() {
        if text[at..].starts_with(&['/', '*']) {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with(&['*', '/']) {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn end_of_string(text: &[char], from: usize) -> usize {
    let mut at = from;
    while at < text.len() {
        match text[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// A raw string ends at a quote with as many hashes as it began with; `r#name` is no string.
fn end_of_raw_string(text: &[char], start: usize, from: usize) -> usize {
    let hashes = text[from..].iter().take_while(|character| **character == '#').count();
    if text.get(from + hashes) != Some(&'"') {
        return start;
    }
    let close: Vec<char> = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
    let end = end_where(text, from + hashes + 1, |rest| rest.starts_with(&close));
    (end + close.len()).min(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_is_left() {
        let table = [
            ("a // {\nb", "a b"),
            ("a /* { /* { */ */ b", "a b"),
            ("f(\"{\\\"\", b)", "f( , b)"),
            ("r#\"{\"# x", "x"),
            ("r#fn x", "r#fn x"),
            ("br\"{\" x", "x"),
            ("'{' '\\'' '\\u{7b}' x", "x"),
            ("&'a str, 'b: loop {", "&'a str, 'b: loop {"),
            ("\"a\nb\" c", "c"),
        ];
        for (text, expected) in table {
            let code = blank_non_code(text);
            assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text:?}");
            assert_eq!(code.lines().count(), text.lines().count(), "{text:?}");
            assert_eq!(code.chars().count(), text.chars().count(), "{text:?}");
        }
    }
}
