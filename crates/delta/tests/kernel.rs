//! What we write, read by `delta_kernel`: a reader that shares no line with ours.

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use delta_kernel::engine::arrow_data::ArrowEngineData;
use delta_kernel::object_store::local::LocalFileSystem;
use delta_kernel_default_engine::DefaultEngine;
use tidemark_delta::{Snapshot, path};

mod every_type;

const TABLE: &str = "/out";

fn texts(record: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::default().with_null("NULL");
    let columns: Vec<_> = record
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options).expect("a printable type"))
        .collect();
    (0..record.num_rows())
        .map(|row| columns.iter().map(|c| c.value(row).to_string()).collect::<Vec<_>>().join(" | "))
        .collect()
}

/// The version, the version of the application, and the rows, sorted.
fn by_kernel(folder: &Path) -> (u64, Option<i64>, Vec<String>) {
    let engine = Arc::new(DefaultEngine::builder(Arc::new(LocalFileSystem::new())).build());
    let url = format!("file://{}/", folder.display());
    let snapshot =
        delta_kernel::Snapshot::builder_for(url).build(engine.as_ref()).expect("the kernel loads it");
    let version = snapshot.version();
    let txn = snapshot.get_app_id_version(every_type::APP, engine.as_ref()).expect("the kernel finds txn");
    let scan = snapshot.scan_builder().build().expect("the kernel plans it");
    let mut rows = Vec::new();
    for data in scan.execute(engine).expect("the kernel reads it") {
        let data = ArrowEngineData::try_from_engine_data(data.expect("a batch")).expect("it is Arrow");
        rows.extend(texts(&RecordBatch::from(data)));
    }
    rows.sort();
    (version, txn, rows)
}

fn by_us(world: &mut tidemark_world::World) -> (u64, Option<i64>, Vec<String>) {
    let snapshot = Snapshot::load(world, TABLE, None).expect("we load it");
    let txn = snapshot.transaction(every_type::APP).map(|txn| txn.version);
    let mut rows = Vec::new();
    for batch in snapshot.read_all(world, snapshot.schema()).expect("we read it") {
        rows.extend(texts(&batch.to_record_batch().expect("a batch is a record batch")));
    }
    rows.sort();
    (u64::try_from(snapshot.version()).expect("a version"), txn, rows)
}

#[test]
fn another_reader_agrees_with_and_without_the_first_commits() {
    let mut world = every_type::write(TABLE, 12);
    let folder = tempfile::tempdir().expect("a folder");
    every_type::export(&world, TABLE, folder.path());
    let ours = by_us(&mut world);
    assert_eq!((ours.0, ours.1, ours.2.len()), (11, Some(11), 48));
    assert_eq!(by_kernel(folder.path()), ours);

    for version in 0..10 {
        let name = path::commit("", version);
        std::fs::remove_file(folder.path().join(name.trim_start_matches('/'))).expect("the commit is there");
    }
    assert_eq!(by_kernel(folder.path()), ours);
}
