//! A Delta table as a stream, over a whole World: order, limits, changes, crashes.

mod setting;

use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array, new_null_array};
use tidemark_connectors::Formats;
use tidemark_engine::Connectors as _;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_plan::{Plan, SaveMode, Trigger, WriteSpec};
use tidemark_trace::When;
use tidemark_types::{Batch, DataType, StructField, StructType};
use tidemark_world::Fault;

use setting::{Setting, Stopped, schema};

/// The relation of the story, read from the table `src` in place of a folder.
fn of_table(relation: Plan) -> Plan {
    let Plan::Relation { spec, source, output } = relation else { return relation };
    let mut spec = (*spec).clone();
    spec.format = "delta".into();
    spec.paths = vec!["src/".into()];
    spec.schema = None;
    Plan::Relation { spec: Arc::new(spec), source, output }
}

fn following(options: &[(&str, &str)]) -> Setting {
    let mut setting = Setting { shape: of_table, ..Setting::new() };
    setting.options(options);
    setting
}

fn write_as(setting: &mut Setting, schema: &StructType, ids: &[i32], mode: SaveMode) {
    let spec = WriteSpec {
        format: "delta".into(),
        path: Some("src".into()),
        table: None,
        mode,
        options: [("mergeschema".to_owned(), "true".to_owned())].into(),
        partition_by: Vec::new(),
    };
    let schema = Arc::new(schema.clone());
    let rest = schema.fields[1..].iter().map(|f| new_null_array(&f.data_type.to_arrow(), ids.len()));
    let id: ArrayRef = Arc::new(Int32Array::from(ids.to_vec()));
    let columns = std::iter::once(id).chain(rest).collect();
    let rows = [Batch::new(schema.clone(), columns, ids.len())];
    let conf = QueryConf::new(setting.conf.clone());
    Formats.write(&mut setting.world, &conf, &spec, &schema, &rows).expect("nothing is armed");
}

fn add(setting: &mut Setting, ids: &[i32]) {
    write_as(setting, &schema(), ids, SaveMode::Append);
}

fn overwrite(setting: &mut Setting, ids: &[i32]) {
    write_as(setting, &schema(), ids, SaveMode::Overwrite);
}

/// Version, index and whether it is the first snapshot, batch by batch.
fn offsets(setting: &Setting) -> Vec<(i64, i64, bool)> {
    let offset = |n: usize| {
        let text = setting.text(&format!("ckpt/offsets/{n}"));
        let json: serde_json::Value = serde_json::from_str(text.lines().nth(2)?).ok()?;
        Some((
            json["reservoirVersion"].as_i64()?,
            json["index"].as_i64()?,
            json["isStartingVersion"].as_bool()?,
        ))
    };
    (0..setting.files("ckpt/offsets").len()).filter_map(offset).collect()
}

fn refused(setting: &mut Setting) -> String {
    match setting.try_run() {
        Err(Stopped::Failed(error)) => error.cause.map(|cause| cause.condition.0).unwrap_or_default(),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_snapshot_comes_first_and_then_each_commit() {
    let mut setting = following(&[("maxFilesPerTrigger", "1")]);
    for ids in [&[1, 2][..], &[3], &[4, 5]] {
        add(&mut setting, ids);
    }
    assert_eq!(setting.run(), [(0, 2), (1, 1), (2, 2)]);
    assert_eq!(offsets(&setting), [(2, 0, true), (2, 1, true), (3, -1, false)]);
    assert_eq!(setting.run(), [(3, 0)], "nothing is new: one entry of a batch that is not");
    setting.options(&[("maxFilesPerTrigger", "2")]);
    add(&mut setting, &[6]);
    add(&mut setting, &[7]);
    assert_eq!(setting.run(), [(3, 2)]);
    assert_eq!(offsets(&setting).last(), Some(&(5, -1, false)));
    assert_eq!(setting.ids(), [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn once_takes_all() {
    let mut setting = following(&[("maxFilesPerTrigger", "1")]);
    setting.sink.trigger = Trigger::Once;
    add(&mut setting, &[1]);
    add(&mut setting, &[2]);
    assert_eq!(setting.run(), [(0, 2)]);
    assert_eq!(offsets(&setting), [(2, -1, false)]);
}

#[test]
fn commits_that_change_rows() {
    let table: [(&[(&str, &str)], std::result::Result<&[i32], &str>); 4] = [
        (&[], Err("DELTA_SOURCE_TABLE_IGNORE_CHANGES")),
        (&[("ignoreDeletes", "true")], Err("DELTA_SOURCE_TABLE_IGNORE_CHANGES")),
        (&[("skipChangeCommits", "true")], Ok(&[1, 2, 4])),
        (&[("ignoreChanges", "true")], Ok(&[1, 2, 3, 4])),
    ];
    for (options, wanted) in table {
        let mut setting = following(&[]);
        add(&mut setting, &[1]);
        setting.run();
        add(&mut setting, &[2]);
        overwrite(&mut setting, &[3]);
        add(&mut setting, &[4]);
        setting.options(options);
        match wanted {
            Ok(ids) => {
                setting.run();
                assert_eq!(setting.ids(), ids, "{options:?}");
            }
            Err(condition) => {
                assert_eq!(refused(&mut setting), condition, "{options:?}");
                assert_eq!(setting.ids(), [1], "commits before it are not delivered");
            }
        }
    }
}

#[test]
fn a_commit_that_only_removes_rows() {
    for (options, wanted) in [(&[][..], "DELTA_SOURCE_IGNORE_DELETE"), (&[("ignoreDeletes", "true")][..], "")]
    {
        let mut setting = following(options);
        add(&mut setting, &[1]);
        setting.run();
        overwrite(&mut setting, &[]);
        if wanted.is_empty() {
            setting.run();
        } else {
            assert_eq!(refused(&mut setting), wanted);
        }
        assert_eq!(setting.ids(), [1]);
    }
}

#[test]
fn tables_that_are_no_longer_what_they_were() {
    let begun = || {
        let mut setting = following(&[]);
        add(&mut setting, &[1]);
        setting.run();
        setting
    };
    let mut anew = begun();
    anew.world.delete_tree("/tidemark/src").expect("it is there");
    add(&mut anew, &[2]);
    assert_eq!(refused(&mut anew), "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE");
    anew.world.delete_tree("/tidemark/src").expect("it is there");
    assert_eq!(refused(&mut anew), "DELTA_SCHEMA_NOT_SET");

    let mut wider = begun();
    let mut fields = schema().fields;
    fields.push(StructField::new("more", DataType::String, true));
    write_as(&mut wider, &StructType::new(fields), &[2], SaveMode::Append);
    assert_eq!(refused(&mut wider), "DELTA_SCHEMA_CHANGED_WITH_VERSION");

    let mut gap = begun();
    for ids in [2, 3, 4] {
        add(&mut gap, &[ids]);
    }
    gap.world.delete("/tidemark/src/_delta_log/00000000000000000001.json").expect("it is there");
    let error = refused(&mut gap);
    assert!(error.starts_with("DELTA_"), "a log with a gap cannot be read at all: {error}");
}

#[test]
fn a_crash_anywhere_leaves_each_row_once() {
    let filled = || {
        let mut setting = following(&[("maxFilesPerTrigger", "1")]);
        add(&mut setting, &[1, 2]);
        add(&mut setting, &[3]);
        setting
    };
    let mut whole = filled();
    let before = whole.world.writes();
    whole.run();
    for k in 1..=whole.world.writes() - before {
        for when in [When::Before, When::After] {
            let mut setting = filled();
            setting.world.arm(Fault::Write { k, when });
            setting.run_to_the_end();
            assert_eq!(setting.crashes, 1, "write {k} {when:?}");
            add(&mut setting, &[4]);
            setting.run();
            assert_eq!(setting.ids(), [1, 2, 3, 4], "write {k} {when:?}");
        }
    }
}
