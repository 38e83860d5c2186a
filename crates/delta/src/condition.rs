//! Delta's error conditions with their messages, one function for each.
//!
//! Delta prints no ` SQLSTATE: …` after its own messages; the state is in the error all the same.

use tidemark_types::{ErrorClass, SparkError, StructType};

use crate::action::{CommitInfo, Protocol};

const CONCURRENCY_DOC: &str = "https://docs.delta.io/latest/concurrency-control.html";

fn analysis(condition: &str, state: &str, message: String) -> SparkError {
    SparkError::new(ErrorClass::Analysis, condition, state, message)
}

/// `FAILED_READ_FILE.NO_HINT`: an object does not parse; `file` is how the error names it, `reason` what the parser said.
pub fn failed_read_file(file: &str, reason: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "FAILED_READ_FILE.NO_HINT",
        "KD001",
        format!("Encountered error while reading file {file}. "),
    )
    .with_parameter("path", file)
    .with_cause(SparkError::plain(ErrorClass::Py4JJava, reason))
}

/// `FAILED_READ_FILE.FILE_NOT_EXIST`: a data file is gone.
pub fn file_not_exist(path: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "FAILED_READ_FILE.FILE_NOT_EXIST",
        "KD001",
        format!(
            "Encountered error while reading file {}. File does not exist. It is possible the underlying files have been updated.\nYou can explicitly invalidate the cache in Spark by running 'REFRESH TABLE tableName' command in SQL or by recreating the Dataset/DataFrame involved.",
            short_uri(path)
        ),
    )
    .with_parameter("path", short_uri(path))
}

/// `PATH_NOT_FOUND`: nothing is at the path.
pub fn path_not_found(path: &str) -> SparkError {
    analysis("PATH_NOT_FOUND", "42K03", format!("Path does not exist: {path}.")).with_parameter("path", path)
}

/// `DELTA_TABLE_NOT_FOUND`: a folder is there, but no log.
pub fn table_not_found(path: &str) -> SparkError {
    analysis("DELTA_TABLE_NOT_FOUND", "42P01", format!("Delta table `{path}` doesn't exist."))
        .with_parameter("tableName", path)
}

/// `DELTA_MISSING_DELTA_TABLE`: `DeltaTable.forPath` and `forName` of something else.
pub fn missing_delta_table(name: &str) -> SparkError {
    analysis("DELTA_MISSING_DELTA_TABLE", "42P01", format!("`{name}` is not a Delta table."))
        .with_parameter("tableName", name)
}

/// `DELTA_PATH_EXISTS`: `errorifexists` on a table that is there.
pub fn path_exists(path: &str) -> SparkError {
    analysis(
        "DELTA_PATH_EXISTS",
        "42K04",
        format!(
            "Cannot write to already existent path {} without setting OVERWRITE = 'true'.",
            short_uri(path)
        ),
    )
    .with_parameter("path", short_uri(path))
}

/// `DELTA_VERSION_NOT_FOUND`: time travel to a version that cannot be rebuilt.
pub fn version_not_found(version: i64, earliest: i64, latest: i64) -> SparkError {
    analysis(
        "DELTA_VERSION_NOT_FOUND",
        "22003",
        format!(
            "Cannot time travel Delta table to version {version}. Available versions: [{earliest}, {latest}]."
        ),
    )
    .with_parameter("userVersion", version.to_string())
    .with_parameter("earliest", earliest.to_string())
    .with_parameter("latest", latest.to_string())
}

/// `DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION`: time travel before the first commit.
pub fn timestamp_too_early(given: &str, first: &str, first_second: &str) -> SparkError {
    analysis(
        "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION",
        "42816",
        format!(
            "The provided timestamp ({given}) is before the earliest version available to\nthis table ({first}). Please use a timestamp after {first_second}."
        ),
    )
}

/// `DELTA_TIMESTAMP_GREATER_THAN_COMMIT`: time travel past the last commit.
pub fn timestamp_too_late(given: &str, last: &str, last_second: &str) -> SparkError {
    analysis(
        "DELTA_TIMESTAMP_GREATER_THAN_COMMIT",
        "42816",
        format!(
            "Timestamp {given} is after the table's latest version ({last}). Use a timestamp at or before {last_second}."
        ),
    )
}

/// `DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION`: a commit whose files may be gone.
pub fn beyond_retention(hours: i64) -> SparkError {
    analysis(
        "DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION",
        "0AKDC",
        format!(
            "Cannot time travel beyond delta.deletedFileRetentionDuration ({hours} HOURS) set on the table."
        ),
    )
}

/// `DELTA_VERSIONS_NOT_CONTIGUOUS`: a commit is missing between two others; `to_load` is -1 for the newest.
pub fn versions_not_contiguous(versions: &[i64], from: i64, to: i64, to_load: i64) -> SparkError {
    let list: Vec<String> = versions.iter().map(i64::to_string).collect();
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_VERSIONS_NOT_CONTIGUOUS",
        "KD00C",
        format!(
            "Versions ({}) are not contiguous. \nA gap in the delta log between versions {from} and {to} was detected while trying to load version {to_load}.",
            list.join(", ")
        ),
    )
}

/// `DELTA_TRUNCATED_TRANSACTION_LOG`: the log neither begins at 0 nor holds a checkpoint early enough.
pub fn truncated_log(table_path: &str, version: i64) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_TRUNCATED_TRANSACTION_LOG",
        "42K03",
        format!(
            "{}: Unable to reconstruct state at version {version} as the transaction log has been truncated due to manual deletion or the log retention policy (delta.logRetentionDuration=30 days) and checkpoint retention policy (delta.checkpointRetentionDuration=2 days)",
            short_uri(&crate::path::commit(table_path, 0))
        ),
    )
    .with_java_class("org.apache.spark.sql.delta.DeltaFileNotFoundException")
}

/// `DELTA_STATE_RECOVER_ERROR`: a log without `protocol` or `metadata`.
pub fn state_recover(what: &str, version: i64) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_STATE_RECOVER_ERROR",
        "XXKDS",
        format!(
            "The {what} of your Delta table could not be recovered while Reconstructing\nversion: {version}. Did you manually delete files in the _delta_log directory?"
        ),
    )
    .with_parameter("operation", what)
    .with_parameter("version", version.to_string())
}

/// `DELTA_UNSUPPORTED_FEATURES_FOR_READ` and `…_FOR_WRITE`, by `READ` or `WRITE`.
pub fn unsupported_features(table_path: &str, way: &str, features: &[String]) -> SparkError {
    let (small, role) = if way == "READ" { ("read", "reader") } else { ("write", "writer") };
    SparkError::new(
        ErrorClass::Py4JJava,
        &format!("DELTA_UNSUPPORTED_FEATURES_FOR_{way}"),
        "56038",
        format!(
            "Unsupported Delta {small} feature: table \"{}\" requires {role} table feature(s) that are unsupported by Delta Lake \"4.4.0\": {}.",
            short_uri(table_path),
            features.join(", ")
        ),
    )
    .with_parameter("tableNameOrPath", short_uri(table_path))
    .with_parameter("unsupported", features.join(", "))
}

/// `DELTA_INVALID_PROTOCOL_VERSION`: versions beyond those that are defined.
pub fn invalid_protocol_version(table_path: &str, protocol: &Protocol) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_INVALID_PROTOCOL_VERSION",
        "KD004",
        format!(
            "Unsupported Delta protocol version: table \"{}\" requires reader version {} and writer version {}, but this version of Delta Lake \"4.4.0\" supports reader versions 1, 2, 3 and writer versions 1, 2, 3, 4, 5, 6, 7. Please upgrade to a newer release.",
            short_uri(table_path),
            protocol.min_reader_version,
            protocol.min_writer_version
        ),
    )
}

/// `DELTA_SCHEMA_NOT_SET`: a stream from a table without a schema.
pub fn schema_not_set() -> SparkError {
    analysis(
        "DELTA_SCHEMA_NOT_SET",
        "KD008",
        "Table schema is not set.  Write data into it or use CREATE TABLE to set the schema.".into(),
    )
}

/// `DELTA_METADATA_MISMATCH` with these sub-errors, each on a line of its own.
pub fn metadata_mismatch(details: &[String]) -> SparkError {
    let mut message = "A metadata mismatch was detected when writing to the Delta table.".to_owned();
    for detail in details {
        message.push_str("\n- ");
        message.push_str(detail);
    }
    analysis("DELTA_METADATA_MISMATCH", "42KDG", message)
}

/// The text of `DELTA_METADATA_MISMATCH.SCHEMA_MISMATCH`.
pub fn schema_mismatch_text(table_id: &str, table: &StructType, data: &StructType) -> String {
    format!(
        "A schema mismatch detected when writing to the Delta table (Table ID: {table_id}).\nTo enable schema migration using DataFrameWriter or DataStreamWriter, please set: '.option(\"mergeSchema\", \"true\")'.\nFor other operations, set the session configuration spark.databricks.delta.schema.autoMerge.enabled to \"true\". See the documentation specific to the operation for details.\n\nTable schema:\n{}\n\nData schema:\n{}\n",
        table.tree_string(),
        data.tree_string()
    )
}

/// The text of `DELTA_METADATA_MISMATCH.PARTITIONING_MISMATCH`.
pub fn partitioning_mismatch_text(given: &[String], table: &[String]) -> String {
    let list = |names: &[String]| names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
    format!(
        "Partition columns do not match the partition columns of the table.\nGiven: [{}]\nTable: [{}]\n",
        list(given),
        list(table)
    )
}

/// The text of `DELTA_METADATA_MISMATCH.OVERWRITE_REQUIRED`.
pub fn overwrite_required_text() -> String {
    "To overwrite your schema or change partitioning, please set: '.option(\"overwriteSchema\", \"true\")'.\nNote that the schema can't be overwritten when using 'replaceWhere'.".into()
}

/// `DELTA_MERGE_INCOMPATIBLE_DATATYPE`: the table's type comes first, then the data's.
pub fn incompatible_type(table_type: &str, data_type: &str) -> SparkError {
    analysis(
        "DELTA_MERGE_INCOMPATIBLE_DATATYPE",
        "42K09",
        format!("Failed to merge incompatible data types {table_type} and {data_type}"),
    )
}

/// `DELTA_FAILED_TO_MERGE_FIELDS` over its cause: one level for each level of nesting.
pub fn merge_fields(table_field: &str, data_field: &str, cause: SparkError) -> SparkError {
    analysis(
        "DELTA_FAILED_TO_MERGE_FIELDS",
        "22005",
        format!("Failed to merge fields '{table_field}' and '{data_field}'"),
    )
    .with_parameter("currentField", table_field)
    .with_parameter("updateField", data_field)
    .with_cause(cause)
}

/// A partition column that the data lacks.
pub fn partition_column_not_found(name: &str, schema: &StructType) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1196",
        "",
        format!("Partition column {name} not found in existing columns ({}).", schema.names().join(", ")),
    )
}

/// `DELTA_MERGE_INCOMPATIBLE_DECIMAL_TYPE`: decimals whose precision or scale differ.
pub fn incompatible_decimal(text: &str) -> SparkError {
    analysis(
        "DELTA_MERGE_INCOMPATIBLE_DECIMAL_TYPE",
        "42806",
        format!("Failed to merge decimal types with incompatible {text}"),
    )
}

/// `DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES`: names that Parquet without column mapping does not take.
pub fn invalid_characters(names: &[&str]) -> SparkError {
    analysis(
        "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES",
        "42K05",
        format!(
            "Found invalid character(s) among ' ,;{{}}()\\n\\t=' in the column names of your schema.\nInvalid column names: {}.\nPlease use other characters and try again.\nAlternatively, enable Column Mapping to keep using these characters.",
            names.join(", ")
        ),
    )
}

/// `DELTA_DUPLICATE_COLUMNS_FOUND`: two columns whose names differ in case at most.
pub fn duplicate_columns(kind: &str, names: &[String]) -> SparkError {
    analysis(
        "DELTA_DUPLICATE_COLUMNS_FOUND",
        "42711",
        format!("Found duplicate column(s) {kind}: {}", names.join(", ")),
    )
}

/// `DELTA_NULL_SCHEMA_IN_STREAMING_WRITE`: a column of type void in a stream.
pub fn null_schema_in_streaming_write() -> SparkError {
    analysis(
        "DELTA_NULL_SCHEMA_IN_STREAMING_WRITE",
        "42P18",
        "Delta doesn't accept NullTypes in the schema for streaming writes.".into(),
    )
}

/// `DELTA_CANNOT_USE_ALL_COLUMNS_FOR_PARTITION`.
pub fn all_columns_for_partition() -> SparkError {
    analysis(
        "DELTA_CANNOT_USE_ALL_COLUMNS_FOR_PARTITION",
        "428FT",
        "Cannot use all columns for partition columns".into(),
    )
}

/// `DELTA_CANNOT_MODIFY_APPEND_ONLY`: rows would go from a table that only allows appends.
pub fn cannot_modify_append_only(table_name: &str) -> SparkError {
    SparkError::new(
        ErrorClass::UnsupportedOperation,
        "DELTA_CANNOT_MODIFY_APPEND_ONLY",
        "42809",
        format!(
            "This table is configured to only allow appends. If you would like to permit updates or deletes, use 'ALTER TABLE {table_name} SET TBLPROPERTIES (delta.appendOnly=false)'."
        ),
    )
}

/// `DELTA_UNSUPPORTED_OUTPUT_MODE`: update mode with a Delta sink.
pub fn unsupported_output_mode(mode: &str) -> SparkError {
    analysis(
        "DELTA_UNSUPPORTED_OUTPUT_MODE",
        "0AKDC",
        format!(
            "Data source org.apache.spark.sql.delta.sources.DeltaDataSource does not support {mode} output mode"
        ),
    )
}

/// `DELTA_ILLEGAL_OPTION`: a value that an option does not take; `explain` finishes the sentence.
pub fn illegal_option(input: &str, name: &str, explain: &str) -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        "DELTA_ILLEGAL_OPTION",
        "42616",
        format!("Invalid value '{input}' for option '{name}', {explain}"),
    )
}

/// `DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS`: one of `txnAppId` and `txnVersion` without the other.
pub fn invalid_idempotent_writes_options() -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        "DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS",
        "42616",
        "Invalid options for idempotent Dataframe writes: Both txnVersion and txnAppId must be specified for idempotent data frame writes",
    )
}

/// `DELTA_MISSING_NOT_NULL_COLUMN_VALUE`: a NOT NULL column that the data lacks.
pub fn missing_not_null_column(column: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_MISSING_NOT_NULL_COLUMN_VALUE",
        "23502",
        format!(
            "Column {column}, which has a NOT NULL constraint, is missing from the data being written into the table."
        ),
    )
}

/// `DELTA_NOT_NULL_CONSTRAINT_VIOLATED`: a null in a NOT NULL column.
pub fn not_null_violated(column: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
        "23502",
        format!("NOT NULL constraint violated for column: {column}.\n"),
    )
}

/// `CAST_OVERFLOW_IN_TABLE_INSERT`: a value that does not fit the table's type.
pub fn cast_overflow_in_insert(source: &str, target: &str, column: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Arithmetic,
        "CAST_OVERFLOW_IN_TABLE_INSERT",
        "22003",
        format!(
            "Fail to assign a value of \"{source}\" type to the \"{target}\" type column or variable `{column}` due to an overflow. Use `try_cast` on the input value to tolerate overflow and return NULL instead."
        ),
    )
}

/// `CAST_INVALID_INPUT`: a text that is no value of the table's type.
pub fn cast_invalid_input(value: &str, source: &str, target: &str) -> SparkError {
    SparkError::new(
        ErrorClass::NumberFormat,
        "CAST_INVALID_INPUT",
        "22018",
        format!(
            "The value '{value}' of the type \"{source}\" cannot be cast to \"{target}\" because it is malformed. Correct the value as per the syntax, or change its target type. Use `try_cast` to tolerate malformed input and return NULL instead."
        ),
    )
}

/// `TASK_WRITE_FAILED`: a task failed while it wrote rows.
pub fn task_write_failed(table_path: &str, cause: SparkError) -> SparkError {
    SparkError::new(
        ErrorClass::Spark,
        "TASK_WRITE_FAILED",
        "58030",
        format!("Task failed while writing rows to {}.", short_uri(table_path)),
    )
    .with_cause(cause)
}

/// `DELTA_DUPLICATE_ACTIONS_FOUND`: one path twice in a commit.
pub fn duplicate_actions(path: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Py4JJava,
        "DELTA_DUPLICATE_ACTIONS_FOUND",
        "2D521",
        format!(
            "File operation 'ADD' for path {path} was specified several times.\nIt conflicts with ADD.\nIt is not valid for multiple file operations with the same path to exist in a single commit."
        ),
    )
}

/// `DELTA_CONCURRENT_APPEND.WITHOUT_HINT`: another commit added files that this transaction should have read.
pub fn concurrent_append(table_path: &str, winner: &Winner<'_>) -> SparkError {
    SparkError::new(
        ErrorClass::Delta("ConcurrentAppendException"),
        "DELTA_CONCURRENT_APPEND.WITHOUT_HINT",
        "2D521",
        format!(
            "Transaction conflict detected. a concurrent {} added data to table {} committed at version {}. The concurrent operation modified data that should have been read by this operation. Please retry the operation. Refer to {CONCURRENCY_DOC} for more information.",
            winner.operation(),
            table_name(table_path),
            winner.version
        ),
    )
}

/// `DELTA_CONCURRENT_DELETE_READ.WITHOUT_HINT`: another commit removed a file that this transaction read.
pub fn concurrent_delete_read(table_path: &str, winner: &Winner<'_>) -> SparkError {
    SparkError::new(
        ErrorClass::Delta("ConcurrentDeleteReadException"),
        "DELTA_CONCURRENT_DELETE_READ.WITHOUT_HINT",
        "2D521",
        format!(
            "Transaction conflict detected, a concurrent {} deleted data from table {} (committed at version {}) that this transaction read. The concurrent operation deleted data that was read by this operation. Please retry the operation. Refer to {CONCURRENCY_DOC} for more information.",
            winner.operation(),
            table_name(table_path),
            winner.version
        ),
    )
}

/// `DELTA_CONCURRENT_DELETE_DELETE.WITHOUT_HINT`: another commit removed a file that this one removes too.
pub fn concurrent_delete_delete(table_path: &str, winner: &Winner<'_>) -> SparkError {
    SparkError::new(
        ErrorClass::Delta("ConcurrentDeleteDeleteException"),
        "DELTA_CONCURRENT_DELETE_DELETE.WITHOUT_HINT",
        "2D521",
        format!(
            "Transaction conflict detected, a concurrent {} deleted data from table {} (committed at version {}) that this transaction attempted to delete. The concurrent operation deleted data that was read by this operation. Please retry the operation. Refer to {CONCURRENCY_DOC} for more information.",
            winner.operation(),
            table_name(table_path),
            winner.version
        ),
    )
}

/// `DELTA_CONCURRENT_TRANSACTION`: another commit carries this transaction's application id.
pub fn concurrent_transaction(winner: &Winner<'_>) -> SparkError {
    concurrent(
        "ConcurrentTransactionException",
        "DELTA_CONCURRENT_TRANSACTION",
        "This error occurs when multiple streaming queries are using the same checkpoint to write into this table. Did you run multiple instances of the same streaming query at the same time?",
        winner,
    )
}

/// `DELTA_METADATA_CHANGED`: another commit changed the schema or a property.
pub fn metadata_changed(table_path: &str, winner: &Winner<'_>) -> SparkError {
    let text = format!(
        "The metadata of the Delta table {} has been changed by a concurrent update. Please try the operation again.",
        table_name(table_path)
    );
    concurrent("MetadataChangedException", "DELTA_METADATA_CHANGED", &text, winner)
}

/// `DELTA_PROTOCOL_CHANGED`: another commit changed the protocol.
pub fn protocol_changed(winner: &Winner<'_>) -> SparkError {
    concurrent(
        "ProtocolChangedException",
        "DELTA_PROTOCOL_CHANGED",
        "The protocol version of the Delta table has been changed by a concurrent update. ",
        winner,
    )
}

fn concurrent(class: &'static str, condition: &str, text: &str, winner: &Winner<'_>) -> SparkError {
    SparkError::new(
        ErrorClass::Delta(class),
        condition,
        "2D521",
        format!(
            "{class}: {text}{}\nRefer to {CONCURRENCY_DOC} for more details.",
            winner.conflicting_commit()
        ),
    )
}

/// The commit that was first.
#[derive(Clone, Copy, Debug)]
pub struct Winner<'a> {
    /// Its version.
    pub version: i64,
    /// What it says of itself.
    pub info: Option<&'a CommitInfo>,
}

impl Winner<'_> {
    fn operation(&self) -> &str {
        self.info.map_or("UNKNOWN", CommitInfo::operation)
    }

    fn conflicting_commit(&self) -> String {
        match self.info {
            Some(info) => format!("\nConflicting commit: {}", serde_json::Value::Object(info.0.clone())),
            None => String::new(),
        }
    }
}

fn table_name(path: &str) -> String {
    format!("delta.`{}`", short_uri(path))
}

/// A data file as an error names it.
pub(crate) fn short_uri(path: &str) -> String {
    format!("file:{path}")
}

/// A file of the log as an error names it.
pub(crate) fn file_uri(path: &str) -> String {
    format!("file://{path}")
}
