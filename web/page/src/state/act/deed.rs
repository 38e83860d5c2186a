//! The acts that have a button: when each is off and why, and what it asks of the engine.

use tidemark_protocol::{Act, Command, ScriptState};

use crate::state::act::sample;
use crate::state::model::{Engine, Model, World};

/// An act with a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The script runs to its end.
    Run,
    /// One engine step.
    Step,
    /// One trigger of the query.
    Trigger,
    /// A long run, a query or the script is stopped.
    Stop,
    /// The driver dies after this step.
    Crash,
    /// The script starts again from the store.
    Restart,
    /// The next sample file is dropped.
    Drop,
    /// The first two sample files are dropped.
    Sample,
}

/// A key held down asks for no more than this ahead.
const DEEDS_MAX: usize = 4;
const WORKING: &str = "The engine is at work. Stop it, or wait for it.";

/// Why the deed is off now; nothing if it is on.
pub fn reason(world: &World, deed: Deed) -> Option<String> {
    if let Some(hold) = world.curtain.hold.filter(|_| deed != Deed::Stop) {
        return Some(hold.to_owned());
    }
    if world.engine == Engine::Broken {
        return Some("The engine cannot be started. Load the page again.".to_owned());
    }
    if world.engine == Engine::Loading || (world.view.is_none() && deed != Deed::Stop) {
        return Some("The engine is loading. You can read and edit the script already.".to_owned());
    }
    if world.is_working() {
        return (deed != Deed::Stop).then(|| WORKING.to_owned());
    }
    let can = &world.view.as_ref()?.can;
    match deed {
        Deed::Run => can.run.clone(),
        Deed::Step => can.step.clone(),
        Deed::Trigger => can.trigger.clone(),
        Deed::Stop => can.stop.clone(),
        Deed::Crash => can.crash.clone(),
        Deed::Restart => can.restart.clone(),
        Deed::Drop if sample::next(world).is_none() => {
            Some("All four samples are in in/. Drop a JSON file of your own.".to_owned())
        }
        Deed::Sample if sample::first_two(world).is_empty() => {
            Some("a.json and b.json are in in/ already. Press D for the next sample.".to_owned())
        }
        Deed::Drop | Deed::Sample => None,
    }
}

/// The one deed that the screen offers first.
pub fn strong(world: &World) -> Deed {
    if world.is_working() {
        return Deed::Stop;
    }
    match world.script_state() {
        ScriptState::Crashed => Deed::Restart,
        ScriptState::Parked => Deed::Trigger,
        ScriptState::Running => Deed::Step,
        ScriptState::Fresh if world.has_no_file() => Deed::Drop,
        ScriptState::Fresh | ScriptState::Ended | ScriptState::Failed | ScriptState::Stopped => Deed::Run,
    }
}

/// Does the deed, or says why not.
pub(in crate::state) fn perform(model: &mut Model, deed: Deed) {
    let in_flight = model.world.awaiting.is_some() && model.world.view.is_some();
    if in_flight && deed == Deed::Stop {
        let world = model.world_mut();
        world.queue.clear();
        world.deeds.clear();
        model.post(Command::Halt);
        return;
    }
    if in_flight && !model.world.is_working() {
        let deeds = &mut model.world_mut().deeds;
        if deeds.len() < DEEDS_MAX {
            deeds.push(deed);
        }
        return;
    }
    if let Some(reason) = reason(&model.world, deed) {
        model.say(reason);
        return;
    }
    let script = sample::NAME.to_owned();
    match deed {
        Deed::Run => begin(model, Act::Run { script }),
        Deed::Restart => begin(model, Act::Restart),
        Deed::Step => match model.world.script_state() {
            ScriptState::Running | ScriptState::Parked => ask(model, [Act::Step]),
            _ => begin(model, Act::Step),
        },
        Deed::Trigger => ask(model, [Act::Trigger { query: None }]),
        Deed::Stop => ask(model, [Act::Stop { query: None }]),
        Deed::Crash => ask(model, [Act::Crash]),
        Deed::Drop => put(model, sample::next(&model.world).into_iter().collect()),
        Deed::Sample => put(model, sample::first_two(&model.world)),
    }
}

fn put(model: &mut Model, files: Vec<(&str, &str)>) {
    let acts: Vec<Act> =
        files.into_iter().map(|(path, text)| Act::Put { path: path.to_owned(), text: text.into() }).collect();
    ask(model, acts);
}

/// Starts the script, with the text of the editor if that is not the one the engine has.
fn begin(model: &mut Model, act: Act) {
    let world = &model.world;
    let is_edited = world.view.as_ref().is_none_or(|view| view.script.text != world.draft);
    let edit = Act::Edit { script: sample::NAME.to_owned(), text: world.draft.clone() };
    let acts = if is_edited { vec![edit, act] } else { vec![act] };
    ask(model, acts);
}

/// Queues acts and sends the first if none is in flight.
pub(in crate::state) fn ask(model: &mut Model, acts: impl IntoIterator<Item = Act>) {
    model.ui_mut().playing = false;
    model.world_mut().queue.extend(acts);
    pump(model);
}

/// Sends the next act of the queue if none is in flight; then the next deed has its turn.
pub(in crate::state) fn pump(model: &mut Model) {
    while model.world.awaiting.is_none() && model.world.queue.is_empty() && !model.world.deeds.is_empty() {
        let deed = model.world_mut().deeds.remove(0);
        perform(model, deed);
    }
    if model.world.awaiting.is_some() || model.world.queue.is_empty() || model.world.engine != Engine::Ready {
        return;
    }
    let act = model.world_mut().queue.remove(0);
    let at = model.world.moment;
    let number = model.post(Command::Do { act, at });
    let world = model.world_mut();
    world.awaiting = Some(number);
    world.looking = None;
}
