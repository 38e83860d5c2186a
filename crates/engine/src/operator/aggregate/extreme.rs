//! `min` and `max`.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, PrimitiveArray, StringArray};
use arrow::datatypes::{DataType as Arrow, Float64Type, Int32Type, Int64Type};
use arrow::row::{RowConverter, SortField};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::{conform, internal, rows_of};
use crate::operator::aggregate::accumulator::Accumulator;

/// The least or the greatest value of each group; nulls do not count, NaN is the greatest.
#[derive(Debug)]
pub(crate) struct Extreme {
    data_type: DataType,
    greatest: bool,
    best: Best,
}

/// The best values so far: common types as they are, the rest as comparable rows.
#[derive(Debug)]
enum Best {
    Int(Vec<Option<i32>>),
    Long(Vec<Option<i64>>),
    Double(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Rows { converter: RowConverter, rows: Vec<Option<Box<[u8]>>> },
}

impl Extreme {
    /// Values of this type.
    pub(crate) fn new(data_type: DataType, greatest: bool) -> Result<Self> {
        let best = match data_type {
            DataType::Integer => Best::Int(Vec::new()),
            DataType::Long => Best::Long(Vec::new()),
            DataType::Double => Best::Double(Vec::new()),
            DataType::String => Best::Text(Vec::new()),
            _ => {
                let fields = vec![SortField::new(data_type.to_arrow())];
                Best::Rows { converter: RowConverter::new(fields).map_err(internal)?, rows: Vec::new() }
            }
        };
        Ok(Extreme { data_type, greatest, best })
    }

    fn take_in(&mut self, groups: &[u32], column: &ArrayRef) -> Result<()> {
        if matches!(column.data_type(), Arrow::Null) {
            return Ok(());
        }
        let wins = if self.greatest { Ordering::Greater } else { Ordering::Less };
        match &mut self.best {
            Best::Int(best) => primitives::<Int32Type>(best, groups, column, |a, b| a.cmp(b) == wins),
            Best::Long(best) => primitives::<Int64Type>(best, groups, column, |a, b| a.cmp(b) == wins),
            Best::Double(best) => {
                // NaN is the greatest, and the two zeros are equal: the first of them stays.
                primitives::<Float64Type>(best, groups, column, |a, b| {
                    a.partial_cmp(b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())) == wins
                });
            }
            Best::Text(best) => {
                for (group, value) in groups.iter().zip(column.as_string::<i32>()) {
                    let Some(value) = value else { continue };
                    let own = &mut best[*group as usize];
                    if own.as_deref().is_none_or(|own| value.cmp(own) == wins) {
                        *own = Some(value.to_owned());
                    }
                }
            }
            Best::Rows { converter, rows } => {
                let column = conform(column, &self.data_type)?;
                let input = rows_of(converter, std::slice::from_ref(&column))?;
                for (index, group) in groups.iter().enumerate().filter(|(index, _)| column.is_valid(*index)) {
                    let row = input.row(index);
                    let own = &mut rows[*group as usize];
                    if own.as_deref().is_none_or(|own| row.data().cmp(own) == wins) {
                        *own = Some(row.data().into());
                    }
                }
            }
        }
        Ok(())
    }
}

fn primitives<T: ArrowPrimitiveType>(
    best: &mut [Option<T::Native>],
    groups: &[u32],
    column: &ArrayRef,
    wins: impl Fn(&T::Native, &T::Native) -> bool,
) {
    let array = column.as_primitive::<T>();
    for (row, (group, value)) in groups.iter().zip(array.values()).enumerate() {
        if array.is_null(row) {
            continue;
        }
        let own = &mut best[*group as usize];
        if own.as_ref().is_none_or(|own| wins(value, own)) {
            *own = Some(*value);
        }
    }
}

impl Accumulator for Extreme {
    fn resize(&mut self, groups: usize) {
        match &mut self.best {
            Best::Int(best) => best.resize(groups, None),
            Best::Long(best) => best.resize(groups, None),
            Best::Double(best) => best.resize(groups, None),
            Best::Text(best) => best.resize(groups, None),
            Best::Rows { rows, .. } => rows.resize(groups, None),
        }
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        self.take_in(groups, &args[0])
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        self.take_in(groups, &buffers[0])
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![self.evaluate()?])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(match &self.best {
            Best::Int(best) => Arc::new(best.iter().copied().collect::<PrimitiveArray<Int32Type>>()),
            Best::Long(best) => Arc::new(best.iter().copied().collect::<PrimitiveArray<Int64Type>>()),
            Best::Double(best) => Arc::new(best.iter().copied().collect::<PrimitiveArray<Float64Type>>()),
            Best::Text(best) => Arc::new(best.iter().map(Option::as_deref).collect::<StringArray>()),
            Best::Rows { converter, rows } => {
                let null = arrow::array::new_null_array(&self.data_type.to_arrow(), 1);
                let null = rows_of(converter, &[null])?;
                let parser = converter.parser();
                let all = rows
                    .iter()
                    .map(|row| row.as_deref().map_or_else(|| null.row(0), |bytes| parser.parse(bytes)));
                converter.convert_rows(all.collect::<Vec<_>>()).map_err(internal)?.remove(0)
            }
        })
    }
}
