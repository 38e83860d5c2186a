//! `tidemark`: the sandbox without a page, on a folder.
//!
//! Owns: the command line, the mirror of a World on a real folder, the comparison of conformance cases.
//! May touch: sandbox, protocol, python, lessons.
//! Must not know: the page.
//! Invariants: what a script printed goes to stdout and nothing else does; a `kill -9` at any time leaves a folder that
//! real Spark can go on from.
#![allow(clippy::print_stdout, reason = "a command line prints")]

mod check;
mod conform;
mod mirror;
mod python;
mod run;
mod sweep;

use std::process::ExitCode;

const USAGE: &str = "usage:
  tidemark run SCRIPT --dir D [--seed N] [--clock T] [--crash POINT]
      runs a PySpark script on the folder D; T is an ISO time in UTC or milliseconds; POINT is C01 to C13,
      a phase and a side (commit:after), or write:K:before|during|after
  tidemark sweep SCRIPT --dir D [--seed N] [--recovery]
      runs it on a copy of the folder once without a crash, then once for each write with a crash there and a restart,
      and compares the tables; --recovery crashes again within each restart; exit 0 if all came out right, 1 if not;
      half of the very first plan, offsets/0, does not count: Spark is stuck on it too
  tidemark conform [--all] DIR|CASE...
      runs conformance cases and compares them with what real Spark recorded; --all prints every difference, not only
      the first of a case
  tidemark check LESSONS
      proves lessons, a folder of them or one: each start fails its check, each solution passes on the visible and the
      hidden data, each wrong answer gets its message
  tidemark python FILE
      runs one program on the Python machine, without spark";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.split_first() {
        Some((command, rest)) if command == "run" => run::run(rest),
        Some((command, rest)) if command == "sweep" => sweep::sweep(rest),
        Some((command, rest)) if command == "conform" => conform::conform(rest),
        Some((command, rest)) if command == "check" => check::check(rest),
        Some((command, rest)) if command == "python" => python::python(rest),
        Some((command, _)) if command == "--help" || command == "help" => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => Err(Usage("a command is wanted: run, sweep, conform, check or python".to_owned())),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(Usage(message)) => {
            eprintln!("tidemark: {message}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Why the command line cannot be followed.
struct Usage(String);
