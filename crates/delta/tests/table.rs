//! Tables that we write: the bytes of their logs, what survives a crash, what conflicts, what is refused.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray as _, Int32Array, Int64Array, StringArray};
use arrow::datatypes::Int64Type;
use tidemark_delta::{
    Action, Add, Committed, Error, Operation, OutputMode, Prepared, Result, SaveMode, Snapshot,
    TableDefinition, TableWrite, Transaction, WriteMode, WriteRequest, commit_files, create_table, history,
    maybe_checkpoint, path, read_commit, version_at,
};
use tidemark_trace::When;
use tidemark_types::{Batch, DataType, Millis, SimTime, StructField, StructType};
use tidemark_world::{Fault, World};

const TABLE: &str = "/w/out";
const APP: &str = "q1";

fn world() -> World {
    World::new("/w", 7, SimTime(1_767_225_600_000))
}

fn schema(fields: &[(&str, DataType)]) -> Arc<StructType> {
    let fields = fields.iter().map(|(name, data_type)| StructField::new(*name, data_type.clone(), true));
    Arc::new(StructType::new(fields.collect()))
}

fn id_and_v() -> Arc<StructType> {
    schema(&[("id", DataType::Long), ("v", DataType::String)])
}

fn rows(ids: &[i64]) -> Batch {
    let texts: Vec<String> = ids.iter().map(|id| format!("r{id}")).collect();
    let columns: Vec<ArrayRef> =
        vec![Arc::new(Int64Array::from(ids.to_vec())), Arc::new(StringArray::from(texts))];
    Batch::new(id_and_v(), columns, ids.len())
}

fn stream(mode: WriteMode, batch_id: i64) -> WriteRequest {
    let name = if mode == WriteMode::Append { OutputMode::Append } else { OutputMode::Complete };
    WriteRequest::new(TABLE, id_and_v(), mode, Operation::streaming_update(name, APP, batch_id))
        .with_txn(APP, batch_id)
}

fn batch_write(mode: WriteMode) -> WriteRequest {
    let save = if mode == WriteMode::Append { SaveMode::Append } else { SaveMode::Overwrite };
    WriteRequest::new(TABLE, id_and_v(), mode, Operation::write(save, &[]))
}

/// All pieces of a write, one part for each batch.
fn run(world: &mut World, request: WriteRequest, parts: &[Batch]) -> Result<Option<Committed>> {
    let table_path = request.table_path.clone();
    let Prepared::Ready(write) = TableWrite::prepare(world, request)? else { return Ok(None) };
    let mut adds: Vec<Add> = Vec::new();
    for (task, part) in parts.iter().enumerate() {
        adds.extend(write.write_part(world, task, part)?);
    }
    let committed = write.commit(world, adds)?;
    if let Some(committed) = &committed {
        maybe_checkpoint(world, &table_path, committed.version)?;
    }
    Ok(committed)
}

fn ids(world: &mut World, version: Option<i64>) -> Vec<i64> {
    let snapshot = Snapshot::load(world, TABLE, version).expect("the table loads");
    let wanted = schema(&[("id", DataType::Long)]);
    let mut found: Vec<i64> = snapshot
        .read_all(world, &wanted)
        .expect("the files read")
        .iter()
        .flat_map(|batch| batch.column(0).as_primitive::<Int64Type>().values().to_vec())
        .collect();
    found.sort_unstable();
    found
}

/// A text with its ids and sizes taken out.
fn shape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let looks_like_uuid = rest.len() >= 36
            && rest.is_char_boundary(36)
            && rest[..36].bytes().enumerate().all(|(at, b)| match at {
                8 | 13 | 18 | 23 => b == b'-',
                _ => b.is_ascii_hexdigit(),
            });
        if looks_like_uuid {
            out.push_str("<id>");
            rest = &rest[36..];
        } else if let Some(after) = rest.strip_prefix("\"size\":") {
            out.push_str("\"size\":N");
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        } else if let Some(after) = rest.strip_prefix("Bytes\":\"") {
            out.push_str("Bytes\":\"N");
            rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

fn log_text(world: &World, version: i64) -> String {
    let object = world.peek(&path::commit(TABLE, version)).expect("the commit is there");
    shape(std::str::from_utf8(&object.bytes).expect("a log is text"))
}

#[test]
fn a_stream_s_commits_have_delta_s_bytes() {
    let mut world = world();
    run(&mut world, stream(WriteMode::Append, 0), &[rows(&[10, 11])]).expect("the first batch commits");
    assert_eq!(
        log_text(&world, 0),
        concat!(
            r#"{"commitInfo":{"timestamp":1767225600000,"operation":"STREAMING UPDATE","operationParameters":{"outputMode":"Append","queryId":"q1","epochId":"0"},"isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{"numRemovedFiles":"0","numAddedFiles":"1","numOutputRows":"2","numOutputBytes":"N"},"engineInfo":"Tidemark/0.1.0","txnId":"<id>"}}"#,
            "\n",
            r#"{"metaData":{"id":"<id>","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}},{\"name\":\"v\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{},"createdTime":1767225600000}}"#,
            "\n",
            r#"{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}"#,
            "\n",
            r#"{"txn":{"appId":"q1","version":0,"lastUpdated":1767225600000}}"#,
            "\n",
            r#"{"add":{"path":"part-00000-<id>-c000.snappy.parquet","partitionValues":{},"size":N,"modificationTime":1767225600000,"dataChange":true,"stats":"{\"numRecords\":2,\"minValues\":{\"id\":10,\"v\":\"r10\"},\"maxValues\":{\"id\":11,\"v\":\"r11\"},\"nullCount\":{\"id\":0,\"v\":0}}"}}"#,
            "\n",
        )
    );
    run(&mut world, stream(WriteMode::Append, 1), &[]).expect("a batch without rows commits");
    assert_eq!(
        log_text(&world, 1),
        concat!(
            r#"{"commitInfo":{"timestamp":1767225600001,"operation":"STREAMING UPDATE","operationParameters":{"outputMode":"Append","queryId":"q1","epochId":"1"},"readVersion":0,"isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{"numRemovedFiles":"0","numAddedFiles":"0","numOutputRows":"0","numOutputBytes":"N"},"engineInfo":"Tidemark/0.1.0","txnId":"<id>"}}"#,
            "\n",
            r#"{"txn":{"appId":"q1","version":1,"lastUpdated":1767225600000}}"#,
            "\n",
        )
    );
    run(&mut world, stream(WriteMode::Overwrite, 2), &[rows(&[1]), rows(&[2])])
        .expect("a Complete batch commits");
    let lines: Vec<String> = log_text(&world, 2).lines().map(|line| line[..12].to_owned()).collect();
    assert_eq!(
        lines,
        ["{\"commitInfo", "{\"txn\":{\"app", "{\"add\":{\"pat", "{\"add\":{\"pat", "{\"remove\":{\""]
    );
    assert!(log_text(&world, 2).ends_with(
        "\"deletionTimestamp\":1767225600001,\"dataChange\":true,\"extendedFileMetadata\":true,\"partitionValues\":{},\"size\":N}}\n"
    ));
    assert_eq!((ids(&mut world, None), ids(&mut world, Some(0))), (vec![1, 2], vec![10, 11]));
}

#[test]
fn a_batch_that_is_there_is_skipped() {
    let mut world = world();
    run(&mut world, stream(WriteMode::Append, 0), &[rows(&[1])]).expect("it commits");
    let writes = world.writes();
    let again = TableWrite::prepare(&mut world, stream(WriteMode::Append, 0)).expect("it is prepared");
    assert!(matches!(again, Prepared::Skip { version: 0 }));
    assert_eq!(world.writes(), writes);
}

#[test]
fn writes_that_say_nothing_make_no_version() {
    let mut world = world();
    assert!(
        run(&mut world, batch_write(WriteMode::Append), &[])
            .expect("an empty append makes the table")
            .is_some()
    );
    assert_eq!(run(&mut world, batch_write(WriteMode::Append), &[rows(&[])]).expect("it passes"), None);
    assert_eq!(run(&mut world, batch_write(WriteMode::Overwrite), &[]).expect("it passes"), None);
    run(&mut world, batch_write(WriteMode::Append), &[rows(&[1, 2])]).expect("it commits");
    let info = run(&mut world, batch_write(WriteMode::Overwrite), &[rows(&[3])])
        .expect("it commits")
        .expect("it makes a version")
        .info;
    let metrics = info.operation_metrics().expect("there are metrics");
    let keys: Vec<&str> = metrics.keys().map(String::as_str).collect();
    assert_eq!(keys, ["numFiles", "numRemovedFiles", "numRemovedBytes", "numOutputRows", "numOutputBytes"]);
    assert_eq!(info.parameters_as_map_text(), "Map(mode -> \"Overwrite\", partitionBy -> \"[]\")");
    assert_eq!(ids(&mut world, None), [3]);
}

#[test]
fn after_a_crash_at_any_write_the_batch_is_there_once() {
    for when in [When::Before, When::During, When::After] {
        for k in 1..=5 {
            let mut world = world();
            for batch_id in 0..10 {
                run(&mut world, stream(WriteMode::Append, batch_id), &[rows(&[batch_id])])
                    .expect("it commits");
            }
            world.arm(Fault::Write { k, when });
            let parts = [rows(&[100]), rows(&[101])];
            let outcome = run(&mut world, stream(WriteMode::Append, 10), &parts);
            assert!(outcome.expect_err("a crash falls").is_crash(), "{when:?} {k}");
            world.restart();
            run(&mut world, stream(WriteMode::Append, 10), &parts).expect("the batch runs again");
            let expected: Vec<i64> = (0..10).chain([100, 101]).collect();
            assert_eq!(ids(&mut world, None), expected, "{when:?} {k}");
            let snapshot = Snapshot::load(&mut world, TABLE, None).expect("the table loads");
            assert_eq!((snapshot.version(), snapshot.transaction(APP).map(|t| t.version)), (10, Some(10)));
        }
    }
}

#[test]
fn a_checkpoint_stands_for_the_commits_before_it() {
    let mut world = world();
    for batch_id in 0..12 {
        run(&mut world, stream(WriteMode::Append, batch_id), &[rows(&[batch_id])]).expect("it commits");
    }
    let pointer = world.peek(&path::last_checkpoint(TABLE)).expect("the pointer is there").bytes.clone();
    let size = world.peek(&path::checkpoint(TABLE, 10)).expect("the checkpoint is there").bytes.len();
    assert_eq!(
        String::from_utf8_lossy(&pointer),
        format!("{{\"version\":10,\"size\":14,\"sizeInBytes\":{size},\"numOfAddFiles\":11}}")
    );
    let before = Snapshot::load(&mut world, TABLE, None).expect("the table loads");
    for version in 0..10 {
        world.delete(&path::commit(TABLE, version)).expect("the commit is there");
    }
    world.put(&path::last_checkpoint(TABLE), "no JSON").expect("it is overwritten");
    let after = Snapshot::load(&mut world, TABLE, None).expect("the table loads");
    assert_eq!(after.metadata(), before.metadata());
    assert_eq!(after.transactions().collect::<Vec<_>>(), before.transactions().collect::<Vec<_>>());
    let paths = |snapshot: &Snapshot| snapshot.files().map(|f| f.path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&after), paths(&before));
    assert_eq!(after.files().next().map(|add| &add.stats), before.files().next().map(|add| &add.stats));
    assert_eq!(ids(&mut world, None), (0..12).collect::<Vec<_>>());
    let error = Snapshot::load(&mut world, TABLE, Some(9)).expect_err("version 9 is gone");
    assert_eq!(
        error.to_string(),
        "[DELTA_VERSION_NOT_FOUND] Cannot time travel Delta table to version 9. Available versions: [10, 11]."
    );
}

/// From every version to every later one, over appends, overwrites and a checkpoint; and when the log is not what it was.
#[test]
fn a_snapshot_that_is_brought_up_to_date_is_the_one_that_is_loaded() {
    let mut world = world();
    for batch_id in 0..12 {
        let mode = if batch_id % 4 == 3 { WriteMode::Overwrite } else { WriteMode::Append };
        run(&mut world, stream(mode, batch_id), &[rows(&[batch_id])]).expect("it commits");
    }
    let text = |snapshot: &Snapshot| {
        let files: Vec<_> = snapshot.files().collect();
        let tombstones: Vec<_> = snapshot.tombstones().collect();
        let transactions: Vec<_> = snapshot.transactions().collect();
        format!("{} {files:?} {tombstones:?} {transactions:?}", snapshot.version())
    };
    for known in 0..12 {
        for version in (0..12).map(Some).chain([None]) {
            let known = Snapshot::load(&mut world, TABLE, Some(known)).expect("it loads");
            let updated = known.update(&mut world, version).expect("it is found").expect("there is a table");
            let loaded = Snapshot::load(&mut world, TABLE, version).expect("it loads");
            // A checkpoint forgets that a commit changed data.
            let plain =
                |snapshot: &Snapshot| text(snapshot).replace("data_change: true", "data_change: false");
            assert_eq!(plain(&updated), plain(&loaded), "{} to {version:?}", known.version());
        }
    }
    let known = Snapshot::load(&mut world, TABLE, None).expect("it loads");
    world.take_facts();
    known.update(&mut world, None).expect("it is found");
    assert_eq!(world.take_facts().len(), 1, "one listing when nothing is new");
    world.delete(&path::commit(TABLE, 11)).expect("it is there");
    let earlier = known.update(&mut world, None).expect("it is found").expect("there is a table");
    assert_eq!(earlier.version(), 10, "a log that lost its end is read anew");
    world.delete_tree(TABLE).expect("it is there");
    assert!(known.update(&mut world, None).expect("there is nothing to refuse").is_none());
}

#[test]
fn the_times_of_commits_increase_though_the_clock_stands() {
    let mut world = world();
    for batch_id in 0..3 {
        run(&mut world, stream(WriteMode::Append, batch_id), &[rows(&[batch_id])]).expect("it commits");
    }
    let times: Vec<i64> =
        commit_files(&mut world, TABLE).iter().map(|c| c.time.0 - 1_767_225_600_000).collect();
    assert_eq!(times, [0, 1, 2]);
}

fn condition_of(outcome: Result<impl std::fmt::Debug>) -> String {
    match outcome.expect_err("it is refused") {
        Error::Spark(error) => error.condition.0,
        Error::World(error) => error.to_string(),
    }
}

#[test]
fn data_of_another_shape_is_refused_or_merged() {
    let mut world = world();
    run(&mut world, stream(WriteMode::Append, 0), &[rows(&[1])]).expect("it commits");
    let id = Snapshot::load(&mut world, TABLE, None).expect("it loads").table_id().to_owned();
    let wider = schema(&[("z", DataType::Integer), ("ID", DataType::Long)]);
    let request =
        |batch_id| WriteRequest { data_schema: wider.clone(), ..stream(WriteMode::Append, batch_id) };
    let error = TableWrite::prepare(&mut world, request(1)).expect_err("z is new");
    let Error::Spark(error) = error else { panic!("{error}") };
    assert_eq!(error.condition.0, "DELTA_METADATA_MISMATCH");
    assert_eq!(
        error.message,
        format!(
            "A metadata mismatch was detected when writing to the Delta table.\n- A schema mismatch detected when writing to the Delta table (Table ID: {id}).\nTo enable schema migration using DataFrameWriter or DataStreamWriter, please set: '.option(\"mergeSchema\", \"true\")'.\nFor other operations, set the session configuration spark.databricks.delta.schema.autoMerge.enabled to \"true\". See the documentation specific to the operation for details.\n\nTable schema:\nroot\n |-- id: long (nullable = true)\n |-- v: string (nullable = true)\n\n\nData schema:\nroot\n |-- z: integer (nullable = true)\n |-- ID: long (nullable = true)\n\n"
        )
    );
    // The schema is checked before the replay test.
    assert_eq!(condition_of(TableWrite::prepare(&mut world, request(0))), "DELTA_METADATA_MISMATCH");

    let columns: Vec<ArrayRef> =
        vec![Arc::new(Int32Array::from(vec![5])), Arc::new(Int64Array::from(vec![2]))];
    let merging = WriteRequest { merge_schema: true, ..request(1) };
    run(&mut world, merging, &[Batch::new(wider.clone(), columns, 1)]).expect("z is merged");
    let snapshot = Snapshot::load(&mut world, TABLE, None).expect("it loads");
    assert_eq!(snapshot.schema().names(), ["id", "v", "z"]);
    assert_eq!(snapshot.table_id(), id);
    assert_eq!(
        snapshot.files().nth(1).and_then(|add| add.stats.as_deref()),
        Some(
            r#"{"numRecords":1,"minValues":{"id":2,"z":5},"maxValues":{"id":2,"z":5},"nullCount":{"id":0,"v":1,"z":0}}"#
        )
    );
    assert_eq!(ids(&mut world, None), [1, 2]);
}

#[test]
fn refusals_have_delta_s_conditions() {
    let cases: Vec<(&str, Arc<StructType>, fn(&mut WriteRequest))> = vec![
        ("DELTA_FAILED_TO_MERGE_FIELDS", schema(&[("id", DataType::Boolean)]), |_| {}),
        ("DELTA_NULL_SCHEMA_IN_STREAMING_WRITE", schema(&[("id", DataType::Null)]), |_| {}),
        ("DELTA_METADATA_MISMATCH", id_and_v(), |r| r.partition_by = Some(vec!["v".into()])),
        ("DELTA_DUPLICATE_COLUMNS_FOUND", schema(&[("id", DataType::Long), ("ID", DataType::Long)]), |_| {}),
        ("DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES", schema(&[("a b", DataType::Long)]), |r| {
            r.merge_schema = true;
        }),
        ("DELTA_CANNOT_USE_ALL_COLUMNS_FOR_PARTITION", schema(&[("id", DataType::Long)]), |r| {
            r.table_path = "/w/other".into();
            r.partition_by = Some(vec!["id".into()]);
        }),
    ];
    for (condition, data_schema, change) in cases {
        let mut world = world();
        run(&mut world, stream(WriteMode::Append, 0), &[rows(&[1])]).expect("it commits");
        let mut request = WriteRequest { data_schema, ..stream(WriteMode::Append, 1) };
        change(&mut request);
        assert_eq!(condition_of(TableWrite::prepare(&mut world, request)), condition);
    }
}

#[test]
fn partitions_lie_in_folders_and_come_back_as_columns() {
    let mut world = world();
    let texts = StringArray::from(vec![Some("a b/c%é"), None, Some("x"), Some("a b/c%é"), Some("")]);
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5])), Arc::new(texts)];
    let request = WriteRequest { partition_by: Some(vec!["V".into()]), ..stream(WriteMode::Append, 0) };
    run(&mut world, request, &[Batch::new(id_and_v(), columns, 5)]).expect("it commits");
    let snapshot = Snapshot::load(&mut world, TABLE, None).expect("it loads");
    assert_eq!(snapshot.partition_columns(), ["v"]);
    let paths: Vec<String> = snapshot.files().map(|add| shape(&add.path)).collect();
    assert_eq!(
        paths,
        [
            "v=__HIVE_DEFAULT_PARTITION__/part-00000-<id>.c000.snappy.parquet",
            "v=a%20b%252Fc%2525é/part-00000-<id>.c000.snappy.parquet",
            "v=x/part-00000-<id>.c000.snappy.parquet"
        ]
    );
    let mut found = Vec::new();
    for batch in snapshot.read_all(&mut world, snapshot.schema()).expect("the files read") {
        for row in 0..batch.rows() {
            let text = batch.column(1).as_string::<i32>().iter().nth(row).flatten().map(str::to_owned);
            found.push((batch.column(0).as_primitive::<Int64Type>().value(row), text));
        }
    }
    found.sort();
    let odd = Some("a b/c%é".to_owned());
    assert_eq!(found, [(1, odd.clone()), (2, None), (3, Some("x".into())), (4, odd), (5, None)]);
}

/// What happens to a loser that read version 0 while a winner made version 1.
fn race(loser: WriteRequest, winner: impl FnOnce(&mut World)) -> Result<Option<Committed>> {
    let mut world = world();
    run(&mut world, batch_write(WriteMode::Append), &[rows(&[1])]).expect("it commits");
    let Prepared::Ready(write) = TableWrite::prepare(&mut world, loser)? else { panic!("it is new") };
    let adds = write.write_part(&mut world, 0, &rows(&[9]))?;
    winner(&mut world);
    write.commit(&mut world, adds)
}

fn other_append(world: &mut World) {
    run(world, batch_write(WriteMode::Append), &[rows(&[2])]).expect("the winner commits");
}

fn other_overwrite(world: &mut World) {
    run(world, batch_write(WriteMode::Overwrite), &[rows(&[2])]).expect("the winner commits");
}

fn delete_all(world: &mut World) {
    run(world, batch_write(WriteMode::Overwrite), &[]).expect("the winner commits");
}

fn own_batch(world: &mut World) {
    run(world, stream(WriteMode::Append, 0), &[rows(&[2])]).expect("the winner commits");
}

fn new_property(world: &mut World) {
    let transaction = Transaction::start(world, TABLE).expect("it starts");
    let metadata = transaction.snapshot().expect("the table is there").metadata().clone();
    let operation = Operation::new("SET TBLPROPERTIES", tidemark_delta::action::TextMap::new());
    let none = tidemark_delta::action::TextMap::new();
    transaction
        .commit(world, vec![Action::Metadata(metadata)], &operation, none, None)
        .expect("the winner commits");
}

#[test]
fn the_conflict_matrix_is_that_of_serializable() {
    let append = || stream(WriteMode::Append, 0);
    let complete = || stream(WriteMode::Overwrite, 0);
    let cases: Vec<(WriteRequest, fn(&mut World), Option<&str>)> = vec![
        (append(), other_append, None),
        (append(), other_overwrite, None),
        (append(), delete_all, None),
        (append(), new_property, Some("DELTA_METADATA_CHANGED")),
        (append(), own_batch, Some("DELTA_CONCURRENT_TRANSACTION")),
        (complete(), other_append, Some("DELTA_CONCURRENT_APPEND.WITHOUT_HINT")),
        (complete(), other_overwrite, Some("DELTA_CONCURRENT_APPEND.WITHOUT_HINT")),
        (complete(), delete_all, Some("DELTA_CONCURRENT_DELETE_READ.WITHOUT_HINT")),
        (complete(), new_property, Some("DELTA_METADATA_CHANGED")),
    ];
    for (loser, winner, expected) in cases {
        let name = format!("{:?} against {expected:?}", loser.mode);
        let outcome = race(loser, winner);
        match expected {
            None => {
                let committed = outcome.expect(&name).expect("it makes a version");
                assert_eq!(committed.version, 2, "{name}");
                assert_eq!(committed.info.0["readVersion"], 0, "a rebased commit keeps what it read");
            }
            Some(condition) => assert_eq!(condition_of(outcome), condition, "{name}"),
        }
    }
}

#[test]
fn a_log_with_a_hole_or_a_torn_line_is_refused() {
    let mut whole = world();
    for batch_id in 0..4 {
        run(&mut whole, stream(WriteMode::Append, batch_id), &[rows(&[batch_id])]).expect("it commits");
    }
    let mut gap = whole.clone();
    gap.delete(&path::commit(TABLE, 1)).expect("it is there");
    let error = Snapshot::load(&mut gap, TABLE, None).expect_err("1 is missing");
    assert!(error.to_string().starts_with(
        "[DELTA_VERSIONS_NOT_CONTIGUOUS] Versions (0, 2, 3) are not contiguous. \nA gap in the delta log between versions 0 and 2 was detected while trying to load version -1."
    ), "{error}");
    let mut torn = whole.clone();
    torn.put(&path::commit(TABLE, 2), "{\"add\":{\"path\":").expect("it is overwritten");
    assert_eq!(condition_of(Snapshot::load(&mut torn, TABLE, None)), "FAILED_READ_FILE.NO_HINT");
    assert_eq!(ids(&mut torn, Some(1)), [0, 1]);
    let mut prefix = whole.clone();
    prefix.delete(&path::commit(TABLE, 0)).expect("it is there");
    assert_eq!(condition_of(Snapshot::load(&mut prefix, TABLE, None)), "DELTA_TRUNCATED_TRANSACTION_LOG");
    assert_eq!(condition_of(Snapshot::load(&mut whole, "/w", None)), "DELTA_TABLE_NOT_FOUND");
    assert_eq!(condition_of(Snapshot::load(&mut whole, "/w/nope", None)), "PATH_NOT_FOUND");
    let table = Snapshot::load(&mut whole, TABLE, None).expect("it loads");
    let file = table.files().next().expect("a file").path.clone();
    whole.delete(&format!("{TABLE}/{file}")).expect("it is there");
    let snapshot = Snapshot::load(&mut whole, TABLE, None).expect("it loads");
    let outcome = snapshot.read_all(&mut whole, snapshot.schema());
    assert_eq!(condition_of(outcome), "FAILED_READ_FILE.FILE_NOT_EXIST");
    assert_eq!(read_commit(&mut whole, TABLE, 1).expect("it parses").len(), 3);
}

#[test]
fn one_travels_to_a_version_or_a_time() {
    let mut world = world();
    for batch_id in 0..3 {
        world.advance(Millis(1500));
        run(&mut world, stream(WriteMode::Append, batch_id), &[rows(&[batch_id])]).expect("it commits");
    }
    let at = |world: &mut World, millis: i64| version_at(world, TABLE, SimTime(1_767_225_600_000 + millis));
    assert_eq!(at(&mut world, 1500), Ok(0));
    assert_eq!(at(&mut world, 2999), Ok(0));
    assert_eq!(at(&mut world, 4500), Ok(2));
    assert_eq!(
        at(&mut world, 0).expect_err("it is too early").to_string(),
        "[DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION] The provided timestamp (2026-01-01 00:00:00.0) is before the earliest version available to\nthis table (2026-01-01 00:00:01.5). Please use a timestamp after 2026-01-01 00:00:01."
    );
    assert_eq!(
        at(&mut world, 5000).expect_err("it is too late").to_string(),
        "[DELTA_TIMESTAMP_GREATER_THAN_COMMIT] Timestamp 2026-01-01 00:00:05.0 is after the table's latest version (2026-01-01 00:00:04.5). Use a timestamp at or before 2026-01-01 00:00:04."
    );
    let operations: Vec<(i64, i64)> = history(&mut world, TABLE)
        .expect("the log reads")
        .iter()
        .map(|entry| (entry.version, entry.time.0 - 1_767_225_600_000))
        .collect();
    assert_eq!(operations, [(2, 4500), (1, 3000), (0, 1500)]);
    assert_eq!(Snapshot::as_of_version(&mut world, TABLE, 1).expect("it is young").version(), 1);
    world.advance(Millis(7 * 24 * 60 * 60 * 1000));
    assert_eq!(
        condition_of(Snapshot::as_of_version(&mut world, TABLE, 1)),
        "DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION"
    );
}

#[test]
fn a_defined_table_has_a_version_without_rows() {
    let mut world = world();
    let mut definition = TableDefinition { is_managed: true, ..TableDefinition::default() };
    create_table(&mut world, TABLE, id_and_v(), &definition).expect("it is made");
    let text = log_text(&world, 0);
    assert!(text.starts_with(
        r#"{"commitInfo":{"timestamp":1767225600000,"operation":"CREATE TABLE","operationParameters":{"partitionBy":"[]","clusterBy":"[]","description":null,"isManaged":"true","properties":"{}"},"isolationLevel":"Serializable","isBlindAppend":true,"operationMetrics":{},"engineInfo":"#
    ), "{text}");
    let keys: Vec<&str> = text.lines().map(|line| &line[2..line.find(':').expect("a key") - 1]).collect();
    assert_eq!(keys, ["commitInfo", "metaData", "protocol"]);

    definition.properties.insert("delta.enableChangeDataFeed".into(), "true".into());
    create_table(&mut world, "/w/feed", id_and_v(), &definition).expect("it is made");
    let snapshot = Snapshot::load(&mut world, "/w/feed", None).expect("it loads");
    assert_eq!(
        Action::Protocol(snapshot.protocol().clone()).render(),
        r#"{"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["changeDataFeed","invariants","appendOnly"]}}"#
    );
    assert!(snapshot.is_enabled("delta.enableChangeDataFeed"));
}
