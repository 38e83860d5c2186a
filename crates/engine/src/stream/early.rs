//! A limit stops its readers: rows that it does not take are never read, so they neither count as input nor move the
//! watermark.

use arrow::array::{Array as _, AsArray as _};
use tidemark_plan::{Attribute, Plan, Scalar};

use crate::error::Result;
use crate::kernel::compile;
use crate::operator::{Inputs, RunContext, and, conjuncts, is_of};

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
