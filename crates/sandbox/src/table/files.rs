//! A folder that a query of files writes: the rows of the files that its log names, others apart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;
use tidemark_connectors::Formats;
use tidemark_engine::Connectors as _;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_plan::spec::ListedFile;
use tidemark_plan::{Attribute, ReadSpec};
use tidemark_types::StructType;
use tidemark_world::World;

use super::row::{Placed, Table, Writer};
use crate::moment::Lane;
use crate::sink::cells;
use crate::store::relative;

/// Bytes of text beyond which the rows are counted, not read.
const BYTES_READ_MAX: u64 = 4 << 20;

/// The table at a path, if it has been begun.
pub(crate) fn table(world: &World, lane: &Lane, path: &str) -> Option<Table> {
    if !world.is_folder(path) {
        return None;
    }
    let batches = batches(world, path);
    let schema = Arc::new(Attribute::schema(&lane.plan.output()));
    let name = format!("{}/", relative(world, path).unwrap_or(path));
    let columns = schema.names().iter().map(|name| (*name).to_owned()).collect();
    let mut table = Table { name, kind: "files", columns, ..Table::default() };
    table.orphans = orphans(world, path, &batches);
    let size: u64 = batches.keys().filter_map(|file| world.head(file)).map(|meta| meta.size).sum();
    if size > BYTES_READ_MAX {
        table.total = batches.keys().map(|file| lines(world, file)).sum();
        return Some(table);
    }
    let mut files: Vec<(&String, &i64)> = batches.iter().collect();
    files.sort_by_key(|(file, batch)| (**batch, (*file).clone()));
    let mut world = world.clone();
    for (file, batch) in files {
        let rows = rows(&mut world, lane, path, file, &schema);
        let shown = relative(&world, file).map(str::to_owned);
        table.rows.extend(rows.into_iter().enumerate().map(|(position, cells)| Placed {
            cells,
            writer: Some(Writer { query: lane.view.id.clone(), batch: *batch }),
            version: None,
            txn: None,
            moved: None,
            file: shown.clone(),
            position,
        }));
    }
    table.total = table.rows.len() as u64;
    Some(table)
}

/// The files that the log names, each with the first batch that names it.
fn batches(world: &World, path: &str) -> BTreeMap<String, i64> {
    let folder = format!("{path}/_spark_metadata");
    let mut entries: BTreeMap<i64, String> = BTreeMap::new();
    for meta in world.peek_list(&folder) {
        let name = meta.path.rsplit('/').next().unwrap_or_default();
        let number = name.strip_suffix(".compact").unwrap_or(name).parse();
        if let (Ok(number), Some(object)) = (number, world.peek(&meta.path)) {
            entries.insert(number, String::from_utf8_lossy(&object.bytes).into_owned());
        }
    }
    let mut found = BTreeMap::new();
    for (batch, text) in entries {
        for line in text.lines().skip(1) {
            let Ok(entry) = serde_json::from_str::<Json>(line) else { continue };
            let uri = entry.get("path").and_then(Json::as_str);
            if let Some(uri) = uri.filter(|_| entry.get("action").is_none_or(|action| action == "add")) {
                found.entry(world.from_uri(uri)).or_insert(batch);
            }
        }
    }
    found
}

fn rows(
    world: &mut World,
    lane: &Lane,
    path: &str,
    file: &str,
    schema: &Arc<StructType>,
) -> Vec<Vec<String>> {
    let Some(meta) = world.head(file) else { return Vec::new() };
    let partition = partition(path, file);
    let listed = ListedFile { partition, ..ListedFile::new(file, meta.size, meta.modified) };
    let spec = ReadSpec {
        format: lane.sink_kind.clone(),
        paths: vec![path.to_owned()],
        table: None,
        options: lane.way.options().clone(),
        schema: Some(schema.as_ref().clone()),
        streaming: false,
        listing: Some(Arc::new(vec![listed])),
    };
    let read =
        Formats.reader(world, &QueryConf::default(), &spec, schema).and_then(|reader| reader.read(world));
    let batches = read.unwrap_or_default().into_iter().flat_map(|task| task.batches);
    batches.flat_map(|batch| cells(&batch, batch.rows())).collect()
}

/// The columns that the folders between a table and its file name.
fn partition(path: &str, file: &str) -> Vec<(String, Option<String>)> {
    let below = file.strip_prefix(path).unwrap_or_default().trim_start_matches('/');
    let folders = below.rsplit_once('/').map_or("", |(folders, _)| folders);
    let value =
        |text: &str| (text != "__HIVE_DEFAULT_PARTITION__").then(|| tidemark_delta::path::decode(text));
    folders
        .split('/')
        .filter_map(|folder| folder.split_once('='))
        .map(|(name, text)| (name.to_owned(), value(text)))
        .collect()
}

fn lines(world: &World, file: &str) -> u64 {
    let Some(object) = world.peek(file) else { return 0 };
    object.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count() as u64
}

/// Data files that no entry of the log names, relative to the root.
fn orphans(world: &World, path: &str, known: &BTreeMap<String, i64>) -> Vec<String> {
    let known: BTreeSet<&str> = known.keys().map(String::as_str).collect();
    let is_data = |below: &str| !below.split('/').any(|part| part.starts_with(['_', '.']));
    world
        .peek_list(path)
        .iter()
        .filter(|meta| is_data(&meta.path[path.len() + 1..]) && !known.contains(meta.path.as_str()))
        .filter_map(|meta| relative(world, &meta.path).map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::partition;

    #[test]
    fn columns_that_folders_name() {
        let some = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        for (file, wanted) in [
            ("/t/out/part-0.json", vec![]),
            ("/t/out/day=1/part-0.json", vec![some("day", "1")]),
            ("/t/out/a=x%20y/b=__HIVE_DEFAULT_PARTITION__/p", vec![some("a", "x y"), ("b".to_owned(), None)]),
        ] {
            assert_eq!(partition("/t/out", file), wanted, "{file}");
        }
    }
}
