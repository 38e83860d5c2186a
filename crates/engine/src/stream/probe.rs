//! What some input rows give by themselves: how a row of a sink is traced back to the rows that it was made of.
//!
//! A plan is asked with one row in the place of all. What it answers is compared with the row of the sink: all columns
//! where each row goes its own way, the grouping keys where rows are gathered.
//!
//! ```text
//! one row ─▶ the plan, with empty stores ─▶ a row of the same key? ─▶ it has a part in it
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use tidemark_plan::{ExprId, JoinType, OutputMode, Plan, ReadSpec, Scalar};
use tidemark_types::{Batch, SimTime};

use crate::error::Result;
use crate::operator::{Inputs, RunContext, references};
use crate::state::operator::{StatefulKind, stateful_operators};
use crate::state::{Given, STATE_BYTES_MAX, prepared, run_batch};
use crate::stream::conf::QueryConf;
use crate::stream::execution::StreamExecution;
use crate::stream::stage::Stage;

/// No row is late.
const NEVER_LATE: i64 = i64::MIN / 1_000;
/// All state is over: the end of the year 9999, in milliseconds.
const ALL_OVER: i64 = 253_402_300_799_999;

/// How a plan gathers rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathers {
    /// Not at all: each row goes its own way.
    Nothing,
    /// One row of each key comes out, in the batch in which it arrives.
    Keys,
    /// Rows of a key become one, over all batches.
    Groups,
    /// Rows of two streams become pairs, over all batches.
    Pairs,
}

/// What a batch has read.
#[derive(Clone, Debug)]
pub struct RowsRead {
    /// The rows by relation, those of batch relations too.
    pub inputs: Inputs,
    /// Rows at or before this time are late, in milliseconds.
    pub late_ms: i64,
    timestamp_ms: i64,
    conf: QueryConf,
}

/// A plan that can be asked what some rows give by themselves.
#[derive(Clone, Debug)]
pub struct Probe {
    plan: Arc<Plan>,
    mode: OutputMode,
    gathers: Gathers,
    /// The streaming relations, in the order of the plan.
    streams: Vec<(u64, Arc<ReadSpec>)>,
    /// The columns of the result that one row settles.
    columns: Vec<usize>,
    sure: bool,
}

impl StreamExecution {
    /// The plan, to be asked later.
    pub fn probe(&self) -> Probe {
        Probe::new(&self.plan, self.spec.output_mode)
    }

    /// What the batch has read: there from the reading until the operators run.
    pub fn rows_read(&self) -> Option<RowsRead> {
        let multiple = self.conf.enabled("spark.sql.streaming.statefulOperator.allowMultiple");
        (self.stage == Stage::Work).then(|| RowsRead {
            inputs: self.batch.inputs.clone(),
            late_ms: if multiple { self.batch.late_ms } else { self.batch.watermark_ms },
            timestamp_ms: self.batch.timestamp_ms,
            conf: self.conf.clone(),
        })
    }

    /// How many rows of the memory sink each batch has brought, in the order of the rows.
    pub fn memory_batches(&self) -> Vec<(i64, usize)> {
        self.sink.memory_batches()
    }
}

impl Probe {
    fn new(plan: &Plan, mode: OutputMode) -> Probe {
        let gathers = gathers(plan);
        let loose = loosened(plan);
        let origins = origins(&loose);
        let columns: Vec<usize> =
            origins.iter().enumerate().filter(|(_, from)| from.is_some()).map(|(at, _)| at).collect();
        let told: BTreeSet<ExprId> = origins.iter().flatten().flatten().copied().collect();
        let mut keys = BTreeSet::new();
        top_keys(&loose, &mut keys);
        let mut streams = Vec::new();
        relations(plan, &mut streams);
        Probe {
            plan: Arc::new(prepared(&loose)),
            mode,
            gathers,
            streams,
            columns,
            sure: keys.is_subset(&told) && !has_outer_pairs(plan),
        }
    }

    /// How the plan gathers rows.
    pub fn gathers(&self) -> Gathers {
        self.gathers
    }

    /// The streaming relations: identity, and what is read.
    pub fn streams(&self) -> &[(u64, Arc<ReadSpec>)] {
        &self.streams
    }

    /// The columns of the result in which a row and the rows that it was made of agree.
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// The names of the columns of the result.
    pub fn names(&self) -> Vec<String> {
        self.plan.output().into_iter().map(|column| column.name).collect()
    }

    /// Whether agreeing in these columns proves that a row has a part in the other.
    pub fn is_sure(&self) -> bool {
        self.sure
    }

    /// What these rows give by themselves in a batch like this one, partition by partition; nothing is kept.
    ///
    /// Errors: the first row that Spark refuses.
    pub fn alone(&self, like: &RowsRead, inputs: Inputs) -> Result<Vec<Vec<Batch>>> {
        let late_ms = match (self.mode, self.gathers) {
            (OutputMode::Complete, _) | (_, Gathers::Pairs) => NEVER_LATE,
            _ => like.late_ms,
        };
        self.run(like, inputs, late_ms)
    }

    /// The same without a look at the watermark.
    pub fn alone_in_time(&self, like: &RowsRead, inputs: Inputs) -> Result<Vec<Vec<Batch>>> {
        self.run(like, inputs, NEVER_LATE)
    }

    fn run(&self, like: &RowsRead, inputs: Inputs, late_ms: i64) -> Result<Vec<Vec<Batch>>> {
        let partitions = like.conf.number("spark.sql.shuffle.partitions").max(1) as usize;
        let context = RunContext::of_session(&like.conf, SimTime(like.timestamp_ms), false);
        let given = Given {
            mode: OutputMode::Update,
            late_ms,
            evict_ms: ALL_OVER,
            version: 0,
            operators: stateful_operators(&self.plan, OutputMode::Update, partitions),
            stores: std::collections::BTreeMap::new(),
            bytes_max: STATE_BYTES_MAX,
        };
        Ok(run_batch(&self.plan, inputs, &context, given)?.partitions)
    }
}

fn gathers(plan: &Plan) -> Gathers {
    let operators = stateful_operators(plan, OutputMode::Update, 1);
    let any = |wanted: fn(&StatefulKind) -> bool| operators.iter().any(|operator| wanted(&operator.kind));
    if any(|kind| matches!(kind, StatefulKind::Join { .. })) {
        Gathers::Pairs
    } else if any(|kind| *kind == StatefulKind::Aggregate) {
        Gathers::Groups
    } else if any(|kind| matches!(kind, StatefulKind::Deduplicate | StatefulKind::DeduplicateWithin)) {
        Gathers::Keys
    } else {
        Gathers::Nothing
    }
}

fn has_aggregate(plan: &Plan) -> bool {
    matches!(plan, Plan::Aggregate { .. }) || plan.children().into_iter().any(|child| has_aggregate(child))
}

/// Whether two streams are joined so that a row can come out without a partner.
fn has_outer_pairs(plan: &Plan) -> bool {
    let here = matches!(plan, Plan::Join { left, right, join_type, .. }
        if left.is_streaming() && right.is_streaming() && !matches!(join_type, JoinType::Inner | JoinType::Cross));
    here || plan.children().into_iter().any(|child| has_outer_pairs(child))
}

/// The same plan without what looks at the result of an aggregation: one row alone has another sum than all.
fn loosened(plan: &Plan) -> Plan {
    match plan {
        Plan::Filter { child, .. } | Plan::Limit { child, .. } | Plan::Sort { child, .. }
            if has_aggregate(child) =>
        {
            loosened(child)
        }
        _ => plan.map_children(&mut loosened),
    }
}

/// The grouping columns of the aggregations that are nearest to the result.
fn top_keys(plan: &Plan, out: &mut BTreeSet<ExprId>) {
    if let Plan::Aggregate { grouping, .. } = plan {
        out.extend(grouping.iter().map(|key| key.output.id));
        return;
    }
    for child in plan.children() {
        top_keys(child, out);
    }
}

fn relations(plan: &Plan, out: &mut Vec<(u64, Arc<ReadSpec>)>) {
    if let Plan::Relation { spec, source, .. } = plan
        && spec.streaming
        && out.iter().all(|(known, _)| known != source)
    {
        out.push((*source, spec.clone()));
    }
    for child in plan.children() {
        relations(child, out);
    }
}

/// For each column of the result: the grouping columns that it is made of, `None` if one row does not settle it.
fn origins(plan: &Plan) -> Vec<Option<BTreeSet<ExprId>>> {
    match plan {
        Plan::Relation { output, .. } | Plan::Local { output, .. } | Plan::Range { output, .. } => {
            vec![Some(BTreeSet::new()); output.len()]
        }
        Plan::Project { columns, child } => {
            let below = Below::of(child);
            columns.iter().map(|column| below.origin(&column.scalar)).collect()
        }
        Plan::Aggregate { grouping, aggregates, child } => {
            let below = Below::of(child);
            let keys =
                grouping.iter().map(|key| below.origin(&key.scalar).map(|_| BTreeSet::from([key.output.id])));
            keys.chain(aggregates.iter().map(|_| None)).collect()
        }
        Plan::Generate { generator, child, .. } => {
            let mut all = origins(child);
            let element = Below::of(child).origin(generator);
            all.resize(plan.output().len(), element);
            all
        }
        Plan::Union { children, output } => {
            let mut all = vec![Some(BTreeSet::new()); output.len()];
            for child in children {
                for (one, other) in all.iter_mut().zip(origins(child)) {
                    *one = one.take().zip(other).map(|(mut one, other)| {
                        one.extend(other);
                        one
                    });
                }
            }
            all
        }
        Plan::Join { left, right, output, .. } => {
            let mut all = origins(left);
            all.extend(origins(right));
            all.truncate(output.len());
            all
        }
        Plan::Filter { child, .. }
        | Plan::Deduplicate { child, .. }
        | Plan::Sort { child, .. }
        | Plan::Limit { child, .. }
        | Plan::Watermark { child, .. }
        | Plan::Alias { child, .. }
        | Plan::Repartition { child, .. } => origins(child),
    }
}

/// The columns of a child with their origins.
struct Below(Vec<(ExprId, Option<BTreeSet<ExprId>>)>);

impl Below {
    fn of(child: &Plan) -> Below {
        Below(child.output().iter().map(|column| column.id).zip(origins(child)).collect())
    }

    fn origin(&self, scalar: &Scalar) -> Option<BTreeSet<ExprId>> {
        let mut reads = BTreeSet::new();
        references(scalar, &mut reads);
        let mut all = BTreeSet::new();
        for id in reads {
            let found = self.0.iter().find(|(known, _)| *known == id)?;
            all.extend(found.1.as_ref()?);
        }
        Some(all)
    }
}
