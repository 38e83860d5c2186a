//! The project's own command line, as the chores use it: the build that the tests have made already.

use anyhow::Result;

use crate::command::Program;

const BUILD: &str = "--package tidemark-cli";

/// Builds the command line, with progress.
pub(crate) fn build() -> Result<()> {
    Program::new("cargo").arg("build").args(BUILD).run()
}

/// The command line, ready for arguments.
pub(crate) fn program() -> Program {
    Program::new("cargo").args("run --quiet").args(BUILD).arg("--")
}
