//! `approx_count_distinct`: HyperLogLog with 512 registers, the size that Spark takes for its error of 5 %.
//!
//! Small counts are exact as far as registers do not collide: linear counting, as in Spark. Spark's table of biases
//! between linear counting and the raw estimate is not here, so counts of some hundreds to thousands may differ from
//! Spark's within the error.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, Int64Array};

use crate::error::Result;
use crate::kernel::hash64_columns;
use crate::operator::aggregate::accumulator::Accumulator;

const BITS: u32 = 9;
const REGISTERS: usize = 1 << BITS;
/// Up to here linear counting is taken.
const LINEAR_MAX: f64 = 400.0;
/// The constant of the raw estimate for 512 registers.
const ALPHA: f64 = 0.7213 / (1.0 + 1.079 / 512.0);

/// The registers of each group.
#[derive(Debug, Default)]
pub(crate) struct ApproxCountDistinct {
    registers: Vec<Vec<u8>>,
}

fn estimate(registers: &[u8]) -> i64 {
    let count = REGISTERS as f64;
    let zeros = registers.iter().filter(|r| **r == 0).count() as f64;
    let sum: f64 = registers.iter().map(|r| 1.0 / (1_u64 << r) as f64).sum();
    let raw = ALPHA * count * count / sum;
    if zeros > 0.0 {
        let linear = count * libm::log(count / zeros);
        if linear <= LINEAR_MAX {
            return libm::rint(linear) as i64;
        }
    }
    libm::rint(raw) as i64
}

impl Accumulator for ApproxCountDistinct {
    fn resize(&mut self, groups: usize) {
        self.registers.resize_with(groups, || vec![0; REGISTERS]);
    }

    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()> {
        let hashes = hash64_columns(&args[..1], groups.len())?;
        let nulls = args[0].logical_nulls();
        for (row, group) in groups.iter().enumerate() {
            if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
                continue;
            }
            let hash = hashes[row] as u64;
            let index = (hash >> (64 - BITS)) as usize;
            let rank = ((hash << BITS) | (1 << (BITS - 1))).leading_zeros() as u8 + 1;
            let register = &mut self.registers[*group as usize][index];
            *register = rank.max(*register);
        }
        Ok(())
    }

    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()> {
        for (group, state) in groups.iter().zip(buffers[0].as_binary::<i32>()) {
            for (own, other) in self.registers[*group as usize].iter_mut().zip(state.unwrap_or_default()) {
                *own = (*own).max(*other);
            }
        }
        Ok(())
    }

    fn buffers(&self) -> Result<Vec<ArrayRef>> {
        let states: BinaryArray = self.registers.iter().map(|r| Some(r.as_slice())).collect();
        Ok(vec![Arc::new(states)])
    }

    fn evaluate(&self) -> Result<ArrayRef> {
        Ok(Arc::new(self.registers.iter().map(|r| estimate(r)).collect::<Int64Array>()))
    }
}
