//! The file sink: data files first, then one entry of `_spark_metadata`, which makes them visible.

use std::sync::Arc;

use tidemark_engine::connector::Settings;
use tidemark_engine::stream::log::illegal_state;
use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_plan::{OutputMode, SinkSpec};
use tidemark_types::{Batch, ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::batch::files::printed;
use crate::batch::part::PartWriter;
use crate::compact_log::{CompactLog, LogSettings};
use crate::condition;
use crate::file_source::time_string_ms;
use crate::format::FileFormat;
use crate::sink::delta::{short_name, task_write_failed};
use crate::sink::sink_log::{FOLDER, SinkFileStatus, folder};

/// Options of Spark's writers that would change the files, and that are not known here.
const UNKNOWN_OPTIONS: [&str; 2] = ["compression", "maxrecordsperfile"];

/// `format("parquet")` and its kin: exactly once for readers that heed the log.
#[derive(Clone, Debug)]
pub struct FileSink {
    path: String,
    writer: PartWriter,
    log: CompactLog,
    retention_ms: Option<i64>,
    written: Vec<SinkFileStatus>,
}

impl FileSink {
    /// A sink into a folder; makes the folder of its log, as Spark does when the query starts.
    ///
    /// Errors: a mode other than append; a `retention` that is no time; an option that is not known here.
    pub fn open(
        world: &mut World,
        settings: &dyn Settings,
        format: Box<dyn FileFormat>,
        spec: &SinkSpec,
        path: &str,
        schema: &StructType,
    ) -> Result<FileSink> {
        check_mode(spec)?;
        if let Some(option) = UNKNOWN_OPTIONS.iter().find(|name| spec.options.contains_key(**name)) {
            let text = format!(
                "Tidemark does not have the option '{option}' of the file sink: take it away, or write with foreachBatch"
            );
            return Err(SparkError::plain(ErrorClass::UnsupportedOperation, text).into());
        }
        let retention_ms = spec.options.get("retention").map(|text| time_string_ms(text)).transpose()?;
        let absolute = world.resolve(path);
        let writer = PartWriter::new(Arc::from(format), settings, &absolute, schema, &spec.partition_by)?;
        let log = CompactLog::open(world, &folder(&absolute), LogSettings::of(settings, "fileSink"))?;
        Ok(FileSink { path: absolute, writer, log, retention_ms, written: Vec::new() })
    }

    fn write_part(&mut self, world: &mut World, task: usize, rows: &Batch) -> Result<Vec<String>> {
        let paths = self.writer.write(world, task, rows, None)?;
        self.written.extend(paths.iter().filter_map(|path| SinkFileStatus::of(world, path)));
        Ok(paths)
    }
}

impl Sink for FileSink {
    fn description(&self) -> String {
        format!("FileSink[{}]", printed(&self.path))
    }

    fn begin(&mut self, world: &mut World, context: &SinkContext) -> Result<Accepted> {
        self.written.clear();
        let batch = context.batch.0;
        if let Some(newest) = self.log.latest(world).filter(|newest| batch <= *newest) {
            return Ok(Accepted::Skip(format!(
                "{FOLDER} has batch {newest} already, so batch {batch} is skipped: nothing is read and nothing is written"
            )));
        }
        self.writer.check(&context.schema)?;
        Ok(Accepted::Rows)
    }

    fn write(
        &mut self,
        world: &mut World,
        _context: &SinkContext,
        task: usize,
        rows: &Batch,
    ) -> Result<Option<String>> {
        let names: Vec<String> =
            self.write_part(world, task, rows)?.iter().map(|path| short_name(path)).collect();
        let noun = if rows.rows() == 1 { "row" } else { "rows" };
        let verb = if names.len() == 1 { "holds" } else { "hold" };
        Ok((!names.is_empty()).then(|| format!("{} {verb} {} {noun}", names.join(", "), rows.rows())))
    }

    fn commit(&mut self, world: &mut World, context: &SinkContext) -> Result<String> {
        if self.written.is_empty()
            && let Some(rows) = self.writer.empty()
        {
            self.write_part(world, 0, &rows)?;
        }
        let batch = context.batch.0;
        let (now, retention_ms) = (world.now().0, self.retention_ms);
        let keeps = |line: &str| match (retention_ms, SinkFileStatus::parse(line)) {
            (Some(most), Ok(file)) => now - file.modification_time <= most,
            _ => true,
        };
        let written = std::mem::take(&mut self.written);
        let lines: Vec<String> = written.iter().map(SinkFileStatus::render).collect();
        if !self.log.add(world, batch, &lines, &keeps)? {
            return Err(illegal_state(format!("Race while writing batch {batch}")).into());
        }
        let noun = if lines.len() == 1 { "file" } else { "files" };
        Ok(format!("{FOLDER}/{} adds {} {noun}: now readers see them", self.log.name(batch), lines.len()))
    }

    fn after_commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        Ok(None)
    }

    fn task_failed(&self, cause: SparkError) -> SparkError {
        // An error that has a condition is passed on as it is.
        if cause.condition.0.is_empty() { task_write_failed(&self.path, cause) } else { cause }
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}

fn check_mode(spec: &SinkSpec) -> Result<()> {
    let mode = match spec.output_mode {
        OutputMode::Append => return Ok(()),
        OutputMode::Update => "update",
        OutputMode::Complete => "complete",
    };
    let format = &spec.format;
    let text = format!(
        "Invalid streaming output mode: {mode}. This output mode is not supported in Data Source {format}."
    );
    let condition = "STREAMING_OUTPUT_MODE.UNSUPPORTED_DATASOURCE";
    Err(SparkError::new(ErrorClass::Analysis, condition, "42KDE", text)
        .with_parameter("className", format.clone())
        .with_parameter("outputMode", mode)
        .into())
}

/// A file sink without a path.
pub(crate) fn path_of(spec: &SinkSpec) -> Result<&String> {
    spec.path
        .as_ref()
        .or_else(|| spec.options.get("path"))
        .ok_or_else(|| condition::path_not_specified().into())
}
