//! Golden scripts rewritten: the tests run with `UPDATE=1`, and the change is read in the version control's difference.

use anyhow::Result;

use crate::command::Program;

/// Runs the tests of the workspace, or those that `arguments` name to `cargo test`, and rewrites expected outputs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let test = Program::new("cargo").arg("test").env("UPDATE", "1").env("UPDATE_EXPECT", "1");
    let test = if arguments.is_empty() { test.arg("--workspace") } else { test };
    arguments.iter().fold(test, Program::arg).run()?;
    println!("read the difference line by line before it is committed");
    Ok(())
}
