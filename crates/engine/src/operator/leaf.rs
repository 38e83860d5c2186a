//! Operators without a child: rows that are there, rows that are counted.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array};
use tidemark_types::{Batch, StructType};

use crate::error::Result;
use crate::operator::flow::{BATCH_ROWS, Operator, Piece, Pull, RunContext};
use crate::source::Task;

/// Rows that are there already, partition by partition.
#[derive(Debug)]
pub(crate) struct Emitter {
    partitions: VecDeque<VecDeque<Piece>>,
}

impl Emitter {
    /// These partitions.
    pub(crate) fn new(partitions: Vec<Vec<Piece>>) -> Self {
        Emitter { partitions: partitions.into_iter().map(VecDeque::from).collect() }
    }

    /// The next of them.
    pub(crate) fn next(&mut self) -> Pull {
        match self.partitions.front_mut().map(VecDeque::pop_front) {
            None => Pull::End,
            Some(Some(piece)) => Pull::Rows(piece),
            Some(None) => {
                self.partitions.pop_front();
                Pull::PartitionEnd
            }
        }
    }
}

/// The tasks of a relation, or the rows that a script gave.
#[derive(Debug)]
pub(crate) struct Scan {
    emitter: Emitter,
    schema: Arc<StructType>,
}

impl Scan {
    /// The rows of tasks.
    pub(crate) fn of_tasks(tasks: &[Task], schema: Arc<StructType>) -> Self {
        let partitions = tasks
            .iter()
            .map(|task| {
                let files = task.files.iter().cloned().chain(std::iter::repeat(None));
                task.batches
                    .iter()
                    .cloned()
                    .zip(files)
                    .map(|(batch, file)| Piece { batch, file: file.map(Arc::from) })
                    .collect()
            })
            .collect();
        Scan { emitter: Emitter::new(partitions), schema }
    }

    /// One partition for each batch.
    pub(crate) fn of_batches(batches: &[Batch], schema: Arc<StructType>) -> Self {
        let partitions = batches.iter().map(|batch| vec![Piece::new(batch.clone())]).collect();
        Scan { emitter: Emitter::new(partitions), schema }
    }
}

impl Operator for Scan {
    fn pull(&mut self, _context: &RunContext) -> Result<Pull> {
        Ok(match self.emitter.next() {
            Pull::Rows(piece) => {
                let rows = piece.batch.rows();
                let batch = Batch::new(self.schema.clone(), piece.batch.columns().to_vec(), rows);
                Pull::Rows(Piece { batch, file: piece.file })
            }
            other => other,
        })
    }
}

/// `spark.range`: numbers, cut into partitions as Spark cuts them.
#[derive(Debug)]
pub(crate) struct Range {
    start: i128,
    step: i128,
    count: i128,
    partitions: i128,
    partition: i128,
    at: i128,
    schema: Arc<StructType>,
}

impl Range {
    /// The numbers from `start` to before `end`.
    pub(crate) fn new(start: i64, end: i64, step: i64, partitions: usize, schema: Arc<StructType>) -> Self {
        let (start, end, step) = (i128::from(start), i128::from(end), i128::from(step));
        let distance = end - start;
        let count = if distance == 0 || (distance > 0) != (step > 0) {
            0
        } else {
            (distance + step - step.signum()) / step
        };
        Range { start, step, count, partitions: partitions as i128, partition: 0, at: 0, schema }
    }

    /// The index after the last of a partition.
    fn bound(&self, partition: i128) -> i128 {
        partition * self.count / self.partitions
    }
}

impl Operator for Range {
    fn pull(&mut self, _context: &RunContext) -> Result<Pull> {
        if self.partition == self.partitions {
            return Ok(Pull::End);
        }
        let end = self.bound(self.partition + 1);
        if self.at >= end {
            self.partition += 1;
            return Ok(Pull::PartitionEnd);
        }
        let stop = end.min(self.at + BATCH_ROWS as i128);
        let numbers: Vec<i64> = (self.at..stop).map(|i| (self.start + i * self.step) as i64).collect();
        self.at = stop;
        let rows = numbers.len();
        let column: ArrayRef = Arc::new(Int64Array::from(numbers));
        Ok(Pull::Rows(Piece::new(Batch::new(self.schema.clone(), vec![column], rows))))
    }
}
