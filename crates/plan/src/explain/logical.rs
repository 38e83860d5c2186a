//! The logical plan, as `explain(extended=True)` shows it.

use crate::logical::{JoinType, Plan};

use super::scalar_text::{
    aggregate_text, attribute_list, attribute_text, named_text, order_text, scalar_text,
};
use super::tree::Node;

pub(super) fn join_name(join_type: JoinType) -> &'static str {
    match join_type {
        JoinType::Inner => "Inner",
        JoinType::LeftOuter => "LeftOuter",
        JoinType::RightOuter => "RightOuter",
        JoinType::FullOuter => "FullOuter",
        JoinType::LeftSemi => "LeftSemi",
        JoinType::LeftAnti => "LeftAnti",
        JoinType::Cross => "Cross",
    }
}

/// The tree of a plan as it was resolved.
pub(super) fn logical(plan: &Plan) -> Node {
    let children: Vec<Node> = plan.children().into_iter().map(|child| logical(child)).collect();
    let line = match plan {
        Plan::Limit { rows, .. } => {
            return Node::new(
                format!("GlobalLimit {rows}"),
                vec![Node::new(format!("LocalLimit {rows}"), children)],
            );
        }
        other => line(other),
    };
    Node::new(line, children)
}

// tidy: table
fn line(plan: &Plan) -> String {
    match plan {
        Plan::Relation { spec, output, .. } if spec.streaming => {
            format!("StreamingRelation {}, [{}]", spec.format, attribute_list(output, ", "))
        }
        Plan::Relation { spec, output, .. } => {
            format!("Relation [{}] {}", attribute_list(output, ","), spec.format)
        }
        Plan::Local { output, .. } => format!("LocalRelation [{}]", attribute_list(output, ", ")),
        Plan::Range { start, end, step, partitions, .. } => {
            let splits = partitions.map_or("None".to_owned(), |n| format!("Some({n})"));
            format!("Range ({start}, {end}, step={step}, splits={splits})")
        }
        Plan::Project { columns, .. } => {
            format!("Project [{}]", columns.iter().map(named_text).collect::<Vec<_>>().join(", "))
        }
        Plan::Filter { predicate, .. } => format!("Filter {}", scalar_text(predicate)),
        Plan::Aggregate { grouping, aggregates, .. } => {
            let keys: Vec<String> = grouping.iter().map(|g| scalar_text(&g.scalar)).collect();
            let columns: Vec<String> = grouping
                .iter()
                .map(named_text)
                .chain(
                    aggregates
                        .iter()
                        .map(|a| format!("{} AS {}", aggregate_text(a, ""), attribute_text(&a.output))),
                )
                .collect();
            format!("Aggregate [{}], [{}]", keys.join(", "), columns.join(", "))
        }
        Plan::Deduplicate { keys, within_watermark: false, .. } => {
            format!("Deduplicate [{}]", attribute_list(keys, ", "))
        }
        Plan::Deduplicate { keys, .. } => {
            format!("DeduplicateWithinWatermark [{}]", attribute_list(keys, ", "))
        }
        Plan::Sort { orders, global, .. } => {
            format!("Sort [{}], {global}", orders.iter().map(order_text).collect::<Vec<_>>().join(", "))
        }
        Plan::Limit { rows, .. } => format!("GlobalLimit {rows}"),
        Plan::Union { .. } => "Union false, false".to_owned(),
        Plan::Join { join_type, condition, .. } => match condition {
            Some(condition) => format!("Join {}, {}", join_name(*join_type), scalar_text(condition)),
            None => format!("Join {}", join_name(*join_type)),
        },
        Plan::Watermark { column, delay_micros, .. } => {
            format!(
                "EventTimeWatermark {}: timestamp, {} milliseconds",
                attribute_text(column),
                delay_micros / 1000
            )
        }
        Plan::Alias { name, .. } => format!("SubqueryAlias {name}"),
        Plan::Repartition { partitions, shuffle, .. } => format!("Repartition {partitions}, {shuffle}"),
        Plan::Generate { generator, outer, output, .. } => {
            let last = output.last().map(attribute_text).unwrap_or_default();
            format!("Generate explode({}), {outer}, [{last}]", scalar_text(generator))
        }
    }
}
