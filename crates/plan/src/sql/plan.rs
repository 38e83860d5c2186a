//! Queries become plans.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_types::{Batch, DataType, SparkError, StructType};

use crate::attribute::Attribute;
use crate::builder::{Analyzer, Frame, JoinOn, Relations};
use crate::error::{analysis, at_origin, table_not_found};
use crate::expr::{Expr, Origin};
use crate::literal::Literal;
use crate::logical::{JoinType, Plan, SortOrder};
use crate::name::same;
use crate::resolve::project::{aggregate_plan, grouping_of, with_window_columns, with_windows};
use crate::resolve::{Resolver, Typed};
use crate::scalar::Scalar;

use super::query::{Body, From, Group, On, Query, Select};
use super::statement::Statement;

/// Plans a statement; views are looked up in the session, other names in `relations`.
pub fn plan_statement(
    analyzer: &mut Analyzer,
    statement: &Statement,
    relations: &Relations,
) -> Result<Frame, SparkError> {
    let mut planner = Planner { analyzer, relations, with: BTreeMap::new() };
    match statement {
        Statement::Query(query) => planner.query(query),
        Statement::CreateView { name, replace, query } => {
            let frame = planner.query(query)?;
            if !replace && planner.analyzer.view_of(std::slice::from_ref(name)).is_some() {
                return Err(analysis(
                    "TEMP_TABLE_OR_VIEW_ALREADY_EXISTS",
                    "42P07",
                    format!(
                        "Cannot create the temporary view `{name}` because it already exists.\nChoose a different name, drop or replace the existing view."
                    ),
                ));
            }
            planner.analyzer.create_view(&crate::name::quote(std::slice::from_ref(name)), &frame)?;
            Ok(planner.nothing())
        }
        Statement::DropView { name, if_exists } => {
            let dropped = name.len() == 1 && planner.analyzer.drop_view(&name[0]);
            if dropped || *if_exists { Ok(planner.nothing()) } else { Err(table_not_found(name)) }
        }
    }
}

pub(super) struct Planner<'a> {
    pub(super) analyzer: &'a mut Analyzer,
    relations: &'a Relations,
    with: BTreeMap<String, Frame>,
}

impl Planner<'_> {
    /// What a command answers: no columns, no rows.
    fn nothing(&mut self) -> Frame {
        self.analyzer.local(Vec::new(), &StructType::default())
    }

    /// One row without columns.
    fn one_row(&mut self) -> Frame {
        let schema = Arc::new(StructType::default());
        let batch = Batch::new(schema.clone(), Vec::new(), 1);
        self.analyzer.local(vec![batch], &schema)
    }

    pub(super) fn query(&mut self, query: &Query) -> Result<Frame, SparkError> {
        let outer = self.with.clone();
        for (name, body) in &query.with {
            let frame = self.query(body)?;
            self.with.insert(name.to_lowercase(), frame);
        }
        let result = self.query_body(query);
        self.with = outer;
        result
    }

    fn query_body(&mut self, query: &Query) -> Result<Frame, SparkError> {
        let frame = match &query.body {
            Body::Select(select) => self.select(select, &query.order)?,
            other => {
                let frame = self.body(other)?;
                self.ordered(frame, &query.order)?
            }
        };
        match &query.limit {
            None => Ok(frame),
            Some(limit) => self.limited(&frame, limit),
        }
    }

    fn body(&mut self, body: &Body) -> Result<Frame, SparkError> {
        match body {
            Body::Select(select) => self.select(select, &[]),
            Body::Values(rows) => self.values(rows),
            Body::Nested(query) => self.query(query),
            Body::Union { left, right, all } => {
                let origin = origin_of_body(left);
                let (left, right) = (self.body(left)?, self.body(right)?);
                let union = self.analyzer.union(&left, &right).map_err(|e| at_origin(e, origin))?;
                if *all { Ok(union) } else { self.distinct(&union) }
            }
        }
    }

    /// Rows of constants: one projection for each, so that their types agree as those of a union do.
    fn values(&mut self, rows: &[Vec<Expr>]) -> Result<Frame, SparkError> {
        let mut frame: Option<Frame> = None;
        for row in rows {
            let items: Vec<Expr> =
                row.iter().enumerate().map(|(i, e)| e.clone().alias(&format!("col{}", i + 1))).collect();
            let one = self.one_row();
            let projected = self.analyzer.select(&one, &items)?;
            frame = Some(match frame {
                None => projected,
                Some(before) => self.analyzer.union(&before, &projected)?,
            });
        }
        Ok(frame.unwrap_or_else(|| self.nothing()))
    }

    fn limited(&mut self, frame: &Frame, limit: &Expr) -> Result<Frame, SparkError> {
        let origin = match limit {
            Expr::At { origin, .. } => Some(*origin),
            _ => None,
        };
        let rows = match limit.bare() {
            Expr::Literal(Literal::Integer(n)) => i64::from(*n),
            Expr::Literal(Literal::Long(n)) => *n,
            Expr::Literal(other) => {
                let error = analysis(
                    "INVALID_LIMIT_LIKE_EXPRESSION.DATA_TYPE",
                    "42K0E",
                    format!(
                        "The limit like expression \"{}\" is invalid. The limit expression must be integer type, but got \"{}\".",
                        other.pretty_text(),
                        other.data_type().sql()
                    ),
                );
                return Err(at_origin(error, origin));
            }
            _ => return Err(crate::error::not_supported("LIMIT with an expression")),
        };
        self.analyzer.limit(frame, rows).map_err(|e| at_origin(e, origin))
    }

    fn ordered(&mut self, frame: Frame, order: &[Expr]) -> Result<Frame, SparkError> {
        if order.is_empty() {
            return Ok(frame);
        }
        let order = by_position(order, &frame.output())?;
        self.analyzer.sort(&frame, &order, true)
    }

    fn select(&mut self, select: &Select, order: &[Expr]) -> Result<Frame, SparkError> {
        let mut frame = match &select.from {
            Some(from) => self.from(from)?,
            None => self.one_row(),
        };
        for view in &select.views {
            frame = self.lateral_view(&frame, view)?;
        }
        if let Some(filter) = &select.filter {
            frame = self.filtered(&frame, filter).map_err(|e| at_origin(e, Some(select.origin)))?;
        }
        let grouped =
            select.group.is_some() || select.having.is_some() || self.has_aggregates(&frame, &select.items);
        let frame = if grouped {
            self.grouped(&frame, select, order)?
        } else {
            let frame = self.analyzer.select(&frame, &select.items)?;
            if select.distinct {
                let frame = self.distinct(&frame)?;
                return self.ordered(frame, order);
            }
            self.ordered(frame, order)?
        };
        if select.distinct { self.distinct(&frame) } else { Ok(frame) }
    }

    /// `DISTINCT` in SQL groups by all columns; `distinct()` of a DataFrame is a deduplication.
    fn distinct(&mut self, frame: &Frame) -> Result<Frame, SparkError> {
        let checked = self.analyzer.distinct(frame)?;
        if !frame.plan().is_streaming() {
            return Ok(checked);
        }
        let keys: Vec<Expr> = frame.output().into_iter().map(Expr::Attribute).collect();
        let grouped = self.analyzer.group_by(frame, &keys);
        self.analyzer.agg(&grouped, &[])
    }

    fn has_aggregates(&mut self, frame: &Frame, items: &[Expr]) -> bool {
        let input = frame.output();
        let mut resolver = Resolver::new(&mut self.analyzer.ids, &self.analyzer.settings, &input);
        for item in items {
            // What does not resolve is reported when the list is selected.
            let _ = resolver.resolve(item);
        }
        !resolver.aggregates.is_empty()
    }

    /// A select with GROUP BY, HAVING or aggregates: what HAVING and ORDER BY need is computed beside the items.
    fn grouped(&mut self, frame: &Frame, select: &Select, order: &[Expr]) -> Result<Frame, SparkError> {
        let input = frame.output();
        let keys = self.keys(select, &input)?;
        let settings = self.analyzer.settings.clone();
        let mut resolver = Resolver::new(&mut self.analyzer.ids, &settings, &input);
        let grouping = grouping_of(&mut resolver, &keys)?;
        let windows = resolver.windows;
        let scope = with_window_columns(&input, &windows);
        let mut resolver = Resolver { windows, ..Resolver::new(&mut self.analyzer.ids, &settings, &scope) };
        let mut typed = Vec::new();
        for item in &select.items {
            if let Expr::Star(target) = item.bare() {
                typed.extend(resolver.expand_star(target)?);
                continue;
            }
            let resolved = resolver.resolve(item)?;
            if matches!(item.bare(), Expr::Alias { .. }) {
                resolver.aliases.push((resolved.column_name(), resolved.clone()));
            }
            typed.push(resolved);
        }
        let visible = typed.len();
        if let Some(having) = &select.having {
            let condition = resolver.resolve(having)?;
            let scalar = crate::resolve::coerce::cast_to(condition.scalar.clone(), &DataType::Boolean);
            if condition.data_type() != DataType::Boolean {
                return Err(crate::error::type_mismatch(
                    &condition.text,
                    "FILTER_NOT_BOOLEAN",
                    &format!(
                        "Filter expression \"{}\" of type \"{}\" is not a boolean.",
                        condition.text,
                        condition.data_type().sql()
                    ),
                ));
            }
            typed.push(Typed { scalar, name: Some("having".to_owned()), ..condition });
        }
        let mut sorts = Vec::new();
        for item in order {
            sorts.push(order_item(&mut resolver, item, &mut typed, visible)?);
        }
        let Resolver { aggregates, windows, .. } = resolver;
        let plan = with_windows(frame.plan().clone(), windows);
        let mut plan =
            aggregate_plan(&mut self.analyzer.ids, plan, grouping, aggregates, typed).map_err(|e| {
                if e.condition.0 == "MISSING_GROUP_BY" { at_origin(e, Some(select.origin)) } else { e }
            })?;
        let output = plan.output();
        if select.having.is_some() {
            plan = Arc::new(Plan::Filter { predicate: Scalar::Column(output[visible].clone()), child: plan });
        }
        if !sorts.is_empty() {
            let orders = sorts
                .into_iter()
                .map(|(index, ascending, nulls_first)| SortOrder {
                    scalar: Scalar::Column(output[index].clone()),
                    ascending,
                    nulls_first,
                })
                .collect();
            plan = Arc::new(Plan::Sort { orders, global: true, child: plan });
        }
        Ok(Frame::of(crate::builder::narrowed(plan, &output[..visible])))
    }

    /// The keys of GROUP BY: positions, names of items and `ALL` become the items themselves.
    fn keys(&mut self, select: &Select, input: &[Attribute]) -> Result<Vec<Expr>, SparkError> {
        let case_sensitive = self.analyzer.settings.case_sensitive;
        let keys = match &select.group {
            None => return Ok(Vec::new()),
            Some(Group::All) => {
                let settings = self.analyzer.settings.clone();
                let mut keys = Vec::new();
                for item in &select.items {
                    let mut resolver = Resolver::new(&mut self.analyzer.ids, &settings, input);
                    // What does not resolve is reported with the list.
                    let _ = resolver.resolve(item);
                    if resolver.aggregates.is_empty() {
                        keys.push(unaliased(item));
                    }
                }
                return Ok(keys);
            }
            Some(Group::Keys(keys)) => keys,
        };
        let mut resolved = Vec::with_capacity(keys.len());
        for key in keys {
            resolved.push(match key.bare() {
                Expr::Literal(Literal::Integer(position)) => {
                    let index = usize::try_from(*position).ok().filter(|p| (1..=select.items.len()).contains(p));
                    let Some(index) = index else {
                        let error = analysis(
                            "GROUP_BY_POS_OUT_OF_RANGE",
                            "42805",
                            format!(
                                "GROUP BY position {position} is not in select list (valid range is [1, {}]).",
                                select.items.len()
                            ),
                        );
                        return Err(at_origin(error, origin_of(key)));
                    };
                    unaliased(&select.items[index - 1])
                }
                Expr::Name(parts) if parts.len() == 1 => {
                    let in_input = input.iter().any(|a| same(&a.name, &parts[0], case_sensitive));
                    let item = select.items.iter().find(|item| match item.bare() {
                        Expr::Alias { names, .. } => same(&names[0], &parts[0], case_sensitive),
                        _ => false,
                    });
                    match item {
                        Some(item) if !in_input => unaliased(item),
                        _ => key.clone(),
                    }
                }
                _ => key.clone(),
            });
        }
        Ok(resolved)
    }

    fn lateral_view(&mut self, frame: &Frame, view: &super::query::LateralView) -> Result<Frame, SparkError> {
        let generator = match view.names.as_slice() {
            [] => view.generator.clone(),
            names => Expr::Alias { child: Box::new(view.generator.clone()), names: names.to_vec() },
        };
        let before = frame.output();
        let items: Vec<Expr> =
            before.iter().cloned().map(Expr::Attribute).chain(std::iter::once(generator)).collect();
        let selected = self.analyzer.select(frame, &items)?;
        let output = selected
            .output()
            .into_iter()
            .enumerate()
            .map(|(index, a)| match before.get(index) {
                Some(known) => known.clone(),
                None => Attribute { qualifier: vec![view.table.clone()], ..a },
            })
            .collect();
        Ok(Frame::new(Plan::Alias { name: view.table.clone(), child: selected.plan().clone(), output }))
    }

    pub(super) fn from(&mut self, from: &From) -> Result<Frame, SparkError> {
        match from {
            From::Table { parts, origin } => self.table(parts, *origin),
            From::Query(query) => self.query(query),
            From::Values(rows) => self.values(rows),
            From::Range(args) => self.range(args),
            From::Alias { child, name, columns } => {
                let frame = self.from(child)?;
                let frame = if columns.is_empty() { frame } else { self.analyzer.to_df(&frame, columns)? };
                self.analyzer.alias(&frame, name)
            }
            From::Join { left, right, join_type, on } => {
                let (left, right) = (self.from(left)?, self.from(right)?);
                self.join(&left, &right, *join_type, on)
            }
        }
    }

    fn table(&mut self, parts: &[String], origin: Origin) -> Result<Frame, SparkError> {
        if let [name] = parts
            && let Some(frame) = self.with.get(&name.to_lowercase()).cloned()
        {
            return self.analyzer.alias(&frame, name);
        }
        if let Some(frame) = self.analyzer.view_of(parts) {
            return Ok(frame);
        }
        match self.relations.get(parts) {
            Some(frame) => Ok(Frame::new(crate::builder::aliased(frame.plan(), parts))),
            None => Err(at_origin(table_not_found(parts), Some(origin))),
        }
    }

    fn range(&mut self, args: &[Expr]) -> Result<Frame, SparkError> {
        let numbers = args
            .iter()
            .map(|arg| match arg.bare() {
                Expr::Literal(Literal::Integer(n)) => Ok(i64::from(*n)),
                Expr::Literal(Literal::Long(n)) => Ok(*n),
                _ => Err(crate::error::not_supported("range() of values that are no integers")),
            })
            .collect::<Result<Vec<_>, _>>()?;
        match numbers.as_slice() {
            [end] => self.analyzer.range(0, *end, 1, None),
            [start, end] => self.analyzer.range(*start, *end, 1, None),
            [start, end, step] => self.analyzer.range(*start, *end, *step, None),
            [start, end, step, partitions] => {
                self.analyzer.range(*start, *end, *step, usize::try_from(*partitions).ok())
            }
            _ => Err(crate::error::wrong_num_args("range", "[1, 2, 3, 4]", numbers.len())),
        }
    }

    fn join(
        &mut self,
        left: &Frame,
        right: &Frame,
        join_type: JoinType,
        on: &On,
    ) -> Result<Frame, SparkError> {
        let on = match on {
            On::Nothing => JoinOn::Nothing,
            On::Condition(condition) => JoinOn::Condition(condition.clone()),
            On::Using(names) => JoinOn::Using(names.clone()),
            On::Natural => {
                let others = right.output();
                let case_sensitive = self.analyzer.settings.case_sensitive;
                let names: Vec<String> = left
                    .output()
                    .into_iter()
                    .map(|a| a.name)
                    .filter(|name| others.iter().any(|o| same(&o.name, name, case_sensitive)))
                    .collect();
                if names.is_empty() { JoinOn::Nothing } else { JoinOn::Using(names) }
            }
        };
        let how = match join_type {
            JoinType::Inner => "inner",
            JoinType::LeftOuter => "left",
            JoinType::RightOuter => "right",
            JoinType::FullOuter => "full",
            JoinType::LeftSemi => "semi",
            JoinType::LeftAnti => "anti",
            JoinType::Cross => "cross",
        };
        self.analyzer.join(left, right, &on, how)
    }
}

/// A sort item of a grouped select: an item by position or name, or a value of its own beside them.
fn order_item(
    resolver: &mut Resolver<'_>,
    item: &Expr,
    typed: &mut Vec<Typed>,
    visible: usize,
) -> Result<(usize, bool, bool), SparkError> {
    let (child, ascending, nulls_first) = match item.bare() {
        Expr::Sort { child, ascending, nulls_first } => (child.as_ref(), *ascending, *nulls_first),
        other => (other, true, true),
    };
    if let Expr::Literal(Literal::Integer(position)) = child.bare() {
        let index = position_of(*position, visible).map_err(|e| at_origin(e, origin_of(item)))?;
        return Ok((index, ascending, nulls_first));
    }
    if let Expr::Name(parts) = child.bare()
        && let [name] = parts.as_slice()
    {
        let case_sensitive = resolver.settings.case_sensitive;
        let index = typed[..visible].iter().position(|t| same(&t.column_name(), name, case_sensitive));
        if let Some(index) = index {
            return Ok((index, ascending, nulls_first));
        }
    }
    let key = resolver.resolve(child)?;
    let index = match typed[..visible].iter().position(|t| t.scalar == key.scalar) {
        Some(index) => index,
        None => {
            typed.push(Typed { name: Some("aggOrder".to_owned()), ..key });
            typed.len() - 1
        }
    };
    Ok((index, ascending, nulls_first))
}

fn position_of(position: i32, columns: usize) -> Result<usize, SparkError> {
    usize::try_from(position).ok().filter(|p| (1..=columns).contains(p)).map(|p| p - 1).ok_or_else(|| {
        analysis(
            "ORDER_BY_POS_OUT_OF_RANGE",
            "42805",
            format!("ORDER BY position {position} is not in select list (valid range is [1, {columns}])."),
        )
    })
}

/// Sort items with positions replaced by the columns there.
fn by_position(order: &[Expr], output: &[Attribute]) -> Result<Vec<Expr>, SparkError> {
    order
        .iter()
        .map(|item| match item.bare() {
            Expr::Sort { child, ascending, nulls_first } => match child.bare() {
                Expr::Literal(Literal::Integer(position)) => {
                    let index =
                        position_of(*position, output.len()).map_err(|e| at_origin(e, origin_of(item)))?;
                    Ok(Expr::Sort {
                        child: Box::new(Expr::Attribute(output[index].clone())),
                        ascending: *ascending,
                        nulls_first: *nulls_first,
                    })
                }
                _ => Ok(item.clone()),
            },
            _ => Ok(item.clone()),
        })
        .collect()
}

fn unaliased(expr: &Expr) -> Expr {
    match expr.bare() {
        Expr::Alias { child, .. } => child.as_ref().clone(),
        _ => expr.clone(),
    }
}

fn origin_of(expr: &Expr) -> Option<Origin> {
    match expr {
        Expr::At { origin, .. } => Some(*origin),
        _ => None,
    }
}

fn origin_of_body(body: &Body) -> Option<Origin> {
    match body {
        Body::Select(select) => Some(select.origin),
        Body::Union { left, .. } => origin_of_body(left),
        Body::Values(_) | Body::Nested(_) => None,
    }
}
