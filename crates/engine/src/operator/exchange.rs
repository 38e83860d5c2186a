//! Shuffles: rows go to the partitions where Spark puts them.

use std::sync::Arc;

use arrow::array::UInt32Array;
use tidemark_types::{Batch, StructType};

use crate::error::Result;
use crate::kernel::{Program, partition_of, take_rows};
use crate::operator::flow::{BATCH_ROWS, BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::leaf::Emitter;
use crate::operator::narrow::Place;

/// The least size to which adaptive execution puts partitions together.
const PARTITION_BYTES_MIN: usize = 1 << 20;
/// The size that it aims at.
const PARTITION_BYTES_ADVISED: usize = 64 << 20;

/// How rows are spread.
#[derive(Debug)]
pub(crate) enum Spread {
    /// By Spark's hash of the keys.
    Hash(Vec<Program>),
    /// All into one.
    Single,
    /// In turn.
    RoundRobin,
}

/// A shuffle.
#[derive(Debug)]
pub(crate) struct Exchange {
    child: BoxedOperator,
    spread: Spread,
    schema: Arc<StructType>,
    coalesce: bool,
    place: Place,
    task: usize,
    turn: Option<usize>,
    targets: Vec<Vec<Batch>>,
    emitter: Option<Emitter>,
}

impl Exchange {
    /// Spreads the child's rows over `partitions`; `coalesce` allows small ones to be put together.
    pub(crate) fn new(
        child: BoxedOperator,
        spread: Spread,
        partitions: usize,
        schema: Arc<StructType>,
        coalesce: bool,
    ) -> Self {
        let targets = vec![Vec::new(); partitions.max(1)];
        let place = Place::default();
        Exchange { child, spread, schema, coalesce, place, task: 0, turn: None, targets, emitter: None }
    }

    fn take_in(&mut self, piece: Piece, context: &RunContext) -> Result<()> {
        let rows = piece.batch.rows();
        if rows == 0 {
            return Ok(());
        }
        let count = self.targets.len();
        let places = match &self.spread {
            Spread::Single => {
                self.targets[0].push(piece.batch);
                return Ok(());
            }
            _ if count == 1 => {
                self.targets[0].push(piece.batch);
                return Ok(());
            }
            Spread::Hash(programs) => {
                let eval = self.place.context(context, &piece);
                let keys =
                    programs.iter().map(|p| p.evaluate(&piece.batch, &eval)).collect::<Result<Vec<_>>>()?;
                self.place.advance(rows);
                partition_of(&keys, rows, count)?
            }
            Spread::RoundRobin => {
                let first = self.turn.unwrap_or_else(|| first_turn(self.task, count));
                self.turn = Some((first + rows) % count);
                (0..rows).map(|row| ((first + 1 + row) % count) as u32).collect()
            }
        };
        self.distribute(&piece.batch, &places)
    }

    /// Rows in the order of their partitions, taken once and then sliced.
    fn distribute(&mut self, batch: &Batch, partitions: &[u32]) -> Result<()> {
        let mut starts = vec![0_usize; self.targets.len() + 1];
        for partition in partitions {
            starts[*partition as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut order = vec![0_u32; partitions.len()];
        for (row, partition) in partitions.iter().enumerate() {
            order[next[*partition as usize]] = row as u32;
            next[*partition as usize] += 1;
        }
        let sorted = take_batch(batch, &order.into())?;
        for (index, target) in self.targets.iter_mut().enumerate() {
            let length = starts[index + 1] - starts[index];
            if length > 0 {
                target.push(sorted.slice(starts[index], length));
            }
        }
        Ok(())
    }

    fn finish(&mut self, context: &RunContext) -> Result<Emitter> {
        let mut targets = std::mem::take(&mut self.targets);
        if self.coalesce && context.adaptive {
            targets = coalesced(targets, context.parallelism);
        }
        let partitions = targets
            .into_iter()
            .map(|batches| Ok(repacked(&self.schema, &batches)?.into_iter().map(Piece::new).collect()))
            .collect::<Result<Vec<_>>>()?;
        Ok(Emitter::new(partitions))
    }
}

impl Operator for Exchange {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if let Some(emitter) = &mut self.emitter {
            return Ok(emitter.next());
        }
        match self.child.pull(context)? {
            Pull::Rows(piece) => self.take_in(piece, context)?,
            Pull::PartitionEnd => {
                self.place.next_partition();
                self.task += 1;
                self.turn = None;
            }
            Pull::Busy => {}
            Pull::End => self.emitter = Some(self.finish(context)?),
        }
        Ok(Pull::Busy)
    }
}

/// The rows of a batch at these places.
pub(crate) fn take_batch(batch: &Batch, places: &UInt32Array) -> Result<Batch> {
    let columns = batch.columns().iter().map(|c| take_rows(c, places)).collect::<Result<Vec<_>>>()?;
    Ok(Batch::new(batch.schema().clone(), columns, places.values().len()))
}

/// The same rows in batches of a good size.
pub(crate) fn repacked(schema: &Arc<StructType>, batches: &[Batch]) -> Result<Vec<Batch>> {
    let mut out = Vec::new();
    let (mut start, mut rows) = (0, 0);
    for (index, batch) in batches.iter().enumerate() {
        rows += batch.rows();
        if rows >= BATCH_ROWS || index + 1 == batches.len() {
            out.push(Batch::concat(schema, &batches[start..=index]).map_err(crate::kernel::internal)?);
            (start, rows) = (index + 1, 0);
        }
    }
    Ok(out)
}

/// Neighbouring partitions put together while they are small, as adaptive execution does; one at least.
fn coalesced(targets: Vec<Vec<Batch>>, parallelism: usize) -> Vec<Vec<Batch>> {
    let bytes = |batches: &[Batch]| batches.iter().map(row_bytes).sum::<usize>();
    let total: usize = targets.iter().map(|t| bytes(t)).sum();
    let aim = (total / parallelism.max(1)).clamp(PARTITION_BYTES_MIN, PARTITION_BYTES_ADVISED);
    let mut out: Vec<Vec<Batch>> = Vec::new();
    let mut size = 0;
    for target in targets {
        let more = bytes(&target);
        match out.last_mut() {
            Some(last) if size + more <= aim => {
                last.extend(target);
                size += more;
            }
            _ => {
                out.push(target);
                size = more;
            }
        }
    }
    out
}

/// About the bytes of a batch's values, were they written alone.
fn row_bytes(batch: &Batch) -> usize {
    let sum: usize = batch.columns().iter().map(|c| c.to_data().get_slice_memory_size().unwrap_or(0)).sum();
    sum
}

/// The partition before the first that a task's rows go to: Spark draws it from the task's number.
fn first_turn(task: usize, count: usize) -> usize {
    XorShift::new(task as i64).next_int(count as u32) as usize
}

/// Spark's `XORShiftRandom`.
struct XorShift {
    state: i64,
}

impl XorShift {
    fn new(seed: i64) -> Self {
        let bytes: Vec<u8> =
            (0..64).map(|index| if index < 8 { seed.to_be_bytes()[index] } else { 0 }).collect();
        let low = scala_bytes_hash(&bytes, SCALA_ARRAY_SEED);
        let high = scala_bytes_hash(&bytes, low);
        XorShift { state: (i64::from(high) << 32) | i64::from(low as u32) }
    }

    fn next(&mut self, bits: u32) -> i32 {
        let mut next = self.state ^ (self.state << 21);
        next ^= (next as u64 >> 35) as i64;
        next ^= next << 4;
        self.state = next;
        (next & ((1_i64 << bits) - 1)) as i32
    }

    /// Java's `Random.nextInt(bound)` over these bits.
    fn next_int(&mut self, bound: u32) -> u32 {
        let bound = bound as i32;
        if bound & (bound - 1) == 0 {
            return ((i64::from(bound) * i64::from(self.next(31))) >> 31) as u32;
        }
        loop {
            let bits = self.next(31);
            let value = bits % bound;
            if bits.wrapping_sub(value).wrapping_add(bound - 1) >= 0 {
                return value as u32;
            }
        }
    }
}

/// The seed of Scala's hash of arrays.
const SCALA_ARRAY_SEED: i32 = 0x3c07_4a61;

/// Scala's `MurmurHash3.bytesHash` of whole words.
fn scala_bytes_hash(bytes: &[u8], seed: i32) -> i32 {
    crate::kernel::hash_bytes(bytes, seed)
}
