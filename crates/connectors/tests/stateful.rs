//! Queries with state over a whole World: windows, watermarks, output modes, restarts, lost state files.

mod setting;

use tidemark_connectors::Formats;
use tidemark_delta::Snapshot;
use tidemark_engine::stream::{Question, Step, StreamingQueryProgress};
use tidemark_plan::{Analyzer, Expr, Frame, JoinOn, OutputMode, Plan, Settings};
use tidemark_types::row_json::{JsonStyle, row_json};
use tidemark_types::{Batch, Zone};
use tidemark_world::Fault;

use setting::{Setting, Stopped};

/// A grouping over the relation, with identities of its own.
fn grouped(relation: Plan, delay: &str, window: &str, keys: &[&str], sum: &str, columns: &[&str]) -> Plan {
    let mut a = Analyzer::new(Settings::default());
    while a.next_id().0 < 10 {}
    let marked = a.with_watermark(&Frame::new(relation), "ts", delay).expect("ts is a timestamp");
    let mut by = vec![a.expr(&format!("window(ts, '{window}')")).expect("the text is good")];
    by.extend(keys.iter().map(|key| Expr::name(key).expect("the name is good")));
    let groups = a.group_by(&marked, &by);
    let sum = a.expr(sum).expect("the text is good");
    let summed = a.agg(&groups, &[sum]).expect("the sum is good");
    (**a.select_expr(&summed, columns).expect("the columns are there").plan()).clone()
}

fn by_user(relation: Plan) -> Plan {
    grouped(
        relation,
        "5 minutes",
        "10 minutes",
        &["user"],
        "sum(amt) AS t",
        &["window.start AS w", "user", "t"],
    )
}

fn by_session(relation: Plan) -> Plan {
    let mut a = Analyzer::new(Settings::default());
    while a.next_id().0 < 10 {}
    let marked = a.with_watermark(&Frame::new(relation), "ts", "5 minutes").expect("ts is a timestamp");
    let keys = ["user", "session_window(ts, '5 minutes')"].map(|key| a.expr(key).expect("the text is good"));
    let sum = a.expr("sum(amt) AS t").expect("the text is good");
    let groups = a.group_by(&marked, &keys);
    let summed = a.agg(&groups, &[sum]).expect("the sum is good");
    let columns = ["user", "minute(session_window.end) AS m", "t"];
    (**a.select_expr(&summed, &columns).expect("the columns are there").plan()).clone()
}

fn by_hour(relation: Plan) -> Plan {
    grouped(relation, "15 minutes", "1 hour", &[], "sum(amt) AS t", &["hour(window.start) AS h", "t"])
}

fn counted(relation: Plan) -> Plan {
    let columns = ["minute(window.start) AS m", "user", "n"];
    grouped(relation, "5 minutes", "10 minutes", &["user"], "count(*) AS n", &columns)
}

/// The small amounts with the large ones of the same user up to ten minutes later.
fn joined(relation: Plan) -> Plan {
    let mut a = Analyzer::new(Settings::default());
    while a.next_id().0 < 10 {}
    let all = Frame::new(relation);
    let left = a.filter_text(&all, "amt < 10").expect("the text is good");
    let left = a.with_watermark(&left, "ts", "5 minutes").expect("ts is a timestamp");
    let right = a.filter_text(&all, "amt >= 10").expect("the text is good");
    let right = a.select_expr(&right, &["user AS user2", "ts AS ts2"]).expect("the columns are there");
    let right = a.with_watermark(&right, "ts2", "5 minutes").expect("ts2 is a timestamp");
    let on =
        a.expr("user = user2 AND ts2 >= ts AND ts2 <= ts + INTERVAL 10 MINUTES").expect("the text is good");
    let pairs = a.join(&left, &right, &JoinOn::Condition(on), "left").expect("the join is good");
    (**a.select_expr(&pairs, &["user", "minute(ts2) AS m"]).expect("the columns are there").plan()).clone()
}

fn lines(batches: &[Batch]) -> Vec<String> {
    let style = JsonStyle { zone: Zone::UTC, ignore_null_fields: false };
    let mut lines: Vec<String> =
        batches.iter().flat_map(|b| (0..b.rows()).map(move |row| row_json(b, row, style))).collect();
    lines.sort();
    lines
}

fn table(setting: &mut Setting) -> Vec<String> {
    let Some(snapshot) = Snapshot::find(&mut setting.world, "/tidemark/out").expect("the log can be read")
    else {
        return Vec::new();
    };
    let columns = snapshot.schema().clone();
    lines(&snapshot.read_all(&mut setting.world, &columns).expect("the files can be read"))
}

/// What each batch gave the user's function, and what progress said.
fn batches(setting: &mut Setting) -> (Vec<Vec<String>>, Vec<StreamingQueryProgress>) {
    let mut query = setting.start().expect("the query is good");
    let mut seen = Vec::new();
    loop {
        match query.step(&mut setting.world, &Formats).expect("nothing is armed") {
            Step::Ask(Question::ForeachBatch { partitions, .. }) => {
                seen.push(lines(&partitions));
                query.answer_foreach_batch(&mut setting.world, 1, Ok(()));
            }
            Step::Ended => break,
            Step::Did(_) | Step::Idle => {}
        }
    }
    assert_eq!(query.exception(), None);
    (seen, query.recent_progress().to_vec())
}

fn event(user: &str, amt: f64, time: &str) -> String {
    format!("{{\"user\":\"{user}\",\"amt\":{amt},\"ts\":\"2026-01-01T{time}Z\"}}\n")
}

/// The sample data.
fn sample(setting: &mut Setting) {
    setting.put("in/a.json", &(event("a", 5.0, "10:02:00") + &event("b", 7.0, "10:04:00")));
    setting.put("in/b.json", &event("a", 1.0, "10:09:00"));
    setting.put("in/c.json", &(event("a", 2.0, "10:03:00") + &event("c", 4.0, "10:20:00")));
}

fn windowed() -> Setting {
    let mut setting = Setting::new();
    setting.shape = by_user;
    sample(&mut setting);
    setting
}

const FIRST_WINDOW: [&str; 2] = [
    "{\"w\":\"2026-01-01T10:00:00.000Z\",\"user\":\"a\",\"t\":8.0}",
    "{\"w\":\"2026-01-01T10:00:00.000Z\",\"user\":\"b\",\"t\":7.0}",
];

#[test]
fn a_window_comes_out_when_the_watermark_has_passed_its_end() {
    let mut setting = windowed();
    setting.run();
    assert_eq!(table(&mut setting), FIRST_WINDOW);
    setting.put("in/d.json", &event("d", 1.0, "11:00:00"));
    setting.run();
    let rows = table(&mut setting);
    assert_eq!(rows.len(), 3);
    assert!(rows[2].contains("\"user\":\"c\",\"t\":4.0"), "{rows:?}");
}

#[test]
fn output_modes_of_one_query() {
    const FIRST: [&str; 2] = ["{\"h\":14,\"t\":25.0}", "{\"h\":15,\"t\":30.0}"];
    const THEN: [&str; 2] = ["{\"h\":14,\"t\":25.0}", "{\"h\":15,\"t\":50.0}"];
    let cases: [(OutputMode, Vec<Vec<&str>>, Vec<Vec<&str>>); 3] = [
        // The watermark of the first batch is 2:55pm, of the second 3:05pm: the batch without input emits.
        (OutputMode::Append, vec![vec![], vec![]], vec![vec![], vec![FIRST[0]]]),
        (OutputMode::Update, vec![FIRST.to_vec(), vec![]], vec![vec![THEN[1]], vec![]]),
        (OutputMode::Complete, vec![FIRST.to_vec()], vec![THEN.to_vec()]),
    ];
    for (mode, first, second) in cases {
        let mut setting = Setting::new().with_function();
        setting.shape = by_hour;
        setting.sink.output_mode = mode;
        let rows =
            event("x", 10.0, "14:10:00") + &event("x", 15.0, "14:50:00") + &event("x", 30.0, "15:10:00");
        setting.put("in/1.json", &rows);
        assert_eq!(batches(&mut setting).0, first, "{mode:?}");
        setting.put("in/2.json", &event("x", 20.0, "15:20:00"));
        assert_eq!(batches(&mut setting).0, second, "{mode:?}");
    }
}

#[test]
fn two_watermarks_in_one_batch() {
    let mut setting = Setting::new().with_function();
    setting.shape = counted;
    setting.options(&[("maxFilesPerTrigger", "1")]);
    let files: [&[(&str, &str)]; 7] = [
        &[("a", "12:01:00"), ("a", "12:02:00")],
        &[("a", "12:12:00")],
        &[("b", "12:15:00")],
        &[("late1", "12:03:00")],
        &[("c", "12:25:00")],
        &[("late2", "12:09:00"), ("ok", "12:14:00"), ("c", "12:26:00")],
        &[("d", "12:40:00")],
    ];
    for (index, rows) in files.iter().enumerate() {
        let text: String = rows.iter().map(|(user, time)| event(user, 1.0, time)).collect();
        setting.put(&format!("in/{index}.json"), &text);
    }
    let (seen, progress) = batches(&mut setting);
    let wanted: [(&str, &[&str], u64, u64); 8] = [
        ("1970-01-01T00:00:00.000Z", &[], 1, 0),
        ("2026-01-01T11:57:00.000Z", &[], 2, 0),
        ("2026-01-01T12:07:00.000Z", &[], 3, 0),
        ("2026-01-01T12:10:00.000Z", &["0 a 2", "0 late1 1"], 2, 0),
        ("2026-01-01T12:10:00.000Z", &[], 3, 0),
        ("2026-01-01T12:20:00.000Z", &["10 a 1", "10 b 1", "10 ok 1"], 1, 1),
        ("2026-01-01T12:21:00.000Z", &[], 2, 0),
        ("2026-01-01T12:35:00.000Z", &["20 c 2"], 1, 0),
    ];
    let got: Vec<(String, Vec<String>, u64, u64)> = seen
        .iter()
        .zip(&progress)
        .map(|(rows, entry)| {
            let number = |name: &str| entry.state_operators[0][name].as_u64().expect("it is a number");
            let short = |row: &String| {
                let row: serde_json::Value = serde_json::from_str(row).expect("rows are JSON");
                format!("{} {} {}", row["m"], row["user"].as_str().unwrap_or_default(), row["n"])
            };
            (
                entry.event_time["watermark"].clone(),
                rows.iter().map(short).collect(),
                number("numRowsTotal"),
                number("numRowsDroppedByWatermark"),
            )
        })
        .collect();
    assert_eq!(got.len(), wanted.len());
    for (got, (watermark, rows, total, dropped)) in got.iter().zip(wanted) {
        assert_eq!((got.0.as_str(), got.2, got.3), (watermark, total, dropped));
        assert_eq!(got.1, rows);
    }
}

#[test]
fn a_left_join_waits_for_the_watermark() {
    let mut setting = Setting::new().with_function();
    setting.shape = joined;
    setting.options(&[("maxFilesPerTrigger", "1")]);
    let files: [&[(&str, f64, &str)]; 5] = [
        &[("a", 1.0, "12:00:00"), ("m", 1.0, "12:01:00"), ("m", 10.0, "12:02:00")],
        &[("b", 1.0, "12:12:00"), ("x", 10.0, "12:13:00")],
        &[("c", 1.0, "12:30:00"), ("x", 10.0, "12:31:00")],
        &[("d", 1.0, "12:45:00"), ("x", 10.0, "12:46:00")],
        &[("e", 1.0, "13:30:00"), ("x", 10.0, "13:31:00")],
    ];
    for (index, rows) in files.iter().enumerate() {
        let text: String = rows.iter().map(|(user, amt, time)| event(user, *amt, time)).collect();
        setting.put(&format!("in/{index}.json"), &text);
    }
    let (seen, progress) = batches(&mut setting);
    let alone = |user: &str| format!("{{\"user\":\"{user}\",\"m\":null}}");
    let wanted = [
        (vec!["{\"user\":\"m\",\"m\":2}".to_owned()], 3, 0),
        (vec![], 5, 0),
        (vec![], 6, 1),
        (vec![alone("a"), alone("b")], 4, 1),
        (vec![], 5, 1),
        (vec![alone("c"), alone("d")], 2, 1),
    ];
    assert_eq!(seen.len(), wanted.len());
    for ((rows, entry), (wanted, total, removed)) in seen.iter().zip(&progress).zip(wanted) {
        let number = |name: &str| entry.state_operators[0][name].as_u64();
        assert_eq!(*rows, wanted);
        assert_eq!((number("numRowsTotal"), number("numRowsRemoved")), (Some(total), Some(removed)));
    }
}

const FIRST_SESSIONS: [&str; 3] = [
    "{\"user\":\"a\",\"m\":14,\"t\":1.0}",
    "{\"user\":\"a\",\"m\":8,\"t\":7.0}",
    "{\"user\":\"b\",\"m\":9,\"t\":7.0}",
];

#[test]
fn stopped_at_every_write_the_table_is_the_same() {
    stopped_at_every_write(by_user, &FIRST_WINDOW);
    stopped_at_every_write(by_session, &FIRST_SESSIONS);
}

fn stopped_at_every_write(shape: fn(Plan) -> Plan, wanted: &[&str]) {
    let windowed = || Setting { shape, ..windowed() };
    let mut whole = windowed();
    let before = whole.world.writes();
    whole.run();
    let writes = whole.world.writes() - before;
    assert!(writes > 12, "two partitions save their state in each of two batches");
    for k in 1..=writes {
        for when in [tidemark_trace::When::Before, tidemark_trace::When::After] {
            let mut setting = windowed();
            setting.world.arm(Fault::Write { k, when });
            setting.run_to_the_end();
            assert_eq!(setting.crashes, 1, "write {k}");
            // A batch without data belongs to the run of the one before: after a crash it waits for new rows.
            setting.put("in/d.json", &event("d", 1.0, "10:21:00"));
            setting.run();
            assert_eq!(table(&mut setting), wanted, "{when:?} write {k}");
        }
    }
}

#[test]
fn sessions_grow_over_batches_and_restarts() {
    let mut setting = Setting::new();
    setting.shape = by_session;
    for (file, times) in [("a", "10:00:00 10:08:00"), ("b", "10:04:00"), ("c", "10:12:00"), ("d", "10:40:00")]
    {
        let rows: String = times.split(' ').map(|time| event("u", 1.0, time)).collect();
        setting.put(&format!("in/{file}.json"), &rows);
        setting.run();
    }
    assert_eq!(table(&mut setting), ["{\"user\":\"u\",\"m\":17,\"t\":4.0}"]);
}

#[test]
fn state_beyond_its_limit_ends_the_query_and_nothing_else() {
    for (shape, limit) in [(by_user as fn(Plan) -> Plan, 100), (by_session, 150), (joined, 40)] {
        let mut setting = Setting { shape, ..windowed() };
        let mut query = setting.start().expect("the query is good");
        query.limit_state(limit);
        while query.is_active() {
            query.step(&mut setting.world, &Formats).expect("nothing is armed");
        }
        let error = query.exception().expect("the state is too large");
        let cause = error.cause.as_deref().expect("a failed query has a cause");
        assert_eq!(cause.condition.0, "TIDEMARK_STATE_BYTES_MAX", "{error:?}");
        assert_eq!((setting.files("ckpt/offsets").len(), setting.files("ckpt/commits").len()), (1, 0));
        setting.run();
        assert_ne!(setting.files("ckpt/commits").len(), 0, "with more memory the same checkpoint goes on");
    }
}

#[test]
fn lost_state_is_told_as_spark_tells_it() {
    let cases = [
        (
            "ckpt/state/0/0/1.delta",
            "[CANNOT_LOAD_STATE_STORE.CANNOT_READ_DELTA_FILE_NOT_EXISTS] An error occurred during loading state. Error reading delta file file:/tidemark/ckpt/state/0/0/1.delta of HDFSStateStoreProvider[",
        ),
        (
            "ckpt/state",
            "[STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY] Cannot restart streaming query with stateful operators because the state directory is empty or missing.\nStateful operators in current batch: [(OperatorId: 0 -> OperatorName: stateStoreSave)].",
        ),
    ];
    for (path, wanted) in cases {
        let mut setting = windowed();
        setting.run();
        setting.world.delete_tree(&format!("/tidemark/{path}")).expect("it is there");
        setting.put("in/d.json", &event("d", 1.0, "11:00:00"));
        match setting.try_run() {
            Err(Stopped::Failed(error)) => {
                let causes = std::iter::successors(Some(&*error), |error| error.cause.as_deref());
                let texts: Vec<String> = causes.map(|cause| cause.full_message()).collect();
                assert!(texts.iter().any(|text| text.starts_with(wanted)), "{texts:?}");
            }
            other => panic!("{path}: {other:?}"),
        }
    }
}

#[test]
fn snapshots_are_made_between_batches() {
    let mut setting = windowed();
    for (name, value) in [
        ("spark.sql.streaming.stateStore.maintenanceInterval", "1"),
        ("spark.sql.streaming.stateStore.minDeltasForSnapshot", "2"),
        ("spark.sql.streaming.minBatchesToRetain", "2"),
    ] {
        setting.conf.insert(name.into(), value.into());
    }
    setting.options(&[("maxFilesPerTrigger", "1")]);
    for index in 0..5 {
        setting.put(&format!("in/e{index}.json"), &event("e", 1.0, "10:21:00"));
    }
    setting.run();
    let files = setting.files("ckpt/state/0/1");
    assert_eq!(files, ["6.delta", "6.snapshot", "7.delta", "8.delta"]);
    setting.put("in/z.json", &event("z", 1.0, "12:00:00"));
    setting.run();
    assert_eq!(table(&mut setting).len(), 4);
}
