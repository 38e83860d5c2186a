//! The story of the three runs, told in acts: shared by the native test and the one in a browser's worker.

use tidemark_protocol::{Act, View};
use tidemark_sandbox::Sandbox;

/// The script that is typed: a folder of JSON, a Delta table, a checkpoint.
pub const SCRIPT: &str = r#"sch = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP"

stream = spark.readStream.schema(sch).json("in/")
query = (stream.writeStream.format("delta")
         .option("checkpointLocation", "ckpt/")
         .trigger(availableNow=True)
         .start("out/"))
query.awaitTermination()

print([(p["batchId"], p["numInputRows"]) for p in query.recentProgress])
print(spark.read.format("delta").load("out/").count())
spark.read.format("delta").load("out/").groupBy("id").count().orderBy("id").show()
"#;

const A: &str = "{\"id\":1,\"user\":\"a\",\"amt\":5.0,\"ts\":\"2026-01-01T10:02:00\"}\n\
                 {\"id\":2,\"user\":\"b\",\"amt\":7.0,\"ts\":\"2026-01-01T10:04:00\"}\n";
const B: &str = "{\"id\":3,\"user\":\"a\",\"amt\":1.0,\"ts\":\"2026-01-01T10:09:00\"}\n";

/// A sandbox with the script and the first file.
pub fn begin() -> Sandbox {
    let mut sandbox = Sandbox::default();
    done(&mut sandbox, &Act::Seed { seed: 7 });
    done(&mut sandbox, &Act::Edit { script: "main.py".into(), text: SCRIPT.into() });
    done(&mut sandbox, &Act::Put { path: "in/a.json".into(), text: A.into() });
    sandbox
}

/// Does an act to its rest.
pub fn done(sandbox: &mut Sandbox, act: &Act) -> View {
    sandbox.apply(act).unwrap_or_else(|error| panic!("{act}: {error}"));
    sandbox.rest();
    sandbox.view_at(sandbox.moments())
}

/// Runs the script and gives what it printed.
pub fn run(sandbox: &mut Sandbox) -> String {
    printed(&done(sandbox, &Act::Run { script: "main.py".into() }))
}

fn printed(view: &View) -> String {
    assert!(view.script.errors.is_empty(), "the script ends well: {:?}", view.script.errors);
    view.script.printed.iter().map(|line| format!("{}\n", line.text)).collect()
}

/// The table of counts as `show()` prints it.
fn counts(rows: &[(i64, i64)]) -> String {
    let mut text = String::from("+---+-----+\n| id|count|\n+---+-----+\n");
    for (id, count) in rows {
        text += &format!("|{id:>3}|{count:>5}|\n");
    }
    text + "+---+-----+\n\n"
}

fn after(progress: &str, rows: usize, table: &[(i64, i64)]) -> String {
    format!("{progress}\n{rows}\n{}", counts(table))
}

fn paths(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let root = sandbox.world().root().to_owned();
    let folder = format!("{root}/{folder}");
    sandbox.world().peek_list(&folder).iter().map(|m| m.path[folder.len()..].to_owned()).collect()
}

fn query_id(sandbox: &Sandbox) -> String {
    let path = sandbox.world().resolve("ckpt/metadata");
    let object = sandbox.world().peek(&path).expect("a query that has started has metadata");
    String::from_utf8_lossy(&object.bytes).into_owned()
}

/// A sandbox after the third run.
pub fn three_runs() -> Sandbox {
    let mut sandbox = begin();
    assert_eq!(run(&mut sandbox), after("[(0, 2)]", 2, &[(1, 1), (2, 1)]), "run 1");
    assert_eq!(run(&mut sandbox), after("[(1, 0)]", 2, &[(1, 1), (2, 1)]), "run 2: one idle entry");
    assert_eq!(paths(&sandbox, "ckpt/offsets/"), ["0"], "run 2 plans nothing");
    assert_eq!(versions(&sandbox), ["00000000000000000000.json"], "run 2 commits nothing");
    done(&mut sandbox, &Act::Put { path: "in/b.json".into(), text: B.into() });
    assert_eq!(run(&mut sandbox), after("[(1, 1)]", 3, &[(1, 1), (2, 1), (3, 1)]), "run 3");
    sandbox
}

fn versions(sandbox: &Sandbox) -> Vec<String> {
    paths(sandbox, "out/_delta_log/").into_iter().filter(|p| p.ends_with(".json")).collect()
}

/// The whole table of the story.
pub fn check() {
    let third = three_runs();
    let two = ["00000000000000000000.json", "00000000000000000001.json"];

    // The checkpoint is deleted: everything is read again, under a new id.
    let mut lost = third.clone();
    let old = query_id(&lost);
    done(&mut lost, &Act::Delete { path: "ckpt/".into() });
    assert_eq!(run(&mut lost), after("[(0, 3)]", 6, &[(1, 2), (2, 2), (3, 2)]), "no checkpoint");
    assert_ne!(query_id(&lost), old, "a fresh checkpoint has a fresh id");

    // Only commits/1 is deleted: batch 1 is planned from the log, replayed, and skipped by its txn.
    let mut replayed = third.clone();
    done(&mut replayed, &Act::Delete { path: "ckpt/commits/1".into() });
    assert_eq!(run(&mut replayed), after("[(1, 0)]", 3, &[(1, 1), (2, 1), (3, 1)]), "commits/1 lost");
    assert_eq!(versions(&replayed), two, "version 1 stays the last");
    assert_eq!(paths(&replayed, "ckpt/commits/"), ["0", "1"], "the batch is marked again");

    // The driver stops after the Delta commit, before commits/1.
    let mut crashed = begin();
    run(&mut crashed);
    run(&mut crashed);
    done(&mut crashed, &Act::Put { path: "in/b.json".into(), text: B.into() });
    done(&mut crashed, &Act::parse("arm C10").expect("a point"));
    let view = done(&mut crashed, &Act::Run { script: "main.py".into() });
    assert_eq!(view.script.state, tidemark_protocol::ScriptState::Crashed);
    assert_eq!(versions(&crashed), two, "the sink has committed");
    assert_eq!(paths(&crashed, "ckpt/commits/"), ["0"], "the batch is not marked");
    let text = printed(&done(&mut crashed, &Act::Restart));
    assert_eq!(text, after("[(1, 0)]", 3, &[(1, 1), (2, 1), (3, 1)]), "after the crash");
    assert_eq!(versions(&crashed), two, "version 1 stays the last");
}

/// All facts of the three runs and the bytes of the store at their end, as lines.
pub fn trace() -> String {
    let mut sandbox = three_runs();
    let mut text = String::new();
    for event in sandbox.take_events() {
        text += &format!("{} {}\n", event.at, event.fact);
    }
    let root = sandbox.world().root().to_owned();
    for meta in sandbox.world().peek_list(&root) {
        let bytes = &sandbox.world().peek(&meta.path).expect("it was listed").bytes;
        text += &format!("{} {} {} {:016x}\n", meta.path, meta.size, meta.modified, checksum(bytes));
    }
    text
}

/// FNV-1a, 64 bits: enough to see that bytes are the same.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
