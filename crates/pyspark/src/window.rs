//! `Window`: what a function looks at beside its own row. Streams refuse it; so far nothing computes it.

use tidemark_plan::expr::Expr;
use tidemark_python::Value;

use crate::call::Call;
use crate::column::column_or_name;
use crate::fault::Fault;
use crate::object::{Object, Objects};

/// A call of `Window`, or of a window that has begun: a window with more to say.
pub(crate) fn call(
    objects: &mut Objects,
    partitions: &[Expr],
    orders: &[Expr],
    call: &mut Call<'_>,
) -> Result<Value, Fault> {
    let (mut partitions, mut orders) = (partitions.to_vec(), orders.to_vec());
    match call.method() {
        "partitionBy" => partitions = columns(objects, call)?,
        "orderBy" => orders = columns(objects, call)?.into_iter().map(sorted).collect(),
        // The frame says which rows are added up: no matter for a window that is not computed.
        _ => {}
    }
    Ok(objects.add(Object::WindowSpec(partitions, orders)))
}

fn columns(objects: &Objects, call: &mut Call<'_>) -> Result<Vec<Expr>, Fault> {
    let args = call.spread();
    args.iter().map(|value| column_or_name(objects, call, value)).collect()
}

fn sorted(expr: Expr) -> Expr {
    match expr {
        Expr::Sort { .. } => expr,
        other => Expr::Sort { child: Box::new(other), ascending: true, nulls_first: true },
    }
}
