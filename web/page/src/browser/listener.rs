//! An event listener that goes when it is dropped.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{Event, EventTarget};

/// A listener at its place.
pub struct Listener {
    target: EventTarget,
    kind: &'static str,
    closure: Closure<dyn Fn(Event)>,
}

impl Listener {
    /// Hears events of a kind at a target.
    pub fn new(target: &EventTarget, kind: &'static str, hear: impl Fn(Event) + 'static) -> Listener {
        let closure = Closure::<dyn Fn(Event)>::new(hear);
        let added = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
        added.expect("a listener without options is always taken");
        Listener { target: target.clone(), kind, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let closure = self.closure.as_ref().unchecked_ref();
        // A target that has gone has taken its listeners along.
        let _ = self.target.remove_event_listener_with_callback(self.kind, closure);
    }
}

/// The document.
pub fn document() -> web_sys::Document {
    window().document().expect("a window has a document")
}

/// The window.
pub fn window() -> web_sys::Window {
    web_sys::window().expect("the page runs in a window")
}
