//! The settings of a query: a copy of the session's at its start, and what the checkpoint puts over them.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::connector::Settings;

/// The keys that `offsets/N` keeps, in the order in which Spark writes them, each with its default.
pub const RELEVANT: [(&str, &str); 15] = [
    (
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
    ),
    ("spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", "2"),
    ("spark.sql.streaming.stateStore.rocksdb.formatVersion", "5"),
    ("spark.sql.streaming.queryEvolution.enableSourceEvolution", "false"),
    ("spark.sql.streaming.stateStore.encodingFormat", "unsaferow"),
    ("spark.sql.streaming.statefulOperator.useStrictDistribution", "true"),
    ("spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", "2"),
    ("spark.sql.streaming.multipleWatermarkPolicy", "min"),
    ("spark.sql.streaming.stateStore.rowChecksum.enabled", "false"),
    ("spark.sql.streaming.aggregation.stateFormatVersion", "2"),
    ("spark.sql.function.protobufExtensions.enabled", "false"),
    ("spark.sql.shuffle.partitions", "200"),
    ("spark.sql.streaming.join.stateFormatVersion", "2"),
    ("spark.sql.streaming.stateStore.compression.codec", "lz4"),
    ("spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", "false"),
];

/// What a key of [`RELEVANT`] is taken to be when an old checkpoint does not name it.
const LEGACY: [(&str, &str); 10] = [
    ("spark.sql.streaming.multipleWatermarkPolicy", "min"),
    ("spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", "1"),
    ("spark.sql.streaming.aggregation.stateFormatVersion", "1"),
    ("spark.sql.streaming.join.stateFormatVersion", "1"),
    ("spark.sql.streaming.stateStore.compression.codec", "lz4"),
    ("spark.sql.streaming.statefulOperator.useStrictDistribution", "false"),
    ("spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", "true"),
    ("spark.sql.streaming.stateStore.encodingFormat", "unsaferow"),
    ("spark.sql.streaming.stateStore.rowChecksum.enabled", "false"),
    ("spark.sql.streaming.queryEvolution.enableSourceEvolution", "false"),
];

/// Streaming settings that the engine reads, with Spark's defaults.
const DEFAULTS: [(&str, &str); 19] = [
    ("spark.sql.streaming.minBatchesToRetain", "100"),
    ("spark.sql.streaming.pollingDelay", "10"),
    ("spark.sql.streaming.noDataProgressEventInterval", "10000"),
    ("spark.sql.streaming.noDataMicroBatches.enabled", "true"),
    ("spark.sql.streaming.unsupportedOperationCheck", "true"),
    ("spark.sql.streaming.statefulOperator.allowMultiple", "true"),
    ("spark.sql.streaming.stateStore.stateSchemaCheck", "true"),
    ("spark.sql.streaming.stateStore.commitValidation.enabled", "true"),
    ("spark.sql.streaming.stateStore.maintenanceInterval", "60000"),
    ("spark.sql.streaming.stateStore.minDeltasForSnapshot", "10"),
    ("spark.sql.streaming.numRecentProgressUpdates", "100"),
    ("spark.sql.streaming.stopActiveRunOnRestart", "true"),
    ("spark.sql.streaming.offsetLog.formatVersion", "1"),
    ("spark.sql.streaming.checkpoint.verifyMetadataExists.enabled", "true"),
    ("spark.sql.streaming.verifyCheckpointDirectoryEmptyOnStart", "true"),
    ("spark.sql.streaming.forceDeleteTempCheckpointLocation", "false"),
    ("spark.sql.streaming.fileSource.log.compactInterval", "10"),
    ("spark.sql.streaming.fileSource.log.cleanupDelay", "600000"),
    ("spark.sql.streaming.fileSource.log.deletion", "true"),
];

/// The settings of one query.
///
/// A copy: what the session sets later does not reach the query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryConf {
    values: Arc<BTreeMap<String, String>>,
}

impl QueryConf {
    /// The session's settings at this moment. What is not named has Spark's default.
    pub fn new(values: BTreeMap<String, String>) -> Self {
        QueryConf { values: Arc::new(values) }
    }

    /// Sets a value for this query alone.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        Arc::make_mut(&mut self.values).insert(name.to_owned(), value.into());
    }

    /// The value that is set, without any default.
    pub fn explicit(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Whether a setting is `true`.
    pub fn enabled(&self, name: &str) -> bool {
        self.get(name).is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
    }

    /// A setting that is a whole number; a duration counts in milliseconds.
    pub fn number(&self, name: &str) -> i64 {
        let text = self.get(name).unwrap_or_default();
        millis(&text).unwrap_or_else(|| default(name).and_then(millis).unwrap_or(0))
    }

    /// The values that `offsets/N` keeps, in Spark's order.
    pub fn relevant(&self) -> Vec<(String, String)> {
        RELEVANT
            .iter()
            .map(|(name, fallback)| ((*name).to_owned(), self.explicit(name).unwrap_or(fallback).to_owned()))
            .collect()
    }

    /// Puts the values of a checkpoint over the session's; what an old checkpoint does not name gets its old meaning.
    pub fn restore(&mut self, logged: &[(String, String)]) {
        for (name, _) in RELEVANT {
            let known = logged.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
            let old = LEGACY.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            if let Some(value) = known.or(old) {
                self.set(name, value);
            }
        }
    }
}

impl Settings for QueryConf {
    fn get(&self, name: &str) -> Option<String> {
        self.explicit(name).or_else(|| default(name)).map(str::to_owned)
    }
}

fn default(name: &str) -> Option<&'static str> {
    RELEVANT.iter().chain(&DEFAULTS).find(|(key, _)| *key == name).map(|(_, value)| *value)
}

/// A number with an optional unit of time, as milliseconds: `10`, `600s`, `10min`.
pub(crate) fn millis(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let number: i64 = number.parse().ok()?;
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_checkpoint_win_over_the_session() {
        let session = [("spark.sql.shuffle.partitions".to_owned(), "7".to_owned())];
        let mut conf = QueryConf::new(session.into_iter().collect());
        assert_eq!(conf.number("spark.sql.shuffle.partitions"), 7);
        conf.restore(&[("spark.sql.shuffle.partitions".to_owned(), "2".to_owned())]);
        assert_eq!(conf.number("spark.sql.shuffle.partitions"), 2);
        assert_eq!(conf.get("spark.sql.streaming.aggregation.stateFormatVersion").as_deref(), Some("1"));
        assert_eq!(conf.number("spark.sql.streaming.minBatchesToRetain"), 100);
    }

    #[test]
    fn durations_are_milliseconds() {
        for (text, wanted) in
            [("10", Some(10)), ("10s", Some(10_000)), ("10 min", Some(600_000)), ("x", None)]
        {
            assert_eq!(millis(text), wanted, "{text}");
        }
    }
}
