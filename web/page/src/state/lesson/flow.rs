//! How a lesson goes: from stage to stage, and what it asks of the engine.

use std::rc::Rc;

use tidemark_protocol::{Act, CheckAsk, CheckReport, Command, Work, WorkBranch};

use super::curtain::Curtain;
use super::desk::{LessonAction, Open, Stage};
use super::progress::Progress;
use crate::state::act::deed::{self, Deed};
use crate::state::action::Action;
use crate::state::model::{Dock, Engine, Model, Screen};
use crate::state::save::keep::{self, Kept};
use crate::state::{heard, travel};

/// The most that is said before a guess.
const GUESS_FIRST: &str = "Guess first: then the script runs.";
const ON_THE_WAY: &str = "The run stops before the step that decides. See it first.";

/// One thing that happens in a lesson.
// tidy: table
pub(in crate::state) fn act(model: &mut Model, action: LessonAction) {
    match action {
        LessonAction::Address(Some(slug)) | LessonAction::Open(slug) => open(model, &slug),
        LessonAction::Address(None) => leave(model),
        LessonAction::Restore(text) => model.ui_mut().lesson_mut().progress = Progress::read(&text),
        LessonAction::Next => next(model),
        LessonAction::Pick(pick) => change(model, |open| open.pick = Some(pick)),
        LessonAction::Sure(sure) => change(model, |open| open.sure = sure.min(4)),
        LessonAction::Go => go(model),
        LessonAction::Skip => {
            model.ui_mut().playing = false;
            travel::go(model, model.world.moments());
        }
        LessonAction::See => see(model),
        LessonAction::Decider => {
            let decider = model.ui.lesson.open.as_ref().and_then(|open| open.decider);
            if let Some(decider) = decider {
                travel::go(model, decider);
            }
        }
        LessonAction::Cause(at) => change(model, |open| open.cause = Some(at)),
        LessonAction::Point => point(model),
        LessonAction::Hint => {
            change(model, |open| open.hints = (open.hints + 1).min(open.lesson.form.hints.len()));
        }
        LessonAction::Check => check(model),
        LessonAction::Stop => {
            if model.ui.lesson.open.as_ref().is_some_and(|open| open.checking.is_some()) {
                model.post(Command::Halt);
                change(model, |open| (open.checking, open.report) = (None, None));
            }
        }
        LessonAction::GoThere => go_there(model),
        LessonAction::Solution(shown) => {
            change(model, |open| open.solution = shown);
            if shown {
                note(model, |mark| mark.seen |= !mark.solved);
            }
        }
        LessonAction::Stay => stay(model),
        LessonAction::Leave => leave(model),
    }
}

/// Why an action is not for now, if it is not; R in a guess makes it.
pub(in crate::state) fn refuses(
    model: &Model,
    action: &Action,
) -> Option<Result<LessonAction, &'static str>> {
    let hold = model.world.curtain.hold?;
    let open = model.ui.lesson.open.as_ref()?;
    let is_act = match action {
        Action::Do(Deed::Stop) => false,
        Action::Do(Deed::Run | Deed::Restart) if open.stage == Stage::Guess && open.pick.is_some() => {
            return Some(Ok(LessonAction::Go));
        }
        Action::Do(_) | Action::Delete(_) | Action::Arm(_) | Action::CrashAt(_) | Action::Files(_) => true,
        Action::Shift(..) | Action::AddEvent(_) | Action::Draft(_) | Action::Lend(_) | Action::Afresh => true,
        Action::On | Action::Move(1..) => {
            if model.world.at_end() && open.is_at_the_stop(model.world.moment) {
                return Some(Ok(LessonAction::See));
            }
            model.world.at_end()
        }
        _ => false,
    };
    is_act.then_some(Err(hold))
}

/// What follows from what has just changed: the run is through, a thing is done, a branch is there.
pub(in crate::state) fn after(before: &Model, model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone() else { return };
    let is_at_rest = model.world.awaiting.is_none()
        && model.world.queue.is_empty()
        && model.world.engine == Engine::Ready
        && !model.world.marks.is_empty();
    match open.stage {
        Stage::Read | Stage::Guess if is_at_rest => {
            let last = model.world.moments() - 1;
            if model.world.curtain.veil != Some(last) {
                model.world_mut().curtain.veil = Some(last);
            }
        }
        Stage::Run if !open.ran && is_at_rest => ran(before, model, &open),
        // The run is done at once and seen step by step: nothing of it shows before.
        Stage::Run if !open.ran => {
            let world = model.world_mut();
            world.view.clone_from(&before.world.view);
            model.ui_mut().selected.clone_from(&before.ui.selected);
        }
        Stage::Try if !open.exercise => watch(model, &open),
        _ => {}
    }
    if let Some(moment) = open.going.filter(|_| is_at_rest) {
        change(model, |open| open.going = None);
        travel::go(model, moment);
    }
}

/// The check has said something.
pub(in crate::state) fn checked(model: &mut Model, number: u64, report: CheckReport) {
    let is_awaited = model.ui.lesson.open.as_ref().is_some_and(|open| open.checking == Some(number));
    if !is_awaited {
        return;
    }
    let (over, passed) = (report.over, report.passed());
    change(model, |open| {
        open.report = Some(Rc::new(report));
        if over {
            open.checking = None;
        }
    });
    if passed {
        note(model, |mark| mark.solved = true);
    }
}

/// The learner's own work while a lesson is on screen.
pub(in crate::state) fn aside(model: &Model) -> Option<Kept> {
    model.ui.lesson.open.as_ref().map(|open| (*open.aside).clone())
}

/// Work that the browser has kept, and that waits until the lesson is over; says whether a lesson is open.
pub(in crate::state) fn keep_aside(model: &mut Model, kept: &Kept) -> bool {
    let is_open = model.ui.lesson.open.is_some();
    change(model, |open| open.aside = Rc::new(kept.clone()));
    is_open
}

// ---- stages

fn change(model: &mut Model, change: impl FnOnce(&mut Open)) {
    if let Some(open) = &mut model.ui_mut().lesson_mut().open {
        change(open);
    }
}

fn note(model: &mut Model, change: impl FnOnce(&mut super::progress::Mark)) {
    let Some(id) = model.ui.lesson.open.as_ref().map(|open| open.lesson.form.id.clone()) else { return };
    model.ui_mut().lesson_mut().progress.note(&id, change);
}

fn stage(model: &mut Model, stage: Stage) {
    change(model, |open| open.stage = stage);
    note(model, |mark| mark.stage = mark.stage.max(stage.number()));
    model.ui_mut().dock = Dock::Lesson;
}

/// A lesson begins: its world takes the place of the sandbox, which waits.
fn open(model: &mut Model, slug: &str) {
    let is_open = model.ui.lesson.open.as_ref().is_some_and(|open| open.lesson.slug == slug);
    let Some(lesson) = model.ui.lesson.all.iter().find(|lesson| lesson.slug == slug).cloned() else {
        model.say(format!("There is no lesson {slug}. The first page has the list."));
        return;
    };
    let ui = model.ui_mut();
    ui.screen = Screen::Sandbox;
    ui.dialog = None;
    if is_open {
        return;
    }
    let aside = Rc::new(aside(model).unwrap_or_else(|| model.kept()));
    let (acts, show) = (lesson.opening(), lesson.show.clone());
    let form = &lesson.form;
    let curtain = Curtain {
        hold: Some(GUESS_FIRST),
        veil: None,
        word: "what comes next: guess first".to_owned(),
        covers: form.guess.covers.clone(),
    };
    let open = Open::new(lesson, aside);
    world(model, open, acts, show, curtain);
    stage(model, Stage::Read);
}

/// Puts a world of the lesson's on screen.
fn world(model: &mut Model, open: Open, acts: Vec<Act>, draft: String, curtain: Curtain) {
    keep::open(model, Kept { work: Work::of_acts(acts), draft: Some(draft) });
    model.ui_mut().lesson_mut().open = Some(open);
    model.world_mut().curtain = curtain;
    let ui = model.ui_mut();
    ui.tab = crate::state::tabs::Tab::Lane;
    ui.depth = crate::state::model::Depth::Step;
    ui.evidence = crate::state::tabs::Evidence::Sink;
}

fn next(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone() else { return };
    match open.stage {
        Stage::Read => stage(model, Stage::Guess),
        Stage::Compare => {
            stage(model, Stage::Explain);
            let ui = model.ui_mut();
            (ui.selected, ui.follow) = (None, false);
        }
        Stage::Explain if open.explained => {
            stage(model, Stage::Try);
            if open.lesson.form.tasks.is_empty() {
                exercise(model);
            }
        }
        Stage::Try if !open.exercise && open.task >= open.lesson.form.tasks.len() => exercise(model),
        Stage::Guess | Stage::Run | Stage::Explain | Stage::Try => {}
    }
}

fn go(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone().filter(|open| open.stage == Stage::Guess) else { return };
    if open.pick.is_none() {
        model.say("Choose an answer first; `I do not know` is one too.");
        return;
    }
    if model.world.engine != Engine::Ready || model.world.awaiting.is_some() || model.world.marks.is_empty() {
        model.say("The lesson is still being set up. Try again in a moment.");
        return;
    }
    let base = model.world.moments();
    change(model, |open| (open.base, open.ran, open.decider) = (base, false, None));
    stage(model, Stage::Run);
    let world = model.world_mut();
    world.moment = base - 1;
    world.curtain.hold = Some(ON_THE_WAY);
    world.curtain.veil = Some(base - 1);
    world.curtain.word = "the step that decides".to_owned();
    deed::ask(model, open.lesson.filled(&open.lesson.form.run.acts));
}

/// The run is through: the playhead goes back to its beginning and plays up to the step that decides.
fn ran(before: &Model, model: &mut Model, open: &Open) {
    let base = open.base;
    if model.world.moments() <= base {
        // The run was refused, which has been said.
        stage(model, Stage::Guess);
        return;
    }
    let decides = &open.lesson.form.run.decides;
    let found = model
        .world
        .marks
        .iter()
        .enumerate()
        .skip(base)
        .find(|(_, mark)| mark.run == decides.run && mark.phase == Some(decides.step));
    let decider = found.map_or(model.world.moments() - 1, |(at, _)| at);
    change(model, |open| (open.ran, open.decider) = (true, Some(decider)));
    let world = model.world_mut();
    world.view.clone_from(&before.world.view);
    world.curtain.veil = Some(decider.saturating_sub(1).max(base - 1));
    world.moment = base.min(decider.saturating_sub(1)).max(base - 1);
    let ui = model.ui_mut();
    ui.playing = true;
    ui.selected.clone_from(&before.ui.selected);
    heard::look_again(model);
}

/// The veil goes, and the result is compared.
fn see(model: &mut Model) {
    let is_ready = model.ui.lesson.open.as_ref().is_some_and(|open| open.stage == Stage::Run && open.ran);
    if !is_ready {
        return;
    }
    model.ui_mut().playing = false;
    model.world_mut().curtain = Curtain::default();
    stage(model, Stage::Compare);
    travel::go(model, model.world.moments());
}

fn point(model: &mut Model) {
    let path = model.ui.selected.clone().filter(|_| !model.ui.follow);
    let Some(path) = path else {
        model.say("No file is selected yet. Select one in the store or on the lane.");
        return;
    };
    change(model, |open| {
        open.pointed = Some(path);
        let is_cause = open
            .cause
            .and_then(|at| open.lesson.form.explain.choices.get(at))
            .is_some_and(|choice| choice.right);
        open.explained |= is_cause && open.evidence().is_some_and(|(right, _)| right);
    });
}

/// Looks whether the next thing to do is done.
fn watch(model: &mut Model, open: &Open) {
    let Some(task) = open.lesson.form.tasks.get(open.task) else { return };
    let opened = model.ui.selected.as_deref().filter(|_| !model.ui.follow);
    let Some(view) = model.world.view.clone().filter(|_| model.world.awaiting.is_none()) else { return };
    if task.until.holds(&view, opened) {
        change(model, |open| open.task += 1);
        let ui = model.ui_mut();
        (ui.selected, ui.follow) = if open.task + 1 < open.lesson.form.tasks.len() {
            (None, false)
        } else {
            (ui.selected.clone(), false)
        };
    }
}

/// The exercise has a world of its own: the script it begins with and the first file.
fn exercise(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone() else { return };
    let lesson = open.lesson.clone();
    let mut acts = lesson.begin(&lesson.start);
    let first = lesson.form.check.acts.iter().find(|act| matches!(act, Act::Put { .. })).cloned();
    acts.extend(lesson.filled(&first.into_iter().collect::<Vec<_>>()));
    let now = Open { exercise: true, ..open };
    world(model, now, acts, lesson.start.clone(), Curtain::default());
}

// ---- the exercise

fn check(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone().filter(|open| open.exercise && open.checking.is_none())
    else {
        return;
    };
    if model.world.engine != Engine::Ready || model.world.awaiting.is_some() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    let lesson = &open.lesson;
    let ask = CheckAsk {
        script: model.world.draft.clone(),
        solution: lesson.solution.clone(),
        begin: lesson.begin(""),
        files: lesson.files.clone(),
        check: lesson.form.check.clone(),
    };
    let number = model.post(Command::Check { ask: Box::new(ask) });
    change(model, |open| {
        open.checking = Some(number);
        open.report =
            Some(Rc::new(CheckReport { sentence: "Checking.".to_owned(), ..CheckReport::default() }));
    });
}

/// The attempt in which something was wrong becomes a branch, and the playhead goes to the step.
fn go_there(model: &mut Model) {
    let failure = model
        .ui
        .lesson
        .open
        .as_ref()
        .and_then(|open| open.report.clone())
        .and_then(|report| report.failure.clone());
    let Some(failure) = failure else { return };
    if model.world.awaiting.is_some() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    change(model, |open| open.going = Some(failure.moment));
    let ui = model.ui_mut();
    (ui.playing, ui.follow) = (false, true);
    ui.dock = Dock::Sink;
    let number = model.post(Command::Begin { name: failure.data, acts: failure.acts });
    let world = model.world_mut();
    world.awaiting = Some(number);
    world.looking = None;
}

// ---- the end

/// The lesson closes; its world becomes a part of the learner's own work.
fn stay(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone() else { return };
    let work = joined(&open.aside, &model.world.work(), &open.lesson.form.title);
    let (draft, moment) = (model.world.draft.clone(), model.world.moment);
    let work = Work { moment: Some(moment), ..work };
    keep::open(model, Kept { work, draft: Some(draft) });
    model.ui_mut().dock = Dock::Code;
}

/// The lesson closes; the learner's own work comes back.
fn leave(model: &mut Model) {
    let Some(open) = model.ui.lesson.open.clone() else { return };
    keep::open(model, (*open.aside).clone());
    model.ui_mut().dock = Dock::Code;
}

/// Other work comes on screen: no lesson is open then, and nothing is held back.
pub(in crate::state) fn close(model: &mut Model) {
    if model.ui.lesson.open.is_some() {
        model.ui_mut().lesson_mut().open = None;
        model.world_mut().curtain = Curtain::default();
    }
}

/// The branches of the learner's own work, then those of the lesson; those of the lesson alone if there is no room.
fn joined(aside: &Kept, lesson: &Work, title: &str) -> Work {
    let mut own = if aside.is_empty() { Vec::new() } else { aside.work.branches.clone() };
    if own.len() + lesson.branches.len() > Work::BRANCHES_MAX {
        own.truncate(Work::BRANCHES_MAX.saturating_sub(lesson.branches.len()).min(1));
    }
    let by = own.len();
    let moved = lesson.branches.iter().map(|branch| WorkBranch {
        name: if branch.name == "main" && by > 0 { title.to_owned() } else { branch.name.clone() },
        fork: branch.fork.map(|fork| tidemark_protocol::Fork { branch: fork.branch + by, ..fork }),
        acts: branch.acts.clone(),
    });
    own.extend(moved);
    Work { branches: own, current: lesson.current + by, moment: None }
}
