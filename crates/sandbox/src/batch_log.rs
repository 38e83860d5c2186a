//! What a checkpoint says of its batches: times, watermarks, and the input files of each. Only looks; nothing is counted.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use tidemark_types::SimTime;
use tidemark_world::World;

/// One batch that is planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PlannedBatch {
    /// Its trigger's time.
    pub(crate) at: SimTime,
    /// The watermark that it runs with, in milliseconds; none while there is none.
    pub(crate) watermark: Option<i64>,
    /// The watermark that it left to the next one, once it is done.
    pub(crate) next: Option<i64>,
    /// The end of each source in its log, for sources that keep one.
    ends: Vec<Option<i64>>,
}

/// The batches of a checkpoint, by number.
pub(crate) fn batches(world: &World, checkpoint: &str) -> BTreeMap<i64, PlannedBatch> {
    let mut found = BTreeMap::new();
    for (number, text) in numbered(world, &format!("{checkpoint}/offsets")) {
        let mut lines = text.lines().skip(1);
        let Some(metadata) = lines.next().and_then(|l| serde_json::from_str::<Json>(l).ok()) else {
            continue;
        };
        let millis = |name: &str| metadata.get(name).and_then(Json::as_i64).unwrap_or(0);
        let watermark = Some(millis("batchWatermarkMs")).filter(|ms| *ms != 0);
        let ends = lines.map(end_of).collect();
        found.insert(
            number,
            PlannedBatch {
                at: SimTime(millis("batchTimestampMs")),
                watermark,
                ends,
                ..PlannedBatch::default()
            },
        );
    }
    for (number, text) in numbered(world, &format!("{checkpoint}/commits")) {
        let Some(batch) = found.get_mut(&number) else { continue };
        let metadata = text.lines().nth(1).and_then(|l| serde_json::from_str::<Json>(l).ok());
        batch.next =
            metadata.and_then(|m| m.get("nextBatchWatermarkMs").and_then(Json::as_i64)).filter(|ms| *ms != 0);
    }
    found
}

/// The input files of each batch of one source, as absolute paths in the order in which they are read.
pub(crate) fn files(
    world: &World,
    checkpoint: &str,
    source: usize,
    batches: &BTreeMap<i64, PlannedBatch>,
) -> BTreeMap<i64, Vec<String>> {
    let mut noted: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    let folder = format!("{checkpoint}/sources/{source}");
    for meta in world.peek_list(&folder) {
        let Some(object) = world.peek(&meta.path) else { continue };
        for line in String::from_utf8_lossy(&object.bytes).lines().skip(1) {
            let Ok(entry) = serde_json::from_str::<Json>(line) else { continue };
            let (Some(path), Some(id)) =
                (entry.get("path").and_then(Json::as_str), entry.get("batchId").and_then(Json::as_i64))
            else {
                continue;
            };
            let path = world.from_uri(path);
            let files = noted.entry(id).or_default();
            if !files.contains(&path) {
                files.push(path);
            }
        }
    }
    let mut out = BTreeMap::new();
    let mut before: Option<i64> = None;
    for (number, batch) in batches {
        let end = batch.ends.get(source).copied().flatten();
        let start = before.map_or(0, |before| before + 1);
        let files = match end {
            Some(end) if start <= end => {
                noted.range(start..=end).flat_map(|(_, files)| files.clone()).collect()
            }
            _ => Vec::new(),
        };
        out.insert(*number, files);
        before = end.or(before);
    }
    out
}

/// The end in the source's log that an offset names: `{"logOffset":3}`, with the source's id before it in version 2.
fn end_of(line: &str) -> Option<i64> {
    let json = line.find('{').and_then(|at| serde_json::from_str::<Json>(&line[at..]).ok())?;
    json.get("logOffset").and_then(Json::as_i64)
}

/// The files of a log folder whose names are numbers, in their order.
fn numbered(world: &World, folder: &str) -> BTreeMap<i64, String> {
    world
        .peek_list(folder)
        .iter()
        .filter_map(|meta| {
            let number = meta.path.rsplit('/').next()?.parse().ok()?;
            let text = String::from_utf8_lossy(&world.peek(&meta.path)?.bytes).into_owned();
            Some((number, text))
        })
        .collect()
}
