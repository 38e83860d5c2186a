//! `explode`: one row for each element.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, UInt32Array};
use arrow::datatypes::DataType as Arrow;
use tidemark_types::{Batch, StructType};

use crate::error::Result;
use crate::kernel::{Program, conform_batch, take_rows, unsupported};
use crate::operator::flow::{BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::narrow::RowByRow;

/// The child's columns with each element beside them; keys and values of a map.
#[derive(Debug)]
pub(crate) struct Generate {
    child: BoxedOperator,
    generator: Program,
    outer: bool,
    schema: Arc<StructType>,
    rows: RowByRow,
}

impl Generate {
    /// `outer` keeps rows without elements, with null.
    pub(crate) fn new(
        child: BoxedOperator,
        generator: Program,
        outer: bool,
        schema: Arc<StructType>,
    ) -> Self {
        Generate { child, generator, outer, schema, rows: RowByRow::default() }
    }

    fn explode(&self, batch: &Batch, values: &ArrayRef) -> Result<Batch> {
        let (offsets, elements): (&[i32], Vec<ArrayRef>) = match values.data_type() {
            Arrow::List(_) => {
                let list = values.as_list::<i32>();
                (list.value_offsets(), vec![list.values().clone()])
            }
            Arrow::Map(..) => {
                let map = values.as_map();
                (map.value_offsets(), vec![map.keys().clone(), map.values().clone()])
            }
            other => return Err(unsupported(format!("explode of {other}"))),
        };
        let (mut parents, mut places): (Vec<u32>, Vec<Option<u32>>) = (Vec::new(), Vec::new());
        for row in 0..batch.rows() {
            let range = if values.is_null(row) { 0..0 } else { offsets[row] as u32..offsets[row + 1] as u32 };
            if range.is_empty() && self.outer {
                parents.push(row as u32);
                places.push(None);
            }
            parents.extend(std::iter::repeat_n(row as u32, range.len()));
            places.extend(range.map(Some));
        }
        let (parents, places) = (UInt32Array::from(parents), UInt32Array::from(places));
        let mut columns = Vec::with_capacity(self.schema.fields.len());
        for column in batch.columns() {
            columns.push(take_rows(column, &parents)?);
        }
        for element in &elements {
            columns.push(take_rows(element, &places)?);
        }
        conform_batch(&self.schema, &columns, parents.len())
    }
}

impl Operator for Generate {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        self.rows.check()?;
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let mut rows = std::mem::take(&mut self.rows);
                let batch = rows.compute(&piece, context, |batch, eval| {
                    self.explode(batch, &self.generator.evaluate(batch, eval)?)
                });
                self.rows = rows;
                Ok(Pull::Rows(Piece { batch: batch?, file: piece.file }))
            }
            Pull::PartitionEnd => {
                self.rows.next_partition();
                Ok(Pull::PartitionEnd)
            }
            other @ (Pull::Busy | Pull::End) => Ok(other),
        }
    }
}
