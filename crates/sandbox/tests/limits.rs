//! Two thousand moments: how many runs are kept, and that every moment can be shown and gone on from.
#![allow(clippy::tests_outside_test_module, missing_docs, reason = "an integration test")]

use tidemark_protocol::{Act, QueryState, ScriptState};
use tidemark_sandbox::Sandbox;

/// A query that never ends, driven by the learner.
const SCRIPT: &str = r#"sch = "id INT, user STRING"
q = (spark.readStream.schema(sch).json("in/").writeStream.format("delta")
     .option("checkpointLocation", "ckpt/").start("out/"))
q.awaitTermination()
"#;

fn done(sandbox: &mut Sandbox, act: &Act) {
    sandbox.apply(act).unwrap_or_else(|error| panic!("{act}: {error}"));
    sandbox.rest();
}

/// A file, a trigger, a file, a trigger.
fn long(moments: usize) -> Sandbox {
    let mut sandbox = Sandbox::default();
    done(&mut sandbox, &Act::Seed { seed: 7 });
    done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: SCRIPT.into() });
    done(&mut sandbox, &Act::Put { path: "in/0000.json".into(), text: "{\"id\":0}\n".into() });
    done(&mut sandbox, &Act::Run { script: "main.py".into() });
    let mut file = 0;
    while sandbox.moments() < moments {
        file += 1;
        let text = format!("{{\"id\":{file},\"user\":\"u{}\"}}\n", file % 7);
        done(&mut sandbox, &Act::Put { path: format!("in/{file:04}.json"), text: text.into() });
        done(&mut sandbox, &Act::Trigger { query: None });
    }
    sandbox
}

#[test]
fn few_runs_are_kept_and_every_moment_can_be_gone_on_from() {
    let mut sandbox = long(2_000);
    let kept = sandbox.keyframes();
    let most = Sandbox::KEYFRAMES_MAX;
    assert!(kept <= most && kept > most / 4, "{kept} runs are kept for {} moments", sandbox.moments());
    // An update carries what is new, however long the past is.
    let _ = sandbox.update(1, usize::MAX - 1);
    done(&mut sandbox, &Act::Advance { millis: 1_000 });
    let update = sandbox.update(2, usize::MAX - 1);
    assert_eq!((update.marks.len(), update.acts.len()), (1, 1));
    for at in [3, 500, 1_003, 1_999] {
        let wanted = sandbox.view_at(at);
        let mut there = sandbox.clone();
        there.act_at(&Act::Crash, at).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(there.view_at(at), wanted, "{at}");
        let view = there.view_at(at + 1);
        assert_eq!(view.script.state, ScriptState::Crashed, "{at}");
        assert!(view.queries.iter().all(|query| query.state == QueryState::Lost), "{at}");
    }
}

/// A table that is written again and again, and a file of the script's own.
const WRITER: &str = r#"print(spark.read.schema("id INT, user STRING").json("in/").count())
try:
    open("in/note.txt", "w").write("x" * 5000)
except OSError as error:
    print(error)
spark.range(1000).write.format("delta").save("numbers/")
"#;

#[test]
fn a_full_store_fails_by_name_and_the_world_goes_on() {
    let limit = "Tidemark keeps every version of every object in the memory of the tab, at most";
    let mut sandbox = long(30);
    let bytes = sandbox.world().bytes();
    sandbox.world_mut().limit_bytes(bytes + 4_000);
    let moments = sandbox.moments();
    // A file of the learner's that is too large is refused: nothing changes.
    let put = |size: usize| Act::Put { path: "in/large.json".into(), text: " ".repeat(size).into() };
    let refusal = sandbox.apply(&put(4_001)).expect_err("there is no room").to_string();
    assert!(refusal.starts_with(limit), "{refusal}");
    assert_eq!((sandbox.moments(), sandbox.world().bytes()), (moments, bytes));
    // What a query writes beyond the limit ends that query.
    done(&mut sandbox, &put(3_900));
    done(&mut sandbox, &Act::Trigger { query: None });
    let view = sandbox.view_at(usize::MAX);
    let reason = view.queries[0].exception.clone().expect("the query has failed");
    assert!(reason.contains("[TIDEMARK_WORLD_BYTES_MAX]") && reason.contains(limit), "{reason}");
    assert_eq!(view.script.state, ScriptState::Failed);
    // What was there is there, and a script that writes little goes on; its own errors are those of a full disk.
    assert!(sandbox.view_at(moments - 1).sinks[0].total > 0, "{:?}", sandbox.view_at(moments - 1).sinks);
    done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: WRITER.into() });
    done(&mut sandbox, &Act::Run { script: "main.py".into() });
    let view = sandbox.view_at(usize::MAX);
    let printed: Vec<&str> = view.script.printed.iter().map(|line| line.text.as_str()).collect();
    assert!(printed[0].parse::<u32>().is_ok_and(|rows| rows == 3), "{printed:?}");
    assert_eq!(printed[1], "[Errno 28] No space left on device: 'in/note.txt'");
    assert!(view.script.errors[0].message.contains("TIDEMARK_WORLD_BYTES_MAX"), "{:?}", view.script.errors);
    // An earlier moment has the room that it had.
    sandbox.act_at(&put(3_900), moments - 1).expect("there is room");
}
