//! The DataFrame API against what real Spark 4.2.0 answers: columns and types, or the whole error.

use tidemark_plan::{Analyzer, Expr, Frame, JoinOn, Literal, Settings};
use tidemark_types::{SparkError, StructType};

const TABLE: &str = "id INT, user STRING, amt DOUBLE, ts TIMESTAMP, b BIGINT, f FLOAT, d DECIMAL(10,2), dt DATE, ok BOOLEAN, bin BINARY, arr ARRAY<INT>, m MAP<STRING,INT>, s STRUCT<x: INT, y: STRING>, ti TINYINT, sm SMALLINT, ntz TIMESTAMP_NTZ";
const ALL: &str = "id:int,user:string,amt:double,ts:timestamp,b:bigint,f:float,d:decimal(10,2),dt:date,ok:boolean,bin:binary,arr:array<int>,m:map<string,int>,s:struct<x:int,y:string>,ti:tinyint,sm:smallint,ntz:timestamp_ntz";

type Answer = Result<Frame, SparkError>;

fn text(answer: Answer) -> String {
    match answer {
        Ok(frame) => {
            let all: Vec<String> = frame
                .schema()
                .fields
                .iter()
                .map(|f| format!("{}:{}", f.name, f.data_type.simple_string()))
                .collect();
            all.join(",").replace(ALL, "ALL")
        }
        Err(error) => error.full_message(),
    }
}

fn col(name: &str) -> Expr {
    Expr::name(name).expect("the name is good")
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| (*n).to_owned()).collect()
}

fn lit(value: i32) -> Expr {
    Expr::Literal(Literal::Integer(value))
}

fn check(cases: &[(&str, &dyn Fn(&mut Analyzer, &Frame) -> Answer, &str)]) {
    for (name, run, expected) in cases {
        let mut analyzer = Analyzer::new(Settings::default());
        let schema = StructType::from_ddl(TABLE).expect("the schema is good");
        let frame = analyzer.local(Vec::new(), &schema);
        assert_eq!(text(run(&mut analyzer, &frame)), *expected, "{name}");
    }
}

#[test]
// tidy: table
fn columns() {
    check(&[
        ("select ID", &|a, df| a.select(df, &[col("ID")]), "ID:int"),
        ("select nothing", &|a, df| a.select(df, &[]), ""),
        ("select s.x, s.*", &|a, df| a.select(df, &[col("s.x"), col("s.*")]), "x:int,x:int,y:string"),
        (
            "df['id']",
            &|a, df| {
                let c = a.column(df, "id")?;
                a.select(df, &[c])
            },
            "id:int",
        ),
        (
            "df['nope']",
            &|a, df| a.column(df, "nope").and_then(|c| a.select(df, &[c])),
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `nope` cannot be resolved. Did you mean one of the following? [`id`, `user`, `amt`, `ts`, `b`, `f`, `d`, `dt`, `ok`, `bin`, `arr`, `m`, `s`, `ti`, `sm`, `ntz`]. SQLSTATE: 42703",
        ),
        (
            "select usr",
            &|a, df| a.select(df, &[col("usr")]),
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `usr` cannot be resolved. Did you mean one of the following? [`s`, `b`, `d`, `f`, `m`]. SQLSTATE: 42703",
        ),
        (
            "getField",
            &|a, df| a.select(df, &[col("s").extract(Expr::Literal(Literal::String("y".into())))]),
            "s.y:string",
        ),
        (
            "getField zz",
            &|a, df| a.select(df, &[col("s").extract(Expr::Literal(Literal::String("zz".into())))]),
            "[FIELD_NOT_FOUND] No such struct field `zz` in `x`, `y`. SQLSTATE: 42704",
        ),
        (
            "getItem",
            &|a, df| {
                a.select(
                    df,
                    &[
                        col("arr").extract(lit(0)),
                        col("m").extract(Expr::Literal(Literal::String("k".into()))),
                    ],
                )
            },
            "arr[0]:int,m[k]:int",
        ),
        (
            "alias inside",
            &|a, df| a.select(df, &[Expr::call("upper", vec![col("user").alias("x")])]),
            "upper(user AS x):string",
        ),
        (
            "cast of an alias",
            &|a, df| a.select(df, &[col("id").alias("x").cast(tidemark_types::DataType::String)]),
            "x:string",
        ),
        (
            "withColumn replaces",
            &|a, df| a.with_columns(df, &[("ID".into(), Expr::Literal(Literal::String("x".into())))]),
            &format!("ID:string,{}", &ALL[7..]),
        ),
        (
            "withColumn appends",
            &|a, df| {
                let df = a.select(df, &[col("id")])?;
                a.with_columns(&df, &[("x".into(), col("id").binary("+", lit(1)))])
            },
            "id:int,x:int",
        ),
        (
            "withColumns twice",
            &|a, df| a.with_columns(df, &[("a".into(), lit(1)), ("A".into(), lit(2))]),
            "[COLUMN_ALREADY_EXISTS] The column `a` already exists. Choose another name or rename the existing column. SQLSTATE: 42711",
        ),
        (
            "withColumn of an aggregate",
            &|a, df| a.with_columns(df, &[("x".into(), Expr::call("sum", vec![col("id")]))]),
            "[MISSING_GROUP_BY] The query does not include a GROUP BY clause. Add GROUP BY or turn it into the window functions using OVER clauses. SQLSTATE: 42803",
        ),
        ("rename nothing", &|a, df| a.with_columns_renamed(df, &[("nope".into(), "x".into())]), "ALL"),
        (
            "rename",
            &|a, df| {
                let df = a.select(df, &[col("id"), col("user")])?;
                a.with_columns_renamed(&df, &[("ID".into(), "x".into())])
            },
            "x:int,user:string",
        ),
        (
            "drop",
            &|a, df| {
                let df = a.select(df, &[col("id"), col("user")])?;
                a.drop(&df, &[Expr::Name(names(&["ID"])), Expr::Name(names(&["nope"]))])
            },
            "user:string",
        ),
        (
            "alias",
            &|a, df| {
                let df = a.alias(df, "q")?;
                a.select(&df, &[col("q.id")])
            },
            "id:int",
        ),
        (
            "another alias",
            &|a, df| {
                let df = a.alias(df, "q")?;
                a.select(&df, &[col("t.id")])
            },
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `t`.`id` cannot be resolved. Did you mean one of the following? [`q`.`d`, `q`.`id`, `q`.`b`, `q`.`dt`, `q`.`f`]. SQLSTATE: 42703",
        ),
        (
            "toDF",
            &|a, df| a.to_df(df, &names(&["a"])),
            "[ASSIGNMENT_ARITY_MISMATCH] The number of columns or variables assigned or aliased: 16 does not match the number of source expressions: 1. SQLSTATE: 42802",
        ),
        (
            "explode and more",
            &|a, df| a.select(df, &[Expr::call("explode", vec![col("arr")]), col("id")]),
            "col:int,id:int",
        ),
        (
            "explode a map",
            &|a, df| a.select(df, &[Expr::call("explode", vec![col("m")])]),
            "key:string,value:int",
        ),
        (
            "two explodes",
            &|a, df| {
                a.select(
                    df,
                    &[Expr::call("explode", vec![col("arr")]), Expr::call("explode", vec![col("arr")])],
                )
            },
            "col:int,col:int",
        ),
    ]);
}

#[test]
// tidy: table
fn rows() {
    check(&[
        ("filter", &|a, df| a.filter_text(df, "id > 1"), "ALL"),
        (
            "filter by a number",
            &|a, df| a.filter(df, &col("id").binary("+", lit(1))),
            "[DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN] Cannot resolve \"(id + 1)\" due to data type mismatch: Filter expression \"(id + 1)\" of type \"INT\" is not a boolean. SQLSTATE: 42K09",
        ),
        (
            "filter by a sum",
            &|a, df| a.filter(df, &Expr::call("sum", vec![col("id")]).binary(">", lit(1))),
            "[INVALID_WHERE_CONDITION] The WHERE condition \"(sum(id) > 1)\" contains invalid expressions: sum(id).\nRewrite the query to avoid window functions, aggregate functions, and generator functions in the WHERE clause. SQLSTATE: 42903",
        ),
        (
            "bad text",
            &|a, df| a.filter_text(df, "id >"),
            "\n[PARSE_SYNTAX_ERROR] Syntax error at or near end of input. SQLSTATE: 42601 (line 1, pos 4)\n\n== SQL ==\nid >\n----^^^",
        ),
        (
            "order by a hidden column",
            &|a, df| {
                let df = a.select(df, &[col("user")])?;
                a.sort(&df, &[col("id").desc()], true)
            },
            "user:string",
        ),
        (
            "filter by a hidden column",
            &|a, df| {
                let df = a.select(df, &[col("user")])?;
                a.filter_text(&df, "id > 1")
            },
            "user:string",
        ),
        (
            "order by nothing known",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                let df = a.grouped_count(&g)?;
                a.sort(&df, &[col("amt")], true)
            },
            "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name `amt` cannot be resolved. Did you mean one of the following? [`count`, `user`]. SQLSTATE: 42703",
        ),
        (
            "order by a map",
            &|a, df| a.sort(df, &[col("m")], true),
            "[DATATYPE_MISMATCH.INVALID_ORDERING_TYPE] Cannot resolve \"m ASC NULLS FIRST\" due to data type mismatch: The `sortorder` does not support ordering on type \"MAP<STRING, INT>\". SQLSTATE: 42K09",
        ),
        (
            "order by a sum",
            &|a, df| a.sort(df, &[Expr::call("sum", vec![col("id")])], true),
            "[UNSUPPORTED_EXPR_FOR_OPERATOR] A query operator contains one or more unsupported expressions.\nConsider to rewrite it to avoid window functions, aggregate functions, and generator functions in the WHERE clause.\nInvalid expressions: [\"sum(id)\"] SQLSTATE: 42K0E",
        ),
        (
            "limit -1",
            &|a, df| a.limit(df, -1),
            "[INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE] The limit like expression \"-1\" is invalid. The limit expression must be equal to or greater than 0, but got -1. SQLSTATE: 42K0E",
        ),
        (
            "distinct of a map",
            &|a, df| a.distinct(df),
            "[UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE] The feature is not supported: Cannot have MAP type columns in DataFrame which calls set operations (INTERSECT, EXCEPT, etc.), but the type of column `m` is \"MAP<STRING, INT>\". SQLSTATE: 0A000",
        ),
        (
            "dropDuplicates",
            &|a, df| a.drop_duplicates(df, Some(&names(&["nope"])), false),
            "[UNRESOLVED_COLUMN_AMONG_FIELD_NAMES] Cannot resolve column name \"nope\" among (id, user, amt, ts, b, f, d, dt, ok, bin, arr, m, s, ti, sm, ntz). SQLSTATE: 42703",
        ),
        ("watermark on a batch", &|a, df| a.with_watermark(df, "nope", "10 minutes"), "ALL"),
        (
            "watermark abc",
            &|a, df| a.with_watermark(df, "ts", "abc"),
            "[CANNOT_PARSE_INTERVAL] Unable to parse 'abc'. Please ensure that the value provided is in a valid format for defining an interval. You can reference the documentation for the correct format. If the issue persists, please double check that the input value is not null or empty and try again. SQLSTATE: 22006",
        ),
        (
            "watermark -5 minutes",
            &|a, df| a.with_watermark(df, "ts", "-5 minutes"),
            "requirement failed: delay threshold (-5 minutes) should not be negative.",
        ),
        ("range of step 0", &|a, _| a.range(1, 5, 0, None), "requirement failed: step (0) cannot be 0"),
        (
            "repartition(0)",
            &|a, df| a.repartition(df, 0, true, &[]),
            "requirement failed: Number of partitions (0) must be positive.",
        ),
        ("fillna", &|a, df| a.fill_na(df, &[(None, Literal::Long(0))]), "ALL"),
        ("dropna", &|a, df| a.drop_na(df, Some(1), None), "ALL"),
    ]);
}

#[test]
// tidy: table
fn groups() {
    let sum = |c: &str| Expr::call("sum", vec![col(c)]);
    check(&[
        (
            "count",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.grouped_count(&g)
            },
            "user:string,count:bigint",
        ),
        (
            "agg",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.agg(&g, &[sum("amt").binary("+", lit(1)), Expr::call("upper", vec![col("user")])])
            },
            "user:string,(sum(amt) + 1):double,upper(user):string",
        ),
        (
            "by an expression",
            &|a, df| {
                let g = a.group_by(df, &[col("id").binary("+", lit(1))]);
                a.agg(&g, &[sum("amt")])
            },
            "(id + 1):int,sum(amt):double",
        ),
        (
            "by nothing",
            &|a, df| {
                let g = a.group_by(df, &[]);
                a.agg(&g, &[Expr::call("max", vec![col("id")])])
            },
            "max(id):int",
        ),
        (
            "sum of all",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.grouped_numeric(&g, "sum", &[])
            },
            "user:string,sum(id):bigint,sum(amt):double,sum(b):bigint,sum(f):double,sum(d):decimal(20,2),sum(ti):bigint,sum(sm):bigint",
        ),
        (
            "sum of a string",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.grouped_numeric(&g, "sum", &names(&["user"]))
            },
            "\"user\" is not a numeric column. Aggregation function can only be applied on a numeric column.",
        ),
        (
            "no aggregate",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.agg(&g, &[col("amt")])
            },
            "[MISSING_AGGREGATION] The non-aggregating expression \"amt\" is based on columns which are not participating in the GROUP BY clause.\nAdd the columns or the expression to the GROUP BY, aggregate the expression, or use \"any_value(amt)\" if you do not care which of the values within a group is returned. SQLSTATE: 42803",
        ),
        (
            "nested",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.agg(&g, &[Expr::call("sum", vec![sum("amt")])])
            },
            "[NESTED_AGGREGATE_FUNCTION] It is not allowed to use an aggregate function in the argument of another aggregate function. Please use the inner aggregate function in a sub-query. SQLSTATE: 42607",
        ),
        (
            "unknown",
            &|a, df| {
                let g = a.group_by(df, &[col("user")]);
                a.agg(&g, &[Expr::call("nofn", vec![col("amt")])])
            },
            "[UNRESOLVED_ROUTINE] Cannot resolve routine `nofn` on search path [`system`.`builtin`, `system`.`session`, `spark_catalog`.`default`]. SQLSTATE: 42883",
        ),
        (
            "window",
            &|a, df| {
                let w = a.expr("window(ts, '10 minutes')")?;
                let g = a.group_by(df, &[w, col("user")]);
                let df = a.agg(&g, &[sum("amt").alias("t")])?;
                a.select(&df, &[col("window.start"), col("user"), col("t")])
            },
            "start:timestamp,user:string,t:double",
        ),
        (
            "sliding window",
            &|a, df| {
                let w = a.expr("window(ts, '10 minutes', '5 minutes')")?;
                let g = a.group_by(df, &[w]);
                a.grouped_count(&g)
            },
            "window:struct<start:timestamp,end:timestamp>,count:bigint",
        ),
        (
            "two windows",
            &|a, df| {
                let v = a.expr("window(ts, '10 minutes')")?;
                let w = a.expr("window(ts, '5 minutes')")?;
                let g = a.group_by(df, &[v, w]);
                a.grouped_count(&g)
            },
            "Multiple time/session window expressions would result in a cartesian product of rows, therefore they are currently not supported.",
        ),
    ]);
}

#[test]
// tidy: table
fn two_frames() {
    let pick = |a: &mut Analyzer, df: &Frame, columns: &[&str]| {
        let items: Vec<Expr> = columns.iter().map(|c| col(c)).collect();
        a.select(df, &items)
    };
    let ids = |a: &mut Analyzer| a.range(0, 3, 1, None);
    let using = |name: &str| JoinOn::Using(names(&[name]));
    check(&[
        (
            "union",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id"])?, pick(a, df, &["amt"])?);
                a.union(&x, &y)
            },
            "id:double",
        ),
        (
            "union of counts",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id"])?, pick(a, df, &["id", "b"])?);
                a.union(&x, &y)
            },
            "[NUM_COLUMNS_MISMATCH] UNION can only be performed on inputs with the same number of columns, but the first input has 1 columns and the second input has 2 columns. SQLSTATE: 42826",
        ),
        (
            "union of types",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id"])?, pick(a, df, &["ts"])?);
                a.union(&x, &y)
            },
            "[INCOMPATIBLE_COLUMN_TYPE] UNION can only be performed on tables with compatible column types. The first column of the second table is \"TIMESTAMP\" type which is not compatible with \"INT\" at the same column of the first table.. SQLSTATE: 42825",
        ),
        ("union with itself", &|a, df| a.union(df, df), "ALL"),
        (
            "by name",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id", "user"])?, pick(a, df, &["user", "id"])?);
                a.union_by_name(&x, &y, false)
            },
            "id:int,user:string",
        ),
        (
            "by name, missing",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id", "user"])?, pick(a, df, &["user", "b"])?);
                a.union_by_name(&x, &y, false)
            },
            "[UNRESOLVED_COLUMN_AMONG_FIELD_NAMES] Cannot resolve column name \"id\" among (user, b). SQLSTATE: 42703",
        ),
        (
            "by name, allowed",
            &|a, df| {
                let (x, y) = (pick(a, df, &["id", "user"])?, pick(a, df, &["user", "b"])?);
                a.union_by_name(&x, &y, true)
            },
            "id:int,user:string,b:bigint",
        ),
        (
            "join using",
            &|a, df| {
                let r = ids(a)?;
                a.join(df, &r, &using("id"), "inner")
            },
            "ALL",
        ),
        (
            "full join using",
            &|a, df| {
                let x = pick(a, df, &["user", "id"])?;
                let r = ids(a)?;
                a.join(&x, &r, &using("id"), "outer")
            },
            "id:bigint,user:string",
        ),
        (
            "right join using",
            &|a, df| {
                let x = pick(a, df, &["user", "id"])?;
                let r = ids(a)?;
                a.join(&x, &r, &using("id"), "right")
            },
            "id:bigint,user:string",
        ),
        (
            "semi join",
            &|a, df| {
                let r = ids(a)?;
                a.join(df, &r, &using("id"), "semi")
            },
            "ALL",
        ),
        (
            "join type",
            &|a, df| {
                let r = ids(a)?;
                a.join(df, &r, &using("id"), "foo")
            },
            "[UNSUPPORTED_JOIN_TYPE] Unsupported join type 'foo'. Supported join types include: 'inner', 'outer', 'full', 'fullouter', 'full_outer', 'leftouter', 'left', 'left_outer', 'rightouter', 'right', 'right_outer', 'leftsemi', 'left_semi', 'semi', 'leftanti', 'left_anti', 'anti', 'cross'. SQLSTATE: 0A000",
        ),
        (
            "join using nope",
            &|a, df| {
                let r = ids(a)?;
                a.join(df, &r, &using("nope"), "inner")
            },
            "[UNRESOLVED_USING_COLUMN_FOR_JOIN] USING column `nope` cannot be resolved on the left side of the join. The left-side columns: [`amt`, `arr`, `b`, `bin`, `d`, `dt`, `f`, `id`, `m`, `ntz`, `ok`, `s`, `sm`, `ti`, `ts`, `user`]. SQLSTATE: 42703",
        ),
        (
            "join on a string",
            &|a, df| {
                let r = ids(a)?;
                a.join(df, &r, &JoinOn::Condition(col("user")), "inner")
            },
            "[JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE] The join condition \"user\" has the invalid type \"STRING\", expected \"BOOLEAN\". SQLSTATE: 42K0E",
        ),
        (
            "self join",
            &|a, df| {
                let (x, y) = (a.alias(df, "a")?, a.alias(df, "b")?);
                let j = a.join(&x, &y, &JoinOn::Condition(col("a.id").binary("=", col("b.id"))), "inner")?;
                a.select(&j, &[col("a.id"), col("b.user")])
            },
            "id:int,user:string",
        ),
        (
            "a column with itself",
            &|a, df| {
                let (x, y) = (a.column(df, "id")?, a.column(df, "id")?);
                let joined = a.join(df, df, &JoinOn::Condition(x.binary("=", y)), "inner")?;
                let tidemark_plan::Plan::Join { condition: Some(condition), .. } = joined.plan().as_ref()
                else {
                    panic!("the plan is a join")
                };
                assert_eq!(tidemark_plan::explain::scalar_text(condition), "(id#0 = id#16)");
                Ok(joined)
            },
            "ALL,ALL",
        ),
        (
            "ambiguous",
            &|a, df| {
                let (x, y) = (a.alias(df, "a")?, a.alias(df, "b")?);
                let j = a.join(&x, &y, &JoinOn::Condition(col("a.id").binary("=", col("b.id"))), "inner")?;
                a.select(&j, &[col("id")])
            },
            "[AMBIGUOUS_REFERENCE] Reference `id` is ambiguous, could be: [`a`.`id`, `b`.`id`]. SQLSTATE: 42704",
        ),
    ]);
}

#[test]
fn columns_show_themselves_as_in_pyspark() {
    let analyzer = Analyzer::new(Settings::default());
    let two = |op: &str, l: Expr, r: Expr| l.binary(op, r);
    let s = |t: &str| Expr::Literal(Literal::String(t.into()));
    for (expr, text) in [
        (col("id"), "id"),
        (col("s.x"), "s.x"),
        (col("*"), "*"),
        (col("s.*"), "s.*.*"),
        (col("`a.b`"), "`a.b`"),
        (two("+", col("id"), lit(1)), "+(id, 1)"),
        (Expr::call("!", vec![two("=", col("id"), lit(1))]), "!(=(id, 1))"),
        (
            two("and", two(">", col("id"), lit(1)), two("=", col("user"), s("a"))),
            "and(>(id, 1), =(user, 'a'))",
        ),
        (col("id").cast(tidemark_types::DataType::Long), "CAST(id AS BIGINT)"),
        (col("id").try_cast(tidemark_types::DataType::Integer), "TRY_CAST(id AS INT)"),
        (col("id").alias("x"), "id AS x"),
        (col("arr").extract(lit(0)), "arr[0]"),
        (col("m").extract(s("k")), "m['k']"),
        (Expr::Literal(Literal::Long(10_000_000_000)), "10000000000L"),
        (Expr::Literal(Literal::Double(1.5)), "1.5"),
        (Expr::Literal(Literal::Null(tidemark_types::DataType::Null)), "NULL"),
        (Expr::Literal(Literal::Date(19_723)), "2024-01-01"),
        (Expr::Literal(Literal::Timestamp(1_704_103_200_000_000)), "2024-01-01 10:00:00.0"),
        (Expr::Literal(Literal::DayTimeInterval(86_400_000_000)), "PT24H"),
        (Expr::when(two(">", col("id"), lit(1)), s("a")), "CASE WHEN >(id, 1) THEN 'a' END"),
        (col("id").desc(), "id DESC NULLS LAST"),
        (col("id").asc(), "id ASC NULLS FIRST"),
        (analyzer.expr("ts + INTERVAL 1 HOUR").expect("the text is good"), "ts + INTERVAL 1 HOUR"),
        (Expr::call("count", vec![col("*")]), "count(*)"),
    ] {
        assert_eq!(expr.to_string(), text);
    }
}
