//! Work that outlives the page: what is kept of it, where it comes from and goes to, and what the learner is told of it.

use std::rc::Rc;

use tidemark_protocol::{Act, Command, ExportForm, Work};

use crate::state::act::sample;
use crate::state::branch;
use crate::state::model::{Engine, Model};
use crate::state::save::fragment::shown;
use crate::state::{lesson, words};

/// Work as it is kept: all branches, the moment on screen, and the text in the editor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// The branches and the moment.
    pub work: Work,
    /// The text in the editor, unless the acts lead to it.
    pub draft: Option<String>,
}

impl Kept {
    /// Work in which nothing has been done.
    pub fn fresh(seed: u64) -> Kept {
        Kept { work: Work::of_acts(vec![Act::Seed { seed }]), draft: None }
    }

    /// Whether nothing has been done.
    pub fn is_empty(&self) -> bool {
        let mut acts = self.work.branches.iter().flat_map(|branch| &branch.acts);
        self.draft.is_none() && acts.all(|act| matches!(act, Act::Seed { .. }))
    }

    /// The text for the editor.
    pub fn text(&self) -> String {
        let by_acts = || script_of(&self.work.acts(self.work.current)).unwrap_or_default();
        self.draft.clone().unwrap_or_else(by_acts)
    }
}

/// The script that acts lead to; nothing if it came with an archive.
fn script_of(acts: &[Act]) -> Option<String> {
    // A script beside the main one never stands in the editor.
    let is_main = |act: &&Act| match act {
        Act::Edit { script, .. } => script == sample::NAME,
        act => matches!(act, Act::Import { .. }),
    };
    match acts.iter().rev().find(is_main) {
        Some(Act::Edit { text, .. }) => Some(text.clone()),
        Some(_) => None,
        None => Some(sample::SCRIPT.to_owned()),
    }
}

/// How the work and the browser's store stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keep {
    /// Whether work is kept.
    pub shelf: Shelf,
    /// The last errand for the store, with its number.
    pub errand: Option<(u32, Errand)>,
    /// Whether this is a copy of work that another tab has.
    pub is_copy: bool,
    /// Whether there is former work to go back to.
    pub has_former: bool,
    /// Former work where nothing is kept: as long as the tab lives.
    aside: Option<Rc<Kept>>,
    /// What the learner is told, with the moves that it offers.
    pub memo: Option<Memo>,
    /// Whether the browser has no network.
    pub offline: bool,
    /// The moment to which the opening leads back.
    pub return_to: Option<usize>,
    /// Whether the engine opens work, and does no act.
    is_opening: bool,
    /// The archive that is being imported.
    pub importing: Option<String>,
    /// The export that is asked for.
    exporting: Option<u64>,
    /// A file that is ready to be taken away, with its number.
    pub parcel: Option<Rc<Parcel>>,
}

/// Whether work is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    /// There is no store: it lasts as long as the tab.
    #[default]
    None,
    /// The store is asked what it has; the engine waits for the answer.
    Asked,
    /// It is kept.
    Kept,
    /// The last change could not be kept.
    Behind,
}

/// What the store is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errand {
    /// What is on screen is new work; what was there becomes the former.
    Begin,
    /// The former work is to come back.
    Back,
    /// The work that another tab has is to go on here.
    TakeOver,
}

/// A file to be taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The number of its request.
    pub number: u64,
    /// Its name.
    pub name: String,
    /// Its media type.
    pub mime: String,
    /// Its content.
    pub base64: String,
}

/// Something that is told and stays until it is closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Memo {
    /// What happened.
    pub what: String,
    /// What is kept, and the next move.
    pub kept: String,
    /// Moves, as buttons.
    pub moves: Vec<Move>,
}

/// A move that a memo offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Back to the former work.
    Back,
    /// Go on here with the work that another tab has.
    TakeOver,
    /// Take the folder away.
    Export,
    /// Load the page again, in its new version.
    Reload,
}

impl Move {
    /// The words on its button.
    pub fn word(self) -> &'static str {
        match self {
            Move::Back => "Back to the former work",
            Move::TakeOver => "Go on here",
            Move::Export => "Export the folder",
            Move::Reload => "Reload",
        }
    }
}

/// What happens to kept work.
#[derive(Clone, Debug, PartialEq)]
pub enum KeepNews {
    /// The store is asked.
    Ask,
    /// What the store has.
    Found {
        /// The work, if there is any.
        kept: Option<Kept>,
        /// Whether former work is there too.
        has_former: bool,
        /// Whether another tab has it open.
        is_copy: bool,
    },
    /// There is no store, and why.
    NoStore(String),
    /// All is kept again.
    Saved,
    /// There is no room: how many bytes the work has.
    Full(usize),
    /// Another tab goes on with this work.
    Taken,
    /// The former work is open in another tab, or gone.
    NoFormer,
    /// A link was opened.
    Link(Box<Result<Kept, String>>),
    /// A new sandbox, with its seed.
    Fresh(u64),
    /// Back to the former work.
    Back,
    /// Go on here with the work that another tab has.
    TakeOver,
    /// The store has brought work back.
    Opened {
        /// The work.
        kept: Box<Kept>,
        /// Whether there is former work now.
        has_former: bool,
    },
    /// The network has gone, or has come back.
    Offline(bool),
    /// A new version of the page is ready.
    Version,
    /// A file of the moment on screen is wanted.
    Export(ExportForm),
    /// An archive came in.
    Import {
        /// Its name.
        name: String,
        /// Its content, in base64.
        archive: String,
    },
    /// An archive came in that is too big: name and bytes.
    TooBig(String, u64),
    /// The memo is closed.
    Forget,
}

impl Model {
    /// The work as it is to be kept.
    pub fn kept(&self) -> Kept {
        lesson::aside(self).unwrap_or_else(|| self.shown())
    }

    /// The work that is on screen.
    pub fn shown(&self) -> Kept {
        let world = &self.world;
        let mut work = world.work();
        work.moment = match self.ui.keep.return_to {
            Some(moment) if world.marks.is_empty() => Some(moment),
            _ => (!world.at_end()).then_some(world.moment),
        };
        let draft = (script_of(&world.acts).as_ref() != Some(&world.draft)).then(|| world.draft.clone());
        Kept { work, draft }
    }

    /// Whether nothing is in flight, so that the acts are those of what is on screen.
    pub fn is_at_rest(&self) -> bool {
        let world = &self.world;
        world.engine == Engine::Ready && world.awaiting.is_none() && world.queue.is_empty()
    }
}

// tidy: table
pub(in crate::state) fn apply(model: &mut Model, news: KeepNews) {
    match news {
        KeepNews::Ask => model.ui_mut().keep.shelf = Shelf::Asked,
        KeepNews::Found { kept, has_former, is_copy } => {
            let keep = &mut model.ui_mut().keep;
            (keep.shelf, keep.has_former, keep.is_copy) = (Shelf::Kept, has_former, is_copy);
            if is_copy {
                tell(model, "This work is open in another tab.", COPY, vec![Move::TakeOver]);
            }
            match kept {
                Some(kept) if lesson::keep_aside(model, &kept) => begin_if_ready(model),
                Some(kept) => open(model, kept),
                None => begin_if_ready(model),
            }
        }
        KeepNews::NoStore(why) => {
            let was_asked = model.ui.keep.shelf == Shelf::Asked;
            model.ui_mut().keep.shelf = Shelf::None;
            let kept = format!(
                "Your work lasts as long as this tab. A link or an export keeps it. ({})",
                shown(&why)
            );
            tell(model, "This browser keeps nothing here.", &kept, vec![]);
            if was_asked {
                begin_if_ready(model);
            }
        }
        KeepNews::Saved => {
            let keep = &mut model.ui_mut().keep;
            if keep.shelf == Shelf::Behind {
                keep.memo = None;
            }
            keep.shelf = Shelf::Kept;
        }
        KeepNews::Full(bytes) => {
            model.ui_mut().keep.shelf = Shelf::Behind;
            let kept = format!(
                "This work has {}, and its last changes are not saved. Export the folder, or free some space; saving goes on by itself.",
                words::size(bytes as u64)
            );
            tell(model, "The browser's storage is full.", &kept, vec![Move::Export]);
        }
        KeepNews::Taken => {
            model.ui_mut().keep.is_copy = true;
            tell(model, "This work goes on in another tab.", COPY, vec![Move::TakeOver]);
        }
        KeepNews::NoFormer => {
            tell(
                model,
                "The former work cannot come here.",
                "It is open in another tab, or no longer kept.",
                vec![],
            );
        }
        KeepNews::Link(link) => follow_link(model, *link),
        KeepNews::Fresh(_) | KeepNews::Back | KeepNews::TakeOver if model.world.is_working() => {
            model.say("The engine is at work. Stop it first.");
        }
        KeepNews::Fresh(seed) if model.kept().is_empty() => {
            model.say(format!("This sandbox is new already; its seed is {}.", model.seed().unwrap_or(seed)));
        }
        KeepNews::Fresh(seed) => {
            replace(model, Kept::fresh(seed));
            model.ui_mut().dialog = None;
            tell(model, "This is a new sandbox.", "The former work is kept.", vec![Move::Back]);
        }
        KeepNews::Back => back(model),
        KeepNews::TakeOver => errand(model, Errand::TakeOver),
        KeepNews::Opened { kept, has_former } => {
            let keep = &mut model.ui_mut().keep;
            (keep.has_former, keep.is_copy, keep.memo) = (has_former, false, None);
            model.ui_mut().dialog = None;
            open(model, *kept);
        }
        KeepNews::Offline(offline) => {
            model.ui_mut().keep.offline = offline;
            if offline {
                model.say("You are offline. All lessons are here.");
            }
        }
        KeepNews::Version => {
            tell(model, "A new version is ready.", "Your work is kept and comes back.", vec![Move::Reload]);
        }
        KeepNews::Export(form) => {
            let moment = model.world.moment;
            let number = model.post(Command::Export { moment, form });
            model.ui_mut().keep.exporting = Some(number);
        }
        KeepNews::Import { name, archive } => import(model, name, archive),
        KeepNews::TooBig(name, bytes) => {
            let kept = format!(
                "It has {}, and {} are the limit. The store stands as before.",
                words::size(bytes),
                words::size(Act::ARCHIVE_BYTES_MAX as u64)
            );
            tell(model, &format!("{} was not imported.", shown(&name)), &kept, vec![]);
        }
        KeepNews::Forget => model.ui_mut().keep.memo = None,
    }
}

const COPY: &str = "Here you have a copy of its own: what you do is kept apart, and nothing is overwritten.";

impl Model {
    fn seed(&self) -> Option<u64> {
        self.world.acts.iter().find_map(|act| match act {
            Act::Seed { seed } => Some(*seed),
            _ => None,
        })
    }
}

fn tell(model: &mut Model, what: &str, kept: &str, moves: Vec<Move>) {
    model.ui_mut().keep.memo = Some(Memo { what: what.to_owned(), kept: kept.to_owned(), moves });
}

fn errand(model: &mut Model, errand: Errand) {
    let keep = &mut model.ui_mut().keep;
    let number = keep.errand.map_or(0, |(number, _)| number) + 1;
    keep.errand = Some((number, errand));
}

fn follow_link(model: &mut Model, link: Result<Kept, String>) {
    match link {
        Ok(kept) => {
            let has_own = !model.kept().is_empty();
            if has_own {
                replace(model, kept);
                tell(model, "This came with a link.", "Your own work is kept beside it.", vec![Move::Back]);
            } else {
                open(model, kept);
                tell(model, "This came with a link.", "It is yours now: change it as you like.", vec![]);
            }
        }
        Err(why) => {
            let kept = format!(
                "{}. Your own work stands as before. Ask for the link again, or for an exported folder.",
                shown(&why)
            );
            tell(model, "This link cannot be opened.", &kept, vec![]);
        }
    }
}

/// Puts other work on screen; what was there becomes the former.
fn replace(model: &mut Model, kept: Kept) {
    let before = Rc::new(model.kept());
    let keep = &mut model.ui_mut().keep;
    (keep.aside, keep.has_former, keep.is_copy) = (Some(before), true, false);
    errand(model, Errand::Begin);
    open(model, kept);
}

fn back(model: &mut Model) {
    if !model.ui.keep.has_former {
        model.say("There is no former work.");
    } else if model.ui.keep.shelf == Shelf::None {
        let Some(former) = model.ui.keep.aside.clone() else { return };
        model.ui_mut().keep.memo = None;
        replace(model, (*former).clone());
    } else {
        errand(model, Errand::Back);
    }
}

/// Begins from kept work: nothing of what was on screen stays.
pub(in crate::state) fn open(model: &mut Model, kept: Kept) {
    lesson::close(model);
    let world = model.world_mut();
    world.draft = kept.text();
    world.script = String::new();
    world.view = None;
    world.marks = Rc::default();
    world.moment = 0;
    branch::restore(world, &kept.work);
    (world.comparing, world.comparison) = (None, None);
    world.queue.clear();
    world.deeds.clear();
    (world.awaiting, world.looking, world.reading) = (None, None, None);
    (world.slow, world.busy, world.object) = (false, None, None);
    let ui = model.ui_mut();
    (ui.selected, ui.follow, ui.playing, ui.notice) = (None, true, false, None);
    ui.keep.return_to = kept.work.moment;
    ui.keep.importing = None;
    begin_if_ready(model);
}

/// Opens the work in the engine, if that has said that it is there.
fn begin_if_ready(model: &mut Model) {
    if matches!(model.world.engine, Engine::Opening | Engine::Ready) {
        begin(model);
    }
}

/// Opens the work in an engine that is there, unless the store is still asked for it.
pub(in crate::state) fn begin(model: &mut Model) {
    model.world_mut().engine = Engine::Opening;
    model.ui_mut().keep.is_opening = true;
    if model.ui.keep.shelf == Shelf::Asked {
        return;
    }
    let mut work = model.world.work();
    work.moment = model.ui.keep.return_to;
    let number = model.post(Command::Open { work });
    model.world_mut().awaiting = Some(number);
}

fn import(model: &mut Model, name: String, archive: String) {
    model.ui_mut().over = false;
    if model.world.view.is_none() || model.world.is_working() {
        tell(
            model,
            "The engine is not ready.",
            &format!("{} was not taken. Drop it again in a moment.", shown(&name)),
            vec![],
        );
        return;
    }
    let ui = model.ui_mut();
    ui.keep.importing = Some(name.clone());
    ui.dialog = None;
    let text = model.world.draft.clone();
    // The text in the editor gives way to that of the archive: it stays on the rail.
    let edit = (text != model.world.script).then(|| Act::Edit { script: sample::NAME.to_owned(), text });
    crate::state::act::deed::ask(model, edit.into_iter().chain([Act::Import { name, archive }]));
}

/// An act has been done: the script of an archive is the text in the editor now.
pub(in crate::state) fn done(model: &mut Model) {
    let keep = &mut model.ui_mut().keep;
    keep.return_to = None;
    let was_act = !std::mem::take(&mut keep.is_opening);
    // Who goes on has read it; the way back stays in the dialog.
    if was_act && keep.memo.as_ref().is_some_and(|memo| memo.moves.iter().all(|chosen| *chosen == Move::Back))
    {
        keep.memo = None;
    }
    if model.world.queue.is_empty() && model.ui_mut().keep.importing.take().is_some() {
        let script = model.world.script.clone();
        model.world_mut().draft = script;
    }
}

/// An act was refused; says whether the learner has been told.
pub(in crate::state) fn refused(model: &mut Model, number: u64, message: &str) -> bool {
    let keep = &mut model.ui_mut().keep;
    let was_export = keep.exporting == Some(number);
    if was_export {
        keep.exporting = None;
    }
    let was_import = keep.importing.take().is_some();
    if was_export || was_import {
        tell(
            model,
            if was_export { "The export was not made." } else { "The import was not done." },
            message,
            vec![],
        );
    }
    was_export || was_import
}

/// A file has come that was asked for.
pub(in crate::state) fn parcel(model: &mut Model, parcel: Parcel) {
    let keep = &mut model.ui_mut().keep;
    if keep.exporting == Some(parcel.number) {
        keep.exporting = None;
        let said = format!("{} is on its way to your downloads.", parcel.name);
        keep.parcel = Some(Rc::new(parcel));
        model.say(said);
    }
}
