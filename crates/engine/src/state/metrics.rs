//! What progress says of a stateful operator.

use serde_json::{Map, Value, json};

/// One entry of `stateOperators`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OperatorMetrics {
    /// Spark's name of the operator.
    pub name: &'static str,
    /// The rows in the state after the batch.
    pub rows_total: u64,
    /// The rows that the batch has put.
    pub rows_updated: u64,
    /// The rows that the watermark has taken away.
    pub rows_removed: u64,
    /// The rows that came too late.
    pub rows_dropped: u64,
    /// The rows that a deduplication has dropped.
    pub duplicates_dropped: Option<u64>,
    /// The number of partitions.
    pub partitions: usize,
    /// The names of the stores in each partition.
    pub stores: Vec<&'static str>,
    /// The bytes of all keys and values.
    pub bytes: usize,
    /// How often a store was in memory in this run, and how often not.
    pub cache: (u64, u64),
}

impl OperatorMetrics {
    /// The same operator in a trigger that runs no batch.
    pub fn idle(&self) -> OperatorMetrics {
        OperatorMetrics { rows_updated: 0, rows_dropped: 0, ..self.clone() }
    }

    /// The same operator after its part of the plan has been computed so many times: Spark adds the numbers up.
    pub fn times(&self, runs: u64) -> OperatorMetrics {
        OperatorMetrics {
            rows_total: self.rows_total * runs,
            rows_updated: self.rows_updated * runs,
            rows_removed: self.rows_removed * runs,
            rows_dropped: self.rows_dropped * runs,
            duplicates_dropped: self.duplicates_dropped.map(|rows| rows * runs),
            ..self.clone()
        }
    }

    /// The entry as Spark's JSON. Times are those of the simulated clock: none.
    pub fn to_value(&self) -> Value {
        let mut custom = Map::new();
        for partition in 0..self.partitions {
            for name in &self.stores {
                custom.insert(format!("SnapshotLastUploaded.partition_{partition}_{name}"), json!(-1));
            }
        }
        custom.insert("forceSnapshotCount".into(), json!(0));
        custom.insert("loadedMapCacheHitCount".into(), json!(self.cache.0));
        custom.insert("loadedMapCacheMissCount".into(), json!(self.cache.1));
        if let Some(rows) = self.duplicates_dropped {
            custom.insert("numDroppedDuplicateRows".into(), json!(rows));
        }
        custom.insert("numSnapshotsAutoRepaired".into(), json!(0));
        custom.insert("stateOnCurrentVersionSizeBytes".into(), json!(self.bytes));
        json!({
            "operatorName": self.name,
            "numRowsTotal": self.rows_total,
            "numRowsUpdated": self.rows_updated,
            "allUpdatesTimeMs": 0,
            "numRowsRemoved": self.rows_removed,
            "allRemovalsTimeMs": 0,
            "commitTimeMs": 0,
            "memoryUsedBytes": self.bytes,
            "numRowsDroppedByWatermark": self.rows_dropped,
            "numShufflePartitions": self.partitions,
            "numStateStoreInstances": self.partitions * self.stores.len(),
            "customMetrics": custom,
        })
    }
}
