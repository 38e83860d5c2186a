//! The story of the three runs, native: its table, its crashes, and that it is the same every time.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]

#[path = "../../../tests/story/story.rs"]
mod story;

#[path = "../../../tests/story/state.rs"]
mod state;

use tidemark_protocol::{Act, ScriptState};

/// Where the trace of the story is kept: the browser's test reads the same file.
const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/parity/story.trace");

#[test]
fn the_table_of_the_story() {
    story::check();
}

/// The same for queries with state.
const STATE_TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/parity/state.trace");

#[test]
fn the_same_acts_give_the_same_bytes() {
    same_twice(story::trace, TRACE);
}

#[test]
fn queries_with_state_give_the_same_bytes() {
    same_twice(state::trace, STATE_TRACE);
}

/// A trace is the same in two runs, and the same as the one that is kept.
fn same_twice(trace: fn() -> String, path: &str) {
    let first = trace();
    same_lines(&first, &trace(), "two runs");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &first).expect("the trace can be written");
    }
    let kept = std::fs::read_to_string(path).expect("the trace is kept; UPDATE=1 writes it");
    same_lines(&first, &kept, "UPDATE=1 writes the trace anew, then read the difference");
}

/// Two traces are the same; shows the first line that is not.
fn same_lines(one: &str, other: &str, what: &str) {
    let difference = one.lines().zip(other.lines()).position(|(a, b)| a != b);
    if let Some(at) = difference {
        panic!("line {}: {what}\n{:?}\n{:?}", at + 1, one.lines().nth(at), other.lines().nth(at));
    }
    assert_eq!(one.lines().count(), other.lines().count(), "{what}");
}

#[test]
fn replayed_acts_lead_to_the_same_view() {
    let sandbox = story::three_runs();
    let mut again = tidemark_sandbox::Sandbox::default();
    again.replay(sandbox.acts()).expect("acts that were done can be done again");
    assert_eq!(sandbox.moments(), again.moments());
    for index in [0, sandbox.moments() / 2, sandbox.moments()] {
        assert_eq!(sandbox.view_at(index), again.view_at(index));
    }
}

/// Every write of the story, before and after: the table is the same in the end.
#[test]
fn a_crash_at_any_write_changes_nothing() {
    let whole = story::three_runs();
    let rows = |sandbox: &tidemark_sandbox::Sandbox| {
        let view = sandbox.view_at(sandbox.moments());
        let mut rows: Vec<_> = view.sinks[0].rows.iter().map(|r| r.cells.clone()).collect();
        rows.sort();
        rows
    };
    let wanted = rows(&whole);
    let mut before = story::begin();
    let writes_at_start = before.world().writes();
    story::run(&mut before);
    let writes = before.world().writes() - writes_at_start;
    assert!(writes >= 5, "source log, offsets, part, Delta log, commits: {writes} writes");
    for k in 1..=writes {
        for side in ["before", "after"] {
            let mut sandbox = story::begin();
            story::done(&mut sandbox, &Act::parse(&format!("arm write {k} {side}")).expect("a place"));
            let view = story::done(&mut sandbox, &Act::Run { script: "main.py".into() });
            assert_eq!(view.script.state, ScriptState::Crashed, "write {k} {side}");
            story::done(&mut sandbox, &Act::Restart);
            story::done(&mut sandbox, &Act::Run { script: "main.py".into() });
            story::done(
                &mut sandbox,
                &Act::Put {
                    path: "in/b.json".into(),
                    text: "{\"id\":3,\"user\":\"a\",\"amt\":1.0,\"ts\":\"2026-01-01T10:09:00\"}\n".into(),
                },
            );
            story::run(&mut sandbox);
            assert_eq!(rows(&sandbox), wanted, "write {k} {side}");
        }
    }
}

/// A crash in the middle of `offsets/0` leaves a temporary file, and real Spark is stuck on it too.
#[test]
fn a_half_written_first_plan_is_stuck_until_it_is_deleted() {
    let mut sandbox = story::begin();
    story::done(&mut sandbox, &Act::parse("arm C03").expect("a point"));
    story::done(&mut sandbox, &Act::Run { script: "main.py".into() });
    let view = story::done(&mut sandbox, &Act::Restart);
    assert_eq!(view.script.state, ScriptState::Failed);
    assert!(view.script.errors[0].message.contains("STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY"));
    story::done(&mut sandbox, &Act::Delete { path: "ckpt/offsets/".into() });
    story::run(&mut sandbox);
}

/// Going back and acting there leads to the same as acting there at once.
#[test]
fn acting_in_the_past_rewrites_the_acts() {
    let mut sandbox = story::begin();
    story::run(&mut sandbox);
    let middle = sandbox.moments() - 4;
    sandbox.go_back(middle);
    let view = sandbox.view_at(middle);
    story::done(&mut sandbox, &Act::Crash);
    let crashed = sandbox.view_at(sandbox.moments());
    assert_eq!(crashed.script.state, ScriptState::Crashed);
    let mut again = tidemark_sandbox::Sandbox::default();
    again.replay(sandbox.acts()).expect("the acts lead there");
    assert_eq!(again.view_at(middle).store, view.store);
    assert_eq!(again.view_at(again.moments()), crashed);
}

/// One step at a time leads to the same as a run.
#[test]
fn steps_make_a_run() {
    let mut run = story::begin();
    story::run(&mut run);
    let mut steps = story::begin();
    for _ in 0..200 {
        let view = story::done(&mut steps, &Act::Step);
        if view.script.state == ScriptState::Ended {
            break;
        }
    }
    let (a, b) = (run.view_at(run.moments()), steps.view_at(steps.moments()));
    assert_eq!(a.script.printed, b.script.printed);
    assert_eq!(a.store, b.store);
}

/// A script that never ends is interrupted, and the store stays.
#[test]
fn a_script_without_end_can_be_stopped() {
    let mut sandbox = story::begin();
    let text = "n = 0\nwhile True:\n    n += 1\n";
    story::done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: text.into() });
    sandbox.apply(&Act::Run { script: "main.py".into() }).expect("it starts");
    assert!(matches!(sandbox.work(20), tidemark_sandbox::Work::Busy(_)));
    sandbox.halt();
    assert_eq!(sandbox.script_state(), ScriptState::Stopped);
    story::done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: "print(1)\n".into() });
    assert_eq!(story::run(&mut sandbox), "1\n");
}
