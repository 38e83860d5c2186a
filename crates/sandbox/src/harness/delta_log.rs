//! The Delta log as plain JSON, as `run_spark.py` reads it.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use tidemark_world::World;

use crate::record::Recorder;

/// One object for each commit that is there.
pub(crate) fn read(
    world: &World,
    recorder: &Recorder<'_>,
    path: &str,
    files: bool,
) -> Result<Vec<Json>, String> {
    let mut table = world.resolve(path);
    if !world.is_folder(&table) {
        table = world.resolve(&format!("spark-warehouse/{path}"));
    }
    let folder = format!("{table}/_delta_log");
    if !world.is_folder(&folder) {
        return Err(format!("[Errno 2] No such file or directory: '{path}/_delta_log'"));
    }
    let mut rows_of = BTreeMap::new();
    let mut commits = Vec::new();
    for meta in world.peek_list(&folder) {
        let name = &meta.path[folder.len() + 1..];
        let Some(digits) = name.strip_suffix(".json") else { continue };
        if digits.len() != 20 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let text = world.peek(&meta.path).map(|o| String::from_utf8_lossy(&o.bytes).into_owned());
        let commit = commit(digits, &text.unwrap_or_default(), files, &mut rows_of);
        commits.push(stable(recorder, &commit));
    }
    Ok(commits)
}

type Rows = BTreeMap<String, Option<i64>>;

fn commit(digits: &str, text: &str, files: bool, rows_of: &mut Rows) -> Json {
    let mut kinds: BTreeMap<String, Vec<Json>> = BTreeMap::new();
    for line in text.lines() {
        if let Ok(Json::Object(action)) = serde_json::from_str::<Json>(line) {
            for (kind, body) in action {
                kinds.entry(kind).or_default().push(body);
            }
        }
    }
    let mut commit = Map::new();
    commit.insert("version".into(), json!(digits.parse::<i64>().unwrap_or(0)));
    let last = |kind: &str| kinds.get(kind).and_then(|bodies| bodies.last());
    if let Some(info) = last("commitInfo") {
        commit.insert("commitInfo".into(), commit_info(info, files));
    }
    if let Some(Json::Object(protocol)) = last("protocol") {
        commit.insert("protocol".into(), Json::Object(protocol.iter().map(sorted_list).collect()));
    }
    if let Some(metadata) = last("metaData") {
        commit.insert("metaData".into(), metadata_of(metadata));
    }
    if let Some(txn) = last("txn") {
        commit.insert("txn".into(), json!({"appId": txn["appId"], "version": txn["version"]}));
    }
    for kind in ["add", "remove"] {
        if let Some(actions) = kinds.get(kind) {
            commit.insert(kind.into(), Json::Array(file_actions(actions, files, rows_of, kind)));
        }
    }
    if let Some(changes) = kinds.get("cdc") {
        commit.insert("cdc".into(), change_files(changes, files));
    }
    for kind in kinds.keys() {
        commit.entry(kind.clone()).or_insert(Json::Bool(true));
    }
    Json::Object(commit)
}

fn sorted_list((key, value): (&String, &Json)) -> (String, Json) {
    let value = match value {
        Json::Array(items) => {
            let mut items = items.clone();
            items.sort_by_key(ToString::to_string);
            Json::Array(items)
        }
        other => other.clone(),
    };
    (key.clone(), value)
}

fn commit_info(info: &Json, files: bool) -> Json {
    let mut one = Map::new();
    for key in
        ["operation", "operationParameters", "readVersion", "isolationLevel", "isBlindAppend", "userMetadata"]
    {
        if let Some(value) = info.get(key) {
            one.insert(key.into(), value.clone());
        }
    }
    if let Some(Json::Object(metrics)) = info.get("operationMetrics") {
        let kept: Map<String, Json> = metrics
            .iter()
            .filter(|(name, _)| !is_unstable_metric(name, files))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        one.insert("operationMetrics".into(), Json::Object(kept));
    }
    Json::Object(one)
}

fn is_unstable_metric(name: &str, files: bool) -> bool {
    let low = name.to_lowercase();
    let has = |part: &str| low.contains(part);
    has("bytes")
        || has("size")
        || low.ends_with("ms")
        || has("time")
        || !files && (has("file") || has("directories") || has("deletionvector"))
}

fn metadata_of(metadata: &Json) -> Json {
    let schema: Json =
        metadata["schemaString"].as_str().and_then(|t| serde_json::from_str(t).ok()).unwrap_or(Json::Null);
    let fields: Vec<Json> = schema["fields"]
        .as_array()
        .map(|fields| {
            fields
                .iter()
                .map(|f| {
                    let kind = match &f["type"] {
                        Json::String(text) => text.clone(),
                        nested => python_sorted(nested),
                    };
                    json!([f["name"], kind, f["nullable"]])
                })
                .collect()
        })
        .unwrap_or_default();
    json!({
        "schema": fields,
        "partitionColumns": metadata.get("partitionColumns").cloned().unwrap_or(json!([])),
        "configuration": metadata.get("configuration").cloned().unwrap_or(json!({})),
    })
}

/// `json.dumps(value, sort_keys=True)`.
fn python_sorted(json: &Json) -> String {
    match json {
        Json::Array(items) => format!("[{}]", items.iter().map(python_sorted).collect::<Vec<_>>().join(", ")),
        Json::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().collect();
            let parts: Vec<_> =
                sorted.iter().map(|(k, v)| format!("{}: {}", json!(k), python_sorted(v))).collect();
            format!("{{{}}}", parts.join(", "))
        }
        other => other.to_string(),
    }
}

fn file_actions(actions: &[Json], files: bool, rows_of: &mut Rows, kind: &str) -> Vec<Json> {
    let mut groups: Vec<(String, Vec<&Json>)> = Vec::new();
    for (at, action) in actions.iter().enumerate() {
        let partition = action.get("partitionValues").cloned().unwrap_or(json!({}));
        let key = python_sorted(&json!([action.get("dataChange"), partition, if files { at } else { 0 }]));
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(action),
            None => groups.push((key, vec![action])),
        }
    }
    let mut made: Vec<Json> =
        groups.into_iter().map(|(_, group)| file_group(&group, rows_of, kind)).collect();
    made.sort_by_key(python_sorted);
    made
}

fn file_group(group: &[&Json], rows_of: &mut Rows, kind: &str) -> Json {
    let first = group[0];
    let mut one = Map::new();
    one.insert("dataChange".into(), first.get("dataChange").cloned().unwrap_or(Json::Null));
    if let Some(Json::Object(values)) = first.get("partitionValues")
        && !values.is_empty()
    {
        one.insert("partitionValues".into(), first["partitionValues"].clone());
        let path = first["path"].as_str().unwrap_or_default();
        one.insert("dir".into(), json!(path.rsplit_once('/').map_or("", |(dir, _)| dir)));
    }
    one.extend(merged_stats(group, rows_of, kind));
    Json::Object(one)
}

fn merged_stats(group: &[&Json], rows_of: &mut Rows, kind: &str) -> Map<String, Json> {
    let mut out = Map::new();
    let mut rows = 0;
    for action in group {
        let stats: Json = action
            .get("stats")
            .and_then(Json::as_str)
            .and_then(|text| serde_json::from_str(text).ok())
            .unwrap_or(json!({}));
        let path = action["path"].as_str().unwrap_or_default().to_owned();
        if kind == "add" {
            rows_of.insert(path.clone(), stats.get("numRecords").and_then(Json::as_i64));
        }
        let Some(n) = rows_of.get(&path).copied().flatten() else {
            return Map::from_iter([("rows".to_owned(), Json::Null)]);
        };
        rows += n;
        if kind == "remove" {
            continue;
        }
        for key in ["minValues", "maxValues", "nullCount"] {
            if let Some(Json::Object(values)) = stats.get(key) {
                for (column, value) in values {
                    merge_stat(&mut out, key, column, value);
                }
            }
        }
    }
    out.insert("rows".into(), json!(rows));
    out
}

fn merge_stat(out: &mut Map<String, Json>, key: &str, column: &str, value: &Json) {
    let slot = out.entry(key).or_insert_with(|| json!({}));
    let Json::Object(have) = slot else { return };
    let merged = match (have.get(column), value) {
        (None, value) => value.clone(),
        (Some(old), _) if key == "nullCount" => match (old.as_i64(), value.as_i64()) {
            (Some(a), Some(b)) => json!(a + b),
            _ => value.clone(),
        },
        (Some(_), Json::Object(_)) => json!({"several": true}),
        (Some(old), value) => {
            let less = match (old.as_f64(), value.as_f64()) {
                (Some(a), Some(b)) => a < b,
                _ => old.as_str() < value.as_str(),
            };
            if less == (key == "minValues") { old.clone() } else { value.clone() }
        }
    };
    have.insert(column.to_owned(), merged);
}

fn change_files(changes: &[Json], files: bool) -> Json {
    let mut partitions: Vec<Json> = Vec::new();
    for change in changes {
        let values = change.get("partitionValues").cloned().unwrap_or(json!({}));
        if !partitions.contains(&values) {
            partitions.push(values);
        }
    }
    partitions.sort_by_key(python_sorted);
    let mut made = json!({"partitionValues": partitions});
    if files {
        made["files"] = json!(changes.len());
    }
    made
}

/// Texts made stable, keys sorted.
fn stable(recorder: &Recorder<'_>, json: &Json) -> Json {
    match json {
        Json::String(text) => Json::String(recorder.text(text)),
        Json::Array(items) => Json::Array(items.iter().map(|item| stable(recorder, item)).collect()),
        Json::Object(fields) => {
            let sorted: BTreeMap<String, Json> =
                fields.iter().map(|(k, v)| (recorder.text(k), stable(recorder, v))).collect();
            Json::Object(sorted.into_iter().collect())
        }
        other => other.clone(),
    }
}
