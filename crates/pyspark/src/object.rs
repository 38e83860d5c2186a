//! The objects behind Python's handles.

use std::rc::Rc;
use std::sync::Arc;

use imbl::Vector;
use tidemark_plan::builder::{Frame, Grouped};
use tidemark_plan::expr::Expr;
use tidemark_plan::{Plan, ReadSpec, SinkSpec, WriteSpec};
use tidemark_python::{HostClassId, HostObject, Value};
use tidemark_types::{DataType, StructField, StructType};

use crate::question::QueryHandle;
use crate::registry::Class;

/// What a handle stands for.
#[derive(Clone, Debug)]
pub(crate) enum Object {
    /// `spark`.
    Session,
    /// `SparkSession.builder`.
    Builder,
    /// `spark.conf`.
    Conf,
    /// `spark.catalog`.
    Catalog,
    /// `spark.streams`.
    Streams,
    /// `spark.read`, `spark.readStream`.
    Reader(ReadSpec),
    /// `df.write`.
    Writer(Frame, WriteSpec),
    /// `df.writeStream`, with the function of `foreachBatch`.
    StreamWriter(Frame, SinkSpec, Option<Value>),
    /// A DataFrame.
    Frame(Frame),
    /// `df.groupBy(…)`.
    Grouped(Grouped),
    /// A Column.
    Column(Expr),
    Query(QueryHandle),
    /// A row: names and values.
    Row(Arc<Vec<String>>, Rc<Vec<Value>>),
    /// A Delta table, by the rows that it had when it was looked up.
    DeltaTable(Frame),
    /// `df.na`.
    Na(Frame),
    /// A window of rows: by what it is split, and how it is ordered.
    WindowSpec(Vec<Expr>, Vec<Expr>),
    /// A data type, a struct included.
    Type(DataType),
    /// A field of a struct.
    Field(StructField),
    /// A dict that PySpark wraps: a query's progress and its parts, and the JSON text it came from.
    Progress(Value, String),
}

/// All objects of a session; persistent, so that a clone of the session is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    items: Vector<Rc<Object>>,
    /// What `cache` and `persist` keep, and whether it has been computed.
    pub(crate) cached: Vec<(Arc<Plan>, bool)>,
}

impl Objects {
    /// Keeps an object and hands out its handle.
    pub(crate) fn add(&mut self, object: Object) -> Value {
        let class = Class::of(&object);
        self.items.push_back(Rc::new(object));
        Value::Host(HostObject { class: HostClassId(class as u32), id: self.items.len() as u64 - 1 })
    }

    /// The object of a handle.
    pub(crate) fn get(&self, handle: HostObject) -> Option<Rc<Object>> {
        self.items.get(handle.id as usize).cloned()
    }

    /// The object of a value, if it is a handle.
    pub(crate) fn of(&self, value: &Value) -> Option<Rc<Object>> {
        match value {
            Value::Host(handle) => self.get(*handle),
            _ => None,
        }
    }

    /// The schema behind a value that is a struct type.
    pub(crate) fn struct_type(&self, value: &Value) -> Option<StructType> {
        match self.of(value).as_deref() {
            Some(Object::Type(DataType::Struct(schema))) => Some(schema.clone()),
            _ => None,
        }
    }
}

impl Objects {
    /// Puts another object behind a handle: for objects that Python changes in place.
    pub(crate) fn replace(&mut self, handle: &Value, object: Object) {
        if let Value::Host(handle) = handle
            && let Some(slot) = self.items.get_mut(handle.id as usize)
        {
            *slot = Rc::new(object);
        }
    }
}
