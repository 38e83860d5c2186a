//! The errors of `load()`, `save()` and their kin, in Spark's words.

use tidemark_types::{ErrorClass, SparkError};

const LEGACY_PATH: &str = "spark.sql.legacy.pathOptionBehavior.enabled";

/// `DATA_SOURCE_NOT_FOUND`, or what Spark says of a format that it has without its package.
pub fn unknown_format(format: &str) -> SparkError {
    if format == "kafka" {
        return SparkError::new(
            ErrorClass::Analysis,
            "_LEGACY_ERROR_TEMP_1140",
            "",
            "Failed to find data source: kafka. Please deploy the application as per the deployment section of Structured \
             Streaming + Kafka Integration Guide.",
        );
    }
    SparkError::new(
        ErrorClass::Py4JJava,
        "DATA_SOURCE_NOT_FOUND",
        "42K02",
        format!(
            "Failed to find the data source: {format}. Make sure the provider name is correct and the package is properly \
             registered and compatible with your Spark version."
        ),
    )
    .with_parameter("provider", format)
    .with_java_class("org.apache.spark.SparkClassNotFoundException")
}

/// A format of Spark that Tidemark does not have.
pub fn not_here(format: &str, way: &str) -> SparkError {
    SparkError::plain(
        ErrorClass::UnsupportedOperation,
        format!("Tidemark does not have the format '{format}' for {way}: take {}.", formats_but(format)),
    )
}

/// The formats that there are, but for this one.
fn formats_but(format: &str) -> String {
    let others: Vec<&str> =
        ["json", "csv", "text", "parquet", "delta"].into_iter().filter(|f| *f != format).collect();
    match others.split_last() {
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// `PATH_NOT_FOUND`; a batch shows the path as a URI, a stream as it was written.
pub fn path_not_found(path: &str) -> SparkError {
    SparkError::new(ErrorClass::Analysis, "PATH_NOT_FOUND", "42K03", format!("Path does not exist: {path}."))
        .with_parameter("path", path)
}

/// `UNABLE_TO_INFER_SCHEMA`.
pub fn unable_to_infer_schema(format: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "UNABLE_TO_INFER_SCHEMA",
        "42KD9",
        format!("Unable to infer schema for {format}. It must be specified manually."),
    )
    .with_parameter("format", format)
}

/// A file stream without a schema.
pub fn schema_must_be_specified() -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        "_LEGACY_ERROR_TEMP_2048",
        "",
        "Schema must be specified when creating a streaming source DataFrame. If some files already exist in the directory, \
         then depending on the file format you may be able to create a static DataFrame on that directory with \
         'spark.read.load(directory)' and infer schema from it.",
    )
}

/// A reader or writer without a path.
pub fn path_not_specified() -> SparkError {
    SparkError::new(ErrorClass::IllegalArgument, "_LEGACY_ERROR_TEMP_2047", "", "'path' is not specified.")
}

/// A stream that was given a path twice.
pub fn path_twice_in_stream(method: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1188",
        "",
        format!(
            "There is a 'path' option set and {method}() is called with a path parameter. Either remove the path option, or \
             call {method}() without the parameter. To ignore this check, set '{LEGACY_PATH}' to 'true'."
        ),
    )
    .with_parameter("method", method)
    .with_parameter("config", LEGACY_PATH)
}

/// A batch reader that was given a path twice.
pub fn path_twice_in_read() -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1306",
        "",
        format!(
            "There is a 'path' or 'paths' option set and load() is called with path parameters. Either remove the path \
             option if it's the same as the path parameter, or add it to the load() parameter if you do want to read \
             multiple paths. To ignore this check, set '{LEGACY_PATH}' to 'true'."
        ),
    )
    .with_parameter("config", LEGACY_PATH)
}

/// A batch writer that was given a path twice.
pub fn path_twice_in_write() -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1307",
        "",
        format!(
            "There is a 'path' option set and save() is called with a path parameter. Either remove the path option, or \
             call save() without the parameter. To ignore this check, set '{LEGACY_PATH}' to 'true'."
        ),
    )
    .with_parameter("config", LEGACY_PATH)
}

/// `PATH_ALREADY_EXISTS` of a URI.
pub fn path_already_exists(uri: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "PATH_ALREADY_EXISTS",
        "42K04",
        format!("Path {uri} already exists. Set mode as \"overwrite\" to overwrite the existing path."),
    )
    .with_parameter("outputPath", uri)
}

/// `TABLE_OR_VIEW_NOT_FOUND`.
pub fn table_not_found(name: &str) -> SparkError {
    let quoted = quoted_name(name);
    SparkError::new(
        ErrorClass::Analysis,
        "TABLE_OR_VIEW_NOT_FOUND",
        "42P01",
        format!(
            "The table or view {quoted} cannot be found. Verify the spelling and correctness of the schema and catalog.\nIf \
             you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the \
             correct schema and catalog.\nTo tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS."
        ),
    )
    .with_parameter("relationName", quoted)
}

/// `TABLE_OR_VIEW_ALREADY_EXISTS`.
pub fn table_already_exists(name: &str) -> SparkError {
    let quoted = quoted_name(name);
    SparkError::new(
        ErrorClass::Analysis,
        "TABLE_OR_VIEW_ALREADY_EXISTS",
        "42P07",
        format!(
            "Cannot create table or view {quoted} because it already exists.\nChoose a different name, drop or replace the \
             existing object, add the IF NOT EXISTS clause to tolerate pre-existing objects, or add the OR REFRESH clause to \
             refresh the existing streaming table."
        ),
    )
    .with_parameter("relationName", quoted)
}

fn quoted_name(name: &str) -> String {
    name.split('.').map(|part| format!("`{part}`")).collect::<Vec<_>>().join(".")
}

/// A column of `partitionBy` that the rows do not have.
pub fn partition_column_missing(column: &str, columns: &[&str]) -> SparkError {
    let columns = columns.join(", ");
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1196",
        "",
        format!("Partition column {column} not found in existing columns ({columns})."),
    )
    .with_parameter("columnType", "Partition")
    .with_parameter("columnName", column)
    .with_parameter("validColumnNames", columns)
}

/// `cleanSource` over the folder of a file sink.
pub fn clean_source_of_sink() -> SparkError {
    SparkError::new(
        ErrorClass::UnsupportedOperation,
        "_LEGACY_ERROR_TEMP_2261",
        "",
        "Clean up source files is not supported when reading from the output directory of FileStreamSink.",
    )
}
