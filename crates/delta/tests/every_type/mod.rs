//! A table of all types, written by micro-batches, and its copy on a real disk.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array,
    Int16Array, Int32Array, Int64Array, ListArray, MapArray, StringArray, StructArray,
    TimestampMicrosecondArray,
};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::DataType as Arrow;
use tidemark_delta::{
    Operation, OutputMode, Prepared, TableWrite, WriteMode, WriteRequest, maybe_checkpoint,
};
use tidemark_types::{Batch, DataType, Millis, SimTime, StructField, StructType};
use tidemark_world::World;

/// The id under which the batches are noted.
pub(crate) const APP: &str = "9f1f1a52-1f6e-4f2b-9d6c-0d4a4ff7a001";

/// The columns, one of each type.
pub(crate) fn schema() -> StructType {
    let point = StructType::new(vec![
        StructField::new("p", DataType::Integer, true),
        StructField::new("q", DataType::String, true),
    ]);
    let columns = [
        ("l", DataType::Long),
        ("i", DataType::Integer),
        ("sh", DataType::Short),
        ("b", DataType::Byte),
        ("f", DataType::Float),
        ("d", DataType::Double),
        ("de", DataType::Decimal(10, 2)),
        ("de2", DataType::Decimal(25, 2)),
        ("s", DataType::String),
        ("bi", DataType::Binary),
        ("bo", DataType::Boolean),
        ("da", DataType::Date),
        ("ts", DataType::Timestamp),
        ("a", DataType::Array(Box::new(DataType::Integer), true)),
        ("m", DataType::Map(Box::new(DataType::String), Box::new(DataType::Integer), true)),
        ("st", DataType::Struct(point)),
    ];
    StructType::new(
        columns.into_iter().map(|(name, data_type)| StructField::new(name, data_type, true)).collect(),
    )
}

/// Two rows, the second with a null in every column but the first.
pub(crate) fn rows(number: i64) -> Batch {
    let schema = Arc::new(schema());
    let small = i32::try_from(number).expect("the number is small");
    let types: Vec<Arrow> = schema.fields.iter().map(|field| field.data_type.to_arrow()).collect();
    let (Arrow::List(element), Arrow::Map(entry, _)) = (&types[13], &types[14]) else {
        panic!("these columns are a list and a map")
    };
    let (Arrow::Struct(entry_fields), Arrow::Struct(point_fields)) = (entry.data_type(), &types[15]) else {
        panic!("these types are groups")
    };
    let one_of_two = || Some(NullBuffer::from(vec![true, false]));
    let entries = StructArray::new(
        entry_fields.clone(),
        vec![
            Arc::new(StringArray::from(vec!["k", "n"])),
            Arc::new(Int32Array::from(vec![Some(small), None])),
        ],
        None,
    );
    let point = StructArray::new(
        point_fields.clone(),
        vec![Arc::new(Int32Array::from(vec![small, 0])), Arc::new(StringArray::from(vec!["z", ""]))],
        one_of_two(),
    );
    let numbers = Arc::new(Int32Array::from(vec![Some(small), None, Some(3)]));
    let decimals = |p: u8, unscaled: i128| {
        Decimal128Array::from(vec![Some(unscaled), None]).with_precision_and_scale(p, 2).expect("it fits")
    };
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(vec![number * 2, number * 2 + 1])),
        Arc::new(Int32Array::from(vec![Some(small), None])),
        Arc::new(Int16Array::from(vec![Some(-2), None])),
        Arc::new(Int8Array::from(vec![Some(1), None])),
        Arc::new(Float32Array::from(vec![Some(1.5), None])),
        Arc::new(Float64Array::from(vec![Some(-0.25), None])),
        Arc::new(decimals(10, 125)),
        Arc::new(decimals(25, 1_234_567_890_123_456_789_050)),
        Arc::new(StringArray::from(vec![Some(format!("row {number} ä")), None])),
        Arc::new(BinaryArray::from(vec![Some(b"\x00\xff".as_slice()), None])),
        Arc::new(BooleanArray::from(vec![Some(true), None])),
        Arc::new(Date32Array::from(vec![Some(20_484), None])),
        Arc::new(
            TimestampMicrosecondArray::from(vec![Some(1_767_225_600_123_456), None]).with_timezone("UTC"),
        ),
        Arc::new(ListArray::new(element.clone(), OffsetBuffer::from_lengths([3, 0]), numbers, one_of_two())),
        Arc::new(MapArray::new(
            entry.clone(),
            OffsetBuffer::from_lengths([2, 0]),
            entries,
            one_of_two(),
            false,
        )),
        Arc::new(point),
    ];
    Batch::new(schema, columns, 2)
}

/// A World with a table at this path, made by so many micro-batches of two parts.
pub(crate) fn write(table_path: &str, batches: i64) -> World {
    let mut world = World::new("/", 3, SimTime(1_767_225_600_000));
    for batch_id in 0..batches {
        world.advance(Millis(1000));
        let operation = Operation::streaming_update(OutputMode::Append, APP, batch_id);
        let request = WriteRequest::new(table_path, Arc::new(schema()), WriteMode::Append, operation)
            .with_txn(APP, batch_id);
        let Prepared::Ready(write) = TableWrite::prepare(&mut world, request).expect("it is prepared") else {
            panic!("batch {batch_id} is new")
        };
        let mut adds = write.write_part(&mut world, 0, &rows(batch_id * 2)).expect("it is written");
        adds.extend(write.write_part(&mut world, 1, &rows(batch_id * 2 + 1)).expect("it is written"));
        let committed = write.commit(&mut world, adds).expect("it commits").expect("it makes a version");
        maybe_checkpoint(&mut world, table_path, committed.version).expect("the checkpoint is written");
    }
    world
}

/// Writes all objects below a path of the World into a folder.
pub(crate) fn export(world: &World, table_path: &str, folder: &Path) {
    for meta in world.peek_list(table_path) {
        let name = meta.path[table_path.len()..].trim_start_matches('/');
        let to = folder.join(name);
        std::fs::create_dir_all(to.parent().expect("a file lies in a folder")).expect("the folder is made");
        let object = world.peek(&meta.path).expect("it is listed");
        std::fs::write(to, &object.bytes).expect("the file is written");
    }
}
