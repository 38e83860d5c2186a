//! The rate sources: which rows, when, and which errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::{AsArray, Int64Array};
use arrow::datatypes::TimestampMicrosecondType;
use tidemark_connectors::Formats;
use tidemark_engine::connector::Settings;
use tidemark_engine::{Connectors, Error, Offset, ReadLimit, Source};
use tidemark_plan::ReadSpec;
use tidemark_types::{DataType, Millis, SimTime, StructType};
use tidemark_world::World;

struct Defaults;

impl Settings for Defaults {
    fn get(&self, _name: &str) -> Option<String> {
        None
    }
}

fn spec(format: &str, options: &[(&str, &str)]) -> ReadSpec {
    ReadSpec {
        format: format.into(),
        paths: Vec::new(),
        table: None,
        options: options
            .iter()
            .map(|(k, v)| (k.to_ascii_lowercase(), (*v).to_owned()))
            .collect::<BTreeMap<_, _>>(),
        schema: None,
        streaming: true,
        listing: None,
    }
}

fn source(world: &mut World, spec: &ReadSpec) -> Box<dyn Source> {
    let schema = Formats.resolve(world, &Defaults, spec).expect("the options are good");
    assert_eq!(DataType::Struct(schema.clone()).simple_string(), "struct<timestamp:timestamp,value:bigint>");
    let mut source =
        Formats.source(&Defaults, spec, &Arc::new(schema), "/w/ckpt/sources/0").expect("a source");
    source.recover(world).expect("nothing is broken");
    source
}

/// One batch: its end and its rows, milliseconds and value.
fn batch(
    world: &mut World,
    source: &mut dyn Source,
    start: Option<&Offset>,
) -> Option<(Offset, Vec<(i64, i64)>)> {
    source.list(world, start, ReadLimit::All).expect("the clock is there")?;
    source.note(world).expect("the log is free");
    let end = source.latest_offset(start).expect("listed").expect("listed");
    source.plan(world, start, &end).expect("the offsets are good");
    let mut rows = Vec::new();
    for task in source.read(world).expect("rows are made") {
        for batch in task.batches {
            let times = batch.column(0).as_primitive::<TimestampMicrosecondType>();
            let values: &Int64Array = batch.column(1).as_primitive();
            rows.extend(times.values().iter().map(|t| t / 1000).zip(values.values().iter().copied()));
        }
    }
    rows.sort_unstable();
    Some((end, rows))
}

#[test]
fn so_many_a_batch() {
    let mut world = World::new("/w", 0, SimTime(0));
    let options = [("rowsPerBatch", "3"), ("startTimestamp", "1000"), ("advanceMillisPerBatch", "500")];
    let mut source = source(&mut world, &spec("rate-micro-batch", &options));
    assert_eq!(
        source.description(),
        "RatePerMicroBatchStream[rowsPerBatch=3, numPartitions=1, startTimestamp=1000, advanceMsPerBatch=500]"
    );
    let (first, rows) = batch(&mut world, source.as_mut(), None).expect("there are always rows");
    assert_eq!(
        (first.0.as_str(), rows),
        (r#"{"offset":3,"timestamp":1500}"#, vec![(1000, 0), (1000, 1), (1000, 2)])
    );
    let (second, rows) = batch(&mut world, source.as_mut(), Some(&first)).expect("there are always rows");
    assert_eq!(
        (second.0.as_str(), rows),
        (r#"{"offset":6,"timestamp":2000}"#, vec![(1500, 3), (1500, 4), (1500, 5)])
    );
    source.prepare_available_now(&mut world).expect("nothing is read");
    let (third, _) = batch(&mut world, source.as_mut(), Some(&second)).expect("one more batch");
    assert_eq!(batch(&mut world, source.as_mut(), Some(&third)), None);
}

#[test]
fn so_many_a_second() {
    let mut world = World::new("/w", 0, SimTime(1_767_268_800_000));
    let spec = spec("rate", &[("rowsPerSecond", "5")]);
    let mut first = source(&mut world, &spec);
    assert_eq!(
        first.description(),
        "RateStreamV2[rowsPerSecond=5, rampUpTimeSeconds=0, numPartitions=default"
    );
    let (zero, rows) = batch(&mut world, first.as_mut(), None).expect("batch 0 comes even without rows");
    assert_eq!((zero.0.as_str(), rows.len()), ("0", 0));
    let log = world.peek("/w/ckpt/sources/0/0").expect("the begin is durable").bytes.clone();
    assert_eq!(log, "v1\n1767268800000");
    assert_eq!(batch(&mut world, first.as_mut(), Some(&zero)), None);
    world.advance(Millis(1300));
    let (one, rows) = batch(&mut world, first.as_mut(), Some(&zero)).expect("a second has passed");
    let at = |millis: i64| 1_767_268_800_000 + millis;
    assert_eq!(one.0, "1");
    assert_eq!(rows, [(at(0), 0), (at(200), 1), (at(400), 2), (at(600), 3), (at(800), 4)]);
    // After a restart the clock counts from the same begin.
    world.advance(Millis(2000));
    let mut again = source(&mut world, &spec);
    let (three, rows) = batch(&mut world, again.as_mut(), Some(&one)).expect("two more seconds have passed");
    assert_eq!((three.0.as_str(), rows.len(), rows[0]), ("3", 10, (at(1000), 5)));
}

#[test]
fn errors() {
    let mut declared = spec("rate", &[]);
    declared.schema = Some(StructType::default());
    let cases = [
        (
            spec("rate", &[("rowsPerSecond", "0")]),
            "Invalid value '0'. The option 'rowsPerSecond' must be positive",
        ),
        (
            spec("rate", &[("rampUpTime", "-1s")]),
            "Invalid value '-1'. The option 'rampUpTime' must not be negative",
        ),
        (
            spec("rate", &[("numPartitions", "0")]),
            "Invalid value '0'. The option 'numPartitions' must be positive",
        ),
        (spec("rate-micro-batch", &[]), "Invalid value '0'. The option 'rowsPerBatch' must be positive"),
        (declared, "RateStreamProvider source does not support user-specified schema."),
    ];
    for (spec, expected) in cases {
        let error = Formats
            .resolve(&mut World::new("/w", 0, SimTime(0)), &Defaults, &spec)
            .expect_err("it is refused");
        let Error::Spark(error) = error else { panic!("{error}") };
        assert_eq!(error.full_message(), expected);
    }
}
