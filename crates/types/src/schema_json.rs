//! The JSON text of a schema, as Spark and Delta write it: `{"type":"struct","fields":[…]}`.

use serde_json::{Map, Value, json};

use crate::data_type::DataType;
use crate::error::{ErrorClass, SparkError};
use crate::schema::{StructField, StructType};

impl StructType {
    /// The schema as Spark's JSON text, without blanks, keys in Spark's order.
    pub fn to_json(&self) -> String {
        self.to_json_value().to_string()
    }

    /// The schema as a JSON value.
    pub fn to_json_value(&self) -> Value {
        let fields: Vec<Value> = self.fields.iter().map(field_to_json).collect();
        json!({"type": "struct", "fields": fields})
    }

    /// The schema that a JSON text describes.
    pub fn from_json(text: &str) -> Result<StructType, SparkError> {
        match DataType::from_json(text)? {
            DataType::Struct(schema) => Ok(schema),
            _ => Err(invalid(text)),
        }
    }
}

impl DataType {
    /// The type as Spark's JSON text.
    pub fn to_json(&self) -> String {
        self.to_json_value().to_string()
    }

    /// The type as a JSON value: a text for a simple type, an object for a nested one.
    pub fn to_json_value(&self) -> Value {
        match self {
            DataType::Array(element, nulls) => {
                json!({"type": "array", "elementType": element.to_json_value(), "containsNull": nulls})
            }
            DataType::Map(key, value, nulls) => json!({
                "type": "map",
                "keyType": key.to_json_value(),
                "valueType": value.to_json_value(),
                "valueContainsNull": nulls,
            }),
            DataType::Struct(schema) => schema.to_json_value(),
            simple => Value::String(simple.type_name()),
        }
    }

    /// The type that a JSON text describes.
    pub fn from_json(text: &str) -> Result<DataType, SparkError> {
        let value: Value = serde_json::from_str(text).map_err(|_| invalid(text))?;
        DataType::from_json_value(&value)
    }

    /// The type that a JSON value describes.
    pub fn from_json_value(value: &Value) -> Result<DataType, SparkError> {
        match value {
            Value::String(name) => from_type_name(name).ok_or_else(|| invalid(name)),
            Value::Object(object) => from_object(object).unwrap_or_else(|| Err(invalid(&value.to_string()))),
            other => Err(invalid(&other.to_string())),
        }
    }
}

fn field_to_json(field: &StructField) -> Value {
    let metadata = field
        .metadata
        .as_deref()
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_else(|| Value::Object(Map::new()));
    json!({
        "name": field.name,
        "type": field.data_type.to_json_value(),
        "nullable": field.nullable,
        "metadata": metadata,
    })
}

/// `None` where a key is missing or of another kind.
fn from_object(object: &Map<String, Value>) -> Option<Result<DataType, SparkError>> {
    let read = |key: &str| object.get(key).map(DataType::from_json_value);
    let flag = |key: &str| object.get(key).and_then(Value::as_bool);
    Some(match object.get("type")?.as_str()? {
        "array" => {
            let nulls = flag("containsNull")?;
            read("elementType")?.map(|element| DataType::Array(Box::new(element), nulls))
        }
        "map" => {
            let nulls = flag("valueContainsNull")?;
            match (read("keyType")?, read("valueType")?) {
                (Ok(key), Ok(value)) => Ok(DataType::Map(Box::new(key), Box::new(value), nulls)),
                (Err(e), _) | (_, Err(e)) => Err(e),
            }
        }
        "struct" => {
            let fields = object.get("fields")?.as_array()?;
            fields
                .iter()
                .map(field_from_json)
                .collect::<Option<Result<Vec<_>, _>>>()?
                .map(|fields| DataType::Struct(StructType::new(fields)))
        }
        "udt" => read("sqlType")?,
        _ => return None,
    })
}

fn field_from_json(value: &Value) -> Option<Result<StructField, SparkError>> {
    let object = value.as_object()?;
    let name = object.get("name")?.as_str()?;
    let nullable = object.get("nullable").and_then(Value::as_bool).unwrap_or(true);
    let metadata = match object.get("metadata") {
        Some(Value::Object(entries)) if !entries.is_empty() => {
            Some(Value::Object(entries.clone()).to_string())
        }
        _ => None,
    };
    Some(DataType::from_json_value(object.get("type")?).map(|data_type| StructField {
        name: name.to_owned(),
        data_type,
        nullable,
        metadata,
    }))
}

// tidy: table
fn from_type_name(name: &str) -> Option<DataType> {
    Some(match name {
        "void" | "null" => DataType::Null,
        "boolean" => DataType::Boolean,
        "byte" | "tinyint" => DataType::Byte,
        "short" | "smallint" => DataType::Short,
        "integer" | "int" => DataType::Integer,
        "long" | "bigint" => DataType::Long,
        "float" => DataType::Float,
        "double" => DataType::Double,
        "decimal" => DataType::USER_DEFAULT_DECIMAL,
        "string" => DataType::String,
        "binary" => DataType::Binary,
        "date" => DataType::Date,
        "timestamp" | "timestamp_ltz" => DataType::Timestamp,
        "timestamp_ntz" => DataType::TimestampNtz,
        "interval year" | "interval month" | "interval year to month" => DataType::YearMonthInterval,
        other => {
            if let Some(inner) = arguments(other, "decimal") {
                let (precision, scale) = inner.split_once(',')?;
                return Some(DataType::Decimal(precision.trim().parse().ok()?, scale.trim().parse().ok()?));
            }
            if arguments(other, "char").or_else(|| arguments(other, "varchar")).is_some() {
                return Some(DataType::String);
            }
            let units = other.strip_prefix("interval ")?;
            let known = |unit: &str| matches!(unit, "day" | "hour" | "minute" | "second");
            units.split(" to ").all(known).then_some(DataType::DayTimeInterval)?
        }
    })
}

/// What stands between the parentheses of `name(…)`.
fn arguments<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

fn invalid(text: &str) -> SparkError {
    SparkError::new(
        ErrorClass::IllegalArgument,
        "INVALID_JSON_DATA_TYPE",
        "22032",
        format!("Failed to convert the JSON string '{text}' to a data type. Please enter a valid data type."),
    )
    .with_parameter("invalidType", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_survives_its_json() {
        let texts = [
            r#"{"type":"struct","fields":[{"name":"id","type":"integer","nullable":true,"metadata":{}}]}"#,
            r#"{"type":"struct","fields":[{"name":"a","type":"decimal(10,2)","nullable":false,"metadata":{"comment":"price"}},{"name":"t","type":"timestamp_ntz","nullable":true,"metadata":{}}]}"#,
            r#"{"type":"struct","fields":[{"name":"x","type":{"type":"array","elementType":"long","containsNull":false},"nullable":true,"metadata":{}},{"name":"m","type":{"type":"map","keyType":"string","valueType":{"type":"struct","fields":[{"name":"b","type":"binary","nullable":true,"metadata":{}}]},"valueContainsNull":true},"nullable":true,"metadata":{}}]}"#,
            r#"{"type":"struct","fields":[]}"#,
        ];
        for text in texts {
            let schema = StructType::from_json(text).expect("the text is a schema");
            assert_eq!(schema.to_json(), text);
        }
    }

    #[test]
    fn bad_json_is_refused_with_the_type_that_was_bad() {
        for (text, bad) in [
            ("{", "{"),
            (r#"{"type":"struct"}"#, r#"{"type":"struct"}"#),
            (r#"{"type":"struct","fields":[{"name":"a","type":"number","nullable":true}]}"#, "number"),
        ] {
            let error = StructType::from_json(text).expect_err("the text is no schema");
            assert_eq!(error.condition.0, "INVALID_JSON_DATA_TYPE");
            assert_eq!(error.parameters, [("invalidType".to_owned(), bad.to_owned())], "{text}");
        }
    }
}
