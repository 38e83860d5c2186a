//! All that can happen to the page, as a closed list.

use tidemark_protocol::{ArmPlace, FromWorker, LineageOf, Place};

use crate::state::act::deed::Deed;
use crate::state::lesson::LessonAction;
use crate::state::look::sides::Side;
use crate::state::look::sweep::SweepMove;
use crate::state::model::{Dialog, Dock, Reading, Screen, Theme};
use crate::state::save::keep::KeepNews;
use crate::state::tabs::{Evidence, Tab};

/// A file that was dropped on the page or picked.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// Its name, without folders.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// The worker said something.
    Heard(Box<FromWorker>),
    /// The worker died.
    Died(String),
    /// The act with this number takes longer than a blink.
    Slow(u64),
    /// The act with this number was to be interrupted and still goes on.
    Overdue(u64),
    /// The page drew the seed of this sandbox.
    Seed(u64),
    /// The learner does one of the acts that have a button.
    Do(Deed),
    /// The learner deletes an object or a folder.
    Delete(String),
    /// The learner arms a crash.
    Arm(ArmPlace),
    /// The driver dies at a moment that has been.
    CrashAt(usize),
    /// Work is kept, shared, taken away or brought in.
    Keep(KeepNews),
    /// Every crash is tried, or what came of it is looked at.
    Sweep(SweepMove),
    /// Files came in.
    Files(Vec<Dropped>),
    /// The script was edited.
    Draft(String),
    /// The playhead moves to a moment.
    Look(usize),
    /// One step on; at the known end one engine step.
    On,
    /// By so many steps, negative backwards.
    By(i64),
    /// By so many batches.
    ByBatch(i64),
    /// By so many runs.
    ByRun(i64),
    /// By so many moves of the depth that is chosen.
    Move(i64),
    /// To a moment of a branch.
    Visit(Place),
    /// Another branch comes on screen, at its newest moment.
    Switch(usize),
    /// A branch gets another name.
    Rename(usize, String),
    /// A branch is dropped.
    Discard(usize),
    /// Two moments are put side by side.
    Compare(Place, Place),
    /// Another moment stands on a side of the comparison.
    Side(Side, Place),
    /// To the next change of the selected object, or the previous one.
    Change(bool),
    /// The script runs again from nothing: checkpoints and tables go first.
    Afresh,
    /// Whether the opened object takes the whole row.
    Wide(bool),
    /// Back to where this branch left another one.
    Fork,
    /// To the start.
    First,
    /// To the end.
    Last,
    /// Play begins or pauses.
    Play,
    /// Time for the next step of play.
    Tick,
    /// An object or a folder is opened.
    Select(String),
    /// Whether the opened object is the one that the step wrote.
    Follow(bool),
    /// How the object is read.
    Read(Reading),
    /// Whether the store shows only what changed.
    OnlyNew(bool),
    /// What the last panel shows.
    Show(Evidence),
    /// Which panel a phone shows.
    Dock(Dock),
    /// The next theme.
    Theme(Theme),
    /// Which screen is on.
    Screen(Screen),
    /// Which picture is on.
    Tab(Tab),
    /// One depth finer, or one coarser.
    Depth(bool),
    /// A dialog opens.
    Open(Dialog),
    /// The dialog closes.
    Close,
    /// A file hangs over the page.
    Over(bool),
    /// The question why a window is not out yet opens, or closes.
    Why(Option<usize>),
    /// A row of the time plane gets another event time, so many milliseconds later.
    Shift(usize, i64),
    /// A file with one event at this time is dropped.
    AddEvent(i64),
    /// The batch after which the state is shown; the newest if none.
    StateOf(Option<i64>),
    /// A row or a line is followed; the same twice, or nothing, is nothing more.
    Trace(Option<LineageOf>),
    /// A second hand does the thing of this number.
    Lend(usize),
    /// Something happens in a lesson.
    Lesson(LessonAction),
    /// Something is said to the learner.
    Say(String),
    /// What was said has been read.
    Quiet,
    /// The notice is closed.
    Dismiss,
}
