//! The link between page and worker: numbered requests down, updates up.

use std::rc::Rc;

use serde::{Deserialize, Serialize};
use tidemark_trace::Event;
use tidemark_types::SimTime;

use crate::act::Act;
use crate::object_view::ObjectView;
use crate::view::View;

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
    /// Begin a sandbox from these acts: none for a fresh one, all of them after a worker has died.
    Open {
        /// The acts in order.
        acts: Vec<Act>,
    },
    /// Do one act at the moment `at`; acting in the past starts a branch there.
    Do {
        /// The act.
        act: Act,
        /// The moment at which the learner acts.
        at: usize,
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
    /// Interrupt a long run: what has been done stays.
    Halt,
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
    /// The moments from `first_mark` on; earlier ones are unchanged since the last update.
    pub marks: Vec<MomentMark>,
    /// The index of the first mark.
    pub first_mark: usize,
    /// The number of moments there are.
    pub moments: usize,
    /// The facts since the last update.
    pub events: Vec<Event>,
    /// The acts from `first_act` on; earlier ones are unchanged since the last update. All of them are what a page
    /// keeps to begin again.
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
}
