//! Keys that act anywhere on the page.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, KeyboardEvent};

use super::focus;
use super::listener::{Listener, document};
use crate::state::offer::keys::Key;

/// Hears keys that no part has taken; `press` says whether it takes one.
pub fn listen(press: impl Fn(Key) -> bool + 'static) -> Listener {
    Listener::new(&document(), "keydown", move |event| {
        let event: KeyboardEvent = event.unchecked_into();
        if event.default_prevented() || event.is_composing() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        // A dialog closes by itself.
        let is_over =
            target.as_ref().is_some_and(|target| matches!(target.closest("dialog[open]"), Ok(Some(_))));
        if is_over {
            return;
        }
        let in_text = target.as_ref().is_some_and(focus::is_text);
        if event.key() == "F6" {
            focus::next_panel(!event.shift_key());
            event.prevent_default();
        } else if event.key() == "Escape" && in_text {
            focus::focus_on(".rail-track");
            event.prevent_default();
        } else if press(key(&event, target.as_ref(), in_text)) {
            event.prevent_default();
        }
    })
}

fn key(event: &KeyboardEvent, target: Option<&Element>, in_text: bool) -> Key {
    Key {
        name: event.key(),
        shift: event.shift_key(),
        alt: event.alt_key(),
        control: event.ctrl_key() || event.meta_key(),
        in_text,
        on_button: target.is_some_and(focus::is_pressed),
    }
}
