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
    format!("def write(df, mode):\n    w = df.writeStream.outputMode(mode).trigger(availableNow=True)\n{end}\n{body}")
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
