//! Calls by name: operators, aggregates, functions.

use tidemark_types::{DataType, SparkError};

use crate::error::{not_supported, unexpected_type, unresolved_routine, wrong_num_args};
use crate::expr::{Call, Expr};
use crate::literal::Literal;
use crate::resolve::aggregating::aggregate_function;
use crate::resolve::coerce::cast_to;
use crate::resolve::expression::Resolver;
use crate::resolve::function::{Gives, Nulls, Signature, Takes, cast_function, signature};
use crate::resolve::operator;
use crate::resolve::typed::Typed;
use crate::scalar::{Function, Scalar};

impl Resolver<'_> {
    /// Resolves a call.
    pub(crate) fn call(&mut self, call: &Call) -> Result<Typed, SparkError> {
        let name = call.name.to_ascii_lowercase();
        if let Some(function) = aggregate_function(&name) {
            return self.aggregate_call(&name, function, call);
        }
        if call.distinct || call.filter.is_some() {
            return Err(not_supported(&format!("DISTINCT or FILTER in the function {name}")));
        }
        if let Some(result) = self.special(&name, &call.args) {
            return result;
        }
        let args = self.arguments(&call.args)?;
        if let Some(result) = self.operator(&name, &args) {
            return result;
        }
        if let Some(signature) = signature(&name) {
            return apply(&name, &signature, args);
        }
        if let Some(to) = cast_function(&name) {
            check_count(&name, &args, "1", 1, 1)?;
            return self.cast_typed(&args[0], &to);
        }
        Err(if known_elsewhere(&name) {
            not_supported(&format!("the function {name}"))
        } else {
            unresolved_routine(&call.name)
        })
    }

    /// The arguments, a star expanded.
    pub(crate) fn arguments(&mut self, args: &[Expr]) -> Result<Vec<Typed>, SparkError> {
        let mut resolved = Vec::with_capacity(args.len());
        for arg in args {
            if let Expr::Star(target) = arg.bare() {
                resolved.extend(self.expand_star(target)?);
            } else {
                resolved.push(self.resolve(arg)?);
            }
        }
        Ok(resolved)
    }

    /// Operators, also under the names that the Column API gives them; `None` if it is none.
    // tidy: table
    fn operator(&mut self, name: &str, args: &[Typed]) -> Option<Result<Typed, SparkError>> {
        let arity = |wanted: usize| check_count(name, args, &wanted.to_string(), wanted, wanted);
        let two = || (args[0].clone(), args[1].clone());
        Some(match name {
            "+" | "-" | "*" | "/" | "%" | "div" if args.len() == 2 => {
                let (left, right) = two();
                operator::arithmetic(name, left, right)
            }
            "mod" => arity(2).and_then(|()| {
                let (left, right) = two();
                let text = format!("mod({}, {})", left.text, right.text);
                operator::arithmetic("%", left, right).map(|t| Typed { text, ..t })
            }),
            "-" | "negative" => arity(1).and_then(|()| operator::negative(args[0].clone())),
            "+" | "positive" => arity(1).and_then(|()| operator::positive(args[0].clone())),
            "=" | "==" | "<=>" | "<" | "<=" | ">" | ">=" => arity(2).and_then(|()| {
                let (left, right) = two();
                operator::comparison(if name == "==" { "=" } else { name }, left, right)
            }),
            "!=" | "<>" => arity(2).and_then(|()| {
                let (left, right) = two();
                operator::not(operator::comparison("=", left, right)?)
            }),
            "and" | "or" => arity(2).and_then(|()| {
                let (left, right) = two();
                operator::logic(&name.to_uppercase(), left, right)
            }),
            "!" | "not" => arity(1).and_then(|()| operator::not(args[0].clone())),
            "in" if !args.is_empty() => operator::is_in(args.to_vec()),
            "between" => {
                arity(3).and_then(|()| operator::between(args[0].clone(), args[1].clone(), args[2].clone()))
            }
            "isnull" => arity(1).map(|()| null_test(Function::IsNull, &args[0], "IS NULL")),
            "isnotnull" => arity(1).map(|()| null_test(Function::IsNotNull, &args[0], "IS NOT NULL")),
            "like" => like(args),
            "rlike" | "regexp" | "regexp_like" => arity(2).and_then(|()| {
                let text = format!("RLIKE({}, {})", args[0].text, args[1].text);
                let texts =
                    vec![take(&text, 0, Takes::Text, &args[0])?, take(&text, 1, Takes::Text, &args[1])?];
                Ok(Typed::call(Function::RLike, texts, DataType::Boolean, text))
            }),
            "ilike" => arity(2).and_then(|()| {
                let text = format!("ilike({}, {})", args[0].text, args[1].text);
                let lower =
                    |a: Typed| apply("lower", &signature("lower").expect("the table has it"), vec![a]);
                let both = vec![lower(args[0].clone())?.scalar, lower(args[1].clone())?.scalar];
                Ok(Typed::call(Function::Like, both, DataType::Boolean, text))
            }),
            _ => return None,
        })
    }

    /// A cast of a resolved value, as the functions named like types do it.
    pub(crate) fn cast_typed(&mut self, child: &Typed, to: &DataType) -> Result<Typed, SparkError> {
        let text = format!("CAST({} AS {})", child.text, to.sql());
        let mode = operator::mode_of(self.settings.ansi);
        crate::resolve::casting::check_cast(&text, &child.data_type(), to, self.settings.ansi, mode)?;
        let scalar = match &child.scalar {
            Scalar::Literal(Literal::Null(_)) => Scalar::Literal(Literal::Null(to.clone())),
            scalar => Scalar::Cast { child: Box::new(scalar.clone()), to: to.clone(), mode },
        };
        Ok(Typed { scalar, text, name: child.name.clone() })
    }
}

fn null_test(function: Function, child: &Typed, words: &str) -> Typed {
    let scalar = Scalar::Call {
        function,
        args: vec![child.scalar.clone()],
        data_type: DataType::Boolean,
        nullable: false,
    };
    Typed::new(scalar, format!("({} {words})", child.text))
}

/// `a LIKE p`, `a LIKE p ESCAPE c`: another escape character is written into the pattern.
fn like(args: &[Typed]) -> Result<Typed, SparkError> {
    check_count("like", args, "[2, 3]", 2, 3)?;
    let mut text = format!("{} LIKE {}", args[0].text, args[1].text);
    let mut pattern = args[1].clone();
    if let Some(escape) = args.get(2) {
        text.push_str(&format!(" ESCAPE '{}'", escape.text));
        let (Scalar::Literal(Literal::String(p)), Some(escape)) =
            (&pattern.scalar, escape.text.chars().next())
        else {
            return Err(not_supported("LIKE with ESCAPE and a pattern that is no constant"));
        };
        let mut rewritten = String::new();
        let mut chars = p.chars();
        while let Some(c) = chars.next() {
            if c == escape {
                rewritten.push('\\');
                rewritten.extend(chars.next());
            } else if c == '\\' {
                rewritten.push_str("\\\\");
            } else {
                rewritten.push(c);
            }
        }
        pattern = Typed::literal(Literal::String(rewritten));
    }
    let both = vec![take(&text, 0, Takes::Text, &args[0])?, take(&text, 1, Takes::Text, &pattern)?];
    Ok(Typed::call(Function::Like, both, DataType::Boolean, text))
}

/// `WRONG_NUM_ARGS` unless the number of arguments lies between.
pub(crate) fn check_count(
    name: &str,
    args: &[Typed],
    expected: &str,
    least: usize,
    most: usize,
) -> Result<(), SparkError> {
    if (least..=most).contains(&args.len()) {
        Ok(())
    } else {
        Err(wrong_num_args(name, expected, args.len()))
    }
}

/// The text of a call: `upper(user)`.
pub(crate) fn call_text(name: &str, args: &[Typed]) -> String {
    let texts: Vec<&str> = args.iter().map(|a| a.text.as_str()).collect();
    format!("{name}({})", texts.join(", "))
}

/// Checks, casts and types a call with a plain signature.
pub(crate) fn apply(name: &str, signature: &Signature, mut args: Vec<Typed>) -> Result<Typed, SparkError> {
    let most = if signature.variadic { usize::MAX } else { signature.takes.len() };
    let expected = if signature.variadic {
        format!("> {}", signature.least.saturating_sub(1))
    } else if signature.least == most {
        most.to_string()
    } else {
        let counts: Vec<String> = (signature.least..=most).map(|n| n.to_string()).collect();
        format!("[{}]", counts.join(", "))
    };
    check_count(name, &args, &expected, signature.least, most)?;
    let missing = if signature.variadic { 0 } else { signature.takes.len() - args.len() };
    let defaults = &signature.defaults[signature.defaults.len() - missing.min(signature.defaults.len())..];
    args.extend(defaults.iter().cloned().map(Typed::literal));
    let text = call_text(signature.shown.unwrap_or(name), &args);
    let mut cast = Vec::with_capacity(args.len());
    for (index, arg) in args.iter().enumerate() {
        let takes = signature.takes.get(index).or(signature.takes.last()).copied().unwrap_or(Takes::Any);
        cast.push(take(&text, index, takes, arg)?);
    }
    let data_type = match &signature.gives {
        Gives::Type(data_type) => data_type.clone(),
        Gives::Argument(index) => cast[*index].data_type(),
        Gives::Element => match cast[0].data_type() {
            DataType::Array(element, _) => *element,
            other => other,
        },
        Gives::Keys => match cast[0].data_type() {
            DataType::Map(key, _, _) => DataType::Array(key, false),
            other => other,
        },
        Gives::Values => match cast[0].data_type() {
            DataType::Map(_, value, nulls) => DataType::Array(value, nulls),
            other => other,
        },
    };
    let nullable = match signature.nulls {
        Nulls::Arguments => cast.iter().any(Scalar::nullable),
        Nulls::Always => true,
        Nulls::Never => false,
        Nulls::First => cast.first().is_some_and(Scalar::nullable),
    };
    Ok(Typed::new(Scalar::Call { function: signature.function, args: cast, data_type, nullable }, text))
}

/// An argument as the type that a parameter takes, or `UNEXPECTED_INPUT_TYPE`.
// tidy: table
pub(crate) fn take(text: &str, index: usize, takes: Takes, arg: &Typed) -> Result<Scalar, SparkError> {
    use DataType as T;
    let given = arg.data_type();
    let simple = !matches!(given, T::Array(..) | T::Map(..) | T::Struct(_));
    let (wanted, required) = match takes {
        Takes::Any => return Ok(arg.scalar.clone()),
        Takes::Text => (simple.then_some(T::String), "\"STRING\""),
        Takes::Number => {
            let number = match &given {
                t if t.is_numeric() => Some(t.clone()),
                T::String | T::Null => Some(T::Double),
                _ => None,
            };
            (number, "\"NUMERIC\"")
        }
        Takes::Integer => (
            matches!(given, T::Byte | T::Short | T::Integer | T::Null | T::String).then_some(T::Integer),
            "\"INT\"",
        ),
        Takes::Long => {
            ((given.is_integral() || matches!(given, T::Null | T::String)).then_some(T::Long), "\"BIGINT\"")
        }
        Takes::Double => {
            ((given.is_numeric() || matches!(given, T::Null | T::String)).then_some(T::Double), "\"DOUBLE\"")
        }
        Takes::Boolean => {
            (matches!(given, T::Boolean | T::Null | T::String).then_some(T::Boolean), "\"BOOLEAN\"")
        }
        Takes::Date => (
            matches!(given, T::Date | T::Timestamp | T::TimestampNtz | T::Null | T::String)
                .then_some(T::Date),
            "\"DATE\"",
        ),
        Takes::Timestamp => (
            matches!(given, T::Date | T::Timestamp | T::TimestampNtz | T::Null | T::String)
                .then_some(T::Timestamp),
            "\"TIMESTAMP\"",
        ),
        Takes::Array => (matches!(given, T::Array(..)).then(|| given.clone()), "\"ARRAY\""),
        Takes::Map => (matches!(given, T::Map(..)).then(|| given.clone()), "\"MAP\""),
        Takes::Collection => {
            (matches!(given, T::Array(..) | T::Map(..)).then(|| given.clone()), "(\"ARRAY\" or \"MAP\")")
        }
        Takes::Binary => {
            (matches!(given, T::Binary | T::String | T::Null).then_some(T::Binary), "\"BINARY\"")
        }
    };
    match wanted {
        Some(to) => Ok(cast_to(arg.scalar.clone(), &to)),
        None => Err(unexpected_type(text, index, required, &arg.text, &given)),
    }
}

/// Functions of Spark that have no kernel here: they are refused by name, not as unknown.
fn known_elsewhere(name: &str) -> bool {
    matches!(name, "~" | "&" | "|" | "^" | "<<" | ">>")
        || include_str!("../../data/spark_functions.txt").lines().any(|known| known == name)
}
