//! Two frames: union and join.

use std::collections::BTreeSet;
use std::sync::Arc;

use tidemark_types::{DataType, SparkError};

use crate::attribute::{Attribute, ExprId};
use crate::builder::{Analyzer, Frame, JoinOn};
use crate::error::{analysis, ordinal, unresolved_among};
use crate::expr::Expr;
use crate::literal::Literal;
use crate::logical::{JoinType, Plan};
use crate::name::same;
use crate::resolve::coerce::{cast_to, wider};
use crate::resolve::operator::{comparison, logic};
use crate::resolve::project::project;
use crate::resolve::{Resolver, Typed};
use crate::scalar::{Function, NamedScalar, Scalar};

const JOIN_TYPES: &str = "'inner', 'outer', 'full', 'fullouter', 'full_outer', 'leftouter', 'left', 'left_outer', 'rightouter', 'right', 'right_outer', 'leftsemi', 'left_semi', 'semi', 'leftanti', 'left_anti', 'anti', 'cross'";

impl Analyzer {
    /// `df.union(other)`, `unionAll`.
    pub fn union(&mut self, left: &Frame, right: &Frame) -> Result<Frame, SparkError> {
        self.union_plans("UNION", left.plan(), right.plan()).map(Frame::of)
    }

    pub(crate) fn union_plans(
        &mut self,
        operator: &str,
        left: &Arc<Plan>,
        right: &Arc<Plan>,
    ) -> Result<Arc<Plan>, SparkError> {
        let (a, b) = (left.output(), right.output());
        if a.len() != b.len() {
            return Err(analysis(
                "NUM_COLUMNS_MISMATCH",
                "42826",
                format!(
                    "{operator} can only be performed on inputs with the same number of columns, but the first input has {} columns and the second input has {} columns.",
                    a.len(),
                    b.len()
                ),
            ));
        }
        let mut types = Vec::with_capacity(a.len());
        for (index, (x, y)) in a.iter().zip(&b).enumerate() {
            let Some(both) = wider(&x.data_type, &y.data_type) else {
                return Err(analysis(
                    "INCOMPATIBLE_COLUMN_TYPE",
                    "42825",
                    format!(
                        "{operator} can only be performed on tables with compatible column types. The {} column of the second table is \"{}\" type which is not compatible with \"{}\" at the same column of the first table..",
                        ordinal(index),
                        y.data_type.sql(),
                        x.data_type.sql()
                    ),
                ));
            };
            types.push(both);
        }
        let right = self.fresh_if_shared(left, right);
        let (left, right) = (self.casted(left, &types), self.casted(&right, &types));
        let (a, b) = (left.output(), right.output());
        let output = a
            .iter()
            .zip(&b)
            .map(|(x, y)| Attribute {
                id: self.ids.next_id(),
                nullable: x.nullable || y.nullable,
                qualifier: Vec::new(),
                watermark_delay: x.watermark_delay.or(y.watermark_delay),
                ..x.clone()
            })
            .collect();
        // Unions of unions are one: Spark flattens them.
        let children = [left, right]
            .into_iter()
            .enumerate()
            .flat_map(|(index, plan)| match plan.as_ref() {
                Plan::Union { children, .. } if index == 0 => children.clone(),
                _ => vec![plan],
            })
            .collect();
        Ok(Arc::new(Plan::Union { children, output }))
    }

    /// The plan with its columns cast to these types.
    fn casted(&mut self, plan: &Arc<Plan>, types: &[DataType]) -> Arc<Plan> {
        let output = plan.output();
        if output.iter().zip(types).all(|(a, t)| a.data_type == *t) {
            return plan.clone();
        }
        let items = output
            .into_iter()
            .zip(types)
            .map(|(attribute, to)| {
                let typed = Typed::column(attribute);
                Typed { scalar: cast_to(typed.scalar.clone(), to), ..typed }
            })
            .collect();
        project(&mut self.ids, plan.clone(), items)
    }

    /// `df.unionByName(other, allowMissingColumns)`.
    pub fn union_by_name(
        &mut self,
        left: &Frame,
        right: &Frame,
        allow_missing: bool,
    ) -> Result<Frame, SparkError> {
        let (a, b) = (left.output(), right.output());
        let case_sensitive = self.settings.case_sensitive;
        let find = |list: &[Attribute], name: &str| {
            list.iter().find(|x| same(&x.name, name, case_sensitive)).cloned()
        };
        let mut items = Vec::with_capacity(a.len());
        for attribute in &a {
            items.push(match find(&b, &attribute.name) {
                Some(found) => Typed::column(found),
                None if allow_missing => null_column(attribute),
                None => {
                    let names: Vec<String> = b.iter().map(|x| x.name.clone()).collect();
                    return Err(unresolved_among(&attribute.name, &names));
                }
            });
        }
        let mut left_items: Vec<Typed> = a.iter().cloned().map(Typed::column).collect();
        for attribute in b.iter().filter(|x| find(&a, &x.name).is_none()) {
            if !allow_missing {
                let names: Vec<String> = a.iter().map(|x| x.name.clone()).collect();
                return Err(unresolved_among(&attribute.name, &names));
            }
            left_items.push(null_column(attribute));
            items.push(Typed::column(attribute.clone()));
        }
        let left_plan = if left_items.len() == a.len() {
            left.plan().clone()
        } else {
            project(&mut self.ids, left.plan().clone(), left_items)
        };
        let right_plan = project(&mut self.ids, right.plan().clone(), items);
        self.union_plans("UNION", &left_plan, &right_plan).map(Frame::of)
    }

    /// `df.join(other, on, how)`.
    pub fn join(&mut self, left: &Frame, right: &Frame, on: &JoinOn, how: &str) -> Result<Frame, SparkError> {
        let join_type = join_type(how)?;
        let join_type = if matches!(on, JoinOn::Nothing) && join_type == JoinType::Inner {
            JoinType::Cross
        } else {
            join_type
        };
        let right_plan = self.fresh_if_shared(left.plan(), right.plan());
        match on {
            JoinOn::Using(names) => {
                self.join_using(left.plan(), &right_plan, names, join_type).map(Frame::of)
            }
            JoinOn::Nothing => Ok(Frame::of(join_plan(left.plan(), &right_plan, join_type, None))),
            JoinOn::Condition(condition) => {
                let condition = &apart(condition, right.plan(), &right_plan);
                let scope: Vec<Attribute> = left.output().into_iter().chain(right_plan.output()).collect();
                let mut resolver = Resolver::new(&mut self.ids, &self.settings, &scope);
                let typed = resolver.resolve(condition)?;
                let scalar = match typed.data_type() {
                    DataType::Boolean => typed.scalar,
                    other => {
                        return Err(analysis(
                            "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE",
                            "42K0E",
                            format!(
                                "The join condition \"{}\" has the invalid type \"{}\", expected \"BOOLEAN\".",
                                typed.text,
                                other.sql()
                            ),
                        ));
                    }
                };
                Ok(Frame::of(join_plan(left.plan(), &right_plan, join_type, Some(scalar))))
            }
        }
    }

    /// Columns of one name on both sides become one, in front.
    pub(crate) fn join_using(
        &mut self,
        left: &Arc<Plan>,
        right: &Arc<Plan>,
        names: &[String],
        join_type: JoinType,
    ) -> Result<Arc<Plan>, SparkError> {
        let (a, b) = (left.output(), right.output());
        let mut condition: Option<Typed> = None;
        let mut pairs = Vec::new();
        for name in names {
            let x = self.using_column(&a, name, "left")?;
            let y = self.using_column(&b, name, "right")?;
            let equal = comparison("=", Typed::column(x.clone()), Typed::column(y.clone()))?;
            condition = Some(match condition {
                None => equal,
                Some(before) => logic("AND", before, equal)?,
            });
            pairs.push((x, y));
        }
        let joined = join_plan(left, right, join_type, condition.map(|c| c.scalar));
        let output = joined.output();
        let find = |id: ExprId| output.iter().find(|o| o.id == id).cloned().map(Typed::column);
        let mut items: Vec<Typed> = Vec::new();
        for (x, y) in &pairs {
            let item = match join_type {
                JoinType::RightOuter => find(y.id).map(|t| Typed { name: Some(x.name.clone()), ..t }),
                JoinType::FullOuter => {
                    let both = wider(&x.data_type, &y.data_type);
                    both.and_then(|both| Some(coalesced(find(x.id)?, find(y.id)?, &both)))
                }
                _ => find(x.id),
            };
            items.extend(item);
        }
        let joined_ids: Vec<ExprId> = pairs.iter().flat_map(|(x, y)| [x.id, y.id]).collect();
        items.extend(output.iter().filter(|o| !joined_ids.contains(&o.id)).cloned().map(Typed::column));
        Ok(project(&mut self.ids, joined, items))
    }

    fn using_column(&self, columns: &[Attribute], name: &str, side: &str) -> Result<Attribute, SparkError> {
        if let Some(found) = columns.iter().find(|a| same(&a.name, name, self.settings.case_sensitive)) {
            return Ok(found.clone());
        }
        let mut names: Vec<String> = columns.iter().map(|a| format!("`{}`", a.name)).collect();
        names.sort();
        Err(analysis(
            "UNRESOLVED_USING_COLUMN_FOR_JOIN",
            "42703",
            format!(
                "USING column `{name}` cannot be resolved on the {side} side of the join. The {side}-side columns: [{}].",
                names.join(", ")
            ),
        ))
    }

    /// The right side with new identities, if the left side has some of its columns.
    pub(crate) fn fresh_if_shared(&mut self, left: &Arc<Plan>, right: &Arc<Plan>) -> Arc<Plan> {
        let known: BTreeSet<ExprId> = left.output().into_iter().map(|a| a.id).collect();
        let output = right.output();
        if !output.iter().any(|a| known.contains(&a.id)) {
            return right.clone();
        }
        let columns = output
            .into_iter()
            .map(|a| {
                let fresh = Attribute { id: self.ids.next_id(), ..a.clone() };
                NamedScalar { scalar: Scalar::Column(a), output: fresh }
            })
            .collect();
        Arc::new(Plan::Project { columns, child: right.clone() })
    }
}

/// A comparison of a column with itself, in a join of a frame with itself, means the column of either side.
fn apart(condition: &Expr, before: &Plan, after: &Plan) -> Expr {
    let fresh = |attribute: &Attribute| {
        let index = before.output().iter().position(|a| a.id == attribute.id)?;
        after.output().get(index).filter(|a| a.id != attribute.id).cloned()
    };
    match condition.bare() {
        Expr::Call(call) if call.name == "and" && call.args.len() == 2 => {
            let both = call.args.iter().map(|arg| apart(arg, before, after)).collect();
            Expr::call("and", both)
        }
        Expr::Call(call) if matches!(call.name.as_str(), "=" | "==" | "<=>") && call.args.len() == 2 => {
            match (call.args[0].bare(), call.args[1].bare()) {
                (Expr::Attribute(left), Expr::Attribute(right)) if left.id == right.id => {
                    match fresh(right) {
                        Some(other) => call.args[0].clone().binary(&call.name, Expr::Attribute(other)),
                        None => condition.clone(),
                    }
                }
                _ => condition.clone(),
            }
        }
        _ => condition.clone(),
    }
}

fn null_column(like: &Attribute) -> Typed {
    let literal = Literal::Null(like.data_type.clone());
    Typed { scalar: Scalar::Literal(literal), text: "NULL".to_owned(), name: Some(like.name.clone()) }
}

fn coalesced(left: Typed, right: Typed, both: &DataType) -> Typed {
    let name = left.name.clone();
    let nullable = left.scalar.nullable() && right.scalar.nullable();
    let args = vec![cast_to(left.scalar, both), cast_to(right.scalar, both)];
    let scalar = Scalar::Call { function: Function::Coalesce, args, data_type: both.clone(), nullable };
    Typed { scalar, text: left.text, name }
}

/// How frames join, by any of Spark's words for it.
pub fn join_type(how: &str) -> Result<JoinType, SparkError> {
    Ok(match how.to_lowercase().replace('_', "").as_str() {
        "inner" => JoinType::Inner,
        "outer" | "full" | "fullouter" => JoinType::FullOuter,
        "left" | "leftouter" => JoinType::LeftOuter,
        "right" | "rightouter" => JoinType::RightOuter,
        "semi" | "leftsemi" => JoinType::LeftSemi,
        "anti" | "leftanti" => JoinType::LeftAnti,
        "cross" => JoinType::Cross,
        _ => {
            return Err(analysis(
                "UNSUPPORTED_JOIN_TYPE",
                "0A000",
                format!("Unsupported join type '{how}'. Supported join types include: {JOIN_TYPES}."),
            ));
        }
    })
}

/// A join with the columns that its type gives.
pub(crate) fn join_plan(
    left: &Arc<Plan>,
    right: &Arc<Plan>,
    join_type: JoinType,
    condition: Option<Scalar>,
) -> Arc<Plan> {
    let optional =
        |columns: Vec<Attribute>| columns.into_iter().map(|a| Attribute { nullable: true, ..a }).collect();
    let (a, b): (Vec<Attribute>, Vec<Attribute>) = (left.output(), right.output());
    let (a, b) = match join_type {
        JoinType::Inner | JoinType::Cross => (a, b),
        JoinType::LeftOuter => (a, optional(b)),
        JoinType::RightOuter => (optional(a), b),
        JoinType::FullOuter => (optional(a), optional(b)),
        JoinType::LeftSemi | JoinType::LeftAnti => (a, Vec::new()),
    };
    let output = a.into_iter().chain(b).collect();
    Arc::new(Plan::Join { left: left.clone(), right: right.clone(), join_type, condition, output })
}

/// `left AND right` over conditions given as a list.
pub fn all_of(conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| a.binary("and", b))
}
