//! Tables that Spark wrote, read by us and compared with the rows that Spark read from them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::util::display::{ArrayFormatter, FormatOptions};
use bytes::Bytes;
use serde_json::Value;
use tidemark_delta::{Error, Snapshot, parquet_file};
use tidemark_types::{Batch, SimTime, StructType};
use tidemark_world::World;

const TABLE: &str = "/table";

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/delta-golden")
}

/// All files below a folder, in the order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found
}

fn world_with(folder: &Path) -> World {
    let mut world = World::new("/", 1, SimTime(1_800_000_000_000));
    world.make_folders(TABLE).expect("the World is new");
    if folder.is_dir() {
        for file in files_below(folder) {
            let name = file.strip_prefix(folder).expect("below the folder").to_string_lossy().into_owned();
            let bytes = std::fs::read(&file).expect("the file is there");
            world.drop_file(&format!("{TABLE}/{name}"), bytes, SimTime(1_700_000_000_000));
        }
    }
    world
}

fn manifest() -> Vec<Value> {
    let text = std::fs::read_to_string(fixtures().join("MANIFEST.json")).expect("the manifest is there");
    serde_json::from_str(&text).expect("the manifest is JSON")
}

fn text_of<'a>(table: &'a Value, key: &str) -> &'a str {
    table.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{key} in {table}"))
}

/// Rows as texts, sorted: the order of rows has no meaning.
fn rows_of(batches: &[Batch]) -> Vec<String> {
    let options = FormatOptions::default().with_null("NULL");
    let mut rows = Vec::new();
    for batch in batches {
        let columns: Vec<_> = batch
            .columns()
            .iter()
            .map(|c| ArrayFormatter::try_new(c, &options).expect("a printable type"))
            .collect();
        for row in 0..batch.rows() {
            let cells: Vec<String> = columns.iter().map(|c| c.value(row).to_string()).collect();
            rows.push(cells.join(" | "));
        }
    }
    rows.sort();
    rows
}

fn expected_rows(folder: &Path, schema: &Arc<StructType>) -> Vec<String> {
    let batches: Vec<Batch> = files_below(folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|e| e == "parquet"))
        .map(|path| {
            let bytes = Bytes::from(std::fs::read(&path).expect("the file is there"));
            parquet_file::read(&path.to_string_lossy(), &bytes, schema).expect("Spark's rows parse")
        })
        .collect();
    rows_of(&batches)
}

fn actual(
    world: &mut World,
    version: Option<i64>,
    columns: Option<&[&str]>,
) -> Result<(Arc<StructType>, Vec<String>), Error> {
    let snapshot = Snapshot::load(world, TABLE, version)?;
    let schema = match columns {
        None => snapshot.schema().clone(),
        Some(left_out) => Arc::new(StructType::new(
            snapshot
                .schema()
                .fields
                .iter()
                .filter(|f| !left_out.contains(&f.name.as_str()))
                .cloned()
                .collect(),
        )),
    };
    let rows = rows_of(&snapshot.read_all(world, &schema)?);
    Ok((schema, rows))
}

/// Columns that no reader without the writer's zone can get right: Spark wrote their values without one.
fn left_out(name: &str) -> &'static [&'static str] {
    match name {
        "data-reader-partition-values" => &["as_timestamp"],
        "kernel-timestamp-pst" => &["part"],
        _ => &[],
    }
}

#[test]
fn every_plain_table_reads_as_spark_read_it() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for table in manifest() {
        if !matches!(text_of(&table, "category"), "ok" | "feature") {
            continue;
        }
        let name = text_of(&table, "name");
        let folder = fixtures().join(text_of(&table, "path"));
        let mut world = world_with(&folder.join("delta"));
        match actual(&mut world, None, Some(left_out(name))) {
            Err(error) => {
                wrong.push(format!("{name}: {error} {:?}", error.as_spark().and_then(|e| e.cause.clone())));
            }
            Ok((schema, rows)) => {
                let expected = expected_rows(&folder.join("expected"), &schema);
                if rows == expected {
                    count += 1;
                } else {
                    let first = rows.iter().zip(&expected).find(|(a, b)| a != b);
                    wrong.push(format!(
                        "{name}: {} rows, expected {}; {first:?}",
                        rows.len(),
                        expected.len()
                    ));
                }
            }
        }
    }
    println!("{count} tables agree");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, 54);
}

#[test]
fn acceptance_tables_read_at_every_version() {
    let mut count = 0;
    for table in manifest() {
        if text_of(&table, "category") != "dat" {
            continue;
        }
        let folder = fixtures().join(text_of(&table, "path"));
        let mut world = world_with(&folder.join("delta"));
        for entry in std::fs::read_dir(folder.join("expected")).expect("the folder is there") {
            let expected = entry.expect("an entry").path();
            let name = expected.file_name().expect("a name").to_string_lossy().into_owned();
            let version = name.strip_prefix('v').map(|v| v.parse().expect("a version"));
            let (schema, rows) = actual(&mut world, version, None).expect("the table reads");
            assert_eq!(rows, expected_rows(&expected, &schema), "{} {name}", text_of(&table, "name"));
            count += 1;
        }
    }
    assert_eq!(count, 12);
}

#[test]
fn broken_tables_are_refused_and_odd_ones_replayed() {
    let refused = [
        ("deltalog-invalid-protocol-version", "DELTA_INVALID_PROTOCOL_VERSION"),
        ("deltalog-state-reconstruction-from-checkpoint-missing-metadata", "DELTA_STATE_RECOVER_ERROR"),
        ("deltalog-state-reconstruction-from-checkpoint-missing-protocol", "DELTA_STATE_RECOVER_ERROR"),
        ("deltalog-state-reconstruction-without-metadata", "DELTA_STATE_RECOVER_ERROR"),
        ("deltalog-state-reconstruction-without-protocol", "DELTA_STATE_RECOVER_ERROR"),
        ("no-delta-log-folder", "DELTA_TABLE_NOT_FOUND"),
        ("versions-not-contiguous", "DELTA_VERSIONS_NOT_CONTIGUOUS"),
    ];
    let live = [
        ("canonicalized-paths-normal-b", vec![]),
        (
            "delete-re-add-same-file-different-transactions",
            vec![("bar", None), ("foo", Some(1_700_000_000_000))],
        ),
    ];
    for table in manifest() {
        if text_of(&table, "category") != "negative" {
            continue;
        }
        let name = text_of(&table, "name");
        let mut world = world_with(&fixtures().join(text_of(&table, "path")).join("delta"));
        let outcome = Snapshot::load(&mut world, TABLE, None);
        if let Some((_, condition)) = refused.iter().find(|(table, _)| *table == name) {
            let error = outcome.expect_err(name);
            assert_eq!(
                error.as_spark().map(|e| e.condition.0.as_str()),
                Some(*condition),
                "{name}: {error:?}"
            );
        } else {
            let (_, expected) =
                live.iter().find(|(table, _)| *table == name).unwrap_or_else(|| panic!("{name}"));
            let snapshot = outcome.expect(name);
            let mut files: Vec<_> =
                snapshot.files().map(|add| (add.path.as_str(), add.modification_time)).collect();
            files.sort_unstable();
            assert_eq!(files.len(), expected.len(), "{name}");
            for ((path, time), (wanted, modified)) in files.iter().zip(expected) {
                assert_eq!(path, wanted, "{name}");
                assert!(modified.is_none_or(|modified| modified == *time), "{name}: {time}");
            }
        }
    }
}
