//! Expressions: names become columns, calls become typed functions.

use tidemark_types::{DataType, SparkError, StructType};

use crate::aggregate::{AggregateCall, NamedAggregate};
use crate::attribute::{Attribute, ExprId};
use crate::builder::Settings;
use crate::error::{analysis, at_origin, data_differ, unexpected_type};
use crate::expr::{Call, Expr, Origin};
use crate::literal::Literal;
use crate::name::{quote, same};
use crate::resolve::casting::check_cast;
use crate::resolve::coerce::{cast_to, wider_all};
use crate::resolve::scope::{lookup, unresolved};
use crate::resolve::typed::Typed;
use crate::scalar::{CastMode, Function, Scalar};

/// The next identities of a session.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    next: u64,
}

impl Ids {
    /// A new identity.
    pub fn next_id(&mut self) -> ExprId {
        let id = ExprId(self.next);
        self.next += 1;
        id
    }
}

/// A `window(…)` that was met: it becomes a column of its own below the operator that uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeWindow {
    /// The call: time, size, slide, start.
    pub scalar: Scalar,
    /// Whether a row falls into several windows.
    pub sliding: bool,
    /// The column `window`.
    pub output: Attribute,
}

/// Resolves the expressions of one operator over its input.
pub struct Resolver<'a> {
    /// New identities.
    pub ids: &'a mut Ids,
    /// The settings.
    pub settings: &'a Settings,
    /// The columns of the input.
    pub columns: &'a [Attribute],
    /// Names given earlier in the same select list, which later items may use.
    pub aliases: Vec<(String, Typed)>,
    /// The aggregates met so far, each replaced by the column it becomes, with its text.
    pub aggregates: Vec<(NamedAggregate, String)>,
    /// The time windows met so far.
    pub windows: Vec<TimeWindow>,
    /// Whether a generator was met inside another expression.
    pub nested_generator: bool,
    /// Whether an aggregate's arguments are being resolved.
    pub inside_aggregate: bool,
    pub(crate) origin: Option<Origin>,
}

impl<'a> Resolver<'a> {
    /// A resolver over these columns.
    pub fn new(ids: &'a mut Ids, settings: &'a Settings, columns: &'a [Attribute]) -> Self {
        Resolver {
            ids,
            settings,
            columns,
            aliases: Vec::new(),
            aggregates: Vec::new(),
            windows: Vec::new(),
            nested_generator: false,
            inside_aggregate: false,
            origin: None,
        }
    }

    /// Resolves one expression; errors point at the innermost place that is known.
    pub fn resolve(&mut self, expr: &Expr) -> Result<Typed, SparkError> {
        match expr {
            Expr::At { origin, child } => {
                let outer = self.origin.replace(*origin);
                let result = self.resolve(child).map_err(|e| at_origin(e, Some(*origin)));
                self.origin = outer;
                result
            }
            Expr::Sql { child, .. } => self.resolve(child),
            Expr::Literal(literal) => Ok(Typed::literal(literal.clone())),
            Expr::Interval { literal, text } => Ok(Typed::new(Scalar::Literal(literal.clone()), text)),
            Expr::Name(parts) => self.name(parts),
            Expr::Attribute(attribute) => self.known(attribute),
            Expr::Star(_) => Err(analysis(
                "INVALID_USAGE_OF_STAR_OR_REGEX",
                "42000",
                "Invalid usage of '*' in expression `unresolvedstar`.",
            )),
            Expr::Alias { child, names } => self.alias(child, names),
            Expr::Cast { child, to, mode } => self.cast(child, to, *mode),
            Expr::Call(call) => self.call(call),
            Expr::Case { branches, otherwise } => self.case(branches, otherwise.as_deref()),
            Expr::Extract { child, key, dotted } => {
                let child = self.resolve(child)?;
                let key = self.resolve(key)?;
                let mut found = self.extract(&child, &key)?;
                if *dotted {
                    found.name = Some(found.text.clone());
                }
                Ok(found)
            }
            Expr::Sort { child, ascending, nulls_first } => {
                let mut typed = self.resolve(child)?;
                let direction = if *ascending { "ASC" } else { "DESC" };
                let nulls = if *nulls_first { "FIRST" } else { "LAST" };
                typed.text = format!("{} {direction} NULLS {nulls}", typed.text);
                typed.name = None;
                Ok(typed)
            }
        }
    }

    fn name(&mut self, parts: &[String]) -> Result<Typed, SparkError> {
        let case_sensitive = self.settings.case_sensitive;
        // What the rows have themselves goes before the windows that are made of them.
        let is_window = |column: &Attribute| self.windows.iter().any(|w| w.output.id == column.id);
        let own: Vec<Attribute> = self.columns.iter().filter(|c| !is_window(c)).cloned().collect();
        if let Some(found) = lookup(parts, &own, case_sensitive)? {
            return self.fields_of(Typed::column(found.attribute), &found.fields);
        }
        if let Some(found) = lookup(parts, self.columns, case_sensitive)? {
            return self.fields_of(Typed::column(found.attribute), &found.fields);
        }
        if let Some((_, typed)) =
            self.aliases.iter().rev().find(|(name, _)| same(name, &parts[0], case_sensitive))
        {
            let mut base = typed.clone();
            base.text.clone_from(&parts[0]);
            base.name = Some(parts[0].clone());
            return self.fields_of(base, &parts[1..]);
        }
        if let [only] = parts
            && let "current_date" | "current_timestamp" | "localtimestamp" | "current_user" | "user" =
                only.to_ascii_lowercase().as_str()
        {
            return self.call(&Call {
                name: only.to_ascii_lowercase(),
                args: Vec::new(),
                distinct: false,
                filter: None,
            });
        }
        Err(unresolved(parts, self.columns))
    }

    fn fields_of(&mut self, base: Typed, fields: &[String]) -> Result<Typed, SparkError> {
        let Some(last) = fields.last() else { return Ok(base) };
        let mut typed = base;
        for field in fields {
            typed = self.extract(&typed, &Typed::literal(Literal::String(field.clone())))?;
        }
        typed.name = Some(last.clone());
        Ok(typed)
    }

    /// A column that some frame has handed out: by identity.
    fn known(&mut self, attribute: &Attribute) -> Result<Typed, SparkError> {
        match self.columns.iter().find(|a| a.id == attribute.id) {
            Some(found) => Ok(Typed::column(Attribute { name: attribute.name.clone(), ..found.clone() })),
            None => Err(missing_attribute(attribute, self.columns)),
        }
    }

    fn alias(&mut self, child: &Expr, names: &[String]) -> Result<Typed, SparkError> {
        let mut typed = self.resolve(child)?;
        let name = names.first().cloned().unwrap_or_default();
        typed.text = format!("{} AS {name}", typed.text);
        typed.name = Some(name);
        Ok(typed)
    }

    fn cast(&mut self, child: &Expr, to: &DataType, mode: CastMode) -> Result<Typed, SparkError> {
        // A column keeps its name under a cast, a field of one does not.
        let keeps_name = !matches!(child.bare(), Expr::Name(_) | Expr::Extract { .. });
        let child = self.resolve(child)?;
        let keeps_name = keeps_name || matches!(child.scalar, Scalar::Column(_));
        let word = if mode == CastMode::Try { "TRY_CAST" } else { "CAST" };
        let text = format!("{word}({} AS {})", child.text, to.sql());
        check_cast(&text, &child.data_type(), to, self.settings.ansi, mode)?;
        let mode = if self.settings.ansi { mode } else { CastMode::Try };
        let name = child.name.clone().filter(|_| keeps_name);
        let scalar = match child.scalar {
            Scalar::Literal(Literal::Null(_)) => Scalar::Literal(Literal::Null(to.clone())),
            scalar => Scalar::Cast { child: Box::new(scalar), to: to.clone(), mode },
        };
        Ok(Typed { scalar, text, name })
    }

    fn case(&mut self, branches: &[(Expr, Expr)], otherwise: Option<&Expr>) -> Result<Typed, SparkError> {
        let mut resolved = Vec::with_capacity(branches.len());
        for (condition, value) in branches {
            resolved.push((self.resolve(condition)?, self.resolve(value)?));
        }
        let otherwise = otherwise.map(|e| self.resolve(e)).transpose()?;
        let mut text = "CASE".to_owned();
        for (condition, value) in &resolved {
            text.push_str(&format!(" WHEN {} THEN {}", condition.text, value.text));
        }
        if let Some(value) = &otherwise {
            text.push_str(&format!(" ELSE {}", value.text));
        }
        text.push_str(" END");
        self.case_of(text, "casewhen", resolved, otherwise)
    }

    /// A CASE of typed branches: conditions must be boolean, values agree on a type.
    pub(crate) fn case_of(
        &mut self,
        text: String,
        function: &str,
        branches: Vec<(Typed, Typed)>,
        otherwise: Option<Typed>,
    ) -> Result<Typed, SparkError> {
        let types: Vec<DataType> = branches
            .iter()
            .map(|(_, v)| v.data_type())
            .chain(otherwise.iter().map(Typed::data_type))
            .collect();
        let Some(data_type) = wider_all(&types) else { return Err(data_differ(&text, function, &types)) };
        let mut cast = Vec::with_capacity(branches.len());
        for (index, (condition, value)) in branches.into_iter().enumerate() {
            let condition = match condition.data_type() {
                DataType::Boolean => condition.scalar,
                DataType::Null | DataType::String => cast_to(condition.scalar, &DataType::Boolean),
                other => {
                    let index = if function == "if" { 0 } else { index * 2 };
                    return Err(unexpected_type(&text, index, "\"BOOLEAN\"", &condition.text, &other));
                }
            };
            cast.push((condition, cast_to(value.scalar, &data_type)));
        }
        let otherwise = otherwise.map(|value| Box::new(cast_to(value.scalar, &data_type)));
        Ok(Typed::new(Scalar::Case { branches: cast, otherwise, data_type }, text))
    }

    /// `child.name` of an array of structs: that field of each.
    fn array_field(
        &mut self,
        child: &Typed,
        schema: &StructType,
        nulls: bool,
        name: &str,
    ) -> Result<Typed, SparkError> {
        let (index, nullable) = self.field_position(schema, name)?;
        let field = &schema.fields[index];
        let scalar = Scalar::Call {
            function: Function::GetArrayField,
            args: vec![child.scalar.clone(), Scalar::Literal(Literal::Integer(index as i32))],
            data_type: DataType::Array(Box::new(field.data_type.clone()), nulls || nullable),
            nullable: child.scalar.nullable(),
        };
        Ok(Typed::new(scalar, format!("{}.{}", child.text, field.name)))
    }

    /// `child[key]` and `child.key`.
    pub(crate) fn extract(&mut self, child: &Typed, key: &Typed) -> Result<Typed, SparkError> {
        match (child.data_type(), &key.scalar) {
            (DataType::Struct(schema), Scalar::Literal(Literal::String(name))) => {
                let (index, nullable) = self.field_position(&schema, name)?;
                let field = &schema.fields[index];
                let scalar = Scalar::Call {
                    function: Function::GetField,
                    args: vec![child.scalar.clone(), Scalar::Literal(Literal::Integer(index as i32))],
                    data_type: field.data_type.clone(),
                    nullable: nullable || child.scalar.nullable(),
                };
                Ok(Typed::new(scalar, format!("{}.{}", child.text, field.name)))
            }
            (DataType::Struct(_), _) => Err(analysis(
                "INVALID_EXTRACT_FIELD_TYPE",
                "42000",
                format!("Field name should be a non-null string literal, but it's \"{}\".", key.text),
            )),
            (DataType::Array(element, nulls), key_scalar) => {
                if let (DataType::Struct(schema), Scalar::Literal(Literal::String(name))) =
                    (&*element, key_scalar)
                {
                    return self.array_field(child, schema, nulls, name);
                }
                let text = format!("{}[{}]", child.text, key.text);
                if !key.data_type().is_integral() {
                    return Err(unexpected_type(&text, 1, "\"INTEGRAL\"", &key.text, &key.data_type()));
                }
                Ok(element_of(Function::GetItem, child, key.scalar.clone(), *element, text))
            }
            (DataType::Map(wanted, value, _), _) => {
                let text = format!("{}[{}]", child.text, key.text);
                let given = key.data_type();
                if crate::resolve::coerce::wider(&wanted, &given).is_none() {
                    return Err(unexpected_type(
                        &text,
                        1,
                        &format!("\"{}\"", wanted.sql()),
                        &key.text,
                        &given,
                    ));
                }
                let key = cast_to(key.scalar.clone(), &wanted);
                Ok(element_of(Function::GetItem, child, key, *value, text))
            }
            (other, _) => Err(analysis(
                "INVALID_EXTRACT_BASE_FIELD_TYPE",
                "42000",
                format!(
                    "Can't extract a value from \"{}\". Need a complex type [STRUCT, ARRAY, MAP] but got \"{}\".",
                    child.text,
                    other.sql()
                ),
            )),
        }
    }

    fn field_position(
        &self,
        schema: &tidemark_types::StructType,
        name: &str,
    ) -> Result<(usize, bool), SparkError> {
        let case_sensitive = self.settings.case_sensitive;
        let mut found = schema.fields.iter().enumerate().filter(|(_, f)| same(&f.name, name, case_sensitive));
        let Some((index, field)) = found.next() else {
            let names: Vec<String> = schema.fields.iter().map(|f| format!("`{}`", f.name)).collect();
            return Err(analysis(
                "FIELD_NOT_FOUND",
                "42704",
                format!("No such struct field {} in {}.", quote(&[name.to_owned()]), names.join(", ")),
            ));
        };
        let others = found.count();
        if others > 0 {
            return Err(analysis(
                "AMBIGUOUS_REFERENCE_TO_FIELDS",
                "42000",
                format!(
                    "Ambiguous reference to the field `{}`. It appears {} times in the schema.",
                    field.name,
                    others + 1
                ),
            ));
        }
        Ok((index, field.nullable))
    }

    /// The column that an aggregate becomes: the same call is computed once.
    pub(crate) fn aggregate(&mut self, call: AggregateCall, nullable: bool, text: String) -> Typed {
        if let Some((known, _)) = self.aggregates.iter().find(|(known, _)| known.call == call) {
            let scalar = Scalar::Column(known.output.clone());
            return Typed::new(scalar, text);
        }
        let output = Attribute {
            id: self.ids.next_id(),
            name: text.clone(),
            data_type: call.data_type.clone(),
            nullable,
            qualifier: Vec::new(),
            watermark_delay: None,
        };
        let scalar = Scalar::Column(output.clone());
        self.aggregates.push((NamedAggregate { call, output }, text.clone()));
        Typed::new(scalar, text)
    }

    /// The place in the SQL text that is being resolved.
    pub fn origin(&self) -> Option<Origin> {
        self.origin
    }
}

/// An element that may be missing, hence null.
fn element_of(function: Function, child: &Typed, key: Scalar, data_type: DataType, text: String) -> Typed {
    let args = vec![child.scalar.clone(), key];
    Typed::new(Scalar::Call { function, args, data_type, nullable: true }, text)
}

/// `MISSING_ATTRIBUTES`: a column of another frame.
fn missing_attribute(attribute: &Attribute, columns: &[Attribute]) -> SparkError {
    let name = &attribute.name;
    let input: Vec<String> = columns.iter().map(|a| format!("\"{}\"", a.name)).collect();
    let again = columns.iter().any(|a| a.name.eq_ignore_ascii_case(name));
    let head = format!("Resolved attribute(s) \"{name}\" missing from {} in operator.", input.join(", "));
    if again {
        analysis(
            "MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_APPEAR_IN_OPERATION",
            "XX000",
            format!(
                "{head} Attribute(s) with the same name appear in the operation: \"{name}\".\nPlease check if the right attribute(s) are used."
            ),
        )
    } else {
        analysis("MISSING_ATTRIBUTES.RESOLVED_ATTRIBUTE_MISSING_FROM_INPUT", "XX000", head)
    }
}
