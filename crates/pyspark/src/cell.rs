//! Cells of a batch as Python values: what `collect()` gives.

use std::rc::Rc;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray as _};
use arrow::datatypes as a;
use tidemark_python::{Machine, Value};
use tidemark_types::{Batch, DataType};

use crate::object::{Object, Objects};

/// The rows of a batch as `Row` objects.
pub(crate) fn rows(machine: &mut Machine, objects: &mut Objects, batch: &Batch) -> Vec<Value> {
    let names = Arc::new(batch.schema().names().iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
    (0..batch.rows())
        .map(|row| {
            let values = batch
                .schema()
                .fields
                .iter()
                .zip(batch.columns())
                .map(|(field, column)| cell(machine, objects, column, &field.data_type, row))
                .collect();
            row_object(machine, objects, names.clone(), values)
        })
        .collect()
}

/// One cell.
// tidy: table
pub(crate) fn cell(
    machine: &mut Machine,
    objects: &mut Objects,
    array: &ArrayRef,
    data_type: &DataType,
    row: usize,
) -> Value {
    if array.is_null(row) {
        return Value::None;
    }
    match data_type {
        DataType::Null => Value::None,
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Byte => Value::Int(array.as_primitive::<a::Int8Type>().value(row).into()),
        DataType::Short => Value::Int(array.as_primitive::<a::Int16Type>().value(row).into()),
        DataType::Integer => Value::Int(array.as_primitive::<a::Int32Type>().value(row).into()),
        DataType::Long => Value::Int(array.as_primitive::<a::Int64Type>().value(row)),
        DataType::Float => Value::Float(array.as_primitive::<a::Float32Type>().value(row).into()),
        DataType::Double => Value::Float(array.as_primitive::<a::Float64Type>().value(row)),
        DataType::Decimal(_, scale) => {
            let unscaled = array.as_primitive::<a::Decimal128Type>().value(row);
            machine.new_decimal(&decimal_text(unscaled, *scale))
        }
        DataType::String => Value::str(array.as_string::<i32>().value(row)),
        DataType::Binary => Value::bytes(array.as_binary::<i32>().value(row)),
        DataType::Date => machine.new_date(array.as_primitive::<a::Date32Type>().value(row)),
        DataType::Timestamp | DataType::TimestampNtz => {
            let micros = array.as_primitive::<a::TimestampMicrosecondType>().value(row);
            machine.new_datetime(micros)
        }
        DataType::DayTimeInterval => {
            let micros = array.as_primitive::<a::DurationMicrosecondType>().value(row);
            machine.new_timedelta(micros)
        }
        DataType::YearMonthInterval => {
            Value::Int(array.as_primitive::<a::IntervalYearMonthType>().value(row).into())
        }
        DataType::Array(element, _) => {
            let inner = array.as_list::<i32>().value(row);
            let items = (0..inner.len()).map(|at| cell(machine, objects, &inner, element, at)).collect();
            machine.new_list(items)
        }
        DataType::Map(key, value, _) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0).clone(), entries.column(1).clone());
            let items = (0..entries.len())
                .map(|at| {
                    (cell(machine, objects, &keys, key, at), cell(machine, objects, &values, value, at))
                })
                .collect();
            machine.new_dict(items)
        }
        DataType::Struct(schema) => {
            let inner = array.as_struct();
            let names = Arc::new(schema.names().iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
            let values = schema
                .fields
                .iter()
                .zip(inner.columns())
                .map(|(field, column)| cell(machine, objects, column, &field.data_type, row))
                .collect();
            row_object(machine, objects, names, values)
        }
    }
}

/// A `Row`; the machine keeps what it holds alive.
pub(crate) fn row_object(
    machine: &mut Machine,
    objects: &mut Objects,
    names: Arc<Vec<String>>,
    values: Vec<Value>,
) -> Value {
    for value in values.iter().filter(|value| matches!(value, Value::Obj(_))) {
        machine.keep(value);
    }
    objects.add(Object::Row(names, Rc::new(values)))
}

fn decimal_text(unscaled: i128, scale: i8) -> String {
    let scale = scale.max(0) as usize;
    let digits = format!("{:0>width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    let sign = if unscaled < 0 { "-" } else { "" };
    if scale == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}
