//! Select lists: stars, generators, windows, aggregates.

use std::sync::Arc;

use tidemark_types::{DataType, SparkError, StructField, StructType};

use crate::aggregate::NamedAggregate;
use crate::attribute::Attribute;
use crate::builder::Settings;
use crate::error::{analysis, at_origin, not_supported, unexpected_type};
use crate::expr::{Call, Expr, Origin};
use crate::literal::Literal;
use crate::logical::Plan;
use crate::name::{quote, same};
use crate::resolve::call::call_text;
use crate::resolve::expression::{Ids, Resolver, TimeWindow};
use crate::resolve::rewrite::{canonical, children, transform};
use crate::resolve::session::session_filter;
use crate::resolve::typed::Typed;
use crate::scalar::{Function, NamedScalar, Scalar};

/// What a select list became: the plan, and its columns by place.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The plan.
    pub plan: Arc<Plan>,
}

impl Resolver<'_> {
    /// The columns that a star stands for: of the input, of one table, or the fields of a struct.
    pub(crate) fn expand_star(&mut self, target: &[String]) -> Result<Vec<Typed>, SparkError> {
        if target.is_empty() {
            return Ok(self.columns.iter().cloned().map(Typed::column).collect());
        }
        let case_sensitive = self.settings.case_sensitive;
        let of_table: Vec<Typed> = self
            .columns
            .iter()
            .filter(|a| {
                a.qualifier.len() >= target.len()
                    && a.qualifier[a.qualifier.len() - target.len()..]
                        .iter()
                        .zip(target)
                        .all(|(x, y)| same(x, y, case_sensitive))
            })
            .cloned()
            .map(Typed::column)
            .collect();
        if !of_table.is_empty() {
            return Ok(of_table);
        }
        if let Ok(base) = self.resolve(&Expr::Name(target.to_vec()))
            && let DataType::Struct(schema) = base.data_type()
        {
            let fields = schema.fields.iter().map(|field| {
                let key = Typed::literal(crate::literal::Literal::String(field.name.clone()));
                let mut typed = self.extract(&base, &key)?;
                typed.name = Some(field.name.clone());
                Ok(typed)
            });
            return fields.collect();
        }
        let names: Vec<String> = Vec::new();
        let error = analysis(
            "CANNOT_RESOLVE_STAR_EXPAND",
            "42704",
            format!(
                "Cannot resolve {}.* given input columns {}. Please check that the specified table or struct exists and is accessible in the input columns.",
                quote(target),
                names.join(", ")
            ),
        );
        Err(at_origin(error, self.origin()))
    }
}

/// An item of a select list that makes rows: `explode(…) [AS names]`.
struct Generator<'e> {
    call: &'e Call,
    names: Vec<String>,
    origin: Option<Origin>,
}

fn generator<'e>(expr: &'e Expr, names: &[String], origin: Option<Origin>) -> Option<Generator<'e>> {
    match expr {
        Expr::At { origin, child } => generator(child, names, Some(*origin)),
        Expr::Sql { child, .. } => generator(child, names, origin),
        Expr::Alias { child, names: own } => {
            generator(child, if names.is_empty() { own } else { names }, origin)
        }
        Expr::Call(call)
            if matches!(
                call.name.to_ascii_lowercase().trim_end_matches("_outer"),
                "explode" | "posexplode" | "inline"
            ) =>
        {
            Some(Generator { call, names: names.to_vec(), origin })
        }
        _ => None,
    }
}

/// `SELECT items FROM child`, without GROUP BY.
pub fn select(
    ids: &mut Ids,
    settings: &Settings,
    child: &Arc<Plan>,
    items: &[Expr],
) -> Result<Arc<Plan>, SparkError> {
    let mut plan = child.clone();
    let input = child.output();
    let mut resolver = Resolver::new(ids, settings, &input);
    let mut typed: Vec<Typed> = Vec::with_capacity(items.len());
    for item in items {
        if let Some(found) = generator(item, &[], None) {
            let (generated, columns) =
                generate(&mut resolver, plan, &found).map_err(|e| at_origin(e, found.origin))?;
            plan = generated;
            typed.extend(columns);
        } else if let Expr::Star(target) = item.bare() {
            typed.extend(resolver.expand_star(target).map_err(|e| at_origin(e, origin_of(item)))?);
        } else {
            let resolved = resolver.resolve(item)?;
            if resolver.nested_generator {
                return Err(analysis(
                    "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
                    "42K0E",
                    format!("The generator is not supported: nested in expressions \"{}\".", resolved.text),
                ));
            }
            if let Some(name) = &resolved.name
                && matches!(item.bare(), Expr::Alias { .. })
            {
                resolver.aliases.push((name.clone(), resolved.clone()));
            }
            typed.push(resolved);
        }
    }
    let Resolver { aggregates, windows, .. } = resolver;
    plan = with_windows(plan, windows);
    if aggregates.is_empty() {
        return Ok(project(ids, plan, typed));
    }
    aggregate_plan(ids, plan, Vec::new(), aggregates, typed)
}

fn origin_of(expr: &Expr) -> Option<Origin> {
    match expr {
        Expr::At { origin, .. } => Some(*origin),
        Expr::Sql { child, .. } => origin_of(child),
        _ => None,
    }
}

/// A projection of typed items.
pub fn project(ids: &mut Ids, child: Arc<Plan>, items: Vec<Typed>) -> Arc<Plan> {
    let columns = items
        .into_iter()
        .map(|typed| {
            let output = typed.to_attribute(ids.next_id());
            NamedScalar { scalar: typed.scalar, output }
        })
        .collect();
    Arc::new(Plan::Project { columns, child })
}

fn generate(
    resolver: &mut Resolver<'_>,
    child: Arc<Plan>,
    found: &Generator<'_>,
) -> Result<(Arc<Plan>, Vec<Typed>), SparkError> {
    let name = found.call.name.to_ascii_lowercase();
    let args = resolver.arguments(&found.call.args)?;
    crate::resolve::call::check_count(&name, &args, "1", 1, 1)?;
    let outer = name.ends_with("_outer");
    let arg = args.into_iter().next().expect("the count was checked");
    let (rows, columns) = generated_columns(&name, arg, outer)?;
    if !found.names.is_empty() && found.names.len() != columns.len() {
        return Err(analysis(
            "UDTF_ALIAS_NUMBER_MISMATCH",
            "42802",
            format!(
                "The number of aliases supplied in the AS clause does not match the number of columns output by the UDTF.\nExpected {} aliases, but got {}.\nPlease ensure that the number of aliases provided matches the number of columns output by the UDTF.",
                columns.len(),
                found.names.join(", ")
            ),
        ));
    }
    let named = |index: usize, name: &str| found.names.get(index).cloned().unwrap_or_else(|| name.to_owned());
    let mut made = |name: String, data_type, nullable| Attribute {
        id: resolver.ids.next_id(),
        name,
        data_type,
        nullable,
        qualifier: Vec::new(),
        watermark_delay: None,
    };
    let mut output = child.output();
    let items: Vec<Typed> = match rows.data_type() {
        DataType::Array(element, nulls) if !name.starts_with("explode") => {
            let whole = made("col".to_owned(), *element, nulls || outer);
            output.push(whole.clone());
            let fields = columns.into_iter().enumerate();
            fields
                .map(|(index, column)| field_of(&whole, index, &column, named(index, &column.name)))
                .collect()
        }
        _ => {
            let outputs: Vec<Attribute> = columns
                .into_iter()
                .enumerate()
                .map(|(index, column)| made(named(index, &column.name), column.data_type, column.nullable))
                .collect();
            output.extend(outputs.iter().cloned());
            outputs.into_iter().map(Typed::column).collect()
        }
    };
    Ok((Arc::new(Plan::Generate { generator: rows, outer, child, output }), items))
}

/// What a generator makes rows of, and the columns that it gives. `posexplode` and `inline` make rows of structs.
fn generated_columns(name: &str, arg: Typed, outer: bool) -> Result<(Scalar, Vec<StructField>), SparkError> {
    let field = |name: &str, data_type: DataType, nullable: bool| StructField::new(name, data_type, nullable);
    let refused = |wanted: &str, arg: &Typed| {
        let text = call_text(name, std::slice::from_ref(arg));
        unexpected_type(&text, 0, wanted, &arg.text, &arg.data_type())
    };
    let short = name.trim_end_matches("_outer");
    let columns = match (short, arg.data_type()) {
        ("inline", DataType::Array(element, nulls)) => match *element {
            DataType::Struct(schema) => {
                let wider =
                    |f: &StructField| field(&f.name, f.data_type.clone(), f.nullable || nulls || outer);
                return Ok((arg.scalar, schema.fields.iter().map(wider).collect()));
            }
            _ => return Err(refused("\"ARRAY<STRUCT>\"", &arg)),
        },
        ("inline", _) => return Err(refused("\"ARRAY<STRUCT>\"", &arg)),
        (_, DataType::Array(element, nulls)) => vec![field("col", *element, nulls || outer)],
        (_, DataType::Map(key, value, nulls)) => {
            vec![field("key", *key, outer), field("value", *value, nulls || outer)]
        }
        _ => return Err(refused("(\"ARRAY\" or \"MAP\")", &arg)),
    };
    if short == "explode" {
        return Ok((arg.scalar, columns));
    }
    let mut fields = vec![field("pos", DataType::Integer, outer)];
    fields.extend(columns);
    let nullable = arg.scalar.nullable();
    let data_type = DataType::Array(Box::new(DataType::Struct(StructType::new(fields.clone()))), false);
    let rows =
        Scalar::Call { function: Function::WithPositions, args: vec![arg.scalar], data_type, nullable };
    Ok((rows, fields))
}

/// A field of the struct that a generator gave, as a column of this name.
fn field_of(whole: &Attribute, index: usize, field: &StructField, name: String) -> Typed {
    let scalar = Scalar::Call {
        function: Function::GetField,
        args: vec![Scalar::Column(whole.clone()), Scalar::Literal(Literal::Integer(index as i32))],
        data_type: field.data_type.clone(),
        nullable: field.nullable || whole.nullable,
    };
    Typed { scalar, text: name.clone(), name: Some(name) }
}

/// The plan with the columns of time windows: rows without a time vanish.
pub fn with_windows(plan: Arc<Plan>, windows: Vec<TimeWindow>) -> Arc<Plan> {
    windows.into_iter().fold(plan, |plan, window| {
        let child = match &window.scalar {
            Scalar::Call { args, .. } if args[0].nullable() => {
                let predicate = Scalar::Call {
                    function: Function::IsNotNull,
                    args: vec![args[0].clone()],
                    data_type: DataType::Boolean,
                    nullable: false,
                };
                Arc::new(Plan::Filter { predicate, child: plan })
            }
            _ => plan,
        };
        let mut output = child.output();
        if window.sliding {
            output.push(window.output);
            return Arc::new(Plan::Generate { generator: window.scalar, outer: false, child, output });
        }
        let mut columns: Vec<NamedScalar> = output
            .into_iter()
            .map(|a| NamedScalar { scalar: Scalar::Column(a.clone()), output: a })
            .collect();
        let filter = session_filter(&window);
        columns.push(NamedScalar { scalar: window.scalar, output: window.output });
        let plan = Arc::new(Plan::Project { columns, child });
        match filter {
            Some(predicate) => Arc::new(Plan::Filter { predicate, child: plan }),
            None => plan,
        }
    })
}

/// Keys and items of an aggregation; more items, such as HAVING needs, come after the visible ones.
pub fn aggregate(
    ids: &mut Ids,
    settings: &Settings,
    child: &Arc<Plan>,
    keys: &[Expr],
    items: &[Expr],
) -> Result<Arc<Plan>, SparkError> {
    let input = child.output();
    let mut resolver = Resolver::new(ids, settings, &input);
    let grouping = grouping_of(&mut resolver, keys)?;
    let windows = resolver.windows;
    let scope = with_window_columns(&input, &windows);
    let mut resolver = Resolver { windows, ..Resolver::new(ids, settings, &scope) };
    let mut typed: Vec<Typed> = grouping.iter().map(|g| Typed::column(g.output.clone())).collect();
    for item in items {
        if let Expr::Star(target) = item.bare() {
            typed.extend(resolver.expand_star(target)?);
        } else {
            typed.push(resolver.resolve(item)?);
        }
    }
    let Resolver { aggregates, windows, .. } = resolver;
    let plan = with_windows(child.clone(), windows);
    aggregate_plan(ids, plan, grouping, aggregates, typed)
}

/// The columns of the input and those of the time windows in the keys: items may use `window.start`.
pub fn with_window_columns(input: &[Attribute], windows: &[TimeWindow]) -> Vec<Attribute> {
    input.iter().cloned().chain(windows.iter().map(|w| w.output.clone())).collect()
}

/// The keys of a GROUP BY.
pub fn grouping_of(resolver: &mut Resolver<'_>, keys: &[Expr]) -> Result<Vec<NamedScalar>, SparkError> {
    let mut grouping = Vec::with_capacity(keys.len());
    for key in keys {
        let expanded = match key.bare() {
            Expr::Star(target) => resolver.expand_star(target)?,
            _ => vec![resolver.resolve(key)?],
        };
        for typed in expanded {
            if let Some((_, text)) = resolver.aggregates.first() {
                return Err(analysis(
                    "GROUP_BY_AGGREGATE",
                    "42903",
                    format!("Aggregate functions are not allowed in GROUP BY, but found {text}."),
                ));
            }
            if !crate::resolve::coerce::is_orderable(&typed.data_type()) {
                return Err(analysis(
                    "GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE",
                    "42822",
                    format!(
                        "The expression \"{}\" cannot be used as a grouping expression because its data type \"{}\" is not an orderable data type.",
                        typed.text,
                        typed.data_type().sql()
                    ),
                ));
            }
            let output = typed.to_attribute(resolver.ids.next_id());
            grouping.push(NamedScalar { scalar: typed.scalar, output });
        }
    }
    Ok(grouping)
}

/// An aggregation whose result is these items, each made of keys and aggregates only.
pub fn aggregate_plan(
    ids: &mut Ids,
    child: Arc<Plan>,
    grouping: Vec<NamedScalar>,
    aggregates: Vec<(NamedAggregate, String)>,
    items: Vec<Typed>,
) -> Result<Arc<Plan>, SparkError> {
    let mut aggregates: Vec<NamedAggregate> = aggregates.into_iter().map(|(a, _)| a).collect();
    let keys: Vec<(Scalar, Attribute)> =
        grouping.iter().map(|g| (canonical(&g.scalar), g.output.clone())).collect();
    let mut replaced = Vec::with_capacity(items.len());
    for item in items {
        let scalar = over_keys(&item.scalar, &keys, &aggregates);
        check_aggregated(&scalar, &keys, &aggregates)?;
        replaced.push(Typed { scalar, ..item });
    }
    if is_plain(&replaced, &grouping, &aggregates) {
        for (aggregate, item) in aggregates.iter_mut().zip(&replaced[grouping.len()..]) {
            aggregate.output.name = item.column_name();
        }
        return Ok(Arc::new(Plan::Aggregate { grouping, aggregates, child }));
    }
    let plan = Arc::new(Plan::Aggregate { grouping, aggregates, child });
    Ok(project(ids, plan, replaced))
}

/// The item with the parts that are keys replaced by the keys' columns.
fn over_keys(scalar: &Scalar, keys: &[(Scalar, Attribute)], aggregates: &[NamedAggregate]) -> Scalar {
    transform(scalar, &mut |part| {
        if let Scalar::Column(attribute) = part
            && aggregates.iter().any(|a| a.output.id == attribute.id)
        {
            return Some(part.clone());
        }
        let canonical = canonical(part);
        keys.iter().find(|(key, _)| *key == canonical).map(|(_, output)| {
            let name = match part {
                Scalar::Column(attribute) if attribute.id == output.id => attribute.name.clone(),
                _ => output.name.clone(),
            };
            Scalar::Column(Attribute { name, ..output.clone() })
        })
    })
}

fn check_aggregated(
    scalar: &Scalar,
    keys: &[(Scalar, Attribute)],
    aggregates: &[NamedAggregate],
) -> Result<(), SparkError> {
    // Spark computes the time of a window below the aggregation, where it is no key.
    if let Scalar::Call { function: Function::WindowTime, args, .. } = scalar
        && let [Scalar::Column(window)] = args.as_slice()
    {
        return Err(missing_aggregation(&format!("window_time({})", window.name)));
    }
    if let Scalar::Column(attribute) = scalar {
        let known = keys.iter().any(|(_, output)| output.id == attribute.id)
            || aggregates.iter().any(|a| a.output.id == attribute.id);
        if known {
            return Ok(());
        }
        let name = &attribute.name;
        return Err(if keys.is_empty() {
            analysis(
                "MISSING_GROUP_BY",
                "42803",
                "The query does not include a GROUP BY clause. Add GROUP BY or turn it into the window functions using OVER clauses.",
            )
        } else {
            missing_aggregation(name)
        });
    }
    children(scalar).into_iter().try_for_each(|child| check_aggregated(child, keys, aggregates))
}

fn missing_aggregation(name: &str) -> SparkError {
    analysis(
        "MISSING_AGGREGATION",
        "42803",
        format!(
            "The non-aggregating expression \"{name}\" is based on columns which are not participating in the GROUP BY clause.\nAdd the columns or the expression to the GROUP BY, aggregate the expression, or use \"any_value({name})\" if you do not care which of the values within a group is returned."
        ),
    )
    .with_parameter("expression", format!("\"{name}\""))
}

/// Whether the items are just the keys and then the aggregates, so that no projection is needed.
fn is_plain(items: &[Typed], grouping: &[NamedScalar], aggregates: &[NamedAggregate]) -> bool {
    let column = |item: &Typed| match &item.scalar {
        Scalar::Column(attribute) => Some((attribute.id, attribute.name.clone())),
        _ => None,
    };
    items.len() == grouping.len() + aggregates.len()
        && items.iter().zip(grouping).all(|(item, key)| {
            column(item) == Some((key.output.id, key.output.name.clone()))
                && item.column_name() == key.output.name
        })
        && items[grouping.len()..]
            .iter()
            .zip(aggregates)
            .all(|(item, aggregate)| column(item).is_some_and(|(id, _)| id == aggregate.output.id))
}

/// `not_supported` for an item that only some plans can have.
pub fn refuse(what: &str) -> SparkError {
    not_supported(what)
}
