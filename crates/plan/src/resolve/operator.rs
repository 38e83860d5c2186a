//! Arithmetic, comparison and logic.

use tidemark_types::{DataType, SparkError};

use crate::error::{data_differ, not_ordered, operand_wrong, operands_differ, unexpected_type};
use crate::literal::Literal;
use crate::resolve::coerce::{
    cast_to, decimal_of, decimal_of_literal, decimal_result, is_orderable, tightest, wider, wider_all,
};
use crate::resolve::typed::Typed;
use crate::scalar::{CastMode, Function, Scalar};

/// `left <operator> right` for `+ - * / % div`.
pub(crate) fn arithmetic(operator: &str, left: Typed, right: Typed) -> Result<Typed, SparkError> {
    let text = format!("({} {operator} {})", left.text, right.text);
    let (a, b) = (left.data_type(), right.data_type());
    if let Some(typed) = datetime(operator, &left, &right, &text) {
        return Ok(typed);
    }
    if matches!(a, DataType::Decimal(..)) && (b.is_integral() || matches!(b, DataType::Decimal(..)))
        || matches!(b, DataType::Decimal(..)) && a.is_integral()
    {
        return Ok(decimal(operator, left, right, text));
    }
    let Some(both) = operand_type(&a, &b) else { return Err(operands_differ(&text, &a, &b)) };
    let both = match (operator, both) {
        (_, DataType::Null) => DataType::Double,
        // Two strings are numbers to an arithmetic operator.
        (_, DataType::String) => DataType::Double,
        ("/", t) if t.is_integral() => DataType::Double,
        ("div", t) if t.is_integral() => DataType::Long,
        (_, t) => t,
    };
    let interval = matches!(both, DataType::DayTimeInterval | DataType::YearMonthInterval);
    let works = both.is_numeric() || interval && matches!(operator, "+" | "-");
    if !works {
        let required = match operator {
            "+" | "-" => {
                "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")"
            }
            "/" => "(\"DOUBLE\" or \"DECIMAL\")",
            _ => "\"NUMERIC\"",
        };
        return Err(if a == b { operand_wrong(&text, required, &a) } else { operands_differ(&text, &a, &b) });
    }
    let result = if operator == "div" { DataType::Long } else { both.clone() };
    let args = vec![cast_to(left.scalar, &both), cast_to(right.scalar, &both)];
    Ok(dividing(operator, Typed::call(arithmetic_function(operator), args, result, text)))
}

fn arithmetic_function(operator: &str) -> Function {
    match operator {
        "+" => Function::Add,
        "-" => Function::Subtract,
        "*" => Function::Multiply,
        "/" => Function::Divide,
        "div" => Function::IntegralDivide,
        _ => Function::Remainder,
    }
}

fn operand_type(left: &DataType, right: &DataType) -> Option<DataType> {
    match (left, right) {
        (DataType::String, DataType::String) => Some(DataType::Double),
        _ => wider(left, right),
    }
}

/// Decimals keep their own digits; the result has what Spark gives it.
fn decimal(operator: &str, left: Typed, right: Typed, text: String) -> Typed {
    let digits = |t: &Typed| {
        let literal = match &t.scalar {
            Scalar::Literal(literal) => decimal_of_literal(literal),
            _ => None,
        };
        literal.or_else(|| decimal_of(&t.data_type())).unwrap_or((38, 18))
    };
    let (a, b) = (digits(&left), digits(&right));
    let result = if operator == "div" { DataType::Long } else { decimal_result(operator, a, b) };
    let args = vec![
        cast_to(left.scalar, &DataType::Decimal(a.0, a.1)),
        cast_to(right.scalar, &DataType::Decimal(b.0, b.1)),
    ];
    dividing(operator, Typed::call(arithmetic_function(operator), args, result, text))
}

/// Spark calls every division nullable, also where ANSI mode fails on zero.
fn dividing(operator: &str, mut typed: Typed) -> Typed {
    if let ("/" | "%" | "div", Scalar::Call { nullable, .. }) = (operator, &mut typed.scalar) {
        *nullable = true;
    }
    typed
}

/// Dates, timestamps and intervals; `None` if no operand is one.
fn datetime(operator: &str, left: &Typed, right: &Typed, text: &str) -> Option<Typed> {
    use DataType as T;
    let (a, b) = (left.data_type(), right.data_type());
    let infix = format!("{} {operator} {}", left.text, right.text);
    let call = |function, args: Vec<Scalar>, data_type, text: String| {
        Some(Typed::call(function, args, data_type, text))
    };
    let function = arithmetic_function(operator);
    match (operator, &a, &b) {
        ("+" | "-", T::Timestamp | T::TimestampNtz, T::DayTimeInterval) => {
            call(function, vec![left.scalar.clone(), right.scalar.clone()], a, infix)
        }
        ("+", T::DayTimeInterval, T::Timestamp | T::TimestampNtz) => {
            let swapped = format!("{} + {}", right.text, left.text);
            call(function, vec![right.scalar.clone(), left.scalar.clone()], b, swapped)
        }
        ("+" | "-", T::Date, T::DayTimeInterval) => match &right.scalar {
            Scalar::Literal(Literal::DayTimeInterval(micros)) if micros % 86_400_000_000 == 0 => {
                let days = (micros / 86_400_000_000) as i32;
                let signed = if operator == "-" { -days } else { days };
                let name = if operator == "-" { "date_sub" } else { "date_add" };
                let text = format!("{name}({}, extractansiintervaldays({}))", left.text, right.text);
                let args = vec![left.scalar.clone(), Scalar::Literal(Literal::Integer(signed))];
                call(Function::DateAdd, args, T::Date, text)
            }
            _ => {
                let at = cast_to(left.scalar.clone(), &T::Timestamp);
                call(function, vec![at, right.scalar.clone()], T::Timestamp, infix)
            }
        },
        ("+", T::Date, t) | ("+", t, T::Date) if matches!(t, T::Integer | T::Short | T::Byte) => {
            let (date, days) = if a == T::Date { (left, right) } else { (right, left) };
            let args = vec![date.scalar.clone(), cast_to(days.scalar.clone(), &T::Integer)];
            call(Function::DateAdd, args, T::Date, format!("date_add({}, {})", date.text, days.text))
        }
        ("-", T::Date, T::Integer | T::Short | T::Byte) => {
            let days = cast_to(right.scalar.clone(), &T::Integer);
            let negative = negate(days, &T::Integer);
            call(
                Function::DateAdd,
                vec![left.scalar.clone(), negative],
                T::Date,
                format!("date_sub({}, {})", left.text, right.text),
            )
        }
        ("-", T::Date | T::Timestamp | T::TimestampNtz, T::Date | T::Timestamp | T::TimestampNtz) => {
            let both = tightest(&a, &b)?;
            let both = if both == T::Date { T::Timestamp } else { both };
            let args = vec![cast_to(left.scalar.clone(), &both), cast_to(right.scalar.clone(), &both)];
            call(Function::Subtract, args, T::DayTimeInterval, text.to_owned())
        }
        ("-", T::Timestamp | T::TimestampNtz, T::String) => {
            let args = vec![left.scalar.clone(), cast_to(right.scalar.clone(), &a)];
            call(Function::Subtract, args, T::DayTimeInterval, text.to_owned())
        }
        ("+" | "-", T::Date | T::Timestamp | T::TimestampNtz, T::YearMonthInterval) => {
            let months =
                if operator == "-" { negate(right.scalar.clone(), &b) } else { right.scalar.clone() };
            call(Function::AddMonths, vec![left.scalar.clone(), months], a, infix)
        }
        _ => None,
    }
}

fn negate(scalar: Scalar, data_type: &DataType) -> Scalar {
    match scalar {
        Scalar::Literal(Literal::Integer(v)) => Scalar::Literal(Literal::Integer(v.wrapping_neg())),
        Scalar::Literal(Literal::YearMonthInterval(v)) => {
            Scalar::Literal(Literal::YearMonthInterval(v.wrapping_neg()))
        }
        other => {
            let nullable = other.nullable();
            Scalar::Call {
                function: Function::Negate,
                args: vec![other],
                data_type: data_type.clone(),
                nullable,
            }
        }
    }
}

/// `-child`.
pub(crate) fn negative(child: Typed) -> Result<Typed, SparkError> {
    let text = format!("(- {})", child.text);
    let child = numeric_operand(&text, child)?;
    let data_type = child.data_type();
    Ok(Typed::call(Function::Negate, vec![child.scalar], data_type, text))
}

/// `+child`.
pub(crate) fn positive(child: Typed) -> Result<Typed, SparkError> {
    let text = format!("(+ {})", child.text);
    let child = numeric_operand(&text, child)?;
    Ok(Typed::new(child.scalar, text))
}

fn numeric_operand(text: &str, child: Typed) -> Result<Typed, SparkError> {
    match child.data_type() {
        DataType::String | DataType::Null => {
            Ok(Typed::new(cast_to(child.scalar, &DataType::Double), child.text))
        }
        t if t.is_numeric() || matches!(t, DataType::DayTimeInterval | DataType::YearMonthInterval) => {
            Ok(child)
        }
        t => Err(unexpected_type(
            text,
            0,
            "(\"NUMERIC\" or \"INTERVAL DAY TO SECOND\" or \"INTERVAL YEAR TO MONTH\" or \"INTERVAL\")",
            &child.text,
            &t,
        )),
    }
}

/// `left <operator> right` for `= <=> < <= > >=`.
pub(crate) fn comparison(operator: &str, left: Typed, right: Typed) -> Result<Typed, SparkError> {
    let text = format!("({} {operator} {})", left.text, right.text);
    let (a, b) = (left.data_type(), right.data_type());
    let Some(both) = wider(&a, &b) else { return Err(operands_differ(&text, &a, &b)) };
    if !is_orderable(&both) {
        return Err(not_ordered(&text, operator, &both));
    }
    let function = match operator {
        "=" => Function::Equal,
        "<=>" => Function::EqualNullSafe,
        "<" => Function::Less,
        "<=" => Function::LessOrEqual,
        ">" => Function::Greater,
        _ => Function::GreaterOrEqual,
    };
    let args = vec![cast_to(left.scalar, &both), cast_to(right.scalar, &both)];
    let mut typed = Typed::call(function, args, DataType::Boolean, text);
    if let (Function::EqualNullSafe, Scalar::Call { nullable, .. }) = (function, &mut typed.scalar) {
        *nullable = false;
    }
    Ok(typed)
}

/// `left AND right`, `left OR right`.
pub(crate) fn logic(operator: &str, left: Typed, right: Typed) -> Result<Typed, SparkError> {
    let text = format!("({} {operator} {})", left.text, right.text);
    let (a, b) = (left.data_type(), right.data_type());
    let boolean = |t: &DataType| matches!(t, DataType::Boolean | DataType::Null | DataType::String);
    if !boolean(&a) || !boolean(&b) {
        return Err(if a == b {
            operand_wrong(&text, "\"BOOLEAN\"", &a)
        } else {
            operands_differ(&text, &a, &b)
        });
    }
    let function = if operator == "AND" { Function::And } else { Function::Or };
    let args = vec![cast_to(left.scalar, &DataType::Boolean), cast_to(right.scalar, &DataType::Boolean)];
    Ok(Typed::call(function, args, DataType::Boolean, text))
}

/// `NOT child`.
pub(crate) fn not(child: Typed) -> Result<Typed, SparkError> {
    let text = format!("(NOT {})", child.text);
    match child.data_type() {
        DataType::Boolean | DataType::Null | DataType::String => Ok(Typed::call(
            Function::Not,
            vec![cast_to(child.scalar, &DataType::Boolean)],
            DataType::Boolean,
            text,
        )),
        other => Err(unexpected_type(&text, 0, "\"BOOLEAN\"", &child.text, &other)),
    }
}

/// `value IN (list…)`.
pub(crate) fn is_in(mut args: Vec<Typed>) -> Result<Typed, SparkError> {
    let texts: Vec<String> = args.iter().skip(1).map(|a| a.text.clone()).collect();
    let text = format!("({} IN ({}))", args[0].text, texts.join(", "));
    let types: Vec<DataType> = args.iter().map(Typed::data_type).collect();
    let Some(both) = wider_all(&types) else { return Err(data_differ(&text, "in", &types)) };
    if !is_orderable(&both) {
        return Err(not_ordered(&text, "in", &both));
    }
    let args = args.drain(..).map(|a| cast_to(a.scalar, &both)).collect();
    Ok(Typed::call(Function::In, args, DataType::Boolean, text))
}

/// `value BETWEEN low AND high`.
pub(crate) fn between(value: Typed, low: Typed, high: Typed) -> Result<Typed, SparkError> {
    let text = format!("between({}, {}, {})", value.text, low.text, high.text);
    let above = comparison(">=", value.clone(), low)?;
    let below = comparison("<=", value, high)?;
    let mut typed = logic("AND", above, below)?;
    typed.text = text;
    Ok(typed)
}

/// `try_cast`-like: whether the mode gives null instead of failing.
pub(crate) fn mode_of(ansi: bool) -> CastMode {
    if ansi { CastMode::Ansi } else { CastMode::Try }
}
