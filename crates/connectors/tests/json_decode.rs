//! JSON lines to rows: what Spark 4.2 gave for each.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use tidemark_connectors::format::{FileFormat, Input, open};
use tidemark_engine::Error;
use tidemark_engine::connector::Settings;
use tidemark_types::{Batch, DataType, SimTime, SparkError, StructField, StructType};

struct Defaults;

impl Settings for Defaults {
    fn get(&self, _name: &str) -> Option<String> {
        None
    }
}

fn format(options: &[(&str, &str)]) -> Box<dyn FileFormat> {
    let options: BTreeMap<String, String> =
        options.iter().map(|(k, v)| (k.to_ascii_lowercase(), (*v).to_owned())).collect();
    open("json", &options, &Defaults).expect("the options are good").expect("json is a format")
}

fn read(text: &[u8], schema: &StructType, options: &[(&str, &str)]) -> Result<Batch, SparkError> {
    let bytes = Bytes::copy_from_slice(text);
    // 2026-11-29T12:00:00Z
    let now = SimTime(1_795_953_600_000);
    let input = Input { uri: "file:///in/a.json", bytes: &bytes, start: 0, end: bytes.len(), now };
    match format(options).decode(&input, &Arc::new(schema.clone())) {
        Ok(batch) => Ok(batch),
        Err(Error::Spark(error)) => Err(*error),
        Err(other) => panic!("{other}"),
    }
}

/// The rows, each as the JSON that Spark writes for it.
fn rows(batch: &Batch) -> Vec<String> {
    let bytes =
        format(&[]).encode(std::slice::from_ref(batch), batch.schema()).expect("JSON writes all types");
    String::from_utf8(bytes.to_vec()).expect("JSON is UTF-8").lines().map(str::to_owned).collect()
}

fn schema(fields: &[(&str, DataType)]) -> StructType {
    StructType::new(fields.iter().map(|(name, t)| StructField::new(*name, t.clone(), true)).collect())
}

fn with_corrupt(fields: &[(&str, DataType)]) -> StructType {
    let mut all = fields.to_vec();
    all.push(("_corrupt_record", DataType::String));
    schema(&all)
}

const MIXED: &[&str] = &[
    r#"{"a":1,"b":"x"}"#,
    r#"{"a":2,"b":"#,
    "not json",
    "",
    "   ",
    "[1,2]",
    r#"[{"a":5,"b":"arr"}]"#,
    r#""str""#,
    "12",
    "null",
    "{}",
    r#"{"a":"7","b":8}"#,
    r#"{"a":1.5,"b":true}"#,
    r#"{"a":99999999999,"b":null}"#,
    r#"{"a":3,"b":"tail"} trailing"#,
    r#"{"a":4,"b":"x"}{"a":5}"#,
    "[]",
    "[null]",
];

fn a_and_b() -> [(&'static str, DataType); 2] {
    [("a", DataType::Integer), ("b", DataType::String)]
}

#[test]
fn modes() {
    let text = MIXED.join("\n");
    let got = read(text.as_bytes(), &schema(&a_and_b()), &[]).expect("permissive");
    let expected = [
        r#"{"a":1,"b":"x"}"#,
        "{}",
        "{}",
        "{}",
        r#"{"a":5,"b":"arr"}"#,
        "{}",
        "{}",
        "{}",
        "{}",
        r#"{"b":"8"}"#,
        r#"{"b":"true"}"#,
        "{}",
        r#"{"a":3,"b":"tail"}"#,
        r#"{"a":4,"b":"x"}"#,
        "{}",
    ];
    assert_eq!(rows(&got), expected);

    let got =
        read(text.as_bytes(), &with_corrupt(&a_and_b()), &[("mode", "DropMalformed")]).expect("dropping");
    let expected =
        [r#"{"a":1,"b":"x"}"#, r#"{"a":5,"b":"arr"}"#, "{}", r#"{"a":3,"b":"tail"}"#, r#"{"a":4,"b":"x"}"#];
    assert_eq!(rows(&got), expected);

    let corrupt: Vec<String> =
        rows(&read(text.as_bytes(), &with_corrupt(&a_and_b()), &[]).expect("permissive"))
            .iter()
            .filter_map(|row| {
                row.split_once("\"_corrupt_record\":").map(|(_, text)| text.trim_end_matches('}').to_owned())
            })
            .collect();
    assert_eq!(corrupt.len(), 10, "{corrupt:?}");
}

/// A type, lines with `a` of this type, and what `a` became; `!` for null and a malformed record.
type Cases = Vec<(DataType, &'static [(&'static str, &'static str)])>;

// tidy: table
fn plain_values() -> Cases {
    vec![
        (
            DataType::Integer,
            &[
                ("1", "1"),
                ("1.0", "!"),
                (r#""1""#, "!"),
                ("true", "!"),
                ("2147483648", "!"),
                ("-2147483648", "-2147483648"),
                ("1e2", "!"),
                ("null", ""),
                ("[1]", "!"),
                (r#"{"x":1}"#, "!"),
                (r#""""#, "!"),
                ("007", "!"),
                ("+1", "!"),
                ("12x", "!"),
                (r#"1,"a":2"#, "2"),
                (r#"1,"a":null"#, ""),
            ],
        ),
        (
            DataType::Long,
            &[
                ("1", "1"),
                ("1.0", "!"),
                ("9223372036854775807", "9223372036854775807"),
                ("9223372036854775808", "!"),
            ],
        ),
        (DataType::Short, &[("32767", "32767"), ("32768", "!"), ("65535", "!")]),
        (
            DataType::Byte,
            &[("127", "127"), ("128", "-128"), ("255", "-1"), ("256", "!"), ("-128", "-128"), ("-129", "!")],
        ),
        (
            DataType::Double,
            &[
                ("1", "1.0"),
                ("1.5", "1.5"),
                (r#""1.5""#, "!"),
                (r#""NaN""#, r#""NaN""#),
                ("NaN", r#""NaN""#),
                (r#""Infinity""#, r#""Infinity""#),
                (r#""+INF""#, r#""Infinity""#),
                (r#""-INF""#, r#""-Infinity""#),
                ("Infinity", r#""Infinity""#),
                (r#""INF""#, "!"),
                (r#""-Infinity""#, r#""-Infinity""#),
                ("1e400", r#""Infinity""#),
                (r#""""#, "!"),
                ("true", "!"),
                ("-0", "0.0"),
                ("-0.0", "-0.0"),
                ("1.", "!"),
                (".5", "!"),
                ("INF", "!"),
                ("1e", "!"),
                ("-", "!"),
            ],
        ),
        (
            DataType::Float,
            &[("1.1", "1.1"), ("1e39", r#""Infinity""#), ("1", "1.0"), (r#""NaN""#, r#""NaN""#)],
        ),
        (
            DataType::String,
            &[
                (r#""x""#, r#""x""#),
                ("1", r#""1""#),
                ("1.50", r#""1.50""#),
                ("true", r#""true""#),
                ("null", ""),
                (r#"{"x": 1,"y":[1, 2]}"#, r#""{\"x\": 1,\"y\":[1, 2]}""#),
                (r#"[1, "b"]"#, r#""[1, \"b\"]""#),
                ("1e5", r#""1e5""#),
                (r#""\u00e9\n\/""#, r#""é\n/""#),
                ("NaN", r#""NaN""#),
                ("+INF", r#""+INF""#),
                (r#""""#, r#""""#),
                (r#""\ud83d\ude00 \ud83d x""#, r#""😀 ? x""#),
                ("true1", "!"),
                (r#""\q""#, "!"),
                ("\"x\ty\"", "!"),
            ],
        ),
        (DataType::Boolean, &[("true", "true"), ("false", "false"), (r#""true""#, "!"), ("1", "!")]),
        (
            DataType::Decimal(5, 2),
            &[
                ("1.234", "1.23"),
                (r#""1.235""#, "1.24"),
                ("12345", "!"),
                ("1", "1.00"),
                ("NaN", "!"),
                (r#""x""#, "!"),
                (r#""""#, "!"),
                (r#""1,00.5""#, "100.50"),
                ("1e2", "100.00"),
            ],
        ),
        (
            DataType::Binary,
            &[
                (r#""AQID""#, r#""AQID""#),
                (r#""???""#, "!"),
                (r#""AQ""#, "!"),
                ("1", "!"),
                (r#""""#, r#""""#),
            ],
        ),
        (DataType::Null, &[("5", ""), (r#"{"q":[1]}"#, "")]),
    ]
}

fn times() -> Cases {
    vec![
        (
            DataType::Timestamp,
            &[
                (r#""2024-01-02T03:04:05Z""#, r#""2024-01-02T03:04:05.000Z""#),
                (r#""2024-01-02T03:04:05""#, r#""2024-01-02T03:04:05.000Z""#),
                (r#""2024-01-02 03:04:05""#, r#""2024-01-02T03:04:05.000Z""#),
                (r#""2024-01-02T03:04:05.123456789Z""#, r#""2024-01-02T03:04:05.123Z""#),
                (r#""2024-01-02T03:04:05.1""#, r#""2024-01-02T03:04:05.100Z""#),
                (r#""2024-01-02T03:04:05+02:00""#, r#""2024-01-02T01:04:05.000Z""#),
                (r#""2024-01-02T03:04:05+0200""#, r#""2024-01-02T01:04:05.000Z""#),
                (r#""2024-01-02T03:04:05+02""#, r#""2024-01-02T01:04:05.000Z""#),
                (r#""2024-01-02T03:04:05 Europe/Paris""#, r#""2024-01-02T02:04:05.000Z""#),
                (r#""2024-01-02""#, r#""2024-01-02T00:00:00.000Z""#),
                (r#""2024-01-02T03:04""#, r#""2024-01-02T03:04:00.000Z""#),
                (r#""2024-1-2 3:4:5""#, r#""2024-01-02T03:04:05.000Z""#),
                (r#""2024""#, r#""2024-01-01T00:00:00.000Z""#),
                (r#""2024-01""#, r#""2024-01-01T00:00:00.000Z""#),
                (r#""03:04:05""#, r#""2026-11-29T03:04:05.000Z""#),
                (r#""T03:04""#, r#""2026-11-29T03:04:00.000Z""#),
                (r#""now""#, "!"),
                (r#""today""#, "!"),
                (r#""epoch""#, "!"),
                (r#""1704164645""#, "!"),
                (r#""""#, "!"),
                (r#""2024-02-30T00:00:00Z""#, "!"),
                (r#""2024-01-02T25:00:00Z""#, "!"),
                (r#""2024-01-02t03:04:05z""#, "!"),
                (r#"" 2024-01-02T03:04:05Z ""#, r#""2024-01-02T03:04:05.000Z""#),
                (r#""20240102""#, "!"),
                (r#""+10000-01-01T00:00:00Z""#, r#""+10000-01-01T00:00:00.000Z""#),
                (r#""0001-01-01T00:00:00Z""#, r#""0001-01-01T00:00:00.000Z""#),
                ("1704164645", r#""2024-01-02T03:04:05.000Z""#),
                ("1704164645.5", "!"),
                ("1704164645000", r#""+55972-10-29T20:03:20.000Z""#),
                ("true", "!"),
            ],
        ),
        (
            DataType::Date,
            &[
                (r#""2024-01-02""#, r#""2024-01-02""#),
                (r#""2024-1-2""#, r#""2024-01-02""#),
                (r#""2024-01-02T03:04:05Z""#, r#""2024-01-02""#),
                (r#""2024-01-02 03:04:05""#, r#""2024-01-02""#),
                (r#""2024-01-02T23:00:00-05:00""#, r#""2024-01-02""#),
                (r#""2024""#, r#""2024-01-01""#),
                (r#""2024-01""#, r#""2024-01-01""#),
                (r#""19724""#, r#""+19724-01-01""#),
                (r#""x""#, "!"),
                (r#""""#, "!"),
                (r#""20240102""#, r#""+57385-07-08""#),
                ("19724", "!"),
            ],
        ),
        (
            DataType::TimestampNtz,
            &[
                (r#""2024-01-02T03:04:05""#, r#""2024-01-02T03:04:05.000""#),
                (r#""2024-01-02T03:04:05Z""#, "!"),
                (r#""2024-01-02""#, r#""2024-01-02T00:00:00.000""#),
            ],
        ),
    ]
}

fn nested_values() -> Cases {
    let list = |t| DataType::Array(Box::new(t), true);
    let point = DataType::Struct(schema(&[("x", DataType::Integer), ("y", DataType::String)]));
    let map = DataType::Map(Box::new(DataType::String), Box::new(DataType::Integer), true);
    vec![
        (
            list(DataType::Integer),
            &[
                ("[1,2,null]", "[1,2,null]"),
                ("[]", "[]"),
                (r#"[1,"x",3]"#, "!"),
                ("5", "!"),
                (r#""str""#, "!"),
                (r#"{"q":1}"#, "!"),
                ("null", ""),
            ],
        ),
        (
            list(point.clone()),
            &[
                (r#"[{"x":1},{"x":2}]"#, r#"[{"x":1},{"x":2}]"#),
                (r#"{"x":1}"#, "!"),
                (r#"[{"x":1},{"x":"b"},null]"#, r#"[{"x":1},{},null]!"#),
            ],
        ),
        (
            point,
            &[
                (r#"{"x":1,"y":"b"}"#, r#"{"x":1,"y":"b"}"#),
                (r#"{"x":"bad","y":"b"}"#, r#"{"y":"b"}!"#),
                ("[1]", "!"),
                (r#""str""#, "!"),
                ("{}", "{}"),
                (r#"{"z":{"x":5},"x":1}"#, r#"{"x":1}"#),
            ],
        ),
        (
            map,
            &[
                (r#"{"k":1,"j":2}"#, r#"{"k":1,"j":2}"#),
                (r#"{"k":"z","ok":1}"#, "!"),
                ("[1]", "!"),
                ("{}", "{}"),
                (r#"{"k":null}"#, r#"{"k":null}"#),
                (r#"{"\u006b":1}"#, r#"{"k":1}"#),
            ],
        ),
    ]
}

#[test]
fn values_of_each_type() {
    for (data_type, cases) in [plain_values(), times(), nested_values()].concat() {
        let schema = with_corrupt(&[("a", data_type.clone()), ("z", DataType::Integer)]);
        for (value, expected) in cases {
            let line = format!(r#"{{"a":{value},"z":9}}"#);
            let got = rows(&read(line.as_bytes(), &schema, &[]).expect("permissive"));
            let quoted = line.replace('\\', "\\\\").replace('"', "\\\"").replace('\t', "\\t");
            let (kept, bad) = match expected.strip_suffix('!') {
                Some(kept) => (kept, true),
                None => (*expected, false),
            };
            let mut wanted = Vec::new();
            if !kept.is_empty() {
                wanted.push(format!("\"a\":{kept}"));
            }
            // A broken text leaves nothing of its record.
            let broken = bad && !got[0].contains("\"z\":9");
            if !broken {
                wanted.push("\"z\":9".to_owned());
            }
            if bad {
                wanted.push(format!("\"_corrupt_record\":\"{quoted}\""));
            }
            assert_eq!(got, [format!("{{{}}}", wanted.join(","))], "{data_type} from {line}");
        }
    }
}

#[test]
fn records() {
    let both = with_corrupt(&a_and_b());
    let table: &[(&str, &[(&str, &str)], &[&str])] = &[
        ("{'a':1,'b':'x'}", &[], &[r#"{"a":1,"b":"x"}"#]),
        ("{'a':1,'b':'x'}", &[("allowSingleQuotes", "false")], &[r#"{"_corrupt_record":"{'a':1,'b':'x'}"}"#]),
        (r#"{a:1,b:"x"}"#, &[("allowUnquotedFieldNames", "TRUE")], &[r#"{"a":1,"b":"x"}"#]),
        (r#"{"a":1/*c*/,"b":"x"}"#, &[("allowComments", "true")], &[r#"{"a":1,"b":"x"}"#]),
        (r#"{"a":007}"#, &[("allowNumericLeadingZeros", "true")], &[r#"{"a":7}"#]),
        ("\u{feff}{\"a\":1}\n", &[], &[r#"{"a":1}"#]),
        ("{\"a\":1}\r\n{\"a\":2}\r{\"a\":3}", &[], &[r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#]),
        (r#"{"a":1};{"a":2}"#, &[("lineSep", ";")], &[r#"{"a":1}"#, r#"{"a":2}"#]),
        ("{\n \"a\": 1,\n \"b\": \"x\"\n}\n", &[("multiLine", "true")], &[r#"{"a":1,"b":"x"}"#]),
        ("[{\"a\":1},\n{\"a\":2}]\n", &[("multiLine", "true")], &[r#"{"a":1}"#, r#"{"a":2}"#]),
        ("{\"a\":1}\n{\"a\":2}\n", &[("multiLine", "true")], &[r#"{"a":1}"#]),
        (
            "{\n \"a\": 1\n}\n",
            &[],
            &[
                r#"{"_corrupt_record":"{"}"#,
                r#"{"_corrupt_record":" \"a\": 1"}"#,
                r#"{"_corrupt_record":"}"}"#,
            ],
        ),
        (r#"{"A":1}"#, &[], &["{}"]),
        (r#"{"z":1}"#, &[], &["{}"]),
        (r#"{"a":1,"zz":{"q":[1]}}"#, &[], &[r#"{"a":1}"#]),
        (r#"{"a":1,"a":"x"}"#, &[], &[r#"{"a":1,"_corrupt_record":"{\"a\":1,\"a\":\"x\"}"}"#]),
        (r#"{"b":"x","b":"longer"}"#, &[], &[r#"{"b":"longer"}"#]),
        (r#"{"a":1,"b":"x"#, &[("mode", "XX")], &[r#"{"_corrupt_record":"{\"a\":1,\"b\":\"x"}"#]),
        (r#"[{"a":1},]"#, &[], &[r#"{"_corrupt_record":"[{\"a\":1},]"}"#]),
        (
            r#"[{"a":1},{"a":"x","b":"y"}]"#,
            &[],
            &[
                r#"{"a":1,"_corrupt_record":"[{\"a\":1},{\"a\":\"x\",\"b\":\"y\"}]"}"#,
                r#"{"b":"y","_corrupt_record":"[{\"a\":1},{\"a\":\"x\",\"b\":\"y\"}]"}"#,
            ],
        ),
        ("", &[], &[]),
        ("\n  \n", &[], &[]),
    ];
    for (text, options, expected) in table {
        let got = read(text.as_bytes(), &both, options).expect("permissive");
        assert_eq!(rows(&got), *expected, "{text} {options:?}");
    }
    let renamed = schema(&[("a", DataType::Integer), ("bad", DataType::String)]);
    let got = read(b"oops", &renamed, &[("columnNameOfCorruptRecord", "bad")]).expect("permissive");
    assert_eq!(rows(&got), [r#"{"bad":"oops"}"#]);
    let got = read(b"{\"b\":\"a\xffb\",\"a\":1}", &both, &[]).expect("permissive");
    assert_eq!(rows(&got), ["{\"_corrupt_record\":\"{\\\"b\\\":\\\"a\u{fffd}b\\\",\\\"a\\\":1}\"}"]);
}

#[test]
fn times_by_pattern() {
    let table: &[(DataType, &str, &[(&str, &str)], &str)] = &[
        (
            DataType::Timestamp,
            "2024/01/02 03:04",
            &[("timestampFormat", "yyyy/MM/dd HH:mm")],
            "2024-01-02T03:04:00.000Z",
        ),
        (DataType::Timestamp, "2024-01-02T03:04:05Z", &[("timestampFormat", "yyyy/MM/dd HH:mm")], ""),
        (
            DataType::Timestamp,
            "2024-01-02T03:04:05",
            &[("timeZone", "America/New_York")],
            "2024-01-02T08:04:05.000Z",
        ),
        (DataType::Timestamp, "2024-01-02", &[("timestampFormat", "bad b")], ""),
        (DataType::Date, "02/01/2024", &[("dateFormat", "dd/MM/yyyy")], "2024-01-02"),
        (DataType::Date, "2024-01-02", &[("dateFormat", "dd/MM/yyyy")], ""),
        (DataType::Date, "2024-01-02", &[("dateFormat", "qqq")], ""),
    ];
    for (data_type, text, options, expected) in table {
        let schema = schema(&[("a", data_type.clone())]);
        let got =
            rows(&read(format!(r#"{{"a":"{text}"}}"#).as_bytes(), &schema, options).expect("permissive"));
        let wanted = if expected.is_empty() { "{}".to_owned() } else { format!(r#"{{"a":"{expected}"}}"#) };
        assert_eq!(got, [wanted], "{text} {options:?}");
    }
}

#[test]
fn fail_fast() {
    let inner = schema(&[("x", DataType::Float)]);
    let table = [
        ("oops", schema(&a_and_b()), "WITHOUT_SUGGESTION", "[null,null]"),
        (r#"{"a":"zz","b":"x"}"#, schema(&a_and_b()), "WITHOUT_SUGGESTION", "[null,x]"),
        (r#"{"a":"zz"}"#, with_corrupt(&a_and_b()), "WITHOUT_SUGGESTION", r#"[null,null,{"a":"zz"}]"#),
        (
            r#"{"s":{"x":"q"}}"#,
            schema(&[("s", DataType::Struct(inner))]),
            "CANNOT_PARSE_STRING_AS_DATATYPE",
            r#"{"s":{"x":"q"}}"#,
        ),
    ];
    for (text, schema, kind, record) in table {
        let error = read(text.as_bytes(), &schema, &[("mode", "FAILFAST")]).expect_err("the record is bad");
        assert_eq!(
            error.full_message(),
            "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///in/a.json.  SQLSTATE: KD001"
        );
        let cause = error.cause.expect("the reading error has a cause");
        assert_eq!(cause.condition.0, format!("MALFORMED_RECORD_IN_PARSING.{kind}"));
        assert!(
            cause.message.starts_with(&format!(
                "Malformed records are detected in record parsing: {record}.\nParse Mode: FAILFAST. To process"
            )),
            "{}",
            cause.message
        );
    }
}

#[test]
fn options_are_checked() {
    let table = [
        ("multiLine", "yes", "For input string: \"yes\""),
        ("allowComments", "x", "For input string: \"x\""),
        ("lineSep", "", "requirement failed: 'lineSep' cannot be an empty string."),
        ("samplingRatio", "x", "For input string: \"x\""),
    ];
    for (name, value, expected) in table {
        let options = BTreeMap::from([(name.to_ascii_lowercase(), value.to_owned())]);
        let error = open("json", &options, &Defaults).expect_err("the value is bad");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn schemas_are_checked() {
    let map = DataType::Map(Box::new(DataType::Integer), Box::new(DataType::Integer), true);
    let table = [
        (
            schema(&[("a", DataType::Integer), ("A", DataType::Integer)]),
            "[COLUMN_ALREADY_EXISTS] The column `a` already exists. Choose another name or rename the existing column. \
             SQLSTATE: 42711",
        ),
        (
            schema(&[("a", DataType::Integer), ("_corrupt_record", DataType::Integer)]),
            "[INVALID_CORRUPT_RECORD_TYPE] The column `_corrupt_record` for corrupt records must have the nullable STRING \
             type, but got \"INT\". SQLSTATE: 42804",
        ),
        (
            schema(&[("a", map)]),
            "[INVALID_JSON_SCHEMA_MAP_TYPE] Input schema \"STRUCT<a: MAP<INT, INT>>\" can only contain STRING as a key type \
             for a MAP. SQLSTATE: 22032",
        ),
    ];
    for (schema, expected) in table {
        assert_eq!(format(&[]).check_read(&schema).expect_err("the schema is bad").to_string(), expected);
    }
}

#[test]
fn infers_schemas() {
    let table: &[(&str, &[(&str, &str)], &str)] = &[
        ("{\"a\":1}\n{\"a\":1.5}", &[], "struct<a:double>"),
        ("{\"a\":1}\n{\"a\":\"x\"}", &[], "struct<a:string>"),
        (r#"{"a":null}"#, &[], "struct<a:string>"),
        (r#"{"a":12345678901}"#, &[], "struct<a:bigint>"),
        (r#"{"a":123456789012345678901}"#, &[], "struct<a:decimal(21,0)>"),
        (r#"{"a":"2024-01-01T00:00:00Z"}"#, &[], "struct<a:string>"),
        (r#"{"b":1,"a":2}"#, &[], "struct<a:bigint,b:bigint>"),
        ("{\"a\":{\"x\":1}}\n{\"a\":{\"y\":\"s\"}}", &[], "struct<a:struct<x:bigint,y:string>>"),
        (r#"{"a":[]}"#, &[], "struct<a:array<string>>"),
        (r#"{"a":[1,"x"]}"#, &[], "struct<a:array<string>>"),
        ("{\"a\":true}\n{\"a\":1}", &[], "struct<a:string>"),
        ("oops\n{\"a\":1}", &[], "struct<_corrupt_record:string,a:bigint>"),
        ("oops\n{\"a\":1}", &[("mode", "DROPMALFORMED")], "struct<a:bigint>"),
        (r#"{"a":[1,2.5]}"#, &[], "struct<a:array<double>>"),
        ("{\"a\":{}}\n{\"a\":{\"x\":1}}", &[], "struct<a:struct<x:bigint>>"),
        ("{\"a\":1}\n{\"a\":{\"x\":1}}", &[], "struct<a:string>"),
        ("{\"a\":1.0}\n{\"a\":123456789012345678901}", &[], "struct<a:double>"),
        (r#"{"a":NaN}"#, &[], "struct<a:double>"),
        ("{}", &[], "struct<>"),
        ("", &[], "struct<>"),
        ("[1,2]", &[], "struct<_corrupt_record:string>"),
        (r#"[{"a":1},{"b":2}]"#, &[], "struct<a:bigint,b:bigint>"),
        (r#"{"a":123456789012345678901234567890123456789012345}"#, &[], "struct<a:double>"),
        ("{\"a\":null}\n{\"a\":[1]}", &[], "struct<a:array<bigint>>"),
        (r#"{"b":{"z":1,"a":2}}"#, &[], "struct<b:struct<a:bigint,z:bigint>>"),
        ("\"x\"\n1", &[], "struct<_corrupt_record:string>"),
        (r#"{"":1}"#, &[], "struct<>"),
        ("{\"a\":1}\n{\"a\":12345678901234567890}", &[], "struct<a:decimal(20,0)>"),
        ("null\n{\"a\":1}", &[], "struct<a:bigint>"),
        (r#"{"a":[[1],["x"]]}"#, &[], "struct<a:array<array<string>>>"),
        ("{\"a\":1.5}\n{\"a\":10.25}\n{\"a\":3}", &[("prefersDecimal", "true")], "struct<a:decimal(22,2)>"),
        (r#"{"a":1,"b":[true]}"#, &[("primitivesAsString", "true")], "struct<a:string,b:array<string>>"),
        (r#"{"a":null,"b":[],"c":1}"#, &[("dropFieldIfAllNull", "true")], "struct<c:bigint>"),
        ("[{\"a\":1},\n{\"b\":2}]", &[("multiLine", "true")], "struct<a:bigint,b:bigint>"),
    ];
    for (text, options, expected) in table {
        let files = [Bytes::copy_from_slice(text.as_bytes())];
        let schema =
            format(options).infer(&files, SimTime(0)).expect("the mode takes all").expect("there is a file");
        assert_eq!(DataType::Struct(schema).simple_string(), *expected, "{text}");
    }
}
