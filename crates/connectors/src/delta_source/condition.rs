//! The errors of a Delta stream, in Delta's words.

use tidemark_types::{ErrorClass, SparkError, StructType};

const ILLEGAL_STATE: &str = "org.apache.spark.sql.delta.DeltaIllegalStateException";

fn illegal_state(condition: &str, state: &str, text: impl Into<String>) -> SparkError {
    SparkError::new(ErrorClass::Py4JJava, condition, state, text).with_java_class(ILLEGAL_STATE)
}

/// `DELTA_ILLEGAL_OPTION`.
pub(crate) fn illegal_option(input: &str, name: &str, explain: &str) -> SparkError {
    tidemark_delta::condition::illegal_option(input, name, explain)
}

/// An option of Delta's stream that is not known here.
pub(crate) fn not_here(option: &str) -> SparkError {
    let text = format!("Tidemark does not have the option '{option}' of a Delta stream: take it away");
    SparkError::plain(ErrorClass::UnsupportedOperation, text)
}

/// `startingVersion` beside `startingTimestamp`.
pub(crate) fn both_starts() -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        "DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET",
        "42613",
        "Please either provide 'startingVersion' or 'startingTimestamp'",
    )
}

/// A starting time that is none.
pub(crate) fn timestamp_invalid(text: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "DELTA_TIMESTAMP_INVALID",
        "42816",
        format!("The provided timestamp ('{text}') cannot be converted to a valid timestamp."),
    )
    .with_parameter("expr", text)
}

/// Options of time travel on a stream.
pub(crate) fn time_travel() -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "DELTA_UNSUPPORTED_TIME_TRAVEL_VIEWS",
        "0AKDC",
        "Cannot time travel views, subqueries, streams or change data feed queries.",
    )
}

/// A declared schema that is not that of the table.
pub(crate) fn schema_conflict() -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "DELTA_READ_SOURCE_SCHEMA_CONFLICT",
        "42K07",
        "The schema provided for the source read doesn't match the schema of the Delta table",
    )
}

/// A declared schema, although it is that of the table.
pub(crate) fn schema_declared() -> SparkError {
    let text = "DeltaDataSource source does not support user-specified schema.";
    SparkError::new(ErrorClass::UnsupportedOperation, "_LEGACY_ERROR_TEMP_2242", "", text)
}

/// An offset of a newer Delta.
pub(crate) fn invalid_format_from_source_version(version: i64) -> SparkError {
    let text = format!(
        "Unsupported format. Expected version should be smaller than or equal to 3 but was {version}. Please upgrade to \
         newer version of Delta."
    );
    illegal_state("DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION", "XXKDS", text)
}

/// An offset of a form that is no longer written.
pub(crate) fn invalid_source_version(version: i64) -> SparkError {
    illegal_state("DELTA_INVALID_SOURCE_VERSION", "XXKDS", format!("sourceVersion({version}) is invalid"))
}

/// The table has been made anew.
pub(crate) fn different_table(new: &str, old: &str) -> SparkError {
    let text = format!(
        "The streaming query was reading from an unexpected Delta table (id = '{new}'). \nIt used to read from another \
         Delta table (id = '{old}') according to checkpoint. \nThis may happen when you changed the code to read from a \
         new table or you deleted and \nre-created a table. Please revert your change or delete your streaming query \
         checkpoint \nto restart from scratch."
    );
    illegal_state("DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE", "55019", text)
        .with_parameter("newTableId", new)
        .with_parameter("oldTableId", old)
}

/// A commit that removes rows and adds others.
pub(crate) fn ignore_changes(change: &str, version: i64, path: &str) -> SparkError {
    let text = format!(
        "Detected a data update (for example {change}) in the source table at version {version}. This is currently not \
         supported. If this is going to happen regularly and you are okay to skip changes, set the option \
         'skipChangeCommits' to 'true'. If you would like the data update to be reflected, please restart this query \
         with a fresh checkpoint directory. The source table can be found at path {path}."
    );
    SparkError::new(ErrorClass::UnsupportedOperation, "DELTA_SOURCE_TABLE_IGNORE_CHANGES", "0A000", text)
        .with_parameter("file", change)
        .with_parameter("version", version.to_string())
        .with_parameter("dataPath", path)
}

/// A commit that only removes rows.
pub(crate) fn ignore_delete(file: &str, version: i64, path: &str) -> SparkError {
    let text = format!(
        "Detected deleted data (for example {file}) from streaming source at version {version}. This is currently not \
         supported. If you'd like to ignore deletes, set the option 'ignoreDeletes' to 'true'. The source table can be \
         found at path {path}."
    );
    SparkError::new(ErrorClass::UnsupportedOperation, "DELTA_SOURCE_IGNORE_DELETE", "0A000", text)
        .with_parameter("removedFile", file)
        .with_parameter("version", version.to_string())
        .with_parameter("dataPath", path)
}

/// The schema of the table is no longer that of the query.
pub(crate) fn schema_changed(
    version: i64,
    read: &StructType,
    data: &StructType,
    has_start: bool,
) -> SparkError {
    let mut text = format!(
        "Detected schema change in version {version}:\nstreaming source schema: {}\n\ndata file schema: {}\n\nPlease try \
         restarting the query. If this issue repeats across query restarts without\nmaking progress, you have made an \
         incompatible schema change and need to start your\nquery from scratch using a new checkpoint directory.\n",
        read.tree_string(),
        data.tree_string()
    );
    let mut condition = "DELTA_SCHEMA_CHANGED_WITH_VERSION";
    if has_start {
        condition = "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS";
        text.push_str(&format!(
            "If the issue persists after\nchanging to a new checkpoint directory, you may need to change the \
             existing\n'startingVersion' or 'startingTimestamp' option to start from a version newer than\n{version} \
             with a new checkpoint directory."
        ));
    }
    illegal_state(condition, "KD007", text).with_parameter("version", version.to_string())
}

/// Commits are gone that the stream has not read.
pub(crate) fn missing_files(expected: i64, seen: i64) -> SparkError {
    let text = format!(
        "Delta stream cannot resume from version {expected}; transaction log starts at {seen}. Log files may have been \
         deleted by log retention. Restart the stream with a new checkpoint location and consider increasing \
         delta.logRetentionDuration. To skip missing data instead, set .option(\"failOnDataLoss\", \"false\")."
    );
    illegal_state("DELTA_MISSING_FILES_UNEXPECTED_VERSION", "42K03", text)
}

/// The version before the offset cannot be rebuilt.
pub(crate) fn log_file_not_found() -> SparkError {
    let text = "If you never deleted it, it's likely your query is lagging behind. Please delete its checkpoint to restart \
                from scratch. To avoid this happening again, you can update your retention policy of your Delta table";
    illegal_state("DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE", "42K03", text)
}
