//! The state of a query as of a batch: what each store holds, partition by partition.

use serde::{Deserialize, Serialize};

/// The state of one query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateView {
    /// The place of the query among the queries of the view.
    pub query: usize,
    /// Why there is nothing to show; none if there is.
    pub absent: Option<String>,
    /// The batches of which the state is still in the store, oldest first.
    pub batches: Vec<i64>,
    /// The batch after which it is shown.
    pub batch: i64,
    /// The stateful operators, in the order of their ids.
    pub operators: Vec<StateOperator>,
}

impl StateView {
    /// How many rows of a store are carried at most.
    pub const ROWS_MAX: usize = 500;
}

/// One operator.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateOperator {
    /// Its id.
    pub id: i64,
    /// Spark's name: `stateStoreSave`.
    pub name: String,
    /// Its stores: one for most, several for a join.
    pub stores: Vec<StateTable>,
    /// Spark's measures by batch, oldest first.
    pub measures: Vec<StateMeasure>,
}

/// What a store holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateTable {
    /// Spark's name: `default`, `left-keyToNumValues`.
    pub name: String,
    /// The columns: the key's, then the value's.
    pub columns: Vec<String>,
    /// How many of the columns are the key's.
    pub key_columns: usize,
    /// The partitions, empty ones too.
    pub partitions: Vec<StatePartition>,
}

/// One partition of a store.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StatePartition {
    /// Its number.
    pub partition: i64,
    /// The newest file that it is made of, relative to the root.
    pub file: Option<String>,
    /// The rows, at most [`StateView::ROWS_MAX`].
    pub rows: Vec<StateRow>,
    /// How many rows there are.
    pub total: u64,
}

/// One key with its value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StateRow {
    /// The cells as Spark shows them.
    pub cells: Vec<String>,
    /// It leaves when the watermark reaches this time, in milliseconds; none if it never does.
    pub leaves: Option<i64>,
    /// The batch that wrote it last, if it is known.
    pub touched: Option<i64>,
}

/// Spark's measures of an operator in one batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateMeasure {
    /// The batch.
    pub batch: i64,
    /// `numRowsTotal`.
    pub total: i64,
    /// `numRowsUpdated`.
    pub updated: i64,
    /// `numRowsRemoved`.
    pub removed: i64,
    /// `numRowsDroppedByWatermark`.
    pub dropped: i64,
    /// `memoryUsedBytes`.
    pub memory: i64,
}
