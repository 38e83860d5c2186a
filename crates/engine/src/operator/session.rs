//! Sessions grow together: rows of a key whose sessions touch get one session, from the first start to the last end.
//!
//! ```text
//! key a   ├─────┤ ├───┤            two rows overlap or touch ─▶  ├─────────┤
//!              ├────┤      ├───┤   the third fills the hole      the fourth stays alone
//! ```

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, UInt32Array};
use arrow::datatypes::TimestampMicrosecondType;
use tidemark_types::{Batch, DataType, StructType};

use crate::error::Result;
use crate::kernel::{internal, sessions_of, take_rows};
use crate::operator::flow::{BoxedOperator, Operator, Piece, Pull, RunContext};
use crate::operator::gather::chunks;
use crate::operator::group::GroupTable;
use crate::operator::leaf::Emitter;

/// Rows in the order of their keys and sessions, each with the session that it has become a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Merged {
    /// The rows, by their places.
    pub(crate) order: Vec<u32>,
    /// The starts of their sessions.
    pub(crate) starts: Vec<i64>,
    /// The ends.
    pub(crate) ends: Vec<i64>,
}

/// Merges the sessions of rows: `groups[i]` is the number of row `i`'s key. The first `stored` rows are those of the
/// state: they come before new ones of the same start.
///
/// Source: sessions that touch are one; a row never ends a session earlier.
pub(crate) fn merged(groups: &[u32], starts: &[i64], ends: &[i64], stored: usize) -> Merged {
    let mut order: Vec<u32> = (0..groups.len() as u32).collect();
    order.sort_by_key(|row| {
        let row = *row as usize;
        (groups[row], starts[row], row >= stored, ends[row])
    });
    let mut out = Merged { starts: Vec::with_capacity(order.len()), ends: vec![0; order.len()], order };
    let mut first = 0;
    for place in 0..out.order.len() {
        let row = out.order[place] as usize;
        let before = out.order[first] as usize;
        let joins = place > first && groups[before] == groups[row] && starts[row] <= out.ends[first];
        if joins {
            out.ends[first] = out.ends[first].max(ends[row]);
        } else {
            let end = out.ends[first];
            out.ends[first..place].fill(end);
            first = place;
            out.ends[first] = ends[row];
        }
        out.starts.push(starts[out.order[first] as usize]);
    }
    if let Some(end) = out.ends.get(first).copied() {
        out.ends[first..].fill(end);
    }
    out
}

/// The starts and the ends of a column of sessions.
pub(crate) fn starts_and_ends(sessions: &ArrayRef) -> (Vec<i64>, Vec<i64>) {
    let sides = sessions.as_struct();
    let side =
        |index: usize| sides.column(index).as_primitive::<TimestampMicrosecondType>().values().to_vec();
    (side(0), side(1))
}

/// These columns in the order of merged rows, the column of the sessions replaced.
pub(crate) fn with_sessions(
    columns: &[ArrayRef],
    session: usize,
    data_type: &DataType,
    merged: Merged,
) -> Result<Vec<ArrayRef>> {
    let places = UInt32Array::from(merged.order);
    let mut out = columns.iter().map(|column| take_rows(column, &places)).collect::<Result<Vec<_>>>()?;
    out[session] = sessions_of(merged.starts, merged.ends, data_type)?;
    Ok(out)
}

/// Merges the sessions of each partition.
#[derive(Debug)]
pub(crate) struct MergeSessions {
    child: BoxedOperator,
    keys: Vec<usize>,
    session: usize,
    schema: Arc<StructType>,
    batches: Vec<Batch>,
    ready: Option<Emitter>,
}

impl MergeSessions {
    /// `keys` are the columns beside the session by which rows belong together.
    pub(crate) fn new(
        child: BoxedOperator,
        keys: Vec<usize>,
        session: usize,
        schema: Arc<StructType>,
    ) -> Self {
        MergeSessions { child, keys, session, schema, batches: Vec::new(), ready: None }
    }

    fn finish(&mut self) -> Result<Emitter> {
        let all = Batch::concat(&self.schema, &std::mem::take(&mut self.batches)).map_err(internal)?;
        let types: Vec<DataType> =
            self.keys.iter().map(|key| self.schema.fields[*key].data_type.clone()).collect();
        let keys: Vec<ArrayRef> = self.keys.iter().map(|key| all.column(*key).clone()).collect();
        let groups = GroupTable::new(&types)?.intern(&keys, all.rows())?;
        let (starts, ends) = starts_and_ends(all.column(self.session));
        let merged = merged(&groups, &starts, &ends, 0);
        let data_type = &self.schema.fields[self.session].data_type;
        let columns = with_sessions(all.columns(), self.session, data_type, merged)?;
        let batch = Batch::new(self.schema.clone(), columns, all.rows());
        Ok(Emitter::new(vec![chunks(&batch).into_iter().map(Piece::new).collect()]))
    }
}

impl Operator for MergeSessions {
    fn pull(&mut self, context: &RunContext) -> Result<Pull> {
        if let Some(emitter) = &mut self.ready {
            match emitter.next() {
                Pull::End => self.ready = None,
                other => return Ok(other),
            }
        }
        match self.child.pull(context)? {
            Pull::Rows(piece) => self.batches.push(piece.batch),
            Pull::PartitionEnd => self.ready = Some(self.finish()?),
            Pull::Busy => {}
            Pull::End => return Ok(Pull::End),
        }
        Ok(Pull::Busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_merge() {
        for (rows, stored, order, sessions) in [
            // Touching sessions are one; a hole keeps them apart.
            (
                vec![(0, 0, 5), (0, 10, 15), (0, 5, 10), (0, 16, 20)],
                0,
                vec![0, 2, 1, 3],
                vec![(0, 15), (0, 15), (0, 15), (16, 20)],
            ),
            // A long session swallows a short one; another key stands alone.
            (
                vec![(1, 3, 4), (0, 0, 9), (0, 2, 3), (0, 9, 10)],
                0,
                vec![1, 2, 3, 0],
                vec![(0, 10), (0, 10), (0, 10), (3, 4)],
            ),
            // What is stored comes first.
            (vec![(0, 0, 9), (0, 0, 5)], 1, vec![0, 1], vec![(0, 9), (0, 9)]),
            (vec![], 0, vec![], vec![]),
        ] {
            let column = |part: fn(&(u32, i64, i64)) -> i64| rows.iter().map(part).collect::<Vec<i64>>();
            let groups: Vec<u32> = rows.iter().map(|row| row.0).collect();
            let made = merged(&groups, &column(|r| r.1), &column(|r| r.2), stored);
            assert_eq!(made.order, order);
            assert_eq!(made.starts.into_iter().zip(made.ends).collect::<Vec<_>>(), sessions);
        }
    }
}
