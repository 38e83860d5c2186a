//! Journeys: the release page, driven as a learner drives it, in headless Chromium.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use crate::command::{Program, root};
use crate::setup;

/// What journeys share; no journeys themselves.
const SHARED: [&str; 3] = ["hands.mjs", "harness.mjs", "work.mjs"];

/// Runs every journey in `tests/journeys`, all of them even if one fails.
pub(crate) fn run() -> Result<()> {
    if !root().join("dist/index.html").exists() {
        bail!("there is no release page in dist/; `trunk build` or `cargo xtask serve` makes it");
    }
    setup::install_node()?;
    setup::install_system()?;
    let journeys = programs("tests/journeys")?;
    let failed: Vec<String> = journeys
        .iter()
        .filter_map(|journey| Program::new("node").arg(journey).run().err())
        .map(|error| error.to_string())
        .collect();
    if !failed.is_empty() {
        bail!("{} of {} journeys failed\n{}", failed.len(), journeys.len(), failed.join("\n"));
    }
    println!("{} journeys ended well", journeys.len());
    Ok(())
}

/// The programs of a folder below the root, in order, without what they share.
pub(crate) fn programs(folder: &str) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(root().join(folder)).with_context(|| format!("cannot list {folder}"))?;
    let mut programs: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "mjs")
                && !SHARED.iter().any(|shared| path.ends_with(shared))
        })
        .collect();
    programs.sort();
    Ok(programs)
}
