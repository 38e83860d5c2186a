//! A numbered log that repeats itself: every tenth entry holds all earlier ones too, `9.compact`. File sources and file
//! sinks keep one.

use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_engine::stream::log::{MetadataLog, check_version, illegal_state, incomplete, read_text};
use tidemark_types::SparkError;
use tidemark_world::{Entry, World};

/// The newest version of an entry that can be read.
const HIGHEST: u32 = 1;

/// The settings of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LogSettings {
    compact_interval: i64,
    cleanup_delay_ms: i64,
    deletes: bool,
    retained: i64,
}

impl LogSettings {
    /// The settings of `kind`: `fileSource` or `fileSink`.
    pub(crate) fn of(settings: &dyn Settings, kind: &str) -> Self {
        let text = |name: &str| settings.get(&format!("spark.sql.streaming.{name}"));
        let number = |name: &str, default: i64| {
            text(name).and_then(|text| text.trim().trim_end_matches("ms").parse().ok()).unwrap_or(default)
        };
        LogSettings {
            compact_interval: number(&format!("{kind}.log.compactInterval"), 10).max(1),
            cleanup_delay_ms: number(&format!("{kind}.log.cleanupDelay"), 600_000),
            deletes: text(&format!("{kind}.log.deletion")).as_deref() != Some("false"),
            retained: number("minBatchesToRetain", 100),
        }
    }
}

/// The entries of one folder; an entry is a list of lines, each the JSON of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompactLog {
    log: MetadataLog,
    settings: LogSettings,
    pub(crate) interval: i64,
    /// The folder as messages name it.
    shown: String,
}

impl CompactLog {
    /// Opens the log in a folder, which is made if it is not there.
    pub(crate) fn open(world: &mut World, folder: &str, settings: LogSettings) -> Result<CompactLog> {
        world.make_folders(folder)?;
        Ok(CompactLog::at(world, folder, settings, &format!("file:{folder}")))
    }

    /// The log in a folder as it is there, for readers, and how messages name it.
    pub(crate) fn at(world: &mut World, folder: &str, settings: LogSettings, shown: &str) -> CompactLog {
        let interval_set = settings.compact_interval;
        let log = MetadataLog::new(folder);
        let mut log = CompactLog { log, settings, interval: interval_set, shown: shown.to_owned() };
        let compacted: Vec<i64> =
            log.names(world).iter().filter_map(|n| n.strip_suffix(".compact")).filter_map(id_of).collect();
        log.interval = interval(&compacted, settings.compact_interval);
        log
    }

    /// The number of the newest entry.
    pub(crate) fn latest(&self, world: &mut World) -> Option<i64> {
        self.names(world).iter().filter_map(|n| id_of(n.strip_suffix(".compact").unwrap_or(n))).max()
    }

    /// The name of an entry's file.
    pub(crate) fn name(&self, id: i64) -> String {
        if self.is_compaction(id) { format!("{id}.compact") } else { id.to_string() }
    }

    /// The lines of all entries, in their order.
    pub(crate) fn all(&self, world: &mut World) -> Result<Vec<String>> {
        let Some(latest) = self.latest(world) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for id in self.last_compaction(latest)..=latest {
            let entry = self.read(world, id)?.ok_or_else(|| {
                let why = format!("(latestId: {latest}, compactInterval: {})", self.interval);
                let text = format!("{}/{} doesn't exist {why}", self.shown, self.name(id));
                SparkError::java("java.io.FileNotFoundException", text)
            })?;
            out.extend(entry);
        }
        Ok(out)
    }

    /// The lines of an entry, a compacted one whole; `None` when it is not there.
    pub(crate) fn read(&self, world: &mut World, id: i64) -> Result<Option<Vec<String>>> {
        let path = format!("{}/{}", self.log.folder(), self.name(id));
        let Some(text) = read_text(world, &path)? else { return Ok(None) };
        let mut lines = text.lines();
        let checked = match lines.next() {
            Some(first) => check_version(first, HIGHEST).map(|_| ()),
            None => Err(incomplete("Incomplete log file")),
        };
        checked.map_err(|broken| broken.of(&path))?;
        Ok(Some(lines.map(str::to_owned).collect()))
    }

    /// Writes an entry, compacted when it is its turn: then with the earlier lines that are to be kept. Says `false`
    /// when it is already there.
    pub(crate) fn add(
        &self,
        world: &mut World,
        id: i64,
        lines: &[String],
        keeps: &dyn Fn(&str) -> bool,
    ) -> Result<bool> {
        let mut text = String::from("v1");
        let mut push = |line: &str| {
            text.push('\n');
            text.push_str(line);
        };
        if self.is_compaction(id) {
            for before in self.last_compaction(id - 1)..id {
                let entry = self.read(world, before)?.ok_or_else(|| {
                    let why = format!("when compacting batch {id} (compactInterval: {})", self.interval);
                    illegal_state(format!("{}/{} doesn't exist {why}", self.shown, self.name(before)))
                })?;
                entry.iter().filter(|line| keeps(line)).for_each(|line| push(line));
            }
        }
        lines.iter().for_each(|line| push(line));
        let added = self.log.add_named(world, &self.name(id), &text)?;
        if added && self.settings.deletes {
            self.delete_expired(world, id)?;
        }
        Ok(added)
    }

    /// Where the newest compaction is, 0 if there is none yet.
    pub(crate) fn newest_compaction(&self, world: &mut World) -> Option<i64> {
        self.latest(world).map(|latest| self.last_compaction(latest))
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

#[cfg(test)]
mod tests {
    use super::*;

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
