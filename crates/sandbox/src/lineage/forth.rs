//! From a line of an input file to the rows that it has a part in.

use std::collections::BTreeMap;

use tidemark_engine::stream::Gathers;
use tidemark_protocol::{Hop, Lineage, StepState};
use tidemark_trace::Phase;

use super::back::{plan_columns, scope};
use super::line::{Given, Line, Wanted, given_by, with_a_part};
use super::way::{Scene, Taken};
use super::word;
use crate::moment::Lane;
use crate::table::{Placed, Table};

/// Ways that are shown at most; the sentence counts them all.
const WAYS_SHOWN_MAX: usize = 8;

/// One row that the line has a part in, and how it came there.
struct Arrival<'a> {
    lane: &'a Lane,
    batch: i64,
    table: &'a Table,
    index: usize,
    key: Wanted,
    partition: usize,
}

/// The ways of a line, one after the other.
pub(super) fn line(scene: &Scene<'_>, path: &str, number: u32) -> Lineage {
    let absolute = scene.world.resolve(path);
    let readers = readers(scene, &absolute);
    if readers.is_empty() {
        let sentence = format!("No batch has read {path} yet.");
        return Lineage { sentence, hops: Vec::new(), sure: true };
    }
    let (mut hops, mut arrivals, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
    for reader in &readers {
        let (lane, taken) = *reader;
        let (_, all) = scope(scene, whole(scene, *reader));
        let own = |line: &&Line<'_>| {
            let is_number = line.line.map_or(line.place + 1 == number as usize, |n| n == number);
            line.file.as_deref() == Some(&absolute) && is_number && line.taken.batch == taken.batch
        };
        let Some(found) = all.iter().find(own) else {
            reasons.push(no_row(taken, path, number));
            continue;
        };
        if hops.is_empty() {
            hops.push(word::input(scene, found));
        }
        match arrivals_of(scene, *reader, &all, found) {
            Ok(rows) => arrivals.extend(rows),
            Err(reason) => {
                hops.push(word::batch(scene, lane, taken.batch));
                reasons.push(reason);
            }
        }
    }
    for arrival in arrivals.iter().take(WAYS_SHOWN_MAX) {
        hops.extend(way(scene, arrival));
    }
    let sure = readers.iter().all(|(lane, _)| lane.way.probe.is_sure());
    Lineage { sentence: sentence(path, number, &arrivals, &reasons), hops, sure }
}

/// The batches that have read a file, each once.
fn readers<'a>(scene: &Scene<'a>, file: &str) -> Vec<(&'a Lane, &'a Taken)> {
    let mut found: BTreeMap<(usize, i64), (&Lane, &Taken)> = BTreeMap::new();
    let mut queries: Vec<&str> = Vec::new();
    for lane in scene.lanes.iter() {
        let query = queries.iter().position(|id| *id == lane.view.id).unwrap_or_else(|| {
            queries.push(&lane.view.id);
            queries.len() - 1
        });
        for taken in lane.way.taken().filter(|taken| taken.files.contains_key(file)) {
            found.insert((query, taken.batch), (lane, taken));
        }
    }
    found.into_values().collect()
}

/// The batch up to which the other side of a join is looked at: the newest.
fn whole<'a>(scene: &Scene<'a>, reader: (&'a Lane, &'a Taken)) -> (&'a Lane, &'a Taken) {
    let (lane, _) = reader;
    if lane.way.probe.gathers() != Gathers::Pairs {
        return reader;
    }
    let newest = super::back::batches_up_to(scene, &lane.view.id, i64::MAX).last().copied();
    newest.unwrap_or(reader)
}

fn no_row(taken: &Taken, path: &str, number: u32) -> String {
    if taken.is_too_large() {
        format!("Batch {} read {} rows, too many to be followed one by one.", taken.batch, taken.rows)
    } else {
        format!("Line {number} of {path} was no row when batch {} read the file.", taken.batch)
    }
}

/// The rows that a line has a part in, or why there are none.
fn arrivals_of<'a>(
    scene: &'a Scene<'_>,
    (lane, taken): (&'a Lane, &'a Taken),
    all: &[Line<'_>],
    line: &Line<'_>,
) -> Result<Vec<Arrival<'a>>, String> {
    let probe = &lane.way.probe;
    let given = given_by(probe, all, &[line], false);
    let place = word::place(scene, line);
    if given.is_empty() {
        return Err(if given_by(probe, all, &[line], true).is_empty() {
            format!("No row came of {place}: the query leaves it out.")
        } else {
            format!(
                "{} came too late: in batch {} its time was behind the watermark.",
                word::capital(&place),
                taken.batch
            )
        });
    }
    let found = in_tables(scene, (lane, taken), all, line, &given);
    if !found.is_empty() {
        return Ok(found);
    }
    Err(match probe.gathers() {
        Gathers::Groups => {
            let columns = plan_columns(lane);
            let key = Wanted::of(probe, &columns, &columns, &given[0].1);
            format!(
                "{} is in the state since batch {}, under {}. Its row has not left yet, or a filter keeps it back.",
                word::capital(&place),
                taken.batch,
                key.words(&columns)
            )
        }
        Gathers::Keys if is_in_sink(scene, lane, taken.batch) => {
            format!("No row came of {place} in batch {}: a row of the same key was there first.", taken.batch)
        }
        Gathers::Keys | Gathers::Nothing | Gathers::Pairs => {
            format!("Batch {} has read {place}. Its row is in no table at this moment.", taken.batch)
        }
    })
}

/// Whether a batch has gone to its sink.
fn is_in_sink(scene: &Scene<'_>, lane: &Lane, batch: i64) -> bool {
    let lanes = scene.lanes_of(&lane.view.id);
    let mut tries = lanes.iter().flat_map(|lane| &lane.batches).filter(|view| view.batch == batch);
    tries.any(|view| {
        let commit = view.steps.iter().find(|step| step.phase == Phase::Commit);
        commit.is_some_and(|step| matches!(step.state, StepState::Kept | StepState::Done))
    })
}

fn in_tables<'a>(
    scene: &'a Scene<'_>,
    (lane, taken): (&'a Lane, &'a Taken),
    all: &[Line<'_>],
    line: &Line<'_>,
    given: &Given,
) -> Vec<Arrival<'a>> {
    let probe = &lane.way.probe;
    let columns = plan_columns(lane);
    let mut out = Vec::new();
    let mut seen: Vec<(usize, usize)> = Vec::new();
    let in_batch = matches!(probe.gathers(), Gathers::Nothing | Gathers::Keys);
    for (at, table) in scene.tables.iter().enumerate() {
        for (partition, cells) in given {
            let is_own = |row: &Placed| {
                let by_query = row.writer.as_ref().filter(|writer| writer.query == lane.view.id);
                let key = Wanted::of(probe, &columns, &table.columns, &row.cells);
                by_query
                    .is_some_and(|w| if in_batch { w.batch == taken.batch } else { w.batch >= taken.batch })
                    && key.agrees(cells)
            };
            let mut rows: Vec<usize> = (0..table.rows.len()).filter(|i| is_own(&table.rows[*i])).collect();
            if in_batch && rows.len() > 1 || probe.gathers() == Gathers::Keys {
                rows = turn(&rows, all, line, &Wanted::of(probe, &columns, &columns, cells), probe);
            }
            for index in rows {
                if seen.contains(&(at, index)) {
                    continue;
                }
                seen.push((at, index));
                let batch = table.rows[index].writer.as_ref().map_or(taken.batch, |writer| writer.batch);
                let key = Wanted::of(probe, &columns, &table.columns, &table.rows[index].cells);
                out.push(Arrival { lane, batch, table, index, key, partition: *partition });
            }
        }
    }
    out
}

/// Equal lines make equal rows: the row whose turn it is; none if another line took it.
fn turn(
    rows: &[usize],
    all: &[Line<'_>],
    line: &Line<'_>,
    wanted: &Wanted,
    probe: &tidemark_engine::stream::Probe,
) -> Vec<usize> {
    let Some(equal) = with_a_part(probe, all, wanted) else { return rows.to_vec() };
    match equal.iter().position(|other| std::ptr::eq(*other, line)) {
        Some(turn) if rows.len() <= equal.len() => rows.get(turn).copied().into_iter().collect(),
        Some(_) => rows.to_vec(),
        None => Vec::new(),
    }
}

fn way(scene: &Scene<'_>, arrival: &Arrival<'_>) -> Vec<Hop> {
    let Arrival { lane, batch, table, index, key, partition } = arrival;
    let mut hops = vec![word::batch(scene, scene.run_of(lane, &table.rows[*index]), *batch)];
    hops.extend(word::state(scene, lane, *batch, &plan_columns(lane), key, Some(*partition)));
    hops.extend(word::end(scene, table, &table.rows[*index], *index));
    hops
}

fn sentence(path: &str, number: u32, arrivals: &[Arrival<'_>], reasons: &[String]) -> String {
    let by = |arrival: &Arrival<'_>| {
        let version = arrival.table.rows[arrival.index].version;
        let version = version.map(|version| format!(", version {version}")).unwrap_or_default();
        format!("batch {} of query {}{version}", arrival.batch, word::short(&arrival.lane.view.id))
    };
    match arrivals {
        [] => reasons.join(" "),
        [only] => {
            let title = word::title(only.table, &only.table.rows[only.index]);
            format!("Line {number} of {path} went into {title} of {} by {}.", only.table.name, by(only))
        }
        many => {
            let ways: Vec<String> = many.iter().take(WAYS_SHOWN_MAX).map(by).collect();
            format!("Line {number} of {path} went into {} rows: by {}.", many.len(), word::listed(&ways))
        }
    }
}
