//! `groupBy().agg()` over a stream: partial states of the batch are merged into the stored ones.

use std::sync::Arc;

use arrow::array::{ArrayRef, UInt32Array};
use arrow::compute::filter;
use bytes::Bytes;
use tidemark_plan::{AggregateCall, Attribute, NamedAggregate, NamedScalar, OutputMode};
use tidemark_types::{Batch, DataType, StructField, StructType};

use crate::error::Result;
use crate::kernel::{conform_batch, conform_columns, internal, take_rows};
use crate::operator::{Groups, state_fields};
use crate::state::buffer::{restored, stored, stored_fields};
use crate::state::event_time::{KeyTime, in_time};
use crate::state::metrics::OperatorMetrics;
use crate::state::operator::schema_of;
use crate::state::row::decode;
use crate::state::row::encode;
use crate::state::run::{Given, Keeper};
use crate::state::store::Save;

/// An aggregation with state.
pub(super) struct StatefulAggregate {
    calls: Vec<AggregateCall>,
    key_types: Vec<DataType>,
    buffers: Vec<StructField>,
    stored_types: Vec<DataType>,
    time: Option<KeyTime>,
    output: Arc<StructType>,
}

/// Keys with the states of their aggregates, as columns.
struct States {
    keys: Vec<ArrayRef>,
    buffers: Vec<ArrayRef>,
    rows: usize,
}

impl StatefulAggregate {
    /// The aggregation of these keys and calls.
    pub(super) fn new(
        grouping: &[NamedScalar],
        aggregates: &[NamedAggregate],
        output: &[Attribute],
    ) -> StatefulAggregate {
        let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
        let keys: Vec<Attribute> = grouping.iter().map(|g| g.output.clone()).collect();
        let buffers = state_fields(&calls);
        StatefulAggregate {
            key_types: keys.iter().map(|k| k.data_type.clone()).collect(),
            stored_types: stored_fields(&calls).into_iter().map(|f| f.data_type).collect(),
            time: KeyTime::of(&keys),
            output: schema_of(output),
            calls,
            buffers,
        }
    }

    fn groups(&self) -> Result<Groups> {
        Groups::new(&self.key_types, &self.calls)
    }

    fn states(&self, groups: &Groups) -> Result<States> {
        let buffers = conform_columns(&groups.buffers()?, &self.buffers)?;
        Ok(States { keys: groups.keys()?, buffers, rows: groups.len() })
    }

    /// One state for each key of the batch.
    fn merged(&self, rows: &[Batch]) -> Result<States> {
        let mut groups = self.groups()?;
        for batch in rows {
            let (keys, buffers) = batch.columns().split_at(self.key_types.len());
            groups.merge(keys, batch.rows(), buffers)?;
        }
        self.states(&groups)
    }

    /// Without the keys that come too late.
    fn without_late(&self, states: States, given: &Given, dropped: &mut u64) -> Result<States> {
        let Some(time) = self.time.filter(|_| given.mode != OutputMode::Complete) else { return Ok(states) };
        let mask = in_time(&states.keys[time.index()], given.late_ms.saturating_mul(1000));
        let rows = mask.true_count();
        *dropped += (states.rows - rows) as u64;
        if rows == states.rows {
            return Ok(states);
        }
        let kept = |columns: &[ArrayRef]| {
            columns.iter().map(|c| filter(c, &mask).map_err(internal)).collect::<Result<Vec<_>>>()
        };
        Ok(States { keys: kept(&states.keys)?, buffers: kept(&states.buffers)?, rows })
    }

    /// The stored states and those of the batch, put back into the store.
    fn put(&self, batch: &States, save: &mut Save) -> Result<Groups> {
        let keys = encode(&self.key_types, &batch.keys, batch.rows)?;
        let (mut known, mut fresh, mut old) = (Vec::new(), Vec::new(), Vec::new());
        for (row, key) in keys.iter().enumerate() {
            match save.store.get(key) {
                Some(value) => {
                    known.push(row as u32);
                    old.push(value.clone());
                }
                None => fresh.push(row as u32),
            }
        }
        let mut groups = self.groups()?;
        if !known.is_empty() {
            let values: Vec<&[u8]> = old.iter().map(|value| &value[..]).collect();
            let buffers = restored(&self.calls, &decode(&self.stored_types, &values)?)?;
            let places = UInt32Array::from(known.clone());
            groups.merge(&taken(&batch.keys, &places)?, known.len(), &buffers)?;
        }
        known.extend(fresh);
        let places = UInt32Array::from(known.clone());
        groups.merge(&taken(&batch.keys, &places)?, batch.rows, &taken(&batch.buffers, &places)?)?;
        let states = self.states(&groups)?;
        let values = encode(&self.stored_types, &stored(&self.calls, &states.buffers)?, states.rows)?;
        for (place, value) in known.iter().zip(values) {
            save.put(keys[*place as usize].clone(), value);
        }
        Ok(groups)
    }

    /// The keys whose time is over.
    fn over(&self, save: &Save, given: &Given) -> Vec<(Bytes, Bytes)> {
        let Some(time) = self.time else { return Vec::new() };
        let bound = given.evict_ms.saturating_mul(1000);
        let is_over = |key: &[u8]| time.read(key).is_some_and(|t| t <= bound);
        save.store.iter().filter(|(key, _)| is_over(key)).map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// The rows of stored entries.
    fn rows_of(&self, entries: &[(Bytes, Bytes)]) -> Result<Vec<Batch>> {
        let keys: Vec<&[u8]> = entries.iter().map(|(key, _)| &key[..]).collect();
        let values: Vec<&[u8]> = entries.iter().map(|(_, value)| &value[..]).collect();
        let mut groups = self.groups()?;
        let buffers = restored(&self.calls, &decode(&self.stored_types, &values)?)?;
        groups.merge(&decode(&self.key_types, &keys)?, entries.len(), &buffers)?;
        self.results(&groups)
    }

    fn results(&self, groups: &Groups) -> Result<Vec<Batch>> {
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let mut columns = groups.keys()?;
        columns.extend(groups.results()?);
        Ok(vec![conform_batch(&self.output, &columns, groups.len())?])
    }
}

fn taken(columns: &[ArrayRef], places: &UInt32Array) -> Result<Vec<ArrayRef>> {
    columns.iter().map(|column| take_rows(column, places)).collect()
}

impl Keeper for StatefulAggregate {
    fn keep(
        &self,
        rows: &[Batch],
        save: &mut Save,
        given: &Given,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>> {
        let batch = self.without_late(self.merged(rows)?, given, &mut metrics.rows_dropped)?;
        let touched = if batch.rows > 0 { Some(self.put(&batch, save)?) } else { None };
        metrics.rows_updated += batch.rows as u64;
        if given.mode == OutputMode::Complete {
            let all: Vec<(Bytes, Bytes)> = save.store.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
            return if all.is_empty() { Ok(Vec::new()) } else { self.rows_of(&all) };
        }
        let over = self.over(save, given);
        over.iter().for_each(|(key, _)| save.remove(key.clone()));
        metrics.rows_removed += over.len() as u64;
        match (given.mode, touched) {
            (OutputMode::Append, _) if over.is_empty() => Ok(Vec::new()),
            (OutputMode::Append, _) => self.rows_of(&over),
            (_, Some(groups)) => self.results(&groups),
            (_, None) => Ok(Vec::new()),
        }
    }
}
