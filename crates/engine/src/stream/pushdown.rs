//! Rows that a reader of JSON or CSV drops by itself: Spark hands it simple filters, and `numInputRows` counts only
//! what it lets through.

use std::sync::Arc;

use tidemark_plan::{Function, Plan, Scalar};
use tidemark_types::{Batch, DataType};

use crate::connector::Settings;
use crate::error::Result;
use crate::operator::{Inputs, RunContext, run};

/// How many rows the readers of a relation give, over all places where the plan reads it.
pub(super) fn rows_read(
    plan: &Plan,
    relation: u64,
    inputs: &Inputs,
    settings: &dyn Settings,
    context: &RunContext,
) -> Result<u64> {
    let mut scans = Vec::new();
    collect(plan, relation, Vec::new(), &mut scans);
    let all: usize =
        inputs.get(&relation).into_iter().flatten().flat_map(|t| &t.batches).map(Batch::rows).sum();
    let mut rows = 0;
    for (scan, filters) in scans {
        let pushed = filters.into_iter().reduce(and).filter(|_| takes_filters(&scan, settings));
        rows += match pushed {
            None => all as u64,
            Some(predicate) => {
                let filter = Plan::Filter { predicate, child: Arc::new(scan) };
                let kept = run(&filter, inputs, context)?;
                kept.iter().flatten().map(|batch| batch.rows() as u64).sum()
            }
        };
    }
    Ok(rows)
}

/// Every place where the relation is read, with the filters that come down to it.
fn collect(plan: &Plan, relation: u64, mut filters: Vec<Scalar>, out: &mut Vec<(Plan, Vec<Scalar>)>) {
    match plan {
        Plan::Relation { source, output, .. } => {
            if *source == relation {
                let known =
                    |scalar: &Scalar| columns(scalar).iter().all(|id| output.iter().any(|a| a.id.0 == *id));
                filters.retain(|scalar| known(scalar) && is_simple(scalar));
                out.push((plan.clone(), filters));
            }
        }
        Plan::Filter { predicate, child } => {
            split(predicate, &mut filters);
            collect(child, relation, filters, out);
        }
        Plan::Watermark { column, child, .. } => {
            filters.retain(|scalar| !columns(scalar).contains(&column.id.0));
            collect(child, relation, filters, out);
        }
        Plan::Project { child, .. } | Plan::Alias { child, .. } | Plan::Repartition { child, .. } => {
            collect(child, relation, filters, out);
        }
        other => {
            for child in other.children() {
                collect(child, relation, Vec::new(), out);
            }
        }
    }
}

fn takes_filters(scan: &Plan, settings: &dyn Settings) -> bool {
    let Plan::Relation { spec, .. } = scan else { return false };
    let setting = match spec.format.as_str() {
        "json" => "spark.sql.json.filterPushdown.enabled",
        "csv" => "spark.sql.csv.filterPushdown.enabled",
        _ => return false,
    };
    settings.get(setting).is_none_or(|value| value.eq_ignore_ascii_case("true"))
}

fn and(left: Scalar, right: Scalar) -> Scalar {
    let nullable = left.nullable() || right.nullable();
    Scalar::Call { function: Function::And, args: vec![left, right], data_type: DataType::Boolean, nullable }
}

/// The parts of a predicate that must all hold.
fn split(predicate: &Scalar, out: &mut Vec<Scalar>) {
    match predicate {
        Scalar::Call { function: Function::And, args, .. } => args.iter().for_each(|part| split(part, out)),
        other => out.push(other.clone()),
    }
}

/// Whether a reader understands a predicate: a column beside constants.
fn is_simple(predicate: &Scalar) -> bool {
    let Scalar::Call { function, args, .. } = predicate else { return false };
    match (function, args.as_slice()) {
        (Function::And | Function::Or, parts) => parts.iter().all(is_simple),
        (Function::Not, [part]) => is_simple(part),
        (Function::IsNull | Function::IsNotNull, [Scalar::Column(_)]) => true,
        (Function::IsNull | Function::IsNotNull, [column]) => is_column(column),
        (
            Function::Equal
            | Function::EqualNullSafe
            | Function::Less
            | Function::LessOrEqual
            | Function::Greater
            | Function::GreaterOrEqual,
            [left, right],
        ) => is_column(left) && is_constant(right) || is_constant(left) && is_column(right),
        (Function::In, [column, rest @ ..]) => is_column(column) && rest.iter().all(is_constant),
        (Function::StartsWith | Function::EndsWith | Function::Contains, [column, text]) => {
            is_column(column) && is_constant(text)
        }
        _ => false,
    }
}

/// A column of a plain type, or a number of it made wider.
fn is_column(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Column(attribute) => {
            !matches!(attribute.data_type, DataType::Array(..) | DataType::Map(..) | DataType::Struct(_))
        }
        Scalar::Cast { child, to, .. } => {
            to.is_numeric() && child.data_type().is_numeric() && matches!(**child, Scalar::Column(_))
        }
        _ => false,
    }
}

fn is_constant(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Literal(_) => true,
        Scalar::Cast { child, .. } => is_constant(child),
        _ => false,
    }
}

/// The identities of the columns in an expression.
fn columns(scalar: &Scalar) -> Vec<u64> {
    match scalar {
        Scalar::Column(attribute) => vec![attribute.id.0],
        Scalar::Literal(_) => Vec::new(),
        Scalar::Cast { child, .. } => columns(child),
        Scalar::Call { args, .. } => args.iter().flat_map(columns).collect(),
        Scalar::Case { branches, otherwise, .. } => branches
            .iter()
            .flat_map(|(condition, value)| [condition, value])
            .chain(otherwise.as_deref())
            .flat_map(columns)
            .collect(),
    }
}
