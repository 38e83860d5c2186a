//! Numbers: results, overflow, division by zero, comparison, rounding.

use tidemark_plan::{Function as F, Scalar};
use tidemark_types::DataType as T;

use crate::{boolean, byte, call, check, dec, double, float, int, long, null, short};

fn add(a: Scalar, b: Scalar) -> Scalar {
    let t = a.data_type();
    call(F::Add, vec![a, b], t)
}

fn op(f: F, a: Scalar, b: Scalar, t: T) -> Scalar {
    call(f, vec![a, b], t)
}

const OVERFLOW: &str =
    "If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error. SQLSTATE: 22003";
const BY_ZERO: &str = "[DIVIDE_BY_ZERO] Division by zero. Use `try_divide` to tolerate divisor being 0 and return NULL instead. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error. SQLSTATE: 22012";
const REMAINDER: &str = "[REMAINDER_BY_ZERO] Remainder by zero. Use `try_mod` to tolerate divisor being 0 and return NULL instead. If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error. SQLSTATE: 22012";

#[test]
fn integers() {
    let overflow = |name: &str| {
        format!(
            "[ARITHMETIC_OVERFLOW] overflow. Use '{name}' to tolerate overflow and return NULL instead. {OVERFLOW}"
        )
    };
    let bare = format!("[ARITHMETIC_OVERFLOW] overflow. {OVERFLOW}");
    let div = format!(
        "[ARITHMETIC_OVERFLOW] Overflow in integral divide. Use 'try_divide' to tolerate overflow and return NULL instead. {OVERFLOW}"
    );
    check(vec![
        (add(int(1), int(2)), "3"),
        (add(int(i32::MAX), int(1)), &overflow("try_add")),
        (add(long(i64::MAX), long(1)), &overflow("try_add")),
        (op(F::Subtract, int(i32::MIN), int(1), T::Integer), &overflow("try_subtract")),
        (op(F::Multiply, int(i32::MAX), int(2), T::Integer), &overflow("try_multiply")),
        (call(F::Negate, vec![int(i32::MIN)], T::Integer), &bare),
        (call(F::Negate, vec![byte(-128)], T::Byte), &bare),
        (call(F::Abs, vec![int(i32::MIN)], T::Integer), &bare),
        (call(F::Abs, vec![long(-5)], T::Long), "5"),
        (
            add(byte(127), byte(1)),
            "[BINARY_ARITHMETIC_OVERFLOW] 127S + 1S caused overflow. Use `try_add` to ignore overflow problem and return NULL. SQLSTATE: 22003",
        ),
        (
            op(F::Multiply, short(32767), short(2), T::Short),
            "[BINARY_ARITHMETIC_OVERFLOW] 32767S * 2S caused overflow. Use `try_multiply` to ignore overflow problem and return NULL. SQLSTATE: 22003",
        ),
        (op(F::IntegralDivide, long(-7), long(3), T::Long), "-2"),
        (op(F::IntegralDivide, long(i64::MIN), long(-1), T::Long), &div),
        (op(F::IntegralDivide, long(1), long(0), T::Long), BY_ZERO),
        (op(F::Remainder, int(-7), int(3), T::Integer), "-1"),
        (op(F::Remainder, int(i32::MIN), int(-1), T::Integer), "0"),
        (op(F::Remainder, int(1), int(0), T::Integer), REMAINDER),
        (add(null(T::Integer), int(1)), "NULL"),
        (op(F::Remainder, null(T::Integer), int(0), T::Integer), "NULL"),
    ]);
}

#[test]
fn floats() {
    check(vec![
        (op(F::Divide, double(1.0), double(4.0), T::Double), "0.25"),
        (op(F::Divide, double(1.0), double(0.0), T::Double), BY_ZERO),
        (op(F::Divide, null(T::Double), double(0.0), T::Double), "NULL"),
        (op(F::Remainder, double(7.5), double(2.0), T::Double), "1.5"),
        (op(F::Remainder, double(1.0), double(0.0), T::Double), REMAINDER),
        (add(double(f64::MAX), double(f64::MAX)), "Infinity"),
        (add(float(0.1), float(0.2)), "0.3"),
        (call(F::Negate, vec![double(0.0)], T::Double), "-0.0"),
        (call(F::Sqrt, vec![double(-1.0)], T::Double), "NaN"),
        (call(F::Sqrt, vec![double(2.0)], T::Double), "1.4142135623730951"),
    ]);
}

#[test]
fn decimals() {
    let d = |p, s| T::Decimal(p, s);
    let range = |v: &str, p: u8, s: i8| {
        format!(
            "[NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION]  {v} cannot be represented as Decimal({p}, {s}). If necessary set \"spark.sql.ansi.enabled\" to \"false\" to bypass this error, and return NULL instead. SQLSTATE: 22003"
        )
    };
    let max = 10_i128.pow(38) - 1;
    check(vec![
        (op(F::Add, dec(1005, 10, 3), dec(25, 5, 1), d(11, 3)), "3.505"),
        (op(F::Divide, dec(10_000_000_000, 38, 10), dec(30_000_000_000, 38, 10), d(38, 6)), "0.333333"),
        (op(F::Divide, dec(100, 10, 2), dec(300, 10, 2), d(23, 13)), "0.3333333333333"),
        (op(F::Divide, dec(-200, 10, 2), dec(300, 10, 2), d(5, 1)), "-0.7"),
        (op(F::Remainder, dec(750, 10, 2), dec(2, 10, 0), d(10, 2)), "1.50"),
        (op(F::IntegralDivide, dec(1000, 10, 2), dec(300, 10, 2), T::Long), "3"),
        (op(F::Divide, dec(1000, 10, 2), dec(0, 10, 2), d(23, 13)), BY_ZERO),
        (
            op(F::Add, dec(max, 38, 0), dec(1, 38, 0), d(38, 0)),
            &range("100000000000000000000000000000000000000", 38, 0),
        ),
        (
            op(
                F::Multiply,
                dec(99_999_999_999_999_999_999, 38, 0),
                dec(99_999_999_999_999_999_999, 38, 0),
                d(38, 0),
            ),
            &range("9999999999999999999800000000000000000000", 38, 0),
        ),
        (op(F::Multiply, dec(15, 3, 1), dec(-25, 3, 1), d(7, 2)), "-3.75"),
        (call(F::Negate, vec![dec(150, 5, 2)], d(5, 2)), "-1.50"),
    ]);
}

#[test]
fn comparisons() {
    let nan = || double(f64::NAN);
    let cmp = |f, a, b| op(f, a, b, T::Boolean);
    check(vec![
        (cmp(F::Equal, nan(), nan()), "true"),
        (cmp(F::Greater, nan(), double(f64::INFINITY)), "true"),
        (cmp(F::Less, nan(), double(1.0)), "false"),
        (cmp(F::Equal, double(-0.0), double(0.0)), "true"),
        (cmp(F::GreaterOrEqual, float(-0.0), float(0.0)), "true"),
        (cmp(F::Equal, null(T::Integer), int(1)), "NULL"),
        (cmp(F::EqualNullSafe, null(T::Integer), null(T::Integer)), "true"),
        (cmp(F::EqualNullSafe, null(T::Integer), int(1)), "false"),
        (cmp(F::LessOrEqual, dec(150, 5, 2), dec(150, 5, 2)), "true"),
        (cmp(F::Less, boolean(false), boolean(true)), "true"),
        (call(F::IsNaN, vec![nan()], T::Boolean), "true"),
        (call(F::Greatest, vec![double(1.0), nan(), null(T::Double)], T::Double), "NaN"),
        (call(F::Least, vec![double(1.0), nan()], T::Double), "1.0"),
        (call(F::Least, vec![null(T::Integer), int(3), int(2)], T::Integer), "2"),
    ]);
}

#[test]
fn rounding() {
    let round = |a, places, t| call(F::Round, vec![a, int(places)], t);
    check(vec![
        (round(double(2.5), 0, T::Double), "3.0"),
        (round(double(-2.5), 0, T::Double), "-3.0"),
        (round(double(2.345), 2, T::Double), "2.35"),
        (round(double(f64::NAN), 1, T::Double), "NaN"),
        (round(double(1234.5), -2, T::Double), "1200.0"),
        (round(double(1e20), 2, T::Double), "1.0E20"),
        (round(double(0.05), 1, T::Double), "0.1"),
        (round(double(9.99), 1, T::Double), "10.0"),
        (round(float(2.5), 0, T::Float), "3.0"),
        (round(int(1255), -1, T::Integer), "1260"),
        (round(int(-1255), -1, T::Integer), "-1260"),
        (round(dec(12345, 5, 1), -2, T::Decimal(5, 0)), "1200"),
        (round(dec(999_999, 6, 2), 1, T::Decimal(6, 1)), "10000.0"),
        (call(F::Floor, vec![double(-1.5)], T::Long), "-2"),
        (call(F::Ceil, vec![double(-1.5)], T::Long), "-1"),
        (call(F::Floor, vec![double(1e30)], T::Long), "9223372036854775807"),
        (call(F::Ceil, vec![dec(-155, 5, 2)], T::Decimal(4, 0)), "-1"),
        (call(F::Floor, vec![dec(15, 2, 1)], T::Decimal(2, 0)), "1"),
        (call(F::Ceil, vec![long(5)], T::Long), "5"),
    ]);
}
