//! Conformance: our engine against what real Spark answered. The required cases must pass; the others show their share.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, bail};

use crate::cli;
use crate::command::root;

const CASES: &str = "tests/conformance/cases";
const REQUIRED: &str = "tests/conformance/required.txt";

/// Runs the cases that `arguments` name, or else the required ones and then all others.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    if !arguments.is_empty() {
        cli::build()?;
        return arguments
            .iter()
            .fold(cli::program()?.arg("conform"), |program, case| program.arg(path_of(case)))
            .run();
    }
    run_all()
}

/// Runs the required cases, which must pass, and then all others, whose share is told.
pub(crate) fn run_all() -> Result<()> {
    cli::build()?;
    let required = read_required()?;
    let (passed, output) = run_cases(&required)?;
    print!("{output}");
    let missing: Vec<&String> = required
        .iter()
        .filter(|slug| !verdicts(&output).any(|verdict| verdict.passed && verdict.slug == *slug))
        .collect();
    if !passed || !missing.is_empty() {
        bail!("required cases do not pass: {missing:?}");
    }
    let others: Vec<String> = read_cases()?.difference(&required.into_iter().collect()).cloned().collect();
    let (_, output) = run_cases(&others)?;
    // The closing line of this run counts cases that need not pass, so it is told in other words.
    for line in output.lines().filter(|line| parse_closing(line).is_none()) {
        println!("{line}");
    }
    println!("{}", render_share(&output, others.len()));
    Ok(())
}

fn run_cases(slugs: &[String]) -> Result<(bool, String)> {
    slugs.iter().fold(cli::program()?.arg("conform"), |program, slug| program.arg(path_of(slug))).capture()
}

/// A slug stands for its folder; anything with a slash is a path already.
fn path_of(case: &str) -> String {
    if case.contains('/') { case.to_owned() } else { format!("{CASES}/{case}") }
}

fn read_required() -> Result<Vec<String>> {
    let text =
        std::fs::read_to_string(root().join(REQUIRED)).with_context(|| format!("cannot read {REQUIRED}"))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

fn read_cases() -> Result<BTreeSet<String>> {
    let entries = std::fs::read_dir(root().join(CASES)).with_context(|| format!("cannot list {CASES}"))?;
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().join("script.py").exists());
    Ok(folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// One line of the runner: `pass|fail SLUG agreeing/all`.
struct Verdict<'a> {
    passed: bool,
    slug: &'a str,
    agreeing: usize,
    all: usize,
}

fn verdicts(output: &str) -> impl Iterator<Item = Verdict<'_>> {
    output.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (word, slug, share) = (words.next()?, words.next()?, words.next()?);
        let (agreeing, all) = share.split_once('/')?;
        let passed = match word {
            "pass" => true,
            "fail" => false,
            _ => return None,
        };
        Some(Verdict { passed, slug, agreeing: agreeing.parse().ok()?, all: all.parse().ok()? })
    })
}

/// The numbers of a line `N passed, N failed`.
fn parse_closing(line: &str) -> Option<(usize, usize)> {
    let (passed, failed) = line.trim().strip_suffix(" failed")?.split_once(" passed, ")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

fn render_share(output: &str, cases: usize) -> String {
    let (mut passed, mut agreeing, mut all) = (0, 0, 0);
    for verdict in verdicts(output) {
        passed += usize::from(verdict.passed);
        agreeing += verdict.agreeing;
        all += verdict.all;
    }
    format!("of {cases} other cases {passed} pass whole; {agreeing} of {all} results agree")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_counts_cases_and_results() {
        let output = "pass a 3/3\nfail b 1/4\n  rows: expected 1, got 2\n1 passed, 1 failed\n";
        assert_eq!(render_share(output, 2), "of 2 other cases 1 pass whole; 4 of 7 results agree");
    }

    #[test]
    fn the_closing_line_is_told_from_others() {
        assert_eq!(parse_closing("12 passed, 3 failed"), Some((12, 3)));
        assert_eq!(parse_closing("rows passed, 3 failed"), None);
        assert_eq!(parse_closing("fail a 0/1"), None);
    }
}
