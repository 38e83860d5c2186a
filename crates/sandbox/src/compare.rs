//! Two moments side by side: objects, rows, progress and cost, and only what differs.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use tidemark_protocol::{
    Comparison, Cost, Measure, ObjectDifference, Place, RowDifference, Side, SinkDifference,
};

use crate::moment::{Lanes, Moment};
use crate::store;
use crate::table::{Table, tables};

/// Objects that a comparison names at most.
const OBJECTS_MAX: usize = 1_000;
/// Rows of a table that a comparison shows at most.
const ROWS_MAX: usize = 200;
/// Measures that a comparison shows at most.
const MEASURES_MAX: usize = 60;
/// Rows that a sentence names one by one at most.
const NAMED_MAX: usize = 4;
/// Measures that say when and where and how fast, and so always differ.
const RESTLESS: [&str; 6] =
    ["id", "runId", "name", "timestamp", "inputRowsPerSecond", "processedRowsPerSecond"];

/// A moment, its place, and the name of its branch.
pub(crate) type Stand<'a> = (&'a Moment, Place, &'a str);

/// What differs between two moments.
pub(crate) fn compare(left: Stand<'_>, right: Stand<'_>) -> Comparison {
    let (objects, same_objects) = objects(left.0, right.0);
    let sinks = sinks(left.0, right.0);
    Comparison {
        left: side(left),
        right: side(right),
        sentence: sentence(&sinks, objects.len()),
        objects,
        same_objects,
        sinks,
        progress: progress(&left.0.lanes, &right.0.lanes),
    }
}

fn side((moment, place, name): Stand<'_>) -> Side {
    Side {
        place,
        name: name.to_owned(),
        sentence: moment.mark.sentence.clone(),
        at: moment.mark.at,
        cost: cost(&moment.lanes),
    }
}

/// What all queries up to a moment have asked of the store.
fn cost(lanes: &Lanes) -> Cost {
    let mut sum = Cost::default();
    for lane in lanes.iter() {
        sum += lane.view.start;
        sum += lane.view.idle;
        for batch in &lane.batches {
            sum += batch.cost;
        }
    }
    sum
}

/// The objects that differ, and how many do not. A time alone is no difference.
fn objects(left: &Moment, right: &Moment) -> (Vec<ObjectDifference>, u64) {
    let paths = |moment: &Moment| -> BTreeSet<String> {
        moment.world.peek_list(moment.world.root()).into_iter().map(|meta| meta.path).collect()
    };
    let mut found = Vec::new();
    let mut same = 0;
    for path in paths(left).union(&paths(right)) {
        let (old, new) = (left.world.peek(path), right.world.peek(path));
        let is_same = matches!((old, new), (Some(old), Some(new)) if store::is_same_content(old, new));
        if is_same {
            same += 1;
            continue;
        }
        let Some(shown) = store::relative(&left.world, path) else { continue };
        if found.len() < OBJECTS_MAX {
            let any = new.or(old);
            found.push(ObjectDifference {
                path: shown.to_owned(),
                left: old.map(|object| object.bytes.len() as u64),
                right: new.map(|object| object.bytes.len() as u64),
                note: any.map(|object| store::note(shown, &object.bytes)).unwrap_or_default(),
            });
        }
    }
    (found, same)
}

fn sinks(left: &Moment, right: &Moment) -> Vec<SinkDifference> {
    let of = |moment: &Moment| tables(&moment.world, &moment.lanes, &moment.memories);
    let (left, mut right) = (of(left), of(right));
    let mut found: Vec<SinkDifference> = Vec::new();
    for table in left {
        let at = right.iter().position(|other| other.name == table.name);
        let other = at.map(|at| right.remove(at)).unwrap_or_default();
        found.push(difference(&table, &other));
    }
    found.extend(right.iter().map(|other| difference(&Table::default(), other)));
    found
}

fn difference(left: &Table, right: &Table) -> SinkDifference {
    let named = if left.name.is_empty() { right } else { left };
    let mut counts: BTreeMap<&[String], (u64, u64)> = BTreeMap::new();
    for row in &left.rows {
        counts.entry(&row.cells).or_default().0 += 1;
    }
    for row in &right.rows {
        counts.entry(&row.cells).or_default().1 += 1;
    }
    let rows = counts.into_iter().filter(|(_, (left, right))| left != right).take(ROWS_MAX);
    SinkDifference {
        name: named.name.clone(),
        columns: if right.columns.len() > left.columns.len() { &right.columns } else { &left.columns }
            .clone(),
        left_total: left.total,
        right_total: right.total,
        rows: rows
            .map(|(cells, (left, right))| RowDifference { cells: cells.to_vec(), left, right })
            .collect(),
    }
}

/// The measures of the newest progress of each side that differ.
fn progress(left: &Lanes, right: &Lanes) -> Vec<Measure> {
    let newest = |lanes: &Lanes| -> BTreeMap<String, String> {
        let mut leaves = BTreeMap::new();
        let text = lanes.iter().filter(|lane| !lane.view.last_progress.is_empty()).last();
        if let Some(json) = text.and_then(|lane| serde_json::from_str::<Json>(&lane.view.last_progress).ok())
        {
            flatten("", &json, &mut leaves);
        }
        leaves
    };
    let (left, right) = (newest(left), newest(right));
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let value = |side: &BTreeMap<String, String>, name: &str| {
        side.get(name).cloned().unwrap_or_else(|| "-".to_owned())
    };
    names
        .into_iter()
        .map(|name| Measure { name: name.clone(), left: value(&left, name), right: value(&right, name) })
        .filter(|measure| measure.left != measure.right)
        .take(MEASURES_MAX)
        .collect()
}

fn flatten(name: &str, json: &Json, leaves: &mut BTreeMap<String, String>) {
    match json {
        Json::Object(fields) => {
            for (field, value) in fields.iter().filter(|(field, _)| !RESTLESS.contains(&field.as_str())) {
                let below = if name.is_empty() { field.clone() } else { format!("{name}.{field}") };
                flatten(&below, value, leaves);
            }
        }
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                flatten(&format!("{name}[{at}]"), item, leaves);
            }
        }
        Json::String(text) => {
            leaves.insert(name.to_owned(), text.clone());
        }
        other => {
            leaves.insert(name.to_owned(), other.to_string());
        }
    }
}

// ---- words

/// `out/ holds 3 rows on the left and 6 on the right; id 1, 2 and 3 are there twice on the right.`
fn sentence(sinks: &[SinkDifference], objects: usize) -> String {
    let files = match objects {
        0 => "All files are the same.".to_owned(),
        1 => "One file differs.".to_owned(),
        n => format!("{n} files differ."),
    };
    let differing = sinks.iter().find(|sink| sink.left_total != sink.right_total || !sink.rows.is_empty());
    match (differing, sinks.first()) {
        (Some(sink), _) => format!("{}. {files}", of_sink(sink)),
        (None, Some(sink)) if sinks.len() == 1 => {
            format!("{} holds the same {} on both sides. {files}", sink.name, rows(sink.left_total))
        }
        (None, Some(_)) => format!("The tables hold the same rows on both sides. {files}"),
        (None, None) => format!("No query has written yet. {files}"),
    }
}

fn of_sink(sink: &SinkDifference) -> String {
    let mut text = if sink.left_total == sink.right_total {
        format!("{} holds {} on both sides, not the same ones", sink.name, rows(sink.left_total))
    } else {
        format!(
            "{} holds {} on the left and {} on the right",
            sink.name,
            rows(sink.left_total),
            sink.right_total
        )
    };
    let kinds: [(&str, fn(&RowDifference) -> bool); 4] = [
        ("more often on the right", |row| row.left > 0 && row.right > row.left),
        ("more often on the left", |row| row.right > 0 && row.left > row.right),
        ("only on the right", |row| row.left == 0),
        ("only on the left", |row| row.right == 0),
    ];
    for (place, holds) in kinds {
        let found: Vec<&RowDifference> = sink.rows.iter().filter(|row| holds(row)).collect();
        if !found.is_empty() {
            text += &format!("; {} {place}", named(sink, &found));
        }
    }
    text
}

/// `id 1, 2 and 3 are`, or how many rows if the first column does not tell them apart or there are many.
fn named(sink: &SinkDifference, found: &[&RowDifference]) -> String {
    let keys: BTreeSet<&str> = found.iter().filter_map(|row| row.cells.first().map(String::as_str)).collect();
    let verb = if found.len() == 1 { "is" } else { "are" };
    let Some(column) = sink.columns.first().filter(|_| found.len() <= NAMED_MAX && keys.len() == found.len())
    else {
        return format!("{} {verb}", rows(found.len() as u64));
    };
    let keys: Vec<&str> = keys.into_iter().collect();
    let list = match keys.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => keys.concat(),
    };
    format!("{column} {list} {verb}")
}

fn rows(count: u64) -> String {
    if count == 1 { "1 row".to_owned() } else { format!("{count} rows") }
}
