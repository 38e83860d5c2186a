//! The options of a Delta stream, with the errors of bad ones.

use tidemark_engine::Result;
use tidemark_plan::spec::Options;
use tidemark_types::timestamp::parse_timestamp;
use tidemark_types::{SimTime, Zone};

use crate::delta_source::condition;
use crate::packing::parse_bytes;

/// At most so many files in a batch, if nothing else is said.
const MAX_FILES: i64 = 1000;

/// Options that would change what is read, and that are not known here.
const UNKNOWN: [&str; 4] = ["readchangefeed", "readchangedata", "schematrackinglocation", "schemalocation"];

/// Where a stream without an offset begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With the newest snapshot.
    Snapshot,
    /// With the commit after the newest.
    Latest,
    /// With this commit.
    Version(i64),
    /// With the first commit that is not older.
    Timestamp(SimTime),
}

/// The options of a Delta stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeltaStreamOptions {
    /// At most so many files in a batch.
    pub max_files: Option<i64>,
    /// At most so many bytes in a batch, one file at least.
    pub max_bytes: Option<i64>,
    /// Where to begin.
    pub start: Start,
    /// Whether commits that remove rows are passed over as a whole.
    pub skip_change_commits: bool,
    /// Whether commits that only remove rows are passed over.
    pub ignore_deletes: bool,
    /// Whether the added files of commits that remove rows are read.
    pub ignore_changes: bool,
    /// Whether a gap in the log is an error.
    pub fail_on_data_loss: bool,
}

impl DeltaStreamOptions {
    /// Reads the options; times without a zone are in this one, and `now` is the World's time.
    ///
    /// Errors: `DELTA_ILLEGAL_OPTION`, `DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET`, `DELTA_TIMESTAMP_INVALID`; an
    /// option that is not known here, by its name.
    pub fn parse(options: &Options, zone: Zone, now: SimTime) -> Result<DeltaStreamOptions> {
        let get = |name: &str| options.get(&name.to_ascii_lowercase());
        let is_set = |name: &str| get(name).is_some_and(|text| !text.eq_ignore_ascii_case("false"));
        if let Some(name) = UNKNOWN.iter().find(|name| is_set(name)) {
            return Err(condition::not_here(name).into());
        }
        if get("excludeRegex").is_some() {
            return Err(condition::not_here("excludeRegex").into());
        }
        let max_files = match get("maxFilesPerTrigger") {
            Some(text) => {
                Some(text.trim().parse::<i32>().ok().filter(|n| *n > 0).map(i64::from).ok_or_else(|| {
                    condition::illegal_option(text, "maxFilesPerTrigger", "must be a positive integer")
                })?)
            }
            None => None,
        };
        let max_bytes = match get("maxBytesPerTrigger") {
            Some(text) => {
                Some(parse_bytes(text).and_then(|n| i64::try_from(n).ok()).filter(|n| *n > 0).ok_or_else(
                    || {
                        let explain = "must be a size configuration such as '10g'";
                        condition::illegal_option(text, "maxBytesPerTrigger", explain)
                    },
                )?)
            }
            None => None,
        };
        let boolean = |name: &str, default: bool| match get(name).map(|text| text.to_ascii_lowercase()) {
            None => Ok(default),
            Some(text) if text == "true" => Ok(true),
            Some(text) if text == "false" => Ok(false),
            Some(text) => Err(condition::illegal_option(&text, name, "must be 'true' or 'false'")),
        };
        let ignore_file_deletion = boolean("ignoreFileDeletion", false)?;
        Ok(DeltaStreamOptions {
            max_files: max_files.or(if max_bytes.is_none() { Some(MAX_FILES) } else { None }),
            max_bytes,
            start: start(get("startingVersion"), get("startingTimestamp"), zone, now)?,
            skip_change_commits: boolean("skipChangeCommits", false)?,
            ignore_deletes: boolean("ignoreDeletes", false)?,
            ignore_changes: boolean("ignoreChanges", false)? || ignore_file_deletion,
            fail_on_data_loss: boolean("failOnDataLoss", true)?,
        })
    }

    /// Whether commits that remove rows and add others are let through.
    pub fn allows_changes(&self) -> bool {
        self.ignore_changes || self.skip_change_commits
    }

    /// Whether commits that only remove rows are let through.
    pub fn allows_deletes(&self) -> bool {
        self.allows_changes() || self.ignore_deletes
    }
}

fn start(version: Option<&String>, timestamp: Option<&String>, zone: Zone, now: SimTime) -> Result<Start> {
    match (version, timestamp) {
        (None, None) => Ok(Start::Snapshot),
        (Some(_), Some(_)) => Err(condition::both_starts().into()),
        (Some(text), None) if text.eq_ignore_ascii_case("latest") => Ok(Start::Latest),
        (Some(text), None) => {
            let number = text.trim().parse::<i64>().ok().filter(|n| *n >= 0);
            let explain = "must be greater than or equal to zero";
            let bad = || condition::illegal_option(text, "startingVersion", explain);
            Ok(Start::Version(number.ok_or_else(bad)?))
        }
        (None, Some(text)) => {
            let micros = parse_timestamp(text.trim(), zone, now.0 * 1000);
            let micros = micros.ok_or_else(|| condition::timestamp_invalid(text))?;
            Ok(Start::Timestamp(SimTime(micros.div_euclid(1000))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(options: &[(&str, &str)]) -> std::result::Result<DeltaStreamOptions, String> {
        let options = options.iter().map(|(k, v)| (k.to_ascii_lowercase(), (*v).to_owned())).collect();
        DeltaStreamOptions::parse(&options, Zone::UTC, SimTime(0)).map_err(|error| error.to_string())
    }

    #[test]
    fn limits_and_starts() {
        let table: [(&[(&str, &str)], _); 5] = [
            (&[], (Some(1000), None, Start::Snapshot)),
            (&[("maxBytesPerTrigger", "1b")], (None, Some(1), Start::Snapshot)),
            (&[("maxFilesPerTrigger", "2"), ("startingVersion", "latest")], (Some(2), None, Start::Latest)),
            (&[("startingVersion", "3")], (Some(1000), None, Start::Version(3))),
            (
                &[("startingTimestamp", "1970-01-02")],
                (Some(1000), None, Start::Timestamp(SimTime(86_400_000))),
            ),
        ];
        for (options, wanted) in table {
            let got = parsed(options).expect("the options are good");
            assert_eq!((got.max_files, got.max_bytes, got.start), wanted, "{options:?}");
        }
    }

    #[test]
    fn bad_options_are_named() {
        let table: [(&[(&str, &str)], &str); 7] = [
            (
                &[("maxFilesPerTrigger", "0")],
                "Invalid value '0' for option 'maxFilesPerTrigger', must be a positive integer",
            ),
            (&[("maxBytesPerTrigger", "x")], "must be a size configuration such as '10g'"),
            (
                &[("startingVersion", "-1")],
                "Invalid value '-1' for option 'startingVersion', must be greater than or equal to zero",
            ),
            (&[("startingTimestamp", "soon")], "The provided timestamp ('soon') cannot be converted"),
            (
                &[("startingVersion", "1"), ("startingTimestamp", "1970")],
                "Please either provide 'startingVersion' or 'startingTimestamp'",
            ),
            (&[("readChangeFeed", "true")], "Tidemark does not have the option 'readchangefeed'"),
            (&[("ignoreDeletes", "yes")], "must be 'true' or 'false'"),
        ];
        for (options, wanted) in table {
            let got = parsed(options).expect_err("the options are bad");
            assert!(got.contains(wanted), "{got}");
        }
    }
}
