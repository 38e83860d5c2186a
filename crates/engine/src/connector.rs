//! How the engine comes to sources, sinks and batch data without knowing a format.

use std::fmt::Debug;
use std::sync::Arc;

use tidemark_plan::spec::Listing;
use tidemark_plan::{ReadSpec, SinkSpec, WriteSpec};
use tidemark_types::{Batch, StructType};
use tidemark_world::World;

use crate::error::Result;
use crate::sink::Sink;
use crate::source::{Source, Task};

/// Settings of a session by name, as `spark.conf` has them.
pub trait Settings {
    /// The value of a setting, or Spark's default; `None` when it has neither.
    fn get(&self, name: &str) -> Option<String>;
}

/// Reads the batch data of a relation.
pub trait Reader: Debug {
    /// The rows, task by task.
    fn read(&self, world: &mut World) -> Result<Vec<Task>>;
}

/// All formats there are. The sandbox hands one to the engine.
pub trait Connectors {
    /// The schema of what `spec` names, at `load()` time: errors of `load()` come out here.
    fn resolve(&self, world: &mut World, settings: &dyn Settings, spec: &ReadSpec) -> Result<StructType>;

    /// The files that `load()` fixes for `spec`, if its source fixes them then.
    fn list(
        &self,
        _world: &mut World,
        _settings: &dyn Settings,
        _spec: &ReadSpec,
    ) -> Result<Option<Listing>> {
        Ok(None)
    }

    /// Opens a batch relation.
    fn reader(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
    ) -> Result<Box<dyn Reader>>;

    /// Makes a streaming source with its folder in the checkpoint, `ckpt/sources/0`. Does not touch the store.
    fn source(
        &self,
        settings: &dyn Settings,
        spec: &ReadSpec,
        schema: &Arc<StructType>,
        metadata_path: &str,
    ) -> Result<Box<dyn Source>>;

    /// Makes a sink, with the checks that Spark makes before the query starts.
    fn sink(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &SinkSpec,
        schema: &Arc<StructType>,
    ) -> Result<Box<dyn Sink>>;

    /// Writes a batch DataFrame, task by task.
    fn write(
        &self,
        world: &mut World,
        settings: &dyn Settings,
        spec: &WriteSpec,
        schema: &Arc<StructType>,
        tasks: &[Batch],
    ) -> Result<()>;
}
