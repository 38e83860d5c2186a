//! What readers and writers have in common: `format`, `option`, `options`.

use tidemark_plan::spec::Options;
use tidemark_python::Value;

use crate::call::Call;
use crate::fault::Fault;

/// Carries out `format`, `option` and `options`; says whether the call was one of them.
pub(crate) fn common(format: &mut String, options: &mut Options, call: &mut Call<'_>) -> Result<bool, Fault> {
    match call.method() {
        "format" => {
            let [source] = call.bind_required(1, ["source"])?;
            *format = call.text("source", &source.unwrap_or(Value::None))?.to_lowercase();
        }
        "option" => {
            let [key, value] = call.bind_required(2, ["key", "value"])?;
            let key = call.text("key", &key.unwrap_or(Value::None))?;
            set(options, call, &key, &value.unwrap_or(Value::None));
        }
        "options" => {
            for (key, value) in std::mem::take(&mut call.kwargs) {
                set(options, call, &key, &value);
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Sets an option, or takes it away with `None`; names have no case.
pub(crate) fn set(options: &mut Options, call: &Call<'_>, key: &str, value: &Value) {
    match call.option_text(value) {
        Some(text) => options.insert(key.to_lowercase(), text),
        None => options.remove(&key.to_lowercase()),
    };
}
