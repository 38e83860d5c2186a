//! Arrow arrays as a file holds them, turned into the arrays that carry Spark's types.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray as _, ListArray, MapArray, StructArray, new_null_array};
use arrow::datatypes::{DataType as Arrow, Field, Fields, TimeUnit, TimestampMicrosecondType};
use arrow::error::ArrowError;
use serde_json::{Map, Value};
use tidemark_types::{DataType, StructField, StructType};

use crate::cast::cast;

/// By what a column of the table is found in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnNames {
    /// By its name, without case.
    Logical,
    /// By `delta.columnMapping.physicalName`.
    Physical,
    /// By `delta.columnMapping.id`, the field id of Parquet.
    Id,
}

impl ColumnNames {
    /// The way that the property `delta.columnMapping.mode` asks for.
    pub(crate) fn from_mode(mode: Option<&str>) -> ColumnNames {
        match mode {
            Some("name") => ColumnNames::Physical,
            Some("id") => ColumnNames::Id,
            _ => ColumnNames::Logical,
        }
    }

    /// The name of a column in `partitionValues` and in files.
    pub(crate) fn physical_name(self, field: &StructField) -> String {
        match self {
            ColumnNames::Logical => field.name.clone(),
            ColumnNames::Physical | ColumnNames::Id => mapping(field)
                .and_then(|m| m.get("delta.columnMapping.physicalName")?.as_str().map(str::to_owned))
                .unwrap_or_else(|| field.name.clone()),
        }
    }

    /// The position of a column among the fields of a file.
    pub(crate) fn find(self, fields: &Fields, wanted: &StructField) -> Option<usize> {
        if self == ColumnNames::Id {
            let id = mapping(wanted)?.get("delta.columnMapping.id")?.as_i64()?.to_string();
            return fields.iter().position(|f| f.metadata().get("PARQUET:field_id") == Some(&id));
        }
        let name = self.physical_name(wanted);
        fields
            .iter()
            .position(|f| *f.name() == name)
            .or_else(|| fields.iter().position(|f| f.name().to_lowercase() == name.to_lowercase()))
    }
}

fn mapping(field: &StructField) -> Option<Map<String, Value>> {
    serde_json::from_str(field.metadata.as_deref()?).ok()
}

/// The values as the Arrow type of `to`: fields of structs matched by name, missing ones null, numbers widened.
pub(crate) fn adapt(array: &ArrayRef, to: &DataType, names: ColumnNames) -> Result<ArrayRef, ArrowError> {
    match to {
        DataType::Struct(schema) => adapt_struct(array, schema, names),
        DataType::Array(element, _) => {
            let list = array.as_list_opt::<i32>().ok_or_else(|| no_such_cast(array, to))?;
            let values = adapt(list.values(), element, names)?;
            let field = nested_field(&to.to_arrow());
            Ok(Arc::new(ListArray::try_new(field, list.offsets().clone(), values, list.nulls().cloned())?))
        }
        DataType::Map(key, value, _) => {
            let map = array.as_map_opt().ok_or_else(|| no_such_cast(array, to))?;
            let entries_field = nested_field(&to.to_arrow());
            let Arrow::Struct(fields) = entries_field.data_type() else {
                return Err(no_such_cast(array, to));
            };
            let columns = vec![adapt(map.keys(), key, names)?, adapt(map.values(), value, names)?];
            let entries = StructArray::try_new(fields.clone(), columns, None)?;
            let nulls = map.nulls().cloned();
            Ok(Arc::new(MapArray::try_new(entries_field, map.offsets().clone(), entries, nulls, false)?))
        }
        DataType::Timestamp | DataType::TimestampNtz => adapt_timestamp(array, to),
        simple => cast(array, &simple.to_arrow()),
    }
}

fn adapt_struct(array: &ArrayRef, schema: &StructType, names: ColumnNames) -> Result<ArrayRef, ArrowError> {
    let wanted = DataType::Struct(schema.clone());
    let group = array.as_struct_opt().ok_or_else(|| no_such_cast(array, &wanted))?;
    let mut columns = Vec::with_capacity(schema.fields.len());
    for field in &schema.fields {
        columns.push(match names.find(group.fields(), field) {
            Some(index) => adapt(group.column(index), &field.data_type, names)?,
            None => new_null_array(&field.data_type.to_arrow(), group.len()),
        });
    }
    let fields = schema.to_arrow().fields;
    Ok(Arc::new(StructArray::try_new_with_length(fields, columns, group.nulls().cloned(), group.len())?))
}

/// Any unit becomes microseconds; the instant stays, whether the file says UTC or nothing.
fn adapt_timestamp(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, ArrowError> {
    let Arrow::Timestamp(_, zone) = array.data_type() else {
        return cast(array, &to.to_arrow());
    };
    let micros = cast(array, &Arrow::Timestamp(TimeUnit::Microsecond, zone.clone()))?;
    let wanted = if *to == DataType::Timestamp { Some("UTC") } else { None };
    Ok(Arc::new(micros.as_primitive::<TimestampMicrosecondType>().clone().with_timezone_opt(wanted)))
}

fn nested_field(arrow: &Arrow) -> Arc<Field> {
    match arrow {
        Arrow::List(field) | Arrow::Map(field, _) => field.clone(),
        other => unreachable!("only lists and maps are asked for their field, not {other}"),
    }
}

fn no_such_cast(array: &ArrayRef, to: &DataType) -> ArrowError {
    ArrowError::CastError(format!("{} is no {}", array.data_type(), to.simple_string()))
}
