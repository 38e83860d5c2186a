//! Which key does what.

use crate::state::action::Action;
use crate::state::model::{Ui, World};
use crate::state::offer::offers;

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
pub fn action_for(key: &Key, world: &World, ui: &Ui) -> Option<Action> {
    if key.in_text && !(key.control && matches!(key.name.as_str(), "Enter" | "k" | "K")) {
        return None;
    }
    if key.on_button && key.name == " " {
        return None;
    }
    offers::action_of(key, world, ui)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::act::deed::Deed;
    use crate::state::model::{Dialog, Model, Screen, Theme};
    use crate::state::tabs::Tab;

    #[test]
    fn the_sheet_has_each_key_once() {
        let rows: Vec<_> =
            crate::state::offer::offers::sheet().into_iter().flat_map(|(_, rows)| rows).collect();
        let mut caps: Vec<String> = rows.iter().map(|(caps, _)| caps.join(" ")).collect();
        assert!(caps.contains(&"Shift ← →".to_owned()) && caps.contains(&"[ ]".to_owned()));
        caps.sort_unstable();
        let count = caps.len();
        caps.dedup();
        assert_eq!(caps.len(), count, "{caps:?}");
    }

    #[test]
    fn keys_do_what_the_sheet_says() {
        let model = Model::fresh(Screen::Sandbox, Theme::System);
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
            (Key { shift: true, ..key("?") }, Some(Action::Open(Dialog::Keys))),
            (
                Key { control: true, in_text: true, ..key("k") },
                Some(Action::Open(Dialog::Palette(String::new()))),
            ),
            (key("n"), Some(Action::Do(Deed::Step))),
            (key("4"), Some(Action::Tab(Tab::Compare))),
            (key("-"), Some(Action::Depth(false))),
            (Key { shift: true, ..key("+") }, Some(Action::Depth(true))),
            (key("b"), Some(Action::Fork)),
            (key("q"), None),
        ] {
            assert_eq!(action_for(&pressed, &model.world, &model.ui), action, "{pressed:?}");
        }
    }
}
