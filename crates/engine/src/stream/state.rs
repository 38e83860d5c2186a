//! The steps of a batch that have to do with state: files about the operators, loading, saving, maintenance.

use bytes::Bytes;
use imbl::Vector;
use tidemark_plan::Plan;
use tidemark_trace::{Phase, When};
use tidemark_types::{ErrorClass, SimTime, SparkError};
use tidemark_world::{World, WorldError};

use crate::error::Result;
use crate::operator::{Partitions, RunContext};
use crate::state::known;
use crate::state::operator::{StatefulKind, StatefulOperator, redefines_watermark};
use crate::state::{
    Given, StateStore, StoreId, Upkeep, check_state, load, run_batch, snapshot_due, state_files, write_delta,
    write_snapshot,
};
use crate::stream::cost;
use crate::stream::execution::StreamExecution;
use crate::stream::stage::Stage;
use crate::stream::step::Step;

impl StreamExecution {
    /// In the first batch of a run: writes the next file about the stateful operators, or checks what is there.
    pub(super) fn describe(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        self.stage = Stage::Begin;
        self.check_watermark(self.batch.watermark_ms)?;
        if self.batches_run > 0 {
            return Ok(None);
        }
        if let Some(operator) = self.operators.iter().find(|operator| operator.stores.is_empty()) {
            let text = match operator.kind {
                StatefulKind::Session { .. } => {
                    "Global aggregation with session window in streaming query is not supported."
                }
                _ => "Stream-stream join without equality predicate is not supported.;",
            };
            return Err(SparkError::plain(ErrorClass::Analysis, text).into());
        }
        if self.batch.id.0 > 0 {
            let schemas = self.conf.enabled("spark.sql.streaming.stateStore.stateSchemaCheck");
            check_state(world, &self.checkpoint, &self.operators, schemas)?;
            return Ok(None);
        }
        let Some(file) = state_files(&self.operators).into_iter().nth(index) else { return Ok(None) };
        self.stage = Stage::Describe(index + 1);
        let path = format!("{}/{}", self.checkpoint, file.path);
        match world.put_if_absent(&path, file.bytes) {
            Ok(()) => {}
            Err(WorldError::AlreadyExists { .. }) => return Ok(None),
            Err(other) => return Err(other.into()),
        }
        self.reporter.spend(world, "queryPlanning", cost::SAVE);
        Ok(self.aside(Phase::Plan, format!("{} says what the state is made of.", file.path)))
    }

    /// Once the watermark has moved, one event time must not have two.
    pub(super) fn check_watermark(&self, watermark_ms: i64) -> Result<()> {
        if watermark_ms > 0
            && self.conf.enabled("spark.sql.streaming.statefulOperator.allowMultiple")
            && redefines_watermark(&self.prepared)
        {
            return Err(watermark_redefined().into());
        }
        Ok(())
    }

    /// Loads the state and runs the operators.
    pub(super) fn compute(&mut self, world: &mut World) -> Result<Partitions> {
        let stateful = !self.operators.is_empty();
        let now = SimTime(self.batch.timestamp_ms);
        let context = RunContext::of_session(&self.conf, now, !stateful);
        let evict_ms = self.batch.watermark_ms;
        let multiple = self.conf.enabled("spark.sql.streaming.statefulOperator.allowMultiple");
        let mut given = Given {
            mode: self.spec.output_mode,
            late_ms: if multiple { self.batch.late_ms } else { evict_ms },
            evict_ms,
            bytes_max: self.state_bytes_max,
            version: self.batch.id.0,
            operators: self.operators.to_vec(),
            stores: std::collections::BTreeMap::new(),
        };
        for operator in self.operators.clone().iter() {
            for partition in 0..operator.partitions {
                for shape in &operator.stores {
                    let id = StoreId { operator: operator.id, partition, name: shape.name };
                    let store = self.store(world, &id)?;
                    given.stores.insert(id, store);
                }
            }
        }
        if stateful && self.stores.maintained.is_none() {
            self.stores.maintained = Some(world.now());
        }
        let inputs = std::mem::take(&mut self.batch.inputs);
        let plan: &Plan = &self.prepared;
        let mut outcome = run_batch(plan, inputs, &context, given)?;
        let cache = (self.stores.hits, self.stores.misses);
        for (operator, metrics) in outcome.metrics.iter_mut().enumerate() {
            metrics.cache = cache;
            let own = self.stores.snapshots.iter().filter(|(id, _)| id.operator == operator);
            metrics.snapshots = own.map(|(id, version)| ((id.partition, id.name), *version)).collect();
        }
        self.batch.saves = outcome.saves;
        self.batch.operators = outcome.metrics;
        self.batch.event_times = outcome.event_times;
        Ok(outcome.partitions)
    }

    /// A store at the version with which this batch begins: from memory, or from its files.
    fn store(&mut self, world: &mut World, id: &StoreId) -> Result<StateStore> {
        let version = self.batch.id.0;
        if let Some(store) = self.stores.kept.get(id).filter(|store| store.version() == version) {
            self.stores.hits += 1;
            return Ok(store.clone());
        }
        self.stores.misses += u64::from(version > 0);
        load(world, &self.checkpoint, id, version, &self.run.0)
    }

    /// Writes the state of one partition.
    pub(super) fn save(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        if index == 0 {
            world.at_phase(Phase::Save, When::Before)?;
        }
        let (name, bytes) = write_delta(&self.batch.saves[index]);
        let id = self.batch.saves[index].id.clone();
        let path = format!("{}/{name}", id.folder(&self.checkpoint));
        let bytes = Bytes::from(bytes);
        world.put(&path, bytes.clone())?;
        let store = &mut self.batch.saves[index].store;
        store.files.push_back(bytes);
        known::keep(store);
        self.reporter.spend(world, "addBatch", cost::SAVE);
        let changes = self.batch.saves[index].changes.len();
        if index + 1 < self.batch.saves.len() {
            self.stage = Stage::Save(index + 1);
        } else {
            world.at_phase(Phase::Save, When::After)?;
            for save in std::mem::take(&mut self.batch.saves) {
                self.stores.kept.insert(save.id, save.store);
            }
            self.stage = self.after_work();
        }
        let short = path.strip_prefix(&format!("{}/", self.checkpoint)).unwrap_or(&path).to_owned();
        let noun = if changes == 1 { "change" } else { "changes" };
        Ok(self.did(world, Phase::Save, format!("{short} has {changes} {noun}"), Some(changes as u64)))
    }

    /// What of the state nobody has computed: the user's function has looked at the first `computed` partitions only.
    ///
    /// Source: Spark validates operators that have keys; a global aggregation and a limit go unnoticed.
    pub(super) fn uncommitted(&self, computed: usize) -> Option<Uncommitted> {
        let checked = |operator: &&StatefulOperator| {
            operator.kind != StatefulKind::Limit && operator.partitions == operator.shuffle_partitions
        };
        let (mut expected, mut missing) = (0, Vec::new());
        for operator in self.operators.iter().filter(checked) {
            for partition in 0..operator.partitions {
                for shape in &operator.stores {
                    expected += 1;
                    if partition >= computed {
                        missing.push(StoreId { operator: operator.id, partition, name: shape.name });
                    }
                }
            }
        }
        let validated = self.conf.enabled("spark.sql.streaming.stateStore.commitValidation.enabled");
        (!missing.is_empty()).then_some(Uncommitted { expected, missing, validated })
    }

    /// The state of partitions that nobody has computed is not saved.
    pub(super) fn forget_uncommitted(&mut self, world: &mut World) -> Result<()> {
        let missing = self.batch.uncommitted.as_ref().map(|u| u.missing.clone()).unwrap_or_default();
        for id in missing {
            let path = format!("{}/{}.delta", id.folder(&self.checkpoint), self.batch.id.0 + 1);
            if world.exists(&path) {
                world.delete(&path)?;
            }
            self.stores.kept.remove(&id);
        }
        Ok(())
    }

    /// Whether the state files are to be tidied before the next trigger.
    pub(super) fn maintenance_is_due(&self, now: SimTime) -> bool {
        let interval = self.conf.number("spark.sql.streaming.stateStore.maintenanceInterval");
        self.stores.maintained.is_some_and(|last| now.0 - last.0 >= interval)
    }

    /// Does one thing for the files of one store, until all are tidy.
    pub(super) fn maintain(&mut self, world: &mut World, index: usize) -> Result<Option<Step>> {
        let Some((id, store)) = self.stores.kept.iter().nth(index).map(|(id, s)| (id.clone(), s.clone()))
        else {
            self.stores.maintained = Some(world.now());
            self.stage = Stage::Trigger;
            return Ok(None);
        };
        let folder = id.folder(&self.checkpoint);
        let deltas = self.conf.number("spark.sql.streaming.stateStore.minDeltasForSnapshot");
        let retain = self.conf.number("spark.sql.streaming.minBatchesToRetain");
        let (path, verb) = match snapshot_due(world, &folder, store.version(), deltas, retain) {
            None => {
                self.stage = Stage::Maintain(index + 1);
                return Ok(None);
            }
            Some(Upkeep::Snapshot) => {
                let (name, bytes) = write_snapshot(&store);
                let path = format!("{folder}/{name}");
                let bytes = Bytes::from(bytes);
                world.put(&path, bytes.clone())?;
                if let Some(kept) = self.stores.kept.get_mut(&id) {
                    kept.files = Vector::unit(bytes);
                    known::keep(kept);
                }
                self.stores.snapshots.insert(id.clone(), store.version());
                (path, "has all of the state")
            }
            Some(Upkeep::Delete(path)) => {
                world.delete(&path)?;
                (path, "is old and goes")
            }
        };
        world.advance(cost::MAINTAIN);
        let short = path.strip_prefix(&format!("{}/", self.checkpoint)).unwrap_or(&path);
        Ok(self.aside(Phase::Save, format!("{short} {verb}.")))
    }
}

/// State that a batch should have saved and has not.
#[derive(Clone, Debug)]
pub(super) struct Uncommitted {
    expected: usize,
    missing: Vec<StoreId>,
    /// Whether the query fails for it.
    pub(super) validated: bool,
}

impl Uncommitted {
    /// The error, as it comes out of the thread that has found it.
    pub(super) fn error(&self, batch: i64) -> SparkError {
        let stores = self
            .missing
            .iter()
            .map(|id| format!("(operator={}, partition={}, store={})", id.operator, id.partition, id.name));
        let missing = stores.collect::<Vec<_>>().join(", ");
        let (expected, actual) = (self.expected, self.expected - self.missing.len());
        let text = format!(
            "State store commit validation failed for batch {batch}.\nExpected {expected} commits but got {actual}.\n\
             Missing commits: {missing}.\nThis error typically occurs when using operations like show() or limit() in \
             foreachBatch that don't process all partitions, or if you are swallowing an exception and returning from \
             the function early.\nTo fix: ensure your foreachBatch function processes the entire DataFrame."
        );
        let condition = "STATE_STORE_COMMIT_VALIDATION_FAILED";
        let cause = SparkError::new(ErrorClass::Spark, condition, "XXKST", text)
            .with_parameter("batchId", batch.to_string())
            .with_parameter("expectedCommits", expected.to_string())
            .with_parameter("actualCommits", actual.to_string())
            .with_parameter("missingCommits", missing);
        SparkError::java("org.apache.spark.SparkException", "Exception thrown in awaitResult: ")
            .with_cause(cause)
    }
}

/// The event time is named twice.
fn watermark_redefined() -> SparkError {
    const MULTIPLE: &str = "spark.sql.streaming.statefulOperator.allowMultiple";
    let text = format!(
        "Redefining watermark is disallowed. You can set the config '{MULTIPLE}' to 'false' to restore the previous \
         behavior. Note that multiple stateful operators will be disallowed."
    );
    SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_3076", "", text)
        .with_parameter("config", MULTIPLE)
}
