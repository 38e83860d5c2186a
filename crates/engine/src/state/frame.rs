//! `LZ4Block` frames, as Spark compresses its state files.
//!
//! A frame is `LZ4Block`, a token, the compressed and the plain length, a checksum (all little-endian) and the bytes;
//! an empty frame ends the stream.

use lz4_flex::block::{compress as squeeze, decompress as unsqueeze};

const MAGIC: &[u8; 8] = b"LZ4Block";
/// The most plain bytes in one frame: Spark's `spark.io.compression.lz4.blockSize`.
const BLOCK_BYTES: usize = 32 * 1024;
/// The low half of a token: the binary logarithm of the block size, less 10.
const LEVEL: u8 = 5;
const RAW: u8 = 0x10;
const PACKED: u8 = 0x20;
/// The seed of the checksum, and the bits of it that are kept.
const SEED: u32 = 0x9747_b28c;
const CHECKSUM_BITS: u32 = 0x0fff_ffff;
const HEADER: usize = 21;

/// The bytes as frames.
pub(super) fn compress(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() / 2 + 2 * HEADER);
    for block in bytes.chunks(BLOCK_BYTES) {
        let packed = squeeze(block);
        let (token, body) = if packed.len() < block.len() { (PACKED, &packed[..]) } else { (RAW, block) };
        header(&mut out, token, body.len(), block.len(), xx_hash(block, SEED) & CHECKSUM_BITS);
        out.extend_from_slice(body);
    }
    header(&mut out, RAW, 0, 0, 0);
    out
}

fn header(out: &mut Vec<u8>, method: u8, packed: usize, plain: usize, checksum: u32) {
    out.extend_from_slice(MAGIC);
    out.push(method | LEVEL);
    out.extend_from_slice(&(packed as u32).to_le_bytes());
    out.extend_from_slice(&(plain as u32).to_le_bytes());
    out.extend_from_slice(&checksum.to_le_bytes());
}

/// The bytes in frames, `None` when they are cut off or damaged.
pub(super) fn decompress(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    loop {
        let head = bytes.get(..HEADER)?;
        let word = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let (packed, plain, checksum) = (word(9)? as usize, word(13)? as usize, word(17)?);
        if &head[..8] != MAGIC {
            return None;
        }
        if plain == 0 {
            return (packed == 0 && checksum == 0).then_some(out);
        }
        let body = bytes.get(HEADER..HEADER + packed)?;
        let block = match head[8] & 0xf0 {
            RAW if packed == plain => body.to_vec(),
            PACKED => unsqueeze(body, plain).ok()?,
            _ => return None,
        };
        if block.len() != plain || xx_hash(&block, SEED) & CHECKSUM_BITS != checksum {
            return None;
        }
        out.extend_from_slice(&block);
        bytes = &bytes[HEADER + packed..];
    }
}

const PRIMES: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];

/// The hash xxHash of 32 bits.
fn xx_hash(bytes: &[u8], seed: u32) -> u32 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0_u32, |sum, byte| (sum << 8) | u32::from(*byte));
    let round =
        |lane: u32, input: u32| lane.wrapping_add(input.wrapping_mul(p2)).rotate_left(13).wrapping_mul(p1);
    let stripes = bytes.chunks_exact(16);
    let mut rest = stripes.remainder();
    let mut hash = if bytes.len() >= 16 {
        let mut lanes =
            [seed.wrapping_add(p1).wrapping_add(p2), seed.wrapping_add(p2), seed, seed.wrapping_sub(p1)];
        for stripe in stripes {
            for (lane, input) in lanes.iter_mut().zip(stripe.chunks_exact(4)) {
                *lane = round(*lane, word(input));
            }
        }
        let turns = [1, 7, 12, 18];
        lanes.iter().zip(turns).fold(0_u32, |sum, (lane, turn)| sum.wrapping_add(lane.rotate_left(turn)))
    } else {
        seed.wrapping_add(p5)
    };
    hash = hash.wrapping_add(bytes.len() as u32);
    while rest.len() >= 4 {
        hash = hash.wrapping_add(word(&rest[..4]).wrapping_mul(p3)).rotate_left(17).wrapping_mul(p4);
        rest = &rest[4..];
    }
    for byte in rest {
        hash = hash.wrapping_add(u32::from(*byte).wrapping_mul(p5)).rotate_left(11).wrapping_mul(p1);
    }
    hash = (hash ^ (hash >> 15)).wrapping_mul(p2);
    hash = (hash ^ (hash >> 13)).wrapping_mul(p3);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A delta file that Spark wrote: the keys `a` and `b` with the sums 1 and 2.
    const OF_SPARK: &str = "4c5a34426c6f636b25370000006400000004b38f045300000018000100930100000010000000611000030f00010200001c000302000d300013621900083000c00200000000000000ffffffff4c5a34426c6f636b15000000000000000000000000";

    fn bytes(hex: &str) -> Vec<u8> {
        let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
        digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
    }

    #[test]
    fn what_spark_wrote_is_read() {
        let plain = decompress(&bytes(OF_SPARK)).expect("Spark's frames are good");
        assert_eq!(plain.len(), 100);
        assert_eq!(plain[..4], [0, 0, 0, 24]);
        assert_eq!(plain[96..], [0xff; 4]);
        let again = compress(&plain);
        assert_eq!(again[17..21], bytes(OF_SPARK)[17..21], "the checksum is Spark's");
    }

    #[test]
    fn there_and_back() {
        for length in [0, 1, 15, 16, 17, 100, 32_768, 70_000] {
            let plain: Vec<u8> =
                (0..length).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
            let frames = compress(&plain);
            assert_eq!(decompress(&frames).as_deref(), Some(&plain[..]), "{length}");
            assert_eq!(decompress(&frames[..frames.len() - 1]), None, "{length} cut off");
        }
    }
}
