//! The state of a table at a version.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tidemark_types::StructType;
use tidemark_world::World;

use crate::action::{Add, DomainMetadata, Metadata, Protocol, Remove, SetTransaction};
use crate::error::Result;
use crate::file_list::FileList;

/// The state of a table at a version: what replay of the log gives. A clone is cheap.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(crate) table_path: String,
    pub(crate) version: i64,
    pub(crate) protocol: Protocol,
    pub(crate) metadata: Metadata,
    pub(crate) schema: Arc<StructType>,
    pub(crate) files: FileList<Add>,
    pub(crate) tombstones: FileList<Remove>,
    pub(crate) transactions: BTreeMap<String, SetTransaction>,
    pub(crate) domains: BTreeMap<String, DomainMetadata>,
}

impl Snapshot {
    /// Whether a table is at this absolute path: whether its log holds a commit or a checkpoint.
    pub fn exists(world: &mut World, table_path: &str) -> bool {
        crate::log::latest_version(world, table_path).is_some()
    }

    /// Rebuilds the newest state, or that of `version`.
    ///
    /// Errors: `PATH_NOT_FOUND`, `DELTA_TABLE_NOT_FOUND`, `DELTA_VERSION_NOT_FOUND`, `DELTA_VERSIONS_NOT_CONTIGUOUS`,
    /// `DELTA_STATE_RECOVER_ERROR`, `DELTA_UNSUPPORTED_FEATURES_FOR_READ`, `FAILED_READ_FILE.NO_HINT`.
    pub fn load(world: &mut World, table_path: &str, version: Option<i64>) -> Result<Snapshot> {
        crate::replay::load(world, table_path, version)
    }

    /// Rebuilds the newest state; none if there is no table.
    pub fn find(world: &mut World, table_path: &str) -> Result<Option<Snapshot>> {
        crate::replay::find(world, table_path, None)
    }

    /// The newest state, or that of `version`, from this older one: only what came after it is read. If the log no
    /// longer shows this one's commit, all is rebuilt; none if there is no table any more.
    pub fn update(&self, world: &mut World, version: Option<i64>) -> Result<Option<Snapshot>> {
        crate::replay::update(world, self, version)
    }

    /// The absolute path of the table.
    pub fn table_path(&self) -> &str {
        &self.table_path
    }

    /// The version.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// The protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// Schema, partitioning and properties as the log holds them.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The id of the table.
    pub fn table_id(&self) -> &str {
        &self.metadata.id
    }

    /// The schema, partition columns among the others.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// The partition columns in order.
    pub fn partition_columns(&self) -> &[String] {
        &self.metadata.partition_columns
    }

    /// A property of the table.
    pub fn property(&self, key: &str) -> Option<&str> {
        self.metadata.configuration.get(key).and_then(Value::as_str)
    }

    /// Whether a property is `true`.
    pub fn is_enabled(&self, key: &str) -> bool {
        self.property(key).is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The live files in the order in which the log brought them.
    pub fn files(&self) -> impl ExactSizeIterator<Item = &Add> {
        self.files.iter()
    }

    /// The removed files that a checkpoint still keeps.
    pub fn tombstones(&self) -> impl ExactSizeIterator<Item = &Remove> {
        self.tombstones.iter()
    }

    /// The last write of an application.
    pub fn transaction(&self, app_id: &str) -> Option<&SetTransaction> {
        self.transactions.get(app_id)
    }

    /// The last writes of all applications, by their ids.
    pub fn transactions(&self) -> impl Iterator<Item = &SetTransaction> {
        self.transactions.values()
    }

    /// Whether an application has already written this version: the test of a replayed batch.
    pub fn already_committed(&self, app_id: &str, version: i64) -> bool {
        self.transaction(app_id).is_some_and(|txn| txn.version >= version)
    }
}
