//! Types as Catalyst names them in messages.

use tidemark_types::DataType;

/// The type as Catalyst names it: `LongType`, `StructType(StructField(a,IntegerType,true))`.
pub fn catalyst_name(data_type: &DataType) -> String {
    match data_type {
        DataType::Null => "NullType".into(),
        DataType::Boolean => "BooleanType".into(),
        DataType::Byte => "ByteType".into(),
        DataType::Short => "ShortType".into(),
        DataType::Integer => "IntegerType".into(),
        DataType::Long => "LongType".into(),
        DataType::Float => "FloatType".into(),
        DataType::Double => "DoubleType".into(),
        DataType::Decimal(p, s) => format!("DecimalType({p},{s})"),
        DataType::String => "StringType".into(),
        DataType::Binary => "BinaryType".into(),
        DataType::Date => "DateType".into(),
        DataType::Timestamp => "TimestampType".into(),
        DataType::TimestampNtz => "TimestampNTZType".into(),
        DataType::DayTimeInterval => "DayTimeIntervalType(0,3)".into(),
        DataType::YearMonthInterval => "YearMonthIntervalType(0,1)".into(),
        DataType::Array(e, nulls) => format!("ArrayType({},{nulls})", catalyst_name(e)),
        DataType::Map(k, v, nulls) => format!("MapType({},{},{nulls})", catalyst_name(k), catalyst_name(v)),
        DataType::Struct(schema) => {
            let fields: Vec<String> = schema
                .fields
                .iter()
                .map(|f| format!("StructField({},{},{})", f.name, catalyst_name(&f.data_type), f.nullable))
                .collect();
            format!("StructType({})", fields.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use tidemark_types::{StructField, StructType};

    use super::*;

    #[test]
    fn a_nested_type_has_its_fields_in_its_name() {
        let point = StructType::new(vec![StructField::new("x", DataType::Long, false)]);
        let list = DataType::Array(Box::new(DataType::Struct(point)), true);
        assert_eq!(catalyst_name(&list), "ArrayType(StructType(StructField(x,LongType,false)),true)");
        assert_eq!(catalyst_name(&DataType::Decimal(4, 2)), "DecimalType(4,2)");
    }
}
