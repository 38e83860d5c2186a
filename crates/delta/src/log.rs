//! The log as a listing: commits, checkpoints, and the actions of one commit.

use std::collections::BTreeMap;

use tidemark_types::SimTime;
use tidemark_world::{ObjectMeta, World};

use crate::action::Action;
use crate::condition;
use crate::error::Result;
use crate::path;

/// A commit in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitFile {
    /// The version.
    pub version: i64,
    /// The absolute path of the JSON file.
    pub path: String,
    /// The time of the commit: that of the file, moved so that it increases from version to version.
    pub time: SimTime,
}

/// What the files of a checkpoint are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CheckpointForm {
    /// One Parquet file.
    Single(String),
    /// Several Parquet files, by part.
    Parts(Vec<String>),
    /// A v2 checkpoint: a JSON or Parquet file that may name sidecars.
    V2(String),
}

/// A complete checkpoint in the listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CheckpointFile {
    pub(crate) version: i64,
    pub(crate) form: CheckpointForm,
}

/// All that the listing of a log says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// Commits by ascending version.
    pub(crate) commits: Vec<CommitFile>,
    /// Complete checkpoints by ascending version.
    pub(crate) checkpoints: Vec<CheckpointFile>,
}

impl Listing {
    /// Lists the log of a table. Names that are none of Delta's are passed over.
    pub(crate) fn read(world: &mut World, table_path: &str) -> Listing {
        let folder = path::log_folder(table_path);
        Listing::of(&folder, world.list(&folder))
    }

    /// Lists the log of a table from a version on.
    pub(crate) fn read_from(world: &mut World, table_path: &str, version: i64) -> Listing {
        let folder = path::log_folder(table_path);
        Listing::of(&folder, world.list_from(&folder, &path::version(table_path, version)))
    }

    fn of(folder: &str, found: Vec<ObjectMeta>) -> Listing {
        let mut listing = Listing::default();
        let mut parts: BTreeMap<(i64, u32), BTreeMap<u32, String>> = BTreeMap::new();
        let mut whole: BTreeMap<i64, CheckpointForm> = BTreeMap::new();
        let mut last = None;
        for meta in found {
            let name = meta.path[folder.len() + 1..].to_owned();
            match LogName::parse(&name) {
                Some(LogName::Commit(version)) => {
                    let time = match last {
                        Some(SimTime(before)) if meta.modified.0 <= before => SimTime(before + 1),
                        _ => meta.modified,
                    };
                    last = Some(time);
                    listing.commits.push(CommitFile { version, path: meta.path, time });
                }
                Some(LogName::Checkpoint(version)) => {
                    whole.insert(version, CheckpointForm::Single(meta.path));
                }
                Some(LogName::V2Checkpoint(version)) => {
                    whole.entry(version).or_insert(CheckpointForm::V2(meta.path));
                }
                Some(LogName::Part { version, part, parts: count }) => {
                    parts.entry((version, count)).or_default().insert(part, meta.path);
                }
                None => {}
            }
        }
        for ((version, count), found) in parts {
            if found.len() == count as usize {
                whole.entry(version).or_insert(CheckpointForm::Parts(found.into_values().collect()));
            }
        }
        listing.checkpoints =
            whole.into_iter().map(|(version, form)| CheckpointFile { version, form }).collect();
        listing
    }

    /// The newest version that the listing shows.
    pub(crate) fn latest(&self) -> Option<i64> {
        let commit = self.commits.last().map(|c| c.version);
        let checkpoint = self.checkpoints.last().map(|c| c.version);
        commit.max(checkpoint)
    }

    /// The oldest version that can be rebuilt: 0, or that of the oldest checkpoint.
    pub(crate) fn earliest_rebuildable(&self) -> Option<i64> {
        let first = self.commits.first().map(|c| c.version);
        if first == Some(0) { first } else { self.checkpoints.first().map(|c| c.version).or(first) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum LogName {
    Commit(i64),
    Checkpoint(i64),
    V2Checkpoint(i64),
    Part { version: i64, part: u32, parts: u32 },
}

impl LogName {
    fn parse(name: &str) -> Option<LogName> {
        let pieces: Vec<&str> = name.split('.').collect();
        let version = pieces.first().filter(|p| p.len() == 20).and_then(|p| digits(p))?;
        match pieces[1..] {
            ["json"] => Some(LogName::Commit(version)),
            ["checkpoint", "parquet"] => Some(LogName::Checkpoint(version)),
            ["checkpoint", uuid, "json" | "parquet"] if uuid.len() == 36 => {
                Some(LogName::V2Checkpoint(version))
            }
            ["checkpoint", part, parts, "parquet"] => {
                let (part, parts) = (digits(part)?, digits(parts)?);
                Some(LogName::Part {
                    version,
                    part: u32::try_from(part).ok()?,
                    parts: u32::try_from(parts).ok()?,
                })
            }
            _ => None,
        }
    }
}

fn digits(text: &str) -> Option<i64> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// The commits of a table by ascending version, with their times; empty if there is no log.
pub fn commit_files(world: &mut World, table_path: &str) -> Vec<CommitFile> {
    Listing::read(world, table_path).commits
}

/// The newest version of a table; none if there is no log.
pub fn latest_version(world: &mut World, table_path: &str) -> Option<i64> {
    Listing::read(world, table_path).latest()
}

/// The actions of one commit in the order of their lines.
///
/// Errors: the World's `NotFound` if the version has no commit; `FAILED_READ_FILE.NO_HINT` for a line that does not parse.
pub fn read_commit(world: &mut World, table_path: &str, version: i64) -> Result<Vec<Action>> {
    read_actions(world, &path::commit(table_path, version))
}

pub(crate) fn read_actions(world: &mut World, path: &str) -> Result<Vec<Action>> {
    let bytes = world.get(path)?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|error| condition::failed_read_file(&condition::file_uri(path), &error.to_string()))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            Action::parse(line).map_err(|error| {
                condition::failed_read_file(&condition::file_uri(path), &error.to_string()).into()
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_log_are_known_and_others_are_not() {
        let v = "00000000000000000010";
        let cases = [
            (format!("{v}.json"), Some(LogName::Commit(10))),
            (format!("{v}.checkpoint.parquet"), Some(LogName::Checkpoint(10))),
            (
                format!("{v}.checkpoint.0000000001.0000000003.parquet"),
                Some(LogName::Part { version: 10, part: 1, parts: 3 }),
            ),
            (
                format!("{v}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json"),
                Some(LogName::V2Checkpoint(10)),
            ),
            (format!(".{v}.json.crc"), None),
            (format!("{v}.crc"), None),
            (format!("{v}.json.tmp"), None),
            ("_last_checkpoint".to_owned(), None),
            ("10.json".to_owned(), None),
            (format!("_sidecars/{v}.json"), None),
        ];
        for (name, expected) in cases {
            assert_eq!(LogName::parse(&name), expected, "{name}");
        }
    }
}
