//! `sources/0/K`: which files the offset K stands for. Every tenth entry repeats all earlier ones: `9.compact`.

use serde::{Deserialize, Serialize};
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_engine::stream::jackson::parse_json;
use tidemark_engine::stream::log::{
    Broken, MetadataLog, check_version, illegal_state, incomplete, read_text,
};
use tidemark_types::SparkError;
use tidemark_world::{Entry, World};

/// The newest version of an entry that can be read.
const HIGHEST: u32 = 1;

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

/// The settings of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogSettings {
    compact_interval: i64,
    cleanup_delay_ms: i64,
    deletes: bool,
    retained: i64,
}

impl LogSettings {
    pub(crate) fn of(settings: &dyn Settings) -> Self {
        let number = |name: &str, default: i64| {
            settings
                .get(name)
                .and_then(|text| text.trim().trim_end_matches("ms").parse().ok())
                .unwrap_or(default)
        };
        LogSettings {
            compact_interval: number("spark.sql.streaming.fileSource.log.compactInterval", 10).max(1),
            cleanup_delay_ms: number("spark.sql.streaming.fileSource.log.cleanupDelay", 600_000),
            deletes: settings.get("spark.sql.streaming.fileSource.log.deletion").as_deref() != Some("false"),
            retained: number("spark.sql.streaming.minBatchesToRetain", 100),
        }
    }
}

/// The log of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceLog {
    log: MetadataLog,
    settings: LogSettings,
    interval: i64,
}

impl SourceLog {
    /// Opens the log in a folder, which is made if it is not there.
    pub(crate) fn open(world: &mut World, folder: &str, settings: LogSettings) -> Result<SourceLog> {
        world.make_folders(folder)?;
        let mut log =
            SourceLog { log: MetadataLog::new(folder), settings, interval: settings.compact_interval };
        let compacted: Vec<i64> =
            log.names(world).iter().filter_map(|n| n.strip_suffix(".compact")).filter_map(id_of).collect();
        log.interval = interval(&compacted, settings.compact_interval);
        Ok(log)
    }

    /// The number of the newest entry.
    pub(crate) fn latest(&self, world: &mut World) -> Option<i64> {
        self.names(world).iter().filter_map(|n| id_of(n.strip_suffix(".compact").unwrap_or(n))).max()
    }

    /// The name of an entry's file.
    pub(crate) fn name(&self, id: i64) -> String {
        if self.is_compaction(id) { format!("{id}.compact") } else { id.to_string() }
    }

    /// All files of the log, in the order of the entries.
    pub(crate) fn all(&self, world: &mut World) -> Result<Vec<FileEntry>> {
        let Some(latest) = self.latest(world) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for id in self.last_compaction(latest)..=latest {
            let entry = self.read(world, id)?.ok_or_else(|| {
                illegal_state(format!(
                    "file:{} doesn't exist (latestId: {latest}, compactInterval: {})",
                    self.path(id),
                    self.interval
                ))
            })?;
            out.extend(entry);
        }
        Ok(out)
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
            match self.read(world, id)? {
                Some(files) => found.push((id, files.into_iter().filter(|f| f.batch_id == id).collect())),
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
        let Some(latest) = self.latest(world) else { return Ok(Vec::new()) };
        let all = self.read(world, self.last_compaction(latest))?.unwrap_or_default();
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
        let mut all = Vec::new();
        if self.is_compaction(id) {
            for before in self.last_compaction(id - 1)..id {
                let entry = self.read(world, before)?.ok_or_else(|| {
                    illegal_state(format!(
                        "file:{} doesn't exist when compacting batch {id} (compactInterval: {})",
                        self.path(before),
                        self.interval
                    ))
                })?;
                all.extend(entry);
            }
        }
        all.extend(files.iter().cloned());
        let added = self.log.add_named(world, &self.name(id), &render(&all))?;
        if added && self.settings.deletes {
            self.delete_expired(world, id)?;
        }
        Ok(added)
    }

    /// Deletes entries that a compaction covers and that are old enough.
    fn delete_expired(&self, world: &mut World, newest: i64) -> Result<()> {
        let oldest_kept = newest + 1 - self.settings.retained;
        if self.interval > oldest_kept {
            return Ok(());
        }
        let covering = oldest_kept - oldest_kept % self.interval - 1;
        let expired = world.now().0 - self.settings.cleanup_delay_ms;
        for entry in world.children(self.log.folder()) {
            let Entry::File(meta) = entry else { continue };
            let name = meta.path.rsplit('/').next().unwrap_or_default();
            let id = id_of(name.strip_suffix(".compact").unwrap_or(name));
            if id.is_some_and(|id| id < covering) && meta.modified.0 <= expired {
                world.delete(&meta.path)?;
            }
        }
        Ok(())
    }

    fn read(&self, world: &mut World, id: i64) -> Result<Option<Vec<FileEntry>>> {
        let path = self.path(id);
        let Some(text) = read_text(world, &path)? else { return Ok(None) };
        parse(&text).map(Some).map_err(|broken| broken.of(&path).into())
    }

    fn path(&self, id: i64) -> String {
        format!("{}/{}", self.log.folder(), self.name(id))
    }

    fn is_compaction(&self, id: i64) -> bool {
        (id + 1) % self.interval == 0
    }

    /// The newest compaction at or before an entry, 0 if there is none yet.
    fn last_compaction(&self, id: i64) -> i64 {
        ((id + 1) / self.interval * self.interval - 1).max(0)
    }

    fn names(&self, world: &mut World) -> Vec<String> {
        world
            .children(self.log.folder())
            .iter()
            .filter_map(|entry| match entry {
                Entry::File(meta) => meta.path.rsplit('/').next().map(str::to_owned),
                Entry::Folder(_) => None,
            })
            .collect()
    }
}

fn id_of(name: &str) -> Option<i64> {
    (!name.is_empty() && name.bytes().all(|b| b.is_ascii_digit())).then(|| name.parse().ok()).flatten()
}

fn render(files: &[FileEntry]) -> String {
    let mut out = String::from("v1");
    for file in files {
        out.push('\n');
        out.push_str(&serde_json::to_string(file).expect("an entry has texts and numbers only"));
    }
    out
}

fn parse(text: &str) -> std::result::Result<Vec<FileEntry>, Broken> {
    let mut lines = text.lines();
    let first = lines.next().ok_or_else(|| incomplete("Incomplete log file"))?;
    check_version(first, HIGHEST)?;
    lines.map(|line| entry(line).map_err(Broken::Json)).collect()
}

fn entry(line: &str) -> std::result::Result<FileEntry, SparkError> {
    serde_json::from_value(parse_json(line)?).map_err(|error| illegal_state(error.to_string()))
}

/// The distance between compactions: that of the newest two, or one that fits the only one there is.
fn interval(compacted: &[i64], default: i64) -> i64 {
    let mut newest = compacted.to_vec();
    newest.sort_unstable_by(|a, b| b.cmp(a));
    match newest[..] {
        [] => default,
        [only] if only < default => only + 1,
        [only] if default < (only + 1) / 2 => {
            (default..=(only + 1) / 2).find(|divisor| (only + 1) % divisor == 0).unwrap_or(only + 1)
        }
        [only] => only + 1,
        [last, before, ..] => last - before,
    }
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
    use tidemark_types::{Millis, SimTime};

    use super::*;

    fn settings(pairs: &[(&str, &str)]) -> LogSettings {
        let prefix = "spark.sql.streaming.";
        let map: BTreeMap<String, String> =
            pairs.iter().map(|(k, v)| (format!("{prefix}{k}"), (*v).to_owned())).collect();
        LogSettings::of(&QueryConf::new(map))
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
        assert_eq!(reopened.interval, 3, "one compaction file is left: the interval must fit it");
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

    #[test]
    fn the_interval_follows_what_is_there() {
        let table: [(&[i64], i64, i64); 6] = [
            (&[], 10, 10),
            (&[9], 10, 10),
            (&[2], 10, 3),
            (&[9, 19], 10, 10),
            (&[8], 5, 9),
            (&[2, 5], 10, 3),
        ];
        for (compacted, default, wanted) in table {
            assert_eq!(interval(compacted, default), wanted, "{compacted:?}");
        }
    }
}
