//! What there is: all lessons, the open one, and how far each has come.

use std::rc::Rc;

use tidemark_protocol::{CheckReport, Lesson, SinkRow, SinkView, View};

use super::progress::{Mark, Progress};
use crate::state::save::keep::Kept;

/// The six stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Text and the picture of the start.
    Read,
    /// One choice, and how sure.
    Guess,
    /// The run, up to the step that decides.
    Run,
    /// The guess over the result.
    Compare,
    /// A cause, and the file that proves it.
    Explain,
    /// Things to do by hand, then the exercise.
    Try,
}

impl Stage {
    /// All stages in their order.
    pub const ALL: [Stage; 6] =
        [Stage::Read, Stage::Guess, Stage::Run, Stage::Compare, Stage::Explain, Stage::Try];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Stage::Read => "Read",
            Stage::Guess => "Guess",
            Stage::Run => "Run",
            Stage::Compare => "Compare",
            Stage::Explain => "Explain",
            Stage::Try => "Try",
        }
    }

    /// Its number, from 1.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }
}

/// A guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// One of the choices.
    Option(usize),
    /// `I do not know`.
    Unknown,
}

/// What happens in a lesson.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonAction {
    /// The address asks for a lesson, or for none.
    Address(Option<String>),
    /// A lesson is opened by the name of its folder.
    Open(String),
    /// What was kept of former visits.
    Restore(String),
    /// On to the next stage.
    Next,
    /// A guess is chosen.
    Pick(Pick),
    /// How sure the learner is, from 0 to 4.
    Sure(u8),
    /// The guess is made: the run begins.
    Go,
    /// To the step that decides, without the steps before it.
    Skip,
    /// The step that decides is seen.
    See,
    /// To the step that decided.
    Decider,
    /// A cause is chosen.
    Cause(usize),
    /// The selected file is pointed at.
    Point,
    /// One hint more.
    Hint,
    /// The script is checked.
    Check,
    /// The check is stopped.
    Stop,
    /// To the step that the check names.
    GoThere,
    /// The solution is shown, or no longer.
    Solution(bool),
    /// The lesson closes, its world stays.
    Stay,
    /// The lesson closes, the sandbox as it was before comes back.
    Leave,
}

/// The lesson that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct Open {
    /// The lesson.
    pub lesson: Rc<Lesson>,
    /// The stage.
    pub stage: Stage,
    /// The guess.
    pub pick: Option<Pick>,
    /// How sure, from 0 to 4.
    pub sure: u8,
    /// How many moments there were before the run.
    pub base: usize,
    /// Whether the run has been done; the learner may still be on the way to its end.
    pub ran: bool,
    /// The step that decides.
    pub decider: Option<usize>,
    /// The cause that was chosen.
    pub cause: Option<usize>,
    /// The file that was pointed at last.
    pub pointed: Option<String>,
    /// Whether cause and evidence are right.
    pub explained: bool,
    /// How many of the things to do by hand are done.
    pub task: usize,
    /// Whether the exercise is on.
    pub exercise: bool,
    /// How many hints are shown.
    pub hints: usize,
    /// The check that goes on.
    pub checking: Option<u64>,
    /// How the last check stands.
    pub report: Option<Rc<CheckReport>>,
    /// The moment to go to as soon as its branch is there.
    pub going: Option<usize>,
    /// Whether the solution is shown.
    pub solution: bool,
    /// The learner's own work, which comes back after the lesson.
    pub aside: Rc<Kept>,
}

/// Everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    /// All lessons in their order.
    pub all: Rc<Vec<Rc<Lesson>>>,
    /// The one that is open.
    pub open: Option<Open>,
    /// How far each has come.
    pub progress: Progress,
}

impl Default for Desk {
    fn default() -> Desk {
        let all = tidemark_lessons::all().into_iter().map(Rc::new).collect();
        Desk { all: Rc::new(all), open: None, progress: Progress::default() }
    }
}

impl Desk {
    /// The number of a lesson, from 1.
    pub fn number(&self, lesson: &Lesson) -> usize {
        self.all.iter().position(|other| other.slug == lesson.slug).map_or(0, |at| at + 1)
    }

    /// The lesson after the open one.
    pub fn next(&self) -> Option<&Rc<Lesson>> {
        let open = self.open.as_ref()?;
        self.all.get(self.number(&open.lesson))
    }

    /// How far a lesson has come.
    pub fn mark(&self, lesson: &Lesson) -> Mark {
        self.progress.of(&lesson.form.id)
    }
}

impl Open {
    /// A lesson at its beginning.
    pub fn new(lesson: Rc<Lesson>, aside: Rc<Kept>) -> Open {
        Open {
            lesson,
            stage: Stage::Read,
            pick: None,
            sure: 2,
            base: 0,
            ran: false,
            decider: None,
            cause: None,
            pointed: None,
            explained: false,
            task: 0,
            exercise: false,
            hints: 0,
            checking: None,
            report: None,
            going: None,
            solution: false,
            aside,
        }
    }

    /// Whether the playhead of a run stands before the step that decides.
    pub fn is_at_the_stop(&self, moment: usize) -> bool {
        self.stage == Stage::Run && self.ran && self.decider.is_some_and(|decider| moment + 1 >= decider)
    }

    /// The choice of the guess; none for `I do not know`.
    pub fn guessed(&self) -> Option<&tidemark_protocol::lesson::GuessOption> {
        match self.pick? {
            Pick::Option(at) => self.lesson.form.guess.options.get(at),
            Pick::Unknown => None,
        }
    }

    /// The choice that is right.
    pub fn right(&self) -> &tidemark_protocol::lesson::GuessOption {
        &self.lesson.form.guess.options[self.lesson.right_guess()]
    }

    /// The boxes of the real thing at a moment.
    pub fn real(&self, view: &View) -> Vec<String> {
        self.lesson.form.guess.shows.boxes(view)
    }

    /// What the sink says of the guess.
    pub fn sink_note(&self) -> Option<String> {
        match self.stage {
            Stage::Read | Stage::Guess => {
                Some("This is the table before the run. Your guess says what it will be after.".to_owned())
            }
            Stage::Compare => {
                let extra = self.guessed().map_or(0, |guess| guess.extra.len());
                let rows = crate::state::words::count(extra, "row");
                (extra > 0).then(|| format!("Your guess had {rows} more. It is drawn as a ghost."))
            }
            Stage::Run | Stage::Explain | Stage::Try => None,
        }
    }

    /// The rows that the guess has beyond the real ones, once there is a result: copies of real rows.
    pub fn ghosts(&self, sink: &SinkView) -> Vec<SinkRow> {
        if self.stage != Stage::Compare {
            return Vec::new();
        }
        let extra = self.guessed().map(|guess| guess.extra.as_slice()).unwrap_or_default();
        let row = |key: &String| sink.rows.iter().find(|row| row.cells.first() == Some(key)).cloned();
        extra.iter().filter_map(row).collect()
    }
}
