//! Rows that an operation looks at, and the branches that look only at some of them.

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, UInt32Array, new_null_array};
use arrow::compute::kernels::zip::zip;
use arrow::compute::{interleave, prep_null_mask_filter, take};
use tidemark_types::{Batch, DataType};

use crate::error::Result;
use crate::kernel::column::shape::conform;
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::error::internal;
use crate::kernel::program::compiled::Node;

/// The rows that an operation looks at.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    columns: Vec<Option<ArrayRef>>,
    len: usize,
}

impl Rows {
    /// All rows of a batch.
    pub(crate) fn of(batch: &Batch) -> Self {
        Rows { columns: batch.columns().iter().cloned().map(Some).collect(), len: batch.rows() }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A column; it is there because every node says what it reads.
    pub(crate) fn column(&self, index: usize) -> ArrayRef {
        self.columns[index].clone().expect("a node says which columns it reads")
    }

    /// The rows at these places, with the columns that `reads` names.
    pub(crate) fn at(&self, places: &UInt32Array, reads: &[usize]) -> Result<Rows> {
        let mut columns = vec![None; self.columns.len()];
        for index in reads {
            columns[*index] = Some(take(self.column(*index).as_ref(), places, None).map_err(internal)?);
        }
        Ok(Rows { columns, len: places.len() })
    }
}

/// The mask with false in the place of null.
pub(crate) fn decided(mask: &BooleanArray) -> BooleanArray {
    if mask.null_count() == 0 {
        BooleanArray::new(mask.values().clone(), None)
    } else {
        prep_null_mask_filter(mask)
    }
}

/// The places at which a mask is true.
pub(crate) fn places_of(mask: &BooleanArray) -> UInt32Array {
    let values = match mask.nulls() {
        None => mask.values().clone(),
        Some(nulls) => mask.values() & nulls.inner(),
    };
    values.set_indices().map(|index| index as u32).collect::<Vec<_>>().into()
}

/// A value over the rows at `places` only, as an array of `places.len()`.
pub(crate) fn evaluate_at(
    node: &Node,
    rows: &Rows,
    places: &UInt32Array,
    context: &EvalContext,
) -> Result<ArrayRef> {
    if places.is_empty() {
        return Ok(new_null_array(&node.data_type.to_arrow(), 0));
    }
    if places.len() == rows.len() {
        return node.evaluate(rows, context)?.into_array(rows.len());
    }
    node.evaluate(&rows.at(places, &node.reads)?, context)?.into_array(places.len())
}

/// Puts arrays together so that row `i` is row `picks[i].1` of array `picks[i].0`.
fn gather(parts: &[ArrayRef], picks: &[(usize, usize)]) -> Result<ArrayRef> {
    let refs: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
    interleave(&refs, picks).map_err(internal)
}

/// `CASE WHEN`: each value is computed for the rows whose branch it is.
pub(crate) fn case(
    branches: &[(Node, Node)],
    otherwise: Option<&Node>,
    data_type: &DataType,
    rows: &Rows,
    context: &EvalContext,
) -> Result<Value> {
    let fallible = branches.iter().any(|(when, then)| when.fallible || then.fallible)
        || otherwise.is_some_and(|node| node.fallible);
    if !fallible {
        return case_eager(branches, otherwise, data_type, rows, context);
    }
    let null = new_null_array(&data_type.to_arrow(), 1);
    let mut parts = vec![null];
    let mut picks = vec![(0_usize, 0_usize); rows.len()];
    let mut left: UInt32Array = (0..rows.len() as u32).collect::<Vec<_>>().into();
    for (when, then) in branches {
        if left.is_empty() {
            break;
        }
        let mask = evaluate_at(when, rows, &left, context)?;
        let mask = decided(mask.as_boolean());
        let (mut hit, mut rest) = (Vec::new(), Vec::new());
        for (place, holds) in left.values().iter().zip(mask.values()) {
            if holds { hit.push(*place) } else { rest.push(*place) }
        }
        choose(then, data_type, rows, &hit.into(), context, &mut parts, &mut picks)?;
        left = rest.into();
    }
    if let Some(node) = otherwise {
        choose(node, data_type, rows, &left, context, &mut parts, &mut picks)?;
    }
    Ok(Value::array(gather(&parts, &picks)?))
}

fn choose(
    node: &Node,
    data_type: &DataType,
    rows: &Rows,
    places: &UInt32Array,
    context: &EvalContext,
    parts: &mut Vec<ArrayRef>,
    picks: &mut [(usize, usize)],
) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let part = parts.len();
    parts.push(conform(&evaluate_at(node, rows, places, context)?, data_type)?);
    for (index, place) in places.values().iter().enumerate() {
        picks[*place as usize] = (part, index);
    }
    Ok(())
}

fn case_eager(
    branches: &[(Node, Node)],
    otherwise: Option<&Node>,
    data_type: &DataType,
    rows: &Rows,
    context: &EvalContext,
) -> Result<Value> {
    let mut value = match otherwise {
        Some(node) => conformed(node.evaluate(rows, context)?, data_type)?,
        None => Value::scalar(new_null_array(&data_type.to_arrow(), 1)),
    };
    for (when, then) in branches.iter().rev() {
        let mask = when.evaluate(rows, context)?.into_array(rows.len())?;
        let mask = decided(mask.as_boolean());
        let then = conformed(then.evaluate(rows, context)?, data_type)?;
        value = Value::array(zip(&mask, &then, &value).map_err(internal)?);
    }
    Ok(value)
}

/// `coalesce`: a later argument is computed for the rows in which all before it are null.
pub(crate) fn coalesce(
    args: &[Node],
    data_type: &DataType,
    rows: &Rows,
    context: &EvalContext,
) -> Result<Value> {
    let mut parts = vec![new_null_array(&data_type.to_arrow(), 1)];
    let mut picks = vec![(0_usize, 0_usize); rows.len()];
    let mut left: UInt32Array = (0..rows.len() as u32).collect::<Vec<_>>().into();
    for arg in args {
        if left.is_empty() {
            break;
        }
        let array = conform(&evaluate_at(arg, rows, &left, context)?, data_type)?;
        if array.logical_null_count() == 0 && parts.len() == 1 {
            return Ok(Value::array(array));
        }
        let nulls = array.logical_nulls();
        let part = parts.len();
        let mut rest = Vec::new();
        for (index, place) in left.values().iter().enumerate() {
            if nulls.as_ref().is_some_and(|n| n.is_null(index)) {
                rest.push(*place);
            } else {
                picks[*place as usize] = (part, index);
            }
        }
        parts.push(array);
        left = rest.into();
    }
    Ok(Value::array(gather(&parts, &picks)?))
}

fn conformed(value: Value, data_type: &DataType) -> Result<Value> {
    Ok(Value::of(conform(value.inner(), data_type)?, value.is_scalar()))
}
