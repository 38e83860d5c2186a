//! The exceptions of `pyspark.errors`, `py4j` and Delta.

use tidemark_python::{Host, HostException};

/// Name, bases. The first is the root of all.
const PYSPARK: &[(&str, &[&str])] = &[
    ("PySparkException", &["Exception"]),
    ("AnalysisException", &["PySparkException"]),
    ("SessionNotSameException", &["PySparkException"]),
    ("TempTableAlreadyExistsException", &["AnalysisException"]),
    ("ParseException", &["AnalysisException"]),
    ("IllegalArgumentException", &["PySparkException"]),
    ("ArithmeticException", &["PySparkException", "ArithmeticError"]),
    ("UnsupportedOperationException", &["PySparkException"]),
    ("ArrayIndexOutOfBoundsException", &["PySparkException", "IndexError"]),
    ("DateTimeException", &["PySparkException"]),
    ("NumberFormatException", &["IllegalArgumentException"]),
    ("StreamingQueryException", &["PySparkException"]),
    ("QueryExecutionException", &["PySparkException"]),
    ("PythonException", &["PySparkException"]),
    ("SparkRuntimeException", &["PySparkException"]),
    ("SparkUpgradeException", &["PySparkException"]),
    ("SparkNoSuchElementException", &["PySparkException"]),
    ("UnknownException", &["PySparkException"]),
    ("StreamingPythonRunnerInitializationException", &["PySparkException"]),
    ("PickleException", &["PySparkException"]),
    ("PySparkValueError", &["PySparkException", "ValueError"]),
    ("PySparkTypeError", &["PySparkException", "TypeError"]),
    ("PySparkIndexError", &["PySparkException", "IndexError"]),
    ("PySparkAttributeError", &["PySparkException", "AttributeError"]),
    ("PySparkRuntimeError", &["PySparkException", "RuntimeError"]),
    ("PySparkAssertionError", &["PySparkException", "AssertionError"]),
    ("PySparkNotImplementedError", &["PySparkException", "NotImplementedError"]),
    ("PySparkPicklingError", &["PySparkException"]),
    ("PySparkKeyError", &["PySparkException", "KeyError"]),
    ("PySparkImportError", &["PySparkException", "ImportError"]),
];

/// Exceptions of `delta.exceptions`.
pub(crate) const DELTA: &[&str] = &[
    "DeltaConcurrentModificationException",
    "ConcurrentWriteException",
    "MetadataChangedException",
    "ProtocolChangedException",
    "ConcurrentAppendException",
    "ConcurrentDeleteReadException",
    "ConcurrentDeleteDeleteException",
    "ConcurrentTransactionException",
];

const GETTERS: [(&str, &str); 4] = [
    ("getCondition", "_condition"),
    ("getErrorClass", "_condition"),
    ("getMessage", "_message"),
    ("getSqlState", "_sql_state"),
];

/// Registers all of them; the names of those in `pyspark.errors` come back.
pub(crate) fn register(host: &mut Host) -> Vec<&'static str> {
    let getters: Vec<(String, String)> =
        GETTERS.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let mut add = |name: &str, module: &str, bases: &[&str]| {
        host.add_exception(HostException {
            name: name.to_owned(),
            module: module.to_owned(),
            bases: bases.iter().map(|b| (*b).to_owned()).collect(),
            getters: getters.clone(),
        });
    };
    for (name, bases) in PYSPARK {
        let captured = matches!(*name, "PySparkException") || name.starts_with("PySpark");
        let module =
            if captured { "pyspark.errors.exceptions.base" } else { "pyspark.errors.exceptions.captured" };
        add(name, module, bases);
    }
    add("Py4JJavaError", "py4j.protocol", &["Exception"]);
    for (at, name) in DELTA.iter().enumerate() {
        let base = if at == 0 { "PySparkException" } else { DELTA[0] };
        add(name, "delta.exceptions.captured", &[base]);
    }
    PYSPARK.iter().map(|(name, _)| *name).collect()
}
