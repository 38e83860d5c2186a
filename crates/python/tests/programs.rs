//! The programs of `tests/python` print what CPython 3.11 prints.

use std::path::{Path, PathBuf};

/// Themes of which every program must pass.
const REQUIRED: &[&str] = &[
    "numbers",
    "strings",
    "formatting",
    "containers",
    "comprehensions",
    "functions",
    "exceptions",
    "fluent",
    "builtins",
];

struct Outcome {
    name: String,
    passed: bool,
    lines: usize,
    agreeing: usize,
    difference: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python")
}

fn names_in(path: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(path).expect("the folder is there").map(|e| e.expect("an entry").path()).collect();
    all.sort();
    all
}

fn run(program: &Path) -> Outcome {
    let source = std::fs::read_to_string(program).expect("a program");
    let expected = std::fs::read_to_string(program.with_extension("out")).expect("its output");
    let theme = program.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let stem = program.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{theme}/{stem}");
    let (out, result) = tidemark_python::run_program(&source, &format!("{stem}.py"));
    let (got, want): (Vec<&str>, Vec<&str>) = (out.lines().collect(), expected.lines().collect());
    let agreeing = want.iter().zip(&got).filter(|(w, g)| w == g).count();
    let mut difference = want
        .iter()
        .enumerate()
        .find(|(at, line)| got.get(*at) != Some(line))
        .map(|(at, line)| {
            format!("line {}:\n    expected {line}\n    got      {}", at + 1, got.get(at).unwrap_or(&"-"))
        })
        .unwrap_or_default();
    if let Err(failure) = &result {
        let text = failure.text();
        let tail: Vec<&str> = text.lines().rev().take(4).collect();
        difference.push_str(&format!(
            "\n    error: {}",
            tail.into_iter().rev().collect::<Vec<_>>().join("\n           ")
        ));
    }
    Outcome { name, passed: result.is_ok() && out == expected, lines: want.len(), agreeing, difference }
}

#[test]
fn programs_print_what_cpython_prints() {
    let only = std::env::args().skip(1).find(|a| a.contains('/'));
    let mut required_failures = Vec::new();
    let (mut passed, mut failed, mut lines, mut agreeing) = (0, 0, 0, 0);
    for theme in names_in(&folder()).into_iter().filter(|p| p.is_dir()) {
        let theme_name = theme.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut failures = Vec::new();
        let (mut theme_passed, mut theme_lines, mut theme_agreeing) = (0, 0, 0);
        for program in names_in(&theme).into_iter().filter(|p| p.extension().is_some_and(|e| e == "py")) {
            if only.as_ref().is_some_and(|o| !program.to_string_lossy().contains(o.as_str())) {
                continue;
            }
            let outcome = run(&program);
            theme_lines += outcome.lines;
            theme_agreeing += outcome.agreeing;
            if outcome.passed {
                theme_passed += 1;
            } else {
                failures.push(outcome);
            }
        }
        passed += theme_passed;
        failed += failures.len();
        lines += theme_lines;
        agreeing += theme_agreeing;
        println!(
            "{theme_name}: {theme_passed} of {} pass, {theme_agreeing} of {theme_lines} lines agree",
            theme_passed + failures.len()
        );
        for failure in &failures {
            println!("  {} {}/{} {}", failure.name, failure.agreeing, failure.lines, failure.difference);
        }
        if REQUIRED.contains(&theme_name.as_str()) {
            required_failures.extend(failures.into_iter().map(|f| f.name));
        }
    }
    println!("{passed} passed, {failed} failed; {agreeing} of {lines} lines agree");
    assert!(required_failures.is_empty(), "these must pass: {required_failures:?}");
}
