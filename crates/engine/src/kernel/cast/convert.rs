//! From two types to the cast between them.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, BinaryArray, ListArray, MapArray, PrimitiveArray,
    StringArray, StructArray, new_null_array,
};
use arrow::buffer::OffsetBuffer;
use tidemark_plan::CastMode;
use tidemark_types::DataType;

use crate::error::{Error, Result};
use crate::kernel::cast::{number, parse, time};
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::{internal, unsupported};
use crate::kernel::number::arithmetic::map_checked;
use crate::kernel::text::constant::texts;

/// The values as another type.
// tidy: table
pub(crate) fn cast(
    value: &Value,
    from: &DataType,
    to: &DataType,
    mode: CastMode,
    context: &EvalContext,
) -> Result<Value> {
    let fails = mode == CastMode::Ansi;
    match (from, to) {
        (from, to) if from == to => Ok(value.clone()),
        (DataType::Null, _) => Ok(nulls(value, to)),
        (DataType::Binary, DataType::String) => Ok(text_of_bytes(value)),
        (_, DataType::String) => Ok(texts(value, from, context.zone)),
        (DataType::String, DataType::Binary) => Ok(bytes_of_text(value)),
        (DataType::String, _) => parse::of_text(value, to, fails, context),
        (DataType::Array(from_element, _), DataType::Array(to_element, _)) => {
            array(value, from_element, to_element, to, mode, context)
        }
        (DataType::Map(..), DataType::Map(..)) => map(value, from, to, mode, context),
        (DataType::Struct(from_fields), DataType::Struct(to_fields)) => {
            let types: Vec<_> = from_fields.fields.iter().map(|f| f.data_type.clone()).collect();
            let wanted: Vec<_> = to_fields.fields.iter().map(|f| f.data_type.clone()).collect();
            structure(value, &types, &wanted, to, mode, context)
        }
        (from, to) if is_time(from) || is_time(to) => time::cast(value, from, to, fails, context),
        (from, to) if is_scalar(from) && is_scalar(to) => number::cast(value, from, to, fails),
        (from, to) => Err(unsupported(format!("a cast of {} to {}", from.sql(), to.sql()))),
    }
}

fn is_time(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Date
            | DataType::Timestamp
            | DataType::TimestampNtz
            | DataType::DayTimeInterval
            | DataType::YearMonthInterval
    )
}

fn is_scalar(data_type: &DataType) -> bool {
    data_type.is_numeric() || *data_type == DataType::Boolean
}

/// As many nulls of a type.
pub(crate) fn nulls(value: &Value, to: &DataType) -> Value {
    Value::of(new_null_array(&to.to_arrow(), value.inner().len()), value.is_scalar())
}

/// Converts each value; `None` fails or gives null.
pub(crate) fn convert<A, O>(
    value: &Value,
    fails: bool,
    apply: impl Fn(A::Native) -> Option<O::Native>,
    fail: impl Fn(A::Native) -> Error,
) -> Result<Value>
where
    A: ArrowPrimitiveType,
    O: ArrowPrimitiveType,
{
    if fails {
        return map_checked::<A, O>(value, apply, fail);
    }
    let array = value.inner().as_primitive::<A>();
    let made: PrimitiveArray<O> = array.unary_opt(apply);
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

fn text_of_bytes(value: &Value) -> Value {
    let bytes = value.inner().as_binary::<i32>();
    let texts: StringArray = bytes.iter().map(|b| b.map(String::from_utf8_lossy)).collect();
    Value::of(Arc::new(texts), value.is_scalar())
}

fn bytes_of_text(value: &Value) -> Value {
    let bytes = BinaryArray::from(value.inner().as_string::<i32>().clone());
    Value::of(Arc::new(bytes), value.is_scalar())
}

/// The offsets from 0, and the range of values they cover.
fn covered(offsets: &OffsetBuffer<i32>) -> (OffsetBuffer<i32>, usize, usize) {
    let first = offsets[0];
    let last = offsets[offsets.len() - 1];
    let rebased: Vec<i32> = offsets.iter().map(|o| o - first).collect();
    (OffsetBuffer::new(rebased.into()), first as usize, (last - first) as usize)
}

fn array(
    value: &Value,
    from: &DataType,
    element: &DataType,
    to: &DataType,
    mode: CastMode,
    context: &EvalContext,
) -> Result<Value> {
    let list = value.inner().as_list::<i32>();
    let (offsets, first, length) = covered(list.offsets());
    let values = Value::array(list.values().slice(first, length));
    let values = cast(&values, from, element, mode, context)?.into_array(length)?;
    let arrow::datatypes::DataType::List(field) = to.to_arrow() else {
        return Err(unsupported(to.sql()));
    };
    let made = ListArray::try_new(field, offsets, values, list.nulls().cloned()).map_err(internal)?;
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

fn map(
    value: &Value,
    from: &DataType,
    to: &DataType,
    mode: CastMode,
    context: &EvalContext,
) -> Result<Value> {
    let (DataType::Map(from_key, from_value, _), DataType::Map(to_key, to_value, _)) = (from, to) else {
        return Err(unsupported(to.sql()));
    };
    let arrow::datatypes::DataType::Map(field, sorted) = to.to_arrow() else {
        return Err(unsupported(to.sql()));
    };
    let arrow::datatypes::DataType::Struct(fields) = field.data_type() else {
        return Err(unsupported(to.sql()));
    };
    let maps = value.inner().as_map();
    let (offsets, first, length) = covered(maps.offsets());
    let part = |array: &ArrayRef, from: &DataType, to: &DataType| -> Result<ArrayRef> {
        cast(&Value::array(array.slice(first, length)), from, to, mode, context)?.into_array(length)
    };
    let columns = vec![part(maps.keys(), from_key, to_key)?, part(maps.values(), from_value, to_value)?];
    let entries = StructArray::try_new(fields.clone(), columns, None).map_err(internal)?;
    let made = MapArray::try_new(field, offsets, entries, maps.nulls().cloned(), sorted).map_err(internal)?;
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

fn structure(
    value: &Value,
    from: &[DataType],
    wanted: &[DataType],
    to: &DataType,
    mode: CastMode,
    context: &EvalContext,
) -> Result<Value> {
    let structs = value.inner().as_struct();
    let arrow::datatypes::DataType::Struct(fields) = to.to_arrow() else {
        return Err(unsupported(to.sql()));
    };
    let mut columns = Vec::with_capacity(wanted.len());
    for (column, (from, to)) in structs.columns().iter().zip(from.iter().zip(wanted)) {
        let made = cast(&Value::array(column.clone()), from, to, mode, context)?;
        columns.push(made.into_array(structs.len())?);
    }
    let made = StructArray::try_new_with_length(fields, columns, structs.nulls().cloned(), structs.len());
    Ok(Value::of(Arc::new(made.map_err(internal)?), value.is_scalar()))
}
