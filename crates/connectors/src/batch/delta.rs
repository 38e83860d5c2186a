//! Delta tables as batch relations, and batch writes into them.

use std::sync::Arc;

use tidemark_delta::operation::{SaveMode as DeltaSaveMode, TableDefinition};
use tidemark_delta::{
    Add, Casts, Operation, Prepared, Snapshot, TableWrite, WriteMode, WriteRequest, maybe_checkpoint,
};
use tidemark_engine::connector::Settings;
use tidemark_engine::{Reader, Result, Task};
use tidemark_plan::spec::Options;
use tidemark_plan::{SaveMode, WriteSpec};
use tidemark_types::{Batch, ErrorClass, Millis, SimTime, SparkError, StructType};
use tidemark_world::World;

use crate::condition;
use crate::packing::{InputFile, PackSettings, pack};

/// What a batch write costs, so that two of them never have the same time.
const WRITE_COST: Millis = Millis(100);

/// An error of the Delta room as the engine knows errors: a crash stays a crash.
pub fn engine_error(error: tidemark_delta::Error) -> tidemark_engine::Error {
    match error {
        tidemark_delta::Error::World(error) => error.into(),
        tidemark_delta::Error::Spark(error) => error.into(),
    }
}

/// The snapshot that a reader means: the newest, or that of `versionAsOf`.
pub fn snapshot(world: &mut World, path: &str, options: &Options) -> Result<Snapshot> {
    let version = match options.get("versionasof") {
        None => None,
        Some(text) => Some(text.trim().parse::<i64>().map_err(|_| {
            SparkError::new(
                ErrorClass::IllegalArgument,
                "DELTA_ILLEGAL_OPTION",
                "42616",
                format!("Invalid value '{text}' for option 'versionAsOf', must be a non-negative integer"),
            )
        })?),
    };
    if options.contains_key("timestampasof") {
        return Err(SparkError::plain(
            ErrorClass::UnsupportedOperation,
            "Tidemark does not have timestampAsOf yet: take versionAsOf.",
        )
        .into());
    }
    Snapshot::load(world, path, version).map_err(engine_error)
}

/// The files of one snapshot.
#[derive(Debug)]
pub struct DeltaReader {
    snapshot: Snapshot,
    schema: Arc<StructType>,
    pack: PackSettings,
}

impl DeltaReader {
    /// The rows of a snapshot as these columns.
    pub fn new(snapshot: Snapshot, schema: Arc<StructType>, pack: PackSettings) -> Self {
        DeltaReader { snapshot, schema, pack }
    }
}

impl Reader for DeltaReader {
    fn read(&self, world: &mut World) -> Result<Vec<Task>> {
        let adds: Vec<&Add> = self.snapshot.files().collect();
        read_adds(world, &self.snapshot, &adds, &self.schema, &self.pack)
    }
}

/// The rows of data files of a table as these columns, packed into tasks.
pub(crate) fn read_adds(
    world: &mut World,
    snapshot: &Snapshot,
    adds: &[&Add],
    schema: &Arc<StructType>,
    settings: &PackSettings,
) -> Result<Vec<Task>> {
    let files: Vec<InputFile> =
        adds.iter().map(|add| InputFile::new(&add.path, add.size.max(1) as u64, SimTime(0))).collect();
    let mut out = Vec::new();
    for task in pack(&files, |_| false, settings) {
        let mut read = Task { batches: Vec::new(), files: Vec::new() };
        for slice in task.slices {
            let add = adds[slice.file];
            let batch = match counted(add, schema) {
                Some(rows) => Batch::new(schema.clone(), Vec::new(), rows),
                None => snapshot.read_file(world, add, schema).map_err(engine_error)?,
            };
            read.batches.push(batch);
            read.files.push(Some(world.uri(&format!("{}/{}", snapshot.table_path(), add.path))));
        }
        out.push(read);
    }
    Ok(out)
}

/// The number of rows of a file if no column is wanted and the log knows it: then the file is not opened.
fn counted(add: &Add, schema: &StructType) -> Option<usize> {
    let known = schema.fields.is_empty() && add.deletion_vector.is_none();
    usize::try_from(add.num_records().filter(|_| known)?).ok()
}

/// Writes a batch DataFrame into the table at a path.
pub fn write(
    world: &mut World,
    settings: &dyn Settings,
    spec: &WriteSpec,
    path: &str,
    schema: &Arc<StructType>,
    tasks: &[Batch],
) -> Result<()> {
    let exists = Snapshot::exists(world, path);
    match spec.mode {
        SaveMode::ErrorIfExists if exists => {
            return Err(match &spec.table {
                Some(name) => condition::table_already_exists(name).into(),
                None => engine_error(tidemark_delta::condition::path_exists(path).into()),
            });
        }
        SaveMode::Ignore if exists => return Ok(()),
        _ => {}
    }
    let request = request(settings, spec, path, schema, exists)?;
    let write = match TableWrite::prepare(world, request).map_err(engine_error)? {
        Prepared::Skip { .. } => return Ok(()),
        Prepared::Ready(write) => write,
    };
    let mut adds = Vec::new();
    for (index, task) in tasks.iter().enumerate() {
        adds.extend(write.write_part(world, index, task).map_err(engine_error)?);
    }
    let committed = write.commit(world, adds).map_err(engine_error)?;
    world.advance(WRITE_COST);
    if let Some(committed) = committed {
        maybe_checkpoint(world, path, committed.version).map_err(engine_error)?;
    }
    Ok(())
}

fn request(
    settings: &dyn Settings,
    spec: &WriteSpec,
    path: &str,
    schema: &Arc<StructType>,
    exists: bool,
) -> Result<WriteRequest> {
    let option = |name: &str| spec.options.get(name);
    let flag = |name: &str| option(name).is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let mode = match spec.mode {
        SaveMode::Append => DeltaSaveMode::Append,
        SaveMode::Overwrite => DeltaSaveMode::Overwrite,
        SaveMode::ErrorIfExists => DeltaSaveMode::ErrorIfExists,
        SaveMode::Ignore => DeltaSaveMode::Ignore,
    };
    let definition = || TableDefinition {
        partition_by: spec.partition_by.clone(),
        is_managed: true,
        ..TableDefinition::default()
    };
    let operation = match (&spec.table, exists) {
        (Some(_), false) => Operation::define_table("CREATE TABLE AS SELECT", &definition()),
        (Some(_), true) if spec.mode == SaveMode::Overwrite => {
            Operation::define_table("CREATE OR REPLACE TABLE AS SELECT", &definition())
        }
        _ => Operation::write(mode, &spec.partition_by),
    };
    let overwrite = spec.mode == SaveMode::Overwrite;
    let write_mode = if overwrite { WriteMode::Overwrite } else { WriteMode::Append };
    let merge = option("mergeschema").map_or_else(
        || {
            settings
                .get("spark.databricks.delta.schema.autoMerge.enabled")
                .is_some_and(|value| value == "true")
        },
        |_| flag("mergeschema"),
    );
    let mut request = WriteRequest::new(path, schema.clone(), write_mode, operation);
    request.casts = if spec.table.is_some() { Casts::Implicit } else { Casts::Strict };
    request.partition_by = (!spec.partition_by.is_empty()).then(|| spec.partition_by.clone());
    request.merge_schema = merge;
    request.overwrite_schema = overwrite && (flag("overwriteschema") || spec.table.is_some());
    request.user_metadata = option("usermetadata")
        .cloned()
        .or_else(|| settings.get("spark.databricks.delta.commitInfo.userMetadata"));
    request.txn = transaction(spec)?;
    Ok(request)
}

/// `txnAppId` and `txnVersion`, which come together or not at all.
fn transaction(spec: &WriteSpec) -> Result<Option<(String, i64)>> {
    let version = spec.options.get("txnversion").map(|text| text.trim().parse::<i64>());
    match (spec.options.get("txnappid"), version) {
        (None, None) => Ok(None),
        (Some(app), Some(Ok(version))) => Ok(Some((app.clone(), version))),
        _ => Err(engine_error(tidemark_delta::condition::invalid_idempotent_writes_options().into())),
    }
}
