//! The sink that takes rows and forgets them.

use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_types::Batch;
use tidemark_world::World;

/// `format("noop")`: counts rows and keeps none.
#[derive(Clone, Debug, Default)]
pub struct NoopSink {
    rows: i64,
    counted: bool,
}

impl Sink for NoopSink {
    fn description(&self) -> String {
        "NoopTable".into()
    }

    fn begin(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Accepted> {
        self.rows = 0;
        self.counted = true;
        Ok(Accepted::Rows)
    }

    fn write(
        &mut self,
        _world: &mut World,
        _context: &SinkContext,
        _task: usize,
        rows: &Batch,
    ) -> Result<Option<String>> {
        self.rows += rows.rows() as i64;
        Ok(None)
    }

    fn commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<String> {
        Ok("the rows are counted and forgotten".into())
    }

    fn after_commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        Ok(None)
    }

    fn takes_temporary_checkpoint(&self) -> bool {
        true
    }

    fn output_rows(&self) -> i64 {
        if self.counted { self.rows } else { -1 }
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}
