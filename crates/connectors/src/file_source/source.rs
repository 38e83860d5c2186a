//! The file source: list, note, plan, read.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_engine::connector::Settings;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_engine::stream::jackson::parse_json;
use tidemark_engine::stream::log::illegal_state;
use tidemark_engine::{Offset, ReadLimit, Result, Source, Task};
use tidemark_plan::ReadSpec;
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SimTime, SparkError, StructType};
use tidemark_world::World;

use crate::compact_log::LogSettings;
use crate::condition;
use crate::file_source::listing::{Found, filtered, list, partition_of};
use crate::file_source::options::{CleanSource, FileStreamOptions};
use crate::file_source::seen::SeenFiles;
use crate::file_source::source_log::{FileEntry, SourceLog};
use crate::format::{FileFormat, read_files};
use crate::glob;
use crate::packing::InputFile;
use crate::sink::sink_log::{IGNORED, logged_files};

/// Settings of the session that matter when files are read.
const READ_SETTINGS: [&str; 7] = [
    "spark.sql.files.openCostInBytes",
    "spark.sql.files.maxPartitionBytes",
    "spark.sql.files.minPartitionNum",
    "spark.sql.leafNodeDefaultParallelism",
    "spark.default.parallelism",
    "spark.sql.files.ignoreMissingFiles",
    IGNORED,
];

/// How many files a sentence names before it only counts.
const NAMES_MAX: usize = 3;

/// A folder of files as a stream.
#[derive(Clone, Debug)]
pub struct FileSource {
    format: Arc<dyn FileFormat>,
    options: Options,
    stream: FileStreamOptions,
    schema: Arc<StructType>,
    settings: QueryConf,
    log_settings: LogSettings,
    /// As the script wrote it.
    text: String,
    /// The absolute path or pattern.
    path: String,
    metadata_path: String,
    log: Option<SourceLog>,
    state: Arc<State>,
}

/// What changes from batch to batch; shared by the moments that a clone keeps.
#[derive(Clone, Debug)]
struct State {
    seen: SeenFiles,
    /// The number of the newest entry, −1 if none.
    newest: i64,
    /// The entries that this run has read or written.
    entries: BTreeMap<i64, Vec<FileEntry>>,
    /// What `list` has taken and `note` has not written yet.
    taken: Vec<Found>,
    /// Files of the last listing that wait for a later batch.
    unread: Option<Vec<Found>>,
    /// The only files that this run may take.
    frozen: Option<Vec<Found>>,
    /// What `read` will read.
    planned: Vec<InputFile>,
    /// Whether the folder is that of a file sink, once a listing has told.
    sink_folder: Option<bool>,
}

impl FileSource {
    /// A source over the folder that `spec` names. Does not touch the store.
    ///
    /// Errors: `IllegalArgumentException` for a bad option.
    pub fn open(
        format: Arc<dyn FileFormat>,
        settings: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
        metadata_path: &str,
    ) -> Result<FileSource> {
        let stream = FileStreamOptions::parse(&spec.options)?;
        let text = spec.paths.first().cloned().unwrap_or_default();
        let read_settings = READ_SETTINGS
            .iter()
            .filter_map(|name| settings.get(name).map(|value| ((*name).to_owned(), value)))
            .collect();
        let seen = SeenFiles::new(stream.age_in_force_ms(), stream.file_name_only);
        Ok(FileSource {
            format,
            options: spec.options.clone(),
            stream,
            schema: schema.clone(),
            settings: QueryConf::new(read_settings),
            log_settings: LogSettings::of(settings, "fileSource"),
            text,
            path: String::new(),
            metadata_path: metadata_path.to_owned(),
            log: None,
            state: Arc::new(State {
                seen,
                newest: -1,
                entries: BTreeMap::new(),
                taken: Vec::new(),
                unread: None,
                frozen: None,
                planned: Vec::new(),
                sink_folder: None,
            }),
        })
    }

    fn state(&mut self) -> &mut State {
        Arc::make_mut(&mut self.state)
    }

    fn log(&self) -> SourceLog {
        self.log.clone().expect("recover comes before anything else")
    }

    /// `sources/0`, the end of the folder in the checkpoint.
    fn short_folder(&self) -> &str {
        let start = self.metadata_path.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1);
        &self.metadata_path[start..]
    }

    fn is_pattern(&self) -> bool {
        glob::is_pattern(&self.text)
    }

    /// A folder is the base of its files; a pattern has no base.
    fn check_base(&self, world: &World, files: &[String]) -> Result<()> {
        if self.is_pattern() {
            return Ok(());
        }
        if world.head(&self.path).is_some() {
            let text = "Option 'basePath' must be a directory";
            return Err(SparkError::plain(ErrorClass::IllegalArgument, text).into());
        }
        if let Some(stray) = files.iter().find(|file| !file.starts_with(&self.path)) {
            let base = self.text.trim_end_matches('/');
            let text = format!("Wrong basePath {base} for the root path: file:{stray}");
            return Err(SparkError::plain(ErrorClass::IllegalArgument, text).into());
        }
        Ok(())
    }

    /// Files must not be archived to where they would be found again.
    fn check_archive(&self, world: &World) -> Result<()> {
        let CleanSource::Archive(folder) = &self.stream.clean_source else { return Ok(()) };
        let archive = world.resolve(folder);
        let parts =
            |path: &str| path.split('/').filter(|p| !p.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        if parts(&self.path).iter().zip(&parts(&archive)).all(|(pattern, name)| glob::matches(pattern, name))
        {
            let text = "requirement failed: Base archive path cannot be set to the path where archived path can possibly \
                        match with source pattern. Ensure the base archive path doesn't match with source pattern in \
                        depth, where the depth is minimum of depth on both paths.";
            return Err(SparkError::plain(ErrorClass::IllegalArgument, text).into());
        }
        Ok(())
    }

    /// All files, in the order of reading: those of the log if a file sink writes into the folder.
    ///
    /// Errors: `cleanSource` over such a folder; a broken log.
    fn files(&mut self, world: &mut World) -> Result<Vec<Found>> {
        if self.state.sink_folder != Some(false) && !self.is_pattern() {
            let path = self.path.clone();
            if let Some(logged) = logged_files(world, &self.settings, &path, &format!("file:{path}"))? {
                self.state().sink_folder = Some(true);
                if self.stream.clean_source != CleanSource::Off {
                    return Err(condition::clean_source_of_sink().into());
                }
                let found = logged.into_iter().map(|file| Found {
                    path: world.from_uri(&file.path),
                    uri: file.path,
                    size: file.size,
                    modified: SimTime(file.modification_time),
                });
                return Ok(filtered(found.collect(), &self.stream));
            }
        }
        let files = list(world, &self.path, &self.stream);
        if !files.is_empty() {
            self.state().sink_folder = Some(false);
        }
        Ok(files)
    }

    /// The new files that a batch takes, and those that wait.
    fn split(&self, mut files: Vec<Found>, limit: ReadLimit) -> (Vec<Found>, Option<Vec<Found>>) {
        let keeps_rest = !self.stream.latest_first && self.state.frozen.is_none();
        let (count, least) = match limit {
            ReadLimit::MaxFiles(most) => (most as usize, most as f64),
            ReadLimit::MaxBytes(most) => (files_below(&files, most), most as f64),
            ReadLimit::All | ReadLimit::MaxRows(_) => (files.len(), 0.0),
        };
        let rest = files.split_off(count.min(files.len()));
        let left = match limit {
            ReadLimit::MaxBytes(_) => rest.iter().map(|f| f.size).sum::<u64>() as f64,
            ReadLimit::All | ReadLimit::MaxFiles(_) | ReadLimit::MaxRows(_) => rest.len() as f64,
        };
        let too_few = left < least * self.stream.discard_cached_input_ratio;
        if !keeps_rest || rest.is_empty() || too_few {
            return (files, None);
        }
        let kept: Vec<Found> = rest.into_iter().take(self.stream.max_cached_files as usize).collect();
        (files, (!kept.is_empty()).then_some(kept))
    }

    fn entries_between(&self, start: Option<&Offset>, end: &Offset) -> Result<std::ops::RangeInclusive<i64>> {
        let first = start.map(log_offset).transpose()?.map_or(0, |start| start + 1);
        Ok(first..=log_offset(end)?)
    }
}

impl Source for FileSource {
    fn schema(&self) -> Arc<StructType> {
        self.schema.clone()
    }

    fn description(&self) -> String {
        format!("FileStreamSource[file:{}]", self.path)
    }

    fn recover(&mut self, world: &mut World) -> Result<()> {
        self.path = world.resolve(&self.text);
        self.check_archive(world)?;
        let log = SourceLog::open(world, &self.metadata_path, self.log_settings)?;
        let files = log.all(world)?;
        let newest = log.latest(world).unwrap_or(-1);
        self.log = Some(log);
        let state = self.state();
        state.newest = newest;
        for file in files {
            state.seen.add(&file.path, file.timestamp);
            state.entries.entry(file.batch_id).or_default().push(file);
        }
        if newest >= 0 {
            state.seen.purge();
        }
        Ok(())
    }

    fn prepare_available_now(&mut self, world: &mut World) -> Result<()> {
        let files = self.files(world)?;
        self.state().frozen = Some(files);
        Ok(())
    }

    fn default_limit(&self) -> ReadLimit {
        self.stream.limit()
    }

    fn list(
        &mut self,
        world: &mut World,
        _start: Option<&Offset>,
        limit: ReadLimit,
    ) -> Result<Option<String>> {
        let fresh = match self.state().unread.take() {
            Some(files) => files,
            None => {
                self.check_base(world, &[])?;
                let all = match self.state.frozen.clone() {
                    Some(files) => files,
                    None => self.files(world)?,
                };
                let seen = &self.state.seen;
                all.into_iter().filter(|f| seen.is_new(&f.uri, f.modified.0)).collect()
            }
        };
        let (taken, unread) = self.split(fresh, limit);
        let state = self.state();
        state.unread = unread;
        for file in &taken {
            state.seen.add(&file.uri, file.modified.0);
        }
        state.seen.purge();
        let names: Vec<&str> = taken.iter().map(|f| last(&f.path)).collect();
        let words = (!names.is_empty())
            .then(|| format!("{} {} new", enumerate(&names), if names.len() == 1 { "is" } else { "are" }));
        state.taken = taken;
        Ok(words)
    }

    fn note(&mut self, world: &mut World) -> Result<Option<String>> {
        if self.state.taken.is_empty() {
            return Ok(None);
        }
        let id = self.state.newest + 1;
        let taken = std::mem::take(&mut self.state().taken);
        let files: Vec<FileEntry> = taken
            .iter()
            .map(|f| FileEntry { path: f.uri.clone(), timestamp: f.modified.0, batch_id: id })
            .collect();
        let log = self.log();
        if !log.add(world, id, &files)? {
            let text = format!("Concurrent update to the log. Multiple streaming jobs detected for {id}");
            return Err(illegal_state(text).into());
        }
        let names: Vec<&str> = taken.iter().map(|f| last(&f.path)).collect();
        let words = format!("{}/{} lists {}", self.short_folder(), log.name(id), enumerate(&names));
        let state = self.state();
        state.newest = id;
        state.entries.insert(id, files);
        Ok(Some(words))
    }

    fn latest_offset(&self, _start: Option<&Offset>) -> Result<Option<Offset>> {
        let newest = self.state.newest;
        Ok((newest >= 0).then(|| Offset(format!("{{\"logOffset\":{newest}}}"))))
    }

    fn plan(&mut self, world: &mut World, start: Option<&Offset>, end: &Offset) -> Result<()> {
        let range = self.entries_between(start, end)?;
        let entries = self.log().range(world, *range.start(), *range.end())?;
        let paths: Vec<String> = entries.iter().map(|entry| world.from_uri(&entry.path)).collect();
        self.check_base(world, &paths)?;
        let base = self.path.clone();
        let planned = paths
            .iter()
            .filter_map(|path| world.head(path))
            .map(|meta| InputFile {
                partition: partition_of(&base, &meta.path),
                path: meta.path,
                size: meta.size,
                modified: meta.modified,
            })
            .collect();
        let state = self.state();
        state.planned = planned;
        for id in range {
            state.entries.insert(id, entries.iter().filter(|e| e.batch_id == id).cloned().collect());
        }
        Ok(())
    }

    fn read(&mut self, world: &mut World) -> Result<Vec<Task>> {
        let format = self.format.as_ref();
        read_files(world, &self.settings, format, &self.state.planned, &self.schema, &self.options)
    }

    fn commit(&mut self, world: &mut World, end: &Offset) -> Result<Option<String>> {
        if self.stream.clean_source == CleanSource::Off {
            return Ok(None);
        }
        let id = log_offset(end)?;
        let mut gone = Vec::new();
        for entry in self.log().range(world, id, id)? {
            let path = world.from_uri(&entry.path);
            if world.head(&path).is_none() {
                continue;
            }
            if let CleanSource::Archive(folder) = &self.stream.clean_source {
                let bytes = world.get(&path)?;
                let archived = format!("{}{path}", world.resolve(folder));
                world.put(&archived, bytes)?;
            }
            world.delete(&path)?;
            gone.push(path);
        }
        let names: Vec<&str> = gone.iter().map(|path| last(path)).collect();
        let verb =
            if matches!(self.stream.clean_source, CleanSource::Delete) { "deleted" } else { "archived" };
        Ok((!names.is_empty())
            .then(|| format!("The batch before is done for good: {} {verb}.", enumerate(&names))))
    }

    fn words(&self, start: Option<&Offset>, end: &Offset) -> String {
        let Ok(range) = self.entries_between(start, end) else { return end.0.clone() };
        let names: Vec<&str> =
            range.filter_map(|id| self.state.entries.get(&id)).flatten().map(|f| last(&f.path)).collect();
        if names.is_empty() { format!("{} up to {}", self.description(), end.0) } else { enumerate(&names) }
    }

    fn boxed_clone(&self) -> Box<dyn Source> {
        Box::new(self.clone())
    }
}

/// How many files stay within a number of bytes, one at least.
fn files_below(files: &[Found], most: u64) -> usize {
    let mut sum: u64 = 0;
    for (index, file) in files.iter().enumerate() {
        sum = sum.saturating_add(file.size);
        if index > 0 && sum > most {
            return index;
        }
    }
    files.len()
}

/// The number in `{"logOffset":2}`, or a bare number as old checkpoints have it.
fn log_offset(offset: &Offset) -> Result<i64> {
    let value = parse_json(&offset.0)?;
    let number = value.as_i64().or_else(|| value.get("logOffset")?.as_i64());
    number.ok_or_else(|| illegal_state(format!("For input string: \"{}\"", offset.0)).into())
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`.
fn enumerate(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(NAMES_MAX));
    let mut parts: Vec<String> = shown.iter().map(|n| (*n).to_owned()).collect();
    if !more.is_empty() {
        parts.push(format!("{} more", more.len()));
    }
    match parts.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_sentence() {
        let table: [(&[&str], &str); 5] = [
            (&[], ""),
            (&["a"], "a"),
            (&["a", "b"], "a and b"),
            (&["a", "b", "c"], "a, b and c"),
            (&["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
        ];
        for (names, wanted) in table {
            assert_eq!(enumerate(names), wanted);
        }
    }

    #[test]
    fn offsets() {
        for (text, wanted) in [("{\"logOffset\":2}", Some(2)), ("7", Some(7)), ("x", None)] {
            assert_eq!(log_offset(&Offset(text.into())).ok(), wanted, "{text}");
        }
    }
}
