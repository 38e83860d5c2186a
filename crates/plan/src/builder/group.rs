//! Aggregation of one frame: groupBy, agg, count.

use tidemark_types::SparkError;

use crate::builder::{Analyzer, Frame, Grouped};
use crate::error::analysis;
use crate::expr::Expr;
use crate::literal::Literal;
use crate::name::same;
use crate::resolve::project::aggregate;

impl Analyzer {
    /// `df.groupBy(…)`.
    pub fn group_by(&self, frame: &Frame, keys: &[Expr]) -> Grouped {
        Grouped { frame: frame.clone(), keys: keys.to_vec(), pivot: None }
    }

    /// `df.groupBy(…).agg(…)`; `df.agg(…)` groups by nothing.
    pub fn agg(&mut self, grouped: &Grouped, aggregates: &[Expr]) -> Result<Frame, SparkError> {
        match &grouped.pivot {
            None => aggregate(&mut self.ids, &self.settings, grouped.frame.plan(), &grouped.keys, aggregates)
                .map(Frame::of),
            Some((column, values)) => self.pivoted(grouped, column, values, aggregates),
        }
    }

    /// `df.groupBy(…).pivot(column, values)`.
    pub fn pivot(&self, grouped: &Grouped, column: Expr, values: Vec<Literal>) -> Grouped {
        Grouped { pivot: Some((column, values)), ..grouped.clone() }
    }

    /// Two aggregations: by the keys and the column, then by the keys alone, a column for each value.
    fn pivoted(
        &mut self,
        grouped: &Grouped,
        column: &Expr,
        values: &[Literal],
        aggregates: &[Expr],
    ) -> Result<Frame, SparkError> {
        let keys = [grouped.keys.as_slice(), std::slice::from_ref(column)].concat();
        let inner = aggregate(&mut self.ids, &self.settings, grouped.frame.plan(), &keys, aggregates)?;
        let output = inner.output();
        let (keys, made) = output.split_at(grouped.keys.len());
        let Some((turned, made)) = made.split_first() else { return Ok(Frame::of(inner)) };
        let mut items = Vec::new();
        for value in values {
            let is_value = Expr::Attribute(turned.clone()).binary("<=>", Expr::Literal(value.clone()));
            for result in made {
                let branches = vec![(is_value.clone(), Expr::Attribute(result.clone()))];
                let chosen = Expr::Case { branches, otherwise: None };
                let first = Expr::call("first", vec![chosen, Expr::Literal(Literal::Boolean(true))]);
                let value = value.pretty_text();
                let name = if made.len() == 1 { value } else { format!("{value}_{}", result.name) };
                items.push(first.alias(&name));
            }
        }
        let keys: Vec<Expr> = keys.iter().cloned().map(Expr::Attribute).collect();
        aggregate(&mut self.ids, &self.settings, &inner, &keys, &items).map(Frame::of)
    }

    /// `df.groupBy(…).count()`, with the column `count`.
    pub fn grouped_count(&mut self, grouped: &Grouped) -> Result<Frame, SparkError> {
        let count = Expr::call("count", vec![Expr::Literal(Literal::Integer(1))]);
        self.agg(grouped, &[count.alias("count")])
    }

    /// `df.groupBy(…).sum("a", …)`, likewise avg, min, max; no names mean all numeric columns but the keys.
    pub fn grouped_numeric(
        &mut self,
        grouped: &Grouped,
        function: &str,
        names: &[String],
    ) -> Result<Frame, SparkError> {
        let output = grouped.frame.output();
        let case_sensitive = self.settings.case_sensitive;
        let mut columns = Vec::new();
        if names.is_empty() {
            let is_key = |name: &str| {
                grouped.keys.iter().any(|key| match key.bare() {
                    Expr::Name(parts) => parts.last().is_some_and(|p| same(p, name, case_sensitive)),
                    Expr::Attribute(attribute) => same(&attribute.name, name, case_sensitive),
                    _ => false,
                })
            };
            for attribute in output.iter().filter(|a| a.data_type.is_numeric() && !is_key(&a.name)) {
                columns.push(Expr::Attribute(attribute.clone()));
            }
        }
        for name in names {
            let column = self.column(&grouped.frame, name)?;
            if let Expr::Attribute(attribute) = &column
                && !attribute.data_type.is_numeric()
            {
                return Err(analysis(
                    "_LEGACY_ERROR_TEMP_1323",
                    "",
                    format!(
                        "\"{name}\" is not a numeric column. Aggregation function can only be applied on a numeric column."
                    ),
                ));
            }
            columns.push(column);
        }
        let calls: Vec<Expr> = columns.into_iter().map(|c| Expr::call(function, vec![c])).collect();
        self.agg(grouped, &calls)
    }
}
