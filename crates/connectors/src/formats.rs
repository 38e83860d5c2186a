//! Every format by its name: what the engine asks when a plan reads or writes.

use std::sync::Arc;

use tidemark_delta::Snapshot;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Connectors, Reader, Result, Sink, Source};
use tidemark_plan::spec::Listing;
use tidemark_plan::{ReadSpec, SinkSpec, WriteSpec};
use tidemark_types::{Batch, ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::batch::delta::{self, DeltaReader};
use crate::batch::describe::{self, Description, is_description};
use crate::batch::files::{batch_files, listed_files, path_twice_is_allowed, paths, printed};
use crate::batch::partition;
use crate::batch::reader::FileReader;
use crate::batch::state;
use crate::batch::write;
use crate::condition;
use crate::delta_source::{self, DeltaSource};
use crate::file_source::FileSource;
use crate::format::read::ReadSettings;
use crate::format::{FileFormat, open};
use crate::glob;
use crate::packing::{InputFile, PackSettings};
use crate::rate::{RateMicroBatchSource, RateSource, check_schema, schema};
use crate::sink;

/// All formats there are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Formats;

/// Formats of Spark that are not files and have no table to read.
const OTHER_FORMATS: [&str; 6] = ["jdbc", "orc", "xml", "avro", "binaryfile", "socket"];

impl Connectors for Formats {
    fn resolve(&self, world: &mut World, settings: &dyn Settings, spec: &ReadSpec) -> Result<StructType> {
        if is_description(spec) {
            table_location(world, spec)?;
            return describe::schema(spec);
        }
        if let Some((path, format)) = table_location(world, spec)? {
            return resolve_at(world, settings, spec, &path, &format);
        }
        if is_rate(spec) {
            check_schema(&spec.format, spec.schema.as_ref())?;
            rate_source(settings, spec, "")?;
            return Ok(schema());
        }
        if is_state(spec) {
            return state::resolve(world, spec, paths(settings, spec)?.first().map(String::as_str));
        }
        if spec.format == "delta" {
            let path = one_path(world, settings, spec)?;
            if !Snapshot::exists(world, &path) {
                let written = paths(settings, spec)?.concat();
                return Err(no_delta_table(world, spec, &path, written.trim_end_matches('/')).into());
            }
            return resolve_at(world, settings, spec, &path, "delta");
        }
        let format = file_format(&spec.format, settings, spec)?;
        if spec.streaming {
            resolve_stream(world, settings, spec, format.as_ref())
        } else {
            let paths = paths(settings, spec)?;
            resolve_batch(world, settings, spec, &paths, format.as_ref())
        }
    }

    fn list(&self, world: &mut World, settings: &dyn Settings, spec: &ReadSpec) -> Result<Option<Listing>> {
        if is_state(spec) {
            return Ok(state::listing(world, spec, paths(settings, spec)?.first().map(String::as_str)));
        }
        if spec.streaming || spec.table.is_some() || !known_for_files(&spec.format) || spec.format == "delta"
        {
            return Ok(None);
        }
        let files = batch_files(world, settings, &paths(settings, spec)?, &spec.options)?;
        Ok(Some(Arc::new(files)))
    }

    fn reader(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
    ) -> Result<Box<dyn Reader>> {
        if is_description(spec) {
            let path = match table_location(world, spec)? {
                Some((path, _)) => path,
                None => one_path(world, settings, spec)?,
            };
            return Ok(Box::new(Description::of(world, spec, &path, schema)?));
        }
        if is_state(spec) {
            return state::reader(world, spec, paths(settings, spec)?.first().map(String::as_str), schema);
        }
        let location = match table_location(world, spec)? {
            Some(location) => Some(location),
            None if spec.format == "delta" => Some((one_path(world, settings, spec)?, "delta".to_owned())),
            None => None,
        };
        let (texts, format) = match location {
            Some((path, format)) if format == "delta" => {
                let snapshot = delta::snapshot(world, &path, &spec.options)?;
                return Ok(Box::new(DeltaReader::new(snapshot, schema.clone(), PackSettings::of(settings))));
            }
            Some((path, format)) => (vec![path], format),
            None => (paths(settings, spec)?, spec.format.clone()),
        };
        let mut format = file_format(&format, settings, spec)?;
        let files = match &spec.listing {
            Some(files) => files.to_vec(),
            None => batch_files(world, settings, &texts, &spec.options)?,
        };
        if format.title() == "CSV" {
            let columns = match &spec.schema {
                Some(declared) => declared.clone(),
                None => infer(world, format.as_ref(), &files, false)?,
            };
            let folders = partition::infer(&files);
            let in_files = |name: &str| !folders.iter().any(|folder| folder.name.eq_ignore_ascii_case(name));
            let columns = columns.fields.into_iter().filter(|field| in_files(&field.name));
            format.declare(&StructType::new(columns.collect()));
        }
        Ok(Box::new(FileReader {
            format,
            files,
            schema: schema.clone(),
            settings: ReadSettings::of(&spec.options, settings),
        }))
    }

    fn source(
        &self,
        settings: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
        metadata_path: &str,
    ) -> Result<Box<dyn Source>> {
        if spec.format == "delta" || spec.table.is_some() {
            let text = match delta_path(spec) {
                None if spec.table.is_none() => paths(settings, spec)?.into_iter().next(),
                path => path,
            };
            return Ok(Box::new(DeltaSource::open(settings, spec, text, schema)));
        }
        if is_rate(spec) {
            return rate_source(settings, spec, metadata_path);
        }
        let mut format = file_format(&spec.format, settings, spec)?;
        format.check_read(schema)?;
        format.declare(spec.schema.as_ref().unwrap_or(schema));
        let mut spec = spec.clone();
        spec.paths = paths(settings, &spec)?;
        Ok(Box::new(FileSource::open(Arc::from(format), settings, &spec, schema, metadata_path)?))
    }

    fn sink(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &SinkSpec,
        schema: &Arc<StructType>,
    ) -> Result<Box<dyn Sink>> {
        sink::open(world, settings, spec, schema)
    }

    fn write(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &WriteSpec,
        schema: &Arc<StructType>,
        tasks: &[Batch],
    ) -> Result<()> {
        if spec.format == "noop" {
            return Ok(());
        }
        let path = match (&spec.table, &spec.path, spec.options.get("path")) {
            (Some(name), _, None) => table_path(world, name),
            (_, Some(_), Some(_)) if !path_twice_is_allowed(settings) => {
                return Err(condition::path_twice_in_write().into());
            }
            (_, Some(path), _) | (_, None, Some(path)) => world.resolve(path),
            (None, None, None) if known_for_files(&spec.format) => {
                return Err(condition::path_not_specified().into());
            }
            (None, None, None) => return Err(unknown(&spec.format).into()),
        };
        if spec.format == "delta" {
            return delta::write(world, settings, spec, &path, schema, tasks);
        }
        if !known_for_files(&spec.format) {
            return Err(unknown(&spec.format).into());
        }
        write::write(world, settings, spec, &path, schema, tasks)
    }
}

fn is_state(spec: &ReadSpec) -> bool {
    spec.table.is_none() && state::is_state(&spec.format)
}

fn is_rate(spec: &ReadSpec) -> bool {
    spec.streaming && spec.table.is_none() && matches!(spec.format.as_str(), "rate" | "rate-micro-batch")
}

fn rate_source(settings: &dyn Settings, spec: &ReadSpec, metadata_path: &str) -> Result<Box<dyn Source>> {
    Ok(match spec.format.as_str() {
        "rate" => Box::new(RateSource::open(&spec.options, settings, metadata_path)?),
        _ => Box::new(RateMicroBatchSource::open(&spec.options)?),
    })
}

fn known_for_files(format: &str) -> bool {
    matches!(format, "csv" | "json" | "text" | "parquet" | "delta")
}

fn unknown(format: &str) -> SparkError {
    if OTHER_FORMATS.contains(&format) || state::is_state(format) {
        condition::not_here(format, "write")
    } else {
        condition::unknown_format(format)
    }
}

/// The file format that a reader names.
fn file_format(name: &str, settings: &dyn Settings, spec: &ReadSpec) -> Result<Box<dyn FileFormat>> {
    if let Some(format) = open(name, &spec.options, settings)? {
        return Ok(format);
    }
    let error = match name {
        "jdbc" | "binaryfile" | "noop" | "console" if spec.streaming => SparkError::new(
            ErrorClass::UnsupportedOperation,
            "_LEGACY_ERROR_TEMP_2049",
            "",
            format!("Data source {name} does not support streamed reading."),
        ),
        "rate" | "rate-micro-batch" | "console" => SparkError::new(
            ErrorClass::Analysis,
            "_LEGACY_ERROR_TEMP_1135",
            "",
            format!("{name} is not a valid Spark SQL Data Source."),
        )
        .with_parameter("className", name),
        other if OTHER_FORMATS.contains(&other) => {
            condition::not_here(other, if spec.streaming { "readStream" } else { "read" })
        }
        other => condition::unknown_format(other),
    };
    Err(error.into())
}

/// The folder of a table of the catalog.
pub(crate) fn table_path(world: &World, name: &str) -> String {
    let short = name.trim_start_matches("spark_catalog.").trim_start_matches("default.").replace('`', "");
    world.resolve(&format!("spark-warehouse/{}", short.to_lowercase().replace('.', ".db/")))
}

/// The path of a reader that names it in place of a table: delta and the path in backquotes.
fn delta_path(spec: &ReadSpec) -> Option<String> {
    let (format, path) = spec.table.as_ref()?.split_once(".`")?;
    format.eq_ignore_ascii_case("delta").then(|| path.trim_end_matches('`').to_owned())
}

/// Where the table lies that a reader names, and in which format; `delta.\`path\`` names a path.
fn table_location(world: &mut World, spec: &ReadSpec) -> Result<Option<(String, String)>> {
    let Some(name) = &spec.table else { return Ok(None) };
    if let Some((format, path)) = name.split_once(".`")
        && known_for_files(&format.to_lowercase())
    {
        return Ok(Some((world.resolve(path.trim_end_matches('`')), format.to_lowercase())));
    }
    let path = table_path(world, name);
    if Snapshot::exists(world, &path) {
        return Ok(Some((path, "delta".into())));
    }
    if world.is_folder(&path) {
        return Ok(Some((path, "parquet".into())));
    }
    Err(condition::table_not_found(name).into())
}

/// The one path of a Delta reader.
fn one_path(world: &World, settings: &dyn Settings, spec: &ReadSpec) -> Result<String> {
    match paths(settings, spec)?.as_slice() {
        [path] => Ok(world.resolve(path)),
        [] => Err(condition::path_not_specified().into()),
        _ => {
            Err(SparkError::plain(ErrorClass::IllegalArgument, "'path' must be one path for a Delta table.")
                .into())
        }
    }
}

/// Why a folder cannot be read as a Delta table; a message shows the path as it was written.
fn no_delta_table(world: &World, spec: &ReadSpec, path: &str, written: &str) -> SparkError {
    if spec.streaming {
        tidemark_delta::condition::schema_not_set()
    } else if world.exists(path) {
        tidemark_delta::condition::table_not_found(written)
    } else {
        tidemark_delta::condition::path_not_found(written)
    }
}

fn resolve_at(
    world: &mut World,
    settings: &dyn Settings,
    spec: &ReadSpec,
    path: &str,
    format: &str,
) -> Result<StructType> {
    if format == "delta" && spec.streaming {
        return delta_source::resolve(world, spec, path);
    }
    if format == "delta" {
        return Ok(delta::snapshot(world, path, &spec.options)?.schema().as_ref().clone());
    }
    if spec.streaming {
        return Err(condition::not_here("parquet", "readStream.table").into());
    }
    let format = file_format(format, settings, spec)?;
    resolve_batch(world, settings, spec, &[path.to_owned()], format.as_ref())
}

fn resolve_batch(
    world: &mut World,
    settings: &dyn Settings,
    spec: &ReadSpec,
    paths: &[String],
    format: &dyn FileFormat,
) -> Result<StructType> {
    let files = batch_files(world, settings, paths, &spec.options)?;
    let partitions = partition::infer(&files);
    let schema = match &spec.schema {
        Some(declared) => partition::with_partitions(&partition::nullable(declared), partitions),
        None => {
            let inferred = infer(world, format, &files, paths.is_empty())?;
            partition::merged_with_partitions(&inferred, partitions)
        }
    };
    format.check_read(&schema)?;
    Ok(schema)
}

fn resolve_stream(
    world: &mut World,
    settings: &dyn Settings,
    spec: &ReadSpec,
    format: &dyn FileFormat,
) -> Result<StructType> {
    let paths = paths(settings, spec)?;
    let Some(text) = paths.first() else { return Err(condition::path_not_specified().into()) };
    let path = world.resolve(text);
    if !glob::is_pattern(&path) && !world.exists(&path) {
        return Err(condition::path_not_found(text).into());
    }
    let inferring = settings
        .get("spark.sql.streaming.schemaInference")
        .is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if spec.schema.is_none() && !inferring && format.title() != "Text" {
        return Err(condition::schema_must_be_specified().into());
    }
    let files = listed_files(world, &paths, &spec.options, false)?;
    let partitions = partition::infer(&files);
    Ok(match &spec.schema {
        Some(declared) => partition::with_partitions(&partition::nullable(declared), partitions),
        None if files.is_empty() && glob::is_pattern(&path) && format.title() != "Text" => {
            return Err(condition::path_not_found(&printed(&path)).into());
        }
        None => partition::merged_with_partitions(&infer(world, format, &files, false)?, partitions),
    })
}

fn infer(
    world: &mut World,
    format: &dyn FileFormat,
    files: &[InputFile],
    no_path: bool,
) -> Result<StructType> {
    let now = world.now();
    let mut contents = Vec::with_capacity(files.len());
    for file in files {
        contents.push(world.get(&file.path)?);
    }
    let inferred = if no_path { None } else { format.infer(&contents, now)? };
    inferred.ok_or_else(|| condition::unable_to_infer_schema(format.title()).into())
}
