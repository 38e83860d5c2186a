//! Files to tasks of rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Result, Task};
use tidemark_plan::spec::Options;
use tidemark_types::{Batch, ErrorClass, SparkError, StructType};
use tidemark_world::{World, WorldError};

use crate::batch::partition::constant;
use crate::format::file_format::{FileFormat, Input};
use crate::packing::{InputFile, PackSettings, pack};

/// The settings that reading depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadSettings {
    /// How files are packed.
    pub pack: PackSettings,
    /// Whether a file that has gone is passed over.
    pub ignore_missing: bool,
}

impl ReadSettings {
    /// What options and settings say.
    pub fn of(options: &Options, settings: &dyn Settings) -> Self {
        let ignore_missing =
            flag(options, settings, "ignoremissingfiles", "spark.sql.files.ignoreMissingFiles");
        ReadSettings { pack: PackSettings::of(settings), ignore_missing }
    }
}

/// Reads files, packed into tasks as Spark packs them.
///
/// `schema` is what comes out: the columns of the files that are wanted, and the columns that folders name; the
/// latter win. A file that has gone fails with `FAILED_READ_FILE.FILE_NOT_EXIST`, unless it is to be ignored.
pub fn read_files(
    world: &mut World,
    settings: &dyn Settings,
    format: &dyn FileFormat,
    files: &[InputFile],
    schema: &Arc<StructType>,
    options: &Options,
) -> Result<Vec<Task>> {
    read_packed(world, &ReadSettings::of(options, settings), format, files, schema)
}

/// Reads files with settings already understood.
pub fn read_packed(
    world: &mut World,
    settings: &ReadSettings,
    format: &dyn FileFormat,
    files: &[InputFile],
    schema: &Arc<StructType>,
) -> Result<Vec<Task>> {
    let tasks = pack(files, |file| format.splittable() && !is_compressed(&file.path), &settings.pack);
    let mut bytes_of: BTreeMap<usize, Option<Bytes>> = BTreeMap::new();
    let mut out = Vec::with_capacity(tasks.len());
    for task in tasks {
        let mut read = Task { batches: Vec::new(), files: Vec::new() };
        for slice in task.slices {
            let file = &files[slice.file];
            let bytes = match bytes_of.get(&slice.file) {
                Some(bytes) => bytes.clone(),
                None => {
                    let bytes = get(world, &file.path, settings.ignore_missing)?;
                    bytes_of.insert(slice.file, bytes.clone());
                    bytes
                }
            };
            let Some(bytes) = bytes else { continue };
            let uri = world.uri(&file.path);
            let end = bytes.len().min(slice.end as usize);
            let input =
                Input { uri: &uri, bytes: &bytes, start: slice.start as usize, end, now: world.now() };
            read.batches.push(decode(format, &input, file, schema)?);
            read.files.push(Some(uri));
        }
        out.push(read);
    }
    Ok(out)
}

fn flag(options: &Options, settings: &dyn Settings, option: &str, setting: &str) -> bool {
    let text = options.get(option).cloned().or_else(|| settings.get(setting));
    text.is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

/// Whether Spark would decompress a file because of its name.
fn is_compressed(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["gz", "bz2", "deflate", "lz4", "snappy", "zst"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}

fn get(world: &mut World, path: &str, ignore_missing: bool) -> Result<Option<Bytes>> {
    if is_compressed(path) {
        let cause = SparkError::plain(
            ErrorClass::UnsupportedOperation,
            format!("Tidemark does not read compressed files: {path}."),
        );
        return Err(failed_read_file(&world.uri(path), cause).into());
    }
    match world.get(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(WorldError::NotFound { .. }) if ignore_missing => Ok(None),
        Err(WorldError::NotFound { .. }) => Err(file_not_exist(&world.uri(path)).into()),
        Err(other) => Err(other.into()),
    }
}

/// Decodes the columns of the file and adds those that its folders name.
fn decode(
    format: &dyn FileFormat,
    input: &Input<'_>,
    file: &InputFile,
    schema: &Arc<StructType>,
) -> Result<Batch> {
    if file.partition.is_empty() {
        return format.decode(input, schema);
    }
    let folder_value = |name: &str| file.partition.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
    let data = StructType::new(
        schema.fields.iter().filter(|field| folder_value(&field.name).is_none()).cloned().collect(),
    );
    let rows = format.decode(input, &Arc::new(data))?;
    let mut from_file = rows.columns().iter();
    let mut columns = Vec::with_capacity(schema.fields.len());
    for field in &schema.fields {
        columns.push(match folder_value(&field.name) {
            Some((_, text)) => constant(text.as_deref(), &field.data_type, rows.rows())?,
            None => from_file.next().cloned().expect("the decoded columns are those not named by folders"),
        });
    }
    Ok(Batch::new(schema.clone(), columns, rows.rows()))
}

fn file_not_exist(uri: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Spark,
        "FAILED_READ_FILE.FILE_NOT_EXIST",
        "KD001",
        format!(
            "Encountered error while reading file {uri}. File does not exist. It is possible the underlying files have \
             been updated.\nYou can explicitly invalidate the cache in Spark by running 'REFRESH TABLE tableName' command \
             in SQL or by recreating the Dataset/DataFrame involved."
        ),
    )
    .with_parameter("path", uri)
}

/// The error of a task that could not read a file, with its reason.
pub fn failed_read_file(uri: &str, cause: SparkError) -> SparkError {
    SparkError::new(
        ErrorClass::Spark,
        "FAILED_READ_FILE.NO_HINT",
        "KD001",
        format!("Encountered error while reading file {uri}. "),
    )
    .with_parameter("path", uri)
    .with_cause(cause)
}
