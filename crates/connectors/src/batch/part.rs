//! Rows to data files: one file for each task, or one for each task and folder of `partitionBy`.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::UInt32Array;
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructType, Zone};
use tidemark_world::World;

use crate::batch::partition::folder_name;
use crate::condition;
use crate::format::{FileFormat, json};

/// Writes data files of a format below a folder.
#[derive(Clone, Debug)]
pub(crate) struct PartWriter {
    format: Arc<dyn FileFormat>,
    path: String,
    /// The columns in the files.
    data: Arc<StructType>,
    /// The columns in the folders.
    keys: Vec<usize>,
    zone: Zone,
}

impl PartWriter {
    /// A writer of rows of a schema.
    ///
    /// Errors: a partition column that the rows do not have; names and types that the format cannot write.
    pub(crate) fn new(
        format: Arc<dyn FileFormat>,
        settings: &dyn Settings,
        path: &str,
        schema: &StructType,
        partition_by: &[String],
    ) -> Result<PartWriter> {
        let keys = partition_columns(schema, partition_by)?;
        let zone = settings
            .get("spark.sql.session.timeZone")
            .and_then(|name| Zone::parse(&name))
            .unwrap_or(Zone::UTC);
        let data = without(schema, &keys);
        Ok(PartWriter { format, path: path.to_owned(), data, keys, zone })
    }

    /// Refuses names and types that the format cannot write.
    pub(crate) fn check(&self, schema: &StructType) -> Result<()> {
        json::json_format::check_names(schema)?;
        self.format.check_write(&self.data)
    }

    /// Writes the rows of a task and returns the paths. The first task writes a file even without rows, if there are
    /// no folders. `job` is in the names of all files of a job; without it each file has an id of its own.
    pub(crate) fn write(
        &self,
        world: &mut World,
        task: usize,
        rows: &Batch,
        job: Option<&str>,
    ) -> Result<Vec<String>> {
        if !self.keys.is_empty() {
            return self.write_partitioned(world, task, rows, job);
        }
        if task > 0 && rows.rows() == 0 {
            return Ok(Vec::new());
        }
        let id = job.map_or_else(|| world.uuid(), str::to_owned);
        let path = format!("{}/part-{task:05}-{id}-c000.{}", self.path, self.format.extension());
        let bytes = self.format.encode(std::slice::from_ref(rows), &self.data)?;
        world.put(&path, bytes)?;
        Ok(vec![path])
    }

    /// Whether a batch without any task has a file nevertheless: then this one, without rows.
    pub(crate) fn empty(&self) -> Option<Batch> {
        self.keys.is_empty().then(|| Batch::empty(self.data.clone()))
    }

    fn write_partitioned(
        &self,
        world: &mut World,
        task: usize,
        rows: &Batch,
        job: Option<&str>,
    ) -> Result<Vec<String>> {
        let mut rows_of: BTreeMap<Vec<Option<String>>, Vec<u32>> = BTreeMap::new();
        let texts =
            self.keys.iter().map(|key| key_texts(rows, *key, self.zone)).collect::<Result<Vec<_>>>()?;
        // A batch write takes empty texts as nulls, so that both are in one file; a stream does not.
        let wanted = |text: &String| job.is_none() || !text.is_empty();
        for row in 0..rows.rows() {
            let values = texts.iter().map(|texts| texts[row].clone().filter(wanted)).collect();
            rows_of.entry(values).or_default().push(row as u32);
        }
        let mut paths = Vec::with_capacity(rows_of.len());
        for (values, picked) in rows_of {
            let names = self.keys.iter().map(|key| rows.schema().fields[*key].name.as_str());
            let folder: Vec<String> =
                names.zip(&values).map(|(name, value)| folder_name(name, value.as_deref())).collect();
            let picked = UInt32Array::from(picked);
            let columns = rows
                .columns()
                .iter()
                .enumerate()
                .filter(|(at, _)| !self.keys.contains(at))
                .map(|(_, column)| arrow::compute::take(column, &picked, None))
                .collect::<std::result::Result<Vec<_>, _>>()
                .map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()))?;
            let part = Batch::new(self.data.clone(), columns, picked.len());
            let id = job.map_or_else(|| world.uuid(), str::to_owned);
            let name = format!("part-{task:05}-{id}.c000.{}", self.format.extension());
            let bytes = self.format.encode(&[part], &self.data)?;
            let path = format!("{}/{}/{name}", self.path, folder.join("/"));
            world.put(&path, bytes)?;
            paths.push(path);
        }
        Ok(paths)
    }
}

fn partition_columns(schema: &StructType, names: &[String]) -> Result<Vec<usize>> {
    names
        .iter()
        .map(|name| {
            schema
                .index_of(name)
                .ok_or_else(|| condition::partition_column_missing(name, &schema.names()).into())
        })
        .collect()
}

fn without(schema: &StructType, columns: &[usize]) -> Arc<StructType> {
    let kept = schema.fields.iter().enumerate().filter(|(at, _)| !columns.contains(at));
    Arc::new(StructType::new(kept.map(|(_, field)| field.clone()).collect()))
}

/// The values of a column as the texts of folders.
fn key_texts(task: &Batch, key: usize, zone: Zone) -> Result<Vec<Option<String>>> {
    let field = &task.schema().fields[key];
    if matches!(field.data_type, DataType::Array(..) | DataType::Map(..) | DataType::Struct(_)) {
        let text = format!("Cannot use {} for partition column.", field.data_type.sql());
        return Err(SparkError::plain(ErrorClass::Analysis, text).into());
    }
    let style = TextStyle::cast(zone);
    Ok((0..task.rows()).map(|row| value_text(task.column(key), &field.data_type, row, style)).collect())
}
