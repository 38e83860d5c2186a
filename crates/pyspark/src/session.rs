//! The session: what the script's `spark` knows, and the one entry for all calls of the API.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::Int64Type;
use tidemark_plan::builder::{Analyzer, Frame, Relations};
use tidemark_plan::{Plan, ReadSpec};
use tidemark_python::{Host, HostCall, HostClassId, HostObject, Machine, PyException, Target, Value, View};
use tidemark_types::show::{ShowOptions, show_text};
use tidemark_types::zone::Zone;
use tidemark_types::{Batch, SparkError, StructType};

use crate::call::Call;
use crate::conf::Conf;
use crate::fault::{Fault, spark_exception};
use crate::object::{Object, Objects};
use crate::question::{Answer, QueryHandle, QueryInfo, Question};
use crate::registry::{self, Class};
use crate::{
    cell, column, conf, data_type, delta_table, frame, function, local, missing, query, read, row,
    stream_write, window, write,
};

/// What a call of the API led to.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The answer for the machine.
    Answer(Result<Value, PyException>),
    /// The script waits: the sandbox answers with [`Session::resume`].
    Ask(Question),
    /// A function of the script is to be called; what it returns is the answer for the machine.
    CallBack(Value, Vec<Value>),
}

/// What a call led to, inside.
pub(crate) enum Done {
    Value(Value),
    Ask(Question, Pending),
    Print(String),
    Table(ReadSpec),
    CallBack(Value, Vec<Value>),
}

/// What is done with the answer of a question.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    Nothing,
    Relation(ReadSpec),
    Rows,
    Count,
    Empty,
    First,
    Tail(usize),
    Show(Show),
    Started,
    QueryField(String),
    Ended {
        timed: bool,
    },
    Queries,
    Sql {
        text: String,
        found: Relations,
        wanted: VecDeque<Vec<String>>,
    },
    FoundQuery,
    TableExists,
    /// `DeltaTable.forPath` and `forName`: the table, and the text that names it.
    DeltaTable(ReadSpec, String),
    IsDeltaTable,
}

/// How `show()` was called.
#[derive(Clone, Debug)]
pub(crate) struct Show {
    pub(crate) rows: usize,
    pub(crate) truncate: usize,
    pub(crate) vertical: bool,
}

/// A session of Spark as one run of a script sees it.
#[derive(Clone, Debug)]
pub struct Session {
    host: Rc<Host>,
    objects: Objects,
    analyzer: Analyzer,
    conf: Conf,
    pending: Vec<Pending>,
    printed: String,
}

/// The handle of `spark`.
pub(crate) fn session_handle() -> Value {
    Value::Host(HostObject { class: HostClassId(Class::Session as u32), id: 0 })
}

/// The format of a writer that was told none.
pub(crate) fn default_format(analyzer: &Analyzer) -> String {
    analyzer.settings.others.get("spark.sql.sources.default").cloned().unwrap_or_else(|| "parquet".to_owned())
}

impl Default for Session {
    fn default() -> Self {
        Session::new(Conf::default())
    }
}

impl Session {
    /// A fresh session with these settings.
    pub fn new(conf: Conf) -> Self {
        let mut objects = Objects::default();
        objects.add(Object::Session);
        objects.add(Object::Builder);
        let mut session = Session {
            host: registry::build(),
            objects,
            analyzer: Analyzer::default(),
            conf,
            pending: Vec::new(),
            printed: String::new(),
        };
        session.apply_conf();
        session
    }

    /// The host for the script's machine.
    pub fn host(&self) -> Rc<Host> {
        self.host.clone()
    }

    /// `spark`, a global of the script.
    pub fn spark(&self) -> Value {
        session_handle()
    }

    /// The settings.
    pub fn conf(&self) -> &Conf {
        &self.conf
    }

    /// Changes the settings from outside the script.
    pub fn set_conf(&mut self, name: &str, value: &str) {
        self.conf.set(name, value);
        self.apply_conf();
    }

    /// Takes what `show()`, `printSchema()` and the like have printed since the last call.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    /// Makes the table of a memory sink visible under its name: a relation of format `memory`.
    pub fn create_memory_view(&mut self, name: &str, schema: &StructType) {
        let mut spec = read::reader(false, "memory".to_owned());
        spec.table = Some(name.to_owned());
        let made = self.analyzer.relation(spec, schema);
        // A name that no view can have has been refused by the sink.
        let _ = self.analyzer.create_view(name, &made);
    }

    /// The DataFrame of a micro-batch, for the function of `foreachBatch`.
    pub fn batch_frame(&mut self, partitions: Vec<Batch>, schema: &StructType) -> Value {
        let made = self.analyzer.local(partitions, schema);
        self.objects.add(Object::Frame(made))
    }

    /// Rows as `Row` objects: for what a harness does with results.
    pub fn rows_of(&mut self, machine: &mut Machine, batches: &[Batch]) -> Vec<Value> {
        self.rows(machine, batches)
    }

    /// The exception that a script sees of an error.
    pub fn exception_of(error: &SparkError) -> PyException {
        spark_exception(error)
    }

    /// The frame behind a value, if it is one: for what a harness does with results.
    pub fn frame_of(&self, value: &Value) -> Option<Frame> {
        match self.objects.of(value).as_deref() {
            Some(Object::Frame(frame)) => Some(frame.clone()),
            _ => None,
        }
    }

    /// Names and values of a row, if the value is one.
    pub fn row_of(&self, value: &Value) -> Option<(Vec<String>, Vec<Value>)> {
        match self.objects.of(value).as_deref() {
            Some(Object::Row(names, values)) => Some((names.as_ref().clone(), values.as_ref().clone())),
            _ => None,
        }
    }

    /// The dict behind a query's progress, if the value is one.
    pub fn progress_of(&self, value: &Value) -> Option<Value> {
        match self.objects.of(value).as_deref() {
            Some(Object::Progress(dict, _)) => Some(dict.clone()),
            _ => None,
        }
    }

    /// The plans that the script has cached, and whether each has been computed.
    pub fn cached(&mut self) -> &mut Vec<(Arc<Plan>, bool)> {
        &mut self.objects.cached
    }

    /// Handles a call of the API.
    pub fn handle(&mut self, machine: &mut Machine, call: HostCall) -> Reply {
        let done = self.dispatch(machine, call);
        self.settle(done)
    }

    /// Goes on with the answer to the last question that is open.
    pub fn resume(&mut self, machine: &mut Machine, answer: Answer) -> Reply {
        let pending = self.pending.pop().unwrap_or(Pending::Nothing);
        match answer {
            Answer::Failed(error) => match pending {
                Pending::TableExists if error.condition.0 == "TABLE_OR_VIEW_NOT_FOUND" => {
                    Reply::Answer(Ok(Value::Bool(false)))
                }
                Pending::IsDeltaTable if delta_table::is_absence(&error) => {
                    Reply::Answer(Ok(Value::Bool(false)))
                }
                Pending::DeltaTable(spec, text) => {
                    let error = delta_table::not_found(&spec, &text, *error);
                    Reply::Answer(Err(spark_exception(&error)))
                }
                _ => Reply::Answer(Err(spark_exception(&error))),
            },
            answer => {
                let done = self.finish(machine, pending, answer);
                self.settle(done)
            }
        }
    }

    fn settle(&mut self, done: Result<Done, Fault>) -> Reply {
        let done = match done {
            Ok(Done::Table(spec)) => self.table(spec),
            other => other,
        };
        match done {
            Ok(Done::Value(value)) => Reply::Answer(Ok(value)),
            Ok(Done::Print(text)) => {
                self.printed.push_str(&text);
                Reply::Answer(Ok(Value::None))
            }
            Ok(Done::Ask(question, pending)) => {
                self.pending.push(pending);
                Reply::Ask(question)
            }
            Ok(Done::CallBack(function, args)) => Reply::CallBack(function, args),
            Ok(Done::Table(spec)) => unreachable!("a table became a frame or a question: {:?}", spec.table),
            Err(fault) => Reply::Answer(Err(fault.into_exception())),
        }
    }

    fn apply_conf(&mut self) {
        let get = |name: &str| self.conf.get(name).unwrap_or_default();
        self.analyzer.settings.case_sensitive = get("spark.sql.caseSensitive") == "true";
        self.analyzer.settings.ansi = get("spark.sql.ansi.enabled") != "false";
        self.analyzer.settings.time_zone = get("spark.sql.session.timeZone");
        self.analyzer.settings.others = self.conf.all();
    }

    fn dispatch(&mut self, machine: &mut Machine, host_call: HostCall) -> Result<Done, Fault> {
        let HostCall { target, args, kwargs, .. } = host_call;
        match target {
            Target::Function { module, name } => {
                let mut call = Call { machine, name: name.clone(), args, kwargs };
                if module != "pyspark.sql.functions" {
                    return Err(Fault::refused(&format!("{module}.{name}")));
                }
                function::call(&mut self.objects, &self.analyzer, &mut call).map(Done::Value)
            }
            Target::Construct { class } => {
                let class = Class::from_id(class.0).unwrap_or(Class::DataType);
                let mut call = Call { machine, name: class.face().name.to_owned(), args, kwargs };
                let made = if class == Class::Row {
                    row::construct(&mut self.objects, &mut call)
                } else {
                    data_type::construct(&mut self.objects, class, &mut call)
                };
                made.map(Done::Value)
            }
            Target::Static { class, name } if class.0 == Class::DeltaTable as u32 => {
                delta_table::static_call(&mut Call {
                    machine,
                    name: format!("DeltaTable.{name}"),
                    args,
                    kwargs,
                })
            }
            Target::Static { class, name } if class.0 == Class::Window as u32 => {
                let mut call = Call { machine, name: format!("Window.{name}"), args, kwargs };
                window::call(&mut self.objects, &[], &[], &mut call).map(Done::Value)
            }
            Target::Static { .. } => Ok(Done::Value(session_handle())),
            Target::Method { receiver, name } | Target::Property { receiver, name } => {
                self.method(machine, &receiver, &name, args, kwargs)
            }
            Target::SetProperty { name, .. } => {
                Err(Fault::Python("AttributeError", format!("can't set attribute '{name}'")))
            }
        }
    }

    // tidy: table
    fn method(
        &mut self,
        machine: &mut Machine,
        receiver: &Value,
        name: &str,
        args: Vec<Value>,
        kwargs: Vec<(String, Value)>,
    ) -> Result<Done, Fault> {
        let Some(object) = self.objects.of(receiver) else {
            return Err(Fault::Python(
                "NotImplementedError",
                "classes derived from those of PySpark are not supported here".to_owned(),
            ));
        };
        let class = Class::of(&object).face().name;
        let mut call = Call { machine, name: format!("{class}.{name}"), args, kwargs };
        match object.as_ref() {
            Object::Session => self.session_call(&mut call),
            Object::Builder => match name {
                "getOrCreate" => Ok(Done::Value(session_handle())),
                "config" => {
                    if let [key, value] = call.args.as_slice() {
                        let key = call.text("key", key)?;
                        let value = call.option_text(value).unwrap_or_default();
                        self.set_conf(&key, &value);
                    }
                    Ok(Done::Value(receiver.clone()))
                }
                _ => Ok(Done::Value(receiver.clone())),
            },
            Object::Conf => {
                let value = conf::call(&mut self.conf, &mut call)?;
                self.apply_conf();
                Ok(Done::Value(value))
            }
            Object::Catalog => self.catalog_call(&mut call),
            Object::Streams => match name {
                "active" => Ok(Done::Ask(Question::ActiveQueries, Pending::Queries)),
                "get" => {
                    let [id] = call.bind_required(1, ["id"])?;
                    let id = call.text("id", &id.unwrap_or(Value::None))?;
                    Ok(Done::Ask(Question::FindQuery(id), Pending::FoundQuery))
                }
                "awaitAnyTermination" => {
                    let [timeout] = call.bind(["timeout"])?;
                    let millis = query::timeout(&call, timeout)?;
                    Ok(Done::Ask(Question::AwaitAny(millis), Pending::Ended { timed: millis.is_some() }))
                }
                "resetTerminated" => Ok(Done::Value(Value::None)),
                other => Err(Fault::refused(&format!("StreamingQueryManager.{other}"))),
            },
            Object::Reader(spec) => read::call(&mut self.objects, spec, receiver, &mut call),
            Object::Writer(frame, spec) => write::call(&mut self.objects, frame, spec, receiver, &mut call),
            Object::StreamWriter(frame, spec, function) => {
                stream_write::call(&mut self.objects, (frame, spec, function), receiver, &mut call)
            }
            Object::Frame(frame) => {
                frame::call(&mut self.objects, &mut self.analyzer, frame, receiver, &mut call)
            }
            Object::Grouped(grouped) => {
                frame::grouped_call(&mut self.objects, &mut self.analyzer, grouped, &mut call)
            }
            Object::DeltaTable(frame) => {
                delta_table::call(&mut self.objects, &mut self.analyzer, frame, &mut call)
            }
            Object::Column(expr) => column::call(&mut self.objects, expr, &mut call).map(Done::Value),
            Object::Query(handle) => query::call(*handle, &mut call),
            Object::Row(names, values) => {
                row::call(&mut self.objects, names, values, &mut call).map(Done::Value)
            }
            Object::Progress(dict, text) => {
                query::progress_call(&self.objects, dict, text, &mut call).map(Done::Value)
            }
            Object::Na(frame) => {
                let made = match name {
                    "fill" => missing::fill(&mut self.analyzer, frame, &mut call)?,
                    "drop" => missing::drop(&mut self.analyzer, frame, &mut call)?,
                    other => return Err(Fault::refused(&format!("DataFrameNaFunctions.{other}"))),
                };
                Ok(Done::Value(self.objects.add(Object::Frame(made))))
            }
            Object::WindowSpec(partitions, orders) => {
                window::call(&mut self.objects, partitions, orders, &mut call).map(Done::Value)
            }
            Object::Type(_) | Object::Field(_) => {
                data_type::call(&mut self.objects, &object, receiver, &mut call).map(Done::Value)
            }
        }
    }

    // tidy: table
    fn session_call(&mut self, call: &mut Call<'_>) -> Result<Done, Fault> {
        let value = match call.method() {
            "read" => {
                let format = default_format(&self.analyzer);
                self.objects.add(Object::Reader(read::reader(false, format)))
            }
            "readStream" => {
                let format = default_format(&self.analyzer);
                self.objects.add(Object::Reader(read::reader(true, format)))
            }
            "conf" => self.objects.add(Object::Conf),
            "catalog" => self.objects.add(Object::Catalog),
            "streams" => self.objects.add(Object::Streams),
            "version" => Value::str("4.2.0"),
            "newSession" => session_handle(),
            "stop" => Value::None,
            "range" => {
                let [start, end, step, partitions] =
                    call.bind_required(1, ["start", "end", "step", "numPartitions"])?;
                let first = call.int("start", &start.unwrap_or(Value::None))?;
                let (start, end) = match end.filter(|v| !v.is_none()) {
                    Some(end) => (first, call.int("end", &end)?),
                    None => (0, first),
                };
                let step = match step.filter(|v| !v.is_none()) {
                    Some(step) => call.int("step", &step)?,
                    None => 1,
                };
                let partitions = partitions.and_then(|v| v.as_int()).and_then(|n| usize::try_from(n).ok());
                let made = self.analyzer.range(start, end, step, partitions)?;
                self.objects.add(Object::Frame(made))
            }
            "table" => {
                let [name] = call.bind_required(1, ["tableName"])?;
                let mut spec = read::reader(false, default_format(&self.analyzer));
                spec.table = Some(call.text("tableName", &name.unwrap_or(Value::None))?);
                return Ok(Done::Table(spec));
            }
            "sql" => {
                let [text, _] = call.bind_required(1, ["sqlQuery", "args"])?;
                let text = call.text("sqlQuery", &text.unwrap_or(Value::None))?;
                if let Some(asked) = delta_table::described(&text) {
                    return Ok(asked);
                }
                let wanted = self.analyzer.relations_of(&text)?.into();
                return self.sql(text, Relations::new(), wanted);
            }
            "createDataFrame" => self.create_data_frame(call)?,
            other => return Err(Fault::refused(&format!("SparkSession.{other}"))),
        };
        Ok(Done::Value(value))
    }

    fn catalog_call(&mut self, call: &mut Call<'_>) -> Result<Done, Fault> {
        let value = match call.method() {
            "dropTempView" => {
                let [name] = call.bind_required(1, ["viewName"])?;
                let name = call.text("viewName", &name.unwrap_or(Value::None))?;
                Value::Bool(self.analyzer.drop_view(&name))
            }
            "tableExists" => {
                let [name, _] = call.bind_required(1, ["tableName", "dbName"])?;
                let name = call.text("tableName", &name.unwrap_or(Value::None))?;
                if self.analyzer.view(&name)?.is_none() {
                    let mut spec = read::reader(false, default_format(&self.analyzer));
                    spec.table = Some(name);
                    return Ok(Done::Ask(Question::Resolve(spec), Pending::TableExists));
                }
                Value::Bool(true)
            }
            "currentDatabase" => Value::str("default"),
            "clearCache" => Value::None,
            other => return Err(Fault::refused(&format!("Catalog.{other}"))),
        };
        Ok(Done::Value(value))
    }

    fn create_data_frame(&mut self, call: &mut Call<'_>) -> Result<Value, Fault> {
        let [data, schema, _, _] =
            call.bind_required(1, ["data", "schema", "samplingRatio", "verifySchema"])?;
        let data = data.unwrap_or(Value::None);
        let Some(rows) = call.items(&data) else {
            return Err(Fault::type_error(format!(
                "data should be a list of rows, got {}",
                call.machine.type_name(&data)
            )));
        };
        let (mut declared, mut names) = (None, None);
        if let Some(schema) = schema.filter(|v| !v.is_none()) {
            match call.machine.view(&schema) {
                View::List(items) | View::Tuple(items) => {
                    names =
                        Some(items.iter().map(|v| call.text("schema", v)).collect::<Result<Vec<_>, _>>()?);
                }
                _ => declared = Some(data_type::schema(&self.objects, call, &schema)?),
            }
        }
        let batch = local::batch(call.machine, &self.objects, &rows, declared, names)?;
        let schema = batch.schema().as_ref().clone();
        let partitions = spread_over_tasks(&batch, self.parallelism());
        let made = self.analyzer.local(partitions, &schema);
        Ok(self.objects.add(Object::Frame(made)))
    }

    fn parallelism(&self) -> usize {
        self.conf.get("spark.default.parallelism").and_then(|n| n.parse().ok()).unwrap_or(2).max(1)
    }

    fn table(&mut self, spec: ReadSpec) -> Result<Done, Fault> {
        let name = spec.table.clone().unwrap_or_default();
        match self.analyzer.view(&name)? {
            Some(view) => Ok(Done::Value(self.objects.add(Object::Frame(view)))),
            None => Ok(Done::Ask(Question::Resolve(spec.clone()), Pending::Relation(spec))),
        }
    }

    /// What a name of a SQL text reads: a path behind the name of its format, else a table.
    fn named_relation(&self, parts: &[String]) -> ReadSpec {
        let mut spec = read::reader(false, default_format(&self.analyzer));
        match parts {
            [format, path] if !path.is_empty() && is_format(format) => {
                spec.format = format.to_lowercase();
                spec.paths = vec![path.clone()];
            }
            parts => spec.table = Some(parts.join(".")),
        }
        spec
    }

    fn sql(&mut self, text: String, found: Relations, wanted: VecDeque<Vec<String>>) -> Result<Done, Fault> {
        let Some(next) = wanted.front() else {
            let made = self.analyzer.sql(&text, &found)?;
            return Ok(Done::Value(self.objects.add(Object::Frame(made))));
        };
        let spec = self.named_relation(next);
        let pending = Pending::Sql { text, found, wanted };
        Ok(Done::Ask(Question::Resolve(spec), pending))
    }

    // tidy: table
    fn finish(&mut self, machine: &mut Machine, pending: Pending, answer: Answer) -> Result<Done, Fault> {
        let value = match (pending, answer) {
            (Pending::Relation(mut spec), Answer::Schema(schema, listing)) => {
                spec.listing = listing;
                let made = self.analyzer.relation(spec, &schema);
                self.objects.add(Object::Frame(made))
            }
            (Pending::Sql { text, mut found, mut wanted }, Answer::Schema(schema, listing)) => {
                if let Some(parts) = wanted.pop_front() {
                    let mut spec = self.named_relation(&parts);
                    spec.listing = listing;
                    found.insert(parts, self.analyzer.relation(spec, &schema));
                }
                return self.sql(text, found, wanted);
            }
            (Pending::Rows, Answer::Rows(batches)) => {
                let rows = self.rows(machine, &batches);
                machine.new_list(rows)
            }
            (Pending::Tail(n), Answer::Rows(batches)) => {
                let mut rows = self.rows(machine, &batches);
                let from = rows.len().saturating_sub(n);
                machine.new_list(rows.split_off(from))
            }
            (Pending::First, Answer::Rows(batches)) => {
                self.rows(machine, &batches).into_iter().next().unwrap_or(Value::None)
            }
            (Pending::Count, Answer::Rows(batches)) => count_of(&batches),
            (Pending::TableExists | Pending::IsDeltaTable, Answer::Schema(..)) => Value::Bool(true),
            (Pending::DeltaTable(spec, _), Answer::Schema(schema, _)) => {
                let frame = self.analyzer.relation(spec, &schema);
                delta_table::found(&mut self.objects, frame)
            }
            (Pending::Empty, Answer::Rows(batches)) => Value::Bool(batches.iter().all(|b| b.rows() == 0)),
            (Pending::Show(show), Answer::Rows(batches)) => {
                let zone = self
                    .conf
                    .get("spark.sql.session.timeZone")
                    .and_then(|z| Zone::parse(&z))
                    .unwrap_or(Zone::UTC);
                return Ok(Done::Print(shown(&show, &batches, zone)));
            }
            (Pending::Started, Answer::Started(handle)) => self.objects.add(Object::Query(handle)),
            (Pending::QueryField(name), Answer::Query(info)) => {
                return self.query_field(machine, &info, &name);
            }
            (Pending::Ended { timed }, Answer::Ended(ended)) => {
                if timed {
                    Value::Bool(ended)
                } else {
                    Value::None
                }
            }
            (Pending::Queries, Answer::Queries(handles)) => {
                let queries = handles.into_iter().map(|h| self.objects.add(Object::Query(h))).collect();
                machine.new_list(queries)
            }
            (Pending::FoundQuery, Answer::Queries(handles)) => match handles.first() {
                Some(handle) => self.objects.add(Object::Query(*handle)),
                None => Value::None,
            },
            _ => Value::None,
        };
        Ok(Done::Value(value))
    }

    fn query_field(&mut self, machine: &mut Machine, info: &QueryInfo, name: &str) -> Result<Done, Fault> {
        match query::field(machine, &mut self.objects, info, name) {
            Ok(value) => Ok(Done::Value(value)),
            Err(text) => Ok(Done::Print(text)),
        }
    }

    fn rows(&mut self, machine: &mut Machine, batches: &[Batch]) -> Vec<Value> {
        batches.iter().flat_map(|batch| cell::rows(machine, &mut self.objects, batch)).collect()
    }

    /// The handle of a query as Python sees it: for a harness.
    pub fn query_value(&mut self, handle: QueryHandle) -> Value {
        self.objects.add(Object::Query(handle))
    }
}

/// The number that `count` computes: the only cell there is.
fn count_of(batches: &[Batch]) -> Value {
    let cells = batches.iter().filter(|batch| batch.rows() > 0);
    Value::Int(cells.map(|batch| batch.column(0).as_primitive::<Int64Type>().value(0)).sum())
}

fn is_format(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "delta" | "json" | "parquet" | "text" | "csv" | "orc")
}

fn shown(show: &Show, batches: &[Batch], zone: Zone) -> String {
    let Some(first) = batches.first() else { return String::new() };
    let schema = first.schema().clone();
    let options = ShowOptions { rows: show.rows, truncate: show.truncate, vertical: show.vertical, zone };
    // PySpark prints the table with a line end of its own.
    format!("{}\n", show_text(&schema.names(), batches, options))
}

/// Rows over tasks as `parallelize` slices them: equal runs.
fn spread_over_tasks(batch: &Batch, tasks: usize) -> Vec<Batch> {
    let rows = batch.rows();
    (0..tasks)
        .map(|at| {
            let (from, to) = (at * rows / tasks, (at + 1) * rows / tasks);
            batch.slice(from, to - from)
        })
        .collect()
}
