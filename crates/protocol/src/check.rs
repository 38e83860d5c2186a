//! The check of a lesson: what is asked of a learner's script, and what came of it.
//!
//! A check looks at what a script has done, never at its text: several right answers are accepted.

use serde::{Deserialize, Serialize};
use tidemark_trace::CrashPoint;

use crate::act::Act;
use crate::lesson::{LessonFile, act_lines};

/// What a right answer has, on the visible data and on the hidden ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What a row is called in a message: `order`.
    pub noun: String,
    /// The acts that the script goes through. A `put` without a text takes the file of the data set.
    #[serde(with = "act_lines")]
    pub acts: Vec<Act>,
    /// The seeds of the hidden data sets.
    pub hidden: Vec<u64>,
    /// How the hidden data are made.
    pub data: DataForm,
    /// What must hold, in the order in which it is looked at.
    pub expect: Vec<Expect>,
}

/// How a hidden data set is made: for each file of the visible one a file of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataForm {
    /// The name of the generator.
    pub generator: Generator,
    /// The fewest and the most rows of a file.
    pub rows: [u64; 2],
    /// Of a hundred rows, how many come late.
    #[serde(default)]
    pub late: u64,
    /// By how many minutes at most.
    #[serde(default)]
    pub late_minutes: u64,
    /// Of a hundred rows, how many come once more.
    #[serde(default)]
    pub copies: u64,
}

/// The generators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// Orders: id, user, amt, ts.
    Orders,
}

/// One thing that must hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "lowercase", deny_unknown_fields)]
pub enum Expect {
    /// A Delta table holds the rows that the solution's holds, each as often.
    Rows {
        /// The path: `out/`.
        table: String,
        /// The column that names a row.
        key: String,
    },
    /// A Delta table holds just these rows.
    Given {
        /// The path.
        table: String,
        /// The column that names a row.
        key: String,
        /// The column names.
        columns: Vec<String>,
        /// The rows, cells as Spark shows them.
        rows: Vec<Vec<String>>,
    },
    /// No two rows of a Delta table have the same key.
    Once {
        /// The path.
        table: String,
        /// The column.
        key: String,
    },
    /// Every run of the script ends by itself.
    Ended,
    /// Streaming queries read each row of the input once.
    Read,
    /// The queries run so many batches in all.
    Batches {
        /// How many.
        exactly: u64,
    },
    /// A query is started with this option.
    Option {
        /// The name.
        name: String,
    },
    /// No operator ever holds more rows than this.
    State {
        /// How many.
        rows_max: u64,
    },
    /// A crash at each of these points in every run, then a restart: the tables are right all the same.
    Survives {
        /// The points.
        points: Vec<CrashPoint>,
    },
    /// A crash before and after every write, then a restart, on the visible data: the tables are right all the same.
    Sweep,
}

/// A script to be checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckAsk {
    /// The learner's script.
    pub script: String,
    /// The solution: on each data set it says what is right.
    pub solution: String,
    /// Seed and clock: what comes before all other acts.
    pub begin: Vec<Act>,
    /// The visible data.
    pub files: Vec<LessonFile>,
    /// What must hold.
    pub check: Check,
}

/// How a check stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Whether it is over.
    pub over: bool,
    /// Runs through the acts that are done.
    pub tried: u64,
    /// Runs through the acts in all.
    pub planned: u64,
    /// What it is doing, or how it ended: one sentence.
    pub sentence: String,
    /// What is wrong; nothing while all is right.
    pub failure: Option<CheckFailure>,
}

impl CheckReport {
    /// Whether it is over and all was right.
    pub fn passed(&self) -> bool {
        self.over && self.failure.is_none()
    }
}

/// The first thing that is wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckFailure {
    /// What and where: `On hidden data 2, order 17 is there twice. It first appears at step 63.`
    pub message: String,
    /// The data set, a name for its branch: `hidden data 2`.
    pub data: String,
    /// The acts that lead there.
    pub acts: Vec<Act>,
    /// The moment at which it first appears.
    pub moment: usize,
}
