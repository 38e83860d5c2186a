//! Ids from a seed and a counter: random to look at, the same for the same acts.

/// A source of ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IdSource {
    seed: u64,
    count: u64,
}

impl IdSource {
    pub(crate) fn new(seed: u64) -> Self {
        IdSource { seed, count: 0 }
    }

    /// The next 64 bits (SplitMix64 over seed and counter).
    pub(crate) fn next(&mut self) -> u64 {
        self.count += 1;
        let mut z = self
            .seed
            .wrapping_mul(0xD134_2543_DE82_EF95)
            .wrapping_add(self.count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next id in the form of a random UUID (version 4).
    pub(crate) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        let high = (high & !0xF000) | 0x4000;
        let low = (low & !(0b11 << 62)) | (0b10 << 62);
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            (high >> 16) & 0xFFFF,
            high & 0xFFFF,
            low >> 48,
            low & 0xFFFF_FFFF_FFFF
        )
    }
}
