//! What a query does with time, found in its plan.

use std::sync::Arc;

use tidemark_plan::{Attribute, ExprId, Function, Literal, Plan, ReadSpec, Scalar};
use tidemark_types::DataType;

/// One streaming source of a query.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    /// Its place among the sources of the checkpoint.
    pub(super) index: usize,
    /// Its identity in the plan.
    pub(super) source: u64,
    /// What is read.
    pub(super) spec: Arc<ReadSpec>,
    /// Its columns.
    pub(super) output: Vec<Attribute>,
    /// The plan from the source up to its watermark, and the delay in milliseconds.
    pub(super) watermark: Option<(Plan, i64)>,
}

/// Where rows meet those of other batches: it decides what late means.
#[derive(Clone, Debug)]
pub(super) enum Gather {
    /// An aggregation by windows; the place of the window among the grouping columns.
    Windows(Plan, usize),
    /// An aggregation by the event time itself.
    Times,
    /// Deduplication: the plan below it, its keys, and whether only the watermark ends a key's time.
    Keys(Plan, Vec<Attribute>, bool),
    /// A join of two streams: the plans of its left and right side, and the columns that must be equal.
    Join([Arc<Plan>; 2], Vec<ExprId>),
    /// Nothing that forgets: no row is ever late.
    Nothing,
}

/// The streaming sources of a plan, each once for every watermark that its rows meet first.
pub(super) fn streams(plan: &Plan) -> Vec<Stream> {
    let mut found: Vec<Stream> = Vec::new();
    collect(plan, None, &mut found);
    found
}

fn collect(plan: &Plan, watermark: Option<(&Plan, i64)>, found: &mut Vec<Stream>) {
    match plan {
        Plan::Relation { spec, source, output } if spec.streaming => {
            let same = found.iter().filter(|stream| stream.source == *source);
            let is_known = same.clone().any(|stream| {
                let column = |plan: &Plan| plan.output().iter().map(|column| column.id).collect::<Vec<_>>();
                stream.watermark.as_ref().map(|(plan, _)| column(plan))
                    == watermark.map(|(plan, _)| column(plan))
            });
            if !is_known {
                let index = same.map(|stream| stream.index).next();
                let next = found.iter().map(|stream| stream.index + 1).max().unwrap_or(0);
                found.push(Stream {
                    index: index.unwrap_or(next),
                    source: *source,
                    spec: spec.clone(),
                    output: output.clone(),
                    watermark: watermark.map(|(plan, delay)| (plan.clone(), delay)),
                });
            }
        }
        Plan::Watermark { delay_micros, child, .. } => {
            // The lowest watermark is the one that the rows of the source meet first.
            collect(child, Some((plan, delay_micros / 1000)), found);
        }
        _ => {
            for child in plan.children() {
                collect(child, watermark, found);
            }
        }
    }
}

/// The lowest operator of the plan that keeps rows of earlier batches in mind.
pub(super) fn gather(plan: &Plan) -> Gather {
    for child in plan.children() {
        match gather(child) {
            Gather::Nothing => {}
            found => return found,
        }
    }
    if !plan.is_streaming() {
        return Gather::Nothing;
    }
    match plan {
        Plan::Aggregate { grouping, .. } => match grouping.iter().position(|key| is_window(&key.output)) {
            Some(at) => Gather::Windows(plan.clone(), at),
            None if grouping.iter().any(|key| key.output.watermark_delay.is_some()) => Gather::Times,
            None => Gather::Nothing,
        },
        Plan::Deduplicate { keys, within_watermark, child } => {
            Gather::Keys(child.as_ref().clone(), keys.clone(), *within_watermark)
        }
        Plan::Join { left, right, condition, .. } if left.is_streaming() && right.is_streaming() => {
            let mut keys = Vec::new();
            condition.iter().for_each(|condition| equal_columns(condition, &mut keys));
            Gather::Join([left.clone(), right.clone()], keys)
        }
        _ => Gather::Nothing,
    }
}

/// The columns that a condition wants to be equal.
fn equal_columns(condition: &Scalar, found: &mut Vec<ExprId>) {
    match condition {
        Scalar::Call { function: Function::And, args, .. } => {
            args.iter().for_each(|part| equal_columns(part, found));
        }
        Scalar::Call { function: Function::Equal, args, .. } => found.extend(args.iter().filter_map(column)),
        _ => {}
    }
}

/// The column that a value is, in whatever type.
fn column(value: &Scalar) -> Option<ExprId> {
    match value {
        Scalar::Column(column) => Some(column.id),
        Scalar::Cast { child, .. } => column(child),
        _ => None,
    }
}

fn is_window(column: &Attribute) -> bool {
    match &column.data_type {
        DataType::Struct(fields) => fields.names() == ["start", "end"],
        _ => false,
    }
}

/// Length and slide of the time windows below an aggregation, in milliseconds; none for sessions.
pub(super) fn window_size(plan: &Plan) -> Option<(i64, i64)> {
    let of = |scalar: &Scalar| match scalar {
        Scalar::Call { function: Function::Window, args, .. } => {
            let micros = |at: usize| match args.get(at) {
                Some(Scalar::Literal(Literal::Long(micros))) => Some(*micros),
                _ => None,
            };
            Some((micros(1)? / 1000, micros(2)? / 1000))
        }
        _ => None,
    };
    let here = match plan {
        Plan::Project { columns, .. } => columns.iter().find_map(|column| of(&column.scalar)),
        Plan::Generate { generator, .. } => of(generator),
        _ => None,
    };
    here.or_else(|| plan.children().into_iter().find_map(|child| window_size(child)))
}

/// The plan with these rows in place of a source, and nothing in place of every other stream.
pub(super) fn with_rows(plan: &Plan, source: u64, rows: &Arc<Vec<tidemark_types::Batch>>) -> Plan {
    match plan {
        Plan::Relation { spec, source: here, output } if spec.streaming => {
            let partitions = if *here == source {
                rows.clone()
            } else {
                Arc::new(vec![tidemark_types::Batch::empty(Arc::new(Attribute::schema(output)))])
            };
            Plan::Local { partitions, output: output.clone() }
        }
        _ => plan.map_children(&mut |child| with_rows(child, source, rows)),
    }
}
