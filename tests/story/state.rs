//! Queries with state, told in acts: shared by the native test and the one in a browser's worker.

use tidemark_protocol::{Act, StateView};
use tidemark_sandbox::Sandbox;

/// Each query by name: what it computes of `orders`, as Python.
const QUERIES: [(&str, &str); 5] = [
    (
        "sums",
        "timed.groupBy(F.window('ts', '10 minutes', '5 minutes'), 'user').agg(F.sum('amt'), F.avg('amt'), F.stddev('amt'), F.collect_set('id'))",
    ),
    (
        "sessions",
        "timed.groupBy(F.session_window('ts', '5 minutes'), 'user').agg(F.count('*'), F.min_by('id', 'amt'), F.approx_count_distinct('id'))",
    ),
    ("distinct", "timed.dropDuplicatesWithinWatermark(['user']).select('id', 'user')"),
    ("copies", "timed.dropDuplicates(['user', 'ts']).select('id', 'user')"),
    (
        "pairs",
        "timed.alias('a').join(timed.alias('b'), F.expr('a.user = b.user AND a.id < b.id AND b.ts BETWEEN a.ts AND a.ts + INTERVAL 10 MINUTES'), 'left').select(F.col('a.id').alias('x'), F.col('b.id').alias('y'))",
    ),
];

const FILES: [(&str, &str); 4] = [
    ("a", "1 a 5.0 10:02;2 b 7.0 10:04"),
    ("b", "3 a 1.5 10:09"),
    ("c", "4 a 2.0 10:03;5 c 4.25 10:20"),
    ("d", "6 a 9.0 10:08;7 b 3.0 10:23;8 b 3.0 10:41"),
];

fn script(frame: &str) -> String {
    format!(
        "from pyspark.sql import functions as F
orders = (spark.readStream.schema('id INT, user STRING, amt DOUBLE, ts TIMESTAMP').option('maxFilesPerTrigger', 1).json('in/'))
timed = orders.withWatermark('ts', '5 minutes')
frame = {frame}
q = (frame.writeStream.foreachBatch(lambda rows, batch: print(batch, sorted(str(r) for r in rows.collect())))
     .option('checkpointLocation', 'ckpt/').trigger(availableNow=True).start())
q.awaitTermination()
"
    )
}

fn rows(text: &str) -> String {
    let row = |row: &str| {
        let cells: Vec<&str> = row.split(' ').collect();
        format!(
            "{{\"id\":{},\"user\":\"{}\",\"amt\":{},\"ts\":\"2026-01-01T{}:00\"}}\n",
            cells[0], cells[1], cells[2], cells[3]
        )
    };
    text.split(';').map(row).collect()
}

/// A sandbox in which the query has read all files, in two runs.
fn told(frame: &str) -> Sandbox {
    let mut sandbox = Sandbox::default();
    let run = Act::Run { script: "main.py".into() };
    let mut acts = vec![Act::Seed { seed: 7 }, Act::Edit { script: "main.py".into(), text: script(frame) }];
    for (at, (name, text)) in FILES.iter().enumerate() {
        acts.push(Act::Put { path: format!("in/{name}.json"), text: rows(text).into() });
        if at % 2 == 1 {
            acts.push(run.clone());
        }
    }
    for act in &acts {
        sandbox.apply(act).unwrap_or_else(|error| panic!("{act}: {error}"));
        sandbox.rest();
    }
    sandbox
}

/// What every query printed, the bytes of its checkpoint and the state that is read from them, as lines.
pub fn trace() -> String {
    let mut text = String::new();
    for (name, frame) in QUERIES {
        let sandbox = told(frame);
        let view = sandbox.view_at(sandbox.moments());
        assert!(view.script.errors.is_empty(), "{name} ends well: {:?}", view.script.errors);
        text += &format!("{name}\n");
        for line in &view.script.printed {
            text += &format!("  printed {}\n", line.text);
        }
        let root = sandbox.world().root().to_owned();
        for meta in sandbox.world().peek_list(&format!("{root}/ckpt")) {
            let bytes = &sandbox.world().peek(&meta.path).expect("it was listed").bytes;
            let hash = crate::story::checksum(bytes);
            text += &format!("  {} {} {} {hash:016x}\n", meta.path, meta.size, meta.modified);
        }
        text += &state(&sandbox.state_at(usize::MAX, None, None));
    }
    text
}

fn state(state: &StateView) -> String {
    let mut text = String::new();
    for operator in &state.operators {
        for store in &operator.stores {
            for row in store.partitions.iter().flat_map(|partition| &partition.rows) {
                text += &format!("  state {} {} {:?}\n", operator.name, store.name, row.cells);
            }
        }
    }
    text
}
