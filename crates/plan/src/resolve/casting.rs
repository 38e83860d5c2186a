//! Which casts Spark allows in ANSI mode, and what it says of the others.

use tidemark_types::{DataType, SparkError};

use crate::error::type_mismatch;
use crate::scalar::CastMode;

/// Checks `CAST(from AS to)`; `sql` is the text of the whole cast.
pub fn check_cast(
    sql: &str,
    from: &DataType,
    to: &DataType,
    ansi: bool,
    mode: CastMode,
) -> Result<(), SparkError> {
    let strict = ansi || mode == CastMode::Try;
    if strict && can_ansi_cast(from, to) || !strict && can_legacy_cast(from, to) {
        return Ok(());
    }
    let what = format!("cannot cast \"{}\" to \"{}\"", from.sql(), to.sql());
    if let Some(functions) = instead(from, to) {
        return Err(type_mismatch(
            sql,
            "CAST_WITH_FUNC_SUGGESTION",
            &format!(
                "{what}.\nTo convert values from \"{}\" to \"{}\", you can use the functions {functions} instead.",
                from.sql(),
                to.sql()
            ),
        ));
    }
    if can_legacy_cast(from, to) && mode == CastMode::Ansi {
        return Err(type_mismatch(
            sql,
            "CAST_WITH_CONF_SUGGESTION",
            &format!(
                "{what} with ANSI mode on.\nIf you have to cast \"{}\" to \"{}\", you can set \"spark.sql.ansi.enabled\" as 'false'.",
                from.sql(),
                to.sql()
            ),
        ));
    }
    Err(type_mismatch(sql, "CAST_WITHOUT_SUGGESTION", &format!("{what}.")))
}

/// The functions that do what a cast does not.
fn instead(from: &DataType, to: &DataType) -> Option<&'static str> {
    match (from, to) {
        (DataType::Date, t) if t.is_numeric() => Some("`UNIX_DATE`"),
        (t, DataType::Date) if t.is_numeric() => Some("`DATE_FROM_UNIX_DATE`"),
        _ => None,
    }
}

// tidy: table
fn can_ansi_cast(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    match (from, to) {
        (a, b) if a == b => true,
        (T::Null, _) | (_, T::String) => true,
        (T::String, T::Binary | T::Date | T::Timestamp | T::TimestampNtz | T::Boolean) => true,
        (T::String, T::DayTimeInterval | T::YearMonthInterval) => true,
        (T::String, b) => b.is_numeric(),
        (T::Boolean, T::Timestamp) | (T::Timestamp, T::Boolean) => false,
        (a, T::Boolean) => a.is_numeric(),
        (T::Boolean, b) => b.is_numeric(),
        (T::Date | T::TimestampNtz, T::Timestamp) => true,
        (T::Date | T::Timestamp, T::TimestampNtz) => true,
        (T::Timestamp | T::TimestampNtz, T::Date) => true,
        (a, T::Timestamp) if a.is_numeric() => true,
        (T::Timestamp, b) if b.is_numeric() => true,
        (a, T::DayTimeInterval | T::YearMonthInterval) => a.is_integral() || matches!(a, T::Decimal(..)),
        (T::DayTimeInterval | T::YearMonthInterval, b) => b.is_integral() || matches!(b, T::Decimal(..)),
        (a, b) if a.is_numeric() && b.is_numeric() => true,
        (T::Array(a, x), T::Array(b, y)) => can_ansi_cast(a, b) && (!x || *y),
        (T::Map(ka, va, x), T::Map(kb, vb, y)) => {
            can_ansi_cast(ka, kb) && can_ansi_cast(va, vb) && (!x || *y)
        }
        (T::Struct(a), T::Struct(b)) => {
            a.fields.len() == b.fields.len()
                && a.fields
                    .iter()
                    .zip(&b.fields)
                    .all(|(x, y)| can_ansi_cast(&x.data_type, &y.data_type) && (!x.nullable || y.nullable))
        }
        _ => false,
    }
}

fn can_legacy_cast(from: &DataType, to: &DataType) -> bool {
    use DataType as T;
    match (from, to) {
        (T::Boolean, T::Timestamp) | (T::Timestamp | T::Date, T::Boolean) => true,
        (a, T::Binary) if a.is_integral() => true,
        (T::Date, b) if b.is_numeric() => true,
        (a, b) => can_ansi_cast(a, b),
    }
}
