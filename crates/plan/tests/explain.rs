//! `explain()` against what real Spark 4.2.0 printed, numbers of plans aside.

use std::collections::BTreeMap;

use tidemark_plan::explain::explain;
use tidemark_plan::{Analyzer, Expr, Frame, ReadSpec, Settings};
use tidemark_types::{SparkError, StructType};

fn relation(analyzer: &mut Analyzer) -> Frame {
    let schema =
        StructType::from_ddl("id INT, user STRING, amt DOUBLE, ts TIMESTAMP").expect("the schema is good");
    let spec = ReadSpec {
        format: "json".to_owned(),
        paths: vec!["file:/x.json".to_owned()],
        table: None,
        options: BTreeMap::new(),
        schema: None,
        streaming: false,
        listing: None,
    };
    analyzer.relation(spec, &schema)
}

#[test]
fn plans_are_drawn_as_spark_draws_them() {
    let mut a = Analyzer::new(Settings::default());
    let r = relation(&mut a);
    let by_user = a.group_by(&r, &[Expr::name("user").expect("the name is good")]);
    let plans: Vec<(Result<Frame, SparkError>, &str)> = vec![
        (
            a.filter_text(&r, "id > 1 and user = 'a'").and_then(|f| a.select_expr(&f, &["id", "amt * 2 AS x"])),
            "*(1) Project [id#0, (amt#2 * 2.0) AS x#5]
+- *(1) Filter (((isnotnull(id#0) AND isnotnull(user#1)) AND (id#0 > 1)) AND (user#1 = a))
   +- FileScan json [id#0,user#1,amt#2] Batched: false, DataFilters: [isnotnull(id#0), isnotnull(user#1), (id#0 > 1), (user#1 = a)], Format: JSON, Location: InMemoryFileIndex(1 paths)[file:/x.json], PartitionFilters: [], PushedFilters: [IsNotNull(id), IsNotNull(user), GreaterThan(id,1), EqualTo(user,a)], ReadSchema: struct<id:int,user:string,amt:double>
",
        ),
        (
            a.grouped_count(&by_user),
            "AdaptiveSparkPlan isFinalPlan=false
+- HashAggregate(keys=[user#1], functions=[count(1)])
   +- Exchange hashpartitioning(user#1, 2), ENSURE_REQUIREMENTS, [plan_id=1]
      +- HashAggregate(keys=[user#1], functions=[partial_count(1)])
         +- FileScan json [user#1] Batched: false, DataFilters: [], Format: JSON, Location: InMemoryFileIndex(1 paths)[file:/x.json], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<user:string>
",
        ),
        (a.range(0, 5, 1, None), "*(1) Range (0, 5, step=1, splits=2)\n"),
        (
            a.select_expr(&r, &["CASE WHEN id > 1 THEN 'a' ELSE 'b' END AS c"]).and_then(|f| a.limit(&f, 3)),
            "CollectLimit 3
+- *(1) Project [CASE WHEN (id#0 > 1) THEN a ELSE b END AS c#9]
   +- FileScan json [id#0] Batched: false, DataFilters: [], Format: JSON, Location: InMemoryFileIndex(1 paths)[file:/x.json], PartitionFilters: [], PushedFilters: [], ReadSchema: struct<id:int>
",
        ),
    ];
    for (frame, wanted) in plans {
        let frame = frame.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(explain(frame.plan(), false), format!("== Physical Plan ==\n{wanted}\n"));
    }
}
