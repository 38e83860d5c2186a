//! Schemas: named, typed columns.

use std::sync::Arc;

use arrow::datatypes::{Field, Schema as ArrowSchema};

use crate::data_type::DataType;

/// One column of a schema.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructField {
    /// The name as written; Spark compares it without case.
    pub name: String,
    /// The type of the values.
    pub data_type: DataType,
    /// Whether a value may be null.
    pub nullable: bool,
    /// The column's metadata as JSON text, `{}` if none (comments, `spark.watermarkDelayMs`).
    pub metadata: Option<String>,
}

impl StructField {
    /// A column without metadata.
    pub fn new(name: impl Into<String>, data_type: DataType, nullable: bool) -> Self {
        StructField { name: name.into(), data_type, nullable, metadata: None }
    }
}

/// An ordered list of columns: a schema, or the type of a struct value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructType {
    /// The columns in order.
    pub fields: Vec<StructField>,
}

impl StructType {
    /// A schema of these columns.
    pub fn new(fields: Vec<StructField>) -> Self {
        StructType { fields }
    }

    /// The position of the column with this name, compared without case; the first one if several.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|f| f.name.eq_ignore_ascii_case(name))
    }

    /// The column names in order.
    pub fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|f| f.name.as_str()).collect()
    }

    /// The Arrow schema that carries this one.
    pub fn to_arrow(&self) -> ArrowSchema {
        ArrowSchema::new(
            self.fields
                .iter()
                .map(|f| Arc::new(Field::new(&f.name, f.data_type.to_arrow(), f.nullable)))
                .collect::<Vec<_>>(),
        )
    }

    /// The same columns, all nullable: what Spark makes of a file source's schema.
    pub fn as_nullable(&self) -> StructType {
        StructType {
            fields: self.fields.iter().cloned().map(|f| StructField { nullable: true, ..f }).collect(),
        }
    }
}
