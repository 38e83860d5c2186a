//! Temporary views and SQL texts.

use std::sync::Arc;

use tidemark_types::SparkError;

use crate::builder::select::aliased;
use crate::builder::{Analyzer, Frame, Relations};
use crate::error::analysis;
use crate::name::parse_attribute_name;
use crate::sql;

impl Analyzer {
    /// `df.createOrReplaceTempView(name)`, and the view of a memory sink.
    pub fn create_view(&mut self, name: &str, frame: &Frame) -> Result<(), SparkError> {
        let parts = parse_attribute_name(name)?;
        let [name] = parts.as_slice() else {
            return Err(analysis(
                "TEMP_VIEW_NAME_TOO_MANY_NAME_PARTS",
                "428EK",
                format!(
                    "CREATE TEMPORARY VIEW or the corresponding Dataset APIs only accept single-part view names, but got: {}.",
                    crate::name::quote(&parts)
                ),
            ));
        };
        self.views.insert(name.to_lowercase(), frame.clone());
        Ok(())
    }

    /// Drops a view; whether there was one.
    pub fn drop_view(&mut self, name: &str) -> bool {
        self.views.remove(&name.to_lowercase()).is_some()
    }

    /// The names of the views, in order.
    pub fn view_names(&self) -> Vec<String> {
        self.views.keys().cloned().collect()
    }

    /// `spark.table(name)`: a view; `None` if it is to be looked up in the catalog.
    pub fn view(&mut self, name: &str) -> Result<Option<Frame>, SparkError> {
        let parts = parse_attribute_name(name)?;
        Ok(self.view_of(&parts))
    }

    pub(crate) fn view_of(&self, parts: &[String]) -> Option<Frame> {
        let [name] = parts else { return None };
        let lower = name.to_lowercase();
        let frame = self.views.get(&lower)?;
        Some(Frame::of(Arc::new(aliased(frame.plan(), &[lower]))))
    }

    /// The tables and paths that a SQL text reads and that are no views: to be looked up before [`Analyzer::sql`].
    pub fn relations_of(&self, text: &str) -> Result<Vec<Vec<String>>, SparkError> {
        let statement = sql::parse_statement(text, self.zone())?;
        let names = statement.relations();
        Ok(names.into_iter().filter(|parts| self.view_of(parts).is_none()).collect())
    }

    /// `spark.sql(text)`.
    pub fn sql(&mut self, text: &str, relations: &Relations) -> Result<Frame, SparkError> {
        let statement = sql::parse_statement(text, self.zone())?;
        sql::plan_statement(self, &statement, relations)
    }
}
