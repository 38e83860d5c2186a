//! Which tables this room can read and write.

use crate::action::Protocol;
use crate::condition;
use crate::error::Result;

/// The reader features that this room knows.
const READER_FEATURES: [&str; 6] =
    ["columnMapping", "deletionVectors", "timestampNtz", "typeWidening", "v2Checkpoint", "vacuumProtocolCheck"];

/// The writer features that this room keeps when it writes.
const WRITER_FEATURES: [&str; 5] =
    ["appendOnly", "changeDataFeed", "checkConstraints", "invariants", "vacuumProtocolCheck"];

/// The protocol of a new table without special properties.
pub fn plain() -> Protocol {
    Protocol { min_reader_version: 1, min_writer_version: 2, reader_features: None, writer_features: None }
}

/// The protocol of a new table whose columns need TIMESTAMP_NTZ: reader 3, writer 7 with the feature in both lists.
pub fn with_timestamp_ntz() -> Protocol {
    Protocol {
        min_reader_version: 3,
        min_writer_version: 7,
        reader_features: Some(vec!["timestampNtz".into()]),
        writer_features: Some(vec!["timestampNtz".into(), "invariants".into(), "appendOnly".into()]),
    }
}

/// Refuses a table that needs more of a reader than this room knows.
///
/// Errors: `DELTA_UNSUPPORTED_FEATURES_FOR_READ` with the features; `DELTA_INVALID_PROTOCOL_VERSION` for unknown versions.
pub fn check_readable(table_path: &str, protocol: &Protocol) -> Result<()> {
    if !(1..=3).contains(&protocol.min_reader_version) {
        return Err(condition::invalid_protocol_version(table_path, protocol).into());
    }
    let missing = unknown(protocol.reader_features.as_deref(), &READER_FEATURES);
    if missing.is_empty() {
        return Ok(());
    }
    Err(condition::unsupported_features(table_path, "READ", &missing).into())
}

/// Refuses a table that needs more of a writer than this room knows.
///
/// Errors: as [`check_readable`], with `DELTA_UNSUPPORTED_FEATURES_FOR_WRITE`.
pub fn check_writable(table_path: &str, protocol: &Protocol) -> Result<()> {
    check_readable(table_path, protocol)?;
    if !(1..=7).contains(&protocol.min_writer_version) {
        return Err(condition::invalid_protocol_version(table_path, protocol).into());
    }
    let legacy: &[&str] = match protocol.min_writer_version {
        1..=3 | 7 => &[],
        4 => &[],
        5 => &["columnMapping"],
        _ => &["columnMapping", "identityColumns"],
    };
    let mut missing: Vec<String> = legacy.iter().map(|f| (*f).to_owned()).collect();
    let mut known = WRITER_FEATURES.to_vec();
    known.push("timestampNtz");
    missing.extend(unknown(protocol.writer_features.as_deref(), &known));
    if missing.is_empty() {
        return Ok(());
    }
    Err(condition::unsupported_features(table_path, "WRITE", &missing).into())
}

fn unknown(features: Option<&[String]>, known: &[&str]) -> Vec<String> {
    features.unwrap_or_default().iter().filter(|f| !known.contains(&f.as_str())).cloned().collect()
}
