//! Python values as columns: `createDataFrame`.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, BooleanBuilder, Date32Builder, Decimal128Builder, DurationMicrosecondBuilder,
    Float32Builder, Float64Builder, Int8Builder, Int16Builder, Int32Builder, Int64Builder, ListArray,
    MapArray, NullArray, StringBuilder, StructArray, TimestampMicrosecondBuilder,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType as Arrow, Field};
use tidemark_python::{Machine, Value, View};
use tidemark_types::{Batch, DataType, StructField, StructType};

use crate::fault::Fault;
use crate::object::{Object, Objects};

/// What a row is made of: values by position, and names if it has them.
struct RawRow {
    names: Option<Vec<String>>,
    values: Vec<Value>,
}

/// The rows of `createDataFrame(data, schema)` as a batch.
///
/// `schema` is the whole schema, `names` only the column names; with neither, names and types are found out.
pub(crate) fn batch(
    machine: &Machine,
    objects: &Objects,
    data: &[Value],
    schema: Option<StructType>,
    names: Option<Vec<String>>,
) -> Result<Batch, Fault> {
    let rows: Vec<RawRow> = data.iter().map(|value| raw_row(machine, objects, value)).collect();
    let schema = match schema {
        Some(schema) => schema,
        None => infer(machine, objects, &rows, names)?,
    };
    for row in &rows {
        if row.names.is_none() && row.values.len() != schema.fields.len() {
            return Err(Fault::pyspark_value(
                "AXIS_LENGTH_MISMATCH",
                format!(
                    "Length mismatch: Expected axis has {} element, new values have {} elements.",
                    schema.fields.len(),
                    row.values.len()
                ),
            ));
        }
    }
    let mut columns = Vec::with_capacity(schema.fields.len());
    for (at, field) in schema.fields.iter().enumerate() {
        let values: Vec<Value> = rows.iter().map(|row| pick(row, at, &field.name)).collect();
        check_nulls(field, &values)?;
        columns.push(column(machine, objects, field, &values)?);
    }
    let rows = rows.len();
    Ok(Batch::new(Arc::new(schema), columns, rows))
}

fn pick(row: &RawRow, at: usize, name: &str) -> Value {
    match &row.names {
        Some(names) => {
            names.iter().position(|n| n == name).map_or(Value::None, |index| row.values[index].clone())
        }
        None => row.values[at].clone(),
    }
}

fn check_nulls(field: &StructField, values: &[Value]) -> Result<(), Fault> {
    if !field.nullable && values.iter().any(Value::is_none) {
        return Err(Fault::pyspark_value(
            "FIELD_NOT_NULLABLE_WITH_NAME",
            format!("field {}: This field is not nullable, but got None.", field.name),
        ));
    }
    Ok(())
}

fn raw_row(machine: &Machine, objects: &Objects, value: &Value) -> RawRow {
    if let Some(Object::Row(names, values)) = objects.of(value).as_deref() {
        let names = (!names.is_empty()).then(|| names.as_ref().clone());
        return RawRow { names, values: values.as_ref().clone() };
    }
    match machine.view(value) {
        View::Tuple(values) | View::List(values) => RawRow { names: None, values },
        View::Dict(items) => {
            let (keys, values): (Vec<Value>, Vec<Value>) = items.into_iter().unzip();
            let names = keys.iter().map(|k| k.as_str().unwrap_or_default().to_owned()).collect();
            RawRow { names: Some(names), values }
        }
        _ => RawRow { names: None, values: vec![value.clone()] },
    }
}

fn infer(
    machine: &Machine,
    objects: &Objects,
    rows: &[RawRow],
    names: Option<Vec<String>>,
) -> Result<StructType, Fault> {
    let Some(first) = rows.first() else {
        return Err(Fault::pyspark_value(
            "CANNOT_INFER_EMPTY_SCHEMA",
            "Can not infer schema from empty dataset.".into(),
        ));
    };
    let found = first.names.clone();
    let names =
        names.or(found).unwrap_or_else(|| (1..=first.values.len()).map(|n| format!("_{n}")).collect());
    let mut fields = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let mut data_type = DataType::Null;
        for row in rows {
            let value = pick(row, at, name);
            data_type = merge(data_type, type_of(machine, objects, &value)?, name)?;
        }
        if data_type == DataType::Null {
            return Err(Fault::pyspark_value(
                "CANNOT_DETERMINE_TYPE",
                "Some of types cannot be determined after inferring.".into(),
            ));
        }
        fields.push(StructField::new(name, data_type, true));
    }
    Ok(StructType::new(fields))
}

fn merge(a: DataType, b: DataType, name: &str) -> Result<DataType, Fault> {
    match (a, b) {
        (DataType::Null, other) | (other, DataType::Null) => Ok(other),
        (a, b) if a == b => Ok(a),
        (DataType::Long, DataType::Double) | (DataType::Double, DataType::Long) => Ok(DataType::Double),
        (a, b) => Err(Fault::pyspark_type(
            "CANNOT_MERGE_TYPE",
            format!("field {name}: Can not merge type `{}` and `{}`.", python_type(&a), python_type(&b)),
        )),
    }
}

/// The name of the PySpark class of a type.
pub(crate) fn python_type(data_type: &DataType) -> String {
    let name = data_type.type_name();
    let mut letters = name.split('(').next().unwrap_or(&name).chars();
    let head = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{head}{}Type", letters.as_str())
}

fn type_of(machine: &Machine, objects: &Objects, value: &Value) -> Result<DataType, Fault> {
    if let Some(Object::Row(names, values)) = objects.of(value).as_deref() {
        let mut fields = Vec::new();
        for (name, value) in names.iter().zip(values.iter()) {
            fields.push(StructField::new(name, type_of(machine, objects, value)?, true));
        }
        return Ok(DataType::Struct(StructType::new(fields)));
    }
    Ok(match machine.view(value) {
        View::None => DataType::Null,
        View::Bool(_) => DataType::Boolean,
        View::Int(_) => DataType::Long,
        View::Float(_) => DataType::Double,
        View::Str(_) => DataType::String,
        View::Bytes(_) => DataType::Binary,
        View::Date(_) => DataType::Date,
        View::Datetime { .. } => DataType::Timestamp,
        View::Timedelta(_) => DataType::DayTimeInterval,
        View::Decimal(_) => DataType::Decimal(38, 18),
        View::List(items) => {
            let mut element = DataType::Null;
            for item in &items {
                element = merge(element, type_of(machine, objects, item)?, "element")?;
            }
            DataType::Array(Box::new(element), true)
        }
        View::Tuple(items) => {
            let mut fields = Vec::new();
            for (at, item) in items.iter().enumerate() {
                fields.push(StructField::new(format!("_{}", at + 1), type_of(machine, objects, item)?, true));
            }
            DataType::Struct(StructType::new(fields))
        }
        View::Dict(items) => {
            let (mut key, mut val) = (DataType::Null, DataType::Null);
            for (k, v) in &items {
                key = merge(key, type_of(machine, objects, k)?, "key")?;
                val = merge(val, type_of(machine, objects, v)?, "value")?;
            }
            DataType::Map(Box::new(key), Box::new(val), true)
        }
        _ => {
            return Err(Fault::pyspark_type(
                "UNSUPPORTED_DATA_TYPE",
                format!("Unsupported DataType `{}`.", machine.type_name(value)),
            ));
        }
    })
}

fn refuse(machine: &Machine, field: &StructField, value: &Value) -> Fault {
    Fault::pyspark_type(
        "FIELD_DATA_TYPE_UNACCEPTABLE_WITH_NAME",
        format!(
            "field {}: {}() can not accept object `{}` in type `{}`.",
            field.name,
            python_type(&field.data_type),
            machine.plain_repr(value),
            machine.type_name(value)
        ),
    )
}

/// The values of one column.
// tidy: table
pub(crate) fn column(
    machine: &Machine,
    objects: &Objects,
    field: &StructField,
    values: &[Value],
) -> Result<ArrayRef, Fault> {
    macro_rules! fill {
        ($builder:expr, $($pattern:pat => $value:expr),+) => {{
            let mut builder = $builder;
            for value in values {
                match machine.view(value) {
                    View::None => builder.append_null(),
                    $($pattern => builder.append_value($value),)+
                    _ => return Err(refuse(machine, field, value)),
                }
            }
            Arc::new(builder.finish()) as ArrayRef
        }};
    }
    macro_rules! integer {
        ($builder:expr, $type:ty) => {{
            let mut builder = $builder;
            for value in values {
                match machine.view(value) {
                    View::None => builder.append_null(),
                    View::Int(i) => match <$type>::try_from(i) {
                        Ok(fits) => builder.append_value(fits),
                        Err(_) => return Err(refuse(machine, field, value)),
                    },
                    _ => return Err(refuse(machine, field, value)),
                }
            }
            Arc::new(builder.finish()) as ArrayRef
        }};
    }
    Ok(match &field.data_type {
        DataType::Null => Arc::new(NullArray::new(values.len())),
        DataType::Boolean => fill!(BooleanBuilder::new(), View::Bool(b) => b),
        DataType::Byte => integer!(Int8Builder::new(), i8),
        DataType::Short => integer!(Int16Builder::new(), i16),
        DataType::Integer => integer!(Int32Builder::new(), i32),
        DataType::Long => integer!(Int64Builder::new(), i64),
        DataType::Float => fill!(Float32Builder::new(), View::Float(f) => f as f32),
        DataType::Double => fill!(Float64Builder::new(), View::Float(f) => f, View::Int(i) => i as f64),
        DataType::String => {
            fill!(StringBuilder::new(), View::Str(s) => s.as_ref(), View::Int(i) => i.to_string())
        }
        DataType::Binary => fill!(BinaryBuilder::new(), View::Bytes(b) => b),
        DataType::Date => {
            fill!(Date32Builder::new(), View::Date(d) => d, View::Datetime { wall_micros, .. } => wall_micros.div_euclid(86_400_000_000) as i32)
        }
        DataType::Timestamp => fill!(
            TimestampMicrosecondBuilder::new().with_timezone("UTC"),
            View::Datetime { wall_micros, offset_micros } => wall_micros - offset_micros.unwrap_or(0)
        ),
        DataType::TimestampNtz => {
            fill!(TimestampMicrosecondBuilder::new(), View::Datetime { wall_micros, .. } => wall_micros)
        }
        DataType::DayTimeInterval => fill!(DurationMicrosecondBuilder::new(), View::Timedelta(t) => t),
        DataType::Decimal(precision, scale) => {
            let mut builder = Decimal128Builder::new().with_data_type(Arrow::Decimal128(*precision, *scale));
            for value in values {
                match machine.view(value) {
                    View::None => builder.append_null(),
                    View::Decimal(text) => match unscaled(&text, *scale) {
                        Some(number) => builder.append_value(number),
                        None => return Err(refuse(machine, field, value)),
                    },
                    _ => return Err(refuse(machine, field, value)),
                }
            }
            Arc::new(builder.finish())
        }
        DataType::YearMonthInterval => return Err(refuse(machine, field, &Value::None)),
        DataType::Array(..) | DataType::Map(..) | DataType::Struct(_) => {
            nested(machine, objects, field, values)?
        }
    })
}

/// The values of a column of arrays, maps or structs.
fn nested(
    machine: &Machine,
    objects: &Objects,
    field: &StructField,
    values: &[Value],
) -> Result<ArrayRef, Fault> {
    let nulls = NullBuffer::from(values.iter().map(|v| !v.is_none()).collect::<Vec<_>>());
    match &field.data_type {
        DataType::Array(element, contains_null) => {
            let (lengths, flat) = array_items(machine, field, values)?;
            let inner_field = StructField::new("element", element.as_ref().clone(), true);
            let inner = column(machine, objects, &inner_field, &flat)?;
            let arrow = Arc::new(Field::new("element", element.to_arrow(), *contains_null));
            Ok(Arc::new(ListArray::new(arrow, OffsetBuffer::from_lengths(lengths), inner, Some(nulls))))
        }
        DataType::Map(key, val, _) => {
            let (lengths, keys, vals) = map_entries(machine, field, values)?;
            let Arrow::Map(entries_field, _) = field.data_type.to_arrow() else {
                return Err(refuse(machine, field, &Value::None));
            };
            let Arrow::Struct(fields) = entries_field.data_type().clone() else {
                return Err(refuse(machine, field, &Value::None));
            };
            let key_field = StructField::new("key", key.as_ref().clone(), false);
            let value_field = StructField::new("value", val.as_ref().clone(), true);
            let keys = column(machine, objects, &key_field, &keys)?;
            let vals = column(machine, objects, &value_field, &vals)?;
            let entries = StructArray::new(fields, vec![keys, vals], None);
            let offsets = OffsetBuffer::from_lengths(lengths);
            Ok(Arc::new(MapArray::new(entries_field, offsets, entries, Some(nulls), false)))
        }
        DataType::Struct(schema) => {
            let rows: Vec<RawRow> = values.iter().map(|value| raw_row(machine, objects, value)).collect();
            let cell = |row: &RawRow, value: &Value, at: usize, name: &str| {
                if value.is_none() { Value::None } else { pick(row, at, name) }
            };
            let mut columns = Vec::new();
            for (at, inner) in schema.fields.iter().enumerate() {
                let cells: Vec<Value> =
                    rows.iter().zip(values).map(|(row, value)| cell(row, value, at, &inner.name)).collect();
                columns.push(column(machine, objects, inner, &cells)?);
            }
            Ok(Arc::new(StructArray::new(schema.to_arrow().fields, columns, Some(nulls))))
        }
        _ => Err(refuse(machine, field, &Value::None)),
    }
}

/// The lengths of some lists, and all their items one after the other.
fn array_items(
    machine: &Machine,
    field: &StructField,
    values: &[Value],
) -> Result<(Vec<usize>, Vec<Value>), Fault> {
    let (mut lengths, mut flat) = (Vec::new(), Vec::new());
    for value in values {
        let items = match machine.view(value) {
            View::None => Vec::new(),
            View::List(items) | View::Tuple(items) => items,
            _ => return Err(refuse(machine, field, value)),
        };
        lengths.push(items.len());
        flat.extend(items);
    }
    Ok((lengths, flat))
}

/// The lengths of some dicts, and all their keys and values one after the other.
fn map_entries(
    machine: &Machine,
    field: &StructField,
    values: &[Value],
) -> Result<(Vec<usize>, Vec<Value>, Vec<Value>), Fault> {
    let (mut lengths, mut keys, mut vals) = (Vec::new(), Vec::new(), Vec::new());
    for value in values {
        let items = match machine.view(value) {
            View::None => Vec::new(),
            View::Dict(items) => items,
            _ => return Err(refuse(machine, field, value)),
        };
        lengths.push(items.len());
        for (key, val) in items {
            keys.push(key);
            vals.push(val);
        }
    }
    Ok((lengths, keys, vals))
}

/// The unscaled value of a decimal text at a scale, `None` if it does not fit.
fn unscaled(text: &str, scale: i8) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let scale = scale.max(0) as usize;
    if fraction.len() > scale && fraction[scale..].bytes().any(|b| b != b'0') {
        return None;
    }
    let fraction: String = fraction.chars().chain(std::iter::repeat('0')).take(scale).collect();
    format!("{whole}{fraction}").parse::<i128>().ok().map(|n| n * sign)
}
