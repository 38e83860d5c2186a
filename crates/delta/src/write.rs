//! One write into a table in separately callable pieces: prepare, write each part, commit.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, UInt32Array};
use arrow::compute::take;
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructField, StructType};
use tidemark_world::World;

use crate::action::{Action, Add, Metadata, SetTransaction, TextMap};
use crate::condition;
use crate::error::Result;
use crate::merge_schema::{TableShape, decide_shape};
use crate::operation::{Operation, TableDefinition};
use crate::parquet_file;
use crate::partition_value;
use crate::path;
use crate::protocol;
use crate::snapshot::Snapshot;
use crate::stats::{self, StatsColumns};
use crate::store_cast;
use crate::transaction::{Committed, Transaction};

/// What becomes of the rows that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// They stay.
    Append,
    /// They go: overwrite, and each batch of Complete mode.
    Overwrite,
}

/// How data of another type than the table's is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casts {
    /// Cast by store assignment: streams, INSERT, saveAsTable.
    Implicit,
    /// Refused, but for the integers of up to four bytes: `df.write.save(path)`.
    Strict,
}

/// What is to be written, and what the commit shall say.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    /// The absolute path of the table.
    pub table_path: String,
    /// The columns of the data.
    pub data_schema: Arc<StructType>,
    /// What becomes of the rows that are there.
    pub mode: WriteMode,
    /// How other types are met.
    pub casts: Casts,
    /// What the commit says it did.
    pub operation: Operation,
    /// The application and its version: query id and batch id of a stream, or `txnAppId` and `txnVersion`.
    pub txn: Option<(String, i64)>,
    /// The columns of `partitionBy`, if it was called.
    pub partition_by: Option<Vec<String>>,
    /// Whether new columns are added to the table.
    pub merge_schema: bool,
    /// Whether an overwrite may replace the schema.
    pub overwrite_schema: bool,
    /// A text for `commitInfo.userMetadata`.
    pub user_metadata: Option<String>,
    /// The properties of the table if this write makes it.
    pub configuration: TextMap,
}

impl WriteRequest {
    /// A plain append or overwrite; the other wishes are set on the fields.
    pub fn new(
        table_path: &str,
        data_schema: Arc<StructType>,
        mode: WriteMode,
        operation: Operation,
    ) -> Self {
        let casts = if is_stream(&operation) { Casts::Implicit } else { Casts::Strict };
        WriteRequest {
            table_path: table_path.to_owned(),
            data_schema,
            mode,
            casts,
            operation,
            txn: None,
            partition_by: None,
            merge_schema: false,
            overwrite_schema: false,
            user_metadata: None,
            configuration: TextMap::new(),
        }
    }

    /// The same request with the application and version that make it idempotent.
    pub fn with_txn(mut self, app_id: &str, version: i64) -> Self {
        self.txn = Some((app_id.to_owned(), version));
        self
    }
}

/// The answer of [`TableWrite::prepare`].
#[derive(Clone, Debug)]
pub enum Prepared {
    /// The table holds this write already: nothing is to be done.
    Skip {
        /// The version of the table.
        version: i64,
    },
    /// The write can begin.
    Ready(Box<TableWrite>),
}

/// A write that has passed the checks of schema and replay.
#[derive(Clone, Debug)]
pub struct TableWrite {
    request: WriteRequest,
    transaction: Transaction,
    shape: TableShape,
    schema: Arc<StructType>,
    stats_columns: StatsColumns,
}

impl TableWrite {
    /// Reads the newest snapshot, checks the data's schema against it, then looks whether `txn` says the write is done.
    ///
    /// Errors: `DELTA_METADATA_MISMATCH`, `DELTA_FAILED_TO_MERGE_FIELDS`, and the other refusals of a schema;
    /// `DELTA_CANNOT_MODIFY_APPEND_ONLY` for an overwrite.
    pub fn prepare(world: &mut World, request: WriteRequest) -> Result<Prepared> {
        TableWrite::prepare_after(world, request, None)
    }

    /// The same, with a snapshot of the table that is known from before: only what came after it is read.
    pub fn prepare_after(
        world: &mut World,
        request: WriteRequest,
        known: Option<&Snapshot>,
    ) -> Result<Prepared> {
        let void = |field: &StructField| field.data_type == DataType::Null;
        if is_stream(&request.operation) && request.data_schema.fields.iter().any(void) {
            return Err(condition::null_schema_in_streaming_write().into());
        }
        let mut transaction = Transaction::start_after(world, &request.table_path, known)?;
        let shape = decide_shape(transaction.snapshot(), &request)?;
        if let Some((app_id, wanted)) = &request.txn
            && transaction.transaction_version(app_id).is_some_and(|done| done >= *wanted)
        {
            return Ok(Prepared::Skip { version: transaction.snapshot().map_or(0, Snapshot::version) });
        }
        if request.mode == WriteMode::Overwrite {
            if transaction.snapshot().is_some_and(|table| table.is_enabled("delta.appendOnly")) {
                return Err(condition::cannot_modify_append_only("null").into());
            }
            transaction.read_whole_table();
        }
        let limit = transaction.snapshot().and_then(|t| t.property("delta.dataSkippingNumIndexedCols"));
        let stats_columns = StatsColumns::decide(&shape.schema, &shape.partition_columns, limit);
        let schema = Arc::new(shape.schema.clone());
        Ok(Prepared::Ready(Box::new(TableWrite { request, transaction, shape, schema, stats_columns })))
    }

    /// The snapshot that was read; none if this write makes the table.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.transaction.snapshot()
    }

    /// The schema that the table has after the commit.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// The CHECK constraints of the table: name and expression. Whoever evaluates expressions checks the rows.
    pub fn constraints(&self) -> Vec<(String, String)> {
        let properties = self.transaction.snapshot().map(|table| &table.metadata().configuration);
        let named = |(key, value): (&String, &serde_json::Value)| {
            Some((key.strip_prefix("delta.constraints.")?.to_owned(), value.as_str()?.to_owned()))
        };
        properties.into_iter().flatten().filter_map(named).collect()
    }

    /// Notes that the data was read from this very table, for the conflict check.
    pub fn reads_own_table(&mut self) {
        self.transaction.read_whole_table();
    }

    /// Writes the rows of one task as data files, one for each partition; none if there are no rows.
    ///
    /// Shape: the batch has the columns of `data_schema`; they are cast to the table's types here.
    /// Errors: `TASK_WRITE_FAILED` over the cast that failed; `DELTA_NOT_NULL_CONSTRAINT_VIOLATED`.
    pub fn write_part(&self, world: &mut World, task_index: usize, batch: &Batch) -> Result<Vec<Add>> {
        if batch.rows() == 0 {
            return Ok(Vec::new());
        }
        let batch = self.cast(batch)?;
        let refused = |error: arrow::error::ArrowError| {
            let cause = SparkError::plain(ErrorClass::Spark, error.to_string());
            condition::task_write_failed(&self.request.table_path, cause)
        };
        let mut adds = Vec::new();
        for (values, rows) in self.split(&batch).map_err(refused)? {
            let part = self.without_partition_columns(&batch, rows).map_err(refused)?;
            adds.push(self.write_file(world, task_index, values, &part)?);
        }
        Ok(adds)
    }

    fn cast(&self, batch: &Batch) -> Result<Batch> {
        let mut fields = Vec::new();
        let mut columns = Vec::new();
        for (field, column) in batch.schema().fields.iter().zip(batch.columns()) {
            let Some(index) = self.schema.index_of(&field.name) else { continue };
            let wanted = &self.schema.fields[index];
            let cast = store_cast::to_table_type(column, &field.data_type, &wanted.data_type, &wanted.name)
                .map_err(|cause| condition::task_write_failed(&self.request.table_path, cause))?;
            if !wanted.nullable && cast.null_count() > 0 {
                return Err(condition::not_null_violated(&wanted.name).into());
            }
            fields.push(StructField { nullable: true, ..wanted.clone() });
            columns.push(cast);
        }
        Ok(Batch::new(Arc::new(StructType::new(fields)), columns, batch.rows()))
    }

    /// The rows of each partition, in the order of the partition values; all rows if there are no partitions.
    fn split(
        &self,
        batch: &Batch,
    ) -> Result<Vec<(PartitionValues, Option<UInt32Array>)>, arrow::error::ArrowError> {
        if self.shape.partition_columns.is_empty() {
            return Ok(vec![(Vec::new(), None)]);
        }
        let mut found: BTreeMap<PartitionValues, Vec<u32>> = BTreeMap::new();
        for row in 0..batch.rows() {
            let mut values = Vec::new();
            for name in &self.shape.partition_columns {
                let text = match batch.schema().index_of(name) {
                    Some(index) => partition_value::text(batch.column(index), row)?,
                    None => None,
                };
                values.push((name.clone(), text));
            }
            found.entry(values).or_default().push(row as u32);
        }
        Ok(found.into_iter().map(|(values, rows)| (values, Some(UInt32Array::from(rows)))).collect())
    }

    fn without_partition_columns(
        &self,
        batch: &Batch,
        rows: Option<UInt32Array>,
    ) -> Result<Batch, arrow::error::ArrowError> {
        let Some(rows) = rows else { return Ok(batch.clone()) };
        let mut fields = Vec::new();
        let mut columns: Vec<ArrayRef> = Vec::new();
        for (field, column) in batch.schema().fields.iter().zip(batch.columns()) {
            if !self.shape.partition_columns.contains(&field.name) {
                fields.push(field.clone());
                columns.push(take(column, &rows, None)?);
            }
        }
        Ok(Batch::new(Arc::new(StructType::new(fields)), columns, rows.len()))
    }

    fn write_file(
        &self,
        world: &mut World,
        task_index: usize,
        values: PartitionValues,
        part: &Batch,
    ) -> Result<Add> {
        let bytes = parquet_file::write(part)?;
        let name = path::data_file(&path::partition_folder(&values), task_index, &world.uuid());
        let size = bytes.len() as i64;
        world.put(&format!("{}/{name}", self.request.table_path), bytes)?;
        let partition_values =
            values.into_iter().map(|(name, value)| (name, value.map_or(serde_json::Value::Null, Into::into)));
        Ok(Add {
            path: path::encode(&name),
            partition_values: partition_values.collect(),
            size,
            modification_time: world.now().0,
            data_change: true,
            stats: Some(stats::render(part, &self.stats_columns)),
            tags: None,
            deletion_vector: None,
            base_row_id: None,
            default_row_commit_version: None,
            clustering_provider: None,
        })
    }

    /// Puts the commit with these files; none if the commit would say nothing.
    ///
    /// Shape: a write with a `txn` always makes a version, one without rows or changes makes none.
    pub fn commit(self, world: &mut World, adds: Vec<Add>) -> Result<Option<Committed>> {
        let now = world.now().0;
        let mut actions = self.table_actions(world, now);
        if let Some((app_id, version)) = &self.request.txn {
            let (app_id, version) = (app_id.clone(), *version);
            actions.push(Action::Txn(SetTransaction { app_id, version, last_updated: Some(now) }));
        }
        let removed: Vec<Add> = match (self.request.mode, self.transaction.snapshot()) {
            (WriteMode::Overwrite, Some(table)) => table.files().cloned().collect(),
            (WriteMode::Append, _) | (_, None) => Vec::new(),
        };
        if actions.is_empty() && adds.is_empty() && removed.is_empty() {
            return Ok(None);
        }
        let metrics = metrics(&self.request, &adds, &removed);
        actions.extend(adds.into_iter().map(Action::Add));
        actions.extend(removed.iter().map(|add| Action::Remove(add.remove(now, true))));
        let user_metadata = self.request.user_metadata.as_deref();
        self.transaction.commit(world, actions, &self.request.operation, metrics, user_metadata).map(Some)
    }

    /// `metaData` and `protocol`, where they are new.
    fn table_actions(&self, world: &mut World, now: i64) -> Vec<Action> {
        if !self.shape.changed {
            return Vec::new();
        }
        let (schema_string, partition_columns) =
            (self.schema.to_json(), self.shape.partition_columns.clone());
        if let Some(table) = self.transaction.snapshot() {
            return vec![Action::Metadata(Metadata {
                schema_string,
                partition_columns,
                ..table.metadata().clone()
            })];
        }
        let metadata = Metadata {
            id: world.uuid(),
            name: None,
            description: None,
            format: crate::action::Format::default(),
            schema_string,
            partition_columns,
            configuration: self.request.configuration.clone(),
            created_time: Some(now),
        };
        let protocol = protocol::for_new_table(&self.schema, &self.request.configuration);
        vec![Action::Metadata(metadata), Action::Protocol(protocol)]
    }
}

/// Makes a table without rows: `CREATE TABLE`, and what `toTable` does before its first batch.
///
/// Shape: NOT NULL columns stay so, as a definition may say it; `toTable` hands in a schema that is nullable throughout.
/// Errors: the refusals of a schema; the conflict family if another writer makes the table meanwhile.
pub fn create_table(
    world: &mut World,
    table_path: &str,
    schema: Arc<StructType>,
    definition: &TableDefinition,
) -> Result<Option<Committed>> {
    let operation = Operation::define_table("CREATE TABLE", definition);
    let mut request = WriteRequest::new(table_path, schema, WriteMode::Append, operation);
    request.partition_by = Some(definition.partition_by.clone());
    request.configuration.clone_from(&definition.properties);
    match TableWrite::prepare(world, request)? {
        Prepared::Ready(write) => write.commit(world, Vec::new()),
        Prepared::Skip { .. } => Ok(None),
    }
}

/// The text of each partition column's value, in the order of the columns.
type PartitionValues = Vec<(String, Option<String>)>;

fn is_stream(operation: &Operation) -> bool {
    operation.name == "STREAMING UPDATE"
}

/// The metrics of a write: texts, in the order that reads best.
fn metrics(request: &WriteRequest, adds: &[Add], removed: &[Add]) -> TextMap {
    if request.operation.name == "CREATE TABLE" {
        return TextMap::new();
    }
    let rows: i64 = adds.iter().filter_map(Add::num_records).sum();
    let bytes = |files: &[Add]| files.iter().map(|file| file.size).sum::<i64>();
    let mut numbers = Vec::new();
    if is_stream(&request.operation) {
        numbers.push(("numRemovedFiles", removed.len() as i64));
        numbers.push(("numAddedFiles", adds.len() as i64));
    } else {
        numbers.push(("numFiles", adds.len() as i64));
        if request.mode == WriteMode::Overwrite {
            numbers.push(("numRemovedFiles", removed.len() as i64));
            numbers.push(("numRemovedBytes", bytes(removed)));
        }
    }
    numbers.push(("numOutputRows", rows));
    numbers.push(("numOutputBytes", bytes(adds)));
    numbers.into_iter().map(|(key, value)| (key.to_owned(), value.to_string().into())).collect()
}
