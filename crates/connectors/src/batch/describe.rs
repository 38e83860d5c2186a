//! `DESCRIBE HISTORY` and `DESCRIBE DETAIL`: what a log says of a table, as rows.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Map, Value, json};
use tidemark_delta::{HistoryEntry, Snapshot, history};
use tidemark_engine::connector::Settings;
use tidemark_engine::{Reader, Result, Task};
use tidemark_plan::ReadSpec;
use tidemark_types::timestamp::timestamp_ntz_text;
use tidemark_types::{Batch, ErrorClass, SimTime, SparkError, StructType};
use tidemark_world::World;

use crate::batch::delta::engine_error;
use crate::batch::files::printed;
use crate::format::{Input, open};

/// The formats under which readers ask for a description; no script can name them.
pub const HISTORY: &str = "delta history";
/// See [`HISTORY`].
pub const DETAIL: &str = "delta detail";

const HISTORY_SCHEMA: &str = "version BIGINT, timestamp TIMESTAMP, userId STRING, userName STRING, operation STRING, \
    operationParameters MAP<STRING, STRING>, job STRUCT<jobId: STRING, jobName: STRING, jobRunId: STRING, runId: STRING, \
    jobOwnerId: STRING, triggerType: STRING>, notebook STRUCT<notebookId: STRING>, clusterId STRING, readVersion BIGINT, \
    isolationLevel STRING, isBlindAppend BOOLEAN, operationMetrics MAP<STRING, STRING>, userMetadata STRING, \
    engineInfo STRING";

const DETAIL_SCHEMA: &str = "format STRING, id STRING, name STRING, description STRING, location STRING, \
    createdAt TIMESTAMP, lastModified TIMESTAMP, partitionColumns ARRAY<STRING>, clusteringColumns ARRAY<STRING>, \
    numFiles BIGINT, sizeInBytes BIGINT, properties MAP<STRING, STRING>, minReaderVersion INT, minWriterVersion INT, \
    tableFeatures ARRAY<STRING>";

/// Whether a reader asks for a description.
pub fn is_description(spec: &ReadSpec) -> bool {
    !spec.streaming && matches!(spec.format.as_str(), HISTORY | DETAIL)
}

/// The columns of a description.
pub fn schema(spec: &ReadSpec) -> Result<StructType> {
    Ok(StructType::from_ddl(if spec.format == HISTORY { HISTORY_SCHEMA } else { DETAIL_SCHEMA })?)
}

/// The rows of a description, made when they are read.
#[derive(Clone, Debug)]
pub struct Description {
    lines: String,
    schema: Arc<StructType>,
}

impl Description {
    /// What the log of the table at a path says.
    ///
    /// Errors: `DELTA_TABLE_ONLY_OPERATION` for a history of what is no Delta table; a log that cannot be read.
    pub fn of(
        world: &mut World,
        spec: &ReadSpec,
        path: &str,
        schema: &Arc<StructType>,
    ) -> Result<Description> {
        let rows = if spec.format == HISTORY {
            if !Snapshot::exists(world, path) {
                return Err(only_for_delta(&named(spec, path)).into());
            }
            let most = spec.options.get("limit").and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
            history(world, path).map_err(engine_error)?.iter().take(most).map(history_row).collect()
        } else {
            vec![detail_row(world, spec, path)?]
        };
        let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
        Ok(Description { lines: lines.join("\n"), schema: schema.clone() })
    }
}

impl Reader for Description {
    fn read(&self, world: &mut World) -> Result<Vec<Task>> {
        let Some(format) = open("json", &[].into(), &NoSettings)? else { return Ok(Vec::new()) };
        let bytes = Bytes::from(self.lines.clone());
        let input = Input { uri: "", bytes: &bytes, start: 0, end: bytes.len(), now: world.now() };
        let batch: Batch = format.decode(&input, &self.schema)?;
        Ok(vec![Task { batches: vec![batch], files: vec![None] }])
    }
}

/// Every setting is as Spark has it.
struct NoSettings;

impl Settings for NoSettings {
    fn get(&self, _name: &str) -> Option<String> {
        None
    }
}

fn history_row(entry: &HistoryEntry) -> Value {
    let mut row = Map::new();
    if let Some(info) = &entry.info {
        let kept =
            ["userMetadata", "engineInfo", "isolationLevel", "isBlindAppend", "readVersion", "operation"];
        for key in kept {
            row.extend(info.0.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        for (key, map) in [
            ("operationParameters", info.operation_parameters()),
            ("operationMetrics", info.operation_metrics()),
        ] {
            row.insert(key.to_owned(), map.map_or(Value::Null, texts));
        }
    }
    row.insert("version".into(), json!(entry.version));
    row.insert("timestamp".into(), time(entry.time));
    Value::Object(row)
}

fn detail_row(world: &mut World, spec: &ReadSpec, path: &str) -> Result<Value> {
    let name = spec.table.as_ref().filter(|name| !name.contains('`')).map(|name| {
        let short = name.trim_start_matches("spark_catalog.").trim_start_matches("default.");
        format!("spark_catalog.default.{}", short.to_lowercase())
    });
    let Some(snapshot) = Snapshot::find(world, path).map_err(engine_error)? else {
        let format = spec.table.is_some().then_some("parquet");
        let partitions = spec.table.is_some().then(Vec::<String>::new);
        return Ok(json!({
            "format": format, "name": name, "location": printed(path), "partitionColumns": partitions, "properties": {},
        }));
    };
    let metadata = snapshot.metadata();
    let last = history(world, path).map_err(engine_error)?.first().map(|entry| time(entry.time));
    let protocol = snapshot.protocol();
    Ok(json!({
        "format": "delta",
        "id": metadata.id,
        "name": name,
        "description": metadata.description,
        "location": printed(path),
        "createdAt": metadata.created_time.map(|millis| time(SimTime(millis))),
        "lastModified": last,
        "partitionColumns": metadata.partition_columns,
        "clusteringColumns": [],
        "numFiles": snapshot.files().len(),
        "sizeInBytes": snapshot.files().map(|add| add.size).sum::<i64>(),
        "properties": texts(&metadata.configuration),
        "minReaderVersion": protocol.min_reader_version,
        "minWriterVersion": protocol.min_writer_version,
        "tableFeatures": features(protocol),
    }))
}

/// The features of a protocol, those included that its versions stand for.
fn features(protocol: &tidemark_delta::Protocol) -> Vec<String> {
    let listed = protocol.writer_features.iter().chain(&protocol.reader_features).flatten().cloned();
    let implied = [
        (2, "appendOnly"),
        (2, "invariants"),
        (3, "checkConstraints"),
        (4, "changeDataFeed"),
        (4, "generatedColumns"),
        (5, "columnMapping"),
        (6, "identityColumns"),
    ];
    let version = protocol.min_writer_version;
    let implied = implied.into_iter().filter(|(least, _)| version < 7 && version >= *least);
    let mut all: Vec<String> = listed.chain(implied.map(|(_, name)| name.to_owned())).collect();
    all.sort();
    all.dedup();
    all
}

/// A map whose values are texts; other JSON as it is written.
fn texts(map: &Map<String, Value>) -> Value {
    let text = |value: &Value| match value {
        Value::Null | Value::String(_) => value.clone(),
        other => Value::String(other.to_string()),
    };
    Value::Object(map.iter().map(|(key, value)| (key.clone(), text(value))).collect())
}

fn time(time: SimTime) -> Value {
    Value::String(format!("{}Z", timestamp_ntz_text(time.0 * 1000)))
}

fn named(spec: &ReadSpec, path: &str) -> String {
    spec.table.clone().unwrap_or_else(|| path.to_owned())
}

fn only_for_delta(name: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "DELTA_TABLE_ONLY_OPERATION",
        "0AKDD",
        format!("`{name}` is not a Delta table. DESCRIBE HISTORY is only supported for Delta tables."),
    )
}
