//! `session_window(time, gap)`: a window that stays open as long as rows come within the gap.

use tidemark_types::{DataType, SparkError};

use crate::attribute::Attribute;
use crate::error::analysis;
use crate::expr::Expr;
use crate::interval::parse_interval;
use crate::literal::Literal;
use crate::logical::Plan;
use crate::resolve::call::check_count;
use crate::resolve::coerce::cast_to;
use crate::resolve::expression::{Resolver, TimeWindow};
use crate::resolve::special::window_type;
use crate::resolve::typed::Typed;
use crate::scalar::{Function, NamedScalar, Scalar};

impl Resolver<'_> {
    /// `session_window(time, gap)`: a column of its own below the operator, each row with a session of its own.
    pub(crate) fn session_window(&mut self, args: &[Expr]) -> Result<Typed, SparkError> {
        let args = self.arguments(args)?;
        check_count("session_window", &args, "2", 2, 2)?;
        let text = format!("sessionwindow({}, {})", args[0].text, args[1].text);
        let (time, delay) = self.window_input(&text, &args[0])?;
        let gap = match args[1].data_type() {
            DataType::String => args[1].scalar.clone(),
            DataType::Null => cast_to(args[1].scalar.clone(), &DataType::String),
            other => return Err(not_a_gap(&other)),
        };
        let data_type = window_type(time.data_type());
        let scalar = Scalar::Call {
            function: Function::SessionWindow,
            args: vec![time, gap],
            data_type: data_type.clone(),
            nullable: false,
        };
        self.window_column("session_window", scalar, data_type, false, delay)
    }

    /// The column of a window of time, the same one for the same call.
    ///
    /// Errors: a second window beside another.
    pub(crate) fn window_column(
        &mut self,
        name: &str,
        scalar: Scalar,
        data_type: DataType,
        sliding: bool,
        delay: Option<i64>,
    ) -> Result<Typed, SparkError> {
        if let Some(known) = self.windows.iter().find(|w| w.scalar == scalar) {
            return Ok(Typed::column(known.output.clone()));
        }
        if !self.windows.is_empty() {
            return Err(analysis(
                "_LEGACY_ERROR_TEMP_1039",
                "",
                "Multiple time/session window expressions would result in a cartesian product of rows, therefore they are currently not supported.",
            ));
        }
        let output = Attribute {
            id: self.ids.next_id(),
            name: name.to_owned(),
            data_type,
            nullable: sliding,
            qualifier: Vec::new(),
            watermark_delay: delay,
        };
        self.windows.push(TimeWindow { scalar, sliding, output: output.clone() });
        Ok(Typed::column(output))
    }
}

fn not_a_gap(data_type: &DataType) -> SparkError {
    let name = format!("{data_type:?}");
    let name = name.split('(').next().unwrap_or_default();
    analysis(
        "_LEGACY_ERROR_TEMP_1040",
        "",
        format!(
            "Gap duration expression used in session window must be CalendarIntervalType, but got {name}Type."
        ),
    )
    .with_parameter("dt", format!("{name}Type"))
}

/// What must hold of the sessions of rows: a row whose gap is no time at all vanishes. `None` where the gap is a
/// constant that is good.
pub(crate) fn session_filter(window: &TimeWindow) -> Option<Scalar> {
    let Scalar::Call { function: Function::SessionWindow, args, .. } = &window.scalar else { return None };
    match &args[1] {
        Scalar::Literal(Literal::String(text)) => match parse_interval(text) {
            Ok(gap) if gap.months + gap.days + gap.micros > 0 => return None,
            Ok(_) => {}
            // A constant that is no interval is known to fail before any row is looked at.
            Err(_) => return Some(Scalar::Literal(Literal::Boolean(false))),
        },
        Scalar::Literal(_) => return Some(Scalar::Literal(Literal::Boolean(false))),
        _ => {}
    }
    let end = |index: i32| Scalar::Call {
        function: Function::GetField,
        args: vec![Scalar::Column(window.output.clone()), Scalar::Literal(Literal::Integer(index))],
        data_type: args[0].data_type(),
        nullable: true,
    };
    Some(Scalar::Call {
        function: Function::Greater,
        args: vec![end(1), end(0)],
        data_type: DataType::Boolean,
        nullable: true,
    })
}

/// The place of the session window among the keys of an aggregation over `child`, if one of them is a session window.
///
/// A column stays one wherever it goes: through projections, also out of another aggregation.
pub fn session_key(grouping: &[NamedScalar], child: &Plan) -> Option<usize> {
    grouping.iter().position(|key| is_session(&key.scalar, child))
}

fn is_session(scalar: &Scalar, below: &Plan) -> bool {
    match scalar {
        Scalar::Call { function, .. } => *function == Function::SessionWindow,
        Scalar::Column(column) => is_session_column(column, below),
        _ => false,
    }
}

fn is_session_column(column: &Attribute, plan: &Plan) -> bool {
    let named = |columns: &[NamedScalar], child: &Plan| {
        columns.iter().find(|c| c.output.id == column.id).is_some_and(|c| is_session(&c.scalar, child))
    };
    match plan {
        Plan::Relation { .. } | Plan::Local { .. } | Plan::Range { .. } => false,
        Plan::Project { columns, child } => named(columns, child),
        Plan::Aggregate { grouping, child, .. } => named(grouping, child),
        Plan::Filter { child, .. }
        | Plan::Deduplicate { child, .. }
        | Plan::Sort { child, .. }
        | Plan::Limit { child, .. }
        | Plan::Repartition { child, .. } => is_session_column(column, child),
        Plan::Union { .. }
        | Plan::Join { .. }
        | Plan::Watermark { .. }
        | Plan::Alias { .. }
        | Plan::Generate { .. } => {
            let Some(place) = plan.output().iter().position(|a| a.id == column.id) else { return false };
            let below = plan.children().into_iter().flat_map(|child| {
                child.output().into_iter().map(|attribute| (attribute, child.clone())).collect::<Vec<_>>()
            });
            below
                .into_iter()
                .nth(place)
                .is_some_and(|(attribute, child)| is_session_column(&attribute, &child))
        }
    }
}
