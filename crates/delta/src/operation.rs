//! What a commit says it did: the operation with its parameters, in Delta's words and order.

use serde_json::{Map, Value, json};

use crate::action::TextMap;

/// The output mode of a stream, as `operationParameters` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputMode {
    /// Rows are added.
    Append,
    /// Each batch replaces the table.
    Complete,
}

impl OutputMode {
    /// `Append` or `Complete`.
    pub fn name(self) -> &'static str {
        match self {
            OutputMode::Append => "Append",
            OutputMode::Complete => "Complete",
        }
    }
}

/// The mode of a batch write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaveMode {
    /// Rows are added.
    Append,
    /// The table is replaced.
    Overwrite,
    /// The table must not be there.
    ErrorIfExists,
    /// Nothing is done if the table is there.
    Ignore,
}

impl SaveMode {
    /// The name in `operationParameters`.
    pub fn name(self) -> &'static str {
        match self {
            SaveMode::Append => "Append",
            SaveMode::Overwrite => "Overwrite",
            SaveMode::ErrorIfExists => "ErrorIfExists",
            SaveMode::Ignore => "Ignore",
        }
    }
}

/// What `CREATE TABLE` and its kin note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableDefinition {
    /// The partition columns.
    pub partition_by: Vec<String>,
    /// The comment of the table.
    pub description: Option<String>,
    /// Whether the table lies in the warehouse.
    pub is_managed: bool,
    /// The table's properties.
    pub properties: TextMap,
}

/// The name of an operation and its parameters in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// `WRITE`, `STREAMING UPDATE`, `MERGE`, …
    pub name: String,
    /// The parameters: texts, or raw JSON where Delta writes it raw.
    pub parameters: TextMap,
}

impl Operation {
    /// Any operation by its name.
    pub fn new(name: &str, parameters: TextMap) -> Self {
        Operation { name: name.to_owned(), parameters }
    }

    /// One micro-batch of a stream.
    pub fn streaming_update(mode: OutputMode, query_id: &str, epoch_id: i64) -> Self {
        let mut parameters = Map::new();
        parameters.insert("outputMode".into(), mode.name().into());
        parameters.insert("queryId".into(), query_id.into());
        parameters.insert("epochId".into(), epoch_id.to_string().into());
        Self::new("STREAMING UPDATE", parameters)
    }

    /// A batch write; `partition_by` holds the columns that the call itself names.
    pub fn write(mode: SaveMode, partition_by: &[String]) -> Self {
        let mut parameters = Map::new();
        parameters.insert("mode".into(), mode.name().into());
        parameters.insert("partitionBy".into(), json_text(&json!(partition_by)));
        Self::new("WRITE", parameters)
    }

    /// `CREATE TABLE`, `CREATE TABLE AS SELECT`, `CREATE OR REPLACE TABLE`, … by its name.
    pub fn define_table(name: &str, table: &TableDefinition) -> Self {
        let mut parameters = Map::new();
        parameters.insert("partitionBy".into(), json_text(&json!(table.partition_by)));
        parameters.insert("clusterBy".into(), "[]".into());
        parameters.insert("description".into(), json!(table.description));
        parameters.insert("isManaged".into(), table.is_managed.to_string().into());
        parameters.insert("properties".into(), json_text(&json!(table.properties)));
        Self::new(name, parameters)
    }

    /// The same operation with one more parameter.
    pub fn with_parameter(mut self, key: &str, value: Value) -> Self {
        self.parameters.insert(key.to_owned(), value);
        self
    }
}

/// JSON as a text inside JSON.
fn json_text(value: &Value) -> Value {
    Value::String(value.to_string())
}
