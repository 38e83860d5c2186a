//! `df.write`: a specification that grows, and the `save` that asks for it to be carried out.

use tidemark_plan::builder::Frame;
use tidemark_plan::{SaveMode, WriteSpec};
use tidemark_python::Value;
use tidemark_types::{ErrorClass, SparkError};

use crate::call::Call;
use crate::fault::Fault;
use crate::object::{Object, Objects};
use crate::options;
use crate::question::Question;
use crate::session::{Done, Pending};

/// A fresh writer.
pub(crate) fn writer(default_format: String) -> WriteSpec {
    WriteSpec {
        format: default_format,
        path: None,
        table: None,
        mode: SaveMode::ErrorIfExists,
        options: std::collections::BTreeMap::new(),
        partition_by: Vec::new(),
    }
}

/// A call of a writer's method. A writer changes in place and returns itself.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    frame: &Frame,
    spec: &WriteSpec,
    handle: &Value,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let mut spec = spec.clone();
    let method = call.method().to_owned();
    if options::common(&mut spec.format, &mut spec.options, call)? {
        objects.replace(handle, Object::Writer(frame.clone(), spec));
        return Ok(Done::Value(handle.clone()));
    }
    match method.as_str() {
        "mode" => {
            let [mode] = call.bind_required(1, ["saveMode"])?;
            spec.mode = save_mode(&call.text("saveMode", &mode.unwrap_or(Value::None))?)?;
        }
        "partitionBy" => {
            let names = call.spread();
            spec.partition_by = names.iter().map(|n| call.text("cols", n)).collect::<Result<_, _>>()?;
        }
        "save" | "json" | "text" | "csv" | "parquet" | "orc" | "saveAsTable" | "insertInto" => {
            let mut first = if call.args.is_empty() { None } else { Some(call.args.remove(0)) };
            if method == "saveAsTable" {
                let name = first.take().unwrap_or(Value::None);
                spec.table = Some(call.text("name", &name)?);
            } else if method == "insertInto" {
                let name = first.take().unwrap_or(Value::None);
                spec.table = Some(call.text("tableName", &name)?);
                spec.mode = SaveMode::Append;
            } else if method != "save" {
                spec.format.clone_from(&method);
            }
            for (key, value) in std::mem::take(&mut call.kwargs) {
                match key.as_str() {
                    "path" => first = Some(value),
                    "format" if !value.is_none() => spec.format = call.text("format", &value)?.to_lowercase(),
                    "mode" if !value.is_none() => spec.mode = save_mode(&call.text("mode", &value)?)?,
                    "partitionBy" => {
                        let names = call.items(&value).unwrap_or_else(|| vec![value.clone()]);
                        spec.partition_by =
                            names.iter().map(|n| call.text("cols", n)).collect::<Result<_, _>>()?;
                    }
                    _ => options::set(&mut spec.options, call, &key, &value),
                }
            }
            if let Some(path) = first.filter(|v| !v.is_none()) {
                spec.path = Some(call.text("path", &path)?);
            }
            return Ok(Done::Ask(Question::Write(frame.plan().clone(), spec), Pending::Nothing));
        }
        other => return Err(Fault::refused(&format!("DataFrameWriter.{other}"))),
    }
    objects.replace(handle, Object::Writer(frame.clone(), spec));
    Ok(Done::Value(handle.clone()))
}

fn save_mode(text: &str) -> Result<SaveMode, Fault> {
    match text.to_lowercase().as_str() {
        "append" => Ok(SaveMode::Append),
        "overwrite" => Ok(SaveMode::Overwrite),
        "error" | "errorifexists" | "default" => Ok(SaveMode::ErrorIfExists),
        "ignore" => Ok(SaveMode::Ignore),
        _ => Err(SparkError::new(
            ErrorClass::IllegalArgument,
            "INVALID_SAVE_MODE",
            "42000",
            format!(
                "The specified save mode \"{text}\" is invalid. Valid save modes include \"append\", \"overwrite\", \
                 \"ignore\", \"error\", \"errorifexists\", and \"default\"."
            ),
        )
        .into()),
    }
}
