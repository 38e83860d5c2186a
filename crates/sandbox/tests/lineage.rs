//! Golden ways: acts, where a row comes from, where a line went, and what each batch cost.
#![allow(clippy::tests_outside_test_module, missing_docs, unreachable_pub, reason = "an integration test")]

use std::fmt::Write as _;

use tidemark_protocol::{Act, Cost, HopKind, Lineage, LineageOf, View};
use tidemark_sandbox::Sandbox;

/// The scripts by name: what is computed, and where it goes.
const SCRIPTS: &[(&str, &str, &str)] = &[
    ("copy", "orders", "DELTA.start('out/')"),
    ("repartitioned", "orders.repartition(3)", "DELTA.start('out/')"),
    (
        "filtered",
        "orders.where('amt > 2').select('user', (F.col('amt') * 2).alias('twice'))",
        "DELTA.start('out/')",
    ),
    (
        "sums",
        "orders.withWatermark('ts', '5 minutes').groupBy(F.window('ts', '10 minutes'), 'user').agg(F.sum('amt').alias('t')).select('user', 'window.start', 't').where('t > 6')",
        "DELTA.start('out/')",
    ),
    (
        "totals",
        "orders.groupBy('user').agg(F.sum('amt').alias('t'))",
        "DELTA.outputMode('complete').start('out/')",
    ),
    ("distinct", "orders.dropDuplicates(['user'])", "DELTA.start('out/')"),
    ("memory", "orders.groupBy('user').count()", "MEMORY.outputMode('update').start()"),
    (
        "function",
        "orders",
        "writer.foreachBatch(lambda rows, batch: rows.write.format('delta').mode('append').save('out/')).start()",
    ),
    ("files", "orders.where('amt > 1.5')", "writer.format('json').partitionBy('user').start('out/')"),
    (
        "joined",
        "orders.select('id', 'user').join(spark.readStream.schema('user STRING, name STRING').json('names/'), 'user')",
        "DELTA.start('out/')",
    ),
];

const REWRITE: &str = "spark.read.format('delta').load('out/').repartition(1).write.format('delta').mode('overwrite').save('out/')";

fn script(name: &str) -> Option<String> {
    let (_, frame, end) = SCRIPTS.iter().find(|(known, ..)| *known == name)?;
    let end = end
        .replace("DELTA", "writer.format('delta')")
        .replace("MEMORY", "writer.format('memory').queryName('counts')");
    Some(format!(
        "from pyspark.sql import functions as F
orders = (spark.readStream.schema('id INT, user STRING, amt DOUBLE, ts TIMESTAMP')
    .option('maxFilesPerTrigger', 1).json('in/'))
writer = {frame}.writeStream.option('checkpointLocation', 'ckpt').trigger(availableNow=True)
q = {end}
q.awaitTermination()
"
    ))
}

fn way(lineage: &Lineage) -> String {
    let mut out = format!("{}{}\n", lineage.sentence, if lineage.sure { "" } else { " (not sure)" });
    for hop in &lineage.hops {
        let kind = match hop.kind {
            HopKind::Input => "input",
            HopKind::Batch => "batch",
            HopKind::State => "state",
            HopKind::File => "file",
            HopKind::Version => "version",
            HopKind::Row => "row",
        };
        let place = hop.path.clone().unwrap_or_default();
        let line = hop.line.map(|line| format!(":{line}")).unwrap_or_default();
        writeln!(out, "  {kind:<8}{} | {} | {place}{line}", hop.name, hop.text).expect("a text grows");
    }
    out
}

fn cost(cost: &Cost) -> String {
    format!(
        "list {} get {} put {} delete {} files {} read {} B written {} B",
        cost.list, cost.get, cost.put, cost.delete, cost.files, cost.bytes_read, cost.bytes_written
    )
}

fn costs(view: &View) -> String {
    let mut out = String::new();
    for query in &view.queries {
        writeln!(out, "run {} start {}", query.run, cost(&query.start)).expect("a text grows");
        for batch in &query.batches {
            writeln!(out, "  b{} {}", batch.batch, cost(&batch.cost)).expect("a text grows");
        }
        writeln!(out, "  {} idle {}", query.idle_triggers, cost(&query.idle)).expect("a text grows");
    }
    out
}

fn rows(view: &View) -> String {
    let mut out = String::new();
    for sink in &view.sinks {
        writeln!(out, "{} {}", sink.name, sink.total).expect("a text grows");
        for row in &sink.rows {
            let batch = row.batch.map_or_else(|| "-".to_owned(), |batch| format!("b{batch}"));
            let version = row.version.map_or_else(|| "-".to_owned(), |version| format!("v{version}"));
            let copies = if row.copies > 1 { format!(" {}x", row.copies) } else { String::new() };
            writeln!(out, "  {batch} {version} {}{copies}", row.cells.join(" ")).expect("a text grows");
        }
    }
    out
}

/// `script NAME`, `rewrite`, `rows`, `costs`, `row N`, `line PATH N`, or an act.
fn block(sandbox: &mut Sandbox, commands: &str) -> String {
    let mut text = String::new();
    for line in commands.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let last = sandbox.moments();
        let act = match words.as_slice() {
            ["script", name] => {
                Act::Edit { script: "main.py".into(), text: script(name).expect("a script of this name") }
            }
            ["rewrite"] => {
                let edit = Act::Edit { script: "other.py".into(), text: REWRITE.into() };
                sandbox.apply(&edit).expect("a script may be edited");
                Act::Run { script: "other.py".into() }
            }
            ["rows"] => {
                text += &rows(&sandbox.view_at(last));
                continue;
            }
            ["costs"] => {
                text += &costs(&sandbox.view_at(last));
                continue;
            }
            ["row", number] => {
                let sink =
                    sandbox.view_at(last).sinks.first().map(|sink| sink.name.clone()).unwrap_or_default();
                let row = number.parse().expect("a number");
                text += &way(&sandbox.follow_at(last, &LineageOf::Row { sink, row }));
                continue;
            }
            ["line", path, number] => {
                let line = number.parse().expect("a number");
                text += &way(&sandbox.follow_at(last, &LineageOf::Line { path: (*path).to_owned(), line }));
                continue;
            }
            _ => match Act::parse(line) {
                Ok(act) => act,
                Err(error) => return format!("{error}\n"),
            },
        };
        match sandbox.apply(&act) {
            Ok(()) => sandbox.rest(),
            Err(refused) => text += &format!("refused: {refused}\n"),
        }
        let errors = sandbox.view_at(sandbox.moments()).script.errors;
        text += &errors.iter().map(|error| format!("{}\n", error.message)).collect::<String>();
    }
    text
}

#[test]
fn ways() {
    let begin = || {
        let mut sandbox = Sandbox::default();
        sandbox.apply(&Act::Seed { seed: 7 }).expect("the seed is the first act");
        sandbox
    };
    tidemark_testkit::run_dir_with(concat!(env!("CARGO_MANIFEST_DIR"), "/ways"), begin, block);
}
