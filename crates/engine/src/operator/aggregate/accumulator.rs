//! What every aggregate function does: take rows in, merge partial states, give the state or the result as columns.

use std::fmt::Debug;

use arrow::array::ArrayRef;
use tidemark_plan::{AggregateCall, AggregateFunction};
use tidemark_types::{DataType, StructField};

use crate::error::Result;
use crate::operator::aggregate::collect::{Collect, Pick, PickBy};
use crate::operator::aggregate::count::{Count, CountIf};
use crate::operator::aggregate::distinct_count::ApproxCountDistinct;
use crate::operator::aggregate::extreme::Extreme;
use crate::operator::aggregate::moment::Moment;
use crate::operator::aggregate::sum::{AverageDecimal, AverageDouble, SumDecimal, SumDouble, SumLong};

/// The states of one aggregate function, one for each group, as columns.
///
/// Owed by the implementer: groups are numbered from 0; `resize` comes before a number is used; `merge` takes what
/// `buffers` gave, in the columns that [`buffer_fields`] names; the order of updates is the order of rows.
pub trait Accumulator: Debug {
    /// Makes room for so many groups; new ones are as if no row had come.
    fn resize(&mut self, groups: usize);

    /// Takes rows in: `groups[i]` is the group of row `i`, `args` are the evaluated arguments.
    fn update(&mut self, groups: &[u32], args: &[ArrayRef]) -> Result<()>;

    /// Takes partial states in: `groups[i]` is the group of state `i`.
    fn merge(&mut self, groups: &[u32], buffers: &[ArrayRef]) -> Result<()>;

    /// The states of all groups, as columns.
    fn buffers(&self) -> Result<Vec<ArrayRef>>;

    /// The results of all groups.
    fn evaluate(&self) -> Result<ArrayRef>;
}

/// The columns in which the partial state of a call is kept, named and typed as Spark's aggregation buffer.
// tidy: table
pub fn buffer_fields(call: &AggregateCall) -> Vec<StructField> {
    let input = || call.args.first().map_or(DataType::Null, tidemark_plan::Scalar::data_type);
    let field = StructField::new;
    match call.function {
        AggregateFunction::Count | AggregateFunction::CountIf => vec![field("count", DataType::Long, false)],
        AggregateFunction::Sum => match sum_type(&call.data_type) {
            decimal @ DataType::Decimal(..) => {
                vec![field("sum", decimal, true), field("isEmpty", DataType::Boolean, false)]
            }
            other => vec![field("sum", other, true)],
        },
        AggregateFunction::Avg => {
            vec![field("sum", average_sum_type(&input()), true), field("count", DataType::Long, true)]
        }
        AggregateFunction::Min => vec![field("min", call.data_type.clone(), true)],
        AggregateFunction::Max => vec![field("max", call.data_type.clone(), true)],
        AggregateFunction::First => {
            vec![field("first", call.data_type.clone(), true), field("valueSet", DataType::Boolean, true)]
        }
        AggregateFunction::Last => {
            vec![field("last", call.data_type.clone(), true), field("valueSet", DataType::Boolean, true)]
        }
        AggregateFunction::CollectList | AggregateFunction::CollectSet => {
            vec![field("buf", call.data_type.clone(), false)]
        }
        AggregateFunction::ApproxCountDistinct => vec![field("registers", DataType::Binary, false)],
        AggregateFunction::MinBy | AggregateFunction::MaxBy => {
            let ordering = call.args.get(1).map_or(DataType::Null, tidemark_plan::Scalar::data_type);
            vec![
                field("valueWithExtremumOrdering", call.data_type.clone(), true),
                field("extremumOrdering", ordering, true),
            ]
        }
        AggregateFunction::StddevSample
        | AggregateFunction::StddevPopulation
        | AggregateFunction::VarianceSample
        | AggregateFunction::VariancePopulation => vec![
            field("n", DataType::Double, false),
            field("avg", DataType::Double, false),
            field("m2", DataType::Double, false),
        ],
    }
}

/// An accumulator for a call, its arguments already typed by resolution.
// tidy: table
pub fn accumulator(call: &AggregateCall) -> Result<Box<dyn Accumulator>> {
    let input = call.args.first().map_or(DataType::Null, tidemark_plan::Scalar::data_type);
    Ok(match call.function {
        AggregateFunction::Count => Box::<Count>::default(),
        AggregateFunction::CountIf => Box::<CountIf>::default(),
        AggregateFunction::Sum => match sum_type(&call.data_type) {
            DataType::Decimal(precision, scale) => Box::new(SumDecimal::new(precision, scale)),
            DataType::Long => Box::<SumLong>::default(),
            _ => Box::<SumDouble>::default(),
        },
        AggregateFunction::Avg => match (average_sum_type(&input), &call.data_type) {
            (DataType::Decimal(precision, scale), DataType::Decimal(out_precision, out_scale)) => {
                Box::new(AverageDecimal::new(precision, scale, *out_precision, *out_scale))
            }
            _ => Box::<AverageDouble>::default(),
        },
        AggregateFunction::Min => Box::new(Extreme::new(call.data_type.clone(), false)?),
        AggregateFunction::Max => Box::new(Extreme::new(call.data_type.clone(), true)?),
        AggregateFunction::First => Box::new(Pick::new(call.data_type.clone(), false)),
        AggregateFunction::Last => Box::new(Pick::new(call.data_type.clone(), true)),
        AggregateFunction::CollectList => Box::new(Collect::list(call.data_type.clone())?),
        AggregateFunction::CollectSet => Box::new(Collect::set(call.data_type.clone())?),
        AggregateFunction::ApproxCountDistinct => Box::<ApproxCountDistinct>::default(),
        AggregateFunction::MinBy | AggregateFunction::MaxBy => {
            let ordering = call.args.get(1).map_or(DataType::Null, tidemark_plan::Scalar::data_type);
            let greatest = call.function == AggregateFunction::MaxBy;
            Box::new(PickBy::new(call.data_type.clone(), ordering, greatest)?)
        }
        AggregateFunction::StddevSample => Box::new(Moment::new(true, true)),
        AggregateFunction::StddevPopulation => Box::new(Moment::new(false, true)),
        AggregateFunction::VarianceSample => Box::new(Moment::new(true, false)),
        AggregateFunction::VariancePopulation => Box::new(Moment::new(false, false)),
    })
}

/// The type in which a sum is kept: the result's.
fn sum_type(result: &DataType) -> DataType {
    match result {
        DataType::Decimal(..) | DataType::Long => result.clone(),
        _ => DataType::Double,
    }
}

/// The type in which the sum of an average is kept: ten digits more for decimals, double for the rest.
fn average_sum_type(input: &DataType) -> DataType {
    match input {
        DataType::Decimal(precision, scale) => DataType::Decimal((precision + 10).min(38), *scale),
        _ => DataType::Double,
    }
}
