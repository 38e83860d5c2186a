//! `sources/0/K`: which files the offset K stands for. Every tenth entry repeats all earlier ones: `9.compact`.

use serde::{Deserialize, Serialize};
use tidemark_engine::Result;
use tidemark_engine::stream::jackson::parse_json;
use tidemark_engine::stream::log::illegal_state;
use tidemark_world::World;

use crate::compact_log::{CompactLog, LogSettings};

/// One file of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FileEntry {
    /// The URI, encoded.
    pub(crate) path: String,
    /// The modification time in milliseconds.
    pub(crate) timestamp: i64,
    /// The number of the entry that the file came with.
    pub(crate) batch_id: i64,
}

/// The log of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceLog(CompactLog);

impl SourceLog {
    /// Opens the log in a folder, which is made if it is not there.
    pub(crate) fn open(world: &mut World, folder: &str, settings: LogSettings) -> Result<SourceLog> {
        CompactLog::open(world, folder, settings).map(SourceLog)
    }

    /// The number of the newest entry.
    pub(crate) fn latest(&self, world: &mut World) -> Option<i64> {
        self.0.latest(world)
    }

    /// The name of an entry's file.
    pub(crate) fn name(&self, id: i64) -> String {
        self.0.name(id)
    }

    /// All files of the log, in the order of the entries.
    pub(crate) fn all(&self, world: &mut World) -> Result<Vec<FileEntry>> {
        entries(&self.0.all(world)?)
    }

    /// The files of the entries from `first` to `last`.
    ///
    /// Errors: an entry that is not there, with Spark's text.
    pub(crate) fn range(&self, world: &mut World, first: i64, last: i64) -> Result<Vec<FileEntry>> {
        if first > last {
            return Ok(Vec::new());
        }
        let mut found: Vec<(i64, Vec<FileEntry>)> = Vec::new();
        let mut removed = Vec::new();
        for id in first..=last {
            match self.0.read(world, id)? {
                Some(lines) => {
                    found.push((id, entries(&lines)?.into_iter().filter(|f| f.batch_id == id).collect()));
                }
                None => removed.push(id),
            }
        }
        if !removed.is_empty() {
            found.extend(self.cleaned_entries(world, &removed)?);
            found.sort_by_key(|(id, _)| *id);
        }
        verify(&found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), first, last)?;
        Ok(found.into_iter().flat_map(|(_, files)| files).collect())
    }

    /// Entries that have been cleaned away, from the newest compaction.
    fn cleaned_entries(&self, world: &mut World, ids: &[i64]) -> Result<Vec<(i64, Vec<FileEntry>)>> {
        let Some(newest) = self.0.newest_compaction(world) else { return Ok(Vec::new()) };
        let all = entries(&self.0.read(world, newest)?.unwrap_or_default())?;
        let mut out = Vec::new();
        for id in ids {
            let files: Vec<FileEntry> = all.iter().filter(|f| f.batch_id == *id).cloned().collect();
            if !files.is_empty() {
                out.push((*id, files));
            }
        }
        Ok(out)
    }

    /// Writes an entry, compacted when it is its turn. Says `false` when it is already there.
    pub(crate) fn add(&self, world: &mut World, id: i64, files: &[FileEntry]) -> Result<bool> {
        let text = |file| serde_json::to_string(file).expect("an entry has texts and numbers only");
        let lines: Vec<String> = files.iter().map(text).collect();
        self.0.add(world, id, &lines, &|_| true)
    }
}

fn entries(lines: &[String]) -> Result<Vec<FileEntry>> {
    let entry = |line: &String| {
        serde_json::from_value(parse_json(line)?).map_err(|error| illegal_state(error.to_string()).into())
    };
    lines.iter().map(entry).collect()
}

/// Checks that all entries of a range were found.
fn verify(found: &[i64], first: i64, last: i64) -> Result<()> {
    let (Some(low), Some(high)) = (found.first(), found.last()) else {
        return Err(illegal_state(format!("batch {first} doesn't exist")).into());
    };
    let list =
        |ids: &mut dyn Iterator<Item = i64>| ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", ");
    let missing = if *low != first {
        list(&mut (first..=*low))
    } else if *high != last {
        list(&mut (*high..=last))
    } else {
        list(&mut (first..=last).filter(|id| !found.contains(id)))
    };
    if missing.is_empty() {
        return Ok(());
    }
    let text = format!("batches ({missing}) don't exist (startId: Some({first}), endId: Some({last}))");
    Err(illegal_state(text).into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use tidemark_engine::stream::conf::QueryConf;
    use tidemark_engine::stream::log::read_text;
    use tidemark_types::{Millis, SimTime};

    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> LogSettings {
        let prefix = "spark.sql.streaming.";
        let map: BTreeMap<String, String> =
            pairs.iter().map(|(k, v)| (format!("{prefix}{k}"), (*v).to_owned())).collect();
        LogSettings::of(&QueryConf::new(map), "fileSource")
    }

    fn file(id: i64) -> FileEntry {
        FileEntry { path: format!("file:///in/f{id}.json"), timestamp: id * 1000, batch_id: id }
    }

    fn filled(world: &mut World, settings: LogSettings, count: i64) -> SourceLog {
        let log = SourceLog::open(world, "/w/ckpt/sources/0", settings).expect("the folder is free");
        for id in 0..count {
            world.advance(Millis(10));
            assert_eq!(log.add(world, id, &[file(id)]), Ok(true));
        }
        log
    }

    fn names(world: &mut World) -> Vec<String> {
        world
            .peek_list("/w/ckpt/sources/0")
            .iter()
            .map(|m| m.path["/w/ckpt/sources/0/".len()..].to_owned())
            .collect()
    }

    #[test]
    fn every_tenth_entry_repeats_all() {
        let mut world = World::new("/w", 0, SimTime(0));
        let log = filled(&mut world, settings(&[]), 12);
        assert_eq!(names(&mut world), ["0", "1", "10", "11", "2", "3", "4", "5", "6", "7", "8", "9.compact"]);
        let text = read_text(&mut world, "/w/ckpt/sources/0/0").expect("no fault").expect("it is there");
        assert_eq!(text, "v1\n{\"path\":\"file:///in/f0.json\",\"timestamp\":0,\"batchId\":0}");
        let all: Vec<i64> = log.all(&mut world).expect("all are there").iter().map(|f| f.batch_id).collect();
        assert_eq!(all, (0..12).collect::<Vec<_>>());
        for (first, last) in [(0, 0), (9, 9), (8, 10), (11, 11)] {
            let ids: Vec<i64> = log
                .range(&mut world, first, last)
                .expect("all are there")
                .iter()
                .map(|f| f.batch_id)
                .collect();
            assert_eq!(ids, (first..=last).collect::<Vec<_>>());
        }
        assert_eq!(log.add(&mut world, 11, &[file(11)]), Ok(false));
    }

    #[test]
    fn old_entries_go_when_a_compaction_covers_them() {
        let mut world = World::new("/w", 0, SimTime(0));
        let settings = settings(&[
            ("fileSource.log.compactInterval", "3"),
            ("fileSource.log.cleanupDelay", "0"),
            ("minBatchesToRetain", "2"),
        ]);
        let log = filled(&mut world, settings, 11);
        assert_eq!(names(&mut world), ["10", "8.compact", "9"]);
        assert_eq!(log.range(&mut world, 1, 1).expect("the compaction has it"), [file(1)]);
        let reopened = SourceLog::open(&mut world, "/w/ckpt/sources/0", settings).expect("it is there");
        assert_eq!(reopened.0.interval, 3, "one compaction file is left: the interval must fit it");
    }

    #[test]
    fn missing_entries_have_the_texts_of_spark() {
        let mut world = World::new("/w", 0, SimTime(0));
        let log = filled(&mut world, settings(&[]), 3);
        world.delete("/w/ckpt/sources/0/2").expect("it is there");
        let error = log.range(&mut world, 2, 2).expect_err("it is gone");
        assert_eq!(error.to_string(), "batch 2 doesn't exist");
        let error = log.range(&mut world, 1, 2).expect_err("it is gone");
        assert_eq!(error.to_string(), "batches (1, 2) don't exist (startId: Some(1), endId: Some(2))");
        world.delete("/w/ckpt/sources/0/0").expect("it is there");
        let error = log.all(&mut world).expect_err("it is gone");
        assert_eq!(
            error.to_string(),
            "file:/w/ckpt/sources/0/0 doesn't exist (latestId: 1, compactInterval: 10)"
        );
    }
}
