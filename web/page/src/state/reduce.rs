//! The one place where the model changes.

use std::rc::Rc;

use tidemark_protocol::Act;

use crate::state::act::ahead;
use crate::state::act::deed::{self, Deed};
use crate::state::act::hand;
use crate::state::act::sample;
use crate::state::action::{Action, Dropped};
use crate::state::look::changes;
use crate::state::look::sides;
use crate::state::look::stale;
use crate::state::look::sweep::{self, SweepMove};
use crate::state::look::time;
use crate::state::look::way;
use crate::state::model::{Depth, Dock, Model, Notice, Ui};
use crate::state::save::keep;
use crate::state::tabs::{Evidence, Tab, row_of};
use crate::state::travel;
use crate::state::{heard, lesson};

/// The model after an action. Requests for the worker stand in the outbox.
pub fn reduce(model: &Model, action: Action) -> Model {
    let mut next = model.clone();
    match lesson::refuses(model, &action) {
        None => apply(&mut next, action),
        Some(Ok(instead)) => lesson::act(&mut next, instead),
        Some(Err(reason)) => next.say(reason),
    }
    lesson::after(model, &mut next);
    sweep::settle(&mut next);
    time::ask(&mut next);
    way::ask(&mut next);
    sides::ask(&mut next);
    next
}

// tidy: table
fn apply(model: &mut Model, action: Action) {
    match action {
        Action::Heard(message) => heard::hear(model, *message),
        Action::Died(why) => heard::mourn(model, why),
        Action::Slow(number) => {
            let awaits = model.world.awaiting == Some(number);
            model.world_mut().slow |= awaits;
        }
        Action::Overdue(number) => {
            if model.world.awaiting == Some(number) {
                heard::mourn(model, "It did not answer to Stop.".to_owned());
            }
        }
        Action::Seed(seed) => model.world_mut().acts = Rc::new(vec![Act::Seed { seed }]),
        Action::Do(Deed::Stop) if model.world.sweep.asked.is_some() && model.world.awaiting.is_none() => {
            sweep::apply(model, SweepMove::Stop);
        }
        Action::Do(deed) => {
            model.ui_mut().said = None;
            deed::perform(model, deed);
        }
        Action::Delete(path) => delete(model, path),
        Action::Arm(place) => ahead::arm(model, place),
        Action::CrashAt(moment) => ahead::crash_at(model, moment),
        Action::Keep(news) => keep::apply(model, news),
        Action::Lesson(action) => lesson::act(model, action),
        Action::Sweep(what) => sweep::apply(model, what),
        Action::Files(files) => bring(model, files),
        Action::Draft(text) => model.world_mut().draft = text,
        Action::Look(moment) => {
            model.ui_mut().playing = false;
            travel::go(model, moment);
        }
        Action::On if model.world.at_end() => deed::perform(model, Deed::Step),
        Action::On => step_by(model, 1),
        Action::By(steps) => step_by(model, steps),
        Action::ByBatch(by) => jump(model, by, travel::by_batch),
        Action::ByRun(by) => jump(model, by, travel::by_run),
        Action::Move(by) => match model.ui.depth {
            Depth::Run => jump(model, by, travel::by_run),
            Depth::Batch => jump(model, by, travel::by_batch),
            Depth::Step if by > 0 && model.world.at_end() => deed::perform(model, Deed::Step),
            Depth::Step => step_by(model, by),
        },
        Action::Visit(place) => ahead::visit(model, place),
        Action::Switch(branch) => ahead::switch(model, branch, None),
        Action::Rename(branch, name) => ahead::rename(model, branch, &name),
        Action::Discard(branch) => ahead::discard(model, branch),
        Action::Compare(left, right) => ahead::compare(model, left, right),
        Action::Side(side, place) => sides::put(model, side, place),
        Action::Change(forward) => changes::go(model, forward),
        Action::Afresh => stale::afresh(model),
        Action::Fork => ahead::fork(model),
        Action::First => {
            model.ui_mut().playing = false;
            travel::go(model, 0);
        }
        Action::Last => {
            model.ui_mut().playing = false;
            travel::go(model, model.world.marks.len());
        }
        Action::Play => play(model),
        Action::Tick => tick(model),
        Action::Select(path) => {
            let ui = model.ui_mut();
            ui.selected = Some(path);
            ui.follow = false;
            ui.dock = if ui.dock == Dock::Store { Dock::Inspect } else { ui.dock };
            heard::read(model);
        }
        Action::Follow(on) => {
            model.ui_mut().follow = on;
            heard::follow(model);
            heard::read(model);
        }
        Action::Why(window) => model.world_mut().time.why = window,
        Action::Shift(row, millis) => time::shift(model, row, millis),
        Action::AddEvent(at) => time::add_event(model, at),
        Action::StateOf(batch) => model.world_mut().time.batch = batch,
        Action::Trace(of) => way::trace(model, of),
        Action::Lend(index) => hand::lend(model, index),
        Action::Say(text) => model.say(text),
        action => choose(model.ui_mut(), action),
    }
}

/// The actions that are a choice and nothing else.
fn choose(ui: &mut Ui, action: Action) {
    match action {
        Action::Read(reading) => ui.reading = reading,
        Action::OnlyNew(on) => ui.only_new = on,
        Action::Show(evidence) => ui.evidence = evidence,
        Action::Dock(dock) => {
            ui.dock = dock;
            // A picture that takes the place of the panels gives it back.
            if row_of(ui.tab).is_full {
                ui.tab = Tab::Lane;
            }
            if dock == Dock::Sink && matches!(ui.evidence, Evidence::Progress | Evidence::Bill) {
                ui.evidence = Evidence::Sink;
            }
        }
        Action::Theme(theme) => ui.theme = theme,
        Action::Screen(screen) => ui.screen = screen,
        Action::Tab(tab) => ui.tab = tab,
        Action::Wide(on) => ui.wide = on,
        Action::Depth(finer) => ui.depth = ui.depth.next(finer),
        Action::Open(dialog) => ui.dialog = Some(dialog),
        Action::Close => ui.dialog = None,
        Action::Over(over) => ui.over = over,
        Action::Quiet => ui.said = None,
        Action::Dismiss => ui.notice = None,
        _ => {}
    }
}

fn step_by(model: &mut Model, steps: i64) {
    model.ui_mut().playing = false;
    let there = travel::by(model.world.moment, steps, model.world.moments());
    travel::go(model, there);
}

fn jump(model: &mut Model, by: i64, find: fn(&[tidemark_protocol::MomentMark], usize, bool) -> usize) {
    model.ui_mut().playing = false;
    let there = find(&model.world.marks, model.world.moment, by > 0);
    travel::go(model, there);
}

fn play(model: &mut Model) {
    if model.ui.playing {
        model.ui_mut().playing = false;
    } else if model.world.at_end() {
        model.say("This is the end of what has happened. Run or Step goes on.");
    } else {
        model.ui_mut().playing = true;
    }
}

/// One step of play: it pauses at a crash, at an error and at the end.
fn tick(model: &mut Model) {
    if !model.ui.playing {
        return;
    }
    let there = travel::by(model.world.moment, 1, model.world.moments());
    travel::go(model, there);
    let stops = model.world.marks.get(there).is_some_and(|mark| mark.crash);
    if stops || model.world.at_end() {
        model.ui_mut().playing = false;
    }
}

fn delete(model: &mut Model, path: String) {
    if model.world.is_working() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    let said = crate::state::words::deleted(&path, &model.world);
    deed::ask(model, [Act::Delete { path }]);
    model.say(said);
}

fn bring(model: &mut Model, mut files: Vec<Dropped>) {
    model.ui_mut().over = false;
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let (scripts, data): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.name.to_lowercase().ends_with(".py"));
    if let Some(script) = scripts.into_iter().next_back() {
        model.say(format!("{} is in the editor now.", script.name));
        model.world_mut().draft = script.text;
    }
    if model.world.view.is_none() && !data.is_empty() {
        model.ui_mut().notice = Some(Notice {
            what: "The engine is still loading.".to_owned(),
            kept: "The file was not taken. Drop it again in a moment.".to_owned(),
            why: String::new(),
            broken: false,
        });
        return;
    }
    let acts: Vec<Act> = data
        .into_iter()
        .map(|file| Act::Put { path: sample::path_of(&file.name), text: file.text.into() })
        .collect();
    deed::ask(model, acts);
}
