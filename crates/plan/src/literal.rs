//! Constants in a plan.

use tidemark_types::DataType;
use tidemark_types::number::{decimal_text, double_text, float_text};
use tidemark_types::timestamp::{date_text, timestamp_ntz_text};
use tidemark_types::value_text::{day_time_text, year_month_text};

/// A constant with its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// NULL of a type.
    Null(DataType),
    /// `boolean`.
    Boolean(bool),
    /// `tinyint`.
    Byte(i8),
    /// `smallint`.
    Short(i16),
    /// `int`.
    Integer(i32),
    /// `bigint`.
    Long(i64),
    /// `float`.
    Float(f32),
    /// `double`.
    Double(f64),
    /// `decimal`: unscaled value, precision, scale.
    Decimal(i128, u8, i8),
    /// `string`.
    String(String),
    /// `binary`.
    Binary(Vec<u8>),
    /// `date`: days since the epoch.
    Date(i32),
    /// `timestamp`: microseconds since the epoch.
    Timestamp(i64),
    /// `timestamp_ntz`: microseconds.
    TimestampNtz(i64),
    /// `interval day to second`: microseconds.
    DayTimeInterval(i64),
    /// `interval year to month`: months.
    YearMonthInterval(i32),
}

impl Literal {
    /// What `lit` makes of a Python int: `int`, `bigint`, or a decimal, by its size; `None` beyond 38 digits.
    pub fn of_int(value: i128) -> Option<Literal> {
        if let Ok(value) = i32::try_from(value) {
            return Some(Literal::Integer(value));
        }
        if let Ok(value) = i64::try_from(value) {
            return Some(Literal::Long(value));
        }
        let digits = value.unsigned_abs().to_string().len();
        (digits <= 38).then_some(Literal::Decimal(value, 38, 0))
    }

    /// What `lit` makes of a Python `Decimal`, from its text: just the digits that it needs.
    pub fn of_decimal(text: &str) -> Option<Literal> {
        crate::sql::decimal_literal(text)
    }

    /// The type of the constant.
    pub fn data_type(&self) -> DataType {
        match self {
            Literal::Null(t) => t.clone(),
            Literal::Boolean(_) => DataType::Boolean,
            Literal::Byte(_) => DataType::Byte,
            Literal::Short(_) => DataType::Short,
            Literal::Integer(_) => DataType::Integer,
            Literal::Long(_) => DataType::Long,
            Literal::Float(_) => DataType::Float,
            Literal::Double(_) => DataType::Double,
            Literal::Decimal(_, p, s) => DataType::Decimal(*p, *s),
            Literal::String(_) => DataType::String,
            Literal::Binary(_) => DataType::Binary,
            Literal::Date(_) => DataType::Date,
            Literal::Timestamp(_) => DataType::Timestamp,
            Literal::TimestampNtz(_) => DataType::TimestampNtz,
            Literal::DayTimeInterval(_) => DataType::DayTimeInterval,
            Literal::YearMonthInterval(_) => DataType::YearMonthInterval,
        }
    }

    /// The text of the constant in a `Column<'…'>`: strings in quotes, bigints with `L`.
    pub fn column_text(&self) -> String {
        match self {
            Literal::String(s) => format!("'{s}'"),
            Literal::Long(v) => format!("{v}L"),
            Literal::Date(days) => date_text(*days),
            Literal::Timestamp(micros) | Literal::TimestampNtz(micros) => java_timestamp(*micros),
            Literal::DayTimeInterval(micros) => java_duration(*micros),
            other => other.pretty_text(),
        }
    }

    /// The text of the constant inside a column name or an error: strings without quotes.
    // tidy: table
    pub fn pretty_text(&self) -> String {
        match self {
            Literal::Null(_) => "NULL".to_owned(),
            Literal::Boolean(v) => v.to_string(),
            Literal::Byte(v) => v.to_string(),
            Literal::Short(v) => v.to_string(),
            Literal::Integer(v) => v.to_string(),
            Literal::Long(v) => v.to_string(),
            Literal::Float(v) => float_text(*v),
            Literal::Double(v) => double_text(*v),
            Literal::Decimal(unscaled, _, scale) => decimal_text(*unscaled, *scale),
            Literal::String(v) => v.clone(),
            Literal::Binary(bytes) => {
                let hex: String = bytes.iter().map(|b| format!("{b:02X}")).collect();
                format!("X'{hex}'")
            }
            Literal::Date(days) => format!("DATE '{}'", date_text(*days)),
            Literal::Timestamp(micros) => format!("TIMESTAMP '{}'", timestamp_ntz_text(*micros)),
            Literal::TimestampNtz(micros) => format!("TIMESTAMP_NTZ '{}'", timestamp_ntz_text(*micros)),
            Literal::DayTimeInterval(micros) => day_time_text(*micros),
            Literal::YearMonthInterval(months) => year_month_text(*months),
        }
    }
}

/// `2024-01-01 10:00:00.0`, as Java's `Timestamp` prints itself.
fn java_timestamp(micros: i64) -> String {
    let text = timestamp_ntz_text(micros);
    if text.contains('.') { text } else { format!("{text}.0") }
}

/// `PT24H`, as Java's `Duration` prints itself.
fn java_duration(micros: i64) -> String {
    if micros == 0 {
        return "PT0S".to_owned();
    }
    let seconds = micros / 1_000_000;
    let fraction = (micros % 1_000_000).abs();
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = "PT".to_owned();
    if hours != 0 {
        text.push_str(&format!("{hours}H"));
    }
    if minutes != 0 {
        text.push_str(&format!("{minutes}M"));
    }
    if fraction != 0 {
        let digits = format!("{fraction:06}");
        text.push_str(&format!("{rest}.{}S", digits.trim_end_matches('0')));
    } else if rest != 0 {
        text.push_str(&format!("{rest}S"));
    }
    text
}
