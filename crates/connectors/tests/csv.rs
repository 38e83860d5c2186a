//! CSV to rows and back: what Spark 4.2 gave for each.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use tidemark_connectors::format::{FileFormat, Input, open};
use tidemark_engine::connector::Settings;
use tidemark_types::{Batch, DataType, SimTime, StructType};

struct Defaults;

impl Settings for Defaults {
    fn get(&self, _name: &str) -> Option<String> {
        None
    }
}

fn format(name: &str, options: &[(&str, &str)]) -> Box<dyn FileFormat> {
    let options: BTreeMap<String, String> =
        options.iter().map(|(k, v)| (k.to_ascii_lowercase(), (*v).to_owned())).collect();
    open(name, &options, &Defaults).expect("the options are good").expect("the name is a format")
}

fn read(text: &str, schema: &str, options: &[(&str, &str)]) -> Batch {
    let bytes = Bytes::copy_from_slice(text.as_bytes());
    let input = Input { uri: "file:///in/a.csv", bytes: &bytes, start: 0, end: bytes.len(), now: SimTime(0) };
    let schema = Arc::new(StructType::from_ddl(schema).expect("the DDL is good"));
    format("csv", options).decode(&input, &schema).expect("the mode takes all")
}

fn rows(batch: &Batch) -> Vec<String> {
    let bytes = format("json", &[])
        .encode(std::slice::from_ref(batch), batch.schema())
        .expect("JSON writes all types");
    String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
}

const BODY: &str = concat!(
    "id,name,ts\n1,ann,2024-01-02T03:04:05Z\n2,\"b,ob\",2024-01-02 03:04:05\nx,bad,zz\n3\n4,e,2024-01-02,extra\n\n",
    "\"5\",\"q\"\"uote\",\n6,\"back\\\"slash\",\n 7 , sp ,\n#8,c,\n"
);
const SCHEMA: &str = "id INT, name STRING, ts TIMESTAMP";

#[test]
fn modes() {
    let first = [
        r#"{"id":1,"name":"ann","ts":"2024-01-02T03:04:05.000Z"}"#,
        r#"{"id":2,"name":"b,ob","ts":"2024-01-02T03:04:05.000Z"}"#,
    ];
    let quotes = [r#"{"id":5,"name":"\"q\"\"uote\""}"#, r#"{"id":6,"name":"back\"slash"}"#];
    let fourth = r#"{"id":4,"name":"e","ts":"2024-01-02T00:00:00.000Z"}"#;
    let all = [
        &[r#"{"name":"name"}"#][..],
        &first,
        &[r#"{"name":"bad"}"#, r#"{"id":3}"#, fourth],
        &quotes,
        &[r#"{"name":" sp "}"#, r#"{"name":"c"}"#],
    ]
    .concat();
    assert_eq!(rows(&read(BODY, SCHEMA, &[])), all);
    assert_eq!(rows(&read(BODY, SCHEMA, &[("header", "true")])), all[1..]);
    let dropped = rows(&read(BODY, SCHEMA, &[("header", "true"), ("mode", "DROPMALFORMED")]));
    assert_eq!(dropped, [&first[..], &quotes].concat());
    let marked = rows(&read(BODY, &format!("{SCHEMA}, _corrupt_record STRING"), &[("header", "true")]));
    let bad: Vec<&str> = marked.iter().filter_map(|row| row.split("_corrupt_record\":").nth(1)).collect();
    assert_eq!(
        bad,
        [r#""x,bad,zz"}"#, r#""3"}"#, r#""4,e,2024-01-02,extra"}"#, r#"" 7 , sp ,"}"#, r##""#8,c,"}"##,]
    );
}

#[test]
fn options() {
    let table: &[(&str, &str, &[(&str, &str)], &[&str])] = &[
        ("a,b\n1,2\n", "b INT, a INT", &[("header", "true")], &[r#"{"b":1,"a":2}"#]),
        (
            "1;NA\n2;\"\"\n3;\n",
            "a INT, b STRING",
            &[("sep", ";"), ("nullValue", "NA")],
            &[r#"{"a":1}"#, r#"{"a":2,"b":""}"#, r#"{"a":3}"#],
        ),
        ("#x\n1,a\n", "a INT, b STRING", &[("comment", "#")], &[r#"{"a":1,"b":"a"}"#]),
        (
            "  1 , a \n",
            "a INT, b STRING",
            &[("ignoreLeadingWhiteSpace", "true"), ("ignoreTrailingWhiteSpace", "true")],
            &[r#"{"a":1,"b":"a"}"#],
        ),
        (
            "true,1.5,2024-01-02\nTRUE,NaN,2024-1-2\nyes,-Inf,x\n",
            "a BOOLEAN, b DOUBLE, c DATE",
            &[],
            &[
                r#"{"a":true,"b":1.5,"c":"2024-01-02"}"#,
                r#"{"a":true,"b":"NaN","c":"2024-01-02"}"#,
                r#"{"b":"-Infinity"}"#,
            ],
        ),
        (
            "1,\"a\nb\"\n2,c\n",
            "a INT, b STRING",
            &[("multiLine", "true")],
            &[r#"{"a":1,"b":"a\nb"}"#, r#"{"a":2,"b":"c"}"#],
        ),
        ("1,\"a\nb\"\n2,c\n", "a INT, b STRING", &[], &[r#"{"a":1,"b":"a"}"#, "{}", r#"{"a":2,"b":"c"}"#]),
    ];
    for (text, schema, options, expected) in table {
        assert_eq!(rows(&read(text, schema, options)), *expected, "{text:?} {options:?}");
    }
}

#[test]
fn fewer_columns_than_the_file_has() {
    let bytes = Bytes::from_static(b"1,x,2.5\n2,y\n");
    let input = Input { uri: "file:///in/a.csv", bytes: &bytes, start: 0, end: bytes.len(), now: SimTime(0) };
    let mut csv = format("csv", &[("mode", "DROPMALFORMED")]);
    csv.declare(&StructType::from_ddl("a INT, b STRING, c DOUBLE").expect("the DDL is good"));
    for (schema, expected) in [
        ("c DOUBLE, a INT", &[r#"{"c":2.5,"a":1}"#, r#"{"a":2}"#][..]),
        ("a INT, b STRING, c DOUBLE", &[r#"{"a":1,"b":"x","c":2.5}"#]),
    ] {
        let schema = Arc::new(StructType::from_ddl(schema).expect("the DDL is good"));
        assert_eq!(rows(&csv.decode(&input, &schema).expect("the mode takes all")), expected);
    }
}

#[test]
fn schemas_and_bytes() {
    let table: &[(&str, &[(&str, &str)], &str)] = &[
        ("1,a\n", &[], "struct<_c0:string,_c1:string>"),
        ("id,v\n1,a\n", &[("header", "true")], "struct<id:string,v:string>"),
        (
            "id,v,w,x,y\n1,1.5,2024-01-02,true,12345678901\n2,3,2024-01-02 10:00:00,false,1\n",
            &[("header", "true"), ("inferSchema", "true")],
            "struct<id:int,v:double,w:timestamp,x:boolean,y:bigint>",
        ),
    ];
    for (text, options, expected) in table {
        let files = [Bytes::copy_from_slice(text.as_bytes())];
        let schema = format("csv", options)
            .infer(&files, SimTime(0))
            .expect("no mode fails")
            .expect("there is a file");
        assert_eq!(DataType::Struct(schema).simple_string(), *expected, "{text:?}");
    }
    let batch = read("1,\"a,b\",2024-01-02T03:04:05Z\n2,,\n3,\"\",\n", SCHEMA, &[]);
    let bytes = format("csv", &[("header", "true")])
        .encode(std::slice::from_ref(&batch), batch.schema())
        .expect("flat");
    assert_eq!(String::from_utf8_lossy(&bytes), "id,name,ts\n1,\"a,b\",2024-01-02T03:04:05.000Z\n2,,\n3,,\n");
}
