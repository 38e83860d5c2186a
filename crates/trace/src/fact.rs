//! The closed enum of facts and the sentence of each.

use std::fmt;

use serde::{Deserialize, Serialize};
use tidemark_types::{BatchId, QueryId, RunId, SimTime};

use crate::phase::{Phase, When};

/// The order number of an event in one trace, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seq(pub u64);

/// A fact with its place: order, enclosing cause and the World's time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its order in the trace.
    pub seq: Seq,
    /// The event within which it happened, if any.
    pub cause: Option<Seq>,
    /// The World's time.
    pub at: SimTime,
    /// What happened.
    pub fact: Fact,
}

/// All that can happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "room", rename_all = "lowercase")]
pub enum Fact {
    /// Of the user's script.
    Script(ScriptFact),
    /// Of a streaming query.
    Query(QueryFact),
    /// Of a micro-batch.
    Batch(BatchFact),
    /// Of the object store.
    Object(ObjectFact),
    /// Of crashes.
    Fault(FaultFact),
}

/// Facts of the user's script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ScriptFact {
    /// The script began.
    Started {
        /// Its name.
        name: String,
    },
    /// It printed.
    Printed {
        /// The text, with its line ends.
        text: String,
    },
    /// It ended with an error.
    Raised {
        /// The class of the exception.
        class: String,
        /// The first line of its message.
        message: String,
        /// The line in the script, from 1, if known.
        line: Option<u32>,
    },
    /// It ended by itself.
    Ended,
}

/// Facts of a streaming query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum QueryFact {
    /// The query started, or started again.
    Started {
        /// The id from the checkpoint.
        query: QueryId,
        /// The id of this run.
        run: RunId,
        /// Its name, if it has one.
        name: Option<String>,
        /// Whether it goes on from a checkpoint.
        resumed: bool,
    },
    /// It found nothing to do.
    Idle {
        /// The query.
        query: QueryId,
    },
    /// It ended.
    Terminated {
        /// The query.
        query: QueryId,
        /// The message of its error, if it failed.
        error: Option<String>,
    },
}

/// Facts of a micro-batch: one for each phase that took place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchFact {
    /// The query.
    pub query: QueryId,
    /// The batch.
    pub batch: BatchId,
    /// The phase that is over.
    pub phase: Phase,
    /// Whether this is a second try of the batch.
    pub again: bool,
    /// What it did, in words that finish the phase's sentence: `names a.json and b.json`.
    pub note: String,
    /// Rows that the phase moved, if it moves rows.
    pub rows: Option<u64>,
}

/// Facts of the object store. Paths are absolute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ObjectFact {
    /// An object was written.
    Put {
        /// Where.
        path: String,
        /// How long it is, in bytes.
        bytes: u64,
        /// Whether one was there before.
        replaced: bool,
    },
    /// An object was read.
    Got {
        /// Where.
        path: String,
        /// How many bytes.
        bytes: u64,
    },
    /// A folder was listed.
    Listed {
        /// Which.
        prefix: String,
        /// How many objects were found.
        found: u64,
    },
    /// An object or a folder was deleted.
    Deleted {
        /// Where.
        path: String,
    },
}

/// Facts of crashes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FaultFact {
    /// The driver stopped.
    Crashed {
        /// Which side of what: `after put ckpt/offsets/0`.
        place: String,
        /// The side.
        when: When,
    },
}

impl BatchFact {
    /// The fact as a sentence for the learner: `Batch 2 is planned: offsets/2 now names c.json and d.json.`
    pub fn sentence(&self) -> String {
        let again = if self.again { " again" } else { "" };
        let verb = match self.phase {
            Phase::List => "looks for data",
            Phase::Note => "has noted new data",
            Phase::Plan => "is planned",
            Phase::Read => "reads",
            Phase::Work => "is computed",
            Phase::Save => "saves its state",
            Phase::Write => "writes",
            Phase::Commit => "goes to the sink",
            Phase::Advance => "moves the watermark",
            Phase::Done => "is done",
        };
        let note = if self.note.is_empty() { String::new() } else { format!(": {}", self.note) };
        format!("Batch {} {verb}{again}{note}.", self.batch)
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Script(fact) => write!(f, "script   {fact}"),
            Fact::Query(fact) => write!(f, "query    {fact}"),
            Fact::Batch(fact) => write!(f, "batch    {fact}"),
            Fact::Object(fact) => write!(f, "object   {fact}"),
            Fact::Fault(fact) => write!(f, "fault    {fact}"),
        }
    }
}

impl fmt::Display for ScriptFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScriptFact::Started { name } => write!(f, "run {name}"),
            ScriptFact::Printed { text } => write!(f, "printed {text:?}"),
            ScriptFact::Raised { class, message, line } => match line {
                Some(line) => write!(f, "line {line}: {class}: {message}"),
                None => write!(f, "{class}: {message}"),
            },
            ScriptFact::Ended => f.write_str("ended"),
        }
    }
}

impl fmt::Display for QueryFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            QueryFact::Started { query, name, resumed, .. } => {
                let verb = if *resumed { "resumed" } else { "started" };
                write!(f, "{} {verb}", name.as_deref().unwrap_or(&query.0))
            }
            QueryFact::Idle { query } => write!(f, "{query} found nothing new"),
            QueryFact::Terminated { query, error: None } => write!(f, "{query} ended"),
            QueryFact::Terminated { query, error: Some(error) } => write!(f, "{query} failed: {error}"),
        }
    }
}

impl fmt::Display for BatchFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let again = if self.again { " again" } else { "" };
        write!(f, "{} {:<7}{again} {}", self.batch, self.phase.verb(), self.note)?;
        match self.rows {
            Some(rows) => write!(f, " rows={rows}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ObjectFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectFact::Put { path, bytes, replaced } => {
                let verb = if *replaced { "replace" } else { "put" };
                write!(f, "{verb} {path} {bytes} B")
            }
            ObjectFact::Got { path, bytes } => write!(f, "get {path} {bytes} B"),
            ObjectFact::Listed { prefix, found } => write!(f, "list {prefix} {found}"),
            ObjectFact::Deleted { path } => write!(f, "delete {path}"),
        }
    }
}

impl fmt::Display for FaultFact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultFact::Crashed { place, .. } => write!(f, "the driver stopped {place}"),
        }
    }
}
