//! The position of a Delta stream, as its line in `offsets/N` writes it.

use serde_json::Value;
use tidemark_engine::stream::jackson::parse_json;
use tidemark_engine::stream::log::illegal_state;
use tidemark_engine::{Offset, Result};

use crate::delta_source::condition;

/// The index before the first file of a version; `-1` in the log.
pub(crate) const BASE_INDEX: i64 = -100;

/// The newest form of an offset that can be read.
const SOURCE_VERSION_MAX: i64 = 3;

/// Up to where a table has been read: version and file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeltaOffset {
    /// The id of the table.
    pub(crate) table_id: String,
    /// The version that the offset points into.
    pub(crate) version: i64,
    /// The last file of the version that has been read.
    pub(crate) index: i64,
    /// Whether the version is the snapshot that the stream began with.
    pub(crate) is_starting_version: bool,
}

impl DeltaOffset {
    /// Reads an offset of the table with this id.
    ///
    /// Errors: a form that is not known; `DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE`.
    pub(crate) fn parse(offset: &Offset, table_id: &str) -> Result<DeltaOffset> {
        let json = parse_json(&offset.0)?;
        let number = |key: &str| json.get(key).and_then(Value::as_i64);
        let source_version = number("sourceVersion").unwrap_or(0);
        if source_version > SOURCE_VERSION_MAX {
            return Err(condition::invalid_format_from_source_version(source_version).into());
        }
        if source_version < 1 || source_version == 2 {
            return Err(condition::invalid_source_version(source_version).into());
        }
        let found = json.get("reservoirId").and_then(Value::as_str).unwrap_or_default();
        if found != table_id {
            return Err(condition::different_table(table_id, found).into());
        }
        let (Some(version), Some(index)) = (number("reservoirVersion"), number("index")) else {
            return Err(illegal_state(format!("Invalid offset of a Delta source: {}", offset.0)).into());
        };
        Ok(DeltaOffset {
            table_id: table_id.to_owned(),
            version,
            index: if index == -1 { BASE_INDEX } else { index },
            is_starting_version: json.get("isStartingVersion").and_then(Value::as_bool).unwrap_or(false),
        })
    }

    /// The line of the log.
    pub(crate) fn render(&self) -> Offset {
        let index = if self.index == BASE_INDEX { -1 } else { self.index };
        Offset(format!(
            "{{\"sourceVersion\":1,\"reservoirId\":\"{}\",\"reservoirVersion\":{},\"index\":{index},\
             \"isStartingVersion\":{}}}",
            self.table_id, self.version, self.is_starting_version
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_log() {
        let whole = |version: i64, id: &str, index: i64| {
            Offset(format!(
                "{{\"sourceVersion\":{version},\"reservoirId\":\"{id}\",\"reservoirVersion\":5,\"index\":{index},\
                 \"isStartingVersion\":false}}"
            ))
        };
        for (text, index) in [(whole(1, "t", -1), BASE_INDEX), (whole(1, "t", 3), 3)] {
            let offset = DeltaOffset::parse(&text, "t").expect("the line is good");
            assert_eq!((offset.version, offset.index), (5, index));
            assert_eq!(offset.render(), text);
        }
        let bad = [
            (whole(4, "t", 0), "Unsupported format. Expected version should be smaller than or equal to 3"),
            (whole(2, "t", 0), "sourceVersion(2) is invalid"),
            (whole(1, "u", 0), "The streaming query was reading from an unexpected Delta table (id = 't')"),
        ];
        for (text, wanted) in bad {
            let error = DeltaOffset::parse(&text, "t").expect_err("the line is bad").to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
