//! Keys that say nothing are no part of the state: a constant, and a key that is named twice.

use std::collections::BTreeSet;
use std::sync::Arc;

use tidemark_plan::{Attribute, Function, Literal, NamedScalar, Plan, Scalar};
use tidemark_types::DataType;

use crate::operator::references;

/// A plan whose aggregations over streams group by what differs from row to row only; the columns that are left out
/// are put back above.
///
/// Source: Spark's `RemoveLiteralFromGroupExpressions` and `RemoveRepetitionFromGroupExpressions`.
pub(super) fn with_needed_keys(plan: &Plan) -> Plan {
    let plan = plan.map_children(&mut |child| with_needed_keys(child));
    let Plan::Aggregate { grouping, aggregates, child } = &plan else { return plan };
    if !child.is_streaming() {
        return plan;
    }
    let mut kept: Vec<NamedScalar> = Vec::new();
    let mut columns: Vec<NamedScalar> = Vec::new();
    for key in grouping {
        let scalar = match kept.iter().find(|known| known.scalar == key.scalar) {
            Some(known) => Scalar::Column(known.output.clone()),
            None if is_constant(&key.scalar) => key.scalar.clone(),
            None => {
                kept.push(key.clone());
                Scalar::Column(key.output.clone())
            }
        };
        columns.push(NamedScalar { scalar, output: key.output.clone() });
    }
    if kept.len() == grouping.len() {
        return plan;
    }
    if kept.is_empty() {
        // Without any key there would be a row for no rows at all.
        let output = Attribute {
            data_type: DataType::Integer,
            nullable: false,
            watermark_delay: None,
            ..grouping[0].output.clone()
        };
        kept.push(NamedScalar { scalar: Scalar::Literal(Literal::Integer(0)), output });
    }
    columns.extend(
        aggregates
            .iter()
            .map(|a| NamedScalar { scalar: Scalar::Column(a.output.clone()), output: a.output.clone() }),
    );
    let fewer = Plan::Aggregate { grouping: kept, aggregates: aggregates.clone(), child: child.clone() };
    Plan::Project { columns, child: Arc::new(fewer) }
}

/// Whether an expression has one value for all rows.
fn is_constant(scalar: &Scalar) -> bool {
    let mut reads = BTreeSet::new();
    references(scalar, &mut reads);
    reads.is_empty() && !differs_by_row(scalar)
}

/// Whether a value depends on more than the columns of a row.
pub(super) fn differs_by_row(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Column(_) | Scalar::Literal(_) => false,
        Scalar::Cast { child, .. } => differs_by_row(child),
        Scalar::Call { function, args, .. } => {
            // The time of the batch is no constant to Spark: it differs from batch to batch.
            matches!(
                function,
                Function::MonotonicallyIncreasingId
                    | Function::InputFileName
                    | Function::CurrentTimestamp
                    | Function::CurrentDate
            ) || args.iter().any(differs_by_row)
        }
        Scalar::Case { branches, otherwise, .. } => {
            branches.iter().any(|(when, then)| differs_by_row(when) || differs_by_row(then))
                || otherwise.as_deref().is_some_and(differs_by_row)
        }
    }
}
