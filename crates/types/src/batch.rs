//! The one carrier of rows between operators: Arrow columns with a Spark schema.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow::error::ArrowError;

use crate::schema::StructType;

/// Rows as columns.
///
/// Shape: every column has `rows()` values and the Arrow type of its field, see [`crate::DataType::to_arrow`].
#[derive(Clone, Debug)]
pub struct Batch {
    schema: Arc<StructType>,
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl Batch {
    /// A batch of these columns.
    ///
    /// # Panics
    /// When columns and schema disagree in number, type or length: that is a broken invariant of the caller.
    pub fn new(schema: Arc<StructType>, columns: Vec<ArrayRef>, rows: usize) -> Self {
        assert_eq!(schema.fields.len(), columns.len(), "a batch has one column for each field");
        for (field, column) in schema.fields.iter().zip(&columns) {
            assert_eq!(
                column.len(),
                rows,
                "column `{}` has as many values as the batch has rows",
                field.name
            );
            let wanted = field.data_type.to_arrow();
            assert!(
                column.data_type().equals_datatype(&wanted),
                "column `{}` is carried as {wanted}, not {}",
                field.name,
                column.data_type()
            );
        }
        Batch { schema, columns, rows }
    }

    /// A batch without rows.
    pub fn empty(schema: Arc<StructType>) -> Self {
        let columns = schema.fields.iter().map(|f| new_empty_array(&f.data_type.to_arrow())).collect();
        Batch { schema, columns, rows: 0 }
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<StructType> {
        &self.schema
    }

    /// All columns in order.
    pub fn columns(&self) -> &[ArrayRef] {
        &self.columns
    }

    /// One column.
    pub fn column(&self, index: usize) -> &ArrayRef {
        &self.columns[index]
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The rows from `offset` on, `length` of them, without copying.
    pub fn slice(&self, offset: usize, length: usize) -> Batch {
        let columns = self.columns.iter().map(|c| c.slice(offset, length)).collect();
        Batch { schema: self.schema.clone(), columns, rows: length }
    }

    /// The same values as an Arrow record batch.
    pub fn to_record_batch(&self) -> Result<RecordBatch, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        RecordBatch::try_new_with_options(Arc::new(self.schema.to_arrow()), self.columns.clone(), &options)
    }

    /// Several batches of one schema as one.
    pub fn concat(schema: &Arc<StructType>, batches: &[Batch]) -> Result<Batch, ArrowError> {
        if let [one] = batches {
            return Ok(one.clone());
        }
        if batches.is_empty() {
            return Ok(Batch::empty(schema.clone()));
        }
        let mut columns = Vec::with_capacity(schema.fields.len());
        for index in 0..schema.fields.len() {
            let parts: Vec<_> = batches.iter().map(|b| b.column(index).as_ref()).collect();
            columns.push(arrow::compute::concat(&parts)?);
        }
        Ok(Batch { schema: schema.clone(), columns, rows: batches.iter().map(Batch::rows).sum() })
    }
}
