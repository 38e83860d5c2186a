//! `tidemark conform`: cases against what real Spark recorded.

use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use tidemark_sandbox::{CaseOutcome, run_case};

use crate::Usage;

/// How much of a case agrees.
struct Verdict {
    agreeing: usize,
    all: usize,
    differences: Vec<String>,
}

/// Runs the command: a line for each case, and the count at the end.
pub(crate) fn conform(args: &[String]) -> Result<u8, Usage> {
    let (flags, paths): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.starts_with("--"));
    let all = flags.iter().any(|flag| *flag == "--all");
    if paths.is_empty() || flags.iter().any(|flag| *flag != "--all") {
        return Err(Usage("conform wants a folder of cases, or cases, and knows --all".to_owned()));
    }
    let mut cases = Vec::new();
    for arg in paths {
        cases.extend(cases_of(Path::new(arg))?);
    }
    let (mut passed, mut failed) = (0, 0);
    for case in cases {
        let slug = case.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let verdict = judge(&case, &slug)?;
        let word = if verdict.agreeing == verdict.all { "pass" } else { "fail" };
        println!("{word} {slug} {}/{}", verdict.agreeing, verdict.all);
        for difference in verdict.differences.iter().take(if all { usize::MAX } else { 1 }) {
            println!("    {difference}");
        }
        if verdict.agreeing == verdict.all {
            passed += 1;
        } else {
            failed += 1;
        }
    }
    println!("{passed} passed, {failed} failed");
    Ok(u8::from(failed > 0))
}

fn cases_of(path: &Path) -> Result<Vec<PathBuf>, Usage> {
    if path.join("script.py").exists() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|error| Usage(format!("{}: {error}", path.display())))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.join("script.py").exists()).collect();
    found.sort();
    if found.is_empty() {
        return Err(Usage(format!("{} holds no case", path.display())));
    }
    Ok(found)
}

fn judge(case: &Path, slug: &str) -> Result<Verdict, Usage> {
    let read = |name: &str| {
        let path = case.join(name);
        std::fs::read_to_string(&path).map_err(|error| Usage(format!("{}: {error}", path.display())))
    };
    let script = read("script.py")?;
    let expected: Json = serde_json::from_str(&read("expected.json")?)
        .map_err(|error| Usage(format!("{}: {error}", case.display())))?;
    let outcome = std::panic::catch_unwind(|| run_case(slug, &script)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|t| (*t).to_owned()))
            .unwrap_or_default();
        CaseOutcome {
            results: Vec::new(),
            uncaught: Some(serde_json::json!({"error": "panic", "condition": null, "message": text})),
            stdout: Vec::new(),
        }
    });
    Ok(compare(&expected, &outcome))
}

fn compare(expected: &Json, outcome: &CaseOutcome) -> Verdict {
    let empty = Vec::new();
    let wanted = expected["results"].as_array().unwrap_or(&empty);
    let mut verdict = Verdict { agreeing: 0, all: wanted.len(), differences: Vec::new() };
    let note = |verdict: &mut Verdict, label: &str, wanted: &Json, got: &Json| {
        verdict.differences.push(format!("{label}: expected {}, got {}", short(wanted), short(got)));
    };
    for (at, result) in wanted.iter().enumerate() {
        let label = result["label"].as_str().unwrap_or_default();
        match outcome.results.get(at) {
            Some(got) if got["label"] == result["label"] && agree(&result["value"], &got["value"]) => {
                verdict.agreeing += 1;
            }
            Some(got) if got["label"] == result["label"] => {
                note(&mut verdict, label, &result["value"], &got["value"]);
            }
            Some(got) => note(&mut verdict, label, &result["label"], &got["label"]),
            None => {
                let got = outcome.uncaught.clone().unwrap_or(Json::String("nothing".to_owned()));
                note(&mut verdict, label, &result["value"], &got);
            }
        }
    }
    let wanted_error = expected.get("uncaught");
    if wanted_error.is_some() || outcome.uncaught.is_some() || outcome.results.len() > wanted.len() {
        verdict.all += 1;
        let got = outcome.uncaught.clone().unwrap_or(Json::Null);
        if wanted_error.is_some_and(|error| agree(error, &got)) {
            verdict.agreeing += 1;
        } else {
            note(&mut verdict, "uncaught", wanted_error.unwrap_or(&Json::Null), &got);
        }
    }
    verdict
}

fn short(json: &Json) -> String {
    let text = json.to_string();
    if text.chars().count() <= 600 {
        text
    } else {
        format!("{}…", text.chars().take(600).collect::<String>())
    }
}

/// Whether two recorded values agree: floats by 1e-9, rows as bags, errors by class, condition and cause.
fn agree(wanted: &Json, got: &Json) -> bool {
    match (wanted, got) {
        (Json::Object(a), Json::Object(b)) if a.contains_key("error") && a.contains_key("condition") => {
            errors_agree(a, b)
        }
        (Json::Object(a), Json::Object(b)) if is_table(a) && is_table(b) => {
            a["columns"] == b["columns"] && bags_agree(&a["rows"], &b["rows"])
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| agree(value, other)))
        }
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(x, y)| agree(x, y)),
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs())
        }
        _ => wanted == got,
    }
}

type Fields = serde_json::Map<String, Json>;

fn is_table(fields: &Fields) -> bool {
    fields.len() == 2 && fields.contains_key("columns") && fields.contains_key("rows")
}

fn bags_agree(wanted: &Json, got: &Json) -> bool {
    let (Some(wanted), Some(got)) = (wanted.as_array(), got.as_array()) else { return false };
    let mut rest: Vec<&Json> = got.iter().collect();
    wanted.len() == got.len()
        && wanted.iter().all(|row| match rest.iter().position(|other| agree(row, other)) {
            Some(at) => {
                rest.swap_remove(at);
                true
            }
            None => false,
        })
}

fn errors_agree(wanted: &Fields, got: &Fields) -> bool {
    let condition = wanted["condition"].as_str().unwrap_or_default();
    let same = |key: &str| wanted.get(key).unwrap_or(&Json::Null) == got.get(key).unwrap_or(&Json::Null);
    if !same("error") || !same("condition") || !same("cause") {
        return false;
    }
    if !condition.is_empty() && !condition.starts_with("_LEGACY_ERROR_TEMP_") {
        return true;
    }
    let plain = |fields: &Fields| {
        let text = fields.get("message").and_then(Json::as_str).unwrap_or_default();
        text.replace(['`', '\'', '"'], "")
    };
    plain(wanted) == plain(got)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_agrees() {
        for (wanted, got, agreeing) in [
            (json!(1.0), json!(1.000_000_000_01), true),
            (json!(1.0), json!(1.1), false),
            (
                json!({"columns": ["a"], "rows": [[1], [2]]}),
                json!({"columns": ["a"], "rows": [[2], [1]]}),
                true,
            ),
            (
                json!({"columns": ["a"], "rows": [[1], [1]]}),
                json!({"columns": ["a"], "rows": [[1], [2]]}),
                false,
            ),
            (
                json!({"error": "AnalysisException", "condition": "X", "message": "one"}),
                json!({"error": "AnalysisException", "condition": "X", "message": "two"}),
                true,
            ),
            (
                json!({"error": "E", "condition": null, "message": "a 'b'"}),
                json!({"error": "E", "condition": null, "message": "a `b`"}),
                true,
            ),
            (
                json!({"error": "E", "condition": null, "message": "a"}),
                json!({"error": "E", "condition": null, "message": "b"}),
                false,
            ),
        ] {
            assert_eq!(agree(&wanted, &got), agreeing, "{wanted} {got}");
        }
    }
}
