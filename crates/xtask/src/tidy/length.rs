//! How long files and functions may get.

use super::rust_text::blank_non_code;
use super::tree::{File, Finding};

/// Lines of a file, tests included.
const FILE_LINES_MAX: usize = 800;
/// Lines of a function, from its name to its last brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Lines of a `mod.rs`, which holds a paragraph and exports only.
const MOD_LINES_MAX: usize = 30;
/// Stands above a function that is one flat `match` and may be longer.
const TABLE: &str = "// tidy: table";

/// Every length rule on one file.
pub(crate) fn check(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = file.text.lines().count();
    if matches!(file.extension(), "rs" | "js" | "mjs" | "css") && lines > FILE_LINES_MAX {
        findings.push(
            file.finding(lines, format!("{lines} lines; a file stops at {FILE_LINES_MAX}: split it by noun")),
        );
    }
    // Beside tests the name is Cargo's way to say that a file is no test program of its own.
    if file.path.ends_with("/mod.rs") && !file.path.contains("/tests/") && lines >= MOD_LINES_MAX {
        findings.push(file.finding(
            lines,
            format!("{lines} lines; a mod.rs holds a paragraph and exports, under {MOD_LINES_MAX}"),
        ));
    }
    if file.extension() == "rs" {
        findings.extend(check_functions(file));
    }
    findings
}

fn check_functions(file: &File) -> Vec<Finding> {
    let lines: Vec<&str> = file.text.lines().collect();
    let long = functions(&file.text).into_iter().filter(|function| function.lines() > FUNCTION_LINES_MAX);
    long.filter(|function| !is_table(&lines, function.first))
        .map(|function| {
            let message = format!(
                "`{}` has {} lines; a function stops at {FUNCTION_LINES_MAX}",
                function.name,
                function.lines()
            );
            file.finding(function.first, message)
        })
        .collect()
}

/// Whether the mark stands above the function, among its comments and attributes.
fn is_table(lines: &[&str], first: usize) -> bool {
    let above = lines[..first - 1].iter().rev().map(|line| line.trim_start());
    above
        .take_while(|line| line.starts_with("//") || line.starts_with("#["))
        .any(|line| line.starts_with(TABLE))
}

/// A function with a body; lines count from 1.
#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    first: usize,
    last: usize,
}

impl Function {
    fn lines(&self) -> usize {
        self.last - self.first + 1
    }
}

/// All functions of a file in the order of their names' places.
fn functions(text: &str) -> Vec<Function> {
    let code: Vec<char> = blank_non_code(text).chars().collect();
    let mut functions = Vec::new();
    let mut line = 1;
    for at in 0..code.len() {
        if code[at] == '\n' {
            line += 1;
        }
        if let Some(name) = name_of_function(&code, at)
            && let Some(last) = last_line(&code, at, line)
        {
            functions.push(Function { name, first: line, last });
        }
    }
    functions
}

/// The name, if the keyword `fn` of a definition stands at `at`.
fn name_of_function(code: &[char], at: usize) -> Option<String> {
    let is_word = |character: &char| character.is_alphanumeric() || *character == '_';
    if !code[at..].starts_with(&['f', 'n', ' ']) || (at > 0 && is_word(&code[at - 1])) {
        return None;
    }
    let name: String =
        code[at + 3..].iter().skip_while(|character| **character == ' ').take_while(|c| is_word(c)).collect();
    (!name.is_empty()).then_some(name)
}

/// The line of the brace that closes the body of the function at `at`; none for a declaration without body.
fn last_line(code: &[char], at: usize, first: usize) -> Option<usize> {
    let mut line = first;
    let (mut braces, mut brackets) = (0, 0);
    for character in &code[at..] {
        match character {
            '\n' => line += 1,
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            ';' if braces == 0 && brackets == 0 => return None,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces == 0 && brackets == 0 {
                    return Some(line);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: String) -> File {
        File { path: path.into(), text }
    }

    #[test]
    fn functions_are_found_with_their_lines() {
        let text = "\
trait T { fn declared(&self) -> [u8; 3]; }
fn one() {}
pub fn two<F: Fn(u8)>(f: F)
where
    F: Clone,
{
    let text = \"}\";
    fn inner() {
    }
}
";
        let found: Vec<_> = functions(text).into_iter().map(|f| (f.name.clone(), f.first, f.last)).collect();
        let expected = [("one", 2, 2), ("two", 3, 10), ("inner", 8, 9)];
        assert_eq!(found, expected.map(|(name, first, last)| (name.to_owned(), first, last)));
    }

    #[test]
    fn a_long_function_is_found_unless_it_is_a_table() {
        let body = "    a();\n".repeat(FUNCTION_LINES_MAX);
        let long = format!("/// Does.\nfn long() {{\n{body}}}\n");
        let findings = check(&file("a.rs", long.clone()));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].line, 2);
        let table = format!("/// Maps.\n{TABLE}\n#[inline]\nfn long() {{\n{body}}}\n");
        assert!(check(&file("a.rs", table)).is_empty());
        let other = format!("{TABLE}\nfn short() {{}}\n{long}");
        assert_eq!(check(&file("a.rs", other)).len(), 1);
    }

    #[test]
    fn a_long_file_is_found() {
        let text = "\n".repeat(FILE_LINES_MAX + 1);
        assert_eq!(check(&file("a.css", text.clone())).len(), 1);
        assert!(check(&file("a.txt", text)).is_empty());
        assert!(check(&file("a.rs", "\n".repeat(FILE_LINES_MAX))).is_empty());
    }

    #[test]
    fn a_mod_file_is_short() {
        assert_eq!(check(&file("a/mod.rs", "\n".repeat(MOD_LINES_MAX))).len(), 1);
        assert!(check(&file("a/mod.rs", "\n".repeat(MOD_LINES_MAX - 1))).is_empty());
    }
}
