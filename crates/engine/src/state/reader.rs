//! The state in a checkpoint, read from outside: what `spark.read.format("statestore")` and `"state-metadata"` show.

use std::sync::Arc;

use arrow::array::{ArrayRef, StructArray, UInt32Array, new_null_array};
use arrow::buffer::NullBuffer;
use tidemark_types::{DataType, StructType};
use tidemark_world::{Entry, World};

use crate::error::Result;
use crate::kernel::{conform_columns, internal};
use crate::state::files::{changes, load};
use crate::state::metadata::{known_operators, read_schema_file};
use crate::state::operator::JOIN_STORES;
use crate::state::row::decode;
use crate::state::store::{DEFAULT, StoreId};
use crate::stream::log::file_name;

/// One store of one operator, as the checkpoint names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownStore {
    /// The number of the operator.
    pub operator: i64,
    /// Spark's name of the operator.
    pub operator_name: String,
    /// The name of the store.
    pub store: String,
    /// The number of partitions.
    pub partitions: i32,
}

/// Keys and values of a store, as columns of structs.
#[derive(Clone, Debug)]
pub struct StateRows {
    /// The keys.
    pub keys: ArrayRef,
    /// The values; null where a key was removed.
    pub values: ArrayRef,
}

/// The name of a store if one is called so.
pub fn store_named(name: &str) -> Option<&'static str> {
    std::iter::once(DEFAULT).chain(JOIN_STORES).find(|known| *known == name)
}

/// The stores that the checkpoint names, by operator.
pub fn known_stores(world: &mut World, checkpoint: &str) -> Result<Vec<KnownStore>> {
    known_operators(world, checkpoint)
}

/// The schemas of the keys and the values of a store, if the checkpoint has them.
pub fn read_schema(
    world: &mut World,
    checkpoint: &str,
    operator: usize,
    name: &'static str,
) -> Option<(StructType, StructType)> {
    let folder = StoreId { operator, partition: 0, name }.folder(checkpoint);
    read_schema_file(&world.get(&format!("{folder}/_metadata/schema")).ok()?)
}

/// The partitions of an operator that have a folder, ascending.
pub fn read_partitions(world: &mut World, checkpoint: &str, operator: usize) -> Vec<usize> {
    let mut found: Vec<usize> = world
        .children(&format!("{checkpoint}/state/{operator}"))
        .iter()
        .filter_map(|entry| match entry {
            Entry::Folder(path) => file_name(path.trim_end_matches('/')).parse().ok(),
            Entry::File(_) => None,
        })
        .collect();
    found.sort_unstable();
    found
}

/// The entries of a store after a batch.
///
/// Errors: a file is missing or damaged.
pub fn read_state(
    world: &mut World,
    checkpoint: &str,
    id: &StoreId,
    batch: i64,
    schemas: &(StructType, StructType),
) -> Result<StateRows> {
    let store = load(world, checkpoint, id, batch + 1, "")?;
    let keys: Vec<&[u8]> = store.iter().map(|(key, _)| &key[..]).collect();
    let values: Vec<&[u8]> = store.iter().map(|(_, value)| &value[..]).collect();
    Ok(StateRows { keys: structs(&schemas.0, &keys, None)?, values: structs(&schemas.1, &values, None)? })
}

/// What a batch has changed in a store, in the order of the changes.
///
/// Errors: the file is missing or damaged.
pub fn read_changes(
    world: &mut World,
    checkpoint: &str,
    id: &StoreId,
    batch: i64,
    schemas: &(StructType, StructType),
) -> Result<StateRows> {
    let changes = changes(world, checkpoint, id, batch + 1, "")?;
    let keys: Vec<&[u8]> = changes.iter().map(|(key, _)| &key[..]).collect();
    let nulls: NullBuffer = changes.iter().map(|(_, value)| value.is_some()).collect();
    let values: Vec<&[u8]> = changes.iter().filter_map(|(_, value)| value.as_deref()).collect();
    Ok(StateRows {
        keys: structs(&schemas.0, &keys, None)?,
        values: structs(&schemas.1, &values, Some(nulls))?,
    })
}

/// Rows as a column of structs; where `nulls` has no row, the struct is null.
fn structs(schema: &StructType, rows: &[&[u8]], nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let types: Vec<DataType> = schema.fields.iter().map(|f| f.data_type.clone()).collect();
    let mut columns = decode(&types, rows)?;
    let length = nulls.as_ref().map_or(rows.len(), NullBuffer::len);
    let data_type = DataType::Struct(schema.clone());
    let Some(nulls) = nulls else { return made(columns, length, None, &data_type) };
    if rows.is_empty() {
        return Ok(new_null_array(&data_type.to_arrow(), length));
    }
    let mut next = 0;
    let places = nulls.iter().map(|valid| {
        next += u32::from(valid);
        valid.then(|| next - 1)
    });
    let places: UInt32Array = places.collect();
    for column in &mut columns {
        *column = arrow::compute::take(column, &places, None).map_err(internal)?;
    }
    made(columns, length, Some(nulls), &data_type)
}

fn made(
    columns: Vec<ArrayRef>,
    length: usize,
    nulls: Option<NullBuffer>,
    data_type: &DataType,
) -> Result<ArrayRef> {
    let DataType::Struct(schema) = data_type else { unreachable!("rows are structs") };
    let columns = conform_columns(&columns, &schema.fields)?;
    let fields = schema.to_arrow().fields;
    let array = StructArray::try_new_with_length(fields, columns, nulls, length).map_err(internal)?;
    Ok(Arc::new(array))
}
