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
