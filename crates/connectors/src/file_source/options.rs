//! The options of a file stream, with the errors of bad ones.

use tidemark_engine::{ReadLimit, Result};
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SparkError};

/// What becomes of a file whose batch is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CleanSource {
    /// It stays.
    Off,
    /// It is deleted.
    Delete,
    /// It moves below this folder.
    Archive(String),
}

/// The options of a file stream.
#[derive(Clone, Debug, PartialEq)]
pub struct FileStreamOptions {
    /// At most so many files in a batch.
    pub max_files_per_trigger: Option<u64>,
    /// At most so many bytes in a batch, one file at least.
    pub max_bytes_per_trigger: Option<u64>,
    /// How much older than the newest seen file a file may be, in milliseconds.
    pub max_file_age_ms: i64,
    /// Whether the newest files come first.
    pub latest_first: bool,
    /// Whether a file is known by its name alone.
    pub file_name_only: bool,
    /// What becomes of a file whose batch is done.
    pub clean_source: CleanSource,
    /// How many files of a listing are kept for later batches.
    pub max_cached_files: u64,
    /// Below which share of the limit kept files are thrown away.
    pub discard_cached_input_ratio: f64,
    /// Which names are read.
    pub path_glob_filter: Option<String>,
    /// Whether folders are read to any depth.
    pub recursive_file_lookup: bool,
}

impl FileStreamOptions {
    /// Reads the options.
    ///
    /// Errors: `IllegalArgumentException` with Spark's text for the first one that is wrong.
    pub fn parse(options: &Options) -> Result<Self> {
        for name in ["modifiedbefore", "modifiedafter"] {
            if options.contains_key(name) {
                return Err(illegal(format!("option '{name}' is not allowed in file stream sources")));
            }
        }
        let max_files_per_trigger = positive::<i32>(options, "maxFilesPerTrigger")?;
        let max_bytes_per_trigger = positive::<i64>(options, "maxBytesPerTrigger")?;
        if max_files_per_trigger.is_some() && max_bytes_per_trigger.is_some() {
            let text =
                "Options 'maxFilesPerTrigger' and 'maxBytesPerTrigger' can't be both set at the same time";
            return Err(illegal(text));
        }
        let max_file_age_ms = match options.get("maxfileage") {
            Some(text) => time_string_ms(text)?,
            None => 7 * 86_400_000,
        };
        Ok(FileStreamOptions {
            max_files_per_trigger,
            max_bytes_per_trigger,
            max_file_age_ms,
            latest_first: boolean(options, "latestFirst")?,
            file_name_only: boolean(options, "fileNameOnly")?,
            clean_source: clean_source(options)?,
            max_cached_files: max_cached_files(options)?,
            discard_cached_input_ratio: discard_ratio(options)?,
            path_glob_filter: options.get("pathglobfilter").cloned(),
            recursive_file_lookup: boolean(options, "recursiveFileLookup")?,
        })
    }

    /// The limit of a batch.
    pub fn limit(&self) -> ReadLimit {
        match (self.max_files_per_trigger, self.max_bytes_per_trigger) {
            (Some(files), _) => ReadLimit::MaxFiles(files),
            (None, Some(bytes)) => ReadLimit::MaxBytes(bytes),
            (None, None) => ReadLimit::All,
        }
    }

    /// The age in force: with newest first and a limit there is none, since old files then wait.
    pub fn age_in_force_ms(&self) -> i64 {
        let limited = self.limit() != ReadLimit::All;
        if self.latest_first && limited { i64::MAX } else { self.max_file_age_ms }
    }
}

fn illegal(text: impl Into<String>) -> tidemark_engine::Error {
    SparkError::plain(ErrorClass::IllegalArgument, text).into()
}

fn value<'a>(options: &'a Options, name: &str) -> Option<&'a String> {
    options.get(&name.to_ascii_lowercase())
}

fn positive<T: std::str::FromStr + Into<i64>>(options: &Options, name: &str) -> Result<Option<u64>> {
    let Some(text) = value(options, name) else { return Ok(None) };
    match text.parse::<T>().map(Into::into) {
        Ok(number) if number > 0 => Ok(Some(number as u64)),
        _ => Err(illegal(format!("Invalid value '{text}' for option '{name}', must be a positive integer"))),
    }
}

fn boolean(options: &Options, name: &str) -> Result<bool> {
    match value(options, name).map(|text| text.to_ascii_lowercase()).as_deref() {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => {
            let text = value(options, name).cloned().unwrap_or_default();
            Err(illegal(format!("Invalid value '{text}' for option '{name}', must be 'true' or 'false'")))
        }
    }
}

fn clean_source(options: &Options) -> Result<CleanSource> {
    let Some(text) = value(options, "cleanSource") else { return Ok(CleanSource::Off) };
    match text.to_ascii_lowercase().as_str() {
        "off" => Ok(CleanSource::Off),
        "delete" => Ok(CleanSource::Delete),
        "archive" => match value(options, "sourceArchiveDir") {
            Some(folder) => Ok(CleanSource::Archive(folder.clone())),
            None => Err(illegal("Archive mode must be used with 'sourceArchiveDir' option.")),
        },
        _ => Err(illegal(format!(
            "Invalid mode for clean source option Some({text}). Must be one of ARCHIVE,DELETE,OFF"
        ))),
    }
}

fn max_cached_files(options: &Options) -> Result<u64> {
    let Some(text) = value(options, "maxCachedFiles") else { return Ok(10_000) };
    match text.parse::<i32>() {
        Ok(number) if number >= 0 => Ok(number as u64),
        _ => Err(illegal(format!(
            "Invalid value '{text}' for option 'maxCachedFiles', must be an integer greater than or equal to 0"
        ))),
    }
}

fn discard_ratio(options: &Options) -> Result<f64> {
    let Some(text) = value(options, "discardCachedInputRatio") else { return Ok(0.2) };
    match text.parse::<f64>() {
        Ok(ratio) if (0.0..=1.0).contains(&ratio) => Ok(ratio),
        _ => Err(illegal(format!(
            "Invalid value '{text}' for option 'discardCachedInputRatio', must be a positive float between 0 and 1"
        ))),
    }
}

/// A text like `7d` or `100ms` in milliseconds; a bare number is milliseconds.
pub(crate) fn time_string_ms(text: &str) -> Result<i64> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(lower.len());
    let factor = match lower[digits..].trim() {
        "" | "ms" => Some((1, 1)),
        "us" => Some((1, 1000)),
        "s" => Some((1000, 1)),
        "m" | "min" => Some((60_000, 1)),
        "h" => Some((3_600_000, 1)),
        "d" => Some((86_400_000, 1)),
        _ => None,
    };
    let number = lower[..digits].parse::<i64>().ok();
    match (number, factor) {
        (Some(number), Some((times, over))) => Ok(number.saturating_mul(times) / over),
        _ => Err(SparkError::plain(
            ErrorClass::NumberFormat,
            format!(
                "Time must be specified as seconds (s), milliseconds (ms), microseconds (us), minutes (m or min), hour \
                 (h), or day (d). E.g. 50s, 100ms, or 250us.\nFailed to parse time string: {text}"
            ),
        )
        .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(pairs: &[(&str, &str)]) -> Options {
        pairs.iter().map(|(k, v)| (k.to_ascii_lowercase(), (*v).to_owned())).collect()
    }

    #[test]
    fn bad_options_have_the_texts_of_spark() {
        let table: [(&[(&str, &str)], &str); 11] = [
            (
                &[("maxFilesPerTrigger", "1"), ("maxBytesPerTrigger", "1")],
                "Options 'maxFilesPerTrigger' and 'maxBytesPerTrigger' can't be both set at the same time",
            ),
            (
                &[("maxFilesPerTrigger", "0")],
                "Invalid value '0' for option 'maxFilesPerTrigger', must be a positive integer",
            ),
            (
                &[("maxFilesPerTrigger", "abc")],
                "Invalid value 'abc' for option 'maxFilesPerTrigger', must be a positive integer",
            ),
            (
                &[("maxBytesPerTrigger", "1k")],
                "Invalid value '1k' for option 'maxBytesPerTrigger', must be a positive integer",
            ),
            (
                &[("maxFileAge", "xx")],
                "Time must be specified as seconds (s), milliseconds (ms), microseconds (us), minutes (m or min), hour \
                 (h), or day (d). E.g. 50s, 100ms, or 250us.\nFailed to parse time string: xx",
            ),
            (
                &[("cleanSource", "xx")],
                "Invalid mode for clean source option Some(xx). Must be one of ARCHIVE,DELETE,OFF",
            ),
            (&[("cleanSource", "archive")], "Archive mode must be used with 'sourceArchiveDir' option."),
            (
                &[("maxCachedFiles", "-1")],
                "Invalid value '-1' for option 'maxCachedFiles', must be an integer greater than or equal to 0",
            ),
            (
                &[("discardCachedInputRatio", "2")],
                "Invalid value '2' for option 'discardCachedInputRatio', must be a positive float between 0 and 1",
            ),
            (&[("modifiedBefore", "x")], "option 'modifiedbefore' is not allowed in file stream sources"),
            (
                &[("latestFirst", "x")],
                "Invalid value 'x' for option 'latestFirst', must be 'true' or 'false'",
            ),
        ];
        for (pairs, wanted) in table {
            let got = FileStreamOptions::parse(&options(pairs)).expect_err("the option is bad");
            assert_eq!(got.to_string(), wanted);
        }
    }

    #[test]
    fn limits() {
        let table: [(&[(&str, &str)], ReadLimit, i64); 4] = [
            (&[], ReadLimit::All, 604_800_000),
            (&[("maxFilesPerTrigger", "2"), ("maxFileAge", "1h")], ReadLimit::MaxFiles(2), 3_600_000),
            (&[("maxBytesPerTrigger", "9")], ReadLimit::MaxBytes(9), 604_800_000),
            (&[("maxFilesPerTrigger", "2"), ("latestFirst", "true")], ReadLimit::MaxFiles(2), i64::MAX),
        ];
        for (pairs, limit, age) in table {
            let options = FileStreamOptions::parse(&options(pairs)).expect("the options are good");
            assert_eq!((options.limit(), options.age_in_force_ms()), (limit, age));
        }
    }
}
