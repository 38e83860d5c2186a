//! `delta.tables.DeltaTable`: a Delta table by path or name, and its rows as a DataFrame.

use tidemark_plan::builder::{Analyzer, Frame};
use tidemark_plan::{Plan, ReadSpec};
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
        "history" => {
            let [limit] = call.bind(["limit"])?;
            let mut spec = description(&spec_of(frame.plan()), HISTORY);
            if let Some(limit) = limit.filter(|limit| !matches!(limit, Value::None)) {
                spec.options.insert("limit".to_owned(), call.int("limit", &limit)?.to_string());
            }
            return Ok(ask(spec));
        }
        "detail" => return Ok(ask(description(&spec_of(frame.plan()), DETAIL))),
        other => return Err(Fault::refused(&format!("DeltaTable.{other}"))),
    };
    Ok(Done::Value(objects.add(made)))
}

/// The formats under which a description is read: what a log says of its table.
const HISTORY: &str = "delta history";
const DETAIL: &str = "delta detail";

/// What `DESCRIBE HISTORY t` and `DESCRIBE DETAIL t` read; none for any other text.
pub(crate) fn described(text: &str) -> Option<Done> {
    let mut words = text.trim().trim_end_matches(';').split_whitespace();
    let is = |word: Option<&str>, names: &[&str]| {
        word.is_some_and(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
    };
    if !is(words.next(), &["describe", "desc"]) {
        return None;
    }
    let what = words.next()?;
    let format = match what.to_ascii_lowercase().as_str() {
        "history" => HISTORY,
        "detail" => DETAIL,
        _ => return None,
    };
    let named = words.next()?;
    let mut spec = description(&read::reader(false, "delta".to_owned()), format);
    let quoted = ['\'', '"', '`'].iter().find_map(|mark| named.strip_prefix(*mark)?.strip_suffix(*mark));
    match quoted {
        Some(path) if path.contains('/') => spec.paths = vec![path.to_owned()],
        Some(name) => spec.table = Some(name.to_owned()),
        None => spec.table = Some(named.to_owned()),
    }
    match (words.next(), words.next(), words.next()) {
        (None, ..) => {}
        (limit, Some(number), None) if is(limit, &["limit"]) && format == HISTORY => {
            spec.options.insert("limit".to_owned(), number.to_owned());
        }
        _ => return None,
    }
    Some(ask(spec))
}

fn ask(spec: ReadSpec) -> Done {
    Done::Ask(Question::Resolve(spec.clone()), Pending::Relation(spec))
}

/// The reader of a description of the table that another reader reads.
fn description(of: &ReadSpec, format: &str) -> ReadSpec {
    let mut spec = read::reader(false, format.to_owned());
    spec.paths.clone_from(&of.paths);
    spec.table.clone_from(&of.table);
    spec
}

/// What the rows of a table are read from.
fn spec_of(plan: &Plan) -> ReadSpec {
    match plan {
        Plan::Relation { spec, .. } => (**spec).clone(),
        other => match other.children().first() {
            Some(child) => spec_of(child),
            None => read::reader(false, "delta".to_owned()),
        },
    }
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
