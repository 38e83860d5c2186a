//! What progress says of a stateful operator.

use std::collections::BTreeMap;

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
    /// The versions of the snapshots that this run has written last, by partition and store.
    pub snapshots: BTreeMap<(usize, &'static str), i64>,
    /// Whether the numbers of the stores are left out: Spark forgets them for sessions in complete mode.
    pub stores_uncounted: bool,
}

/// The most stores whose last snapshot is named: those that lag behind the most.
///
/// Source: `spark.sql.streaming.stateStore.numStateStoreInstanceMetricsToReport`.
const SNAPSHOTS_SHOWN: usize = 5;

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
        let mut snapshots: Vec<(i64, String)> = (0..self.partitions)
            .flat_map(|partition| self.stores.iter().map(move |name| (partition, *name)))
            .map(|store| {
                let version = self.snapshots.get(&store).copied().unwrap_or(-1);
                (version, format!("SnapshotLastUploaded.partition_{}_{}", store.0, store.1))
            })
            .collect();
        snapshots.sort();
        snapshots.truncate(SNAPSHOTS_SHOWN);
        snapshots.sort_by(|a, b| a.1.cmp(&b.1));
        custom.extend(snapshots.into_iter().map(|(version, name)| (name, json!(version))));
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
            "numStateStoreInstances": if self.stores_uncounted { 0 } else { self.partitions * self.stores.len() },
            "customMetrics": custom,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stores_that_lag_behind_the_most_are_named() {
        let stores = vec!["left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues"];
        let snapshots = [((0, stores[0]), 12), ((1, stores[2]), 11)].into();
        let metrics = OperatorMetrics { partitions: 2, stores, snapshots, ..OperatorMetrics::default() };
        let value = metrics.to_value();
        let custom = value["customMetrics"].as_object().expect("it is an object");
        let named: Vec<(&str, i64)> = custom
            .iter()
            .filter_map(|(name, version)| {
                Some((name.strip_prefix("SnapshotLastUploaded.")?, version.as_i64()?))
            })
            .collect();
        assert_eq!(
            named,
            [
                ("partition_0_left-keyWithIndexToValue", -1),
                ("partition_0_right-keyToNumValues", -1),
                ("partition_1_left-keyToNumValues", -1),
                ("partition_1_left-keyWithIndexToValue", -1),
                ("partition_1_right-keyToNumValues", 11),
            ]
        );
    }
}
