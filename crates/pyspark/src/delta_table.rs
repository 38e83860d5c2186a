//! `delta.tables.DeltaTable`: a Delta table by path or name, and its rows as a DataFrame.

use tidemark_plan::ReadSpec;
use tidemark_plan::builder::{Analyzer, Frame};
use tidemark_python::Value;
use tidemark_types::{ErrorClass, SparkError};

use crate::call::Call;
use crate::fault::Fault;
use crate::object::{Object, Objects};
use crate::question::Question;
use crate::read;
use crate::session::{Done, Pending};

/// A call of a static method: `forPath`, `forName`, `isDeltaTable`.
pub(crate) fn static_call(call: &mut Call<'_>) -> Result<Done, Fault> {
    let by = match call.method() {
        "forName" => "tableOrViewName",
        "isDeltaTable" => "identifier",
        _ => "path",
    };
    let [_, target, _] = call.bind_required(2, ["sparkSession", by, "hadoopConf"])?;
    let text = call.text(by, &target.unwrap_or(Value::None))?;
    let mut spec = read::reader(false, "delta".to_owned());
    if call.method() == "forName" {
        spec.table = Some(text.clone());
    } else {
        spec.paths = vec![text.clone()];
    }
    let pending = match call.method() {
        "isDeltaTable" => Pending::IsDeltaTable,
        _ => Pending::DeltaTable(spec.clone(), text),
    };
    Ok(Done::Ask(Question::Resolve(spec), pending))
}

/// A call of a table's method.
pub(crate) fn call(
    objects: &mut Objects,
    analyzer: &mut Analyzer,
    frame: &Frame,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let made = match call.method() {
        "toDF" => Object::Frame(frame.clone()),
        "alias" => {
            let [name] = call.bind_required(1, ["aliasName"])?;
            let name = call.text("aliasName", &name.unwrap_or(Value::None))?;
            Object::DeltaTable(analyzer.alias(frame, &name)?)
        }
        other => return Err(Fault::refused(&format!("DeltaTable.{other}"))),
    };
    Ok(Done::Value(objects.add(made)))
}

/// The object of a table that is there.
pub(crate) fn found(objects: &mut Objects, frame: Frame) -> Value {
    objects.add(Object::DeltaTable(frame))
}

/// What becomes of an error of the look-up: no table at a path or under a name is an error of Delta's own.
pub(crate) fn not_found(spec: &ReadSpec, text: &str, error: SparkError) -> SparkError {
    if !is_absence(&error) {
        return error;
    }
    let name = spec.table.as_deref().unwrap_or(text);
    let message = format!("`{name}` is not a Delta table.");
    SparkError::new(ErrorClass::Analysis, "DELTA_MISSING_DELTA_TABLE", "42P01", message)
        .with_parameter("tableName", name)
}

/// Whether an error says that there is no table.
pub(crate) fn is_absence(error: &SparkError) -> bool {
    matches!(
        error.condition.0.as_str(),
        "PATH_NOT_FOUND" | "DELTA_TABLE_NOT_FOUND" | "TABLE_OR_VIEW_NOT_FOUND" | "DELTA_MISSING_DELTA_TABLE"
    )
}
