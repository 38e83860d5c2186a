//! A column of a plan with an identity of its own, so that two columns of one name are told apart.

use tidemark_types::{DataType, StructField, StructType};

/// The identity of a column: what explain shows as `#n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub u64);

/// A column that some operator produces.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Its identity.
    pub id: ExprId,
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub data_type: DataType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// The name of the table or alias it came from, outermost first; empty if none.
    pub qualifier: Vec<String>,
    /// The delay of the watermark in microseconds, if the column is the event time.
    pub watermark_delay: Option<i64>,
}

impl Attribute {
    /// The field that this column has in a schema.
    pub fn to_field(&self) -> StructField {
        StructField::new(&self.name, self.data_type.clone(), self.nullable)
    }

    /// The schema of these columns.
    pub fn schema(attributes: &[Attribute]) -> StructType {
        StructType::new(attributes.iter().map(Attribute::to_field).collect())
    }
}
