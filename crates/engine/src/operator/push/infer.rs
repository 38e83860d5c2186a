//! What else must hold of the rows that go into a join or come out of one, as Spark's optimizer finds out.

use tidemark_plan::{Attribute, Function, JoinType, Literal, NamedScalar, Plan, Scalar};
use tidemark_types::{Batch, StructType};

use crate::kernel::{EvalContext, compile};
use crate::operator::planner::is_of;
use crate::operator::push::{conjuncts, is_deterministic, renamed, replaced};

use arrow::array::{Array as _, AsArray as _};

/// The join that is left when some conditions over its rows must hold: a side whose padding never passes is not padded.
///
/// Shape: the parts are over the columns of `left` and `right`.
/// Source: Spark's `EliminateOuterJoin`.
pub(super) fn unpadded(
    join_type: JoinType,
    parts: &[Scalar],
    left: &[Attribute],
    right: &[Attribute],
) -> JoinType {
    let refuses = |side: &[Attribute]| parts.iter().any(|part| refuses_nulls(part, side));
    match join_type {
        JoinType::LeftOuter if refuses(right) => JoinType::Inner,
        JoinType::RightOuter if refuses(left) => JoinType::Inner,
        JoinType::FullOuter => match (refuses(left), refuses(right)) {
            (true, true) => JoinType::Inner,
            (true, false) => JoinType::LeftOuter,
            (false, true) => JoinType::RightOuter,
            (false, false) => JoinType::FullOuter,
        },
        other => other,
    }
}

/// Whether a condition does not hold where all columns of a side are null.
fn refuses_nulls(part: &Scalar, side: &[Attribute]) -> bool {
    if !is_deterministic(part) {
        return false;
    }
    if !is_of(part, side) {
        let mut strict = Vec::new();
        strict_columns(part, &mut strict);
        return strict.iter().any(|column| side.iter().any(|own| own.id == column.id));
    }
    let nothing = replaced(part, &|a| Some(Scalar::Literal(Literal::Null(a.data_type.clone()))));
    let row = Batch::new(StructType::default().into(), Vec::new(), 1);
    let value = compile(&nothing, &[]).and_then(|program| program.evaluate(&row, &EvalContext::at(0)));
    value.is_ok_and(|value| {
        value.as_boolean_opt().is_none_or(|value| !(value.len() == 1 && value.is_valid(0) && value.value(0)))
    })
}

/// The columns of a comparison: null in one of them makes it null.
pub(crate) fn strict_columns(scalar: &Scalar, out: &mut Vec<Attribute>) {
    match scalar {
        Scalar::Column(column) => out.push(column.clone()),
        Scalar::Cast { child, .. } => strict_columns(child, out),
        Scalar::Call {
            function:
                Function::Less
                | Function::LessOrEqual
                | Function::Greater
                | Function::GreaterOrEqual
                | Function::Equal
                | Function::Add
                | Function::Subtract,
            args,
            ..
        } => args.iter().for_each(|arg| strict_columns(arg, out)),
        _ => {}
    }
}

/// What the equalities between two sides say about each of them: where `a = b` and `a > 1`, also `b > 1`.
///
/// Shape: first what the left side must hold beyond what it holds already, then the right one.
/// Source: Spark's `InferFiltersFromConstraints`.
pub(crate) fn inferred(left: &Plan, right: &Plan, condition: Option<&Scalar>) -> [Vec<Scalar>; 2] {
    let mut known = constraints(left);
    known.extend(constraints(right));
    if let Some(condition) = condition {
        conjuncts(condition, &mut known);
    }
    let mut found: Vec<Scalar> = Vec::new();
    for equality in &known {
        let Scalar::Call { function: Function::Equal, args, .. } = equality else { continue };
        let [Scalar::Column(a), Scalar::Column(b)] = args.as_slice() else { continue };
        for (from, to) in [(a, b), (b, a)] {
            for part in known.iter().filter(|part| *part != equality && is_deterministic(part)) {
                let made = replaced(part, &|c| (c.id == from.id).then(|| Scalar::Column(to.clone())));
                if made != *part && !known.contains(&made) && !found.contains(&made) {
                    found.push(made);
                }
            }
        }
    }
    [left, right].map(|side| {
        let columns = side.output();
        found.iter().filter(|part| is_of(part, &columns)).cloned().collect()
    })
}

/// What holds of every row of a plan.
pub(super) fn constraints(plan: &Plan) -> Vec<Scalar> {
    match plan {
        Plan::Filter { predicate, child } => {
            let mut known = constraints(child);
            conjuncts(predicate, &mut known);
            known
        }
        Plan::Project { columns, child } => through(columns, child),
        Plan::Aggregate { grouping, child, .. } => through(grouping, child),
        Plan::Watermark { child, output, .. } | Plan::Alias { child, output, .. } => {
            let before = child.output();
            constraints(child).iter().map(|part| renamed(part, &before, output)).collect()
        }
        Plan::Deduplicate { child, .. }
        | Plan::Sort { child, .. }
        | Plan::Limit { child, .. }
        | Plan::Repartition { child, .. } => constraints(child),
        Plan::Join { left, right, join_type, condition, output } => {
            let (mut known, before) = (Vec::new(), [left.output(), right.output()].concat());
            if !matches!(join_type, JoinType::RightOuter | JoinType::FullOuter) {
                known.extend(constraints(left));
            }
            if matches!(join_type, JoinType::Inner | JoinType::Cross | JoinType::RightOuter) {
                known.extend(constraints(right));
            }
            if let (JoinType::Inner | JoinType::Cross, Some(condition)) = (join_type, condition) {
                conjuncts(condition, &mut known);
            }
            known.iter().map(|part| renamed(part, &before, output)).collect()
        }
        _ => Vec::new(),
    }
}

/// What holds below of columns that are handed on as they are.
fn through(columns: &[NamedScalar], child: &Plan) -> Vec<Scalar> {
    let handed_on = |a: &Attribute| {
        let same = |c: &&NamedScalar| matches!(&c.scalar, Scalar::Column(column) if column.id == a.id);
        columns.iter().find(same).map(|c| Scalar::Column(c.output.clone()))
    };
    let kept: Vec<Attribute> = columns.iter().map(|c| c.output.clone()).collect();
    let above = constraints(child).into_iter().map(|part| replaced(&part, &handed_on));
    above.filter(|part| is_of(part, &kept)).collect()
}
