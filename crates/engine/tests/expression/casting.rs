//! Casts between types.

use tidemark_types::DataType as T;

use crate::{
    NOON, boolean, call, cast, check, check_starts, date, dec, double, float, int, long, null, text,
    timestamp, try_cast,
};

fn invalid(value: &str, from: &str, to: &str) -> String {
    format!(
        "[CAST_INVALID_INPUT] The value {value} of the type \"{from}\" cannot be cast to \"{to}\" because it is malformed. Correct the value as per the syntax, or change its target type. Use `try_cast` to tolerate malformed input and return NULL instead. SQLSTATE: 22018"
    )
}

fn overflow(value: &str, from: &str, to: &str) -> String {
    format!(
        "[CAST_OVERFLOW] The value {value} of the type \"{from}\" cannot be cast to \"{to}\" due to an overflow. Use `try_cast` to tolerate overflow and return NULL instead. SQLSTATE: 22003"
    )
}

#[test]
fn text_to_values() {
    let d = T::Decimal(5, 2);
    check(vec![
        (cast(text("abc"), T::Integer), &invalid("'abc'", "STRING", "INT")),
        (cast(text("1.51"), T::Integer), &invalid("'1.51'", "STRING", "INT")),
        (cast(text("1e3"), T::Integer), &invalid("'1e3'", "STRING", "INT")),
        (cast(text("  1 "), T::Integer), "1"),
        (cast(text("+7"), T::Long), "7"),
        (cast(text("9223372036854775808"), T::Long), &invalid("'9223372036854775808'", "STRING", "BIGINT")),
        (cast(text("it's"), T::Long), &invalid("'it\\'s'", "STRING", "BIGINT")),
        (cast(text("300"), T::Byte), &invalid("'300'", "STRING", "TINYINT")),
        (cast(text(""), T::Double), &invalid("''", "STRING", "DOUBLE")),
        (cast(text("inf"), T::Double), "Infinity"),
        (cast(text(" 1e2 "), T::Double), "100.0"),
        (cast(text("1.5d"), T::Double), "1.5"),
        (cast(text("x"), T::Boolean), &invalid("'x'", "STRING", "BOOLEAN")),
        (cast(text("yes"), T::Boolean), "true"),
        (cast(text(" true "), T::Boolean), "true"),
        (cast(text("0"), T::Boolean), "false"),
        (cast(text("x"), T::Date), &invalid("'x'", "STRING", "DATE")),
        (cast(text("2024-13-01"), T::Date), &invalid("'2024-13-01'", "STRING", "DATE")),
        (cast(text("2024-1-5"), T::Date), "2024-01-05"),
        (cast(text("x"), T::Timestamp), &invalid("'x'", "STRING", "TIMESTAMP")),
        (cast(text("2024-01-01T00:00:00Z"), T::Timestamp), "2024-01-01 00:00:00"),
        (cast(text("2024-01-01 10"), T::Timestamp), "2024-01-01 10:00:00"),
        (cast(text("x"), d.clone()), &invalid("'x'", "STRING", "DECIMAL(5,2)")),
        (cast(text("1.005"), d.clone()), "1.01"),
        (cast(text("1e2"), d.clone()), "100.00"),
        (
            cast(text("12345.678"), d.clone()),
            "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]  12345.678 cannot be represented as Decimal(5, 2). If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error, and return NULL instead. SQLSTATE: 22003",
        ),
        (try_cast(text("abc"), T::Integer), "NULL"),
        (try_cast(text("x"), T::Timestamp), "NULL"),
        (try_cast(text("12345.678"), d), "NULL"),
        (cast(null(T::String), T::Integer), "NULL"),
        (cast(null(T::Null), T::Integer), "NULL"),
        (cast(text("abc"), T::Binary), "abc"),
    ]);
}

#[test]
fn numbers_to_numbers() {
    check(vec![
        (cast(int(300), T::Byte), &overflow("300", "INT", "TINYINT")),
        (cast(long(3_000_000_000), T::Integer), &overflow("3000000000L", "BIGINT", "INT")),
        (cast(double(1e20), T::Long), &overflow("1.0E20D", "DOUBLE", "BIGINT")),
        (cast(double(f64::NAN), T::Integer), &overflow("NaN", "DOUBLE", "INT")),
        (cast(float(1e20), T::Integer), &overflow("1.0000000200408773E20D", "DOUBLE", "INT")),
        (cast(double(300.5), T::Byte), &overflow("300.5D", "DOUBLE", "TINYINT")),
        (cast(double(127.9), T::Byte), "127"),
        (cast(double(-1.9), T::Integer), "-1"),
        (cast(dec(3007, 5, 1), T::Byte), &overflow("300.7BD", "DECIMAL(5,1)", "TINYINT")),
        (cast(dec(-17, 5, 1), T::Integer), "-1"),
        (try_cast(int(300), T::Byte), "NULL"),
        (try_cast(double(1e20), T::Long), "NULL"),
        (cast(float(0.1), T::Double), "0.10000000149011612"),
        (cast(double(0.1), T::Decimal(38, 20)), "0.10000000000000000000"),
        (cast(double(1.0 / 3.0), T::Decimal(10, 5)), "0.33333"),
        (cast(float(0.1), T::Decimal(10, 5)), "0.10000"),
        (cast(double(f64::NAN), T::Decimal(10, 5)), "NULL"),
        (cast(dec(123_456, 10, 3), T::Double), "123.456"),
        (cast(dec(123_456, 10, 3), T::Decimal(5, 1)), "123.5"),
        (cast(dec(-15, 3, 1), T::Decimal(3, 0)), "-2"),
        (cast(boolean(true), T::Integer), "1"),
        (cast(int(2), T::Boolean), "true"),
        (cast(double(0.0), T::Boolean), "false"),
    ]);
    check_starts(vec![
        (
            cast(int(12345), T::Decimal(4, 1)),
            "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]  12345 cannot be represented as Decimal(4, 1).",
        ),
        (
            cast(double(12345.6), T::Decimal(4, 1)),
            "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]  12345.6 cannot",
        ),
    ]);
}

#[test]
fn times() {
    check(vec![
        (cast(timestamp(NOON), T::Long), "1704460455"),
        (cast(timestamp(-1), T::Long), "-1"),
        (cast(timestamp(NOON), T::Double), "1.704460455678E9"),
        (cast(timestamp(NOON), T::Date), "2024-01-05"),
        (cast(date(19727), T::Timestamp), "2024-01-05 00:00:00"),
        (cast(int(1), T::Timestamp), "1970-01-01 00:00:01"),
        (cast(double(1.5), T::Timestamp), "1970-01-01 00:00:01.5"),
        (cast(dec(15, 3, 1), T::Timestamp), "1970-01-01 00:00:01.5"),
        (cast(double(f64::NAN), T::Timestamp), &invalid("NaN", "DOUBLE", "TIMESTAMP")),
        (cast(double(1e30), T::Timestamp), &overflow("1.0E36D", "DOUBLE", "BIGINT")),
        (
            cast(timestamp(4_859_740_800_000_000), T::Integer),
            &overflow("TIMESTAMP '2124-01-01 00:00:00'", "TIMESTAMP", "INT"),
        ),
        (cast(timestamp(NOON), T::TimestampNtz), "2024-01-05 13:14:15.678"),
    ]);
}

#[test]
fn values_to_text() {
    use tidemark_plan::Function as F;
    let list = call(F::CreateArray, vec![int(1), null(T::Integer), int(3)], crate::array_of(T::Integer));
    let map_type = T::Map(Box::new(T::String), Box::new(T::Integer), true);
    let map = call(F::CreateMap, vec![text("a"), int(1), text("b"), null(T::Integer)], map_type.clone());
    check(vec![
        (cast(double(1e7), T::String), "1.0E7"),
        (cast(float(1.1), T::String), "1.1"),
        (cast(dec(1, 20, 10), T::String), "0.0000000001"),
        (cast(boolean(true), T::String), "true"),
        (cast(timestamp(NOON), T::String), "2024-01-05 13:14:15.678"),
        (cast(list.clone(), T::String), "[1, null, 3]"),
        (cast(list, crate::array_of(T::String)), "[1, null, 3]"),
        (cast(map, T::String), "{a -> 1, b -> null}"),
    ]);
}
