//! `groupBy().agg()` as an operator: partial states per task, merged after a shuffle, or all at once.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray};
use tidemark_plan::AggregateCall;
use tidemark_types::{Batch, DataType, StructType};

use crate::error::Result;
use crate::kernel::{EvalContext, Program, conform_batch};
use crate::operator::aggregate::groups::{CallInput, Groups};
use crate::operator::flow::{BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::gather::chunks;
use crate::operator::leaf::Emitter;
use crate::operator::narrow::Place;

/// The part of the work that an aggregation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Rows in, states out.
    Partial,
    /// States in, results out.
    Final,
    /// Rows in, results out.
    Complete,
}

/// One call, compiled over the rows that come in.
#[derive(Debug)]
pub(crate) struct CompiledCall {
    /// The arguments.
    pub(crate) args: Vec<Program>,
    /// The rows that count.
    pub(crate) filter: Option<Program>,
}

/// An aggregation: each partition by itself.
#[derive(Debug)]
pub(crate) struct Aggregate {
    child: BoxedOperator,
    mode: Mode,
    keys: Vec<Program>,
    calls: Vec<AggregateCall>,
    compiled: Vec<CompiledCall>,
    schema: Arc<StructType>,
    groups: Groups,
    place: Place,
    ready: Option<Emitter>,
}

impl Aggregate {
    /// The schema is keys and states for a partial aggregation, keys and results for the others. The keys of a final
    /// one are its first columns, and `compiled` is empty.
    pub(crate) fn new(
        child: BoxedOperator,
        mode: Mode,
        keys: Vec<Program>,
        calls: Vec<AggregateCall>,
        compiled: Vec<CompiledCall>,
        schema: Arc<StructType>,
    ) -> Result<Self> {
        let groups = Groups::new(&key_types(&keys), &calls)?;
        let place = Place::default();
        Ok(Aggregate { child, mode, keys, calls, compiled, schema, groups, place, ready: None })
    }

    fn take_in(&mut self, piece: &Piece, context: &RunContext) -> Result<()> {
        let rows = piece.batch.rows();
        if self.mode == Mode::Final {
            let (keys, buffers) = piece.batch.columns().split_at(self.keys.len());
            return self.groups.merge(keys, rows, buffers);
        }
        let eval = self.place.context(context, piece);
        let keys = evaluate(&self.keys, &piece.batch, &eval)?;
        let inputs =
            self.compiled.iter().map(|c| c.evaluate(&piece.batch, &eval)).collect::<Result<Vec<_>>>()?;
        self.place.advance(rows);
        self.groups.update(&keys, rows, &inputs)
    }

    fn finish(&mut self) -> Result<Emitter> {
        let fresh = Groups::new(&key_types(&self.keys), &self.calls)?;
        let groups = std::mem::replace(&mut self.groups, fresh);
        let mut columns = groups.keys()?;
        columns.extend(if self.mode == Mode::Partial { groups.buffers()? } else { groups.results()? });
        let batch = conform_batch(&self.schema, &columns, groups.len())?;
        Ok(Emitter::new(vec![chunks(&batch).into_iter().map(Piece::new).collect()]))
    }
}

impl CompiledCall {
    fn evaluate(&self, batch: &Batch, context: &EvalContext) -> Result<CallInput> {
        let args = evaluate(&self.args, batch, context)?;
        let filter = match &self.filter {
            Some(program) => Some(program.evaluate(batch, context)?.as_boolean().clone()),
            None => None,
        };
        Ok(CallInput { args, filter })
    }
}

fn key_types(keys: &[Program]) -> Vec<DataType> {
    keys.iter().map(|k| k.data_type().clone()).collect()
}

fn evaluate(programs: &[Program], batch: &Batch, context: &EvalContext) -> Result<Vec<ArrayRef>> {
    programs.iter().map(|p| p.evaluate(batch, context)).collect()
}

impl Operator for Aggregate {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if let Some(emitter) = &mut self.ready {
            match emitter.next() {
                Pull::End => self.ready = None,
                other => return Ok(other),
            }
        }
        match self.child.pull(context)? {
            Pull::Rows(piece) => self.take_in(&piece, context)?,
            Pull::PartitionEnd => {
                self.place.next_partition();
                self.ready = Some(self.finish()?);
            }
            Pull::Busy => {}
            Pull::End => return Ok(Pull::End),
        }
        Ok(Pull::Busy)
    }
}
