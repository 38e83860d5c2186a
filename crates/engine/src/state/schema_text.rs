//! A schema as Scala prints it, as messages about state show it: `StructType(StructField(sum,LongType,true))`.

use tidemark_types::{DataType, StructType};

/// The text of a schema.
pub(super) fn schema_text(schema: &StructType) -> String {
    let fields: Vec<String> = schema
        .fields
        .iter()
        .map(|f| format!("StructField({},{},{})", f.name, type_text(&f.data_type), f.nullable))
        .collect();
    format!("StructType({})", fields.join(","))
}

// tidy: table
fn type_text(data_type: &DataType) -> String {
    match data_type {
        DataType::Null => "NullType".into(),
        DataType::Boolean => "BooleanType".into(),
        DataType::Byte => "ByteType".into(),
        DataType::Short => "ShortType".into(),
        DataType::Integer => "IntegerType".into(),
        DataType::Long => "LongType".into(),
        DataType::Float => "FloatType".into(),
        DataType::Double => "DoubleType".into(),
        DataType::Decimal(precision, scale) => format!("DecimalType({precision},{scale})"),
        DataType::String => "StringType".into(),
        DataType::Binary => "BinaryType".into(),
        DataType::Date => "DateType".into(),
        DataType::Timestamp => "TimestampType".into(),
        DataType::TimestampNtz => "TimestampNTZType".into(),
        DataType::DayTimeInterval => "DayTimeIntervalType(0,3)".into(),
        DataType::YearMonthInterval => "YearMonthIntervalType(0,1)".into(),
        DataType::Array(element, nulls) => format!("ArrayType({},{nulls})", type_text(element)),
        DataType::Map(key, value, nulls) => {
            format!("MapType({},{},{nulls})", type_text(key), type_text(value))
        }
        DataType::Struct(schema) => schema_text(schema),
    }
}
