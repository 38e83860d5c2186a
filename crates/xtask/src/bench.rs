//! Benchmarks: programs in `tests/bench`, each measuring the release page against plain JavaScript in the same run.

use anyhow::Result;

use crate::command::{Program, root};
use crate::{journey, page, setup};

/// Runs every benchmark in `tests/bench` on a fresh release page.
pub(crate) fn run() -> Result<()> {
    if !root().join("tests/bench").exists() {
        println!("there are no benchmarks: they are node programs, tests/bench/*.mjs");
        return Ok(());
    }
    setup::install_all()?;
    page::build()?;
    for program in journey::programs("tests/bench")? {
        Program::new("node").arg(program).run()?;
    }
    Ok(())
}
