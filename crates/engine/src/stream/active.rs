//! The queries of a session that run: no two of one name, no two on one checkpoint.

use tidemark_types::{ErrorClass, QueryId, RunId, SparkError};

use crate::error::Result;
use crate::stream::conf::QueryConf;
use crate::stream::execution::StreamExecution;

/// The running queries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActiveQueries {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    query: QueryId,
    run: RunId,
    name: Option<String>,
}

impl ActiveQueries {
    /// Lets a query in that has been made by `StreamExecution::start`. The answer is the older run on the same
    /// checkpoint, which is to be stopped before the new one takes its first step.
    ///
    /// Errors: a query of this name is active; one with this id is, and the session forbids to stop it.
    pub fn admit(&mut self, query: &StreamExecution) -> Result<Option<RunId>> {
        self.admit_as(query.id(), query.run_id(), query.name(), query.conf())
    }

    fn admit_as(
        &mut self,
        id: &QueryId,
        run: &RunId,
        name: Option<&str>,
        conf: &QueryConf,
    ) -> Result<Option<RunId>> {
        if let Some(name) = name
            && self.entries.iter().any(|e| e.name.as_deref() == Some(name))
        {
            let text = format!(
                "Cannot start query with name {name} as a query with that name is already active in this SparkSession"
            );
            return Err(SparkError::plain(ErrorClass::IllegalArgument, text).into());
        }
        let older = self.entries.iter().find(|e| e.query == *id).map(|e| e.run.clone());
        if older.is_some() && !conf.enabled("spark.sql.streaming.stopActiveRunOnRestart") {
            let text = format!(
                "Cannot start query with id {id} as another query with same id is already active. Perhaps you are \
                 attempting to restart a query from checkpoint that is already active. You may stop the old query by \
                 setting the SQL configuration: spark.conf.set(\"spark.sql.streaming.stopActiveRunOnRestart\", true) \
                 and retry."
            );
            return Err(SparkError::java("java.lang.IllegalStateException", text).into());
        }
        self.entries.retain(|e| e.query != *id);
        self.entries.push(Entry { query: id.clone(), run: run.clone(), name: name.map(str::to_owned) });
        Ok(older)
    }

    /// Lets a run go that is over.
    pub fn leave(&mut self, run: &RunId) {
        self.entries.retain(|e| e.run != *run);
    }

    /// The ids of the runs, in the order of their starts.
    pub fn runs(&self) -> impl Iterator<Item = &RunId> {
        self.entries.iter().map(|e| &e.run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_checkpoints_are_taken_once() {
        let mut active = ActiveQueries::default();
        let mut conf = QueryConf::default();
        let id = |text: &str| QueryId(text.to_owned());
        let run = |text: &str| RunId(text.to_owned());
        assert_eq!(active.admit_as(&id("a"), &run("1"), Some("dup"), &conf), Ok(None));
        assert!(active.admit_as(&id("b"), &run("2"), Some("dup"), &conf).is_err());
        assert_eq!(active.admit_as(&id("a"), &run("3"), None, &conf), Ok(Some(run("1"))));
        conf.set("spark.sql.streaming.stopActiveRunOnRestart", "false");
        assert!(active.admit_as(&id("a"), &run("4"), None, &conf).is_err());
        active.leave(&run("3"));
        assert_eq!(active.admit_as(&id("a"), &run("5"), None, &conf), Ok(None));
        assert_eq!(active.runs().collect::<Vec<_>>(), [&run("5")]);
    }
}
