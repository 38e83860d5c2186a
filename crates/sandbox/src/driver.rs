//! The driver: one run of a script, with its session and its queries. A crash drops it whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_connectors::Formats;
use tidemark_engine::batch::{ExecContext, computed_partitions, execute, local_runs};
use tidemark_engine::stream::{Question as Asked, Step};
use tidemark_engine::{Connectors as _, Error};
use tidemark_plan::{Plan, ReadSpec, WriteSpec};
use tidemark_pyspark::{Answer, Conf, QueryHandle, QueryRequest, Question, Reply, Session};
use tidemark_python::{
    HostCall, Machine, Printed, Program, PyException, Stop, SyntaxError, SystemCall, Target, Traceback, Value,
};
use tidemark_trace::{Fact, Phase, ScriptFact};
use tidemark_types::{Batch, ErrorClass, SimTime, SparkError};
use tidemark_world::World;

use crate::harness::Harness;
use crate::query::Queries;
use crate::record::Recorder;
use crate::settings::SessionSettings;
use crate::system::{self, Refused};

/// Limits of one run.
pub struct Limits;

impl Limits {
    /// Instructions of Python in one slice.
    pub const FUEL: u64 = 20_000;
    /// Rows that `collect()` may bring to the script.
    pub const COLLECT_ROWS_MAX: usize = 5_000_000;
}

/// What one tick of the driver did.
#[derive(Clone, Debug)]
pub enum Tick {
    /// Python ran, or something was answered: nothing to show.
    Quiet,
    /// A query did something durable or visible.
    Did {
        /// The query.
        query: QueryHandle,
        /// Its batch, `None` while it starts.
        batch: Option<i64>,
        /// The phase.
        phase: Phase,
        /// The sentence.
        sentence: String,
    },
    /// A query found nothing to do in this trigger.
    Idle {
        /// The query.
        query: QueryHandle,
    },
    /// A query has ended.
    QueryEnded {
        /// The query.
        query: QueryHandle,
        /// The sentence.
        sentence: String,
    },
    /// The driver rests, and why.
    Rest(Rest),
}

/// Why a driver rests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// The script and all its queries are over.
    Ended,
    /// The script ended with an error.
    Failed,
    /// A query waits for data or for the clock: the learner drives.
    Parked,
}

/// What the script waits for.
#[derive(Clone, Debug)]
enum Wait {
    /// The end of a query, until a time if given.
    Termination(QueryHandle, Option<SimTime>),
    /// A trigger of a query that finds nothing: the count of such triggers when the script began to wait.
    Processed(QueryHandle, u64),
    /// A time.
    Sleep(SimTime),
    /// The end of any query, or a time.
    AnyTermination(Option<SimTime>),
}

/// A call of the script's own function on top of what it waits for.
#[derive(Clone, Debug)]
enum Nested {
    /// `foreachBatch`: the query, how often the rows have been computed, and how many of their partitions.
    ForeachBatch(QueryHandle, u64, usize),
    /// A function whose result is the answer.
    Answer,
}

/// One run of a script.
#[derive(Clone, Debug)]
pub struct Driver {
    machine: Machine,
    session: Session,
    pub(crate) queries: Queries,
    waits: Vec<Wait>,
    nested: Vec<Nested>,
    pub(crate) is_over: bool,
    pub(crate) error: Option<Box<Traceback>>,
    pub(crate) printed: Vec<Printed>,
    pub(crate) harness: Option<Harness>,
    next: usize,
    /// The query that the last tick has stepped.
    stepping: Option<QueryHandle>,
}

impl Driver {
    /// A driver at the start of a script.
    ///
    /// Errors: all that is wrong with the text, with its places.
    pub fn new(world: &mut World, name: &str, text: &str, conf: Conf) -> Result<Driver, Vec<SyntaxError>> {
        Self::with_harness(world, name, text, conf, None)
    }

    pub(crate) fn with_harness(
        world: &mut World,
        name: &str,
        text: &str,
        conf: Conf,
        harness: Option<Harness>,
    ) -> Result<Driver, Vec<SyntaxError>> {
        let program = Program::compile(text, name)?;
        let session = Session::new(conf);
        let mut machine = Machine::new(&program, session.host());
        machine.set_global("spark", session.spark());
        if let Some(harness) = &harness {
            harness.install(&mut machine);
        }
        world.emit(Fact::Script(ScriptFact::Started { name: name.to_owned() }));
        Ok(Driver {
            machine,
            session,
            queries: Queries::default(),
            waits: Vec::new(),
            nested: Vec::new(),
            is_over: false,
            error: None,
            printed: Vec::new(),
            harness,
            next: 0,
            stepping: None,
        })
    }

    /// The line at which the script stands.
    pub fn line(&self) -> Option<u32> {
        self.machine.current_line()
    }

    /// Whether the script stands in a wait for a query.
    pub fn is_waiting(&self) -> bool {
        !self.waits.is_empty() && self.nested.is_empty()
    }

    /// What the script printed so far.
    pub fn printed(&self) -> &[Printed] {
        &self.printed
    }

    /// The error that ended the script.
    pub fn error(&self) -> Option<&Traceback> {
        self.error.as_deref()
    }

    /// The settings of the session.
    pub fn session(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Does the next thing: a slice of Python, or one step of a query.
    ///
    /// Errors: the driver has been stopped; drop it.
    pub fn tick(&mut self, world: &mut World) -> Result<Tick, Error> {
        self.stepping = None;
        let tick = if self.nested.is_empty() && (self.is_over || !self.waits.is_empty()) {
            self.tick_queries(world)
        } else {
            self.tick_script(world)
        };
        self.collect_output();
        tick
    }

    /// Runs one trigger of a query that waits: moves the clock to the time when it is due.
    pub fn make_due(&mut self, world: &mut World, query: QueryHandle) {
        if let Some(due) = self.queries.get(query).and_then(|q| q.execution.next_due())
            && due > world.now()
        {
            world.advance(tidemark_types::Millis(due.0 - world.now().0));
        }
    }

    /// Stops a query from outside, as Ctrl-C on `awaitTermination` does not: as `query.stop()` in another cell does.
    pub fn stop_query(&mut self, world: &mut World, query: QueryHandle) -> Result<(), Error> {
        self.queries.stop(world, query)
    }

    /// The query of this name or id, or the only active one.
    pub fn find_query(&self, name: Option<&str>) -> Option<QueryHandle> {
        self.queries.find(name)
    }

    /// The queries that run.
    pub fn active_queries(&self) -> Vec<QueryHandle> {
        self.queries.active()
    }

    /// The query that the last tick worked for: the one that it stepped, or whose function it ran.
    pub(crate) fn at_work(&self) -> Option<QueryHandle> {
        self.in_function().map(|(handle, _)| handle).or(self.stepping)
    }

    /// The query whose function of `foreachBatch` runs, and the batch that it was given.
    pub(crate) fn in_function(&self) -> Option<(QueryHandle, i64)> {
        self.nested.iter().rev().find_map(|nested| match nested {
            Nested::ForeachBatch(handle, ..) => {
                Some((*handle, self.queries.get(*handle)?.execution.batch_id().0))
            }
            Nested::Answer => None,
        })
    }

    fn collect_output(&mut self) {
        self.printed.extend(self.machine.take_stdout());
        let text = self.session.take_printed() + &self.queries.take_output();
        if !text.is_empty() {
            let line = self.machine.current_line().unwrap_or(0);
            self.printed.push(Printed { text, line, error: false });
        }
    }

    // ---- the script

    fn tick_script(&mut self, world: &mut World) -> Result<Tick, Error> {
        match self.machine.run(Limits::FUEL) {
            Stop::OutOfFuel => {}
            Stop::Finished => {
                self.is_over = true;
                world.emit(Fact::Script(ScriptFact::Ended));
            }
            Stop::Ask(call) => {
                self.collect_output();
                self.handle(world, call)?;
            }
            Stop::System(call) => self.system(world, &call)?,
            Stop::Returned(value) => self.returned(world, value),
            Stop::Raised(traceback) => return Ok(self.raised(world, traceback)),
        }
        Ok(Tick::Quiet)
    }

    fn handle(&mut self, world: &mut World, call: HostCall) -> Result<(), Error> {
        if let Target::Function { module, name } = &call.target
            && module == Harness::MODULE
        {
            let name = name.clone();
            return self.handle_harness(world, &name, call.args, call.kwargs);
        }
        let reply = self.session.handle(&mut self.machine, call);
        self.settle(world, reply)
    }

    fn handle_harness(
        &mut self,
        world: &mut World,
        name: &str,
        args: Vec<Value>,
        kwargs: Vec<(String, Value)>,
    ) -> Result<(), Error> {
        let Some(mut harness) = self.harness.take() else { return Ok(()) };
        let mut collected = Vec::new();
        for frame in harness.frames(&args, &self.session) {
            match self.collect(world, &frame) {
                Err(Error::Crashed(place)) => return Err(Error::Crashed(place)),
                rows => collected.push(rows),
            }
        }
        let script = (&mut self.machine, &mut self.session);
        let answer = harness.call(world, script, name, (&args, &kwargs), collected);
        self.harness = Some(harness);
        self.machine.answer(answer);
        Ok(())
    }

    /// What turns this run's values into stable JSON.
    pub(crate) fn recorder<'a>(&'a self, harness: &Harness, now: SimTime) -> Recorder<'a> {
        Recorder { machine: &self.machine, session: &self.session, is_delta: harness.is_delta(), now }
    }

    fn settle(&mut self, world: &mut World, reply: Reply) -> Result<(), Error> {
        let mut reply = reply;
        loop {
            match reply {
                Reply::Answer(answer) => {
                    self.machine.answer(answer);
                    return Ok(());
                }
                Reply::CallBack(function, args) => {
                    self.nested.push(Nested::Answer);
                    self.machine.call(&function, args, Vec::new());
                    return Ok(());
                }
                Reply::Ask(question) => match self.answer(world, question)? {
                    Some(answer) => reply = self.session.resume(&mut self.machine, answer),
                    None => return Ok(()),
                },
            }
        }
    }

    /// Answers a question at once, or notes that the script waits.
    fn answer(&mut self, world: &mut World, question: Question) -> Result<Option<Answer>, Error> {
        let outcome = match question {
            Question::Resolve(spec) => self.resolve(world, &spec),
            Question::Collect(plan) => {
                self.count_action(world, &plan);
                self.collect(world, &plan).map(Answer::Rows)
            }
            Question::Write(plan, spec) => {
                self.count_action(world, &plan);
                self.write(world, &plan, &spec).map(|()| Answer::Done)
            }
            Question::Start { plan, spec, function } => {
                let is_memory = spec.format == "memory";
                let started = self.queries.start(world, plan, spec, function, self.session.conf());
                if let (true, Ok(handle)) = (is_memory, &started)
                    && let Some(running) = self.queries.get(*handle)
                    && let Some(name) = running.execution.name()
                {
                    let (name, schema) = (name.to_owned(), running.execution.schema().clone());
                    self.session.create_memory_view(&name, &schema);
                }
                started.map(Answer::Started)
            }
            Question::Query(handle, request) => return self.ask_query(world, handle, request),
            Question::ActiveQueries => Ok(Answer::Queries(self.queries.active())),
            Question::FindQuery(id) => {
                let active = self.queries.active();
                Ok(Answer::Queries(active.into_iter().filter(|h| self.queries.info(*h).id == id).collect()))
            }
            Question::AwaitAny(millis) => {
                let until = millis.map(|m| SimTime(world.now().0 + m));
                self.waits.push(Wait::AnyTermination(until));
                return Ok(None);
            }
        };
        match outcome {
            Ok(answer) => Ok(Some(answer)),
            Err(Error::Spark(error)) => Ok(Some(Answer::Failed(error))),
            Err(crash) => Err(crash),
        }
    }

    fn ask_query(
        &mut self,
        world: &mut World,
        handle: QueryHandle,
        request: QueryRequest,
    ) -> Result<Option<Answer>, Error> {
        match request {
            QueryRequest::Look => Ok(Some(Answer::Query(Box::new(self.queries.info(handle))))),
            QueryRequest::Stop => {
                self.queries.stop(world, handle)?;
                Ok(Some(Answer::Done))
            }
            QueryRequest::AwaitTermination(millis) => {
                let until = millis.map(|m| SimTime(world.now().0 + m));
                self.waits.push(Wait::Termination(handle, until));
                Ok(None)
            }
            QueryRequest::ProcessAllAvailable => {
                let idle = self.queries.get(handle).map_or(0, |q| q.execution.idle_triggers());
                self.waits.push(Wait::Processed(handle, idle));
                Ok(None)
            }
        }
    }

    fn count_action(&mut self, world: &mut World, plan: &Plan) {
        if let Some(Nested::ForeachBatch(_, actions, partitions)) =
            self.nested.iter_mut().rev().find(|n| matches!(n, Nested::ForeachBatch(..)))
        {
            let runs = local_runs(plan, self.session.cached());
            *actions += runs;
            if runs > 0 {
                let settings = SessionSettings(self.session.conf());
                let mut context = ExecContext { world, settings: &settings, connectors: &Formats };
                // A plan that fails says so when its rows are asked for.
                *partitions = computed_partitions(plan, &mut context).unwrap_or(0).max(*partitions);
            }
        }
    }

    fn resolve(&mut self, world: &mut World, spec: &ReadSpec) -> Result<Answer, Error> {
        let settings = SessionSettings(self.session.conf());
        let schema = Formats.resolve(world, &settings, spec)?;
        let listing = Formats.list(world, &settings, spec)?;
        Ok(Answer::Schema(schema, listing))
    }

    /// The rows of a batch plan, task by task.
    pub(crate) fn collect(&self, world: &mut World, plan: &Plan) -> Result<Vec<Batch>, Error> {
        refuse_streaming(plan)?;
        let plan = self.with_memory_tables(plan);
        let mut context =
            ExecContext { world, settings: &SessionSettings(self.session.conf()), connectors: &Formats };
        let partitions = execute(&plan, &mut context)?;
        let schema = Arc::new(tidemark_plan::Attribute::schema(&plan.output()));
        let batches: Vec<Batch> = partitions.into_iter().flatten().collect();
        let rows: usize = batches.iter().map(Batch::rows).sum();
        if rows > Limits::COLLECT_ROWS_MAX {
            let text = format!(
                "{rows} rows are too many for one result here: the limit is {}. Aggregate or filter first",
                Limits::COLLECT_ROWS_MAX
            );
            return Err(SparkError::plain(ErrorClass::Spark, text).into());
        }
        Ok(if batches.is_empty() { vec![Batch::empty(schema)] } else { batches })
    }

    fn write(&mut self, world: &mut World, plan: &Plan, spec: &WriteSpec) -> Result<(), Error> {
        refuse_streaming(plan)?;
        let plan = self.with_memory_tables(plan);
        let settings = SessionSettings(self.session.conf());
        let mut context = ExecContext { world, settings: &settings, connectors: &Formats };
        let partitions = execute(&plan, &mut context)?;
        let schema = Arc::new(tidemark_plan::Attribute::schema(&plan.output()));
        let mut tasks = Vec::with_capacity(partitions.len());
        for partition in partitions {
            tasks.push(
                Batch::concat(&schema, &partition)
                    .map_err(|error| Error::from(SparkError::plain(ErrorClass::Spark, error.to_string())))?,
            );
        }
        Formats.write(world, &settings, spec, &schema, &tasks)
    }

    /// The same plan with the rows of memory sinks in place of their names.
    fn with_memory_tables(&self, plan: &Plan) -> Plan {
        if let Plan::Relation { spec, output, .. } = plan
            && spec.format == "memory"
            && let Some(name) = &spec.table
        {
            let schema = Arc::new(tidemark_plan::Attribute::schema(output));
            let rows = self.queries.memory(name).unwrap_or_else(|| Batch::empty(schema));
            return Plan::Local { partitions: Arc::new(vec![rows]), output: output.clone() };
        }
        plan.map_children(&mut |child| self.with_memory_tables(child))
    }

    fn system(&mut self, world: &mut World, call: &SystemCall) -> Result<(), Error> {
        if let SystemCall::Sleep { micros } = call {
            let until = SimTime(world.now().0 + i64::try_from(*micros / 1000).unwrap_or(0));
            self.waits.push(Wait::Sleep(until));
            return Ok(());
        }
        match system::answer(world, call) {
            Ok(reply) => self.machine.answer_system(Ok(reply)),
            Err(Refused::System(error)) => self.machine.answer_system(Err(error)),
            Err(Refused::Crashed(place)) => return Err(Error::Crashed(place)),
        }
        Ok(())
    }

    fn returned(&mut self, world: &mut World, value: Value) {
        match self.nested.pop() {
            Some(Nested::ForeachBatch(handle, actions, partitions)) => {
                if let Some(running) = self.queries.get_mut(handle) {
                    running.execution.note_computed(partitions);
                    running.execution.answer_foreach_batch(world, actions, Ok(()));
                }
            }
            Some(Nested::Answer) => self.machine.answer(Ok(value)),
            None => {}
        }
    }

    fn raised(&mut self, world: &mut World, traceback: Traceback) -> Tick {
        match self.nested.pop() {
            Some(Nested::ForeachBatch(handle, actions, _)) => {
                let reason = format!(
                    "An exception was raised by the Python Proxy. Return Message: {}\n",
                    traceback.text.trim_end()
                );
                let error = SparkError::new(
                    ErrorClass::Spark,
                    "FOREACH_BATCH_USER_FUNCTION_ERROR",
                    "39000",
                    format!(
                        "An error occurred in the user provided function in foreach batch sink. Reason: {reason}"
                    ),
                )
                .with_parameter("reason", reason);
                if let Some(running) = self.queries.get_mut(handle) {
                    running.execution.answer_foreach_batch(world, actions, Err(error));
                }
                Tick::Quiet
            }
            Some(Nested::Answer) => {
                self.machine.answer(Err(PyException::new(&traceback.class, &traceback.message)));
                Tick::Quiet
            }
            None => {
                self.is_over = true;
                world.emit(Fact::Script(ScriptFact::Raised {
                    class: traceback.class.clone(),
                    message: traceback.message.lines().next().unwrap_or_default().to_owned(),
                    line: traceback.frames.last().map(|f| f.span.line),
                }));
                self.error = Some(Box::new(traceback));
                Tick::Rest(Rest::Failed)
            }
        }
    }

    // ---- the queries

    fn tick_queries(&mut self, world: &mut World) -> Result<Tick, Error> {
        if self.is_settled(world) {
            self.waits.pop().map_or(Ok(()), |wait| self.end_wait(world, &wait))?;
            return Ok(Tick::Quiet);
        }
        let active = self.queries.active();
        if active.is_empty() {
            return Ok(match self.waits.last() {
                Some(Wait::Sleep(until)) => {
                    advance_to(world, *until);
                    Tick::Quiet
                }
                Some(_) => Tick::Rest(Rest::Parked),
                None if self.error.is_some() => Tick::Rest(Rest::Failed),
                None => Tick::Rest(Rest::Ended),
            });
        }
        if self.error.is_some() {
            return Ok(Tick::Rest(Rest::Failed));
        }
        if active.iter().all(|h| self.queries.get(*h).is_some_and(|q| q.is_idle)) {
            return Ok(self.all_idle(world, &active));
        }
        self.next = (self.next + 1) % active.len();
        let handle = (0..active.len())
            .map(|at| active[(self.next + at) % active.len()])
            .find(|h| self.queries.get(*h).is_some_and(|q| !q.is_idle))
            .unwrap_or(active[0]);
        self.step_query(world, handle)
    }

    /// Nothing happens until the clock moves or data come.
    fn all_idle(&mut self, world: &mut World, active: &[QueryHandle]) -> Tick {
        let due = active.iter().filter_map(|h| self.queries.get(*h)?.execution.next_due()).min();
        let until = match self.waits.last() {
            Some(
                Wait::Sleep(until) | Wait::Termination(_, Some(until)) | Wait::AnyTermination(Some(until)),
            ) => Some(*until),
            _ => None,
        };
        match (until, due) {
            (Some(until), Some(due)) if due < until => advance_to(world, due),
            (Some(until), _) => {
                advance_to(world, until);
                return Tick::Quiet;
            }
            (None, _) => {
                if !matches!(self.waits.last(), Some(Wait::Processed(..))) {
                    return Tick::Rest(Rest::Parked);
                }
                if let Some(due) = due {
                    advance_to(world, due);
                }
            }
        }
        self.wake();
        Tick::Quiet
    }

    /// Lets the queries look again.
    pub fn wake(&mut self) {
        for handle in self.queries.active() {
            if let Some(running) = self.queries.get_mut(handle) {
                running.is_idle = false;
            }
        }
    }

    /// Lets one query look again.
    pub fn wake_query(&mut self, handle: QueryHandle) {
        if let Some(running) = self.queries.get_mut(handle) {
            running.is_idle = false;
        }
    }

    fn step_query(&mut self, world: &mut World, handle: QueryHandle) -> Result<Tick, Error> {
        self.stepping = Some(handle);
        match self.queries.step(world, handle)? {
            Step::Did(did) => Ok(Tick::Did {
                query: handle,
                batch: did.batch.map(|b| b.0),
                phase: did.phase,
                sentence: did.sentence,
            }),
            Step::Idle => Ok(Tick::Idle { query: handle }),
            Step::Ended => {
                let sentence = match self.queries.get(handle).and_then(|q| q.execution.exception()) {
                    None => "The query has ended.".to_owned(),
                    Some(error) => {
                        format!("The query has failed: {}", error.message.lines().next().unwrap_or_default())
                    }
                };
                Ok(Tick::QueryEnded { query: handle, sentence })
            }
            Step::Ask(Asked::ForeachBatch { batch, partitions, schema }) => {
                // What was kept of an earlier batch says nothing about this one, and holds its rows.
                self.session.cached().clear();
                let frame = self.session.batch_frame(partitions, &schema);
                let function = self.queries.get(handle).and_then(|q| q.function.clone());
                self.nested.push(Nested::ForeachBatch(handle, 0, 0));
                world.faults().enter_function();
                self.machine.call(
                    &function.unwrap_or(Value::None),
                    vec![frame, Value::Int(batch.0)],
                    Vec::new(),
                );
                Ok(Tick::Quiet)
            }
        }
    }

    /// Whether what the script waits for has come.
    fn is_settled(&self, world: &World) -> bool {
        let active = |h: &QueryHandle| self.queries.get(*h).is_some_and(|q| q.execution.is_active());
        match self.waits.last() {
            None => false,
            Some(Wait::Termination(h, until)) => !active(h) || until.is_some_and(|t| world.now() >= t),
            Some(Wait::Processed(h, idle)) => {
                !active(h) || self.queries.get(*h).is_some_and(|q| q.execution.idle_triggers() > *idle)
            }
            Some(Wait::Sleep(until)) => world.now() >= *until,
            Some(Wait::AnyTermination(until)) => {
                self.queries.all().any(|(h, _)| !active(&h)) || until.is_some_and(|t| world.now() >= t)
            }
        }
    }

    fn end_wait(&mut self, world: &mut World, wait: &Wait) -> Result<(), Error> {
        let failure = |h: &QueryHandle| self.queries.get(*h).and_then(|q| q.execution.exception()).cloned();
        let answer = match wait {
            Wait::Sleep(_) => {
                self.machine.answer_system(Ok(tidemark_python::SystemReply::Done));
                return Ok(());
            }
            Wait::Termination(h, _) => match failure(h) {
                Some(error) => Answer::Failed(Box::new(error)),
                None => Answer::Ended(self.queries.get(*h).is_some_and(|q| !q.execution.is_active())),
            },
            Wait::Processed(h, _) => match failure(h) {
                Some(error) => Answer::Failed(Box::new(error)),
                None => Answer::Done,
            },
            Wait::AnyTermination(_) => {
                let failed = self.queries.all().find_map(|(h, _)| failure(&h));
                let ended = self.queries.all().any(|(_, q)| !q.execution.is_active());
                failed.map_or(Answer::Ended(ended), |error| Answer::Failed(Box::new(error)))
            }
        };
        let reply = self.session.resume(&mut self.machine, answer);
        self.settle(world, reply)
    }
}

fn advance_to(world: &mut World, time: SimTime) {
    if time > world.now() {
        world.advance(tidemark_types::Millis(time.0 - world.now().0));
    }
}

fn refuse_streaming(plan: &Plan) -> Result<(), Error> {
    if !plan.is_streaming() {
        return Ok(());
    }
    Err(SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_3102",
        "",
        "Queries with streaming sources must be executed with writeStream.start(), or from a streaming table or flow \
         definition within a Spark Declarative Pipeline.;",
    )
    .into())
}

/// Names of settings and their values, as a map.
pub(crate) fn conf_of(settings: &BTreeMap<String, String>) -> Conf {
    let mut conf = Conf::default();
    for (name, value) in settings {
        conf.set(name, value);
    }
    conf
}
