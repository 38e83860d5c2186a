//! Expressions as a script writes them: names are not looked up yet, types are not known.

use std::fmt;

use tidemark_types::{DataType, SparkError};

use crate::attribute::Attribute;
use crate::literal::Literal;
use crate::name::parse_attribute_name;
use crate::scalar::CastMode;

/// A place in a SQL text, as errors show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The line, from 1.
    pub line: u32,
    /// The position in the line, from 0.
    pub pos: u32,
}

/// An unresolved expression: what `Column` holds and what SQL text becomes.
///
/// Operators are calls by Spark's names of them: `+`, `=`, `<=>`, `and`, `!`, `isNull`, `like`, `in`, `between`.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A constant.
    Literal(Literal),
    /// A name with its parts: `col("s.x")`.
    Name(Vec<String>),
    /// A column that is already known: `df["x"]`, `df.x`.
    Attribute(Attribute),
    /// `*`, or `t.*`.
    Star(Vec<String>),
    /// `e AS name`; several names for a generator with several columns.
    Alias {
        /// The expression.
        child: Box<Expr>,
        /// The names.
        names: Vec<String>,
    },
    /// `CAST(e AS type)`.
    Cast {
        /// The value.
        child: Box<Expr>,
        /// The type wanted.
        to: DataType,
        /// `try_cast` or `cast`.
        mode: CastMode,
    },
    /// A function or operator by name.
    Call(Call),
    /// `CASE WHEN c THEN v … ELSE e END`.
    Case {
        /// Conditions and values.
        branches: Vec<(Expr, Expr)>,
        /// The value if none holds.
        otherwise: Option<Box<Expr>>,
    },
    /// `e[key]`: an element, a value or a field; a constant text for `getField`.
    Extract {
        /// The array, map or struct.
        child: Box<Expr>,
        /// The key.
        key: Box<Expr>,
        /// Whether it was written with a dot, so that the result has the field's name.
        dotted: bool,
    },
    /// A sort order: `col.desc()`.
    Sort {
        /// The key.
        child: Box<Expr>,
        /// Whether small values come first.
        ascending: bool,
        /// Whether nulls come first.
        nulls_first: bool,
    },
    /// An interval constant, with the text that its units give.
    Interval {
        /// The constant.
        literal: Literal,
        /// `INTERVAL '1' DAY`.
        text: String,
    },
    /// `expr("…")`: shown as written.
    Sql {
        /// The text.
        text: String,
        /// What it means.
        child: Box<Expr>,
    },
    /// An expression that came from a place in a SQL text.
    At {
        /// The place.
        origin: Origin,
        /// The expression.
        child: Box<Expr>,
    },
}

/// A call by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name as written.
    pub name: String,
    /// The arguments.
    pub args: Vec<Expr>,
    /// `DISTINCT`.
    pub distinct: bool,
    /// `FILTER (WHERE …)`.
    pub filter: Option<Box<Expr>>,
}

impl Expr {
    /// What `col(text)` means: a name, possibly with dots and backticks, or a star.
    pub fn name(text: &str) -> Result<Expr, SparkError> {
        if text == "*" {
            return Ok(Expr::Star(Vec::new()));
        }
        if let Some(target) = text.strip_suffix(".*") {
            return Ok(Expr::Star(parse_attribute_name(target)?));
        }
        Ok(Expr::Name(parse_attribute_name(text)?))
    }

    /// A constant.
    pub fn literal(literal: Literal) -> Expr {
        Expr::Literal(literal)
    }

    /// A call of a function or operator.
    pub fn call(name: &str, args: Vec<Expr>) -> Expr {
        Expr::Call(Call { name: name.to_owned(), args, distinct: false, filter: None })
    }

    /// A call over distinct arguments: `countDistinct`.
    pub fn call_distinct(name: &str, args: Vec<Expr>) -> Expr {
        Expr::Call(Call { name: name.to_owned(), args, distinct: true, filter: None })
    }

    /// `self <operator> right`.
    pub fn binary(self, operator: &str, right: Expr) -> Expr {
        Expr::call(operator, vec![self, right])
    }

    /// `alias(name)`.
    pub fn alias(self, name: &str) -> Expr {
        Expr::Alias { child: Box::new(self), names: vec![name.to_owned()] }
    }

    /// `cast(type)`.
    pub fn cast(self, to: DataType) -> Expr {
        Expr::Cast { child: Box::new(self), to, mode: CastMode::Ansi }
    }

    /// `try_cast(type)`.
    pub fn try_cast(self, to: DataType) -> Expr {
        Expr::Cast { child: Box::new(self), to, mode: CastMode::Try }
    }

    /// `col[key]`, `getItem(key)`, `getField(name)`.
    pub fn extract(self, key: Expr) -> Expr {
        Expr::Extract { child: Box::new(self), key: Box::new(key), dotted: false }
    }

    /// `asc()`: nulls come first.
    pub fn asc(self) -> Expr {
        Expr::Sort { child: Box::new(self), ascending: true, nulls_first: true }
    }

    /// `desc()`: nulls come last.
    pub fn desc(self) -> Expr {
        Expr::Sort { child: Box::new(self), ascending: false, nulls_first: false }
    }

    /// `when(condition, value)`.
    pub fn when(condition: Expr, value: Expr) -> Expr {
        Expr::Case { branches: vec![(condition, value)], otherwise: None }
    }

    /// The same expression without the places in SQL texts around it.
    pub fn bare(&self) -> &Expr {
        match self {
            Expr::At { child, .. } | Expr::Sql { child, .. } => child.bare(),
            other => other,
        }
    }
}

/// The text that PySpark shows in `Column<'…'>`.
impl fmt::Display for Expr {
    // tidy: table
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Literal(literal) => f.write_str(&literal.column_text()),
            Expr::Name(parts) => f.write_str(&crate::name::quote_if_needed(parts)),
            Expr::Attribute(attribute) => f.write_str(&attribute.name),
            Expr::Star(target) if target.is_empty() => f.write_str("*"),
            Expr::Star(target) => write!(f, "{}.*.*", target.join(".")),
            Expr::Alias { child, names } => match names.as_slice() {
                [name] => write!(f, "{child} AS {name}"),
                several => write!(f, "{child} AS ({})", several.join(", ")),
            },
            Expr::Cast { child, to, mode: CastMode::Ansi } => write!(f, "CAST({child} AS {})", to.sql()),
            Expr::Cast { child, to, mode: CastMode::Try } => write!(f, "TRY_CAST({child} AS {})", to.sql()),
            Expr::Call(call) => {
                let args: Vec<String> = call.args.iter().map(ToString::to_string).collect();
                write!(f, "{}({})", call.name, args.join(", "))
            }
            Expr::Case { branches, otherwise } => {
                f.write_str("CASE")?;
                for (condition, value) in branches {
                    write!(f, " WHEN {condition} THEN {value}")?;
                }
                if let Some(value) = otherwise {
                    write!(f, " ELSE {value}")?;
                }
                f.write_str(" END")
            }
            Expr::Extract { child, key, dotted: true } => write!(f, "{child}.{key}"),
            Expr::Extract { child, key, dotted: false } => write!(f, "{child}[{key}]"),
            Expr::Sort { child, ascending, nulls_first } => {
                let direction = if *ascending { "ASC" } else { "DESC" };
                let nulls = if *nulls_first { "FIRST" } else { "LAST" };
                write!(f, "{child} {direction} NULLS {nulls}")
            }
            Expr::Interval { text, .. } | Expr::Sql { text, .. } => f.write_str(text),
            Expr::At { child, .. } => child.fmt(f),
        }
    }
}
