//! Tests of wasm in headless Chromium: those of the page in a document, those of the engine in a dedicated worker.

use anyhow::Result;

use crate::command::{Program, root};

/// One test program may take so many seconds; the engine runs whole stories in it, without optimisation.
const TEST_TIMEOUT: &str = "600";

/// Runs the wasm tests of both web crates.
///
/// Shape: one call, so that what both crates share is compiled once; each test finds `webdriver.json` in its own crate.
pub(crate) fn run() -> Result<()> {
    Program::new("wasm-pack")
        .args("test --headless --chrome --chromedriver /usr/bin/chromedriver --mode no-install")
        .env("WASM_BINDGEN_TEST_TIMEOUT", TEST_TIMEOUT)
        .args("-- -p tidemark-worker -p tidemark-page")
        .current_dir(&root().join("web/worker"))
        .run()
}
