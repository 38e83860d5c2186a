//! What of Spark's optimizer can be seen: which filters a reader is given.
//!
//! Spark hands simple comparisons to the JSON, CSV and Parquet readers, and `numInputRows` counts the rows after them.
//! A reader that wants the same count asks [`pushed_filters`]. Constant folding and reordering cannot be seen, so they
//! are not done.

use crate::logical::Plan;
use crate::scalar::{Function, Scalar};

/// The comparisons directly above a relation that its reader may apply to each record: `column <op> constant`,
/// `IS NULL`, `IS NOT NULL`, joined by AND.
///
/// Shape: the filter itself stays in the plan; a reader that applies these drops no row that the filter would keep.
/// Source: Spark `FileSourceStrategy`, `JacksonParser` with `spark.sql.json.filterPushdown.enabled`.
pub fn pushed_filters(filter: &Plan) -> Vec<&Scalar> {
    let Plan::Filter { predicate, child } = filter else { return Vec::new() };
    let mut source = child;
    while let Plan::Alias { child, .. } | Plan::Watermark { child, .. } = source.as_ref() {
        source = child;
    }
    if !matches!(source.as_ref(), Plan::Relation { .. }) {
        return Vec::new();
    }
    let mut found = Vec::new();
    collect(predicate, &mut found);
    found
}

fn collect<'a>(predicate: &'a Scalar, found: &mut Vec<&'a Scalar>) {
    let Scalar::Call { function, args, .. } = predicate else { return };
    match (function, args.as_slice()) {
        (Function::And, args) => args.iter().for_each(|arg| collect(arg, found)),
        (Function::IsNull | Function::IsNotNull, [Scalar::Column(_)]) => found.push(predicate),
        (
            Function::Equal
            | Function::Less
            | Function::LessOrEqual
            | Function::Greater
            | Function::GreaterOrEqual,
            [Scalar::Column(_), Scalar::Literal(_)] | [Scalar::Literal(_), Scalar::Column(_)],
        ) => found.push(predicate),
        _ => {}
    }
}
