//! `LZ4Block` frames, as Spark compresses its state files.
//!
//! A frame is `LZ4Block`, a token, the compressed and the plain length, a checksum (all little-endian) and the bytes;
//! an empty frame ends the stream.

use lz4_flex::block::{compress as squeeze, decompress_into as unsqueeze};

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

/// Bytes that become frames as they come.
#[derive(Debug, Default)]
pub(super) struct Frames {
    block: Vec<u8>,
    out: Vec<u8>,
}

impl Frames {
    /// Appends bytes.
    pub(super) fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            if self.block.len() == BLOCK_BYTES {
                self.flush();
            }
        }
    }

    /// The frames, with the one that ends the stream.
    pub(super) fn finish(mut self) -> Vec<u8> {
        if !self.block.is_empty() {
            self.flush();
        }
        header(&mut self.out, RAW, 0, 0, 0);
        self.out
    }

    fn flush(&mut self) {
        let packed = squeeze(&self.block);
        let is_smaller = packed.len() < self.block.len();
        let (token, body) = if is_smaller { (PACKED, &packed) } else { (RAW, &self.block) };
        let checksum = xx_hash(&self.block, SEED) & CHECKSUM_BITS;
        header(&mut self.out, token, body.len(), self.block.len(), checksum);
        self.out.extend_from_slice(body);
        self.block.clear();
    }
}

fn header(out: &mut Vec<u8>, method: u8, packed: usize, plain: usize, checksum: u32) {
    out.extend_from_slice(MAGIC);
    out.push(method | LEVEL);
    out.extend_from_slice(&(packed as u32).to_le_bytes());
    out.extend_from_slice(&(plain as u32).to_le_bytes());
    out.extend_from_slice(&checksum.to_le_bytes());
}

/// A frame of a stream.
struct Frame<'a> {
    method: u8,
    plain: usize,
    checksum: u32,
    body: &'a [u8],
}

/// The first frame, `None` when it is cut off or damaged.
fn frame(bytes: &[u8]) -> Option<Frame<'_>> {
    let head = bytes.get(..HEADER)?;
    let word = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
    let (packed, plain, checksum) = (word(9)? as usize, word(13)? as usize, word(17)?);
    let most = 1 << (10 + (head[8] & 0x0f));
    if &head[..8] != MAGIC || plain > most {
        return None;
    }
    Some(Frame {
        method: head[8] & 0xf0,
        plain,
        checksum,
        body: bytes.get(HEADER..HEADER.checked_add(packed)?)?,
    })
}

/// The bytes in frames, `None` when they are cut off or damaged.
pub(super) fn decompress(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut rest, mut size) = (bytes, 0);
    loop {
        let frame = frame(rest)?;
        if frame.plain == 0 {
            break;
        }
        size += frame.plain;
        rest = &rest[HEADER + frame.body.len()..];
    }
    let (mut rest, mut out) = (bytes, vec![0; size]);
    let mut to = &mut out[..];
    loop {
        let Frame { method, plain, checksum, body } = frame(rest)?;
        if plain == 0 {
            return (body.is_empty() && checksum == 0).then_some(out);
        }
        let (block, after) = to.split_at_mut(plain);
        match method {
            RAW if body.len() == plain => block.copy_from_slice(body),
            PACKED if unsqueeze(body, block).ok()? == plain => {}
            _ => return None,
        }
        if xx_hash(block, SEED) & CHECKSUM_BITS != checksum {
            return None;
        }
        to = after;
        rest = &rest[HEADER + body.len()..];
    }
}

const PRIMES: [u32; 5] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d, 0x27d4_eb2f, 0x1656_67b1];

/// The hash xxHash of 32 bits.
fn xx_hash(bytes: &[u8], seed: u32) -> u32 {
    let [p1, p2, p3, p4, p5] = PRIMES;
    let word = |chunk: &[u8], at: usize| {
        u32::from_le_bytes([chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3]])
    };
    let round =
        |lane: u32, input: u32| lane.wrapping_add(input.wrapping_mul(p2)).rotate_left(13).wrapping_mul(p1);
    let stripes = bytes.chunks_exact(16);
    let mut rest = stripes.remainder();
    let mut hash = if bytes.len() >= 16 {
        let (mut a, mut b) = (seed.wrapping_add(p1).wrapping_add(p2), seed.wrapping_add(p2));
        let (mut c, mut d) = (seed, seed.wrapping_sub(p1));
        for stripe in stripes {
            a = round(a, word(stripe, 0));
            b = round(b, word(stripe, 4));
            c = round(c, word(stripe, 8));
            d = round(d, word(stripe, 12));
        }
        let low = a.rotate_left(1).wrapping_add(b.rotate_left(7));
        low.wrapping_add(c.rotate_left(12)).wrapping_add(d.rotate_left(18))
    } else {
        seed.wrapping_add(p5)
    };
    hash = hash.wrapping_add(bytes.len() as u32);
    while rest.len() >= 4 {
        hash = hash.wrapping_add(word(rest, 0).wrapping_mul(p3)).rotate_left(17).wrapping_mul(p4);
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

    fn compress(plain: &[u8]) -> Vec<u8> {
        let mut frames = Frames::default();
        plain.chunks(1_000).for_each(|some| frames.push(some));
        frames.finish()
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
            let mut long = frames.clone();
            long[16] = 0x7f;
            assert_eq!(decompress(&long), None, "{length} and a block longer than its stream allows");
        }
    }
}
