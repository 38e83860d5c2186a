//! Checkpoints: the state of a version in one Parquet file, so that readers need not replay from 0.
//!
//! Source: PROTOCOL.md of Delta, section "Checkpoints"; the columns are those of Delta-Spark without the parsed ones.

use std::sync::Arc;

use arrow::array::{Array as _, AsArray as _, RecordBatch};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tidemark_types::{DataType, ErrorClass, SparkError, StructField, StructType};
use tidemark_world::World;

use crate::action::Action;
use crate::condition;
use crate::error::Result;
use crate::json_columns;
use crate::log::{CheckpointForm, read_actions};
use crate::parquet_file;
use crate::path;
use crate::snapshot::Snapshot;
use crate::time_travel::retention;

/// How many versions lie between two checkpoints if the table does not say.
const CHECKPOINT_INTERVAL: i64 = 10;

/// The content of `_last_checkpoint`: a hint, never the truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCheckpoint {
    /// The version.
    pub version: i64,
    /// The number of actions.
    pub size: i64,
    /// The number of files, if it is a checkpoint of many parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// The size of the file in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_in_bytes: Option<i64>,
    /// The number of live files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub num_of_add_files: Option<i64>,
}

/// Writes the checkpoint of `version` and then `_last_checkpoint`, if that version is due for one.
///
/// Shape: call it after each commit, with the version that was committed; two writes, between which a crash may fall.
pub fn maybe_checkpoint(world: &mut World, table_path: &str, version: i64) -> Result<Option<LastCheckpoint>> {
    if version == 0 {
        return Ok(None);
    }
    let snapshot = Snapshot::load(world, table_path, Some(version))?;
    if !is_due(&snapshot) {
        return Ok(None);
    }
    let last = write_checkpoint(world, &snapshot)?;
    write_last_checkpoint(world, table_path, &last)?;
    Ok(Some(last))
}

/// Whether a checkpoint belongs after the snapshot's version: every tenth, or as `delta.checkpointInterval` says.
pub fn is_due(snapshot: &Snapshot) -> bool {
    let interval = snapshot
        .property("delta.checkpointInterval")
        .and_then(|text| text.parse::<i64>().ok())
        .filter(|interval| *interval > 0)
        .unwrap_or(CHECKPOINT_INTERVAL);
    snapshot.version() > 0 && snapshot.version() % interval == 0
}

/// Writes the Parquet file of a checkpoint; `_last_checkpoint` stays as it is.
pub fn write_checkpoint(world: &mut World, snapshot: &Snapshot) -> Result<LastCheckpoint> {
    let actions = decide_content(snapshot, world.now().0);
    let size = actions.len() as i64;
    let bytes = encode(&actions)?;
    let last = LastCheckpoint {
        version: snapshot.version(),
        size,
        parts: None,
        size_in_bytes: Some(bytes.len() as i64),
        num_of_add_files: Some(snapshot.files().len() as i64),
    };
    world.put(&path::checkpoint(snapshot.table_path(), snapshot.version()), bytes)?;
    Ok(last)
}

/// Points `_last_checkpoint` at a checkpoint that has been written.
pub fn write_last_checkpoint(world: &mut World, table_path: &str, last: &LastCheckpoint) -> Result<()> {
    let text = serde_json::to_string(last).expect("a pointer has integers only");
    world.put(&path::last_checkpoint(table_path), text)?;
    Ok(())
}

/// The actions of a checkpoint: state only, with `dataChange` false, and no tombstone past its time.
fn decide_content(snapshot: &Snapshot, now: i64) -> Vec<Action> {
    let oldest = now - retention(snapshot).0;
    let txns = snapshot.transactions().cloned().map(Action::Txn);
    let adds = snapshot.files().cloned().map(|mut add| {
        add.data_change = false;
        Action::Add(add)
    });
    let removes =
        snapshot.tombstones().filter(|remove| remove.deletion_timestamp.unwrap_or(0) > oldest).cloned().map(
            |mut remove| {
                remove.data_change = false;
                remove.stats = None;
                remove.tags = None;
                Action::Remove(remove)
            },
        );
    let domains = snapshot.domains.values().cloned().map(Action::DomainMetadata);
    [Action::Protocol(snapshot.protocol().clone()), Action::Metadata(snapshot.metadata().clone())]
        .into_iter()
        .chain(txns)
        .chain(domains)
        .chain(removes)
        .chain(adds)
        .collect()
}

fn encode(actions: &[Action]) -> Result<bytes::Bytes> {
    let refused = |error: &dyn std::fmt::Display| SparkError::plain(ErrorClass::Spark, error.to_string());
    if actions.is_empty() {
        return Err(SparkError::plain(ErrorClass::Spark, "a checkpoint without actions").into());
    }
    let lines = actions
        .iter()
        .map(|action| serde_json::from_str(&action.render()))
        .collect::<Result<Vec<Value>, _>>();
    let lines = lines.map_err(|error| refused(&error))?;
    let lines: Vec<Option<&Value>> = lines.iter().map(Some).collect();
    let rows =
        json_columns::column(&lines, &DataType::Struct(columns(false))).map_err(|error| refused(&error))?;
    let record = RecordBatch::from(rows.as_struct());
    Ok(parquet_file::encode(&record, None).map_err(|error| refused(&error))?)
}

/// All actions of a checkpoint; those of a v2 checkpoint with what its sidecars hold.
pub(crate) fn read(world: &mut World, table_path: &str, form: &CheckpointForm) -> Result<Vec<Action>> {
    match form {
        CheckpointForm::Single(file) => read_parquet(world, file),
        CheckpointForm::Parts(files) => {
            let mut all = Vec::new();
            for file in files {
                all.extend(read_parquet(world, file)?);
            }
            Ok(all)
        }
        CheckpointForm::V2(file) => {
            let mut all = if file.strip_suffix(".json").is_some() {
                read_actions(world, file)?
            } else {
                read_parquet(world, file)?
            };
            let sidecars: Vec<String> = all
                .iter()
                .filter_map(|action| match action {
                    Action::Sidecar(sidecar) => Some(path::sidecar(table_path, &sidecar.path)),
                    _ => None,
                })
                .collect();
            for sidecar in sidecars {
                all.extend(read_parquet(world, &sidecar)?);
            }
            Ok(all)
        }
    }
}

fn read_parquet(world: &mut World, file: &str) -> Result<Vec<Action>> {
    let bytes = world.get(file)?;
    let shown = condition::file_uri(file);
    let batch = parquet_file::read(&shown, &bytes, &Arc::new(columns(true)))?;
    let broken = |error: &dyn std::fmt::Display| condition::failed_read_file(&shown, &error.to_string());
    let fields = &batch.schema().fields;
    let line = |row: usize| {
        let held = fields.iter().zip(batch.columns()).filter(|(_, column)| column.is_valid(row));
        let pairs = held
            .map(|(field, column)| (field.name.clone(), json_columns::value(column, &field.data_type, row)));
        Action::parse(&Value::Object(pairs.collect()).to_string())
    };
    let actions =
        (0..batch.rows()).map(line).collect::<Result<Vec<_>, _>>().map_err(|error| broken(&error))?;
    Ok(actions)
}

/// The columns of a checkpoint; those of v2 checkpoints are only read.
fn columns(with_sidecar: bool) -> StructType {
    let mut all = vec![
        ("txn", group(&[("appId", TEXT), ("version", LONG), ("lastUpdated", LONG)])),
        ("add", add_columns()),
        ("remove", remove_columns()),
        ("metaData", metadata_columns()),
        (
            "protocol",
            group(&[
                ("minReaderVersion", DataType::Integer),
                ("minWriterVersion", DataType::Integer),
                ("readerFeatures", texts()),
                ("writerFeatures", texts()),
            ]),
        ),
        (
            "domainMetadata",
            group(&[("domain", TEXT), ("configuration", TEXT), ("removed", DataType::Boolean)]),
        ),
    ];
    if with_sidecar {
        all.push(("sidecar", group(&[("path", TEXT), ("sizeInBytes", LONG), ("modificationTime", LONG)])));
    }
    let DataType::Struct(schema) = group(&all) else { unreachable!("a group is a struct") };
    schema
}

const TEXT: DataType = DataType::String;
const LONG: DataType = DataType::Long;

fn add_columns() -> DataType {
    group(&[
        ("path", TEXT),
        ("partitionValues", map()),
        ("size", LONG),
        ("modificationTime", LONG),
        ("dataChange", DataType::Boolean),
        ("tags", map()),
        ("deletionVector", deletion_vector_columns()),
        ("baseRowId", LONG),
        ("defaultRowCommitVersion", LONG),
        ("clusteringProvider", TEXT),
        ("stats", TEXT),
    ])
}

fn remove_columns() -> DataType {
    group(&[
        ("path", TEXT),
        ("deletionTimestamp", LONG),
        ("dataChange", DataType::Boolean),
        ("extendedFileMetadata", DataType::Boolean),
        ("partitionValues", map()),
        ("size", LONG),
        ("deletionVector", deletion_vector_columns()),
        ("baseRowId", LONG),
        ("defaultRowCommitVersion", LONG),
    ])
}

fn metadata_columns() -> DataType {
    group(&[
        ("id", TEXT),
        ("name", TEXT),
        ("description", TEXT),
        ("format", group(&[("provider", TEXT), ("options", map())])),
        ("schemaString", TEXT),
        ("partitionColumns", texts()),
        ("configuration", map()),
        ("createdTime", LONG),
    ])
}

fn deletion_vector_columns() -> DataType {
    group(&[
        ("storageType", TEXT),
        ("pathOrInlineDv", TEXT),
        ("offset", DataType::Integer),
        ("sizeInBytes", DataType::Integer),
        ("cardinality", LONG),
    ])
}

fn map() -> DataType {
    DataType::Map(Box::new(TEXT), Box::new(TEXT), true)
}

fn texts() -> DataType {
    DataType::Array(Box::new(TEXT), true)
}

fn group(fields: &[(&str, DataType)]) -> DataType {
    let fields = fields.iter().map(|(name, data_type)| StructField::new(*name, data_type.clone(), true));
    DataType::Struct(StructType::new(fields.collect()))
}
