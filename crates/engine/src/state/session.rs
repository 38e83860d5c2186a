//! `groupBy(session_window(…), …)` over a stream: the rows of a batch grow together with the stored sessions of their
//! keys.
//!
//! A stored session has the other keys and its start as key, and all keys with the states of the aggregates as value.
//! Whoever touches one session of a key writes all of them again.
//!
//! Source: Spark `StreamingSessionWindowStateManagerImplV1`, state format 1.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::compute::concat;
use bytes::Bytes;
use tidemark_plan::{AggregateCall, Attribute, NamedAggregate, NamedScalar, OutputMode};
use tidemark_types::{Batch, DataType, StructField, StructType};

use crate::error::Result;
use crate::kernel::{conform, conform_batch, conform_columns, internal};
use crate::operator::session::{merged, starts_and_ends, with_sessions};
use crate::operator::{Groups, filter_batch, state_fields};
use crate::state::buffer::{restored, stored, stored_fields};
use crate::state::event_time::{KeyTime, in_time};
use crate::state::metrics::OperatorMetrics;
use crate::state::operator::schema_of;
use crate::state::row::{bitset_bytes, decode, encode, with_last};
use crate::state::run::{Given, Keeper};
use crate::state::store::Save;

/// An aggregation by sessions with state.
pub(super) struct StatefulSession {
    calls: Vec<AggregateCall>,
    /// The types of all keys.
    key_types: Vec<DataType>,
    /// The place of the session among them.
    session: usize,
    /// The types of the others.
    other_types: Vec<DataType>,
    buffers: Vec<StructField>,
    value_types: Vec<DataType>,
    /// Whether the session has a watermark.
    watermark: bool,
    output: Arc<StructType>,
}

/// Stored sessions of the keys that a batch touches.
#[derive(Default)]
struct Known {
    groups: Vec<u32>,
    keys: Vec<Bytes>,
    values: Vec<Bytes>,
}

impl StatefulSession {
    /// The aggregation of these keys, of which that at `session` is a session, and calls.
    pub(super) fn new(
        grouping: &[NamedScalar],
        session: usize,
        aggregates: &[NamedAggregate],
        output: &[Attribute],
    ) -> StatefulSession {
        let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
        let key_types: Vec<DataType> = grouping.iter().map(|g| g.output.data_type.clone()).collect();
        let mut other_types = key_types.clone();
        other_types.remove(session);
        let stored_types = stored_fields(&calls).into_iter().map(|f| f.data_type);
        StatefulSession {
            session,
            other_types,
            buffers: state_fields(&calls),
            value_types: key_types.iter().cloned().chain(stored_types).collect(),
            watermark: grouping[session].output.watermark_delay.is_some(),
            output: schema_of(output),
            key_types,
            calls,
        }
    }

    fn groups(&self) -> Result<Groups> {
        Groups::new(&self.key_types, &self.calls)
    }

    fn others(&self, keys: &[ArrayRef]) -> Vec<ArrayRef> {
        let mut others = keys[..self.key_types.len()].to_vec();
        others.remove(self.session);
        others
    }

    /// The partial states of the batch that do not come too late.
    fn in_time(&self, rows: &[Batch], given: &Given, dropped: &mut u64) -> Result<Option<Batch>> {
        let Some(first) = rows.first() else { return Ok(None) };
        let batch = Batch::concat(first.schema(), rows).map_err(internal)?;
        if !self.watermark {
            return Ok(Some(batch));
        }
        let mask = in_time(batch.column(self.session), given.late_ms.saturating_mul(1000));
        let kept = filter_batch(&batch, &mask)?;
        *dropped += (batch.rows() - kept.rows()) as u64;
        Ok(Some(kept))
    }

    /// The number of each row's key, and what the store has of these keys.
    fn known(&self, batch: &Batch, save: &Save) -> Result<(Vec<u32>, Known)> {
        let mut numbers: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
        let mut groups = Vec::with_capacity(batch.rows());
        for key in encode(&self.other_types, &self.others(batch.columns()), batch.rows())? {
            let mut prefix = Vec::new();
            self.prefix(&with_last(&key, &self.other_types, 0), &mut prefix);
            let next = numbers.len() as u32;
            groups.push(*numbers.entry(prefix).or_insert(next));
        }
        let (mut known, mut prefix) = (Known::default(), Vec::new());
        if numbers.is_empty() {
            return Ok((groups, known));
        }
        for (key, value) in save.store.iter() {
            self.prefix(key, &mut prefix);
            if let Some(group) = numbers.get(&prefix) {
                known.groups.push(*group);
                known.keys.push(key.clone());
                known.values.push(value.clone());
            }
        }
        Ok((groups, known))
    }

    /// The bytes of a stored key without the start of the session.
    fn prefix(&self, key: &[u8], out: &mut Vec<u8>) {
        let fields = self.other_types.len() + 1;
        let at = bitset_bytes(fields) + 8 * (fields - 1);
        out.clear();
        out.extend_from_slice(key.get(..at).unwrap_or(key));
        out.extend_from_slice(key.get(at + 8..).unwrap_or_default());
    }

    /// The sessions of the batch and the stored ones of their keys, merged.
    fn merged(&self, batch: &Batch, mut groups: Vec<u32>, known: &Known) -> Result<Groups> {
        let columns = if known.values.is_empty() {
            batch.columns().to_vec()
        } else {
            let values: Vec<&[u8]> = known.values.iter().map(|value| &value[..]).collect();
            let mut columns = decode(&self.value_types, &values)?;
            let buffers = restored(&self.calls, &columns.split_off(self.key_types.len()))?;
            columns.extend(buffers);
            let new = batch.columns();
            let pairs = columns.iter().zip(new).zip(batch.schema().fields.iter());
            let joined = pairs.map(|((old, new), field)| {
                concat(&[&conform(old, &field.data_type)?, new]).map_err(internal)
            });
            joined.collect::<Result<Vec<_>>>()?
        };
        groups.splice(0..0, known.groups.iter().copied());
        let (starts, ends) = starts_and_ends(&columns[self.session]);
        let made = merged(&groups, &starts, &ends, known.groups.len());
        let columns = with_sessions(&columns, self.session, &self.key_types[self.session], made)?;
        let (keys, buffers) = columns.split_at(self.key_types.len());
        let mut out = self.groups()?;
        out.merge(keys, groups.len(), buffers)?;
        Ok(out)
    }

    /// The merged sessions in the place of the stored ones.
    fn put(
        &self,
        groups: &Groups,
        known: Known,
        save: &mut Save,
        metrics: &mut OperatorMetrics,
    ) -> Result<()> {
        let (keys, rows) = (groups.keys()?, groups.len());
        let buffers = conform_columns(&groups.buffers()?, &self.buffers)?;
        let mut values = keys.clone();
        values.extend(stored(&self.calls, &buffers)?);
        let values = encode(&self.value_types, &values, rows)?;
        let starts = starts_and_ends(&keys[self.session]).0;
        let others = encode(&self.other_types, &self.others(&keys), rows)?;
        let keys: Vec<Bytes> =
            others.iter().zip(starts).map(|(key, start)| with_last(key, &self.other_types, start)).collect();
        let new: BTreeSet<&Bytes> = keys.iter().collect();
        for key in known.keys.into_iter().filter(|key| !new.contains(key)) {
            save.remove(key);
            metrics.rows_removed += 1;
        }
        metrics.rows_updated += rows as u64;
        keys.into_iter().zip(values).for_each(|(key, value)| save.put(key, value));
        Ok(())
    }

    /// The sessions that are over.
    fn over(&self, save: &Save, given: &Given) -> Vec<(Bytes, Bytes)> {
        if !self.watermark {
            return Vec::new();
        }
        let (time, bound) =
            (KeyTime::at(self.session, &self.value_types), given.evict_ms.saturating_mul(1000));
        let is_over = |value: &[u8]| time.read(value).is_some_and(|end| end <= bound);
        save.store.iter().filter(|(_, value)| is_over(value)).map(|(k, v)| (k.clone(), v.clone())).collect()
    }

    /// The rows of stored sessions.
    fn rows_of<'a>(&self, values: impl Iterator<Item = &'a Bytes>) -> Result<Vec<Batch>> {
        let values: Vec<&[u8]> = values.map(|value| &value[..]).collect();
        if values.is_empty() {
            return Ok(Vec::new());
        }
        let mut keys = decode(&self.value_types, &values)?;
        let buffers = restored(&self.calls, &keys.split_off(self.key_types.len()))?;
        let mut groups = self.groups()?;
        groups.merge(&keys, values.len(), &buffers)?;
        self.results(&groups)
    }

    fn results(&self, groups: &Groups) -> Result<Vec<Batch>> {
        let mut columns = groups.keys()?;
        columns.extend(groups.results()?);
        Ok(vec![conform_batch(&self.output, &columns, groups.len())?])
    }
}

impl Keeper for StatefulSession {
    fn keep(
        &self,
        rows: &[Batch],
        save: &mut Save,
        given: &Given,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>> {
        if let Some(batch) = self.in_time(rows, given, &mut metrics.rows_dropped)?
            && batch.rows() > 0
        {
            let (numbers, known) = self.known(&batch, save)?;
            let groups = self.merged(&batch, numbers, &known)?;
            self.put(&groups, known, save, metrics)?;
        }
        if given.mode == OutputMode::Complete {
            return self.rows_of(save.store.iter().map(|(_, value)| value));
        }
        let over = self.over(save, given);
        over.iter().for_each(|(key, _)| save.remove(key.clone()));
        metrics.rows_removed += over.len() as u64;
        self.rows_of(over.iter().map(|(_, value)| value))
    }
}
