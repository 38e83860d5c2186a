//! A resolved expression with the texts that Spark shows for it.

use tidemark_types::DataType;

use crate::attribute::{Attribute, ExprId};
use crate::literal::Literal;
use crate::scalar::{Function, Scalar};

/// A resolved expression on its way into a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// The expression.
    pub scalar: Scalar,
    /// Spark's pretty SQL of it: `(id + 1)`; the name of a column that is given none.
    pub text: String,
    /// The name, if it has one of its own: a column, a field by a dotted name, an alias.
    pub name: Option<String>,
}

impl Typed {
    /// An expression without a name of its own.
    pub fn new(scalar: Scalar, text: impl Into<String>) -> Typed {
        Typed { scalar, text: text.into(), name: None }
    }

    /// A constant.
    pub fn literal(literal: Literal) -> Typed {
        let text = literal.pretty_text();
        Typed::new(Scalar::Literal(literal), text)
    }

    /// A column, under the name that was written.
    pub fn column(attribute: Attribute) -> Typed {
        let name = attribute.name.clone();
        Typed { scalar: Scalar::Column(attribute), text: name.clone(), name: Some(name) }
    }

    /// A call; the result may be null if an argument may be.
    pub fn call(
        function: Function,
        args: Vec<Scalar>,
        data_type: DataType,
        text: impl Into<String>,
    ) -> Typed {
        let nullable = args.iter().any(Scalar::nullable);
        Typed::new(Scalar::Call { function, args, data_type, nullable }, text)
    }

    /// The type of the value.
    pub fn data_type(&self) -> DataType {
        self.scalar.data_type()
    }

    /// The name of the column that this becomes in a select list.
    pub fn column_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.text.clone())
    }

    /// The column that this becomes, with a new identity unless it is a column already.
    pub fn to_attribute(&self, id: ExprId) -> Attribute {
        match &self.scalar {
            Scalar::Column(attribute) if self.name.as_deref() == Some(attribute.name.as_str()) => {
                attribute.clone()
            }
            scalar => Attribute {
                id,
                name: self.column_name(),
                data_type: scalar.data_type(),
                nullable: scalar.nullable(),
                qualifier: Vec::new(),
                watermark_delay: watermark_delay(scalar),
            },
        }
    }
}

/// The watermark that a value carries on: that of a column, also of a window whose time is taken.
pub(crate) fn watermark_delay(scalar: &Scalar) -> Option<i64> {
    match scalar {
        Scalar::Column(attribute) => attribute.watermark_delay,
        Scalar::Call { function: Function::WindowTime, args, .. } => args.first().and_then(watermark_delay),
        _ => None,
    }
}
