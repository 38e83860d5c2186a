//! Columns that a sort or a filter may still use although a projection below has dropped them.

use std::sync::Arc;

use tidemark_types::SparkError;

use crate::attribute::Attribute;
use crate::builder::Settings;
use crate::expr::Expr;
use crate::logical::Plan;
use crate::resolve::project::with_windows;
use crate::resolve::rewrite::references;
use crate::resolve::{Ids, Resolver, Typed};
use crate::scalar::{NamedScalar, Scalar};

/// Resolves expressions over a plan, or over what lies below its projections; the plan then passes on what they need.
///
/// Errors: that of resolving over the plan itself.
pub(crate) fn resolve_with_missing(
    ids: &mut Ids,
    settings: &Settings,
    plan: &Arc<Plan>,
    exprs: &[Expr],
) -> Result<(Arc<Plan>, Vec<Typed>, Vec<String>), SparkError> {
    let output = plan.output();
    let mut resolver = Resolver::new(ids, settings, &output);
    let first = exprs.iter().map(|e| resolver.resolve(e)).collect::<Result<Vec<_>, _>>();
    let aggregates: Vec<String> = resolver.aggregates.iter().map(|(_, text)| text.clone()).collect();
    let windows = std::mem::take(&mut resolver.windows);
    let error = match first {
        Ok(typed) => return Ok((with_windows(plan.clone(), windows), typed, aggregates)),
        Err(error) => error,
    };
    let unresolved = error.condition.0.starts_with("UNRESOLVED_COLUMN")
        || error.condition.0.starts_with("MISSING_ATTRIBUTES");
    let found = if unresolved { below(ids, settings, plan, exprs) } else { None };
    found.ok_or(error)
}

fn below(
    ids: &mut Ids,
    settings: &Settings,
    plan: &Arc<Plan>,
    exprs: &[Expr],
) -> Option<(Arc<Plan>, Vec<Typed>, Vec<String>)> {
    match plan.as_ref() {
        Plan::Project { columns, child } => {
            let visible = plan.output();
            let mut scope = visible.clone();
            let hidden: Vec<Attribute> = child
                .output()
                .into_iter()
                .filter(|a| !visible.iter().any(|v| v.id == a.id || v.name.eq_ignore_ascii_case(&a.name)))
                .collect();
            scope.extend(hidden.iter().cloned());
            let mut resolver = Resolver::new(ids, settings, &scope);
            let typed = exprs.iter().map(|e| resolver.resolve(e)).collect::<Result<Vec<_>, _>>();
            let aggregates: Vec<String> = resolver.aggregates.iter().map(|(_, text)| text.clone()).collect();
            let (child, typed, aggregates) = match typed {
                Ok(typed) => (child.clone(), typed, aggregates),
                Err(_) => resolve_with_missing(ids, settings, child, exprs).ok()?,
            };
            let mut columns = columns.clone();
            for attribute in typed.iter().flat_map(|t| references(&t.scalar)) {
                if !columns.iter().any(|c| c.output.id == attribute.id) {
                    let source = child.output().into_iter().find(|a| a.id == attribute.id)?;
                    columns.push(NamedScalar { scalar: Scalar::Column(source.clone()), output: source });
                }
            }
            Some((Arc::new(Plan::Project { columns, child }), typed, aggregates))
        }
        Plan::Filter { predicate, child } => {
            let (child, typed, aggregates) = below(ids, settings, child, exprs)?;
            Some((Arc::new(Plan::Filter { predicate: predicate.clone(), child }), typed, aggregates))
        }
        Plan::Sort { orders, global, child } => {
            let (child, typed, aggregates) = below(ids, settings, child, exprs)?;
            Some((Arc::new(Plan::Sort { orders: orders.clone(), global: *global, child }), typed, aggregates))
        }
        _ => None,
    }
}

/// The plan with just these columns, if it has more.
pub(crate) fn narrowed(plan: Arc<Plan>, output: &[Attribute]) -> Arc<Plan> {
    if plan.output().len() == output.len() {
        return plan;
    }
    let columns =
        output.iter().map(|a| NamedScalar { scalar: Scalar::Column(a.clone()), output: a.clone() }).collect();
    Arc::new(Plan::Project { columns, child: plan })
}
