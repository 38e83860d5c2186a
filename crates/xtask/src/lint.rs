//! Everything that reads the text of the project without running it.

use anyhow::Result;

use crate::command::Program;
use crate::{setup, tidy};

/// The crates that are built for wasm, with all that they depend on.
const WASM: &str = "--target wasm32-unknown-unknown --package tidemark-page --package tidemark-worker";

/// Runs every lint, cheapest first, to the first that fails.
pub(crate) fn run() -> Result<()> {
    setup::install_rust()?;
    check_format()?;
    tidy::run()?;
    check_native()?;
    check_wasm()?;
    check_docs()
}

/// rustfmt finds nothing to change.
pub(crate) fn check_format() -> Result<()> {
    Program::new("cargo").args("fmt --all --check").run()
}

/// Clippy on every target of every crate, as native code.
pub(crate) fn check_native() -> Result<()> {
    Program::new("cargo").args("clippy --workspace --all-targets -- -D warnings").run()
}

/// Clippy on the page and the worker as wasm.
pub(crate) fn check_wasm() -> Result<()> {
    Program::new("cargo").arg("clippy").args(WASM).args("--all-targets -- -D warnings").run()
}

/// Rustdoc without a warning, so every link in a comment leads somewhere.
pub(crate) fn check_docs() -> Result<()> {
    Program::new("cargo")
        .args("doc --workspace --no-deps --document-private-items")
        .env("RUSTDOCFLAGS", "-D warnings")
        .run()
}
