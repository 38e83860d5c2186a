//! Rows that a reader of JSON or CSV drops by itself: Spark hands it simple filters, and `numInputRows` counts only
//! what it lets through. And rows after those that a limit takes: they are never read, so they neither count as input nor
//! move the watermark.

use std::sync::Arc;

use arrow::array::{Array as _, AsArray as _};
use tidemark_plan::{Attribute, Function, Plan, Scalar};
use tidemark_types::{Batch, DataType};

use crate::connector::Settings;
use crate::error::Result;
use crate::kernel::compile;
use crate::operator::{Inputs, RunContext, and, conjuncts, is_of, run};

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
            conjuncts(predicate, &mut filters);
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

/// A relation whose rows go straight into a limit.
struct Taken<'a> {
    source: u64,
    output: &'a [Attribute],
    filters: Vec<Scalar>,
    /// Whether one task reads all.
    together: bool,
}

/// Leaves out the rows after those that a limit takes, task by task.
///
/// Source: Spark's `LocalLimitExec`, which pulls no more rows than it hands on.
pub(super) fn cut(plan: &Plan, inputs: &mut Inputs, context: &RunContext) -> Result<()> {
    let mut found = Vec::new();
    limits(plan, &mut found);
    for (limit, taken) in found {
        if readers(plan, taken.source) > 1 {
            continue;
        }
        let Some(tasks) = inputs.get_mut(&taken.source) else { continue };
        let filter = taken.filters.into_iter().reduce(and);
        let filter = filter.map(|filter| compile(&filter, taken.output)).transpose()?;
        let mut left = limit;
        for task in tasks {
            if !taken.together {
                left = limit;
            }
            for batch in &mut task.batches {
                let rows = batch.rows();
                // A row that is refused is refused when the plan comes to it, if it does.
                let mask = match filter.as_ref().map(|f| f.evaluate(batch, &context.eval)) {
                    None => None,
                    Some(Ok(mask)) => Some(mask),
                    Some(Err(_)) => return Ok(()),
                };
                let passes =
                    |row: usize| mask.as_ref().is_none_or(|m| m.is_valid(row) && m.as_boolean().value(row));
                let mut read = 0;
                while read < rows && left > 0 {
                    left -= usize::from(passes(read));
                    read += 1;
                }
                if read < rows {
                    *batch = batch.slice(0, read);
                }
            }
        }
    }
    Ok(())
}

fn limits<'a>(plan: &'a Plan, found: &mut Vec<(usize, Taken<'a>)>) {
    if let Plan::Limit { rows: rows @ 1.., child } = plan
        && let Some(taken) = taken(child)
    {
        found.push((*rows, taken));
    }
    plan.children().into_iter().for_each(|child| limits(child, found));
}

/// The relation below, if only projections, filters and a coalesce to one task lie between.
fn taken(plan: &Plan) -> Option<Taken<'_>> {
    match plan {
        Plan::Relation { spec, source, output } if spec.streaming => {
            Some(Taken { source: *source, output, filters: Vec::new(), together: false })
        }
        Plan::Project { child, .. } | Plan::Alias { child, .. } | Plan::Watermark { child, .. } => {
            taken(child)
        }
        Plan::Repartition { partitions: 1, shuffle: false, child, .. } => {
            taken(child).map(|taken| Taken { together: true, ..taken })
        }
        Plan::Filter { predicate, child } => {
            let mut taken = taken(child)?;
            let before = taken.filters.len();
            conjuncts(predicate, &mut taken.filters);
            taken.filters[before..].iter().all(|part| is_of(part, taken.output)).then_some(taken)
        }
        _ => None,
    }
}

fn readers(plan: &Plan, relation: u64) -> usize {
    let own = matches!(plan, Plan::Relation { source, .. } if *source == relation);
    usize::from(own) + plan.children().into_iter().map(|child| readers(child, relation)).sum::<usize>()
}
