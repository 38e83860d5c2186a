//! What a learner sees when Spark refuses: class, condition, message, cause.

use std::fmt;

/// The Python class under which PySpark raises an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ErrorClass {
    /// `AnalysisException`: the plan is wrong.
    Analysis,
    /// `ParseException`: the SQL or DDL text is wrong.
    Parse,
    /// `IllegalArgumentException`.
    IllegalArgument,
    /// `ArithmeticException`: overflow, division by zero.
    Arithmetic,
    /// `NumberFormatException`: a cast of malformed text.
    NumberFormat,
    /// `DateTimeException`.
    DateTime,
    /// `ArrayIndexOutOfBoundsException`.
    ArrayIndexOutOfBounds,
    /// `SparkRuntimeException`.
    Runtime,
    /// `SparkException`, which Python shows as `Py4JJavaError`-free `SparkException`.
    Spark,
    /// `StreamingQueryException`: a query has failed.
    StreamingQuery,
    /// `SparkUpgradeException`.
    Upgrade,
    /// `UnsupportedOperationException`.
    UnsupportedOperation,
    /// `PySparkTypeError`, raised on the Python side.
    PySparkType,
    /// `PySparkValueError`, raised on the Python side.
    PySparkValue,
    /// `PySparkAttributeError`, raised on the Python side.
    PySparkAttribute,
    /// `PySparkKeyError`, raised on the Python side.
    PySparkKey,
    /// `PySparkRuntimeError`, raised on the Python side.
    PySparkRuntime,
    /// `PySparkAssertionError`, raised on the Python side.
    PySparkAssertion,
    /// `QueryExecutionException`.
    QueryExecution,
    /// `UnknownException`.
    Unknown,
    /// Any error of the JVM without a class of its own in PySpark.
    Py4JJava,
    /// `DeltaConcurrentModificationException` and its kin, by the name of the class.
    Delta(&'static str),
}

impl ErrorClass {
    /// The name of the Python class.
    pub fn python_name(self) -> &'static str {
        match self {
            ErrorClass::Analysis => "AnalysisException",
            ErrorClass::Parse => "ParseException",
            ErrorClass::IllegalArgument => "IllegalArgumentException",
            ErrorClass::Arithmetic => "ArithmeticException",
            ErrorClass::NumberFormat => "NumberFormatException",
            ErrorClass::DateTime => "DateTimeException",
            ErrorClass::ArrayIndexOutOfBounds => "ArrayIndexOutOfBoundsException",
            ErrorClass::Runtime => "SparkRuntimeException",
            ErrorClass::Spark => "SparkException",
            ErrorClass::StreamingQuery => "StreamingQueryException",
            ErrorClass::Upgrade => "SparkUpgradeException",
            ErrorClass::UnsupportedOperation => "UnsupportedOperationException",
            ErrorClass::PySparkType => "PySparkTypeError",
            ErrorClass::PySparkValue => "PySparkValueError",
            ErrorClass::PySparkAttribute => "PySparkAttributeError",
            ErrorClass::PySparkKey => "PySparkKeyError",
            ErrorClass::PySparkRuntime => "PySparkRuntimeError",
            ErrorClass::PySparkAssertion => "PySparkAssertionError",
            ErrorClass::QueryExecution => "QueryExecutionException",
            ErrorClass::Unknown => "UnknownException",
            ErrorClass::Py4JJava => "Py4JJavaError",
            ErrorClass::Delta(name) => name,
        }
    }
}

/// The name of an error condition, such as `PATH_NOT_FOUND` or `CAST_INVALID_INPUT`; empty where Spark has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Condition(pub String);

/// An error as Spark reports it.
///
/// The message is the text after `[CONDITION] `, with the parameters filled in and ` SQLSTATE: …` left to `sql_state`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SparkError {
    /// The Python class.
    pub class: ErrorClass,
    /// The condition, empty where Spark has none.
    pub condition: Condition,
    /// The text for the reader, without the leading `[CONDITION] `.
    pub message: String,
    /// The SQL state, empty if none.
    pub sql_state: String,
    /// The parameters of the message by name, in Spark's order.
    pub parameters: Vec<(String, String)>,
    /// What caused it, if an error below is known.
    pub cause: Option<Box<SparkError>>,
    /// What follows the SQL state, as written: `; line 1 pos 0`, or the place in the SQL text.
    pub context: String,
    /// The class in the JVM, where PySpark shows it because it has no class of its own; empty for `SparkException`.
    pub java_class: &'static str,
}

impl SparkError {
    /// An error with a condition.
    pub fn new(class: ErrorClass, condition: &str, sql_state: &str, message: impl Into<String>) -> Self {
        SparkError {
            class,
            condition: Condition(condition.to_owned()),
            message: message.into(),
            sql_state: sql_state.to_owned(),
            parameters: Vec::new(),
            cause: None,
            context: String::new(),
            java_class: "",
        }
    }

    /// An error without a condition of its own.
    pub fn plain(class: ErrorClass, message: impl Into<String>) -> Self {
        Self::new(class, "", "", message)
    }

    /// The same error with a parameter of its message.
    pub fn with_parameter(mut self, name: &str, value: impl Into<String>) -> Self {
        self.parameters.push((name.to_owned(), value.into()));
        self
    }

    /// An error of the JVM that PySpark has no class for, by its class there.
    pub fn java(class: &'static str, message: impl Into<String>) -> Self {
        SparkError { java_class: class, ..Self::plain(ErrorClass::Py4JJava, message) }
    }

    /// The same error with its class in the JVM.
    pub fn with_java_class(mut self, class: &'static str) -> Self {
        self.java_class = class;
        self
    }

    /// The same error with what follows its SQL state.
    pub fn with_context(mut self, context: impl Into<String>) -> Self {
        self.context = context.into();
        self
    }

    /// The same error with the error below it.
    pub fn with_cause(mut self, cause: SparkError) -> Self {
        self.cause = Some(Box::new(cause));
        self
    }

    /// The whole text as `str(exception)` begins: `[CONDITION] message SQLSTATE: 00000`, then the context.
    ///
    /// The text of a `ParseException` begins with an empty line.
    pub fn full_message(&self) -> String {
        let head = match self.condition.0.as_str() {
            "" => String::new(),
            legacy if legacy.starts_with("_LEGACY_ERROR_TEMP_") => String::new(),
            name => format!("[{name}] "),
        };
        let silent = self.sql_state.is_empty() || self.condition.0.starts_with("DELTA_");
        let tail = if silent { String::new() } else { format!(" SQLSTATE: {}", self.sql_state) };
        let start = if self.class == ErrorClass::Parse { "\n" } else { "" };
        format!("{start}{head}{}{tail}{}", self.message, self.context)
    }
}

impl fmt::Display for SparkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_message())
    }
}

impl std::error::Error for SparkError {}
