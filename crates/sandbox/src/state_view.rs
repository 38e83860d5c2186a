//! The state of a query, read from the files in its checkpoint.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, AsArray as _};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use tidemark_engine::state::StoreId;
use tidemark_engine::state::reader::{
    self, KnownStore, StateRows, known_stores, read_changes, read_partitions, read_schema, read_state,
};
use tidemark_plan::{Attribute, Function, Plan, Scalar, time_bound};
use tidemark_protocol::{StateMeasure, StateOperator, StatePartition, StateRow, StateTable, StateView};
use tidemark_types::{Batch, DataType, StructType};
use tidemark_world::World;

use crate::moment::{Lane, Lanes};
use crate::sink::cells;
use crate::store::relative;

/// How many batches back the last change of a key is looked for.
const TOUCHED_MAX: usize = 60;

/// The state of a query after a batch; of the query with state that started last, after its newest batch.
pub(crate) fn state(world: &World, lanes: &Lanes, query: Option<usize>, batch: Option<i64>) -> StateView {
    // Reading for a view is no act: it works on a copy, so that nothing of it is counted.
    let mut world = world.clone();
    let stateful = |lane: &Lane| !lane.unused.contains(&tidemark_trace::Phase::Save);
    let absent =
        |query: usize, text: &str| StateView { query, absent: Some(text.to_owned()), ..StateView::default() };
    let Some((at, lane)) = lanes.chosen(query, stateful) else {
        return absent(0, Lanes::NONE);
    };
    if !stateful(lane) {
        return absent(at, "This query keeps no state: filter and select look at one row at a time.");
    }
    let stores = known_stores(&mut world, &lane.checkpoint).unwrap_or_default();
    let batches = batches(&world, &lane.checkpoint);
    let Some(newest) = batches.last().copied() else {
        return absent(at, "No state yet. The first batch saves it.");
    };
    let batch = batch.filter(|batch| batches.contains(batch)).unwrap_or(newest);
    let mut operators: Vec<StateOperator> = Vec::new();
    for store in &stores {
        let table = Reading { world: &mut world, lane, store, batch, batches: &batches }.table();
        match operators.iter_mut().find(|operator| operator.id == store.operator) {
            Some(operator) => operator.stores.extend(table),
            None => operators.push(StateOperator {
                id: store.operator,
                name: store.operator_name.clone(),
                stores: table.into_iter().collect(),
                measures: measures(lanes, lane, store.operator),
            }),
        }
    }
    StateView { query: at, absent: None, batches, batch, operators }
}

/// The batches of which the state can be rebuilt: those from the oldest snapshot, or from the first batch, on.
fn batches(world: &World, checkpoint: &str) -> Vec<i64> {
    let (mut deltas, mut snapshots) = (Vec::new(), Vec::new());
    let folder = format!("{checkpoint}/state/");
    for meta in world.peek_list(folder.trim_end_matches('/')) {
        // One partition stands for all: a batch writes each.
        let Some(name) = meta.path.rsplit('/').next() else { continue };
        if let Some(version) = name.strip_suffix(".delta").and_then(|v| v.parse::<i64>().ok()) {
            deltas.push(version);
        } else if let Some(version) = name.strip_suffix(".snapshot").and_then(|v| v.parse::<i64>().ok()) {
            snapshots.push(version);
        }
    }
    deltas.sort_unstable();
    deltas.dedup();
    let first = if deltas.first() == Some(&1) { Some(1) } else { snapshots.iter().min().copied() };
    let Some(first) = first else { return Vec::new() };
    deltas.into_iter().chain(snapshots).filter(|version| *version >= first).map(|v| v - 1).fold(
        Vec::new(),
        |mut found, batch| {
            if let Err(place) = found.binary_search(&batch) {
                found.insert(place, batch);
            }
            found
        },
    )
}

/// Spark's measures of an operator, over all runs of the query.
fn measures(lanes: &Lanes, lane: &Lane, operator: i64) -> Vec<StateMeasure> {
    let of_query = lanes.iter().filter(|other| other.view.id == lane.view.id);
    let mut by_batch: BTreeMap<i64, StateMeasure> = BTreeMap::new();
    for numbers in of_query.flat_map(|other| other.numbers.iter()) {
        let place = usize::try_from(operator).unwrap_or(usize::MAX);
        if let Some(measure) = numbers.operators.iter().rev().nth(place).or(numbers.operators.get(place)) {
            by_batch.insert(numbers.batch, *measure);
        }
    }
    by_batch.into_values().collect()
}

/// One store, read as of a batch.
struct Reading<'a> {
    world: &'a mut World,
    lane: &'a Lane,
    store: &'a KnownStore,
    batch: i64,
    batches: &'a [i64],
}

impl Reading<'_> {
    fn table(&mut self) -> Option<StateTable> {
        let name = reader::store_named(&self.store.store)?;
        let operator = usize::try_from(self.store.operator).ok()?;
        let checkpoint = self.lane.checkpoint.clone();
        let schemas = read_schema(self.world, &checkpoint, operator, name)?;
        let partitions = read_partitions(self.world, &checkpoint, operator);
        let columns: Vec<String> =
            schemas.0.names().iter().chain(&schemas.1.names()).map(|n| (*n).to_owned()).collect();
        let partitions = partitions
            .into_iter()
            .map(|partition| self.partition(&StoreId { operator, partition, name }, &schemas))
            .collect();
        Some(StateTable {
            name: self.store.store.clone(),
            columns,
            key_columns: schemas.0.fields.len(),
            partitions,
        })
    }

    fn partition(&mut self, id: &StoreId, schemas: &(StructType, StructType)) -> StatePartition {
        let checkpoint = self.lane.checkpoint.clone();
        let partition = id.partition as i64;
        let file = self.newest_file(&id.folder(&checkpoint));
        let Ok(rows) = read_state(self.world, &checkpoint, id, self.batch, schemas) else {
            return StatePartition { partition, file, ..StatePartition::default() };
        };
        let total = rows.keys.len();
        let (keys, values) = (texts(&rows.keys, &schemas.0), texts(&rows.values, &schemas.1));
        let touched =
            if total <= StateView::ROWS_MAX { self.touched(id, schemas, &keys) } else { BTreeMap::new() };
        let leaves = match join_end(&self.lane.plan, &self.store.store) {
            Some(end) => ends_of(&end, &rows, &schemas.1),
            None => leaves(&self.store.operator_name, &rows, schemas),
        };
        let mut rows: Vec<StateRow> = keys
            .into_iter()
            .zip(values)
            .take(StateView::ROWS_MAX)
            .enumerate()
            .map(|(at, (key, value))| StateRow {
                touched: touched.get(&key).copied(),
                leaves: leaves.get(at).copied().flatten(),
                cells: key.into_iter().chain(value).collect(),
            })
            .collect();
        rows.sort_by(|a, b| (a.leaves, &a.cells).cmp(&(b.leaves, &b.cells)));
        StatePartition { partition, file, rows, total: total as u64 }
    }

    /// The newest file of a folder that the state as of the batch is made of.
    fn newest_file(&self, folder: &str) -> Option<String> {
        let version = |path: &str| {
            let name = path.rsplit('/').next()?;
            name.strip_suffix(".delta").or_else(|| name.strip_suffix(".snapshot"))?.parse::<i64>().ok()
        };
        let files = self.world.peek_list(folder);
        let found = files
            .iter()
            .filter_map(|meta| Some((version(&meta.path)?, meta)))
            .filter(|(version, _)| *version <= self.batch + 1)
            .max_by_key(|(version, _)| *version)?;
        relative(self.world, &found.1.path).map(str::to_owned)
    }

    /// The batch that wrote each key last, as far back as is looked.
    fn touched(
        &mut self,
        id: &StoreId,
        schemas: &(StructType, StructType),
        keys: &[Vec<String>],
    ) -> BTreeMap<Vec<String>, i64> {
        let mut found: BTreeMap<Vec<String>, i64> = BTreeMap::new();
        let checkpoint = self.lane.checkpoint.clone();
        let back = self.batches.iter().rev().filter(|batch| **batch <= self.batch).take(TOUCHED_MAX);
        for batch in back {
            if keys.iter().all(|key| found.contains_key(key)) {
                break;
            }
            let Ok(changes) = read_changes(self.world, &checkpoint, id, *batch, schemas) else { break };
            for key in texts(&changes.keys, &schemas.0) {
                found.entry(key).or_insert(*batch);
            }
        }
        found
    }
}

/// The cells of a column of structs.
fn texts(structs: &ArrayRef, schema: &StructType) -> Vec<Vec<String>> {
    let Some(array) = structs.as_struct_opt() else { return Vec::new() };
    let batch = Batch::new(Arc::new(schema.clone()), array.columns().to_vec(), array.len());
    cells(&batch, batch.rows())
}

/// The time that ends a row of a side of the join: its column, and the microseconds by which the watermark must be past it.
///
/// None for a store of anything else, and where the condition names no end.
fn join_end(plan: &Plan, store: &str) -> Option<(String, i64)> {
    let side = store.strip_suffix("-keyWithIndexToValue")?;
    let mut joins = Vec::new();
    stream_joins(plan, &mut joins);
    let [Plan::Join { left, right, condition: Some(condition), .. }] = joins.as_slice() else { return None };
    let (own, other) = if side == "left" { (left, right) } else { (right, left) };
    let (own, other) = (own.output(), other.output());
    let time = own.iter().find(|column| column.watermark_delay.is_some())?;
    let mut bounds = Vec::new();
    bounds_of(condition, &own, time, &other, &mut bounds);
    Some((time.name.clone(), -bounds.into_iter().min()?))
}

fn stream_joins<'a>(plan: &'a Plan, found: &mut Vec<&'a Plan>) {
    if let Plan::Join { left, right, .. } = plan
        && left.is_streaming()
        && right.is_streaming()
    {
        found.push(plan);
    }
    plan.children().into_iter().for_each(|child| stream_joins(child, found));
}

fn bounds_of(part: &Scalar, own: &[Attribute], time: &Attribute, other: &[Attribute], found: &mut Vec<i64>) {
    match part {
        Scalar::Call { function: Function::And, args, .. } => {
            args.iter().for_each(|part| bounds_of(part, own, time, other, found));
        }
        part => found.extend(time_bound(part, own, Some(time), other)),
    }
}

/// When each row of a side of a join leaves.
fn ends_of((name, micros): &(String, i64), rows: &StateRows, values: &StructType) -> Vec<Option<i64>> {
    let at = values.fields.iter().position(|field| field.name == *name);
    let column = at.and_then(|at| Some(rows.values.as_struct_opt()?.column(at)));
    let times = column.and_then(|column| column.as_primitive_opt::<TimestampMicrosecondType>());
    // Rounded up: a watermark has milliseconds.
    times.map_or_else(Vec::new, |times| {
        times.iter().map(|time| Some((time?.saturating_add(*micros) + 999).div_euclid(1000))).collect()
    })
}

/// When each row leaves: at the end of its window, at the time in its key, or at the time that was noted for it.
fn leaves(operator: &str, rows: &StateRows, schemas: &(StructType, StructType)) -> Vec<Option<i64>> {
    let sides = [(&rows.keys, &schemas.0), (&rows.values, &schemas.1)];
    for (array, schema) in sides {
        let Some(array) = array.as_struct_opt() else { continue };
        for (at, field) in schema.fields.iter().enumerate() {
            let column = array.column(at);
            if let DataType::Struct(inner) = &field.data_type
                && inner.names() == ["start", "end"]
                && let Some(window) = column.as_struct_opt()
            {
                return millis(window.column(1));
            }
            if field.name == "expiresAtMicros"
                && let Some(times) = column.as_primitive_opt::<Int64Type>()
            {
                return times.iter().map(|micros| Some(micros?.div_euclid(1000))).collect();
            }
            if operator == "dedupe" && field.data_type == DataType::Timestamp {
                return millis(column);
            }
        }
    }
    vec![None; rows.keys.len()]
}

fn millis(column: &ArrayRef) -> Vec<Option<i64>> {
    match column.as_primitive_opt::<TimestampMicrosecondType>() {
        Some(times) => times.iter().map(|micros| Some(micros?.div_euclid(1000))).collect(),
        None => vec![None; column.len()],
    }
}
