//! Many short byte strings side by side in shared pieces: a million keys are not a million allocations.

use bytes::Bytes;

/// The bytes at which a piece is full: as much stays in memory at most for the sake of one string of it.
const PIECE_BYTES: usize = 16 * 1024;

/// Strings of bytes, one after the other.
#[derive(Debug, Default)]
pub(in crate::state) struct Packer {
    piece: Vec<u8>,
    ends: Vec<usize>,
    done: Vec<Bytes>,
}

impl Packer {
    /// For so many strings.
    pub(in crate::state) fn new(strings: usize) -> Packer {
        Packer { done: Vec::with_capacity(strings), ..Packer::default() }
    }

    /// Where the next string is to be appended.
    pub(in crate::state) fn open(&mut self) -> &mut Vec<u8> {
        &mut self.piece
    }

    /// The string that was appended is whole.
    pub(in crate::state) fn close(&mut self) {
        self.ends.push(self.piece.len());
        if self.piece.len() >= PIECE_BYTES {
            self.cut();
        }
    }

    /// All strings in their order.
    pub(in crate::state) fn finish(mut self) -> Vec<Bytes> {
        self.cut();
        self.done
    }

    fn cut(&mut self) {
        let whole = Bytes::copy_from_slice(&self.piece);
        let mut from = 0;
        for end in self.ends.drain(..) {
            self.done.push(whole.slice(from..end));
            from = end;
        }
        self.piece.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back_as_they_were() {
        for (count, length) in [(0, 0), (1, 5), (3, 0), (5_000, 13), (3, 40_000)] {
            let wanted: Vec<Vec<u8>> = (0..count).map(|n| vec![n as u8; length]).collect();
            let mut packer = Packer::new(count);
            for string in &wanted {
                packer.open().extend_from_slice(string);
                packer.close();
            }
            assert_eq!(packer.finish(), wanted, "{count} of {length}");
        }
    }
}
