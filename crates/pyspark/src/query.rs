//! `StreamingQuery` and its progress: what the sandbox answers, as Python sees it.

use serde_json::Value as Json;
use tidemark_python::{Machine, Value};
use tidemark_types::SparkError;

use crate::call::Call;
use crate::fault::{Fault, spark_exception};
use crate::json_value::{dumps, to_python};
use crate::object::{Object, Objects};
use crate::question::{QueryHandle, QueryInfo, QueryRequest, Question};
use crate::session::{Done, Pending};

/// A call of a query's method or property.
// tidy: table
pub(crate) fn call(query: QueryHandle, call: &mut Call<'_>) -> Result<Done, Fault> {
    let ask = |request, pending| Ok(Done::Ask(Question::Query(query, request), pending));
    match call.method() {
        "id" | "runId" | "name" | "isActive" | "status" | "lastProgress" | "recentProgress" | "exception"
        | "explain" | "__repr__" => {
            let method = call.method().to_owned();
            ask(QueryRequest::Look, Pending::QueryField(method))
        }
        "awaitTermination" => {
            let [timeout] = call.bind(["timeout"])?;
            let millis = self::timeout(call, timeout)?;
            ask(QueryRequest::AwaitTermination(millis), Pending::Ended { timed: millis.is_some() })
        }
        "processAllAvailable" => ask(QueryRequest::ProcessAllAvailable, Pending::Nothing),
        "stop" => ask(QueryRequest::Stop, Pending::Nothing),
        other => Err(Fault::refused(&format!("StreamingQuery.{other}"))),
    }
}

/// A timeout in milliseconds, if one is given.
pub(crate) fn timeout(call: &Call<'_>, timeout: Option<Value>) -> Result<Option<i64>, Fault> {
    timeout.filter(|v| !v.is_none()).map(|value| timeout_millis(call, &value)).transpose()
}

fn timeout_millis(call: &Call<'_>, value: &Value) -> Result<i64, Fault> {
    let seconds = match value {
        Value::Int(i) => *i as f64,
        Value::Float(f) => *f,
        _ => 0.0,
    };
    if seconds <= 0.0 {
        return Err(Fault::pyspark_value(
            "VALUE_NOT_POSITIVE",
            format!("Value for `timeout` must be positive, got '{}'.", call.machine.plain_repr(value)),
        ));
    }
    Ok((seconds * 1000.0) as i64)
}

/// One field of a query's state as a Python value; `Err` holds text to print.
pub(crate) fn field(
    machine: &mut Machine,
    objects: &mut Objects,
    info: &QueryInfo,
    name: &str,
) -> Result<Value, String> {
    Ok(match name {
        "id" => Value::str(&info.id),
        "runId" => Value::str(&info.run_id),
        "name" => info.name.as_deref().map_or(Value::None, Value::str),
        "isActive" => Value::Bool(info.is_active),
        "status" => {
            let json: Json = serde_json::from_str(&info.status).unwrap_or(Json::Null);
            to_python(machine, &json)
        }
        "lastProgress" => match info.recent_progress.last() {
            Some(text) => progress(machine, objects, text),
            None => Value::None,
        },
        "recentProgress" => {
            let items = info.recent_progress.iter().map(|text| progress(machine, objects, text)).collect();
            machine.new_list(items)
        }
        "exception" => match &info.exception {
            Some(error) => machine.new_exception_value(spark_exception(&captured(error))),
            None => Value::None,
        },
        "explain" => return Err(format!("{}\n", info.explain)),
        _ => Value::from(format!("<pyspark.sql.streaming.query.StreamingQuery object at {}>", info.id)),
    })
}

/// What `exception()` returns: PySpark keeps the text of the cause, without the condition of the query.
///
/// An error of the function of `foreachBatch` stands for itself, not for what Spark wraps it in.
fn captured(error: &SparkError) -> SparkError {
    let Some(cause) = &error.cause else { return error.clone() };
    let text = match cause.condition.0.as_str() {
        "FOREACH_BATCH_USER_FUNCTION_ERROR" => {
            cause.message.split_once("Reason: ").map(|(_, reason)| reason.to_owned())
        }
        _ => None,
    };
    SparkError::plain(error.class, text.unwrap_or_else(|| cause.full_message()))
}

/// A `StreamingQueryProgress` from its JSON text.
pub(crate) fn progress(machine: &mut Machine, objects: &mut Objects, text: &str) -> Value {
    let json: Json = serde_json::from_str(text).unwrap_or(Json::Null);
    wrap(machine, objects, &json)
}

fn wrap(machine: &mut Machine, objects: &mut Objects, json: &Json) -> Value {
    let Json::Object(fields) = json else { return to_python(machine, json) };
    let mut items = Vec::new();
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("sources" | "stateOperators", Json::Array(parts)) => {
                let parts = parts.iter().map(|part| wrap(machine, objects, part)).collect();
                machine.new_list(parts)
            }
            ("sink", sink) => wrap(machine, objects, sink),
            // PySpark keeps the offsets of a source as texts.
            ("startOffset" | "endOffset" | "latestOffset", offset) => Value::str(&dumps(offset, false)),
            (_, other) => to_python(machine, other),
        };
        items.push((Value::str(key), value));
    }
    let dict = machine.new_dict(items);
    machine.keep(&dict);
    objects.add(Object::Progress(dict, json.to_string()))
}

/// A call of a progress's method, or one of its fields.
// tidy: table
pub(crate) fn progress_call(
    objects: &Objects,
    dict: &Value,
    text: &str,
    call: &mut Call<'_>,
) -> Result<Value, Fault> {
    let tidemark_python::View::Dict(items) = call.machine.view(dict) else {
        return Err(Fault::type_error("progress is not a dict"));
    };
    let find = |name: &Value| {
        let name = name.as_str().unwrap_or_default();
        items.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value.clone())
    };
    let field = |call: &mut Call<'_>, name: &Value| match find(name) {
        Some(value) => Ok(value),
        None if matches!(name.as_str(), Some("eventTime" | "observedMetrics")) => {
            Ok(call.machine.new_dict(Vec::new()))
        }
        None => {
            let name = name.as_str().unwrap_or_default();
            let text = format!("'StreamingQueryProgress' object has no attribute '{name}'");
            Err(Fault::Python("AttributeError", text))
        }
    };
    let first = call.args.first().cloned().unwrap_or(Value::None);
    let json = || serde_json::from_str::<Json>(text).unwrap_or(Json::Null);
    Ok(match call.method() {
        "__getitem__" => match find(&first) {
            Some(value) => value,
            None if matches!(first.as_str(), Some("eventTime" | "observedMetrics")) => {
                call.machine.new_dict(Vec::new())
            }
            None => {
                return Err(Fault::Python(
                    "KeyError",
                    call.machine.plain_repr(&first).trim_matches('\'').to_owned(),
                ));
            }
        },
        "__getattr__" => field(call, &first)?,
        "get" => {
            let default = call.args.get(1).cloned().unwrap_or(Value::None);
            find(&first).unwrap_or(default)
        }
        "__contains__" => Value::Bool(find(&first).is_some()),
        "keys" | "__iter__" => {
            let keys = items.iter().map(|(key, _)| key.clone()).collect();
            call.machine.new_list(keys)
        }
        "values" => {
            let values = items.iter().map(|(_, value)| value.clone()).collect();
            call.machine.new_list(values)
        }
        "items" => {
            let pairs = items.iter().map(|(k, v)| Value::tuple(vec![k.clone(), v.clone()])).collect();
            call.machine.new_list(pairs)
        }
        "__len__" => Value::Int(items.len() as i64),
        "__eq__" => {
            Value::Bool(matches!(objects.of(&first).as_deref(), Some(Object::Progress(_, t)) if t == text))
        }
        "json" => dumps(&json(), false).into(),
        "prettyJson" => dumps(&json(), true).into(),
        "__repr__" | "__str__" => call.machine.plain_repr(dict).into(),
        other => {
            let name = Value::str(other);
            field(call, &name)?
        }
    })
}
