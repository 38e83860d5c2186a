//! What a query makes of a checkpoint that somebody has cut about: the table of recorded results.

mod setting;

use setting::Setting;

/// Three batches of one file each are done, and `d.json` is new.
fn base() -> Setting {
    let mut setting = Setting::new().with_function();
    setting.read_options.insert("maxfilespertrigger".into(), "1".into());
    for (name, id) in [("a", 1), ("b", 2), ("c", 3)] {
        setting.put(&format!("in/{name}.json"), &format!("{{\"id\":{id}}}\n"));
    }
    assert_eq!(setting.calls(), (vec![(0, vec![1]), (1, vec![2]), (2, vec![3])], None));
    setting.put("in/d.json", "{\"id\":4}\n");
    setting
}

enum Cut {
    Delete(&'static str),
    Write(&'static str, &'static str),
}
use Cut::{Delete, Write};

type Row = (&'static str, &'static [Cut], &'static [(i64, &'static [i32])], Option<&'static str>);

const CONCURRENT: &str = "[CONCURRENT_STREAM_LOG_UPDATE] Concurrent update to the log. Multiple streaming jobs detected \
                          for 1.\nPlease make sure only one streaming job runs on a specific checkpoint location at a \
                          time. SQLSTATE: 40000";

const TABLE: &[Row] = &[
    ("nothing", &[], &[(3, &[4])], None),
    ("the last commit", &[Delete("commits/2")], &[(2, &[3]), (3, &[4])], None),
    ("a commit in the middle", &[Delete("commits/1")], &[(3, &[4])], None),
    ("two commits", &[Delete("commits/1"), Delete("commits/2")], &[(2, &[3]), (3, &[4])], None),
    (
        "all commits",
        &[Delete("commits/0"), Delete("commits/1"), Delete("commits/2")],
        &[(2, &[3]), (3, &[4])],
        None,
    ),
    ("the last offsets", &[Delete("offsets/2")], &[(1, &[2])], Some(CONCURRENT)),
    ("offsets in the middle", &[Delete("offsets/1")], &[], Some("batch 1 doesn't exist")),
    ("the oldest offsets", &[Delete("offsets/0")], &[(3, &[4])], None),
    ("the last of both", &[Delete("offsets/2"), Delete("commits/2")], &[(2, &[3, 4])], None),
    (
        "a clean rewind",
        &[Delete("offsets/2"), Delete("commits/2"), Delete("sources/0/2")],
        &[(2, &[3]), (3, &[4])],
        None,
    ),
    ("all offsets", &[Delete("offsets")], &[], Some("assertion failed")),
    ("all offsets and commits", &[Delete("offsets"), Delete("commits")], &[(0, &[1, 2, 3, 4])], None),
    ("the last source entry", &[Delete("sources/0/2")], &[], Some("batch 2 doesn't exist")),
    ("all source entries", &[Delete("sources")], &[], Some("batch 2 doesn't exist")),
    (
        "the last commit and source entry",
        &[Delete("commits/2"), Delete("sources/0/2")],
        &[],
        Some("batch 2 doesn't exist"),
    ),
    (
        "the metadata",
        &[Delete("metadata")],
        &[],
        Some(
            "[STREAMING_CHECKPOINT_MISSING_METADATA_FILE] Checkpoint location file:/tidemark/ckpt is in an inconsistent \
             state: the metadata file is missing but offset and/or commit logs contain data. Please restore the metadata \
             file or create a new checkpoint directory. SQLSTATE: 42K03",
        ),
    ),
    (
        "offsets without text",
        &[Write("offsets/2", "")],
        &[],
        Some("Failed to read log file file:/tidemark/ckpt/offsets/2. Incomplete log file"),
    ),
    (
        "a commit without text",
        &[Write("commits/2", "")],
        &[],
        Some(
            "Failed to read log file file:/tidemark/ckpt/commits/2. Incomplete log file in the offset commit log",
        ),
    ),
    (
        "offsets of a newer Spark",
        &[Write("offsets/2", "v99\n{}\n{\"logOffset\":2}")],
        &[],
        Some(
            "Failed to read log file file:/tidemark/ckpt/offsets/2. [INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION] \
             UnsupportedLogVersion. The maximum supported log version is v2, but encountered v99. The log file was \
             produced by a newer version of Spark and cannot be read by this version. You need to upgrade. SQLSTATE: \
             KD002",
        ),
    ),
    (
        "offsets that are none",
        &[Write("offsets/2", "xyz\n{}\n{\"logOffset\":2}")],
        &[],
        Some(
            "Failed to read log file file:/tidemark/ckpt/offsets/2. [MALFORMED_LOG_FILE] Log file was malformed: failed \
             to read correct log version from xyz. SQLSTATE: KD002",
        ),
    ),
    ("a commit of version 2", &[Write("commits/2", "v2\n{\"nextBatchWatermarkMs\":0}")], &[(3, &[4])], None),
    ("other names in the logs", &[Write("offsets/abc", "x"), Write("commits/tmp", "x")], &[(3, &[4])], None),
    (
        "offsets edited by hand",
        &[Write(
            "offsets/2",
            "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"logOffset\":1}",
        )],
        &[(3, &[3, 4])],
        None,
    ),
    (
        "offsets of two sources",
        &[Write(
            "offsets/2",
            "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"logOffset\":2}\n{\"logOffset\":2}",
        )],
        &[],
        Some(
            "assertion failed: There are [2] sources in the checkpoint offsets and now there are [1] sources requested by \
             the query. Cannot continue.",
        ),
    ),
];

#[test]
fn recorded_results() {
    let base = base();
    for (name, cuts, calls, error) in TABLE {
        let mut setting = base.clone();
        for cut in *cuts {
            match cut {
                Delete(path) => {
                    setting.world.delete_tree(&format!("/tidemark/ckpt/{path}")).expect("it is there");
                }
                Write(path, text) => {
                    let now = setting.world.now();
                    setting.world.drop_file(&format!("/tidemark/ckpt/{path}"), text.as_bytes(), now);
                }
            }
        }
        let wanted: Vec<(i64, Vec<i32>)> = calls.iter().map(|(batch, ids)| (*batch, ids.to_vec())).collect();
        assert_eq!(setting.calls(), (wanted, error.map(str::to_owned)), "without {name}");
    }
}

#[test]
fn metadata_that_is_no_json() {
    let mut setting = base();
    let now = setting.world.now();
    setting.world.drop_file("/tidemark/ckpt/metadata", "xx", now);
    let (calls, error) = setting.calls();
    assert!(calls.is_empty());
    assert!(
        error.is_some_and(|text| text.starts_with("Unrecognized token 'xx': was expecting (JSON String"))
    );
}

#[test]
fn a_function_that_raises_leaves_the_batch_planned() {
    use tidemark_engine::stream::Step;
    use tidemark_types::{ErrorClass, SparkError};
    let mut setting = base();
    let mut query = setting.start().expect("the checkpoint is whole");
    loop {
        match query.step(&mut setting.world, &tidemark_connectors::Formats).expect("nothing is armed") {
            Step::Ask(_) => {
                let text =
                    "An error occurred in the user provided function in foreach batch sink. Reason: boom";
                let cause =
                    SparkError::new(ErrorClass::Spark, "FOREACH_BATCH_USER_FUNCTION_ERROR", "39000", text);
                query.answer_foreach_batch(&mut setting.world, 0, Err(cause));
            }
            Step::Ended => break,
            Step::Did(_) | Step::Idle => {}
        }
    }
    let error = query.exception().expect("the function has raised");
    assert_eq!(error.condition.0, "STREAM_FAILED");
    assert!(error.full_message().contains("terminated with exception: [FOREACH_BATCH_USER_FUNCTION_ERROR]"));
    assert!(query.recent_progress().is_empty(), "a failed batch gives no entry");
    let files = setting.files("ckpt");
    assert!(files.contains(&"offsets/3".to_owned()) && !files.contains(&"commits/3".to_owned()));
    assert_eq!(setting.calls(), (vec![(3, vec![4])], None));
}
