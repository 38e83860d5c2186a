"""Lists the public names of PySpark: one line each, so that a name we do not have yet is refused by name.

Run with the Python that has pyspark 4.2.0 (and delta-spark 4.4.0):  python record.py > names.txt
A line is `MODULE NAME function`, `MODULE NAME class` or `MODULE CLASS.MEMBER method|property`.
"""
import importlib
import inspect

MODULES = [
    "pyspark", "pyspark.sql", "pyspark.sql.functions", "pyspark.sql.types", "pyspark.sql.window",
    "pyspark.sql.streaming", "pyspark.sql.streaming.query", "pyspark.sql.streaming.readwriter",
    "pyspark.sql.readwriter", "pyspark.sql.conf", "pyspark.sql.catalog", "pyspark.sql.column", "pyspark.sql.dataframe",
    "pyspark.sql.group", "pyspark.sql.session", "pyspark.errors", "delta", "delta.tables",
]
CLASSES = {
    "pyspark.sql": ["SparkSession", "DataFrame", "Column", "GroupedData", "Row", "DataFrameReader", "DataFrameWriter",
                    "DataFrameWriterV2", "Catalog", "Window", "WindowSpec", "DataFrameNaFunctions",
                    "DataFrameStatFunctions", "Observation", "UDFRegistration"],
    "pyspark.sql.conf": ["RuntimeConfig"],
    "pyspark.sql.streaming": ["DataStreamReader", "DataStreamWriter", "StreamingQuery", "StreamingQueryManager",
                              "StreamingQueryListener"],
    "pyspark.sql.streaming.listener": ["StreamingQueryProgress", "SourceProgress", "SinkProgress",
                                       "StateOperatorProgress"],
    "pyspark.sql.types": ["DataType", "StructType", "StructField"],
    "delta.tables": ["DeltaTable", "DeltaMergeBuilder", "DeltaOptimizeBuilder", "DeltaTableBuilder"],
}

def kind_of_member(cls, name):
    static = inspect.getattr_static(cls, name)
    return "property" if isinstance(static, property) or not callable(getattr(cls, name)) else "method"

lines = set()
for module in MODULES:
    m = importlib.import_module(module)
    for name in sorted(getattr(m, "__all__", None) or [n for n in dir(m) if not n.startswith("_")]):
        value = getattr(m, name)
        if inspect.isclass(value) and value.__module__.startswith(("pyspark", "delta")):
            lines.add(f"{module} {name} class")
        elif callable(value) and getattr(value, "__module__", "").startswith(("pyspark", "delta")):
            lines.add(f"{module} {name} function")
for module, classes in CLASSES.items():
    m = importlib.import_module(module)
    for cls in classes:
        c = getattr(m, cls)
        for name in dir(c):
            if not name.startswith("_") and name not in ("count", "index") or (cls in ("DataFrame", "GroupedData") and name == "count"):
                lines.add(f"{module} {cls}.{name} {kind_of_member(c, name)}")
print("\n".join(sorted(lines)))
