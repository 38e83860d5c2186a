//! The state of a query as rows: the formats `statestore` and `state-metadata`.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int32Array, Int64Array, StringArray, StructArray, new_null_array};
use tidemark_engine::state::StoreId;
use tidemark_engine::state::reader::{
    StateRows, known_stores, read_changes, read_partitions, read_schema, read_state, store_named,
};
use tidemark_engine::stream::log::MetadataLog;
use tidemark_engine::{Reader, Result, Task};
use tidemark_plan::ReadSpec;
use tidemark_plan::spec::{ListedFile, Listing, Options};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructField, StructType};
use tidemark_world::World;

/// Whether a format shows the state of a query.
pub fn is_state(format: &str) -> bool {
    matches!(format, "statestore" | "state-metadata")
}

/// The schema of what a reader names.
///
/// Errors: those of `load()`: an option that is wrong, a checkpoint without a batch, a store that is not there.
pub fn resolve(world: &mut World, spec: &ReadSpec, path: Option<&str>) -> Result<StructType> {
    check_reader(spec)?;
    if spec.format == "state-metadata" {
        return Ok(metadata_schema());
    }
    let place = StatePlace::of(world, spec, path)?;
    let (keys, values) = place.schemas(world)?;
    let mut fields = vec![
        StructField::new("key", DataType::Struct(keys), true),
        StructField::new("value", DataType::Struct(values), true),
        StructField::new("partition_id", DataType::Integer, true),
    ];
    if place.changes.is_some() {
        fields.insert(0, StructField::new("change_type", DataType::String, true));
        fields.insert(0, StructField::new("batch_id", DataType::Long, true));
    }
    Ok(StructType::new(fields))
}

/// What `load()` fixes: the batch that is the last one then, as its file in the commit log.
pub fn listing(world: &mut World, spec: &ReadSpec, path: Option<&str>) -> Option<Listing> {
    let log = commit_log(&world.resolve(path.filter(|_| spec.format == "statestore")?));
    let newest = log.ids(world).pop()?;
    Some(Arc::new(vec![ListedFile::new(log.path(newest), 0, world.now())]))
}

fn commit_log(checkpoint: &str) -> MetadataLog {
    MetadataLog::new(format!("{checkpoint}/commits"))
}

/// The rows of what a reader names, with the columns of `schema`.
pub fn reader(
    world: &mut World,
    spec: &ReadSpec,
    path: Option<&str>,
    schema: &Arc<StructType>,
) -> Result<Box<dyn Reader>> {
    if spec.format == "state-metadata" {
        let path = world.resolve(path.ok_or_else(|| required("path"))?);
        return Ok(Box::new(MetadataReader { checkpoint: path, schema: schema.clone() }));
    }
    let place = StatePlace::of(world, spec, path)?;
    Ok(Box::new(StateReader { place, schema: schema.clone() }))
}

/// What no reader of state takes: a stream, a schema.
fn check_reader(spec: &ReadSpec) -> Result<()> {
    let class = if spec.format == "statestore" { "StateDataSource" } else { "StateMetadataSource" };
    let refused = |condition: &str, text: String| {
        SparkError::new(ErrorClass::UnsupportedOperation, condition, "", text)
            .with_parameter("className", spec.format.clone())
    };
    if spec.streaming {
        let text = format!("Data source {} does not support streamed reading.", spec.format);
        return Err(refused("_LEGACY_ERROR_TEMP_2049", text).into());
    }
    if spec.schema.is_some() {
        let text = format!("{class} source does not support user-specified schema.");
        return Err(refused("_LEGACY_ERROR_TEMP_2242", text).into());
    }
    Ok(())
}

/// One side of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum JoinSide {
    None,
    Left,
    Right,
}

impl JoinSide {
    fn word(self) -> &'static str {
        match self {
            JoinSide::None => "none",
            JoinSide::Left => "left",
            JoinSide::Right => "right",
        }
    }
}

/// Which store of a checkpoint, and after which batch.
#[derive(Clone, Debug)]
struct StatePlace {
    checkpoint: String,
    operator: usize,
    store: String,
    side: JoinSide,
    batch: i64,
    /// The first batch whose changes are asked for, if changes are.
    changes: Option<i64>,
}

impl StatePlace {
    fn of(world: &mut World, spec: &ReadSpec, path: Option<&str>) -> Result<StatePlace> {
        let options = &spec.options;
        let path = path.ok_or_else(|| required("path"))?;
        let operator = number(options, "operatorId")?.unwrap_or(0);
        not_negative("operatorId", Some(operator))?;
        let store = options.get("storename").map_or("default", |name| name.trim()).to_owned();
        if store.is_empty() {
            return Err(invalid("storeName", "IS_EMPTY", "cannot be empty.").into());
        }
        let side = match options.get("joinside").map(String::as_str) {
            None | Some("none") => JoinSide::None,
            Some("left") => JoinSide::Left,
            Some("right") => JoinSide::Right,
            Some(_) => {
                return Err(invalid("joinSide", "WITH_MESSAGE", "Valid values are left,right,none").into());
            }
        };
        if side != JoinSide::None && store != "default" {
            return Err(conflict("joinSide", "storeName").into());
        }
        let mut place = StatePlace {
            checkpoint: world.resolve(path),
            operator: operator as usize,
            store,
            side,
            batch: 0,
            changes: None,
        };
        let fixed =
            spec.listing.as_ref().and_then(|files| files.first()?.path.rsplit('/').next()?.parse().ok());
        place.set_batches(world, options, fixed)?;
        Ok(place)
    }

    /// `fixed` is the last batch when the reader was loaded.
    fn set_batches(&mut self, world: &mut World, options: &Options, fixed: Option<i64>) -> Result<()> {
        let (batch, first, last) = (
            number(options, "batchId")?,
            number(options, "changeStartBatchId")?,
            number(options, "changeEndBatchId")?,
        );
        let committed = commit_log(&self.checkpoint).ids(world);
        let newest = fixed.or_else(|| committed.last().copied()).ok_or_else(|| self.no_batch());
        if options.get("readchangefeed").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            for (name, given) in [
                ("joinSide", self.side != JoinSide::None),
                ("batchId", batch.is_some()),
                ("snapshotStartBatchId", options.contains_key("snapshotstartbatchid")),
                ("snapshotPartitionId", options.contains_key("snapshotpartitionid")),
            ] {
                if given {
                    return Err(conflict(name, "readChangeFeed").into());
                }
            }
            let first = first.ok_or_else(|| required("changeStartBatchId"))?;
            not_negative("changeStartBatchId", Some(first))?;
            let last = last.map_or(newest, Ok)?;
            if last < first {
                let text = format!(
                    "changeEndBatchId cannot be smaller than changeStartBatchId. Please check the input to \
                     changeEndBatchId, or if you are using its default value, make sure that changeStartBatchId is less \
                     than {last}."
                );
                return Err(invalid("changeEndBatchId", "WITH_MESSAGE", &text).into());
            }
            (self.batch, self.changes) = (last, Some(first));
        } else {
            for (name, given) in [("changeStartBatchId", first), ("changeEndBatchId", last)] {
                if given.is_some() {
                    let text = "Only specify this option when readChangeFeed is set to true.";
                    return Err(invalid(name, "WITH_MESSAGE", text).into());
                }
            }
            self.batch = batch.map_or(newest, Ok)?;
            not_negative("batchId", Some(self.batch))?;
            snapshot_options(options, self.batch)?;
        }
        if committed.contains(&self.batch) { Ok(()) } else { Err(self.no_batch().into()) }
    }

    fn no_batch(&self) -> SparkError {
        let place = format!("file:{}", self.checkpoint);
        SparkError::new(
            ErrorClass::Runtime,
            "STDS_COMMITTED_BATCH_UNAVAILABLE",
            "KD006",
            format!(
                "No committed batch found, checkpoint location: {place}. Ensure that the query has run and committed any \
                 microbatch before stopping."
            ),
        )
        .with_parameter("checkpointLocation", place)
    }

    /// The store whose rows are shown: of a side of a join, the one with the rows.
    fn store_name(&self, world: &mut World) -> Result<&'static str> {
        let name = match self.side {
            JoinSide::None => self.store.as_str(),
            JoinSide::Left => "left-keyWithIndexToValue",
            JoinSide::Right => "right-keyWithIndexToValue",
        };
        let stores = known_stores(world, &self.checkpoint)?;
        let own = stores.iter().filter(|store| store.operator == self.operator as i64).collect::<Vec<_>>();
        let known = own.iter().any(|store| store.store == name);
        match (store_named(name), own.first()) {
            (Some(name), _) if known => Ok(name),
            // Spark takes a name that it does not know for that of a variable.
            (_, Some(operator)) if self.side == JoinSide::None && self.store != "default" => {
                Err(variable_refused(&operator.operator_name).into())
            }
            _ => Err(self.no_schema().into()),
        }
    }

    fn schemas(&self, world: &mut World) -> Result<(StructType, StructType)> {
        let name = self.store_name(world)?;
        let (mut keys, mut values) =
            read_schema(world, &self.checkpoint, self.operator, name).ok_or_else(|| self.no_schema())?;
        if self.side != JoinSide::None {
            keys.fields.pop();
            values.fields.pop();
        }
        Ok((keys, values))
    }

    fn no_schema(&self) -> SparkError {
        let options = format!(
            "StateSourceOptions(checkpointLocation=file:{}, batchId={}, operatorId={}, storeName={}, joinSide={}, \
             stateVarName=None, flattenCollectionTypes=true)",
            self.checkpoint,
            self.batch,
            self.operator,
            self.store,
            self.side.word()
        );
        SparkError::new(
            ErrorClass::Runtime,
            "STDS_FAILED_TO_READ_STATE_SCHEMA",
            "42K03",
            format!(
                "Failed to read the state schema. Either the file does not exist, or the file is corrupted. options: \
                 {options}.\nRerun the streaming query to construct the state schema, and report to the corresponding \
                 communities or vendors if the error persists."
            ),
        )
        .with_parameter("sourceOptions", options)
    }
}

/// Options about snapshots and variables: checked as Spark does, and what is left is refused by name.
fn snapshot_options(options: &Options, batch: i64) -> Result<()> {
    let (first, partition) =
        (number(options, "snapshotStartBatchId")?, number(options, "snapshotPartitionId")?);
    not_negative("snapshotStartBatchId", first)?;
    if first.is_some_and(|first| first > batch) {
        let text = format!("value should be less than or equal to {batch}");
        return Err(invalid("snapshotStartBatchId", "WITH_MESSAGE", &text).into());
    }
    not_negative("snapshotPartitionId", partition)?;
    match (first, partition) {
        (None, Some(_)) => Err(required("snapshotStartBatchId").into()),
        (Some(_), None) => Err(required("snapshotPartitionId").into()),
        (Some(_), Some(_)) => {
            let text = "Tidemark does not start from a snapshot of your choice: leave out snapshotStartBatchId and \
                        snapshotPartitionId, and the newest snapshot is taken.";
            Err(SparkError::plain(ErrorClass::UnsupportedOperation, text).into())
        }
        (None, None) => Ok(()),
    }
}

fn number(options: &Options, name: &str) -> Result<Option<i64>> {
    let Some(text) = options.get(&name.to_lowercase()) else { return Ok(None) };
    let wrong = || SparkError::plain(ErrorClass::NumberFormat, format!("For input string: \"{text}\""));
    Ok(Some(text.parse().map_err(|_| wrong())?))
}

fn not_negative(name: &str, value: Option<i64>) -> Result<()> {
    match value {
        Some(value) if value < 0 => Err(invalid(name, "IS_NEGATIVE", "cannot be negative.").into()),
        _ => Ok(()),
    }
}

fn invalid(name: &str, kind: &str, text: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Runtime,
        &format!("STDS_INVALID_OPTION_VALUE.{kind}"),
        "42616",
        format!("Invalid value for source option '{name}': {text}"),
    )
    .with_parameter("optionName", name)
}

fn variable_refused(operator: &str) -> SparkError {
    let text = format!(
        "Providing state variable names is only supported with the transformWithState operator. Found \
         operator={operator}. Please remove this option and re-run the query."
    );
    invalid("stateVarName", "WITH_MESSAGE", &text)
}

fn required(name: &str) -> SparkError {
    SparkError::new(
        ErrorClass::Runtime,
        "STDS_REQUIRED_OPTION_UNSPECIFIED",
        "42601",
        format!("'{name}' must be specified."),
    )
    .with_parameter("optionName", name)
}

fn conflict(one: &str, other: &str) -> SparkError {
    let options = format!("['{one}', '{other}']");
    SparkError::new(
        ErrorClass::Runtime,
        "STDS_CONFLICT_OPTIONS",
        "42613",
        format!("The options {options} cannot be specified together. Please specify the one."),
    )
    .with_parameter("options", options)
}

/// The columns of `schema` among those that were made.
fn task(schema: &Arc<StructType>, columns: &[(&str, ArrayRef)], rows: usize) -> Task {
    let wanted = schema.fields.iter().map(|field| {
        let made = columns.iter().find(|(name, _)| *name == field.name);
        made.map_or_else(|| new_null_array(&field.data_type.to_arrow(), rows), |(_, column)| column.clone())
    });
    Task { batches: vec![Batch::new(schema.clone(), wanted.collect(), rows)], files: vec![None] }
}

/// Reads a store, one task for each partition.
#[derive(Debug)]
struct StateReader {
    place: StatePlace,
    schema: Arc<StructType>,
}

impl StateReader {
    fn partition(
        &self,
        world: &mut World,
        id: &StoreId,
        schemas: &(StructType, StructType),
        batch: i64,
    ) -> Result<Vec<(&'static str, ArrayRef)>> {
        let place = &self.place;
        let changes = place.changes.is_some();
        let StateRows { mut keys, mut values } = if changes {
            read_changes(world, &place.checkpoint, id, batch, schemas)?
        } else {
            read_state(world, &place.checkpoint, id, batch, schemas)?
        };
        if place.side != JoinSide::None {
            (keys, values) = (without_last(&keys), without_last(&values));
        }
        let rows = keys.len();
        let partition: ArrayRef = Arc::new(Int32Array::from(vec![id.partition as i32; rows]));
        let mut columns = Vec::new();
        if changes {
            let kind = |row: usize| if values.is_null(row) { "delete" } else { "update" };
            let kinds: ArrayRef = Arc::new(StringArray::from_iter_values((0..rows).map(kind)));
            let batches: ArrayRef = Arc::new(Int64Array::from(vec![batch; rows]));
            columns.extend([("batch_id", batches), ("change_type", kinds)]);
        }
        columns.extend([("key", keys), ("value", values), ("partition_id", partition)]);
        Ok(columns)
    }
}

/// A column of structs without their last field: what a join adds to its keys and its rows.
fn without_last(column: &ArrayRef) -> ArrayRef {
    let (fields, mut columns, nulls) = column.as_struct().clone().into_parts();
    columns.pop();
    let fields: Vec<_> = fields.iter().take(columns.len()).cloned().collect();
    let made = StructArray::try_new_with_length(fields.into(), columns, nulls, column.len());
    Arc::new(made.expect("the fields that are left fit as before"))
}

impl Reader for StateReader {
    fn read(&self, world: &mut World) -> Result<Vec<Task>> {
        let place = &self.place;
        let name = place.store_name(world)?;
        let schemas =
            read_schema(world, &place.checkpoint, place.operator, name).ok_or_else(|| place.no_schema())?;
        let mut tasks = Vec::new();
        for partition in read_partitions(world, &place.checkpoint, place.operator) {
            let id = StoreId { operator: place.operator, partition, name };
            let mut all = Task { batches: Vec::new(), files: Vec::new() };
            for batch in place.changes.unwrap_or(place.batch)..=place.batch {
                let columns = self.partition(world, &id, &schemas, batch)?;
                let rows = columns.first().map_or(0, |(_, column)| column.len());
                let made = task(&self.schema, &columns, rows);
                all.batches.extend(made.batches);
                all.files.extend(made.files);
            }
            tasks.push(all);
        }
        Ok(tasks)
    }
}

fn metadata_schema() -> StructType {
    StructType::new(vec![
        StructField::new("operatorId", DataType::Long, true),
        StructField::new("operatorName", DataType::String, true),
        StructField::new("stateStoreName", DataType::String, true),
        StructField::new("numPartitions", DataType::Integer, true),
        StructField::new("minBatchId", DataType::Long, true),
        StructField::new("maxBatchId", DataType::Long, true),
        StructField::new("operatorProperties", DataType::String, true),
    ])
}

/// Reads what a checkpoint says about its operators, one row for each store.
#[derive(Debug)]
struct MetadataReader {
    checkpoint: String,
    schema: Arc<StructType>,
}

impl Reader for MetadataReader {
    fn read(&self, world: &mut World) -> Result<Vec<Task>> {
        let stores = known_stores(world, &self.checkpoint)?;
        let batches = commit_log(&self.checkpoint).ids(world);
        let (first, last) = (batches.first().copied().unwrap_or(-1), batches.last().copied().unwrap_or(-1));
        let rows = stores.len();
        let texts = |texts: Vec<&str>| -> ArrayRef { Arc::new(StringArray::from(texts)) };
        let longs = |numbers: Vec<i64>| -> ArrayRef { Arc::new(Int64Array::from(numbers)) };
        let partitions: Vec<i32> = stores.iter().map(|store| store.partitions).collect();
        let columns = [
            ("operatorId", longs(stores.iter().map(|store| store.operator).collect())),
            ("operatorName", texts(stores.iter().map(|store| store.operator_name.as_str()).collect())),
            ("stateStoreName", texts(stores.iter().map(|store| store.store.as_str()).collect())),
            ("numPartitions", Arc::new(Int32Array::from(partitions)) as ArrayRef),
            ("minBatchId", longs(vec![first; rows])),
            ("maxBatchId", longs(vec![last; rows])),
        ];
        Ok(vec![task(&self.schema, &columns, rows)])
    }
}
