//! `StreamingQueryProgress`: what Spark reports of each trigger, field by field.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value, json};
use tidemark_types::{BatchId, QueryId, RunId, SimTime};

/// One entry of `recentProgress`.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamingQueryProgress {
    /// The query.
    pub id: QueryId,
    /// The run.
    pub run_id: RunId,
    /// The name, if the query has one.
    pub name: Option<String>,
    /// When the trigger started.
    pub timestamp: SimTime,
    /// The batch; of an idle trigger the one that would come next.
    pub batch_id: BatchId,
    /// How long the trigger took, in milliseconds.
    pub batch_duration: i64,
    /// How long each part took, in milliseconds, by Spark's names.
    pub duration_ms: BTreeMap<String, i64>,
    /// Texts of event times by name; empty without a watermark.
    pub event_time: BTreeMap<String, String>,
    /// Of each stateful operator, from the sink side down.
    pub state_operators: Vec<Value>,
    /// Of each source, in the order of the plan.
    pub sources: Vec<SourceProgress>,
    /// Of the sink.
    pub sink: SinkProgress,
}

/// What one source did.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceProgress {
    /// Its name.
    pub description: String,
    /// Where the batch began, as JSON text.
    pub start_offset: Option<String>,
    /// Where it ended.
    pub end_offset: Option<String>,
    /// The newest offset there was.
    pub latest_offset: Option<String>,
    /// The rows that were read.
    pub num_input_rows: u64,
    /// Rows per second since the trigger before.
    pub input_rows_per_second: f64,
    /// Rows per second of the trigger.
    pub processed_rows_per_second: f64,
    /// More numbers by name.
    pub metrics: Vec<(String, String)>,
}

/// What the sink did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinkProgress {
    /// Its name.
    pub description: String,
    /// The rows it took, −1 where Spark does not know.
    pub num_output_rows: i64,
}

impl StreamingQueryProgress {
    /// The rows read from all sources.
    pub fn num_input_rows(&self) -> u64 {
        self.sources.iter().map(|s| s.num_input_rows).sum()
    }

    /// Rows per second since the trigger before, over all sources.
    pub fn input_rows_per_second(&self) -> f64 {
        self.sources.iter().map(|s| s.input_rows_per_second).sum()
    }

    /// Rows per second of the trigger, over all sources.
    pub fn processed_rows_per_second(&self) -> f64 {
        self.sources.iter().map(|s| s.processed_rows_per_second).sum()
    }

    /// The entry as Spark's JSON: fields in Spark's order, empty ones left out where Spark leaves them out.
    pub fn to_value(&self) -> Value {
        let mut out = Map::new();
        out.insert("id".into(), json!(self.id.0));
        out.insert("runId".into(), json!(self.run_id.0));
        out.insert("name".into(), json!(self.name));
        out.insert("timestamp".into(), json!(self.timestamp.iso()));
        out.insert("batchId".into(), json!(self.batch_id.0));
        out.insert("batchDuration".into(), json!(self.batch_duration));
        out.insert("numInputRows".into(), json!(self.num_input_rows()));
        put_rate(&mut out, "inputRowsPerSecond", self.input_rows_per_second());
        put_rate(&mut out, "processedRowsPerSecond", self.processed_rows_per_second());
        out.insert("durationMs".into(), json!(self.duration_ms));
        if !self.event_time.is_empty() {
            out.insert("eventTime".into(), json!(self.event_time));
        }
        out.insert("stateOperators".into(), Value::Array(self.state_operators.clone()));
        out.insert(
            "sources".into(),
            Value::Array(self.sources.iter().map(SourceProgress::to_value).collect()),
        );
        out.insert(
            "sink".into(),
            json!({ "description": self.sink.description, "numOutputRows": self.sink.num_output_rows }),
        );
        Value::Object(out)
    }

    /// The entry on one line, as PySpark's `json` gives it.
    pub fn json(&self) -> String {
        let mut out = String::new();
        render(&self.to_value(), None, 0, &mut out);
        out
    }

    /// The entry over several lines, as PySpark's `prettyJson` gives it.
    pub fn pretty_json(&self) -> String {
        let mut out = String::new();
        render(&self.to_value(), Some(4), 0, &mut out);
        out
    }
}

impl SourceProgress {
    fn to_value(&self) -> Value {
        let mut out = Map::new();
        out.insert("description".into(), json!(self.description));
        out.insert("startOffset".into(), offset(self.start_offset.as_deref()));
        out.insert("endOffset".into(), offset(self.end_offset.as_deref()));
        out.insert("latestOffset".into(), offset(self.latest_offset.as_deref()));
        out.insert("numInputRows".into(), json!(self.num_input_rows));
        put_rate(&mut out, "inputRowsPerSecond", self.input_rows_per_second);
        put_rate(&mut out, "processedRowsPerSecond", self.processed_rows_per_second);
        if !self.metrics.is_empty() {
            let metrics: Map<String, Value> =
                self.metrics.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            out.insert("metrics".into(), Value::Object(metrics));
        }
        Value::Object(out)
    }
}

/// A rate has one decimal; it is left out when it is not a number, as Spark leaves it out.
fn put_rate(out: &mut Map<String, Value>, name: &str, rate: f64) {
    if let Some(number) = Number::from_f64((rate * 10.0).round() / 10.0) {
        out.insert(name.to_owned(), Value::Number(number));
    }
}

fn offset(text: Option<&str>) -> Value {
    match text {
        None => Value::Null,
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned())),
    }
}

/// JSON with Python's blanks: `{"a": 1, "b": 2}`, or one entry on a line with `indent` blanks a level.
fn render(value: &Value, indent: Option<usize>, depth: usize, out: &mut String) {
    let line = |out: &mut String, depth: usize| {
        if let Some(width) = indent {
            out.push('\n');
            out.push_str(&" ".repeat(width * depth));
        }
    };
    let comma = if indent.is_some() { "," } else { ", " };
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push('{');
            for (index, (key, item)) in map.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { comma });
                line(out, depth + 1);
                out.push_str(&Value::String(key.clone()).to_string());
                out.push_str(": ");
                render(item, indent, depth + 1, out);
            }
            line(out, depth);
            out.push('}');
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { comma });
                line(out, depth + 1);
                render(item, indent, depth + 1, out);
            }
            line(out, depth);
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

/// What `StreamingQuery.status` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamingQueryStatus {
    /// What the query is about.
    pub message: String,
    /// Whether a source has data that no batch has taken.
    pub is_data_available: bool,
    /// Whether a trigger is under way.
    pub is_trigger_active: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> StreamingQueryProgress {
        StreamingQueryProgress {
            id: QueryId("i".into()),
            run_id: RunId("r".into()),
            name: None,
            timestamp: SimTime(1_795_979_152_609),
            batch_id: BatchId(3),
            batch_duration: 10,
            duration_ms: [("latestOffset".to_owned(), 0), ("triggerExecution".to_owned(), 10)].into(),
            event_time: BTreeMap::new(),
            state_operators: Vec::new(),
            sources: vec![SourceProgress {
                description: "FileStreamSource[file:/in]".into(),
                start_offset: Some("{\"logOffset\":2}".into()),
                end_offset: Some("{\"logOffset\":2}".into()),
                latest_offset: None,
                num_input_rows: 0,
                input_rows_per_second: 0.0,
                processed_rows_per_second: 0.0,
                metrics: Vec::new(),
            }],
            sink: SinkProgress { description: "FileSink[file:/out]".into(), num_output_rows: -1 },
        }
    }

    #[test]
    fn an_idle_entry_is_what_pyspark_prints() {
        assert_eq!(
            entry().json(),
            r#"{"id": "i", "runId": "r", "name": null, "timestamp": "2026-11-29T19:05:52.609Z", "batchId": 3, "batchDuration": 10, "numInputRows": 0, "inputRowsPerSecond": 0.0, "processedRowsPerSecond": 0.0, "durationMs": {"latestOffset": 0, "triggerExecution": 10}, "stateOperators": [], "sources": [{"description": "FileStreamSource[file:/in]", "startOffset": {"logOffset": 2}, "endOffset": {"logOffset": 2}, "latestOffset": null, "numInputRows": 0, "inputRowsPerSecond": 0.0, "processedRowsPerSecond": 0.0}], "sink": {"description": "FileSink[file:/out]", "numOutputRows": -1}}"#
        );
    }

    #[test]
    fn the_pretty_form_indents_by_four() {
        let text = entry().pretty_json();
        assert!(text.starts_with("{\n    \"id\": \"i\",\n    \"runId\""));
        assert!(text.contains("\n    \"stateOperators\": [],\n    \"sources\": [\n        {\n"));
    }
}
