//! Operators that keep partitions as they are: columns computed, rows left out, names changed.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::compute::FilterBuilder;
use tidemark_types::{Batch, StructType};

use crate::error::{Error, Result};
use crate::kernel::{EvalContext, Program, conform, conform_batch, decided, internal};
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

/// Rows computed batch by batch, with errors row by row: a row that Spark refuses fails only once the rows before it
/// have gone on, so a limit above may have enough by then.
#[derive(Debug, Default)]
pub(crate) struct RowByRow {
    place: Place,
    refused: Option<Error>,
}

impl RowByRow {
    /// Computes a piece, or as many of its first rows as can be. The error of the row after them comes out of
    /// [`RowByRow::check`].
    pub(crate) fn compute<T>(
        &mut self,
        piece: &Piece,
        context: &RunContext,
        compute: impl Fn(&Batch, &EvalContext) -> Result<T>,
    ) -> Result<T> {
        let eval = self.place.context(context, piece);
        let rows = piece.batch.rows();
        self.place.advance(rows);
        let error = match compute(&piece.batch, &eval) {
            Err(error) if rows > 1 => error,
            other => return other,
        };
        let (mut good, mut bad) = (0, rows);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if compute(&piece.batch.slice(0, middle), &eval).is_ok() {
                good = middle;
            } else {
                bad = middle;
            }
        }
        let next = EvalContext { first_row: eval.first_row + good as i64, ..eval.clone() };
        let error = compute(&piece.batch.slice(good, 1), &next).err().unwrap_or(error);
        if good == 0 {
            return Err(error);
        }
        self.refused = Some(error);
        compute(&piece.batch.slice(0, good), &eval)
    }

    /// Fails if the next row is one that Spark refuses.
    pub(crate) fn check(&mut self) -> Result<()> {
        self.refused.take().map_or(Ok(()), Err)
    }

    /// The partition is over.
    pub(crate) fn next_partition(&mut self) {
        self.place.next_partition();
    }
}

/// `select`.
#[derive(Debug)]
pub(crate) struct Project {
    child: BoxedOperator,
    programs: Vec<Program>,
    schema: Arc<StructType>,
    rows: RowByRow,
}

impl Project {
    /// The columns of `schema`, one program for each.
    pub(crate) fn new(child: BoxedOperator, programs: Vec<Program>, schema: Arc<StructType>) -> Self {
        Project { child, programs, schema, rows: RowByRow::default() }
    }

    fn columns(&self, batch: &Batch, eval: &EvalContext) -> Result<Batch> {
        let mut columns = Vec::with_capacity(self.programs.len());
        for (program, field) in self.programs.iter().zip(&self.schema.fields) {
            columns.push(conform(&program.evaluate(batch, eval)?, &field.data_type)?);
        }
        Ok(Batch::new(self.schema.clone(), columns, batch.rows()))
    }
}

impl Operator for Project {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        self.rows.check()?;
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let mut rows = std::mem::take(&mut self.rows);
                let batch = rows.compute(&piece, context, |batch, eval| self.columns(batch, eval));
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

/// `where`.
#[derive(Debug)]
pub(crate) struct Filter {
    child: BoxedOperator,
    predicate: Program,
    rows: RowByRow,
}

impl Filter {
    /// The rows for which the predicate is true.
    pub(crate) fn new(child: BoxedOperator, predicate: Program) -> Self {
        Filter { child, predicate, rows: RowByRow::default() }
    }
}

impl Operator for Filter {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        self.rows.check()?;
        match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let batch = self.rows.compute(&piece, context, |batch, eval| {
                    filter_batch(batch, self.predicate.evaluate(batch, eval)?.as_boolean())
                })?;
                Ok(if batch.rows() == 0 { Pull::Busy } else { Pull::Rows(Piece { batch, file: piece.file }) })
            }
            Pull::PartitionEnd => {
                self.rows.next_partition();
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
    conform_batch(schema, batch.columns(), batch.rows())
}
