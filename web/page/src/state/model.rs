//! The whole state of the page.

use std::rc::Rc;

use tidemark_protocol::{
    Act, Busy, Command, Comparison, MomentMark, ObjectView, Place, Request, ScriptState, StoreEntry, View,
};

use crate::state::act::deed::Deed;
use crate::state::act::sample;
use crate::state::branch::Branch;
use crate::state::lesson::{Curtain, Desk};
use crate::state::look::changes::Changes;
use crate::state::look::sweep::SweepStand;
use crate::state::look::time::Time;
use crate::state::look::way::Way;
use crate::state::save::keep::Keep;
use crate::state::tabs::{Evidence, Tab};

/// Everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// What came from the engine.
    pub world: Rc<World>,
    /// What the learner chose to see.
    pub ui: Rc<Ui>,
    /// Requests to be posted, each once, in the order of their numbers.
    pub outbox: Vec<Request>,
    /// The number of the last request.
    pub number: u64,
    /// How many workers have died and are to be replaced.
    pub deaths: u32,
    /// How many have died since one last answered.
    pub failures: u32,
}

/// How the engine stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// It is on its way.
    Loading,
    /// It builds the sandbox, afresh or from the acts.
    Opening,
    /// It answers.
    Ready,
    /// It died at every start.
    Broken,
}

/// The sandbox as the page knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// How the engine stands.
    pub engine: Engine,
    /// Its version.
    pub version: String,
    /// The moment on screen.
    pub view: Option<Rc<View>>,
    /// All moments of the branch on screen.
    pub marks: Rc<Vec<MomentMark>>,
    /// Where the playhead stands.
    pub moment: usize,
    /// The acts of the branch on screen, those that it shares included.
    pub acts: Rc<Vec<Act>>,
    /// The place of the branch on screen.
    pub branch: usize,
    /// All branches; from their acts a new worker begins again.
    pub branches: Vec<Branch>,
    /// The request for the comparison at hand or on its way, and its sides.
    pub comparing: Option<(u64, Place, Place)>,
    /// Two moments side by side.
    pub comparison: Option<Rc<Comparison>>,
    /// When the selected object changed, or the question that is on its way.
    pub changes: Changes,
    /// The time plane and the state.
    pub time: Time,
    /// The crash sweep.
    pub sweep: SweepStand,
    /// What is followed.
    pub way: Way,
    /// Acts that wait for the one in flight.
    pub queue: Vec<Act>,
    /// Deeds that wait for the acts in flight: what they ask depends on how those end.
    pub deeds: Vec<Deed>,
    /// The opening or the act that is in flight.
    pub awaiting: Option<u64>,
    /// Whether what is in flight takes longer than a blink.
    pub slow: bool,
    /// The look that is in flight, and the moment it asks for.
    pub looking: Option<(u64, usize)>,
    /// The object that is asked for.
    pub reading: Option<(u64, String)>,
    /// Set while a long run goes on.
    pub busy: Option<Busy>,
    /// The opened object.
    pub object: Option<Rc<ObjectView>>,
    /// What a lesson holds back.
    pub curtain: Curtain,
    /// The text in the editor.
    pub draft: String,
    /// The text of the script as of the last moment.
    pub script: String,
}

/// What went wrong, with what is kept and the next move.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// What happened.
    pub what: String,
    /// What is kept, and the next move.
    pub kept: String,
    /// The message of the machine, if there is one.
    pub why: String,
    /// Whether something broke: red.
    pub broken: bool,
}

/// The choices of the learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Ui {
    /// Which screen is on.
    pub screen: Screen,
    /// The object or folder that is selected.
    pub selected: Option<String>,
    /// Whether the selection is what the step wrote.
    pub follow: bool,
    /// How the object is read.
    pub reading: Reading,
    /// Whether the store shows only what changed.
    pub only_new: bool,
    /// Which picture is on.
    pub tab: Tab,
    /// The two moments that were chosen to be compared.
    pub sides: Option<(Place, Place)>,
    /// How far one move of the transport goes.
    pub depth: Depth,
    /// Whether the opened object takes the whole row, raw and in fields.
    pub wide: bool,
    /// What the last panel shows.
    pub evidence: Evidence,
    /// Which panel a phone shows.
    pub dock: Dock,
    /// The theme.
    pub theme: Theme,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// Whether a file hangs over the page.
    pub over: bool,
    /// Whether play is on.
    pub playing: bool,
    /// What is said to the learner just now.
    pub said: Option<String>,
    /// What went wrong.
    pub notice: Option<Notice>,
    /// How the work and the browser's store stand.
    pub keep: Keep,
    /// The lessons.
    pub lesson: Rc<Desk>,
}

/// The screens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// The first one, readable before the engine is there.
    Start,
    /// The sandbox.
    Sandbox,
}

/// Three readings of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Named fields or rows.
    Fields,
    /// In words.
    Words,
    /// As it lies in the store.
    Raw,
}

/// Three depths of the picture and the transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Run by run.
    Run,
    /// Batch by batch.
    Batch,
    /// One protocol step at a time.
    Step,
}

impl Depth {
    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Depth::Run => "run",
            Depth::Batch => "batch",
            Depth::Step => "step",
        }
    }

    /// The next finer or coarser one; at the ends the same.
    #[must_use]
    pub fn next(self, finer: bool) -> Depth {
        match (self, finer) {
            (Depth::Run, true) | (Depth::Step, false) => Depth::Batch,
            (Depth::Batch | Depth::Step, true) => Depth::Step,
            (Depth::Run | Depth::Batch, false) => Depth::Run,
        }
    }
}

/// The dialogs; one at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The sheet of keys.
    Keys,
    /// The palette, with what is looked for.
    Palette(String),
    /// The branches: switch, compare, rename, drop.
    Branches,
    /// Link, export, import, new and former work.
    Share,
    /// What a second hand can do.
    Hand,
}

/// The panels of a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dock {
    /// The text of the lesson that is open.
    Lesson,
    /// The script and its output.
    Code,
    /// The tree.
    Store,
    /// The opened object.
    Inspect,
    /// The tables and the numbers.
    Sink,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the system.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The one after this in the turn of the switch.
    pub fn next(self) -> Theme {
        match self {
            Theme::System => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::System,
        }
    }

    /// Its word, as it is stored.
    pub fn word(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme with this word; the system's for any other.
    pub fn from_word(word: &str) -> Theme {
        match word {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::System,
        }
    }
}

impl Model {
    /// A page whose engine is on its way.
    pub fn fresh(screen: Screen, theme: Theme) -> Model {
        let world = World {
            engine: Engine::Loading,
            version: String::new(),
            view: None,
            marks: Rc::default(),
            moment: 0,
            acts: Rc::default(),
            branch: 0,
            branches: Vec::new(),
            comparing: None,
            comparison: None,
            changes: Changes::default(),
            time: Time::default(),
            sweep: SweepStand::default(),
            way: Way::default(),
            queue: Vec::new(),
            deeds: Vec::new(),
            awaiting: None,
            slow: false,
            looking: None,
            reading: None,
            busy: None,
            object: None,
            curtain: Curtain::default(),
            draft: sample::SCRIPT.to_owned(),
            script: String::new(),
        };
        let ui = Ui {
            screen,
            selected: None,
            follow: true,
            reading: Reading::Fields,
            only_new: false,
            tab: Tab::Lane,
            sides: None,
            depth: Depth::Step,
            wide: false,
            evidence: Evidence::Sink,
            dock: Dock::Code,
            theme,
            dialog: None,
            over: false,
            playing: false,
            said: None,
            notice: None,
            keep: Keep::default(),
            lesson: Rc::default(),
        };
        Model {
            world: Rc::new(world),
            ui: Rc::new(ui),
            outbox: Vec::new(),
            number: 0,
            deaths: 0,
            failures: 0,
        }
    }

    /// The world, to be changed.
    pub(crate) fn world_mut(&mut self) -> &mut World {
        Rc::make_mut(&mut self.world)
    }

    /// The choices, to be changed.
    pub(crate) fn ui_mut(&mut self) -> &mut Ui {
        Rc::make_mut(&mut self.ui)
    }

    /// Puts a request into the outbox and gives its number.
    pub(crate) fn post(&mut self, command: Command) -> u64 {
        self.number += 1;
        self.outbox.push(Request { number: self.number, command });
        self.number
    }

    /// Says something to the learner.
    pub(crate) fn say(&mut self, text: impl Into<String>) {
        self.ui_mut().said = Some(text.into());
    }
}

impl Ui {
    /// The lessons, to be changed.
    pub(crate) fn lesson_mut(&mut self) -> &mut Desk {
        Rc::make_mut(&mut self.lesson)
    }
}

impl World {
    /// The number of moments there are.
    pub fn moments(&self) -> usize {
        self.marks.len()
    }

    /// How many moments may be seen.
    pub fn seen(&self) -> usize {
        self.curtain.veil.map_or(self.marks.len(), |veil| (veil + 1).min(self.marks.len()))
    }

    /// Whether the playhead stands at the known end, or before what a lesson still covers.
    pub fn at_end(&self) -> bool {
        let is_covered = self.curtain.veil.is_some_and(|veil| self.moment >= veil);
        is_covered || self.moment + 1 >= self.marks.len()
    }

    /// How the script stands on screen.
    pub fn script_state(&self) -> ScriptState {
        self.view.as_ref().map_or(ScriptState::Fresh, |view| view.script.state)
    }

    /// Whether the engine is at work for so long that the page shows it.
    pub fn is_working(&self) -> bool {
        self.awaiting.is_some() && (self.slow || self.busy.is_some())
    }

    /// Whether there is no file in the store on screen.
    pub fn has_no_file(&self) -> bool {
        self.view.as_ref().is_none_or(|view| view.store.iter().all(|entry| entry.folder))
    }

    /// Whether the script has been edited since the run that is on the rail.
    pub fn is_stale(&self) -> bool {
        self.marks.iter().any(|mark| mark.run > 0) && self.draft != self.script
    }

    /// The entry of the store with this path that is not gone.
    pub fn entry(&self, path: &str) -> Option<&StoreEntry> {
        let view = self.view.as_ref()?;
        view.store
            .iter()
            .find(|entry| entry.path == path && entry.change != tidemark_protocol::Change::Deleted)
    }
}
