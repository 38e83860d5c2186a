//! Nested arrays with exactly the field names and nullability that a type asks for.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, MapArray, StructArray, new_null_array};
use arrow::datatypes::DataType as Arrow;
use arrow::error::ArrowError;
use tidemark_types::{Batch, DataType, StructField, StructType};

use crate::error::Result as EngineResult;
use crate::kernel::error::internal;

/// The same values carried as `data_type`: nested fields get its names and its nullability.
///
/// Errors: values of another kind, which resolution rules out.
pub(crate) fn conform(array: &ArrayRef, data_type: &DataType) -> EngineResult<ArrayRef> {
    shaped(array, &data_type.to_arrow()).map_err(internal)
}

/// The same columns carried as the types of the fields, one each.
pub(crate) fn conform_columns(columns: &[ArrayRef], fields: &[StructField]) -> EngineResult<Vec<ArrayRef>> {
    columns.iter().zip(fields).map(|(column, field)| conform(column, &field.data_type)).collect()
}

/// The same columns as rows of a schema.
pub(crate) fn conform_batch(
    schema: &Arc<StructType>,
    columns: &[ArrayRef],
    rows: usize,
) -> EngineResult<Batch> {
    Ok(Batch::new(schema.clone(), conform_columns(columns, &schema.fields)?, rows))
}

fn shaped(array: &ArrayRef, wanted: &Arrow) -> Result<ArrayRef, ArrowError> {
    if array.data_type() == wanted {
        return Ok(array.clone());
    }
    Ok(match (array.data_type(), wanted) {
        (Arrow::Null, _) => new_null_array(wanted, array.len()),
        (Arrow::List(_), Arrow::List(field)) => {
            let list = array.as_list::<i32>();
            let values = shaped(list.values(), field.data_type())?;
            Arc::new(ListArray::try_new(
                field.clone(),
                list.offsets().clone(),
                values,
                list.nulls().cloned(),
            )?)
        }
        (Arrow::Map(..), Arrow::Map(field, sorted)) => {
            let map = array.as_map();
            let entries: ArrayRef = Arc::new(map.entries().clone());
            let entries = shaped(&entries, field.data_type())?.as_struct().clone();
            Arc::new(MapArray::try_new(
                field.clone(),
                map.offsets().clone(),
                entries,
                map.nulls().cloned(),
                *sorted,
            )?)
        }
        (Arrow::Struct(_), Arrow::Struct(fields)) => {
            let values = array.as_struct();
            let columns = values
                .columns()
                .iter()
                .zip(fields)
                .map(|(column, field)| shaped(column, field.data_type()))
                .collect::<Result<Vec<_>, _>>()?;
            let made = StructArray::try_new_with_length(
                fields.clone(),
                columns,
                values.nulls().cloned(),
                values.len(),
            )?;
            Arc::new(made)
        }
        (have, _) => {
            return Err(ArrowError::CastError(format!("a column of {have} was promised as {wanted}")));
        }
    })
}
