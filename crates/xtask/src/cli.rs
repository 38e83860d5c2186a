//! The project's own command line, as the chores use it: the build that the tests have made already.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

use crate::command::Program;

/// Builds the command line, with progress.
///
/// Shape: chosen with all packages, as the tests are, so that libraries get the same features and are built once.
pub(crate) fn build() -> Result<()> {
    Program::new("cargo").args("build --workspace --bin tidemark").run()
}

/// The command line, ready for arguments; [`build`] comes first.
pub(crate) fn program() -> Result<Program> {
    Ok(Program::new(&path()?.to_string_lossy()))
}

/// It lies beside this program.
fn path() -> Result<PathBuf> {
    let own = std::env::current_exe().context("the path of this program")?;
    Ok(own.with_file_name("tidemark").with_extension(std::env::consts::EXE_EXTENSION))
}
