//! `DataFrame`: each transformation a new frame, analysed at once; each action a question.

use std::sync::Arc;

use tidemark_plan::builder::{Analyzer, Frame, Grouped, JoinOn};
use tidemark_plan::expr::Expr;
use tidemark_plan::{Literal, Plan};
use tidemark_python::{Value, View};
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::call::Call;
use crate::column::{column_or_name, operand};
use crate::fault::Fault;
use crate::object::{Object, Objects};
use crate::question::Question;
use crate::session::{Done, Pending, Show};
use crate::{missing, stream_write, write};

/// A call of a DataFrame's method or property.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    analyzer: &mut Analyzer,
    frame: &Frame,
    handle: &Value,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let method = call.method().to_owned();
    let made = match method.as_str() {
        "select" => {
            let columns = columns(objects, call)?;
            analyzer.select(frame, &columns)?
        }
        "selectExpr" => {
            let texts = call.spread().iter().map(|v| call.text("expr", v)).collect::<Result<Vec<_>, _>>()?;
            analyzer.select_expr(frame, &texts.iter().map(String::as_str).collect::<Vec<_>>())?
        }
        "filter" | "where" => {
            let [condition] = call.bind_required(1, ["condition"])?;
            let condition = condition.unwrap_or(Value::None);
            match (&condition, objects.of(&condition).as_deref()) {
                (Value::Str(text), _) => analyzer.filter_text(frame, text)?,
                (_, Some(Object::Column(expr))) => analyzer.filter(frame, expr)?,
                _ => {
                    return Err(Fault::pyspark_type(
                        "NOT_COLUMN_OR_STR",
                        format!(
                            "Argument `condition` should be a Column or str, got {}.",
                            call.machine.type_name(&condition)
                        ),
                    ));
                }
            }
        }
        "withColumn" => {
            let [name, column] = call.bind_required(2, ["colName", "col"])?;
            let name = call.text("colName", &name.unwrap_or(Value::None))?;
            let column = column.unwrap_or(Value::None);
            let Some(Object::Column(expr)) = objects.of(&column).as_deref().cloned() else {
                return Err(Fault::pyspark_type(
                    "NOT_COLUMN",
                    format!("Argument `col` should be a Column, got {}.", call.machine.type_name(&column)),
                ));
            };
            analyzer.with_columns(frame, &[(name, expr)])?
        }
        "withColumns" => {
            let [columns] = call.bind_required(1, ["colsMap"])?;
            let View::Dict(items) = call.machine.view(&columns.unwrap_or(Value::None)) else {
                return Err(Fault::type_error("colsMap must be a dict of column names and Columns"));
            };
            let mut named = Vec::new();
            for (name, column) in items {
                named.push((call.text("colsMap", &name)?, operand(objects, call, &column)?));
            }
            analyzer.with_columns(frame, &named)?
        }
        "withColumnRenamed" => {
            let [old, new] = call.bind_required(2, ["existing", "new"])?;
            let old = call.text("existing", &old.unwrap_or(Value::None))?;
            let new = call.text("new", &new.unwrap_or(Value::None))?;
            analyzer.with_columns_renamed(frame, &[(old, new)])?
        }
        "withColumnsRenamed" => {
            let [names] = call.bind_required(1, ["colsMap"])?;
            let View::Dict(items) = call.machine.view(&names.unwrap_or(Value::None)) else {
                return Err(Fault::type_error("colsMap must be a dict of names"));
            };
            let mut pairs = Vec::new();
            for (old, new) in items {
                pairs.push((call.text("colsMap", &old)?, call.text("colsMap", &new)?));
            }
            analyzer.with_columns_renamed(frame, &pairs)?
        }
        "drop" => {
            let mut dropped = Vec::new();
            for value in call.spread() {
                dropped.push(match &value {
                    Value::Str(name) => Expr::Name(vec![name.to_string()]),
                    other => column_or_name(objects, call, other)?,
                });
            }
            analyzer.drop(frame, &dropped)?
        }
        "alias" => {
            let [name] = call.bind_required(1, ["alias"])?;
            let name = call.text("alias", &name.unwrap_or(Value::None))?;
            analyzer.alias(frame, &name)?
        }
        "toDF" => {
            let names = call.spread().iter().map(|v| call.text("cols", v)).collect::<Result<Vec<_>, _>>()?;
            analyzer.to_df(frame, &names)?
        }
        "groupBy" | "groupby" => {
            let keys = columns(objects, call)?;
            let grouped = analyzer.group_by(frame, &keys);
            return Ok(Done::Value(objects.add(Object::Grouped(grouped))));
        }
        "agg" => {
            let grouped = analyzer.group_by(frame, &[]);
            let aggregates = aggregates(objects, call)?;
            analyzer.agg(&grouped, &aggregates)?
        }
        "orderBy" | "sort" | "sortWithinPartitions" => {
            let orders = orders(objects, frame, call)?;
            analyzer.sort(frame, &orders, method != "sortWithinPartitions")?
        }
        "limit" => {
            let [rows] = call.bind_required(1, ["num"])?;
            let rows = call.int("num", &rows.unwrap_or(Value::None))?;
            analyzer.limit(frame, rows)?
        }
        "union" | "unionAll" => {
            let [other] = call.bind_required(1, ["other"])?;
            let other = other_frame(objects, call, &other.unwrap_or(Value::None))?;
            analyzer.union(frame, &other)?
        }
        "unionByName" => {
            let [other, missing] = call.bind_required(1, ["other", "allowMissingColumns"])?;
            let other = other_frame(objects, call, &other.unwrap_or(Value::None))?;
            analyzer.union_by_name(frame, &other, matches!(missing, Some(Value::Bool(true))))?
        }
        "distinct" => analyzer.distinct(frame)?,
        "dropDuplicates" | "drop_duplicates" | "dropDuplicatesWithinWatermark" => {
            let [subset] = call.bind(["subset"])?;
            let names = names(call, subset)?;
            analyzer.drop_duplicates(frame, names.as_deref(), method == "dropDuplicatesWithinWatermark")?
        }
        "join" => {
            let [other, on, how] = call.bind_required(1, ["other", "on", "how"])?;
            let other = other_frame(objects, call, &other.unwrap_or(Value::None))?;
            let on = join_on(objects, call, on)?;
            let how = match how.filter(|v| !v.is_none()) {
                Some(how) => call.text("how", &how)?,
                None => "inner".to_owned(),
            };
            analyzer.join(frame, &other, &on, &how)?
        }
        "crossJoin" => {
            let [other] = call.bind_required(1, ["other"])?;
            let other = other_frame(objects, call, &other.unwrap_or(Value::None))?;
            analyzer.join(frame, &other, &JoinOn::Nothing, "cross")?
        }
        "withWatermark" => {
            let [column, delay] = call.bind_required(2, ["eventTime", "delayThreshold"])?;
            let column = call.text("eventTime", &column.unwrap_or(Value::None))?;
            let delay = delay.unwrap_or(Value::None);
            let Some(delay) = delay.as_str().filter(|text| !text.is_empty()) else {
                let kind = call.machine.type_name(&delay);
                let text = format!("Argument `delayThreshold` should be str, got {kind}.");
                return Err(Fault::pyspark_type("NOT_EXPECTED_TYPE", text));
            };
            analyzer.with_watermark(frame, &column, delay)?
        }
        "repartition" if !call.args.is_empty() => {
            let by = call.args.split_off(1);
            let by = by.iter().map(|v| column_or_name(objects, call, v)).collect::<Result<Vec<_>, _>>()?;
            let first = call.args.remove(0);
            match first.as_int() {
                Some(number) => analyzer.repartition(frame, number, true, &by)?,
                None => {
                    let first = column_or_name(objects, call, &first)?;
                    let others = &analyzer.settings.others;
                    let number = others.get("spark.sql.shuffle.partitions").and_then(|n| n.parse().ok());
                    let number = number.unwrap_or(200);
                    analyzer.repartition(frame, number, true, &[vec![first], by].concat())?
                }
            }
        }
        "coalesce" | "repartition" => {
            let [number] = call.bind_required(1, ["numPartitions"])?;
            let number = call.int("numPartitions", &number.unwrap_or(Value::None))?;
            analyzer.repartition(frame, number, method == "repartition", &[])?
        }
        "fillna" => missing::fill(analyzer, frame, call)?,
        "dropna" => missing::drop(analyzer, frame, call)?,
        "na" => return Ok(Done::Value(objects.add(Object::Na(frame.clone())))),
        "offset" | "sample" | "intersect" | "intersectAll" if frame.is_streaming() => {
            return Err(tidemark_plan::unsupported::not_on_streams(&method).into());
        }
        "cache" | "persist" | "unpersist" => {
            tidemark_plan::unsupported::check_batch(frame.plan())?;
            objects.cached.retain(|(plan, _)| !Arc::ptr_eq(plan, frame.plan()));
            if method != "unpersist" {
                objects.cached.push((frame.plan().clone(), false));
            }
            return Ok(Done::Value(handle.clone()));
        }
        "transform" => {
            let [function] = call.bind_required(1, ["func"])?;
            return Ok(Done::CallBack(function.unwrap_or(Value::None), vec![handle.clone()]));
        }
        "createOrReplaceTempView" | "createTempView" => {
            let [name] = call.bind_required(1, ["name"])?;
            let name = call.text("name", &name.unwrap_or(Value::None))?;
            analyzer.create_view(&name, frame)?;
            return Ok(Done::Value(Value::None));
        }
        "__getitem__" => {
            let key = call.args.first().cloned().unwrap_or(Value::None);
            let expr = match (&key, objects.of(&key).as_deref(), call.items(&key)) {
                (Value::Str(name), ..) => analyzer.column(frame, name)?,
                (_, Some(Object::Column(condition)), _) => {
                    let filtered = analyzer.filter(frame, condition)?;
                    return Ok(Done::Value(objects.add(Object::Frame(filtered))));
                }
                (_, _, Some(items)) => {
                    let columns = items
                        .iter()
                        .map(|v| column_or_name(objects, call, v))
                        .collect::<Result<Vec<_>, _>>()?;
                    let selected = analyzer.select(frame, &columns)?;
                    return Ok(Done::Value(objects.add(Object::Frame(selected))));
                }
                _ => {
                    let output = frame.output();
                    let at = key.as_int().unwrap_or(i64::MAX);
                    let index = if at < 0 { at + output.len() as i64 } else { at };
                    match usize::try_from(index).ok().and_then(|index| output.get(index)) {
                        Some(attribute) => Expr::Attribute(attribute.clone()),
                        None => return Err(Fault::Python("IndexError", "list index out of range".into())),
                    }
                }
            };
            return Ok(Done::Value(objects.add(Object::Column(expr))));
        }
        "__getattr__" => {
            let name = call.args.first().and_then(Value::as_str).unwrap_or_default().to_owned();
            if !frame.output().iter().any(|a| a.name == name) {
                return Err(Fault::attribute(&name));
            }
            let expr = analyzer.column(frame, &name)?;
            return Ok(Done::Value(objects.add(Object::Column(expr))));
        }
        _ => return look_or_act(objects, analyzer, frame, call),
    };
    Ok(Done::Value(objects.add(Object::Frame(made))))
}

/// What looks at a frame without changing it, and the actions.
// tidy: table
fn look_or_act(
    objects: &mut Objects,
    analyzer: &mut Analyzer,
    frame: &Frame,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let method = call.method().to_owned();
    let value = match method.as_str() {
        "columns" => {
            let names = frame.output().iter().map(|a| Value::str(&a.name)).collect();
            call.machine.new_list(names)
        }
        "dtypes" => {
            let pairs = frame
                .output()
                .iter()
                .map(|a| Value::tuple(vec![Value::str(&a.name), a.data_type.simple_string().into()]))
                .collect();
            call.machine.new_list(pairs)
        }
        "schema" => objects.add(Object::Type(DataType::Struct(frame.schema()))),
        "isStreaming" => Value::Bool(frame.is_streaming()),
        "__dir__" => {
            let names = frame.output().iter().map(|a| Value::str(&a.name)).collect();
            call.machine.new_list(names)
        }
        "__repr__" => frame.schema().frame_text().into(),
        "printSchema" => {
            return Ok(Done::Print(format!("{}\n", frame.schema().tree_string())));
        }
        "explain" => {
            let [extended, mode] = call.bind(["extended", "mode"])?;
            let extended = matches!(extended, Some(Value::Bool(true)))
                || mode.as_ref().and_then(Value::as_str) == Some("extended");
            return Ok(Done::Print(format!("{}\n", tidemark_plan::explain::explain(frame.plan(), extended))));
        }
        "write" => {
            if frame.is_streaming() {
                return Err(SparkError::new(
                    ErrorClass::Analysis,
                    "CALL_ON_STREAMING_DATASET_UNSUPPORTED",
                    "42KDE",
                    "The method `write` can not be called on streaming Dataset/DataFrame.",
                )
                .into());
            }
            let spec = write::writer(crate::session::default_format(analyzer));
            objects.add(Object::Writer(frame.clone(), spec))
        }
        "writeStream" => {
            if !frame.is_streaming() {
                return Err(SparkError::new(
                    ErrorClass::Analysis,
                    "WRITE_STREAM_NOT_ALLOWED",
                    "42601",
                    "`writeStream` can be called only on streaming Dataset/DataFrame.",
                )
                .into());
            }
            let spec = stream_write::writer(crate::session::default_format(analyzer));
            objects.add(Object::StreamWriter(frame.clone(), spec, None))
        }
        "sparkSession" => crate::session::session_handle(),
        "collect" | "toLocalIterator" => return ask(frame.plan().clone(), Pending::Rows),
        "count" => {
            let all = analyzer.group_by(frame, &[]);
            return ask(analyzer.grouped_count(&all)?.plan().clone(), Pending::Count);
        }
        "toJSON" => return Err(Fault::refused("DataFrame.toJSON")),
        "isEmpty" => {
            // Spark looks at no column, and at all partitions.
            let rows = analyzer.select(frame, &[])?;
            return ask(analyzer.limit(&rows, 1)?.plan().clone(), Pending::Empty);
        }
        "first" => return ask(analyzer.limit(frame, 1)?.plan().clone(), Pending::First),
        "head" => {
            let [n] = call.bind(["n"])?;
            return match n.filter(|v| !v.is_none()) {
                None => ask(analyzer.limit(frame, 1)?.plan().clone(), Pending::First),
                Some(n) => {
                    let n = call.int("n", &n)?;
                    ask(analyzer.limit(frame, n)?.plan().clone(), Pending::Rows)
                }
            };
        }
        "take" => {
            let [n] = call.bind_required(1, ["num"])?;
            let n = call.int("num", &n.unwrap_or(Value::None))?;
            return ask(analyzer.limit(frame, n)?.plan().clone(), Pending::Rows);
        }
        "tail" => {
            let [n] = call.bind_required(1, ["num"])?;
            let n = call.int("num", &n.unwrap_or(Value::None))?;
            return ask(frame.plan().clone(), Pending::Tail(usize::try_from(n).unwrap_or(0)));
        }
        "show" => return show(analyzer, frame, call),
        "foreach" | "foreachPartition" | "describe" | "summary" if frame.is_streaming() => {
            return ask(frame.plan().clone(), Pending::Rows);
        }
        other => return Err(Fault::refused(&format!("DataFrame.{other}"))),
    };
    Ok(Done::Value(value))
}

fn ask(plan: std::sync::Arc<Plan>, pending: Pending) -> Result<Done, Fault> {
    Ok(Done::Ask(Question::Collect(plan), pending))
}

fn show(analyzer: &mut Analyzer, frame: &Frame, call: &mut Call<'_>) -> Result<Done, Fault> {
    let [n, truncate, vertical] = call.bind(["n", "truncate", "vertical"])?;
    let rows = match n {
        Some(n) => match call.machine.view(&n) {
            View::Int(n) => n,
            _ => {
                return Err(Fault::pyspark_type(
                    "NOT_INT",
                    format!("Argument `n` should be an int, got {}.", call.machine.type_name(&n)),
                ));
            }
        },
        None => 20,
    };
    let truncate = match truncate {
        None => 20,
        Some(Value::Bool(true)) => 20,
        Some(Value::Bool(false)) => 0,
        Some(other) => usize::try_from(call.int("truncate", &other)?).unwrap_or(0),
    };
    let vertical = matches!(vertical, Some(Value::Bool(true)));
    let rows = rows.clamp(0, i64::from(i32::MAX) - 15);
    let plan = analyzer.limit(frame, rows + 1)?.plan().clone();
    let show = Show { rows: usize::try_from(rows).unwrap_or(0), truncate, vertical };
    ask(plan, Pending::Show(show))
}

/// A call of a `GroupedData`'s method.
pub(crate) fn grouped_call(
    objects: &mut Objects,
    analyzer: &mut Analyzer,
    grouped: &Grouped,
    call: &mut Call<'_>,
) -> Result<Done, Fault> {
    let method = call.method().to_owned();
    let made = match method.as_str() {
        "agg" => {
            let aggregates = aggregates(objects, call)?;
            analyzer.agg(grouped, &aggregates)?
        }
        "count" => analyzer.grouped_count(grouped)?,
        "sum" | "avg" | "mean" | "min" | "max" => {
            let names = call.spread().iter().map(|v| call.text("cols", v)).collect::<Result<Vec<_>, _>>()?;
            let function = if method == "mean" { "avg" } else { method.as_str() };
            analyzer.grouped_numeric(grouped, function, &names)?
        }
        "pivot" => {
            let [column, values] = call.bind_required(1, ["pivot_col", "values"])?;
            let column = column_or_name(objects, call, &column.unwrap_or(Value::None))?;
            if let Some(values) = values.filter(|v| !v.is_none()).and_then(|values| call.items(&values)) {
                let mut known = Vec::new();
                for value in &values {
                    match operand(objects, call, value)? {
                        Expr::Literal(literal) => known.push(literal),
                        _ => return Err(Fault::refused("GroupedData.pivot with values that are columns")),
                    }
                }
                return Ok(Done::Value(objects.add(Object::Grouped(analyzer.pivot(grouped, column, known)))));
            }
            if !grouped.frame.is_streaming() {
                return Err(Fault::refused("GroupedData.pivot without values"));
            }
            return Err(SparkError::new(
                ErrorClass::Analysis,
                "_LEGACY_ERROR_TEMP_3063",
                "",
                "pivot is not supported on a streaming DataFrames/Datasets",
            )
            .into());
        }
        other => return Err(Fault::refused(&format!("GroupedData.{other}"))),
    };
    Ok(Done::Value(objects.add(Object::Frame(made))))
}

fn columns(objects: &Objects, call: &mut Call<'_>) -> Result<Vec<Expr>, Fault> {
    call.no_keywords()?;
    let args = call.spread();
    args.iter().map(|value| column_or_name(objects, call, value)).collect()
}

/// `agg(F.sum("a"))` and `agg({"a": "sum"})`.
fn aggregates(objects: &Objects, call: &mut Call<'_>) -> Result<Vec<Expr>, Fault> {
    call.no_keywords()?;
    let args = call.spread();
    if let [one] = args.as_slice()
        && let View::Dict(items) = call.machine.view(one)
    {
        let mut made = Vec::new();
        for (name, function) in items {
            let name = call.text("exprs", &name)?;
            let function = call.text("exprs", &function)?.to_lowercase();
            let argument = if name == "*" { Expr::literal(Literal::Integer(1)) } else { Expr::name(&name)? };
            made.push(Expr::call(&function, vec![argument]));
        }
        return Ok(made);
    }
    let mut made = Vec::new();
    for value in &args {
        match objects.of(value).as_deref() {
            Some(Object::Column(expr)) => made.push(expr.clone()),
            _ => return Err(Fault::Python("AssertionError", "all exprs should be Column".to_owned())),
        }
    }
    Ok(made)
}

fn orders(objects: &Objects, frame: &Frame, call: &mut Call<'_>) -> Result<Vec<Expr>, Fault> {
    let ascending =
        call.kwargs.iter().position(|(name, _)| name == "ascending").map(|at| call.kwargs.remove(at).1);
    let args = call.spread();
    let flags: Vec<bool> = match &ascending {
        None => Vec::new(),
        Some(value) => {
            let items = call.items(value).unwrap_or_else(|| vec![value.clone()]);
            items.iter().map(|v| v.as_int().is_none_or(|i| i != 0)).collect()
        }
    };
    let mut orders = Vec::new();
    for (at, value) in args.iter().enumerate() {
        let (expr, down) = match call.machine.view(value) {
            View::Int(position) => {
                let output = frame.output();
                let index = usize::try_from(position.unsigned_abs()).unwrap_or(0);
                let Some(attribute) = index.checked_sub(1).and_then(|i| output.get(i)) else {
                    return Err(Fault::Python("IndexError", "column position is out of range".to_owned()));
                };
                (Expr::Attribute(attribute.clone()), position < 0)
            }
            _ => (column_or_name(objects, call, value)?, false),
        };
        let flag = flags.get(at).or(if flags.len() == 1 { flags.first() } else { None });
        orders.push(match (flag, down) {
            (Some(false), _) | (None, true) => expr.desc(),
            _ if matches!(expr, Expr::Sort { .. }) => expr,
            _ => expr.asc(),
        });
    }
    Ok(orders)
}

fn other_frame(objects: &Objects, call: &Call<'_>, value: &Value) -> Result<Frame, Fault> {
    match objects.of(value).as_deref() {
        Some(Object::Frame(frame)) => Ok(frame.clone()),
        _ => Err(Fault::pyspark_type(
            "NOT_DATAFRAME",
            format!("Argument `other` should be a DataFrame, got {}.", call.machine.type_name(value)),
        )),
    }
}

fn names(call: &Call<'_>, subset: Option<Value>) -> Result<Option<Vec<String>>, Fault> {
    let Some(subset) = subset.filter(|v| !v.is_none()) else { return Ok(None) };
    match call.items(&subset) {
        Some(items) => Ok(Some(items.iter().map(|v| call.text("subset", v)).collect::<Result<_, _>>()?)),
        None => Err(Fault::pyspark_type(
            "NOT_LIST_OR_TUPLE",
            format!("Argument `subset` should be a list or tuple, got {}.", call.machine.type_name(&subset)),
        )),
    }
}

fn join_on(objects: &Objects, call: &Call<'_>, on: Option<Value>) -> Result<JoinOn, Fault> {
    let Some(on) = on.filter(|v| !v.is_none()) else { return Ok(JoinOn::Nothing) };
    let items = call.items(&on).unwrap_or_else(|| vec![on.clone()]);
    if items.iter().all(|v| v.as_str().is_some()) {
        return Ok(JoinOn::Using(items.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect()));
    }
    let mut condition: Option<Expr> = None;
    for item in &items {
        let expr = column_or_name(objects, call, item)?;
        condition = Some(match condition {
            None => expr,
            Some(before) => before.binary("and", expr),
        });
    }
    Ok(condition.map_or(JoinOn::Nothing, JoinOn::Condition))
}
