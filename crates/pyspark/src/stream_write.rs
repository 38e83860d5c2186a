//! `df.writeStream`: a specification that grows, and the `start` that asks for the query.

use tidemark_plan::builder::Frame;
use tidemark_plan::{OutputMode, SinkSpec, Trigger};
use tidemark_python::{Value, View};
use tidemark_types::{ErrorClass, SparkError};

use crate::call::Call;
use crate::fault::Fault;
use crate::object::{Object, Objects};
use crate::options;
use crate::question::Question;
use crate::session::{Done, Pending};

/// A fresh stream writer.
pub(crate) fn writer(default_format: String) -> SinkSpec {
    SinkSpec {
        format: default_format,
        path: None,
        table: None,
        query_name: None,
        output_mode: OutputMode::Append,
        trigger: Trigger::Default,
        options: std::collections::BTreeMap::new(),
        partition_by: Vec::new(),
    }
}

/// A call of a stream writer's method. A writer changes in place and returns itself.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    (frame, spec, function): (&Frame, &SinkSpec, &Option<Value>),
    handle: &Value,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let (mut spec, mut function) = (spec.clone(), function.clone());
    let method = call.method().to_owned();
    if options::common(&mut spec.format, &mut spec.options, call)? {
        objects.replace(handle, Object::StreamWriter(frame.clone(), spec, function));
        return Ok(Done::Value(handle.clone()));
    }
    match method.as_str() {
        "outputMode" => {
            let [mode] = call.bind_required(1, ["outputMode"])?;
            let mode = mode.unwrap_or(Value::None);
            spec.output_mode = output_mode(call, &mode)?;
        }
        "partitionBy" => {
            let names = call.spread();
            spec.partition_by = names.iter().map(|n| call.text("cols", n)).collect::<Result<_, _>>()?;
        }
        "queryName" => {
            let [name] = call.bind_required(1, ["queryName"])?;
            let name = name.unwrap_or(Value::None);
            spec.query_name = Some(non_empty(call, "queryName", &name)?);
        }
        "trigger" => spec.trigger = trigger(call)?,
        "foreachBatch" => {
            let [func] = call.bind_required(1, ["func"])?;
            spec.format = "foreachbatch".to_owned();
            if let Some(func) = &func {
                call.machine.keep(func);
            }
            function = func;
        }
        "start" | "toTable" => {
            let names = if method == "start" { "path" } else { "tableName" };
            let options: Vec<(String, Value)>;
            let known = [names, "format", "outputMode", "partitionBy", "queryName"];
            (call.kwargs, options) = std::mem::take(&mut call.kwargs)
                .into_iter()
                .partition(|(key, _)| known.contains(&key.as_str()));
            let [target, format, mode, partition_by, name] = call.bind(known)?;
            for (key, value) in options {
                options::set(&mut spec.options, call, &key, &value);
            }
            if let Some(format) = format.filter(|v| !v.is_none()) {
                spec.format = call.text("format", &format)?.to_lowercase();
            }
            if let Some(mode) = mode.filter(|v| !v.is_none()) {
                spec.output_mode = output_mode(call, &mode)?;
            }
            if let Some(names) = partition_by.filter(|v| !v.is_none()) {
                let names = call.items(&names).unwrap_or_else(|| vec![names.clone()]);
                spec.partition_by = names.iter().map(|n| call.text("cols", n)).collect::<Result<_, _>>()?;
            }
            if let Some(name) = spec.options.get("queryname") {
                spec.query_name = Some(name.clone());
            }
            if let Some(name) = name.filter(|v| !v.is_none()) {
                spec.query_name = Some(call.text("queryName", &name)?);
            }
            match target.filter(|v| !v.is_none()) {
                Some(target) if method == "start" => spec.path = Some(call.text("path", &target)?),
                Some(target) => spec.table = Some(call.text("tableName", &target)?),
                None => {}
            }
            let question = Question::Start { plan: frame.plan().clone(), spec, function };
            return Ok(Done::Ask(question, Pending::Started));
        }
        other => return Err(Fault::refused(&format!("DataStreamWriter.{other}"))),
    }
    objects.replace(handle, Object::StreamWriter(frame.clone(), spec, function));
    Ok(Done::Value(handle.clone()))
}

fn output_mode(call: &Call<'_>, value: &Value) -> Result<OutputMode, Fault> {
    let text = non_empty(call, "outputMode", value)?;
    match text.to_lowercase().as_str() {
        "append" => Ok(OutputMode::Append),
        "update" => Ok(OutputMode::Update),
        "complete" => Ok(OutputMode::Complete),
        _ => Err(SparkError::new(
            ErrorClass::IllegalArgument,
            "STREAMING_OUTPUT_MODE.INVALID",
            "42KDE",
            format!(
                "Invalid streaming output mode: {text}. Accepted output modes are 'Append', 'Complete', 'Update'."
            ),
        )
        .into()),
    }
}

fn non_empty(call: &Call<'_>, name: &str, value: &Value) -> Result<String, Fault> {
    match value {
        Value::Str(text) if !text.trim().is_empty() => Ok(text.to_string()),
        other => Err(Fault::pyspark_value(
            "VALUE_NOT_NON_EMPTY_STR",
            format!(
                "Value for `{name}` must be a non-empty string, got '{}'.",
                match other {
                    Value::Str(text) => text.to_string(),
                    other => call.machine.plain_repr(other),
                }
            ),
        )),
    }
}

/// `trigger(availableNow=True)`, `trigger(processingTime="5 seconds")`, `trigger(once=True)`.
fn trigger(call: &mut Call<'_>) -> Result<Trigger, Fault> {
    let names = ["processingTime", "once", "continuous", "availableNow", "realTime"];
    if !call.args.is_empty() {
        let given = call.args.len() + 1;
        return Err(Fault::type_error(format!(
            "{}() takes 1 positional argument but {given} were given",
            call.name
        )));
    }
    let given = call.bind(names)?;
    let set: Vec<usize> =
        (0..names.len()).filter(|at| given[*at].as_ref().is_some_and(|v| !v.is_none())).collect();
    let [only] = set.as_slice() else {
        return Err(Fault::pyspark_value(
            "ONLY_ALLOW_SINGLE_TRIGGER",
            "Only a single trigger is allowed.".to_owned(),
        ));
    };
    let value = given[*only].clone().unwrap_or(Value::None);
    match names[*only] {
        "processingTime" => {
            Ok(Trigger::ProcessingTime(interval_millis(&trigger_text(call, names[*only], &value)?)?))
        }
        flag @ ("once" | "availableNow") => {
            if !matches!(call.machine.view(&value), View::Bool(true)) {
                return Err(Fault::pyspark_value(
                    "VALUE_NOT_TRUE",
                    format!("Value for `{flag}` must be True, got '{}'.", call.machine.plain_repr(&value)),
                ));
            }
            Ok(if flag == "once" { Trigger::Once } else { Trigger::AvailableNow })
        }
        other => Err(Fault::Python(
            "NotImplementedError",
            format!(
                "trigger({other}=…) exists in Spark but not here. processingTime and availableNow do the same job in micro-batches"
            ),
        )),
    }
}

fn trigger_text(call: &Call<'_>, name: &str, value: &Value) -> Result<String, Fault> {
    Ok(non_empty(call, name, value)?.trim().to_owned())
}

/// Milliseconds of `5 seconds`, with Spark's errors.
fn interval_millis(text: &str) -> Result<i64, Fault> {
    tidemark_types::interval::trigger_millis(text).map_err(Fault::from)
}
