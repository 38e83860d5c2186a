//! Logical plans and expressions: what a query means, before anything runs.
//!
//! Owns: expressions as written and as resolved, logical plans, Spark SQL text, resolution and its errors, explain.
//! May touch: types.
//! Must not know: objects, batches in flight, how an operator works, Python.
//! Invariants: a [`Plan`] is fully resolved and typed; whoever holds one can run it without asking for names again.

pub mod aggregate;
pub mod attribute;
pub mod builder;
pub mod error;
pub mod explain;
pub mod expr;
pub mod interval;
pub mod literal;
pub mod logical;
pub mod name;
pub mod optimize;
pub mod resolve;
pub mod scalar;
pub mod spec;
pub mod sql;
mod time_bound;
pub mod unsupported;

pub use aggregate::{AggregateCall, AggregateFunction, NamedAggregate};
pub use attribute::{Attribute, ExprId};
pub use builder::{Analyzer, Frame, Grouped, JoinOn, Relations, Settings};
pub use expr::Expr;
pub use literal::Literal;
pub use logical::{JoinType, Plan, SortOrder};
pub use scalar::{CastMode, Function, NamedScalar, Scalar};
pub use spec::{OutputMode, ReadSpec, SaveMode, SinkSpec, Trigger, WriteSpec};
pub use time_bound::time_bound;
