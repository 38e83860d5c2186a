//! The input rows of each batch, read anew from the files that the checkpoint names.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::datatypes::TimestampMicrosecondType;
use tidemark_connectors::Formats;
use tidemark_engine::Connectors as _;
use tidemark_engine::batch::{ExecContext, execute};
use tidemark_plan::{Attribute, Plan, ReadSpec};
use tidemark_protocol::PlaneView;
use tidemark_pyspark::Conf;
use tidemark_types::{Batch, DataType};
use tidemark_world::World;

use crate::batch_log::{self, PlannedBatch};
use crate::plane::shape::{Gather, Stream, with_rows};
use crate::settings::SessionSettings;
use crate::sink::cells;
use crate::store::relative;

/// One input row with what the query makes of it alone.
#[derive(Clone, Debug)]
pub(super) struct ReadRow {
    pub(super) batch: i64,
    /// The stream it came from.
    pub(super) stream: usize,
    /// The file, relative to the root.
    pub(super) file: String,
    /// The line, from 1.
    pub(super) line: u32,
    /// The event time in milliseconds, rounded down.
    pub(super) event: Option<i64>,
    /// The row as it was read.
    pub(super) row: Arc<Vec<Batch>>,
    pub(super) cells: Vec<String>,
    pub(super) key: String,
    pub(super) value: String,
    /// The windows it falls into, in milliseconds.
    pub(super) windows: Vec<(i64, i64)>,
}

/// Asks the engine on a copy of a World: nothing that it does is counted.
pub(super) struct Asker {
    world: World,
    conf: Conf,
}

impl Asker {
    pub(super) fn new(world: &World) -> Self {
        Asker { world: world.clone(), conf: Conf::default() }
    }

    /// The rows of a plan without streams, as one batch; none if the engine refuses.
    pub(super) fn ask(&mut self, plan: &Plan) -> Option<Batch> {
        let settings = SessionSettings(&self.conf);
        let mut context = ExecContext { world: &mut self.world, settings: &settings, connectors: &Formats };
        let rows: Vec<Batch> = execute(plan, &mut context).ok()?.into_iter().flatten().collect();
        Batch::concat(&Arc::new(Attribute::schema(&plan.output())), &rows).ok()
    }

    /// The rows of one file of a stream.
    fn file(&mut self, stream: &Stream, path: &str) -> Option<Batch> {
        let whole = ReadSpec { streaming: false, ..stream.spec.as_ref().clone() };
        let settings = SessionSettings(&self.conf);
        let listing = Formats.list(&mut self.world, &settings, &whole).ok().flatten();
        let listed = listing.and_then(|files| files.iter().find(|file| file.path == path).cloned());
        let spec =
            ReadSpec { paths: vec![path.to_owned()], listing: listed.map(|f| Arc::new(vec![f])), ..whole };
        self.ask(&Plan::Relation {
            spec: Arc::new(spec),
            source: stream.source,
            output: stream.output.clone(),
        })
    }
}

/// The rows of all batches, at most so many as a picture holds, and how many there are.
pub(super) fn rows(
    world: &World,
    asker: &mut Asker,
    checkpoint: &str,
    batches: &BTreeMap<i64, PlannedBatch>,
    streams: &[Stream],
    gather: &Gather,
) -> (Vec<ReadRow>, u64) {
    let mut found: Vec<ReadRow> = Vec::new();
    let mut total = 0;
    let files: Vec<_> =
        streams.iter().map(|stream| batch_log::files(world, checkpoint, stream.index, batches)).collect();
    for batch in batches.keys() {
        for (at, stream) in streams.iter().enumerate() {
            for path in files[at].get(batch).into_iter().flatten() {
                let Some(rows) = asker.file(stream, path) else { continue };
                let file = relative(world, path).unwrap_or(path);
                for row in 0..rows.rows() {
                    if found.len() >= PlaneView::ROWS_MAX {
                        total += (rows.rows() - row) as u64;
                        break;
                    }
                    let line = u32::try_from(row + 1).unwrap_or(u32::MAX);
                    // Two streams may read one source: a row that is drawn for one of them is drawn.
                    let is_drawn = |other: &ReadRow| {
                        streams[other.stream].source == stream.source
                            && (other.batch, other.line, other.file.as_str()) == (*batch, line, file)
                    };
                    if at > 0 && found.iter().any(is_drawn) {
                        continue;
                    }
                    let Some(read) = read(asker, stream, gather, &rows.slice(row, 1)) else { continue };
                    total += 1;
                    found.push(ReadRow { batch: *batch, stream: at, file: file.to_owned(), line, ..read });
                }
            }
        }
    }
    (found, total)
}

/// What the query makes of one row alone; none if a filter below the watermark leaves it out.
fn read(asker: &mut Asker, stream: &Stream, gather: &Gather, one: &Batch) -> Option<ReadRow> {
    let row = Arc::new(vec![one.clone()]);
    let cells_of_row = cells(one, 1).pop().unwrap_or_default();
    let timed = match &stream.watermark {
        Some((plan, _)) => Some(asker.ask(&with_rows(plan, stream.source, &row))?),
        None => None,
    };
    if timed.as_ref().is_some_and(|rows| rows.rows() == 0) {
        return None;
    }
    let event = match (&stream.watermark, &timed) {
        (Some((plan, _)), Some(rows)) => {
            let at = plan.output().iter().position(|column| column.watermark_delay.is_some());
            at.and_then(|at| millis(rows.column(at), 0))
        }
        _ => None,
    };
    let mut read = ReadRow {
        batch: 0,
        stream: 0,
        file: String::new(),
        line: 0,
        event,
        row: row.clone(),
        key: first_text(one, &cells_of_row),
        value: String::new(),
        cells: cells_of_row,
        windows: Vec::new(),
    };
    match gather {
        Gather::Windows(plan, at) => {
            let groups = asker.ask(&with_rows(plan, stream.source, &row))?;
            let keys = keys_of(plan);
            for group in grouped(&groups, *at, keys) {
                read.windows.push((group.start, group.end));
                if !group.key.is_empty() {
                    read.key = group.key;
                }
                read.value = group.value;
            }
        }
        Gather::Keys(plan, keys, _) => {
            let below = asker.ask(&with_rows(plan, stream.source, &row))?;
            let output = plan.output();
            let texts = cells(&below, 1).pop()?;
            let at = |key: &Attribute| output.iter().position(|column| column.id == key.id);
            let key: Vec<String> =
                keys.iter().filter_map(at).filter_map(|at| texts.get(at).cloned()).collect();
            read.key = key.join(" ");
        }
        Gather::Join(sides, keys) => {
            let mut names = Vec::new();
            for (side, name) in sides.iter().zip(["left", "right"]) {
                let Some(below) = asker.ask(&with_rows(side, stream.source, &row)) else { continue };
                let Some(texts) = cells(&below, 1).pop() else { continue };
                let columns = side.output();
                let named = columns.iter().zip(texts).filter(|(column, _)| keys.contains(&column.id));
                let key: Vec<String> = named.map(|(_, text)| text).collect();
                if names.is_empty() && !key.is_empty() {
                    read.key = key.join(" ");
                }
                names.push(name);
            }
            read.value = names.join(" and ");
        }
        Gather::Times | Gather::Nothing => {}
    }
    Some(read)
}

/// One group of an aggregation by windows.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) start: i64,
    pub(super) end: i64,
    /// The other keys.
    pub(super) key: String,
    /// The aggregates.
    pub(super) value: String,
}

/// The number of grouping columns of an aggregation.
pub(super) fn keys_of(plan: &Plan) -> usize {
    match plan {
        Plan::Aggregate { grouping, .. } => grouping.len(),
        _ => 0,
    }
}

/// The groups in the output of an aggregation whose column `window` is a window.
pub(super) fn grouped(rows: &Batch, window: usize, keys: usize) -> Vec<Group> {
    let Some(column) = rows.column(window).as_struct_opt() else { return Vec::new() };
    let texts = cells(rows, rows.rows());
    let mut groups: Vec<Group> = (0..rows.rows())
        .filter_map(|row| {
            let text = &texts[row];
            let join = |at: &mut dyn Iterator<Item = usize>| {
                at.filter_map(|at| text.get(at).cloned()).collect::<Vec<_>>().join(" ")
            };
            Some(Group {
                start: millis(column.column(0), row)?,
                end: millis(column.column(1), row)?,
                key: join(&mut (0..keys).filter(|at| *at != window)),
                value: join(&mut (keys..text.len())),
            })
        })
        .collect();
    groups.sort_by(|a, b| (a.start, a.end, &a.key).cmp(&(b.start, b.end, &b.key)));
    groups
}

fn millis(column: &ArrayRef, row: usize) -> Option<i64> {
    let times = column.as_primitive_opt::<TimestampMicrosecondType>()?;
    (row < times.len() && times.is_valid(row)).then(|| times.value(row).div_euclid(1000))
}

/// The first text of a row, or its first cell: a name for it.
fn first_text(row: &Batch, cells: &[String]) -> String {
    let at = row.schema().fields.iter().position(|field| field.data_type == DataType::String);
    cells.get(at.unwrap_or(0)).cloned().unwrap_or_default()
}
