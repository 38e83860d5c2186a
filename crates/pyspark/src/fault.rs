//! Errors on their way to the script: Spark's, and those that PySpark or Python itself raises.

use tidemark_python::{PyException, Value};
use tidemark_types::{ErrorClass, SparkError};

/// Why a call of the API raises.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// An error of Spark or of PySpark's checks.
    Spark(Box<SparkError>),
    /// A plain Python error: class and message.
    Python(&'static str, String),
}

impl From<SparkError> for Fault {
    fn from(error: SparkError) -> Self {
        Fault::Spark(Box::new(error))
    }
}

impl Fault {
    /// A `TypeError`.
    pub(crate) fn type_error(message: impl Into<String>) -> Self {
        Fault::Python("TypeError", message.into())
    }

    /// PySpark's own check of an argument's type: `[NOT_STR] Argument `x` should be a str, got int.`
    pub(crate) fn pyspark_type(condition: &str, message: String) -> Self {
        SparkError::new(ErrorClass::PySparkType, condition, "", message).into()
    }

    /// PySpark's own check of an argument's value.
    pub(crate) fn pyspark_value(condition: &str, message: String) -> Self {
        SparkError::new(ErrorClass::PySparkValue, condition, "", message).into()
    }

    /// A name that a row or a DataFrame does not have.
    pub(crate) fn attribute(name: &str) -> Self {
        let message = format!("Attribute `{name}` is not supported.");
        SparkError::new(ErrorClass::PySparkAttribute, "ATTRIBUTE_NOT_SUPPORTED", "", message).into()
    }

    /// A key that a row does not have.
    pub(crate) fn key(name: &str) -> Self {
        let message = format!("Key `{name}` is not exists.");
        SparkError::new(ErrorClass::PySparkKey, "KEY_NOT_EXISTS", "", message).into()
    }

    /// A name that exists in Spark but not here.
    pub(crate) fn refused(name: &str) -> Self {
        Fault::Python("NotImplementedError", crate::registry::refusal(name))
    }

    /// The exception that the machine raises.
    pub(crate) fn into_exception(self) -> PyException {
        match self {
            Fault::Python(class, message) => PyException::new(class, &message),
            Fault::Spark(error) => spark_exception(&error),
        }
    }
}

/// The Python exception of an error: its class, its text, and what its getters return.
pub(crate) fn spark_exception(error: &SparkError) -> PyException {
    let class = match error.class {
        ErrorClass::Spark => "Py4JJavaError",
        other => other.python_name(),
    };
    let condition = match error.condition.0.as_str() {
        "" => Value::None,
        name => Value::str(name),
    };
    let state = if error.sql_state.is_empty() { Value::None } else { Value::str(&error.sql_state) };
    let text = match (class, error.java_class) {
        ("Py4JJavaError", "") => format!("org.apache.spark.SparkException: {}", error.full_message()),
        ("Py4JJavaError", java) => format!("{java}: {}", error.full_message()),
        _ => error.full_message(),
    };
    PyException::new(class, &text)
        .attribute("_condition", condition)
        .attribute("_message", Value::str(&text))
        .attribute("_sql_state", state)
}
