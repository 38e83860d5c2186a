//! Time travel: a snapshot by version or by time, and the history that names both.

use tidemark_types::timestamp::timestamp_ntz_text;
use tidemark_types::{Millis, SimTime};
use tidemark_world::World;

use crate::action::{Action, CommitInfo};
use crate::condition;
use crate::error::Result;
use crate::log::{CommitFile, commit_files, read_commit};
use crate::snapshot::Snapshot;

/// How long removed files are kept, and so how far back one may travel, if the table does not say: one week.
pub(crate) const RETENTION: Millis = Millis(7 * 24 * MILLIS_PER_HOUR);

const MILLIS_PER_HOUR: i64 = 60 * 60 * 1000;

/// One line of `DESCRIBE HISTORY`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryEntry {
    /// The version.
    pub version: i64,
    /// The time of the commit: that of its file.
    pub time: SimTime,
    /// What the commit says of itself, if it does.
    pub info: Option<CommitInfo>,
}

/// The commits whose JSON files are there, the newest first.
pub fn history(world: &mut World, table_path: &str) -> Result<Vec<HistoryEntry>> {
    let mut entries = Vec::new();
    for CommitFile { version, time, .. } in commit_files(world, table_path) {
        let info = read_commit(world, table_path, version)?.into_iter().find_map(|action| match action {
            Action::CommitInfo(info) => Some(info),
            _ => None,
        });
        entries.push(HistoryEntry { version, time, info });
    }
    entries.reverse();
    Ok(entries)
}

/// The newest version that is not younger than this time.
///
/// Errors: `DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION`, `DELTA_TIMESTAMP_GREATER_THAN_COMMIT`.
pub fn version_at(world: &mut World, table_path: &str, time: SimTime) -> Result<i64> {
    let commits = commit_files(world, table_path);
    let (Some(first), Some(last)) = (commits.first(), commits.last()) else {
        return Err(condition::table_not_found(table_path).into());
    };
    if time < first.time {
        return Err(condition::timestamp_too_early(
            &java_time(time),
            &java_time(first.time),
            &seconds(first.time),
        )
        .into());
    }
    if time > last.time {
        return Err(condition::timestamp_too_late(
            &java_time(time),
            &java_time(last.time),
            &seconds(last.time),
        )
        .into());
    }
    let found = commits.iter().rev().find(|commit| commit.time <= time).unwrap_or(first);
    Ok(found.version)
}

/// The oldest version that is not older than this time: where a stream from a time begins.
///
/// Errors: `DELTA_TIMESTAMP_GREATER_THAN_COMMIT`.
pub fn version_from(world: &mut World, table_path: &str, time: SimTime) -> Result<i64> {
    let commits = commit_files(world, table_path);
    let Some(last) = commits.last() else {
        return Err(condition::table_not_found(table_path).into());
    };
    match commits.iter().find(|commit| commit.time >= time) {
        Some(commit) => Ok(commit.version),
        None => {
            Err(condition::timestamp_too_late(&java_time(time), &java_time(last.time), &seconds(last.time))
                .into())
        }
    }
}

impl Snapshot {
    /// The state at a version that a reader names: `versionAsOf`, `VERSION AS OF`, RESTORE.
    ///
    /// Errors: those of [`Snapshot::load`]; `DELTA_UNSUPPORTED_TIME_TRAVEL_BEYOND_DELETED_FILE_RETENTION_DURATION` for
    /// a commit that is older than the table keeps removed files.
    pub fn as_of_version(world: &mut World, table_path: &str, version: i64) -> Result<Snapshot> {
        let snapshot = Snapshot::load(world, table_path, Some(version))?;
        let retention = retention(&snapshot);
        let oldest = SimTime(world.now().0 - retention.0);
        let commit = commit_files(world, table_path).into_iter().find(|commit| commit.version == version);
        if commit.is_some_and(|commit| commit.time < oldest) {
            return Err(condition::beyond_retention(retention.0 / MILLIS_PER_HOUR).into());
        }
        Ok(snapshot)
    }

    /// The state at a time that a reader names: `timestampAsOf`, `TIMESTAMP AS OF`.
    ///
    /// Errors: those of [`version_at`] and [`Snapshot::as_of_version`].
    pub fn as_of_timestamp(world: &mut World, table_path: &str, time: SimTime) -> Result<Snapshot> {
        if !world.exists(table_path) {
            return Err(condition::path_not_found(table_path).into());
        }
        let version = version_at(world, table_path, time)?;
        Snapshot::as_of_version(world, table_path, version)
    }
}

/// `delta.deletedFileRetentionDuration`, or a week.
pub(crate) fn retention(snapshot: &Snapshot) -> Millis {
    snapshot.property("delta.deletedFileRetentionDuration").and_then(interval).unwrap_or(RETENTION)
}

/// An interval as table properties write it: `interval 30 days`, `168 hours`, `1 week 2 days`.
fn interval(text: &str) -> Option<Millis> {
    let mut total = 0;
    let lower = text.to_lowercase();
    let mut words = lower.split_whitespace().filter(|word| *word != "interval");
    while let Some(number) = words.next() {
        let number: i64 = number.parse().ok()?;
        let millis = match words.next()?.trim_end_matches('s') {
            "millisecond" => 1,
            "second" => 1000,
            "minute" => 60 * 1000,
            "hour" => MILLIS_PER_HOUR,
            "day" => 24 * MILLIS_PER_HOUR,
            "week" => 7 * 24 * MILLIS_PER_HOUR,
            _ => return None,
        };
        total += number.checked_mul(millis)?;
    }
    Some(Millis(total))
}

/// A time as `java.sql.Timestamp` prints it: with a fraction of at least one digit.
fn java_time(time: SimTime) -> String {
    let text = timestamp_ntz_text(time.0 * 1000);
    if text.contains('.') { text } else { format!("{text}.0") }
}

fn seconds(time: SimTime) -> String {
    timestamp_ntz_text(time.0.div_euclid(1000) * 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_properties_are_known() {
        let cases = [
            ("interval 30 days", Some(30 * 24)),
            ("interval 1 week 2 hours", Some(170)),
            ("168 HOURS", Some(168)),
            ("interval 2 months", None),
        ];
        for (text, hours) in cases {
            assert_eq!(interval(text).map(|millis| millis.0 / MILLIS_PER_HOUR), hours, "{text}");
        }
    }
}
