//! Tests of wasm in headless Chromium: those of the page in a document, those of the engine in a dedicated worker.

use anyhow::Result;

use crate::command::{Program, root};

/// Runs the wasm tests of both web crates.
///
/// Shape: one call, so that what both crates share is compiled once; each test finds `webdriver.json` in its own crate.
pub(crate) fn run() -> Result<()> {
    Program::new("wasm-pack")
        .args("test --headless --chrome --chromedriver /usr/bin/chromedriver --mode no-install")
        .args("-- -p tidemark-worker -p tidemark-page")
        .current_dir(&root().join("web/worker"))
        .run()
}
