//! Resolved logical plans: what the engine runs.

use std::sync::Arc;

use tidemark_types::Batch;

use crate::aggregate::NamedAggregate;
use crate::attribute::{Attribute, ExprId};
use crate::scalar::{NamedScalar, Scalar};
use crate::spec::ReadSpec;

/// One key of a sort.
#[derive(Clone, Debug, PartialEq)]
pub struct SortOrder {
    /// The key.
    pub scalar: Scalar,
    /// Whether small values come first.
    pub ascending: bool,
    /// Whether nulls come first.
    pub nulls_first: bool,
}

/// How two sides join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JoinType {
    /// Pairs that match.
    Inner,
    /// And the left rows without a match.
    LeftOuter,
    /// And the right rows without a match.
    RightOuter,
    /// And both.
    FullOuter,
    /// The left rows that have a match.
    LeftSemi,
    /// The left rows that have none.
    LeftAnti,
    /// All pairs.
    Cross,
}

/// A resolved plan. Children are shared, so that plans are cheap to clone and to build upon.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Rows of a source outside: files, a table, a stream.
    Relation {
        /// What to read. `spec.streaming` tells streams from batches.
        spec: Arc<ReadSpec>,
        /// The identity of the source: the same DataFrame used twice is one source.
        source: u64,
        /// The columns.
        output: Vec<Attribute>,
    },
    /// Rows that the script gave: `createDataFrame`, a micro-batch handed to `foreachBatch`.
    Local {
        /// The rows, task by task.
        partitions: Arc<Vec<Batch>>,
        /// The columns.
        output: Vec<Attribute>,
    },
    /// `spark.range`.
    Range {
        /// The first number.
        start: i64,
        /// The end, not included.
        end: i64,
        /// The step, not 0.
        step: i64,
        /// The number of tasks, the parallelism if absent.
        partitions: Option<usize>,
        /// The column `id`.
        output: Vec<Attribute>,
    },
    /// `select`.
    Project {
        /// The columns.
        columns: Vec<NamedScalar>,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `where`.
    Filter {
        /// What must be true.
        predicate: Scalar,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `groupBy().agg()`. The output is the grouping columns, then the aggregates.
    Aggregate {
        /// The keys; none for a global aggregate.
        grouping: Vec<NamedScalar>,
        /// The aggregates.
        aggregates: Vec<NamedAggregate>,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `distinct`, `dropDuplicates`.
    Deduplicate {
        /// The keys.
        keys: Vec<Attribute>,
        /// Whether the watermark alone ends a key's time: `dropDuplicatesWithinWatermark`.
        within_watermark: bool,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `orderBy`, or `sortWithinPartitions` when not global.
    Sort {
        /// The keys.
        orders: Vec<SortOrder>,
        /// Whether over all tasks.
        global: bool,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `limit`.
    Limit {
        /// The greatest number of rows.
        rows: usize,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `union`: by position; types already agree.
    Union {
        /// Where the rows come from.
        children: Vec<Arc<Plan>>,
        /// The columns.
        output: Vec<Attribute>,
    },
    /// `join`.
    Join {
        /// The left side.
        left: Arc<Plan>,
        /// The right side.
        right: Arc<Plan>,
        /// How they join.
        join_type: JoinType,
        /// What must be true of a pair.
        condition: Option<Scalar>,
        /// The columns.
        output: Vec<Attribute>,
    },
    /// `withWatermark`: the column is the event time.
    Watermark {
        /// The identity of the declaration: the same DataFrame used twice has one watermark.
        id: ExprId,
        /// The column.
        column: Attribute,
        /// The delay in microseconds.
        delay_micros: i64,
        /// Where the rows come from.
        child: Arc<Plan>,
        /// The columns: the child's, the event time marked.
        output: Vec<Attribute>,
    },
    /// `alias`, a view's or a table's name: only names change.
    Alias {
        /// The name.
        name: String,
        /// Where the rows come from.
        child: Arc<Plan>,
        /// The columns with their new qualifier.
        output: Vec<Attribute>,
    },
    /// `repartition(n)`, `repartition(n, a, b)`, `coalesce(n)`.
    Repartition {
        /// The number of tasks.
        partitions: usize,
        /// Whether rows are shuffled.
        shuffle: bool,
        /// What decides where a row goes; the rows take turns if nothing does.
        by: Vec<Scalar>,
        /// Where the rows come from.
        child: Arc<Plan>,
    },
    /// `explode`: one row for each element of the array; the output is the child's columns, then the element's.
    Generate {
        /// The array or map.
        generator: Scalar,
        /// Whether an empty one gives one row with null.
        outer: bool,
        /// Where the rows come from.
        child: Arc<Plan>,
        /// The columns.
        output: Vec<Attribute>,
    },
}

impl Plan {
    /// The columns that the plan produces.
    pub fn output(&self) -> Vec<Attribute> {
        match self {
            Plan::Relation { output, .. }
            | Plan::Local { output, .. }
            | Plan::Range { output, .. }
            | Plan::Union { output, .. }
            | Plan::Join { output, .. }
            | Plan::Watermark { output, .. }
            | Plan::Alias { output, .. }
            | Plan::Generate { output, .. } => output.clone(),
            Plan::Project { columns, .. } => columns.iter().map(|c| c.output.clone()).collect(),
            Plan::Aggregate { grouping, aggregates, .. } => grouping
                .iter()
                .map(|g| g.output.clone())
                .chain(aggregates.iter().map(|a| a.output.clone()))
                .collect(),
            Plan::Filter { child, .. }
            | Plan::Deduplicate { child, .. }
            | Plan::Sort { child, .. }
            | Plan::Limit { child, .. }
            | Plan::Repartition { child, .. } => child.output(),
        }
    }

    /// The plans directly below.
    pub fn children(&self) -> Vec<&Arc<Plan>> {
        match self {
            Plan::Relation { .. } | Plan::Local { .. } | Plan::Range { .. } => Vec::new(),
            Plan::Project { child, .. }
            | Plan::Filter { child, .. }
            | Plan::Aggregate { child, .. }
            | Plan::Deduplicate { child, .. }
            | Plan::Sort { child, .. }
            | Plan::Limit { child, .. }
            | Plan::Watermark { child, .. }
            | Plan::Alias { child, .. }
            | Plan::Repartition { child, .. }
            | Plan::Generate { child, .. } => vec![child],
            Plan::Union { children, .. } => children.iter().collect(),
            Plan::Join { left, right, .. } => vec![left, right],
        }
    }

    /// Whether the rows come from a stream.
    pub fn is_streaming(&self) -> bool {
        match self {
            Plan::Relation { spec, .. } => spec.streaming,
            _ => self.children().into_iter().any(|child| child.is_streaming()),
        }
    }
}

impl Plan {
    /// The same plan with other plans directly below.
    pub fn map_children(&self, map: &mut dyn FnMut(&Plan) -> Plan) -> Plan {
        let mut made = self.clone();
        match &mut made {
            Plan::Relation { .. } | Plan::Local { .. } | Plan::Range { .. } => {}
            Plan::Project { child, .. }
            | Plan::Filter { child, .. }
            | Plan::Aggregate { child, .. }
            | Plan::Deduplicate { child, .. }
            | Plan::Sort { child, .. }
            | Plan::Limit { child, .. }
            | Plan::Watermark { child, .. }
            | Plan::Alias { child, .. }
            | Plan::Repartition { child, .. }
            | Plan::Generate { child, .. } => *child = Arc::new(map(child)),
            Plan::Union { children, .. } => {
                for child in children {
                    *child = Arc::new(map(child));
                }
            }
            Plan::Join { left, right, .. } => {
                *left = Arc::new(map(left));
                *right = Arc::new(map(right));
            }
        }
        made
    }
}
