//! Batch writes of files: one file for each task, then `_SUCCESS`.

use std::sync::Arc;

use tidemark_engine::Result;
use tidemark_engine::connector::Settings;
use tidemark_plan::{SaveMode, WriteSpec};
use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::batch::files::printed;
use crate::batch::part::PartWriter;
use crate::condition;
use crate::format::open;

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
    let writer = PartWriter::new(Arc::from(format), settings, path, schema, &spec.partition_by)?;
    writer.check(schema)?;
    if world.exists(path) {
        match spec.mode {
            SaveMode::ErrorIfExists => return Err(condition::path_already_exists(&printed(path)).into()),
            SaveMode::Ignore => return Ok(()),
            SaveMode::Overwrite => world.delete_tree(path)?,
            SaveMode::Append => {}
        }
    }
    world.make_folders(path)?;
    let job = world.uuid();
    for (index, task) in tasks.iter().enumerate() {
        writer.write(world, index, task, Some(&job))?;
    }
    if tasks.is_empty()
        && let Some(rows) = writer.empty()
    {
        writer.write(world, 0, &rows, Some(&job))?;
    }
    world.put(&format!("{path}/_SUCCESS"), "")?;
    Ok(())
}
