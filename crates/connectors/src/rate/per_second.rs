//! `rate`: so many rows for each second of the World's clock.

use std::sync::Arc;

use tidemark_engine::connector::Settings;
use tidemark_engine::{Offset, ReadLimit, Result, Source, Task};
use tidemark_plan::spec::Options;
use tidemark_types::{ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::packing::PackSettings;
use crate::rate::options::{not_negative, number, positive, schema, seconds, tasks};

/// A stream of numbers by the clock. Its offset is the whole seconds since it began.
#[derive(Clone, Debug)]
pub struct RateSource {
    rows_per_second: i64,
    ramp_up_seconds: i64,
    partitions: Option<i64>,
    parallelism: i64,
    metadata_path: String,
    /// When the stream began, in milliseconds, and whether that is durable.
    began: Option<(i64, bool)>,
    latest: Option<i64>,
    frozen: Option<i64>,
    planned: (i64, i64),
}

impl RateSource {
    /// A source with these options.
    ///
    /// Errors: a number that is not positive.
    pub fn open(options: &Options, settings: &dyn Settings, metadata_path: &str) -> Result<Self> {
        let partitions = match options.get("numpartitions") {
            None => None,
            Some(_) => Some(positive(number(options, "numpartitions", 0)?, "numPartitions")?),
        };
        Ok(RateSource {
            rows_per_second: positive(number(options, "rowspersecond", 1)?, "rowsPerSecond")?,
            ramp_up_seconds: not_negative(seconds(options, "rampuptime")?, "rampUpTime")?,
            partitions,
            parallelism: PackSettings::of(settings).min_partitions as i64,
            metadata_path: metadata_path.to_owned(),
            began: None,
            latest: None,
            frozen: None,
            planned: (0, 0),
        })
    }

    fn log_path(&self) -> String {
        format!("{}/0", self.metadata_path)
    }

    fn seconds_now(&mut self, world: &World) -> i64 {
        let (began, _) = *self.began.get_or_insert((world.now().0, false));
        (world.now().0 - began).max(0) / 1000
    }

    /// The first value of a second.
    fn value_at(&self, second: i64) -> i64 {
        let ramp = self.ramp_up_seconds;
        let step = self.rows_per_second / (ramp + 1);
        let risen = |second: i64| step * second * (second + 1) / 2;
        if second <= ramp { risen(second) } else { risen(ramp) + (second - ramp) * self.rows_per_second }
    }
}

fn second_of(offset: &Offset) -> Result<i64> {
    offset.0.trim().parse().map_err(|_| {
        SparkError::plain(
            ErrorClass::IllegalArgument,
            format!("Invalid offset of the rate source: {}", offset.0),
        )
        .into()
    })
}

impl Source for RateSource {
    fn schema(&self) -> Arc<StructType> {
        Arc::new(schema())
    }

    fn description(&self) -> String {
        let partitions = self.partitions.map_or_else(|| "default".to_owned(), |n| n.to_string());
        format!(
            "RateStreamV2[rowsPerSecond={}, rampUpTimeSeconds={}, numPartitions={partitions}",
            self.rows_per_second, self.ramp_up_seconds
        )
    }

    fn recover(&mut self, world: &mut World) -> Result<()> {
        let path = self.log_path();
        if world.exists(&path) {
            let bytes = world.get(&path)?;
            let text = String::from_utf8_lossy(&bytes);
            let began = text.strip_prefix("v1\n").and_then(|rest| rest.trim().parse().ok());
            let began = began.ok_or_else(|| {
                SparkError::plain(
                    ErrorClass::Py4JJava,
                    "Log file was malformed: failed to detect the log file version line.",
                )
            })?;
            self.began = Some((began, true));
        }
        Ok(())
    }

    fn prepare_available_now(&mut self, world: &mut World) -> Result<()> {
        self.frozen = Some(self.seconds_now(world));
        Ok(())
    }

    fn default_limit(&self) -> ReadLimit {
        ReadLimit::All
    }

    fn list(
        &mut self,
        world: &mut World,
        start: Option<&Offset>,
        _limit: ReadLimit,
    ) -> Result<Option<String>> {
        let now = self.seconds_now(world);
        let end = self.frozen.unwrap_or(now).max(self.latest.unwrap_or(0));
        self.latest = Some(end);
        let from = start.map(second_of).transpose()?;
        if from == Some(end) {
            return Ok(None);
        }
        let count = self.value_at(end) - self.value_at(from.unwrap_or(0));
        Ok(Some(format!("{count} rows up to second {end}")))
    }

    fn note(&mut self, world: &mut World) -> Result<Option<String>> {
        match self.began {
            Some((began, false)) => {
                world.put_if_absent(&self.log_path(), format!("v1\n{began}"))?;
                self.began = Some((began, true));
                Ok(Some(format!("sources/0/0 holds the begin of the stream, {began}")))
            }
            _ => Ok(None),
        }
    }

    fn latest_offset(&self, _start: Option<&Offset>) -> Result<Option<Offset>> {
        Ok(self.latest.map(|second| Offset(second.to_string())))
    }

    fn plan(&mut self, _world: &mut World, start: Option<&Offset>, end: &Offset) -> Result<()> {
        let end = second_of(end)?;
        self.planned = (start.map(second_of).transpose()?.unwrap_or(0), end);
        self.latest = Some(self.latest.unwrap_or(0).max(end));
        Ok(())
    }

    fn read(&mut self, world: &mut World) -> Result<Vec<Task>> {
        let (from, to) = self.planned;
        let (began, _) = *self.began.get_or_insert((world.now().0, false));
        let (first, last) = (self.value_at(from), self.value_at(to));
        let millis_per_value = ((to - from) * 1000) as f64 / (last - first).max(1) as f64;
        let begin = began + from * 1000;
        Ok(tasks(first, last, self.partitions.unwrap_or(self.parallelism), |value| {
            let passed = ((value - first) as f64 * millis_per_value + 0.5).floor() as i64;
            (begin + passed) * 1000
        }))
    }

    fn commit(&mut self, _world: &mut World, _end: &Offset) -> Result<Option<String>> {
        Ok(None)
    }

    fn boxed_clone(&self) -> Box<dyn Source> {
        Box::new(self.clone())
    }
}
