//! A join of two streams: the rows of the left side are matched with the stored right ones and stored, then the rows
//! of the right side with all left ones, then what is over goes.
//!
//! Keys are compared as bytes, so that null finds null, as in Spark: it never comes to that where a side gives only rows
//! that match, for then null keys are left out below the join.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, BooleanArray, UInt32Array, new_null_array};
use bytes::Bytes;
use tidemark_plan::{Attribute, JoinType, Scalar};
use tidemark_types::{Batch, DataType, StructType};

use crate::error::Result;
use crate::kernel::{EvalContext, Program, compile, conform_batch, decided, normalized, take_rows};
use crate::operator::filter_batch;
use crate::state::event_time::{KeyTime, event_time_column, field, in_time};
use crate::state::join::condition::{End, JoinCondition, SideCondition};
use crate::state::join::store::{SideStore, StoredRow, is_marked, marked};
use crate::state::metrics::OperatorMetrics;
use crate::state::operator::schema_of;
use crate::state::row::encode;
use crate::state::run::Given;
use crate::state::store::Save;

/// One side, compiled.
struct Side {
    keys: Vec<Program>,
    key_types: Vec<DataType>,
    value_types: Vec<DataType>,
    own: Option<Program>,
    event_time: Option<usize>,
    end: End,
    end_of_key: Option<KeyTime>,
    /// Whether rows without a match come out.
    outer: bool,
}

/// A join with state.
pub(in crate::state) struct StatefulJoin {
    sides: [Side; 2],
    join_type: JoinType,
    rest: Option<Program>,
    pair: Arc<StructType>,
    output: Arc<StructType>,
}

const LEFT: usize = 0;
const RIGHT: usize = 1;

impl Side {
    fn new(condition: &SideCondition, columns: &[Attribute], outer: bool) -> Result<Side> {
        let keys = condition.keys.iter().map(|key| compile(key, columns)).collect::<Result<Vec<_>>>()?;
        let key_types: Vec<DataType> = condition.keys.iter().map(Scalar::data_type).collect();
        let mut value_types: Vec<DataType> = columns.iter().map(|c| c.data_type.clone()).collect();
        value_types.push(DataType::Boolean);
        let end_of_key = match condition.end {
            End::Key(index) => Some(KeyTime::at(index, &key_types)),
            End::Never | End::Column(..) => None,
        };
        Ok(Side {
            keys,
            value_types,
            own: condition.own.as_ref().map(|own| compile(own, columns)).transpose()?,
            event_time: event_time_column(columns),
            end: condition.end,
            end_of_key,
            key_types,
            outer,
        })
    }

    /// Whether a stored row is over at this watermark.
    fn is_over(&self, key: &[u8], value: &[u8], watermark_micros: i64) -> bool {
        match self.end {
            End::Never => false,
            End::Key(_) => {
                self.end_of_key.and_then(|time| time.read(key)).is_some_and(|t| t <= watermark_micros)
            }
            End::Column(column, micros) => field(value, self.value_types.len(), column)
                .is_some_and(|t| t <= watermark_micros.saturating_add(micros)),
        }
    }
}

/// The rows of one batch of a side, with their keys.
struct Incoming<'a> {
    batch: &'a Batch,
    keys: Vec<Bytes>,
    values: Vec<Bytes>,
}

impl StatefulJoin {
    /// A join of these sides.
    pub(in crate::state) fn new(
        condition: &JoinCondition,
        (left, right): (&[Attribute], &[Attribute]),
        join_type: JoinType,
        output: &[Attribute],
    ) -> Result<StatefulJoin> {
        let pair: Vec<Attribute> = left.iter().chain(right).cloned().collect();
        let left_outer = matches!(join_type, JoinType::LeftOuter | JoinType::FullOuter);
        let right_outer = matches!(join_type, JoinType::RightOuter | JoinType::FullOuter);
        Ok(StatefulJoin {
            sides: [
                Side::new(&condition.left, left, left_outer)?,
                Side::new(&condition.right, right, right_outer)?,
            ],
            join_type,
            rest: condition.rest.as_ref().map(|rest| compile(rest, &pair)).transpose()?,
            pair: schema_of(&pair),
            output: schema_of(output),
        })
    }

    /// Takes the rows of one partition in and gives the rows that come out. The saves are counts and rows of the left
    /// side, then of the right one.
    pub(in crate::state) fn keep(
        &self,
        rows: [&[Batch]; 2],
        saves: &mut [Save],
        given: &Given,
        eval: &EvalContext,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>> {
        let [counts_left, rows_left, counts_right, rows_right] = saves else { return Ok(Vec::new()) };
        let [left, right] = &self.sides;
        let mut stores = [
            SideStore::new((counts_left, rows_left), &left.key_types, &left.value_types),
            SideStore::new((counts_right, rows_right), &right.key_types, &right.value_types),
        ];
        let mut out = Vec::new();
        // A left row that has a match need not be stored when all right rows are there first.
        let order = if self.join_type == JoinType::LeftSemi { [RIGHT, LEFT] } else { [LEFT, RIGHT] };
        for side in order {
            for batch in rows[side] {
                self.take_in(side, batch, &mut stores, given, (eval, metrics), &mut out)?;
            }
        }
        let watermark = given.evict_ms.saturating_mul(1000);
        for (index, side) in self.sides.iter().enumerate() {
            let semi = self.join_type == JoinType::LeftSemi && index == LEFT;
            let mark = side.value_types.len();
            let removed = stores[index].remove_over(&|key, value| {
                side.is_over(key, value, watermark) || (semi && is_marked(value, mark))
            });
            if side.outer {
                let alone: Vec<Bytes> =
                    removed.into_iter().filter(|value| !stores[index].is_matched(value)).collect();
                let columns = stores[index].columns(&alone)?;
                self.push(&mut out, self.alone(index, columns, alone.len()))?;
            } else {
                metrics.rows_removed += removed.len() as u64;
            }
            metrics.rows_total += stores[index].len() as u64;
            metrics.bytes += stores[index].bytes();
        }
        Ok(out)
    }

    fn take_in(
        &self,
        index: usize,
        batch: &Batch,
        stores: &mut [SideStore<'_>; 2],
        given: &Given,
        (eval, metrics): (&EvalContext, &mut OperatorMetrics),
        out: &mut Vec<Batch>,
    ) -> Result<()> {
        let side = &self.sides[index];
        let mut kept = batch.clone();
        if let Some(place) = side.event_time {
            kept = filter_batch(batch, &in_time(batch.column(place), given.late_ms.saturating_mul(1000)))?;
            metrics.rows_dropped += (batch.rows() - kept.rows()) as u64;
        }
        if let Some(own) = &side.own {
            let mask = decided(own.evaluate(&kept, eval)?.as_boolean());
            if side.outer {
                let alone =
                    filter_batch(&kept, &arrow::compute::not(&mask).map_err(crate::kernel::internal)?)?;
                self.push(out, self.alone(index, alone.columns().to_vec(), alone.rows()))?;
            }
            kept = filter_batch(&kept, &mask)?;
        }
        let key_columns = side
            .keys
            .iter()
            .map(|key| normalized(&key.evaluate(&kept, eval)?))
            .collect::<Result<Vec<ArrayRef>>>()?;
        let mut columns = kept.columns().to_vec();
        columns.push(Arc::new(BooleanArray::from(vec![false; kept.rows()])));
        let incoming = Incoming {
            batch: &kept,
            keys: encode(&side.key_types, &key_columns, kept.rows())?,
            values: encode(&side.value_types, &columns, kept.rows())?,
        };
        let matched = self.matches(index, &incoming, stores, eval, out)?;
        self.store(index, &incoming, &matched, &mut stores[index], given, metrics);
        Ok(())
    }

    /// Matches rows with the stored ones of the other side. Says which rows have found one.
    fn matches(
        &self,
        index: usize,
        incoming: &Incoming<'_>,
        stores: &mut [SideStore<'_>; 2],
        eval: &EvalContext,
        out: &mut Vec<Batch>,
    ) -> Result<Vec<bool>> {
        let other = &mut stores[1 - index];
        let semi = self.join_type == JoinType::LeftSemi;
        let (mut places, mut found): (Vec<u32>, Vec<StoredRow>) = (Vec::new(), Vec::new());
        for (row, key) in incoming.keys.iter().enumerate() {
            for stored in other.rows_of(key) {
                places.push(row as u32);
                found.push(stored);
            }
        }
        let mut matched = vec![false; incoming.keys.len()];
        if places.is_empty() {
            return Ok(matched);
        }
        let values: Vec<Bytes> = found.iter().map(|row| row.value.clone()).collect();
        let pairs = self.pairs(index, incoming, &places, other.columns(&values)?)?;
        let good = match &self.rest {
            Some(rest) => decided(rest.evaluate(&pairs, eval)?.as_boolean()),
            None => BooleanArray::from(vec![true; places.len()]),
        };
        let mut shown = vec![false; places.len()];
        for (pair, (place, stored)) in places.iter().zip(&found).enumerate() {
            if !good.value(pair) {
                continue;
            }
            shown[pair] = match (semi, index) {
                (false, _) => true,
                (true, LEFT) => !matched[*place as usize],
                (true, _) => !other.has_match(stored),
            };
            if shown[pair] {
                matched[*place as usize] = true;
                other.mark(stored);
            }
        }
        let pairs = filter_batch(&pairs, &BooleanArray::from(shown))?;
        let rows = pairs.rows();
        let columns = pairs.columns()[..self.output.fields.len()].to_vec();
        self.push(out, (columns, rows))?;
        Ok(matched)
    }

    fn store(
        &self,
        index: usize,
        incoming: &Incoming<'_>,
        matched: &[bool],
        store: &mut SideStore<'_>,
        given: &Given,
        metrics: &mut OperatorMetrics,
    ) {
        let side = &self.sides[index];
        let watermark = given.evict_ms.saturating_mul(1000);
        let semi = self.join_type == JoinType::LeftSemi && index == LEFT;
        for ((key, value), matched) in incoming.keys.iter().zip(&incoming.values).zip(matched) {
            let needed = index == LEFT || (side.outer && !*matched);
            let over = !needed && side.is_over(key, value, watermark);
            if over || (semi && *matched) {
                continue;
            }
            let value = if *matched { marked(value, side.value_types.len()) } else { value.clone() };
            store.append(key, value);
            metrics.rows_updated += 1;
        }
    }

    fn pairs(
        &self,
        index: usize,
        incoming: &Incoming<'_>,
        places: &[u32],
        others: Vec<ArrayRef>,
    ) -> Result<Batch> {
        let places = UInt32Array::from(places.to_vec());
        let own =
            incoming.batch.columns().iter().map(|c| take_rows(c, &places)).collect::<Result<Vec<_>>>()?;
        let columns: Vec<ArrayRef> = match index {
            LEFT => own.into_iter().chain(others).collect(),
            _ => others.into_iter().chain(own).collect(),
        };
        conform_batch(&self.pair, &columns, places.len())
    }

    /// Rows of one side with nulls for the other.
    fn alone(&self, index: usize, own: Vec<ArrayRef>, rows: usize) -> (Vec<ArrayRef>, usize) {
        let left = self.sides[LEFT].value_types.len() - 1;
        let nulls = |types: &[DataType]| -> Vec<ArrayRef> {
            types[..types.len() - 1].iter().map(|t| new_null_array(&t.to_arrow(), rows)).collect()
        };
        debug_assert!(index == RIGHT || own.len() == left, "a row has the columns of its side");
        let columns = match index {
            LEFT => own.into_iter().chain(nulls(&self.sides[RIGHT].value_types)).collect(),
            _ => nulls(&self.sides[LEFT].value_types).into_iter().chain(own).collect(),
        };
        (columns, rows)
    }

    fn push(&self, out: &mut Vec<Batch>, (columns, rows): (Vec<ArrayRef>, usize)) -> Result<()> {
        if rows > 0 {
            out.push(conform_batch(&self.output, &columns, rows)?);
        }
        Ok(())
    }
}
