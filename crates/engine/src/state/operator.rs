//! The stateful operators and the watermark nodes of a plan, in Spark's order: from the sink side down.

use std::sync::Arc;

use tidemark_plan::resolve::session_key;
use tidemark_plan::{AggregateCall, Attribute, ExprId, JoinType, NamedScalar, OutputMode, Plan, Scalar};
use tidemark_types::{DataType, StructField, StructType};

use crate::state::buffer::stored_fields;
use crate::state::grouping::differs_by_row;
use crate::state::join::{JoinCondition, inner_sides};
use crate::state::store::DEFAULT;

/// What kind of stateful operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatefulKind {
    /// `groupBy().agg()`.
    Aggregate,
    /// `groupBy(session_window(…), …).agg()`.
    Session {
        /// The place of the session among the keys.
        key: usize,
    },
    /// `dropDuplicates`, `distinct`.
    Deduplicate,
    /// `dropDuplicatesWithinWatermark`.
    DeduplicateWithin,
    /// `limit`.
    Limit,
    /// `join` of two streams, and whether a watermark can end the time of its rows.
    Join {
        /// Whether it can.
        ends: bool,
    },
}

/// One store of an operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoreShape {
    /// Its name.
    pub(crate) name: &'static str,
    /// The columns of the keys.
    pub(crate) keys: StructType,
    /// The columns of the values.
    pub(crate) values: StructType,
    /// How many of the first key columns find all keys that share them, 0 where nobody asks.
    pub(crate) prefix: usize,
}

/// One stateful operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatefulOperator {
    /// Its number.
    pub(crate) id: usize,
    /// What it is.
    pub(crate) kind: StatefulKind,
    /// Its stores in each partition.
    pub(crate) stores: Vec<StoreShape>,
    /// The number of partitions with a store.
    pub(crate) partitions: usize,
    /// The number that the metadata name: that of the shuffles of the query.
    pub(crate) shuffle_partitions: usize,
    /// Whether a watermark comes up to it.
    pub(crate) watermarked: bool,
}

impl StatefulOperator {
    /// Spark's name.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            StatefulKind::Aggregate => "stateStoreSave",
            StatefulKind::Session { .. } => "sessionWindowStateStoreSaveExec",
            StatefulKind::Deduplicate => "dedupe",
            StatefulKind::DeduplicateWithin => "dedupeWithinWatermark",
            StatefulKind::Limit => "globalLimit",
            StatefulKind::Join { .. } => "symmetricHashJoin",
        }
    }

    /// Whether a watermark that has moved is worth a batch without data.
    pub(crate) fn wants_batch_for_watermark(&self, mode: OutputMode) -> bool {
        self.watermarked
            && match self.kind {
                StatefulKind::Aggregate | StatefulKind::Session { .. } => mode != OutputMode::Complete,
                StatefulKind::Deduplicate | StatefulKind::DeduplicateWithin => true,
                StatefulKind::Limit => false,
                StatefulKind::Join { ends } => ends,
            }
    }
}

/// What kind of stateful operator a node is, if it is one.
pub(super) fn kind_of(plan: &Plan, mode: OutputMode) -> Option<StatefulKind> {
    match plan {
        Plan::Aggregate { grouping, child, .. } if child.is_streaming() => {
            let session = session_key(grouping, child);
            Some(session.map_or(StatefulKind::Aggregate, |key| StatefulKind::Session { key }))
        }
        Plan::Deduplicate { child, within_watermark, .. } if child.is_streaming() => {
            Some(if *within_watermark { StatefulKind::DeduplicateWithin } else { StatefulKind::Deduplicate })
        }
        // No rows at all need no count.
        Plan::Limit { rows: 1.., child }
            if child.is_streaming() && (mode == OutputMode::Append || !has_aggregation(child)) =>
        {
            Some(StatefulKind::Limit)
        }
        Plan::Join { left, right, condition, .. } if left.is_streaming() && right.is_streaming() => {
            let parts = JoinCondition::of(condition.as_ref(), &left.output(), &right.output());
            Some(StatefulKind::Join { ends: parts.is_ok_and(|parts| parts.has_end()) })
        }
        _ => None,
    }
}

/// Whether a plan gives results that change, and not only new rows.
fn has_aggregation(plan: &Plan) -> bool {
    matches!(plan, Plan::Aggregate { child, .. } if child.is_streaming())
        || plan.children().into_iter().any(|child| has_aggregation(child))
}

/// Whether a node takes the statistics of event times.
pub(super) fn is_watermark(plan: &Plan) -> bool {
    matches!(plan, Plan::Watermark { child, .. } if child.is_streaming())
}

/// The stateful operators of a plan, in the order of their numbers.
pub(crate) fn stateful_operators(plan: &Plan, mode: OutputMode, partitions: usize) -> Vec<StatefulOperator> {
    let mut found = Vec::new();
    walk(plan, &mut |node| {
        if let Some(kind) = kind_of(node, mode) {
            found.push(operator_of(node, kind, found.len(), partitions));
        }
    });
    found
}

/// Whether the event time of a plan is named twice, one above the other.
pub(crate) fn redefines_watermark(plan: &Plan) -> bool {
    let mut found = false;
    walk(plan, &mut |node| {
        found |=
            is_watermark(node) && node.children().into_iter().any(|child| !watermark_nodes(child).is_empty());
    });
    found
}

/// The watermark nodes in the order of their numbers: which declaration each is of, and its delay in milliseconds.
pub(crate) fn watermark_nodes(plan: &Plan) -> Vec<(ExprId, i64)> {
    let mut found = Vec::new();
    walk(plan, &mut |node| {
        if let Plan::Watermark { id, delay_micros, .. } = node
            && is_watermark(node)
        {
            found.push((*id, delay_micros.div_euclid(1000)));
        }
    });
    found
}

fn walk(plan: &Plan, visit: &mut dyn FnMut(&Plan)) {
    visit(plan);
    for child in plan.children() {
        walk(child, visit);
    }
}

fn operator_of(node: &Plan, kind: StatefulKind, id: usize, partitions: usize) -> StatefulOperator {
    let dummy =
        |name: &str, data_type, nullable| StructType::new(vec![StructField::new(name, data_type, nullable)]);
    let shuffle_partitions = partitions.max(1);
    let watermarked = node.children().into_iter().any(|child| !watermark_nodes(child).is_empty());
    let made = |stores, partitions| StatefulOperator {
        id,
        kind,
        stores,
        partitions,
        shuffle_partitions,
        watermarked,
    };
    if let Plan::Join { left, right, condition, join_type, .. } = node {
        let stores = join_stores(condition.as_ref(), left, right, *join_type);
        return made(stores, shuffle_partitions);
    }
    if let (StatefulKind::Session { key }, Plan::Aggregate { grouping, aggregates, .. }) = (kind, node) {
        let columns = key_columns(grouping);
        let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
        let stores = session_stores(&columns, key, stored_fields(&calls));
        return made(stores, shuffle_partitions);
    }
    let (keys, values) = match node {
        Plan::Aggregate { grouping, aggregates, .. } => {
            let columns = key_columns(grouping);
            let calls: Vec<AggregateCall> = aggregates.iter().map(|a| a.call.clone()).collect();
            (key_schema(&columns), StructType::new(stored_fields(&calls)))
        }
        Plan::Deduplicate { keys, within_watermark: true, .. } => {
            (key_schema(keys), dummy("expiresAtMicros", DataType::Long, false))
        }
        Plan::Deduplicate { keys, .. } => (key_schema(keys), dummy("__dummy__", DataType::Null, true)),
        _ => (dummy("key", DataType::Null, true), dummy("value", DataType::Long, true)),
    };
    let single = match kind {
        StatefulKind::Limit => true,
        _ => keys.fields.is_empty(),
    };
    let partitions = if single { 1 } else { shuffle_partitions };
    let stores = vec![StoreShape { name: DEFAULT, keys, values, prefix: 0 }];
    made(stores, partitions)
}

/// The keys of an aggregation under the names that the state has for them: a column's own name whatever it is called
/// afterwards, and one name for all expressions.
fn key_columns(grouping: &[NamedScalar]) -> Vec<Attribute> {
    let named = grouping.iter().map(|key| {
        let name = match &key.scalar {
            Scalar::Column(column) => column.name.clone(),
            Scalar::Literal(literal) => literal.pretty_text(),
            other if differs_by_row(other) => "_nondeterministic".to_owned(),
            _ => "_groupingexpression".to_owned(),
        };
        Attribute { name, ..key.output.clone() }
    });
    named.collect()
}

/// The store of sessions: the other keys and the start of the session find all keys and the states. None where there is
/// no other key.
fn session_stores(columns: &[Attribute], session: usize, states: Vec<StructField>) -> Vec<StoreShape> {
    if columns.len() == 1 {
        return Vec::new();
    }
    let mut others = columns.to_vec();
    others.remove(session);
    let mut keys = key_schema(&others);
    keys.fields.push(StructField::new("sessionStartTime", DataType::Timestamp, false));
    let mut values = key_schema(columns);
    let delay = columns[session].watermark_delay.map(watermark_note);
    let notes: Vec<String> =
        std::iter::once("\"spark.sessionWindow\":true".to_owned()).chain(delay).collect();
    values.fields[session].metadata = Some(format!("{{{}}}", notes.join(",")));
    values.fields.extend(states);
    vec![StoreShape { name: DEFAULT, keys, values, prefix: others.len() }]
}

/// The names of the stores of a join: counts and rows of the left side, then of the right one.
pub(super) const JOIN_STORES: [&str; 4] =
    ["left-keyToNumValues", "left-keyWithIndexToValue", "right-keyToNumValues", "right-keyWithIndexToValue"];

/// Whether the rows of a side come from its watermark as they are: no projection stands between that does more than
/// leave columns out.
fn is_watermarked(plan: &Plan) -> bool {
    match plan {
        Plan::Watermark { .. } => true,
        Plan::Filter { child, .. } | Plan::Alias { child, .. } => is_watermarked(child),
        Plan::Project { columns, child } => {
            let below = child.output();
            let place = |column: &NamedScalar| match &column.scalar {
                Scalar::Column(own) if own.id == column.output.id => {
                    below.iter().position(|c| c.id == own.id)
                }
                _ => None,
            };
            let places: Option<Vec<usize>> = columns.iter().map(place).collect();
            places.is_some_and(|places| places.is_sorted()) && is_watermarked(child)
        }
        _ => false,
    }
}

fn join_stores(
    condition: Option<&Scalar>,
    left: &Plan,
    right: &Plan,
    join_type: JoinType,
) -> Vec<StoreShape> {
    let Ok(parts) = JoinCondition::of(condition, &left.output(), &right.output()) else { return Vec::new() };
    let field = |name: &str, data_type| StructField::new(name, data_type, true);
    let sides = [(&parts.left, left), (&parts.right, right)];
    let compared = parts.compared();
    let shapes = sides.into_iter().zip(inner_sides(join_type)).flat_map(|((side, plan), inner)| {
        let columns = plan.output();
        let inner = inner && is_watermarked(plan);
        let keys: Vec<StructField> = side
            .keys
            .iter()
            .enumerate()
            .map(|(index, key)| StructField::new(format!("field{index}"), key.data_type(), key.nullable()))
            .collect();
        let counts = StructType::new(vec![field("value", DataType::Long)]);
        let mut with_index = keys.clone();
        with_index.push(field("index", DataType::Long));
        let mut values = key_schema(&columns);
        // The filter on a time that is never null stays above the watermark, next to the join.
        for (field, column) in values.fields.iter_mut().zip(&columns) {
            let present = inner && column.watermark_delay.is_some();
            field.nullable &= !(present && compared.iter().any(|c| c.id == column.id));
        }
        values.fields.push(field("matched", DataType::Boolean));
        [(StructType::new(keys), counts), (StructType::new(with_index), values)]
    });
    shapes
        .zip(JOIN_STORES)
        .map(|((keys, values), name)| StoreShape { name, keys, values, prefix: 0 })
        .collect()
}

/// The schema of keys, with what Spark notes about windows and watermarks.
fn key_schema(columns: &[Attribute]) -> StructType {
    let field = |column: &Attribute| {
        let mut notes = Vec::new();
        if is_window(&column.data_type) {
            notes.push("\"spark.timeWindow\":true".to_owned());
        }
        if let Some(delay) = column.watermark_delay {
            notes.push(watermark_note(delay));
        }
        let metadata = (!notes.is_empty()).then(|| format!("{{{}}}", notes.join(",")));
        StructField { metadata, ..column.to_field() }
    };
    StructType::new(columns.iter().map(field).collect())
}

fn watermark_note(delay_micros: i64) -> String {
    format!("\"spark.watermarkDelayMs\":{}", delay_micros.div_euclid(1000))
}

/// Whether a key is a window of time.
fn is_window(data_type: &DataType) -> bool {
    let DataType::Struct(schema) = data_type else { return false };
    schema.names() == ["start", "end"]
        && schema.fields.iter().all(|f| matches!(f.data_type, DataType::Timestamp | DataType::TimestampNtz))
}

/// The schema of columns.
pub(super) fn schema_of(columns: &[Attribute]) -> Arc<StructType> {
    Arc::new(Attribute::schema(columns))
}
