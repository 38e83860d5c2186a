//! `pyspark.sql.functions`: each call becomes an expression.

use tidemark_plan::Literal;
use tidemark_plan::builder::Analyzer;
use tidemark_plan::expr::Expr;
use tidemark_python::Value;

use crate::call::Call;
use crate::column::{column_or_name, operand};
use crate::data_type;
use crate::fault::Fault;
use crate::object::{Object, Objects};

/// Functions that are plain calls: name, and for each argument `C` a column or its name, `L` a constant, `l` a constant
/// that may be absent or false, `b` one that may be absent, `V` all the rest as columns, `v` the same, at least none.
const PLAIN: &[(&str, &str)] = &[
    ("abs", "C"),
    ("add_months", "CL"),
    ("any_value", "Cl"),
    ("approx_count_distinct", "Cl"),
    ("array", "V"),
    ("array_agg", "C"),
    ("array_contains", "CL"),
    ("avg", "C"),
    ("bool_and", "C"),
    ("bool_or", "C"),
    ("ceil", "Cl"),
    ("char_length", "C"),
    ("character_length", "C"),
    ("coalesce", "V"),
    ("collect_list", "C"),
    ("collect_set", "C"),
    ("concat", "V"),
    ("concat_ws", "LV"),
    ("contains", "CC"),
    ("count_if", "C"),
    ("create_map", "V"),
    ("cume_dist", ""),
    ("current_date", ""),
    ("current_timestamp", ""),
    ("date_add", "CL"),
    ("date_format", "CL"),
    ("date_sub", "CL"),
    ("date_trunc", "LC"),
    ("dayofmonth", "C"),
    ("dense_rank", ""),
    ("element_at", "CL"),
    ("endswith", "CC"),
    ("every", "C"),
    ("explode", "C"),
    ("explode_outer", "C"),
    ("first", "Cl"),
    ("first_value", "Cl"),
    ("floor", "Cl"),
    ("greatest", "V"),
    ("hash", "V"),
    ("hour", "C"),
    ("ifnull", "CC"),
    ("inline", "C"),
    ("inline_outer", "C"),
    ("input_file_name", ""),
    ("isnan", "C"),
    ("isnotnull", "C"),
    ("isnull", "C"),
    ("lag", "Cll"),
    ("last", "Cl"),
    ("last_value", "Cl"),
    ("lcase", "C"),
    ("lead", "Cll"),
    ("least", "V"),
    ("len", "C"),
    ("length", "C"),
    ("lower", "C"),
    ("ltrim", "C"),
    ("max", "C"),
    ("max_by", "CC"),
    ("mean", "C"),
    ("min", "C"),
    ("min_by", "CC"),
    ("minute", "C"),
    ("monotonically_increasing_id", ""),
    ("month", "C"),
    ("ntile", "L"),
    ("nullif", "CC"),
    ("nvl", "CC"),
    ("nvl2", "CCC"),
    ("percent_rank", ""),
    ("posexplode", "C"),
    ("posexplode_outer", "C"),
    ("rank", ""),
    ("regexp_replace", "CLL"),
    ("round", "Cl"),
    ("row_number", ""),
    ("rtrim", "C"),
    ("second", "C"),
    ("size", "C"),
    ("some", "C"),
    ("sort_array", "Cb"),
    ("split", "CLl"),
    ("sqrt", "C"),
    ("startswith", "CC"),
    ("std", "C"),
    ("stddev", "C"),
    ("stddev_pop", "C"),
    ("stddev_samp", "C"),
    ("struct", "V"),
    ("substring", "CLL"),
    ("sum", "C"),
    ("timestamp_seconds", "C"),
    ("to_date", "Cl"),
    ("to_json", "C"),
    ("to_timestamp", "Cl"),
    ("trim", "C"),
    ("ucase", "C"),
    ("unix_timestamp", "Cl"),
    ("upper", "C"),
    ("var_pop", "C"),
    ("var_samp", "C"),
    ("variance", "C"),
    ("window_time", "C"),
    ("year", "C"),
];

/// Functions with rules of their own.
const SPECIAL: &[&str] = &[
    "asc",
    "asc_nulls_first",
    "asc_nulls_last",
    "broadcast",
    "col",
    "column",
    "count",
    "countDistinct",
    "count_distinct",
    "desc",
    "desc_nulls_first",
    "desc_nulls_last",
    "expr",
    "from_json",
    "lit",
    "now",
    "session_window",
    "sum_distinct",
    "when",
    "window",
];

/// The functions that work.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PLAIN.iter().map(|(name, _)| *name).chain(SPECIAL.iter().copied())
}

/// A call of a function of `pyspark.sql.functions`.
// tidy: table
pub(crate) fn call(objects: &mut Objects, analyzer: &Analyzer, call: &mut Call<'_>) -> Result<Value, Fault> {
    let name = call.method().to_owned();
    let first = call.args.first().cloned();
    let made = match name.as_str() {
        "col" | "column" => {
            let [col] = call.bind_required(1, ["col"])?;
            Expr::name(&call.text("col", &col.unwrap_or(Value::None))?)?
        }
        "lit" => {
            let [value] = call.bind_required(1, ["col"])?;
            operand(objects, call, &value.unwrap_or(Value::None))?
        }
        "expr" => {
            let [text] = call.bind_required(1, ["str"])?;
            analyzer.expr(&call.text("str", &text.unwrap_or(Value::None))?)?
        }
        "when" => {
            let [condition, value] = call.bind_required(2, ["condition", "value"])?;
            let condition = condition.unwrap_or(Value::None);
            let Some(Object::Column(condition)) = objects.of(&condition).as_deref().cloned() else {
                return Err(Fault::pyspark_type(
                    "NOT_COLUMN",
                    format!(
                        "Argument `condition` should be a Column, got {}.",
                        call.machine.type_name(&condition)
                    ),
                ));
            };
            Expr::when(condition, operand(objects, call, &value.unwrap_or(Value::None))?)
        }
        "count" => match first.as_ref().and_then(Value::as_str) {
            Some("*") => Expr::call("count", vec![Expr::literal(Literal::Integer(1))]),
            _ => {
                let [col] = call.bind_required(1, ["col"])?;
                match column_or_name(objects, call, &col.unwrap_or(Value::None))? {
                    Expr::Star(_) => Expr::call("count", vec![Expr::literal(Literal::Integer(1))]),
                    col => Expr::call("count", vec![col]),
                }
            }
        },
        "countDistinct" | "count_distinct" => Expr::call_distinct("count", columns(objects, call)?),
        "sum_distinct" => Expr::call_distinct("sum", columns(objects, call)?),
        "asc" => columns(objects, call)?.remove(0).asc(),
        "desc" => columns(objects, call)?.remove(0).desc(),
        "asc_nulls_first" | "asc_nulls_last" | "desc_nulls_first" | "desc_nulls_last" => Expr::Sort {
            child: Box::new(columns(objects, call)?.remove(0)),
            ascending: name.starts_with("asc"),
            nulls_first: name.ends_with("first"),
        },
        "now" => Expr::call("current_timestamp", Vec::new()),
        "broadcast" => return Ok(first.unwrap_or(Value::None)),
        "from_json" => {
            let [col, schema, _options] = call.bind_required(2, ["col", "schema", "options"])?;
            let col = column_or_name(objects, call, &col.unwrap_or(Value::None))?;
            let schema = data_type::argument(objects, call, "schema", &schema.unwrap_or(Value::None))?;
            // The schema travels as the type of a null.
            Expr::call("from_json", vec![col, Expr::literal(Literal::Null(schema))])
        }
        "window" => {
            let names = ["timeColumn", "windowDuration", "slideDuration", "startTime"];
            let [time, size, slide, start] = call.bind_required(2, names)?;
            let mut args = vec![column_or_name(objects, call, &time.unwrap_or(Value::None))?];
            let size = call.text("windowDuration", &size.unwrap_or(Value::None))?;
            let slide = match slide.filter(|v| !v.is_none()) {
                Some(slide) => call.text("slideDuration", &slide)?,
                None => size.clone(),
            };
            let start = match start.filter(|v| !v.is_none()) {
                Some(start) => call.text("startTime", &start)?,
                None => "0 second".to_owned(),
            };
            args.extend([size, slide, start].map(|text| Expr::literal(Literal::String(text))));
            Expr::call("window", args)
        }
        "session_window" => {
            let [time, gap] = call.bind_required(2, ["timeColumn", "gapDuration"])?;
            let gap = gap.unwrap_or(Value::None);
            let gap = match (gap.as_str(), objects.of(&gap).as_deref()) {
                (Some(text), _) => Expr::literal(Literal::String(text.to_owned())),
                (None, Some(Object::Column(column))) => column.clone(),
                (None, _) => {
                    let kind = call.machine.type_name(&gap);
                    return Err(Fault::pyspark_type(
                        "NOT_EXPECTED_TYPE",
                        format!("Argument `gapDuration` should be Column or str, got {kind}."),
                    ));
                }
            };
            Expr::call(
                "session_window",
                vec![column_or_name(objects, call, &time.unwrap_or(Value::None))?, gap],
            )
        }
        other => plain(objects, call, other)?,
    };
    Ok(objects.add(Object::Column(made)))
}

fn columns(objects: &Objects, call: &mut Call<'_>) -> Result<Vec<Expr>, Fault> {
    call.no_keywords()?;
    let args = call.spread();
    if args.is_empty() {
        return Err(Fault::type_error(format!(
            "{}() missing 1 required positional argument: 'col'",
            call.name
        )));
    }
    args.iter().map(|arg| column_or_name(objects, call, arg)).collect()
}

fn plain(objects: &Objects, call: &mut Call<'_>, name: &str) -> Result<Expr, Fault> {
    let Some((_, signature)) = PLAIN.iter().find(|(known, _)| *known == name) else {
        return Err(Fault::refused(&format!("pyspark.sql.functions.{name}")));
    };
    // Keyword arguments keep their order: the functions have few, and scripts name them in place.
    let keywords: Vec<Value> = std::mem::take(&mut call.kwargs).into_iter().map(|(_, value)| value).collect();
    call.args.extend(keywords);
    let mut rest = std::mem::take(&mut call.args).into_iter();
    let mut args = Vec::new();
    for kind in signature.chars() {
        match kind {
            'V' => {
                call.args = rest.by_ref().collect();
                for value in call.spread() {
                    args.push(column_or_name(objects, call, &value)?);
                }
            }
            'l' => match rest.next() {
                Some(value) if value.is_none() || matches!(value, Value::Bool(false)) => {}
                Some(value) => args.push(operand(objects, call, &value)?),
                None => {}
            },
            'b' => {
                if let Some(value) = rest.next() {
                    args.push(operand(objects, call, &value)?);
                }
            }
            _ => {
                let Some(value) = rest.next() else {
                    return Err(Fault::type_error(format!(
                        "{name}() missing 1 required positional argument: 'col'"
                    )));
                };
                args.push(match kind {
                    'C' => column_or_name(objects, call, &value)?,
                    _ => operand(objects, call, &value)?,
                });
            }
        }
    }
    if rest.next().is_some() {
        let most = signature.len();
        return Err(Fault::type_error(format!(
            "{name}() takes {most} positional arguments but more were given"
        )));
    }
    Ok(Expr::call(if name == "create_map" { "map" } else { name }, args))
}
