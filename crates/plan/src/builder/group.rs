//! Aggregation of one frame: groupBy, agg, count.

use tidemark_types::SparkError;

use crate::builder::{Analyzer, Frame, Grouped};
use crate::error::analysis;
use crate::expr::Expr;
use crate::name::same;
use crate::resolve::project::aggregate;

impl Analyzer {
    /// `df.groupBy(…)`.
    pub fn group_by(&self, frame: &Frame, keys: &[Expr]) -> Grouped {
        Grouped { frame: frame.clone(), keys: keys.to_vec() }
    }

    /// `df.groupBy(…).agg(…)`; `df.agg(…)` groups by nothing.
    pub fn agg(&mut self, grouped: &Grouped, aggregates: &[Expr]) -> Result<Frame, SparkError> {
        aggregate(&mut self.ids, &self.settings, grouped.frame.plan(), &grouped.keys, aggregates)
            .map(Frame::of)
    }

    /// `df.groupBy(…).count()`, with the column `count`.
    pub fn grouped_count(&mut self, grouped: &Grouped) -> Result<Frame, SparkError> {
        let count = Expr::call("count", vec![Expr::Literal(crate::literal::Literal::Integer(1))]);
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
