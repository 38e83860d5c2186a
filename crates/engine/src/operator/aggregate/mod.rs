//! Aggregation: states of functions as columns, groups by Arrow row keys, and the operator over both.

mod accumulator;
mod collect;
mod count;
mod distinct_count;
mod extreme;
mod groups;
mod moment;
mod operator;
mod set_order;
mod sum;

pub use accumulator::{Accumulator, accumulator, buffer_fields};
pub use groups::{CallInput, Groups, state_fields};
pub(crate) use operator::{Aggregate, CompiledCall, Mode};
