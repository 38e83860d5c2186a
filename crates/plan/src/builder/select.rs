//! Columns of one frame: select, withColumn, drop, alias.

use std::sync::Arc;

use tidemark_types::{DataType, SparkError};

use crate::attribute::Attribute;
use crate::builder::{Analyzer, Frame};
use crate::error::{analysis, column_already_exists, type_mismatch, unresolved_column};
use crate::expr::Expr;
use crate::logical::Plan;
use crate::name::{parse_attribute_name, quote, same};
use crate::resolve::project::{project, select};
use crate::resolve::{Resolver, Typed};
use crate::scalar::{NamedScalar, Scalar};
use crate::sql;

use super::missing::{narrowed, resolve_with_missing};

impl Analyzer {
    /// `df["name"]`: a column of this frame (also `"*"`, `"s.x"`).
    pub fn column(&self, frame: &Frame, name: &str) -> Result<Expr, SparkError> {
        if name == "*" || name.ends_with(".*") {
            return Expr::name(name);
        }
        let parts = parse_attribute_name(name)?;
        let output = frame.output();
        match crate::resolve::scope::lookup(&parts, &output, self.settings.case_sensitive)? {
            Some(found) => {
                let base = Expr::Attribute(found.attribute);
                Ok(found.fields.iter().fold(base, |child, field| {
                    let key = Expr::Literal(crate::literal::Literal::String(field.clone()));
                    Expr::Extract { child: Box::new(child), key: Box::new(key), dotted: false }.alias(field)
                }))
            }
            None => {
                let names: Vec<String> =
                    output.iter().map(|a| quote(std::slice::from_ref(&a.name))).collect();
                Err(unresolved_column(&quote(&parts), &names))
            }
        }
    }

    /// `expr(text)`: parsed at once, resolved later.
    pub fn expr(&self, text: &str) -> Result<Expr, SparkError> {
        let child = sql::parse_expression(text, self.zone())?;
        Ok(Expr::Sql { text: text.to_owned(), child: Box::new(child) })
    }

    /// `df.select(…)`.
    pub fn select(&mut self, frame: &Frame, columns: &[Expr]) -> Result<Frame, SparkError> {
        select(&mut self.ids, &self.settings, frame.plan(), columns).map(Frame::of)
    }

    /// `df.selectExpr(…)`.
    pub fn select_expr(&mut self, frame: &Frame, texts: &[&str]) -> Result<Frame, SparkError> {
        let columns = texts.iter().map(|t| self.expr(t)).collect::<Result<Vec<_>, _>>()?;
        self.select(frame, &columns)
    }

    /// `df.filter(column)`.
    pub fn filter(&mut self, frame: &Frame, condition: &Expr) -> Result<Frame, SparkError> {
        let output = frame.output();
        let (plan, mut typed, aggregates) = resolve_with_missing(
            &mut self.ids,
            &self.settings,
            frame.plan(),
            std::slice::from_ref(condition),
        )?;
        let typed = typed.remove(0);
        let predicate = boolean_condition(typed, &aggregates)?;
        let plan = Arc::new(Plan::Filter { predicate, child: plan });
        Ok(Frame::of(narrowed(plan, &output)))
    }

    /// `df.filter("text")`.
    pub fn filter_text(&mut self, frame: &Frame, text: &str) -> Result<Frame, SparkError> {
        let condition = self.expr(text)?;
        self.filter(frame, &condition)
    }

    /// `df.withColumns`, `withColumn`: replaces a column of the name in place, or appends.
    pub fn with_columns(&mut self, frame: &Frame, columns: &[(String, Expr)]) -> Result<Frame, SparkError> {
        let case_sensitive = self.settings.case_sensitive;
        for (index, (name, _)) in columns.iter().enumerate() {
            if columns[..index].iter().any(|(other, _)| same(other, name, case_sensitive)) {
                return Err(column_already_exists(name));
            }
        }
        let mut items: Vec<Expr> = Vec::new();
        let output = frame.output();
        for attribute in &output {
            let replaced = columns.iter().find(|(name, _)| same(name, &attribute.name, case_sensitive));
            items.push(match replaced {
                Some((name, expr)) => expr.clone().alias(name),
                None => Expr::Attribute(attribute.clone()),
            });
        }
        for (name, expr) in columns {
            if !output.iter().any(|a| same(name, &a.name, case_sensitive)) {
                items.push(expr.clone().alias(name));
            }
        }
        self.select(frame, &items)
    }

    /// `df.withColumnsRenamed`, `withColumnRenamed`: unknown names are ignored.
    pub fn with_columns_renamed(
        &mut self,
        frame: &Frame,
        names: &[(String, String)],
    ) -> Result<Frame, SparkError> {
        let case_sensitive = self.settings.case_sensitive;
        let mut changed = false;
        let items: Vec<Typed> = frame
            .output()
            .into_iter()
            .map(|attribute| {
                let mut typed = Typed::column(attribute);
                for (from, to) in names {
                    if typed.name.as_ref().is_some_and(|name| same(name, from, case_sensitive)) {
                        typed.name = Some(to.clone());
                        changed = true;
                    }
                }
                typed
            })
            .collect();
        if !changed {
            return Ok(frame.clone());
        }
        Ok(Frame::of(project(&mut self.ids, frame.plan().clone(), items)))
    }

    /// `df.drop(…)`: columns or names; unknown ones are ignored. A name given as text is one name, dots and all:
    /// pass `Expr::Name(vec![text])`.
    pub fn drop(&mut self, frame: &Frame, columns: &[Expr]) -> Result<Frame, SparkError> {
        let output = frame.output();
        let mut kept = output.clone();
        for column in columns {
            match column.bare() {
                Expr::Attribute(attribute) => kept.retain(|a| a.id != attribute.id),
                Expr::Name(parts) if parts.len() == 1 => {
                    kept.retain(|a| !same(&a.name, &parts[0], self.settings.case_sensitive));
                }
                other => {
                    let mut resolver = Resolver::new(&mut self.ids, &self.settings, &output);
                    if let Ok(Typed { scalar: Scalar::Column(attribute), .. }) = resolver.resolve(other) {
                        kept.retain(|a| a.id != attribute.id);
                    }
                }
            }
        }
        if kept.len() == output.len() {
            return Ok(frame.clone());
        }
        let columns =
            kept.into_iter().map(|a| NamedScalar { scalar: Scalar::Column(a.clone()), output: a }).collect();
        Ok(Frame::new(Plan::Project { columns, child: frame.plan().clone() }))
    }

    /// `df.alias(name)`.
    pub fn alias(&mut self, frame: &Frame, name: &str) -> Result<Frame, SparkError> {
        Ok(Frame::new(aliased(frame.plan(), &[name.to_owned()])))
    }

    /// `df.toDF(names…)`.
    pub fn to_df(&mut self, frame: &Frame, names: &[String]) -> Result<Frame, SparkError> {
        let output = frame.output();
        if output.len() != names.len() {
            return Err(analysis(
                "ASSIGNMENT_ARITY_MISMATCH",
                "42802",
                format!(
                    "The number of columns or variables assigned or aliased: {} does not match the number of source expressions: {}.",
                    output.len(),
                    names.len()
                ),
            ));
        }
        let items = output
            .into_iter()
            .zip(names)
            .map(|(attribute, name)| Typed { name: Some(name.clone()), ..Typed::column(attribute) })
            .collect();
        Ok(Frame::of(project(&mut self.ids, frame.plan().clone(), items)))
    }
}

/// The plan under another name: the columns are found under it from here on.
pub(crate) fn aliased(plan: &Arc<Plan>, qualifier: &[String]) -> Plan {
    let output = plan
        .output()
        .into_iter()
        .map(|attribute| Attribute { qualifier: qualifier.to_vec(), ..attribute })
        .collect();
    Plan::Alias { name: qualifier.last().cloned().unwrap_or_default(), child: plan.clone(), output }
}

/// The condition of a WHERE: boolean, without aggregates.
pub(crate) fn boolean_condition(typed: Typed, aggregates: &[String]) -> Result<Scalar, SparkError> {
    if !aggregates.is_empty() {
        return Err(analysis(
            "INVALID_WHERE_CONDITION",
            "42903",
            format!(
                "The WHERE condition \"{}\" contains invalid expressions: {}.\nRewrite the query to avoid window functions, aggregate functions, and generator functions in the WHERE clause.",
                typed.text,
                aggregates.join(", ")
            ),
        ));
    }
    match typed.data_type() {
        DataType::Boolean => Ok(typed.scalar),
        DataType::Null | DataType::String => {
            Ok(crate::resolve::coerce::cast_to(typed.scalar, &DataType::Boolean))
        }
        other => Err(type_mismatch(
            &typed.text,
            "FILTER_NOT_BOOLEAN",
            &format!("Filter expression \"{}\" of type \"{}\" is not a boolean.", typed.text, other.sql()),
        )),
    }
}
