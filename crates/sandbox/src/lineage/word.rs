//! The stations of a way, and how they are called.

use tidemark_engine::stream::Gathers;
use tidemark_protocol::{Hop, HopKind};

use super::line::{Line, Wanted};
use super::way::Scene;
use crate::moment::Lane;
use crate::store::relative;
use crate::table::{Placed, Table};

/// How much of a line is shown.
const TEXT_MAX: usize = 200;

fn hop(kind: HopKind, name: String, text: String) -> Hop {
    Hop { kind, name, text, path: None, line: None, batch: None, run: None, row: None }
}

/// `1 line`, `2 lines`.
pub(super) fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(parts: &[String]) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The same with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The beginning of an id.
pub(super) fn short(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

/// A row by its first column: `id 3`.
pub(super) fn title(table: &Table, row: &Placed) -> String {
    match (table.columns.first(), row.cells.first()) {
        (Some(name), Some(cell)) => format!("{name} {cell}"),
        _ => "The row".to_owned(),
    }
}

/// `line 1 of in/b.json`.
pub(super) fn place(scene: &Scene<'_>, line: &Line<'_>) -> String {
    let Some(file) = line.file.as_deref() else { return format!("row {} of the source", line.place + 1) };
    let file = relative(scene.world, file).unwrap_or(file);
    match line.line {
        Some(number) => format!("line {number} of {file}"),
        None => format!("row {} of {file}", line.place + 1),
    }
}

/// The station of an input line.
pub(super) fn input(scene: &Scene<'_>, line: &Line<'_>) -> Hop {
    let file = line.file.as_deref().map(|file| relative(scene.world, file).unwrap_or(file).to_owned());
    let shown = file.clone().unwrap_or_else(|| "the source".to_owned());
    let name = match line.line {
        Some(number) => format!("{shown}, line {number}"),
        None => format!("{shown}, row {}", line.place + 1),
    };
    Hop {
        path: file,
        line: line.line,
        batch: Some(line.taken.batch),
        ..hop(HopKind::Input, name, line.text.chars().take(TEXT_MAX).collect())
    }
}

/// The station of a whole input file.
pub(super) fn file_of_input(scene: &Scene<'_>, path: &str, batch: i64) -> Hop {
    let file = relative(scene.world, path).unwrap_or(path).to_owned();
    let text = format!("read by batch {batch}");
    Hop { path: Some(file.clone()), batch: Some(batch), ..hop(HopKind::Input, file, text) }
}

/// The object at this absolute path, if it is there at this moment.
fn there(scene: &Scene<'_>, path: &str) -> Option<String> {
    scene.world.peek(path)?;
    relative(scene.world, path).map(str::to_owned)
}

/// The station of a batch.
pub(super) fn batch(scene: &Scene<'_>, lane: &Lane, number: i64) -> Hop {
    let path = there(scene, &format!("{}/offsets/{number}", lane.way.checkpoint()));
    let query = lane.view.name.clone().unwrap_or_else(|| short(&lane.view.id).to_owned());
    Hop {
        path,
        batch: Some(number),
        run: Some(lane.view.run),
        ..hop(HopKind::Batch, format!("batch {number}"), format!("query {query}, run {}", lane.view.run))
    }
}

/// The station of the state, for a plan that keeps some.
pub(super) fn state(
    scene: &Scene<'_>,
    lane: &Lane,
    number: i64,
    columns: &[String],
    key: &Wanted,
    partition: Option<usize>,
) -> Option<Hop> {
    let gathers = lane.way.probe.gathers();
    let text = match gathers {
        Gathers::Nothing => return None,
        Gathers::Keys => "the first row of its key".to_owned(),
        Gathers::Groups => key.words(columns),
        Gathers::Pairs => "rows that wait for their pairs".to_owned(),
    };
    let name = match partition {
        Some(partition) => format!("state, partition {partition}"),
        None => "state".to_owned(),
    };
    let file = partition
        .filter(|_| gathers != Gathers::Pairs)
        .map(|partition| format!("{}/state/0/{partition}/{}.delta", lane.way.checkpoint(), number + 1));
    let path = file.and_then(|file| there(scene, &file));
    Some(Hop { path, batch: Some(number), ..hop(HopKind::State, name, text) })
}

/// The last stations: data file, version, row.
pub(super) fn end(scene: &Scene<'_>, table: &Table, row: &Placed, index: usize) -> Vec<Hop> {
    let mut hops = Vec::new();
    if let Some(file) = &row.file {
        let name = file.rsplit('/').next().unwrap_or(file).to_owned();
        let text = format!("row {} of the file", row.position + 1);
        hops.push(Hop { path: Some(file.clone()), ..hop(HopKind::File, name, text) });
    }
    let commit = |version: i64| {
        there(scene, &scene.world.resolve(&format!("{}_delta_log/{version:020}.json", table.name)))
    };
    if let Some(version) = row.version {
        let text = match (&row.txn, &row.writer) {
            (Some(txn), _) => format!("txn {txn}"),
            (None, Some(_)) => "no txn: a second try adds it again".to_owned(),
            (None, None) => "by someone else".to_owned(),
        };
        hops.push(Hop { path: commit(version), ..hop(HopKind::Version, format!("version {version}"), text) });
    }
    if let Some(moved) = row.moved {
        let text = "rewrote its file".to_owned();
        hops.push(Hop { path: commit(moved), ..hop(HopKind::Version, format!("version {moved}"), text) });
    }
    hops.push(Hop {
        path: Some(table.name.clone()),
        batch: row.writer.as_ref().map(|writer| writer.batch),
        row: Some(index),
        ..hop(HopKind::Row, format!("{}, row {}", table.name, index + 1), row.cells.join(" "))
    });
    hops
}
