//! `commits/N`: batch N is done.

use serde_json::Value;
use tidemark_world::World;

use crate::error::Result;
use crate::stream::jackson::parse_json;
use crate::stream::log::{Broken, MetadataLog, check_version, incomplete};

/// The newest version of a commit file that can be read.
const HIGHEST: u32 = 3;

/// One entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommitMetadata {
    /// The watermark for the batch after, in milliseconds.
    pub next_batch_watermark_ms: i64,
}

impl CommitMetadata {
    /// The text of the file, byte for byte as Spark writes it.
    pub fn render(self) -> String {
        format!("v1\n{{\"nextBatchWatermarkMs\":{}}}", self.next_batch_watermark_ms)
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> std::result::Result<CommitMetadata, Broken> {
        let mut lines = text.lines();
        let first = lines.next().ok_or_else(|| incomplete("Incomplete log file in the offset commit log"))?;
        check_version(first.trim(), HIGHEST)?;
        let metadata = match lines.next() {
            None | Some("") => Value::Null,
            Some(line) => parse_json(line).map_err(Broken::Json)?,
        };
        let next = metadata.get("nextBatchWatermarkMs").and_then(Value::as_i64).unwrap_or(0);
        Ok(CommitMetadata { next_batch_watermark_ms: next })
    }
}

/// The log of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitLog(pub MetadataLog);

impl CommitLog {
    /// The newest entry.
    pub fn latest(&self, world: &mut World) -> Result<Option<(i64, CommitMetadata)>> {
        let Some(id) = self.0.ids(world).pop() else { return Ok(None) };
        let Some(text) = self.0.read(world, id)? else { return Ok(None) };
        let entry = CommitMetadata::parse(&text).map_err(|broken| broken.of(&self.0.path(id)))?;
        Ok(Some((id, entry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let table = [
            ("v1\n{\"nextBatchWatermarkMs\":0}", Some(0)),
            ("v1\n{\"nextBatchWatermarkMs\":1704066900000}", Some(1_704_066_900_000)),
            ("v2\n{\"nextBatchWatermarkMs\":7,\"stateUniqueIds\":{}}", Some(7)),
            ("v1\n{}", Some(0)),
            ("v1", Some(0)),
            ("", None),
            ("v9\n{}", None),
            ("v1\n{\"nextBatch", None),
        ];
        for (text, wanted) in table {
            assert_eq!(CommitMetadata::parse(text).ok().map(|c| c.next_batch_watermark_ms), wanted, "{text}");
        }
        assert_eq!(CommitMetadata::default().render().len(), 29);
    }
}
