//! The crash sweep over scripts: for each the table that must come out, as data.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]

#[path = "../../../tests/story/story.rs"]
#[allow(dead_code, reason = "the story has more than a sweep needs")]
mod story;

use std::fmt::Write as _;

use tidemark_protocol::Act;
use tidemark_sandbox::Sweep;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sweeps/scripts");
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/sweeps/tables");

/// How the scripts of this folder hand a frame to a sink: `write(df, mode)` of each kind.
const SINKS: [(&str, &str); 6] = [
    ("delta", "    return w.format(\"delta\").option(\"checkpointLocation\", \"ckpt/\").start(\"out/\")\n"),
    ("memory", "    return w.format(\"memory\").queryName(\"t\").start()\n"),
    (
        "memory-with-checkpoint",
        "    return w.format(\"memory\").queryName(\"t\").option(\"checkpointLocation\", \"ckpt/\").start()\n",
    ),
    (
        "foreachBatch",
        "    def put(batch, n):\n        batch.write.format(\"delta\").mode(\"append\").save(\"out/\")\n    \
         return w.foreachBatch(put).option(\"checkpointLocation\", \"ckpt/\").start()\n",
    ),
    (
        "two-appends",
        "    def put(batch, n):\n        batch.write.format(\"delta\").mode(\"append\").save(\"out/\")\n        \
         batch.write.format(\"delta\").mode(\"append\").save(\"copy/\")\n    \
         return w.foreachBatch(put).option(\"checkpointLocation\", \"ckpt/\").start()\n",
    ),
    (
        "foreachBatch-with-txn",
        "    def put(batch, n):\n        (batch.write.format(\"delta\").mode(\"append\")\n         \
         .option(\"txnAppId\", \"me\").option(\"txnVersion\", n).save(\"out/\"))\n    \
         return w.foreachBatch(put).option(\"checkpointLocation\", \"ckpt/\").start()\n",
    ),
];

/// The text of a script with the sink of this name.
fn script(name: &str, sink: &str) -> String {
    let body = std::fs::read_to_string(format!("{SCRIPTS}/{name}.py")).expect("the script is there");
    let end = SINKS.iter().find(|(known, _)| *known == sink).expect("the sink is known").1;
    format!(
        "def write(df, mode):\n    w = df.writeStream.outputMode(mode).trigger(availableNow=True)\n{end}\n{body}"
    )
}

#[derive(Default)]
struct Bench {
    acts: Vec<Act>,
}

/// Commands are acts, `script NAME SINK`, and at the end `sweep`, `sweep recovery` or `cells POINT`.
fn block(bench: &mut Bench, commands: &str) -> String {
    let mut text = String::new();
    for line in commands.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["script", name, sink] => {
                bench.acts.push(Act::Edit { script: "main.py".to_owned(), text: script(name, sink) });
            }
            ["story"] => bench.acts = story::three_runs().acts().to_vec(),
            ["sweep"] => text += &swept(bench, false),
            ["sweep", "recovery"] => text += &swept(bench, true),
            _ => match Act::parse(line) {
                Ok(act) => bench.acts.push(act),
                Err(error) => writeln!(text, "{error}").expect("a String takes all"),
            },
        }
    }
    text
}

fn swept(bench: &Bench, recovery: bool) -> String {
    let table = Sweep::new(&bench.acts, recovery).finish();
    let green = if table.is_green() { "green" } else { "red" };
    format!("{table}\n{green}\n")
}

/// The story, three scripts that come through every crash, again in the recovery, and one that does not.
#[test]
fn scripts() {
    tidemark_testkit::run_dir_with(format!("{TABLES}/scripts"), Bench::default, block);
}

/// The queries of the conformance cases that keep state: with a Delta sink all rows are there once after every crash;
/// with the sink of the case, what the sink promises.
#[test]
fn cases() {
    tidemark_testkit::run_dir_with(format!("{TABLES}/cases"), Bench::default, block);
}

/// A table with as many tried as planned is the last one, and the only one that has the ways to its cells.
#[test]
fn only_the_last_table_is_over() {
    let put = "put in/a.json {\"id\":1,\"user\":\"a\",\"amt\":5.0}";
    let edit = Act::Edit { script: "main.py".to_owned(), text: script("copy", "delta") };
    let mut sweep = Sweep::new(&[edit, Act::parse(put).expect("an act")], false);
    let mut sentences: Vec<String> = Vec::new();
    while sweep.work(20) {
        let table = sweep.table();
        assert!(!table.is_over(), "{}", table.sentence);
        if sentences.last() != Some(&table.sentence) {
            sentences.push(table.sentence);
        }
    }
    assert_eq!(sentences[0], "The script runs without a crash first.");
    assert!(sentences[1].starts_with("0 of "), "{sentences:?}");
    let table = sweep.table();
    assert!(table.is_over() && table.is_green());
    assert_eq!(sweep.stop(), table, "what is over is not stopped");
    // A cell's acts lead just there: the driver stops, and comes back.
    let cell = &table.rows[9].cells[0];
    let mut sandbox = tidemark_sandbox::Sandbox::default();
    sandbox.replay(&cell.acts).expect("the acts of a cell can be done");
    assert_eq!(sandbox.script_state(), tidemark_protocol::ScriptState::Ended);
    assert!(cell.acts.iter().any(|act| matches!(act, Act::Restart)), "{:?}", cell.acts);
}

/// What has been tried when the sweep is given up stays.
#[test]
fn a_sweep_is_stopped() {
    let edit = Act::Edit { script: "main.py".to_owned(), text: script("copy", "delta") };
    let put = Act::parse("put in/a.json {\"id\":1}").expect("an act");
    let mut sweep = Sweep::new(&[edit, put], true);
    while sweep.table().tried < 3 {
        assert!(sweep.work(20));
    }
    let table = sweep.stop();
    assert!(table.is_over() && table.tried == 3, "{}", table.sentence);
    assert!(table.sentence.starts_with("Stopped: 3 of "), "{}", table.sentence);
}

/// A script that fails by itself is not swept.
#[test]
fn a_script_that_fails_says_so() {
    let edit = Act::Edit { script: "main.py".to_owned(), text: "x = 1\nnonsense\n".to_owned() };
    let table = Sweep::new(&[edit], false).finish();
    assert!(
        table.sentence.starts_with("The script fails without a crash already. Line 2: NameError"),
        "{table}"
    );
    assert!(!table.is_green() && table.is_over());
}
