//! Rows of one frame: sort, limit, distinct, watermark, repartition, nulls.

use std::sync::Arc;

use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::attribute::Attribute;
use crate::builder::{Analyzer, Frame};
use crate::error::{analysis, not_ordered, unresolved_among};
use crate::expr::Expr;
use crate::interval::parse_duration;
use crate::literal::Literal;
use crate::logical::{Plan, SortOrder};
use crate::name::same;
use crate::resolve::coerce::{cast_to, is_orderable};
use crate::resolve::project::project;
use crate::resolve::{Resolver, Typed, coerce};
use crate::scalar::{Function, Scalar};

use super::missing::{narrowed, resolve_with_missing};

impl Analyzer {
    /// `df.orderBy(…)`, `sort(…)`; not global for `sortWithinPartitions`.
    pub fn sort(&mut self, frame: &Frame, orders: &[Expr], global: bool) -> Result<Frame, SparkError> {
        let output = frame.output();
        let (plan, typed, aggregates) =
            resolve_with_missing(&mut self.ids, &self.settings, frame.plan(), orders)?;
        if !aggregates.is_empty() {
            let list: Vec<String> = aggregates.iter().map(|a| format!("\"{a}\"")).collect();
            return Err(analysis(
                "UNSUPPORTED_EXPR_FOR_OPERATOR",
                "42K0E",
                format!(
                    "A query operator contains one or more unsupported expressions.\nConsider to rewrite it to avoid window functions, aggregate functions, and generator functions in the WHERE clause.\nInvalid expressions: [{}]",
                    list.join(", ")
                ),
            ));
        }
        let orders = orders
            .iter()
            .zip(typed)
            .map(|(expr, typed)| sort_order(expr, typed))
            .collect::<Result<_, _>>()?;
        let plan = Arc::new(Plan::Sort { orders, global, child: plan });
        Ok(Frame::of(narrowed(plan, &output)))
    }

    /// `df.limit(n)`.
    pub fn limit(&mut self, frame: &Frame, rows: i64) -> Result<Frame, SparkError> {
        let Ok(rows) = usize::try_from(rows) else {
            return Err(analysis(
                "INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE",
                "42K0E",
                format!(
                    "The limit like expression \"{rows}\" is invalid. The limit expression must be equal to or greater than 0, but got {rows}."
                ),
            ));
        };
        Ok(Frame::new(Plan::Limit { rows, child: frame.plan().clone() }))
    }

    /// `df.distinct()`.
    pub fn distinct(&mut self, frame: &Frame) -> Result<Frame, SparkError> {
        let keys = frame.output();
        if let Some(map) = keys.iter().find(|a| has_map(&a.data_type)) {
            return Err(map_in_set_operation(map));
        }
        Ok(Frame::new(Plan::Deduplicate { keys, within_watermark: false, child: frame.plan().clone() }))
    }

    /// `df.dropDuplicates(names)`, `dropDuplicatesWithinWatermark`; `None` means all columns.
    pub fn drop_duplicates(
        &mut self,
        frame: &Frame,
        names: Option<&[String]>,
        within_watermark: bool,
    ) -> Result<Frame, SparkError> {
        let output = frame.output();
        let keys = match names {
            None => output,
            Some(names) => self.columns_among(&output, names)?,
        };
        if let Some(key) = keys.iter().find(|key| has_map(&key.data_type)) {
            return Err(map_in_set_operation(key));
        }
        Ok(Frame::new(Plan::Deduplicate { keys, within_watermark, child: frame.plan().clone() }))
    }

    /// The columns of these names; each name may stand for several.
    pub(crate) fn columns_among(
        &self,
        output: &[Attribute],
        names: &[String],
    ) -> Result<Vec<Attribute>, SparkError> {
        let mut found: Vec<Attribute> = Vec::new();
        for name in names {
            let before = found.len();
            let of_name = output.iter().filter(|a| same(&a.name, name, self.settings.case_sensitive));
            let known = of_name.clone().count() > 0;
            for attribute in of_name {
                if !found.iter().any(|f| f.id == attribute.id) {
                    found.push(attribute.clone());
                }
            }
            if found.len() == before && !known {
                return Err(unresolved_among(
                    name,
                    &output.iter().map(|a| a.name.clone()).collect::<Vec<_>>(),
                ));
            }
        }
        Ok(found)
    }

    /// `df.withWatermark(column, delay)`.
    pub fn with_watermark(&mut self, frame: &Frame, column: &str, delay: &str) -> Result<Frame, SparkError> {
        let interval = parse_duration(delay)?;
        let delay_micros = interval.total_micros_with_months();
        if delay_micros < 0 {
            return Err(SparkError::plain(
                ErrorClass::IllegalArgument,
                format!("requirement failed: delay threshold ({delay}) should not be negative."),
            ));
        }
        // A watermark on a batch has no effect, and Spark does not even look at the column.
        if !frame.is_streaming() {
            return Ok(frame.clone());
        }
        let output = frame.output();
        let parts = crate::name::parse_attribute_name(column)?;
        let found = crate::resolve::scope::lookup(&parts, &output, self.settings.case_sensitive)?
            .filter(|found| found.fields.is_empty())
            .ok_or_else(|| crate::resolve::scope::unresolved(&parts, &output))?;
        let event_time = &found.attribute;
        let is_window = crate::resolve::special::is_window_type(&event_time.data_type)
            && event_time.data_type == crate::resolve::special::window_type(DataType::Timestamp);
        if event_time.data_type != DataType::Timestamp && !is_window {
            return Err(analysis(
                "EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE",
                "42K09",
                format!(
                    "The event time `{}` has the invalid type \"{}\", but expected \"TIMESTAMP\".",
                    event_time.name,
                    event_time.data_type.sql()
                ),
            ));
        }
        let event_time = event_time.id;
        let output: Vec<Attribute> =
            output
                .into_iter()
                .map(|a| {
                    if a.id == event_time {
                        Attribute { watermark_delay: Some(delay_micros), ..a }
                    } else {
                        a
                    }
                })
                .collect();
        let column = output.iter().find(|a| a.id == event_time).cloned().expect("the column was found above");
        let id = self.ids.next_id();
        Ok(Frame::new(Plan::Watermark { id, column, delay_micros, child: frame.plan().clone(), output }))
    }

    /// `df.repartition(n, by)` with shuffle, `df.coalesce(n)` without.
    pub fn repartition(
        &mut self,
        frame: &Frame,
        partitions: i64,
        shuffle: bool,
        by: &[Expr],
    ) -> Result<Frame, SparkError> {
        match usize::try_from(partitions) {
            Ok(partitions) if partitions > 0 => {
                let input = frame.output();
                let mut resolver = Resolver::new(&mut self.ids, &self.settings, &input);
                let by =
                    by.iter().map(|e| Ok(resolver.resolve(e)?.scalar)).collect::<Result<_, SparkError>>()?;
                Ok(Frame::new(Plan::Repartition { partitions, shuffle, by, child: frame.plan().clone() }))
            }
            _ => Err(SparkError::plain(
                ErrorClass::IllegalArgument,
                format!("requirement failed: Number of partitions ({partitions}) must be positive."),
            )),
        }
    }

    /// `df.fillna(value)`: the columns of the value's kind, or those among the named ones.
    pub fn fill_na(
        &mut self,
        frame: &Frame,
        values: &[(Option<Vec<String>>, Literal)],
    ) -> Result<Frame, SparkError> {
        let output = frame.output();
        for names in values.iter().filter_map(|(names, _)| names.as_ref()) {
            self.columns_among(&output, names)?;
        }
        let items = output
            .into_iter()
            .map(|attribute| {
                let value = values.iter().find(|(names, literal)| {
                    let named = names.as_ref().is_none_or(|n| {
                        n.iter().any(|n| same(n, &attribute.name, self.settings.case_sensitive))
                    });
                    named && fits(literal, &attribute.data_type)
                });
                match value {
                    Some((_, literal)) => filled(attribute, literal),
                    None => Typed::column(attribute),
                }
            })
            .collect();
        Ok(Frame::of(project(&mut self.ids, frame.plan().clone(), items)))
    }

    /// `df.dropna(thresh, subset)`: keeps rows with at least `threshold` values that are not null (and not NaN); all
    /// of them must be if absent.
    pub fn drop_na(
        &mut self,
        frame: &Frame,
        threshold: Option<usize>,
        names: Option<&[String]>,
    ) -> Result<Frame, SparkError> {
        let output = frame.output();
        let columns = match names {
            None => output,
            Some(names) => self.columns_among(&output, names)?,
        };
        let wanted = threshold.unwrap_or(columns.len());
        let predicate = at_least_present(&columns, wanted);
        Ok(Frame::new(Plan::Filter { predicate, child: frame.plan().clone() }))
    }
}

/// A sort key; small and null values first unless the expression says otherwise.
pub(crate) fn sort_order(expr: &Expr, typed: Typed) -> Result<SortOrder, SparkError> {
    let (ascending, nulls_first) = match expr.bare() {
        Expr::Sort { ascending, nulls_first, .. } => (*ascending, *nulls_first),
        _ => (true, true),
    };
    if !is_orderable(&typed.data_type()) {
        let text = match expr.bare() {
            Expr::Sort { .. } => typed.text.clone(),
            _ => format!("{} ASC NULLS FIRST", typed.text),
        };
        return Err(not_ordered(&text, "sortorder", &typed.data_type()));
    }
    Ok(SortOrder { scalar: typed.scalar, ascending, nulls_first })
}

fn map_in_set_operation(map: &Attribute) -> SparkError {
    analysis(
        "UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE",
        "0A000",
        format!(
            "The feature is not supported: Cannot have MAP type columns in DataFrame which calls set operations (INTERSECT, EXCEPT, etc.), but the type of column `{}` is \"{}\".",
            map.name,
            map.data_type.sql()
        ),
    )
}

fn has_map(data_type: &DataType) -> bool {
    match data_type {
        DataType::Map(..) => true,
        DataType::Array(element, _) => has_map(element),
        DataType::Struct(schema) => schema.fields.iter().any(|f| has_map(&f.data_type)),
        _ => false,
    }
}

/// Whether `fillna` puts a constant into a column of this type.
fn fits(literal: &Literal, data_type: &DataType) -> bool {
    match literal.data_type() {
        t if t.is_numeric() => data_type.is_numeric(),
        t => t == *data_type,
    }
}

fn filled(attribute: Attribute, literal: &Literal) -> Typed {
    let name = attribute.name.clone();
    let data_type = attribute.data_type.clone();
    let value = cast_to(Scalar::Literal(literal.clone()), &data_type);
    let column = Scalar::Column(attribute);
    // NaN counts as missing in a floating column.
    let column = if matches!(data_type, DataType::Double | DataType::Float) {
        let double = coerce::cast_to(column.clone(), &DataType::Double);
        let nan = Typed::call(Function::IsNaN, vec![double], DataType::Boolean, "").scalar;
        let null = Scalar::Literal(Literal::Null(data_type.clone()));
        Scalar::Case {
            branches: vec![(nan, null)],
            otherwise: Some(Box::new(column)),
            data_type: data_type.clone(),
        }
    } else {
        column
    };
    let scalar =
        Scalar::Call { function: Function::Coalesce, args: vec![column, value], data_type, nullable: false };
    Typed { scalar, text: name.clone(), name: Some(name) }
}

/// Rows with so many values: as a count, which no reader applies by itself.
fn at_least_present(columns: &[Attribute], wanted: usize) -> Scalar {
    let present = |attribute: &Attribute| {
        let column = Scalar::Column(attribute.clone());
        let not_null = Scalar::Call {
            function: Function::IsNotNull,
            args: vec![column.clone()],
            data_type: DataType::Boolean,
            nullable: false,
        };
        if !matches!(attribute.data_type, DataType::Double | DataType::Float) {
            return not_null;
        }
        let double = cast_to(column, &DataType::Double);
        let nan = Scalar::Call {
            function: Function::IsNaN,
            args: vec![double],
            data_type: DataType::Boolean,
            nullable: false,
        };
        let number = Scalar::Call {
            function: Function::Not,
            args: vec![nan],
            data_type: DataType::Boolean,
            nullable: false,
        };
        Scalar::Call {
            function: Function::And,
            args: vec![not_null, number],
            data_type: DataType::Boolean,
            nullable: false,
        }
    };
    let call = |function, args, data_type| Scalar::Call { function, args, data_type, nullable: false };
    let one = |c: &Attribute| Scalar::Case {
        branches: vec![(present(c), Scalar::Literal(Literal::Integer(1)))],
        otherwise: Some(Box::new(Scalar::Literal(Literal::Integer(0)))),
        data_type: DataType::Integer,
    };
    let count = columns
        .iter()
        .map(one)
        .reduce(|a, b| call(Function::Add, vec![a, b], DataType::Integer))
        .unwrap_or(Scalar::Literal(Literal::Integer(0)));
    let least = Scalar::Literal(Literal::Integer(i32::try_from(wanted).unwrap_or(i32::MAX)));
    call(Function::GreaterOrEqual, vec![count, least], DataType::Boolean)
}
