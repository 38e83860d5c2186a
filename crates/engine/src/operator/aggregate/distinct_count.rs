//! `approx_count_distinct`: HyperLogLog with 512 registers, the size that Spark takes for its error of 5 %.
//!
//! Counts up to some four hundred are Spark's to the digit: linear counting over the same hash. Above, Spark corrects its
//! raw estimate by a table of measured biases; here the estimate of Ertl is taken, which has no bias to correct, so a
//! count may differ from Spark's within the error.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, Int64Array};

use crate::error::Result;
use crate::kernel::hash64_columns;
use crate::operator::aggregate::accumulator::Accumulator;

const BITS: u32 = 9;
const REGISTERS: usize = 1 << BITS;
/// Up to here linear counting is taken.
const LINEAR_MAX: f64 = 400.0;
/// The highest rank that a register can hold, less one: the bits of a hash behind those of the index.
const RANKS: usize = 64 - BITS as usize;

/// The registers of each group.
#[derive(Debug, Default)]
pub(crate) struct ApproxCountDistinct {
    registers: Vec<Vec<u8>>,
}

fn estimate(registers: &[u8]) -> i64 {
    let size = REGISTERS as f64;
    let mut counts = [0_u32; RANKS + 2];
    for register in registers {
        counts[*register as usize] += 1;
    }
    let share = |rank: usize| f64::from(counts[rank]) / size;
    if counts[0] > 0 {
        let linear = -size * libm::log(share(0));
        if linear <= LINEAR_MAX {
            return libm::rint(linear) as i64;
        }
    }
    let mut sum = size * tail_sum(1.0 - share(RANKS + 1));
    for rank in (1..=RANKS).rev() {
        sum = 0.5 * (sum + f64::from(counts[rank]));
    }
    sum += size * head_sum(share(0));
    libm::rint(size * size / (2.0 * std::f64::consts::LN_2 * sum)) as i64
}

/// What registers of rank 0 add: `x + Σ x^(2^k) 2^(k-1)`.
fn head_sum(share: f64) -> f64 {
    if share >= 1.0 {
        return f64::INFINITY;
    }
    let (mut power, mut weight, mut sum) = (share, 1.0, share);
    loop {
        power *= power;
        let next = sum + power * weight;
        weight += weight;
        if next == sum {
            return sum;
        }
        sum = next;
    }
}

/// What full registers take away: `(1 - x - Σ (1 - x^(2^-k))² 2^-k) / 3`.
fn tail_sum(share: f64) -> f64 {
    if share <= 0.0 || share >= 1.0 {
        return 0.0;
    }
    let (mut root, mut weight, mut sum) = (share, 1.0, 1.0 - share);
    loop {
        root = root.sqrt();
        weight *= 0.5;
        let next = sum - (1.0 - root) * (1.0 - root) * weight;
        if next == sum {
            return sum / 3.0;
        }
        sum = next;
    }
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
