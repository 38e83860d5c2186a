//! The settings of a session: what was set, else Spark's default.

use std::collections::BTreeMap;

use tidemark_python::Value;
use tidemark_types::{ErrorClass, SparkError};

use crate::call::Call;
use crate::fault::Fault;

/// Settings by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conf {
    set: BTreeMap<String, String>,
}

/// Spark's defaults, as `spark.conf.get` gives them on `local[2]`.
const DEFAULTS: &[(&str, &str)] = &[
    ("spark.app.name", "tidemark"),
    ("spark.default.parallelism", "2"),
    ("spark.master", "local[2]"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.caseSensitive", "false"),
    ("spark.sql.files.ignoreCorruptFiles", "false"),
    ("spark.sql.files.ignoreMissingFiles", "false"),
    ("spark.sql.files.maxPartitionBytes", "134217728"),
    ("spark.sql.files.openCostInBytes", "4194304"),
    ("spark.sql.function.protobufExtensions.enabled", "false"),
    ("spark.sql.json.filterPushdown.enabled", "true"),
    ("spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", "false"),
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.shuffle.partitions", "2"),
    ("spark.sql.sources.default", "parquet"),
    ("spark.sql.sources.partitionColumnTypeInference.enabled", "true"),
    ("spark.sql.streaming.aggregation.stateFormatVersion", "2"),
    ("spark.sql.streaming.checkpoint.verifyMetadataExists.enabled", "true"),
    ("spark.sql.streaming.fileSource.log.cleanupDelay", "600000"),
    ("spark.sql.streaming.fileSource.log.compactInterval", "10"),
    ("spark.sql.streaming.fileSource.log.deletion", "true"),
    ("spark.sql.streaming.fileSource.schema.forceNullable", "true"),
    ("spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", "2"),
    ("spark.sql.streaming.join.stateFormatVersion", "2"),
    ("spark.sql.streaming.maxBatchesToRetainInMemory", "2"),
    ("spark.sql.streaming.minBatchesToRetain", "100"),
    ("spark.sql.streaming.multipleWatermarkPolicy", "min"),
    ("spark.sql.streaming.noDataMicroBatches.enabled", "true"),
    ("spark.sql.streaming.noDataProgressEventInterval", "10000"),
    ("spark.sql.streaming.numRecentProgressUpdates", "100"),
    ("spark.sql.streaming.offsetLog.formatVersion", "1"),
    ("spark.sql.streaming.pollingDelay", "10"),
    ("spark.sql.streaming.queryEvolution.enableSourceEvolution", "false"),
    ("spark.sql.streaming.schemaInference", "false"),
    ("spark.sql.streaming.stateStore.compression.codec", "lz4"),
    ("spark.sql.streaming.stateStore.encodingFormat", "unsaferow"),
    ("spark.sql.streaming.stateStore.maintenanceInterval", "60000"),
    ("spark.sql.streaming.stateStore.minDeltasForSnapshot", "10"),
    (
        "spark.sql.streaming.stateStore.providerClass",
        "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
    ),
    ("spark.sql.streaming.stateStore.rocksdb.formatVersion", "5"),
    ("spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", "2"),
    ("spark.sql.streaming.stateStore.rowChecksum.enabled", "false"),
    ("spark.sql.streaming.statefulOperator.checkCorrectness.enabled", "true"),
    ("spark.sql.streaming.statefulOperator.useStrictDistribution", "true"),
    ("spark.sql.streaming.stopActiveRunOnRestart", "true"),
    ("spark.sql.streaming.stopTimeout", "0"),
    ("spark.sql.streaming.unsupportedOperationCheck", "true"),
    ("spark.sql.warehouse.dir", "spark-warehouse"),
];

impl Conf {
    /// The value of a setting, else its default.
    pub fn get(&self, name: &str) -> Option<String> {
        self.set.get(name).cloned().or_else(|| {
            DEFAULTS.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    /// Sets a setting.
    pub fn set(&mut self, name: &str, value: &str) {
        self.set.insert(name.to_owned(), value.to_owned());
    }

    /// Takes a setting back to its default.
    pub fn unset(&mut self, name: &str) {
        self.set.remove(name);
    }

    /// All settings with a value.
    pub fn all(&self) -> BTreeMap<String, String> {
        let mut all: BTreeMap<String, String> =
            DEFAULTS.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        all.extend(self.set.clone());
        all
    }
}

/// What Spark refuses to set.
fn check(name: &str, value: &str) -> Result<(), SparkError> {
    let (kind, requirement) = match name {
        "spark.sql.streaming.multipleWatermarkPolicy" => match value.to_lowercase().as_str() {
            "min" | "max" => return Ok(()),
            _ => ("REQUIREMENT", format!("Invalid value for '{name}'. Valid values are 'min' and 'max'")),
        },
        "spark.sql.shuffle.partitions" => match value.trim().parse::<i32>() {
            Ok(1..) => return Ok(()),
            Ok(_) => ("REQUIREMENT", format!("The value of {name} must be positive")),
            Err(_) => ("TYPE_MISMATCH", "It should be a/an 'int' value.".to_owned()),
        },
        _ => return Ok(()),
    };
    let text = format!("The value '{value}' in the config \"{name}\" is invalid. {requirement}");
    let condition = format!("INVALID_CONF_VALUE.{kind}");
    Err(SparkError::new(ErrorClass::IllegalArgument, &condition, "22022", text)
        .with_parameter("confValue", value)
        .with_parameter("confName", name)
        .with_parameter("confRequirement", requirement))
}

/// A call of `spark.conf`.
pub(crate) fn call(conf: &mut Conf, call: &mut Call<'_>) -> Result<Value, Fault> {
    match call.method() {
        "get" => {
            let [key, default] = call.bind_required(1, ["key", "default"])?;
            let key = call.text("key", &key.unwrap_or(Value::None))?;
            match (conf.get(&key), default) {
                (Some(value), _) => Ok(value.into()),
                (None, Some(default)) => Ok(default),
                (None, None) => Err(SparkError::new(
                    ErrorClass::Spark,
                    "SQL_CONF_NOT_FOUND",
                    "42K0I",
                    format!(
                        "The SQL config \"{key}\" cannot be found. Please verify that the config exists."
                    ),
                )
                .into()),
            }
        }
        "set" => {
            let [key, value] = call.bind_required(2, ["key", "value"])?;
            let key = call.text("key", &key.unwrap_or(Value::None))?;
            let value = call.option_text(&value.unwrap_or(Value::None)).unwrap_or_default();
            check(&key, &value)?;
            conf.set(&key, &value);
            Ok(Value::None)
        }
        "unset" => {
            let [key] = call.bind_required(1, ["key"])?;
            let key = call.text("key", &key.unwrap_or(Value::None))?;
            conf.unset(&key);
            Ok(Value::None)
        }
        "isModifiable" => Ok(Value::Bool(true)),
        "getAll" => {
            let items = conf.all().into_iter().map(|(k, v)| (k.into(), v.into())).collect();
            Ok(call.machine.new_dict(items))
        }
        other => Err(Fault::refused(&format!("RuntimeConfig.{other}"))),
    }
}
