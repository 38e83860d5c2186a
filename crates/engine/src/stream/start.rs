//! What `start()` does in the caller's thread: every check that can fail before the query lives.

use std::sync::Arc;

use serde_json::{Value, json};
use tidemark_plan::unsupported::check_streaming;
use tidemark_plan::{Attribute, OutputMode, Plan, SinkSpec};
use tidemark_types::{ErrorClass, QueryId, RunId, SparkError, StructType};
use tidemark_world::World;

use crate::connector::{Connectors, Settings as _};
use crate::error::Result;
use crate::sink::Sink;
use crate::source::ReadLimit;
use crate::state::{STATE_BYTES_MAX, StateStores, prepared};
use crate::stream::conf::QueryConf;
use crate::stream::execution::StreamExecution;
use crate::stream::jackson::parse_json;
use crate::stream::log::{MetadataLog, read_text};
use crate::stream::report::Reporter;
use crate::stream::stage::{MicroBatch, Stage, StreamSource};
use crate::stream::watermark::WatermarkTracker;

const CHECKPOINT_CONF: &str = "spark.sql.streaming.checkpointLocation";

impl StreamExecution {
    /// Starts a query, or starts it again from its checkpoint. Nothing is read yet.
    ///
    /// `conf` is the session's settings at this moment. The one who calls then asks `ActiveQueries::admit`, and only
    /// then takes the first step.
    /// Errors: those that Spark throws from `start()`, in its order. Nothing is written before the last check.
    pub fn start(
        world: &mut World,
        connectors: &dyn Connectors,
        plan: Arc<Plan>,
        spec: SinkSpec,
        conf: QueryConf,
    ) -> Result<Self> {
        let schema = Arc::new(Attribute::schema(&plan.output()));
        let sink = connectors.sink(world, &conf, &spec, &schema)?;
        let location = Location::decide(world, &conf, &spec, sink.as_ref())?;
        location.check_recovery(world, sink.as_ref(), spec.output_mode)?;
        check_supported(&plan, &spec, &conf)?;
        let query = read_or_write_metadata(world, &location.path, &conf)?;
        let run = RunId(world.uuid());
        let (sources, lines) = streams(&plan);
        let prepared = Arc::new(prepared(&plan));
        Ok(StreamExecution {
            query,
            run,
            spec: Arc::new(spec),
            plan,
            schema,
            conf,
            checkpoint: location.path,
            checkpoint_is_temporary: location.temporary,
            sources,
            lines,
            sink,
            stage: Stage::Initialize,
            batch: MicroBatch::new(0),
            offset_version: 1,
            watermark: WatermarkTracker::default(),
            prepared,
            operators: Arc::default(),
            stores: StateStores::default(),
            state_bytes_max: STATE_BYTES_MAX,
            evicted_ms: None,
            operator_metrics: Vec::new(),
            due: None,
            idle_triggers: 0,
            batches_run: 0,
            reporter: Reporter::new(),
            exception: None,
            printed: String::new(),
        })
    }
}

/// Where the checkpoint is.
struct Location {
    /// As the script wrote it.
    text: String,
    /// The absolute path.
    path: String,
    /// Whether it goes with the query.
    temporary: bool,
}

impl Location {
    fn decide(world: &mut World, conf: &QueryConf, spec: &SinkSpec, sink: &dyn Sink) -> Result<Location> {
        let (text, temporary) = if let Some(text) = spec.options.get("checkpointlocation") {
            (text.clone(), false)
        } else if let Some(base) = conf.explicit(CHECKPOINT_CONF) {
            let name = spec.query_name.clone().unwrap_or_else(|| world.uuid());
            (format!("{}/{name}", base.trim_end_matches('/')), false)
        } else if sink.takes_temporary_checkpoint() {
            (format!("/tmp/temporary-{}", world.uuid()), true)
        } else {
            let text = format!(
                "checkpointLocation must be specified either through option(\"checkpointLocation\", ...) or \
                 SparkSession.conf.set(\"{CHECKPOINT_CONF}\", ...)."
            );
            return Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1298", "", text)
                .with_parameter("config", CHECKPOINT_CONF)
                .into());
        };
        let path = world.resolve(&text);
        Ok(Location { text, path, temporary })
    }

    fn check_recovery(&self, world: &World, sink: &dyn Sink, mode: OutputMode) -> Result<()> {
        if sink.recovers(mode) || !world.exists(&format!("{}/offsets", self.path)) {
            return Ok(());
        }
        let path = format!("{}/offsets", self.text.trim_end_matches('/'));
        let text = format!(
            "This query does not support recovering from checkpoint location. Delete {path} to start over."
        );
        Err(SparkError::new(ErrorClass::Analysis, "_LEGACY_ERROR_TEMP_1299", "", text)
            .with_parameter("checkpointPath", path)
            .into())
    }
}

/// What Spark refuses of a streaming plan, and what Tidemark does not have yet.
fn check_supported(plan: &Plan, spec: &SinkSpec, conf: &QueryConf) -> Result<()> {
    if conf.enabled("spark.sql.streaming.unsupportedOperationCheck") {
        check_streaming(plan, spec.output_mode, &|name| conf.get(name))?;
    }
    match missing(plan) {
        None => Ok(()),
        Some(what) => {
            let text = format!("Tidemark does not keep this state yet: {what} cannot run");
            Err(SparkError::plain(ErrorClass::UnsupportedOperation, text).into())
        }
    }
}

/// The first operator that would keep a state from batch to batch which is not built.
fn missing(plan: &Plan) -> Option<&'static str> {
    let below = plan.children().into_iter().find_map(|child| missing(child));
    below.or(match plan {
        Plan::Aggregate { aggregates, child, .. }
            if child.is_streaming() && aggregates.iter().any(|a| a.call.distinct) =>
        {
            Some("an aggregation of distinct values over a stream")
        }
        _ => None,
    })
}

/// The streaming relations in the order of the plan: the distinct ones, and which of them each line of an offset
/// file belongs to.
fn streams(plan: &Plan) -> (Vec<StreamSource>, Vec<usize>) {
    let (mut sources, mut lines) = (Vec::new(), Vec::new());
    collect(plan, &mut sources, &mut lines);
    (sources, lines)
}

fn collect(plan: &Plan, sources: &mut Vec<StreamSource>, lines: &mut Vec<usize>) {
    if let Plan::Relation { spec, source, output } = plan
        && spec.streaming
    {
        let known = sources.iter().position(|s| s.relation == *source);
        let index = known.unwrap_or(sources.len());
        if known.is_none() {
            sources.push(StreamSource {
                relation: *source,
                spec: spec.clone(),
                schema: relation_schema(output),
                source: None,
                limit: ReadLimit::All,
                committed: None,
                available: None,
                rows: 0,
            });
        }
        lines.push(index);
    }
    for child in plan.children() {
        collect(child, sources, lines);
    }
}

fn relation_schema(output: &[Attribute]) -> Arc<StructType> {
    Arc::new(Attribute::schema(output))
}

/// The query id: from `metadata`, or a new one that is written there.
fn read_or_write_metadata(world: &mut World, checkpoint: &str, conf: &QueryConf) -> Result<QueryId> {
    let path = format!("{checkpoint}/metadata");
    if let Some(text) = read_text(world, &path)? {
        let value = parse_json(&text)?;
        return match value.get("id").and_then(Value::as_str) {
            Some(id) => Ok(QueryId(id.to_owned())),
            None => {
                let text =
                    "No usable value for id\nDid not find value which can be converted into java.lang.String";
                Err(SparkError::java("org.json4s.MappingException", text).into())
            }
        };
    }
    let verify = conf.enabled("spark.sql.streaming.checkpoint.verifyMetadataExists.enabled");
    if verify && has_entries(world, checkpoint) {
        let text = format!(
            "Checkpoint location file:{checkpoint} is in an inconsistent state: the metadata file is missing but offset \
             and/or commit logs contain data. Please restore the metadata file or create a new checkpoint directory."
        );
        let condition = "STREAMING_CHECKPOINT_MISSING_METADATA_FILE";
        return Err(SparkError::new(ErrorClass::Runtime, condition, "42K03", text)
            .with_parameter("checkpointLocation", format!("file:{checkpoint}"))
            .into());
    }
    world.make_folders(checkpoint)?;
    let id = world.uuid();
    let temporary = format!("{checkpoint}/.metadata.{}.tmp", world.uuid());
    world.put_log(&path, &temporary, json!({ "id": id }).to_string().into_bytes())?;
    Ok(QueryId(id))
}

fn has_entries(world: &mut World, checkpoint: &str) -> bool {
    ["offsets", "commits"]
        .into_iter()
        .any(|log| !MetadataLog::new(format!("{checkpoint}/{log}")).ids(world).is_empty())
}
