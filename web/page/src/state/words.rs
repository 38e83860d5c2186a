//! The sentences that the page adds to those of the engine.

use tidemark_protocol::{ScriptState, StepState, View};

use crate::state::model::{Engine, World};
use crate::state::tree;

/// `1 file`, `2 files`, `2 batches`, `2 entries`.
pub fn count(number: usize, noun: &str) -> String {
    let (stem, ending) = match noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
        Some(stem) => (stem, "ies"),
        None => (noun, if noun.ends_with("ch") { "es" } else { "s" }),
    };
    if number == 1 { format!("1 {noun}") } else { format!("{number} {stem}{ending}") }
}

/// What does the same job as something that Spark has and Tidemark has not.
const INSTEAD: [(&str, &str); 2] = [
    ("DataStreamWriter.foreach ", "foreachBatch() does the same job."),
    ("Trigger.Continuous", "availableNow=True or processingTime does the same job in batches."),
];

/// The headline of the picture.
pub fn headline(world: &World) -> String {
    match (&world.view, world.engine) {
        (None, engine) => self::engine(engine).to_owned(),
        (Some(view), _) if world.has_no_file() && view.script.state == ScriptState::Fresh => {
            "Nothing has happened yet.".to_owned()
        }
        (Some(view), _) => view.sentence.clone(),
    }
}

/// The line below the headline: what it means and the next move.
pub fn meaning(world: &World) -> String {
    let Some(view) = &world.view else {
        return "The script is here already: read it, change it.".to_owned();
    };
    if world.is_working() {
        let what = world.busy.as_ref().map(|busy| format!(": {}", busy.what)).unwrap_or_default();
        return format!("The engine is at work{what}. Stop is always there, with X.");
    }
    if let Some(batch) = empty_batch(world) {
        return format!("Batch {batch} had no input. It ran because the watermark moved.");
    }
    if let Some(mark) = world.marks.get(world.moment).filter(|mark| mark.dropped > 0) {
        let (rows, batch) = (count(mark.dropped as usize, "row"), mark.batch.unwrap_or_default());
        return format!(
            "Batch {batch} dropped {rows}: too late for the watermark. The time plane shows which, with 2."
        );
    }
    match view.script.state {
        ScriptState::Fresh if world.has_no_file() => {
            "Drop a sample file with D, then run the script with R, or go one protocol step at a time with N.".to_owned()
        }
        ScriptState::Fresh => "Run the script with R, or go one protocol step at a time with N.".to_owned(),
        ScriptState::Crashed => open_batch(view).map_or_else(
            || "What lies below the line is kept. Restart runs the script again from it.".to_owned(),
            |batch| {
                let checkpoint = checkpoint_of(view, batch);
                let files = with_files(view, &checkpoint, batch);
                format!("offsets/{batch} is there, commits/{batch} is not. On restart, batch {batch} runs again {files}.")
            },
        ),
        ScriptState::Failed => match view.script.errors.first() {
            Some(error) => {
                let instead = INSTEAD.iter().find(|(name, _)| error.message.starts_with(name));
                let (gap, instead) = instead.map_or(("", ""), |(_, words)| (" ", *words));
                format!("{} in line {}.{gap}{instead} The store is as you see it. Change the script and run again.", error.class, error.line)
            }
            None => "The store is as you see it. Change the script and run again.".to_owned(),
        },
        ScriptState::Parked => "The query waits for its next trigger: T runs one.".to_owned(),
        ScriptState::Running => open_batch(view).map_or_else(
            || "N does the next step, R begins the script afresh.".to_owned(),
            |batch| format!("From here on a crash can repeat batch {batch}, but not change what it reads."),
        ),
        ScriptState::Ended => {
            format!("{}Drop another file and run again, or delete one and see.", outcome(view))
        }
        ScriptState::Stopped => "You stopped it. What was done stays. Run starts the script from the store.".to_owned(),
    }
}

/// Why no query has started, if the script failed before.
pub fn unstarted(world: &World) -> Option<String> {
    let view = world.view.as_ref().filter(|view| view.queries.is_empty())?;
    let error = view.script.errors.first()?;
    let rest = "Change the script and run it again.";
    Some(format!(
        "No query has started: the script failed in line {}. {}: {} {rest}",
        error.line, error.class, error.message
    ))
}

/// The batch that ends at the playhead, if it read nothing.
fn empty_batch(world: &World) -> Option<i64> {
    let mark =
        world.marks.get(world.moment).filter(|mark| mark.phase == Some(tidemark_trace::Phase::Done))?;
    let batch = mark.batch?;
    let view = world.view.as_ref()?;
    let mut batches = view.queries.iter().flat_map(|query| &query.batches);
    let shown = batches.rfind(|shown| shown.run == mark.run && shown.batch == batch)?;
    // A second try that the sink skips has read nothing either, but for another reason.
    let is_skipped = shown.steps.iter().any(|step| step.state == StepState::Skipped);
    (shown.input_rows == 0 && !is_skipped && !shown.again).then_some(batch)
}

/// What the last query of the last run took.
fn outcome(view: &View) -> String {
    let Some(query) = view.queries.last() else { return String::new() };
    let rows: i64 = query.recent.iter().map(|(_, rows)| rows).sum();
    let batches = query.batches.len();
    match (query.recent.is_empty(), rows) {
        (true, _) => String::new(),
        (false, 0) => format!("Run {} read no row. ", query.run),
        (false, _) => {
            format!("Run {} read {} in {}. ", query.run, count(rows as usize, "row"), count(batches, "batch"))
        }
    }
}

/// The batch that is planned in a checkpoint and not done there.
pub(super) fn open_batch(view: &View) -> Option<i64> {
    let groups = tree::groups(&view.store, false);
    groups.iter().flat_map(|group| &group.rows).filter_map(open_pair).max()
}

/// The batch of a row that is planned and not done.
fn open_pair(row: &tree::Row) -> Option<i64> {
    let tree::Row::Pair { batch, planned: Some(planned), done, .. } = row else { return None };
    let is_gone = |entry: &tidemark_protocol::StoreEntry| entry.change == tidemark_protocol::Change::Deleted;
    (!is_gone(planned) && done.as_ref().is_none_or(is_gone)).then_some(*batch)
}

/// The checkpoint in which a batch is planned and not done.
fn checkpoint_of(view: &View, batch: i64) -> String {
    let groups = tree::groups(&view.store, false);
    let is_it = |group: &&tree::Group| group.rows.iter().any(|row| open_pair(row) == Some(batch));
    groups.iter().find(is_it).map(|group| group.path.clone()).unwrap_or_default()
}

/// The headline of a checkpoint whose last batch is planned and not done while no driver works on it.
pub fn headline_of(world: &World, checkpoint: &str) -> Option<String> {
    let view = world.view.as_ref()?;
    if matches!(view.script.state, ScriptState::Running | ScriptState::Parked) {
        return None;
    }
    let groups = tree::groups(&view.store, false);
    let group = groups.iter().find(|group| group.path == checkpoint)?;
    let open = group.rows.iter().filter_map(open_pair).max()?;
    Some(format!("Batch {open} will run again {}.", with_files(view, checkpoint, open)))
}

/// `with exactly b.json`, where the source has noted it.
fn with_files(view: &View, checkpoint: &str, batch: i64) -> String {
    let noted: Vec<&str> = view
        .store
        .iter()
        .filter(|entry| {
            entry.path.starts_with(&format!("{checkpoint}sources/"))
                && entry.change != tidemark_protocol::Change::Deleted
        })
        .filter(|entry| entry.path.ends_with(&format!("/{batch}")))
        .map(|entry| entry.note.as_str())
        .collect();
    if noted.is_empty() {
        format!("with exactly what offsets/{batch} names")
    } else {
        format!("with exactly {}", noted.join(", "))
    }
}

/// Why there is no checkpoint to be seen; nothing if there is one.
pub fn no_checkpoint(world: &World) -> Option<&'static str> {
    let view = world.view.as_ref()?;
    let groups = tree::groups(&view.store, false);
    if groups.iter().any(|group| group.word == "planned, done") {
        return None;
    }
    let has_location = view.script.text.contains("checkpointLocation") || view.script.text.is_empty();
    match (view.queries.is_empty(), has_location) {
        (true, _) => Some("Nothing yet. The first file, metadata, is written when the query starts."),
        (false, false) => {
            Some("This query has no checkpoint location. Spark would use a temporary one and forget it.")
        }
        (false, true) => {
            Some("It is not there. The next run starts with a new one and reads everything again.")
        }
    }
}

/// What deleting this means.
pub fn deleted(path: &str, world: &World) -> String {
    let is_checkpoint = path.ends_with('/')
        && ["offsets/", "metadata", "commits/"]
            .iter()
            .any(|tail| world.entry(&format!("{path}{tail}")).is_some());
    let log = tree::log_entry(path);
    if is_checkpoint {
        format!(
            "{path} is deleted. The query's memory of what it has done is gone. The sink stays. Step back to undo."
        )
    } else if let Some((_, "commits", batch)) = log {
        format!("{path} is deleted: batch {batch} counts as planned, not done. Step back to undo.")
    } else {
        format!("{path} is deleted. Step back to undo.")
    }
}

/// How a box of the lane stands, for those who do not see it.
pub fn state_in_words(state: StepState) -> &'static str {
    match state {
        StepState::Kept => ", kept in the store",
        StepState::Done => ", done, only in memory",
        StepState::Now => ", the last step",
        StepState::Planned => "",
        StepState::Lost => " with the driver",
        StepState::Unused | StepState::Skipped => "",
    }
}

/// The word in a box of the lane.
pub fn word_in_box(state: StepState, millis: i64) -> String {
    match state {
        // A step whose object is there, though the driver died before it could tell its time.
        StepState::Kept if millis == 0 => "kept".to_owned(),
        StepState::Kept | StepState::Done | StepState::Now => format!("{millis} ms"),
        StepState::Planned => "not yet".to_owned(),
        StepState::Lost => "lost".to_owned(),
        StepState::Unused => "not used".to_owned(),
        StepState::Skipped => "skipped".to_owned(),
    }
}

/// `moment 24: The driver stopped.`, with its branch if that is another one.
pub fn at(world: &World, place: tidemark_protocol::Place) -> String {
    let branch = world.branches.get(place.branch);
    let marks =
        if place.branch == world.branch { Some(&world.marks) } else { branch.map(|branch| &branch.marks) };
    let sentence = marks.and_then(|marks| marks.get(place.moment)).map_or("", |mark| mark.sentence.as_str());
    let step = place.moment + 1;
    if place.branch == world.branch {
        format!("moment {step}: {sentence}")
    } else {
        format!("{}, moment {step}: {sentence}", world.branch_name(place.branch))
    }
}

/// How the engine stands, for the first screen.
pub fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::Loading | Engine::Opening => "The engine is loading.",
        Engine::Ready => "The engine is ready.",
        Engine::Broken => "The engine cannot be started.",
    }
}

/// `12:10:00.412` of a World's time.
pub fn clock(at: tidemark_types::SimTime) -> String {
    let iso = at.iso();
    iso.split_once('T').map_or(iso.clone(), |(_, time)| time.trim_end_matches('Z').to_owned())
}

/// `1.2 kB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
