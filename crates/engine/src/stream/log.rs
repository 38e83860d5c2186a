//! A log of numbered files, as offsets, commits and file sources keep it: written once, never changed, read whole.

use tidemark_types::{ErrorClass, SparkError};
use tidemark_world::{Entry, World, WorldError};

use crate::error::Result;

/// A folder with one file for each id.
///
/// Only plain files whose whole name is a decimal number count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetadataLog {
    folder: String,
}

impl MetadataLog {
    /// The log in this folder. Does not touch the store.
    pub fn new(folder: impl Into<String>) -> Self {
        MetadataLog { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// The path of an entry.
    pub fn path(&self, id: i64) -> String {
        format!("{}/{id}", self.folder)
    }

    /// The ids that are there, ascending.
    pub fn ids(&self, world: &mut World) -> Vec<i64> {
        let mut ids: Vec<i64> = world
            .children(&self.folder)
            .iter()
            .filter_map(|entry| match entry {
                Entry::File(meta) => log_id(file_name(&meta.path)),
                Entry::Folder(_) => None,
            })
            .collect();
        ids.sort_unstable();
        ids
    }

    /// The text of an entry, `None` if it is not there.
    pub fn read(&self, world: &mut World, id: i64) -> Result<Option<String>> {
        read_text(world, &self.path(id))
    }

    /// Writes an entry. Says `false` when it is already there.
    pub fn add(&self, world: &mut World, id: i64, text: &str) -> Result<bool> {
        self.add_named(world, &id.to_string(), text)
    }

    /// Writes an entry under a name of its own, such as `9.compact`. Says `false` when it is already there.
    pub fn add_named(&self, world: &mut World, name: &str, text: &str) -> Result<bool> {
        if !world.is_folder(&self.folder) {
            let text = format!("File file:{} does not exist", self.folder);
            return Err(SparkError::plain(ErrorClass::Py4JJava, text).into());
        }
        let path = format!("{}/{name}", self.folder);
        if world.exists(&path) {
            return Ok(false);
        }
        let temporary = format!("{}/.{name}.{}.tmp", self.folder, world.uuid());
        match world.put_log(&path, &temporary, text.as_bytes().to_vec()) {
            Ok(()) => Ok(true),
            Err(WorldError::AlreadyExists { .. }) => Ok(false),
            Err(other) => Err(other.into()),
        }
    }

    /// The id of the oldest entry below `bound`, the next one that a purge takes away.
    pub fn oldest_below(&self, world: &mut World, bound: i64) -> Option<i64> {
        self.ids(world).into_iter().find(|id| *id < bound)
    }
}

/// The text of a file, `None` if it is not there.
pub fn read_text(world: &mut World, path: &str) -> Result<Option<String>> {
    match world.get(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(WorldError::NotFound { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// Checks the first line of a log file: `v1` to `v{highest}`.
pub fn check_version(line: &str, highest: u32) -> std::result::Result<u32, Broken> {
    version_of(line, highest).map_err(Broken::State)
}

fn version_of(line: &str, highest: u32) -> std::result::Result<u32, SparkError> {
    let malformed = || {
        let text = format!("Log file was malformed: failed to read correct log version from {line}.");
        SparkError::new(ErrorClass::Py4JJava, "MALFORMED_LOG_FILE", "KD002", text)
            .with_parameter("text", line)
    };
    let version: u32 = line.strip_prefix('v').and_then(|n| n.parse().ok()).ok_or_else(malformed)?;
    if version == 0 {
        return Err(malformed());
    }
    if version > highest {
        let text = format!(
            "UnsupportedLogVersion. The maximum supported log version is v{highest}, but encountered v{version}. \
             The log file was produced by a newer version of Spark and cannot be read by this version. \
             You need to upgrade."
        );
        let condition = "INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION";
        return Err(SparkError::new(ErrorClass::Py4JJava, condition, "KD002", text)
            .with_parameter("maxSupportedVersion", highest.to_string())
            .with_parameter("version", version.to_string()));
    }
    Ok(version)
}

/// Why the text of a log file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Version or lines are wrong: Spark names the file.
    State(SparkError),
    /// The JSON of a line is wrong: Spark passes on what the reader of JSON says.
    Json(SparkError),
}

impl Broken {
    /// The error of the file at this path.
    pub fn of(self, path: &str) -> SparkError {
        match self {
            Broken::State(inner) => {
                let text = format!("Failed to read log file file:{path}. {}", inner.full_message());
                SparkError::plain(ErrorClass::Py4JJava, text).with_cause(inner)
            }
            Broken::Json(error) => error,
        }
    }
}

/// The error of something that must not be, in Spark's words.
pub fn illegal_state(text: impl Into<String>) -> SparkError {
    SparkError::java("java.lang.IllegalStateException", text)
}

/// A log file that ends before its first line.
pub fn incomplete(text: &str) -> Broken {
    Broken::State(illegal_state(text))
}

/// The error of a log entry that somebody else has written first.
pub fn concurrent_update(batch: i64) -> SparkError {
    let text = format!(
        "Concurrent update to the log. Multiple streaming jobs detected for {batch}.\nPlease make sure only one \
         streaming job runs on a specific checkpoint location at a time."
    );
    SparkError::new(ErrorClass::Py4JJava, "CONCURRENT_STREAM_LOG_UPDATE", "40000", text)
        .with_parameter("batchId", batch.to_string())
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn log_id(name: &str) -> Option<i64> {
    name.bytes().all(|b| b.is_ascii_digit()).then(|| name.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use tidemark_types::SimTime;

    use super::*;

    #[test]
    fn only_decimal_names_of_files_count() {
        let mut world = World::new("/w", 0, SimTime(0));
        for name in ["0", "10", "9", "abc", ".0.crc", "tmp", "7.compact"] {
            world.drop_file(&format!("/w/offsets/{name}"), "x", SimTime(0));
        }
        world.make_folders("/w/offsets/11").expect("nothing is in the way");
        assert_eq!(MetadataLog::new("/w/offsets").ids(&mut world), [0, 9, 10]);
    }

    #[test]
    fn versions() {
        let table = [
            ("v1", None),
            ("v2", None),
            ("v99", Some("INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION")),
            ("xyz", Some("MALFORMED_LOG_FILE")),
            ("v0", Some("MALFORMED_LOG_FILE")),
            ("", Some("MALFORMED_LOG_FILE")),
        ];
        for (line, condition) in table {
            let got = version_of(line, 2).err().map(|e| e.condition.0);
            assert_eq!(got.as_deref(), condition, "{line}");
        }
    }
}
