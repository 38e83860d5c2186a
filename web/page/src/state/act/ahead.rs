//! What the learner does with branches and with crashes that are to come.

use tidemark_protocol::{Act, ArmPlace, Command, Place};

use crate::state::act::{crash, deed};
use crate::state::model::Model;
use crate::state::tabs::Tab;
use crate::state::travel;

/// Arms a crash, which strikes when the run comes there; one that is armed there already is taken away.
pub(in crate::state) fn arm(model: &mut Model, place: ArmPlace) {
    if model.world.is_working() || model.world.view.is_none() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    let is_armed = model.world.view.as_ref().is_some_and(|view| crash::is_armed(view, &place));
    deed::ask(
        model,
        [if is_armed { Act::Disarm { place: crash::as_seen(&place) } } else { Act::Arm { place } }],
    );
}

/// Lets the driver die at a moment that has been; behind it a branch begins.
pub(in crate::state) fn crash_at(model: &mut Model, moment: usize) {
    if model.world.awaiting.is_some() || moment >= model.world.moments() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    model.world_mut().moment = moment;
    deed::ask(model, [Act::Crash]);
}

/// Goes to a moment of a branch, which may be another one than the one on screen.
pub(in crate::state) fn visit(model: &mut Model, place: Place) {
    if place.branch == model.world.branch {
        model.ui_mut().playing = false;
        travel::go(model, place.moment);
    } else {
        switch(model, place.branch, Some(place.moment));
    }
}

/// Puts another branch on screen.
pub(in crate::state) fn switch(model: &mut Model, branch: usize, moment: Option<usize>) {
    if branch == model.world.branch && moment.is_none() {
        travel::go(model, model.world.moments());
        return;
    }
    if branch < model.world.branches.len() {
        ask(model, Command::Switch { branch, moment });
    }
}

/// Gives a branch another name.
pub(in crate::state) fn rename(model: &mut Model, branch: usize, name: &str) {
    let name = name.trim();
    if name.is_empty() {
        model.say("A branch needs a name.");
    } else if branch < model.world.branches.len() && model.world.branch_name(branch) != name {
        ask(model, Command::Rename { branch, name: name.to_owned() });
    }
}

/// Drops a branch.
pub(in crate::state) fn discard(model: &mut Model, branch: usize) {
    if branch == 0 {
        model.say("main stays: the other branches begin on it.");
    } else if branch < model.world.branches.len() {
        let world = model.world_mut();
        (world.comparison, world.comparing) = (None, None);
        model.ui_mut().sides = None;
        ask(model, Command::Discard { branch });
    }
}

/// Puts two moments side by side.
pub(in crate::state) fn compare(model: &mut Model, left: Place, right: Place) {
    let ui = model.ui_mut();
    ui.tab = Tab::Compare;
    ui.sides = Some((left, right));
}

/// Back to where this branch left another one.
pub(in crate::state) fn fork(model: &mut Model) {
    let Some(fork) = model.world.on_screen().and_then(|branch| branch.fork) else {
        model.say("This branch has no fork: it begins by itself.");
        return;
    };
    model.ui_mut().playing = false;
    travel::go(model, fork.moment);
}

/// Sends a command after which another picture is on screen.
fn ask(model: &mut Model, command: Command) {
    if model.world.awaiting.is_some() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    model.ui_mut().playing = false;
    let number = model.post(command);
    let world = model.world_mut();
    world.awaiting = Some(number);
    world.looking = None;
}
