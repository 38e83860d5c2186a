//! The file sink over a whole World: exactly once for readers of its log, at every crash.

mod setting;

use tidemark_connectors::Formats;
use tidemark_engine::Connectors as _;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_plan::ReadSpec;
use tidemark_trace::{Phase, When};
use tidemark_types::row_json::{JsonStyle, row_json};
use tidemark_types::{Millis, StructType, Zone};
use tidemark_world::Fault;

use setting::{Setting, Stopped};

fn copying(format: &str, partition_by: &[&str]) -> Setting {
    let mut setting = Setting::new();
    setting.sink.format = format.into();
    setting.sink.partition_by = partition_by.iter().map(|name| (*name).to_owned()).collect();
    setting.options(&[("maxFilesPerTrigger", "1")]);
    setting
}

fn feed(setting: &mut Setting) {
    for (file, rows) in [("a", [1, 2]), ("b", [3, 4]), ("c", [5, 6])] {
        let line = |id| format!("{{\"id\":{id},\"user\":\"u{}\",\"amt\":1.5}}\n", id % 2);
        setting.put(&format!("in/{file}.json"), &rows.map(line).concat());
    }
}

/// The rows that a reader of the folder sees.
fn rows(setting: &mut Setting, format: &str) -> Vec<String> {
    let conf = QueryConf::new(setting.conf.clone());
    let spec = ReadSpec {
        format: format.into(),
        paths: vec!["out/".into()],
        table: None,
        options: [].into(),
        schema: Some(StructType::from_ddl("id INT, user STRING, amt DOUBLE").expect("the text is good")),
        streaming: false,
        listing: None,
    };
    let Ok(schema) = Formats.resolve(&mut setting.world, &conf, &spec) else { return Vec::new() };
    let reader =
        Formats.reader(&mut setting.world, &conf, &spec, &schema.into()).expect("the folder is there");
    let tasks = reader.read(&mut setting.world).expect("all files of the log are there");
    let style = JsonStyle { zone: Zone::UTC, ignore_null_fields: false };
    let batches = tasks.iter().flat_map(|task| &task.batches);
    let mut lines: Vec<String> =
        batches.flat_map(|batch| (0..batch.rows()).map(move |row| row_json(batch, row, style))).collect();
    lines.sort();
    lines
}

#[test]
fn a_crash_anywhere_leaves_each_row_once() {
    for (format, partition_by) in [("parquet", &[][..]), ("json", &["user"][..]), ("csv", &[][..])] {
        let mut whole = copying(format, partition_by);
        feed(&mut whole);
        let before = whole.world.writes();
        whole.run();
        let wanted = rows(&mut whole, format);
        assert_eq!(wanted.len(), 6, "{format}");
        let places = (1..=whole.world.writes() - before)
            .flat_map(|k| [When::Before, When::During, When::After].map(|when| Fault::Write { k, when }))
            .chain([When::Before, When::After].map(|when| Fault::Phase { phase: Phase::Write, when }))
            .chain([When::Before, When::After].map(|when| Fault::Phase { phase: Phase::Commit, when }));
        for fault in places {
            let mut setting = copying(format, partition_by);
            feed(&mut setting);
            setting.world.arm(fault.clone());
            match setting.try_run() {
                Err(Stopped::Crashed(_)) => setting.world.restart(),
                other => panic!("{format} {fault:?}: {other:?}"),
            }
            match setting.try_run() {
                Ok(_) => assert_eq!(rows(&mut setting, format), wanted, "{format} {fault:?}"),
                // Half of offsets/0 is in the way of every later start, as with Spark.
                Err(Stopped::Failed(error)) => {
                    let cause = error.cause.map(|cause| cause.condition.0);
                    assert_eq!(
                        cause.as_deref(),
                        Some("STATE_STORE_CHECKPOINT_LOCATION_NOT_EMPTY"),
                        "{fault:?}"
                    );
                }
                Err(crashed) => panic!("{format} {fault:?}: {crashed:?}"),
            }
        }
    }
}

#[test]
fn a_lost_checkpoint_skips_the_batches_that_the_log_has() {
    let mut setting = copying("json", &[]);
    feed(&mut setting);
    setting.run();
    setting.world.delete_tree("/tidemark/ckpt").expect("it is there");
    setting.put("in/d.json", "{\"id\":7,\"user\":\"u\"}\n");
    assert_eq!(setting.run(), [(0, 0), (1, 0), (2, 0), (3, 1)]);
    assert_eq!(rows(&mut setting, "json").len(), 7);
}

#[test]
fn retention_drops_old_files_from_the_compacted_log() {
    let mut setting = copying("json", &[]);
    setting.sink.options.insert("retention".into(), "1h".into());
    for n in 0..10 {
        setting.put(&format!("in/{n}.json"), &format!("{{\"id\":{n},\"user\":\"u\"}}\n"));
        if n == 5 {
            setting.run();
            setting.world.advance(Millis(2 * 3_600_000));
        }
    }
    setting.run();
    assert_eq!(rows(&mut setting, "json").len(), 4, "those of the hour before 9.compact");
}
