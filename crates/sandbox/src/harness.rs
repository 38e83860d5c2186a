//! Conformance cases: a script with `put`, `show`, `ls` and `log`, and what it recorded.

mod delta_log;

use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tidemark_engine::Error;
use tidemark_plan::Plan;
use tidemark_pyspark::Session;
use tidemark_python::{HostFunction, Machine, PyException, Value, View};
use tidemark_types::{Batch, Millis, SimTime};
use tidemark_world::World;

use crate::driver::{Driver, Rest, Tick};
use crate::record::Recorder;

/// The time of the first `put` less one second: 2024-06-01T00:00:00Z.
const BASE_MILLIS: i64 = 1_717_200_000_000;
/// When a case begins: more than a day away from the data of every case.
const CASE_CLOCK: SimTime = SimTime(1_796_000_000_000);
/// How many ticks a case may take.
const TICKS_MAX: u64 = 20_000_000;

/// What the harness knows of a case on its way.
#[derive(Clone, Debug, Default)]
pub(crate) struct Harness {
    results: Vec<Json>,
    puts: i64,
    is_delta: bool,
    /// What answers a call: named only where a case runs, so that a program without cases carries nothing of it.
    answer: Option<Answer>,
}

/// One call of the harness's functions.
type Answer = fn(
    &mut Harness,
    &mut World,
    (&mut Machine, &mut Session),
    &str,
    (&[Value], &[(String, Value)]),
    Vec<Result<Vec<Batch>, Error>>,
) -> Result<Value, PyException>;

/// What a case gave.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOutcome {
    /// The recorded results: objects with `label` and `value`.
    pub results: Vec<Json>,
    /// The error that ended the script.
    pub uncaught: Option<Json>,
    /// What it printed, line by line.
    pub stdout: Vec<String>,
}

/// Runs a case to its end in a World of its own.
pub fn run_case(slug: &str, script: &str) -> CaseOutcome {
    let mut world = World::new("<cwd>", 0, CASE_CLOCK);
    let is_delta = slug.contains("delta-");
    let harness = Harness { is_delta, answer: Some(Harness::answered), ..Harness::default() };
    let text = format!("import pyspark.sql.functions as F\n{script}");
    let conf = tidemark_pyspark::Conf::default();
    let mut driver = match Driver::with_harness(&mut world, "script.py", &text, conf, Some(harness)) {
        Ok(driver) => driver,
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            let uncaught = json!({"error": "SyntaxError", "condition": null, "message": first});
            return CaseOutcome { results: Vec::new(), uncaught: Some(uncaught), stdout: Vec::new() };
        }
    };
    let end = drive(&mut driver, &mut world);
    driver.outcome(&world, end)
}

fn drive(driver: &mut Driver, world: &mut World) -> Result<Rest, String> {
    for _ in 0..TICKS_MAX {
        world.take_facts();
        world.take_changes();
        match driver.tick(world) {
            Ok(Tick::Rest(Rest::Parked)) if driver.is_over => return Ok(Rest::Ended),
            Ok(Tick::Rest(rest)) => return Ok(rest),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
        if driver.is_over && driver.error().is_none() {
            // A script's end ends its session: queries that still run go with it.
            return Ok(Rest::Ended);
        }
    }
    Err("the case does not come to an end".to_owned())
}

impl Driver {
    fn outcome(&self, world: &World, end: Result<Rest, String>) -> CaseOutcome {
        let harness = self.harness.clone().unwrap_or_default();
        let recorder = self.recorder(&harness, world.now());
        let uncaught = match (self.error(), end) {
            (Some(t), _) => Some(recorder.error(&t.exception, &t.class, &t.message)),
            (None, Ok(Rest::Ended)) => None,
            (None, Ok(rest)) => Some(
                json!({"error": "Stuck", "condition": null, "message": format!("the script rests: {rest:?}")}),
            ),
            (None, Err(message)) => Some(json!({"error": "Stuck", "condition": null, "message": message})),
        };
        let text: String = self.printed().iter().filter(|p| !p.error).map(|p| p.text.as_str()).collect();
        let stdout = text.lines().map(|line| recorder.text(line)).collect();
        CaseOutcome { results: harness.results, uncaught, stdout }
    }
}

impl Harness {
    /// The module of the harness's functions.
    pub(crate) const MODULE: &'static str = "tidemark.harness";

    /// Makes the functions names of the script.
    pub(crate) fn install(&self, machine: &mut Machine) {
        for name in ["put", "show", "ls", "log"] {
            if name == "log" && !self.is_delta {
                continue;
            }
            let function = HostFunction::Module { module: Self::MODULE.to_owned(), name: name.to_owned() };
            machine.set_global(name, Value::HostFunction(Rc::new(function)));
        }
    }

    /// The plans of the DataFrames among some arguments: they are collected before the call.
    pub(crate) fn frames(&self, args: &[Value], session: &Session) -> Vec<Arc<Plan>> {
        args.iter().filter_map(|value| session.frame_of(value)).map(|frame| frame.plan().clone()).collect()
    }

    /// One call.
    pub(crate) fn call(
        &mut self,
        world: &mut World,
        script: (&mut Machine, &mut Session),
        name: &str,
        given: (&[Value], &[(String, Value)]),
        collected: Vec<Result<Vec<Batch>, Error>>,
    ) -> Result<Value, PyException> {
        match self.answer {
            Some(answer) => answer(self, world, script, name, given, collected),
            None => Err(PyException::new("NameError", &format!("name '{name}' is not defined"))),
        }
    }

    fn answered(
        &mut self,
        world: &mut World,
        (machine, session): (&mut Machine, &mut Session),
        name: &str,
        (args, kwargs): (&[Value], &[(String, Value)]),
        collected: Vec<Result<Vec<Batch>, Error>>,
    ) -> Result<Value, PyException> {
        match (name, args) {
            ("put", [path, text]) => self.put(world, machine, path, text),
            ("ls", [path]) => {
                let path = world.resolve(path.as_str().unwrap_or_default());
                let names: Vec<Value> = world
                    .peek_list(&path)
                    .iter()
                    .filter(|meta| !meta.path.ends_with(".crc"))
                    .map(|meta| meta.path[path.len()..].trim_start_matches('/').to_owned())
                    .map(|name| Value::from(self.recorder_text(machine, session, world, &name)))
                    .collect();
                Ok(machine.new_list(names))
            }
            ("log", [path]) => {
                let files = kwargs.iter().any(|(k, v)| k == "files" && matches!(v, Value::Bool(true)));
                let recorder = Recorder { machine, session, is_delta: self.is_delta, now: world.now() };
                let commits = delta_log::read(world, &recorder, path.as_str().unwrap_or_default(), files)
                    .map_err(|message| PyException::new("FileNotFoundError", &message))?;
                Ok(from_json(machine, &Json::Array(commits)))
            }
            ("show", [label, value]) => {
                let value = match collected.into_iter().next() {
                    Some(Ok(batches)) => {
                        let columns = batches
                            .first()
                            .map(|b| b.schema().names().iter().map(|n| (*n).to_owned()).collect())
                            .unwrap_or_default();
                        let rows = session.rows_of(machine, &batches);
                        let recorder =
                            Recorder { machine, session, is_delta: self.is_delta, now: world.now() };
                        recorder.rows(columns, &rows)
                    }
                    Some(Err(Error::Spark(error))) => return Err(Session::exception_of(&error)),
                    Some(Err(crash)) => return Err(PyException::new("RuntimeError", &crash.to_string())),
                    None => {
                        let recorder =
                            Recorder { machine, session, is_delta: self.is_delta, now: world.now() };
                        recorder.value(value)
                    }
                };
                let label = match machine.view(label) {
                    View::Str(text) => Json::String(text.to_string()),
                    _ => Json::String(machine.plain_repr(label)),
                };
                self.results.push(json!({"label": label, "value": value}));
                Ok(Value::None)
            }
            _ => Err(PyException::new("TypeError", &format!("{name}() got other arguments than it takes"))),
        }
    }

    fn put(
        &mut self,
        world: &mut World,
        machine: &Machine,
        path: &Value,
        text: &Value,
    ) -> Result<Value, PyException> {
        self.puts += 1;
        let bytes = match machine.view(text) {
            View::Str(text) => text.as_bytes().to_vec(),
            View::Bytes(bytes) => bytes,
            _ => return Err(PyException::new("TypeError", "put() wants a text or bytes")),
        };
        let path = world.resolve(path.as_str().unwrap_or_default());
        world.advance(Millis(1));
        world.drop_file(&path, bytes, SimTime(BASE_MILLIS + self.puts * 1000));
        Ok(Value::None)
    }

    fn recorder_text(&self, machine: &Machine, session: &Session, world: &World, text: &str) -> String {
        Recorder { machine, session, is_delta: self.is_delta, now: world.now() }.text(text)
    }

    /// Whether the case uses Delta.
    pub(crate) fn is_delta(&self) -> bool {
        self.is_delta
    }
}

/// The Python value of plain JSON.
fn from_json(machine: &mut Machine, json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => {
            n.as_i64().map_or_else(|| Value::Float(n.as_f64().unwrap_or(f64::NAN)), Value::Int)
        }
        Json::String(s) => Value::str(s),
        Json::Array(items) => {
            let items = items.iter().map(|item| from_json(machine, item)).collect();
            machine.new_list(items)
        }
        Json::Object(fields) => {
            let items = fields.iter().map(|(k, v)| (Value::str(k), from_json(machine, v))).collect();
            machine.new_dict(items)
        }
    }
}
