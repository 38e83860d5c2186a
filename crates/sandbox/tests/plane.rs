//! Golden planes: acts, and the time plane that they lead to, as text.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]

use std::fmt::Write as _;

use tidemark_protocol::{Act, ModesView, PlaneView, StateView};
use tidemark_sandbox::Sandbox;
use tidemark_types::SimTime;

const HEAD: &str = "from pyspark.sql import functions as F
orders = (spark.readStream.schema('id INT, user STRING, amt DOUBLE, ts TIMESTAMP')
    .option('maxFilesPerTrigger', 1).json('in/'))
";

/// The scripts by name: what is computed, and in which mode.
const SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "sums",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.window('ts', '10 minutes'), 'user').agg(F.sum('amt').alias('t'))",
        "append",
    ),
    (
        "sums-update",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.window('ts', '10 minutes'), 'user').agg(F.sum('amt').alias('t'))",
        "update",
    ),
    (
        "sums-complete",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.window('ts', '10 minutes'), 'user').agg(F.sum('amt').alias('t'))",
        "complete",
    ),
    (
        "sliding",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.window('ts', '10 minutes', '5 minutes')).count()",
        "append",
    ),
    (
        "sessions",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.session_window('ts', '5 minutes'), 'user').agg(F.sum('amt').alias('t'))",
        "append",
    ),
    (
        "pairs",
        "orders.withWatermark('ts', '5 minutes').alias('a').join(orders.withWatermark('ts', '5 minutes').alias('b'),
        F.expr('a.user = b.user AND a.id < b.id AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 10 MINUTES')).select('a.id')",
        "append",
    ),
    (
        "sales",
        "orders.withWatermark('ts', '15 minutes').groupBy(F.window('ts', '1 hour')).agg(F.sum('amt').alias('sales'))",
        "append",
    ),
    ("counts", "orders.groupBy('user').agg(F.avg('amt').alias('m'), F.count('*').alias('n'))", "complete"),
    ("distinct", "orders.withWatermark('ts', '5 minutes').dropDuplicatesWithinWatermark(['user'])", "append"),
    ("copy", "orders.withWatermark('ts', '5 minutes').select('id', 'ts')", "append"),
    ("plain", "orders.select('id')", "append"),
];

fn script(name: &str) -> Option<String> {
    let (_, frame, mode) = SCRIPTS.iter().find(|(known, ..)| *known == name)?;
    Some(format!(
        "{HEAD}q = ({frame}.writeStream.foreachBatch(lambda rows, batch: rows.collect()).outputMode('{mode}')
    .option('checkpointLocation', 'ckpt').trigger(availableNow=True).start())\nq.awaitTermination()\n"
    ))
}

fn time(millis: Option<i64>) -> String {
    millis.map_or_else(|| "none".to_owned(), |ms| SimTime(ms).iso()[11..16].to_owned())
}

fn text(plane: &PlaneView) -> String {
    if let Some(absent) = &plane.absent {
        return format!("{absent}\n");
    }
    let mut out = format!("{}\n{}\n", plane.setup, plane.sentence);
    for band in &plane.bands {
        let name = if band.next { "next".to_owned() } else { format!("b{}", band.batch) };
        let files = band.files.join(" ");
        let _ = writeln!(
            out,
            "{name} [{files}] filter {} evict {} | {}",
            time(band.filter),
            time(band.evict),
            band.sentence
        );
    }
    for row in &plane.rows {
        let _ = writeln!(
            out,
            "  b{} {}:{} {} {} {} {:?} windows {:?}: {}",
            row.batch,
            row.file,
            row.line,
            row.key,
            row.value,
            time(row.event),
            row.fate,
            row.windows,
            row.reason
        );
    }
    for window in &plane.windows {
        let _ = write!(out, "  [{}, {}) {}", time(Some(window.start)), time(Some(window.end)), window.now);
        for value in &window.values {
            let _ = write!(out, " | b{}: {}", value.batch, value.text);
        }
        match (window.left, &window.why) {
            (Some(batch), _) => out += &format!(" | left b{batch}\n"),
            (None, Some(why)) => out += &format!(" | open. {}\n", why.sentence),
            (None, None) => out += " | open\n",
        }
    }
    out
}

fn state_text(state: &StateView) -> String {
    if let Some(absent) = &state.absent {
        return format!("{absent}\n");
    }
    let mut out = format!("after b{} of {:?}\n", state.batch, state.batches);
    for operator in &state.operators {
        let _ = writeln!(out, "operator {} {}", operator.id, operator.name);
        for m in &operator.measures {
            let _ = writeln!(
                out,
                "  b{}: total {} updated {} removed {} dropped {}",
                m.batch, m.total, m.updated, m.removed, m.dropped
            );
        }
        for store in &operator.stores {
            let _ = writeln!(out, "  {} {:?}, {} of the key", store.name, store.columns, store.key_columns);
            for partition in &store.partitions {
                let file = partition.file.as_deref().unwrap_or("no file");
                let _ =
                    writeln!(out, "    partition {} {file}: {} rows", partition.partition, partition.total);
                for row in &partition.rows {
                    let touched = row.touched.map_or_else(|| "?".to_owned(), |batch| format!("b{batch}"));
                    let _ =
                        writeln!(out, "      {:?} leaves {} touched {touched}", row.cells, time(row.leaves));
                }
            }
        }
    }
    out
}

fn modes_text(modes: &ModesView) -> String {
    if let Some(absent) = &modes.absent {
        return format!("{absent}\n");
    }
    let mut out = format!("{:?}, the query itself: {}\n", modes.columns, modes.own);
    for outcome in &modes.modes {
        let _ = writeln!(out, "{}: {} rows", outcome.mode, outcome.total);
        for batch in &outcome.batches {
            let idle = if batch.idle { ", no input" } else { "" };
            let _ = writeln!(out, "  b{} {:?}{idle}: {:?}", batch.batch, batch.files, batch.rows);
        }
        if let Some(refused) = &outcome.refused {
            let _ = writeln!(out, "  refused: {refused}");
        }
    }
    out
}

/// `script NAME` takes a script, `plane`, `modes` and `state [BATCH]` draw, `dropped` lists the marks with rows that came too late; other lines are acts.
fn block(sandbox: &mut Sandbox, commands: &str) -> String {
    let mut out = String::new();
    for line in commands.lines() {
        if line == "plane" {
            out += &text(&sandbox.plane_at(usize::MAX, None));
            continue;
        }
        if line == "dropped" {
            for mark in sandbox.update(0, 0).marks.iter().filter(|mark| mark.dropped > 0) {
                out += &format!("{} dropped: {}\n", mark.dropped, mark.sentence);
            }
            continue;
        }
        if line == "modes" {
            out += &modes_text(&sandbox.modes_at(usize::MAX, None));
            continue;
        }
        if let Some(batch) = line.strip_prefix("state") {
            out += &state_text(&sandbox.state_at(usize::MAX, None, batch.trim().parse().ok()));
            continue;
        }
        let act = match line.strip_prefix("script ") {
            Some(name) => match script(name) {
                Some(text) => Ok(Act::Edit { script: "main.py".to_owned(), text }),
                None => return format!("no script {name}\n"),
            },
            None => Act::parse(line),
        };
        match act.map_err(|e| e.to_string()).and_then(|act| sandbox.apply(&act).map_err(|e| e.to_string())) {
            Ok(()) => sandbox.rest(),
            Err(error) => out += &format!("{error}\n"),
        }
    }
    out
}

#[test]
fn planes() {
    let begin = || {
        let mut sandbox = Sandbox::default();
        let seeded = sandbox.apply(&Act::Seed { seed: 7 });
        assert!(seeded.is_ok(), "a fresh sandbox takes a seed");
        sandbox
    };
    tidemark_testkit::run_dir_with(concat!(env!("CARGO_MANIFEST_DIR"), "/planes"), begin, block);
}
