//! Schemas and types as Delta's messages print them.

use tidemark_types::{DataType, StructType};

/// The schema as `printSchema` shows it, with a line end after each line.
pub fn tree_string(schema: &StructType) -> String {
    let mut out = String::from("root\n");
    struct_lines(&mut out, " |", schema);
    out
}

fn struct_lines(out: &mut String, prefix: &str, schema: &StructType) {
    for field in &schema.fields {
        let name = field.data_type.type_name();
        out.push_str(&format!("{prefix}-- {}: {name} (nullable = {})\n", field.name, field.nullable));
        nested_lines(out, &format!("{prefix}    |"), &field.data_type);
    }
}

fn nested_lines(out: &mut String, prefix: &str, data_type: &DataType) {
    match data_type {
        DataType::Struct(inner) => struct_lines(out, prefix, inner),
        DataType::Array(element, nulls) => {
            out.push_str(&format!("{prefix}-- element: {} (containsNull = {nulls})\n", element.type_name()));
            nested_lines(out, &format!("{prefix}    |"), element);
        }
        DataType::Map(key, value, nulls) => {
            out.push_str(&format!("{prefix}-- key: {}\n", key.type_name()));
            nested_lines(out, &format!("{prefix}    |"), key);
            out.push_str(&format!("{prefix}-- value: {} (valueContainsNull = {nulls})\n", value.type_name()));
            nested_lines(out, &format!("{prefix}    |"), value);
        }
        _ => {}
    }
}

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
    use super::*;
    use tidemark_types::StructField;

    #[test]
    fn a_nested_schema_prints_as_a_tree() {
        let point = StructType::new(vec![StructField::new("x", DataType::Long, false)]);
        let schema = StructType::new(vec![
            StructField::new("id", DataType::Integer, true),
            StructField::new("at", DataType::Array(Box::new(DataType::Struct(point.clone())), true), true),
        ]);
        assert_eq!(
            tree_string(&schema),
            "root\n |-- id: integer (nullable = true)\n |-- at: array (nullable = true)\n |    |-- element: struct (containsNull = true)\n |    |    |-- x: long (nullable = false)\n"
        );
        assert_eq!(catalyst_name(&DataType::Struct(point)), "StructType(StructField(x,LongType,false))");
    }
}
