//! Batch relations: files of a format.

use std::sync::Arc;

use tidemark_engine::{Reader, Result, Task};
use tidemark_types::StructType;
use tidemark_world::World;

use crate::format::FileFormat;
use crate::format::read::{ReadSettings, read_packed};
use crate::packing::InputFile;

/// Files of a format, listed once.
#[derive(Debug)]
pub struct FileReader {
    pub(crate) format: Box<dyn FileFormat>,
    pub(crate) files: Vec<InputFile>,
    pub(crate) schema: Arc<StructType>,
    pub(crate) settings: ReadSettings,
}

impl Reader for FileReader {
    fn read(&self, world: &mut World) -> Result<Vec<Task>> {
        read_packed(world, &self.settings, self.format.as_ref(), &self.files, &self.schema)
    }
}
