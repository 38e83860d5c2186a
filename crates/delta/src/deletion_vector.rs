//! Deletion vectors: which rows of a file are deleted. They are read, never written.
//!
//! Source: PROTOCOL.md of Delta, "Deletion Vector Format"; the bitmaps are in the portable form of RoaringFormatSpec.

use std::collections::BTreeSet;

use arrow::array::BooleanArray;
use arrow::compute::filter;
use tidemark_types::Batch;
use tidemark_world::World;

use crate::action::DeletionVector;
use crate::condition;
use crate::error::Result;

/// The number that a portable bitmap of 64 bits begins with.
const MAGIC: u32 = 1_681_511_377;

const COOKIE_WITHOUT_RUNS: u32 = 12_346;
const COOKIE_WITH_RUNS: u32 = 12_347;

/// Up to this many values a container lists them; a greater one is a bitmap.
const ARRAY_CONTAINER_MAX: u32 = 4096;

/// Below this many containers, one with runs has no offsets.
const NO_OFFSET_THRESHOLD: usize = 4;

const Z85: &[u8; 85] =
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/// The rows that are not deleted.
pub(crate) fn without_deleted(
    world: &mut World,
    table_path: &str,
    vector: &DeletionVector,
    batch: &Batch,
) -> Result<Batch> {
    let deleted = read(world, table_path, vector)?;
    let keep: BooleanArray = (0..batch.rows() as u64).map(|row| Some(!deleted.contains(&row))).collect();
    let refused = |error: arrow::error::ArrowError| {
        condition::failed_read_file(&condition::file_uri(table_path), &error.to_string())
    };
    let columns =
        batch.columns().iter().map(|c| filter(c, &keep)).collect::<Result<Vec<_>, _>>().map_err(refused)?;
    Ok(Batch::new(batch.schema().clone(), columns, keep.true_count()))
}

fn read(world: &mut World, table_path: &str, vector: &DeletionVector) -> Result<BTreeSet<u64>> {
    let text = &vector.path_or_inline_dv;
    let (file, bytes) = match vector.storage_type.as_str() {
        "i" => (table_path.to_owned(), z85_decode(text)),
        kind => {
            let file = match kind {
                "u" => named_by_id(table_path, text),
                _ => Some(crate::path::resolve(table_path, text)),
            };
            let Some(file) = file else { return Err(broken(table_path)) };
            let whole = world.get(&file)?;
            // In a file the size stands before the vector and a checksum after it.
            let begin = usize::try_from(vector.offset.unwrap_or(0)).unwrap_or(0) + 4;
            let size = usize::try_from(vector.size_in_bytes).unwrap_or(0);
            (file, whole.get(begin..begin + size).map(<[u8]>::to_vec))
        }
    };
    bytes.and_then(|bytes| parse(&bytes)).ok_or_else(|| broken(&file))
}

fn broken(file: &str) -> crate::error::Error {
    condition::failed_read_file(&condition::file_uri(file), "the deletion vector does not parse").into()
}

/// `<prefix><z85 of a UUID>` names `<prefix>/deletion_vector_<uuid>.bin`.
fn named_by_id(table_path: &str, text: &str) -> Option<String> {
    let at = text.len().checked_sub(20)?;
    let (prefix, encoded) = (text.get(..at)?, text.get(at..)?);
    let bytes: [u8; 16] = z85_decode(encoded)?.try_into().ok()?;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    let uuid = format!(
        "{}-{}-{}-{}-{}",
        hex.get(..8)?,
        hex.get(8..12)?,
        hex.get(12..16)?,
        hex.get(16..20)?,
        hex.get(20..32)?
    );
    let folder = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
    Some(crate::path::resolve(table_path, &format!("{folder}deletion_vector_{uuid}.bin")))
}

fn z85_decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 5 * 4);
    for group in text.as_bytes().chunks(5) {
        let mut value: u64 = 0;
        for byte in group {
            value = value * 85 + Z85.iter().position(|b| b == byte)? as u64;
        }
        if group.len() != 5 {
            return None;
        }
        out.extend(u32::try_from(value).ok()?.to_be_bytes());
    }
    Some(out)
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

fn parse(bytes: &[u8]) -> Option<BTreeSet<u64>> {
    let mut from = Cursor(bytes);
    if from.u32()? != MAGIC {
        return None;
    }
    let mut rows = BTreeSet::new();
    for _ in 0..from.u64()? {
        let high = u64::from(from.u32()?) << 32;
        parse_bitmap(&mut from, high, &mut rows)?;
    }
    Some(rows)
}

/// One bitmap of 32 bits: a header with a key and a size for each container, then the containers.
fn parse_bitmap(from: &mut Cursor<'_>, high: u64, rows: &mut BTreeSet<u64>) -> Option<()> {
    let cookie = from.u32()?;
    let (count, runs) = if cookie & 0xFFFF == COOKIE_WITH_RUNS {
        let count = (cookie >> 16) as usize + 1;
        let mut flags = Vec::new();
        for _ in 0..count.div_ceil(8) {
            flags.push(from.take::<1>()?[0]);
        }
        (count, Some(flags))
    } else if cookie == COOKIE_WITHOUT_RUNS {
        (from.u32()? as usize, None)
    } else {
        return None;
    };
    let mut containers = Vec::new();
    for _ in 0..count {
        containers.push((u64::from(from.u16()?), u32::from(from.u16()?) + 1));
    }
    if runs.is_none() || count >= NO_OFFSET_THRESHOLD {
        for _ in 0..count {
            from.u32()?;
        }
    }
    for (index, (key, cardinality)) in containers.into_iter().enumerate() {
        let base = high | (key << 16);
        if runs.as_ref().is_some_and(|flags| flags[index / 8] & (1 << (index % 8)) != 0) {
            for _ in 0..from.u16()? {
                let (start, length) = (u64::from(from.u16()?), u64::from(from.u16()?));
                rows.extend((start..=start + length).map(|low| base | low));
            }
        } else if cardinality <= ARRAY_CONTAINER_MAX {
            for _ in 0..cardinality {
                rows.insert(base | u64::from(from.u16()?));
            }
        } else {
            for word in 0..1024_u64 {
                let bits = from.u64()?;
                rows.extend((0..64).filter(|bit| bits & (1 << bit) != 0).map(|bit| base | (word * 64 + bit)));
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_portable_bitmap_lists_the_deleted_rows() {
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        bytes.extend(1_u64.to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(COOKIE_WITHOUT_RUNS.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        for half in [0_u16, 5, 16, 0, 3, 4, 7, 11, 18, 29] {
            bytes.extend(half.to_le_bytes());
        }
        let rows = parse(&bytes).expect("the bytes are a bitmap");
        assert_eq!(rows.into_iter().collect::<Vec<_>>(), [3, 4, 7, 11, 18, 29]);
        assert_eq!(parse(&bytes[..20]), None);
    }

    #[test]
    fn texts_in_z85_are_bytes() {
        let bytes = [0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B];
        assert_eq!(z85_decode("HelloWorld").as_deref(), Some(bytes.as_slice()));
    }
}
