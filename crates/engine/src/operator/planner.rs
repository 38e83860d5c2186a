//! From a plan to operators.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::compute::SortOptions;
use tidemark_plan::resolve::session_key;
use tidemark_plan::{
    AggregateCall, Attribute, ExprId, Function, JoinType, NamedAggregate, NamedScalar, Plan, Scalar,
    SortOrder,
};
use tidemark_types::{StructField, StructType};

use crate::error::Result;
use crate::kernel::{Program, compile};
use crate::operator::aggregate::{Aggregate, CompiledCall, Mode, state_fields};
use crate::operator::deduplicate::Deduplicate;
use crate::operator::exchange::{Exchange, Spread};
use crate::operator::flow::{BoxedOperator, Inputs, RunContext};
use crate::operator::gather::{Coalesce, Limit, Sort, SortKey, Union};
use crate::operator::generate::Generate;
use crate::operator::join::{Condition, Join, Shape, shape_of};
use crate::operator::leaf::{Range, Scan};
use crate::operator::narrow::{Filter, Project, Rename};
use crate::operator::prune::references;
use crate::operator::push::{and, conjuncts};
use crate::operator::session::MergeSessions;

fn schema_of(attributes: &[Attribute]) -> Arc<StructType> {
    Arc::new(Attribute::schema(attributes))
}

/// The operators of a plan.
// tidy: table
pub(crate) fn operator(plan: &Plan, inputs: &Inputs, context: &RunContext) -> Result<BoxedOperator> {
    let below = |child: &Plan| operator(child, inputs, context);
    Ok(match plan {
        Plan::Relation { source, output, .. } => {
            let tasks = inputs.get(source).map_or(&[][..], Vec::as_slice);
            Box::new(Scan::of_tasks(tasks, schema_of(output)))
        }
        Plan::Local { partitions, output } => Box::new(Scan::of_batches(partitions, schema_of(output))),
        Plan::Range { start, end, step, partitions, output } => {
            let partitions = partitions.unwrap_or(context.parallelism).max(1);
            Box::new(Range::new(*start, *end, *step, partitions, schema_of(output)))
        }
        Plan::Project { columns, child } => {
            let input = child.output();
            let programs = columns.iter().map(|c| compile(&c.scalar, &input)).collect::<Result<Vec<_>>>()?;
            Box::new(Project::new(below(child)?, programs, schema_of(&plan.output())))
        }
        Plan::Filter { predicate, child } => {
            Box::new(Filter::new(below(child)?, compile(predicate, &child.output())?))
        }
        Plan::Aggregate { grouping, aggregates, child } => {
            let child_operator = below(child)?;
            let input = child.output();
            let keys = Keys { grouping, session: session_key(grouping, child) };
            if aggregates.iter().any(|a| a.call.distinct) {
                complete_aggregate(keys, aggregates, plan, child_operator, &input, context)?
            } else {
                split_aggregate(keys, aggregates, plan, child_operator, &input, context)?
            }
        }
        Plan::Deduplicate { keys, child, .. } => deduplicate(keys, below(child)?, &child.output(), context)?,
        Plan::Sort { orders, global, child } => {
            let input = child.output();
            let keys = orders.iter().map(|o| sort_key(o, &input)).collect::<Result<Vec<_>>>()?;
            Box::new(Sort::new(below(child)?, keys, *global, schema_of(&input)))
        }
        Plan::Limit { rows, child } => Box::new(Limit::new(below(child)?, *rows)),
        Plan::Union { children, output } => {
            let children = children.iter().map(|c| below(c)).collect::<Result<Vec<_>>>()?;
            Box::new(Union::new(children, schema_of(output)))
        }
        Plan::Join { left, right, join_type, condition, output } => {
            let sides = (below(left)?, below(right)?);
            let hold_left = right.is_streaming() && !left.is_streaming();
            join(sides, (&left.output(), &right.output()), *join_type, condition.as_ref(), hold_left, output)?
        }
        Plan::Watermark { child, output, .. } | Plan::Alias { child, output, .. } => {
            Box::new(Rename::new(below(child)?, schema_of(output)))
        }
        Plan::Repartition { partitions, shuffle: true, by, child } => {
            let input = child.output();
            let keys = by.iter().map(|key| compile(key, &input)).collect::<Result<Vec<_>>>()?;
            let spread = if keys.is_empty() { Spread::RoundRobin } else { Spread::Hash(keys) };
            Box::new(Exchange::new(below(child)?, spread, *partitions, schema_of(&input), false))
        }
        Plan::Repartition { partitions, child, .. } => {
            Box::new(Coalesce::new(below(child)?, (*partitions).max(1)))
        }
        Plan::Generate { generator, outer, child, output } => {
            let program = compile(generator, &child.output())?;
            Box::new(Generate::new(below(child)?, program, *outer, schema_of(output)))
        }
    })
}

fn sort_key(order: &SortOrder, input: &[Attribute]) -> Result<SortKey> {
    let options = SortOptions { descending: !order.ascending, nulls_first: order.nulls_first };
    Ok(SortKey { program: compile(&order.scalar, input)?, options })
}

/// Columns of an operator's output, as the input of the next.
fn column_programs(attributes: &[Attribute], input: &[Attribute]) -> Result<Vec<Program>> {
    attributes.iter().map(|a| compile(&Scalar::Column(a.clone()), input)).collect()
}

fn spread(keys: Vec<Program>, context: &RunContext) -> (Spread, usize) {
    if keys.is_empty() { (Spread::Single, 1) } else { (Spread::Hash(keys), context.shuffle_partitions) }
}

/// The keys of an aggregation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keys<'a> {
    /// All of them.
    pub(crate) grouping: &'a [NamedScalar],
    /// The place of the session window, if one is among them: the others say which rows belong together.
    pub(crate) session: Option<usize>,
}

impl Keys<'_> {
    /// The places of the keys that say which rows belong together.
    fn places(self) -> Vec<usize> {
        (0..self.grouping.len()).filter(|place| Some(*place) != self.session).collect()
    }

    /// Shuffled rows, their sessions merged if the keys have one.
    fn with_sessions(self, child: BoxedOperator, schema: Arc<StructType>) -> BoxedOperator {
        match self.session {
            Some(session) => Box::new(MergeSessions::new(child, self.places(), session, schema)),
            None => child,
        }
    }
}

/// Partial states per task, a shuffle by the keys, the merged result.
fn split_aggregate(
    by: Keys<'_>,
    aggregates: &[NamedAggregate],
    plan: &Plan,
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<BoxedOperator> {
    let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
    let (exchange, key_columns, states) = partial_states(by, aggregates, child, input, context)?;
    let keys = column_programs(&key_columns, &key_columns)?;
    let schema = schema_of(&plan.output());
    let rows = by.with_sessions(exchange, states);
    Ok(Box::new(Aggregate::new(rows, Mode::Final, keys, calls, Vec::new(), schema)?))
}

/// Partial states per task, shuffled by the keys: the keys, then the buffers of all calls. Says which columns the keys
/// are, and the schema of the rows.
pub(crate) fn partial_states(
    by: Keys<'_>,
    aggregates: &[NamedAggregate],
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<(BoxedOperator, Vec<Attribute>, Arc<StructType>)> {
    let grouping = by.grouping;
    let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
    let keys = grouping.iter().map(|g| compile(&g.scalar, input)).collect::<Result<Vec<_>>>()?;
    let compiled = calls.iter().map(|c| compile_call(c, input)).collect::<Result<Vec<_>>>()?;
    let key_columns: Vec<Attribute> = grouping.iter().map(|g| g.output.clone()).collect();
    let mut fields: Vec<StructField> = key_columns.iter().map(Attribute::to_field).collect();
    fields.extend(state_fields(&calls));
    let state_schema = Arc::new(StructType::new(fields));
    let partial = Aggregate::new(child, Mode::Partial, keys, calls, compiled, state_schema.clone())?;
    let together: Vec<Attribute> = by.places().into_iter().map(|place| key_columns[place].clone()).collect();
    let (by, partitions) = spread(column_programs(&together, &key_columns)?, context);
    let exchange = Exchange::new(Box::new(partial), by, partitions, state_schema.clone(), true);
    Ok((Box::new(exchange), key_columns, state_schema))
}

/// Rows shuffled by some expressions over them.
pub(crate) fn shuffled_by(
    keys: &[Scalar],
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<BoxedOperator> {
    let keys = keys.iter().map(|key| compile(key, input)).collect::<Result<Vec<_>>>()?;
    let (by, partitions) = spread(keys, context);
    Ok(Box::new(Exchange::new(child, by, partitions, schema_of(input), true)))
}

/// Rows shuffled by some of their columns; without any, all into one partition.
pub(crate) fn shuffled(
    keys: &[Attribute],
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<BoxedOperator> {
    let (by, partitions) = spread(column_programs(keys, input)?, context);
    Ok(Box::new(Exchange::new(child, by, partitions, schema_of(input), true)))
}

fn compile_call(call: &AggregateCall, input: &[Attribute]) -> Result<CompiledCall> {
    let args = call.args.iter().map(|a| compile(a, input)).collect::<Result<Vec<_>>>()?;
    let filter = call.filter.as_ref().map(|f| compile(f, input)).transpose()?;
    Ok(CompiledCall { args, filter })
}

/// Keys and arguments computed per task, a shuffle by the keys, then all at once: for distinct arguments.
fn complete_aggregate(
    by: Keys<'_>,
    aggregates: &[NamedAggregate],
    plan: &Plan,
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<BoxedOperator> {
    let mut prepared = Prepared::default();
    let keys: Vec<Scalar> = by.grouping.iter().map(|g| prepared.column(&g.scalar)).collect();
    let calls: Vec<AggregateCall> = aggregates
        .iter()
        .map(|a| AggregateCall {
            args: a.call.args.iter().map(|s| prepared.column(s)).collect(),
            filter: a.call.filter.as_ref().map(|s| prepared.column(s)),
            ..a.call.clone()
        })
        .collect();
    let programs = prepared.scalars.iter().map(|s| compile(s, input)).collect::<Result<Vec<_>>>()?;
    let columns = prepared.columns;
    let schema = schema_of(&columns);
    let project = Project::new(child, programs, schema.clone());
    let compile_keys = || keys.iter().map(|k| compile(k, &columns)).collect::<Result<Vec<_>>>();
    let together = by.places().into_iter().map(|place| compile(&keys[place], &columns));
    let (spread_by, partitions) = spread(together.collect::<Result<Vec<_>>>()?, context);
    let exchange = Exchange::new(Box::new(project), spread_by, partitions, schema.clone(), true);
    let rows = by.with_sessions(Box::new(exchange), schema);
    let compiled = calls.iter().map(|c| compile_call(c, &columns)).collect::<Result<Vec<_>>>()?;
    let out = schema_of(&plan.output());
    Ok(Box::new(Aggregate::new(rows, Mode::Complete, compile_keys()?, calls, compiled, out)?))
}

/// Expressions computed ahead, each with a column of its own.
#[derive(Default)]
struct Prepared {
    scalars: Vec<Scalar>,
    columns: Vec<Attribute>,
}

impl Prepared {
    fn column(&mut self, scalar: &Scalar) -> Scalar {
        let attribute = Attribute {
            id: ExprId(u64::MAX - self.columns.len() as u64),
            name: format!("_{}", self.columns.len()),
            data_type: scalar.data_type(),
            nullable: true,
            qualifier: Vec::new(),
            watermark_delay: None,
        };
        self.scalars.push(scalar.clone());
        self.columns.push(attribute.clone());
        Scalar::Column(attribute)
    }
}

fn deduplicate(
    keys: &[Attribute],
    child: BoxedOperator,
    input: &[Attribute],
    context: &RunContext,
) -> Result<BoxedOperator> {
    let schema = schema_of(input);
    let places: Vec<usize> =
        keys.iter().filter_map(|key| input.iter().position(|column| column.id == key.id)).collect();
    let partial = Deduplicate::new(child, places.clone(), &schema)?;
    let (by, partitions) = spread(column_programs(keys, input)?, context);
    let exchange = Exchange::new(Box::new(partial), by, partitions, schema.clone(), true);
    Ok(Box::new(Deduplicate::new(Box::new(exchange), places, &schema)?))
}

fn join(
    sides: (BoxedOperator, BoxedOperator),
    columns: (&[Attribute], &[Attribute]),
    join_type: JoinType,
    condition: Option<&Scalar>,
    hold_left: bool,
    output: &[Attribute],
) -> Result<BoxedOperator> {
    let (hold_left, shape) = shape_of(join_type, hold_left);
    let (left, right) = columns;
    let mut parts = Vec::new();
    if let Some(condition) = condition {
        conjuncts(condition, &mut parts);
    }
    let (mut left_keys, mut right_keys, mut null_safe, mut rest) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        match equality(&part, left, right) {
            Some((l, r, safe)) => {
                left_keys.push(compile(&l, left)?);
                right_keys.push(compile(&r, right)?);
                null_safe.push(safe);
            }
            None => rest.push(part),
        }
    }
    let pair: Vec<Attribute> = left.iter().chain(right).cloned().collect();
    let residual = rest.into_iter().reduce(and).map(|s| compile(&s, &pair)).transpose()?;
    let (stream_keys, held_keys) = if hold_left { (right_keys, left_keys) } else { (left_keys, right_keys) };
    let pair_schema = schema_of(&pair);
    let condition = Condition { stream_keys, held_keys, null_safe, residual, pair_schema };
    let left = (sides.0, schema_of(left));
    let right = (sides.1, schema_of(right));
    let (stream, held) = if hold_left { (right, left) } else { (left, right) };
    let join = Join::new(stream, held, hold_left, shape, condition, schema_of(output));
    Ok(if shape == Shape::PairsAndBoth { Box::new(Coalesce::new(Box::new(join), 1)) } else { Box::new(join) })
}

/// The two sides of an equality between left and right, left first, and whether null equals null.
pub(crate) fn equality(
    scalar: &Scalar,
    left: &[Attribute],
    right: &[Attribute],
) -> Option<(Scalar, Scalar, bool)> {
    let Scalar::Call { function: function @ (Function::Equal | Function::EqualNullSafe), args, .. } = scalar
    else {
        return None;
    };
    let (a, b) = (args.first()?, args.get(1)?);
    let safe = *function == Function::EqualNullSafe;
    if is_of(a, left) && is_of(b, right) {
        Some((a.clone(), b.clone(), safe))
    } else if is_of(a, right) && is_of(b, left) {
        Some((b.clone(), a.clone(), safe))
    } else {
        None
    }
}

/// Whether an expression reads some columns, and all of them are among these.
pub(crate) fn is_of(scalar: &Scalar, columns: &[Attribute]) -> bool {
    let mut reads = BTreeSet::new();
    references(scalar, &mut reads);
    !reads.is_empty() && reads.iter().all(|id| columns.iter().any(|c| c.id == *id))
}
