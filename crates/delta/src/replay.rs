//! Replay: from the listing of a log to the state at a version.

use tidemark_world::World;

use crate::condition;
use crate::error::Result;
use crate::snapshot::Snapshot;

pub(crate) fn load(_world: &mut World, table_path: &str, _version: Option<i64>) -> Result<Snapshot> {
    Err(condition::table_not_found(table_path).into())
}
