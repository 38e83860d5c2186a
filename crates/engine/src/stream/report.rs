//! The book-keeping of triggers: durations, progress entries, status.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tidemark_types::{Millis, SimTime};
use tidemark_world::World;

use crate::state::OperatorMetrics;
use crate::stream::conf::QueryConf;
use crate::stream::execution::StreamExecution;
use crate::stream::progress::{SinkProgress, SourceProgress, StreamingQueryProgress, StreamingQueryStatus};
use crate::stream::stage::Stage;
use crate::stream::watermark::has_watermark;

/// Durations of the trigger under way, and the entries so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Reporter {
    started: SimTime,
    before: Option<SimTime>,
    durations: BTreeMap<String, i64>,
    last_report: Option<SimTime>,
    entries: Arc<Vec<StreamingQueryProgress>>,
    message: String,
    data_available: bool,
    trigger_active: bool,
    sink_has_counted: bool,
}

impl Reporter {
    pub(super) fn new() -> Self {
        Reporter { message: "Initializing sources".into(), ..Reporter::default() }
    }

    pub(super) fn entries(&self) -> &[StreamingQueryProgress] {
        &self.entries
    }

    /// A trigger begins.
    pub(super) fn start_trigger(&mut self, now: SimTime) {
        self.before = (self.started != SimTime::default()).then_some(self.started);
        self.started = now;
        self.durations.clear();
        self.trigger_active = true;
    }

    /// Moves the clock, and counts the time to a part of the trigger.
    pub(super) fn spend(&mut self, world: &mut World, key: &str, cost: Millis) {
        world.advance(cost);
        *self.durations.entry(key.to_owned()).or_default() += cost.0;
    }

    /// Says what the query is about.
    pub(super) fn say(&mut self, message: impl Into<String>) {
        self.message = message.into();
    }

    /// Notes whether there is data that no batch has taken.
    pub(super) fn data_available(&mut self, yes: bool) {
        self.data_available = yes;
    }

    /// The trigger is over.
    pub(super) fn end_trigger(&mut self) {
        self.trigger_active = false;
    }

    /// The query has failed.
    pub(super) fn failed(&mut self, reason: &str) {
        self.message = format!("Terminated with exception: {reason}");
        self.data_available = false;
        self.trigger_active = false;
    }

    pub(super) fn status(&self, stage: Stage) -> StreamingQueryStatus {
        let over = stage == Stage::Ended;
        let failed = self.message.starts_with("Terminated with exception: ");
        StreamingQueryStatus {
            message: if over && !failed { "Stopped".into() } else { self.message.clone() },
            is_data_available: self.data_available && !over,
            is_trigger_active: self.trigger_active && !over,
        }
    }

    /// Whether a trigger without a batch is worth an entry now.
    fn idle_is_due(&self, now: SimTime, interval_ms: i64) -> bool {
        self.last_report.is_none_or(|last| now.0 - interval_ms >= last.0)
    }

    fn keep(&mut self, entry: StreamingQueryProgress, conf: &QueryConf) {
        let kept = conf.number("spark.sql.streaming.numRecentProgressUpdates").max(1) - 1;
        let entries = Arc::make_mut(&mut self.entries);
        entries.push(entry);
        let surplus = entries.len().saturating_sub(kept as usize);
        entries.drain(..surplus);
    }
}

impl StreamExecution {
    /// Reports the trigger that is over. `executed` says whether it ran a batch.
    pub(super) fn report(&mut self, world: &mut World, executed: bool) {
        let now = world.now();
        let interval = self.conf.number("spark.sql.streaming.noDataProgressEventInterval");
        self.reporter.end_trigger();
        if !executed && !self.reporter.idle_is_due(now, interval) {
            return;
        }
        let entry = self.entry(now, executed);
        self.reporter.last_report = Some(now);
        self.reporter.keep(entry, &self.conf);
    }

    fn entry(&mut self, now: SimTime, executed: bool) -> StreamingQueryProgress {
        let output = self.sink.output_rows();
        self.reporter.sink_has_counted |= executed && output >= 0;
        let num_output_rows = match (executed, self.reporter.sink_has_counted) {
            (true, _) => output,
            (false, true) => 0,
            (false, false) => -1,
        };
        let reporter = &self.reporter;
        let took = now.0 - reporter.started.0;
        let mut duration_ms = reporter.durations.clone();
        duration_ms.insert("triggerExecution".into(), took);
        let input_seconds = reporter.before.map(|before| (reporter.started.0 - before.0) as f64 / 1000.0);
        let process_seconds = took.max(1) as f64 / 1000.0;
        let sources = self
            .sources
            .iter()
            .map(|source| SourceProgress {
                description: source.description(),
                start_offset: source.offset_json(source.committed.as_ref()),
                end_offset: source.offset_json(source.available.as_ref()),
                latest_offset: source.source.as_ref().and_then(|s| s.latest_json()),
                num_input_rows: source.rows,
                input_rows_per_second: input_seconds.map_or(0.0, |seconds| source.rows as f64 / seconds),
                processed_rows_per_second: source.rows as f64 / process_seconds,
                metrics: source.source.as_ref().map(|s| s.metrics()).unwrap_or_default(),
            })
            .collect();
        StreamingQueryProgress {
            id: self.query.clone(),
            run_id: self.run.clone(),
            name: self.spec.query_name.clone(),
            timestamp: self.reporter.started,
            batch_id: self.batch.id,
            batch_duration: took,
            duration_ms,
            event_time: self.event_time(executed),
            state_operators: self.operator_values(executed),
            sources,
            sink: SinkProgress { description: self.sink.description(), num_output_rows },
        }
    }

    fn operator_values(&self, executed: bool) -> Vec<Value> {
        let shown =
            |metrics: &OperatorMetrics| if executed { metrics.to_value() } else { metrics.idle().to_value() };
        self.operator_metrics.iter().map(shown).collect()
    }

    /// A run that has executed nothing has nothing to say about event time either.
    fn event_time(&self, executed: bool) -> BTreeMap<String, String> {
        if !has_watermark(&self.plan) || (!executed && self.batches_run == 0) {
            return BTreeMap::new();
        }
        let watermark = if executed { self.batch.watermark_ms } else { self.watermark.current_ms() };
        let mut texts: BTreeMap<String, String> = [("watermark".to_owned(), SimTime(watermark).iso())].into();
        if let Some(stats) = self.batch.event_times.iter().find(|stats| executed && stats.count > 0) {
            texts.extend(stats.texts().map(|(name, text)| (name.to_owned(), text)));
        }
        texts
    }
}
