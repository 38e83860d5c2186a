//! What real Spark 4.2.0 answers to expressions of SQL text over one row: type and value, or the whole error.
//!
//! `tests/data/values.txt` holds an expression, then, indented, `type: value`, or `Class CONDITION: message`. The text
//! goes the whole way: parsed and resolved by `plan`, computed here. What is refused as not supported yet is counted,
//! and the count is part of the test.

use std::fmt::Write as _;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array};
use tidemark_engine::Error;
use tidemark_engine::kernel::EvalContext;
use tidemark_engine::operator::{Inputs, RunContext, run};
use tidemark_plan::{Analyzer, Settings};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, SparkError, StructField, StructType, Zone};

/// 2026-01-01T12:00:00Z.
const NOW: i64 = 1_767_268_800_000_000;

fn answer(text: &str) -> Result<String, SparkError> {
    let schema = StructType::new(vec![StructField::new("one", DataType::Integer, false)]);
    let column: ArrayRef = Arc::new(Int32Array::from(vec![1]));
    let mut analyzer = Analyzer::new(Settings::default());
    let frame = analyzer.local(vec![Batch::new(Arc::new(schema.clone()), vec![column], 1)], &schema);
    let frame = analyzer.select_expr(&frame, &[text])?;
    let context =
        RunContext { eval: EvalContext::at(NOW), shuffle_partitions: 2, parallelism: 2, adaptive: true };
    let partitions = run(frame.plan(), &Inputs::new(), &context).map_err(|error| match error {
        Error::Spark(error) => *error,
        Error::Crashed(place) => panic!("nothing crashes here: {place}"),
    })?;
    let batches: Vec<&Batch> = partitions.iter().flatten().collect();
    let [batch] = batches.as_slice() else { panic!("one row comes out of `{text}`") };
    let data_type = &frame.schema().fields[0].data_type;
    let value = value_text(batch.column(0), data_type, 0, TextStyle::cast(Zone::UTC));
    Ok(format!("{}: {}", data_type.simple_string(), value.unwrap_or_else(|| "NULL".into())))
}

fn shown(answer: Result<String, SparkError>) -> String {
    answer.unwrap_or_else(|error| {
        let condition = if error.condition.0.is_empty() { "None" } else { &error.condition.0 };
        let error = SparkError { context: String::new(), ..error.clone() };
        format!("{} {condition}: {}", error.class.python_name(), error.full_message()).replace('\n', "\\n")
    })
}

#[test]
fn values_and_errors_are_those_of_spark() {
    let cases = include_str!("data/values.txt");
    let mut differences = String::new();
    let (mut count, mut refused) = (0, 0);
    for case in cases.split("\n\n") {
        let Some((text, expected)) = case.trim_start_matches('\n').split_once("\n  ") else { continue };
        count += 1;
        let got = shown(answer(text));
        if got.contains("Tidemark does not support") {
            refused += 1;
        } else if got != expected.trim_end_matches('\n') {
            let _ = writeln!(differences, "{text}\n  spark {expected}\n  ours  {got}");
        }
    }
    assert!(differences.is_empty(), "{differences}");
    assert_eq!((count, refused), (456, 32), "a change of what is not supported yet is worth a look");
}
