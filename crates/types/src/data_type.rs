//! Spark's data types, and how each is carried by Arrow.

use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType as Arrow, Field, Fields, TimeUnit};

use crate::schema::{StructField, StructType};

/// A Spark SQL data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataType {
    /// `void`: the type of a bare NULL.
    Null,
    /// `boolean`.
    Boolean,
    /// `tinyint`, one byte.
    Byte,
    /// `smallint`, two bytes.
    Short,
    /// `int`, four bytes.
    Integer,
    /// `bigint`, eight bytes.
    Long,
    /// `float`, four bytes.
    Float,
    /// `double`, eight bytes.
    Double,
    /// `decimal(precision,scale)`.
    Decimal(u8, i8),
    /// `string`, UTF-8.
    String,
    /// `binary`.
    Binary,
    /// `date`: days since 1970-01-01.
    Date,
    /// `timestamp`: microseconds since the epoch, shown in the session's zone.
    Timestamp,
    /// `timestamp_ntz`: microseconds without a zone.
    TimestampNtz,
    /// `interval day to second`: microseconds.
    DayTimeInterval,
    /// `interval year to month`: months.
    YearMonthInterval,
    /// `array<element>`.
    Array(Box<DataType>, bool),
    /// `map<key,value>`, and whether a value may be null.
    Map(Box<DataType>, Box<DataType>, bool),
    /// `struct<…>`.
    Struct(StructType),
}

impl DataType {
    /// The default `decimal(10,0)`.
    pub const USER_DEFAULT_DECIMAL: DataType = DataType::Decimal(10, 0);

    /// Spark's `simpleString`, as `printSchema`-free messages show it: `bigint`, `struct<a:int>`.
    pub fn simple_string(&self) -> String {
        match self {
            DataType::Null => "void".into(),
            DataType::Boolean => "boolean".into(),
            DataType::Byte => "tinyint".into(),
            DataType::Short => "smallint".into(),
            DataType::Integer => "int".into(),
            DataType::Long => "bigint".into(),
            DataType::Float => "float".into(),
            DataType::Double => "double".into(),
            DataType::Decimal(p, s) => format!("decimal({p},{s})"),
            DataType::String => "string".into(),
            DataType::Binary => "binary".into(),
            DataType::Date => "date".into(),
            DataType::Timestamp => "timestamp".into(),
            DataType::TimestampNtz => "timestamp_ntz".into(),
            DataType::DayTimeInterval => "interval day to second".into(),
            DataType::YearMonthInterval => "interval year to month".into(),
            DataType::Array(e, _) => format!("array<{}>", e.simple_string()),
            DataType::Map(k, v, _) => format!("map<{},{}>", k.simple_string(), v.simple_string()),
            DataType::Struct(s) => {
                let inner: Vec<_> =
                    s.fields.iter().map(|f| format!("{}:{}", f.name, f.data_type.simple_string())).collect();
                format!("struct<{}>", inner.join(","))
            }
        }
    }

    /// Spark's `sql` text, as error messages quote it: `"BIGINT"`, `"STRUCT<a: INT>"` (without the quotes).
    pub fn sql(&self) -> String {
        match self {
            DataType::Array(e, _) => format!("ARRAY<{}>", e.sql()),
            DataType::Map(k, v, _) => format!("MAP<{}, {}>", k.sql(), v.sql()),
            DataType::Struct(s) => {
                let inner: Vec<_> = s
                    .fields
                    .iter()
                    .map(|f| {
                        let not_null = if f.nullable { "" } else { " NOT NULL" };
                        format!("{}: {}{not_null}", f.name, f.data_type.sql())
                    })
                    .collect();
                format!("STRUCT<{}>", inner.join(", "))
            }
            other => other.simple_string().to_uppercase(),
        }
    }

    /// Spark's `typeName`, as `printSchema` and the JSON of a schema write it: `long`, `integer`.
    pub fn type_name(&self) -> String {
        match self {
            DataType::Byte => "byte".into(),
            DataType::Short => "short".into(),
            DataType::Integer => "integer".into(),
            DataType::Long => "long".into(),
            DataType::Array(..) => "array".into(),
            DataType::Map(..) => "map".into(),
            DataType::Struct(_) => "struct".into(),
            other => other.simple_string(),
        }
    }

    /// Whether the type is one of the numbers.
    pub fn is_numeric(&self) -> bool {
        self.is_integral() || matches!(self, DataType::Float | DataType::Double | DataType::Decimal(..))
    }

    /// Whether the type is an integer of one to eight bytes.
    pub fn is_integral(&self) -> bool {
        matches!(self, DataType::Byte | DataType::Short | DataType::Integer | DataType::Long)
    }

    /// The Arrow type that carries this one: timestamps are microseconds in zone `UTC`.
    pub fn to_arrow(&self) -> Arrow {
        match self {
            DataType::Null => Arrow::Null,
            DataType::Boolean => Arrow::Boolean,
            DataType::Byte => Arrow::Int8,
            DataType::Short => Arrow::Int16,
            DataType::Integer => Arrow::Int32,
            DataType::Long => Arrow::Int64,
            DataType::Float => Arrow::Float32,
            DataType::Double => Arrow::Float64,
            DataType::Decimal(p, s) => Arrow::Decimal128(*p, *s),
            DataType::String => Arrow::Utf8,
            DataType::Binary => Arrow::Binary,
            DataType::Date => Arrow::Date32,
            DataType::Timestamp => Arrow::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            DataType::TimestampNtz => Arrow::Timestamp(TimeUnit::Microsecond, None),
            DataType::DayTimeInterval => Arrow::Duration(TimeUnit::Microsecond),
            DataType::YearMonthInterval => Arrow::Interval(arrow::datatypes::IntervalUnit::YearMonth),
            DataType::Array(e, nulls) => Arrow::List(Arc::new(Field::new("element", e.to_arrow(), *nulls))),
            DataType::Map(k, v, nulls) => {
                let entries = Fields::from(vec![
                    Field::new("key", k.to_arrow(), false),
                    Field::new("value", v.to_arrow(), *nulls),
                ]);
                Arrow::Map(Arc::new(Field::new("key_value", Arrow::Struct(entries), false)), false)
            }
            DataType::Struct(s) => Arrow::Struct(s.to_arrow().fields),
        }
    }

    /// The Spark type of an Arrow one, `None` where Spark has no such type.
    pub fn from_arrow(arrow: &Arrow) -> Option<DataType> {
        Some(match arrow {
            Arrow::Null => DataType::Null,
            Arrow::Boolean => DataType::Boolean,
            Arrow::Int8 => DataType::Byte,
            Arrow::Int16 => DataType::Short,
            Arrow::Int32 => DataType::Integer,
            Arrow::Int64 => DataType::Long,
            Arrow::Float32 => DataType::Float,
            Arrow::Float64 => DataType::Double,
            Arrow::Decimal128(p, s) => DataType::Decimal(*p, *s),
            Arrow::Utf8 | Arrow::LargeUtf8 | Arrow::Utf8View => DataType::String,
            Arrow::Binary | Arrow::LargeBinary | Arrow::BinaryView | Arrow::FixedSizeBinary(_) => {
                DataType::Binary
            }
            Arrow::Date32 => DataType::Date,
            Arrow::Timestamp(_, Some(_)) => DataType::Timestamp,
            Arrow::Timestamp(_, None) => DataType::TimestampNtz,
            Arrow::Duration(_) => DataType::DayTimeInterval,
            Arrow::Interval(_) => DataType::YearMonthInterval,
            Arrow::List(f) | Arrow::LargeList(f) => {
                DataType::Array(Box::new(Self::from_arrow(f.data_type())?), f.is_nullable())
            }
            Arrow::Map(entries, _) => {
                let Arrow::Struct(kv) = entries.data_type() else { return None };
                let (k, v) = (kv.first()?, kv.get(1)?);
                DataType::Map(
                    Box::new(Self::from_arrow(k.data_type())?),
                    Box::new(Self::from_arrow(v.data_type())?),
                    v.is_nullable(),
                )
            }
            Arrow::Struct(fields) => DataType::Struct(StructType::new(
                fields
                    .iter()
                    .map(|f| {
                        Some(StructField::new(f.name(), Self::from_arrow(f.data_type())?, f.is_nullable()))
                    })
                    .collect::<Option<Vec<_>>>()?,
            )),
            _ => return None,
        })
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.simple_string())
    }
}
