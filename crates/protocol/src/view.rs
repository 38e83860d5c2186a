//! One moment as the page draws it.

use serde::{Deserialize, Serialize};
use tidemark_trace::{CrashPoint, Phase};
use tidemark_types::SimTime;

use crate::act::ArmPlace;
use crate::state_view::StateMeasure;

/// One moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// The index of the moment.
    pub moment: usize,
    /// The World's time.
    pub at: SimTime,
    /// The sentence of the step: caption, live region and log line.
    pub sentence: String,
    /// The script.
    pub script: ScriptView,
    /// Files and folders in the order of the tree.
    pub store: Vec<StoreEntry>,
    /// The queries of the script, in the order of their start, ended ones too.
    pub queries: Vec<QueryView>,
    /// The tables that queries write.
    pub sinks: Vec<SinkView>,
    /// The crashes that are armed, in the order in which they were.
    pub armed: Vec<ArmPlace>,
    /// What can be done at this moment.
    pub can: Can,
}

/// What most entries of long lists are is not written: an update is smaller by half.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What was asked of the store: requests, bytes, and files that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Listings.
    pub list: u64,
    /// Objects read.
    pub get: u64,
    /// Objects written.
    pub put: u64,
    /// Objects deleted.
    pub delete: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// Data files that the sink was given.
    pub files: u64,
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.list += other.list;
        self.get += other.get;
        self.put += other.put;
        self.delete += other.delete;
        self.bytes_read += other.bytes_read;
        self.bytes_written += other.bytes_written;
        self.files += other.files;
    }
}

/// The script at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptView {
    /// The name, `main.py`.
    pub name: String,
    /// The text.
    pub text: String,
    /// How it stands.
    pub state: ScriptState,
    /// The line at which it stands, from 1.
    pub line: Option<u32>,
    /// What it printed in this run, and on which line.
    pub printed: Vec<LogLine>,
    /// The error it ended with, or the errors of its syntax.
    pub errors: Vec<Diagnostic>,
}

/// How the script stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScriptState {
    /// Not started yet.
    Fresh,
    /// In the middle.
    Running,
    /// Waiting for a query that does not end by itself: the learner drives.
    Parked,
    /// Ended by itself.
    Ended,
    /// Ended with an error.
    Failed,
    /// Lost with the driver.
    Crashed,
    /// Stopped by the learner.
    Stopped,
}

/// A piece of output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogLine {
    /// The text, without the line end.
    pub text: String,
    /// The line of the script that printed it.
    pub line: Option<u32>,
}

/// An error at its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The first line, from 1.
    pub line: u32,
    /// The first column, from 0.
    pub column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column behind the last character.
    pub end_column: u32,
    /// The class: `AnalysisException`.
    pub class: String,
    /// Spark's condition, empty if none.
    pub condition: String,
    /// The message.
    pub message: String,
    /// The whole traceback.
    pub traceback: String,
}

/// What happened to an object in this step or batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// Nothing.
    #[default]
    Same,
    /// It is new.
    New,
    /// Its content changed.
    Changed,
    /// It is gone; the entry is shown struck out.
    Deleted,
}

/// A file or a folder of the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoreEntry {
    /// The path relative to the root: `ckpt/offsets/0`; folders end with a slash.
    pub path: String,
    /// Whether it is a folder.
    #[serde(default, skip_serializing_if = "is_default")]
    pub folder: bool,
    /// The size in bytes.
    pub bytes: u64,
    /// When it was last written.
    pub modified: SimTime,
    /// What this step did to it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub change: Change,
    /// The batch that wrote it, if a query did.
    #[serde(default, skip_serializing_if = "is_default")]
    pub batch: Option<i64>,
    /// A few words: `2 rows`, `plan of batch 1`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: String,
}

/// How a query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueryState {
    /// It runs.
    Active,
    /// It ended by itself or was stopped.
    Ended,
    /// It failed.
    Failed,
    /// It was lost with the driver.
    Lost,
}

/// One query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryView {
    /// The id from the checkpoint.
    pub id: String,
    /// The id of the run.
    pub run_id: String,
    /// The name, if any.
    pub name: Option<String>,
    /// How it stands.
    pub state: QueryState,
    /// The run of the script in which it started.
    pub run: u32,
    /// The source in words: `FileStreamSource[in/]`.
    pub source: String,
    /// The sink in words: `DeltaSink[out/]`.
    pub sink: String,
    /// The trigger in words: `availableNow`.
    pub trigger: String,
    /// The batches, oldest first: the rows of the lane, the newest [`QueryView::BATCHES_MAX`].
    pub batches: Vec<BatchView>,
    /// What the batches before those come to.
    #[serde(default)]
    pub earlier: Earlier,
    /// What the start asked of the store: the reading of the checkpoint.
    #[serde(default)]
    pub start: Cost,
    /// What triggers that found nothing to run asked of the store, all together.
    #[serde(default)]
    pub idle: Cost,
    /// How many triggers found nothing to run.
    #[serde(default)]
    pub idle_triggers: u64,
    /// `lastProgress` as pretty JSON, empty if none.
    pub last_progress: String,
    /// `recentProgress` as batch id and input rows.
    pub recent: Vec<(i64, i64)>,
    /// Spark's measures of its batches in this run, at most [`QueryView::NUMBERS_MAX`]: the last.
    pub numbers: Vec<BatchNumbers>,
    /// The text of the exception, if it failed.
    pub exception: Option<String>,
}

impl QueryView {
    /// How many batches a view carries at most for each query.
    pub const BATCHES_MAX: usize = 100;
    /// How many batches a view carries the measures of.
    pub const NUMBERS_MAX: usize = 40;
}

/// Spark's measures of one batch, from its entry of `recentProgress`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BatchNumbers {
    /// The batch.
    pub batch: i64,
    /// When its trigger started.
    pub at: SimTime,
    /// `numInputRows`.
    pub input_rows: i64,
    /// `inputRowsPerSecond`, if Spark gives one.
    pub input_rate: Option<f64>,
    /// `processedRowsPerSecond`, if Spark gives one.
    pub process_rate: Option<f64>,
    /// `batchDuration`, in milliseconds.
    pub duration: i64,
    /// `durationMs`: each part's name and milliseconds.
    pub parts: Vec<(String, i64)>,
    /// The watermark in milliseconds, if there is one.
    pub watermark: Option<i64>,
    /// The latest event time in milliseconds, if the batch saw one.
    pub latest_event: Option<i64>,
    /// Of each stateful operator, in the order of their ids.
    pub operators: Vec<StateMeasure>,
}

/// Batches that a view leaves out, all together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// How many.
    pub batches: u64,
    /// Their input rows.
    pub input_rows: i64,
    /// What they asked of the store.
    pub cost: Cost,
}

/// One batch: a row of the lane.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchView {
    /// The batch.
    pub batch: i64,
    /// Whether it is a second try.
    #[serde(default, skip_serializing_if = "is_default")]
    pub again: bool,
    /// The run of the script.
    pub run: u32,
    /// Input rows.
    pub input_rows: i64,
    /// The ten steps.
    pub steps: Vec<StepView>,
    /// Whether the driver stopped in this batch.
    #[serde(default, skip_serializing_if = "is_default")]
    pub crashed: bool,
    /// The named point at which it stopped, if that lies within a step: in a file, between files, in a function.
    #[serde(default, skip_serializing_if = "is_default")]
    pub within: Option<CrashPoint>,
    /// What this try of the batch asked of the store, its trigger's listing included.
    pub cost: Cost,
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// In the store: solid.
    Kept,
    /// Done, only in memory: thin with a tick.
    Done,
    /// The last thing that happened.
    Now,
    /// Not yet: dashed.
    Planned,
    /// Lost with the driver: hatched.
    Lost,
    /// Not used by this query: a plain word.
    Unused,
    /// Not done because the sink had it: a plain word.
    Skipped,
}

/// One step of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// Which.
    pub phase: Phase,
    /// How it stands.
    pub state: StepState,
    /// What it took, in milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub millis: i64,
    /// The object it wrote, relative to the root, if any.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file: Option<String>,
    /// The sentence.
    #[serde(default, skip_serializing_if = "is_default")]
    pub note: String,
}

/// A table that a query writes, as of a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SinkView {
    /// The path or the name: `out/`.
    pub name: String,
    /// The kind: `delta`, `memory`, `console`.
    pub kind: String,
    /// The version of a Delta table.
    pub version: Option<i64>,
    /// The column names.
    pub columns: Vec<String>,
    /// The rows, at most [`SinkView::ROWS_MAX`].
    pub rows: Vec<SinkRow>,
    /// The number of all rows.
    pub total: u64,
    /// Data files that were written but never committed, relative to the root.
    pub orphans: Vec<String>,
    /// The text of a console sink.
    pub text: String,
}

impl SinkView {
    /// How many rows a view carries at most.
    pub const ROWS_MAX: usize = 500;
}

/// One row of a sink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SinkRow {
    /// The cells as Spark shows them, `NULL` for null.
    pub cells: Vec<String>,
    /// The batch that wrote it, if known.
    #[serde(default, skip_serializing_if = "is_default")]
    pub batch: Option<i64>,
    /// The version of the Delta table that brought it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub version: Option<i64>,
    /// The data file in which it lies, relative to the root.
    #[serde(default, skip_serializing_if = "is_default")]
    pub file: Option<String>,
    /// How many rows are equal to this one, itself included.
    pub copies: u32,
}

/// What can be done at this moment; a text is the reason why not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Can {
    /// Run, or the reason why not.
    pub run: Option<String>,
    /// Step.
    pub step: Option<String>,
    /// Trigger.
    pub trigger: Option<String>,
    /// Stop.
    pub stop: Option<String>,
    /// Crash.
    pub crash: Option<String>,
    /// Restart.
    pub restart: Option<String>,
}
