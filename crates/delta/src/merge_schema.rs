//! The schema of a write: the data's columns met with the table's, merged or refused.
//!
//! Source: Delta's `SchemaMergingUtils.mergeSchemas` and `ImplicitMetadataOperation.updateMetadata`.

use tidemark_types::{DataType, SparkError, StructField, StructType};

use crate::condition;
use crate::error::Result;
use crate::schema_text::catalyst_name;
use crate::snapshot::Snapshot;
use crate::write::{Casts, WriteMode, WriteRequest};

/// The characters that a column name may not hold without column mapping.
const INVALID_CHARACTERS: &str = " ,;{}()\n\t=";

/// The schema and partitioning that the table has after the write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableShape {
    pub(crate) schema: StructType,
    pub(crate) partition_columns: Vec<String>,
    /// Whether the commit carries a `metaData` line for it.
    pub(crate) changed: bool,
}

/// Decides the shape from the snapshot and the request, or refuses the data.
pub(crate) fn decide_shape(snapshot: Option<&Snapshot>, request: &WriteRequest) -> Result<TableShape> {
    refuse_duplicates(&request.data_schema, "in the data to save")?;
    let data = nullable(&request.data_schema);
    let Some(snapshot) = snapshot else {
        // Only a definition may say NOT NULL.
        let defined = request.operation.name == "CREATE TABLE";
        let schema = if defined { (*request.data_schema).clone() } else { data };
        return new_shape(schema, request.partition_by.as_deref());
    };
    let table = snapshot.schema();
    let replaces = request.mode == WriteMode::Overwrite && request.overwrite_schema;
    let merged = if replaces { data.clone() } else { merge(table, &data, request.casts)? };
    let is_new_schema = merged != **table;
    let given = request.partition_by.as_deref().unwrap_or_default();
    let is_new_partitioning = !given.is_empty() && given != snapshot.partition_columns();
    if !is_new_schema && !is_new_partitioning {
        refuse_missing_not_null(table, &data)?;
        return Ok(TableShape {
            schema: merged,
            partition_columns: snapshot.partition_columns().to_vec(),
            changed: false,
        });
    }
    if replaces {
        return new_shape(merged, Some(given));
    }
    if is_new_schema && request.merge_schema && !is_new_partitioning {
        refuse_characters(&merged)?;
        refuse_missing_not_null(table, &data)?;
        return Ok(TableShape {
            schema: merged,
            partition_columns: snapshot.partition_columns().to_vec(),
            changed: true,
        });
    }
    let mut details = Vec::new();
    if is_new_schema {
        details.push(condition::schema_mismatch_text(snapshot.table_id(), table, &data));
    }
    if is_new_partitioning {
        details.push(condition::partitioning_mismatch_text(given, snapshot.partition_columns()));
    }
    if request.mode == WriteMode::Overwrite {
        details.push(condition::overwrite_required_text());
    }
    Err(condition::metadata_mismatch(&details).into())
}

fn new_shape(schema: StructType, partition_by: Option<&[String]>) -> Result<TableShape> {
    refuse_characters(&schema)?;
    let mut partition_columns = Vec::new();
    for name in partition_by.unwrap_or_default() {
        let Some(index) = schema.index_of(name) else {
            return Err(condition::partition_column_not_found(name, &schema).into());
        };
        partition_columns.push(schema.fields[index].name.clone());
    }
    if !partition_columns.is_empty() && partition_columns.len() == schema.fields.len() {
        return Err(condition::all_columns_for_partition().into());
    }
    Ok(TableShape { schema, partition_columns, changed: true })
}

fn refuse_duplicates(schema: &StructType, place: &str) -> Result<()> {
    let mut seen: Vec<String> = Vec::new();
    let mut twice: Vec<String> = Vec::new();
    for field in &schema.fields {
        let name = field.name.to_lowercase();
        if seen.contains(&name) && !twice.contains(&name) {
            twice.push(name);
        } else {
            seen.push(name);
        }
    }
    if twice.is_empty() { Ok(()) } else { Err(condition::duplicate_columns(place, &twice).into()) }
}

fn refuse_characters(schema: &StructType) -> Result<()> {
    let bad: Vec<&str> = schema
        .names()
        .into_iter()
        .filter(|name| name.chars().any(|c| INVALID_CHARACTERS.contains(c)))
        .collect();
    if bad.is_empty() { Ok(()) } else { Err(condition::invalid_characters(&bad).into()) }
}

fn refuse_missing_not_null(table: &StructType, data: &StructType) -> Result<()> {
    match table.fields.iter().find(|field| !field.nullable && data.index_of(&field.name).is_none()) {
        Some(field) => Err(condition::missing_not_null_column(&field.name).into()),
        None => Ok(()),
    }
}

/// The same columns, nullable at every depth.
pub(crate) fn nullable(schema: &StructType) -> StructType {
    let fields = schema.fields.iter().map(|field| StructField {
        nullable: true,
        data_type: nullable_type(&field.data_type),
        ..field.clone()
    });
    StructType::new(fields.collect())
}

fn nullable_type(data_type: &DataType) -> DataType {
    match data_type {
        DataType::Struct(inner) => DataType::Struct(nullable(inner)),
        DataType::Array(element, _) => DataType::Array(Box::new(nullable_type(element)), true),
        DataType::Map(key, value, _) => {
            DataType::Map(Box::new(nullable_type(key)), Box::new(nullable_type(value)), true)
        }
        simple => simple.clone(),
    }
}

/// The table's columns in their order with merged types, then the data's new ones.
fn merge(table: &StructType, data: &StructType, casts: Casts) -> Result<StructType, SparkError> {
    let mut fields = Vec::with_capacity(table.fields.len());
    for field in &table.fields {
        let merged = match data.index_of(&field.name) {
            None => field.data_type.clone(),
            Some(index) => merge_type(&field.data_type, &data.fields[index].data_type, casts)
                .map_err(|cause| condition::merge_fields(&field.name, &data.fields[index].name, cause))?,
        };
        fields.push(StructField { data_type: merged, ..field.clone() });
    }
    fields.extend(data.fields.iter().filter(|field| table.index_of(&field.name).is_none()).cloned());
    Ok(StructType::new(fields))
}

fn merge_type(table: &DataType, data: &DataType, casts: Casts) -> Result<DataType, SparkError> {
    use DataType::{Array, Byte, Decimal, Integer, Map, Null, Short, Struct};
    Ok(match (table, data) {
        (Struct(table), Struct(data)) => Struct(merge(table, data, casts)?),
        (Array(table, nulls), Array(data, _)) => Array(Box::new(merge_type(table, data, casts)?), *nulls),
        (Map(key, value, nulls), Map(data_key, data_value, _)) => Map(
            Box::new(merge_type(key, data_key, casts)?),
            Box::new(merge_type(value, data_value, casts)?),
            *nulls,
        ),
        (table, data) if table == data => table.clone(),
        (table, Null) => table.clone(),
        (Null, data) => data.clone(),
        (table, data) if casts == Casts::Implicit && is_castable(data, table) => table.clone(),
        (Byte | Short | Integer, Byte | Short | Integer) => table.max(data).clone(),
        (Decimal(p1, s1), Decimal(p2, s2)) => {
            let ranges = match (p1 != p2, s1 != s2) {
                (true, true) => format!("precision {p1} and {p2} & scale {s1} and {s2}"),
                (true, false) => format!("precision {p1} and {p2}"),
                _ => format!("scale {s1} and {s2}"),
            };
            return Err(condition::incompatible_decimal(&ranges));
        }
        (table, data) => {
            return Err(condition::incompatible_type(&catalyst_name(table), &catalyst_name(data)));
        }
    })
}

/// Whether Spark casts by itself: its implicit casts without ANSI mode.
fn is_castable(from: &DataType, to: &DataType) -> bool {
    use DataType::{Array, Binary, Date, Map, Null, String, Struct, Timestamp, TimestampNtz};
    let is_time = |t: &DataType| matches!(t, Date | Timestamp | TimestampNtz);
    match (from, to) {
        (Null, _) => true,
        (String, to) => to.is_numeric() || is_time(to) || *to == Binary,
        (Array(..) | Map(..) | Struct(_), _) => false,
        (_, String) => true,
        (from, to) => (from.is_numeric() && to.is_numeric()) || (is_time(from) && is_time(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DataType::{Boolean, Byte, Date, Double, Integer, Long, String, Timestamp};

    fn one(data_type: &DataType) -> StructType {
        StructType::new(vec![StructField::new("v", data_type.clone(), true)])
    }

    #[test]
    fn types_meet_as_the_way_of_writing_says() {
        let cases = [
            (Long, Integer, Casts::Implicit, Ok(Long)),
            (Integer, Long, Casts::Implicit, Ok(Integer)),
            (Integer, Long, Casts::Strict, Err("IntegerType and LongType")),
            (Long, Integer, Casts::Strict, Err("LongType and IntegerType")),
            (Byte, Integer, Casts::Strict, Ok(Integer)),
            (Integer, Byte, Casts::Strict, Ok(Integer)),
            (String, Double, Casts::Implicit, Ok(String)),
            (Timestamp, Date, Casts::Implicit, Ok(Timestamp)),
            (Date, Long, Casts::Implicit, Err("DateType and LongType")),
            (Boolean, Long, Casts::Implicit, Err("BooleanType and LongType")),
            (Long, Boolean, Casts::Implicit, Err("LongType and BooleanType")),
            (
                DataType::Struct(one(&Integer)),
                String,
                Casts::Implicit,
                Err("StructType(StructField(v,IntegerType,true)) and StringType"),
            ),
            (
                DataType::Array(Box::new(String), true),
                String,
                Casts::Implicit,
                Err("ArrayType(StringType,true) and StringType"),
            ),
        ];
        for (table, data, casts, expected) in cases {
            let merged = merge(&one(&table), &one(&data), casts);
            match expected {
                Ok(data_type) => assert_eq!(merged.expect("the types meet"), one(&data_type)),
                Err(text) => {
                    let error = merged.expect_err("the types do not meet");
                    assert_eq!(error.condition.0, "DELTA_FAILED_TO_MERGE_FIELDS");
                    assert_eq!(error.message, "Failed to merge fields 'v' and 'v'");
                    let cause = error.cause.expect("there is a cause");
                    assert_eq!(cause.message, format!("Failed to merge incompatible data types {text}"));
                }
            }
        }
    }
}
