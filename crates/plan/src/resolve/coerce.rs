//! The types that operands agree on: Spark's ANSI type coercion.

use tidemark_types::{DataType, StructField, StructType};

use crate::literal::Literal;
use crate::scalar::{CastMode, Scalar};

/// The most digits of a decimal.
const PRECISION_MAX: i32 = 38;
/// The digits after the point that a decimal keeps when it has too many.
const SCALE_KEPT: i32 = 6;

const NUMERIC: [DataType; 6] =
    [DataType::Byte, DataType::Short, DataType::Integer, DataType::Long, DataType::Float, DataType::Double];

/// The value as another type; nothing to do if it has it already, and a constant null is a null of that type.
pub fn cast_to(scalar: Scalar, to: &DataType) -> Scalar {
    if scalar.data_type() == *to {
        return scalar;
    }
    if let Scalar::Literal(Literal::Null(_)) = scalar {
        return Scalar::Literal(Literal::Null(to.clone()));
    }
    Scalar::Cast { child: Box::new(scalar), to: to.clone(), mode: CastMode::Ansi }
}

/// The decimal that holds every value of an integer type.
pub fn decimal_of(data_type: &DataType) -> Option<(u8, i8)> {
    match data_type {
        DataType::Byte => Some((3, 0)),
        DataType::Short => Some((5, 0)),
        DataType::Integer => Some((10, 0)),
        DataType::Long => Some((20, 0)),
        DataType::Float => Some((14, 7)),
        DataType::Double => Some((30, 15)),
        DataType::Decimal(p, s) => Some((*p, *s)),
        _ => None,
    }
}

/// The decimal that a constant integer needs beside a decimal.
pub fn decimal_of_literal(literal: &Literal) -> Option<(u8, i8)> {
    let value = match literal {
        Literal::Byte(v) => i64::from(*v),
        Literal::Short(v) => i64::from(*v),
        Literal::Integer(v) => i64::from(*v),
        Literal::Long(v) => *v,
        _ => return None,
    };
    Some((value.unsigned_abs().to_string().len() as u8, 0))
}

/// The decimal that holds both.
pub fn wider_decimal(left: (u8, i8), right: (u8, i8)) -> DataType {
    let scale = i32::from(left.1.max(right.1));
    let whole = (i32::from(left.0) - i32::from(left.1)).max(i32::from(right.0) - i32::from(right.1));
    DataType::Decimal((whole + scale).min(PRECISION_MAX) as u8, scale.min(PRECISION_MAX) as i8)
}

/// A decimal within the limit: digits after the point give way, down to six.
pub fn adjusted_decimal(precision: i32, scale: i32) -> DataType {
    if precision <= PRECISION_MAX {
        return DataType::Decimal(precision as u8, scale as i8);
    }
    if scale < 0 {
        return DataType::Decimal(PRECISION_MAX as u8, scale as i8);
    }
    let whole = precision - scale;
    let kept = scale.min(SCALE_KEPT);
    DataType::Decimal(PRECISION_MAX as u8, (PRECISION_MAX - whole).max(kept) as i8)
}

/// The type that both fit in without loss of kind, strings not promoted.
pub fn tightest(left: &DataType, right: &DataType) -> Option<DataType> {
    if left == right {
        return Some(left.clone());
    }
    match (left, right) {
        (DataType::Null, other) | (other, DataType::Null) => Some(other.clone()),
        (DataType::Decimal(..), DataType::Float | DataType::Double)
        | (DataType::Float | DataType::Double, DataType::Decimal(..)) => Some(DataType::Double),
        (DataType::Decimal(..), other) | (other, DataType::Decimal(..)) if other.is_numeric() => {
            Some(wider_decimal(decimal_of(left)?, decimal_of(right)?))
        }
        (a, b) if a.is_numeric() && b.is_numeric() => {
            let index = NUMERIC.iter().rposition(|t| t == a || t == b)?;
            // An integer and a float meet in a double: a float cannot hold every integer.
            Some(if NUMERIC[index] == DataType::Float { DataType::Double } else { NUMERIC[index].clone() })
        }
        (DataType::Date, DataType::Timestamp) | (DataType::Timestamp, DataType::Date) => {
            Some(DataType::Timestamp)
        }
        (DataType::Date, DataType::TimestampNtz) | (DataType::TimestampNtz, DataType::Date) => {
            Some(DataType::TimestampNtz)
        }
        (DataType::Timestamp, DataType::TimestampNtz) | (DataType::TimestampNtz, DataType::Timestamp) => {
            Some(DataType::Timestamp)
        }
        _ => nested(left, right, &tightest),
    }
}

/// The type that both become, strings promoted to the other side's type.
pub fn wider(left: &DataType, right: &DataType) -> Option<DataType> {
    tightest(left, right).or_else(|| with_string(left, right)).or_else(|| nested(left, right, &wider))
}

/// What a string becomes beside a value of another type.
fn with_string(left: &DataType, right: &DataType) -> Option<DataType> {
    let other = match (left, right) {
        (DataType::String, other) | (other, DataType::String) => other,
        _ => return None,
    };
    match other {
        t if t.is_integral() => Some(DataType::Long),
        t if t.is_numeric() => Some(DataType::Double),
        DataType::Array(..) | DataType::Map(..) | DataType::Struct(_) => None,
        t => Some(t.clone()),
    }
}

fn nested(
    left: &DataType,
    right: &DataType,
    find: &dyn Fn(&DataType, &DataType) -> Option<DataType>,
) -> Option<DataType> {
    match (left, right) {
        (DataType::Array(a, x), DataType::Array(b, y)) => {
            Some(DataType::Array(Box::new(find(a, b)?), *x || *y))
        }
        (DataType::Map(ka, va, x), DataType::Map(kb, vb, y)) => {
            Some(DataType::Map(Box::new(find(ka, kb)?), Box::new(find(va, vb)?), *x || *y))
        }
        (DataType::Struct(a), DataType::Struct(b)) if a.fields.len() == b.fields.len() => {
            let fields = a.fields.iter().zip(&b.fields).map(|(x, y)| {
                let same = x.name.eq_ignore_ascii_case(&y.name);
                same.then(|| {
                    Some(StructField::new(
                        &x.name,
                        find(&x.data_type, &y.data_type)?,
                        x.nullable || y.nullable,
                    ))
                })?
            });
            Some(DataType::Struct(StructType::new(fields.collect::<Option<_>>()?)))
        }
        _ => None,
    }
}

/// The type that several become: of CASE, IN, coalesce, array.
pub fn wider_all<'a>(types: impl IntoIterator<Item = &'a DataType>) -> Option<DataType> {
    types.into_iter().try_fold(DataType::Null, |found, t| wider(&found, t))
}

/// The type that several fit in, strings not promoted: of greatest and least.
pub fn tightest_all<'a>(types: impl IntoIterator<Item = &'a DataType>) -> Option<DataType> {
    types.into_iter().try_fold(DataType::Null, |found, t| tightest(&found, t))
}

/// The result of an arithmetic operator over decimals.
pub fn decimal_result(operator: &str, left: (u8, i8), right: (u8, i8)) -> DataType {
    let (p1, s1) = (i32::from(left.0), i32::from(left.1));
    let (p2, s2) = (i32::from(right.0), i32::from(right.1));
    let scale = s1.max(s2);
    match operator {
        "*" => adjusted_decimal(p1 + p2 + 1, s1 + s2),
        "/" => {
            let scale = SCALE_KEPT.max(s1 + p2 + 1);
            adjusted_decimal(p1 - s1 + s2 + scale, scale)
        }
        "%" => adjusted_decimal((p1 - s1).min(p2 - s2) + scale, scale),
        _ => adjusted_decimal((p1 - s1).max(p2 - s2) + scale + 1, scale),
    }
}

/// Whether values of the type have an order.
pub fn is_orderable(data_type: &DataType) -> bool {
    match data_type {
        DataType::Map(..) => false,
        DataType::Array(element, _) => is_orderable(element),
        DataType::Struct(schema) => schema.fields.iter().all(|f| is_orderable(&f.data_type)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_agree_as_in_spark() {
        let t = |text: &str| DataType::from_ddl(text).expect("the type is good");
        for (left, right, both) in [
            ("int", "bigint", Some("bigint")),
            ("int", "double", Some("double")),
            ("int", "float", Some("double")),
            ("tinyint", "smallint", Some("smallint")),
            ("int", "string", Some("bigint")),
            ("double", "string", Some("double")),
            ("decimal(10,2)", "int", Some("decimal(12,2)")),
            ("decimal(10,2)", "decimal(5,4)", Some("decimal(12,4)")),
            ("decimal(10,2)", "double", Some("double")),
            ("date", "timestamp", Some("timestamp")),
            ("timestamp", "string", Some("timestamp")),
            ("boolean", "int", None),
            ("timestamp", "int", None),
            ("array<int>", "array<double>", Some("array<double>")),
            ("array<int>", "int", None),
        ] {
            assert_eq!(wider(&t(left), &t(right)), both.map(t), "{left} and {right}");
        }
        for (operator, left, right, result) in [
            ("+", (10, 2), (10, 2), "decimal(11,2)"),
            ("+", (10, 2), (1, 0), "decimal(11,2)"),
            ("+", (10, 2), (20, 0), "decimal(23,2)"),
            ("*", (10, 2), (10, 2), "decimal(21,4)"),
            ("/", (10, 2), (10, 2), "decimal(23,13)"),
            ("%", (10, 2), (10, 2), "decimal(10,2)"),
            ("*", (38, 10), (38, 10), "decimal(38,6)"),
        ] {
            assert_eq!(decimal_result(operator, left, right), t(result), "{operator}");
        }
    }
}
