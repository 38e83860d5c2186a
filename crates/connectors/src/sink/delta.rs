//! The Delta sink: the rows and the number of a batch become visible in one commit.

use std::sync::Arc;

use tidemark_delta::checkpoint::{LastCheckpoint, is_due, write_checkpoint, write_last_checkpoint};
use tidemark_delta::operation::OutputMode as DeltaMode;
use tidemark_delta::{Add, Casts, Operation, Prepared, Snapshot, TableWrite, WriteMode, WriteRequest};
use tidemark_engine::connector::Settings;
use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_plan::{OutputMode, SinkSpec};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructType};
use tidemark_world::World;

use crate::batch::delta::engine_error;

/// `format("delta")`: exactly once, by `txn` with the query id and the batch id.
#[derive(Clone, Debug)]
pub struct DeltaSink {
    /// The path as the script wrote it.
    text: String,
    path: String,
    partition_by: Option<Vec<String>>,
    merge_schema: bool,
    overwrite_schema: bool,
    user_metadata: Option<String>,
    write: Option<Box<TableWrite>>,
    adds: Vec<Add>,
    /// The table as this sink last saw it.
    known: Option<Snapshot>,
    next: After,
}

/// What is to be done after a commit.
#[derive(Clone, Debug)]
enum After {
    Nothing,
    Checkpoint(i64),
    Pointer(LastCheckpoint),
}

impl DeltaSink {
    /// A sink into the table at a path.
    ///
    /// Errors: update mode; a boolean option that is none; columns of type void.
    pub fn open(
        world: &World,
        settings: &dyn Settings,
        spec: &SinkSpec,
        path: &str,
        schema: &StructType,
    ) -> Result<DeltaSink> {
        if spec.output_mode == OutputMode::Update {
            let source = "org.apache.spark.sql.delta.sources.DeltaDataSource";
            let text = format!("Data source {source} does not support Update output mode");
            return Err(SparkError::new(
                ErrorClass::Analysis,
                "DELTA_UNSUPPORTED_OUTPUT_MODE",
                "0AKDC",
                text,
            )
            .with_parameter("dataSource", source)
            .with_parameter("mode", "Update")
            .into());
        }
        check_columns(schema)?;
        let enabled = |name: &str| settings.get(name).is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let merge = boolean(spec, "mergeSchema")?;
        Ok(DeltaSink {
            text: hadoop_text(path),
            path: world.resolve(path),
            partition_by: (!spec.partition_by.is_empty()).then(|| spec.partition_by.clone()),
            merge_schema: merge.unwrap_or_else(|| enabled("spark.databricks.delta.schema.autoMerge.enabled")),
            overwrite_schema: boolean(spec, "overwriteSchema")?.unwrap_or(false),
            user_metadata: spec
                .options
                .get("usermetadata")
                .cloned()
                .or_else(|| settings.get("spark.databricks.delta.commitInfo.userMetadata")),
            write: None,
            adds: Vec::new(),
            known: None,
            next: After::Nothing,
        })
    }

    fn request(&self, context: &SinkContext) -> WriteRequest {
        let complete = context.mode == OutputMode::Complete;
        let mode = if complete { DeltaMode::Complete } else { DeltaMode::Append };
        WriteRequest {
            table_path: self.path.clone(),
            data_schema: Arc::clone(&context.schema),
            mode: if complete { WriteMode::Overwrite } else { WriteMode::Append },
            casts: Casts::Implicit,
            operation: Operation::streaming_update(mode, &context.query.0, context.batch.0),
            txn: Some((context.query.0.clone(), context.batch.0)),
            partition_by: self.partition_by.clone(),
            merge_schema: self.merge_schema,
            overwrite_schema: self.overwrite_schema && complete,
            user_metadata: self.user_metadata.clone(),
            configuration: serde_json::Map::new(),
        }
    }
}

impl Sink for DeltaSink {
    fn description(&self) -> String {
        format!("DeltaSink[{}]", self.text)
    }

    fn begin(&mut self, world: &mut World, context: &SinkContext) -> Result<Accepted> {
        self.adds.clear();
        self.next = After::Nothing;
        let known = self.known.take();
        let prepared = TableWrite::prepare_after(world, self.request(context), known.as_ref());
        match prepared.map_err(engine_error)? {
            Prepared::Ready(write) => {
                self.known = write.snapshot().cloned();
                self.write = Some(write);
                Ok(Accepted::Rows)
            }
            Prepared::Skip { .. } => Ok(Accepted::Skip(format!(
                "the table has the txn of batch {} already, so nothing is read and nothing is written",
                context.batch
            ))),
        }
    }

    fn write(
        &mut self,
        world: &mut World,
        _context: &SinkContext,
        task: usize,
        rows: &Batch,
    ) -> Result<Option<String>> {
        let Some(write) = &self.write else { return Ok(None) };
        let adds = write.write_part(world, task, rows).map_err(engine_error)?;
        let names: Vec<String> = adds.iter().map(|add| short_name(&add.path)).collect();
        self.adds.extend(adds);
        let noun = if rows.rows() == 1 { "row" } else { "rows" };
        Ok((!names.is_empty()).then(|| {
            format!(
                "{} {} {} {noun}",
                names.join(", "),
                if names.len() == 1 { "holds" } else { "hold" },
                rows.rows()
            )
        }))
    }

    fn commit(&mut self, world: &mut World, _context: &SinkContext) -> Result<String> {
        let Some(write) = self.write.take() else { return Ok("nothing is to be committed".into()) };
        let adds = std::mem::take(&mut self.adds);
        match write.commit(world, adds).map_err(engine_error)? {
            Some(committed) => {
                self.next = After::Checkpoint(committed.version);
                Ok(format!(
                    "_delta_log/{:020}.json makes version {} of the table",
                    committed.version, committed.version
                ))
            }
            None => Ok("there is nothing to say, so no version is made".into()),
        }
    }

    fn after_commit(&mut self, world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        match std::mem::replace(&mut self.next, After::Nothing) {
            After::Nothing => Ok(None),
            After::Checkpoint(version) => {
                let Some(known) = &self.known else { return Ok(None) };
                let Some(snapshot) = known.update(world, Some(version)).map_err(engine_error)? else {
                    return Ok(None);
                };
                self.known = Some(snapshot.clone());
                if !is_due(&snapshot) {
                    return Ok(None);
                }
                let last = write_checkpoint(world, &snapshot).map_err(engine_error)?;
                self.next = After::Pointer(last);
                Ok(Some(format!(
                    "Delta writes a checkpoint of version {version}, so that readers need not replay the log."
                )))
            }
            After::Pointer(last) => {
                write_last_checkpoint(world, &self.path, &last).map_err(engine_error)?;
                Ok(Some(format!("_last_checkpoint now points at version {}.", last.version)))
            }
        }
    }

    fn task_failed(&self, cause: SparkError) -> SparkError {
        task_write_failed(&self.path, cause)
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}

/// `TASK_WRITE_FAILED`: what becomes of the error of a task that was to write into this folder.
pub(crate) fn task_write_failed(path: &str, cause: SparkError) -> SparkError {
    let path = format!("file:{path}");
    let text = format!("Task failed while writing rows to {path}.");
    SparkError::new(ErrorClass::Spark, "TASK_WRITE_FAILED", "58030", text)
        .with_parameter("path", path)
        .with_cause(cause)
}

/// A path as Hadoop prints it: `./out/` is `out`, `file:///out` is `file:/out`.
fn hadoop_text(path: &str) -> String {
    let (scheme, rest) = match path.strip_prefix("file:") {
        Some(rest) => ("file:", rest.strip_prefix("//").unwrap_or(rest)),
        None => ("", path.trim_start_matches("./")),
    };
    let rest = if rest.len() > 1 { rest.trim_end_matches('/') } else { rest };
    format!("{scheme}{rest}")
}

/// `part-00000-9b1e….parquet`: enough of a name to tell it from others.
pub(crate) fn short_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.char_indices().nth(15).map_or_else(|| name.to_owned(), |(at, _)| format!("{}…", &name[..at]))
}

fn boolean(spec: &SinkSpec, name: &str) -> Result<Option<bool>> {
    let Some(text) = spec.options.get(&name.to_ascii_lowercase()) else { return Ok(None) };
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        _ => {
            let message = format!("Invalid value '{text}' for option '{name}', must be 'true' or 'false'");
            Err(SparkError::new(ErrorClass::IllegalArgument, "DELTA_ILLEGAL_OPTION", "42616", message)
                .with_parameter("name", name)
                .with_parameter("input", text.clone())
                .into())
        }
    }
}

fn check_columns(schema: &StructType) -> Result<()> {
    if schema.fields.iter().any(|field| field.data_type == DataType::Null) {
        let text = "Delta doesn't accept NullTypes in the schema for streaming writes.";
        let condition = "DELTA_NULL_SCHEMA_IN_STREAMING_WRITE";
        return Err(SparkError::new(ErrorClass::Analysis, condition, "42P18", text).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_paths() {
        let table =
            [("outx/", "outx"), ("./outy", "outy"), ("file:///w/outz", "file:/w/outz"), ("/w/out", "/w/out")];
        for (path, wanted) in table {
            assert_eq!(hadoop_text(path), wanted);
        }
    }
}
