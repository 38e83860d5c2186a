//! Three-valued logic: AND, OR, NOT, null tests, IN.

use std::sync::Arc;

use arrow::array::{Array, AsArray, BooleanArray};
use arrow::compute::{and_kleene, is_not_null, is_null, not, or_kleene};

use crate::error::Result;
use crate::kernel::column::compare::{Comparison, compare};
use crate::kernel::column::value::{Value, extent};
use crate::kernel::context::EvalContext;
use crate::kernel::error::internal;
use crate::kernel::program::compiled::Node;
use crate::kernel::program::selection::{Rows, evaluate_at, places_of};

/// `left AND right`; a right side that can fail sees only the rows in which the left is not false.
pub(crate) fn and(left: &Node, right: &Node, rows: &Rows, context: &EvalContext) -> Result<Value> {
    connect(left, right, rows, context, false)
}

/// `left OR right`; a right side that can fail sees only the rows in which the left is not true.
pub(crate) fn or(left: &Node, right: &Node, rows: &Rows, context: &EvalContext) -> Result<Value> {
    connect(left, right, rows, context, true)
}

fn connect(left: &Node, right: &Node, rows: &Rows, context: &EvalContext, decisive: bool) -> Result<Value> {
    let first = left.evaluate(rows, context)?.into_array(rows.len())?;
    let first = first.as_boolean();
    let second = if right.fallible {
        let open: BooleanArray =
            (0..first.len()).map(|row| Some(first.is_null(row) || first.value(row) != decisive)).collect();
        let places = places_of(&open);
        if places.is_empty() {
            return Ok(Value::array(Arc::new(first.clone())));
        }
        let values = evaluate_at(right, rows, &places, context)?;
        scatter(values.as_boolean(), places.values(), rows.len())
    } else {
        right.evaluate(rows, context)?.into_array(rows.len())?.as_boolean().clone()
    };
    let kernel = if decisive { or_kleene } else { and_kleene };
    Ok(Value::array(Arc::new(kernel(first, &second).map_err(internal)?)))
}

/// Values at some places, null elsewhere.
fn scatter(values: &BooleanArray, places: &[u32], rows: usize) -> BooleanArray {
    if places.len() == rows {
        return values.clone();
    }
    let mut out = vec![None; rows];
    for (index, place) in places.iter().enumerate() {
        out[*place as usize] = (!values.is_null(index)).then(|| values.value(index));
    }
    out.into()
}

/// `NOT a`.
pub(crate) fn negate(value: &Value) -> Result<Value> {
    let array = not(value.inner().as_boolean()).map_err(internal)?;
    Ok(Value::of(Arc::new(array), value.is_scalar()))
}

/// `a IS NULL`, or its opposite.
pub(crate) fn null_test(value: &Value, wanted_null: bool) -> Result<Value> {
    let kernel = if wanted_null { is_null } else { is_not_null };
    Ok(Value::of(Arc::new(kernel(value.inner()).map_err(internal)?), value.is_scalar()))
}

/// `a IN (b, …)`: true if any is equal, else null if any comparison is null.
pub(crate) fn is_in(args: &[Value], rows: usize) -> Result<Value> {
    let (rows, scalar) = extent(args, rows);
    let mut found: Option<BooleanArray> = None;
    for candidate in &args[1..] {
        let equal = compare(Comparison::Equal, &args[0], candidate, rows)?.into_array(rows)?;
        let equal = equal.as_boolean();
        found = Some(match found {
            None => equal.clone(),
            Some(so_far) => or_kleene(&so_far, equal).map_err(internal)?,
        });
    }
    let out = found.unwrap_or_else(|| BooleanArray::from(vec![false; rows]));
    Ok(Value::of(Arc::new(out), scalar))
}
