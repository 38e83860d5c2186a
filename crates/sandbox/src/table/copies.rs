//! How often the rows of a table are there.

use std::collections::BTreeMap;

use super::row::Placed;

/// How often each row of a table is there, by its cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Copies {
    counts: BTreeMap<Vec<String>, u32>,
    doubled: usize,
}

impl Copies {
    /// Those of these rows.
    pub(crate) fn of(rows: &[Placed]) -> Copies {
        let mut copies = Copies::default();
        copies.add(rows);
        copies
    }

    /// Counts more rows.
    pub(super) fn add(&mut self, rows: &[Placed]) {
        for row in rows {
            let count = self.counts.entry(row.cells.clone()).or_default();
            *count += 1;
            self.doubled += match *count {
                1 => 0,
                2 => 2,
                _ => 1,
            };
        }
    }

    /// How often a row is there, itself included.
    pub(crate) fn count(&self, cells: &[String]) -> u32 {
        self.counts.get(cells).copied().unwrap_or(1)
    }

    /// Rows that are there more than once.
    pub(crate) fn doubled(&self) -> usize {
        self.doubled
    }
}
