//! What a session knows, its frames and where they begin.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructType, Zone};

use crate::attribute::{Attribute, ExprId};
use crate::expr::Expr;
use crate::logical::Plan;
use crate::resolve::Ids;
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

    /// A frame of a plan that is shared already.
    pub fn of(plan: Arc<Plan>) -> Frame {
        Frame { plan }
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
    /// The column that is turned into columns, and the values that become them.
    pub pivot: Option<(Expr, Vec<crate::literal::Literal>)>,
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
    pub(crate) views: BTreeMap<String, Frame>,
    pub(crate) ids: Ids,
    next_source: u64,
}

/// Frames for tables and paths of a SQL text, by the parts of their names as written.
pub type Relations = BTreeMap<Vec<String>, Frame>;

impl Analyzer {
    /// A session without views.
    pub fn new(settings: Settings) -> Analyzer {
        Analyzer { settings, ..Analyzer::default() }
    }

    /// The zone of the session; UTC if its name is unknown.
    pub fn zone(&self) -> Zone {
        Zone::parse(&self.settings.time_zone).unwrap_or(Zone::UTC)
    }

    /// A new identity for a column.
    pub fn next_id(&mut self) -> ExprId {
        self.ids.next_id()
    }

    fn attributes(&mut self, schema: &StructType) -> Vec<Attribute> {
        schema
            .fields
            .iter()
            .map(|field| Attribute {
                id: self.ids.next_id(),
                name: field.name.clone(),
                data_type: field.data_type.clone(),
                nullable: field.nullable,
                qualifier: Vec::new(),
                watermark_delay: None,
            })
            .collect()
    }

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
    pub fn range(
        &mut self,
        start: i64,
        end: i64,
        step: i64,
        partitions: Option<usize>,
    ) -> Result<Frame, SparkError> {
        if step == 0 {
            return Err(SparkError::plain(
                ErrorClass::IllegalArgument,
                "requirement failed: step (0) cannot be 0",
            ));
        }
        let schema = StructType::new(vec![tidemark_types::StructField::new("id", DataType::Long, false)]);
        let output = self.attributes(&schema);
        Ok(Frame::new(Plan::Range { start, end, step, partitions, output }))
    }
}
