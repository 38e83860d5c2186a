//! Constants in a plan.

use tidemark_types::DataType;

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
            other => format!("{other:?}"),
        }
    }
}
