//! Groups with the states of their aggregates: the heart of batch and of stateful aggregation alike.

use arrow::array::{ArrayRef, AsArray, BooleanArray, UInt32Array};
use arrow::compute::filter;
use tidemark_plan::{AggregateCall, Scalar};
use tidemark_types::{DataType, StructField};

use crate::error::Result;
use crate::kernel::{decided, internal};
use crate::operator::aggregate::accumulator::{Accumulator, accumulator, buffer_fields};
use crate::operator::aggregate::collect::first_seen;
use crate::operator::group::GroupTable;

/// The evaluated columns of one call over some rows.
#[derive(Clone, Debug)]
pub struct CallInput {
    /// The arguments.
    pub args: Vec<ArrayRef>,
    /// The rows that count, if not all do.
    pub filter: Option<BooleanArray>,
}

/// Groups in the order of first sight, with the state of each aggregate.
///
/// Whoever keeps state over batches merges the stored states first, then the partial ones of this batch, and writes
/// [`Groups::buffers`] back; the results come from [`Groups::results`].
#[derive(Debug)]
pub struct Groups {
    table: GroupTable,
    accumulators: Vec<Box<dyn Accumulator>>,
    widths: Vec<usize>,
    distinct: Vec<Option<GroupTable>>,
    global: bool,
}

impl Groups {
    /// No groups yet; without keys there is one group from the start.
    pub fn new(key_types: &[DataType], calls: &[AggregateCall]) -> Result<Self> {
        let mut groups = Groups {
            table: GroupTable::new(key_types)?,
            accumulators: calls.iter().map(accumulator).collect::<Result<Vec<_>>>()?,
            widths: calls.iter().map(|c| buffer_fields(c).len()).collect(),
            distinct: calls.iter().map(distinct_table).collect::<Result<Vec<_>>>()?,
            global: key_types.is_empty(),
        };
        groups.resize();
        Ok(groups)
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        if self.global { 1 } else { self.table.len() }
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Takes rows in.
    pub fn update(&mut self, keys: &[ArrayRef], rows: usize, calls: &[CallInput]) -> Result<()> {
        let groups = self.table.intern(keys, rows)?;
        self.resize();
        for (index, input) in calls.iter().enumerate() {
            let (mut groups, mut args) = (groups.clone(), input.args.clone());
            if let Some(mask) = &input.filter {
                (groups, args) = kept(&groups, &args, &decided(mask))?;
            }
            if let Some(seen) = &mut self.distinct[index] {
                let new = BooleanArray::from(first_seen(seen, &groups, &args)?);
                (groups, args) = kept(&groups, &args, &new)?;
            }
            self.accumulators[index].update(&groups, &args)?;
        }
        Ok(())
    }

    /// Takes partial states in: for each call its buffer columns, one call after the other.
    pub fn merge(&mut self, keys: &[ArrayRef], rows: usize, buffers: &[ArrayRef]) -> Result<()> {
        let groups = self.table.intern(keys, rows)?;
        self.resize();
        let mut rest = buffers;
        for (accumulator, width) in self.accumulators.iter_mut().zip(&self.widths) {
            let (own, others) = rest.split_at(*width);
            accumulator.merge(&groups, own)?;
            rest = others;
        }
        Ok(())
    }

    /// The keys of all groups, as columns.
    pub fn keys(&self) -> Result<Vec<ArrayRef>> {
        self.table.keys()
    }

    /// The states of all groups: for each call its buffer columns, one call after the other.
    pub fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let mut out = Vec::new();
        for accumulator in &self.accumulators {
            out.extend(accumulator.buffers()?);
        }
        Ok(out)
    }

    /// The results of all groups, one column for each call.
    pub fn results(&self) -> Result<Vec<ArrayRef>> {
        self.accumulators.iter().map(|a| a.evaluate()).collect()
    }

    fn resize(&mut self) {
        let groups = self.len();
        self.accumulators.iter_mut().for_each(|a| a.resize(groups));
    }
}

fn distinct_table(call: &AggregateCall) -> Result<Option<GroupTable>> {
    if !call.distinct {
        return Ok(None);
    }
    let mut types = vec![DataType::Integer];
    types.extend(call.args.iter().map(Scalar::data_type));
    GroupTable::new(&types).map(Some)
}

fn kept(groups: &[u32], args: &[ArrayRef], mask: &BooleanArray) -> Result<(Vec<u32>, Vec<ArrayRef>)> {
    if mask.true_count() == groups.len() {
        return Ok((groups.to_vec(), args.to_vec()));
    }
    let numbers = UInt32Array::from(groups.to_vec());
    let groups = filter(&numbers, mask).map_err(internal)?;
    let groups = groups.as_primitive::<arrow::datatypes::UInt32Type>().values().to_vec();
    let args = args.iter().map(|a| filter(a, mask).map_err(internal)).collect::<Result<Vec<_>>>()?;
    Ok((groups, args))
}

/// The columns of a partial state: the buffers of all calls, one call after the other.
pub fn state_fields(calls: &[AggregateCall]) -> Vec<StructField> {
    calls.iter().flat_map(buffer_fields).collect()
}
