//! The Delta protocol: read, decide, commit, checkpoint.
//!
//! Owns: the actions of a log and their bytes, snapshots, data files, transactions with their conflict rule, checkpoints.
//! May touch: types, trace, world.
//! Must not know: plans, queries, Python, the page; where a batch comes from.
//! Invariants: a version is made by one put-if-absent; [`WorldError::Crashed`](tidemark_world::WorldError) passes
//! unchanged; every object path is built in [`path`].
//!
//! A write advances in pieces, so that a crash can fall between any two of them:
//!
//! ```text
//! TableWrite::prepare ─ read the snapshot, check the schema, look up txn ──▶ Skip
//!        │ Ready
//!        ▼
//! write_part (once for each task) ─▶ Add…          objects nobody sees yet
//!        ▼
//! commit ─▶ _delta_log/N.json                      the one act that counts
//!        ▼
//! maybe_checkpoint ─▶ N.checkpoint.parquet, _last_checkpoint
//! ```

pub mod action;
mod adapt;
mod cast;
pub mod checkpoint;
pub mod condition;
mod conflict;
pub mod data_file;
mod deletion_vector;
pub mod error;
mod file_list;
mod json_columns;
pub mod log;
mod merge_schema;
pub mod operation;
pub mod parquet_file;
mod partition_value;
pub mod path;
pub mod protocol;
mod replay;
pub mod schema_text;
pub mod snapshot;
mod stats;
mod store_cast;
pub mod time_travel;
pub mod transaction;
mod value_text;
pub mod write;

pub use action::{Action, Add, AddCdcFile, CommitInfo, Metadata, Protocol, Remove, SetTransaction};
pub use checkpoint::{LastCheckpoint, maybe_checkpoint};
pub use error::{Error, Result};
pub use log::{CommitFile, commit_files, latest_version, read_commit};
pub use operation::{Operation, OutputMode, SaveMode, TableDefinition};
pub use snapshot::Snapshot;
pub use time_travel::{HistoryEntry, history, version_at, version_from};
pub use transaction::{Committed, Transaction};
pub use write::{Casts, Prepared, TableWrite, WriteMode, WriteRequest, create_table};
