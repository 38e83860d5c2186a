//! The sink that keeps its rows in memory, as a table under the query's name.

use std::sync::Arc;

use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_plan::OutputMode;
use tidemark_types::{Batch, BatchId, ErrorClass, SparkError, StructType};
use tidemark_world::World;

/// `format("memory")`: lost with the driver.
///
/// Append and update add the rows of a batch once for each sink object; complete replaces all.
#[derive(Clone, Debug)]
pub struct MemorySink {
    schema: Arc<StructType>,
    kept: Arc<Vec<Batch>>,
    /// How many rows each batch has brought.
    brought: Arc<Vec<(i64, usize)>>,
    pending: Vec<Batch>,
    newest: Option<BatchId>,
    rows: i64,
}

impl MemorySink {
    /// An empty table of this schema.
    pub fn new(schema: Arc<StructType>) -> Self {
        let (kept, brought) = (Arc::default(), Arc::default());
        MemorySink { schema, kept, brought, pending: Vec::new(), newest: None, rows: -1 }
    }
}

impl Sink for MemorySink {
    fn description(&self) -> String {
        "MemorySink".into()
    }

    fn begin(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Accepted> {
        self.pending.clear();
        self.rows = 0;
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
        if rows.rows() > 0 {
            self.pending.push(rows.clone());
        }
        Ok(None)
    }

    fn commit(&mut self, _world: &mut World, context: &SinkContext) -> Result<String> {
        let pending = std::mem::take(&mut self.pending);
        let added = pending.iter().map(Batch::rows).sum::<usize>();
        if context.mode == OutputMode::Complete {
            self.kept = Arc::new(pending);
            self.brought = Arc::new(vec![(context.batch.0, added)]);
            self.newest = Some(context.batch);
            return Ok(format!("the table in memory now holds these {added} rows and no others"));
        }
        if self.newest.is_some_and(|newest| context.batch <= newest) {
            return Ok("the table in memory has this batch already".into());
        }
        Arc::make_mut(&mut self.kept).extend(pending);
        Arc::make_mut(&mut self.brought).push((context.batch.0, added));
        self.newest = Some(context.batch);
        Ok(format!("the table in memory takes {added} more rows"))
    }

    fn after_commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        Ok(None)
    }

    fn takes_temporary_checkpoint(&self) -> bool {
        true
    }

    fn recovers(&self, mode: OutputMode) -> bool {
        mode == OutputMode::Complete
    }

    fn output_rows(&self) -> i64 {
        self.rows
    }

    fn memory(&self) -> Option<Batch> {
        Batch::concat(&self.schema, &self.kept).ok()
    }

    fn memory_batches(&self) -> Vec<(i64, usize)> {
        self.brought.to_vec()
    }

    fn memory_parts(&self) -> Option<(Arc<StructType>, Arc<Vec<Batch>>)> {
        Some((self.schema.clone(), self.kept.clone()))
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}

/// The error of a memory sink without a name for its table.
pub(crate) fn name_is_missing() -> SparkError {
    SparkError::new(
        ErrorClass::Analysis,
        "_LEGACY_ERROR_TEMP_1194",
        "",
        "queryName must be specified for memory sink.",
    )
}

#[cfg(test)]
mod tests {
    use arrow::array::Int64Array;
    use tidemark_types::{DataType, QueryId, RunId, SimTime, StructField};

    use super::*;

    fn schema() -> Arc<StructType> {
        Arc::new(StructType::new(vec![StructField::new("n", DataType::Long, true)]))
    }

    fn run(mode: OutputMode, batches: &[(i64, &[i64])]) -> Vec<i64> {
        let mut world = World::new("/w", 0, SimTime(0));
        let mut sink = MemorySink::new(schema());
        for (id, values) in batches {
            let context = SinkContext {
                query: QueryId("q".into()),
                run: RunId("r".into()),
                batch: BatchId(*id),
                mode,
                schema: schema(),
            };
            let column = Arc::new(Int64Array::from(values.to_vec()));
            let rows = Batch::new(schema(), vec![column], values.len());
            sink.begin(&mut world, &context).expect("memory takes all");
            sink.write(&mut world, &context, 0, &rows).expect("memory takes all");
            sink.commit(&mut world, &context).expect("memory takes all");
        }
        let table = sink.memory().expect("it is a memory sink");
        let column = table.column(0).as_any().downcast_ref::<Int64Array>().expect("it is a bigint");
        column.values().to_vec()
    }

    #[test]
    fn what_the_table_holds() {
        let batches: [(i64, &[i64]); 3] = [(0, &[1, 2]), (1, &[3]), (1, &[4])];
        assert_eq!(run(OutputMode::Append, &batches), [1, 2, 3]);
        assert_eq!(run(OutputMode::Update, &batches), [1, 2, 3]);
        assert_eq!(run(OutputMode::Complete, &batches), [4]);
    }
}
