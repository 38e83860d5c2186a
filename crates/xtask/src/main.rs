//! The one command for every chore: `cargo xtask NAME`.
#![allow(clippy::print_stdout, reason = "a command line tool speaks on stdout")]

mod bench;
mod cli;
mod command;
mod conform;
mod golden;
mod journey;
mod lesson;
mod lint;
mod page;
mod serve;
mod setup;
mod size;
mod test;
mod tidy;
mod wasm;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
cargo xtask CHORE

  serve [--port N]     build the release page and serve it on a loopback port
  test [--keep-going] [--only STAGE]...
                       everything, cheapest first
  tidy                 the dependency table, sizes, headers, links
  lint                 rustfmt, tidy, clippy native and wasm, rustdoc
  golden [ARGS]        rewrite the expected outputs of golden scripts; ARGS go to cargo test
  conform [CASES]      run conformance cases; without CASES the required ones, then the share of the others
  lessons              prove every lesson
  journeys             drive the release page in dist/ in headless Chromium
  size                 raw and brotli sizes of the release page, against their budgets
  bench                the benchmarks in tests/bench
  setup                install the pinned tools, nothing else
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<()> {
    let Some((chore, rest)) = arguments.split_first() else {
        print!("{USAGE}");
        bail!("no chore is named");
    };
    match chore.as_str() {
        "serve" => serve::run(rest),
        "test" => test::run(rest),
        "tidy" => tidy::run(),
        "lint" => lint::run(),
        "golden" => golden::run(rest),
        "conform" => conform::run(rest),
        "lessons" => lesson::run(),
        "journeys" => journey::run(),
        "size" => size::run(),
        "bench" => bench::run(),
        "setup" => setup::install_all(),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        _ => {
            print!("{USAGE}");
            bail!("there is no chore '{chore}'")
        }
    }
}
