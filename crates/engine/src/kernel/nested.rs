//! Structs, arrays and maps: made, read and measured.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int32Array, ListArray, MapArray, StructArray, UInt32Array,
    new_null_array,
};
use arrow::buffer::OffsetBuffer;
use arrow::compute::{SortOptions, interleave, take};
use arrow::datatypes::{DataType as Arrow, Field, Int32Type};
use arrow::row::{RowConverter, SortField};
use tidemark_types::DataType;

use crate::error::Result;
use crate::kernel::column::compare::{row_converter, rows_of, take_rows};
use crate::kernel::column::shape::conform;
use crate::kernel::column::value::{Value, extent, nulls_of};
use crate::kernel::error::{
    duplicated_map_key, index_of_zero, internal, invalid_array_index, null_map_key, unsupported,
};
use crate::kernel::number::arithmetic::widen;
use crate::kernel::text::constant::sql_text;

/// The field of a struct: null where the struct is.
pub(crate) fn get_field(args: &[Value]) -> Result<Value> {
    let structs = args[0].inner().as_struct();
    let index = args[1].inner().as_primitive::<Int32Type>().value(0) as usize;
    let field = structs.column(index);
    if structs.null_count() == 0 {
        return Ok(Value::of(field.clone(), args[0].is_scalar()));
    }
    let places: UInt32Array =
        (0..structs.len() as u32).map(|i| structs.is_valid(i as usize).then_some(i)).collect();
    Ok(Value::of(take(field.as_ref(), &places, None).map_err(internal)?, args[0].is_scalar()))
}

/// The field of each struct of an array.
pub(crate) fn get_array_field(args: &[Value], out: &DataType) -> Result<Value> {
    let (array, DataType::Array(element, nulls)) = (args[0].inner(), out) else {
        return Err(unsupported(format!("a field of type {}", out.sql())));
    };
    let list = array.as_list::<i32>();
    let fields = get_field(&[Value::of(list.values().clone(), false), args[1].clone()])?;
    let fields = conform(fields.inner(), element)?;
    let field = Arc::new(Field::new("element", element.to_arrow(), *nulls));
    let made =
        ListArray::try_new(field, list.offsets().clone(), fields, list.nulls().cloned()).map_err(internal)?;
    Ok(Value::of(Arc::new(made), args[0].is_scalar()))
}

/// An array or map as an array of structs: the position, then the element, or the key and the value.
pub(crate) fn with_positions(value: &Value, out: &DataType) -> Result<Value> {
    let array = value.inner();
    let (offsets, nulls, columns) = match array.data_type() {
        Arrow::List(_) => {
            let list = array.as_list::<i32>();
            (list.offsets(), list.nulls(), vec![list.values().clone()])
        }
        Arrow::Map(..) => {
            let map = array.as_map();
            (map.offsets(), map.nulls(), vec![map.keys().clone(), map.values().clone()])
        }
        other => return Err(unsupported(format!("positions of {other}"))),
    };
    let DataType::Array(element, _) = out else {
        return Err(unsupported(format!("positions of type {}", out.sql())));
    };
    let mut positions = vec![0; columns[0].len()];
    for pair in offsets.windows(2) {
        for (position, at) in (pair[0]..pair[1]).enumerate() {
            positions[at as usize] = position as i32;
        }
    }
    let mut args = vec![Value::of(Arc::new(Int32Array::from(positions)), false)];
    args.extend(columns.into_iter().map(|column| Value::of(column, false)));
    let rows = args[0].inner().len();
    let structs = create_struct(&args, element, rows)?.into_array(rows)?;
    let field = Arc::new(Field::new("element", element.to_arrow(), false));
    let made = ListArray::try_new(field, offsets.clone(), structs, nulls.cloned()).map_err(internal)?;
    Ok(Value::of(Arc::new(made), value.is_scalar()))
}

/// `element_at(a, i)`: from 1, from the end if negative; by key for maps.
pub(crate) fn element_at(args: &[Value], data_type: &DataType, out: &DataType, rows: usize) -> Result<Value> {
    match data_type {
        DataType::Map(..) => map_value(args, out, rows),
        _ => array_element(args, out, rows, |index, size| match index {
            0 => Err(index_of_zero()),
            i if i.unsigned_abs() as usize > size => Err(invalid_array_index(i, size, true)),
            i if i > 0 => Ok(i as usize - 1),
            i => Ok(size - i.unsigned_abs() as usize),
        }),
    }
}

/// `a[i]`: from 0; by key for maps.
pub(crate) fn get_item(args: &[Value], data_type: &DataType, out: &DataType, rows: usize) -> Result<Value> {
    match data_type {
        DataType::Map(..) => map_value(args, out, rows),
        _ => array_element(args, out, rows, |index, size| {
            usize::try_from(index)
                .ok()
                .filter(|i| *i < size)
                .ok_or_else(|| invalid_array_index(index, size, false))
        }),
    }
}

fn array_element(
    args: &[Value],
    out: &DataType,
    rows: usize,
    place: impl Fn(i64, usize) -> Result<usize>,
) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if args.iter().any(|a| matches!(a.inner().data_type(), Arrow::Null)) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    let nulls = nulls_of(&[&args[0], &args[1]], rows);
    let list = args[0].inner().as_list::<i32>();
    let index = widen(&args[1]);
    let index = index.view::<arrow::datatypes::Int64Type>();
    let offsets = list.value_offsets();
    let mut places = Vec::with_capacity(rows);
    for row in 0..rows {
        if nulls.as_ref().is_some_and(|n| n.is_null(row)) {
            places.push(None);
            continue;
        }
        let at = args[0].at(row);
        let size = (offsets[at + 1] - offsets[at]) as usize;
        places.push(Some(offsets[at] as u32 + place(index.get(row), size)? as u32));
    }
    let taken = take(list.values().as_ref(), &UInt32Array::from(places), None).map_err(internal)?;
    Ok(Value::of(taken, scalar))
}

fn map_value(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if args.iter().any(|a| matches!(a.inner().data_type(), Arrow::Null)) {
        return Ok(Value::of(new_null_array(&out.to_arrow(), rows), scalar));
    }
    let map = args[0].inner().as_map();
    let converter = row_converter(std::slice::from_ref(map.keys()))?;
    let keys = rows_of(&converter, std::slice::from_ref(map.keys()))?;
    let wanted = rows_of(&converter, &[conform_like(args[1].inner(), map.keys())?])?;
    let offsets = map.value_offsets();
    let mut places = Vec::with_capacity(rows);
    for row in 0..rows {
        if args[0].is_null(row) || args[1].is_null(row) {
            places.push(None);
            continue;
        }
        let (at, key) = (args[0].at(row), wanted.row(args[1].at(row)));
        let found = (offsets[at] as usize..offsets[at + 1] as usize).find(|i| keys.row(*i) == key);
        places.push(found.map(|i| i as u32));
    }
    let taken = take(map.values().as_ref(), &UInt32Array::from(places), None).map_err(internal)?;
    Ok(Value::of(taken, scalar))
}

fn conform_like(array: &ArrayRef, like: &ArrayRef) -> Result<ArrayRef> {
    match DataType::from_arrow(like.data_type()) {
        Some(data_type) => conform(array, &data_type),
        None => Ok(array.clone()),
    }
}

/// `struct(…)`: the names are in the type.
pub(crate) fn create_struct(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let DataType::Struct(fields) = out else {
        return Err(unsupported(format!("a struct of type {}", out.sql())));
    };
    let mut columns = Vec::with_capacity(args.len());
    for (arg, field) in args.iter().zip(&fields.fields) {
        columns.push(conform(&arg.clone().into_array(rows)?, &field.data_type)?);
    }
    let made =
        StructArray::try_new_with_length(fields.to_arrow().fields, columns, None, rows).map_err(internal)?;
    Ok(Value::of(Arc::new(made), scalar))
}

/// Columns row by row: the first value of each column, then the second, …
fn interleaved(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let refs: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
    let picks: Vec<(usize, usize)> =
        (0..rows).flat_map(|row| (0..columns.len()).map(move |column| (column, row))).collect();
    interleave(&refs, &picks).map_err(internal)
}

/// `array(…)`.
pub(crate) fn create_array(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let DataType::Array(element, nulls) = out else {
        return Err(unsupported(format!("an array of type {}", out.sql())));
    };
    let (rows, scalar) = if args.is_empty() { (1, true) } else { extent(args, rows) };
    let mut columns = Vec::with_capacity(args.len());
    for arg in args {
        columns.push(conform(&arg.clone().into_array(rows)?, element)?);
    }
    let values =
        if args.is_empty() { new_null_array(&element.to_arrow(), 0) } else { interleaved(&columns, rows)? };
    let offsets = OffsetBuffer::from_repeated_length(args.len(), rows);
    let field = Arc::new(Field::new("element", element.to_arrow(), *nulls));
    Ok(Value::of(Arc::new(ListArray::try_new(field, offsets, values, None).map_err(internal)?), scalar))
}

/// `map(k1, v1, …)`: a null key or a key that comes twice fails.
pub(crate) fn create_map(args: &[Value], out: &DataType, rows: usize) -> Result<Value> {
    let (DataType::Map(key, value, _), Arrow::Map(field, sorted)) = (out, out.to_arrow()) else {
        return Err(unsupported(format!("a map of type {}", out.sql())));
    };
    let (rows, scalar) = if args.is_empty() { (1, true) } else { extent(args, rows) };
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for pair in args.chunks_exact(2) {
        keys.push(conform(&pair[0].clone().into_array(rows)?, key)?);
        values.push(conform(&pair[1].clone().into_array(rows)?, value)?);
    }
    let entries = keys.len();
    let (keys, values) = if entries == 0 {
        (new_null_array(&key.to_arrow(), 0), new_null_array(&value.to_arrow(), 0))
    } else {
        (interleaved(&keys, rows)?, interleaved(&values, rows)?)
    };
    if keys.logical_null_count() > 0 {
        return Err(null_map_key());
    }
    let offsets = OffsetBuffer::from_repeated_length(entries, rows);
    check_keys(&keys, offsets.as_ref(), key)?;
    let Arrow::Struct(fields) = field.data_type() else {
        return Err(unsupported(format!("a map of type {}", out.sql())));
    };
    let entries = StructArray::try_new(fields.clone(), vec![keys, values], None).map_err(internal)?;
    let map = MapArray::try_new(field, offsets, entries, None, sorted).map_err(internal)?;
    Ok(Value::of(Arc::new(map), scalar))
}

fn check_keys(keys: &ArrayRef, offsets: &[i32], key_type: &DataType) -> Result<()> {
    if keys.is_empty() {
        return Ok(());
    }
    let converter = row_converter(std::slice::from_ref(keys))?;
    let rows = rows_of(&converter, std::slice::from_ref(keys))?;
    for pair in offsets.windows(2) {
        let (start, end) = (pair[0] as usize, pair[1] as usize);
        for later in start + 1..end {
            if (start..later).any(|earlier| rows.row(earlier) == rows.row(later)) {
                return Err(duplicated_map_key(&sql_text(keys, later, key_type)));
            }
        }
    }
    Ok(())
}

/// `size(a)`: null for null.
pub(crate) fn size(value: &Value) -> Value {
    let array = value.inner();
    let lengths = |offsets: &[i32]| -> Vec<i32> { offsets.windows(2).map(|w| w[1] - w[0]).collect() };
    let out: ArrayRef = match array.data_type() {
        Arrow::List(_) => {
            let list = array.as_list::<i32>();
            Arc::new(Int32Array::new(lengths(list.value_offsets()).into(), list.nulls().cloned()))
        }
        Arrow::Map(..) => {
            let map = array.as_map();
            Arc::new(Int32Array::new(lengths(map.value_offsets()).into(), map.nulls().cloned()))
        }
        _ => new_null_array(&Arrow::Int32, array.len()),
    };
    Value::of(out, value.is_scalar())
}

/// `sort_array(a, ascending)`: nulls come first where small values do, last where great ones do.
pub(crate) fn sort_array(args: &[Value]) -> Result<Value> {
    let list = args[0].inner().as_list::<i32>();
    let ascending = args[1].inner().as_boolean().value(0);
    let options = SortOptions { descending: !ascending, nulls_first: ascending };
    let values = list.values().clone();
    let field = SortField::new_with_options(values.data_type().clone(), options);
    let converter = RowConverter::new(vec![field]).map_err(internal)?;
    let rows = rows_of(&converter, std::slice::from_ref(&values))?;
    let mut places: Vec<u32> = (0..values.len() as u32).collect();
    for pair in list.offsets().windows(2) {
        places[pair[0] as usize..pair[1] as usize]
            .sort_by(|a, b| rows.row(*a as usize).cmp(&rows.row(*b as usize)));
    }
    let sorted = take_rows(&values, &UInt32Array::from(places))?;
    let (field, offsets, _, nulls) = list.clone().into_parts();
    let made = ListArray::try_new(field, offsets, sorted, nulls).map_err(internal)?;
    Ok(Value::of(Arc::new(made), args[0].is_scalar()))
}

/// `array_contains(a, v)`: null when it is not there but a null is.
pub(crate) fn array_contains(args: &[Value], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    if args.iter().any(|a| matches!(a.inner().data_type(), Arrow::Null)) {
        return Ok(Value::of(new_null_array(&Arrow::Boolean, rows), scalar));
    }
    let list = args[0].inner().as_list::<i32>();
    let converter = row_converter(std::slice::from_ref(list.values()))?;
    let elements = rows_of(&converter, std::slice::from_ref(list.values()))?;
    let wanted = rows_of(&converter, &[conform_like(args[1].inner(), list.values())?])?;
    let offsets = list.value_offsets();
    let mut out = Vec::with_capacity(rows);
    for row in 0..rows {
        if args[0].is_null(row) || args[1].is_null(row) {
            out.push(None);
            continue;
        }
        let (at, key) = (args[0].at(row), wanted.row(args[1].at(row)));
        let range = offsets[at] as usize..offsets[at + 1] as usize;
        let found = range.clone().any(|i| list.values().is_valid(i) && elements.row(i) == key);
        let unknown = !found && range.clone().any(|i| list.values().is_null(i));
        out.push((!unknown).then_some(found));
    }
    Ok(Value::of(Arc::new(BooleanArray::from(out)), scalar))
}

/// `concat(…)` of arrays.
pub(crate) fn concat_arrays(args: &[Value], out: &DataType, rows: usize, scalar: bool) -> Result<Value> {
    let DataType::Array(element, nullable) = out else {
        return Err(unsupported(format!("concat of {}", out.sql())));
    };
    let refs: Vec<&Value> = args.iter().collect();
    let nulls = nulls_of(&refs, rows);
    let lists: Vec<&ListArray> = args.iter().map(|a| a.inner().as_list::<i32>()).collect();
    let values = lists.iter().map(|l| conform(l.values(), element)).collect::<Result<Vec<_>>>()?;
    let (mut picks, mut lengths) = (Vec::new(), Vec::with_capacity(rows));
    for row in 0..rows {
        let before = picks.len();
        if nulls.as_ref().is_none_or(|n| n.is_valid(row)) {
            for (part, list) in lists.iter().enumerate() {
                let at = args[part].at(row);
                let range = list.value_offsets()[at] as usize..list.value_offsets()[at + 1] as usize;
                picks.extend(range.map(|i| (part, i)));
            }
        }
        lengths.push(picks.len() - before);
    }
    let arrays: Vec<&dyn Array> = values.iter().map(AsRef::as_ref).collect();
    let joined = interleave(&arrays, &picks).map_err(internal)?;
    let field = Arc::new(Field::new("element", element.to_arrow(), *nullable));
    let list =
        ListArray::try_new(field, OffsetBuffer::from_lengths(lengths), joined, nulls).map_err(internal)?;
    Ok(Value::of(Arc::new(list), scalar))
}
