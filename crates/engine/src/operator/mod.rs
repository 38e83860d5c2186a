//! Operators over columns: a plan becomes a tree of them, and the tree is pulled batch by batch.
//! [`run`] is the whole way from tasks to results, [`Execution`] the same in slices. Rows are handed in.

mod aggregate;
mod deduplicate;
mod exchange;
mod execution;
mod flow;
mod gather;
mod generate;
mod group;
mod join;
mod leaf;
mod narrow;
mod planner;
mod prune;
mod push;
pub(crate) mod session;

pub use aggregate::{Accumulator, CallInput, Groups, accumulator, buffer_fields, state_fields};
pub use deduplicate::new_keys;
pub use execution::{Execution, run};
pub use flow::{BATCH_ROWS, BoxedOperator, Inputs, Operator, Partitions, Piece, Pull, RunContext};
pub(crate) use group::hash_of;
pub use group::{GROUPS_MAX, GroupTable};
pub(crate) use narrow::filter_batch;
pub(crate) use planner::{Keys, equality, is_of, operator, partial_states, shuffled, shuffled_by};
pub(crate) use prune::{narrowed, pruned, references};
pub(crate) use push::{and, conjuncts, inferred, pushed, strict_columns};
