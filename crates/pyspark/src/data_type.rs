//! `pyspark.sql.types`: data types as objects.

use tidemark_python::{Value, View};
use tidemark_types::{DataType, StructField, StructType};

use crate::call::Call;
use crate::fault::Fault;
use crate::json_value::to_python;
use crate::object::{Object, Objects};
use crate::registry::Class;

/// A data type given as an object or as DDL text.
pub(crate) fn argument(
    objects: &Objects,
    call: &Call<'_>,
    name: &str,
    value: &Value,
) -> Result<DataType, Fault> {
    if let Some(Object::Type(data_type)) = objects.of(value).as_deref() {
        return Ok(data_type.clone());
    }
    if let View::Class(class, _) = call.machine.view(value)
        && let Some(data_type) = simple_class(&class)
    {
        return Ok(data_type);
    }
    match value {
        Value::Str(text) => Ok(DataType::from_python_ddl(text)?),
        other => Err(Fault::pyspark_type(
            "NOT_DATATYPE_OR_STR",
            format!("Argument `{name}` should be a DataType or str, got {}.", call.machine.type_name(other)),
        )),
    }
}

/// The type that a column is cast to: its text is a type, never a schema.
pub(crate) fn cast_target(objects: &Objects, call: &Call<'_>, value: &Value) -> Result<DataType, Fault> {
    match value {
        Value::Str(text) => Ok(DataType::from_ddl(text)?),
        other => argument(objects, call, "dataType", other),
    }
}

/// A schema given as a `StructType` or as DDL text.
pub(crate) fn schema(objects: &Objects, call: &Call<'_>, value: &Value) -> Result<StructType, Fault> {
    if let Some(schema) = objects.struct_type(value) {
        return Ok(schema);
    }
    match value {
        Value::Str(text) => Ok(StructType::from_ddl(text)?),
        other => Err(Fault::pyspark_type(
            "NOT_EXPECTED_TYPE",
            format!("Argument `schema` should be str or struct type, got {}.", call.machine.type_name(other)),
        )),
    }
}

fn simple_class(name: &str) -> Option<DataType> {
    Some(match name {
        "BinaryType" => DataType::Binary,
        "BooleanType" => DataType::Boolean,
        "ByteType" => DataType::Byte,
        "DateType" => DataType::Date,
        "DoubleType" => DataType::Double,
        "FloatType" => DataType::Float,
        "IntegerType" => DataType::Integer,
        "LongType" => DataType::Long,
        "NullType" => DataType::Null,
        "ShortType" => DataType::Short,
        "StringType" => DataType::String,
        "TimestampType" => DataType::Timestamp,
        "TimestampNTZType" => DataType::TimestampNtz,
        "DayTimeIntervalType" => DataType::DayTimeInterval,
        "YearMonthIntervalType" => DataType::YearMonthInterval,
        _ => return None,
    })
}

/// `IntegerType()`, `ArrayType(StringType())`, `StructField("id", LongType())`, `StructType([…])`.
pub(crate) fn construct(objects: &mut Objects, class: Class, call: &mut Call<'_>) -> Result<Value, Fault> {
    let object = match class {
        Class::DecimalType => {
            let [precision, scale] = call.bind(["precision", "scale"])?;
            let number = |v: Option<Value>, default: i64| v.and_then(|v| v.as_int()).unwrap_or(default);
            Object::Type(DataType::Decimal(number(precision, 10) as u8, number(scale, 0) as i8))
        }
        Class::ArrayType => {
            let [element, nulls] = call.bind_required(1, ["elementType", "containsNull"])?;
            let element = argument(objects, call, "elementType", &element.unwrap_or(Value::None))?;
            Object::Type(DataType::Array(Box::new(element), !matches!(nulls, Some(Value::Bool(false)))))
        }
        Class::MapType => {
            let [key, value, nulls] = call.bind_required(2, ["keyType", "valueType", "valueContainsNull"])?;
            let key = argument(objects, call, "keyType", &key.unwrap_or(Value::None))?;
            let value = argument(objects, call, "valueType", &value.unwrap_or(Value::None))?;
            let nulls = !matches!(nulls, Some(Value::Bool(false)));
            Object::Type(DataType::Map(Box::new(key), Box::new(value), nulls))
        }
        Class::StructField => {
            let [name, data_type, nullable, _] =
                call.bind_required(2, ["name", "dataType", "nullable", "metadata"])?;
            let name = call.text("name", &name.unwrap_or(Value::None))?;
            let data_type = argument(objects, call, "dataType", &data_type.unwrap_or(Value::None))?;
            Object::Field(StructField::new(name, data_type, !matches!(nullable, Some(Value::Bool(false)))))
        }
        Class::StructType => {
            let [fields] = call.bind(["fields"])?;
            let items = fields.map(|f| call.items(&f).unwrap_or_default()).unwrap_or_default();
            let mut schema = StructType::default();
            for item in items {
                match objects.of(&item).as_deref() {
                    Some(Object::Field(field)) => schema.fields.push(field.clone()),
                    _ => {
                        return Err(Fault::Python(
                            "AssertionError",
                            "fields should be a list of StructField".to_owned(),
                        ));
                    }
                }
            }
            Object::Type(DataType::Struct(schema))
        }
        other => match simple_class(other.face().name) {
            Some(data_type) => Object::Type(data_type),
            None => return Err(Fault::refused(other.face().name)),
        },
    };
    Ok(objects.add(object))
}

/// A call of a data type's method or property.
// tidy: table
pub(crate) fn call(
    objects: &mut Objects,
    object: &Object,
    handle: &Value,
    call: &mut Call<'_>,
) -> Result<Value, Fault> {
    let method = call.method().to_owned();
    if let Object::Field(field) = object {
        return field_call(objects, field, &method, call);
    }
    let Object::Type(data_type) = object else { return Err(Fault::refused(&method)) };
    let field = |objects: &mut Objects, field: &StructField| objects.add(Object::Field(field.clone()));
    Ok(match (method.as_str(), data_type) {
        ("simpleString", t) => t.simple_string().into(),
        ("typeName", t) => t.type_name().into(),
        ("json", t) => t.to_json().into(),
        ("__repr__", t) => repr(t).into(),
        ("__eq__", t) => {
            let other = call.args.first().and_then(|v| objects.of(v));
            Value::Bool(matches!(other.as_deref(), Some(Object::Type(o)) if o == t))
        }
        ("__hash__", t) => Value::Int(
            t.simple_string().bytes().fold(11_i64, |h, b| h.wrapping_mul(31).wrapping_add(b.into()))
                & 0x7FFF_FFFF,
        ),
        ("precision", DataType::Decimal(p, _)) => Value::Int((*p).into()),
        ("scale", DataType::Decimal(_, s)) => Value::Int((*s).into()),
        ("elementType", DataType::Array(e, _)) => objects.add(Object::Type(e.as_ref().clone())),
        ("containsNull", DataType::Array(_, n)) => Value::Bool(*n),
        ("keyType", DataType::Map(k, ..)) => objects.add(Object::Type(k.as_ref().clone())),
        ("valueType", DataType::Map(_, v, _)) => objects.add(Object::Type(v.as_ref().clone())),
        ("valueContainsNull", DataType::Map(.., n)) => Value::Bool(*n),
        ("names" | "fieldNames", DataType::Struct(s)) => {
            let names = s.names().into_iter().map(Value::str).collect();
            call.machine.new_list(names)
        }
        ("fields" | "__iter__", DataType::Struct(s)) => {
            let fields = s.fields.iter().map(|f| field(objects, f)).collect();
            call.machine.new_list(fields)
        }
        ("__len__", DataType::Struct(s)) => Value::Int(s.fields.len() as i64),
        ("__contains__", DataType::Struct(s)) => {
            let name = call.args.first().and_then(Value::as_str).unwrap_or_default();
            Value::Bool(s.fields.iter().any(|f| f.name == name))
        }
        ("__getitem__", DataType::Struct(s)) => {
            let key = call.args.first().cloned().unwrap_or(Value::None);
            let found = match &key {
                Value::Str(name) => s.fields.iter().find(|f| f.name == **name),
                other => other.as_int().and_then(|at| s.fields.get(usize::try_from(at).ok()?)),
            };
            match found {
                Some(f) => field(objects, f),
                None => {
                    let text = call.machine.plain_repr(&key);
                    return Err(Fault::Python("KeyError", format!("No StructField named {text}")));
                }
            }
        }
        ("treeString", DataType::Struct(s)) => s.tree_string().into(),
        ("add", DataType::Struct(s)) => {
            let [name, data_type, nullable, _] =
                call.bind_required(1, ["field", "data_type", "nullable", "metadata"])?;
            let first = name.unwrap_or(Value::None);
            let added = match objects.of(&first).as_deref() {
                Some(Object::Field(field)) => field.clone(),
                _ => {
                    let name = call.text("field", &first)?;
                    let data_type = argument(objects, call, "data_type", &data_type.unwrap_or(Value::None))?;
                    StructField::new(name, data_type, !matches!(nullable, Some(Value::Bool(false))))
                }
            };
            let mut fields = s.fields.clone();
            fields.push(added);
            objects.replace(handle, Object::Type(DataType::Struct(StructType::new(fields))));
            handle.clone()
        }
        (other, _) => return Err(Fault::refused(&format!("DataType.{other}"))),
    })
}

fn field_call(
    objects: &mut Objects,
    field: &StructField,
    method: &str,
    call: &mut Call<'_>,
) -> Result<Value, Fault> {
    Ok(match method {
        "name" => Value::str(&field.name),
        "dataType" => objects.add(Object::Type(field.data_type.clone())),
        "nullable" => Value::Bool(field.nullable),
        "metadata" => {
            let text = field.metadata.as_deref().unwrap_or("{}");
            let metadata = serde_json::from_str(text).unwrap_or_else(|_| serde_json::json!({}));
            to_python(call.machine, &metadata)
        }
        "__repr__" => field_repr(field).into(),
        "simpleString" => format!("{}:{}", field.name, field.data_type.simple_string()).into(),
        "__eq__" => {
            let other = call.args.first().and_then(|v| objects.of(v));
            Value::Bool(matches!(other.as_deref(), Some(Object::Field(o)) if o == field))
        }
        other => return Err(Fault::refused(&format!("StructField.{other}"))),
    })
}

fn field_repr(field: &StructField) -> String {
    let nullable = if field.nullable { "True" } else { "False" };
    format!("StructField('{}', {}, {nullable})", field.name, repr(&field.data_type))
}

/// PySpark's `repr` of a type: `StructType([StructField('id', IntegerType(), True)])`.
pub(crate) fn repr(data_type: &DataType) -> String {
    let truth = |b: &bool| if *b { "True" } else { "False" };
    match data_type {
        DataType::Array(e, n) => format!("ArrayType({}, {})", repr(e), truth(n)),
        DataType::Map(k, v, n) => format!("MapType({}, {}, {})", repr(k), repr(v), truth(n)),
        DataType::Struct(s) => {
            let fields: Vec<_> = s.fields.iter().map(field_repr).collect();
            format!("StructType([{}])", fields.join(", "))
        }
        DataType::Decimal(p, s) => format!("DecimalType({p},{s})"),
        other => format!("{}()", Class::of(&Object::Type(other.clone())).face().name),
    }
}
