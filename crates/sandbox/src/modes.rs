//! The output modes side by side: the query of a lane run once in each, on copies of the World, over the input of its
//! batches in their order.

use tidemark_connectors::Formats;
use tidemark_engine::Error;
use tidemark_engine::stream::{Question, Step, StreamExecution};
use tidemark_plan::spec::Options;
use tidemark_plan::{OutputMode, SinkSpec, Trigger};
use tidemark_protocol::{ModeBatch, ModeOutcome, ModesView};
use tidemark_pyspark::Conf;
use tidemark_types::Batch;
use tidemark_world::{Object, World};

use crate::batch_log;
use crate::moment::{Lane, Lanes};
use crate::settings::query_conf;
use crate::sink::cells;

const MODES: [OutputMode; 3] = [OutputMode::Append, OutputMode::Update, OutputMode::Complete];
/// A query that takes more steps for one input than this is let go.
const STEPS_MAX: usize = 10_000;

/// The input of one batch: files with their content and time.
type Input = Vec<(String, Object)>;

/// What each mode hands to the sink; of the query that started last if none is named.
pub(crate) fn modes(world: &World, lanes: &Lanes, query: Option<usize>) -> ModesView {
    let Some((at, lane)) = lanes.chosen(query, |_| true) else {
        let absent = Some(Lanes::NONE.to_owned());
        return ModesView { absent, ..ModesView::default() };
    };
    let inputs = inputs(world, lane);
    if inputs.is_empty() {
        let absent = Some("No batch has read a file yet: there is nothing to compare.".to_owned());
        return ModesView { query: at, absent, ..ModesView::default() };
    }
    ModesView {
        query: at,
        absent: None,
        own: lane.mode.word().to_owned(),
        columns: lane.plan.output().iter().map(|column| column.name.clone()).collect(),
        modes: MODES.iter().map(|mode| outcome(world, lane, &inputs, *mode)).collect(),
    }
}

/// The files of each batch that read some.
fn inputs(world: &World, lane: &Lane) -> Vec<Input> {
    let batches = batch_log::batches(world, &lane.checkpoint);
    let sources = crate::plane::sources(&lane.plan);
    let files: Vec<_> =
        (0..sources).map(|source| batch_log::files(world, &lane.checkpoint, source, &batches)).collect();
    let of_batch = |batch: &i64| -> Input {
        let paths = files.iter().filter_map(|by_batch| by_batch.get(batch)).flatten();
        paths.filter_map(|path| Some((path.clone(), world.peek(path)?.clone()))).collect()
    };
    batches.keys().map(of_batch).filter(|input| !input.is_empty()).take(ModesView::BATCHES_MAX).collect()
}

fn outcome(world: &World, lane: &Lane, inputs: &[Input], mode: OutputMode) -> ModeOutcome {
    let mut found = ModeOutcome { mode: mode.word().to_owned(), ..ModeOutcome::default() };
    let mut world = world.clone();
    world.restart();
    world.faults().disarm();
    for (path, _) in inputs.iter().flatten() {
        // The same file may be in two inputs: of two sources.
        let _ = world.delete(path);
    }
    for (at, input) in inputs.iter().enumerate() {
        for (path, object) in input {
            world.drop_file(path, object.bytes.clone(), object.modified);
        }
        let files: Vec<String> =
            input.iter().filter_map(|(path, _)| path.rsplit('/').next().map(str::to_owned)).collect();
        let first = found.batches.len();
        if let Err(message) = run(&mut world, lane, mode, &mut found) {
            found.refused = Some(message);
            break;
        }
        for (place, batch) in found.batches[first..].iter_mut().enumerate() {
            batch.input = at;
            batch.files.clone_from(&files);
            batch.idle = place > 0;
        }
    }
    found.total = found.batches.iter().map(|batch| batch.total).sum();
    found
}

/// Runs the query over what is new, to its end.
///
/// Errors: Spark's message where it refuses.
fn run(world: &mut World, lane: &Lane, mode: OutputMode, found: &mut ModeOutcome) -> Result<(), String> {
    let checkpoint = format!("{}/.modes/{}", world.root(), mode.word());
    let spec = SinkSpec {
        format: "foreachbatch".to_owned(),
        path: None,
        table: None,
        query_name: None,
        output_mode: mode,
        trigger: Trigger::AvailableNow,
        options: Options::from([("checkpointlocation".to_owned(), checkpoint)]),
        partition_by: Vec::new(),
    };
    let conf = query_conf(&Conf::default());
    let message = |error: Error| error.to_string();
    let mut query =
        StreamExecution::start(world, &Formats, lane.plan.clone(), spec, conf).map_err(message)?;
    for _ in 0..STEPS_MAX {
        match query.step(world, &Formats).map_err(message)? {
            Step::Ask(Question::ForeachBatch { batch, partitions, schema }) => {
                let rows = Batch::concat(&schema, &partitions).map_err(|error| error.to_string())?;
                found.batches.push(ModeBatch {
                    batch: batch.0,
                    rows: cells(&rows, ModesView::ROWS_MAX),
                    total: rows.rows() as u64,
                    ..ModeBatch::default()
                });
                query.answer_foreach_batch(world, 1, Ok(()));
            }
            Step::Ended => break,
            Step::Did(_) | Step::Idle => {}
        }
    }
    match query.exception() {
        Some(error) => Err(error.to_string()),
        None => Ok(()),
    }
}
