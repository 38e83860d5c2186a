//! The host classes: their numbers, names, modules, and the members that work.

use crate::object::Object;

/// The classes of the API; the number is the host class's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub(crate) enum Class {
    Session = 0,
    Builder,
    Conf,
    Catalog,
    Streams,
    Reader,
    StreamReader,
    Writer,
    StreamWriter,
    Frame,
    Grouped,
    Column,
    Query,
    Row,
    Progress,
    DataType,
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    NullType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampType,
    TimestampNTZType,
    DayTimeIntervalType,
    YearMonthIntervalType,
}

/// How Python sees a class.
pub(crate) struct Face {
    pub(crate) name: &'static str,
    pub(crate) module: &'static str,
    pub(crate) base: Option<Class>,
    pub(crate) constructible: bool,
    pub(crate) methods: &'static [&'static str],
    pub(crate) properties: &'static [&'static str],
}

const TYPES: &str = "pyspark.sql.types";
const STREAMING: &str = "pyspark.sql.streaming.readwriter";

const fn face(
    name: &'static str,
    module: &'static str,
    methods: &'static [&'static str],
    properties: &'static [&'static str],
) -> Face {
    Face { name, module, base: None, constructible: false, methods, properties }
}

const fn data_type(name: &'static str) -> Face {
    Face { name, module: TYPES, base: Some(Class::DataType), constructible: true, methods: &[], properties: &[] }
}

impl Class {
    /// All classes in the order of their numbers.
    pub(crate) const ALL: [Class; 36] = [
        Class::Session,
        Class::Builder,
        Class::Conf,
        Class::Catalog,
        Class::Streams,
        Class::Reader,
        Class::StreamReader,
        Class::Writer,
        Class::StreamWriter,
        Class::Frame,
        Class::Grouped,
        Class::Column,
        Class::Query,
        Class::Row,
        Class::Progress,
        Class::DataType,
        Class::ArrayType,
        Class::BinaryType,
        Class::BooleanType,
        Class::ByteType,
        Class::DateType,
        Class::DecimalType,
        Class::DoubleType,
        Class::FloatType,
        Class::IntegerType,
        Class::LongType,
        Class::MapType,
        Class::NullType,
        Class::ShortType,
        Class::StringType,
        Class::StructField,
        Class::StructType,
        Class::TimestampType,
        Class::TimestampNTZType,
        Class::DayTimeIntervalType,
        Class::YearMonthIntervalType,
    ];

    /// The class with this number.
    pub(crate) fn from_id(id: u32) -> Option<Class> {
        Class::ALL.get(id as usize).copied()
    }

    /// The class of an object.
    pub(crate) fn of(object: &Object) -> Class {
        use tidemark_types::DataType as T;
        match object {
            Object::Session => Class::Session,
            Object::Builder => Class::Builder,
            Object::Conf => Class::Conf,
            Object::Catalog => Class::Catalog,
            Object::Streams => Class::Streams,
            Object::Reader(spec) if spec.streaming => Class::StreamReader,
            Object::Reader(_) => Class::Reader,
            Object::Writer(..) => Class::Writer,
            Object::StreamWriter(..) => Class::StreamWriter,
            Object::Frame(_) => Class::Frame,
            Object::Grouped(_) => Class::Grouped,
            Object::Column(_) => Class::Column,
            Object::Query(_) => Class::Query,
            Object::Row(..) => Class::Row,
            Object::Progress(..) => Class::Progress,
            Object::Field(_) => Class::StructField,
            Object::Type(data_type) => match data_type {
                T::Null => Class::NullType,
                T::Boolean => Class::BooleanType,
                T::Byte => Class::ByteType,
                T::Short => Class::ShortType,
                T::Integer => Class::IntegerType,
                T::Long => Class::LongType,
                T::Float => Class::FloatType,
                T::Double => Class::DoubleType,
                T::Decimal(..) => Class::DecimalType,
                T::String => Class::StringType,
                T::Binary => Class::BinaryType,
                T::Date => Class::DateType,
                T::Timestamp => Class::TimestampType,
                T::TimestampNtz => Class::TimestampNTZType,
                T::DayTimeInterval => Class::DayTimeIntervalType,
                T::YearMonthInterval => Class::YearMonthIntervalType,
                T::Array(..) => Class::ArrayType,
                T::Map(..) => Class::MapType,
                T::Struct(_) => Class::StructType,
            },
        }
    }

    /// How Python sees the class.
    // tidy: table
    pub(crate) fn face(self) -> Face {
        match self {
            Class::Session => face(
                "SparkSession",
                "pyspark.sql.session",
                &["createDataFrame", "range", "sql", "table", "stop", "newSession", "active", "getActiveSession"],
                &["read", "readStream", "conf", "catalog", "streams", "version", "builder", "sparkContext"],
            ),
            Class::Builder => face(
                "SparkSession.Builder",
                "pyspark.sql.session",
                &["appName", "master", "config", "enableHiveSupport", "getOrCreate"],
                &[],
            ),
            Class::Conf => face("RuntimeConfig", "pyspark.sql.conf", &["get", "set", "unset", "isModifiable"], &["getAll"]),
            Class::Catalog => face(
                "Catalog",
                "pyspark.sql.catalog",
                &["dropTempView", "tableExists", "listTables", "currentDatabase", "clearCache"],
                &[],
            ),
            Class::Streams => face(
                "StreamingQueryManager",
                "pyspark.sql.streaming.query",
                &["get", "awaitAnyTermination", "resetTerminated"],
                &["active"],
            ),
            Class::Reader => face(
                "DataFrameReader",
                "pyspark.sql.readwriter",
                &["format", "schema", "option", "options", "load", "json", "text", "csv", "parquet", "orc", "table"],
                &[],
            ),
            Class::StreamReader => face(
                "DataStreamReader",
                STREAMING,
                &["format", "schema", "option", "options", "load", "json", "text", "csv", "parquet", "orc", "table"],
                &[],
            ),
            Class::Writer => face(
                "DataFrameWriter",
                "pyspark.sql.readwriter",
                &[
                    "format", "mode", "option", "options", "partitionBy", "save", "json", "text", "csv", "parquet", "orc",
                    "saveAsTable", "insertInto",
                ],
                &[],
            ),
            Class::StreamWriter => face(
                "DataStreamWriter",
                STREAMING,
                &[
                    "format", "outputMode", "option", "options", "partitionBy", "queryName", "trigger", "foreachBatch",
                    "start", "toTable",
                ],
                &[],
            ),
            Class::Frame => face(
                "DataFrame",
                "pyspark.sql.classic.dataframe",
                &[
                    "select", "selectExpr", "filter", "where", "withColumn", "withColumns", "withColumnRenamed",
                    "withColumnsRenamed", "drop", "alias", "groupBy", "groupby", "agg", "count", "orderBy", "sort",
                    "limit", "union", "unionAll", "unionByName", "distinct", "dropDuplicates", "drop_duplicates", "dropDuplicatesWithinWatermark",
                    "join", "crossJoin", "withWatermark", "collect", "take", "first", "head", "tail", "show",
                    "isEmpty", "toLocalIterator", "printSchema", "explain", "createOrReplaceTempView",
                    "createTempView", "cache", "persist", "unpersist", "coalesce", "repartition",
                    "transform", "toDF", "toJSON", "describe", "summary", "foreach", "foreachPartition", "colRegex",
                    "createGlobalTempView", "createOrReplaceGlobalTempView", "checkpoint", "localCheckpoint",
                    "__getitem__", "__getattr__", "__repr__", "__dir__",
                ],
                &["columns", "dtypes", "schema", "isStreaming", "write", "writeStream", "sparkSession", "rdd"],
            ),
            Class::Grouped => face(
                "GroupedData",
                "pyspark.sql.group",
                &["agg", "count", "sum", "avg", "mean", "min", "max", "pivot"],
                &[],
            ),
            Class::Column => face("Column", "pyspark.sql.column", COLUMN_METHODS, &[]),
            Class::Query => face(
                "StreamingQuery",
                "pyspark.sql.streaming.query",
                &["awaitTermination", "processAllAvailable", "stop", "exception", "explain", "__repr__"],
                &["id", "runId", "name", "isActive", "status", "lastProgress", "recentProgress"],
            ),
            Class::Row => Face {
                constructible: true,
                ..face(
                    "Row",
                    TYPES,
                    &[
                        "asDict", "count", "index", "__getitem__", "__getattr__", "__iter__", "__len__", "__contains__",
                        "__repr__", "__str__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__",
                        "__call__",
                    ],
                    &["__fields__"],
                )
            },
            Class::Progress => face(
                "StreamingQueryProgress",
                "pyspark.sql.streaming.listener",
                &[
                    "get", "keys", "values", "items", "__getitem__", "__getattr__", "__iter__", "__len__",
                    "__contains__", "__repr__", "__str__", "__eq__",
                ],
                &["json", "prettyJson"],
            ),
            Class::DataType => face(
                "DataType",
                TYPES,
                &["simpleString", "typeName", "json", "jsonValue", "__repr__", "__eq__", "__hash__"],
                &[],
            ),
            Class::ArrayType => Face { properties: &["elementType", "containsNull"], ..data_type("ArrayType") },
            Class::BinaryType => data_type("BinaryType"),
            Class::BooleanType => data_type("BooleanType"),
            Class::ByteType => data_type("ByteType"),
            Class::DateType => data_type("DateType"),
            Class::DecimalType => Face { properties: &["precision", "scale"], ..data_type("DecimalType") },
            Class::DoubleType => data_type("DoubleType"),
            Class::FloatType => data_type("FloatType"),
            Class::IntegerType => data_type("IntegerType"),
            Class::LongType => data_type("LongType"),
            Class::MapType => {
                Face { properties: &["keyType", "valueType", "valueContainsNull"], ..data_type("MapType") }
            }
            Class::NullType => data_type("NullType"),
            Class::ShortType => data_type("ShortType"),
            Class::StringType => data_type("StringType"),
            Class::StructField => Face {
                properties: &["name", "dataType", "nullable", "metadata"],
                ..data_type("StructField")
            },
            Class::StructType => Face {
                methods: &["add", "fieldNames", "__iter__", "__len__", "__getitem__", "__contains__", "treeString"],
                properties: &["fields", "names"],
                ..data_type("StructType")
            },
            Class::TimestampType => data_type("TimestampType"),
            Class::TimestampNTZType => data_type("TimestampNTZType"),
            Class::DayTimeIntervalType => data_type("DayTimeIntervalType"),
            Class::YearMonthIntervalType => data_type("YearMonthIntervalType"),
        }
    }
}

const COLUMN_METHODS: &[&str] = &[
    "alias", "name", "cast", "astype", "try_cast", "isNull", "isNotNull", "isNaN", "between", "isin", "like", "ilike",
    "rlike", "startswith", "endswith", "contains", "substr", "when", "otherwise", "asc", "desc", "asc_nulls_first",
    "asc_nulls_last", "desc_nulls_first", "desc_nulls_last", "eqNullSafe", "getItem", "getField", "bitwiseAND",
    "bitwiseOR", "bitwiseXOR", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__",
    "__rtruediv__", "__mod__", "__rmod__", "__pow__", "__rpow__", "__neg__", "__eq__", "__ne__", "__lt__", "__le__",
    "__gt__", "__ge__", "__and__", "__rand__", "__or__", "__ror__", "__invert__", "__getitem__", "__getattr__",
    "__bool__", "__contains__", "__iter__", "__repr__",
];
