//! Operators over columns: a plan becomes a tree of them, and the tree is pulled batch by batch.
//!
//! [`run`] is the whole way from tasks to result partitions; [`Execution`] is the same in slices, for whoever must stop
//! between two batches. Both know nothing of files: the rows of relations are handed in.

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
mod session;

pub use aggregate::{Accumulator, CallInput, Groups, accumulator, buffer_fields, state_fields};
pub use deduplicate::new_keys;
pub use execution::{Execution, run};
pub use flow::{BATCH_ROWS, BoxedOperator, Inputs, Operator, Partitions, Piece, Pull, RunContext};
pub use group::GroupTable;
pub(crate) use narrow::filter_batch;
pub(crate) use planner::{Keys, equality, is_of, operator, partial_states, shuffled, shuffled_by};
pub(crate) use prune::{narrowed, pruned, references};
pub(crate) use push::{and, conjuncts, pushed};
pub(crate) use session::{merged, starts_and_ends, with_sessions};
