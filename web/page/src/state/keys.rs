//! Which key does what.

use tidemark_protocol::ScriptState;

use super::action::Action;
use super::deed::Deed;
use super::model::World;

/// A key that was pressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Key {
    /// Its name, as the browser gives it.
    pub name: String,
    /// Shift.
    pub shift: bool,
    /// Alt.
    pub alt: bool,
    /// Control, or Command.
    pub control: bool,
    /// Whether the focus is in a text field.
    pub in_text: bool,
    /// Whether the focus is on a button or link, which space and enter press.
    pub on_button: bool,
}

/// What the key does anywhere on the page, if anything. Parts that take arrows themselves stop them before.
// tidy: table
pub fn action_for(key: &Key, world: &World) -> Option<Action> {
    if key.control {
        return (key.name == "Enter").then_some(Action::Do(Deed::Run));
    }
    if key.in_text {
        return None;
    }
    Some(match (key.name.as_str(), key.shift, key.alt) {
        ("ArrowRight", false, false) => Action::On,
        ("ArrowLeft", false, false) => Action::By(-1),
        ("ArrowRight", true, false) => Action::ByBatch(1),
        ("ArrowLeft", true, false) => Action::ByBatch(-1),
        ("ArrowRight", false, true) => Action::ByRun(1),
        ("ArrowLeft", false, true) => Action::ByRun(-1),
        ("Home", false, false) => Action::First,
        ("End", false, false) => Action::Last,
        (" ", false, false) if !key.on_button => Action::Play,
        ("?", _, false) => Action::Sheet(true),
        (_, _, true) => return None,
        (name, false, false) => match name.to_ascii_lowercase().as_str() {
            "d" => Action::Do(Deed::Drop),
            "t" => Action::Do(Deed::Trigger),
            "k" => Action::Do(Deed::Crash),
            "s" => Action::Do(Deed::Step),
            "x" => Action::Do(Deed::Stop),
            "r" => Action::Do(restart_or_run(world)),
            _ => return None,
        },
        _ => return None,
    })
}

/// R starts the script from the store: Restart after a crash, Run otherwise.
fn restart_or_run(world: &World) -> Deed {
    if world.script_state() == ScriptState::Crashed { Deed::Restart } else { Deed::Run }
}

/// The sheet of keys: group, then keys and what they do.
pub const SHEET: [(&str, &[(&[&str], &str)]); 3] = [
    (
        "Rail",
        &[
            (&["←", "→"], "one step; at the end one engine step"),
            (&["Shift", "← →"], "one batch"),
            (&["Alt", "← →"], "one run"),
            (&["Home", "End"], "start, end"),
            (&["Space"], "play, pause"),
        ],
    ),
    (
        "Acts",
        &[
            (&["R"], "run, or restart after a crash"),
            (&["S"], "one engine step"),
            (&["T"], "trigger"),
            (&["X"], "stop"),
            (&["K"], "crash after this step"),
            (&["D"], "drop the next sample"),
            (&["Del"], "delete the file or folder in the tree"),
        ],
    ),
    (
        "Anywhere",
        &[
            (&["F6"], "next panel, with Shift the one before"),
            (&["Ctrl", "Enter"], "run, in the editor too"),
            (&["Esc"], "close, or leave the editor for the rail"),
            (&["?"], "this sheet"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::model::{Model, Screen, Theme};

    #[test]
    fn keys_do_what_the_sheet_says() {
        let world = &*Model::fresh(Screen::Sandbox, Theme::System).world;
        let key = |name: &str| Key { name: name.to_owned(), ..Key::default() };
        for (pressed, action) in [
            (key("ArrowRight"), Some(Action::On)),
            (Key { shift: true, ..key("ArrowLeft") }, Some(Action::ByBatch(-1))),
            (Key { alt: true, ..key("ArrowRight") }, Some(Action::ByRun(1))),
            (key("d"), Some(Action::Do(Deed::Drop))),
            (key("D"), Some(Action::Do(Deed::Drop))),
            (Key { in_text: true, ..key("d") }, None),
            (Key { in_text: true, control: true, ..key("Enter") }, Some(Action::Do(Deed::Run))),
            (Key { control: true, ..key("d") }, None),
            (key(" "), Some(Action::Play)),
            (Key { on_button: true, ..key(" ") }, None),
            (key("?"), Some(Action::Sheet(true))),
            (key("q"), None),
        ] {
            assert_eq!(action_for(&pressed, world), action, "{pressed:?}");
        }
    }
}
