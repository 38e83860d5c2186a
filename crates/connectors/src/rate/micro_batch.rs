//! `rate-micro-batch`: the same number of rows in each batch, whatever the clock says.

use std::sync::Arc;

use tidemark_engine::{Offset, ReadLimit, Result, Source, Task};
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::rate::options::{not_negative, number, positive, schema, tasks};

/// A stream of numbers by the batch.
#[derive(Clone, Debug)]
pub struct RateMicroBatchSource {
    rows_per_batch: i64,
    partitions: i64,
    start_timestamp: i64,
    advance_millis: i64,
    /// Whether only one batch is taken, and whether it has been.
    once: Option<bool>,
    next: Option<Position>,
    planned: (Position, Position),
}

/// How many rows there were, and the time of the next ones in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Position {
    rows: i64,
    timestamp: i64,
}

impl Position {
    fn parse(offset: &Offset) -> Result<Self> {
        let number = |json: &serde_json::Value, key: &str| json.get(key).and_then(serde_json::Value::as_i64);
        serde_json::from_str::<serde_json::Value>(&offset.0)
            .ok()
            .and_then(|json| {
                Some(Position { rows: number(&json, "offset")?, timestamp: number(&json, "timestamp")? })
            })
            .ok_or_else(|| {
                let text = format!("Invalid offset of the rate-micro-batch source: {}", offset.0);
                SparkError::plain(ErrorClass::IllegalArgument, text).into()
            })
    }

    fn offset(self) -> Offset {
        Offset(format!("{{\"offset\":{},\"timestamp\":{}}}", self.rows, self.timestamp))
    }
}

impl RateMicroBatchSource {
    /// A source with these options.
    ///
    /// Errors: a number that is not positive.
    pub fn open(options: &Options) -> Result<Self> {
        let start_timestamp = not_negative(number(options, "starttimestamp", 0)?, "startTimestamp")?;
        let begin = Position { rows: 0, timestamp: start_timestamp };
        Ok(RateMicroBatchSource {
            rows_per_batch: positive(number(options, "rowsperbatch", 0)?, "rowsPerBatch")?,
            partitions: positive(number(options, "numpartitions", 1)?, "numPartitions")?,
            start_timestamp,
            advance_millis: not_negative(
                number(options, "advancemillisperbatch", 1000)?,
                "advanceMillisPerBatch",
            )?,
            once: None,
            next: None,
            planned: (begin, begin),
        })
    }

    fn position(&self, start: Option<&Offset>) -> Result<Position> {
        match start {
            Some(offset) => Position::parse(offset),
            None => Ok(Position { rows: 0, timestamp: self.start_timestamp }),
        }
    }
}

impl Source for RateMicroBatchSource {
    fn schema(&self) -> Arc<StructType> {
        Arc::new(schema())
    }

    fn description(&self) -> String {
        format!(
            "RatePerMicroBatchStream[rowsPerBatch={}, numPartitions={}, startTimestamp={}, advanceMsPerBatch={}]",
            self.rows_per_batch, self.partitions, self.start_timestamp, self.advance_millis
        )
    }

    fn recover(&mut self, _world: &mut World) -> Result<()> {
        Ok(())
    }

    fn prepare_available_now(&mut self, _world: &mut World) -> Result<()> {
        self.once = Some(false);
        Ok(())
    }

    fn default_limit(&self) -> ReadLimit {
        ReadLimit::All
    }

    fn list(
        &mut self,
        _world: &mut World,
        start: Option<&Offset>,
        _limit: ReadLimit,
    ) -> Result<Option<String>> {
        if self.once == Some(true) {
            self.next = Some(self.position(start)?);
            return Ok(None);
        }
        self.once = self.once.map(|_| true);
        let from = self.position(start)?;
        let to = from.rows + self.rows_per_batch;
        self.next = Some(Position { rows: to, timestamp: from.timestamp + self.advance_millis });
        Ok(Some(format!("rows {} to {}", from.rows, to - 1)))
    }

    fn note(&mut self, _world: &mut World) -> Result<Option<String>> {
        Ok(None)
    }

    fn latest_offset(&self, start: Option<&Offset>) -> Result<Option<Offset>> {
        Ok(self.next.map(Position::offset).or_else(|| start.cloned()))
    }

    fn plan(&mut self, _world: &mut World, start: Option<&Offset>, end: &Offset) -> Result<()> {
        self.planned = (self.position(start)?, Position::parse(end)?);
        Ok(())
    }

    fn read(&mut self, _world: &mut World) -> Result<Vec<Task>> {
        let (from, to) = self.planned;
        Ok(tasks(from.rows, to.rows, self.partitions, |_| from.timestamp * 1000))
    }

    fn commit(&mut self, _world: &mut World, _end: &Offset) -> Result<Option<String>> {
        Ok(None)
    }

    fn boxed_clone(&self) -> Box<dyn Source> {
        Box::new(self.clone())
    }
}
