//! What the worker says, taken into the model; and how a dead worker is replaced.

use std::rc::Rc;

use tidemark_protocol::{Act, Change, Command, FromWorker, Update};

use crate::state::act::deed;
use crate::state::branch;
use crate::state::look::changes;
use crate::state::look::time;
use crate::state::look::way;
use crate::state::model::{Engine, Model, Notice};
use crate::state::save::keep;

/// So many workers in a row may die before the page gives up.
const FAILURES_MAX: u32 = 3;

/// Takes one message.
pub(super) fn hear(model: &mut Model, message: FromWorker) {
    match message {
        FromWorker::Ready { version } => {
            model.world_mut().version = version;
            keep::begin(model);
        }
        FromWorker::Update { update } => take(model, *update),
        FromWorker::Object { number, object } => {
            if model.world.reading.as_ref().is_some_and(|(asked, _)| *asked == number) {
                let world = model.world_mut();
                world.reading = None;
                world.object = Some(Rc::from(object));
            }
        }
        FromWorker::Compared { number, comparison } => {
            if model.world.comparing.is_some_and(|(asked, ..)| asked == number) {
                model.world_mut().comparison = Some(Rc::from(comparison));
            }
        }
        FromWorker::Followed { number, lineage } => way::take(model, number, *lineage),
        FromWorker::Checked { number, report } => crate::state::lesson::checked(model, number, *report),
        FromWorker::Swept { number, table } => {
            settle(model, number);
            crate::state::look::sweep::take(model, number, *table);
        }
        FromWorker::Plane { number, plane } => time::take_plane(model, number, *plane),
        FromWorker::Modes { number, modes } => time::take_modes(model, number, *modes),
        FromWorker::State { number, state } => time::take_state(model, number, *state),
        FromWorker::File { number, name, mime, base64 } => {
            keep::parcel(model, keep::Parcel { number, name, mime, base64 });
        }
        FromWorker::Changes { number, moments } => changes::take(model, number, moments),
        FromWorker::Refused { number, message } => refuse(model, number, message),
    }
}

fn take(model: &mut Model, update: Update) {
    settle(model, update.number);
    // Stop is answered under its own number, which is a later one.
    let is_awaited = model.world.awaiting.is_some_and(|number| number <= update.number);
    let is_stale_look = model.world.looking.is_some_and(|(number, _)| number > update.number);
    let world = model.world_mut();
    let (left, count) = (world.branch, world.branches.len());
    branch::take(world, &update);
    let has_switched = world.branch != left;
    world.busy = update.busy;
    let text = &update.view.script.text;
    // An editor that has not been touched shows the script of the branch that was gone to.
    let has_gone_there = has_switched && world.branches.len() == count;
    if has_gone_there && world.draft == world.script && !text.is_empty() {
        world.draft.clone_from(text);
    }
    if has_gone_there || update.view.moment + 1 >= world.marks.len() {
        world.script.clone_from(text);
    }
    if !is_stale_look {
        let looked = world.looking.take().map(|(_, moment)| moment);
        // A playhead that has moved on since the question was asked stays where it is.
        if is_awaited || has_switched || looked.is_none_or(|moment| moment == world.moment) {
            world.moment = update.view.moment;
        }
        world.view = Some(update.view);
    }
    if is_awaited && model.world.busy.is_none() {
        let world = model.world_mut();
        world.awaiting = None;
        world.slow = false;
        world.engine = Engine::Ready;
        model.failures = 0;
        keep::done(model);
        deed::pump(model);
    }
    look_again(model);
    follow(model);
    read(model);
}

/// Asks for the moment under the playhead if that is not the one on screen.
pub(super) fn look_again(model: &mut Model) {
    let world = &model.world;
    let shown = world.view.as_ref().map(|view| view.moment);
    if world.awaiting.is_some() || world.looking.is_some() || shown == Some(world.moment) || shown.is_none() {
        return;
    }
    let moment = world.moment;
    let number = model.post(Command::Look { moment });
    model.world_mut().looking = Some((number, moment));
}

/// Selects the newest file, if the learner wants to follow the steps.
pub(super) fn follow(model: &mut Model) {
    if !model.ui.follow {
        return;
    }
    let Some(view) = model.world.view.clone() else { return };
    // What the step wrote is the newest there is; after a step that wrote nothing, the newest stays.
    let files = view.store.iter().filter(|entry| !entry.folder && entry.change != Change::Deleted);
    let newest = files.max_by_key(|entry| entry.modified).map(|entry| entry.path.clone());
    model.ui_mut().selected = newest;
}

/// Asks for the selected object if the one at hand is of another path or time.
pub(super) fn read(model: &mut Model) {
    let Some(path) = model.ui.selected.clone().filter(|path| !path.ends_with('/')) else { return };
    let world = &model.world;
    let Some(entry) = world.entry(&path) else { return };
    let has = world.object.as_ref().is_some_and(|object| {
        object.path == path && object.modified == entry.modified && object.bytes == entry.bytes
    });
    let asked = world.reading.as_ref().is_some_and(|(_, other)| *other == path);
    let shown = world.view.as_ref().map_or(0, |view| view.moment);
    if has || asked || world.busy.is_some() {
        return;
    }
    let number = model.post(Command::Read { moment: shown, path: path.clone() });
    model.world_mut().reading = Some((number, path));
}

fn refuse(model: &mut Model, number: u64, message: String) {
    settle(model, number);
    if model.world.reading.as_ref().is_some_and(|(asked, _)| *asked == number) {
        model.world_mut().reading = None;
        model.say(message);
        return;
    }
    crate::state::look::sweep::refused(model, number);
    let is_awaited = model.world.awaiting == Some(number);
    let world = model.world_mut();
    if is_awaited {
        world.awaiting = None;
        world.slow = false;
        world.queue.clear();
        world.deeds.clear();
        world.busy = None;
        world.engine = Engine::Ready;
    }
    if world.looking.is_some_and(|(asked, _)| asked == number) {
        world.looking = None;
        world.moment = world.view.as_ref().map_or(0, |view| view.moment);
    }
    if keep::refused(model, number, &message) {
        return;
    }
    model.say(message);
}

/// Forgets the requests up to this one: they have been answered.
fn settle(model: &mut Model, number: u64) {
    model.outbox.retain(|request| request.number > number);
}

/// A worker has died: what is kept, and what the learner is told.
pub(super) fn mourn(model: &mut Model, why: String) {
    time::forget(model);
    crate::state::look::sweep::forget(model);
    crate::state::look::way::forget(model);
    let was_opening = model.world.engine == Engine::Opening && !model.world.acts.is_empty();
    let at = model.world.marks.len();
    if !model.world.at_end() {
        model.ui_mut().keep.return_to = Some(model.world.moment);
    }
    let world = model.world_mut();
    // Acts that cannot be repeated would kill the next worker too: the last one goes.
    let lost = if was_opening && world.acts.len() > 1 { Rc::make_mut(&mut world.acts).pop() } else { None };
    let files = world.acts.iter().filter(|act| matches!(act, Act::Put { .. })).count();
    world.engine = Engine::Loading;
    world.awaiting = None;
    world.looking = None;
    world.reading = None;
    world.comparing = None;
    world.busy = None;
    world.slow = false;
    world.queue.clear();
    world.deeds.clear();
    model.outbox.clear();
    model.failures += 1;
    if model.failures > FAILURES_MAX {
        give_up(model, why);
        return;
    }
    model.deaths += 1;
    let kept = match lost {
        Some(act) => format!("What could not be repeated is left out: {}.", short(&act)),
        None => format!(
            "Your script, {} and {} are coming back. What was going on when it stopped is not kept.",
            crate::state::words::count(files, "file"),
            crate::state::words::count(at, "moment"),
        ),
    };
    let ui = model.ui_mut();
    ui.playing = false;
    ui.notice = Some(Notice {
        what: "The engine stopped and was started again.".to_owned(),
        kept,
        why,
        broken: true,
    });
}

/// No worker lives long enough to answer: the page stays readable and says so.
fn give_up(model: &mut Model, why: String) {
    model.world_mut().engine = Engine::Broken;
    let ui = model.ui_mut();
    ui.playing = false;
    ui.notice = Some(Notice {
        what: "The engine cannot be started.".to_owned(),
        kept: "The script stays in the editor: copy it, then load the page again.".to_owned(),
        why,
        broken: true,
    });
}

fn short(act: &Act) -> String {
    let line = act.to_string();
    if line.chars().count() > 40 { line.chars().take(40).chain("…".chars()).collect() } else { line }
}
