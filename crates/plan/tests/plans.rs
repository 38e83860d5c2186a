//! SQL text and the resolved plan that it becomes: `tests/data/plans.txt` holds a statement, then its tree, indented.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tidemark_plan::explain::explain;
use tidemark_plan::{Analyzer, Settings};
use tidemark_types::StructType;

const STATEMENTS: [&str; 8] = [
    "SELECT id, amt * 2 AS x FROM t WHERE user = 'a' AND id > '1'",
    "SELECT user, count(*) AS n FROM t GROUP BY user",
    "SELECT upper(user) AS u, sum(amt) + 1 AS s FROM t GROUP BY upper(user) HAVING count(*) > 1 ORDER BY max(id) DESC",
    "SELECT user, count(DISTINCT id), count(id) FILTER (WHERE amt > 1) FROM t GROUP BY ALL",
    "SELECT window.start, count(*) AS n FROM t GROUP BY window(ts, '10 minutes')",
    "SELECT id FROM t UNION ALL SELECT amt FROM t ORDER BY 1 LIMIT 2",
    "SELECT a.id, b.user FROM t a LEFT JOIN t b ON a.id = b.id AND b.amt > 1",
    "SELECT DISTINCT user FROM t ORDER BY user NULLS LAST",
];

#[test]
fn statements_become_plans() {
    let mut text = String::new();
    for statement in STATEMENTS {
        let mut analyzer = Analyzer::new(Settings::default());
        let schema = StructType::from_ddl("id INT, user STRING, amt DOUBLE, ts TIMESTAMP")
            .expect("the schema is good");
        let frame = analyzer.local(Vec::new(), &schema);
        analyzer.create_view("t", &frame).expect("the name is good");
        let frame = analyzer.sql(statement, &BTreeMap::new()).unwrap_or_else(|e| panic!("{statement}: {e}"));
        let whole = explain(frame.plan(), true);
        let tree =
            whole.split("\n\n").next().unwrap_or_default().trim_start_matches("== Parsed Logical Plan ==\n");
        let _ = writeln!(text, "{statement}\n  {}\n", tree.trim_end().replace('\n', "\n  "));
    }
    assert_eq!(text, include_str!("data/plans.txt"), "\n{text}");
}
