//! `stddev`, `variance` and their kin: by count, mean and the sum of squared distances, as Spark keeps them.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::Float64Type;

use crate::error::Result;
use crate::operator::aggregate::accumulator::Accumulator;

/// The variance of values or its root; null where there are too few of them.
#[derive(Debug, Default)]
pub(crate) struct Moment {
    /// Whether the values are a sample: then two are needed.
    sample: bool,
    /// Whether the root is wanted.
    root: bool,
    counts: Vec<f64>,
    means: Vec<f64>,
    squares: Vec<f64>,
}

impl Moment {
    /// Of a sample or of all there is, the variance or its root.
    pub(crate) fn new(sample: bool, root: bool) -> Self {
        Moment { sample, root, ..Moment::default() }
    }
}

impl Accumulator for Moment {
    fn resize(&mut self, groups: usize) {
        self.counts.resize(groups, 0.0);
        self.means.resize(groups, 0.0);
        self.squares.resize(groups, 0.0);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let Some(values) = args[0].as_primitive_opt::<Float64Type>() else { return Ok(()) };
        for (row, group) in groups.iter().enumerate().filter(|(row, _)| values.is_valid(*row)) {
            let (group, value) = (*group as usize, values.value(row));
            let count = self.counts[group] + 1.0;
            let delta = value - self.means[group];
            let step = delta / count;
            self.means[group] += step;
            self.squares[group] += delta * (delta - step);
            self.counts[group] = count;
        }
        Ok(())
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        let column = |index: usize| buffers[index].as_primitive::<Float64Type>();
        let (counts, means, squares) = (column(0), column(1), column(2));
        for (row, group) in groups.iter().enumerate() {
            let group = *group as usize;
            let (left, right) = (self.counts[group], counts.value(row));
            let count = left + right;
            let delta = means.value(row) - self.means[group];
            let step = if count == 0.0 { 0.0 } else { delta / count };
            self.means[group] += step * right;
            self.squares[group] += squares.value(row) + delta * step * left * right;
            self.counts[group] = count;
        }
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let column = |values: &[f64]| -> ArrayRef { Arc::new(Float64Array::from(values.to_vec())) };
        Ok(vec![column(&self.counts), column(&self.means), column(&self.squares)])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        let less = if self.sample { 1.0 } else { 0.0 };
        let results: Float64Array = self
            .counts
            .iter()
            .zip(&self.squares)
            .map(|(count, squares)| {
                let variance = (*count > less).then(|| squares / (count - less))?;
                Some(if self.root { variance.sqrt() } else { variance })
            })
            .collect();
        Ok(Arc::new(results))
    }
}
