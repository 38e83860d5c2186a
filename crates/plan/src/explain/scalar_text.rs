//! Expressions with the identities of their columns: `(amt#430 * 2.0)`.

use tidemark_types::DataType;

use crate::aggregate::{AggregateFunction, NamedAggregate};
use crate::attribute::Attribute;
use crate::literal::Literal;
use crate::logical::SortOrder;
use crate::scalar::{CastMode, Function, NamedScalar, Scalar};

/// `id#3`, `count#4L`: bigints carry an `L`.
pub fn attribute_text(attribute: &Attribute) -> String {
    let suffix = if attribute.data_type == DataType::Long { "L" } else { "" };
    format!("{}#{}{suffix}", attribute.name, attribute.id.0)
}

pub(super) fn attribute_list(attributes: &[Attribute], separator: &str) -> String {
    attributes.iter().map(attribute_text).collect::<Vec<_>>().join(separator)
}

/// The text of an expression.
pub fn scalar_text(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Column(attribute) => attribute_text(attribute),
        Scalar::Literal(literal) => literal_text(literal),
        Scalar::Cast { child, to, mode } => {
            if let Some(text) = folded(child, to) {
                return text;
            }
            let word = if *mode == CastMode::Try { "try_cast" } else { "cast" };
            format!("{word}({} as {})", scalar_text(child), to.simple_string())
        }
        Scalar::Call { function, args, data_type, .. } => call_text(*function, args, data_type),
        Scalar::Case { branches, otherwise, .. } => {
            let mut text = "CASE".to_owned();
            for (condition, value) in branches {
                text.push_str(&format!(" WHEN {} THEN {}", scalar_text(condition), scalar_text(value)));
            }
            if let Some(value) = otherwise {
                text.push_str(&format!(" ELSE {}", scalar_text(value)));
            }
            text.push_str(" END");
            text
        }
    }
}

/// Spark computes the cast of a constant before it plans.
fn folded(child: &Scalar, to: &DataType) -> Option<String> {
    match (child, to) {
        (Scalar::Literal(Literal::Integer(v)), DataType::Double) => Some(format!("{v}.0")),
        (Scalar::Literal(Literal::Integer(v)), DataType::Long) => Some(v.to_string()),
        _ => None,
    }
}

fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Null(_) => "null".to_owned(),
        Literal::Date(days) => tidemark_types::timestamp::date_text(*days),
        Literal::Timestamp(micros) | Literal::TimestampNtz(micros) => {
            tidemark_types::timestamp::timestamp_ntz_text(*micros)
        }
        other => other.pretty_text(),
    }
}

fn infix(function: Function) -> Option<&'static str> {
    Some(match function {
        Function::Add => "+",
        Function::Subtract => "-",
        Function::Multiply => "*",
        Function::Divide => "/",
        Function::IntegralDivide => "div",
        Function::Remainder => "%",
        Function::Equal => "=",
        Function::EqualNullSafe => "<=>",
        Function::Less => "<",
        Function::LessOrEqual => "<=",
        Function::Greater => ">",
        Function::GreaterOrEqual => ">=",
        Function::And => "AND",
        Function::Or => "OR",
        _ => return None,
    })
}

fn call_text(function: Function, args: &[Scalar], data_type: &DataType) -> String {
    let texts: Vec<String> = args.iter().map(scalar_text).collect();
    if let (Some(operator), [left, right]) = (infix(function), texts.as_slice()) {
        return format!("({left} {operator} {right})");
    }
    match (function, texts.as_slice()) {
        (Function::Not, [child]) => format!("NOT {child}"),
        (Function::Negate, [child]) => format!("-{child}"),
        (Function::In, [value, list @ ..]) => format!("{value} IN ({})", list.join(",")),
        (Function::Like, [value, pattern]) => format!("{value} LIKE {pattern}"),
        (Function::RLike, [value, pattern]) => format!("RLIKE({value}, {pattern})"),
        (Function::GetItem, [child, key]) => format!("{child}[{key}]"),
        (Function::GetField | Function::GetArrayField, [child, _]) => {
            let element = match args[0].data_type() {
                DataType::Array(element, _) => *element,
                other => other,
            };
            match (element, &args[1]) {
                (DataType::Struct(schema), Scalar::Literal(Literal::Integer(index))) => {
                    let name = schema.fields.get(*index as usize).map_or("", |f| f.name.as_str());
                    format!("{child}.{name}")
                }
                _ => child.clone(),
            }
        }
        (Function::CreateStruct, values) => {
            let names: Vec<&str> = match data_type {
                DataType::Struct(schema) => schema.names(),
                _ => Vec::new(),
            };
            let pairs: Vec<String> = names.iter().zip(values).map(|(n, v)| format!("{n}, {v}")).collect();
            format!("named_struct({})", pairs.join(", "))
        }
        (function, values) => format!("{}({})", function_name(function), values.join(", ")),
    }
}

/// `CurrentTimestamp` is `current_timestamp`; Spark writes names of functions without blanks between words.
fn function_name(function: Function) -> String {
    match function {
        Function::IsNull => "isnull".to_owned(),
        Function::IsNotNull => "isnotnull".to_owned(),
        Function::IsNaN => "isnan".to_owned(),
        Function::ConcatWs => "concat_ws".to_owned(),
        Function::CreateArray => "array".to_owned(),
        Function::CreateMap => "map".to_owned(),
        Function::FromJson => "from_json".to_owned(),
        Function::ToJson => "to_json".to_owned(),
        other => {
            let mut name = String::new();
            for (index, c) in format!("{other:?}").chars().enumerate() {
                if c.is_uppercase()
                    && index > 0
                    && matches!(
                        other,
                        Function::CurrentTimestamp
                            | Function::CurrentDate
                            | Function::InputFileName
                            | Function::MonotonicallyIncreasingId
                            | Function::DateFormat
                            | Function::DateTrunc
                            | Function::DateAdd
                            | Function::AddMonths
                            | Function::UnixTimestamp
                            | Function::RegexpReplace
                            | Function::ElementAt
                            | Function::ArrayContains
                            | Function::WindowTime
                            | Function::ToDate
                            | Function::ToTimestamp
                    )
                {
                    name.push('_');
                }
                name.extend(c.to_lowercase());
            }
            name
        }
    }
}

/// `(id#1 + 1) AS x#2`, or the column alone.
pub(super) fn named_text(named: &NamedScalar) -> String {
    match &named.scalar {
        Scalar::Column(attribute) if attribute.id == named.output.id => attribute_text(attribute),
        scalar => format!("{} AS {}", scalar_text(scalar), attribute_text(&named.output)),
    }
}

/// `sum(amt#430)`, `partial_sum(amt#430)`.
pub(super) fn aggregate_text(aggregate: &NamedAggregate, prefix: &str) -> String {
    let args: Vec<String> = aggregate.call.args.iter().map(scalar_text).collect();
    let distinct = if aggregate.call.distinct { "distinct " } else { "" };
    let filter = aggregate
        .call
        .filter
        .as_ref()
        .map_or(String::new(), |f| format!(" FILTER (WHERE {})", scalar_text(f)));
    let name = aggregate_name(aggregate.call.function);
    let more = if matches!(name, "first" | "last") { ", false" } else { "" };
    format!("{prefix}{name}({distinct}{}{more}){filter}", args.join(", "))
}

// tidy: table
fn aggregate_name(function: AggregateFunction) -> &'static str {
    match function {
        AggregateFunction::Count => "count",
        AggregateFunction::Sum => "sum",
        AggregateFunction::Avg => "avg",
        AggregateFunction::Min => "min",
        AggregateFunction::Max => "max",
        AggregateFunction::First => "first",
        AggregateFunction::Last => "last",
        AggregateFunction::CollectList => "collect_list",
        AggregateFunction::CollectSet => "collect_set",
        AggregateFunction::ApproxCountDistinct => "approx_count_distinct",
        AggregateFunction::MinBy => "min_by",
        AggregateFunction::MaxBy => "max_by",
        AggregateFunction::StddevSample => "stddev_samp",
        AggregateFunction::StddevPopulation => "stddev_pop",
        AggregateFunction::VarianceSample => "var_samp",
        AggregateFunction::VariancePopulation => "var_pop",
        AggregateFunction::CountIf => "count_if",
    }
}

/// `id#1 ASC NULLS FIRST`.
pub(super) fn order_text(order: &SortOrder) -> String {
    let direction = if order.ascending { "ASC" } else { "DESC" };
    let nulls = if order.nulls_first { "FIRST" } else { "LAST" };
    format!("{} {direction} NULLS {nulls}", scalar_text(&order.scalar))
}
