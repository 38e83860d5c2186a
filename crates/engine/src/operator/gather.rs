//! Operators over partitions as a whole: union, limit, coalesce, sort.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow::compute::SortOptions;
use arrow::row::SortField;
use tidemark_types::{Batch, StructType};

use crate::error::Result;
use crate::kernel::{Program, internal, sort_places};
use crate::operator::exchange::take_batch;
use crate::operator::flow::{BATCH_ROWS, BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::leaf::Emitter;
use crate::operator::narrow::renamed;

/// `union`: the partitions of each child after those of the one before.
#[derive(Debug)]
pub(crate) struct Union {
    children: VecDeque<BoxedOperator>,
    schema: Arc<StructType>,
}

impl Union {
    /// These children, their rows under one schema.
    pub(crate) fn new(children: Vec<BoxedOperator>, schema: Arc<StructType>) -> Self {
        Union { children: children.into(), schema }
    }
}

impl Operator for Union {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        let Some(child) = self.children.front_mut() else { return Ok(Pull::End) };
        Ok(match child.pull(context)? {
            Pull::End => {
                self.children.pop_front();
                Pull::Busy
            }
            Pull::Rows(piece) => {
                Pull::Rows(Piece { batch: renamed(&piece.batch, &self.schema)?, file: piece.file })
            }
            other => other,
        })
    }
}

/// `limit`: the first rows in the order of partitions, in one partition. Nothing is computed once they are there.
#[derive(Debug)]
pub(crate) struct Limit {
    child: BoxedOperator,
    left: usize,
    ended: bool,
    over: bool,
}

impl Limit {
    /// At most `rows` rows.
    pub(crate) fn new(child: BoxedOperator, rows: usize) -> Self {
        Limit { child, left: rows, ended: false, over: false }
    }
}

impl Operator for Limit {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if self.over {
            return Ok(Pull::End);
        }
        if self.left == 0 || self.ended {
            self.over = true;
            return Ok(Pull::PartitionEnd);
        }
        Ok(match self.child.pull(context)? {
            Pull::Rows(piece) => {
                let rows = piece.batch.rows().min(self.left);
                self.left -= rows;
                Pull::Rows(Piece { batch: piece.batch.slice(0, rows), file: piece.file })
            }
            Pull::End => {
                self.ended = true;
                Pull::Busy
            }
            Pull::PartitionEnd | Pull::Busy => Pull::Busy,
        })
    }
}

/// `coalesce(n)`: neighbouring partitions put together without a shuffle.
#[derive(Debug)]
pub(crate) struct Coalesce {
    child: BoxedOperator,
    partitions: usize,
    gathered: Vec<Vec<Piece>>,
    current: Vec<Piece>,
    emitter: Option<Emitter>,
}

impl Coalesce {
    /// At most `partitions` partitions.
    pub(crate) fn new(child: BoxedOperator, partitions: usize) -> Self {
        Coalesce { child, partitions, gathered: Vec::new(), current: Vec::new(), emitter: None }
    }

    fn finish(&mut self) -> Emitter {
        let parents = std::mem::take(&mut self.gathered);
        let (len, wanted) = (parents.len(), self.partitions);
        if wanted >= len {
            return Emitter::new(parents);
        }
        let mut out: Vec<Vec<Piece>> = vec![Vec::new(); wanted];
        let mut target = 0;
        for (index, pieces) in parents.into_iter().enumerate() {
            while index >= (target + 1) * len / wanted {
                target += 1;
            }
            out[target].extend(pieces);
        }
        Emitter::new(out)
    }
}

impl Operator for Coalesce {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if let Some(emitter) = &mut self.emitter {
            return Ok(emitter.next());
        }
        match self.child.pull(context)? {
            Pull::Rows(piece) => self.current.push(piece),
            Pull::PartitionEnd => self.gathered.push(std::mem::take(&mut self.current)),
            Pull::Busy => {}
            Pull::End => self.emitter = Some(self.finish()),
        }
        Ok(Pull::Busy)
    }
}

/// One key of a sort, compiled.
#[derive(Debug)]
pub(crate) struct SortKey {
    /// The key.
    pub(crate) program: Program,
    /// Its direction, and where nulls go.
    pub(crate) options: SortOptions,
}

/// `orderBy`, or `sortWithinPartitions`. Equal rows keep their order. The sort itself is one piece of work.
#[derive(Debug)]
pub(crate) struct Sort {
    child: BoxedOperator,
    keys: Vec<SortKey>,
    global: bool,
    schema: Arc<StructType>,
    gathered: Vec<Batch>,
    sorted: Option<Emitter>,
    over: bool,
}

impl Sort {
    /// Sorts all rows into one partition, or each partition by itself.
    pub(crate) fn new(
        child: BoxedOperator,
        keys: Vec<SortKey>,
        global: bool,
        schema: Arc<StructType>,
    ) -> Self {
        Sort { child, keys, global, schema, gathered: Vec::new(), sorted: None, over: false }
    }

    fn sort(&mut self, context: &RunContext) -> Result<Emitter> {
        let batches = std::mem::take(&mut self.gathered);
        let all = Batch::concat(&self.schema, &batches).map_err(internal)?;
        let mut columns = Vec::with_capacity(self.keys.len());
        let mut fields = Vec::with_capacity(self.keys.len());
        for key in &self.keys {
            let column = key.program.evaluate(&all, &context.eval)?;
            fields.push(SortField::new_with_options(column.data_type().clone(), key.options));
            columns.push(column);
        }
        let sorted = if columns.is_empty() || all.rows() < 2 {
            all
        } else {
            take_batch(&all, &sort_places(&columns, fields)?)?
        };
        Ok(Emitter::new(vec![chunks(&sorted).into_iter().map(Piece::new).collect()]))
    }
}

/// A batch cut into batches of a good size, without copying.
pub(crate) fn chunks(batch: &Batch) -> Vec<Batch> {
    (0..batch.rows())
        .step_by(BATCH_ROWS)
        .map(|start| batch.slice(start, BATCH_ROWS.min(batch.rows() - start)))
        .collect()
}

impl Operator for Sort {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if let Some(emitter) = &mut self.sorted {
            match emitter.next() {
                Pull::End => self.sorted = None,
                other => return Ok(other),
            }
        }
        if self.over {
            return Ok(Pull::End);
        }
        match self.child.pull(context)? {
            Pull::Rows(piece) => self.gathered.push(piece.batch),
            Pull::PartitionEnd if self.global => {}
            Pull::PartitionEnd => self.sorted = Some(self.sort(context)?),
            Pull::Busy => {}
            Pull::End => {
                self.over = true;
                if self.global {
                    self.sorted = Some(self.sort(context)?);
                }
            }
        }
        Ok(Pull::Busy)
    }
}
