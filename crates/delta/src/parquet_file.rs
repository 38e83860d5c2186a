//! Parquet bytes to batches and back, in Spark's types.
//!
//! Source: the mapping of types is that of Spark's `ParquetToSparkSchemaConverter` and its reverse.

use std::sync::Arc;

use arrow::array::{Array as _, ArrayRef, RecordBatch, new_null_array};
use arrow::datatypes::{DataType as Arrow, Field, FieldRef, Fields, Schema, TimeUnit};
use arrow::error::ArrowError;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::arrow_writer::{ArrowWriter, ArrowWriterOptions};
use parquet::basic::{Compression, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructField, StructType};

use crate::adapt::{ColumnNames, adapt};
use crate::cast::cast;
use crate::condition;
use crate::error::Result;

/// The key of the footer under which Spark keeps the schema of the rows.
const ROW_METADATA: &str = "org.apache.spark.sql.parquet.row.metadata";

/// Who writes our Parquet files: the form `name version number` is the one that readers parse.
const CREATED_BY: &str = concat!("Tidemark version ", env!("CARGO_PKG_VERSION"));

/// The schema that a Parquet file has by itself, with Spark's types, all nullable.
///
/// Shape: Spark's own row metadata in the footer wins over the physical types; `path` is only for the error.
/// Errors: `FAILED_READ_FILE.NO_HINT`.
pub fn read_schema(path: &str, bytes: &Bytes) -> Result<StructType> {
    let metadata = open(bytes).map_err(|error| broken(path, &error))?;
    let noted = metadata
        .metadata()
        .file_metadata()
        .key_value_metadata()
        .into_iter()
        .flatten()
        .find(|pair| pair.key == ROW_METADATA)
        .and_then(|pair| StructType::from_json(pair.value.as_deref()?).ok());
    if let Some(schema) = noted {
        return Ok(schema.as_nullable());
    }
    let fields = metadata.schema().fields().iter().map(|field| {
        spark_type(field.data_type())
            .map(|data_type| StructField::new(field.name(), data_type, true))
            .ok_or_else(|| broken(path, &format!("{} has no type in Spark", field.data_type())))
    });
    Ok(StructType::new(fields.collect::<Result<_, _>>()?))
}

/// The rows of a Parquet file as these columns: found by name without case, cast to the wanted type, null where missing.
///
/// Shape: `path` is only for the error. Errors: `FAILED_READ_FILE.NO_HINT`.
pub fn read(path: &str, bytes: &Bytes, schema: &Arc<StructType>) -> Result<Batch> {
    read_columns(path, bytes, schema, ColumnNames::Logical)
}

pub(crate) fn read_columns(
    path: &str,
    bytes: &Bytes,
    schema: &Arc<StructType>,
    names: ColumnNames,
) -> Result<Batch> {
    let metadata = open(bytes).map_err(|error| broken(path, &error))?;
    let rows = usize::try_from(metadata.metadata().file_metadata().num_rows()).unwrap_or(0);
    let roots: Vec<Option<usize>> =
        schema.fields.iter().map(|field| names.find(metadata.schema().fields(), field)).collect();
    let found = read_roots(bytes, metadata, &roots, rows).map_err(|error| broken(path, &error))?;
    let columns = schema
        .fields
        .iter()
        .zip(found)
        .map(|(field, column)| match column {
            Some(array) => adapt(&array, &field.data_type, names),
            None => Ok(new_null_array(&field.data_type.to_arrow(), rows)),
        })
        .collect::<Result<Vec<ArrayRef>, ArrowError>>()
        .map_err(|error| broken(path, &error))?;
    Ok(Batch::new(schema.clone(), columns, rows))
}

/// The columns at these positions of the file, each in one piece.
fn read_roots(
    bytes: &Bytes,
    metadata: ArrowReaderMetadata,
    roots: &[Option<usize>],
    rows: usize,
) -> Result<Vec<Option<ArrayRef>>, ParquetError> {
    let wanted: Vec<usize> = roots.iter().flatten().copied().collect();
    if wanted.is_empty() {
        return Ok(vec![None; roots.len()]);
    }
    let file_schema = metadata.schema().clone();
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes.clone(), metadata);
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
    let reader = builder.with_projection(mask).with_batch_size(rows.max(1)).build()?;
    let batches = reader.collect::<Result<Vec<RecordBatch>, ArrowError>>()?;
    let mut order = wanted;
    order.sort_unstable();
    order.dedup();
    roots
        .iter()
        .map(|root| {
            let Some(root) = root else { return Ok(None) };
            let at = order.binary_search(root).map_err(|_| ParquetError::General("a lost column".into()))?;
            let parts: Vec<_> = batches.iter().map(|batch| batch.column(at).as_ref()).collect();
            Ok(Some(match parts.as_slice() {
                [] => arrow::array::new_empty_array(file_schema.field(*root).data_type()),
                _ => arrow::compute::concat(&parts)?,
            }))
        })
        .collect()
}

/// The footer, with INT96 read as microseconds in UTC and everything else as the physical types say.
fn open(bytes: &Bytes) -> Result<ArrowReaderMetadata, ParquetError> {
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let metadata = ArrowReaderMetadata::load(bytes, options)?;
    let leaves = metadata.parquet_schema().columns();
    if leaves.iter().all(|leaf| leaf.physical_type() != Physical::INT96) {
        return Ok(metadata);
    }
    let fields: Fields = metadata.schema().fields().iter().map(micros_for_nanos).collect();
    let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
    ArrowReaderMetadata::try_new(metadata.metadata().clone(), options)
}

fn micros_for_nanos(field: &FieldRef) -> FieldRef {
    let inner = match field.data_type() {
        Arrow::Timestamp(TimeUnit::Nanosecond, None) => {
            Arrow::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
        }
        Arrow::List(element) => Arrow::List(micros_for_nanos(element)),
        Arrow::Map(entries, sorted) => Arrow::Map(micros_for_nanos(entries), *sorted),
        Arrow::Struct(fields) => Arrow::Struct(fields.iter().map(micros_for_nanos).collect()),
        other => other.clone(),
    };
    Arc::new(Field::clone(field).with_data_type(inner))
}

/// Spark's type for an Arrow one, unsigned integers among them.
fn spark_type(arrow: &Arrow) -> Option<DataType> {
    Some(match arrow {
        Arrow::UInt8 => DataType::Short,
        Arrow::UInt16 => DataType::Integer,
        Arrow::UInt32 => DataType::Long,
        Arrow::UInt64 => DataType::Decimal(20, 0),
        other => DataType::from_arrow(other)?,
    })
}

/// The rows as one Parquet file: Snappy, Spark's physical types, Spark's row metadata in the footer.
///
/// Shape: columns of type void are left out. Errors: the text of the Parquet library without a condition.
pub fn write(batch: &Batch) -> Result<Bytes> {
    write_parquet(batch).map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()).into())
}

fn write_parquet(batch: &Batch) -> Result<Bytes, ParquetError> {
    let kept =
        batch.schema().fields.iter().zip(batch.columns()).filter(|(f, _)| f.data_type != DataType::Null);
    let (fields, columns): (Vec<StructField>, Vec<ArrayRef>) =
        kept.map(|(f, c)| (f.clone(), c.clone())).unzip();
    let row_metadata = StructType::new(fields.clone()).to_json();
    let columns = columns.iter().map(physical).collect::<Result<Vec<_>, _>>()?;
    let schema: Fields = fields
        .iter()
        .zip(&columns)
        .map(|(field, column)| Field::new(&field.name, column.data_type().clone(), field.nullable))
        .collect();
    let record = RecordBatch::try_new_with_options(
        Arc::new(Schema::new(schema)),
        columns,
        &arrow::array::RecordBatchOptions::new().with_row_count(Some(batch.rows())),
    )?;
    encode(&record, Some(row_metadata))
}

/// A record batch as Parquet bytes, with the row metadata if there is one.
pub(crate) fn encode(record: &RecordBatch, row_metadata: Option<String>) -> Result<Bytes, ParquetError> {
    let pairs = row_metadata.map(|text| vec![KeyValue::new(ROW_METADATA.to_owned(), text)]);
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_created_by(CREATED_BY.to_owned())
        .set_key_value_metadata(pairs)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .build();
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true)
        .with_schema_root("spark_schema".to_owned());
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, record.schema(), options)?;
    writer.write(record)?;
    writer.close()?;
    Ok(Bytes::from(bytes))
}

/// Intervals become the integers that Spark stores.
fn physical(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        Arrow::Duration(_) => cast(column, &Arrow::Int64),
        Arrow::Interval(_) => cast(column, &Arrow::Int32),
        _ => Ok(column.clone()),
    }
}

fn broken(path: &str, reason: &impl ToString) -> SparkError {
    condition::failed_read_file(path, &reason.to_string())
}
