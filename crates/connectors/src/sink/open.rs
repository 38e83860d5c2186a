//! From `writeStream.format(…)` to a sink, with the checks of `start()`.

use std::sync::Arc;

use tidemark_delta::Snapshot;
use tidemark_delta::operation::TableDefinition;
use tidemark_delta::write::create_table;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Result, Sink};
use tidemark_plan::{OutputMode, SinkSpec};
use tidemark_types::{ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::batch::delta::engine_error;
use crate::condition::unknown_format;
use crate::formats::table_path;
use crate::sink::memory::name_is_missing;
use crate::sink::{ConsoleSink, DeltaSink, ForeachBatchSink, MemorySink, NoopSink};

const LEGACY_PATH: &str = "spark.sql.legacy.pathOptionBehavior.enabled";

/// Makes the sink that `spec` names.
///
/// Errors: those that Spark throws from `start()` before it looks at the checkpoint or at the plan.
pub fn open(
    world: &mut World,
    settings: &dyn Settings,
    spec: &SinkSpec,
    schema: &Arc<StructType>,
) -> Result<Box<dyn Sink>> {
    check_path(settings, spec)?;
    check_partitioning(spec, schema)?;
    if let Some(table) = &spec.table {
        let path = table_location(world, spec, table, schema)?;
        return Ok(Box::new(DeltaSink::open(world, settings, spec, &format!("file:{path}"), schema)?));
    }
    match spec.format.as_str() {
        "memory" => {
            if spec.query_name.is_none() {
                return Err(name_is_missing().into());
            }
            Ok(Box::new(MemorySink::new(schema.clone())))
        }
        "console" => Ok(Box::new(ConsoleSink::open(settings, spec))),
        "noop" => Ok(Box::new(NoopSink::default())),
        "foreachbatch" => Ok(Box::new(ForeachBatchSink)),
        "delta" => {
            let path = spec.path.as_ref().or_else(|| spec.options.get("path"));
            let missing = || SparkError::plain(ErrorClass::IllegalArgument, "'path' is not specified");
            let path = path.ok_or_else(missing)?;
            Ok(Box::new(DeltaSink::open(world, settings, spec, path, schema)?))
        }
        other => Err(unknown(other, spec).into()),
    }
}

fn check_path(settings: &dyn Settings, spec: &SinkSpec) -> Result<()> {
    let legacy = settings.get(LEGACY_PATH).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if spec.path.is_none() || !spec.options.contains_key("path") || legacy {
        return Ok(());
    }
    let text = format!(
        "There is a 'path' option set and start() is called with a path parameter. Either remove the path option, or \
         call start() without the parameter. To ignore this check, set '{LEGACY_PATH}' to 'true'."
    );
    Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1188", "", text)
        .with_parameter("method", "start")
        .with_parameter("config", LEGACY_PATH)
        .into())
}

fn check_partitioning(spec: &SinkSpec, schema: &StructType) -> Result<()> {
    if spec.partition_by.is_empty() {
        return Ok(());
    }
    let named = match spec.format.as_str() {
        "foreachbatch" => "foreachBatch",
        other => other,
    };
    if matches!(named, "memory" | "foreach" | "foreachBatch") {
        let text = format!("'{named}' does not support partitioning.");
        return Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1197", "", text)
            .with_parameter("operation", named)
            .into());
    }
    if matches!(named, "console" | "noop") {
        return Ok(());
    }
    let missing = spec.partition_by.iter().find(|column| schema.index_of(column).is_none());
    if let Some(column) = missing {
        let columns = schema.names().join(", ");
        let text = format!("Partition column {column} not found in existing columns ({columns}).");
        return Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1196", "", text)
            .with_parameter("columnType", "Partition")
            .with_parameter("columnName", column.clone())
            .with_parameter("validColumnNames", columns)
            .into());
    }
    Ok(())
}

/// The folder of the table that `toTable` names; it is made, without rows, if it is not there.
fn table_location(world: &mut World, spec: &SinkSpec, table: &str, schema: &StructType) -> Result<String> {
    let path = table_path(world, table);
    let there = Snapshot::exists(world, &path);
    if spec.format != "delta" && there {
        let text = format!(
            "The input source({}) is different from the table {table}'s data source provider(delta).",
            spec.format
        );
        return Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1192", "", text)
            .with_parameter("source", spec.format.clone())
            .with_parameter("tableName", table)
            .into());
    }
    if spec.format != "delta" {
        return Err(unknown(&spec.format, spec).into());
    }
    if !there {
        let definition = TableDefinition {
            partition_by: spec.partition_by.clone(),
            is_managed: true,
            ..TableDefinition::default()
        };
        create_table(world, &path, Arc::new(schema.as_nullable()), &definition).map_err(engine_error)?;
    }
    Ok(path)
}

/// The error of a format that is no sink, in Spark's words where Spark has none either.
fn unknown(format: &str, spec: &SinkSpec) -> SparkError {
    let no_path = spec.path.is_none() && spec.table.is_none() && !spec.options.contains_key("path");
    match format {
        "json" | "csv" | "parquet" | "orc" | "text" if no_path => SparkError::new(
            ErrorClass::IllegalArgument,
            "_LEGACY_ERROR_TEMP_2047",
            "",
            "'path' is not specified.",
        ),
        "json" | "csv" | "parquet" | "orc" | "text" if spec.output_mode != OutputMode::Append => {
            let mode = match spec.output_mode {
                OutputMode::Append => "append",
                OutputMode::Update => "update",
                OutputMode::Complete => "complete",
            };
            let text = format!(
                "Invalid streaming output mode: {mode}. This output mode is not supported in Data Source {format}."
            );
            let condition = "STREAMING_OUTPUT_MODE.UNSUPPORTED_DATASOURCE";
            SparkError::new(ErrorClass::Analysis, condition, "42KDE", text)
                .with_parameter("className", format)
                .with_parameter("outputMode", mode)
        }
        "json" | "csv" | "parquet" | "orc" | "text" => SparkError::plain(
            ErrorClass::UnsupportedOperation,
            format!(
                "Tidemark does not have the file sink '{format}' yet: take delta, console, memory or foreachBatch"
            ),
        ),
        "foreach" => SparkError::plain(
            ErrorClass::UnsupportedOperation,
            "Tidemark does not have foreach yet: take foreachBatch",
        ),
        "socket" => SparkError::new(
            ErrorClass::Analysis,
            "_LEGACY_ERROR_TEMP_1295",
            "",
            "Set a host to read from with option(\"host\", ...).",
        ),
        "jdbc" | "rate" | "rate-micro-batch" | "binaryfile" => SparkError::new(
            ErrorClass::UnsupportedOperation,
            "_LEGACY_ERROR_TEMP_2049",
            "",
            format!("Data source {format} does not support streamed writing."),
        ),
        other => unknown_format(other),
    }
}
