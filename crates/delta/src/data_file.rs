//! Data files of a table: reading one as the table's columns, and writing rows as files of the table.

use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::error::ArrowError;
use tidemark_types::{Batch, StructField, StructType};
use tidemark_world::{World, WorldError};

use crate::action::Add;
use crate::adapt::ColumnNames;
use crate::condition;
use crate::error::{Error, Result};
use crate::parquet_file;
use crate::partition_value;
use crate::path;
use crate::snapshot::Snapshot;

impl Snapshot {
    /// The rows of one data file as these columns of the table; partition columns come from the `add`.
    ///
    /// Shape: `columns` may be a part of the schema, or a later schema of the same table; a column that the file lacks is null.
    /// Errors: `FAILED_READ_FILE.FILE_NOT_EXIST` if VACUUM took the file, `FAILED_READ_FILE.NO_HINT` if it is broken.
    pub fn read_file(&self, world: &mut World, add: &Add, columns: &Arc<StructType>) -> Result<Batch> {
        let file = path::resolve(&self.table_path, &add.path);
        let bytes = match world.get(&file) {
            Ok(bytes) => bytes,
            Err(WorldError::NotFound { .. }) => return Err(condition::file_not_exist(&file).into()),
            Err(other) => return Err(other.into()),
        };
        let shown = condition::short_uri(&file);
        let names = ColumnNames::from_mode(self.property("delta.columnMapping.mode"));
        let stored: Vec<StructField> =
            columns.fields.iter().filter(|field| !self.is_partition_column(&field.name)).cloned().collect();
        let data = parquet_file::read_columns(&shown, &bytes, &Arc::new(StructType::new(stored)), names)?;
        let mut next = data.columns().iter();
        let all = columns
            .fields
            .iter()
            .map(|field| {
                if self.is_partition_column(&field.name) {
                    let text = add.partition_value(&names.physical_name(field));
                    partition_value::column(text, &field.data_type, data.rows())
                } else {
                    next.next().cloned().ok_or_else(|| ArrowError::SchemaError("a lost column".into()))
                }
            })
            .collect::<Result<Vec<ArrayRef>, ArrowError>>()
            .map_err(|error| Error::from(condition::failed_read_file(&shown, &error.to_string())))?;
        let batch = Batch::new(columns.clone(), all, data.rows());
        match &add.deletion_vector {
            None => Ok(batch),
            Some(vector) => crate::deletion_vector::without_deleted(world, &self.table_path, vector, &batch),
        }
    }

    /// All rows of the table, file by file, as these columns.
    pub fn read_all(&self, world: &mut World, columns: &Arc<StructType>) -> Result<Vec<Batch>> {
        self.files.iter().map(|add| self.read_file(world, add, columns)).collect()
    }

    /// Whether a column is one of the partition columns.
    pub fn is_partition_column(&self, name: &str) -> bool {
        self.metadata.partition_columns.iter().any(|column| column.eq_ignore_ascii_case(name))
    }
}
