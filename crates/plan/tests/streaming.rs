//! What a stream cannot do: queries, output modes and Spark's answers, from the matrix of output modes.

use std::collections::BTreeMap;

use tidemark_plan::unsupported::{check_batch, check_streaming};
use tidemark_plan::{Analyzer, Expr, Frame, JoinOn, OutputMode, ReadSpec, Settings};
use tidemark_types::{SparkError, StructType};

fn stream(analyzer: &mut Analyzer) -> Frame {
    let schema = StructType::from_ddl("user STRING, at TIMESTAMP, n INT").expect("the schema is good");
    let spec = ReadSpec {
        format: "json".to_owned(),
        paths: vec!["in".to_owned()],
        table: None,
        options: BTreeMap::new(),
        schema: Some(schema.clone()),
        streaming: true,
        listing: None,
    };
    analyzer.relation(spec, &schema)
}

/// A query of the given words over a stream `s`, a stream with a watermark `w` and a batch `b`.
// tidy: table
fn query(text: &str) -> Result<Frame, SparkError> {
    let mut a = Analyzer::new(Settings::default());
    let s = stream(&mut a);
    let other = stream(&mut a);
    let other = a.select_expr(&other, &["user AS user2", "at AS at2", "n AS n2"])?;
    let w = a.with_watermark(&s, "at", "1 minute")?;
    let w2 = a.with_watermark(&other, "at2", "1 minute")?;
    let b = a.sql("SELECT 'a' AS user3, 1 AS n3", &BTreeMap::new())?;
    let window = |a: &mut Analyzer, f: &Frame| -> Result<Frame, SparkError> {
        let keys = [a.expr("window(at, '1 minute')")?, Expr::name("user")?];
        let grouped = a.group_by(f, &keys);
        a.grouped_count(&grouped)
    };
    let on =
        |a: &Analyzer, text: &str| -> Result<JoinOn, SparkError> { Ok(JoinOn::Condition(a.expr(text)?)) };
    match text {
        "select" => a.select_expr(&s, &["n + 1", "upper(user)"]),
        "by user" => {
            let grouped = a.group_by(&s, &[Expr::name("user")?]);
            a.grouped_count(&grouped)
        }
        "by user with watermark" => {
            let grouped = a.group_by(&w, &[Expr::name("user")?]);
            a.grouped_count(&grouped)
        }
        "by time itself" => {
            let grouped = a.group_by(&w, &[Expr::name("at")?]);
            a.grouped_count(&grouped)
        }
        "window" => window(&mut a, &s),
        "window with watermark" => window(&mut a, &w),
        "watermark after" => {
            let counted = window(&mut a, &s)?;
            a.with_watermark(&counted, "window", "1 minute")
        }
        "window of window" => {
            let counted = window(&mut a, &w)?;
            let keys = [a.expr("window(window, '5 minutes')")?];
            let grouped = a.group_by(&counted, &keys);
            a.grouped_count(&grouped)
        }
        "window of window time" => {
            let counted = window(&mut a, &w)?;
            let keys = [a.expr("window(window_time(window), '5 minutes')")?];
            let grouped = a.group_by(&counted, &keys);
            a.grouped_count(&grouped)
        }
        "count distinct" => {
            let grouped = a.group_by(&s, &[Expr::name("user")?]);
            let count = a.expr("count(DISTINCT n)")?;
            a.agg(&grouped, &[count])
        }
        "distinct" => a.distinct(&s),
        "dedup within watermark" => a.drop_duplicates(&w, Some(&["user".to_owned()]), true),
        "dedup without watermark" => a.drop_duplicates(&s, Some(&["user".to_owned()]), true),
        "limit" => a.limit(&s, 3),
        "order" => a.sort(&s, &[Expr::name("n")?], true),
        "aggregate, order" => {
            let counted = window(&mut a, &s)?;
            a.sort(&counted, &[Expr::name("count")?], true)
        }
        "union with batch" => {
            let batch = a.sql("SELECT 'a' AS user, timestamp'2024-01-01' AS at, 1 AS n", &BTreeMap::new())?;
            a.union(&s, &batch)
        }
        "ids" => a.select_expr(&s, &["monotonically_increasing_id()"]),
        "inner join" => {
            let on = on(&a, "user = user2")?;
            a.join(&s, &other, &on, "inner")
        }
        "left join" => {
            let on = on(&a, "user = user2")?;
            a.join(&s, &other, &on, "left")
        }
        "left join with range" => {
            let on = on(&a, "user = user2 AND at2 >= at AND at2 <= at + INTERVAL 1 HOUR")?;
            a.join(&w, &w2, &on, "left")
        }
        "left join, static" => {
            let on = on(&a, "user = user3")?;
            a.join(&s, &b, &on, "left")
        }
        "right join, static" => {
            let on = on(&a, "user = user3")?;
            a.join(&s, &b, &on, "right")
        }
        other => panic!("no query {other}"),
    }
}

#[test]
fn output_modes() {
    const A: &str = "Invalid streaming output mode: append. This output mode is not supported for streaming aggregations without watermark";
    const C: &str = "Invalid streaming output mode: complete. This output mode is not supported for no streaming aggregations";
    const G: &str = "Detected pattern of possible 'correctness' issue";
    const O: &str = "Sorting is not supported";
    const D: &str = "Distinct aggregations are not supported";
    const W: &str =
        "dropDuplicatesWithinWatermark is not supported on streaming DataFrames/DataSets without watermark;";
    const J3: &str = "Stream-stream LeftOuter join between two streaming DataFrame/Datasets is not supported without a watermark";
    const J2: &str = "LeftOuter join between two streaming DataFrames/Datasets is not supported in Update output mode, only in Append output mode;";
    const M: &str = "Expression(s): monotonically_increasing_id() is not supported";
    const U: &str = "Union between streaming and batch DataFrames/Datasets is not supported;";
    const R: &str = "RightOuter join with a streaming DataFrame/Dataset on the left";
    let cases = [
        ("select", ["", "", C]),
        ("by user", [A, "", ""]),
        ("by user with watermark", [A, "", ""]),
        ("by time itself", ["", "", ""]),
        ("window", [A, "", ""]),
        ("window with watermark", ["", "", ""]),
        ("watermark after", [A, "", ""]),
        ("window of window", ["", G, G]),
        ("window of window time", ["", G, G]),
        ("count distinct", [A, D, D]),
        ("distinct", ["", "", C]),
        ("dedup within watermark", ["", "", C]),
        ("dedup without watermark", [W, W, C]),
        ("limit", ["", "Limits are not supported", C]),
        ("order", [O, O, C]),
        ("aggregate, order", [A, O, ""]),
        ("union with batch", [U, U, C]),
        ("ids", [M, M, C]),
        ("inner join", ["", "", C]),
        ("left join", [J3, J2, C]),
        ("left join with range", ["", J2, C]),
        ("left join, static", ["", "", C]),
        ("right join, static", [R, R, C]),
    ];
    for (text, answers) in cases {
        let frame = query(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        for (mode, expected) in
            [OutputMode::Append, OutputMode::Update, OutputMode::Complete].into_iter().zip(answers)
        {
            let got =
                check_streaming(frame.plan(), mode, &|_| None).err().map(|e| e.message).unwrap_or_default();
            let same = if expected.is_empty() { got.is_empty() } else { got.starts_with(expected) };
            assert!(same, "{text} in {mode:?}: expected {expected:?}, got {got:?}");
        }
    }
}

#[test]
fn batch_actions() {
    let frame = query("select").expect("the query is good");
    let error = check_batch(frame.plan()).expect_err("a stream is no batch");
    assert_eq!(error.condition.0, "_LEGACY_ERROR_TEMP_3102");
    assert_eq!(
        error.full_message(),
        "Queries with streaming sources must be executed with writeStream.start(), or from a streaming table or flow definition within a Spark Declarative Pipeline.;"
    );
    let error = OutputMode::parse("now and then").expect_err("the mode is bad");
    assert_eq!(
        error.full_message(),
        "[STREAMING_OUTPUT_MODE.INVALID] Invalid streaming output mode: now and then. Accepted output modes are 'Append', 'Complete', 'Update'. SQLSTATE: 42KDE"
    );
}
