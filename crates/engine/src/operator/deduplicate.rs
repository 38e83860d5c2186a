//! `distinct`, `dropDuplicates`: the first row of each key.

use std::sync::Arc;

use arrow::array::BooleanArray;
use tidemark_types::{DataType, StructType};

use crate::error::Result;
use crate::operator::flow::{BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::group::GroupTable;
use crate::operator::narrow::filter_batch;

/// The first row of each key in every partition.
#[derive(Debug)]
pub(crate) struct Deduplicate {
    child: BoxedOperator,
    keys: Vec<usize>,
    types: Vec<DataType>,
    seen: GroupTable,
}

impl Deduplicate {
    /// By the columns at these places of the child's schema.
    pub(crate) fn new(child: BoxedOperator, keys: Vec<usize>, schema: &Arc<StructType>) -> Result<Self> {
        let types: Vec<_> = keys.iter().map(|k| schema.fields[*k].data_type.clone()).collect();
        let seen = GroupTable::new(&types)?;
        Ok(Deduplicate { child, keys, types, seen })
    }
}

/// Which rows have a key that the table has not seen; it has then.
pub fn new_keys(seen: &mut GroupTable, keys: &[arrow::array::ArrayRef], rows: usize) -> Result<BooleanArray> {
    let mut next = seen.len() as u32;
    let groups = seen.intern(keys, rows)?;
    let new: Vec<bool> = groups
        .into_iter()
        .map(|group| {
            let new = group == next;
            next += u32::from(new);
            new
        })
        .collect();
    Ok(new.into())
}

impl Operator for Deduplicate {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let keys: Vec<_> = self.keys.iter().map(|k| piece.batch.column(*k).clone()).collect();
                let mask = new_keys(&mut self.seen, &keys, piece.batch.rows())?;
                let batch = filter_batch(&piece.batch, &mask)?;
                Ok(if batch.rows() == 0 { Pull::Busy } else { Pull::Rows(Piece { batch, file: piece.file }) })
            }
            Pull::PartitionEnd => {
                self.seen = GroupTable::new(&self.types)?;
                Ok(Pull::PartitionEnd)
            }
            other @ (Pull::Busy | Pull::End) => Ok(other),
        }
    }
}
