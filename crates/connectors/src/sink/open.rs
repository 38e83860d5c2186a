//! From `writeStream.format(…)` to a sink, with the checks of `start()`.

use std::sync::Arc;

use tidemark_delta::Snapshot;
use tidemark_delta::operation::TableDefinition;
use tidemark_delta::write::create_table;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Result, Sink};
use tidemark_plan::SinkSpec;
use tidemark_types::{ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::batch::delta::engine_error;
use crate::condition::{not_here, path_not_specified, unknown_format};
use crate::format::open as open_format;
use crate::format::parquet::ParquetFormat;
use crate::formats::table_path;
use crate::sink::file::path_of;
use crate::sink::memory::name_is_missing;
use crate::sink::{ConsoleSink, DeltaSink, FileSink, ForeachBatchSink, MemorySink, NoopSink};

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
        if spec.format == "parquet" {
            let format = Box::new(ParquetFormat);
            let path = format!("file:{path}");
            return Ok(Box::new(FileSink::open(world, settings, format, spec, &path, schema)?));
        }
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
        other => match open_format(other, &spec.options, settings)? {
            Some(format) => {
                let path = path_of(spec)?.clone();
                Ok(Box::new(FileSink::open(world, settings, format, spec, &path, schema)?))
            }
            None => Err(unknown(other, spec).into()),
        },
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
    let provider = if there { Some("delta") } else { world.is_folder(&path).then_some("parquet") };
    if let Some(provider) = provider.filter(|provider| *provider != spec.format) {
        let text = format!(
            "The input source({}) is different from the table {table}'s data source provider({provider}).",
            spec.format
        );
        return Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1192", "", text)
            .with_parameter("source", spec.format.clone())
            .with_parameter("tableName", table)
            .into());
    }
    if spec.format == "parquet" {
        world.make_folders(&path)?;
        return Ok(path);
    }
    if spec.format != "delta" {
        return Err(match spec.format.as_str() {
            "csv" | "json" | "text" => SparkError::plain(
                ErrorClass::UnsupportedOperation,
                format!(
                    "Tidemark does not have tables of the format '{}': take delta or parquet",
                    spec.format
                ),
            ),
            other => unknown(other, spec),
        }
        .into());
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
        "orc" if no_path => path_not_specified(),
        "orc" => not_here("orc", "writeStream"),
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
