//! The rows that batches have read, one by one, each with its file and line; and which of them have a part in a row.

use std::collections::BTreeMap;

use tidemark_engine::Task;
use tidemark_engine::operator::Inputs;
use tidemark_engine::stream::{Gathers, Probe};
use tidemark_plan::ReadSpec;
use tidemark_types::Batch;
use tidemark_world::World;

use super::way::{Taken, Way};
use crate::sink::cells;

/// One row that a batch has read.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    pub(super) taken: &'a Taken,
    pub(super) relation: u64,
    /// The row.
    rows: Batch,
    uri: Option<String>,
    /// The absolute path of its file.
    pub(super) file: Option<String>,
    /// Its place in the file, from 0.
    pub(super) place: usize,
    /// Its line in the file, from 1, where that can be told.
    pub(super) line: Option<u32>,
    /// The text of that line.
    pub(super) text: String,
}

/// All rows of some batches, stream by stream, in the order in which they were read.
///
/// A batch of another run may know its streams by other numbers: they are those of `probe`, in their order.
pub(super) fn lines<'a>(world: &World, probe: &Probe, batches: &[(&'a Way, &'a Taken)]) -> Vec<Line<'a>> {
    let mut out = Vec::new();
    for (index, (relation, _)) in probe.streams().iter().enumerate() {
        for (way, taken) in batches {
            let Some((own, spec)) = way.probe.streams().get(index) else { continue };
            let mut lines = lines_of(world, taken, *own, spec);
            lines.iter_mut().for_each(|line| line.relation = *relation);
            out.extend(lines);
        }
    }
    out
}

fn lines_of<'a>(world: &World, taken: &'a Taken, relation: u64, spec: &ReadSpec) -> Vec<Line<'a>> {
    let mut out: Vec<Line<'a>> = Vec::new();
    let mut read: BTreeMap<String, usize> = BTreeMap::new();
    for task in taken.read.inputs.get(&relation).into_iter().flatten() {
        for (batch, uri) in task.batches.iter().zip(&task.files) {
            let file = uri.as_ref().map(|uri| world.from_uri(uri));
            let first = read.entry(file.clone().unwrap_or_default()).or_default();
            for row in 0..batch.rows() {
                out.push(Line {
                    taken,
                    relation,
                    rows: batch.slice(row, 1),
                    uri: uri.clone(),
                    file: file.clone(),
                    place: *first + row,
                    line: None,
                    text: String::new(),
                });
            }
            *first += batch.rows();
        }
    }
    for (file, rows) in read {
        let Some(bytes) = taken.files.get(&file) else { continue };
        let text = String::from_utf8_lossy(bytes);
        let numbered = numbered(&text, spec);
        // A reader that joins or drops lines has another number of rows: then the file is known, the line is not.
        if numbered.len() != rows {
            continue;
        }
        for line in out.iter_mut().filter(|line| line.file.as_deref() == Some(&file)) {
            if let Some((number, text)) = numbered.get(line.place) {
                line.line = Some(*number);
                (*text).clone_into(&mut line.text);
            }
        }
    }
    out
}

/// The lines of a file that are rows, with their numbers from 1.
fn numbered<'t>(text: &'t str, spec: &ReadSpec) -> Vec<(u32, &'t str)> {
    let is_on = |name: &str| spec.options.get(name).is_some_and(|v| v.eq_ignore_ascii_case("true"));
    let lines = (1..).zip(text.lines());
    match spec.format.as_str() {
        _ if is_on("multiline") || is_on("wholetext") => Vec::new(),
        "json" => lines.filter(|(_, line)| !line.trim().is_empty()).collect(),
        "csv" => {
            lines.filter(|(_, line)| !line.trim().is_empty()).skip(usize::from(is_on("header"))).collect()
        }
        "text" => lines.collect(),
        _ => Vec::new(),
    }
}

/// What is looked for: a row as some of its columns.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Positions in the result of the plan, and the text there.
    cells: Vec<(usize, String)>,
}

impl Wanted {
    /// A row of a table with these columns, as the plan of a query with these columns would give it.
    pub(super) fn of(probe: &Probe, plan_columns: &[String], columns: &[String], row: &[String]) -> Wanted {
        let cells = probe
            .columns()
            .iter()
            .filter_map(|at| {
                let name = plan_columns.get(*at)?;
                let place = columns.iter().position(|column| column.eq_ignore_ascii_case(name))?;
                Some((*at, row.get(place)?.clone()))
            })
            .collect();
        Wanted { cells }
    }

    /// Whether a row of the plan's result agrees.
    pub(super) fn agrees(&self, row: &[String]) -> bool {
        self.cells.iter().all(|(at, text)| row.get(*at) == Some(text))
    }

    /// Whether all that one row settles is compared, and that is something.
    pub(super) fn is_whole(&self, probe: &Probe) -> bool {
        !self.cells.is_empty() && self.cells.len() == probe.columns().len()
    }

    /// `user = a, window = …`
    pub(super) fn words(&self, plan_columns: &[String]) -> String {
        let named =
            self.cells.iter().filter_map(|(at, text)| Some(format!("{} = {text}", plan_columns.get(*at)?)));
        named.collect::<Vec<_>>().join(", ")
    }
}

/// Rows that a plan gives, each with its partition.
pub(super) type Given = Vec<(usize, Vec<String>)>;

/// What these lines give by themselves; the other streams of a join stay whole.
pub(super) fn given_by(probe: &Probe, all: &[Line<'_>], some: &[&Line<'_>], in_time: bool) -> Given {
    let Some(first) = some.first() else { return Vec::new() };
    // What is not a stream, a table to join with, is as the batch had it.
    let mut inputs: Inputs = first.taken.read.inputs.clone();
    for (relation, _) in probe.streams() {
        inputs.remove(relation);
    }
    let pairs = probe.gathers() == Gathers::Pairs;
    let others = all.iter().filter(|line| pairs && line.relation != first.relation);
    for line in others.chain(some.iter().copied()) {
        let tasks = inputs.entry(line.relation).or_default();
        if tasks.is_empty() {
            tasks.push(Task { batches: Vec::new(), files: Vec::new() });
        }
        tasks[0].batches.push(line.rows.clone());
        tasks[0].files.push(line.uri.clone());
    }
    let read = &first.taken.read;
    let partitions = if in_time { probe.alone_in_time(read, inputs) } else { probe.alone(read, inputs) };
    let mut out = Vec::new();
    for (partition, batches) in partitions.unwrap_or_default().iter().enumerate() {
        for batch in batches {
            out.extend(cells(batch, batch.rows()).into_iter().map(|row| (partition, row)));
        }
    }
    out
}

/// How often a plan is asked for one row; a row of more lines is followed to their files only.
const RUNS_MAX: usize = 2_000;

/// The lines that have a part in a row: halves that do not give it are left aside. None if the plan would have to be
/// asked too often.
pub(super) fn with_a_part<'l, 'a>(
    probe: &'l Probe,
    all: &'l [Line<'a>],
    wanted: &'l Wanted,
) -> Option<Vec<&'l Line<'a>>> {
    // A batch at a time, for what is late differs; a stream at a time, for the others stay whole.
    let mut groups: Vec<Vec<&'l Line<'a>>> = Vec::new();
    for line in all {
        let is_same =
            |other: &Line<'a>| other.relation == line.relation && other.taken.batch == line.taken.batch;
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| is_same(first))) {
            Some(group) => group.push(line),
            None => groups.push(vec![line]),
        }
    }
    let mut search = Search { probe, all, wanted, found: Vec::new(), runs: 0 };
    let is_whole = groups.iter().all(|group| search.halve(group));
    is_whole.then_some(search.found)
}

/// A search on its way.
struct Search<'l, 'a> {
    probe: &'l Probe,
    all: &'l [Line<'a>],
    wanted: &'l Wanted,
    found: Vec<&'l Line<'a>>,
    runs: usize,
}

impl<'l, 'a> Search<'l, 'a> {
    /// Looks through some lines; says whether it came to their end.
    fn halve(&mut self, some: &[&'l Line<'a>]) -> bool {
        self.runs += 1;
        if self.runs > RUNS_MAX {
            return false;
        }
        let given = given_by(self.probe, self.all, some, false);
        if !given.iter().any(|(_, row)| self.wanted.agrees(row)) {
            return true;
        }
        if let [only] = some {
            self.found.push(only);
            return true;
        }
        let (left, right) = some.split_at(some.len() / 2);
        self.halve(left) && self.halve(right)
    }
}
