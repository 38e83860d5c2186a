//! The link between page and worker: numbered requests down, updates up.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tidemark_types::SimTime;

use crate::act::Act;
use crate::check::{CheckAsk, CheckReport};
use crate::compare::Comparison;
use crate::lineage::{Lineage, LineageOf};
use crate::modes::ModesView;
use crate::object_view::ObjectView;
use crate::plane::PlaneView;
use crate::state_view::StateView;
use crate::sweep::SweepTable;
use crate::view::View;
use crate::work::{BranchMark, Place, Work};

/// A command with its number: answers to older numbers are stale and dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// The number, growing.
    pub number: u64,
    /// What is asked.
    pub command: Command,
}

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Command {
    /// Begin a sandbox from this work: an empty one for a fresh sandbox, all of it after a worker has died.
    Open {
        /// The work.
        work: Work,
    },
    /// Do one act at the moment `at`; acting in the past starts a branch there.
    Do {
        /// The act.
        act: Act,
        /// The moment at which the learner acts.
        at: usize,
    },
    /// Begin a branch that shares nothing with the others: a cell of the crash sweep, a link.
    Begin {
        /// Its name.
        name: String,
        /// Its acts.
        acts: Vec<Act>,
    },
    /// Put another branch on screen.
    Switch {
        /// Its place among the branches.
        branch: usize,
        /// The moment to show; the newest if absent.
        moment: Option<usize>,
    },
    /// Rename a branch.
    Rename {
        /// Its place among the branches.
        branch: usize,
        /// The new name.
        name: String,
    },
    /// Drop a branch; `main` stays.
    Discard {
        /// Its place among the branches.
        branch: usize,
    },
    /// Put two moments side by side.
    Compare {
        /// The left one.
        left: Place,
        /// The right one.
        right: Place,
    },
    /// Try every crash of the script on the branch that is on screen.
    Sweep {
        /// Whether to crash a second time within each recovery.
        recovery: bool,
    },
    /// Follow a row, as of a moment.
    Follow {
        /// The moment.
        moment: usize,
        /// The row.
        of: LineageOf,
    },
    /// Draw the time of a query, as of a moment.
    Plane {
        /// The moment.
        moment: usize,
        /// The place of the query in the view; the one that has most to show if absent.
        query: Option<usize>,
    },
    /// Run a query in each output mode, over the input of its batches up to a moment.
    Modes {
        /// The moment.
        moment: usize,
        /// The place of the query in the view; the one that started last if absent.
        query: Option<usize>,
    },
    /// Show the state of a query, as of a moment.
    State {
        /// The moment.
        moment: usize,
        /// The place of the query in the view; the one that has most to show if absent.
        query: Option<usize>,
        /// The batch after which it is wanted; the newest if absent.
        batch: Option<i64>,
    },
    /// Make a file of a moment, to go on elsewhere.
    Export {
        /// The moment.
        moment: usize,
        /// What is wanted.
        form: ExportForm,
    },
    /// Show a moment.
    Look {
        /// Its index.
        moment: usize,
    },
    /// Open an object as of a moment.
    Read {
        /// The moment.
        moment: usize,
        /// The path as the store shows it.
        path: String,
    },
    /// Say at which moments of the branch on screen an object, or anything below a folder, changed.
    Changes {
        /// The path as the store shows it.
        path: String,
    },
    /// Check a script against what a lesson asks of it; the sandbox stands as before.
    Check {
        /// The script and what is asked.
        ask: Box<CheckAsk>,
    },
    /// Interrupt a long run: what has been done stays.
    Halt,
}

/// What a moment can be taken away as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExportForm {
    /// The script as it stands: `main.py`.
    Script,
    /// A notebook that makes `spark` and holds the script.
    Notebook,
    /// A folder with script, data, checkpoint and tables, which real Spark resumes.
    Folder,
}

/// What the worker posts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "lowercase")]
pub enum FromWorker {
    /// The engine is loaded and waits for `Open`.
    Ready {
        /// Its version.
        version: String,
    },
    /// An update.
    Update {
        /// The update.
        update: Box<Update>,
    },
    /// An object that was asked for.
    Object {
        /// The number of the request.
        number: u64,
        /// The object.
        object: Box<ObjectView>,
    },
    /// Two moments side by side.
    Compared {
        /// The number of the request.
        number: u64,
        /// What differs.
        comparison: Box<Comparison>,
    },
    /// The crash sweep so far; it is over when as many have been tried as were planned.
    Swept {
        /// The number of the request.
        number: u64,
        /// The table so far.
        table: Box<SweepTable>,
    },
    /// The time of a query.
    Plane {
        /// The number of the request.
        number: u64,
        /// The picture.
        plane: Box<PlaneView>,
    },
    /// A query in each output mode.
    Modes {
        /// The number of the request.
        number: u64,
        /// What each mode hands to the sink.
        modes: Box<ModesView>,
    },
    /// The state of a query.
    State {
        /// The number of the request.
        number: u64,
        /// The state.
        state: Box<StateView>,
    },
    /// The way of a row.
    Followed {
        /// The number of the request.
        number: u64,
        /// The way.
        lineage: Box<Lineage>,
    },
    /// A file that was asked for.
    File {
        /// The number of the request.
        number: u64,
        /// Its name.
        name: String,
        /// Its media type.
        mime: String,
        /// Its content.
        base64: String,
    },
    /// The check of a script so far.
    Checked {
        /// The number of the request.
        number: u64,
        /// How it stands.
        report: Box<CheckReport>,
    },
    /// The moments at which an object changed.
    Changes {
        /// The number of the request.
        number: u64,
        /// The moments, growing.
        moments: Vec<usize>,
    },
    /// A request that could not be served; the sandbox stands as before.
    Refused {
        /// The number of the request.
        number: u64,
        /// Why, as a sentence with the next move.
        message: String,
    },
}

/// How the sandbox stands after a request, or in the middle of a long one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The number of the request that this belongs to.
    pub number: u64,
    /// The moment that `view` shows.
    pub view: Rc<View>,
    /// The moments of the branch from `first_mark` on; earlier ones are unchanged since the last update of this branch.
    pub marks: Vec<MomentMark>,
    /// The index of the first mark.
    pub first_mark: usize,
    /// The number of moments there are.
    pub moments: usize,
    /// The place of the branch that is on screen: `view`, `marks` and `acts` are of this one.
    pub branch: usize,
    /// All branches.
    pub branches: Vec<BranchMark>,
    /// The acts of the branch from `first_act` on; earlier ones are unchanged since the last update of this branch, or
    /// are those that it shares with the branch that it left. All of them are what a page keeps to begin again.
    pub acts: Vec<Act>,
    /// The index of the first act in `acts`.
    pub first_act: usize,
    /// Set while the run goes on.
    pub busy: Option<Busy>,
}

/// What a long run is doing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Busy {
    /// In words: `batch 12, 3 100 rows`.
    pub what: String,
}

/// One moment on the rail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentMark {
    /// The World's time.
    pub at: SimTime,
    /// The sentence.
    pub sentence: String,
    /// Which run of the script it belongs to, from 1; 0 before the first.
    pub run: u32,
    /// The batch it belongs to.
    pub batch: Option<i64>,
    /// The phase it completes.
    pub phase: Option<tidemark_trace::Phase>,
    /// Whether the driver stopped here.
    pub crash: bool,
    /// Whether it is an act of the learner's.
    pub act: bool,
    /// Whether rows left the query here.
    pub output: bool,
    /// Whether a duplicate first appeared here.
    pub duplicate: bool,
    /// Rows that the batch which is done here dropped because they came too late, as Spark counts them.
    #[serde(default)]
    pub dropped: u64,
}
