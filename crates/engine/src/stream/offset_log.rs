//! `offsets/N`: what batch N is made of, written before its first row is read.

use serde_json::{Map, Value, json};
use tidemark_world::World;

use crate::error::Result;
use crate::source::Offset;
use crate::stream::jackson::parse_json;
use crate::stream::log::{Broken, MetadataLog, check_version, illegal_state, incomplete};

/// The newest version of an offset file that can be read.
const HIGHEST: u32 = 2;

/// One entry: the end of every source, with the watermark, the time and the settings of the batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetSeq {
    /// The version of the file: 1 by position, 2 by the id of the source.
    pub version: u32,
    /// The watermark in force, in milliseconds.
    pub batch_watermark_ms: i64,
    /// The time of the batch, in milliseconds: `current_timestamp()`.
    pub batch_timestamp_ms: i64,
    /// The settings in force.
    pub conf: Vec<(String, String)>,
    /// The end of every source, `None` where it has no offset yet.
    pub offsets: Vec<Option<Offset>>,
}

impl OffsetSeq {
    /// The text of the file, byte for byte as Spark writes it.
    pub fn render(&self) -> String {
        let conf: Map<String, Value> = self.conf.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
        let mut metadata = Map::new();
        metadata.insert("batchWatermarkMs".into(), json!(self.batch_watermark_ms));
        metadata.insert("batchTimestampMs".into(), json!(self.batch_timestamp_ms));
        metadata.insert("conf".into(), Value::Object(conf));
        if self.version == 2 {
            metadata.insert("sourceMetadataInfo".into(), json!({}));
        }
        let mut out = format!("v{}\n{}", self.version, Value::Object(metadata));
        for (index, offset) in self.offsets.iter().enumerate() {
            out.push('\n');
            if self.version == 2 {
                out.push_str(&format!("{index}:"));
            }
            out.push_str(offset.as_ref().map_or("-", |o| o.0.as_str()));
        }
        out
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> std::result::Result<OffsetSeq, Broken> {
        let mut lines = text.lines();
        let first = lines.next().ok_or_else(|| incomplete("Incomplete log file"))?;
        let version = check_version(first, HIGHEST)?;
        let second =
            lines.next().ok_or_else(|| Broken::Json(illegal_state("next on empty iterator")))?.trim();
        let metadata =
            if second.is_empty() { Value::Null } else { parse_json(second).map_err(Broken::Json)? };
        let conf = metadata.get("conf").and_then(Value::as_object).map(|map| {
            map.iter().map(|(k, v)| (k.clone(), v.as_str().unwrap_or_default().to_owned())).collect()
        });
        let number = |name: &str| metadata.get(name).and_then(Value::as_i64).unwrap_or(0);
        Ok(OffsetSeq {
            version,
            batch_watermark_ms: number("batchWatermarkMs"),
            batch_timestamp_ms: number("batchTimestampMs"),
            conf: conf.unwrap_or_default(),
            offsets: if version == 2 { by_id(lines)? } else { lines.map(offset).collect() },
        })
    }
}

fn offset(line: &str) -> Option<Offset> {
    (line != "-").then(|| Offset(line.to_owned()))
}

/// Lines `id:offset` of version 2, put at the position that the id names.
fn by_id<'a>(lines: impl Iterator<Item = &'a str>) -> std::result::Result<Vec<Option<Offset>>, Broken> {
    let mut out: Vec<Option<Offset>> = Vec::new();
    for line in lines {
        let (id, text) = line.split_once(':').ok_or_else(|| incomplete("Incomplete log file"))?;
        let index: usize =
            id.parse().map_err(|_| Broken::Json(illegal_state(format!("For input string: \"{id}\""))))?;
        if out.len() <= index {
            out.resize(index + 1, None);
        }
        out[index] = offset(text);
    }
    Ok(out)
}

/// The log of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OffsetLog(pub MetadataLog);

impl OffsetLog {
    /// An entry, `None` if it is not there.
    pub fn get(&self, world: &mut World, id: i64) -> Result<Option<OffsetSeq>> {
        let Some(text) = self.0.read(world, id)? else { return Ok(None) };
        OffsetSeq::parse(&text).map(Some).map_err(|broken| broken.of(&self.0.path(id)).into())
    }

    /// The newest entry.
    pub fn latest(&self, world: &mut World) -> Result<Option<(i64, OffsetSeq)>> {
        let Some(id) = self.0.ids(world).pop() else { return Ok(None) };
        Ok(self.get(world, id)?.map(|entry| (id, entry)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(version: u32) -> OffsetSeq {
        OffsetSeq {
            version,
            batch_watermark_ms: 0,
            batch_timestamp_ms: 1_795_979_144_841,
            conf: vec![("a.b".into(), "1".into())],
            offsets: vec![Some(Offset("{\"logOffset\":0}".into())), None],
        }
    }

    #[test]
    fn texts_are_those_of_spark() {
        let one = "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1795979144841,\"conf\":{\"a.b\":\"1\"}}\n\
                   {\"logOffset\":0}\n-";
        let two = "v2\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1795979144841,\"conf\":{\"a.b\":\"1\"},\
                   \"sourceMetadataInfo\":{}}\n0:{\"logOffset\":0}\n1:-";
        for (version, text) in [(1, one), (2, two)] {
            assert_eq!(entry(version).render(), text);
            assert_eq!(OffsetSeq::parse(text).expect("what is written can be read"), entry(version));
        }
    }

    #[test]
    fn broken_texts() {
        for (text, wanted) in [
            ("", "Failed to read log file file:/o/2. Incomplete log file"),
            ("v1", "next on empty iterator"),
            ("v1\n", "next on empty iterator"),
            (
                "xyz\n",
                "Failed to read log file file:/o/2. [MALFORMED_LOG_FILE] Log file was malformed: failed to read correct \
                 log version from xyz. SQLSTATE: KD002",
            ),
            (
                "v1\n{\"batchWatermarkMs\":0,\"batchTim",
                "Unexpected end-of-input in field name\n at [Source: REDACTED \
                 (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); line: 1, column: 32]",
            ),
        ] {
            let broken = OffsetSeq::parse(text).expect_err("it is broken");
            assert_eq!(broken.of("/o/2").full_message(), wanted);
        }
    }
}
