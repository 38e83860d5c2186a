//! The release page in `dist/`: the editor's bundle, then both wasm files, joined by trunk.

use anyhow::Result;

use crate::command::Program;
use crate::setup;

/// Bundles the editor's JavaScript; trunk copies the bundle.
pub(crate) fn build_editor() -> Result<()> {
    Program::new("npm").args("run --silent editor").run()
}

/// Builds `dist/` with all that it needs.
pub(crate) fn build() -> Result<()> {
    setup::install_page()?;
    build_editor()?;
    // trunk works offline, and asks for every package of the lock.
    Program::new("cargo").args("fetch --locked").run()?;
    // trunk takes the usual `NO_COLOR=1` for a wrong argument and stops.
    Program::new("trunk").args("build --release").without_env("NO_COLOR").run()
}
