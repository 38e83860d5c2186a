//! `_spark_metadata/N`: which files batch N has written. Who reads the folder sees these files and no others.

use serde::{Deserialize, Serialize};
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_engine::stream::jackson::parse_json;
use tidemark_engine::stream::log::illegal_state;
use tidemark_world::World;

use crate::compact_log::{CompactLog, LogSettings};

/// The folder of the log in the folder of the sink.
pub(crate) const FOLDER: &str = "_spark_metadata";

/// The setting with which readers pass over the log.
pub(crate) const IGNORED: &str = "spark.sql.streaming.fileStreamSink.ignoreMetadata";

/// The size of a block that the local file system of Hadoop tells.
const BLOCK_SIZE: i64 = 32 << 20;

/// One file, as the log writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SinkFileStatus {
    /// The URI, encoded.
    pub(crate) path: String,
    /// The size in bytes.
    pub(crate) size: u64,
    is_dir: bool,
    /// The modification time in milliseconds.
    pub(crate) modification_time: i64,
    block_replication: i32,
    block_size: i64,
    action: String,
}

impl SinkFileStatus {
    /// The entry of a file that has been written.
    pub(crate) fn of(world: &World, path: &str) -> Option<SinkFileStatus> {
        world.head(path).map(|meta| SinkFileStatus {
            path: world.uri(path),
            size: meta.size,
            is_dir: false,
            modification_time: meta.modified.0,
            block_replication: 1,
            block_size: BLOCK_SIZE,
            action: "add".into(),
        })
    }

    /// The line of the log.
    pub(crate) fn render(&self) -> String {
        serde_json::to_string(self).expect("an entry has texts and numbers only")
    }

    /// The file of a line.
    pub(crate) fn parse(line: &str) -> Result<SinkFileStatus> {
        serde_json::from_value(parse_json(line)?).map_err(|error| illegal_state(error.to_string()).into())
    }
}

/// Whether a path lies in the log of a sink: no reader of rows looks there.
pub(crate) fn is_log_of_sink(path: &str) -> bool {
    path.split('/').any(|part| part == FOLDER)
}

/// Where the log of a sink lies that writes into this folder.
pub(crate) fn folder(path: &str) -> String {
    format!("{}/{FOLDER}", path.trim_end_matches('/'))
}

/// The files of a folder that a file sink has written, in the order of its log; `None` when no sink has. Messages name
/// the folder as `shown`.
pub(crate) fn logged_files(
    world: &mut World,
    settings: &dyn Settings,
    path: &str,
    shown: &str,
) -> Result<Option<Vec<SinkFileStatus>>> {
    let folder = folder(path);
    let ignored = settings.get(IGNORED).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if ignored || !world.is_folder(path) || !world.exists(&folder) {
        return Ok(None);
    }
    let log = CompactLog::at(world, &folder, LogSettings::of(settings, "fileSink"), &self::folder(shown));
    let lines = log.all(world)?;
    let files = lines.iter().map(|line| SinkFileStatus::parse(line)).collect::<Result<Vec<_>>>()?;
    Ok(Some(files.into_iter().filter(|file| !file.is_dir).collect()))
}
