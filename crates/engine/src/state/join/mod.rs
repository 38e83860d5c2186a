//! Joins of two streams: the condition taken apart, the stored rows of a side, the operator.

mod condition;
mod operator;
mod store;

pub(super) use condition::{JoinCondition, inner_sides, with_join_filters};
pub(super) use operator::StatefulJoin;
