//! Functions that keep values of any type: `first`, `last`, `collect_list`, `collect_set`, `min_by`, `max_by`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, ListArray, new_null_array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::interleave;
use arrow::datatypes::Field;
use arrow::row::{RowConverter, SortField};
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::error::Result;
use crate::kernel::{conform, internal, rows_of};
use crate::operator::aggregate::accumulator::Accumulator;
use crate::operator::aggregate::set_order::{hash_of, place};
use crate::operator::group::GroupTable;

/// So many arrays are kept before what is needed of them is copied together.
const PARTS_MAX: usize = 64;

/// A value for each group, kept as a place in an array that came by.
#[derive(Debug)]
struct Kept {
    data_type: DataType,
    parts: Vec<ArrayRef>,
    picks: Vec<(usize, usize)>,
}

impl Kept {
    fn new(data_type: DataType) -> Self {
        let null = new_null_array(&data_type.to_arrow(), 1);
        Kept { data_type, parts: vec![null], picks: Vec::new() }
    }

    fn resize(&mut self, groups: usize) {
        self.picks.resize(groups, (0, 0));
    }

    /// Makes an array known; its number is for `keep`.
    fn part(&mut self, array: &ArrayRef) -> Result<usize> {
        if self.parts.len() >= PARTS_MAX {
            let all = self.column()?;
            self.parts.truncate(1);
            self.parts.push(all);
            for (group, pick) in self.picks.iter_mut().enumerate() {
                *pick = (1, group);
            }
        }
        self.parts.push(conform(array, &self.data_type)?);
        Ok(self.parts.len() - 1)
    }

    fn column(&self) -> Result<ArrayRef> {
        let parts: Vec<&dyn Array> = self.parts.iter().map(AsRef::as_ref).collect();
        interleave(&parts, &self.picks).map_err(internal)
    }
}

/// `first` and `last`: in the order in which rows come; null counts as a value.
#[derive(Debug)]
pub(crate) struct Pick {
    kept: Kept,
    set: Vec<bool>,
    last: bool,
}

impl Pick {
    /// Values of this type.
    pub(crate) fn new(data_type: DataType, last: bool) -> Self {
        Pick { kept: Kept::new(data_type), set: Vec::new(), last }
    }

    fn take_in(&mut self, groups: &[u32], column: &ArrayRef, counts: impl Fn(usize) -> bool) -> Result<()> {
        let part = self.kept.part(column)?;
        for (row, group) in groups.iter().enumerate() {
            let group = *group as usize;
            if counts(row) && (self.last || !self.set[group]) {
                self.set[group] = true;
                self.kept.picks[group] = (part, row);
            }
        }
        Ok(())
    }
}

impl Accumulator for Pick {
    fn resize(&mut self, groups: usize) {
        self.kept.resize(groups);
        self.set.resize(groups, false);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.take_in(groups, &args[0], |_| true)
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        let set = buffers[1].as_boolean().clone();
        self.take_in(groups, &buffers[0], |row| set.value(row))
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.kept.column()?, Arc::new(BooleanArray::from(self.set.clone()))])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        self.kept.column()
    }
}

/// `min_by` and `max_by`: the value beside the least or greatest order; the last of equal ones, as Spark keeps it.
#[derive(Debug)]
pub(crate) struct PickBy {
    values: Kept,
    orders: Kept,
    converter: RowConverter,
    best: Vec<Option<Box<[u8]>>>,
    greatest: bool,
}

impl PickBy {
    /// Values of one type, ordered by another.
    pub(crate) fn new(data_type: DataType, ordering: DataType, greatest: bool) -> Result<Self> {
        let converter = RowConverter::new(vec![SortField::new(ordering.to_arrow())]).map_err(internal)?;
        Ok(PickBy {
            values: Kept::new(data_type),
            orders: Kept::new(ordering),
            converter,
            best: Vec::new(),
            greatest,
        })
    }
}

impl Accumulator for PickBy {
    fn resize(&mut self, groups: usize) {
        self.values.resize(groups);
        self.orders.resize(groups);
        self.best.resize(groups, None);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let (value_part, order_part) = (self.values.part(&args[0])?, self.orders.part(&args[1])?);
        let rows = rows_of(&self.converter, &[conform(&args[1], &self.orders.data_type)?])?;
        for (row, group) in groups.iter().enumerate().filter(|(row, _)| args[1].is_valid(*row)) {
            let group = *group as usize;
            let order = rows.row(row).data();
            let wins = self.best[group]
                .as_deref()
                .is_none_or(|best| if self.greatest { order >= best } else { order <= best });
            if wins {
                self.best[group] = Some(order.into());
                self.values.picks[group] = (value_part, row);
                self.orders.picks[group] = (order_part, row);
            }
        }
        Ok(())
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        self.update(groups, buffers)
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.values.column()?, self.orders.column()?])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        self.values.column()
    }
}

/// `collect_list`, in the order in which values come, and `collect_set`, in that of Spark's set; nulls left out.
#[derive(Debug)]
pub(crate) struct Collect {
    element: DataType,
    nullable: bool,
    parts: Vec<ArrayRef>,
    entries: Vec<(u32, usize, usize)>,
    groups: usize,
    seen: Option<GroupTable>,
}

impl Collect {
    /// All values.
    pub(crate) fn list(data_type: DataType) -> Result<Self> {
        match data_type {
            DataType::Array(element, nullable) => Ok(Collect {
                element: *element,
                nullable,
                parts: Vec::new(),
                entries: Vec::new(),
                groups: 0,
                seen: None,
            }),
            other => Err(SparkError::plain(
                ErrorClass::UnsupportedOperation,
                format!("a list of type {} is not supported", other.sql()),
            )
            .into()),
        }
    }

    /// Each value once.
    pub(crate) fn set(data_type: DataType) -> Result<Self> {
        let list = Self::list(data_type)?;
        let seen = GroupTable::new(&[DataType::Integer, list.element.clone()])?;
        Ok(Collect { seen: Some(seen), ..list })
    }

    fn take_in(&mut self, groups: &[u32], column: &ArrayRef) -> Result<()> {
        let column = conform(column, &self.element)?;
        let new = match &mut self.seen {
            None => vec![true; groups.len()],
            Some(seen) => first_seen(seen, groups, std::slice::from_ref(&column))?,
        };
        let part = self.parts.len();
        let nulls = column.logical_nulls();
        for (row, group) in groups.iter().enumerate() {
            if new[row] && nulls.as_ref().is_none_or(|n| n.is_valid(row)) {
                self.entries.push((*group, part, row));
            }
        }
        self.parts.push(column);
        Ok(())
    }
}

/// Which rows show a group with these values for the first time.
pub(crate) fn first_seen(seen: &mut GroupTable, groups: &[u32], values: &[ArrayRef]) -> Result<Vec<bool>> {
    let before = seen.len();
    let numbers: ArrayRef =
        Arc::new(arrow::array::Int32Array::from(groups.iter().map(|g| *g as i32).collect::<Vec<_>>()));
    let mut keys = vec![numbers];
    keys.extend(values.iter().cloned());
    let found = seen.intern(&keys, groups.len())?;
    let mut next = before as u32;
    Ok(found
        .into_iter()
        .map(|number| {
            let new = number == next;
            next += u32::from(new);
            new
        })
        .collect())
}

impl Accumulator for Collect {
    fn resize(&mut self, groups: usize) {
        self.groups = groups;
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.take_in(groups, &args[0])
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        let lists = buffers[0].as_list::<i32>();
        let offsets = lists.value_offsets();
        let mut spread = Vec::with_capacity(lists.values().len());
        for (row, group) in groups.iter().enumerate() {
            spread.extend(std::iter::repeat_n(*group, (offsets[row + 1] - offsets[row]) as usize));
        }
        let (first, length) = (offsets[0] as usize, (offsets[lists.len()] - offsets[0]) as usize);
        self.take_in(&spread, &lists.values().slice(first, length))
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        let mut lengths = vec![0_usize; self.groups];
        for (group, _, _) in &self.entries {
            lengths[*group as usize] += 1;
        }
        let mut sorted: Vec<usize> = (0..self.entries.len()).collect();
        if self.seen.is_some() {
            sorted.sort_by_key(|index| {
                let (group, part, row) = self.entries[*index];
                (group, place(hash_of(&self.parts[part], row), lengths[group as usize]))
            });
        } else {
            sorted.sort_by_key(|index| self.entries[*index].0);
        }
        let picks: Vec<(usize, usize)> =
            sorted.into_iter().map(|index| (self.entries[index].1, self.entries[index].2)).collect();
        let values = if self.parts.is_empty() {
            new_null_array(&self.element.to_arrow(), 0)
        } else {
            let parts: Vec<&dyn Array> = self.parts.iter().map(AsRef::as_ref).collect();
            interleave(&parts, &picks).map_err(internal)?
        };
        let field = Arc::new(Field::new("element", self.element.to_arrow(), self.nullable));
        let list = ListArray::try_new(field, OffsetBuffer::from_lengths(lengths), values, None);
        Ok(Arc::new(list.map_err(internal)?))
    }
}
