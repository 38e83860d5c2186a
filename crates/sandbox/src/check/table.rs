//! A Delta table as rows of text, each row with the cell that names it.

use tidemark_delta::Snapshot;
use tidemark_world::World;

use crate::sink::cells;

/// A table at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Rows {
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Rows {
    /// The table at this path; none if there is no table.
    pub(super) fn read(world: &World, path: &str) -> Option<Rows> {
        // Reading for a check is no act: it works on a copy, so that nothing of it is counted.
        let mut world = world.clone();
        let path = world.resolve(path);
        let snapshot = Snapshot::find(&mut world, &path).ok()??;
        let schema = snapshot.schema().clone();
        let columns = schema.names().iter().map(|name| (*name).to_owned()).collect();
        let mut found = Rows { columns, rows: Vec::new() };
        for add in snapshot.files() {
            let Ok(batch) = snapshot.read_file(&mut world, add, &schema) else { continue };
            found.rows.extend(cells(&batch, batch.rows()));
        }
        Some(found)
    }

    /// The cells of a column.
    pub(super) fn keys(&self, column: &str) -> Option<Vec<String>> {
        let at = self.columns.iter().position(|name| name == column)?;
        Some(self.rows.iter().map(|row| row.get(at).cloned().unwrap_or_default()).collect())
    }

    /// The same rows with the columns in this order; none if one is missing or there are others.
    pub(super) fn in_order(&self, columns: &[String]) -> Option<Rows> {
        let places: Vec<usize> = columns
            .iter()
            .map(|wanted| self.columns.iter().position(|name| name == wanted))
            .collect::<Option<_>>()?;
        if places.len() != self.columns.len() {
            return None;
        }
        let rows = self.rows.iter().map(|row| places.iter().map(|at| row[*at].clone()).collect()).collect();
        Some(Rows { columns: columns.to_vec(), rows })
    }

    /// How often a key is there.
    pub(super) fn count(&self, column: &str, key: &str) -> usize {
        self.keys(column).unwrap_or_default().iter().filter(|found| *found == key).count()
    }
}

/// Keys in the order of numbers, others in that of their letters.
pub(super) fn sorted(mut keys: Vec<String>) -> Vec<String> {
    keys.sort_by(|one, other| match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one.total_cmp(&other),
        _ => one.cmp(other),
    });
    keys.dedup();
    keys
}
