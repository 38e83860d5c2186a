//! The face of analysis: a session's [`Analyzer`] turns calls of the DataFrame API into resolved frames, each one
//! checked at once, as Spark does.
//!
//! Nothing here asks for the world outside. Who needs the schema of a path or a table first reads
//! [`Analyzer::relations_of`], looks it up, and hands the frames in.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_types::{Batch, SparkError, StructType};

use crate::attribute::{Attribute, ExprId};
use crate::expr::Expr;
use crate::literal::Literal;
use crate::logical::Plan;
use crate::spec::ReadSpec;

/// The settings of a session that analysis obeys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `spark.sql.caseSensitive`.
    pub case_sensitive: bool,
    /// `spark.sql.ansi.enabled`.
    pub ansi: bool,
    /// `spark.sql.session.timeZone`.
    pub time_zone: String,
    /// `spark.sql.crossJoin.enabled` and all other settings that are asked by name.
    pub others: BTreeMap<String, String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { case_sensitive: false, ansi: true, time_zone: "UTC".to_owned(), others: BTreeMap::new() }
    }
}

/// A DataFrame: a resolved plan.
#[derive(Clone, Debug)]
pub struct Frame {
    plan: Arc<Plan>,
}

impl Frame {
    /// A frame of a resolved plan.
    pub fn new(plan: Plan) -> Frame {
        Frame { plan: Arc::new(plan) }
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// The columns with their identities.
    pub fn output(&self) -> Vec<Attribute> {
        self.plan.output()
    }

    /// `df.schema`.
    pub fn schema(&self) -> StructType {
        Attribute::schema(&self.plan.output())
    }

    /// `df.isStreaming`.
    pub fn is_streaming(&self) -> bool {
        self.plan.is_streaming()
    }
}

/// `df.groupBy(…)`: keys that wait for their aggregates. Analysis happens in `agg`.
#[derive(Clone, Debug)]
pub struct Grouped {
    /// The frame.
    pub frame: Frame,
    /// The keys.
    pub keys: Vec<Expr>,
}

/// How two frames are joined: the argument `on`.
#[derive(Clone, Debug)]
pub enum JoinOn {
    /// No condition.
    Nothing,
    /// Columns of the same names on both sides, which become one.
    Using(Vec<String>),
    /// A condition; several given in a list are joined by `and`.
    Condition(Expr),
}

/// What a session knows while scripts build frames: temporary views, settings, the next identities.
#[derive(Clone, Debug, Default)]
pub struct Analyzer {
    /// The settings.
    pub settings: Settings,
    views: BTreeMap<String, Frame>,
    next_expr_id: u64,
    next_source: u64,
}

/// Frames for tables and paths of a SQL text, by the parts of their names as written.
pub type Relations = BTreeMap<Vec<String>, Frame>;

impl Analyzer {
    /// A session without views.
    pub fn new(settings: Settings) -> Analyzer {
        Analyzer { settings, ..Analyzer::default() }
    }

    /// A new identity for a column.
    pub fn next_id(&mut self) -> ExprId {
        let id = ExprId(self.next_expr_id);
        self.next_expr_id += 1;
        id
    }

    fn attributes(&mut self, schema: &StructType) -> Vec<Attribute> {
        schema
            .fields
            .iter()
            .map(|field| Attribute {
                id: self.next_id(),
                name: field.name.clone(),
                data_type: field.data_type.clone(),
                nullable: field.nullable,
                qualifier: Vec::new(),
                watermark_delay: None,
            })
            .collect()
    }

    // --- sources

    /// `spark.read…load()`, `readStream…load()`, `spark.table(…)`: the schema is what the source has answered.
    pub fn relation(&mut self, spec: ReadSpec, schema: &StructType) -> Frame {
        let output = self.attributes(schema);
        let source = self.next_source;
        self.next_source += 1;
        Frame::new(Plan::Relation { spec: Arc::new(spec), source, output })
    }
    /// `createDataFrame`, a micro-batch for `foreachBatch`: rows, task by task.
    pub fn local(&mut self, partitions: Vec<Batch>, schema: &StructType) -> Frame {
        let output = self.attributes(schema);
        Frame::new(Plan::Local { partitions: Arc::new(partitions), output })
    }
    /// `spark.range(start, end, step, partitions)`.
    pub fn range(&mut self, start: i64, end: i64, step: i64, partitions: Option<usize>) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }

    // --- columns

    /// `df["name"]`: a column of this frame (also `"*"`, `"s.x"`).
    pub fn column(&self, frame: &Frame, name: &str) -> Result<Expr, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `expr(text)`: parsed at once, resolved later.
    pub fn expr(&self, text: &str) -> Result<Expr, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }

    // --- one frame

    /// `df.select(…)`.
    pub fn select(&mut self, frame: &Frame, columns: &[Expr]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.selectExpr(…)`.
    pub fn select_expr(&mut self, frame: &Frame, texts: &[&str]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.filter(column)`.
    pub fn filter(&mut self, frame: &Frame, condition: &Expr) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.filter("text")`.
    pub fn filter_text(&mut self, frame: &Frame, text: &str) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.withColumns`, `withColumn`: replaces a column of the name in place, or appends.
    pub fn with_columns(&mut self, frame: &Frame, columns: &[(String, Expr)]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.withColumnsRenamed`, `withColumnRenamed`: unknown names are ignored.
    pub fn with_columns_renamed(&mut self, frame: &Frame, names: &[(String, String)]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.drop(…)`: columns or names; unknown ones are ignored. A name given as text is one name, dots and all:
    /// pass `Expr::Name(vec![text])`.
    pub fn drop(&mut self, frame: &Frame, columns: &[Expr]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.alias(name)`.
    pub fn alias(&mut self, frame: &Frame, name: &str) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.toDF(names…)`.
    pub fn to_df(&mut self, frame: &Frame, names: &[String]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.groupBy(…)`.
    pub fn group_by(&self, frame: &Frame, keys: &[Expr]) -> Grouped {
        Grouped { frame: frame.clone(), keys: keys.to_vec() }
    }
    /// `df.groupBy(…).agg(…)`; `df.agg(…)` groups by nothing.
    pub fn agg(&mut self, grouped: &Grouped, aggregates: &[Expr]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.groupBy(…).count()`, with the column `count`.
    pub fn grouped_count(&mut self, grouped: &Grouped) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.groupBy(…).sum("a", …)`, likewise avg, min, max; no names mean all numeric columns but the keys.
    pub fn grouped_numeric(&mut self, grouped: &Grouped, function: &str, names: &[String]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.orderBy(…)`, `sort(…)`; not global for `sortWithinPartitions`.
    pub fn sort(&mut self, frame: &Frame, orders: &[Expr], global: bool) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.limit(n)`.
    pub fn limit(&mut self, frame: &Frame, rows: i64) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.distinct()`.
    pub fn distinct(&mut self, frame: &Frame) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.dropDuplicates(names)`, `dropDuplicatesWithinWatermark`; `None` means all columns.
    pub fn drop_duplicates(&mut self, frame: &Frame, names: Option<&[String]>, within_watermark: bool) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.withWatermark(column, delay)`.
    pub fn with_watermark(&mut self, frame: &Frame, column: &str, delay: &str) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.repartition(n)` with shuffle, `df.coalesce(n)` without.
    pub fn repartition(&mut self, frame: &Frame, partitions: i64, shuffle: bool) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.fillna(value)`: the columns of the value's kind, or the named ones.
    pub fn fill_na(&mut self, frame: &Frame, values: &[(Option<Vec<String>>, Literal)]) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.dropna(thresh, subset)`: keeps rows with at least `threshold` values that are not null.
    pub fn drop_na(&mut self, frame: &Frame, threshold: Option<usize>, names: Option<&[String]>) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }

    // --- two frames

    /// `df.union(other)`, `unionAll`.
    pub fn union(&mut self, left: &Frame, right: &Frame) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.unionByName(other, allowMissingColumns)`.
    pub fn union_by_name(&mut self, left: &Frame, right: &Frame, allow_missing: bool) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `df.join(other, on, how)`.
    pub fn join(&mut self, left: &Frame, right: &Frame, on: &JoinOn, how: &str) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }

    // --- views and SQL

    /// `df.createOrReplaceTempView(name)`, and the view of a memory sink.
    pub fn create_view(&mut self, name: &str, frame: &Frame) -> Result<(), SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// Drops a view; whether there was one.
    pub fn drop_view(&mut self, name: &str) -> bool {
        self.views.remove(&name.to_lowercase()).is_some()
    }
    /// `spark.table(name)`: a view; `None` if it is to be looked up in the catalog.
    pub fn view(&mut self, name: &str) -> Result<Option<Frame>, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// The tables and paths that a SQL text reads and that are no views: to be looked up before [`Analyzer::sql`].
    pub fn relations_of(&self, text: &str) -> Result<Vec<Vec<String>>, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
    /// `spark.sql(text)`.
    pub fn sql(&mut self, text: &str, relations: &Relations) -> Result<Frame, SparkError> {
        let _ = self;
        Err(SparkError::plain(tidemark_types::ErrorClass::UnsupportedOperation, "being built"))
    }
}
