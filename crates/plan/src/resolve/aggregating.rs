//! Aggregate functions by name, their types and their texts.

use tidemark_types::{DataType, SparkError};

use crate::aggregate::{AggregateCall, AggregateFunction};
use crate::error::{analysis, at_origin, not_ordered, not_supported, type_mismatch, unexpected_type};
use crate::expr::{Call, Expr};
use crate::literal::Literal;
use crate::resolve::call::{check_count, take};
use crate::resolve::coerce::{adjusted_decimal, cast_to, is_orderable};
use crate::resolve::expression::Resolver;
use crate::resolve::function::Takes;
use crate::resolve::typed::Typed;
use crate::scalar::{Function, Scalar};

/// The aggregate of a name in lower case.
// tidy: table
pub fn aggregate_function(name: &str) -> Option<AggregateFunction> {
    use AggregateFunction as A;
    Some(match name {
        "count" => A::Count,
        "sum" => A::Sum,
        "avg" | "mean" => A::Avg,
        "min" | "bool_and" | "every" => A::Min,
        "max" | "bool_or" | "any" | "some" => A::Max,
        "first" | "first_value" | "any_value" => A::First,
        "last" | "last_value" => A::Last,
        "collect_list" | "array_agg" => A::CollectList,
        "collect_set" => A::CollectSet,
        "approx_count_distinct" => A::ApproxCountDistinct,
        "min_by" => A::MinBy,
        "max_by" => A::MaxBy,
        "stddev" | "stddev_samp" | "std" => A::StddevSample,
        "stddev_pop" => A::StddevPopulation,
        "variance" | "var_samp" => A::VarianceSample,
        "var_pop" => A::VariancePopulation,
        "count_if" => A::CountIf,
        _ => return None,
    })
}

impl Resolver<'_> {
    /// Resolves an aggregate and replaces it by the column that it becomes.
    pub(crate) fn aggregate_call(
        &mut self,
        name: &str,
        function: AggregateFunction,
        call: &Call,
    ) -> Result<Typed, SparkError> {
        if self.inside_aggregate {
            let error = analysis(
                "NESTED_AGGREGATE_FUNCTION",
                "42607",
                "It is not allowed to use an aggregate function in the argument of another aggregate function. Please use the inner aggregate function in a sub-query.",
            );
            return Err(at_origin(error, self.origin()));
        }
        self.inside_aggregate = true;
        let parts = self.aggregate_parts(function, call);
        self.inside_aggregate = false;
        let (mut args, filter) = parts?;
        let mut condition = filter.as_ref().map(|f| f.scalar.clone());
        if matches!(function, AggregateFunction::First | AggregateFunction::Last) && args.len() == 2 {
            let ignored = args.remove(1);
            if ignored.scalar == Scalar::Literal(Literal::Boolean(true)) {
                condition = Some(present(&args[0].scalar, condition));
            }
        }
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        let texts: Vec<&str> = args.iter().map(|a| a.text.as_str()).collect();
        let mut text = format!("{name}({distinct}{})", texts.join(", "));
        let bare = text.clone();
        if let Some(filter) = &filter {
            text.push_str(&format!(" FILTER (WHERE {})", filter.text));
        }
        let (args, data_type, nullable) = self.typed_arguments(name, function, &bare, args)?;
        let resolved =
            AggregateCall { function, args, distinct: call.distinct, filter: condition, data_type };
        Ok(self.aggregate(resolved, nullable, text))
    }

    fn aggregate_parts(
        &mut self,
        function: AggregateFunction,
        call: &Call,
    ) -> Result<(Vec<Typed>, Option<Typed>), SparkError> {
        let star =
            call.args.len() == 1 && matches!(call.args[0].bare(), Expr::Star(target) if target.is_empty());
        let args = if function == AggregateFunction::Count && star {
            vec![Typed::literal(Literal::Integer(1))]
        } else {
            self.arguments(&call.args)?
        };
        let filter = call.filter.as_ref().map(|f| self.resolve(f)).transpose()?;
        if let Some(filter) = &filter
            && filter.data_type() != DataType::Boolean
        {
            let text = &filter.text;
            let reason = format!(
                "Filter expression \"{text}\" of type \"{}\" is not a boolean.",
                filter.data_type().sql()
            );
            return Err(type_mismatch(text, "FILTER_NOT_BOOLEAN", &reason));
        }
        Ok((args, filter))
    }

    /// Arguments as the aggregate takes them, the type of its result, and whether that may be null.
    // tidy: table
    pub(super) fn typed_arguments(
        &mut self,
        name: &str,
        function: AggregateFunction,
        text: &str,
        mut args: Vec<Typed>,
    ) -> Result<(Vec<Scalar>, DataType, bool), SparkError> {
        use AggregateFunction as A;
        let one = |args: &[Typed]| check_count(name, args, "1", 1, 1);
        match function {
            A::Count => {
                check_count(name, &args, "> 0", 1, usize::MAX)?;
                Ok((args.into_iter().map(|a| a.scalar).collect(), DataType::Long, false))
            }
            A::Sum | A::Avg => {
                one(&args)?;
                let value = numeric(text, &args[0])?;
                let data_type = if function == A::Sum { sum_type(&value) } else { avg_type(&value) };
                Ok((vec![value], data_type, true))
            }
            A::Min | A::Max => {
                one(&args)?;
                let arg = args.remove(0);
                let scalar = if matches!(name, "min" | "max") {
                    arg.scalar.clone()
                } else {
                    take(text, 0, Takes::Boolean, &arg)?
                };
                let data_type = scalar.data_type();
                if !is_orderable(&data_type) {
                    return Err(not_ordered(text, name, &data_type));
                }
                Ok((vec![scalar], data_type, true))
            }
            A::First | A::Last => {
                check_count(name, &args, "[1, 2]", 1, 1)?;
                let data_type = args[0].data_type();
                Ok((vec![args.remove(0).scalar], data_type, true))
            }
            A::CollectList | A::CollectSet => {
                one(&args)?;
                if function == A::CollectSet && !is_orderable(&args[0].data_type()) {
                    let reason = format!(
                        "The input of `collect_set` can't be \"{}\" type data.",
                        args[0].data_type().sql()
                    );
                    return Err(type_mismatch(text, "UNSUPPORTED_INPUT_TYPE", &reason));
                }
                let data_type = DataType::Array(Box::new(args[0].data_type()), false);
                Ok((vec![args.remove(0).scalar], data_type, false))
            }
            A::ApproxCountDistinct => {
                check_count(name, &args, "[1, 2]", 1, 2)?;
                Ok((vec![args.remove(0).scalar], DataType::Long, false))
            }
            A::MinBy | A::MaxBy => {
                check_count(name, &args, "2", 2, 2)?;
                if !is_orderable(&args[1].data_type()) {
                    return Err(not_ordered(text, name, &args[1].data_type()));
                }
                let data_type = args[0].data_type();
                Ok((args.into_iter().map(|a| a.scalar).collect(), data_type, true))
            }
            A::StddevSample | A::StddevPopulation | A::VarianceSample | A::VariancePopulation => {
                one(&args)?;
                Ok((vec![take(text, 0, Takes::Double, &args[0])?], DataType::Double, true))
            }
            A::CountIf => {
                one(&args)?;
                Ok((vec![take(text, 0, Takes::Boolean, &args[0])?], DataType::Long, false))
            }
            #[allow(
                unreachable_patterns,
                reason = "aggregates are added elsewhere before they get a type here"
            )]
            _ => Err(not_supported(&format!("the aggregate {name}"))),
        }
    }
}

/// `value IS NOT NULL AND condition`.
fn present(value: &Scalar, condition: Option<Scalar>) -> Scalar {
    let test = Scalar::Call {
        function: Function::IsNotNull,
        args: vec![value.clone()],
        data_type: DataType::Boolean,
        nullable: false,
    };
    match condition {
        None => test,
        Some(condition) => Typed::call(Function::And, vec![test, condition], DataType::Boolean, "").scalar,
    }
}

fn numeric(text: &str, arg: &Typed) -> Result<Scalar, SparkError> {
    match arg.data_type() {
        DataType::String | DataType::Null => Ok(cast_to(arg.scalar.clone(), &DataType::Double)),
        t if t.is_numeric() || matches!(t, DataType::DayTimeInterval | DataType::YearMonthInterval) => {
            Ok(arg.scalar.clone())
        }
        t => Err(unexpected_type(text, 0, "\"NUMERIC\" or \"ANSI INTERVAL\"", &arg.text, &t)),
    }
}

fn sum_type(value: &Scalar) -> DataType {
    match value.data_type() {
        DataType::Decimal(p, s) => DataType::Decimal((p + 10).min(38), s),
        t if t.is_integral() => DataType::Long,
        DataType::DayTimeInterval => DataType::DayTimeInterval,
        DataType::YearMonthInterval => DataType::YearMonthInterval,
        _ => DataType::Double,
    }
}

fn avg_type(value: &Scalar) -> DataType {
    match value.data_type() {
        DataType::Decimal(p, s) => adjusted_decimal(i32::from(p) + 4, i32::from(s) + 4),
        DataType::DayTimeInterval => DataType::DayTimeInterval,
        DataType::YearMonthInterval => DataType::YearMonthInterval,
        _ => DataType::Double,
    }
}
