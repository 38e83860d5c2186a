//! What a checkpoint says about its stateful operators: `_metadata/metadata` names them, `_metadata/schema` has the
//! types of their keys and values. Written by the first batch, checked by every run that goes on.

use serde_json::{Value, json};
use tidemark_types::{ErrorClass, SparkError, StructType};
use tidemark_world::{Entry, World};

use crate::error::Result;
use crate::state::operator::{StatefulOperator, StoreShape};
use crate::state::reader::KnownStore;
use crate::state::schema_text::schema_text;
use crate::state::store::StoreId;
use crate::stream::log::read_text;

/// A file that the first batch writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateFile {
    /// The path below the checkpoint.
    pub(crate) path: String,
    /// The content.
    pub(crate) bytes: Vec<u8>,
}

/// The files about these operators, in the order in which they are written.
pub(crate) fn state_files(operators: &[StatefulOperator]) -> Vec<StateFile> {
    operators
        .iter()
        .flat_map(|operator| {
            let stores: Vec<Value> = operator
                .stores
                .iter()
                .map(|store| {
                    json!({
                        "storeName": store.name,
                        "numColsPrefixKey": store.prefix,
                        "numPartitions": operator.shuffle_partitions,
                    })
                })
                .collect();
            let text = json!({
                "operatorInfo": {"operatorId": operator.id, "operatorName": operator.name()},
                "stateStoreInfo": stores,
            });
            let named = StateFile {
                path: format!("state/{}/_metadata/metadata", operator.id),
                bytes: format!("v1\n{text}").into_bytes(),
            };
            let schemas = operator
                .stores
                .iter()
                .map(|store| StateFile { path: schema_path(operator.id, store), bytes: schema_file(store) });
            std::iter::once(named).chain(schemas).collect::<Vec<_>>()
        })
        .collect()
}

/// Only the first partition has a schema file.
fn schema_path(operator: usize, store: &StoreShape) -> String {
    format!("{}/_metadata/schema", StoreId { operator, partition: 0, name: store.name }.folder_below())
}

/// Java's `DataOutputStream`: the version, then key and value schema, each as a number of pieces and the pieces.
fn schema_file(store: &StoreShape) -> Vec<u8> {
    let mut out = Vec::new();
    write_utf(&mut out, "v2");
    for schema in [&store.keys, &store.values] {
        let text = schema.to_json();
        let pieces = pieces_of(&text);
        out.extend_from_slice(&(pieces.len() as u32).to_be_bytes());
        pieces.iter().for_each(|piece| write_utf(&mut out, piece));
    }
    out
}

/// A text in pieces that `writeUTF` can take: of at most 65,535 bytes.
fn pieces_of(text: &str) -> Vec<&str> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while !rest.is_empty() {
        let mut end = rest.len().min(usize::from(u16::MAX));
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, others) = rest.split_at(end);
        pieces.push(piece);
        rest = others;
    }
    pieces
}

fn write_utf(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u16).to_be_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// The key and the value schema of a schema file.
pub(super) fn read_schema_file(bytes: &[u8]) -> Option<(StructType, StructType)> {
    fn utf<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
        let length = u16::from_be_bytes(bytes.get(..2)?.try_into().ok()?) as usize;
        let text = std::str::from_utf8(bytes.get(2..2 + length)?).ok()?;
        *bytes = &bytes[2 + length..];
        Some(text)
    }
    fn schema(bytes: &mut &[u8]) -> Option<StructType> {
        let pieces = u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?);
        *bytes = &bytes[4..];
        let mut text = String::new();
        for _ in 0..pieces {
            text.push_str(utf(bytes)?);
        }
        StructType::from_json(&text).ok()
    }
    let mut rest = bytes;
    if utf(&mut rest)? != "v2" {
        return None;
    }
    Some((schema(&mut rest)?, schema(&mut rest)?))
}

/// Checks the operators of a query that goes on against what the checkpoint says.
///
/// Errors: no state where there should be some; other operators; other types of keys or values.
pub(crate) fn check_state(
    world: &mut World,
    checkpoint: &str,
    operators: &[StatefulOperator],
    check_schema: bool,
) -> Result<()> {
    let now: Vec<(i64, String)> = operators.iter().map(|o| (o.id as i64, o.name().to_owned())).collect();
    let mut known: Vec<(i64, String)> =
        known_operators(world, checkpoint)?.into_iter().map(|s| (s.operator, s.operator_name)).collect();
    known.dedup();
    // A checkpoint of before the days of these files says nothing about its operators.
    let nameless = known.is_empty() && !world.children(&format!("{checkpoint}/state")).is_empty();
    if known.is_empty() && !now.is_empty() && !nameless {
        let list = operator_list(&now);
        let text = format!(
            "Cannot restart streaming query with stateful operators because the state directory is empty or missing.\n\
             Stateful operators in current batch: [{list}].\n\
             This typically occurs when state files have been deleted or the streaming query was previously run without \
             stateful operators but restarted with stateful operators.\n\
             Please remove the stateful operators, use a new checkpoint location, or restore the missing state files."
        );
        let condition = "STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY";
        return Err(SparkError::new(ErrorClass::Spark, condition, "42K03", text)
            .with_parameter("OpsInCurBatchSeq", list)
            .into());
    }
    if known != now && !nameless {
        let (old, new) = (operator_list(&known), operator_list(&now));
        let text = format!(
            "Streaming stateful operator name does not match with the operator in state metadata. This likely to \
             happen when user adds/removes/changes stateful operator of existing streaming query.\n\
             Stateful operators in the metadata: [{old}]; Stateful operators in current batch: [{new}]."
        );
        let condition = "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA";
        return Err(SparkError::new(ErrorClass::Spark, condition, "42K03", text)
            .with_parameter("OpsInMetadataSeq", old)
            .with_parameter("OpsInCurBatchSeq", new)
            .into());
    }
    if check_schema {
        for operator in operators {
            for store in &operator.stores {
                check_store(world, &format!("{checkpoint}/{}", schema_path(operator.id, store)), store)?;
            }
        }
    }
    Ok(())
}

fn operator_list(operators: &[(i64, String)]) -> String {
    let texts: Vec<String> =
        operators.iter().map(|(id, name)| format!("(OperatorId: {id} -> OperatorName: {name})")).collect();
    texts.join(", ")
}

/// The stores of the operators that the checkpoint names, by their numbers.
pub(super) fn known_operators(world: &mut World, checkpoint: &str) -> Result<Vec<KnownStore>> {
    let mut known = Vec::new();
    for entry in world.children(&format!("{checkpoint}/state")) {
        let Entry::Folder(folder) = entry else { continue };
        let Some(text) = read_text(world, &format!("{folder}/_metadata/metadata"))? else { continue };
        let json = text.split_once('\n').map_or("", |(_, json)| json);
        let value: Value = serde_json::from_str(json).unwrap_or_default();
        let info = &value["operatorInfo"];
        let (Some(operator), Some(name)) = (info["operatorId"].as_i64(), info["operatorName"].as_str())
        else {
            continue;
        };
        let stores = value["stateStoreInfo"].as_array().map(Vec::as_slice).unwrap_or_default();
        known.extend(stores.iter().map(|store| KnownStore {
            operator,
            operator_name: name.to_owned(),
            store: store["storeName"].as_str().unwrap_or_default().to_owned(),
            partitions: store["numPartitions"].as_i64().unwrap_or(0) as i32,
        }));
    }
    known.sort_by_key(|store| store.operator);
    Ok(known)
}

fn check_store(world: &mut World, path: &str, store: &StoreShape) -> Result<()> {
    let Ok(bytes) = world.get(path) else { return Ok(()) };
    let Some((keys, values)) = read_schema_file(&bytes) else { return Ok(()) };
    check_schema("key", &keys, &store.keys)?;
    check_schema("value", &values, &store.values)
}

/// Positions and types must agree, names need not; what held no nulls must not begin to.
fn check_schema(part: &str, stored: &StructType, new: &StructType) -> Result<()> {
    if is_compatible(stored, new) {
        return Ok(());
    }
    let (stored, new) = (schema_text(stored), schema_text(new));
    let text = format!(
        "Provided {part} schema does not match existing state {part} schema.\n\
         Please check number and type of fields.\n\
         Existing {part}_schema={stored} and new {part}_schema={new}.\n\
         If you want to force running the query without schema validation, please set \
         spark.sql.streaming.stateStore.stateSchemaCheck to false.\n\
         However, please note that running the query with incompatible schema could cause non-deterministic behavior."
    );
    let (condition, names) = if part == "key" {
        ("STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", ["storedKeySchema", "newKeySchema"])
    } else {
        ("STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", ["storedValueSchema", "newValueSchema"])
    };
    Err(SparkError::new(ErrorClass::UnsupportedOperation, condition, "XXKST", text)
        .with_parameter(names[0], stored)
        .with_parameter(names[1], new)
        .into())
}

fn is_compatible(stored: &StructType, new: &StructType) -> bool {
    use tidemark_types::DataType::{Array, Map, Struct};
    fn same(stored: &tidemark_types::DataType, new: &tidemark_types::DataType) -> bool {
        match (stored, new) {
            (Array(stored, stored_nulls), Array(new, new_nulls)) => {
                (*stored_nulls || !new_nulls) && same(stored, new)
            }
            (Map(stored_key, stored, stored_nulls), Map(new_key, new, new_nulls)) => {
                (*stored_nulls || !new_nulls) && same(stored_key, new_key) && same(stored, new)
            }
            (Struct(stored), Struct(new)) => is_compatible(stored, new),
            (stored, new) => stored == new,
        }
    }
    stored.fields.len() == new.fields.len()
        && stored
            .fields
            .iter()
            .zip(&new.fields)
            .all(|(s, n)| (s.nullable || !n.nullable) && same(&s.data_type, &n.data_type))
}

#[cfg(test)]
mod tests {
    use tidemark_types::{DataType, StructField};

    use super::*;
    use crate::state::operator::StatefulKind;

    fn operator(value: StructField) -> StatefulOperator {
        StatefulOperator {
            id: 0,
            kind: StatefulKind::Aggregate,
            stores: vec![StoreShape {
                name: "default",
                keys: StructType::new(vec![StructField::new("k", DataType::String, true)]),
                values: StructType::new(vec![value]),
                prefix: 0,
            }],
            partitions: 1,
            shuffle_partitions: 1,
            watermarked: false,
        }
    }

    #[test]
    fn the_bytes_are_those_of_spark() {
        let sum = operator(StructField::new("sum", DataType::Long, true));
        let files = state_files(std::slice::from_ref(&sum));
        assert_eq!(
            String::from_utf8_lossy(&files[0].bytes),
            "v1\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"stateStoreSave\"},\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,\"numPartitions\":1}]}"
        );
        let schema = b"\x00\x02v2\x00\x00\x00\x01\x00W{\"type\":\"struct\",\"fields\":[{\"name\":\"k\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}\x00\x00\x00\x01\x00W{\"type\":\"struct\",\"fields\":[{\"name\":\"sum\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}}]}";
        assert_eq!(files[1].bytes, schema);
        assert_eq!(
            read_schema_file(schema),
            Some((sum.stores[0].keys.clone(), sum.stores[0].values.clone()))
        );
    }

    #[test]
    fn names_do_not_matter_and_types_do() {
        let of = |name: &str, data_type: DataType, nullable| {
            StructType::new(vec![StructField::new(name, data_type, nullable)])
        };
        for (stored, new, fits) in [
            (of("a", DataType::Long, true), of("b", DataType::Long, true), true),
            (of("a", DataType::Long, true), of("a", DataType::Integer, true), false),
            (of("a", DataType::Long, true), of("a", DataType::Long, false), true),
            (of("a", DataType::Long, false), of("a", DataType::Long, true), false),
        ] {
            assert_eq!(is_compatible(&stored, &new), fits, "{stored:?} {new:?}");
        }
    }
}
