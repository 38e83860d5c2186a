//! Resolved, typed expressions: one value for each row.

use tidemark_types::DataType;

use crate::attribute::Attribute;
use crate::literal::Literal;

/// What a cast does with a value that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastMode {
    /// It fails: `CAST`, ANSI mode on.
    Ansi,
    /// It gives null: `try_cast`, and `CAST` with ANSI mode off.
    Try,
}

/// A resolved expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A column of the input.
    Column(Attribute),
    /// A constant.
    Literal(Literal),
    /// A value of another type.
    Cast {
        /// The value.
        child: Box<Scalar>,
        /// The type wanted.
        to: DataType,
        /// What happens to a value that does not fit.
        mode: CastMode,
    },
    /// A function or an operator over its arguments. Arguments have the types the function works on: resolution has
    /// put the casts in.
    Call {
        /// Which.
        function: Function,
        /// The arguments.
        args: Vec<Scalar>,
        /// The type of the result.
        data_type: DataType,
        /// Whether the result may be null.
        nullable: bool,
    },
    /// `CASE WHEN …`: the first branch that holds.
    Case {
        /// Conditions and values.
        branches: Vec<(Scalar, Scalar)>,
        /// The value if none holds, null if absent.
        otherwise: Option<Box<Scalar>>,
        /// The type of the result.
        data_type: DataType,
    },
}

/// An expression with the column it becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedScalar {
    /// The expression.
    pub scalar: Scalar,
    /// The column.
    pub output: Attribute,
}

impl Scalar {
    /// The type of the value.
    pub fn data_type(&self) -> DataType {
        match self {
            Scalar::Column(attribute) => attribute.data_type.clone(),
            Scalar::Literal(literal) => literal.data_type(),
            Scalar::Cast { to, .. } => to.clone(),
            Scalar::Call { data_type, .. } | Scalar::Case { data_type, .. } => data_type.clone(),
        }
    }

    /// Whether the value may be null.
    pub fn nullable(&self) -> bool {
        match self {
            Scalar::Column(attribute) => attribute.nullable,
            Scalar::Literal(literal) => matches!(literal, Literal::Null(_)),
            Scalar::Cast { child, to, mode } => {
                child.nullable() || cast_gives_null(&child.data_type(), to, *mode)
            }
            Scalar::Call { nullable, .. } => *nullable,
            Scalar::Case { branches, otherwise, .. } => {
                branches.iter().any(|(_, value)| value.nullable())
                    || otherwise.as_ref().is_none_or(|value| value.nullable())
            }
        }
    }
}

/// Whether Spark calls a cast nullable although the value is not: also in ANSI mode, where it fails instead.
fn cast_gives_null(from: &DataType, to: &DataType, mode: CastMode) -> bool {
    let whole = |p: u8, s: i8| i32::from(p) - i32::from(s);
    match (from, to) {
        (a, b) if a == b => false,
        (DataType::Null, _) => true,
        (DataType::String, DataType::Binary) | (_, DataType::String) => false,
        (DataType::String, _) => true,
        (DataType::Timestamp, DataType::Byte | DataType::Short | DataType::Integer) => true,
        (DataType::Float | DataType::Double, DataType::Timestamp) => true,
        (DataType::Timestamp | DataType::TimestampNtz, DataType::Date) => false,
        (_, DataType::Date) => true,
        (DataType::Boolean, DataType::Decimal(p, s)) => whole(*p, *s) < 1,
        (DataType::Byte, DataType::Decimal(p, s)) => whole(*p, *s) < 3,
        (DataType::Short, DataType::Decimal(p, s)) => whole(*p, *s) < 5,
        (DataType::Integer, DataType::Decimal(p, s)) => whole(*p, *s) < 10,
        (DataType::Long, DataType::Decimal(p, s)) => whole(*p, *s) < 20,
        (DataType::Decimal(p1, s1), DataType::Decimal(p2, s2)) => {
            whole(*p2, *s2) < whole(*p1, *s1) || s2 < s1
        }
        (_, DataType::Decimal(..)) => true,
        (DataType::Float | DataType::Double | DataType::Decimal(..), b) if b.is_integral() => true,
        (a, b) if mode == CastMode::Try && a.is_integral() && b.is_integral() => width(b) < width(a),
        _ => false,
    }
}

fn width(data_type: &DataType) -> u8 {
    match data_type {
        DataType::Byte => 1,
        DataType::Short => 2,
        DataType::Integer => 4,
        _ => 8,
    }
}

/// The functions and operators that the engine knows. A closed enum: adding one means adding its kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// `a + b`; overflow fails. Numbers of one type, decimals of any digits, or a timestamp and an interval.
    Add,
    /// `a - b`; also a timestamp less an interval, and two timestamps, which give an interval.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a / b`: double or decimal.
    Divide,
    /// `a div b`: bigint.
    IntegralDivide,
    /// `a % b`.
    Remainder,
    /// `-a`.
    Negate,
    /// `a = b`.
    Equal,
    /// `a <=> b`.
    EqualNullSafe,
    /// `a < b`.
    Less,
    /// `a <= b`.
    LessOrEqual,
    /// `a > b`.
    Greater,
    /// `a >= b`.
    GreaterOrEqual,
    /// `a AND b`, three-valued.
    And,
    /// `a OR b`, three-valued.
    Or,
    /// `NOT a`.
    Not,
    /// `a IS NULL`.
    IsNull,
    /// `a IS NOT NULL`.
    IsNotNull,
    /// `isnan(a)`.
    IsNaN,
    /// `a IN (…)`: the first argument against the others.
    In,
    /// `a LIKE pattern`, the escape character is `\`.
    Like,
    /// `a RLIKE pattern`.
    RLike,
    /// `coalesce(…)`.
    Coalesce,
    /// `upper(a)`.
    Upper,
    /// `lower(a)`.
    Lower,
    /// `length(a)`.
    Length,
    /// `concat(…)` of strings.
    Concat,
    /// `concat_ws(sep, …)`.
    ConcatWs,
    /// `trim(a)`.
    Trim,
    /// `ltrim(a)`.
    Ltrim,
    /// `rtrim(a)`.
    Rtrim,
    /// `substring(a, from, length)`, from 1.
    Substring,
    /// `startswith(a, b)`.
    StartsWith,
    /// `endswith(a, b)`.
    EndsWith,
    /// `contains(a, b)`.
    Contains,
    /// `regexp_replace(a, pattern, by)`.
    RegexpReplace,
    /// `split(a, pattern, limit)`.
    Split,
    /// `abs(a)`.
    Abs,
    /// `round(a, scale)`, half up.
    Round,
    /// `floor(a)`.
    Floor,
    /// `ceil(a)`.
    Ceil,
    /// `sqrt(a)`.
    Sqrt,
    /// `greatest(…)`.
    Greatest,
    /// `least(…)`.
    Least,
    /// The field of a struct; the second argument is its position as an int literal.
    GetField,
    /// The field of each struct of an array; the second argument is its position as an int literal.
    GetArrayField,
    /// Each element with its position, from 0: an array of structs `pos, col`, or `pos, key, value` of a map.
    WithPositions,
    /// The element of an array or map; fails out of bounds.
    ElementAt,
    /// `a[i]`: from 0 for arrays, by key for maps.
    GetItem,
    /// `struct(…)`: the field names are in the type.
    CreateStruct,
    /// `array(…)`.
    CreateArray,
    /// `map(k1, v1, …)`.
    CreateMap,
    /// `size(a)`.
    Size,
    /// `array_contains(a, v)`.
    ArrayContains,
    /// `sort_array(a, ascending)`: nulls first where small values come first.
    SortArray,
    /// `current_timestamp()`: one instant for the whole batch.
    CurrentTimestamp,
    /// `current_date()`: likewise.
    CurrentDate,
    /// `to_date(a)` without a format is a cast; this one has a format.
    ToDate,
    /// `to_timestamp(a, format)`.
    ToTimestamp,
    /// `date_format(a, format)`.
    DateFormat,
    /// `date_trunc(unit, a)`.
    DateTrunc,
    /// `year(a)`.
    Year,
    /// `month(a)`.
    Month,
    /// `dayofmonth(a)`.
    DayOfMonth,
    /// `hour(a)`.
    Hour,
    /// `minute(a)`.
    Minute,
    /// `second(a)`.
    Second,
    /// `unix_timestamp(a)`: seconds.
    UnixTimestamp,
    /// `input_file_name()`.
    InputFileName,
    /// `f(…) OVER (…)`: the text of the call, then what it reads.
    Over,
    /// `monotonically_increasing_id()`.
    MonotonicallyIncreasingId,
    /// `hash(…)`: Murmur3, seed 42.
    Hash,
    /// `from_json(a, schema)`: the schema is the result's type.
    FromJson,
    /// `to_json(a)`.
    ToJson,
    /// The windows of a time: arguments time, and size, slide, start in microseconds as bigint literals. The result is
    /// one `struct<start,end>` if size equals slide, else an array of them, for `Generate`, in the order of Spark:
    /// the latest start first.
    Window,
    /// The time that stands for a window: its end less one microsecond.
    WindowTime,
    /// The session that a row opens: arguments time, and the gap as a text. A gap that is null or no interval gives a
    /// session without an end.
    SessionWindow,
    /// `date_add(a, days)`.
    DateAdd,
    /// `add_months(a, months)`: a date or timestamp, and an int or an interval of months.
    AddMonths,
}
