//! Batch writes of files: one file for each task, then `_SUCCESS`.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow::array::UInt32Array;
use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::{SaveMode, WriteSpec};
use tidemark_types::value_text::{TextStyle, value_text};
use tidemark_types::{Batch, DataType, ErrorClass, SparkError, StructType, Zone};
use tidemark_world::World;

use crate::batch::files::printed;
use crate::batch::partition::folder_name;
use crate::condition;
use crate::format::{FileFormat, json, open};

/// Writes files into a folder as the mode says.
pub fn write(
    world: &mut World,
    settings: &dyn Settings,
    spec: &WriteSpec,
    path: &str,
    schema: &Arc<StructType>,
    tasks: &[Batch],
) -> Result<()> {
    let Some(format) = open(&spec.format, &spec.options, settings)? else {
        return Err(condition::unknown_format(&spec.format).into());
    };
    let keys = partition_columns(spec, schema)?;
    let data = without(schema, &keys);
    json::json_format::check_names(schema)?;
    format.check_write(&data)?;
    if world.exists(path) {
        match spec.mode {
            SaveMode::ErrorIfExists => return Err(condition::path_already_exists(&printed(path)).into()),
            SaveMode::Ignore => return Ok(()),
            SaveMode::Overwrite => world.delete_tree(path)?,
            SaveMode::Append => {}
        }
    }
    world.make_folders(path)?;
    let zone =
        settings.get("spark.sql.session.timeZone").and_then(|name| Zone::parse(&name)).unwrap_or(Zone::UTC);
    let writer = PartWriter { format: format.as_ref(), path, schema: &data, job: world.uuid(), zone };
    if keys.is_empty() {
        writer.flat(world, tasks)?;
    } else {
        for (index, task) in tasks.iter().enumerate() {
            writer.partitioned(world, index, task, &keys)?;
        }
    }
    world.put(&format!("{path}/_SUCCESS"), "")?;
    Ok(())
}

fn partition_columns(spec: &WriteSpec, schema: &StructType) -> Result<Vec<usize>> {
    spec.partition_by
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

struct PartWriter<'a> {
    format: &'a dyn FileFormat,
    path: &'a str,
    schema: &'a Arc<StructType>,
    job: String,
    zone: Zone,
}

impl PartWriter<'_> {
    /// The first task writes a file even without rows, the others only with rows.
    fn flat(&self, world: &mut World, tasks: &[Batch]) -> Result<()> {
        let none = [Batch::empty(self.schema.clone())];
        let tasks = if tasks.is_empty() { &none } else { tasks };
        for (index, task) in tasks.iter().enumerate().filter(|(index, task)| *index == 0 || task.rows() > 0) {
            let name = format!("part-{index:05}-{}-c000.{}", self.job, self.format.extension());
            let bytes = self.format.encode(std::slice::from_ref(task), self.schema)?;
            world.put(&format!("{}/{name}", self.path), bytes)?;
        }
        Ok(())
    }

    fn partitioned(&self, world: &mut World, index: usize, task: &Batch, keys: &[usize]) -> Result<()> {
        let mut rows_of: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        let texts = keys.iter().map(|key| key_texts(task, *key, self.zone)).collect::<Result<Vec<_>>>()?;
        for row in 0..task.rows() {
            let folders: Vec<String> = keys
                .iter()
                .zip(&texts)
                .map(|(key, texts)| folder_name(&task.schema().fields[*key].name, texts[row].as_deref()))
                .collect();
            rows_of.entry(folders.join("/")).or_default().push(row as u32);
        }
        for (folder, rows) in rows_of {
            let rows = UInt32Array::from(rows);
            let columns = task
                .columns()
                .iter()
                .enumerate()
                .filter(|(at, _)| !keys.contains(at))
                .map(|(_, column)| arrow::compute::take(column, &rows, None))
                .collect::<std::result::Result<Vec<_>, _>>()
                .map_err(|error| SparkError::plain(ErrorClass::Spark, error.to_string()))?;
            let part = Batch::new(self.schema.clone(), columns, rows.len());
            let name = format!("part-{index:05}-{}.c000.{}", self.job, self.format.extension());
            let bytes = self.format.encode(&[part], self.schema)?;
            world.put(&format!("{}/{folder}/{name}", self.path), bytes)?;
        }
        Ok(())
    }
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
