//! Which tables this room can read and write.

use serde_json::Value;
use tidemark_types::{DataType, StructType};

use crate::action::{Protocol, TextMap};
use crate::condition;
use crate::error::Result;

/// The reader features that this room knows.
const READER_FEATURES: [&str; 6] = [
    "columnMapping",
    "deletionVectors",
    "timestampNtz",
    "typeWidening",
    "v2Checkpoint",
    "vacuumProtocolCheck",
];

/// The writer features that this room keeps when it writes.
const WRITER_FEATURES: [&str; 5] =
    ["appendOnly", "changeDataFeed", "checkConstraints", "invariants", "vacuumProtocolCheck"];

/// The protocol of a new table without special properties.
pub fn plain() -> Protocol {
    Protocol { min_reader_version: 1, min_writer_version: 2, reader_features: None, writer_features: None }
}

/// The least protocol that a new table with these columns and properties needs.
///
/// Shape: `1/2` for a plain table; `1/7` with its list for a change feed; `3/7` for TIMESTAMP_NTZ.
pub fn for_new_table(schema: &StructType, configuration: &TextMap) -> Protocol {
    let texts = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let feed = configuration.get("delta.enableChangeDataFeed").and_then(Value::as_str) == Some("true");
    if schema.fields.iter().any(|field| holds_timestamp_ntz(&field.data_type)) {
        let mut writer = vec!["timestampNtz"];
        if feed {
            writer.push("changeDataFeed");
        }
        writer.extend(["invariants", "appendOnly"]);
        return Protocol {
            min_reader_version: 3,
            min_writer_version: 7,
            reader_features: texts(&["timestampNtz"]),
            writer_features: texts(&writer),
        };
    }
    if feed {
        return Protocol {
            min_reader_version: 1,
            min_writer_version: 7,
            reader_features: None,
            writer_features: texts(&["changeDataFeed", "invariants", "appendOnly"]),
        };
    }
    plain()
}

fn holds_timestamp_ntz(data_type: &DataType) -> bool {
    match data_type {
        DataType::TimestampNtz => true,
        DataType::Array(element, _) => holds_timestamp_ntz(element),
        DataType::Map(key, value, _) => holds_timestamp_ntz(key) || holds_timestamp_ntz(value),
        DataType::Struct(inner) => inner.fields.iter().any(|field| holds_timestamp_ntz(&field.data_type)),
        _ => false,
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
        1..=4 | 7 => &[],
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
