//! Compiled expressions, and how they run over the rows that need them.

use std::collections::BTreeMap;

use arrow::array::ArrayRef;
use tidemark_plan::{Attribute, CastMode, ExprId, Function, Literal, Scalar};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError};

use crate::error::Result;
use crate::kernel::cast::cast;
use crate::kernel::column::shape::conform;
use crate::kernel::column::value::Value;
use crate::kernel::context::EvalContext;
use crate::kernel::program::function::call;
use crate::kernel::program::literal::literal_array;
use crate::kernel::program::logic;
use crate::kernel::program::selection::{Rows, case, coalesce};

/// An expression ready to run over batches of one schema.
#[derive(Clone, Debug)]
pub struct Program {
    root: Node,
    data_type: DataType,
}

/// One operation with what must be known before it runs.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The type of the value.
    pub(crate) data_type: DataType,
    /// Whether some value of its inputs makes it fail: then it must see only the rows that need it.
    pub(crate) fallible: bool,
    /// The columns it reads, in order, each once.
    pub(crate) reads: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Column(usize),
    Literal(Value),
    Cast { child: Box<Node>, mode: CastMode },
    Call { function: Function, args: Vec<Node> },
    Case { branches: Vec<(Node, Node)>, otherwise: Option<Box<Node>> },
}

/// Compiles an expression over rows with these columns.
///
/// Errors: a column that is not among them is a broken plan, told as `INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND`.
pub fn compile(scalar: &Scalar, input: &[Attribute]) -> Result<Program> {
    let mut places = BTreeMap::new();
    for (index, attribute) in input.iter().enumerate() {
        places.entry(attribute.id).or_insert(index);
    }
    let root = node(scalar, &places)?;
    Ok(Program { data_type: scalar.data_type(), root })
}

impl Program {
    /// The value of every row of a batch, carried as the expression's type.
    ///
    /// Errors: the first row that Spark refuses, in its condition and words.
    pub fn evaluate(&self, batch: &Batch, context: &EvalContext) -> Result<ArrayRef> {
        let rows = Rows::of(batch);
        let array = self.root.evaluate(&rows, context)?.into_array(batch.rows())?;
        conform(&array, &self.data_type)
    }

    /// The type of the value.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The column that the expression is, when it is nothing but that.
    pub fn as_column(&self) -> Option<usize> {
        match self.root.kind {
            Kind::Column(index) => Some(index),
            _ => None,
        }
    }
}

impl Node {
    /// The value over some rows; a scalar when it is the same for all.
    pub(crate) fn evaluate(&self, rows: &Rows, context: &EvalContext) -> Result<Value> {
        match &self.kind {
            Kind::Column(index) => Ok(Value::array(rows.column(*index))),
            Kind::Literal(value) => Ok(value.clone()),
            Kind::Cast { child, mode } => {
                let value = child.evaluate(rows, context)?;
                cast(&value, &child.data_type, &self.data_type, *mode, context)
            }
            Kind::Case { branches, otherwise } => {
                case(branches, otherwise.as_deref(), &self.data_type, rows, context)
            }
            Kind::Call { function: Function::And, args } => logic::and(&args[0], &args[1], rows, context),
            Kind::Call { function: Function::Or, args } => logic::or(&args[0], &args[1], rows, context),
            Kind::Call { function: Function::Coalesce, args } => {
                coalesce(args, &self.data_type, rows, context)
            }
            Kind::Call { function, args } => {
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(arg.evaluate(rows, context)?);
                }
                let types: Vec<_> = args.iter().map(|a| a.data_type.clone()).collect();
                call(*function, &values, &types, &self.data_type, rows.len(), context)
            }
        }
    }
}

fn node(scalar: &Scalar, places: &BTreeMap<ExprId, usize>) -> Result<Node> {
    let data_type = scalar.data_type();
    let (kind, own_fallible) = match scalar {
        Scalar::Column(attribute) => {
            let index = *places.get(&attribute.id).ok_or_else(|| missing(attribute))?;
            return Ok(Node { kind: Kind::Column(index), data_type, fallible: false, reads: vec![index] });
        }
        Scalar::Literal(literal) => (Kind::Literal(literal_value(literal)?), false),
        Scalar::Cast { child, to, mode } => {
            let child = node(child, places)?;
            let fallible = *mode == CastMode::Ansi && child.data_type != *to;
            (Kind::Cast { child: Box::new(child), mode: *mode }, fallible)
        }
        Scalar::Call { function, args, .. } => {
            let args = args.iter().map(|a| node(a, places)).collect::<Result<Vec<_>>>()?;
            (Kind::Call { function: *function, args }, is_fallible(*function))
        }
        Scalar::Case { branches, otherwise, .. } => {
            let branches = branches
                .iter()
                .map(|(when, then)| Ok((node(when, places)?, node(then, places)?)))
                .collect::<Result<Vec<_>>>()?;
            let otherwise = otherwise.as_ref().map(|o| node(o, places)).transpose()?.map(Box::new);
            (Kind::Case { branches, otherwise }, false)
        }
    };
    let mut reads = Vec::new();
    let mut fallible = own_fallible;
    for child in kind.children() {
        fallible |= child.fallible;
        reads.extend_from_slice(&child.reads);
    }
    reads.sort_unstable();
    reads.dedup();
    Ok(Node { kind, data_type, fallible, reads })
}

impl Kind {
    fn children(&self) -> Vec<&Node> {
        match self {
            Kind::Column(_) | Kind::Literal(_) => Vec::new(),
            Kind::Cast { child, .. } => vec![child],
            Kind::Call { args, .. } => args.iter().collect(),
            Kind::Case { branches, otherwise } => {
                branches.iter().flat_map(|(when, then)| [when, then]).chain(otherwise.as_deref()).collect()
            }
        }
    }
}

fn literal_value(literal: &Literal) -> Result<Value> {
    Ok(Value::scalar(literal_array(literal)?))
}

fn missing(attribute: &Attribute) -> SparkError {
    SparkError::new(
        ErrorClass::Spark,
        "INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND",
        "XX000",
        format!("Could not find {}#{} among the columns of the input.", attribute.name, attribute.id.0),
    )
}

/// Whether a function can fail on some value of its arguments.
// tidy: table
fn is_fallible(function: Function) -> bool {
    match function {
        Function::Add
        | Function::Subtract
        | Function::Multiply
        | Function::Divide
        | Function::IntegralDivide
        | Function::Remainder
        | Function::Negate
        | Function::Abs
        | Function::Round
        | Function::Like
        | Function::RLike
        | Function::RegexpReplace
        | Function::Split
        | Function::ElementAt
        | Function::GetItem
        | Function::CreateMap
        | Function::ToDate
        | Function::ToTimestamp
        | Function::DateFormat
        | Function::UnixTimestamp
        | Function::FromJson
        | Function::DateAdd
        | Function::AddMonths
        | Function::Floor
        | Function::Ceil => true,
        Function::Equal
        | Function::EqualNullSafe
        | Function::Less
        | Function::LessOrEqual
        | Function::Greater
        | Function::GreaterOrEqual
        | Function::And
        | Function::Or
        | Function::Not
        | Function::IsNull
        | Function::IsNotNull
        | Function::IsNaN
        | Function::In
        | Function::Coalesce
        | Function::Upper
        | Function::Lower
        | Function::Length
        | Function::Concat
        | Function::ConcatWs
        | Function::Trim
        | Function::Ltrim
        | Function::Rtrim
        | Function::Substring
        | Function::StartsWith
        | Function::EndsWith
        | Function::Contains
        | Function::Sqrt
        | Function::Greatest
        | Function::Least
        | Function::GetField
        | Function::GetArrayField
        | Function::WithPositions
        | Function::CreateStruct
        | Function::CreateArray
        | Function::Size
        | Function::ArrayContains
        | Function::SortArray
        | Function::CurrentTimestamp
        | Function::CurrentDate
        | Function::DateTrunc
        | Function::Year
        | Function::Month
        | Function::DayOfMonth
        | Function::Hour
        | Function::Minute
        | Function::Second
        | Function::InputFileName
        | Function::MonotonicallyIncreasingId
        | Function::Over
        | Function::Hash
        | Function::ToJson
        | Function::Window
        | Function::WindowTime
        | Function::SessionWindow => false,
    }
}
