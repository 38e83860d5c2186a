//! Aggregate functions as resolved calls.

use tidemark_types::DataType;

use crate::attribute::Attribute;
use crate::scalar::Scalar;

/// The aggregate functions that the engine knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AggregateFunction {
    /// `count(*)` has a literal argument; `count(a, …)` counts rows in which no argument is null.
    Count,
    /// `sum(a)`: bigint, double or decimal.
    Sum,
    /// `avg(a)`: double or decimal.
    Avg,
    /// `min(a)`.
    Min,
    /// `max(a)`.
    Max,
    /// `first(a)`.
    First,
    /// `last(a)`.
    Last,
    /// `collect_list(a)`.
    CollectList,
    /// `collect_set(a)`.
    CollectSet,
    /// `approx_count_distinct(a)`.
    ApproxCountDistinct,
    /// `min_by(a, b)`.
    MinBy,
    /// `max_by(a, b)`.
    MaxBy,
    /// `stddev(a)`, of a sample.
    StddevSample,
    /// `stddev_pop`.
    StddevPopulation,
    /// `variance`, of a sample.
    VarianceSample,
    /// `var_pop`.
    VariancePopulation,
    /// `count_if(a)`.
    CountIf,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct AggregateCall {
    /// Which.
    pub function: AggregateFunction,
    /// Its arguments.
    pub args: Vec<Scalar>,
    /// Whether only distinct arguments count.
    pub distinct: bool,
    /// The rows that count, all if absent.
    pub filter: Option<Scalar>,
    /// The type of the result.
    pub data_type: DataType,
}

/// A call with the column it becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedAggregate {
    /// The call.
    pub call: AggregateCall,
    /// The column.
    pub output: Attribute,
}
