//! `Column`: operators and methods, each a new expression.

use tidemark_plan::Literal;
use tidemark_plan::expr::Expr;
use tidemark_python::{Value, View};
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::call::Call;
use crate::data_type;
use crate::fault::Fault;
use crate::object::{Object, Objects};

/// What a value means where a column is wanted: a column, or the name of one.
pub(crate) fn column_or_name(objects: &Objects, call: &Call<'_>, value: &Value) -> Result<Expr, Fault> {
    if let Some(Object::Column(expr)) = objects.of(value).as_deref() {
        return Ok(expr.clone());
    }
    match value {
        Value::Str(name) => Ok(Expr::name(name)?),
        other => Err(Fault::pyspark_type(
            "NOT_COLUMN_OR_STR",
            format!("Argument `col` should be a Column or str, got {}.", call.machine.type_name(other)),
        )),
    }
}

/// What a value means where an operand is wanted: a column, or a constant.
pub(crate) fn operand(objects: &Objects, call: &Call<'_>, value: &Value) -> Result<Expr, Fault> {
    if let Some(Object::Column(expr)) = objects.of(value).as_deref() {
        return Ok(expr.clone());
    }
    let literal = match call.machine.view(value) {
        View::None => Literal::Null(DataType::Null),
        View::Bool(b) => Literal::Boolean(b),
        View::Int(i) => i32::try_from(i).map_or(Literal::Long(i), Literal::Integer),
        View::Float(f) => Literal::Double(f),
        View::Str(s) => Literal::String(s.to_string()),
        View::Bytes(b) => Literal::Binary(b),
        View::Date(d) => Literal::Date(d),
        View::Datetime { wall_micros, offset_micros } => {
            Literal::Timestamp(wall_micros - offset_micros.unwrap_or(0))
        }
        View::Timedelta(micros) => Literal::DayTimeInterval(micros),
        View::Decimal(text) => decimal(&text)?,
        View::List(items) | View::Tuple(items) => {
            let items = items.iter().map(|item| operand(objects, call, item)).collect::<Result<_, _>>()?;
            return Ok(Expr::call("array", items));
        }
        _ => {
            return Err(SparkError::new(
                ErrorClass::Runtime,
                "UNSUPPORTED_FEATURE.LITERAL_TYPE",
                "0A000",
                format!(
                    "The feature is not supported: Literal for '{}' of {}.",
                    call.machine.plain_repr(value),
                    call.machine.type_name(value)
                ),
            )
            .into());
        }
    };
    Ok(Expr::literal(literal))
}

fn decimal(text: &str) -> Result<Literal, Fault> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let unscaled: i128 = format!("{}{digits}", if text.starts_with('-') { "-" } else { "" })
        .parse()
        .map_err(|_| Fault::Python("ValueError", format!("decimal out of range: {text}")))?;
    let precision = digits.trim_start_matches('0').len().max(scale).max(1);
    Ok(Literal::Decimal(unscaled, precision as u8, scale as i8))
}

fn binary(
    objects: &Objects,
    call: &Call<'_>,
    left: &Expr,
    operator: &str,
    swap: bool,
) -> Result<Expr, Fault> {
    let value = call.args.first().cloned().unwrap_or(Value::None);
    let right = operand(objects, call, &value)?;
    Ok(if swap { right.binary(operator, left.clone()) } else { left.clone().binary(operator, right) })
}

fn not(expr: Expr) -> Expr {
    Expr::call("!", vec![expr])
}

fn sort(child: &Expr, ascending: bool, nulls_first: bool) -> Expr {
    Expr::Sort { child: Box::new(child.clone()), ascending, nulls_first }
}

/// A call of a column's method.
// tidy: table
pub(crate) fn call(objects: &mut Objects, expr: &Expr, call: &mut Call<'_>) -> Result<Value, Fault> {
    let method = call.method().to_owned();
    let made = match method.as_str() {
        "__add__" => binary(objects, call, expr, "+", false)?,
        "__radd__" => binary(objects, call, expr, "+", true)?,
        "__sub__" => binary(objects, call, expr, "-", false)?,
        "__rsub__" => binary(objects, call, expr, "-", true)?,
        "__mul__" => binary(objects, call, expr, "*", false)?,
        "__rmul__" => binary(objects, call, expr, "*", true)?,
        "__truediv__" => binary(objects, call, expr, "/", false)?,
        "__rtruediv__" => binary(objects, call, expr, "/", true)?,
        "__mod__" => binary(objects, call, expr, "%", false)?,
        "__rmod__" => binary(objects, call, expr, "%", true)?,
        "__pow__" => binary(objects, call, expr, "power", false)?,
        "__rpow__" => binary(objects, call, expr, "power", true)?,
        "__neg__" => Expr::call("negative", vec![expr.clone()]),
        "__eq__" => binary(objects, call, expr, "=", false)?,
        "__ne__" => not(binary(objects, call, expr, "=", false)?),
        "__lt__" => binary(objects, call, expr, "<", false)?,
        "__le__" => binary(objects, call, expr, "<=", false)?,
        "__gt__" => binary(objects, call, expr, ">", false)?,
        "__ge__" => binary(objects, call, expr, ">=", false)?,
        "eqNullSafe" => binary(objects, call, expr, "<=>", false)?,
        "__and__" => binary(objects, call, expr, "and", false)?,
        "__rand__" => binary(objects, call, expr, "and", true)?,
        "__or__" => binary(objects, call, expr, "or", false)?,
        "__ror__" => binary(objects, call, expr, "or", true)?,
        "bitwiseAND" => binary(objects, call, expr, "&", false)?,
        "bitwiseOR" => binary(objects, call, expr, "|", false)?,
        "bitwiseXOR" => binary(objects, call, expr, "^", false)?,
        "__invert__" => not(expr.clone()),
        "isNull" => Expr::call("isNull", vec![expr.clone()]),
        "isNotNull" => Expr::call("isNotNull", vec![expr.clone()]),
        "isNaN" => Expr::call("isNaN", vec![expr.clone()]),
        "like" | "ilike" | "rlike" | "startswith" | "endswith" | "contains" => {
            binary(objects, call, expr, &method, false)?
        }
        "asc" => sort(expr, true, true),
        "asc_nulls_first" => sort(expr, true, true),
        "asc_nulls_last" => sort(expr, true, false),
        "desc" => sort(expr, false, false),
        "desc_nulls_first" => sort(expr, false, true),
        "desc_nulls_last" => sort(expr, false, false),
        "over" => {
            let [window] = call.bind_required(1, ["window"])?;
            match window.as_ref().and_then(|window| objects.of(window)).as_deref() {
                Some(Object::WindowSpec(partitions, orders)) => {
                    expr.clone().over(partitions.clone(), orders.clone())
                }
                _ => {
                    let kind = call.machine.type_name(&window.unwrap_or(Value::None));
                    let text = format!("Argument `window` should be a WindowSpec, got {kind}.");
                    return Err(Fault::pyspark_type("NOT_WINDOWSPEC", text));
                }
            }
        }
        "alias" | "name" => {
            let names = call.spread();
            let names = names.iter().map(|n| call.text("alias", n)).collect::<Result<_, _>>()?;
            Expr::Alias { child: Box::new(expr.clone()), names }
        }
        "cast" | "astype" | "try_cast" => {
            let [to] = call.bind_required(1, ["dataType"])?;
            let to = data_type::cast_target(objects, call, &to.unwrap_or(Value::None))?;
            if method == "try_cast" { expr.clone().try_cast(to) } else { expr.clone().cast(to) }
        }
        "between" => {
            let [low, high] = call.bind_required(2, ["lowerBound", "upperBound"])?;
            let low = operand(objects, call, &low.unwrap_or(Value::None))?;
            let high = operand(objects, call, &high.unwrap_or(Value::None))?;
            expr.clone().binary(">=", low).binary("and", expr.clone().binary("<=", high))
        }
        "isin" => {
            let mut args = vec![expr.clone()];
            for item in call.spread() {
                args.push(operand(objects, call, &item)?);
            }
            Expr::call("in", args)
        }
        "substr" => {
            let [start, length] = call.bind_required(2, ["startPos", "length"])?;
            let start = operand(objects, call, &start.unwrap_or(Value::None))?;
            let length = operand(objects, call, &length.unwrap_or(Value::None))?;
            Expr::call("substring", vec![expr.clone(), start, length])
        }
        "when" => {
            let [condition, value] = call.bind_required(2, ["condition", "value"])?;
            let condition = operand(objects, call, &condition.unwrap_or(Value::None))?;
            let value = operand(objects, call, &value.unwrap_or(Value::None))?;
            match expr {
                Expr::Case { branches, otherwise: None } => {
                    let mut branches = branches.clone();
                    branches.push((condition, value));
                    Expr::Case { branches, otherwise: None }
                }
                _ => {
                    return Err(when_misplaced(
                        "when() can only be applied on a Column previously generated by when() function",
                    ));
                }
            }
        }
        "otherwise" => {
            let [value] = call.bind_required(1, ["value"])?;
            let value = operand(objects, call, &value.unwrap_or(Value::None))?;
            match expr {
                Expr::Case { branches, otherwise: None } => {
                    Expr::Case { branches: branches.clone(), otherwise: Some(Box::new(value)) }
                }
                _ => {
                    return Err(when_misplaced(
                        "otherwise() can only be applied on a Column previously generated by when()",
                    ));
                }
            }
        }
        "getItem" | "getField" | "__getitem__" => {
            let [key] = call.bind_required(1, ["key"])?;
            let key = operand(objects, call, &key.unwrap_or(Value::None))?;
            expr.clone().extract(key)
        }
        "__getattr__" => {
            let name = call.args.first().and_then(Value::as_str).unwrap_or_default().to_owned();
            if name.starts_with("__") {
                return Err(Fault::Python("AttributeError", name));
            }
            expr.clone().extract(Expr::literal(Literal::String(name)))
        }
        "__bool__" => {
            return Err(Fault::pyspark_value(
                "CANNOT_CONVERT_COLUMN_INTO_BOOL",
                "Cannot convert column into bool: please use '&' for 'and', '|' for 'or', '~' for 'not' when building \
                 DataFrame boolean expressions."
                    .into(),
            ));
        }
        "__contains__" => {
            return Err(Fault::pyspark_value(
                "CANNOT_APPLY_IN_FOR_COLUMN",
                "Cannot apply 'in' operator against a column: please use 'contains' in a string column or \
                 'array_contains' function for an array column."
                    .into(),
            ));
        }
        "__iter__" => {
            return Err(Fault::pyspark_type("NOT_ITERABLE", "Column is not iterable.".into()));
        }
        "__repr__" => return Ok(Value::from(format!("Column<'{expr}'>"))),
        other => return Err(Fault::refused(&format!("Column.{other}"))),
    };
    Ok(objects.add(Object::Column(made)))
}

fn when_misplaced(message: &str) -> Fault {
    SparkError::plain(ErrorClass::IllegalArgument, message).into()
}
