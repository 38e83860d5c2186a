//! Plans through the operators: small tables in, rows out, and the clever aggregation beside a naive one.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, Float64Array, Int32Array, Int64Array, StringArray};
use tidemark_engine::Task;
use tidemark_engine::kernel::EvalContext;
use tidemark_engine::operator::{Execution, Inputs, RunContext, run};
use tidemark_plan::{
    AggregateCall, AggregateFunction as A, Attribute, CastMode, ExprId, Function as F, JoinType, Literal,
    NamedAggregate, NamedScalar, Plan, ReadSpec, Scalar, SortOrder,
};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType as T, Zone};

fn context() -> RunContext {
    RunContext { eval: EvalContext::at(0), shuffle_partitions: 3, parallelism: 2, adaptive: false }
}

fn attribute(id: u64, name: &str, data_type: T) -> Attribute {
    Attribute {
        id: ExprId(id),
        name: name.into(),
        data_type,
        nullable: true,
        qualifier: vec![],
        watermark_delay: None,
    }
}

fn column(a: &Attribute) -> Scalar {
    Scalar::Column(a.clone())
}

fn int(v: i32) -> Scalar {
    Scalar::Literal(Literal::Integer(v))
}

fn call(function: F, args: Vec<Scalar>, data_type: T) -> Scalar {
    Scalar::Call { function, args, data_type, nullable: true }
}

fn ints(values: &[Option<i32>]) -> ArrayRef {
    Arc::new(Int32Array::from(values.to_vec()))
}

fn texts(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// Rows in partitions, under these columns.
fn local(output: &[Attribute], partitions: Vec<Vec<ArrayRef>>) -> Arc<Plan> {
    let schema = Arc::new(Attribute::schema(output));
    let batches = partitions
        .into_iter()
        .map(|columns| {
            let rows = columns[0].len();
            Batch::new(schema.clone(), columns, rows)
        })
        .collect();
    Arc::new(Plan::Local { partitions: Arc::new(batches), output: output.to_vec() })
}

/// The result as text: rows joined by `;`, partitions by `|`.
fn answer(plan: &Plan, context: &RunContext) -> String {
    shown(&run(plan, &Inputs::new(), context).unwrap_or_else(|e| panic!("{e}")))
}

fn shown(partitions: &[Vec<Batch>]) -> String {
    let one = |batches: &Vec<Batch>| {
        let rows: Vec<String> = batches.iter().flat_map(row_texts).collect();
        rows.join("; ")
    };
    partitions.iter().map(one).collect::<Vec<_>>().join(" | ")
}

fn row_texts(batch: &Batch) -> Vec<String> {
    let style = TextStyle::cast(Zone::UTC);
    (0..batch.rows())
        .map(|row| {
            let cells: Vec<String> = batch
                .columns()
                .iter()
                .zip(&batch.schema().fields)
                .map(|(c, f)| value_text(c, &f.data_type, row, style).unwrap_or_else(|| "NULL".into()))
                .collect();
            cells.join(",")
        })
        .collect()
}

fn sorted(plan: &Plan) -> Vec<String> {
    let mut rows: Vec<String> = run(plan, &Inputs::new(), &context())
        .expect("the plan runs")
        .iter()
        .flatten()
        .flat_map(row_texts)
        .collect();
    rows.sort();
    rows
}

/// Two columns, two partitions: `k`, `v`.
fn pairs() -> (Arc<Plan>, Attribute, Attribute) {
    let (k, v) = (attribute(1, "k", T::String), attribute(2, "v", T::Integer));
    let first = vec![texts(&[Some("a"), Some("b"), None]), ints(&[Some(1), Some(2), Some(3)])];
    let second = vec![texts(&[Some("a"), Some("b"), Some("c")]), ints(&[Some(10), None, Some(5)])];
    (local(&[k.clone(), v.clone()], vec![first, second]), k, v)
}

fn aggregate(function: A, args: Vec<Scalar>, data_type: T) -> AggregateCall {
    AggregateCall { function, args, distinct: false, filter: None, data_type }
}

fn group(child: Arc<Plan>, keys: &[&Attribute], calls: Vec<AggregateCall>) -> Plan {
    let grouping = keys
        .iter()
        .enumerate()
        .map(|(i, k)| NamedScalar {
            scalar: column(k),
            output: Attribute { id: ExprId(100 + i as u64), ..(*k).clone() },
        })
        .collect();
    let aggregates = calls
        .into_iter()
        .enumerate()
        .map(|(i, call)| {
            let output = attribute(200 + i as u64, "r", call.data_type.clone());
            NamedAggregate { call, output }
        })
        .collect();
    Plan::Aggregate { grouping, aggregates, child }
}

#[test]
fn narrow_operators_keep_partitions() {
    let (child, k, v) = pairs();
    let out = attribute(3, "w", T::Integer);
    let plus = call(F::Add, vec![column(&v), int(1)], T::Integer);
    let project = Plan::Project {
        columns: vec![
            NamedScalar { scalar: column(&k), output: k.clone() },
            NamedScalar { scalar: plus, output: out },
            NamedScalar {
                scalar: call(F::MonotonicallyIncreasingId, vec![], T::Long),
                output: attribute(4, "i", T::Long),
            },
        ],
        child: child.clone(),
    };
    assert_eq!(
        answer(&project, &context()),
        "a,2,0; b,3,1; NULL,4,2 | a,11,8589934592; b,NULL,8589934593; c,6,8589934594"
    );
    let filter = Plan::Filter { predicate: call(F::Greater, vec![column(&v), int(2)], T::Boolean), child };
    assert_eq!(answer(&filter, &context()), "NULL,3 | a,10; c,5");
}

#[test]
fn ranges_are_cut_as_spark_cuts_them() {
    let range = |start, end, step, partitions| Plan::Range {
        start,
        end,
        step,
        partitions,
        output: vec![attribute(1, "id", T::Long)],
    };
    for (plan, expected) in [
        (range(0, 5, 1, None), "0; 1 | 2; 3; 4"),
        (range(0, 5, 2, Some(2)), "0 | 2; 4"),
        (range(5, 0, -2, Some(2)), "5 | 3; 1"),
        (range(0, 0, 1, Some(2)), " | "),
        (range(3, 1, 1, Some(1)), ""),
        (range(0, 3, 1, Some(5)), " | 0 |  | 1 | 2"),
    ] {
        assert_eq!(answer(&plan, &context()), expected, "{plan:?}");
    }
}

#[test]
fn limits_unions_and_repartitions() {
    let (child, _, _) = pairs();
    let output = child.output();
    assert_eq!(answer(&Plan::Limit { rows: 4, child: child.clone() }, &context()), "a,1; b,2; NULL,3; a,10");
    assert_eq!(answer(&Plan::Limit { rows: 0, child: child.clone() }, &context()), "");
    let union = Plan::Union { children: vec![child.clone(), child.clone()], output };
    assert_eq!(run(&union, &Inputs::new(), &context()).unwrap().len(), 4);
    let coalesce = |n, child| Plan::Repartition { partitions: n, shuffle: false, by: Vec::new(), child };
    assert_eq!(answer(&coalesce(1, child.clone()), &context()), "a,1; b,2; NULL,3; a,10; b,NULL; c,5");
    assert_eq!(run(&coalesce(3, Arc::new(union)), &Inputs::new(), &context()).unwrap().len(), 3);
    let shuffled = Plan::Repartition { partitions: 4, shuffle: true, by: Vec::new(), child };
    assert_eq!(run(&shuffled, &Inputs::new(), &context()).unwrap().len(), 4);
    assert_eq!(sorted(&shuffled).len(), 6);
}

#[test]
fn a_limit_computes_nothing_behind_it() {
    let id = attribute(1, "id", T::Long);
    let range =
        Arc::new(Plan::Range { start: 0, end: 4, step: 1, partitions: Some(2), output: vec![id.clone()] });
    let broken = call(
        F::IntegralDivide,
        vec![
            Scalar::Literal(Literal::Long(1)),
            call(F::Subtract, vec![column(&id), Scalar::Literal(Literal::Long(2))], T::Long),
        ],
        T::Long,
    );
    let project = Arc::new(Plan::Project {
        columns: vec![NamedScalar { scalar: broken, output: attribute(2, "x", T::Long) }],
        child: range,
    });
    assert_eq!(answer(&Plan::Limit { rows: 2, child: project.clone() }, &context()), "0; -1");
    let error = run(&Plan::Limit { rows: 3, child: project }, &Inputs::new(), &context()).unwrap_err();
    assert!(error.to_string().starts_with("[DIVIDE_BY_ZERO]"), "{error}");
}

#[test]
fn what_nobody_asks_for_is_not_computed() {
    let (child, k, v) = pairs();
    let broken = call(
        F::IntegralDivide,
        vec![Scalar::Literal(Literal::Long(1)), Scalar::Literal(Literal::Long(0))],
        T::Long,
    );
    let bad = attribute(50, "bad", T::Long);
    let project = Arc::new(Plan::Project {
        columns: vec![
            NamedScalar { scalar: broken, output: bad.clone() },
            NamedScalar { scalar: column(&k), output: k.clone() },
            NamedScalar { scalar: column(&v), output: v.clone() },
        ],
        child,
    });
    let count = || vec![aggregate(A::Count, vec![int(1)], T::Long)];
    let only = |child: Arc<Plan>| Plan::Project {
        columns: vec![NamedScalar { scalar: column(&v), output: v.clone() }],
        child,
    };
    let output = project.output();
    let both =
        Arc::new(Plan::Union { children: vec![project.clone(), project.clone()], output: output.clone() });
    let filtered = Arc::new(Plan::Filter {
        predicate: call(F::Equal, vec![column(&k), Scalar::Literal(Literal::String("a".into()))], T::Boolean),
        child: both.clone(),
    });
    let alias = Arc::new(Plan::Alias { name: "t".into(), child: filtered.clone(), output: output.clone() });
    assert_eq!(answer(&group(project.clone(), &[], count()), &context()), "6");
    assert_eq!(sorted(&group(both, &[&k], count())), ["NULL,2", "a,4", "b,4", "c,2"]);
    assert_eq!(answer(&only(filtered), &context()), "1 | 10 | 1 | 10");
    assert_eq!(answer(&only(alias), &context()), "1 | 10 | 1 | 10");
    let error = run(&project, &Inputs::new(), &context()).unwrap_err();
    assert!(error.to_string().starts_with("[DIVIDE_BY_ZERO]"), "{error}");
    let unused = group(project, &[&k], vec![aggregate(A::Sum, vec![column(&bad)], T::Long)]);
    let keys = Plan::Project {
        columns: vec![NamedScalar {
            scalar: column(&unused.output()[0]),
            output: attribute(70, "k", T::String),
        }],
        child: Arc::new(unused),
    };
    assert_eq!(sorted(&keys), ["NULL", "a", "b", "c"]);
}

#[test]
fn a_filter_spares_the_rows_it_leaves_out() {
    let s = attribute(1, "s", T::String);
    let child = local(std::slice::from_ref(&s), vec![vec![texts(&[Some("1"), Some("x"), Some("3")])]]);
    let n = attribute(2, "n", T::Integer);
    let number = Scalar::Cast { child: Box::new(column(&s)), to: T::Integer, mode: CastMode::Ansi };
    let project = |child| {
        Arc::new(Plan::Project {
            columns: vec![
                NamedScalar { scalar: column(&s), output: s.clone() },
                NamedScalar { scalar: number.clone(), output: n.clone() },
            ],
            child,
        })
    };
    let is_number =
        || call(F::RLike, vec![column(&s), Scalar::Literal(Literal::String("^[0-9]+$".into()))], T::Boolean);
    let filter = |predicate, child| Arc::new(Plan::Filter { predicate, child });
    let computed = project(child.clone());
    let output = computed.output();
    let sort = Arc::new(Plan::Sort { orders: vec![], global: true, child: computed.clone() });
    let union = Arc::new(Plan::Union { children: vec![sort, computed.clone()], output: output.clone() });
    let alias = Arc::new(Plan::Alias { name: "t".into(), child: union, output });
    assert_eq!(answer(&filter(is_number(), computed.clone()), &context()), "1,1; 3,3");
    assert_eq!(answer(&filter(is_number(), alias), &context()), "1,1; 3,3 | 1,1; 3,3");
    let large = call(F::Greater, vec![column(&n), int(2)], T::Boolean);
    assert_eq!(answer(&filter(large.clone(), filter(is_number(), computed.clone())), &context()), "3,3");
    let error = run(&filter(is_number(), filter(large, computed)), &Inputs::new(), &context()).unwrap_err();
    assert!(error.to_string().starts_with("[CAST_INVALID_INPUT]"), "{error}");
}

#[test]
fn sorting_is_stable_and_puts_nulls_where_told() {
    let (child, k, v) = pairs();
    let by = |scalar, ascending, nulls_first| SortOrder { scalar, ascending, nulls_first };
    let sort = |orders, global| Plan::Sort { orders, global, child: child.clone() };
    for (plan, expected) in [
        (sort(vec![by(column(&v), true, true)], true), "b,NULL; a,1; b,2; NULL,3; c,5; a,10"),
        (sort(vec![by(column(&v), false, false)], true), "a,10; c,5; NULL,3; b,2; a,1; b,NULL"),
        (sort(vec![by(column(&k), true, true)], true), "NULL,3; a,1; a,10; b,2; b,NULL; c,5"),
        (
            sort(vec![by(column(&k), false, false), by(column(&v), true, false)], true),
            "c,5; b,2; b,NULL; a,1; a,10; NULL,3",
        ),
        (sort(vec![by(column(&k), false, true)], false), "NULL,3; b,2; a,1 | c,5; b,NULL; a,10"),
    ] {
        assert_eq!(answer(&plan, &context()), expected, "{plan:?}");
    }
}

#[test]
fn floats_sort_and_group_as_in_spark() {
    let d = attribute(1, "d", T::Double);
    let values: ArrayRef =
        Arc::new(Float64Array::from(vec![f64::NAN, 1.0, -0.0, f64::INFINITY, 0.0, -f64::NAN]));
    let child = local(std::slice::from_ref(&d), vec![vec![values]]);
    let order = SortOrder { scalar: column(&d), ascending: true, nulls_first: true };
    let sort = Plan::Sort { orders: vec![order], global: true, child: child.clone() };
    assert_eq!(answer(&sort, &context()), "-0.0; 0.0; 1.0; Infinity; NaN; NaN");
    let counts = group(child, &[&d], vec![aggregate(A::Count, vec![int(1)], T::Long)]);
    assert_eq!(sorted(&counts), ["0.0,2", "1.0,1", "Infinity,1", "NaN,2"]);
}

#[test]
fn aggregates_of_groups() {
    let (child, k, v) = pairs();
    let list = T::Array(Box::new(T::Integer), false);
    let cases = vec![
        (aggregate(A::Count, vec![int(1)], T::Long), ["NULL,1", "a,2", "b,2", "c,1"]),
        (aggregate(A::Count, vec![column(&v)], T::Long), ["NULL,1", "a,2", "b,1", "c,1"]),
        (aggregate(A::Sum, vec![column(&v)], T::Long), ["NULL,3", "a,11", "b,2", "c,5"]),
        (aggregate(A::Avg, vec![column(&v)], T::Double), ["NULL,3.0", "a,5.5", "b,2.0", "c,5.0"]),
        (aggregate(A::Min, vec![column(&v)], T::Integer), ["NULL,3", "a,1", "b,2", "c,5"]),
        (aggregate(A::Max, vec![column(&k)], T::String), ["NULL,NULL", "a,a", "b,b", "c,c"]),
        (aggregate(A::First, vec![column(&v)], T::Integer), ["NULL,3", "a,1", "b,2", "c,5"]),
        (aggregate(A::Last, vec![column(&v)], T::Integer), ["NULL,3", "a,10", "b,NULL", "c,5"]),
        (
            aggregate(A::CollectList, vec![column(&v)], list.clone()),
            ["NULL,[3]", "a,[1, 10]", "b,[2]", "c,[5]"],
        ),
        (aggregate(A::CollectSet, vec![column(&v)], list), ["NULL,[3]", "a,[1, 10]", "b,[2]", "c,[5]"]),
        (aggregate(A::ApproxCountDistinct, vec![column(&v)], T::Long), ["NULL,1", "a,2", "b,1", "c,1"]),
        (aggregate(A::MaxBy, vec![column(&k), column(&v)], T::String), ["NULL,NULL", "a,a", "b,b", "c,c"]),
        (
            aggregate(A::CountIf, vec![call(F::Greater, vec![column(&v), int(1)], T::Boolean)], T::Long),
            ["NULL,1", "a,1", "b,1", "c,1"],
        ),
        (
            AggregateCall { distinct: true, ..aggregate(A::Count, vec![column(&v)], T::Long) },
            ["NULL,1", "a,2", "b,1", "c,1"],
        ),
        (
            AggregateCall {
                filter: Some(call(F::Less, vec![column(&v), int(5)], T::Boolean)),
                ..aggregate(A::Sum, vec![column(&v)], T::Long)
            },
            ["NULL,3", "a,1", "b,2", "c,NULL"],
        ),
    ];
    for (call, expected) in cases {
        assert_eq!(sorted(&group(child.clone(), &[&k], vec![call.clone()])), expected, "{call:?}");
    }
}

#[test]
fn aggregates_without_keys() {
    let (child, _, v) = pairs();
    let calls = || {
        vec![
            aggregate(A::Count, vec![int(1)], T::Long),
            aggregate(A::Sum, vec![column(&v)], T::Long),
            AggregateCall { distinct: false, ..aggregate(A::Max, vec![column(&v)], T::Integer) },
        ]
    };
    assert_eq!(answer(&group(child.clone(), &[], calls()), &context()), "6,21,10");
    let nothing = Arc::new(Plan::Limit { rows: 0, child });
    assert_eq!(answer(&group(nothing.clone(), &[], calls()), &context()), "0,NULL,NULL");
    let distinct = AggregateCall { distinct: true, ..aggregate(A::Count, vec![column(&v)], T::Long) };
    assert_eq!(answer(&group(nothing, &[], vec![distinct]), &context()), "0");
    let empty = local(std::slice::from_ref(&v), vec![]);
    assert_eq!(answer(&group(empty, &[], calls()), &context()), "0,NULL,NULL");
}

#[test]
fn decimals_and_deviations() {
    let d = attribute(1, "d", T::Decimal(5, 2));
    let x = attribute(2, "x", T::Double);
    let decimals: ArrayRef = Arc::new(
        arrow::array::Decimal128Array::from(vec![Some(150), None, Some(100)])
            .with_precision_and_scale(5, 2)
            .unwrap(),
    );
    let doubles: ArrayRef = Arc::new(Float64Array::from(vec![2.0, 4.0, 9.0]));
    let child = local(
        &[d.clone(), x.clone()],
        vec![vec![decimals.clone(), doubles.clone()], vec![decimals, doubles]],
    );
    let calls = vec![
        aggregate(A::Sum, vec![column(&d)], T::Decimal(15, 2)),
        aggregate(A::Avg, vec![column(&d)], T::Decimal(9, 6)),
        aggregate(A::Min, vec![column(&d)], T::Decimal(5, 2)),
        aggregate(A::StddevSample, vec![column(&x)], T::Double),
    ];
    assert_eq!(answer(&group(child, &[], calls), &context()), "5.00,1.250000,1.00,3.22490309931942");
}

#[test]
fn distinct_counts_are_about_right_and_small_ones_as_in_spark() {
    let id = attribute(1, "id", T::Long);
    for (rows, spark) in
        [(1, 1), (10, 10), (100, 103), (300, 296), (500, 484), (1000, 1026), (100_000, 95_546)]
    {
        let rows = i64::from(rows);
        let range = Arc::new(Plan::Range {
            start: 0,
            end: rows,
            step: 1,
            partitions: None,
            output: vec![id.clone()],
        });
        let plan = group(range, &[], vec![aggregate(A::ApproxCountDistinct, vec![column(&id)], T::Long)]);
        let ours: i64 = answer(&plan, &context()).parse().expect("a number");
        let tolerance = if rows <= 300 { 0 } else { rows / 10 };
        assert!((ours - spark).abs() <= tolerance, "{ours} of {rows}, Spark says {spark}");
    }
}

#[test]
fn an_overflowing_sum_fails() {
    let v = attribute(1, "v", T::Long);
    let values: ArrayRef = Arc::new(Int64Array::from(vec![i64::MAX, 1]));
    let child = local(std::slice::from_ref(&v), vec![vec![values]]);
    let plan = group(child, &[], vec![aggregate(A::Sum, vec![column(&v)], T::Long)]);
    let error = run(&plan, &Inputs::new(), &context()).unwrap_err();
    assert!(error.to_string().starts_with("[ARITHMETIC_OVERFLOW]"), "{error}");
}

#[test]
fn small_partitions_are_put_together_when_adaptive() {
    let (child, k, _) = pairs();
    let plan = group(child, &[&k], vec![aggregate(A::Count, vec![int(1)], T::Long)]);
    assert_eq!(run(&plan, &Inputs::new(), &context()).unwrap().len(), 3);
    assert_eq!(run(&plan, &Inputs::new(), &RunContext { adaptive: true, ..context() }).unwrap().len(), 1);
}

#[test]
fn the_first_row_of_a_key_stays() {
    let (child, k, _) = pairs();
    let plan = Plan::Deduplicate { keys: vec![k], within_watermark: false, child };
    assert_eq!(sorted(&plan), ["NULL,3", "a,1", "b,2", "c,5"]);
}

#[test]
fn joins() {
    let (k, v) = (attribute(1, "k", T::Integer), attribute(2, "v", T::String));
    let (k2, w) = (attribute(3, "k2", T::Integer), attribute(4, "w", T::String));
    let left = local(
        &[k.clone(), v.clone()],
        vec![
            vec![ints(&[Some(1), Some(2), None]), texts(&[Some("x"), Some("y"), Some("z")])],
            vec![ints(&[Some(1)]), texts(&[Some("u")])],
        ],
    );
    let right = local(
        &[k2.clone(), w.clone()],
        vec![vec![
            ints(&[Some(1), Some(1), Some(3), None]),
            texts(&[Some("p"), Some("q"), Some("r"), Some("s")]),
        ]],
    );
    let equal = || call(F::Equal, vec![column(&k2), column(&k)], T::Boolean);
    let safe = call(F::EqualNullSafe, vec![column(&k), column(&k2)], T::Boolean);
    let residual = call(
        F::And,
        vec![
            equal(),
            call(F::Equal, vec![column(&w), Scalar::Literal(Literal::String("q".into()))], T::Boolean),
        ],
        T::Boolean,
    );
    let both: Vec<Attribute> = [&k, &v, &k2, &w].into_iter().cloned().collect();
    let one: Vec<Attribute> = vec![k.clone(), v.clone()];
    let join = |join_type, condition: Option<Scalar>| {
        let semi = matches!(join_type, JoinType::LeftSemi | JoinType::LeftAnti);
        let output = if semi { one.clone() } else { both.clone() };
        Plan::Join { left: left.clone(), right: right.clone(), join_type, condition, output }
    };
    let inner = ["1,u,1,p", "1,u,1,q", "1,x,1,p", "1,x,1,q"];
    assert_eq!(sorted(&join(JoinType::Inner, Some(equal()))), inner);
    let mut outer: Vec<&str> = inner.to_vec();
    outer.extend(["2,y,NULL,NULL", "NULL,z,NULL,NULL"]);
    assert_eq!(sorted(&join(JoinType::LeftOuter, Some(equal()))), outer);
    assert_eq!(
        sorted(&join(JoinType::RightOuter, Some(equal()))),
        ["1,u,1,p", "1,u,1,q", "1,x,1,p", "1,x,1,q", "NULL,NULL,3,r", "NULL,NULL,NULL,s"]
    );
    assert_eq!(
        sorted(&join(JoinType::FullOuter, Some(equal()))),
        [
            "1,u,1,p",
            "1,u,1,q",
            "1,x,1,p",
            "1,x,1,q",
            "2,y,NULL,NULL",
            "NULL,NULL,3,r",
            "NULL,NULL,NULL,s",
            "NULL,z,NULL,NULL"
        ]
    );
    assert_eq!(sorted(&join(JoinType::LeftSemi, Some(equal()))), ["1,u", "1,x"]);
    assert_eq!(sorted(&join(JoinType::LeftAnti, Some(equal()))), ["2,y", "NULL,z"]);
    assert_eq!(
        sorted(&join(JoinType::LeftOuter, Some(residual))),
        ["1,u,1,q", "1,x,1,q", "2,y,NULL,NULL", "NULL,z,NULL,NULL"]
    );
    assert_eq!(sorted(&join(JoinType::Inner, Some(safe))).last().map(String::as_str), Some("NULL,z,NULL,s"));
    assert_eq!(sorted(&join(JoinType::Cross, None)).len(), 16);
    let less = call(F::Less, vec![column(&k), column(&k2)], T::Boolean);
    assert_eq!(sorted(&join(JoinType::Inner, Some(less))), ["1,u,3,r", "1,x,3,r", "2,y,3,r"]);
}

#[test]
fn generators_make_a_row_for_each_element() {
    let (child, k, v) = pairs();
    let list = T::Array(Box::new(T::Integer), true);
    let made = call(F::CreateArray, vec![column(&v), int(0)], list.clone());
    let generator = Scalar::Case {
        branches: vec![(call(F::IsNotNull, vec![column(&k)], T::Boolean), made)],
        otherwise: None,
        data_type: list,
    };
    let mut output = child.output();
    output.push(attribute(9, "col", T::Integer));
    let plan = |outer| Plan::Generate {
        generator: generator.clone(),
        outer,
        child: child.clone(),
        output: output.clone(),
    };
    assert_eq!(
        answer(&plan(false), &context()),
        "a,1,1; a,1,0; b,2,2; b,2,0 | a,10,10; a,10,0; b,NULL,NULL; b,NULL,0; c,5,5; c,5,0"
    );
    assert_eq!(
        answer(&plan(true), &context()).split(" | ").next(),
        Some("a,1,1; a,1,0; b,2,2; b,2,0; NULL,3,NULL")
    );
}

#[test]
fn relations_get_their_tasks_and_files() {
    let v = attribute(1, "v", T::Integer);
    let spec = ReadSpec {
        format: "json".into(),
        paths: vec![],
        table: None,
        options: BTreeMap::new(),
        schema: None,
        streaming: true,
        listing: None,
    };
    let relation = Arc::new(Plan::Relation { spec: Arc::new(spec), source: 5, output: vec![v.clone()] });
    let schema = Arc::new(Attribute::schema(std::slice::from_ref(&v)));
    let batch = |n| Batch::new(schema.clone(), vec![ints(&[Some(n)])], 1);
    let task = |batches: Vec<Batch>, files: Vec<Option<String>>| Task { batches, files };
    let inputs = Inputs::from([(
        5,
        vec![
            task(vec![batch(1), batch(2)], vec![Some("file:///a".into()), Some("file:///b".into())]),
            task(vec![], vec![]),
        ],
    )]);
    let project = Plan::Project {
        columns: vec![
            NamedScalar { scalar: column(&v), output: v.clone() },
            NamedScalar {
                scalar: call(F::InputFileName, vec![], T::String),
                output: attribute(2, "f", T::String),
            },
        ],
        child: relation.clone(),
    };
    assert_eq!(shown(&run(&project, &inputs, &context()).unwrap()), "1,file:///a; 2,file:///b | ");
    assert_eq!(run(&relation, &Inputs::new(), &context()).unwrap().len(), 0);
}

/// Numbers that look random and are always the same.
fn noise(seed: u64, count: usize) -> Vec<u64> {
    let mut state = seed;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        })
        .collect()
}

#[test]
fn aggregation_agrees_with_a_naive_one() {
    const ROWS: usize = 40_000;
    let (k, v) = (attribute(1, "k", T::String), attribute(2, "v", T::Integer));
    let keys = noise(7, ROWS);
    let values = noise(11, ROWS);
    let mut naive: BTreeMap<String, (i64, i64, i32, i32)> = BTreeMap::new();
    let mut partitions = Vec::new();
    for start in (0..ROWS).step_by(10_000) {
        let names: Vec<String> =
            keys[start..start + 10_000].iter().map(|n| format!("key{}", n % 997)).collect();
        let numbers: Vec<i32> =
            values[start..start + 10_000].iter().map(|n| (n % 10_000) as i32 - 5_000).collect();
        for (name, number) in names.iter().zip(&numbers) {
            let entry = naive.entry(name.clone()).or_insert((0, 0, i32::MAX, i32::MIN));
            *entry = (entry.0 + 1, entry.1 + i64::from(*number), entry.2.min(*number), entry.3.max(*number));
        }
        let columns: Vec<ArrayRef> =
            vec![Arc::new(StringArray::from(names)), Arc::new(Int32Array::from(numbers))];
        partitions.push(columns);
    }
    let child = local(&[k.clone(), v.clone()], partitions);
    let calls = vec![
        aggregate(A::Count, vec![int(1)], T::Long),
        aggregate(A::Sum, vec![column(&v)], T::Long),
        aggregate(A::Min, vec![column(&v)], T::Integer),
        aggregate(A::Max, vec![column(&v)], T::Integer),
    ];
    let expected: Vec<String> =
        naive.iter().map(|(k, (c, s, lo, hi))| format!("{k},{c},{s},{lo},{hi}")).collect();
    let mut expected_sorted = expected;
    expected_sorted.sort();
    assert_eq!(sorted(&group(child, &[&k], calls)), expected_sorted);
}

#[test]
fn an_execution_can_stop_between_two_steps() {
    let id = attribute(1, "id", T::Long);
    let range = Arc::new(Plan::Range {
        start: 0,
        end: 100_000,
        step: 1,
        partitions: Some(2),
        output: vec![id.clone()],
    });
    let plan = group(range, &[], vec![aggregate(A::Sum, vec![column(&id)], T::Long)]);
    let mut execution = Execution::new(&plan, &Inputs::new(), context()).unwrap();
    let mut steps = 1;
    while !execution.step().unwrap() {
        steps += 1;
    }
    assert!(steps > 7, "each batch is a step of its own, {steps}");
    assert_eq!(execution.rows(), 1);
    assert_eq!(shown(&execution.into_partitions()), "4999950000");
}
