//! The time plane and the state: asked of the engine for the moment on screen while a picture shows them.

use std::rc::Rc;

use tidemark_protocol::{Act, Command, ModesView, Place, PlaneRow, PlaneView, StateView};

use crate::state::act::deed;
use crate::state::look::outcome;
use crate::state::model::Model;
use crate::state::tabs::{Evidence, Tab};
use tidemark_types::clock;

/// What is known of time and state, and what is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Time {
    /// The picture at hand.
    pub plane: Option<Rc<PlaneView>>,
    /// The state at hand.
    pub state: Option<Rc<StateView>>,
    /// The output modes side by side.
    pub modes: Option<Rc<ModesView>>,
    /// The batch after which the state is wanted; the newest if none.
    pub batch: Option<i64>,
    /// The window whose question is open.
    pub why: Option<usize>,
    plane_for: Option<(u64, Place)>,
    modes_for: Option<(u64, Place)>,
    state_for: Option<(u64, Place, Option<i64>)>,
}

impl Time {
    /// The first window that waits for its end.
    pub fn first_open(&self) -> Option<usize> {
        self.plane.as_ref()?.windows.iter().position(|window| window.why.is_some())
    }
}

/// Asks for what the pictures on screen lack.
pub(in crate::state) fn ask(model: &mut Model) {
    let Some(view) = model.world.view.clone() else { return };
    if model.world.awaiting.is_some() || model.world.busy.is_some() {
        return;
    }
    let here = Place { branch: model.world.branch, moment: view.moment };
    let is_timed = model.ui.tab == Tab::Time;
    let wants_plane = is_timed || (model.ui.evidence == Evidence::Sink && outcome::waits_for_time(&view));
    let wants_state = is_timed || model.ui.evidence == Evidence::State;
    if wants_plane && model.world.time.plane_for.is_none_or(|(_, place)| place != here) {
        let number = model.post(Command::Plane { moment: here.moment, query: None });
        model.world_mut().time.plane_for = Some((number, here));
    }
    let wants_modes = model.ui.tab == Tab::Modes;
    if wants_modes && model.world.time.modes_for.is_none_or(|(_, place)| place != here) {
        let number = model.post(Command::Modes { moment: here.moment, query: None });
        model.world_mut().time.modes_for = Some((number, here));
    }
    let batch = model.world.time.batch;
    if wants_state && model.world.time.state_for.is_none_or(|(_, place, of)| (place, of) != (here, batch)) {
        let number = model.post(Command::State { moment: here.moment, query: None, batch });
        model.world_mut().time.state_for = Some((number, here, batch));
    }
}

/// Takes a picture, if it is the one that was asked for last.
pub(in crate::state) fn take_plane(model: &mut Model, number: u64, plane: PlaneView) {
    let time = &mut model.world_mut().time;
    if time.plane_for.is_some_and(|(asked, _)| asked == number) {
        let is_there = |at: &usize| plane.windows.get(*at).is_some_and(|window| window.why.is_some());
        time.why = time.why.filter(is_there);
        time.plane = Some(Rc::new(plane));
    }
}

/// Takes the output modes, if they are what was asked for last.
pub(in crate::state) fn take_modes(model: &mut Model, number: u64, modes: ModesView) {
    let time = &mut model.world_mut().time;
    if time.modes_for.is_some_and(|(asked, _)| asked == number) {
        time.modes = Some(Rc::new(modes));
    }
}

/// Takes a state, if it is the one that was asked for last.
pub(in crate::state) fn take_state(model: &mut Model, number: u64, state: StateView) {
    let time = &mut model.world_mut().time;
    if time.state_for.is_some_and(|(asked, ..)| asked == number) {
        time.state = Some(Rc::new(state));
    }
}

/// What was asked of a worker that has died is asked again.
pub(in crate::state) fn forget(model: &mut Model) {
    let time = &mut model.world_mut().time;
    (time.plane_for, time.modes_for, time.state_for) = (None, None, None);
}

/// Gives a row another event time: a branch in which its file was dropped with that time from the beginning.
pub(in crate::state) fn shift(model: &mut Model, row: usize, millis: i64) {
    let Some(plane) = model.world.time.plane.clone() else { return };
    let Some(row) = plane.rows.get(row) else { return };
    let Some(event) = row.event else {
        model.say("This row has no event time that could be moved.");
        return;
    };
    if millis == 0 {
        return;
    }
    if model.world.awaiting.is_some() {
        model.say("The engine is at work. Stop it, or wait for it.");
        return;
    }
    let acts = model.world.acts.as_ref().clone();
    let Some(acts) = with_other_time(acts, row, event, event + millis) else {
        model.say(format!("{} was not dropped here as JSON, so its time cannot be moved.", row.file));
        return;
    };
    let short = clock::Clock { days: false, seconds: false };
    let name = format!("{} at {}", row.key, short.text(event + millis));
    model.say(format!("{} is at {} in a branch of its own.", row.key, short.text(event + millis)));
    let number = model.post(Command::Begin { name, acts });
    let world = model.world_mut();
    world.awaiting = Some(number);
    world.looking = None;
}

/// Drops a file with one row more, like the newest one, at another time.
pub(in crate::state) fn add_event(model: &mut Model, at: i64) {
    let Some(plane) = model.world.time.plane.clone() else { return };
    let newest = plane.rows.iter().filter(|row| row.event.is_some()).max_by_key(|row| row.event);
    let found = newest.and_then(|row| {
        let text = text_of(&model.world.acts, &row.file)?;
        let line = text.lines().filter(|line| !line.trim().is_empty()).nth(row.line as usize - 1)?;
        let folder = row.file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        Some((folder, shifted(line, row.event?, at)?))
    });
    let Some((folder, line)) = found else {
        model.say("There is no JSON row to take as a pattern. Drop a file with the event.");
        return;
    };
    let short = clock::Clock { days: false, seconds: true };
    let name = format!("event-{}.json", short.text(at).replace(':', ""));
    let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
    model.world_mut().time.why = None;
    deed::ask(model, [Act::Put { path, text: format!("{line}\n").into() }]);
    model.say("The file is there. The next batch reads it: press R or T.");
}

/// The acts with another time in the line of a row; none if no act dropped that line as JSON.
fn with_other_time(mut acts: Vec<Act>, row: &PlaneRow, old: i64, new: i64) -> Option<Vec<Act>> {
    let at = acts.iter().rposition(|act| matches!(act, Act::Put { path, .. } if *path == row.file))?;
    let Act::Put { text, .. } = &mut acts[at] else { return None };
    let mut rest = row.line;
    let mut lines: Vec<String> = Vec::new();
    let mut changed = false;
    for line in text.lines() {
        let is_row = !line.trim().is_empty() && {
            rest = rest.saturating_sub(1);
            rest == 0 && !changed
        };
        lines.push(if is_row {
            changed = true;
            shifted(line, old, new)?
        } else {
            line.to_owned()
        });
    }
    *text = (lines.join("\n") + "\n").into();
    changed.then_some(acts)
}

fn text_of<'a>(acts: &'a [Act], file: &str) -> Option<&'a str> {
    acts.iter().rev().find_map(|act| match act {
        Act::Put { path, text } if path == file => Some(&**text),
        _ => None,
    })
}

/// A line of JSON in which a time is replaced, in the form in which it was written.
fn shifted(line: &str, old: i64, new: i64) -> Option<String> {
    let fields: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = fields
        .as_object()?
        .values()
        .filter_map(|value| value.as_str())
        .find(|text| text.len() >= 16 && clock::parse(text) == Some(old))?;
    let iso = clock::iso(new);
    let mut put = iso.get(..text.len().min(23))?.to_owned();
    if text.as_bytes().get(10) == Some(&b' ') {
        put.replace_range(10..11, " ");
    }
    if new.rem_euclid(60_000) != 0 && put.len() < 19 {
        iso.get(..19)?.clone_into(&mut put);
    }
    put.push_str(text.get(23..).unwrap_or(""));
    let put = if text.ends_with('Z') && !put.ends_with('Z') && text.len() == 20 {
        format!("{}Z", iso.get(..19)?)
    } else {
        put
    };
    Some(line.replacen(&format!("\"{text}\""), &format!("\"{put}\""), 1))
}

#[cfg(test)]
mod tests {
    use super::shifted;
    use tidemark_types::clock;

    #[test]
    fn a_time_is_replaced_in_the_form_in_which_it_was_written() {
        for (line, from, to, wanted) in [
            (
                r#"{"id":1,"ts":"2026-01-01T10:02:00"}"#,
                "2026-01-01T10:02:00",
                "2026-01-01T10:20:00",
                r#"{"id":1,"ts":"2026-01-01T10:20:00"}"#,
            ),
            (
                r#"{"ts":"2026-01-01 10:02:00.500","u":"a"}"#,
                "2026-01-01T10:02:00.500",
                "2026-01-02T00:00:00.500",
                r#"{"ts":"2026-01-02 00:00:00.500","u":"a"}"#,
            ),
            (
                r#"{"ts":"2026-01-01T10:02:00Z"}"#,
                "2026-01-01T10:02:00",
                "2026-01-01T10:01:00",
                r#"{"ts":"2026-01-01T10:01:00Z"}"#,
            ),
        ] {
            let time = |text: &str| clock::parse(text).expect("a time of the table");
            assert_eq!(shifted(line, time(from), time(to)).as_deref(), Some(wanted));
        }
        assert_eq!(shifted(r#"{"id":1}"#, 0, 60_000), None);
        assert_eq!(shifted("no json", 0, 60_000), None);
    }
}
