//! `spark.read` and `spark.readStream`: a specification that grows, and the `load` that asks for a schema.

use tidemark_plan::ReadSpec;
use tidemark_python::Value;

use crate::call::Call;
use crate::data_type;
use crate::fault::Fault;
use crate::object::{Object, Objects};
use crate::options;
use crate::question::Question;
use crate::session::{Done, Pending};

/// An empty reader.
pub(crate) fn reader(streaming: bool, default_format: String) -> ReadSpec {
    ReadSpec {
        format: default_format,
        paths: Vec::new(),
        table: None,
        options: std::collections::BTreeMap::new(),
        schema: None,
        streaming,
        listing: None,
    }
}

/// A call of a reader's method. A reader changes in place and returns itself.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    spec: &ReadSpec,
    handle: &Value,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let mut spec = spec.clone();
    let method = call.method().to_owned();
    if options::common(&mut spec.format, &mut spec.options, call)? {
        objects.replace(handle, Object::Reader(spec));
        return Ok(Done::Value(handle.clone()));
    }
    match method.as_str() {
        "schema" => {
            let [schema] = call.bind_required(1, ["schema"])?;
            spec.schema = Some(data_type::schema(objects, call, &schema.unwrap_or(Value::None))?);
        }
        "load" => {
            let [path, format, schema] = named(call, ["path", "format", "schema"])?;
            head(objects, &mut spec, call, format, schema)?;
            return load(spec, call, path);
        }
        "json" | "text" | "csv" | "parquet" | "orc" => {
            spec.format.clone_from(&method);
            if matches!(method.as_str(), "parquet" | "orc") && call.args.len() > 1 {
                spec.paths = call.args.drain(1..).filter_map(|v| v.as_str().map(str::to_owned)).collect();
            }
            let first = if call.args.is_empty() { None } else { Some(call.args.remove(0)) };
            let mut path = first;
            let positional = std::mem::take(&mut call.args);
            if let Some(schema) = positional.first().filter(|v| !v.is_none()) {
                spec.schema = Some(data_type::schema(objects, call, schema)?);
            }
            for (key, value) in std::mem::take(&mut call.kwargs) {
                match key.as_str() {
                    "path" | "paths" => path = Some(value),
                    "schema" if !value.is_none() => {
                        spec.schema = Some(data_type::schema(objects, call, &value)?);
                    }
                    _ => options::set(&mut spec.options, call, &key, &value),
                }
            }
            return load(spec, call, path);
        }
        "table" => {
            let [name] = call.bind_required(1, ["tableName"])?;
            spec.table = Some(call.text("tableName", &name.unwrap_or(Value::None))?);
            return Ok(Done::Table(spec));
        }
        other => {
            let class = if spec.streaming { "DataStreamReader" } else { "DataFrameReader" };
            return Err(Fault::refused(&format!("{class}.{other}")));
        }
    }
    objects.replace(handle, Object::Reader(spec));
    Ok(Done::Value(handle.clone()))
}

/// Binds the named parameters; all other keywords stay options.
fn named<const N: usize>(call: &mut Call<'_>, names: [&str; N]) -> Result<[Option<Value>; N], Fault> {
    let (known, options): (Vec<_>, Vec<_>) =
        std::mem::take(&mut call.kwargs).into_iter().partition(|(key, _)| names.contains(&key.as_str()));
    call.kwargs = known;
    let bound = call.bind(names)?;
    call.kwargs = options;
    Ok(bound)
}

fn head(
    objects: &Objects,
    spec: &mut ReadSpec,
    call: &mut Call<'_>,
    format: Option<Value>,
    schema: Option<Value>,
) -> Result<(), Fault> {
    if let Some(format) = format.filter(|v| !v.is_none()) {
        spec.format = call.text("format", &format)?.to_lowercase();
    }
    if let Some(schema) = schema.filter(|v| !v.is_none()) {
        spec.schema = Some(data_type::schema(objects, call, &schema)?);
    }
    for (key, value) in std::mem::take(&mut call.kwargs) {
        options::set(&mut spec.options, call, &key, &value);
    }
    Ok(())
}

fn load(mut spec: ReadSpec, call: &Call<'_>, path: Option<Value>) -> Result<Done, Fault> {
    if let Some(path) = path.filter(|v| !v.is_none()) {
        match (&path, call.items(&path)) {
            (Value::Str(text), _) => {
                if spec.streaming && text.trim().is_empty() {
                    return Err(blank_path(call, &path));
                }
                spec.paths.insert(0, text.to_string());
            }
            (_, Some(items)) if !spec.streaming => {
                let items: Vec<String> = items.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
                spec.paths.splice(0..0, items);
            }
            _ => return Err(blank_path(call, &path)),
        }
    }
    Ok(Done::Ask(Question::Resolve(spec.clone()), Pending::Relation(spec)))
}

fn blank_path(call: &Call<'_>, value: &Value) -> Fault {
    Fault::pyspark_value(
        "VALUE_NOT_NON_EMPTY_STR",
        format!(
            "Value for `path` must be a non-empty string, got '{}'.",
            match value {
                Value::Str(text) => text.to_string(),
                other => call.machine.plain_repr(other),
            }
        ),
    )
}
