//! An object, opened: what it is, what it promises, its fields or rows.

use std::sync::Arc;

use serde_json::Value as Json;
use tidemark_protocol::{Field, ObjectBody, ObjectView, Table};
use tidemark_types::SimTime;
use tidemark_world::World;

use crate::sink::cells;

/// Rows that an opened file shows at most.
const ROWS_MAX: usize = 500;

/// What kind of object a path names.
enum Kind {
    Offsets(i64),
    Commits(i64),
    Metadata,
    SourceLog,
    SinkLog,
    DeltaCommit(i64),
    LastCheckpoint,
    Parquet,
    Temporary,
    JsonRows,
    Text,
}

fn kind_of(path: &str) -> Kind {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parents: Vec<&str> = folder.rsplit('/').collect();
    let parent = parents.first().copied().unwrap_or_default();
    if name.starts_with('.') && name.ends_with(".tmp") {
        return Kind::Temporary;
    }
    match (parent, name.parse::<i64>()) {
        ("offsets", Ok(n)) => return Kind::Offsets(n),
        ("commits", Ok(n)) => return Kind::Commits(n),
        _ => {}
    }
    if parents.get(1) == Some(&"sources") {
        return Kind::SourceLog;
    }
    if parent == "_spark_metadata" {
        return Kind::SinkLog;
    }
    if parent == "_delta_log" {
        if name == "_last_checkpoint" {
            return Kind::LastCheckpoint;
        }
        if let Some(version) = name.strip_suffix(".json").and_then(|v| v.parse().ok()) {
            return Kind::DeltaCommit(version);
        }
    }
    if name == "metadata" {
        return Kind::Metadata;
    }
    if name.ends_with(".parquet") {
        return Kind::Parquet;
    }
    if name.ends_with(".json") { Kind::JsonRows } else { Kind::Text }
}

/// The object at a path relative to the root.
pub(crate) fn open(world: &World, path: &str) -> ObjectView {
    let absolute = world.resolve(path);
    let Some(object) = world.peek(&absolute) else {
        return ObjectView {
            path: path.to_owned(),
            bytes: 0,
            modified: SimTime(0),
            kind: "gone".to_owned(),
            words: "This object does not exist at this moment.".to_owned(),
            raw: String::new(),
            body: ObjectBody::Gone,
        };
    };
    let kind = kind_of(path);
    let text = String::from_utf8_lossy(&object.bytes);
    let raw = match kind {
        Kind::Parquet => hex(&object.bytes),
        _ => text.chars().take(ObjectView::RAW_MAX).collect(),
    };
    let (name, words) = describe(&kind);
    let body = match kind {
        Kind::Parquet => parquet_rows(&absolute, &object.bytes),
        Kind::JsonRows => json_rows(&text),
        Kind::SourceLog | Kind::SinkLog => json_rows(text.split_once('\n').map_or("", |(_, rest)| rest)),
        Kind::Offsets(_) | Kind::Commits(_) => log_fields(&text),
        Kind::Metadata | Kind::LastCheckpoint | Kind::DeltaCommit(_) => json_fields(&text),
        Kind::Temporary | Kind::Text => ObjectBody::Text,
    };
    ObjectView {
        path: path.to_owned(),
        bytes: object.bytes.len() as u64,
        modified: object.modified,
        kind: name,
        words,
        raw,
        body,
    }
}

fn describe(kind: &Kind) -> (String, String) {
    let (name, words) = match kind {
        Kind::Offsets(n) => (
            format!("offset log: batch {n} is planned"),
            format!("Batch {n} reads exactly this range, now and whenever it is run again. Written before the first row is read."),
        ),
        Kind::Commits(n) => (
            format!("commit log: batch {n} is done"),
            format!("The sink has accepted batch {n}. Without this file the batch runs again after a restart."),
        ),
        Kind::Metadata => (
            "query metadata".to_owned(),
            "The id of the query. It stays the same over all restarts; Delta's txn carries it.".to_owned(),
        ),
        Kind::SourceLog => (
            "source log".to_owned(),
            "The files that the source has seen. They are never listed as new again.".to_owned(),
        ),
        Kind::SinkLog => (
            "file sink log".to_owned(),
            "Readers of this folder see the files that this log names, and no others. A batch that it has is not written again.".to_owned(),
        ),
        Kind::DeltaCommit(v) => (
            format!("Delta commit: version {v}"),
            "One atomic change of the table. Its txn names the query and the batch, so a second try is skipped.".to_owned(),
        ),
        Kind::LastCheckpoint => (
            "pointer to the last checkpoint".to_owned(),
            "Readers start at this version and replay only the commits after it.".to_owned(),
        ),
        Kind::Parquet => (
            "Parquet data file".to_owned(),
            "Rows in columns. They belong to the table only once a commit names the file.".to_owned(),
        ),
        Kind::Temporary => (
            "temporary file".to_owned(),
            "Half written when the driver stopped. Readers ignore it; nothing refers to it.".to_owned(),
        ),
        Kind::JsonRows => ("JSON lines".to_owned(), "One row a line. The source reads the file once.".to_owned()),
        Kind::Text => ("text".to_owned(), String::new()),
    };
    (name, words)
}

fn hex(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (line, chunk) in bytes.chunks(16).take(400).enumerate() {
        let digits: Vec<String> = chunk.iter().map(|b| format!("{b:02x}")).collect();
        let text: String =
            chunk.iter().map(|b| if b.is_ascii_graphic() || *b == b' ' { *b as char } else { '.' }).collect();
        out.push_str(&format!("{:06x}  {:<47}  {text}\n", line * 16, digits.join(" ")));
    }
    out
}

fn parquet_rows(path: &str, bytes: &bytes::Bytes) -> ObjectBody {
    let rows = tidemark_delta::parquet_file::read_schema(path, bytes)
        .and_then(|schema| tidemark_delta::parquet_file::read(path, bytes, &Arc::new(schema)));
    match rows {
        Ok(batch) => ObjectBody::Rows {
            table: Table {
                columns: batch.schema().names().iter().map(|n| (*n).to_owned()).collect(),
                rows: cells(&batch, ROWS_MAX),
                total: batch.rows() as u64,
            },
        },
        Err(_) => ObjectBody::Text,
    }
}

fn json_rows(text: &str) -> ObjectBody {
    let mut table = Table::default();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        table.total += 1;
        if table.rows.len() >= ROWS_MAX {
            continue;
        }
        let Ok(Json::Object(fields)) = serde_json::from_str::<Json>(line) else {
            table.rows.push(vec![line.to_owned()]);
            continue;
        };
        for name in fields.keys() {
            if !table.columns.contains(name) {
                table.columns.push(name.clone());
            }
        }
        table.rows.push(
            table
                .columns
                .iter()
                .map(|name| match fields.get(name) {
                    None => String::new(),
                    Some(Json::String(text)) => text.clone(),
                    Some(Json::Null) => "null".to_owned(),
                    Some(other) => other.to_string(),
                })
                .collect(),
        );
    }
    if table.columns.is_empty() {
        return ObjectBody::Text;
    }
    let width = table.columns.len();
    for row in &mut table.rows {
        row.resize(width, String::new());
    }
    ObjectBody::Rows { table }
}

/// `v1`, a line of JSON, and for offsets a line for each source.
fn log_fields(text: &str) -> ObjectBody {
    let mut fields = Vec::new();
    for (at, line) in text.lines().enumerate() {
        match (at, serde_json::from_str::<Json>(line)) {
            (0, _) => fields.push(field("version", line, 0)),
            (1, Ok(json)) => flatten(&json, 0, &mut fields),
            (n, Ok(Json::Object(object))) => {
                let json = Json::Object(object);
                fields.push(field(&format!("source {}", n - 2), &json.to_string(), 0));
            }
            (n, _) => fields.push(field(&format!("source {}", n.saturating_sub(2)), line, 0)),
        }
    }
    ObjectBody::Fields { fields }
}

fn json_fields(text: &str) -> ObjectBody {
    let mut fields = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<Json>(line) {
            Ok(json) => flatten(&json, 0, &mut fields),
            Err(_) => fields.push(field("unreadable", line, 0)),
        }
    }
    ObjectBody::Fields { fields }
}

fn flatten(json: &Json, depth: u8, fields: &mut Vec<Field>) {
    let Json::Object(object) = json else { return };
    for (name, value) in object {
        match value {
            Json::Object(inner) if !inner.is_empty() => {
                fields.push(field(name, "", depth));
                flatten(value, depth.saturating_add(1), fields);
            }
            Json::String(text) => fields.push(field(name, text, depth)),
            other => fields.push(field(name, &other.to_string(), depth)),
        }
    }
}

fn field(name: &str, value: &str, depth: u8) -> Field {
    Field { name: name.to_owned(), value: value.to_owned(), meaning: meaning(name).to_owned(), depth }
}

/// What a field means, a few words.
// tidy: table
fn meaning(name: &str) -> &'static str {
    match name {
        "id" => "the id of the query or of the table",
        "batchWatermarkMs" => "the watermark of this batch, milliseconds",
        "batchTimestampMs" => "current_timestamp() of this batch",
        "nextBatchWatermarkMs" => "the watermark of the next batch, milliseconds",
        "conf" => "settings that a restart takes from here",
        "source 0" => "how far this batch reads: the last entry of the source log",
        "commitInfo" => "who wrote it",
        "operation" => "what kind of change",
        "epochId" => "the batch",
        "queryId" | "appId" => "the query",
        "txn" => "query and batch: a second try of the batch is skipped",
        "add" => "a data file joins the table",
        "remove" => "a data file leaves the table",
        "protocol" => "what a reader and a writer must know",
        "metaData" => "schema and settings of the table",
        "stats" => "rows, smallest and greatest values",
        "isBlindAppend" => "nothing was read to write this",
        "path" => "the data file",
        "numOutputRows" => "rows written",
        _ => "",
    }
}
