//! Actions as columns and back: only the types that a checkpoint has.

use std::sync::Arc;

use arrow::array::{
    Array as _, ArrayRef, AsArray as _, BooleanArray, Int32Array, Int64Array, ListArray, MapArray,
    StringArray, StructArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType as Arrow, Int32Type, Int64Type};
use arrow::error::ArrowError;
use serde_json::{Map, Value};
use tidemark_types::DataType;

/// A column of these values; absent and null values are null.
///
/// Errors: a type that no column of a checkpoint has.
pub(crate) fn column(values: &[Option<&Value>], data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    let values: Vec<Option<&Value>> = values.iter().map(|value| value.filter(|v| !v.is_null())).collect();
    let nulls = || values.iter().map(Option::is_some).collect::<NullBuffer>();
    Ok(match (data_type, data_type.to_arrow()) {
        (DataType::String, _) => {
            Arc::new(values.iter().map(|value| value.and_then(Value::as_str)).collect::<StringArray>())
        }
        (DataType::Boolean, _) => {
            Arc::new(values.iter().map(|value| value.and_then(Value::as_bool)).collect::<BooleanArray>())
        }
        (DataType::Long, _) => {
            Arc::new(values.iter().map(|value| value.and_then(Value::as_i64)).collect::<Int64Array>())
        }
        (DataType::Integer, _) => {
            let number = |value: &Value| value.as_i64().and_then(|n| i32::try_from(n).ok());
            Arc::new(values.iter().map(|value| value.and_then(number)).collect::<Int32Array>())
        }
        (DataType::Array(element, _), Arrow::List(field)) => {
            let lists: Vec<&[Value]> = values
                .iter()
                .map(|value| value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice))
                .collect();
            let offsets = OffsetBuffer::from_lengths(lists.iter().map(|list| list.len()));
            let items: Vec<Option<&Value>> = lists.into_iter().flatten().map(Some).collect();
            Arc::new(ListArray::try_new(field, offsets, column(&items, element)?, Some(nulls()))?)
        }
        (DataType::Map(key, value, _), Arrow::Map(field, sorted)) => {
            let maps: Vec<Option<&Map<String, Value>>> =
                values.iter().map(|value| value.and_then(Value::as_object)).collect();
            let offsets = OffsetBuffer::from_lengths(maps.iter().map(|map| map.map_or(0, Map::len)));
            let names: Vec<Value> =
                maps.iter().flatten().flat_map(|map| map.keys().cloned().map(Value::String)).collect();
            let names: Vec<Option<&Value>> = names.iter().map(Some).collect();
            let held: Vec<Option<&Value>> =
                maps.iter().flatten().flat_map(|map| map.values().map(Some)).collect();
            let Arrow::Struct(fields) = field.data_type() else { return Err(unknown(data_type)) };
            let entries = StructArray::try_new(
                fields.clone(),
                vec![column(&names, key)?, column(&held, value)?],
                None,
            )?;
            Arc::new(MapArray::try_new(field, offsets, entries, Some(nulls()), sorted)?)
        }
        (DataType::Struct(schema), Arrow::Struct(fields)) => {
            let columns = schema
                .fields
                .iter()
                .map(|field| {
                    let inner: Vec<Option<&Value>> =
                        values.iter().map(|value| value.and_then(|v| v.get(&field.name))).collect();
                    column(&inner, &field.data_type)
                })
                .collect::<Result<Vec<_>, _>>()?;
            Arc::new(StructArray::try_new_with_length(fields, columns, Some(nulls()), values.len())?)
        }
        _ => return Err(unknown(data_type)),
    })
}

/// The value of one row of a column; null fields of a struct are left out.
pub(crate) fn value(array: &ArrayRef, data_type: &DataType, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }
    match data_type {
        DataType::String => Value::from(array.as_string::<i32>().value(row)),
        DataType::Boolean => Value::from(array.as_boolean().value(row)),
        DataType::Long => Value::from(array.as_primitive::<Int64Type>().value(row)),
        DataType::Integer => Value::from(array.as_primitive::<Int32Type>().value(row)),
        DataType::Array(element, _) => {
            let list = array.as_list::<i32>().value(row);
            (0..list.len()).map(|at| value(&list, element, at)).collect()
        }
        DataType::Map(_, held, _) => {
            let entries = array.as_map().value(row);
            let (names, values) = (entries.column(0).as_string::<i32>(), entries.column(1));
            let pairs = (0..entries.len()).map(|at| (names.value(at).to_owned(), value(values, held, at)));
            Value::Object(pairs.collect())
        }
        DataType::Struct(schema) => {
            let columns = array.as_struct().columns();
            let fields = schema.fields.iter().zip(columns).filter(|(_, column)| column.is_valid(row));
            Value::Object(
                fields
                    .map(|(field, column)| (field.name.clone(), value(column, &field.data_type, row)))
                    .collect(),
            )
        }
        _ => Value::Null,
    }
}

fn unknown(data_type: &DataType) -> ArrowError {
    ArrowError::NotYetImplemented(format!("no column of a checkpoint is {data_type:?}"))
}
