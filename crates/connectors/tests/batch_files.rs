//! Batch readers and writers: which files, which errors, which bytes, as Spark 4.2 answered.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidemark_connectors::Formats;
use tidemark_connectors::format::open;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Connectors, Error, Result};
use tidemark_plan::{ReadSpec, SaveMode, WriteSpec};
use tidemark_types::{Batch, DataType, SimTime, SparkError, StructType};
use tidemark_world::World;

struct Conf(BTreeMap<&'static str, &'static str>);

impl Settings for Conf {
    fn get(&self, name: &str) -> Option<String> {
        self.0.get(name).map(|value| (*value).to_owned())
    }
}

fn defaults() -> Conf {
    Conf(BTreeMap::new())
}

fn world() -> World {
    World::new("/w", 0, SimTime(1_767_268_800_000))
}

fn read_spec(format: &str, paths: &[&str], schema: Option<&str>) -> ReadSpec {
    ReadSpec {
        format: format.into(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        table: None,
        options: BTreeMap::new(),
        schema: schema.map(ddl),
        streaming: false,
        listing: None,
    }
}

fn ddl(text: &str) -> StructType {
    StructType::from_ddl(text).expect("the DDL is good")
}

fn write_spec(format: &str, path: &str, mode: SaveMode) -> WriteSpec {
    WriteSpec {
        format: format.into(),
        path: Some(path.into()),
        table: None,
        mode,
        options: BTreeMap::new(),
        partition_by: Vec::new(),
    }
}

fn text_of(error: Error) -> String {
    match error {
        Error::Spark(error) => {
            let SparkError { class, .. } = *error;
            format!("{}: {}", class.python_name(), error.full_message())
        }
        Error::Crashed(place) => place,
    }
}

fn rows_as_json(batches: &[Batch]) -> Vec<String> {
    let json =
        open("json", &BTreeMap::new(), &defaults()).expect("no option is bad").expect("json is a format");
    let mut out = Vec::new();
    for batch in batches {
        let bytes = json.encode(std::slice::from_ref(batch), batch.schema()).expect("JSON writes all types");
        out.extend(String::from_utf8_lossy(&bytes).lines().map(str::to_owned));
    }
    out
}

fn load(world: &mut World, spec: &ReadSpec) -> Result<(StructType, Vec<Vec<String>>)> {
    let schema = Formats.resolve(world, &defaults(), spec)?;
    let reader = Formats.reader(world, &defaults(), spec, &Arc::new(schema.clone()))?;
    let tasks = reader.read(world)?;
    Ok((schema, tasks.iter().map(|task| rows_as_json(&task.batches)).collect()))
}

fn rows_of(text: &str, schema: &str) -> Batch {
    let mut world = world();
    world.drop_file("/w/rows/a.json", text.to_owned(), SimTime(0));
    let spec = read_spec("json", &["rows"], Some(schema));
    let schema = Arc::new(Formats.resolve(&mut world, &defaults(), &spec).expect("the file is there"));
    let reader = Formats.reader(&mut world, &defaults(), &spec, &schema).expect("the file is there");
    let tasks = reader.read(&mut world).expect("the file is read");
    tasks.into_iter().flat_map(|task| task.batches).next().expect("there is one file")
}

// tidy: table
#[test]
fn errors_of_load() {
    let mut stream = read_spec("json", &["missing-folder/"], Some("a INT"));
    stream.streaming = true;
    let mut no_schema = read_spec("json", &["in/"], None);
    no_schema.streaming = true;
    let mut no_path = read_spec("json", &[], Some("a INT"));
    no_path.streaming = true;
    let mut twice = read_spec("json", &["in"], Some("a INT"));
    twice.options.insert("path".into(), "x".into());
    let mut stream_twice = twice.clone();
    stream_twice.streaming = true;
    let mut table = read_spec("parquet", &[], None);
    table.table = Some("nope".into());
    let cases = [
        (
            read_spec("json", &["nope"], None),
            "AnalysisException: [PATH_NOT_FOUND] Path does not exist: file:/w/nope. SQLSTATE: 42K03",
        ),
        (
            read_spec("json", &["nope*"], Some("a INT")),
            "AnalysisException: [PATH_NOT_FOUND] Path does not exist: file:/w/nope*. SQLSTATE: 42K03",
        ),
        (
            read_spec("json", &["empty"], None),
            "AnalysisException: [UNABLE_TO_INFER_SCHEMA] Unable to infer schema for JSON. It must be specified manually. SQLSTATE: 42KD9",
        ),
        (
            read_spec("json", &[], None),
            "AnalysisException: [UNABLE_TO_INFER_SCHEMA] Unable to infer schema for JSON. It must be specified manually. SQLSTATE: 42KD9",
        ),
        (
            read_spec("parquet", &["empty"], None),
            "AnalysisException: [UNABLE_TO_INFER_SCHEMA] Unable to infer schema for Parquet. It must be specified manually. SQLSTATE: 42KD9",
        ),
        (
            read_spec("foo", &["in"], None),
            "Py4JJavaError: [DATA_SOURCE_NOT_FOUND] Failed to find the data source: foo. Make sure the provider name is correct and the package is properly registered and compatible with your Spark version. SQLSTATE: 42K02",
        ),
        (stream, "AnalysisException: [PATH_NOT_FOUND] Path does not exist: missing-folder/. SQLSTATE: 42K03"),
        (
            no_schema,
            "IllegalArgumentException: Schema must be specified when creating a streaming source DataFrame. If some files already exist in the directory, then depending on the file format you may be able to create a static DataFrame on that directory with 'spark.read.load(directory)' and infer schema from it.",
        ),
        (no_path, "IllegalArgumentException: 'path' is not specified."),
        (
            twice,
            "AnalysisException: There is a 'path' or 'paths' option set and load() is called with path parameters. Either remove the path option if it's the same as the path parameter, or add it to the load() parameter if you do want to read multiple paths. To ignore this check, set 'spark.sql.legacy.pathOptionBehavior.enabled' to 'true'.",
        ),
        (
            stream_twice,
            "AnalysisException: There is a 'path' option set and load() is called with a path parameter. Either remove the path option, or call load() without the parameter. To ignore this check, set 'spark.sql.legacy.pathOptionBehavior.enabled' to 'true'.",
        ),
        (
            read_spec("text", &["in"], Some("a STRING, b STRING")),
            "AnalysisException: Text data source supports only a single column, and you have 2 columns.",
        ),
        (
            read_spec("text", &["in"], Some("a INT")),
            "AnalysisException: [UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE] The Text datasource doesn't support the column `a` of the type \"INT\". SQLSTATE: 0A000",
        ),
    ];
    for (spec, expected) in cases {
        let mut world = world();
        world.drop_file("/w/in/a.json", "{\"a\":1}\n", SimTime(0));
        world.make_folders("/w/empty").expect("nothing is there");
        let error = Formats.resolve(&mut world, &defaults(), &spec).expect_err("the reader is wrong");
        assert_eq!(text_of(error), expected);
    }
    let error = Formats.resolve(&mut world(), &defaults(), &table).expect_err("there is no table");
    assert!(
        text_of(error)
            .starts_with("AnalysisException: [TABLE_OR_VIEW_NOT_FOUND] The table or view `nope` cannot")
    );
}

#[test]
fn streams_infer_only_if_told() {
    let mut world = world();
    world.drop_file(
        "/w/in/a.json",
        "{\"name\": \"Kim\", \"age\": 31}\n{\"name\": \"Ola\", \"age\": null}\n",
        SimTime(0),
    );
    let mut spec = read_spec("json", &["in/"], None);
    spec.streaming = true;
    let conf = Conf(BTreeMap::from([("spark.sql.streaming.schemaInference", "true")]));
    let schema = Formats.resolve(&mut world, &conf, &spec).expect("there is a file");
    assert_eq!(DataType::Struct(schema).simple_string(), "struct<age:bigint,name:string>");
    spec.format = "text".into();
    let schema = Formats.resolve(&mut world, &defaults(), &spec).expect("text needs no schema");
    assert_eq!(DataType::Struct(schema).simple_string(), "struct<value:string>");
}

#[test]
fn which_files_are_read() {
    let mut world = world();
    for (path, text) in [
        ("one/a.json", "{\"v\":1}\n"),
        ("one/sub/b.json", "{\"v\":2}\n"),
        ("one/_h.json", "{\"v\":3}\n"),
        ("p/x=1/a.json", "{\"v\":1}\n"),
        ("p/x=2/a.json", "{\"v\":2,\"x\":9}\n"),
        ("q/d=2024-01-01/k=a b/a.json", "{\"v\":1}\n"),
        ("q/d=2024-01-02/k=__HIVE_DEFAULT_PARTITION__/a.json", "{\"v\":1}\n"),
        ("t/a.txt", "x\r\n\ny\rz"),
    ] {
        world.drop_file(&format!("/w/{path}"), text, SimTime(0));
    }
    let mut recursive = read_spec("json", &["one"], None);
    recursive.options.insert("recursivefilelookup".into(), "true".into());
    let mut whole = read_spec("text", &["t"], None);
    whole.options.insert("wholetext".into(), "true".into());
    let table: [(ReadSpec, &str, &[&[&str]]); 10] = [
        (read_spec("json", &["one"], None), "struct<v:bigint>", &[&[r#"{"v":1}"#]]),
        (recursive, "struct<v:bigint>", &[&[r#"{"v":1}"#], &[r#"{"v":2}"#]]),
        (read_spec("json", &["one/a.json"], None), "struct<v:bigint>", &[&[r#"{"v":1}"#]]),
        (read_spec("json", &["one/*.json"], None), "struct<v:bigint>", &[&[r#"{"v":1}"#]]),
        (
            read_spec("json", &["p"], None),
            "struct<v:bigint,x:int>",
            &[&[r#"{"v":2,"x":2}"#], &[r#"{"v":1,"x":1}"#]],
        ),
        (
            read_spec("json", &["p"], Some("x STRING, v INT")),
            "struct<v:int,x:string>",
            &[&[r#"{"v":2,"x":"2"}"#], &[r#"{"v":1,"x":"1"}"#]],
        ),
        (
            read_spec("json", &["q"], None),
            "struct<v:bigint,d:date,k:string>",
            &[&[r#"{"v":1,"d":"2024-01-01","k":"a b"}"#], &[r#"{"v":1,"d":"2024-01-02"}"#]],
        ),
        (
            read_spec("text", &["t"], None),
            "struct<value:string>",
            &[&[r#"{"value":"x"}"#, r#"{"value":""}"#, r#"{"value":"y"}"#, r#"{"value":"z"}"#]],
        ),
        (whole, "struct<value:string>", &[&[r#"{"value":"x\r\n\ny\rz"}"#]]),
        (read_spec("json", &["/w/empty"], Some("a INT")), "struct<a:int>", &[]),
    ];
    world.make_folders("/w/empty").expect("nothing is there");
    for (spec, schema, rows) in table {
        let (got, tasks) = load(&mut world, &spec).expect("the files are there");
        assert_eq!(DataType::Struct(got).simple_string(), schema, "{:?}", spec.paths);
        assert_eq!(tasks, rows, "{:?}", spec.paths);
    }
}

#[test]
fn conflicting_folders() {
    let mut world = world();
    world.drop_file("/w/one/a.json", "{\"v\":1}\n", SimTime(0));
    world.drop_file("/w/p/x=1/a.json", "{\"v\":1}\n", SimTime(0));
    let error = load(&mut world, &read_spec("json", &["one", "p"], None)).expect_err("the folders disagree");
    assert!(text_of(error).starts_with(
        "SparkRuntimeException: [CONFLICTING_DIRECTORY_STRUCTURES] Conflicting directory structures detected.\nSuspicious \
         paths:\n\n\tfile:/w/one\n\tfile:/w/p\n\nIf provided"
    ));
}

/// The names below a folder with the text of each; the id of the write is `<id>`.
fn files_below(world: &World, folder: &str) -> Vec<(String, String)> {
    world
        .peek_list(folder)
        .into_iter()
        .map(|meta| {
            let name = meta.path[folder.len() + 1..].to_owned();
            let name = match name.find("part-") {
                Some(at) => format!("{}<id>{}", &name[..at + 11], &name[at + 47..]),
                None => name,
            };
            let bytes = world.peek(&meta.path).expect("it is listed").bytes.clone();
            (name, String::from_utf8_lossy(&bytes).into_owned())
        })
        .collect()
}

#[test]
fn what_is_written() {
    let two = [rows_of("{\"id\":0}\n{\"id\":1}\n", "id BIGINT"), rows_of("{\"id\":2}\n", "id BIGINT")];
    let none = [two[0].slice(0, 0), two[1].slice(0, 0)];
    let words = [rows_of("{\"v\":\"a\"}\n{}\n{\"v\":\"b\"}\n", "v STRING")];
    let table: [(&str, &[Batch], &[(&str, &str)]); 4] = [
        (
            "json",
            &two,
            &[
                ("_SUCCESS", ""),
                ("part-00000-<id>-c000.json", "{\"id\":0}\n{\"id\":1}\n"),
                ("part-00001-<id>-c000.json", "{\"id\":2}\n"),
            ],
        ),
        ("json", &none, &[("_SUCCESS", ""), ("part-00000-<id>-c000.json", "")]),
        ("json", &[], &[("_SUCCESS", ""), ("part-00000-<id>-c000.json", "")]),
        ("text", &words, &[("_SUCCESS", ""), ("part-00000-<id>-c000.txt", "a\n\nb\n")]),
    ];
    for (format, tasks, expected) in table {
        let mut world = world();
        let schema = tasks.first().map_or_else(|| Arc::new(ddl("id BIGINT")), |task| task.schema().clone());
        let spec = write_spec(format, "out", SaveMode::ErrorIfExists);
        Formats.write(&mut world, &defaults(), &spec, &schema, tasks).expect("nothing is there");
        let got = files_below(&world, "/w/out");
        let got: Vec<(&str, &str)> = got.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(got, expected);
    }
}

#[test]
fn modes_of_writing() {
    let mut world = world();
    let rows = [rows_of("{\"id\":0}\n", "id BIGINT")];
    let schema = rows[0].schema().clone();
    let mut write =
        |mode| Formats.write(&mut world, &defaults(), &write_spec("json", "out", mode), &schema, &rows);
    write(SaveMode::ErrorIfExists).expect("nothing is there");
    let error = text_of(write(SaveMode::ErrorIfExists).expect_err("the folder is there"));
    assert_eq!(
        error,
        "AnalysisException: [PATH_ALREADY_EXISTS] Path file:/w/out already exists. Set mode as \"overwrite\" to overwrite \
         the existing path. SQLSTATE: 42K04"
    );
    write(SaveMode::Ignore).expect("nothing is done");
    write(SaveMode::Append).expect("rows are added");
    assert_eq!(world.peek_list("/w/out").len(), 3);
    Formats
        .write(&mut world, &defaults(), &write_spec("json", "out", SaveMode::Overwrite), &schema, &rows)
        .expect("the folder is replaced");
    assert_eq!(world.peek_list("/w/out").len(), 2);
}

#[test]
fn folders_of_partitions() {
    let mut world = world();
    let rows =
        [rows_of("{\"id\":0,\"k\":\"a/b\"}\n{\"id\":1}\n{\"id\":2,\"k\":\"a/b\"}\n", "id BIGINT, k STRING")];
    let mut spec = write_spec("json", "out", SaveMode::Append);
    spec.partition_by = vec!["k".into()];
    Formats.write(&mut world, &defaults(), &spec, rows[0].schema(), &rows).expect("the column is there");
    let got = files_below(&world, "/w/out");
    let got: Vec<(&str, &str)> = got.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(
        got,
        [
            ("_SUCCESS", ""),
            ("k=__HIVE_DEFAULT_PARTITION__/part-00000-<id>.c000.json", "{\"id\":1}\n"),
            ("k=a%2Fb/part-00000-<id>.c000.json", "{\"id\":0}\n{\"id\":2}\n"),
        ]
    );
    let (schema, tasks) = load(&mut world, &read_spec("json", &["out"], None)).expect("the files are there");
    assert_eq!(DataType::Struct(schema).simple_string(), "struct<id:bigint,k:string>");
    assert_eq!(tasks.concat().len(), 3);
}

#[test]
fn parquet_and_delta_come_back() {
    let mut world = world();
    let rows = [
        rows_of(
            "{\"id\":1,\"t\":\"2026-01-01T10:02:00Z\",\"l\":[1,null]}\n",
            "id BIGINT, t TIMESTAMP, l ARRAY<INT>",
        ),
        rows_of("{\"id\":2}\n", "id BIGINT, t TIMESTAMP, l ARRAY<INT>"),
    ];
    let wanted = [r#"{"id":1,"t":"2026-01-01T10:02:00.000Z","l":[1,null]}"#, r#"{"id":2}"#];
    for format in ["parquet", "delta"] {
        let mut spec = write_spec(format, format, SaveMode::ErrorIfExists);
        Formats.write(&mut world, &defaults(), &spec, rows[0].schema(), &rows).expect("nothing is there");
        let (_, tasks) = load(&mut world, &read_spec(format, &[format], None)).expect("the table is there");
        let mut got = tasks.concat();
        got.sort();
        assert_eq!(got, wanted, "{format}");
        Formats
            .write(&mut world, &defaults(), &spec, rows[0].schema(), &rows)
            .expect_err("the table is there");
        spec.mode = SaveMode::Append;
        Formats.write(&mut world, &defaults(), &spec, rows[0].schema(), &rows[1..]).expect("rows are added");
        let (_, tasks) = load(&mut world, &read_spec(format, &[format], None)).expect("the table is there");
        assert_eq!(tasks.concat().len(), 3, "{format}");
    }
    let mut old = read_spec("delta", &["delta"], None);
    old.options.insert("versionasof".into(), "0".into());
    let (_, tasks) = load(&mut world, &old).expect("the version is there");
    assert_eq!(tasks.concat().len(), 2);
}

#[test]
fn tables_of_the_catalog() {
    let mut world = world();
    let rows = [rows_of("{\"id\":1}\n", "id BIGINT")];
    let mut spec = write_spec("delta", "", SaveMode::ErrorIfExists);
    (spec.path, spec.table) = (None, Some("Totals".into()));
    Formats.write(&mut world, &defaults(), &spec, rows[0].schema(), &rows).expect("there is no table");
    let mut read = read_spec("parquet", &[], None);
    read.table = Some("totals".into());
    let (_, tasks) = load(&mut world, &read).expect("there is a table");
    assert_eq!(tasks.concat(), [r#"{"id":1}"#]);
    let error =
        Formats.write(&mut world, &defaults(), &spec, rows[0].schema(), &rows).expect_err("it is there");
    assert!(text_of(error).contains("[TABLE_OR_VIEW_ALREADY_EXISTS]"));
}
