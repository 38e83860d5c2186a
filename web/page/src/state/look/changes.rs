//! When the selected object changed: asked of the engine once, then the playhead goes from change to change.

use tidemark_protocol::Command;

use crate::state::model::Model;
use crate::state::travel;

/// What is known of the changes of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Whose they are: the path, the branch, and how many moments that had.
    of: Option<(String, usize, usize)>,
    /// The moments.
    moments: Vec<usize>,
    /// The question on its way, and whether the playhead is to go forward.
    asked: Option<(u64, bool)>,
}

/// Goes to the next change of the selected object, or to the previous one.
pub(in crate::state) fn go(model: &mut Model, forward: bool) {
    let Some(path) = model.ui.selected.clone() else {
        model.say("Nothing is open. Choose a file in the store first.");
        return;
    };
    let of = Some((path.clone(), model.world.branch, model.world.moments()));
    if model.world.changes.of == of && model.world.changes.asked.is_none() {
        jump(model, forward);
        return;
    }
    let number = model.post(Command::Changes { path });
    model.world_mut().changes = Changes { of, moments: Vec::new(), asked: Some((number, forward)) };
}

/// Takes the answer, and goes.
pub(in crate::state) fn take(model: &mut Model, number: u64, moments: Vec<usize>) {
    let Some((_, forward)) = model.world.changes.asked.filter(|(asked, _)| *asked == number) else { return };
    let changes = &mut model.world_mut().changes;
    changes.moments = moments;
    changes.asked = None;
    jump(model, forward);
}

fn jump(model: &mut Model, forward: bool) {
    let here = model.world.moment;
    let moments = &model.world.changes.moments;
    let there = if forward {
        moments.iter().find(|moment| **moment > here)
    } else {
        moments.iter().rev().find(|moment| **moment < here)
    };
    let path = model.ui.selected.clone().unwrap_or_default();
    match there.copied() {
        Some(moment) => {
            let ui = model.ui_mut();
            ui.playing = false;
            // The object that is asked about stays open.
            ui.follow = false;
            travel::go(model, moment);
        }
        None if forward => model.say(format!("{path} does not change after this moment.")),
        None => model.say(format!("{path} does not change before this moment.")),
    }
}
