//! Functions of text, patterns, nested values, dates and JSON.

use tidemark_plan::{Function as F, Literal, Scalar};
use tidemark_types::{DataType as T, StructField, StructType};

use crate::{
    NOON, array_of, boolean, call, check, check_starts, date, double, int, long, null, text, timestamp,
};

fn s(f: F, args: Vec<Scalar>) -> Scalar {
    call(f, args, T::String)
}
fn b(f: F, args: Vec<Scalar>) -> Scalar {
    call(f, args, T::Boolean)
}
fn i(f: F, args: Vec<Scalar>) -> Scalar {
    call(f, args, T::Integer)
}
fn strings() -> T {
    T::Array(Box::new(T::String), false)
}

#[test]
fn texts() {
    let list = || call(F::CreateArray, vec![text("x"), text("y")], strings());
    check(vec![
        (s(F::Upper, vec![text("straße")]), "STRASSE"),
        (s(F::Lower, vec![text("ÀÉ")]), "àé"),
        (i(F::Length, vec![text("日本𝄞")]), "3"),
        (i(F::Length, vec![Scalar::Literal(Literal::Binary(vec![1, 2]))]), "2"),
        (s(F::Concat, vec![text("a"), text("b")]), "ab"),
        (s(F::Concat, vec![text("a"), null(T::String)]), "NULL"),
        (s(F::ConcatWs, vec![text(","), text("a"), null(T::String), text("b")]), "a,b"),
        (s(F::ConcatWs, vec![text(","), list(), text("b")]), "x,y,b"),
        (s(F::ConcatWs, vec![null(T::String), text("b")]), "NULL"),
        (s(F::Trim, vec![text("  a b  ")]), "a b"),
        (s(F::Ltrim, vec![text("  a ")]), "a "),
        (s(F::Rtrim, vec![text(" a  ")]), " a"),
        (s(F::Trim, vec![text("\ta\t")]), "\ta\t"),
        (s(F::Substring, vec![text("hello"), int(2), int(3)]), "ell"),
        (s(F::Substring, vec![text("hello"), int(0), int(3)]), "hel"),
        (s(F::Substring, vec![text("hello"), int(-3), int(2)]), "ll"),
        (s(F::Substring, vec![text("hello"), int(-10), int(7)]), "he"),
        (s(F::Substring, vec![text("hello"), int(2), int(-1)]), ""),
        (s(F::Substring, vec![text("héllo"), int(2), int(2)]), "él"),
        (b(F::StartsWith, vec![text("abc"), text("ab")]), "true"),
        (b(F::EndsWith, vec![text("abc"), text("ab")]), "false"),
        (b(F::Contains, vec![text("abc"), text("")]), "true"),
        (b(F::Contains, vec![null(T::String), text("a")]), "NULL"),
    ]);
}

#[test]
fn patterns() {
    check(vec![
        (b(F::Like, vec![text("abc"), text("a%")]), "true"),
        (b(F::Like, vec![text("a%c"), text("a\\%c")]), "true"),
        (b(F::Like, vec![text("abc"), text("a\\%c")]), "false"),
        (b(F::Like, vec![text("a\nb"), text("a_b")]), "true"),
        (b(F::Like, vec![text("a.c"), text("a.c")]), "true"),
        (b(F::Like, vec![text("abc"), text("a.c")]), "false"),
        (b(F::Like, vec![text("a$"), text("a$")]), "true"),
        (
            b(F::Like, vec![text("abc"), text("a\\")]),
            "[INVALID_FORMAT.ESC_AT_THE_END] The format is invalid: 'a\\\\'. The escape character is not allowed to end with. SQLSTATE: 42601",
        ),
        (
            b(F::Like, vec![text("abc"), text("\\abc")]),
            "[INVALID_FORMAT.ESC_IN_THE_MIDDLE] The format is invalid: '\\\\abc'. The escape character is not allowed to precede 'a'. SQLSTATE: 42601",
        ),
        (b(F::RLike, vec![text("foobar"), text("o+b")]), "true"),
        (b(F::RLike, vec![text("x5"), text("^[a-z]\\d$")]), "true"),
        (s(F::RegexpReplace, vec![text("a1b22"), text("([0-9]+)"), text("<$1>")]), "a<1>b<22>"),
        (call(F::Split, vec![text("a,b,,c,,"), text(","), int(-1)], strings()), "[a, b, , c, , ]"),
        (call(F::Split, vec![text("a,b,,c,,"), text(","), int(2)], strings()), "[a, b,,c,,]"),
        (call(F::Split, vec![text("abc"), text(""), int(-1)], strings()), "[a, b, c]"),
    ]);
}

#[test]
fn nested_values() {
    let list = || call(F::CreateArray, vec![int(1), int(2), int(3)], array_of(T::Integer));
    let holey = || call(F::CreateArray, vec![int(1), null(T::Integer)], array_of(T::Integer));
    let map_type = T::Map(Box::new(T::String), Box::new(T::Integer), true);
    let map = || call(F::CreateMap, vec![text("a"), int(1)], map_type.clone());
    let pair = T::Struct(StructType::new(vec![
        StructField::new("x", T::Integer, true),
        StructField::new("y", T::String, true),
    ]));
    let made = || call(F::CreateStruct, vec![int(1), text("u")], pair.clone());
    check(vec![
        (i(F::GetItem, vec![list(), int(1)]), "2"),
        (
            i(F::GetItem, vec![list(), int(5)]),
            "[INVALID_ARRAY_INDEX] The index 5 is out of bounds. The array has 3 elements. Use the SQL function `get()` to tolerate accessing element at invalid index and return NULL instead. SQLSTATE: 22003",
        ),
        (i(F::ElementAt, vec![list(), int(-1)]), "3"),
        (
            i(F::ElementAt, vec![list(), int(5)]),
            "[INVALID_ARRAY_INDEX_IN_ELEMENT_AT] The index 5 is out of bounds. The array has 3 elements. Use `try_element_at` to tolerate accessing element at invalid index and return NULL instead. SQLSTATE: 22003",
        ),
        (
            i(F::ElementAt, vec![list(), int(0)]),
            "[INVALID_INDEX_OF_ZERO] The index 0 is invalid. An index shall be either < 0 or > 0 (the first element has index 1). SQLSTATE: 22003",
        ),
        (i(F::ElementAt, vec![map(), text("b")]), "NULL"),
        (i(F::GetItem, vec![map(), text("a")]), "1"),
        (i(F::Size, vec![list()]), "3"),
        (i(F::Size, vec![map()]), "1"),
        (b(F::ArrayContains, vec![holey(), int(2)]), "NULL"),
        (b(F::ArrayContains, vec![holey(), int(1)]), "true"),
        (call(F::CreateStruct, vec![int(1), text("u")], pair.clone()), "{1, u}"),
        (s(F::GetField, vec![made(), int(1)]), "u"),
        (b(F::Equal, vec![made(), made()]), "true"),
        (b(F::Less, vec![holey(), list()]), "true"),
    ]);
    check_starts(vec![
        (
            call(F::CreateMap, vec![null(T::String), int(2)], map_type.clone()),
            "[NULL_MAP_KEY] Cannot use null as map key.",
        ),
        (
            call(
                F::CreateMap,
                vec![int(1), int(1), int(1), int(2)],
                T::Map(Box::new(T::Integer), Box::new(T::Integer), true),
            ),
            "[DUPLICATED_MAP_KEY] Duplicate map key 1 was found, please check the input data.\nIf you want",
        ),
    ]);
}

#[test]
fn dates() {
    let format = |pattern: &str| s(F::DateFormat, vec![timestamp(NOON), text(pattern)]);
    let trunc = |unit: &str| call(F::DateTrunc, vec![text(unit), timestamp(NOON)], T::Timestamp);
    let read =
        |source: &str, pattern: &str| call(F::ToTimestamp, vec![text(source), text(pattern)], T::Timestamp);
    let day = |n: i64| Scalar::Literal(Literal::DayTimeInterval(n * 86_400_000_000));
    let month = |n: i32| Scalar::Literal(Literal::YearMonthInterval(n));
    check(vec![
        (format("yyyy-MM-dd EEEE hh:mm a"), "2024-01-05 Friday 01:14 PM"),
        (format("E MMM d yy, HH:mm:ss.SSS"), "Fri Jan 5 24, 13:14:15.678"),
        (format("MMMM D Q"), "January 5 1"),
        (format("yyyy'T'HH XXX z"), "2024T13 Z UTC"),
        (trunc("hour"), "2024-01-05 13:00:00"),
        (trunc("week"), "2024-01-01 00:00:00"),
        (trunc("MM"), "2024-01-01 00:00:00"),
        (trunc("quarter"), "2024-01-01 00:00:00"),
        (trunc("bogus"), "NULL"),
        (call(F::ToDate, vec![text("2024/01/05"), text("yyyy/MM/dd")], T::Date), "2024-01-05"),
        (read("05.01.2024 13:14", "dd.MM.yyyy HH:mm"), "2024-01-05 13:14:00"),
        (read("20240105", "yyyyMMdd"), "2024-01-05 00:00:00"),
        (read("2024-01-05 01:02:03.123", "yyyy-MM-dd HH:mm:ss.SSS"), "2024-01-05 01:02:03.123"),
        (read("Jan 5 2024 1 PM", "MMM d yyyy h a"), "2024-01-05 13:00:00"),
        (
            read("x", "dd.MM.yyyy"),
            "[CANNOT_PARSE_TIMESTAMP] Text 'x' could not be parsed at index 0. Use `try_to_timestamp` to tolerate invalid input string and return NULL instead. SQLSTATE: 22007",
        ),
        (i(F::Year, vec![date(19848)]), "2024"),
        (i(F::Month, vec![timestamp(NOON)]), "1"),
        (i(F::DayOfMonth, vec![timestamp(NOON)]), "5"),
        (i(F::Hour, vec![timestamp(NOON)]), "13"),
        (i(F::Minute, vec![timestamp(NOON)]), "14"),
        (i(F::Second, vec![timestamp(NOON)]), "15"),
        (call(F::UnixTimestamp, vec![timestamp(NOON)], T::Long), "1704460455"),
        (
            call(F::UnixTimestamp, vec![text("2024-01-05 13:14:15"), text("yyyy-MM-dd HH:mm:ss")], T::Long),
            "1704460455",
        ),
        (call(F::Add, vec![date(19753), month(1)], T::Date), "2024-02-29"),
        (call(F::Add, vec![date(19753), int(1)], T::Date), "2024-02-01"),
        (
            call(F::Subtract, vec![date(19753), date(19723)], T::DayTimeInterval),
            "INTERVAL '30 00:00:00' DAY TO SECOND",
        ),
        (call(F::Add, vec![timestamp(NOON), day(1)], T::Timestamp), "2024-01-06 13:14:15.678"),
        (call(F::Subtract, vec![timestamp(NOON), day(1)], T::Timestamp), "2024-01-04 13:14:15.678"),
        (call(F::Multiply, vec![day(1), int(2)], T::DayTimeInterval), "INTERVAL '2 00:00:00' DAY TO SECOND"),
        (
            call(F::Divide, vec![day(1), int(0)], T::DayTimeInterval),
            "[INTERVAL_DIVIDED_BY_ZERO] Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead. SQLSTATE: 22012",
        ),
        (call(F::CurrentTimestamp, vec![], T::Timestamp), "2024-01-05 13:14:15.678"),
        (call(F::CurrentDate, vec![], T::Date), "2024-01-05"),
    ]);
    check_starts(vec![
        (format("YYYY"), "[INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION] You may get"),
        (format("bad"), "[INVALID_DATETIME_PATTERN.WITH_SUGGESTION] Unrecognized datetime pattern: 'bad'."),
    ]);
}

#[test]
fn windows() {
    let window = T::Struct(StructType::new(vec![
        StructField::new("start", T::Timestamp, true),
        StructField::new("end", T::Timestamp, true),
    ]));
    let minutes = |n: i64| long(n * 60_000_000);
    let of = |t: T, size, slide, start| {
        call(F::Window, vec![timestamp(NOON), minutes(size), minutes(slide), minutes(start)], t)
    };
    check(vec![
        (of(window.clone(), 10, 10, 0), "{2024-01-05 13:10:00, 2024-01-05 13:20:00}"),
        (of(window.clone(), 10, 10, 5), "{2024-01-05 13:05:00, 2024-01-05 13:15:00}"),
        (of(window.clone(), 10, 10, -3), "{2024-01-05 13:07:00, 2024-01-05 13:17:00}"),
        (
            of(T::Array(Box::new(window.clone()), false), 10, 5, 0),
            "[{2024-01-05 13:10:00, 2024-01-05 13:20:00}, {2024-01-05 13:05:00, 2024-01-05 13:15:00}]",
        ),
        (call(F::WindowTime, vec![of(window, 10, 10, 0)], T::Timestamp), "2024-01-05 13:19:59.999999"),
    ]);
}

#[test]
fn json() {
    let pair = T::Struct(StructType::new(vec![
        StructField::new("a", T::Integer, true),
        StructField::new("b", T::String, true),
    ]));
    let read = |source: &str| call(F::FromJson, vec![text(source)], pair.clone());
    let three = T::Struct(StructType::new(vec![
        StructField::new("a", T::Integer, true),
        StructField::new("b", T::Integer, true),
        StructField::new("c", T::String, true),
    ]));
    let row = call(F::CreateStruct, vec![int(1), null(T::Integer), text("x\"y")], three);
    let list = call(F::CreateArray, vec![double(1.5), null(T::Double)], array_of(T::Double));
    check(vec![
        (read("{\"a\":1,\"b\":\"x\"}"), "{1, x}"),
        (read("{\"a\":1.5,\"b\":3}"), "{null, 3}"),
        (read("bad"), "{null, null}"),
        (read(""), "NULL"),
        (call(F::FromJson, vec![text("[1,2]")], array_of(T::Integer)), "[1, 2]"),
        (s(F::ToJson, vec![row]), "{\"a\":1,\"c\":\"x\\\"y\"}"),
        (s(F::ToJson, vec![list]), "[1.5,null]"),
    ]);
}

#[test]
fn logic() {
    let unknown = || null(T::Boolean);
    check(vec![
        (b(F::And, vec![unknown(), boolean(false)]), "false"),
        (b(F::And, vec![unknown(), boolean(true)]), "NULL"),
        (b(F::Or, vec![unknown(), boolean(true)]), "true"),
        (b(F::Or, vec![boolean(false), unknown()]), "NULL"),
        (b(F::Not, vec![unknown()]), "NULL"),
        (b(F::In, vec![int(1), int(2), null(T::Integer)]), "NULL"),
        (b(F::In, vec![int(1), int(1), null(T::Integer)]), "true"),
        (b(F::In, vec![int(3), int(1), int(2)]), "false"),
        (b(F::IsNull, vec![null(T::Integer)]), "true"),
        (i(F::Coalesce, vec![null(T::Integer), int(2), int(3)]), "2"),
    ]);
}
