//! `dropDuplicates` over a stream: the first row of each key comes out in the batch in which it arrives.

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray};
use arrow::datatypes::TimestampMicrosecondType;
use bytes::Bytes;
use tidemark_plan::Attribute;
use tidemark_types::{Batch, DataType};

use crate::error::Result;
use crate::kernel::normalized;
use crate::operator::filter_batch;
use crate::state::event_time::{KeyTime, event_time_column, in_time};
use crate::state::metrics::OperatorMetrics;
use crate::state::row::encode;
use crate::state::run::{Given, Keeper};
use crate::state::store::Save;

/// A deduplication with state.
pub(super) struct StatefulDeduplicate {
    keys: Vec<usize>,
    key_types: Vec<DataType>,
    /// The column of the event time, with the delay in microseconds.
    event_time: Option<(usize, i64)>,
    key_time: Option<KeyTime>,
    within_watermark: bool,
}

impl StatefulDeduplicate {
    /// By these keys of rows with these columns.
    pub(super) fn new(
        keys: &[Attribute],
        columns: &[Attribute],
        within_watermark: bool,
    ) -> StatefulDeduplicate {
        let places = keys.iter().filter_map(|key| columns.iter().position(|c| c.id == key.id)).collect();
        StatefulDeduplicate {
            keys: places,
            key_types: keys.iter().map(|key| key.data_type.clone()).collect(),
            event_time: event_time_column(columns)
                .map(|place| (place, columns[place].watermark_delay.unwrap_or(0))),
            key_time: KeyTime::of(keys),
            within_watermark,
        }
    }

    fn in_time(&self, batch: &Batch, given: &Given, dropped: &mut u64) -> Result<Batch> {
        let Some((place, _)) = self.event_time else { return Ok(batch.clone()) };
        let kept = filter_batch(batch, &in_time(batch.column(place), given.late_ms.saturating_mul(1000)))?;
        *dropped += (batch.rows() - kept.rows()) as u64;
        Ok(kept)
    }

    /// The value that is kept for the row's key.
    fn value(&self, batch: &Batch, row: usize) -> Bytes {
        let mut bytes = vec![0; 16];
        match self.event_time.filter(|_| self.within_watermark) {
            Some((place, delay)) => {
                let end = time_of(batch.column(place), row).saturating_add(delay);
                bytes[8..].copy_from_slice(&end.to_le_bytes());
            }
            None => bytes[0] = 1,
        }
        Bytes::from(bytes)
    }

    fn is_over(&self, key: &[u8], value: &[u8], bound: i64) -> bool {
        let end = if self.within_watermark {
            value.get(8..16).and_then(|word| word.try_into().ok()).map(i64::from_le_bytes)
        } else {
            self.key_time.and_then(|time| time.read(key))
        };
        end.is_some_and(|end| end <= bound)
    }
}

/// The time of a row; a null one is the epoch.
fn time_of(times: &ArrayRef, row: usize) -> i64 {
    match times.as_primitive_opt::<TimestampMicrosecondType>() {
        Some(times) if times.is_valid(row) => times.value(row),
        _ => 0,
    }
}

impl Keeper for StatefulDeduplicate {
    fn keep(
        &self,
        rows: &[Batch],
        save: &mut Save,
        given: &Given,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>> {
        let (mut out, mut duplicates) = (Vec::new(), 0);
        for batch in rows {
            let batch = self.in_time(batch, given, &mut metrics.rows_dropped)?;
            let columns: Vec<ArrayRef> =
                self.keys.iter().map(|k| normalized(batch.column(*k))).collect::<Result<_>>()?;
            let mut new = Vec::with_capacity(batch.rows());
            for (row, key) in encode(&self.key_types, &columns, batch.rows())?.into_iter().enumerate() {
                let is_new = save.store.get(&key).is_none();
                if is_new {
                    save.put(key, self.value(&batch, row));
                    metrics.rows_updated += 1;
                } else {
                    duplicates += 1;
                }
                new.push(is_new);
            }
            let kept = filter_batch(&batch, &BooleanArray::from(new))?;
            if kept.rows() > 0 {
                out.push(kept);
            }
        }
        metrics.duplicates_dropped = Some(metrics.duplicates_dropped.unwrap_or(0) + duplicates);
        if self.within_watermark || self.key_time.is_some() {
            let bound = given.evict_ms.saturating_mul(1000);
            let over: Vec<Bytes> = save
                .store
                .iter()
                .filter(|(k, v)| self.is_over(k, v, bound))
                .map(|(k, _)| k.clone())
                .collect();
            metrics.rows_removed += over.len() as u64;
            over.into_iter().for_each(|key| save.remove(key));
        }
        Ok(out)
    }
}
