//! Lessons proved: each start fails its check, each solution passes, each wrong answer gets its message.

use anyhow::Result;

use crate::cli;
use crate::command::root;

const CONTENT: &str = "lessons/content";

/// Checks every lesson.
pub(crate) fn run() -> Result<()> {
    let entries = std::fs::read_dir(root().join(CONTENT)).into_iter().flatten().filter_map(Result::ok);
    let count = entries.filter(|entry| entry.path().join("lesson.toml").exists()).count();
    if count == 0 {
        println!("there are no lessons in {CONTENT} yet");
        return Ok(());
    }
    cli::build()?;
    cli::program()?.arg("check").arg(CONTENT).run()
}
