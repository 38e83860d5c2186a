//! Rows and values that are missing: `fillna`, `dropna`, and both by way of `df.na`.

use tidemark_plan::Literal;
use tidemark_plan::builder::{Analyzer, Frame};
use tidemark_python::{Value, View};

use crate::call::Call;
use crate::fault::Fault;

/// `df.fillna(value, subset)`, `df.na.fill`.
pub(crate) fn fill(analyzer: &mut Analyzer, frame: &Frame, call: &mut Call<'_>) -> Result<Frame, Fault> {
    let [value, subset] = call.bind_required(1, ["value", "subset"])?;
    let value = value.unwrap_or(Value::None);
    let values = match call.machine.view(&value) {
        View::Dict(items) => items
            .iter()
            .map(|(name, value)| Ok((Some(vec![call.text("value", name)?]), literal(call, value)?)))
            .collect::<Result<Vec<_>, Fault>>()?,
        _ => vec![(names(call, subset)?, literal(call, &value)?)],
    };
    Ok(analyzer.fill_na(frame, &values)?)
}

/// `df.dropna(how, thresh, subset)`, `df.na.drop`.
pub(crate) fn drop(analyzer: &mut Analyzer, frame: &Frame, call: &mut Call<'_>) -> Result<Frame, Fault> {
    let [how, thresh, subset] = call.bind(["how", "thresh", "subset"])?;
    let given = |value: Option<Value>| value.filter(|v| !v.is_none());
    let at_least_one = match given(how) {
        None => false,
        Some(how) => match how.as_str() {
            Some("any") => false,
            Some("all") => true,
            _ => {
                let text = format!(
                    "Value for `how` must be 'any' or 'all', got '{}'.",
                    call.machine.plain_repr(&how)
                );
                return Err(Fault::pyspark_value("CANNOT_BE_OTHER", text));
            }
        },
    };
    let threshold = match given(thresh) {
        Some(thresh) => Some(usize::try_from(call.int("thresh", &thresh)?).unwrap_or(0)),
        None => at_least_one.then_some(1),
    };
    let names = names(call, given(subset))?;
    Ok(analyzer.drop_na(frame, threshold, names.as_deref())?)
}

fn names(call: &Call<'_>, subset: Option<Value>) -> Result<Option<Vec<String>>, Fault> {
    let Some(subset) = subset.filter(|v| !v.is_none()) else { return Ok(None) };
    let items = call.items(&subset).unwrap_or_else(|| vec![subset.clone()]);
    items.iter().map(|name| call.text("subset", name)).collect::<Result<Vec<_>, _>>().map(Some)
}

fn literal(call: &Call<'_>, value: &Value) -> Result<Literal, Fault> {
    Ok(match call.machine.view(value) {
        View::Bool(b) => Literal::Boolean(b),
        View::Int(i) => Literal::Long(i),
        View::Float(f) => Literal::Double(f),
        View::Str(s) => Literal::String(s.to_string()),
        _ => {
            let kind = call.machine.type_name(value);
            let text = format!("Argument `value` should be a bool, dict, float, int or str, got {kind}.");
            return Err(Fault::pyspark_type("NOT_BOOL_OR_DICT_OR_FLOAT_OR_INT_OR_STR", text));
        }
    })
}
