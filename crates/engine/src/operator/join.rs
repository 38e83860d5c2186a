//! Joins: one side is held by its keys, the other goes by.

use std::collections::VecDeque;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, UInt32Array};
use tidemark_plan::JoinType;
use tidemark_types::{Batch, DataType, StructType};

use crate::error::Result;
use crate::kernel::{Program, conform_batch, internal, take_rows};
use crate::operator::flow::{BATCH_ROWS, BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::gather::chunks;
use crate::operator::group::GroupTable;
use crate::operator::leaf::Emitter;

/// Which rows of the two sides come out. The side that goes by is called the stream, the other one is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Pairs.
    Pairs,
    /// Pairs, and stream rows without a match.
    PairsAndStream,
    /// Pairs, and rows of either side without a match.
    PairsAndBoth,
    /// Stream rows with a match.
    Matched,
    /// Stream rows without one.
    Unmatched,
}

/// How a join is run: whether the left side is the held one, and what comes out.
pub(crate) fn shape_of(join: JoinType, hold_left: bool) -> (bool, Shape) {
    match join {
        JoinType::Inner | JoinType::Cross => (hold_left, Shape::Pairs),
        JoinType::LeftOuter => (false, Shape::PairsAndStream),
        JoinType::RightOuter => (true, Shape::PairsAndStream),
        JoinType::FullOuter => (false, Shape::PairsAndBoth),
        JoinType::LeftSemi => (false, Shape::Matched),
        JoinType::LeftAnti => (false, Shape::Unmatched),
    }
}

/// The equalities of a join, and what else must hold.
#[derive(Debug)]
pub(crate) struct Condition {
    /// The keys of the stream.
    pub(crate) stream_keys: Vec<Program>,
    /// The keys of the held side, of the same types.
    pub(crate) held_keys: Vec<Program>,
    /// Whether null matches null, key by key.
    pub(crate) null_safe: Vec<bool>,
    /// The rest, over the columns of left and right.
    pub(crate) residual: Option<Program>,
    /// The columns of left and right, over which the rest is compiled.
    pub(crate) pair_schema: Arc<StructType>,
}

/// The side that is held, by its keys.
#[derive(Debug)]
struct Held {
    batch: Batch,
    table: GroupTable,
    /// The rows of each key in their order.
    rows: Vec<Vec<u32>>,
    matched: Vec<bool>,
}

/// A hash join.
#[derive(Debug)]
pub(crate) struct Join {
    stream: BoxedOperator,
    held_child: BoxedOperator,
    held_schema: Arc<StructType>,
    hold_left: bool,
    shape: Shape,
    condition: Condition,
    schema: Arc<StructType>,
    gathered: Vec<Batch>,
    held: Option<Held>,
    pending: VecDeque<Piece>,
    stream_schema: Arc<StructType>,
    /// The held rows without a match, once the stream is over.
    tail: Option<Emitter>,
}

impl Join {
    /// A join with these sides; `schema` is the output's.
    pub(crate) fn new(
        stream: (BoxedOperator, Arc<StructType>),
        held: (BoxedOperator, Arc<StructType>),
        hold_left: bool,
        shape: Shape,
        condition: Condition,
        schema: Arc<StructType>,
    ) -> Self {
        Join {
            stream: stream.0,
            stream_schema: stream.1,
            held_child: held.0,
            held_schema: held.1,
            hold_left,
            shape,
            condition,
            schema,
            gathered: Vec::new(),
            held: None,
            pending: VecDeque::new(),
            tail: None,
        }
    }

    fn hold(&mut self, context: &RunContext) -> Result<Held> {
        let batches = std::mem::take(&mut self.gathered);
        let batch = Batch::concat(&self.held_schema, &batches).map_err(internal)?;
        let types: Vec<DataType> = self.condition.held_keys.iter().map(|p| p.data_type().clone()).collect();
        let mut table = GroupTable::new(&types)?;
        let keys = evaluate(&self.condition.held_keys, &batch, context)?;
        let groups = table.intern(&keys, batch.rows())?;
        let mut rows = vec![Vec::new(); table.len()];
        for (row, group) in groups.iter().enumerate() {
            if self.can_match(&keys, row) {
                rows[*group as usize].push(row as u32);
            }
        }
        let matched = vec![false; batch.rows()];
        Ok(Held { batch, table, rows, matched })
    }

    fn can_match(&self, keys: &[ArrayRef], row: usize) -> bool {
        keys.iter().zip(&self.condition.null_safe).all(|(key, safe)| *safe || key.is_valid(row))
    }

    /// The rows that come of some rows of the stream.
    fn probe(&mut self, batch: &Batch, context: &RunContext) -> Result<Batch> {
        let keys = evaluate(&self.condition.stream_keys, batch, context)?;
        let held = self.held.as_ref().expect("the held side is complete before the stream begins");
        let found = held.table.lookup(&keys, batch.rows())?;
        let (mut stream_rows, mut held_rows): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        for (row, group) in found.iter().enumerate() {
            if let Some(group) = group.filter(|_| self.can_match(&keys, row)) {
                let partners = &held.rows[group as usize];
                stream_rows.extend(std::iter::repeat_n(row as u32, partners.len()));
                held_rows.extend_from_slice(partners);
            }
        }
        let holds = self.residual(batch, &held.batch, &stream_rows, &held_rows, context)?;
        self.shaped(batch, &stream_rows, &held_rows, &holds)
    }

    /// Which pairs satisfy the rest of the condition.
    fn residual(
        &self,
        stream: &Batch,
        held: &Batch,
        stream_rows: &[u32],
        held_rows: &[u32],
        context: &RunContext,
    ) -> Result<Vec<bool>> {
        let Some(program) = &self.condition.residual else { return Ok(vec![true; stream_rows.len()]) };
        let stream_places = UInt32Array::from(stream_rows.to_vec());
        let held_places = UInt32Array::from(held_rows.to_vec());
        let columns = self.side_by_side(stream, held, &stream_places, &held_places)?;
        let pairs = Batch::new(self.condition.pair_schema.clone(), columns, stream_rows.len());
        let mask = program.evaluate(&pairs, &context.eval)?;
        let mask = mask.as_boolean();
        Ok((0..mask.len()).map(|row| mask.is_valid(row) && mask.value(row)).collect())
    }

    fn side_by_side(
        &self,
        stream: &Batch,
        held: &Batch,
        stream_places: &UInt32Array,
        held_places: &UInt32Array,
    ) -> Result<Vec<ArrayRef>> {
        let stream =
            stream.columns().iter().map(|c| take_rows(c, stream_places)).collect::<Result<Vec<_>>>()?;
        let held = held.columns().iter().map(|c| take_rows(c, held_places)).collect::<Result<Vec<_>>>()?;
        Ok(if self.hold_left { [held, stream].concat() } else { [stream, held].concat() })
    }

    fn shaped(
        &mut self,
        batch: &Batch,
        stream_rows: &[u32],
        held_rows: &[u32],
        holds: &[bool],
    ) -> Result<Batch> {
        let mut hit = vec![false; batch.rows()];
        let held = self.held.as_mut().expect("the held side is complete before the stream begins");
        for index in (0..holds.len()).filter(|index| holds[*index]) {
            hit[stream_rows[index] as usize] = true;
            held.matched[held_rows[index] as usize] = true;
        }
        if matches!(self.shape, Shape::Matched | Shape::Unmatched) {
            let wanted = self.shape == Shape::Matched;
            let places: Vec<u32> = (0..hit.len() as u32).filter(|row| hit[*row as usize] == wanted).collect();
            let columns = batch
                .columns()
                .iter()
                .map(|c| take_rows(c, &places.clone().into()))
                .collect::<Result<Vec<_>>>()?;
            return self.output(columns, places.len());
        }
        let (mut left, mut right): (Vec<u32>, Vec<Option<u32>>) = (Vec::new(), Vec::new());
        let mut pair = 0;
        for row in 0..batch.rows() as u32 {
            while pair < stream_rows.len() && stream_rows[pair] == row {
                if holds[pair] {
                    left.push(row);
                    right.push(Some(held_rows[pair]));
                }
                pair += 1;
            }
            if !hit[row as usize] && self.shape != Shape::Pairs {
                left.push(row);
                right.push(None);
            }
        }
        let rows = left.len();
        let held = self.held.as_ref().expect("the held side is complete before the stream begins");
        let columns = self.side_by_side(batch, &held.batch, &left.into(), &right.into())?;
        self.output(columns, rows)
    }

    fn output(&self, columns: Vec<ArrayRef>, rows: usize) -> Result<Batch> {
        conform_batch(&self.schema, &columns, rows)
    }

    /// The held rows that nothing matched, null beside them: the last partition of a full outer join.
    fn unmatched_held(&self) -> Result<Batch> {
        let held = self.held.as_ref().expect("the held side is complete before the stream ends");
        let places: Vec<u32> =
            (0..held.batch.rows() as u32).filter(|row| !held.matched[*row as usize]).collect();
        let nobody: UInt32Array = vec![None; places.len()].into();
        let stream = Batch::empty(self.stream_schema.clone());
        let rows = places.len();
        let columns = self.side_by_side(&stream, &held.batch, &nobody, &places.into())?;
        self.output(columns, rows)
    }

    /// So many rows of the stream are joined at a time: fewer when each meets every held row.
    fn slice_rows(&self) -> usize {
        let held = self.held.as_ref().map_or(0, |h| h.batch.rows()).max(1);
        if self.condition.held_keys.is_empty() { (4 * BATCH_ROWS / held).max(1) } else { BATCH_ROWS }
    }
}

fn evaluate(programs: &[Program], batch: &Batch, context: &RunContext) -> Result<Vec<ArrayRef>> {
    programs.iter().map(|p| p.evaluate(batch, &context.eval)).collect()
}

impl Operator for Join {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if self.held.is_none() {
            match self.held_child.pull(context)? {
                Pull::Rows(piece) => self.gathered.push(piece.batch),
                Pull::PartitionEnd | Pull::Busy => {}
                Pull::End => self.held = Some(self.hold(context)?),
            }
            return Ok(Pull::Busy);
        }
        if let Some(piece) = self.pending.pop_front() {
            let batch = self.probe(&piece.batch, context)?;
            return Ok(if batch.rows() == 0 {
                Pull::Busy
            } else {
                Pull::Rows(Piece { batch, file: piece.file })
            });
        }
        if let Some(tail) = &mut self.tail {
            return Ok(tail.next());
        }
        match self.stream.pull(context)? {
            Pull::Rows(piece) => {
                let size = self.slice_rows();
                let rows = piece.batch.rows();
                self.pending.extend((0..rows).step_by(size).map(|start| Piece {
                    batch: piece.batch.slice(start, size.min(rows - start)),
                    file: piece.file.clone(),
                }));
                Ok(Pull::Busy)
            }
            Pull::End if self.shape == Shape::PairsAndBoth => {
                let rest = chunks(&self.unmatched_held()?).into_iter().map(Piece::new).collect();
                self.tail = Some(Emitter::new(vec![rest]));
                Ok(Pull::Busy)
            }
            other => Ok(other),
        }
    }
}
