//! Triggers, limits and progress, over a folder of small files.

mod setting;

use std::sync::Arc;

use setting::{Setting, step};
use tidemark_engine::stream::{Step, StreamExecution};
use tidemark_plan::{Function, Literal, OutputMode, Plan, Scalar, Trigger};
use tidemark_types::{DataType, Millis, SimTime};

type Calls = Vec<(i64, Vec<i32>)>;

/// Files `1.json`, `2.json`, … of one row each, ten bytes long, each a second newer than the one before.
fn files(count: i32) -> Setting {
    let mut setting = Setting::new().with_function();
    for id in 1..=count {
        setting.put(&format!("in/{id}.json"), &format!("{{\"id\": {id}}}"));
    }
    setting
}

fn calls(count: i32, trigger: Trigger, options: &[(&str, &str)]) -> Calls {
    let mut setting = files(count);
    setting.sink.trigger = trigger;
    setting.options(options);
    let (calls, error) = setting.calls();
    assert_eq!(error, None, "{options:?}");
    calls
}

#[test]
fn limits_cut_batches() {
    let now = Trigger::AvailableNow;
    type Row<'a> = (Trigger, &'a [(&'a str, &'a str)], &'a [(i64, &'a [i32])]);
    let table: [Row; 8] = [
        (now, &[], &[(0, &[1, 2, 3, 4, 5])]),
        (now, &[("maxFilesPerTrigger", "2")], &[(0, &[1, 2]), (1, &[3, 4]), (2, &[5])]),
        (now, &[("maxBytesPerTrigger", "25")], &[(0, &[1, 2]), (1, &[3, 4]), (2, &[5])]),
        (now, &[("maxBytesPerTrigger", "1")], &[(0, &[1]), (1, &[2]), (2, &[3]), (3, &[4]), (4, &[5])]),
        (
            now,
            &[("maxFilesPerTrigger", "2"), ("latestFirst", "true")],
            &[(0, &[4, 5]), (1, &[2, 3]), (2, &[1])],
        ),
        (now, &[("pathGlobFilter", "[2-4].json")], &[(0, &[2, 3, 4])]),
        (Trigger::Once, &[("maxFilesPerTrigger", "2")], &[(0, &[1, 2, 3, 4, 5])]),
        (Trigger::Once, &[("maxBytesPerTrigger", "1")], &[(0, &[1, 2, 3, 4, 5])]),
    ];
    for (trigger, options, wanted) in table {
        let wanted: Calls = wanted.iter().map(|(batch, ids)| (*batch, ids.to_vec())).collect();
        assert_eq!(calls(5, trigger, options), wanted, "{trigger:?} {options:?}");
    }
}

#[test]
fn bad_options_end_the_query_and_not_the_start() {
    let mut setting = files(1);
    setting.options(&[("maxFilesPerTrigger", "0")]);
    let (calls, error) = setting.calls();
    assert!(calls.is_empty());
    assert_eq!(
        error.as_deref(),
        Some("Invalid value '0' for option 'maxFilesPerTrigger', must be a positive integer")
    );
    assert_eq!(setting.files("ckpt"), ["metadata"]);
}

#[test]
fn a_task_that_fails_is_reported_by_its_sink() {
    for (format, path, condition) in [
        ("delta", Some("out/"), "TASK_WRITE_FAILED"),
        ("noop", None, "FAILED_READ_FILE.NO_HINT"),
        ("foreachbatch", None, "FOREACH_BATCH_USER_FUNCTION_ERROR"),
    ] {
        let mut setting = Setting::new();
        setting.options(&[("mode", "FAILFAST")]);
        setting.sink.format = format.into();
        setting.sink.path = path.map(str::to_owned);
        setting.put("in/a.json", "{\"id\":1}\n{\"id\":\n");
        let mut query = setting.start().expect("nothing is wrong yet");
        while query.is_active() {
            step(&mut query, &mut setting, &mut Vec::new());
        }
        let cause = query.exception().and_then(|e| e.cause.clone()).expect("the rows cannot be read");
        assert_eq!(cause.condition.0, condition);
        assert_eq!(setting.files("ckpt"), ["metadata", "offsets/0", "sources/0/0"]);
    }
}

/// `where id > 1`, above the rows of the relation.
fn filtered(relation: Plan) -> Plan {
    let column = relation.output()[0].clone();
    let args = vec![Scalar::Column(column), Scalar::Literal(Literal::Integer(1))];
    let predicate =
        Scalar::Call { function: Function::Greater, args, data_type: DataType::Boolean, nullable: true };
    Plan::Filter { predicate, child: Arc::new(relation) }
}

#[test]
fn rows_that_the_reader_drops_do_not_count() {
    let table: [(fn(Plan) -> Plan, &str, u64); 4] = [
        (|relation| relation, "true", 3),
        (filtered, "true", 2),
        (filtered, "false", 3),
        (|relation| union(relation.clone(), relation), "true", 6),
    ];
    for (shape, pushdown, wanted) in table {
        let mut setting = Setting::new();
        setting.shape = shape;
        setting.conf.insert("spark.sql.json.filterPushdown.enabled".into(), pushdown.into());
        setting.put("in/a.json", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n");
        assert_eq!(setting.run(), [(0, wanted)]);
    }
}

fn union(one: Plan, two: Plan) -> Plan {
    let output = one.output();
    Plan::Union { children: vec![Arc::new(one), Arc::new(two)], output }
}

#[test]
fn once_replays_or_takes_new_data_but_not_both() {
    let mut setting = files(1);
    setting.sink.trigger = Trigger::Once;
    assert_eq!(setting.calls().0, [(0, vec![1])]);
    setting.world.delete("/tidemark/ckpt/commits/0").expect("it is there");
    setting.put("in/2.json", "{\"id\": 2}");
    assert_eq!(setting.calls().0, [(0, vec![1])]);
    assert_eq!(setting.calls().0, [(1, vec![2])]);
}

#[test]
fn available_now_leaves_later_files_for_the_next_run() {
    let mut setting = files(2);
    setting.options(&[("maxFilesPerTrigger", "1")]);
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while !matches!(step(&mut query, &mut setting, &mut seen), Step::Ended) {
        if seen.len() == 1 && !setting.files("in").contains(&"late.json".to_owned()) {
            setting.put("in/late.json", "{\"id\": 9}");
        }
    }
    assert_eq!(seen, [(0, vec![1]), (1, vec![2])]);
    assert_eq!(setting.calls().0, [(2, vec![9])]);
}

#[test]
fn a_replay_ignores_limits() {
    let mut setting = files(3);
    setting.options(&[("maxFilesPerTrigger", "2")]);
    assert_eq!(setting.calls().0, [(0, vec![1, 2]), (1, vec![3])]);
    for file in ["commits/1", "offsets/1", "sources/0/1", "commits/0"] {
        setting.world.delete(&format!("/tidemark/ckpt/{file}")).expect("it is there");
    }
    setting.options(&[("maxFilesPerTrigger", "1")]);
    assert_eq!(setting.calls().0, [(0, vec![1, 2]), (1, vec![3])]);
}

/// Steps until a trigger finds nothing: `processAllAvailable`.
fn process_all(query: &mut StreamExecution, setting: &mut Setting, seen: &mut Calls) {
    let before = query.idle_triggers();
    while query.idle_triggers() == before && query.is_active() {
        if matches!(step(query, setting, seen), Step::Idle)
            && query.idle_triggers() == before
            && let Some(due) = query.next_due()
        {
            let wait = due.0 - setting.world.now().0;
            setting.world.advance(Millis(wait.max(0)));
        }
    }
}

#[test]
fn a_default_query_waits_for_files() {
    let mut setting = files(1);
    setting.sink.trigger = Trigger::Default;
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    process_all(&mut query, &mut setting, &mut seen);
    assert_eq!(query.status().message, "Waiting for data to arrive");
    setting.put("in/2.json", "{\"id\": 2}");
    process_all(&mut query, &mut setting, &mut seen);
    assert_eq!(seen, [(0, vec![1]), (1, vec![2])]);
    let ids = |q: &StreamExecution| q.recent_progress().iter().map(|p| p.batch_id.0).collect::<Vec<_>>();
    assert_eq!(ids(&query), [0, 1], "less than ten seconds without data give no entry");
    setting.world.advance(Millis(11_000));
    process_all(&mut query, &mut setting, &mut seen);
    assert_eq!(ids(&query), [0, 1, 2]);
    query.stop(&mut setting.world).expect("the driver is up");
    assert_eq!((query.is_active(), query.status().message.as_str()), (false, "Stopped"));
    assert!(query.exception().is_none());
}

#[test]
fn files_left_from_a_listing_come_before_an_older_one_that_came_later() {
    let mut setting = files(4);
    setting.sink.trigger = Trigger::Default;
    setting.options(&[("maxFilesPerTrigger", "1")]);
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while seen.len() < 2 {
        step(&mut query, &mut setting, &mut seen);
    }
    setting.world.drop_file("/tidemark/in/old.json", "{\"id\": 99}", SimTime(1_767_268_800_000));
    process_all(&mut query, &mut setting, &mut seen);
    let ids: Vec<i32> = seen.into_iter().flat_map(|(_, ids)| ids).collect();
    assert_eq!(ids, [1, 2, 3, 4, 99]);
}

#[test]
fn processing_time_follows_the_grid_of_the_epoch() {
    let mut setting = files(1);
    setting.sink.trigger = Trigger::ProcessingTime(2000);
    setting.world.advance(Millis(700));
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    for id in 2..=3 {
        process_all(&mut query, &mut setting, &mut seen);
        setting.put(&format!("in/{id}.json"), &format!("{{\"id\": {id}}}"));
    }
    process_all(&mut query, &mut setting, &mut seen);
    let starts: Vec<i64> = query.recent_progress().iter().map(|p| p.timestamp.0).collect();
    assert_eq!(starts.len(), 3);
    assert_ne!(starts[0] % 2000, 0, "the first trigger comes at once");
    assert!(starts[1..].iter().all(|t| t % 2000 == 0), "{starts:?}");
    assert_eq!(query.status().message, "Waiting for next trigger");
}

#[test]
fn seen_files_stay_seen() {
    let mut setting = files(1);
    assert_eq!(setting.calls().0, [(0, vec![1])]);
    setting.put("in/1.json", "{\"id\": 11}");
    assert_eq!(setting.calls().0, [], "a file that is written again");
    setting.world.delete("/tidemark/in/1.json").expect("it is there");
    setting.calls();
    setting.put("in/1.json", "{\"id\": 12}");
    assert_eq!(setting.calls().0, [], "a file that is made again");
    setting.put("in/2.json", "{\"id\": 2}");
    assert_eq!(setting.calls().0, [(1, vec![2])]);
    let day = 86_400_000;
    let now = setting.world.now().0;
    setting.world.drop_file("/tidemark/in/old.json", "{\"id\": 3}", SimTime(now - 6 * day));
    setting.world.drop_file("/tidemark/in/older.json", "{\"id\": 4}", SimTime(now - 8 * day));
    assert_eq!(setting.calls().0, [(2, vec![3])]);
    setting.options(&[("maxFileAge", "60d")]);
    assert_eq!(setting.calls().0, [(3, vec![4])], "a greater age lets it in");
}

#[test]
fn a_file_that_has_gone_is_skipped_on_replay() {
    let mut setting = files(2);
    setting.calls();
    setting.world.delete("/tidemark/ckpt/commits/0").expect("it is there");
    setting.world.delete("/tidemark/in/1.json").expect("it is there");
    assert_eq!(setting.calls(), (vec![(0, vec![2])], None));
}

#[test]
fn a_file_that_goes_before_it_is_planned_gives_no_row() {
    let mut setting = files(1);
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while !setting.files("ckpt").contains(&"offsets/0".to_owned()) {
        step(&mut query, &mut setting, &mut seen);
    }
    setting.world.delete("/tidemark/in/1.json").expect("it is there");
    while query.is_active() {
        step(&mut query, &mut setting, &mut seen);
    }
    assert!(query.exception().is_none());
    assert_eq!(seen, [(0, vec![])]);
}

#[test]
fn offsets_of_version_2_name_their_sources() {
    let mut setting = files(1);
    setting.conf.insert("spark.sql.streaming.offsetLog.formatVersion".into(), "2".into());
    assert_eq!(setting.calls().0, [(0, vec![1])]);
    let lines: Vec<String> = setting.text("ckpt/offsets/0").lines().map(str::to_owned).collect();
    assert_eq!((lines[0].as_str(), lines[2].as_str()), ("v2", "0:{\"logOffset\":0}"));
    assert!(lines[1].ends_with("},\"sourceMetadataInfo\":{}}"));
    setting.conf.clear();
    setting.put("in/2.json", "{\"id\": 2}");
    assert_eq!(setting.calls().0, [(1, vec![2])]);
    assert!(setting.text("ckpt/offsets/1").starts_with("v2\n"), "the version of the checkpoint wins");
}

#[test]
fn offsets_are_those_of_spark_byte_for_byte() {
    let mut setting = files(1);
    setting.conf.insert("spark.sql.shuffle.partitions".into(), "1".into());
    setting.calls();
    let text = setting.text("ckpt/offsets/0");
    assert_eq!(text.len(), 1031);
    let head = "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":17672688";
    assert!(text.starts_with(head) && text.ends_with("\"}}\n{\"logOffset\":0}"), "{text}");
    assert_eq!(setting.text("ckpt/commits/0"), "v1\n{\"nextBatchWatermarkMs\":0}");
    assert_eq!(
        setting.text("ckpt/sources/0/0"),
        "v1\n{\"path\":\"file:///tidemark/in/1.json\",\"timestamp\":1767268801000,\"batchId\":0}"
    );
    assert_eq!(setting.text("ckpt/metadata").len(), 45);
}

#[test]
fn old_log_entries_go() {
    let mut setting = files(6);
    setting.conf.insert("spark.sql.streaming.minBatchesToRetain".into(), "2".into());
    setting.options(&[("maxFilesPerTrigger", "1")]);
    setting.calls();
    assert_eq!(setting.files("ckpt/offsets"), ["3", "4", "5"]);
    assert_eq!(setting.files("ckpt/commits"), ["3", "4", "5"]);
}

#[test]
fn recent_progress_is_bounded() {
    let mut setting = files(6);
    setting.conf.insert("spark.sql.streaming.numRecentProgressUpdates".into(), "3".into());
    setting.options(&[("maxFilesPerTrigger", "1")]);
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while query.is_active() {
        step(&mut query, &mut setting, &mut seen);
    }
    assert_eq!(query.recent_progress().iter().map(|p| p.batch_id.0).collect::<Vec<_>>(), [4, 5]);
}

#[test]
fn files_of_a_batch_that_is_done_are_cleaned() {
    for (options, left, archived) in [
        (vec![("cleanSource", "delete")], vec!["3.json"], vec![]),
        (
            vec![("cleanSource", "archive"), ("sourceArchiveDir", "old")],
            vec!["3.json"],
            vec!["tidemark/in/1.json", "tidemark/in/2.json"],
        ),
    ] {
        let mut setting = files(3);
        setting.options(&[("maxFilesPerTrigger", "1")]);
        setting.options(&options);
        assert_eq!(setting.calls().1, None);
        assert_eq!(setting.files("in"), left);
        assert_eq!(setting.files("old"), archived);
    }
}

#[test]
fn other_writers_of_the_checkpoint_are_noticed() {
    let written = "v1\n{\"nextBatchWatermarkMs\":0}";
    let table = [
        ("offsets/0", "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log."),
        ("commits/0", "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log."),
        ("sources/0/0", "Concurrent update to the log. Multiple streaming jobs detected for 0"),
    ];
    for (path, wanted) in table {
        let mut setting = files(1);
        let mut query = setting.start().expect("nothing is wrong");
        let mut seen = Vec::new();
        step(&mut query, &mut setting, &mut seen);
        let now = setting.world.now();
        setting.world.drop_file(&format!("/tidemark/ckpt/{path}"), written, now);
        while query.is_active() {
            step(&mut query, &mut setting, &mut seen);
        }
        let cause =
            query.exception().and_then(|e| e.cause.as_ref()).map(|c| c.full_message()).unwrap_or_default();
        assert!(cause.starts_with(wanted), "{path}: {cause}");
    }
}

#[test]
fn a_checkpoint_that_goes_under_a_running_query_stays_gone() {
    let mut setting = files(1);
    setting.sink.trigger = Trigger::Default;
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    process_all(&mut query, &mut setting, &mut seen);
    setting.world.delete_tree("/tidemark/ckpt").expect("it is there");
    setting.put("in/2.json", "{\"id\": 2}");
    process_all(&mut query, &mut setting, &mut seen);
    let cause = query.exception().and_then(|e| e.cause.as_ref()).map(|c| c.full_message());
    assert_eq!(cause.as_deref(), Some("File file:/tidemark/ckpt/sources/0 does not exist"));
    assert!(!setting.world.exists("/tidemark/ckpt"));
}

#[test]
fn locations_of_a_checkpoint() {
    let refused = |setting: &mut Setting| setting.start().expect_err("Spark refuses").to_string();
    let mut setting = files(1);
    setting.sink.options.clear();
    setting.sink.format = "delta".into();
    setting.sink.path = Some("out".into());
    assert_eq!(
        refused(&mut setting),
        "checkpointLocation must be specified either through option(\"checkpointLocation\", ...) or \
         SparkSession.conf.set(\"spark.sql.streaming.checkpointLocation\", ...)."
    );
    assert_eq!(setting.files("ckpt"), Vec::<String>::new());
    setting.conf.insert("spark.sql.streaming.checkpointLocation".into(), "base/".into());
    setting.sink.query_name = Some("nm".into());
    setting.run();
    assert!(setting.files("base").contains(&"nm/commits/0".to_owned()));
    // Without a location, the folder goes with the query.
    let mut setting = files(1);
    setting.sink.options.clear();
    assert_eq!(setting.calls(), (vec![(0, vec![1])], None));
    assert!(setting.world.peek_list("/tmp").is_empty());
}

#[test]
fn a_table_is_made_before_its_first_batch() {
    let mut setting = files(1);
    setting.sink.format = "delta".into();
    setting.sink.table = Some("bronze".into());
    assert_eq!(setting.run(), [(0, 1)]);
    let log = setting.files("spark-warehouse/bronze/_delta_log");
    assert_eq!(log, ["00000000000000000000.json", "00000000000000000001.json"]);
    assert!(
        setting.text("spark-warehouse/bronze/_delta_log/00000000000000000000.json").contains("CREATE TABLE")
    );
    setting.sink.format = "parquet".into();
    assert_eq!(
        setting.start().expect_err("Spark refuses").to_string(),
        "The input source(parquet) is different from the table bronze's data source provider(delta)."
    );
}

#[test]
fn a_memory_sink_recovers_only_in_complete_mode() {
    let mut setting = files(1);
    setting.sink.format = "memory".into();
    assert_eq!(
        setting.start().expect_err("Spark refuses").to_string(),
        "queryName must be specified for memory sink."
    );
    setting.sink.query_name = Some("app".into());
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while query.is_active() {
        step(&mut query, &mut setting, &mut seen);
    }
    assert_eq!(query.memory().expect("it is a memory sink").rows(), 1);
    assert_eq!(query.last_progress().expect("a batch has run").sink.num_output_rows, 1);
    let text =
        "This query does not support recovering from checkpoint location. Delete ckpt/offsets to start over.";
    assert_eq!(setting.start().expect_err("Spark refuses").to_string(), text);
    setting.sink.output_mode = OutputMode::Complete;
    let again = setting.start();
    assert!(again.is_ok() || again.is_err_and(|e| !e.to_string().contains("recovering")));
}

#[test]
fn durations_are_named_as_spark_names_them() {
    let mut setting = Setting::new();
    setting.put("in/a.json", "{\"id\": 1}\n");
    let mut query = setting.start().expect("nothing is wrong");
    let mut seen = Vec::new();
    while query.is_active() {
        step(&mut query, &mut setting, &mut seen);
    }
    let progress = query.last_progress().expect("a batch has run");
    let keys: Vec<&str> = progress.duration_ms.keys().map(String::as_str).collect();
    let all = [
        "addBatch",
        "commitOffsets",
        "getBatch",
        "latestOffset",
        "queryPlanning",
        "triggerExecution",
        "walCommit",
    ];
    assert_eq!(keys, all);
    let parts: i64 =
        progress.duration_ms.iter().filter(|(k, _)| *k != "triggerExecution").map(|(_, v)| v).sum();
    assert_eq!(parts, progress.batch_duration);
    assert_eq!(progress.sink.description, "DeltaSink[out]");
    assert_eq!(progress.sources[0].description, "FileStreamSource[file:/tidemark/in]");
    setting.world.delete("/tidemark/ckpt/commits/0").expect("it is there");
    let mut query = setting.start().expect("nothing is wrong");
    while query.is_active() {
        step(&mut query, &mut setting, &mut seen);
    }
    let progress = query.last_progress().expect("a batch has run");
    let keys: Vec<&str> = progress.duration_ms.keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["addBatch", "commitOffsets", "getBatch", "queryPlanning", "triggerExecution"],
        "a replay"
    );
}

#[test]
fn twelve_batches_cross_both_compactions() {
    let mut setting = files(12);
    setting.sink.format = "delta".into();
    setting.sink.path = Some("out".into());
    setting.options(&[("maxFilesPerTrigger", "1")]);
    assert_eq!(setting.run().len(), 12);
    assert_eq!(setting.ids(), (1..=12).collect::<Vec<_>>());
    assert!(setting.files("ckpt/sources/0").contains(&"9.compact".to_owned()));
    let log = setting.files("out/_delta_log");
    assert!(log.contains(&"00000000000000000010.checkpoint.parquet".to_owned()));
    assert!(log.contains(&"_last_checkpoint".to_owned()));
    setting.put("in/13.json", "{\"id\": 13}");
    assert_eq!(setting.run(), [(12, 1)]);
}

#[test]
fn each_step_has_a_sentence() {
    let mut setting = Setting::new();
    setting.put("in/a.json", "{\"id\": 1}\n");
    setting.run();
    setting.put("in/b.json", "{\"id\": 2}\n");
    let mut query = setting.start().expect("nothing is wrong");
    let mut sentences = Vec::new();
    let mut seen = Vec::new();
    loop {
        match step(&mut query, &mut setting, &mut seen) {
            Step::Did(did) => sentences.push(did.sentence),
            Step::Ended => break,
            Step::Idle | Step::Ask(_) => {}
        }
    }
    let part = sentences
        .iter()
        .position(|s| s.starts_with("Batch 1 writes: part-00000-"))
        .expect("a part is written");
    sentences[part] = "Batch 1 writes: …".into();
    assert_eq!(
        sentences,
        [
            "The checkpoint says where to go on: batch 1 comes next.",
            "Batch 1 looks for data: b.json is new.",
            "Batch 1 has noted new data: sources/0/1 lists b.json.",
            "Batch 1 is planned: offsets/1 now names b.json.",
            "Batch 1 reads: 1 row from b.json.",
            "Batch 1 is computed: 1 row in 1 task.",
            "Batch 1 writes: …",
            "Batch 1 goes to the sink: _delta_log/00000000000000000001.json makes version 1 of the table.",
            "Batch 1 is done: commits/1 says so.",
        ]
    );
}
