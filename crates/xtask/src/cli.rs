//! The project's own command line, as the chores use it: optimised a little, with every check on.

use anyhow::Result;

use crate::command::Program;

const BUILD: &str = "--package tidemark-cli --profile conform";

/// Builds the command line, with progress.
pub(crate) fn build() -> Result<()> {
    Program::new("cargo").arg("build").args(BUILD).run()
}

/// The command line, ready for arguments.
pub(crate) fn program() -> Program {
    Program::new("cargo").args("run --quiet").args(BUILD).arg("--")
}
