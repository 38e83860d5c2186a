//! Errors of analysis: one function for each condition, with Spark's text.

use tidemark_types::{DataType, ErrorClass, SparkError};

use crate::expr::Origin;

/// An `AnalysisException`.
pub fn analysis(condition: &str, sql_state: &str, message: impl Into<String>) -> SparkError {
    SparkError::new(ErrorClass::Analysis, condition, sql_state, message)
}

/// What Spark has and this engine does not yet: said by name.
pub fn not_supported(what: &str) -> SparkError {
    SparkError::plain(ErrorClass::UnsupportedOperation, format!("Tidemark does not support {what} yet"))
}

/// The same error, pointing at a place in the SQL text if it does not point anywhere yet.
pub fn at_origin(error: SparkError, origin: Option<Origin>) -> SparkError {
    match origin {
        Some(Origin { line, pos })
            if error.context.is_empty() && error.class == ErrorClass::Analysis && has_place(&error) =>
        {
            error.with_context(format!("; line {line} pos {pos}"))
        }
        _ => error,
    }
}

/// Whether Spark knows where an error of this kind stands: what it finds only at its last check has no place.
fn has_place(error: &SparkError) -> bool {
    match error.condition.0.as_str() {
        "UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS" | "_LEGACY_ERROR_TEMP_1039" => false,
        "WRONG_NUM_ARGS.WITHOUT_SUGGESTION" => !error.parameters.iter().any(|(name, value)| {
            name == "expectedNum" && (value.starts_with('>') || value.starts_with("2n"))
        }),
        _ => true,
    }
}

/// `DATATYPE_MISMATCH.<condition>` of an expression.
pub fn type_mismatch(sql: &str, condition: &str, reason: &str) -> SparkError {
    analysis(
        &format!("DATATYPE_MISMATCH.{condition}"),
        "42K09",
        format!("Cannot resolve \"{sql}\" due to data type mismatch: {reason}"),
    )
    .with_parameter("sqlExpr", format!("\"{sql}\""))
}

/// `DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE`; `required` is quoted already, as `"INT"` or `("ARRAY" or "MAP")`.
pub fn unexpected_type(
    sql: &str,
    index: usize,
    required: &str,
    input: &str,
    actual: &DataType,
) -> SparkError {
    type_mismatch(
        sql,
        "UNEXPECTED_INPUT_TYPE",
        &format!(
            "The {} parameter requires the {required} type, however \"{input}\" has the type \"{}\".",
            ordinal(index),
            actual.sql()
        ),
    )
}

/// `DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES`.
pub fn operands_differ(sql: &str, left: &DataType, right: &DataType) -> SparkError {
    type_mismatch(
        sql,
        "BINARY_OP_DIFF_TYPES",
        &format!(
            "the left and right operands of the binary operator have incompatible types (\"{}\" and \"{}\").",
            left.sql(),
            right.sql()
        ),
    )
}

/// `DATATYPE_MISMATCH.BINARY_OP_WRONG_TYPE`.
pub fn operand_wrong(sql: &str, required: &str, actual: &DataType) -> SparkError {
    type_mismatch(
        sql,
        "BINARY_OP_WRONG_TYPE",
        &format!("the binary operator requires the input type {required}, not \"{}\".", actual.sql()),
    )
}

/// `DATATYPE_MISMATCH.DATA_DIFF_TYPES`.
pub fn data_differ(sql: &str, function: &str, types: &[DataType]) -> SparkError {
    let types: Vec<String> = types.iter().map(|t| format!("\"{}\"", t.sql())).collect();
    type_mismatch(
        sql,
        "DATA_DIFF_TYPES",
        &format!("Input to `{function}` should all be the same type, but it's [{}].", types.join(", ")),
    )
}

/// `DATATYPE_MISMATCH.INVALID_ORDERING_TYPE`.
pub fn not_ordered(sql: &str, function: &str, data_type: &DataType) -> SparkError {
    type_mismatch(
        sql,
        "INVALID_ORDERING_TYPE",
        &format!("The `{function}` does not support ordering on type \"{}\".", data_type.sql()),
    )
}

/// `UNRESOLVED_COLUMN.*`; `name` and `proposals` are quoted with backticks.
pub fn unresolved_column(name: &str, proposals: &[String]) -> SparkError {
    let head = format!("A column, variable, or function parameter with name {name} cannot be resolved. ");
    let error = if proposals.is_empty() {
        analysis("UNRESOLVED_COLUMN.WITHOUT_SUGGESTION", "42703", head)
    } else {
        let list = proposals.join(", ");
        analysis(
            "UNRESOLVED_COLUMN.WITH_SUGGESTION",
            "42703",
            format!("{head}Did you mean one of the following? [{list}]."),
        )
        .with_parameter("proposal", list)
    };
    error.with_parameter("objectName", name)
}

/// `UNRESOLVED_COLUMN_AMONG_FIELD_NAMES`.
pub fn unresolved_among(name: &str, names: &[String]) -> SparkError {
    analysis(
        "UNRESOLVED_COLUMN_AMONG_FIELD_NAMES",
        "42703",
        format!("Cannot resolve column name \"{name}\" among ({}).", names.join(", ")),
    )
    .with_parameter("colName", format!("\"{name}\""))
    .with_parameter("fieldNames", names.join(", "))
}

/// `AMBIGUOUS_REFERENCE`; all names are quoted with backticks.
pub fn ambiguous_reference(name: &str, candidates: &[String]) -> SparkError {
    let list = candidates.join(", ");
    analysis("AMBIGUOUS_REFERENCE", "42704", format!("Reference {name} is ambiguous, could be: [{list}]."))
        .with_parameter("name", name)
        .with_parameter("referenceNames", format!("[{list}]"))
}

/// `WRONG_NUM_ARGS.WITHOUT_SUGGESTION`.
pub fn wrong_num_args(function: &str, expected: &str, actual: usize) -> SparkError {
    analysis(
        "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
        "42605",
        format!(
            "The `{function}` requires {expected} parameters but the actual number is {actual}. Please, refer to 'https://spark.apache.org/docs/latest/sql-ref-functions.html' for a fix."
        ),
    )
    .with_parameter("functionName", format!("`{function}`"))
    .with_parameter("expectedNum", expected)
    .with_parameter("actualNum", actual.to_string())
}

/// `UNRESOLVED_ROUTINE`.
pub fn unresolved_routine(name: &str) -> SparkError {
    analysis(
        "UNRESOLVED_ROUTINE",
        "42883",
        format!(
            "Cannot resolve routine `{name}` on search path [`system`.`builtin`, `system`.`session`, `spark_catalog`.`default`]."
        ),
    )
    .with_parameter("routineName", format!("`{name}`"))
}

/// `TABLE_OR_VIEW_NOT_FOUND`.
pub fn table_not_found(parts: &[String]) -> SparkError {
    let name = crate::name::quote(parts);
    analysis(
        "TABLE_OR_VIEW_NOT_FOUND",
        "42P01",
        format!(
            "The table or view {name} cannot be found. Verify the spelling and correctness of the schema and catalog.\nSearch path: [`system`.`builtin`, `system`.`session`, `spark_catalog`.`default`].\nIf you did not qualify the name with a schema, verify the current_schema() output, or qualify the name with the correct schema and catalog.\nTo tolerate the error on drop use DROP VIEW IF EXISTS or DROP TABLE IF EXISTS."
        ),
    )
    .with_parameter("relationName", name)
}

/// `COLUMN_ALREADY_EXISTS`.
pub fn column_already_exists(name: &str) -> SparkError {
    let name = name.to_lowercase();
    analysis(
        "COLUMN_ALREADY_EXISTS",
        "42711",
        format!("The column `{name}` already exists. Choose another name or rename the existing column."),
    )
    .with_parameter("columnName", format!("`{name}`"))
}

/// `first`, `second`, …: as Spark counts parameters, from 0.
pub fn ordinal(index: usize) -> String {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
        "eleventh", "twelfth",
    ];
    WORDS.get(index).map_or_else(|| format!("{}th", index + 1), |word| (*word).to_owned())
}
