//! The condition of a join of two streams, taken apart: equalities, what one side alone must hold, the rest, and until
//! when a row of each side can still find a match.

use tidemark_plan::{Attribute, Function, JoinType, Literal, Plan, Scalar, time_bound};
use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::error::Result;
use crate::operator::{and, conjuncts, equality, inferred, is_of, strict_columns};
use crate::state::event_time::event_time_column;

/// One side of the condition.
#[derive(Clone, Debug, Default)]
pub(in crate::state) struct SideCondition {
    /// The keys.
    pub(in crate::state) keys: Vec<Scalar>,
    /// What a row of this side must hold by itself.
    pub(in crate::state) own: Option<Scalar>,
    /// When its rows are over.
    pub(in crate::state) end: End,
}

/// When the stored rows of a side are over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::state) enum End {
    /// Never.
    #[default]
    Never,
    /// When the key of this number is at or before the watermark.
    Key(usize),
    /// When the column of this number is at or before the watermark and so many microseconds.
    Column(usize, i64),
}

/// A condition.
#[derive(Clone, Debug)]
pub(in crate::state) struct JoinCondition {
    /// Of the left side.
    pub(in crate::state) left: SideCondition,
    /// Of the right side.
    pub(in crate::state) right: SideCondition,
    /// What a pair must hold beside the equalities.
    pub(in crate::state) rest: Option<Scalar>,
}

impl JoinCondition {
    /// Takes a condition apart.
    ///
    /// Errors: there is no equality between the sides.
    pub(in crate::state) fn of(
        condition: Option<&Scalar>,
        left: &[Attribute],
        right: &[Attribute],
    ) -> Result<Self> {
        let mut parts = Vec::new();
        if let Some(condition) = condition {
            conjuncts(condition, &mut parts);
        }
        let (mut l, mut r) = (SideCondition::default(), SideCondition::default());
        let (mut own_left, mut own_right, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for part in parts {
            match equality(&part, left, right) {
                Some((key_left, key_right, false)) => {
                    l.keys.push(key_left);
                    r.keys.push(key_right);
                }
                Some((key_left, key_right, true)) if default_of(&key_left.data_type()).is_some() => {
                    l.keys.extend(null_safe(key_left));
                    r.keys.extend(null_safe(key_right));
                }
                _ if is_of(&part, left) => own_left.push(part),
                _ if is_of(&part, right) => own_right.push(part),
                _ => rest.push(part),
            }
        }
        if l.keys.is_empty() {
            let text = "Stream-stream join without equality predicate is not supported.;";
            return Err(SparkError::plain(ErrorClass::Analysis, text).into());
        }
        let key = [&l.keys, &r.keys].into_iter().find_map(|keys| keys.iter().position(is_event_time));
        let end = |own: &[Attribute], other: &[Attribute]| match (key, event_time_column(own)) {
            (Some(key), _) => End::Key(key),
            (None, Some(column)) => {
                let alone = if std::ptr::eq(own, left) { &own_left } else { &own_right };
                let bounds = rest
                    .iter()
                    .chain(alone)
                    .filter_map(|part| time_bound(part, own, Some(&own[column]), other));
                bounds.min().map_or(End::Never, |bound| End::Column(column, bound))
            }
            (None, None) => End::Never,
        };
        (l.end, r.end) = (end(left, right), end(right, left));
        l.own = own_left.into_iter().reduce(and);
        r.own = own_right.into_iter().reduce(and);
        Ok(JoinCondition { left: l, right: r, rest: rest.into_iter().reduce(and) })
    }

    /// The columns that are compared: where one is null, nothing matches.
    pub(in crate::state) fn compared(&self) -> Vec<Attribute> {
        let mut parts = Vec::new();
        if let Some(rest) = &self.rest {
            conjuncts(rest, &mut parts);
        }
        let mut found = Vec::new();
        self.left.keys.iter().chain(&self.right.keys).for_each(|key| strict_columns(key, &mut found));
        parts.iter().for_each(|part| strict_columns(part, &mut found));
        found
    }

    /// How far behind the watermark the rows may be that come out, in milliseconds: 0 or less.
    pub(in crate::state) fn held_back_ms(&self) -> i64 {
        let ends = [self.left.end, self.right.end].into_iter().filter_map(|end| match end {
            End::Column(_, micros) => Some(micros.div_euclid(1000)),
            End::Key(_) | End::Never => None,
        });
        ends.min().unwrap_or(0).min(0)
    }

    /// Whether a watermark can end the time of any row.
    pub(in crate::state) fn has_end(&self) -> bool {
        self.left.end != End::Never || self.right.end != End::Never
    }
}

fn is_not_null(scalar: Scalar) -> Scalar {
    Scalar::Call {
        function: Function::IsNotNull,
        args: vec![scalar],
        data_type: DataType::Boolean,
        nullable: false,
    }
}

/// The keys for `<=>`: the value, with a stand-in for null, and whether it is null.
fn null_safe(key: Scalar) -> [Scalar; 2] {
    let data_type = key.data_type();
    let is_null = Scalar::Call {
        function: Function::IsNull,
        args: vec![key.clone()],
        data_type: DataType::Boolean,
        nullable: false,
    };
    let stand_in = default_of(&data_type).map(Scalar::Literal);
    let args = std::iter::once(key).chain(stand_in).collect();
    [Scalar::Call { function: Function::Coalesce, args, data_type, nullable: false }, is_null]
}

/// Spark's stand-in for null of a type, `None` where it is no constant.
// tidy: table
fn default_of(data_type: &DataType) -> Option<Literal> {
    Some(match data_type {
        DataType::Boolean => Literal::Boolean(false),
        DataType::Byte => Literal::Byte(0),
        DataType::Short => Literal::Short(0),
        DataType::Integer => Literal::Integer(0),
        DataType::Long => Literal::Long(0),
        DataType::Float => Literal::Float(0.0),
        DataType::Double => Literal::Double(0.0),
        DataType::Decimal(precision, scale) => Literal::Decimal(0, *precision, *scale),
        DataType::String => Literal::String(String::new()),
        DataType::Binary => Literal::Binary(Vec::new()),
        DataType::Date => Literal::Date(0),
        DataType::Timestamp => Literal::Timestamp(0),
        DataType::TimestampNtz => Literal::TimestampNtz(0),
        DataType::DayTimeInterval => Literal::DayTimeInterval(0),
        DataType::YearMonthInterval => Literal::YearMonthInterval(0),
        DataType::Null | DataType::Array(..) | DataType::Map(..) | DataType::Struct(_) => return None,
    })
}

fn is_event_time(scalar: &Scalar) -> bool {
    matches!(scalar, Scalar::Column(column) if column.watermark_delay.is_some())
}

/// Whether each side gives only rows that match.
pub(in crate::state) fn inner_sides(join_type: JoinType) -> [bool; 2] {
    let both = matches!(join_type, JoinType::Inner | JoinType::LeftSemi | JoinType::Cross);
    let right = both || matches!(join_type, JoinType::LeftOuter | JoinType::LeftAnti);
    [both || join_type == JoinType::RightOuter, right]
}

/// A plan in which the sides of joins with a stream lose, below their watermarks, the rows that can never match.
pub(in crate::state) fn with_join_filters(plan: &Plan) -> Plan {
    let plan = plan.map_children(&mut |child| with_join_filters(child));
    let Plan::Join { left, right, join_type, condition, output } = &plan else { return plan };
    if !plan.is_streaming() {
        return plan;
    }
    let Ok(parts) = JoinCondition::of(condition.as_ref(), &left.output(), &right.output()) else {
        return plan;
    };
    let more = inferred(left, right, condition.as_ref());
    let filtered = |side: &Plan, condition: &SideCondition, more: &[Scalar]| {
        let columns = side.output();
        let compared = parts.compared().into_iter().filter(|c| columns.iter().any(|own| own.id == c.id));
        let compared = compared.map(Scalar::Column);
        let present =
            condition.keys.iter().cloned().chain(compared).filter(Scalar::nullable).map(is_not_null);
        match present.chain(condition.own.clone()).chain(more.iter().cloned()).reduce(and) {
            Some(predicate) => Plan::Filter { predicate, child: side.clone().into() },
            None => side.clone(),
        }
    };
    let [inner_left, inner_right] = inner_sides(*join_type);
    let mut rest = Vec::new();
    if let Some(condition) = condition {
        conjuncts(condition, &mut rest);
    }
    // What a side must hold by itself stands below the join now, and bounds nothing there any more.
    let moved = |part: &Scalar| {
        equality(part, &left.output(), &right.output()).is_none()
            && (inner_left && is_of(part, &left.output()) || inner_right && is_of(part, &right.output()))
    };
    rest.retain(|part| !moved(part));
    Plan::Join {
        left: if inner_left { filtered(left, &parts.left, &more[0]).into() } else { left.clone() },
        right: if inner_right { filtered(right, &parts.right, &more[1]).into() } else { right.clone() },
        join_type: *join_type,
        condition: rest.into_iter().reduce(and),
        output: output.clone(),
    }
}
