//! A batch of a query with state: the plan is computed from the leaves up, and every watermark and every stateful
//! operator is a place where rows are gathered.
//!
//! ```text
//! relation ─▶ watermark ─▶ project ─▶ aggregate ─▶ select ─▶ sink
//!                 │                      │  ▲
//!            event times            shuffle, state
//! ```
//!
//! What is below such a node runs to its end; the node becomes a relation with the rows that come out of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_plan::{OutputMode, Plan, ReadSpec, Scalar};
use tidemark_types::Batch;

use crate::error::{Error, Result};
use crate::operator::{
    BoxedOperator, Inputs, Keys, Partitions, Pull, RunContext, operator, partial_states, pruned, pushed,
    shuffled, shuffled_by,
};
use crate::source::Task;
use crate::state::aggregate::StatefulAggregate;
use crate::state::deduplicate::StatefulDeduplicate;
use crate::state::event_time::EventTimeStats;
use crate::state::grouping::with_needed_keys;
use crate::state::join::StatefulJoin;
use crate::state::join::{JoinCondition, with_join_filters};
use crate::state::limit::StatefulLimit;
use crate::state::metrics::OperatorMetrics;
use crate::state::operator::{JOIN_STORES, StatefulKind, StatefulOperator, is_watermark, kind_of};
use crate::state::session::StatefulSession;
use crate::state::store::{DEFAULT, Save, StateStore, StoreId, too_large};

/// What a batch is given beside its rows.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// The output mode.
    pub(crate) mode: OutputMode,
    /// Rows at or before this time are late, in milliseconds: the watermark of the batch before.
    pub(crate) late_ms: i64,
    /// State at or before this time is over: the watermark of this batch.
    pub(crate) evict_ms: i64,
    /// The version of the stores before the batch: its number.
    pub(crate) version: i64,
    /// The most bytes of keys and values that all stores may have.
    pub(crate) bytes_max: usize,
    /// The operators of the plan.
    pub(crate) operators: Vec<StatefulOperator>,
    /// Their stores, as the batch before left them.
    pub(crate) stores: BTreeMap<StoreId, StateStore>,
}

/// What comes of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// The rows for the sink.
    pub(crate) partitions: Partitions,
    /// The stores after the batch.
    pub(crate) saves: Vec<Save>,
    /// What progress says of each operator.
    pub(crate) metrics: Vec<OperatorMetrics>,
    /// What each watermark node saw.
    pub(crate) event_times: Vec<EventTimeStats>,
}

/// The plan as a batch runs it: keys that say nothing left out, filters moved down, columns that nobody needs left out.
pub(crate) fn prepared(plan: &Plan) -> Plan {
    pruned(&pushed(&with_join_filters(&pushed(&with_needed_keys(plan)))))
}

/// Runs one batch of a prepared plan.
///
/// Errors: the first row that Spark refuses.
pub(crate) fn run_batch(plan: &Plan, inputs: Inputs, context: &RunContext, given: Given) -> Result<Outcome> {
    let mut run = Run {
        context,
        inputs,
        given,
        operators: 0,
        watermarks: 0,
        relations: 0,
        bytes: 0,
        times: 1,
        outcome: Outcome::default(),
    };
    run.outcome.metrics = vec![OperatorMetrics::default(); run.given.operators.len()];
    let root = run.reduced(plan)?;
    let tasks = run.tasks(operator(&root, &run.inputs, context)?)?;
    run.outcome.partitions = tasks.into_iter().map(|task| task.batches).collect();
    Ok(run.outcome)
}

struct Run<'a> {
    context: &'a RunContext,
    inputs: Inputs,
    given: Given,
    operators: usize,
    watermarks: usize,
    relations: u64,
    /// The bytes of the stores so far.
    bytes: usize,
    /// How often what is above a node computes it.
    times: u64,
    outcome: Outcome,
}

impl Run<'_> {
    /// The plan with a relation in place of every node that gathers rows.
    fn reduced(&mut self, plan: &Plan) -> Result<Plan> {
        let kind = kind_of(plan, self.given.mode);
        let id = self.operators;
        self.operators += usize::from(kind.is_some());
        let marks = kind.map(|kind| (kind, self.marks_below(plan)));
        let watermark = is_watermark(plan).then_some(self.watermarks);
        if watermark.is_some() {
            self.watermarks += 1;
            self.outcome.event_times.push(EventTimeStats::default());
        }
        let mut failed: Option<Error> = None;
        let times = self.times;
        self.times = times_below(plan, times);
        let plan = plan.map_children(&mut |child| match self.reduced(child) {
            Ok(made) => made,
            Err(error) => {
                failed.get_or_insert(error);
                child.clone()
            }
        });
        self.times = times;
        match failed {
            Some(error) => Err(error),
            None => match (marks, watermark) {
                (Some((kind, marks)), _) => {
                    let all = (self.given.late_ms, self.given.evict_ms);
                    (self.given.late_ms, self.given.evict_ms) = marks;
                    let made = self.stateful(&plan, id, kind);
                    (self.given.late_ms, self.given.evict_ms) = all;
                    made
                }
                (None, Some(index)) => self.watermark(&plan, index),
                (None, None) => Ok(plan),
            },
        }
    }

    /// The two watermarks that come up to a node: for late rows, and for state that is over.
    fn marks_below(&self, plan: &Plan) -> (i64, i64) {
        let streams = plan.children().into_iter().filter(|child| child.is_streaming());
        let marks = streams.map(|child| self.marks_of(child));
        let all = (self.given.late_ms, self.given.evict_ms);
        marks.fold(all, |low, mark| (low.0.min(mark.0), low.1.min(mark.1)))
    }

    /// The two watermarks that a node hands on: a join by a range of time holds rows back that long.
    fn marks_of(&self, plan: &Plan) -> (i64, i64) {
        let (late, evict) = self.marks_below(plan);
        let Plan::Join { left, right, condition, .. } = plan else { return (late, evict) };
        if !left.is_streaming() || !right.is_streaming() {
            return (late, evict);
        }
        let held = JoinCondition::of(condition.as_ref(), &left.output(), &right.output())
            .map_or(0, |condition| condition.held_back_ms());
        let back = |mark: i64| mark.saturating_add(held).max(0);
        (back(late), back(evict))
    }

    fn tasks(&self, mut operator: BoxedOperator) -> Result<Vec<Task>> {
        let (mut tasks, mut batches, mut files) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            match operator.pull(self.context)? {
                Pull::Rows(piece) => {
                    batches.push(piece.batch);
                    files.push(piece.file.map(|file| file.to_string()));
                }
                Pull::PartitionEnd => tasks
                    .push(Task { batches: std::mem::take(&mut batches), files: std::mem::take(&mut files) }),
                Pull::Busy => {}
                Pull::End => return Ok(tasks),
            }
        }
    }

    /// A relation with these rows and the columns of a plan.
    fn relation(&mut self, of: &Plan, tasks: Vec<Task>) -> Plan {
        let source = u64::MAX - self.relations;
        self.relations += 1;
        self.inputs.insert(source, tasks);
        let spec = ReadSpec {
            format: "rows".into(),
            paths: Vec::new(),
            table: None,
            options: BTreeMap::new(),
            schema: None,
            streaming: true,
            listing: None,
        };
        Plan::Relation { spec: Arc::new(spec), source, output: of.output() }
    }

    fn watermark(&mut self, plan: &Plan, index: usize) -> Result<Plan> {
        let Plan::Watermark { column, child, .. } = plan else { return Ok(plan.clone()) };
        let tasks = self.tasks(operator(child, &self.inputs, self.context)?)?;
        if let Some(place) = child.output().iter().position(|c| c.id == column.id) {
            let stats = &mut self.outcome.event_times[index];
            tasks.iter().flat_map(|task| &task.batches).for_each(|batch| stats.add(batch.column(place)));
        }
        let below = self.relation(child, tasks);
        Ok(plan.map_children(&mut |_| below.clone()))
    }

    fn metrics(&self, id: usize) -> OperatorMetrics {
        let operator = &self.given.operators[id];
        OperatorMetrics {
            name: operator.name(),
            partitions: operator.partitions,
            stores: operator.stores.iter().map(|store| store.name).collect(),
            stores_uncounted: matches!(operator.kind, StatefulKind::Session { .. })
                && self.given.mode == OutputMode::Complete,
            ..OperatorMetrics::default()
        }
    }

    /// The rows of a plan, shuffled by its keys: partition by partition.
    fn side(&self, plan: &Plan, keys: &[Scalar]) -> Result<Vec<Vec<Batch>>> {
        let below = operator(plan, &self.inputs, self.context)?;
        let tasks = self.tasks(shuffled_by(keys, below, &plan.output(), self.context)?)?;
        Ok(tasks.into_iter().map(|task| task.batches).collect())
    }

    fn join(&mut self, plan: &Plan, id: usize) -> Result<Plan> {
        let Plan::Join { left, right, join_type, condition, output } = plan else { return Ok(plan.clone()) };
        let columns = (left.output(), right.output());
        let condition = JoinCondition::of(condition.as_ref(), &columns.0, &columns.1)?;
        let join = StatefulJoin::new(&condition, (&columns.0, &columns.1), *join_type, output)?;
        let sides = [self.side(left, &condition.left.keys)?, self.side(right, &condition.right.keys)?];
        let mut metrics = self.metrics(id);
        let mut tasks = Vec::new();
        for (partition, (left, right)) in sides[0].iter().zip(&sides[1]).enumerate() {
            let mut saves: Vec<Save> =
                JOIN_STORES.iter().map(|name| self.store(id, partition, name)).collect();
            let eval = &self.context.eval;
            let out = join.keep([left, right], &mut saves, &self.given, eval, &mut metrics)?;
            let files = vec![None; out.len()];
            tasks.push(Task { batches: out, files });
            self.saved(saves)?;
        }
        self.outcome.metrics[id] = metrics.times(self.times);
        Ok(self.relation(plan, tasks))
    }

    fn stateful(&mut self, plan: &Plan, id: usize, kind: StatefulKind) -> Result<Plan> {
        if matches!(plan, Plan::Join { .. }) {
            return self.join(plan, id);
        }
        let child = plan.children()[0].clone();
        let below = operator(&child, &self.inputs, self.context)?;
        let columns = child.output();
        let session = match kind {
            StatefulKind::Session { key } => Some(key),
            _ => None,
        };
        let mut rows = match plan {
            Plan::Aggregate { grouping, aggregates, .. } => {
                let keys = Keys { grouping, session };
                partial_states(keys, aggregates, below, &columns, self.context)?.0
            }
            Plan::Deduplicate { keys, .. } => shuffled(keys, below, &columns, self.context)?,
            _ => shuffled(&[], below, &columns, self.context)?,
        };
        let operator: Box<dyn Keeper> = match plan {
            Plan::Aggregate { grouping, aggregates, .. } => match session {
                Some(session) => {
                    Box::new(StatefulSession::new(grouping, session, aggregates, &plan.output()))
                }
                None => Box::new(StatefulAggregate::new(grouping, aggregates, &plan.output())),
            },
            Plan::Deduplicate { keys, within_watermark, .. } => {
                Box::new(StatefulDeduplicate::new(keys, &columns, *within_watermark))
            }
            Plan::Limit { rows, .. } => Box::new(StatefulLimit::new(*rows)),
            other => return Ok(other.clone()),
        };
        let mut metrics = self.metrics(id);
        let (mut tasks, mut partition, mut batches) = (Vec::new(), 0, Vec::new());
        loop {
            match rows.pull(self.context)? {
                Pull::Rows(piece) => batches.push(piece.batch),
                Pull::PartitionEnd => {
                    let mut save = self.store(id, partition, DEFAULT);
                    let out =
                        operator.keep(&std::mem::take(&mut batches), &mut save, &self.given, &mut metrics)?;
                    metrics.rows_total += save.store.len() as u64;
                    metrics.bytes += save.store.bytes();
                    let files = vec![None; out.len()];
                    tasks.push(Task { batches: out, files });
                    self.saved(vec![save])?;
                    partition += 1;
                }
                Pull::Busy => {}
                Pull::End => break,
            }
        }
        self.outcome.metrics[id] = metrics.times(self.times);
        Ok(self.relation(plan, tasks))
    }

    /// Takes the stores of a partition after the batch.
    ///
    /// Errors: all stores together are larger than the limit.
    fn saved(&mut self, saves: Vec<Save>) -> Result<()> {
        self.bytes += saves.iter().map(|save| save.store.bytes()).sum::<usize>();
        if self.bytes > self.given.bytes_max {
            return Err(too_large(self.bytes, self.given.bytes_max).into());
        }
        self.outcome.saves.extend(saves);
        Ok(())
    }

    fn store(&mut self, operator: usize, partition: usize, name: &'static str) -> Save {
        let id = StoreId { operator, partition, name };
        let store = self.given.stores.remove(&id).unwrap_or_default();
        Save::new(id, store.at_version(self.given.version + 1))
    }
}

/// How often the plans below a node are computed: a sort looks at its rows once before it spreads them, unless a limit
/// takes the first; what a shuffle has computed stays.
///
/// Source: Spark's `RangePartitioner`, which samples the rows in a job of its own.
fn times_below(plan: &Plan, times: u64) -> u64 {
    match plan {
        Plan::Sort { global: true, .. } if times > 0 => 2 * times,
        Plan::Limit { child, .. } if matches!(**child, Plan::Sort { global: true, .. }) => 0,
        Plan::Sort { global: true, .. } => 1,
        Plan::Aggregate { .. } | Plan::Deduplicate { .. } | Plan::Repartition { shuffle: true, .. } => 1,
        _ => times,
    }
}

/// A stateful operator over one partition.
///
/// Owed by the implementer: `late_ms` and `evict_ms` of `given` are used in this order: late rows
/// are dropped first, then the rows are put, then the state that is over goes.
pub(super) trait Keeper {
    /// Takes the rows of a partition in, changes its store and gives the rows that come out.
    fn keep(
        &self,
        rows: &[Batch],
        save: &mut Save,
        given: &Given,
        metrics: &mut OperatorMetrics,
    ) -> Result<Vec<Batch>>;
}
