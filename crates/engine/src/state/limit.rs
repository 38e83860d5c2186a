//! `limit` over a stream: the first rows over the whole life of the query.

use bytes::Bytes;
use tidemark_types::Batch;

use crate::error::Result;
use crate::state::metrics::OperatorMetrics;
use crate::state::run::{Given, Keeper};
use crate::state::store::Save;

/// A limit with state: how many rows have gone by.
pub(super) struct StatefulLimit {
    rows: usize,
}

impl StatefulLimit {
    /// At most so many rows.
    pub(super) fn new(rows: usize) -> StatefulLimit {
        StatefulLimit { rows }
    }
}

impl Keeper for StatefulLimit {
    fn keep(
        &self,
        rows: &[Batch],
        save: &mut Save,
        _given: &Given,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>> {
        let mut key = vec![0; 16];
        key[0] = 1;
        let key = Bytes::from(key);
        let stored = save.store.get(&key).and_then(|value| value.get(8..16)?.try_into().ok());
        let before = stored.map_or(0, i64::from_le_bytes);
        let mut left = self.rows.saturating_sub(before as usize);
        let mut out = Vec::new();
        for batch in rows {
            let taken = batch.rows().min(left);
            left -= taken;
            if taken > 0 {
                out.push(batch.slice(0, taken));
            }
        }
        let count: i64 = out.iter().map(|batch| batch.rows() as i64).sum();
        if count > 0 {
            let mut value = vec![0; 16];
            value[8..].copy_from_slice(&(before + count).to_le_bytes());
            save.put(key, Bytes::from(value));
            metrics.rows_updated += 1;
        }
        Ok(out)
    }
}
