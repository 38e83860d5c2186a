//! Moments: everything that can be gone back to, and the lanes that are drawn of it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use imbl::{OrdMap, Vector};
use tidemark_plan::{OutputMode, Plan};
use tidemark_protocol::{
    BatchNumbers, BatchView, Cost, Diagnostic, Earlier, MomentMark, QueryState, QueryView, ScriptState,
    StepState, StepView,
};
use tidemark_pyspark::QueryHandle;
use tidemark_trace::Phase;
use tidemark_types::{Batch, BatchId, SimTime, StructType};
use tidemark_world::World;

use crate::fault::point_within;
use crate::lineage::Way;
use crate::query::Queries;
use crate::sink::Sinks;
use crate::store::Notes;

/// One moment. Its parts are shared with its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) world: World,
    pub(crate) script: ScriptStand,
    pub(crate) lanes: Lanes,
    pub(crate) settings: Rc<BTreeMap<String, String>>,
    pub(crate) memories: Memories,
    pub(crate) sinks: Sinks,
    pub(crate) notes: Notes,
    pub(crate) mark: MomentMark,
    /// Whether a driver lives.
    pub(crate) is_alive: bool,
}

/// The tables in memory of a run, by the names of their queries.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memories {
    tables: OrdMap<String, Memory>,
}

/// One of them: its pieces are shared with the sink that holds it.
#[derive(Clone, Debug)]
struct Memory {
    schema: Arc<StructType>,
    parts: Arc<Vec<Batch>>,
    /// Each batch that brought rows, and how many.
    batches: Rc<Vec<(i64, usize)>>,
}

impl Memories {
    /// Takes over what has changed; says whether something has.
    pub(crate) fn sync(&mut self, queries: &Queries, names: &[String]) -> bool {
        let mut is_changed = false;
        for name in names {
            let Some((schema, parts)) = queries.memory_parts(name) else { continue };
            if self.tables.get(name).is_none_or(|known| !Arc::ptr_eq(&known.parts, &parts)) {
                let batches = Rc::new(queries.memory_batches(name));
                self.tables.insert(name.clone(), Memory { schema, parts, batches });
                is_changed = true;
            }
        }
        is_changed
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// The rows of a table.
    pub(crate) fn rows(&self, name: &str) -> Option<Batch> {
        let table = self.tables.get(name)?;
        Batch::concat(&table.schema, &table.parts).ok()
    }

    /// The batches that brought them, and how many rows each.
    pub(crate) fn batches(&self, name: &str) -> Vec<(i64, usize)> {
        self.tables.get(name).map(|table| table.batches.to_vec()).unwrap_or_default()
    }
}

/// How the script stands at a moment.
#[derive(Clone, Debug)]
pub(crate) struct ScriptStand {
    pub(crate) name: Rc<str>,
    pub(crate) text: Rc<str>,
    pub(crate) state: ScriptState,
    pub(crate) line: Option<u32>,
    /// Pieces of output, and the line that printed each.
    pub(crate) printed: Vector<(Rc<str>, u32)>,
    pub(crate) errors: Rc<Vec<Diagnostic>>,
    /// The run of the script, from 1.
    pub(crate) run: u32,
    /// Runs of any script so far.
    pub(crate) runs: u32,
    /// Pieces of output that have been taken over from the driver.
    pub(crate) taken: usize,
    /// The texts of scripts beside the main one.
    pub(crate) others: Rc<BTreeMap<String, Rc<str>>>,
}

/// The queries of all runs, as they are drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lanes {
    queries: Vector<Rc<Lane>>,
    /// The batch that wrote an object, by absolute path.
    pub(crate) writers: OrdMap<String, i64>,
}

/// One query of one run.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    pub(crate) handle: QueryHandle,
    pub(crate) view: QueryView,
    pub(crate) batches: Vector<Rc<BatchView>>,
    /// By what the last progress entry that was taken in is known: how many there were, batch, time and duration.
    pub(crate) heard: Option<(usize, BatchId, SimTime, i64)>,
    /// Spark's measures of its batches.
    pub(crate) numbers: Vector<Rc<BatchNumbers>>,
    /// Absolute path of the sink, or the name of a memory table.
    pub(crate) sink_path: Option<String>,
    pub(crate) sink_kind: String,
    /// What lineage keeps of it.
    pub(crate) way: Way,
    /// What was asked of the store and belongs to the step that is about to be noted.
    pub(crate) unbilled: Cost,
    /// The phases that the query has no use for.
    pub(crate) unused: Vec<Phase>,
    /// What it computes.
    pub(crate) plan: Arc<Plan>,
    /// Its checkpoint, as an absolute path.
    pub(crate) checkpoint: String,
    /// What it hands to its sink.
    pub(crate) mode: OutputMode,
}

/// What a step did, for its lane.
pub(crate) struct StepNote<'a> {
    pub(crate) batch: i64,
    pub(crate) phase: Phase,
    pub(crate) millis: i64,
    /// The object it wrote, relative to the root.
    pub(crate) file: Option<&'a str>,
    pub(crate) sentence: &'a str,
    pub(crate) again: bool,
    /// The input rows that it read.
    pub(crate) rows: Option<u64>,
}

impl Lanes {
    /// What a picture of a query says where there is none.
    pub(crate) const NONE: &'static str = "No query has started. Run the script.";

    /// The lanes in the order of their starts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Lane> {
        self.queries.iter().map(Rc::as_ref)
    }

    /// The lane that is named by its place; without a name the last one that is wanted, or the last one.
    pub(crate) fn chosen(
        &self,
        query: Option<usize>,
        is_wanted: impl Fn(&Lane) -> bool,
    ) -> Option<(usize, &Lane)> {
        let last_wanted = || (0..self.queries.len()).rev().find(|at| is_wanted(&self.queries[*at]));
        let at = query.or_else(last_wanted).or(self.queries.len().checked_sub(1))?;
        Some((at, self.queries.get(at)?.as_ref()))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.queries.len()
    }

    /// A new query of a run.
    pub(crate) fn push(&mut self, lane: Lane) {
        self.queries.push_back(Rc::new(lane));
    }

    /// The lane of a query of a run, to be changed.
    pub(crate) fn get_mut(&mut self, run: u32, handle: QueryHandle) -> Option<&mut Lane> {
        let at = self.queries.iter().position(|l| l.view.run == run && l.handle == handle)?;
        self.queries.get_mut(at).map(Rc::make_mut)
    }

    /// The driver stopped: what was only in memory is lost.
    pub(crate) fn crash(&mut self, run: u32, place: Option<&str>) {
        for at in 0..self.queries.len() {
            if let Some(lane) = self.queries.get_mut(at)
                && lane.view.run == run
                && lane.view.state == QueryState::Active
            {
                Rc::make_mut(lane).crash(place);
            }
        }
    }
}

impl Lane {
    /// Notes a step.
    pub(crate) fn note(&mut self, run: u32, note: &StepNote<'_>) {
        let is_open = self.batches.back().is_some_and(|b| b.batch == note.batch);
        if !is_open {
            self.batches.push_back(Rc::new(BatchView {
                batch: note.batch,
                again: note.again,
                run,
                input_rows: 0,
                steps: Phase::ALL.map(|phase| self.planned(phase)).to_vec(),
                crashed: false,
                within: None,
                cost: Cost::default(),
            }));
        }
        let Some(last) = self.batches.back_mut() else { return };
        let batch = Rc::make_mut(last);
        batch.cost += std::mem::take(&mut self.unbilled);
        batch.again = note.again;
        if let Some(rows) = note.rows {
            batch.input_rows = i64::try_from(rows).unwrap_or(i64::MAX);
        }
        let at = note.phase as usize;
        // A second try leaves out what was planned before, and all the work if the sink has it; a function writes by itself.
        let has_read = batch.steps[Phase::Read as usize].state == StepState::Done;
        for step in &mut batch.steps[..at] {
            if step.state == StepState::Planned {
                let is_left_out = note.again && !(has_read && step.phase > Phase::Read);
                step.state = if is_left_out { StepState::Skipped } else { StepState::Unused };
            }
        }
        let step = &mut batch.steps[at];
        step.millis += note.millis;
        if note.file.is_some() {
            // The first object is the one that counts: a Delta checkpoint comes after the commit, under the same step.
            step.file = step.file.take().or_else(|| note.file.map(str::to_owned));
            step.state = StepState::Kept;
        } else if step.state != StepState::Kept {
            step.state = StepState::Done;
        }
        note.sentence.clone_into(&mut step.note);
    }

    fn planned(&self, phase: Phase) -> StepView {
        let state = if self.unused.contains(&phase) { StepState::Unused } else { StepState::Planned };
        StepView { phase, state, millis: 0, file: None, note: String::new() }
    }

    /// A step whose object is there, though the driver died before it could say so. Gives the batch, if one is open.
    pub(crate) fn finish(&mut self, phase: Phase, file: &str) -> Option<i64> {
        let batch = Rc::make_mut(self.batches.back_mut()?);
        let step = &mut batch.steps[phase as usize];
        if step.state != StepState::Planned {
            return None;
        }
        step.state = StepState::Kept;
        step.file = Some(file.to_owned());
        step.note = format!("{file} is there; the driver died right after it.");
        Some(batch.batch)
    }

    fn crash(&mut self, place: Option<&str>) {
        self.view.state = QueryState::Lost;
        let calls_function = self.sink_kind == "foreachBatch" || self.view.sink.starts_with("ForeachBatch");
        let owns = |place: &&str| {
            let is_own = |path: &String| place.contains(&format!("{path}/"));
            calls_function || is_own(&self.checkpoint) || self.sink_path.as_ref().is_some_and(is_own)
        };
        let within = place.filter(owns).and_then(|place| point_within(place, calls_function));
        let Some(last) = self.batches.back_mut() else { return };
        let batch = Rc::make_mut(last);
        let is_over = batch.steps.last().is_some_and(|s| s.state == StepState::Kept);
        if is_over {
            return;
        }
        batch.crashed = true;
        batch.within = within;
        for step in &mut batch.steps {
            if step.state == StepState::Done {
                step.state = StepState::Lost;
            }
        }
    }

    /// The lane as the page gets it.
    pub(crate) fn to_view(&self) -> QueryView {
        let left_out = self.batches.len().saturating_sub(QueryView::BATCHES_MAX);
        let mut earlier = Earlier { batches: left_out as u64, ..Earlier::default() };
        for batch in self.batches.iter().take(left_out) {
            earlier.input_rows += batch.input_rows;
            earlier.cost += batch.cost;
        }
        let first = self.numbers.len().saturating_sub(QueryView::NUMBERS_MAX);
        QueryView {
            batches: self.batches.iter().skip(left_out).map(|b| b.as_ref().clone()).collect(),
            earlier,
            numbers: self.numbers.iter().skip(first).map(|n| n.as_ref().clone()).collect(),
            ..self.view.clone()
        }
    }
}
