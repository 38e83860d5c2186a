//! All tests, cheapest first, and what each took.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::command::Program;
use crate::{conform, journey, lesson, lint, page, setup, size, tidy, wasm};

/// One thing that must hold, with the chore that finds out.
struct Stage {
    name: &'static str,
    run: fn() -> Result<()>,
}

const STAGES: [Stage; 14] = [
    Stage { name: "setup", run: setup::install_all },
    Stage { name: "fmt", run: lint::check_format },
    Stage { name: "tidy", run: tidy::run },
    Stage { name: "clippy native", run: lint::check_native },
    Stage { name: "clippy wasm", run: lint::check_wasm },
    Stage { name: "rustdoc", run: lint::check_docs },
    Stage { name: "cargo test", run: test_workspace },
    Stage { name: "kernel", run: test_with_kernel },
    Stage { name: "lessons", run: lesson::run },
    Stage { name: "conform", run: conform::run_all },
    Stage { name: "wasm tests", run: wasm::run },
    Stage { name: "trunk", run: page::build },
    Stage { name: "size", run: size::run },
    Stage { name: "journeys", run: journey::run },
];

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Passed,
    Failed,
    NotRun,
}

/// Runs the stages in order, to the first failure unless `--keep-going`, and ends with a table of them.
///
/// Errors: any stage failed.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let (keep_going, only) = parse(arguments)?;
    let mut rows = Vec::new();
    let mut failed = Vec::new();
    for stage in STAGES.iter().filter(|stage| only.is_empty() || only.contains(&stage.name)) {
        if !failed.is_empty() && !keep_going {
            rows.push((stage.name, Verdict::NotRun, Duration::ZERO));
            continue;
        }
        println!("\n=== {} ===", stage.name);
        let start = Instant::now();
        let verdict = match (stage.run)() {
            Ok(()) => Verdict::Passed,
            Err(error) => {
                println!("{} failed: {error:#}", stage.name);
                failed.push(stage.name);
                Verdict::Failed
            }
        };
        rows.push((stage.name, verdict, start.elapsed()));
    }
    print!("\n{}", render_table(&rows));
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<(bool, Vec<&str>)> {
    let mut keep_going = false;
    let mut only = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match (argument.as_str(), rest.as_slice().first()) {
            ("--keep-going", _) => keep_going = true,
            ("--only", Some(name)) if STAGES.iter().any(|stage| stage.name == name) => {
                only.push(name.as_str());
                rest.next();
            }
            _ => {
                let names: Vec<&str> = STAGES.iter().map(|stage| stage.name).collect();
                bail!(
                    "usage: cargo xtask test [--keep-going] [--only STAGE]...; the stages are: {}",
                    names.join(", ")
                );
            }
        }
    }
    Ok((keep_going, only))
}

/// Unit tests, integration tests and doc tests of every crate, as native code.
fn test_workspace() -> Result<()> {
    Program::new("cargo").args("test --workspace --no-fail-fast").run()
}

/// Our Delta tables read by `delta_kernel`, built apart: its many crates would change the features of ours.
fn test_with_kernel() -> Result<()> {
    let words = "test -p tidemark-delta --features kernel --test kernel --target-dir target/kernel";
    Program::new("cargo").args(words).run()
}

fn render_table(rows: &[(&str, Verdict, Duration)]) -> String {
    let mut text = format!("{:<14} {:>8} {:>9}\n", "stage", "", "seconds");
    for (name, verdict, took) in rows {
        let (word, seconds) = match verdict {
            Verdict::Passed => ("passed", format!("{:.1}", took.as_secs_f64())),
            Verdict::Failed => ("FAILED", format!("{:.1}", took.as_secs_f64())),
            Verdict::NotRun => ("not run", String::new()),
        };
        text.push_str(format!("{name:<14} {word:>8} {seconds:>9}").trim_end());
        text.push('\n');
    }
    let total: Duration = rows.iter().map(|(_, _, took)| *took).sum();
    text.push_str(&format!("{:<14} {:>8} {:>9.1}\n", "all", "", total.as_secs_f64()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_row_for_each_stage_and_one_for_all() {
        let rows = [
            ("fmt", Verdict::Passed, Duration::from_millis(1500)),
            ("tidy", Verdict::Failed, Duration::from_millis(500)),
            ("size", Verdict::NotRun, Duration::ZERO),
        ];
        let expected = "\
stage                     seconds
fmt              passed       1.5
tidy             FAILED       0.5
size            not run
all                           2.0
";
        assert_eq!(render_table(&rows), expected);
    }

    #[test]
    fn arguments_name_stages() {
        let arguments = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            parse(&arguments("--only,clippy wasm,--keep-going")).unwrap(),
            (true, vec!["clippy wasm"])
        );
        assert!(parse(&arguments("--only,nothing")).is_err());
        assert!(parse(&arguments("--only")).is_err());
    }
}
