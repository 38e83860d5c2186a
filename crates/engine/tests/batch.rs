//! Batch queries: relations are read through the connectors, once each, under the session's settings.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array};
use tidemark_engine::batch::{ExecContext, execute};
use tidemark_engine::connector::Settings;
use tidemark_engine::{Connectors, Reader, Result, Sink, Source, Task};
use tidemark_plan::{
    Attribute, CastMode, ExprId, Function, Literal, NamedScalar, Plan, ReadSpec, Scalar, SinkSpec, WriteSpec,
};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, ErrorClass, SimTime, SparkError, StructType, Zone};
use tidemark_world::World;

/// A format that hands out two numbers, and notes how often it is opened and for how many columns.
#[derive(Default)]
struct Numbers {
    opened: Cell<usize>,
    columns: Cell<Option<usize>>,
}

#[derive(Debug)]
struct NumberReader(Arc<StructType>);

impl Reader for NumberReader {
    fn read(&self, _: &mut World) -> Result<Vec<Task>> {
        let column: ArrayRef = Arc::new(Int32Array::from(vec![1, 2]));
        let columns = self.0.fields.iter().map(|_| column.clone()).collect();
        Ok(vec![Task { batches: vec![Batch::new(self.0.clone(), columns, 2)], files: vec![None] }])
    }
}

fn refused() -> SparkError {
    SparkError::plain(ErrorClass::UnsupportedOperation, "only batch reads")
}

impl Connectors for Numbers {
    fn resolve(&self, _: &mut World, _: &dyn Settings, _: &ReadSpec) -> Result<StructType> {
        Err(refused().into())
    }

    fn reader(
        &self,
        _: &mut World,
        _: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
    ) -> Result<Box<dyn Reader>> {
        self.opened.set(self.opened.get() + 1);
        self.columns.set(Some(schema.fields.len()));
        match spec.format.as_str() {
            "numbers" => Ok(Box::new(NumberReader(schema.clone()))),
            _ => Err(refused().into()),
        }
    }

    fn source(
        &self,
        _: &dyn Settings,
        _: &ReadSpec,
        _: &Arc<StructType>,
        _: &str,
    ) -> Result<Box<dyn Source>> {
        Err(refused().into())
    }

    fn sink(
        &self,
        _: &mut World,
        _: &dyn Settings,
        _: &SinkSpec,
        _: &Arc<StructType>,
    ) -> Result<Box<dyn Sink>> {
        Err(refused().into())
    }

    fn write(
        &self,
        _: &mut World,
        _: &dyn Settings,
        _: &WriteSpec,
        _: &Arc<StructType>,
        _: &[Batch],
    ) -> Result<()> {
        Err(refused().into())
    }
}

struct Conf(BTreeMap<&'static str, &'static str>);

impl Settings for Conf {
    fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|v| (*v).to_owned())
    }
}

fn relation(format: &str) -> (Arc<Plan>, Attribute) {
    let attribute = Attribute {
        id: ExprId(1),
        name: "v".into(),
        data_type: DataType::Integer,
        nullable: true,
        qualifier: Vec::new(),
        watermark_delay: None,
    };
    let spec = ReadSpec {
        format: format.into(),
        paths: Vec::new(),
        table: None,
        options: BTreeMap::new(),
        schema: None,
        streaming: false,
        listing: None,
    };
    (Arc::new(Plan::Relation { spec: Arc::new(spec), source: 3, output: vec![attribute.clone()] }), attribute)
}

fn run(plan: &Plan, connectors: &Numbers, conf: &Conf) -> Result<Vec<Vec<Batch>>> {
    // 2026-01-01T23:30:00Z.
    let mut world = World::new("/tidemark", 0, SimTime(1_767_310_200_000));
    execute(plan, &mut ExecContext { world: &mut world, settings: conf, connectors })
}

#[test]
fn a_source_is_read_once_however_often_the_plan_names_it() {
    let (child, attribute) = relation("numbers");
    let plan = Plan::Union { children: vec![child.clone(), child], output: vec![attribute] };
    let connectors = Numbers::default();
    let partitions = run(&plan, &connectors, &Conf(BTreeMap::new())).expect("the plan runs");
    assert_eq!(partitions.len(), 2);
    assert_eq!(partitions.iter().flatten().map(Batch::rows).sum::<usize>(), 4);
    assert_eq!(connectors.opened.get(), 1);
}

#[test]
fn the_day_is_that_of_the_session_at_the_time_of_the_world() {
    let (child, attribute) = relation("numbers");
    let today = Scalar::Call {
        function: Function::CurrentDate,
        args: Vec::new(),
        data_type: DataType::Date,
        nullable: false,
    };
    let output = Attribute { id: ExprId(2), data_type: DataType::Date, ..attribute };
    let plan = Plan::Project { columns: vec![NamedScalar { scalar: today, output }], child };
    for (zone, day) in [("UTC", "2026-01-01"), ("Europe/Paris", "2026-01-02"), ("-08:00", "2026-01-01")] {
        let conf = Conf(BTreeMap::from([("spark.sql.session.timeZone", zone)]));
        let partitions = run(&plan, &Numbers::default(), &conf).expect("the plan runs");
        let text = value_text(partitions[0][0].column(0), &DataType::Date, 0, TextStyle::cast(Zone::UTC));
        assert_eq!(text.as_deref(), Some(day), "{zone}");
    }
}

#[test]
fn an_error_of_opening_comes_out() {
    let (plan, _) = relation("letters");
    let error = run(&plan, &Numbers::default(), &Conf(BTreeMap::new())).expect_err("there is no such format");
    assert_eq!(error.to_string(), "only batch reads");
}

#[test]
fn a_reader_is_asked_only_for_the_columns_that_the_plan_needs() {
    let (child, _) = relation("numbers");
    let plan = Plan::Aggregate { grouping: Vec::new(), aggregates: Vec::new(), child };
    let connectors = Numbers::default();
    run(&plan, &connectors, &Conf(BTreeMap::new())).expect("the plan runs");
    assert_eq!(connectors.columns.get(), Some(0));
}

#[test]
fn a_bad_row_fails_only_when_it_is_asked_for() {
    let (child, attribute) = relation("numbers");
    let one = Scalar::Literal(Literal::Integer(2));
    let less = Scalar::Call {
        function: Function::Subtract,
        args: vec![one, Scalar::Column(attribute)],
        data_type: DataType::Integer,
        nullable: true,
    };
    // 1 / (2 - v): fine for 1, refused for 2.
    let quotient = Scalar::Call {
        function: Function::IntegralDivide,
        args: vec![Scalar::Literal(Literal::Long(1)), cast_to_long(less)],
        data_type: DataType::Long,
        nullable: true,
    };
    let output = Attribute {
        id: ExprId(2),
        name: "q".into(),
        data_type: DataType::Long,
        nullable: true,
        qualifier: Vec::new(),
        watermark_delay: None,
    };
    let project = Arc::new(Plan::Project { columns: vec![NamedScalar { scalar: quotient, output }], child });
    for (rows, fails) in [(1, false), (2, true)] {
        let plan = Plan::Limit { rows, child: project.clone() };
        let result = run(&plan, &Numbers::default(), &Conf(BTreeMap::new()));
        assert_eq!(result.is_err(), fails, "limit {rows}");
    }
}

fn cast_to_long(child: Scalar) -> Scalar {
    Scalar::Cast { child: Box::new(child), to: DataType::Long, mode: CastMode::Ansi }
}
