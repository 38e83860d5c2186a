//! Golden scripts: acts, and the sentences of the moments they lead to. The script that runs is the one of the story.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]
#![allow(dead_code, reason = "the story has more than the scripts need")]

#[path = "../../../tests/story/story.rs"]
mod story;

use tidemark_protocol::{Act, Comparison, Place};
use tidemark_sandbox::Sandbox;

fn begin() -> Sandbox {
    let mut sandbox = Sandbox::default();
    story::done(&mut sandbox, &Act::Seed { seed: 7 });
    story::done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: story::SCRIPT.into() });
    sandbox
}

/// Does the acts of a block, each at the end of the branch or, with `at N`, at a moment; an act that is refused says why.
fn block(sandbox: &mut Sandbox, commands: &str) -> String {
    let mut text = String::new();
    for line in commands.lines() {
        let before = sandbox.update(0, 0);
        let mut first = before.moments;
        let answer = command(sandbox, line, &mut first);
        sandbox.rest();
        match answer {
            Ok(said) => text += &said,
            Err(said) => text += &said,
        }
        let after = sandbox.update(0, usize::MAX - 1);
        let branch = &after.branches[after.branch];
        if after.branch != before.branch || after.branches.len() != before.branches.len() {
            let from = branch.fork.map(|fork| format!(", from moment {}", fork.moment)).unwrap_or_default();
            text += &format!("[{}: {} moments{from}]\n", branch.name, after.moments);
        }
        for index in first..after.moments {
            text += &sandbox.view_at(index).sentence;
            text.push('\n');
        }
        if after.view.sentence != sandbox.view_at(after.moments).sentence {
            text += &format!("{}\n", after.view.sentence);
        }
    }
    same_after_reopening(sandbox);
    text
}

fn command(sandbox: &mut Sandbox, line: &str, first: &mut usize) -> Result<String, String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    let number = |text: &str| text.parse::<usize>().map_err(|_| format!("{text} is no number\n"));
    let refused = |error: tidemark_sandbox::SandboxError| format!("refused: {error}\n");
    match verb {
        "at" => {
            let (at, act) = rest.split_once(' ').unwrap_or((rest, ""));
            let (at, act) = (number(at)?, Act::parse(act).map_err(|error| format!("{error}\n"))?);
            *first = (*first).min(at + 1);
            sandbox.act_at(&act, at).map_err(refused)?;
        }
        "switch" => {
            sandbox.switch(number(rest)?).map_err(refused)?;
            sandbox.rest();
            *first = sandbox.moments();
        }
        "discard" => {
            sandbox.discard(number(rest)?).map_err(refused)?;
            *first = usize::MAX;
        }
        "rename" => {
            let (branch, name) = rest.split_once(' ').unwrap_or((rest, ""));
            sandbox.rename(number(branch)?, name).map_err(refused)?;
        }
        "compare" => {
            let places: Vec<_> = rest.split_whitespace().filter_map(place).collect();
            let [left, right] = places[..] else { return Err("compare wants two places\n".to_owned()) };
            let found = sandbox.compare(left, right).map_err(refused)?;
            return Ok(comparison(&found));
        }
        "halt" => {
            let ticks = number(rest)?;
            sandbox.apply(&Act::Run { script: "main.py".into() }).map_err(refused)?;
            let _ = sandbox.work(ticks);
            sandbox.halt();
        }
        _ => {
            let act = Act::parse(line).map_err(|error| format!("{error}\n"))?;
            sandbox.apply(&act).map_err(refused)?;
        }
    }
    Ok(String::new())
}

/// `1:12`: a branch and a moment.
fn place(text: &str) -> Option<Place> {
    let (branch, moment) = text.split_once(':')?;
    Some(Place { branch: branch.parse().ok()?, moment: moment.parse().ok()? })
}

fn comparison(found: &Comparison) -> String {
    let mut text = format!("{}\n", found.sentence);
    for object in &found.objects {
        let size = |bytes: Option<u64>| bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string());
        text += &format!("{} {} {} {}\n", object.path, size(object.left), size(object.right), object.note);
    }
    for sink in &found.sinks {
        for row in &sink.rows {
            text += &format!("{} {} {} {}\n", sink.name, row.cells.join(","), row.left, row.right);
        }
    }
    text
}

/// A moment, its JSON and a replay to it are equal, on every branch; and so is the work that is kept.
fn same_after_reopening(sandbox: &Sandbox) {
    let mut sandbox = sandbox.clone();
    let work = sandbox.work_saved();
    let json = serde_json::to_string(&work).expect("work is plain data");
    assert_eq!(serde_json::from_str::<tidemark_protocol::Work>(&json).expect("and reads back"), work);
    let mut again = Sandbox::open(&work).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert_eq!(again.work_saved(), work);
    for branch in 0..work.branches.len() {
        for each in [&mut sandbox, &mut again] {
            each.switch(branch).expect("it is there");
            each.rest();
            assert_eq!(each.take_refusal(), None, "{json}");
        }
        let mut plain = Sandbox::default();
        plain.replay(&work.acts(branch)).unwrap_or_else(|error| panic!("{error}: {json}"));
        assert_eq!(sandbox.moments(), again.moments(), "{json}");
        assert_eq!(sandbox.moments(), plain.moments(), "{json}");
        for moment in 0..sandbox.moments() {
            let view = sandbox.view_at(moment);
            assert_eq!(view, again.view_at(moment), "branch {branch}, moment {moment}: {json}");
            assert_eq!(view, plain.view_at(moment), "branch {branch}, moment {moment}: {json}");
        }
        let view = sandbox.view_at(sandbox.moments());
        let text = serde_json::to_string(&view).expect("a view is plain data");
        assert_eq!(serde_json::from_str::<tidemark_protocol::View>(&text).expect("and reads back"), view);
    }
}

#[test]
fn scripts() {
    tidemark_testkit::run_dir_with(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts"), begin, block);
}
