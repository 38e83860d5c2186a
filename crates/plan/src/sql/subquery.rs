//! `IN (SELECT …)` and `EXISTS (SELECT …)` in WHERE: each keeps or drops rows by a join with the subquery.
//!
//! On its way a subquery is its text: an expression knows no queries.

use std::sync::Arc;

use tidemark_types::{DataType, SparkError, Zone};

use crate::attribute::Attribute;
use crate::builder::Frame;
use crate::builder::combine::{all_of, join_plan};
use crate::error::{analysis, not_supported};
use crate::expr::Expr;
use crate::literal::Literal;
use crate::logical::{JoinType, Plan};
use crate::resolve::operator::{comparison, logic};
use crate::resolve::{Resolver, Typed};
use crate::scalar::{Function, Scalar};

use super::cursor::Cursor;
use super::plan::Planner;
use super::query::{Body, Query};

/// The call that stands for `value IN (subquery)`, and the one for `EXISTS (subquery)`.
pub(crate) const MARKS: [&str; 2] = ["in_subquery", "exists_subquery"];

impl Cursor<'_> {
    /// The text of a subquery, up to and with its parenthesis.
    pub(super) fn subquery(&mut self) -> Result<Expr, SparkError> {
        let start = self.peek().start;
        self.query()?;
        let text = self.text[start..self.peek().start].to_owned();
        self.expect(")")?;
        Ok(Expr::Literal(Literal::String(text)))
    }
}

/// One test of a WHERE by a subquery.
struct Test<'a> {
    value: Option<&'a Expr>,
    text: &'a str,
    negated: bool,
}

impl<'a> Test<'a> {
    fn of(expr: &'a Expr) -> Option<Test<'a>> {
        let Expr::Call(call) = expr.bare() else { return None };
        match call.args.as_slice() {
            [inner] if call.name == "!" => {
                Test::of(inner).map(|test| Test { negated: !test.negated, ..test })
            }
            [value, Expr::Literal(Literal::String(text))] if call.name == MARKS[0] => {
                Some(Test { value: Some(value), text, negated: false })
            }
            [Expr::Literal(Literal::String(text))] if call.name == MARKS[1] => {
                Some(Test { value: None, text, negated: false })
            }
            _ => None,
        }
    }
}

/// The subqueries that a WHERE tests by.
pub(super) fn subqueries(filter: &Expr) -> Vec<Query> {
    let mut parts = Vec::new();
    conjuncts(filter, &mut parts);
    let texts = parts.into_iter().filter_map(|part| Some(Test::of(part)?.text));
    texts.filter_map(|text| Cursor::new(text, Zone::UTC).query().ok()).collect()
}

fn conjuncts<'a>(expr: &'a Expr, out: &mut Vec<&'a Expr>) {
    match expr.bare() {
        Expr::Call(call) if call.name == "and" => call.args.iter().for_each(|arg| conjuncts(arg, out)),
        _ => out.push(expr),
    }
}

impl Planner<'_> {
    /// The rows for which a WHERE holds.
    pub(super) fn filtered(&mut self, frame: &Frame, filter: &Expr) -> Result<Frame, SparkError> {
        let mut parts = Vec::new();
        conjuncts(filter, &mut parts);
        if parts.iter().all(|part| Test::of(part).is_none()) {
            return self.analyzer.filter(frame, filter);
        }
        let plain = parts.iter().filter(|part| Test::of(part).is_none()).map(|part| (*part).clone());
        let mut frame = match all_of(plain.collect()) {
            Some(rest) => self.analyzer.filter(frame, &rest)?,
            None => frame.clone(),
        };
        for test in parts.into_iter().filter_map(Test::of) {
            frame = self.tested(&frame, &test)?;
        }
        Ok(frame)
    }

    fn tested(&mut self, frame: &Frame, test: &Test<'_>) -> Result<Frame, SparkError> {
        let zone = Zone::parse(&self.analyzer.settings.time_zone).unwrap_or(Zone::UTC);
        let query = Cursor::new(test.text, zone).query()?;
        let (right, condition) = match test.value {
            Some(value) => self.membership(frame, value, &query, test.negated)?,
            None => self.existence(frame, &query)?,
        };
        if right.is_streaming() {
            return Err(analysis(
                "INVALID_SUBQUERY_EXPRESSION.STREAMING_QUERY",
                "42823",
                "Invalid subquery: Streaming query is not allowed in subquery expressions.",
            ));
        }
        let join_type = if test.negated { JoinType::LeftAnti } else { JoinType::LeftSemi };
        Ok(Frame::of(join_plan(frame.plan(), &right, join_type, condition)))
    }

    /// `value = column`; for NOT IN a comparison that is not known counts as one that holds.
    fn membership(
        &mut self,
        frame: &Frame,
        value: &Expr,
        query: &Query,
        negated: bool,
    ) -> Result<(Arc<Plan>, Option<Scalar>), SparkError> {
        let inner = self.query(query)?;
        let right = self.analyzer.fresh_if_shared(frame.plan(), inner.plan());
        let [column] =
            right.output().try_into().map_err(|_| not_supported("IN with a subquery of several columns"))?;
        let input = frame.output();
        let settings = self.analyzer.settings.clone();
        let value = Resolver::new(&mut self.analyzer.ids, &settings, &input).resolve(value)?;
        let mut equal = comparison("=", value, Typed::column(column))?;
        if negated && equal.scalar.nullable() {
            let unknown = Scalar::Call {
                function: Function::IsNull,
                args: vec![equal.scalar.clone()],
                data_type: DataType::Boolean,
                nullable: false,
            };
            equal = logic("OR", equal, Typed::new(unknown, ""))?;
        }
        Ok((right, Some(equal.scalar)))
    }

    /// The rows of the subquery's FROM, and its WHERE as a condition: names mean its own columns first.
    fn existence(&mut self, frame: &Frame, query: &Query) -> Result<(Arc<Plan>, Option<Scalar>), SparkError> {
        let Body::Select(select) = &query.body else {
            return Err(not_supported("EXISTS with such a subquery"));
        };
        let plain = select.group.is_none() && select.having.is_none() && select.views.is_empty();
        let (true, Some(from), true) = (plain, &select.from, query.with.is_empty()) else {
            return Err(not_supported("EXISTS with such a subquery"));
        };
        let inner = self.from(from)?;
        let right = self.analyzer.fresh_if_shared(frame.plan(), inner.plan());
        let Some(filter) = &select.filter else { return Ok((right, None)) };
        let own = right.output();
        let both: Vec<Attribute> = frame.output().into_iter().chain(own.iter().cloned()).collect();
        let settings = self.analyzer.settings.clone();
        let mut parts = Vec::new();
        conjuncts(filter, &mut parts);
        let mut condition: Option<Typed> = None;
        for part in parts {
            let typed = match Resolver::new(&mut self.analyzer.ids, &settings, &own).resolve(part) {
                Ok(typed) => typed,
                Err(_) => Resolver::new(&mut self.analyzer.ids, &settings, &both).resolve(part)?,
            };
            condition = Some(match condition {
                None => typed,
                Some(before) => logic("AND", before, typed)?,
            });
        }
        Ok((right, condition.map(|c| c.scalar)))
    }
}
