//! `count` and `count_if`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::datatypes::Int64Type;

use crate::error::Result;
use crate::operator::aggregate::accumulator::Accumulator;

/// `count(a, …)`: rows in which no argument is null.
#[derive(Debug, Default)]
pub(crate) struct Count {
    counts: Vec<i64>,
}

fn merge_counts(counts: &mut [i64], groups: &[u32], buffers: &[ArrayRef]) {
    for (group, count) in groups.iter().zip(buffers[0].as_primitive::<Int64Type>().values()) {
        counts[*group as usize] += count;
    }
}

fn column(counts: &[i64]) -> ArrayRef {
    Arc::new(Int64Array::from(counts.to_vec()))
}

impl Accumulator for Count {
    fn resize(&mut self, groups: usize) {
        self.counts.resize(groups, 0);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let nulls: Vec<_> =
            args.iter().filter_map(|a| a.logical_nulls()).filter(|n| n.null_count() > 0).collect();
        for (row, group) in groups.iter().enumerate() {
            if nulls.iter().all(|n| n.is_valid(row)) {
                self.counts[*group as usize] += 1;
            }
        }
        Ok(())
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        merge_counts(&mut self.counts, groups, buffers);
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![column(&self.counts)])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(column(&self.counts))
    }
}

/// `count_if(a)`: rows in which it is true.
#[derive(Debug, Default)]
pub(crate) struct CountIf {
    counts: Vec<i64>,
}

impl Accumulator for CountIf {
    fn resize(&mut self, groups: usize) {
        self.counts.resize(groups, 0);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let Some(flags) = args[0].as_boolean_opt() else { return Ok(()) };
        for (group, flag) in groups.iter().zip(flags) {
            self.counts[*group as usize] += i64::from(flag == Some(true));
        }
        Ok(())
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        merge_counts(&mut self.counts, groups, buffers);
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        Ok(vec![column(&self.counts)])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(column(&self.counts))
    }
}
