//! The physical plan that Spark would make: pruned scans, pushed filters, exchanges, partial aggregates.

use std::collections::BTreeSet;

use tidemark_types::DataType;

use crate::attribute::{Attribute, ExprId};
use crate::literal::Literal;
use crate::logical::{JoinType, Plan, SortOrder};
use crate::resolve::rewrite::references;
use crate::resolve::session_key;
use crate::scalar::{Function, Scalar};

use super::logical::{join_name, logical};
use super::scalar_text::{
    aggregate_text, attribute_list, attribute_text, named_text, order_text, scalar_text,
};
use super::tree::Node;

/// The number of tasks and of shuffle partitions, as everywhere here.
const PARALLELISM: usize = 2;

/// The text of `df.explain()`; with `extended` the logical plans come first.
pub fn explain(plan: &Plan, extended: bool) -> String {
    let mut planner = Planner { exchanges: 0 };
    let needed = plan.output().into_iter().map(|a| a.id).collect();
    let mut node = match plan {
        Plan::Limit { rows, child } => planner.top_limit(*rows, child, &needed),
        other => planner.plan(other, &needed),
    };
    let shuffled = node.contains("Exchange") || node.contains("BroadcastExchange");
    if shuffled {
        node = Node::new("AdaptiveSparkPlan isFinalPlan=false", vec![node]);
    }
    let physical = format!("== Physical Plan ==\n{}", node.draw(!shuffled));
    if !extended {
        return format!("{physical}\n");
    }
    let tree = logical(plan).draw(false);
    let columns: Vec<String> =
        plan.output().iter().map(|a| format!("{}: {}", a.name, a.data_type.simple_string())).collect();
    format!(
        "== Parsed Logical Plan ==\n{tree}\n== Analyzed Logical Plan ==\n{}\n{tree}\n== Optimized Logical Plan ==\n{tree}\n{physical}",
        columns.join(", ")
    )
}

type Needed = BTreeSet<ExprId>;

struct Planner {
    exchanges: usize,
}

impl Planner {
    fn exchange(&mut self, partitioning: &str, reason: &str, child: Node) -> Node {
        self.exchanges += 1;
        Node::new(format!("Exchange {partitioning}, {reason}, [plan_id={}]", self.exchanges), vec![child])
    }

    fn broadcast(&mut self, mode: &str, child: Node) -> Node {
        self.exchanges += 1;
        Node::new(format!("BroadcastExchange {mode}, [plan_id={}]", self.exchanges), vec![child])
    }

    fn top_limit(&mut self, rows: usize, child: &Plan, needed: &Needed) -> Node {
        if let Plan::Sort { orders, global: true, child: input } = child {
            let output = kept(&child.output(), needed);
            let below = self.plan(input, &with_orders(needed, orders));
            let orders: Vec<String> = orders.iter().map(order_text).collect();
            return Node::new(
                format!(
                    "TakeOrderedAndProject(limit={rows}, orderBy=[{}], output=[{}])",
                    orders.join(","),
                    attribute_list(&output, ",")
                ),
                vec![below],
            );
        }
        Node::new(format!("CollectLimit {rows}"), vec![self.plan(child, needed)])
    }

    // tidy: table
    fn plan(&mut self, plan: &Plan, needed: &Needed) -> Node {
        match plan {
            Plan::Relation { .. } => scan(plan, needed, &[]),
            Plan::Local { output, .. } if output.is_empty() => {
                Node::compiled("Scan OneRowRelation[]", Vec::new())
            }
            Plan::Local { output, .. } => Node::new(
                format!("LocalTableScan [{}]", attribute_list(&kept(output, needed), ", ")),
                Vec::new(),
            ),
            Plan::Range { start, end, step, partitions, .. } => {
                let splits = partitions.unwrap_or(PARALLELISM);
                Node::compiled(format!("Range ({start}, {end}, step={step}, splits={splits})"), Vec::new())
            }
            Plan::Project { columns, child } => self.project(columns, child, needed),
            Plan::Filter { predicate, child } => self.filter(predicate, child, needed, true),
            Plan::Aggregate { .. } => self.aggregate(plan),
            Plan::Deduplicate { keys, child, .. } => self.deduplicate(keys, child, needed),
            Plan::Sort { orders, global, child } => self.sort(orders, *global, child, needed),
            Plan::Limit { rows, child } => {
                let local = Node::compiled(format!("LocalLimit {rows}"), vec![self.plan(child, needed)]);
                let exchange = self.exchange("SinglePartition", "ENSURE_REQUIREMENTS", local);
                Node::compiled(format!("GlobalLimit {rows}, 0"), vec![exchange])
            }
            Plan::Union { children, .. } => {
                let all = |child: &Plan| child.output().into_iter().map(|a| a.id).collect();
                Node::new("Union", children.iter().map(|c| self.plan(c, &all(c))).collect())
            }
            Plan::Join { left, right, join_type, condition, .. } => {
                self.join(left, right, *join_type, condition.as_ref(), needed)
            }
            Plan::Watermark { column, delay_micros, child, .. } => {
                let mut needed = needed.clone();
                needed.insert(column.id);
                let line = format!(
                    "EventTimeWatermark {}: timestamp, {} milliseconds",
                    attribute_text(column),
                    delay_micros / 1000
                );
                Node::new(line, vec![self.plan(child, &needed)])
            }
            Plan::Alias { child, .. } => self.plan(child, needed),
            Plan::Repartition { partitions, shuffle: true, by, child } => {
                let below = self.plan(child, needed);
                let keys: Vec<String> = by.iter().map(scalar_text).collect();
                let way = match keys.as_slice() {
                    [] => format!("RoundRobinPartitioning({partitions})"),
                    keys => format!("hashpartitioning({}, {partitions})", keys.join(", ")),
                };
                self.exchange(&way, "REPARTITION_BY_NUM", below)
            }
            Plan::Repartition { partitions, child, .. } => {
                Node::new(format!("Coalesce {partitions}"), vec![self.plan(child, needed)])
            }
            Plan::Generate { generator, outer, child, output } => {
                let own = child.output().len();
                let passed = kept(&output[..own], needed);
                let mut below = needed.clone();
                below.extend(references(generator).into_iter().map(|a| a.id));
                let list = if passed.is_empty() {
                    String::new()
                } else {
                    format!("[{}], ", attribute_list(&passed, ", "))
                };
                let line = format!(
                    "Generate explode({}), {list}{outer}, [{}]",
                    scalar_text(generator),
                    attribute_list(&output[own..], ", ")
                );
                Node::compiled(line, vec![self.plan(child, &below)])
            }
        }
    }

    fn project(&mut self, columns: &[crate::scalar::NamedScalar], child: &Plan, needed: &Needed) -> Node {
        let used: Vec<_> = columns.iter().filter(|c| needed.contains(&c.output.id)).collect();
        let below: Needed = used.iter().flat_map(|c| references(&c.scalar)).map(|a| a.id).collect();
        let only_columns = used.iter().all(|c| matches!(&c.scalar, Scalar::Column(a) if a.id == c.output.id));
        let node = match child {
            Plan::Filter { predicate, child } => self.filter(predicate, child, &below, false),
            other => self.plan(other, &below),
        };
        // A projection that only leaves columns out is done by the scan below it.
        if only_columns && matches!(child, Plan::Relation { .. } | Plan::Alias { .. } | Plan::Local { .. }) {
            return node;
        }
        let list: Vec<String> = used.into_iter().map(named_text).collect();
        Node::compiled(format!("Project [{}]", list.join(", ")), vec![node])
    }

    /// `narrow` leaves out the columns that only the filter needed.
    fn filter(&mut self, predicate: &Scalar, child: &Plan, needed: &Needed, narrow: bool) -> Node {
        let mut parts = Vec::new();
        conjuncts(predicate, &mut parts);
        let mut inferred: Vec<Scalar> = Vec::new();
        for part in &parts {
            for attribute in null_rejecting(part) {
                let test = not_null(attribute);
                if !inferred.contains(&test) && !parts.contains(&&test) {
                    inferred.push(test);
                }
            }
        }
        let all: Vec<Scalar> = inferred.into_iter().chain(parts.into_iter().cloned()).collect();
        let whole = all
            .iter()
            .map(scalar_text)
            .reduce(|a, b| format!("({a} AND {b})"))
            .unwrap_or_else(|| scalar_text(predicate));
        let mut below = needed.clone();
        below.extend(references(predicate).into_iter().map(|a| a.id));
        let mut source = child;
        while let Plan::Alias { child, .. } = source {
            source = child;
        }
        let input = match source {
            Plan::Relation { spec, .. } if !spec.streaming => scan(source, &below, &all),
            other => self.plan(other, &below),
        };
        let filter = Node::compiled(format!("Filter {whole}"), vec![input]);
        let output = kept(&child.output(), &below);
        let visible = kept(&child.output(), needed);
        if !narrow || visible.len() == output.len() {
            return filter;
        }
        Node::compiled(format!("Project [{}]", attribute_list(&visible, ", ")), vec![filter])
    }

    fn aggregate(&mut self, plan: &Plan) -> Node {
        let Plan::Aggregate { grouping, aggregates, child } = plan else { return logical(plan) };
        let mut below: Needed = grouping.iter().flat_map(|g| references(&g.scalar)).map(|a| a.id).collect();
        for aggregate in aggregates {
            let filter = aggregate.call.filter.iter();
            below.extend(aggregate.call.args.iter().chain(filter).flat_map(references).map(|a| a.id));
        }
        let input = self.plan(child, &below);
        let partial_keys: Vec<String> = grouping.iter().map(named_text).collect();
        let keys: Vec<Attribute> = grouping.iter().map(|g| g.output.clone()).collect();
        let functions = |prefix: &str| {
            aggregates.iter().map(|a| aggregate_text(a, prefix)).collect::<Vec<_>>().join(", ")
        };
        let partial = Node::compiled(
            format!(
                "HashAggregate(keys=[{}], functions=[{}])",
                partial_keys.join(", "),
                functions("partial_")
            ),
            vec![input],
        );
        let mut together = keys.clone();
        let session = session_key(grouping, child).map(|place| together.remove(place));
        let partitioning = hash_partitioning(&together);
        let mut rows = self.exchange(&partitioning, "ENSURE_REQUIREMENTS", partial);
        let list = attribute_list(&keys, ", ");
        if let Some(session) = session {
            let name = attribute_text(&session);
            let order =
                together.iter().chain([&session]).map(|a| format!("{} ASC NULLS FIRST", attribute_text(a)));
            let sort = format!("Sort [{}], false, 0", order.collect::<Vec<_>>().join(", "));
            let merging = format!(
                "MergingSessions List({}), false, [{list}], {name}: struct<start: timestamp, end: timestamp>, [{}]",
                attribute_list(&together, ", "),
                functions("merge_")
            );
            rows = Node::new(merging, vec![Node::compiled(sort, vec![rows])]);
        }
        Node::compiled(format!("HashAggregate(keys=[{list}], functions=[{}])", functions("")), vec![rows])
    }

    fn deduplicate(&mut self, keys: &[Attribute], child: &Plan, needed: &Needed) -> Node {
        let mut below = needed.clone();
        below.extend(keys.iter().map(|k| k.id));
        let others: Vec<Attribute> = kept(&child.output(), needed)
            .into_iter()
            .filter(|a| !keys.iter().any(|k| k.id == a.id))
            .collect();
        let first = |prefix: &str| {
            others
                .iter()
                .map(|a| format!("{prefix}first({}, false)", attribute_text(a)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let input = self.plan(child, &below);
        let list = attribute_list(keys, ", ");
        let partial = Node::compiled(
            format!("HashAggregate(keys=[{list}], functions=[{}])", first("partial_")),
            vec![input],
        );
        let exchange = self.exchange(&hash_partitioning(keys), "ENSURE_REQUIREMENTS", partial);
        Node::compiled(format!("HashAggregate(keys=[{list}], functions=[{}])", first("")), vec![exchange])
    }

    fn sort(&mut self, orders: &[SortOrder], global: bool, child: &Plan, needed: &Needed) -> Node {
        let list: Vec<String> = orders.iter().map(order_text).collect();
        let mut node = self.plan(child, &with_orders(needed, orders));
        if global {
            let partitioning = format!("rangepartitioning({}, {PARALLELISM})", list.join(", "));
            node = self.exchange(&partitioning, "ENSURE_REQUIREMENTS", node);
        }
        Node::compiled(format!("Sort [{}], {global}, 0", list.join(", ")), vec![node])
    }

    fn join(
        &mut self,
        left: &Plan,
        right: &Plan,
        join_type: JoinType,
        condition: Option<&Scalar>,
        needed: &Needed,
    ) -> Node {
        let mut below = needed.clone();
        let mut parts = Vec::new();
        if let Some(condition) = condition {
            below.extend(references(condition).into_iter().map(|a| a.id));
            conjuncts(condition, &mut parts);
        }
        let name = join_name(join_type);
        let (mut left_keys, mut right_keys, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match equal_keys(part, left, right) {
                Some((a, b)) => {
                    left_keys.push(scalar_text(a));
                    right_keys.push(scalar_text(b));
                }
                None => rest.push(scalar_text(part)),
            }
        }
        let (a, b) = (self.plan(left, &below), self.plan(right, &below));
        let rest = rest.into_iter().reduce(|x, y| format!("({x} AND {y})"));
        if left_keys.is_empty() {
            let b = self.broadcast("IdentityBroadcastMode", b);
            let tail = rest.map_or(String::new(), |r| format!(", {r}"));
            return Node::new(format!("BroadcastNestedLoopJoin BuildRight, {name}{tail}"), vec![a, b]);
        }
        let b = self.broadcast("HashedRelationBroadcastMode(List(input[0, bigint, false]),false)", b);
        let tail = rest.map_or(String::new(), |r| format!("{r}, "));
        let line = format!(
            "BroadcastHashJoin [{}], [{}], {name}, BuildRight, {tail}false, false",
            left_keys.join(", "),
            right_keys.join(", ")
        );
        Node::compiled(line, vec![a, b])
    }
}

fn kept(attributes: &[Attribute], needed: &Needed) -> Vec<Attribute> {
    attributes.iter().filter(|a| needed.contains(&a.id)).cloned().collect()
}

fn with_orders(needed: &Needed, orders: &[SortOrder]) -> Needed {
    let mut below = needed.clone();
    below.extend(orders.iter().flat_map(|o| references(&o.scalar)).map(|a| a.id));
    below
}

fn hash_partitioning(keys: &[Attribute]) -> String {
    if keys.is_empty() {
        return "SinglePartition".to_owned();
    }
    format!("hashpartitioning({}, {PARALLELISM})", attribute_list(keys, ", "))
}

fn conjuncts<'a>(predicate: &'a Scalar, parts: &mut Vec<&'a Scalar>) {
    match predicate {
        Scalar::Call { function: Function::And, args, .. } => {
            args.iter().for_each(|arg| conjuncts(arg, parts));
        }
        other => parts.push(other),
    }
}

/// The nullable columns that must not be null for a comparison to hold.
fn null_rejecting(part: &Scalar) -> Vec<Attribute> {
    match part {
        Scalar::Call {
            function:
                Function::Equal
                | Function::Less
                | Function::LessOrEqual
                | Function::Greater
                | Function::GreaterOrEqual,
            ..
        } => references(part).into_iter().filter(|a| a.nullable).collect(),
        _ => Vec::new(),
    }
}

fn not_null(attribute: Attribute) -> Scalar {
    Scalar::Call {
        function: Function::IsNotNull,
        args: vec![Scalar::Column(attribute)],
        data_type: DataType::Boolean,
        nullable: false,
    }
}

fn equal_keys<'a>(part: &'a Scalar, left: &Plan, right: &Plan) -> Option<(&'a Scalar, &'a Scalar)> {
    let Scalar::Call { function: Function::Equal, args, .. } = part else { return None };
    let of = |plan: &Plan, scalar: &Scalar| {
        let output = plan.output();
        let used = references(scalar);
        !used.is_empty() && used.iter().all(|a| output.iter().any(|o| o.id == a.id))
    };
    let [a, b] = args.as_slice() else { return None };
    if of(left, a) && of(right, b) {
        Some((a, b))
    } else if of(left, b) && of(right, a) {
        Some((b, a))
    } else {
        None
    }
}

/// A scan of the columns that are needed, with the filters that the reader is told.
fn scan(plan: &Plan, needed: &Needed, filters: &[Scalar]) -> Node {
    let Plan::Relation { spec, output, .. } = plan else { return logical(plan) };
    let columns = kept(output, needed);
    if spec.streaming {
        let name = spec.paths.first().map_or(spec.format.clone(), |path| format!("FileSource[{path}]"));
        return Node::new(
            format!("StreamingRelation {name}, [{}]", attribute_list(&columns, ", ")),
            Vec::new(),
        );
    }
    let format = match spec.format.as_str() {
        "json" => "JSON".to_owned(),
        "csv" => "CSV".to_owned(),
        "text" => "Text".to_owned(),
        "parquet" | "delta" => "Parquet".to_owned(),
        other => other.to_owned(),
    };
    let shown = if spec.format == "delta" { "parquet" } else { &spec.format };
    let batched = matches!(spec.format.as_str(), "parquet" | "delta");
    let data: Vec<String> = filters.iter().map(scalar_text).collect();
    let pushed: Vec<String> = filters.iter().filter_map(pushed_filter).collect();
    let fields: Vec<String> =
        columns.iter().map(|a| format!("{}:{}", a.name, a.data_type.simple_string())).collect();
    let place = spec.table.clone().unwrap_or_else(|| spec.paths.join(", "));
    Node::new(
        format!(
            "FileScan {shown} [{}] Batched: {batched}, DataFilters: [{}], Format: {format}, Location: InMemoryFileIndex({} paths)[{place}], PartitionFilters: [], PushedFilters: [{}], ReadSchema: struct<{}>",
            attribute_list(&columns, ","),
            data.join(", "),
            spec.paths.len().max(1),
            pushed.join(", "),
            fields.join(",")
        ),
        Vec::new(),
    )
}

/// `GreaterThan(id,1)`: a filter that a reader can take.
fn pushed_filter(filter: &Scalar) -> Option<String> {
    let Scalar::Call { function, args, .. } = filter else { return None };
    match (function, args.as_slice()) {
        (Function::IsNotNull, [Scalar::Column(a)]) => Some(format!("IsNotNull({})", a.name)),
        (Function::IsNull, [Scalar::Column(a)]) => Some(format!("IsNull({})", a.name)),
        (function, [Scalar::Column(a), Scalar::Literal(value)]) => {
            let name = match function {
                Function::Equal => "EqualTo",
                Function::Less => "LessThan",
                Function::LessOrEqual => "LessThanOrEqual",
                Function::Greater => "GreaterThan",
                Function::GreaterOrEqual => "GreaterThanOrEqual",
                _ => return None,
            };
            let value = match value {
                Literal::Null(_) => return None,
                other => other.pretty_text(),
            };
            Some(format!("{name}({},{value})", a.name))
        }
        _ => None,
    }
}
