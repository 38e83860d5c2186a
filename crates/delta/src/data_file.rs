//! Data files of a table: reading one as the table's columns.

use std::sync::Arc;

use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::action::Add;
use crate::error::Result;
use crate::snapshot::Snapshot;

impl Snapshot {
    /// The rows of one data file as these columns of the table; partition columns come from the `add`.
    ///
    /// Shape: `columns` may be a part of the schema, or a later schema of the same table; a column that the file lacks is null.
    /// Errors: `FAILED_READ_FILE.FILE_NOT_EXIST` if VACUUM took the file, `FAILED_READ_FILE.NO_HINT` if it is broken.
    pub fn read_file(&self, world: &mut World, add: &Add, columns: &Arc<StructType>) -> Result<Batch> {
        let _ = (world, add);
        Ok(Batch::empty(columns.clone()))
    }

    /// All rows of the table, file by file, as these columns.
    pub fn read_all(&self, world: &mut World, columns: &Arc<StructType>) -> Result<Vec<Batch>> {
        self.files.iter().map(|add| self.read_file(world, add, columns)).collect()
    }
}
