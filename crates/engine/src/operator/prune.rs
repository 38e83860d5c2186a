//! Columns that nobody asks for are not computed, as in Spark: an error in one of them never shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use tidemark_plan::{Attribute, ExprId, NamedScalar, Plan, Scalar};

type Columns = BTreeSet<ExprId>;

/// The relations, by the identity of their sources, that may be asked for fewer columns.
type Leaves = BTreeSet<u64>;

/// The plan without columns that its result does not need. Its output stays as it is, and what its relations give.
pub(crate) fn pruned(plan: &Plan) -> Plan {
    prune(plan, &ids(&plan.output()), &Leaves::new())
}

/// The plan without columns that its result does not need, batch relations included: a reader does not even look at
/// those. A relation that the plan reads at more than one place stays whole, since it is read once.
pub(crate) fn narrowed(plan: &Plan) -> Plan {
    let (mut once, mut more) = (Leaves::new(), Leaves::new());
    count_leaves(plan, &mut once, &mut more);
    let leaves = once.difference(&more).copied().collect();
    prune(plan, &ids(&plan.output()), &leaves)
}

fn count_leaves(plan: &Plan, once: &mut Leaves, more: &mut Leaves) {
    if let Plan::Relation { spec, source, .. } = plan
        && (spec.streaming || !once.insert(*source))
    {
        more.insert(*source);
    }
    plan.children().iter().for_each(|child| count_leaves(child, once, more));
}

fn ids(attributes: &[Attribute]) -> Columns {
    attributes.iter().map(|a| a.id).collect()
}

/// The plan with at least the columns that are required, in their order.
fn prune(plan: &Plan, required: &Columns, leaves: &Leaves) -> Plan {
    match plan {
        Plan::Relation { spec, source, output } if leaves.contains(source) => {
            let output = output.iter().filter(|a| required.contains(&a.id)).cloned().collect();
            Plan::Relation { spec: spec.clone(), source: *source, output }
        }
        Plan::Relation { .. } | Plan::Local { .. } | Plan::Range { .. } => plan.clone(),
        Plan::Project { columns, child } => {
            let columns: Vec<NamedScalar> =
                columns.iter().filter(|c| required.contains(&c.output.id)).cloned().collect();
            let mut needs = Columns::new();
            for column in &columns {
                references(&column.scalar, &mut needs);
            }
            Plan::Project { columns, child: Arc::new(prune(child, &needs, leaves)) }
        }
        Plan::Aggregate { grouping, aggregates, child } => {
            let aggregates: Vec<_> =
                aggregates.iter().filter(|a| required.contains(&a.output.id)).cloned().collect();
            let mut needs = Columns::new();
            let read = aggregates.iter().flat_map(|a| a.call.args.iter().chain(&a.call.filter));
            for scalar in grouping.iter().map(|g| &g.scalar).chain(read) {
                references(scalar, &mut needs);
            }
            Plan::Aggregate {
                grouping: grouping.clone(),
                aggregates,
                child: Arc::new(prune(child, &needs, leaves)),
            }
        }
        Plan::Join { .. } => join(plan, required, leaves),
        Plan::Union { children, output } => union(children, output, required, leaves),
        Plan::Watermark { child, output, .. } | Plan::Alias { child, output, .. } => {
            renamed(plan, child, output, required, leaves)
        }
        Plan::Generate { generator, outer, child, output } => {
            let before = child.output();
            let mut needs: Columns = below(&before, output, required);
            references(generator, &mut needs);
            let child = prune(child, &needs, leaves);
            let mut kept = matching(&before, &output[..before.len()], &child.output());
            kept.extend_from_slice(&output[before.len()..]);
            Plan::Generate {
                generator: generator.clone(),
                outer: *outer,
                child: Arc::new(child),
                output: kept,
            }
        }
        // What does not come in is not looked at: without its event time no row is late.
        Plan::Deduplicate { keys, within_watermark: false, child } if child.is_streaming() => {
            let mut needs = required.clone();
            needs.extend(keys.iter().map(|k| k.id));
            plan.map_children(&mut |child| {
                let made = prune(child, &needs, leaves);
                let wanted = made.output().into_iter().filter(|a| needs.contains(&a.id)).collect();
                exactly(made, wanted)
            })
        }
        Plan::Filter { .. }
        | Plan::Deduplicate { .. }
        | Plan::Sort { .. }
        | Plan::Limit { .. }
        | Plan::Repartition { .. } => {
            let mut needs = required.clone();
            own_references(plan, &mut needs);
            plan.map_children(&mut |child| prune(child, &needs, leaves))
        }
    }
}

/// What an operator reads itself that hands on its child's columns.
fn own_references(plan: &Plan, needs: &mut Columns) {
    match plan {
        Plan::Filter { predicate, .. } => references(predicate, needs),
        Plan::Deduplicate { keys, .. } => needs.extend(keys.iter().map(|k| k.id)),
        Plan::Repartition { by, .. } => by.iter().for_each(|key| references(key, needs)),
        Plan::Sort { orders, .. } => orders.iter().for_each(|o| references(&o.scalar, needs)),
        _ => {}
    }
}

/// The columns below that stand, position by position, under required ones.
fn below(before: &[Attribute], output: &[Attribute], required: &Columns) -> Columns {
    before.iter().zip(output).filter(|(_, o)| required.contains(&o.id)).map(|(b, _)| b.id).collect()
}

/// The columns of an output whose fellow below is still there.
fn matching(before: &[Attribute], output: &[Attribute], after: &[Attribute]) -> Vec<Attribute> {
    let left = ids(after);
    before.iter().zip(output).filter(|(b, _)| left.contains(&b.id)).map(|(_, o)| o.clone()).collect()
}

fn renamed(plan: &Plan, child: &Plan, output: &[Attribute], required: &Columns, leaves: &Leaves) -> Plan {
    let before = child.output();
    let mut needs = below(&before, output, required);
    if let Plan::Watermark { column, .. } = plan {
        needs.insert(column.id);
    }
    let child = prune(child, &needs, leaves);
    let kept = matching(&before, output, &child.output());
    match plan {
        Plan::Watermark { id, column, delay_micros, .. } => Plan::Watermark {
            id: *id,
            column: column.clone(),
            delay_micros: *delay_micros,
            child: Arc::new(child),
            output: kept,
        },
        Plan::Alias { name, .. } => Plan::Alias { name: name.clone(), child: Arc::new(child), output: kept },
        other => other.clone(),
    }
}

fn union(children: &[Arc<Plan>], output: &[Attribute], required: &Columns, leaves: &Leaves) -> Plan {
    let kept: Vec<usize> = (0..output.len()).filter(|i| required.contains(&output[*i].id)).collect();
    let children = children
        .iter()
        .map(|child| {
            let before = child.output();
            let wanted: Vec<Attribute> = kept.iter().map(|i| before[*i].clone()).collect();
            let child = prune(child, &ids(&wanted), leaves);
            Arc::new(exactly(child, wanted))
        })
        .collect();
    Plan::Union { children, output: kept.iter().map(|i| output[*i].clone()).collect() }
}

/// The plan with these columns and no others.
fn exactly(plan: Plan, wanted: Vec<Attribute>) -> Plan {
    if plan.output().iter().map(|a| a.id).eq(wanted.iter().map(|a| a.id)) {
        return plan;
    }
    let columns =
        wanted.into_iter().map(|a| NamedScalar { scalar: Scalar::Column(a.clone()), output: a }).collect();
    Plan::Project { columns, child: Arc::new(plan) }
}

fn join(plan: &Plan, required: &Columns, leaves: &Leaves) -> Plan {
    let Plan::Join { left, right, join_type, condition, output } = plan else { return plan.clone() };
    let (before_left, before_right) = (left.output(), right.output());
    let pair: Vec<Attribute> = before_left.iter().chain(&before_right).cloned().collect();
    let mut needs = below(&pair, output, required);
    if let Some(condition) = condition {
        references(condition, &mut needs);
    }
    // What two streams keep of each other's rows is state: it holds no column that nobody asks for.
    let both = left.is_streaming() && right.is_streaming();
    let side = |side: &Plan| {
        let made = prune(side, &needs, leaves);
        let wanted: Vec<Attribute> = made.output().into_iter().filter(|a| needs.contains(&a.id)).collect();
        if both { exactly(made, wanted) } else { made }
    };
    let (left, right) = (side(left), side(right));
    let split = before_left.len().min(output.len());
    let mut kept = matching(&before_left, &output[..split], &left.output());
    kept.extend(matching(&before_right, &output[split..], &right.output()));
    Plan::Join {
        left: Arc::new(left),
        right: Arc::new(right),
        join_type: *join_type,
        condition: condition.clone(),
        output: kept,
    }
}

/// The columns that an expression reads.
pub(crate) fn references(scalar: &Scalar, out: &mut Columns) {
    match scalar {
        Scalar::Column(attribute) => {
            out.insert(attribute.id);
        }
        Scalar::Literal(_) => {}
        Scalar::Cast { child, .. } => references(child, out),
        Scalar::Call { args, .. } => args.iter().for_each(|a| references(a, out)),
        Scalar::Case { branches, otherwise, .. } => {
            for (when, then) in branches {
                references(when, out);
                references(then, out);
            }
            if let Some(otherwise) = otherwise {
                references(otherwise, out);
            }
        }
    }
}
