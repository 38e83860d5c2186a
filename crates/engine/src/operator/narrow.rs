//! Operators that keep partitions as they are: columns computed, rows left out, names changed.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::compute::FilterBuilder;
use tidemark_types::{Batch, StructType};

use crate::error::Result;
use crate::kernel::{EvalContext, Program, conform, decided, internal};
use crate::operator::flow::{BoxedOperator, Operator, Piece, Pull, RunContext};

/// Where a row stands: its task, and how many rows came before it there.
#[derive(Debug, Default)]
pub(crate) struct Place {
    partition: usize,
    first_row: i64,
}

impl Place {
    /// What expressions over this piece see.
    pub(crate) fn context(&self, context: &RunContext, piece: &Piece) -> EvalContext {
        EvalContext {
            partition: self.partition,
            first_row: self.first_row,
            file: piece.file.clone(),
            ..context.eval.clone()
        }
    }

    /// So many rows have gone by.
    pub(crate) fn advance(&mut self, rows: usize) {
        self.first_row += rows as i64;
    }

    /// The partition is over.
    pub(crate) fn next_partition(&mut self) {
        self.partition += 1;
        self.first_row = 0;
    }
}

/// `select`.
#[derive(Debug)]
pub(crate) struct Project {
    child: BoxedOperator,
    programs: Vec<Program>,
    schema: Arc<StructType>,
    place: Place,
}

impl Project {
    /// The columns of `schema`, one program for each.
    pub(crate) fn new(child: BoxedOperator, programs: Vec<Program>, schema: Arc<StructType>) -> Self {
        Project { child, programs, schema, place: Place::default() }
    }
}

impl Operator for Project {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let rows = piece.batch.rows();
                let eval = self.place.context(context, &piece);
                let mut columns = Vec::with_capacity(self.programs.len());
                for (program, field) in self.programs.iter().zip(&self.schema.fields) {
                    columns.push(conform(&program.evaluate(&piece.batch, &eval)?, &field.data_type)?);
                }
                self.place.advance(rows);
                let batch = Batch::new(self.schema.clone(), columns, rows);
                Ok(Pull::Rows(Piece { batch, file: piece.file }))
            }
            Pull::PartitionEnd => {
                self.place.next_partition();
                Ok(Pull::PartitionEnd)
            }
            other @ (Pull::Busy | Pull::End) => Ok(other),
        }
    }
}

/// `where`.
#[derive(Debug)]
pub(crate) struct Filter {
    child: BoxedOperator,
    predicate: Program,
    place: Place,
}

impl Filter {
    /// The rows for which the predicate is true.
    pub(crate) fn new(child: BoxedOperator, predicate: Program) -> Self {
        Filter { child, predicate, place: Place::default() }
    }
}

impl Operator for Filter {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let eval = self.place.context(context, &piece);
                let mask = self.predicate.evaluate(&piece.batch, &eval)?;
                self.place.advance(piece.batch.rows());
                let batch = filter_batch(&piece.batch, mask.as_boolean())?;
                Ok(if batch.rows() == 0 { Pull::Busy } else { Pull::Rows(Piece { batch, file: piece.file }) })
            }
            Pull::PartitionEnd => {
                self.place.next_partition();
                Ok(Pull::PartitionEnd)
            }
            other @ (Pull::Busy | Pull::End) => Ok(other),
        }
    }
}

/// The rows of a batch for which the mask is true.
pub(crate) fn filter_batch(batch: &Batch, mask: &arrow::array::BooleanArray) -> Result<Batch> {
    let mask = decided(mask);
    let kept = mask.true_count();
    if kept == batch.rows() {
        return Ok(batch.clone());
    }
    let predicate = FilterBuilder::new(&mask).optimize().build();
    let columns = batch
        .columns()
        .iter()
        .map(|column| predicate.filter(column.as_ref()).map_err(internal))
        .collect::<Result<Vec<_>>>()?;
    Ok(Batch::new(batch.schema().clone(), columns, kept))
}

/// The same rows under another schema of the same types: an alias, a watermark.
#[derive(Debug)]
pub(crate) struct Rename {
    child: BoxedOperator,
    schema: Arc<StructType>,
}

impl Rename {
    /// The child's rows as rows of `schema`.
    pub(crate) fn new(child: BoxedOperator, schema: Arc<StructType>) -> Self {
        Rename { child, schema }
    }
}

impl Operator for Rename {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        Ok(match self.child.pull(context)? {
            Pull::Rows(piece) => {
                Pull::Rows(Piece { batch: renamed(&piece.batch, &self.schema)?, file: piece.file })
            }
            other => other,
        })
    }
}

/// The rows of a batch under another schema of the same types.
pub(crate) fn renamed(batch: &Batch, schema: &Arc<StructType>) -> Result<Batch> {
    let columns = batch
        .columns()
        .iter()
        .zip(&schema.fields)
        .map(|(column, field)| conform(column, &field.data_type))
        .collect::<Result<Vec<_>>>()?;
    Ok(Batch::new(schema.clone(), columns, batch.rows()))
}
