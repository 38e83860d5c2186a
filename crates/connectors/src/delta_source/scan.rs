//! The files of a table in the order in which a stream reads them, with the checks of each commit on the way.

use std::sync::Arc;

use tidemark_delta::action::{Action, Metadata};
use tidemark_delta::{Add, CommitInfo, Error, Snapshot, commit_files, read_commit};
use tidemark_engine::Result;
use tidemark_types::{DataType, StructType};
use tidemark_world::World;

use crate::batch::delta::engine_error;
use crate::batch::files::printed;
use crate::delta_source::condition;
use crate::delta_source::offset::{BASE_INDEX, DeltaOffset};
use crate::delta_source::options::{DeltaStreamOptions, Start};

/// The index after the last file of a version.
pub(crate) const END_INDEX: i64 = i64::MAX;

/// A file of a version, or the mark before its first or after its last file.
#[derive(Clone, Debug)]
pub(crate) struct IndexedFile {
    pub(crate) version: i64,
    pub(crate) index: i64,
    pub(crate) add: Option<Add>,
}

/// The table that is read, as the query knows it.
#[derive(Clone, Debug)]
pub(crate) struct ScannedTable {
    pub(crate) path: String,
    pub(crate) id: String,
    pub(crate) schema: Arc<StructType>,
    pub(crate) options: DeltaStreamOptions,
}

impl ScannedTable {
    /// Goes over the files after `from` up to `end` as long as `admit` says so, and returns the last one it admitted.
    ///
    /// A commit is checked when the first of its files is reached.
    /// Errors: a commit that changes rows or the schema; a gap in the log.
    pub(crate) fn scan(
        &self,
        world: &mut World,
        from: &DeltaOffset,
        end: Option<&DeltaOffset>,
        admit: &mut dyn FnMut(&IndexedFile) -> bool,
    ) -> Result<Option<(i64, i64)>> {
        let mut last = None;
        let mut next = from.version;
        if from.is_starting_version {
            let files = self.snapshot_files(world, from.version)?;
            if !walk(files, from, end, admit, &mut last) {
                return Ok(last);
            }
            next += 1;
        }
        for commit in commit_files(world, &self.path) {
            if commit.version < next {
                continue;
            }
            if end.is_some_and(|end| (commit.version, BASE_INDEX) >= (end.version, end.index)) {
                break;
            }
            if commit.version > next && self.options.fail_on_data_loss {
                return Err(condition::missing_files(next, commit.version).into());
            }
            next = commit.version + 1;
            let files = self.commit_files(world, commit.version)?;
            if !walk(files, from, end, admit, &mut last) {
                break;
            }
        }
        Ok(last)
    }

    /// The snapshot of a version that a stream needs.
    ///
    /// Errors: `DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE` when the log no longer gives it.
    pub(crate) fn snapshot(&self, world: &mut World, version: i64) -> Result<Snapshot> {
        Snapshot::load(world, &self.path, Some(version)).map_err(|error| match error {
            Error::Spark(error) if error.condition.0.starts_with("DELTA_") => {
                condition::log_file_not_found().into()
            }
            other => engine_error(other),
        })
    }

    /// Refuses a schema that the query cannot read.
    pub(crate) fn check_schema(&self, metadata: &Metadata, version: i64) -> Result<()> {
        if metadata.id != self.id {
            return Err(condition::different_table(&metadata.id, &self.id).into());
        }
        let Ok(found) = StructType::from_json(&metadata.schema_string) else { return Ok(()) };
        if is_readable(&found, &self.schema) {
            return Ok(());
        }
        let has_start = self.options.start != Start::Snapshot;
        Err(condition::schema_changed(version, &self.schema, &found, has_start).into())
    }

    fn snapshot_files(&self, world: &mut World, version: i64) -> Result<Vec<IndexedFile>> {
        let mut adds: Vec<Add> = self.snapshot(world, version)?.files().cloned().collect();
        adds.sort_by(|a, b| (a.modification_time, &a.path).cmp(&(b.modification_time, &b.path)));
        Ok(indexed(version, adds))
    }

    fn commit_files(&self, world: &mut World, version: i64) -> Result<Vec<IndexedFile>> {
        let (mut adds, mut removed, mut info) = (Vec::new(), None, None);
        for action in read_commit(world, &self.path, version).map_err(engine_error)? {
            match action {
                Action::Add(add) if add.data_change => adds.push(add),
                Action::Remove(remove) if remove.data_change => {
                    removed.get_or_insert(remove.path);
                }
                Action::Metadata(metadata) => self.check_schema(&metadata, version)?,
                Action::CommitInfo(found) => info = Some(found),
                _ => {}
            }
        }
        if let Some(file) = removed {
            let path = printed(&self.path);
            if !adds.is_empty() && !self.options.allows_changes() {
                let change = info.as_ref().map_or(file, change_text);
                return Err(condition::ignore_changes(&change, version, &path).into());
            }
            if adds.is_empty() && !self.options.allows_deletes() {
                return Err(condition::ignore_delete(&file, version, &path).into());
            }
            if self.options.skip_change_commits {
                adds.clear();
            }
        }
        Ok(indexed(version, adds))
    }
}

/// The operation as the message of a change names it: `WRITE (Map(mode -> "Overwrite"))`.
fn change_text(info: &CommitInfo) -> String {
    format!("{} ({})", info.operation(), info.parameters_as_map_text())
}

/// Files with their numbers between the two marks of a version.
fn indexed(version: i64, adds: Vec<Add>) -> Vec<IndexedFile> {
    let mark = |index| IndexedFile { version, index, add: None };
    let files = adds.into_iter().zip(0..).map(|(add, index)| IndexedFile { version, index, add: Some(add) });
    std::iter::once(mark(BASE_INDEX)).chain(files).chain(std::iter::once(mark(END_INDEX))).collect()
}

/// Says `false` when the walk is over.
fn walk(
    files: Vec<IndexedFile>,
    from: &DeltaOffset,
    end: Option<&DeltaOffset>,
    admit: &mut dyn FnMut(&IndexedFile) -> bool,
    last: &mut Option<(i64, i64)>,
) -> bool {
    for file in files {
        let at = (file.version, file.index);
        if at <= (from.version, from.index) {
            continue;
        }
        if end.is_some_and(|end| at > (end.version, end.index)) || !admit(&file) {
            return false;
        }
        *last = Some(at);
    }
    true
}

/// Whether rows of one schema can be read as another: all columns are there, with the same types.
fn is_readable(found: &StructType, read: &StructType) -> bool {
    found.fields.iter().all(|field| {
        read.fields.iter().find(|other| other.name == field.name).is_some_and(|other| {
            (other.nullable || !field.nullable)
                && match (&field.data_type, &other.data_type) {
                    (DataType::Struct(found), DataType::Struct(read)) => is_readable(found, read),
                    (found, read) => found == read,
                }
        })
    })
}
