//! The actions of a log: one JSON object on each line, with Delta's key order.
//!
//! Source: PROTOCOL.md of Delta, section "Actions"; the order of keys is what Delta-Spark 4.4 writes.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A map of texts that keeps the order in which its keys were written.
pub type TextMap = Map<String, Value>;

/// What a reader and a writer must understand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Protocol {
    /// The least version of a reader.
    pub min_reader_version: i32,
    /// The least version of a writer.
    pub min_writer_version: i32,
    /// The features that a reader must know; only with reader version 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader_features: Option<Vec<String>>,
    /// The features that a writer must know; only with writer version 7.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub writer_features: Option<Vec<String>>,
}

/// The format of the data files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// Always `parquet`.
    pub provider: String,
    /// Always empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub options: TextMap,
}

impl Default for Format {
    fn default() -> Self {
        Format { provider: "parquet".into(), options: TextMap::new() }
    }
}

/// Schema, partitioning and properties of a table. The last one of a log holds as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The id of the table: a new id is a new table.
    pub id: String,
    /// The name, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The comment of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The format of the data files.
    #[serde(default)]
    pub format: Format,
    /// The schema as Spark's JSON, in a text; empty for a table without a schema.
    #[serde(default, deserialize_with = "null_as_default")]
    pub schema_string: String,
    /// The names of the partition columns in order.
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_columns: Vec<String>,
    /// The properties of the table.
    #[serde(default, deserialize_with = "null_as_default")]
    pub configuration: TextMap,
    /// When the table was made, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_time: Option<i64>,
}

/// Where the deleted rows of a file are noted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeletionVector {
    /// `u`: a file named by an id, `p`: a file named by its path, `i`: inline.
    pub storage_type: String,
    /// The path, the id, or the vector itself.
    pub path_or_inline_dv: String,
    /// Where in the file the vector begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i32>,
    /// The size of the vector in bytes.
    pub size_in_bytes: i32,
    /// How many rows are deleted.
    pub cardinality: i64,
}

impl DeletionVector {
    /// The id that, with the path, is the key of a file in replay.
    pub fn unique_id(&self) -> String {
        match self.offset {
            Some(offset) => format!("{}{}@{offset}", self.storage_type, self.path_or_inline_dv),
            None => format!("{}{}", self.storage_type, self.path_or_inline_dv),
        }
    }
}

/// A data file comes into the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Add {
    /// The URI-encoded path, relative to the table.
    pub path: String,
    /// The value of each partition column as text, or null.
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_values: TextMap,
    /// The size in bytes.
    pub size: i64,
    /// When the file was written, in milliseconds.
    pub modification_time: i64,
    /// Whether rows come in; false when they only move.
    pub data_change: bool,
    /// Statistics of the columns as JSON, in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<String>,
    /// Free texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<TextMap>,
    /// The rows of the file that are deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_vector: Option<DeletionVector>,
    /// The first row id of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_row_id: Option<i64>,
    /// The version in which the rows came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_row_commit_version: Option<i64>,
    /// Who clustered the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clustering_provider: Option<String>,
}

impl Add {
    /// The text of a partition column's value; none for null and for the empty text.
    pub fn partition_value(&self, column: &str) -> Option<&str> {
        self.partition_values.get(column).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// The statistics parsed; none if there are none or they do not parse.
    pub fn parsed_stats(&self) -> Option<Map<String, Value>> {
        serde_json::from_str(self.stats.as_deref()?).ok()
    }

    /// The number of rows by the statistics, deleted ones not counted.
    pub fn num_records(&self) -> Option<i64> {
        let all = self.parsed_stats()?.get("numRecords")?.as_i64()?;
        Some(all - self.deletion_vector.as_ref().map_or(0, |dv| dv.cardinality))
    }

    /// The action that takes the file out, with no statistics.
    pub fn remove(&self, deletion_timestamp: i64, data_change: bool) -> Remove {
        Remove {
            path: self.path.clone(),
            deletion_timestamp: Some(deletion_timestamp),
            data_change,
            extended_file_metadata: Some(true),
            partition_values: Some(self.partition_values.clone()),
            size: Some(self.size),
            stats: None,
            tags: None,
            deletion_vector: self.deletion_vector.clone(),
            base_row_id: self.base_row_id,
            default_row_commit_version: self.default_row_commit_version,
        }
    }
}

/// A data file goes out of the table; the object stays until VACUUM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remove {
    /// The same text as in the `add`.
    pub path: String,
    /// When, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_timestamp: Option<i64>,
    /// Whether rows go out; false when they only move.
    #[serde(default = "yes")]
    pub data_change: bool,
    /// Whether partition values and size follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extended_file_metadata: Option<bool>,
    /// The values of the partition columns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partition_values: Option<TextMap>,
    /// The size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<i64>,
    /// Statistics of the columns as JSON, in a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<String>,
    /// Free texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<TextMap>,
    /// The deleted rows that the file had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_vector: Option<DeletionVector>,
    /// The first row id of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_row_id: Option<i64>,
    /// The version in which the rows came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_row_commit_version: Option<i64>,
}

/// A file of changed rows, for the change feed alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AddCdcFile {
    /// The URI-encoded path, relative to the table.
    pub path: String,
    /// The values of the partition columns.
    #[serde(default, deserialize_with = "null_as_default")]
    pub partition_values: TextMap,
    /// The size in bytes.
    pub size: i64,
    /// Always false.
    pub data_change: bool,
    /// Free texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<TextMap>,
}

/// How far an application has written: for a stream the query id and the batch id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetTransaction {
    /// The application: the id of a query.
    pub app_id: String,
    /// The number of its last write: the batch id.
    pub version: i64,
    /// When, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_updated: Option<i64>,
}

/// Settings of a named part of the system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainMetadata {
    /// The name of the part.
    pub domain: String,
    /// Its settings, a text.
    pub configuration: String,
    /// Whether they are taken away.
    pub removed: bool,
}

/// A part of a v2 checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sidecar {
    /// The name of the file below `_sidecars`, or its path.
    pub path: String,
    /// The size in bytes.
    pub size_in_bytes: i64,
    /// When it was written, in milliseconds.
    pub modification_time: i64,
}

/// Who made a commit, and how: free-form, kept key by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CommitInfo(pub TextMap);

impl CommitInfo {
    /// The operation, `UNKNOWN` if the writer did not say.
    pub fn operation(&self) -> &str {
        self.0.get("operation").and_then(Value::as_str).unwrap_or("UNKNOWN")
    }

    /// The parameters of the operation.
    pub fn operation_parameters(&self) -> Option<&TextMap> {
        self.0.get("operationParameters").and_then(Value::as_object)
    }

    /// The metrics of the operation.
    pub fn operation_metrics(&self) -> Option<&TextMap> {
        self.0.get("operationMetrics").and_then(Value::as_object)
    }

    /// The time that the writer noted, in milliseconds.
    pub fn timestamp(&self) -> Option<i64> {
        self.0.get("timestamp").and_then(Value::as_i64)
    }

    /// The parameters as Scala prints a map whose values are JSON: `Map(mode -> "Append")`.
    pub fn parameters_as_map_text(&self) -> String {
        let inner: Vec<String> = self
            .operation_parameters()
            .into_iter()
            .flatten()
            .map(|(key, value)| format!("{key} -> {value}"))
            .collect();
        format!("Map({})", inner.join(", "))
    }
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Who made the commit.
    CommitInfo(CommitInfo),
    /// Schema and properties.
    Metadata(Metadata),
    /// What a reader and a writer must understand.
    Protocol(Protocol),
    /// How far an application has written.
    Txn(SetTransaction),
    /// A file comes.
    Add(Add),
    /// A file goes.
    Remove(Remove),
    /// A file of changes.
    Cdc(AddCdcFile),
    /// Settings of a part of the system.
    DomainMetadata(DomainMetadata),
    /// A part of a v2 checkpoint.
    Sidecar(Sidecar),
    /// Anything else: readers pass over it.
    Unknown(Value),
}

impl Action {
    /// Reads one line; the error is the text of the JSON parser.
    pub fn parse(line: &str) -> Result<Action, serde_json::Error> {
        let value: Value = serde_json::from_str(line)?;
        let Value::Object(map) = &value else { return Ok(Action::Unknown(value)) };
        for (key, inner) in map {
            if inner.is_null() {
                continue;
            }
            let inner = || inner.clone();
            return Ok(match key.as_str() {
                "commitInfo" => Action::CommitInfo(serde_json::from_value(inner())?),
                "metaData" => Action::Metadata(serde_json::from_value(inner())?),
                "protocol" => Action::Protocol(serde_json::from_value(inner())?),
                "txn" => Action::Txn(serde_json::from_value(inner())?),
                "add" => Action::Add(serde_json::from_value(inner())?),
                "remove" => Action::Remove(serde_json::from_value(inner())?),
                "cdc" => Action::Cdc(serde_json::from_value(inner())?),
                "domainMetadata" => Action::DomainMetadata(serde_json::from_value(inner())?),
                "sidecar" => Action::Sidecar(serde_json::from_value(inner())?),
                _ => continue,
            });
        }
        Ok(Action::Unknown(value))
    }

    /// The line, without its line end.
    pub fn render(&self) -> String {
        match self {
            Action::CommitInfo(inner) => wrap("commitInfo", inner),
            Action::Metadata(inner) => wrap("metaData", inner),
            Action::Protocol(inner) => wrap("protocol", inner),
            Action::Txn(inner) => wrap("txn", inner),
            Action::Add(inner) => wrap("add", inner),
            Action::Remove(inner) => wrap("remove", inner),
            Action::Cdc(inner) => wrap("cdc", inner),
            Action::DomainMetadata(inner) => wrap("domainMetadata", inner),
            Action::Sidecar(inner) => wrap("sidecar", inner),
            Action::Unknown(value) => value.to_string(),
        }
    }
}

fn wrap(key: &str, inner: &impl Serialize) -> String {
    let body = serde_json::to_string(inner).expect("an action has text keys and finite numbers only");
    format!("{{\"{key}\":{body}}}")
}

fn yes() -> bool {
    true
}

fn null_as_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(from)?.unwrap_or_default())
}
