//! Words that must not stay in the tree: notes to oneself, ignored tests, places on one machine.

use super::tree::{File, Finding};

/// Kinds of files that people write.
const WRITTEN: [&str; 13] =
    ["rs", "toml", "json", "md", "mjs", "js", "html", "css", "sh", "py", "yml", "txt", ""];
/// Lock files name a registry by its protocol, and licences name what they like.
const EXEMPT: [&str; 3] = ["Cargo.lock", "package-lock.json", "LICENSE"];

/// A word and what is wrong with it. Each is cut in two, so that this file does not find itself.
const FORBIDDEN: [(&str, &str, &str); 12] = [
    ("TO", "DO", "say what is missing in an issue, not in a note"),
    ("FIX", "ME", "say what is wrong in an issue, not in a note"),
    ("todo", "!(", "return an error that names what is missing"),
    ("#[ign", "ore", "assert today's answer and say why it is wrong"),
    ("/ro", "ot/", "a path of one machine"),
    ("/work", "/main", "a path of one machine"),
    ("/work", "/shared", "a path of one machine"),
    ("../sh", "ared", "nothing outside the project is read"),
    ("registry.npm", "js.org", "a registry is the machine's choice"),
    ("static.crates", ".io", "a registry is the machine's choice"),
    ("pypi", ".org/simple", "a registry is the machine's choice"),
    ("repo1.maven", ".org", "a registry is the machine's choice"),
];

/// Every forbidden word of a file, each line once.
pub(crate) fn check(file: &File) -> Vec<Finding> {
    if !WRITTEN.contains(&file.extension()) || EXEMPT.contains(&file.path.as_str()) {
        return Vec::new();
    }
    let lines = file.text.lines().enumerate();
    lines.filter_map(|(index, line)| Some(file.finding(index + 1, forbidden(line)?))).collect()
}

fn forbidden(line: &str) -> Option<String> {
    let (head, tail, why) =
        FORBIDDEN.iter().find(|(head, tail, _)| contains_word(line, &format!("{head}{tail}")))?;
    Some(format!("`{head}{tail}`: {why}"))
}

/// Whether `word` stands in the line and is not the end or the beginning of a longer name.
fn contains_word(line: &str, word: &str) -> bool {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    // A path from the root is none of ours where it goes on from a name.
    let begins_name = word.starts_with(is_name) || word.starts_with('/');
    let ends_name = word.ends_with(is_name);
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(is_name);
        let after = line[at + word.len()..].chars().next().is_some_and(is_name);
        !(begins_name && before || ends_name && after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_line(path: &str, line: &str) -> usize {
        check(&File { path: path.into(), text: format!("{line}\n") }).len()
    }

    #[test]
    fn forbidden_words_are_found() {
        for (head, tail, _) in FORBIDDEN {
            assert_eq!(check_line("a.rs", &format!("x {head}{tail} y")), 1, "{head}{tail}");
        }
    }

    #[test]
    fn longer_names_and_other_files_are_left_alone() {
        assert_eq!(check_line("a.rs", concat!("MAS", "TO", "DONS")), 0);
        assert_eq!(check_line("a.rs", "spark/ro\u{6f}t/x"), 0);
        assert_eq!(check_line("a.parquet", concat!("TO", "DO")), 0);
        assert_eq!(check_line("package-lock.json", concat!("registry.npm", "js.org")), 0);
    }
}
