//! The text of `explain()`: the physical plan in Spark's layout.

use crate::logical::Plan;

/// The plan as a tree of operators, one a line, the result on top.
pub fn explain(plan: &Plan, _extended: bool) -> String {
    let mut text = String::from("== Physical Plan ==\n");
    write(plan, 0, &mut text);
    text
}

fn write(plan: &Plan, depth: usize, text: &mut String) {
    let columns: Vec<String> = plan.output().iter().map(|a| format!("{}#{}", a.name, a.id.0)).collect();
    let lead = if depth == 0 { String::new() } else { format!("{}+- ", "   ".repeat(depth - 1)) };
    text.push_str(&format!("{lead}{} [{}]\n", name(plan), columns.join(", ")));
    for child in plan.children() {
        write(child, depth + 1, text);
    }
}

fn name(plan: &Plan) -> &'static str {
    match plan {
        Plan::Relation { spec, .. } if spec.streaming => "StreamingRelation",
        Plan::Relation { .. } => "FileScan",
        Plan::Local { .. } => "LocalTableScan",
        Plan::Range { .. } => "Range",
        Plan::Project { .. } => "Project",
        Plan::Filter { .. } => "Filter",
        Plan::Aggregate { .. } => "HashAggregate",
        Plan::Deduplicate { .. } => "Deduplicate",
        Plan::Sort { .. } => "Sort",
        Plan::Limit { .. } => "CollectLimit",
        Plan::Union { .. } => "Union",
        Plan::Join { .. } => "Join",
        Plan::Watermark { .. } => "EventTimeWatermark",
        Plan::Alias { .. } => "SubqueryAlias",
        Plan::Repartition { .. } => "Exchange",
        Plan::Generate { .. } => "Generate",
    }
}
