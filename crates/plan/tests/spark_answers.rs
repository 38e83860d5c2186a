//! What real Spark 4.2.0 answers to expressions and statements: columns, types, nullability, or the whole error.
//!
//! `tests/data/*.txt` hold a text, then, indented, its answer: `name:type,…  ?!` with one mark for each column, `?` if
//! it may be null; or `Class CONDITION: message`. What is refused as not supported yet is listed in `*_not_yet.txt`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tidemark_plan::{Analyzer, Frame, Settings};
use tidemark_types::{SparkError, StructType};

const TABLE: &str = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP, b BIGINT, f FLOAT, d DECIMAL(10,2), dt DATE, ok BOOLEAN, bin BINARY, arr ARRAY<INT>, m MAP<STRING,INT>, s STRUCT<x: INT, y: STRING>, ti TINYINT, sm SMALLINT, ntz TIMESTAMP_NTZ";

fn session() -> (Analyzer, Frame) {
    let mut analyzer = Analyzer::new(Settings::default());
    let schema = StructType::from_ddl(TABLE).expect("the schema is good");
    let frame = analyzer.local(Vec::new(), &schema);
    analyzer.create_view("t", &frame).expect("the name is good");
    let range = analyzer.range(0, 3, 1, None).expect("the range is good");
    analyzer.create_view("r", &range).expect("the name is good");
    (analyzer, frame)
}

fn answer(result: Result<Frame, SparkError>) -> String {
    match result {
        Ok(frame) => {
            let schema = frame.schema();
            let columns: Vec<String> =
                schema.fields.iter().map(|f| format!("{}:{}", f.name, f.data_type.simple_string())).collect();
            let marks: String = schema.fields.iter().map(|f| if f.nullable { '?' } else { '!' }).collect();
            format!("{}  {marks}", columns.join(","))
        }
        Err(error) => format!(
            "{} {}: {}",
            error.class.python_name(),
            if error.condition.0.is_empty() { "None" } else { &error.condition.0 },
            error.full_message().replace('\n', "\\n")
        ),
    }
}

/// Texts with the answers that differ, and those that are refused as not supported yet.
fn compare(
    cases: &str,
    run: impl Fn(&mut Analyzer, &Frame, &str) -> Result<Frame, SparkError>,
) -> (String, String) {
    let mut differences = String::new();
    let mut refused = String::new();
    for case in cases.split("\n\n") {
        let Some((text, expected)) = case.split_once("\n  ") else { continue };
        let (mut analyzer, frame) = session();
        let got = answer(run(&mut analyzer, &frame, text.trim_start_matches('\n')));
        let expected = without_fields(expected.trim_end_matches('\n'));
        if got.contains("Tidemark does not support") {
            let _ = writeln!(refused, "{}", text.trim_start_matches('\n'));
        } else if got != expected {
            let _ = writeln!(differences, "{text}\n  spark {expected}\n  ours  {got}");
        }
    }
    (differences, refused)
}

/// Our interval types have no fields of their own.
fn without_fields(answer: &str) -> String {
    answer
        .replace("interval day to hour", "interval day to second")
        .replace("interval day to minute", "interval day to second")
        .replace(":interval day  ", ":interval day to second  ")
        .replace(":interval month  ", ":interval year to month  ")
}

#[test]
fn expressions() {
    let (differences, refused) =
        compare(include_str!("data/select_expr.txt"), |a, frame, text| a.select_expr(frame, &[text]));
    assert!(differences.is_empty(), "{differences}");
    assert_eq!(refused, include_str!("data/select_expr_not_yet.txt"));
}

#[test]
fn statements() {
    let (differences, refused) =
        compare(include_str!("data/statements.txt"), |a, _, text| a.sql(text, &BTreeMap::new()));
    assert!(differences.is_empty(), "{differences}");
    assert_eq!(refused, include_str!("data/statements_not_yet.txt"));
}
