//! Filters go down to the rows they are about, as in Spark: what they leave out is never computed above them, so an
//! error in such a row never shows.

mod infer;

use std::sync::Arc;

use tidemark_plan::{Attribute, Function, JoinType, Literal, Plan, Scalar};
use tidemark_types::DataType;

use crate::operator::planner::is_of;
use crate::operator::prune::references;

use infer::{constraints, unpadded};
pub(crate) use infer::{inferred, strict_columns};

/// The plan with every filter as far down as it may go. Its output stays as it is.
pub(crate) fn pushed(plan: &Plan) -> Plan {
    let plan = plan.map_children(&mut |child| pushed(child));
    match plan {
        Plan::Filter { predicate, child } => push(predicate, &child),
        Plan::Generate { generator, outer: false, child, output } if is_path(&generator) => {
            let child = match has_elements(&generator, &child) {
                Some(predicate) => Arc::new(push(predicate, &child)),
                None => child,
            };
            Plan::Generate { generator, outer: false, child, output }
        }
        other => other,
    }
}

/// A column, or a field of one.
fn is_path(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Column(_) => true,
        Scalar::Call { function: Function::GetField, args, .. } => args.first().is_some_and(is_path),
        _ => false,
    }
}

/// That something has elements at all: rows without make none, so they are left out before. `None` where the plan says
/// so already.
///
/// Source: Spark's `InferFiltersFromGenerate`.
fn has_elements(generator: &Scalar, child: &Plan) -> Option<Scalar> {
    let call = |function, args, data_type| Scalar::Call { function, args, data_type, nullable: false };
    let size = call(Function::Size, vec![generator.clone()], DataType::Integer);
    let none = Scalar::Literal(Literal::Integer(0));
    let some = call(Function::Greater, vec![size, none], DataType::Boolean);
    let present = call(Function::IsNotNull, vec![generator.clone()], DataType::Boolean);
    let known = constraints(child);
    [some, present].into_iter().filter(|part| !known.contains(part)).reduce(and)
}

/// A filter over a plan, or below what it may pass.
fn push(predicate: Scalar, child: &Plan) -> Plan {
    match child {
        Plan::Project { columns, child } if columns.iter().all(|c| is_deterministic(&c.scalar)) => {
            let find = |a: &Attribute| columns.iter().find(|c| c.output.id == a.id).map(|c| c.scalar.clone());
            let predicate = replaced(&predicate, &find);
            Plan::Project { columns: columns.clone(), child: Arc::new(push(predicate, child)) }
        }
        Plan::Filter { predicate: first, child } if is_deterministic(first) => {
            push(and(first.clone(), predicate), child)
        }
        Plan::Alias { name, child, output } => {
            let predicate = renamed(&predicate, output, &child.output());
            Plan::Alias {
                name: name.clone(),
                child: Arc::new(push(predicate, child)),
                output: output.clone(),
            }
        }
        Plan::Union { children, output } if is_deterministic(&predicate) => {
            let children = children
                .iter()
                .map(|child| Arc::new(push(renamed(&predicate, output, &child.output()), child)))
                .collect();
            Plan::Union { children, output: output.clone() }
        }
        Plan::Sort { .. } | Plan::Repartition { .. } if is_deterministic(&predicate) => {
            child.map_children(&mut |below| push(predicate.clone(), below))
        }
        Plan::Watermark { .. } if is_deterministic(&predicate) => push_below_watermark(predicate, child),
        Plan::Aggregate { .. } => push_below_aggregate(&predicate, child),
        Plan::Join { .. } if is_deterministic(&predicate) => push_below_join(&predicate, child),
        _ => Plan::Filter { predicate, child: Arc::new(child.clone()) },
    }
}

/// A filter of these parts over a plan.
fn filtered(parts: Vec<Scalar>, child: Plan) -> Plan {
    match parts.into_iter().reduce(and) {
        Some(predicate) => Plan::Filter { predicate, child: Arc::new(child) },
        None => child,
    }
}

/// The parts that look at keys only go below: groups that nobody wants are never made.
fn push_below_aggregate(predicate: &Scalar, aggregate: &Plan) -> Plan {
    let Plan::Aggregate { grouping, .. } = aggregate else { return aggregate.clone() };
    let is_key = |scalar: &Scalar| {
        let mut reads = std::collections::BTreeSet::new();
        references(scalar, &mut reads);
        !reads.is_empty() && reads.iter().all(|id| grouping.iter().any(|key| key.output.id == *id))
    };
    let mut parts = Vec::new();
    conjuncts(predicate, &mut parts);
    let (below, above): (Vec<Scalar>, Vec<Scalar>) =
        parts.into_iter().partition(|part| is_deterministic(part) && is_key(part));
    let find =
        |a: &Attribute| grouping.iter().find(|key| key.output.id == a.id).map(|key| key.scalar.clone());
    let plan = match below.into_iter().map(|part| replaced(&part, &find)).reduce(and) {
        Some(below) => aggregate.map_children(&mut |child| push(below.clone(), child)),
        None => aggregate.clone(),
    };
    filtered(above, plan)
}

/// The parts about one side go below it, unless the join would still show its rows without them; what is left of an
/// inner join's becomes a part of its condition.
fn push_below_join(predicate: &Scalar, join: &Plan) -> Plan {
    let Plan::Join { left, right, join_type, condition, output } = join else { return join.clone() };
    let pair: Vec<Attribute> = left.output().into_iter().chain(right.output()).collect();
    let mut parts = Vec::new();
    conjuncts(&renamed(predicate, output, &pair), &mut parts);
    let join_type = &unpadded(*join_type, &parts, &left.output(), &right.output());
    let (to_left, to_right) = match join_type {
        JoinType::Inner => (true, true),
        JoinType::LeftOuter | JoinType::LeftSemi | JoinType::LeftAnti => (true, false),
        JoinType::RightOuter => (false, true),
        JoinType::FullOuter | JoinType::Cross => (false, false),
    };
    let (mut lefts, mut rights, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        if to_left && is_of(&part, &left.output()) {
            lefts.push(part);
        } else if to_right && is_of(&part, &right.output()) {
            rights.push(part);
        } else {
            rest.push(part);
        }
    }
    let side = |side: &Arc<Plan>, parts: Vec<Scalar>| match parts.into_iter().reduce(and) {
        Some(predicate) => Arc::new(push(predicate, side)),
        None => side.clone(),
    };
    let mut condition = condition.clone();
    if *join_type == JoinType::Inner {
        condition = condition.into_iter().chain(std::mem::take(&mut rest)).reduce(and);
    }
    let made = Plan::Join {
        left: side(left, lefts),
        right: side(right, rights),
        join_type: *join_type,
        condition,
        output: output.clone(),
    };
    let back = |part: &Scalar| renamed(part, &pair, output);
    filtered(rest.iter().map(back).collect(), made)
}

/// The part that does not look at the event time goes below: rows left out do not lift the watermark.
fn push_below_watermark(predicate: Scalar, watermark: &Plan) -> Plan {
    let Plan::Watermark { column, child, output, .. } = watermark else {
        return Plan::Filter { predicate, child: Arc::new(watermark.clone()) };
    };
    let mut parts = Vec::new();
    conjuncts(&predicate, &mut parts);
    let (above, below): (Vec<Scalar>, Vec<Scalar>) = parts.into_iter().partition(|part| {
        let mut reads = std::collections::BTreeSet::new();
        references(&renamed(part, output, &child.output()), &mut reads);
        reads.contains(&column.id)
    });
    let plan = match below.into_iter().reduce(and) {
        Some(below) => {
            let below = renamed(&below, output, &child.output());
            watermark.map_children(&mut |child| push(below.clone(), child))
        }
        None => watermark.clone(),
    };
    match above.into_iter().reduce(and) {
        Some(predicate) => Plan::Filter { predicate, child: Arc::new(plan) },
        None => plan,
    }
}

/// Both must hold; the first guards the second.
pub(crate) fn and(left: Scalar, right: Scalar) -> Scalar {
    let nullable = left.nullable() || right.nullable();
    Scalar::Call { function: Function::And, args: vec![left, right], data_type: DataType::Boolean, nullable }
}

/// The parts of a condition that must all hold, in their order.
pub(crate) fn conjuncts(scalar: &Scalar, out: &mut Vec<Scalar>) {
    match scalar {
        Scalar::Call { function: Function::And, args, .. } => args.iter().for_each(|a| conjuncts(a, out)),
        other => out.push(other.clone()),
    }
}

/// The expression with the columns of one output named as those of another, position by position.
pub(super) fn renamed(scalar: &Scalar, from: &[Attribute], to: &[Attribute]) -> Scalar {
    let find = |a: &Attribute| {
        from.iter().position(|f| f.id == a.id).and_then(|i| to.get(i)).map(|t| Scalar::Column(t.clone()))
    };
    replaced(scalar, &find)
}

/// The expression with columns replaced where `find` knows something for them.
pub(super) fn replaced(scalar: &Scalar, find: &dyn Fn(&Attribute) -> Option<Scalar>) -> Scalar {
    match scalar {
        Scalar::Column(attribute) => find(attribute).unwrap_or_else(|| scalar.clone()),
        Scalar::Literal(_) => scalar.clone(),
        Scalar::Cast { child, to, mode } => {
            Scalar::Cast { child: Box::new(replaced(child, find)), to: to.clone(), mode: *mode }
        }
        Scalar::Call { function, args, data_type, nullable } => Scalar::Call {
            function: *function,
            args: args.iter().map(|a| replaced(a, find)).collect(),
            data_type: data_type.clone(),
            nullable: *nullable,
        },
        Scalar::Case { branches, otherwise, data_type } => Scalar::Case {
            branches: branches.iter().map(|(w, t)| (replaced(w, find), replaced(t, find))).collect(),
            otherwise: otherwise.as_ref().map(|o| Box::new(replaced(o, find))),
            data_type: data_type.clone(),
        },
    }
}

/// Whether the value depends on nothing but the row.
pub(super) fn is_deterministic(scalar: &Scalar) -> bool {
    match scalar {
        Scalar::Column(_) | Scalar::Literal(_) => true,
        Scalar::Cast { child, .. } => is_deterministic(child),
        Scalar::Call { function, args, .. } => {
            !matches!(function, Function::MonotonicallyIncreasingId | Function::InputFileName)
                && args.iter().all(is_deterministic)
        }
        Scalar::Case { branches, otherwise, .. } => {
            branches.iter().all(|(w, t)| is_deterministic(w) && is_deterministic(t))
                && otherwise.as_ref().is_none_or(|o| is_deterministic(o))
        }
    }
}
