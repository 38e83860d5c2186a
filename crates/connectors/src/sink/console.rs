//! The sink that prints each batch as a table.

use tidemark_engine::connector::Settings;
use tidemark_engine::{Accepted, Result, Sink, SinkContext};
use tidemark_plan::SinkSpec;
use tidemark_types::show::{ShowOptions, TRUNCATE_DEFAULT, show_text};
use tidemark_types::zone::Zone;
use tidemark_types::{Batch, ErrorClass, SparkError};
use tidemark_world::World;

/// The length of the line above and below the number of a batch.
const RULE_WIDTH: usize = 43;

/// `format("console")`: prints; keeps nothing.
///
/// Bad options do not fail `start()`: the first batch fails.
#[derive(Clone, Debug)]
pub struct ConsoleSink {
    rows_text: Option<String>,
    truncate_text: Option<String>,
    show: ShowOptions,
    pending: Vec<Batch>,
    rows: i64,
    printed: String,
}

impl ConsoleSink {
    /// A console with the options `numRows` and `truncate`.
    pub fn open(settings: &dyn Settings, spec: &SinkSpec) -> ConsoleSink {
        let zone = settings
            .get("spark.sql.session.timeZone")
            .and_then(|name| Zone::parse(&name))
            .or_else(|| Zone::parse("UTC"))
            .expect("UTC is a zone");
        ConsoleSink {
            rows_text: spec.options.get("numrows").cloned(),
            truncate_text: spec.options.get("truncate").cloned(),
            show: ShowOptions { rows: 20, truncate: TRUNCATE_DEFAULT, vertical: false, zone },
            pending: Vec::new(),
            rows: -1,
            printed: String::new(),
        }
    }

    fn read_options(&mut self) -> Result<()> {
        if let Some(text) = &self.rows_text {
            let number = text.parse::<i32>().map_err(|_| {
                SparkError::plain(ErrorClass::NumberFormat, format!("For input string: \"{text}\""))
            })?;
            self.show.rows = number.max(0) as usize;
        }
        if let Some(text) = &self.truncate_text {
            self.show.truncate = match text.to_ascii_lowercase().as_str() {
                "true" => TRUNCATE_DEFAULT,
                "false" => 0,
                _ => {
                    let text = format!("{text} is not a boolean string.");
                    return Err(SparkError::plain(ErrorClass::IllegalArgument, text).into());
                }
            };
        }
        Ok(())
    }
}

impl Sink for ConsoleSink {
    fn description(&self) -> String {
        "org.apache.spark.sql.execution.streaming.ConsoleTable$".into()
    }

    fn begin(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Accepted> {
        self.read_options()?;
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
        self.pending.push(rows.clone());
        Ok(None)
    }

    fn commit(&mut self, _world: &mut World, context: &SinkContext) -> Result<String> {
        let batches = std::mem::take(&mut self.pending);
        let table = show_text(&context.schema.names(), &batches, self.show);
        let line = "-".repeat(RULE_WIDTH);
        self.printed.push_str(&format!("{line}\nBatch: {}\n{line}\n{table}\n", context.batch));
        Ok("the rows are printed".into())
    }

    fn after_commit(&mut self, _world: &mut World, _context: &SinkContext) -> Result<Option<String>> {
        Ok(None)
    }

    fn takes_temporary_checkpoint(&self) -> bool {
        true
    }

    fn output_rows(&self) -> i64 {
        self.rows
    }

    fn take_output(&mut self) -> String {
        std::mem::take(&mut self.printed)
    }

    fn boxed_clone(&self) -> Box<dyn Sink> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use arrow::array::{Int32Array, StringArray};
    use tidemark_engine::stream::conf::QueryConf;
    use tidemark_plan::{OutputMode, Trigger};
    use tidemark_types::{BatchId, DataType, QueryId, RunId, SimTime, StructField, StructType};

    use super::*;

    fn printed(options: &[(&str, &str)], rows: &[(&str, i32)]) -> Result<String> {
        let spec = SinkSpec {
            format: "console".into(),
            path: None,
            table: None,
            query_name: None,
            output_mode: OutputMode::Append,
            trigger: Trigger::Default,
            options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            partition_by: Vec::new(),
        };
        let schema = Arc::new(StructType::new(vec![
            StructField::new("k", DataType::String, true),
            StructField::new("v", DataType::Integer, true),
        ]));
        let context = SinkContext {
            query: QueryId("q".into()),
            run: RunId("r".into()),
            batch: BatchId(0),
            mode: OutputMode::Append,
            schema: schema.clone(),
        };
        let mut world = World::new("/w", 0, SimTime(0));
        let mut sink = ConsoleSink::open(&QueryConf::new(BTreeMap::new()), &spec);
        let names = StringArray::from(rows.iter().map(|r| r.0).collect::<Vec<_>>());
        let values = Int32Array::from(rows.iter().map(|r| r.1).collect::<Vec<_>>());
        let batch = Batch::new(schema, vec![Arc::new(names), Arc::new(values)], rows.len());
        sink.begin(&mut world, &context)?;
        sink.write(&mut world, &context, 0, &batch)?;
        sink.commit(&mut world, &context)?;
        Ok(sink.take_output())
    }

    #[test]
    fn tables_are_those_of_spark() {
        let head = "-------------------------------------------\nBatch: 0\n-------------------------------------------\n";
        let table: [(&[(&str, &str)], &[(&str, i32)], &str); 4] = [
            (&[], &[("a", 0)], "+---+---+\n|  k|  v|\n+---+---+\n|  a|  0|\n+---+---+\n\n"),
            (&[], &[], "+---+---+\n|  k|  v|\n+---+---+\n+---+---+\n\n"),
            (
                &[("numrows", "1")],
                &[("a", 0), ("b", 1)],
                "+---+---+\n|  k|  v|\n+---+---+\n|  a|  0|\n+---+---+\nonly showing top 1 row\n",
            ),
            (
                &[("truncate", "false")],
                &[("a", 0)],
                "+---+---+\n|k  |v  |\n+---+---+\n|a  |0  |\n+---+---+\n\n",
            ),
        ];
        for (options, rows, wanted) in table {
            assert_eq!(printed(options, rows).expect("the options are good"), format!("{head}{wanted}"));
        }
        let error = printed(&[("truncate", "5")], &[]).expect_err("5 is no boolean");
        assert_eq!(error.to_string(), "5 is not a boolean string.");
        let error = printed(&[("numrows", "x")], &[]).expect_err("x is no number");
        assert_eq!(error.to_string(), "For input string: \"x\"");
    }
}
