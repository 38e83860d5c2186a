//! A World with one streaming query over it, as a script would drive it.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses a part of what is here")]

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::Int32Array;
use tidemark_connectors::Formats;
use tidemark_delta::Snapshot;
use tidemark_engine::stream::conf::QueryConf;
use tidemark_engine::stream::{Question, Step, StreamExecution};
use tidemark_engine::{Error, Result};
use tidemark_plan::{Attribute, ExprId, OutputMode, Plan, ReadSpec, SinkSpec, Trigger};
use tidemark_types::{Batch, DataType, Millis, SimTime, SparkError, StructField, StructType};
use tidemark_world::World;

/// 2026-01-01T12:00:00Z.
const NOON: i64 = 1_767_268_800_000;

/// Why a run did not end well.
#[derive(Clone, Debug, PartialEq)]
pub enum Stopped {
    /// The driver stopped there.
    Crashed(String),
    /// Spark refused.
    Failed(Box<SparkError>),
}

/// The World, the query to be run over it, and what happened.
#[derive(Clone, Debug)]
pub struct Setting {
    pub world: World,
    pub read_options: BTreeMap<String, String>,
    pub sink: SinkSpec,
    pub conf: BTreeMap<String, String>,
    pub crashes: u32,
    /// What is made of the rows of the relation.
    pub shape: fn(Plan) -> Plan,
}

impl Setting {
    /// An empty World, and the query of the story.
    pub fn new() -> Self {
        let mut world = World::new("/tidemark", 7, SimTime(NOON));
        world.make_folders("/tidemark/in").expect("the World is empty");
        let options = [("checkpointlocation".to_owned(), "ckpt/".to_owned())].into();
        Setting {
            world,
            read_options: BTreeMap::new(),
            sink: SinkSpec {
                format: "delta".into(),
                path: Some("out/".into()),
                table: None,
                query_name: None,
                output_mode: OutputMode::Append,
                trigger: Trigger::AvailableNow,
                options,
                partition_by: Vec::new(),
            },
            conf: [("spark.sql.shuffle.partitions".to_owned(), "2".to_owned())].into(),
            crashes: 0,
            shape: |relation| relation,
        }
    }

    /// Drops a file, one second after what was before.
    pub fn put(&mut self, path: &str, text: &str) {
        self.world.advance(Millis(1000));
        let now = self.world.now();
        self.world.drop_file(&format!("/tidemark/{path}"), text.as_bytes().to_vec(), now);
    }

    pub fn start(&mut self) -> Result<StreamExecution> {
        let plan = Arc::new((self.shape)(relation(&self.read_options)));
        StreamExecution::start(
            &mut self.world,
            &Formats,
            plan,
            self.sink.clone(),
            QueryConf::new(self.conf.clone()),
        )
    }

    /// Runs the query to its end: batch ids and input rows of `recentProgress`.
    pub fn try_run(&mut self) -> std::result::Result<Vec<(i64, u64)>, Stopped> {
        let query = self.start().map_err(stopped)?;
        self.finish(query)
    }

    fn finish(&mut self, mut query: StreamExecution) -> std::result::Result<Vec<(i64, u64)>, Stopped> {
        while !matches!(query.step(&mut self.world, &Formats).map_err(stopped)?, Step::Ended) {}
        match query.exception() {
            Some(error) => Err(Stopped::Failed(Box::new(error.clone()))),
            None => Ok(query.recent_progress().iter().map(|p| (p.batch_id.0, p.num_input_rows())).collect()),
        }
    }

    pub fn run(&mut self) -> Vec<(i64, u64)> {
        self.try_run().expect("nothing is armed")
    }

    /// Lets a function of `foreachBatch` take the rows.
    pub fn with_function(mut self) -> Self {
        self.sink.format = "foreachbatch".into();
        self.sink.path = None;
        self
    }

    /// Sets options of the source.
    pub fn options(&mut self, options: &[(&str, &str)]) {
        for (name, value) in options {
            self.read_options.insert(name.to_ascii_lowercase(), (*value).to_owned());
        }
    }

    /// What the function was given, batch by batch, and the message of the error that ended the query.
    pub fn calls(&mut self) -> (Vec<(i64, Vec<i32>)>, Option<String>) {
        let mut query = match self.start() {
            Ok(query) => query,
            Err(error) => return (Vec::new(), Some(error.to_string())),
        };
        let mut calls = Vec::new();
        while query.is_active() {
            step(&mut query, self, &mut calls);
        }
        let cause = query.exception().and_then(|e| e.cause.as_ref()).map(|cause| cause.full_message());
        (calls, cause)
    }

    /// Runs the query, and again as often as the driver stops.
    pub fn run_to_the_end(&mut self) {
        loop {
            match self.try_run() {
                Ok(_) => return,
                Err(Stopped::Crashed(_)) => {
                    self.crashes += 1;
                    self.world.restart();
                }
                Err(Stopped::Failed(error)) => panic!("the query failed: {error}"),
            }
        }
    }

    pub fn count_steps(&mut self) -> usize {
        let mut query = self.start().expect("nothing is armed");
        let mut steps = 0;
        while !matches!(query.step(&mut self.world, &Formats).expect("nothing is armed"), Step::Ended) {
            steps += 1;
        }
        steps
    }

    /// Runs the query; after so many steps World and query are thrown away for their copies.
    pub fn run_with_a_copy_after(&mut self, steps: usize) {
        let mut query = self.start().expect("nothing is armed");
        for _ in 0..steps {
            query.step(&mut self.world, &Formats).expect("nothing is armed");
        }
        let mut copy = self.clone();
        let copied = query.clone();
        let _ = self.finish(query);
        copy.finish(copied).expect("nothing is armed");
        *self = copy;
    }

    /// The ids in the table, sorted.
    pub fn ids(&mut self) -> Vec<i32> {
        let Some(snapshot) = Snapshot::find(&mut self.world, "/tidemark/out").expect("the log can be read")
        else {
            return Vec::new();
        };
        let mut ids = Vec::new();
        let columns = snapshot.schema().clone();
        for batch in snapshot.read_all(&mut self.world, &columns).expect("the files can be read") {
            ids.extend(first_column(&batch));
        }
        ids.sort_unstable();
        ids
    }

    /// The newest version of the table.
    pub fn version(&mut self) -> i64 {
        Snapshot::load(&mut self.world, "/tidemark/out", None).expect("the log can be read").version()
    }

    /// The files below a folder, by relative names.
    pub fn files(&self, folder: &str) -> Vec<String> {
        let base = if folder.is_empty() { "/tidemark".to_owned() } else { format!("/tidemark/{folder}") };
        self.world.peek_list(&base).iter().map(|m| m.path[base.len() + 1..].to_owned()).collect()
    }

    /// Every file with its bytes.
    pub fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let all = self.world.peek_list("/tidemark");
        all.iter()
            .map(|m| {
                let object = self.world.peek(&m.path).expect("it was listed");
                (m.path.clone(), object.bytes.to_vec())
            })
            .collect()
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> String {
        let object = self.world.peek(&format!("/tidemark/{path}")).expect("the file is there");
        String::from_utf8_lossy(&object.bytes).into_owned()
    }

    /// The id in the checkpoint.
    pub fn query_id(&self) -> String {
        self.text("ckpt/metadata")
    }
}

/// One step; a function of `foreachBatch` notes the ids that it is given.
pub fn step(query: &mut StreamExecution, setting: &mut Setting, seen: &mut Vec<(i64, Vec<i32>)>) -> Step {
    let step = query.step(&mut setting.world, &Formats).expect("nothing is armed");
    if let Step::Ask(Question::ForeachBatch { batch, partitions, .. }) = &step {
        let mut ids: Vec<i32> = partitions.iter().flat_map(first_column).collect();
        ids.sort_unstable();
        seen.push((batch.0, ids));
        query.answer_foreach_batch(&mut setting.world, 1, Ok(()));
    }
    step
}

fn first_column(batch: &Batch) -> Vec<i32> {
    let column = batch.column(0).as_any().downcast_ref::<Int32Array>().expect("id is an int");
    column.iter().flatten().collect()
}

fn stopped(error: Error) -> Stopped {
    match error {
        Error::Crashed(place) => Stopped::Crashed(place),
        Error::Spark(error) => Stopped::Failed(error),
    }
}

/// The schema of the story.
pub fn schema() -> StructType {
    StructType::new(vec![
        StructField::new("id", DataType::Integer, true),
        StructField::new("user", DataType::String, true),
        StructField::new("amt", DataType::Double, true),
        StructField::new("ts", DataType::Timestamp, true),
    ])
}

fn relation(options: &BTreeMap<String, String>) -> Plan {
    let output = schema()
        .fields
        .iter()
        .zip(1..)
        .map(|(field, id)| Attribute {
            id: ExprId(id),
            name: field.name.clone(),
            data_type: field.data_type.clone(),
            nullable: true,
            qualifier: Vec::new(),
            watermark_delay: None,
        })
        .collect();
    let spec = ReadSpec {
        format: "json".into(),
        paths: vec!["in/".into()],
        table: None,
        options: options.clone(),
        schema: Some(schema()),
        streaming: true,
        listing: None,
    };
    Plan::Relation { spec: Arc::new(spec), source: 1, output }
}
