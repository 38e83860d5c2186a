//! From a row of a table back to its lines.

use std::collections::{BTreeMap, BTreeSet};

use tidemark_engine::stream::Gathers;
use tidemark_protocol::{Hop, Lineage};

use super::line::{Line, Wanted, given_by, lines, with_a_part};
use super::way::{Scene, Taken};
use super::word;
use crate::moment::Lane;
use crate::store::relative;
use crate::table::{Placed, Table, Writer};

/// Input lines that a way shows at most; the sentence counts them all.
const INPUTS_SHOWN_MAX: usize = 40;

/// The way of a row, from its lines to its place in the table.
pub(super) fn row(scene: &Scene<'_>, sink: &str, index: usize) -> Lineage {
    let table = scene.tables.iter().find(|table| table.name == sink);
    let Some((table, row)) = table.and_then(|table| Some((table, table.rows.get(index)?))) else {
        let sentence = format!("{sink} has no row {} at this moment.", index + 1);
        return Lineage { sentence, hops: Vec::new(), sure: true };
    };
    let end = word::end(scene, table, row, index);
    let title = word::title(table, row);
    let stands = row.version.map(|version| format!(" and stands in version {version}")).unwrap_or_default();
    let Some(writer) = &row.writer else {
        let version = row.version.map(|version| format!(" with version {version}")).unwrap_or_default();
        let sentence = format!("{title} came{version}, which no query of this script wrote.");
        return Lineage { sentence, hops: end, sure: true };
    };
    let Some((lane, taken)) = batch_of(scene, writer) else {
        let (batch, query) = (writer.batch, word::short(&writer.query));
        let sentence = format!(
            "{title} came by batch {batch} of query {query}{stands}. That batch ran before this sandbox began: what it read is \
             not known here."
        );
        return Lineage { sentence, hops: end, sure: false };
    };
    let mut lineage = traced(scene, &Target { table, row, lane, taken, writer });
    lineage.sentence = format!("{title} {}{stands}.", lineage.sentence);
    lineage.hops.extend(end);
    lineage
}

/// What is followed.
struct Target<'a> {
    table: &'a Table,
    row: &'a Placed,
    lane: &'a Lane,
    taken: &'a Taken,
    writer: &'a Writer,
}

/// The run in which a batch has read, and what it read. A second try reads the same: the last one counts.
pub(super) fn batch_of<'a>(scene: &Scene<'a>, writer: &Writer) -> Option<(&'a Lane, &'a Taken)> {
    scene.lanes_of(&writer.query).into_iter().rev().find_map(|lane| {
        let taken = lane.way.taken().rev().find(|taken| taken.batch == writer.batch)?;
        Some((lane, taken))
    })
}

/// The batches of a query up to one, each once.
pub(super) fn batches_up_to<'a>(scene: &Scene<'a>, query: &str, last: i64) -> Vec<(&'a Lane, &'a Taken)> {
    let mut found = BTreeMap::new();
    for lane in scene.lanes_of(query) {
        for taken in lane.way.taken().filter(|taken| taken.batch <= last) {
            found.insert(taken.batch, (lane, taken));
        }
    }
    found.into_values().collect()
}

/// The rows that can have a part in one of this batch.
pub(super) fn scope<'a>(
    scene: &Scene<'a>,
    (lane, taken): (&'a Lane, &'a Taken),
) -> (Vec<(&'a Lane, &'a Taken)>, Vec<Line<'a>>) {
    let batches = match lane.way.probe.gathers() {
        Gathers::Nothing | Gathers::Keys => vec![(lane, taken)],
        Gathers::Groups | Gathers::Pairs => batches_up_to(scene, &lane.view.id, taken.batch),
    };
    let ways: Vec<_> = batches.iter().map(|(lane, taken)| (&lane.way, *taken)).collect();
    let lines = lines(scene.world, &lane.way.probe, &ways);
    (batches, lines)
}

/// The names of the columns that the plan of a query gives.
pub(super) fn plan_columns(lane: &Lane) -> Vec<String> {
    lane.way.probe.names()
}

/// The stations up to the state, and the middle of the sentence.
fn traced(scene: &Scene<'_>, target: &Target<'_>) -> Lineage {
    let Target { table, row, lane, taken, writer } = target;
    let probe = &lane.way.probe;
    let columns = plan_columns(lane);
    let wanted = Wanted::of(probe, &columns, &table.columns, &row.cells);
    let (batches, all) = scope(scene, (lane, taken));
    let batch = word::batch(scene, scene.run_of(lane, row), writer.batch);
    if batches.iter().any(|(_, taken)| taken.is_too_large()) {
        let total: usize = batches.iter().map(|(_, taken)| taken.rows).sum();
        return by_file(
            scene,
            &batches,
            batch,
            &format!("is made of some of {total} rows, too many to ask one by one"),
        );
    }
    if all.is_empty() {
        let mut lineage = by_file(scene, &batches, batch, "was made without a row of a file");
        lineage.sentence = format!("{}, in batch {}", lineage.sentence, writer.batch);
        return lineage;
    }
    let Some(found) = with_a_part(probe, &all, &wanted) else {
        return by_file(
            scene,
            &batches,
            batch,
            &format!("is made of many of {} rows, too many to ask one by one", all.len()),
        );
    };
    if found.is_empty() {
        // A function of foreachBatch may make other rows than those that it is given.
        return by_file(
            scene,
            &batches,
            batch,
            "came from one of the rows in these files; the plan does not tell which",
        );
    }
    let (found, sure) = chosen(target, found, &wanted);
    let partition = given_by(probe, &all, &found[..1], false)
        .into_iter()
        .find_map(|(partition, row)| wanted.agrees(&row).then_some(partition));
    let mut hops: Vec<Hop> =
        found.iter().take(INPUTS_SHOWN_MAX).map(|line| word::input(scene, line)).collect();
    hops.push(batch);
    hops.extend(word::state(scene, lane, writer.batch, &columns, &wanted, partition));
    Lineage { sentence: middle(scene, &found, writer.batch, sure), hops, sure }
}

/// Equal lines make equal rows: the first line the first row.
fn chosen<'l, 'a>(
    target: &Target<'_>,
    found: Vec<&'l Line<'a>>,
    wanted: &Wanted,
) -> (Vec<&'l Line<'a>>, bool) {
    let probe = &target.lane.way.probe;
    let sure = probe.is_sure() && wanted.is_whole(probe);
    if !matches!(probe.gathers(), Gathers::Nothing | Gathers::Keys) {
        return (found, sure);
    }
    let is_equal = |row: &&Placed| row.writer == target.row.writer && row.cells == target.row.cells;
    let equal: Vec<&Placed> = target.table.rows.iter().filter(is_equal).collect();
    let turn = equal.iter().position(|row| std::ptr::eq(*row, target.row)).unwrap_or(0);
    if equal.len() <= found.len() {
        (vec![found[turn]], sure)
    } else {
        let alone = found.len() == 1;
        (found, sure && alone)
    }
}

fn middle(scene: &Scene<'_>, found: &[&Line<'_>], batch: i64, sure: bool) -> String {
    let files: BTreeSet<String> = found
        .iter()
        .filter_map(|line| line.file.as_deref())
        .map(|file| relative(scene.world, file).unwrap_or(file).to_owned())
        .collect();
    let files = word::listed(&files.into_iter().collect::<Vec<_>>());
    match (found, sure) {
        ([only], true) => format!("came from {} in batch {batch}", word::place(scene, only)),
        (many, true) => {
            format!("is made of {} of {files}; it left in batch {batch}", word::count(many.len(), "line"))
        }
        (many, false) => {
            format!(
                "came from one of these {} of {files} in batch {batch}; the plan does not tell which",
                word::count(many.len(), "line")
            )
        }
    }
}

/// As far as the files.
fn by_file(scene: &Scene<'_>, batches: &[(&Lane, &Taken)], batch: Hop, middle: &str) -> Lineage {
    let mut hops: Vec<Hop> = Vec::new();
    for (_, taken) in batches {
        hops.extend(taken.files.keys().map(|file| word::file_of_input(scene, file, taken.batch)));
    }
    hops.truncate(INPUTS_SHOWN_MAX);
    hops.push(batch);
    Lineage { sentence: middle.to_owned(), hops, sure: false }
}
