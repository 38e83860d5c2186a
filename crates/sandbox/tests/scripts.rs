//! Golden scripts: acts, and the sentences of the moments they lead to. The script that runs is the one of the story.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]
#![allow(dead_code, reason = "the story has more than the scripts need")]

#[path = "../../../tests/story/story.rs"]
mod story;

use tidemark_protocol::Act;
use tidemark_sandbox::Sandbox;

fn begin() -> Sandbox {
    let mut sandbox = Sandbox::default();
    story::done(&mut sandbox, &Act::Seed { seed: 7 });
    story::done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: story::SCRIPT.into() });
    sandbox
}

/// Does the acts of a block; an act that is refused says why.
fn block(sandbox: &mut Sandbox, commands: &str) -> String {
    let first = sandbox.moments();
    let mut text = String::new();
    for line in commands.lines() {
        let act = match Act::parse(line) {
            Ok(act) => act,
            Err(error) => return format!("{error}\n"),
        };
        match sandbox.apply(&act) {
            Ok(()) => sandbox.rest(),
            Err(refused) => text += &format!("refused: {refused}\n"),
        }
    }
    for index in first..sandbox.moments() {
        text += &sandbox.view_at(index).sentence;
        text.push('\n');
    }
    text
}

#[test]
fn scripts() {
    tidemark_testkit::run_dir_with(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts"), begin, block);
}
