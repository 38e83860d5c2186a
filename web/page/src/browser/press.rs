//! A long press with a finger.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::JsCast as _;
use web_sys::{Element, PointerEvent};
use yew::prelude::*;

use super::listener::Listener;
use super::timer::Timeout;

/// A finger that rests this long presses long, in milliseconds.
const LONG: i32 = 500;

/// A click so soon after a long press belongs to it, in milliseconds.
const ECHO: f64 = 1_500.0;

/// When a press was long last.
#[derive(Clone, Default)]
pub struct LongPress(Rc<Cell<f64>>);

impl LongPress {
    /// Whether a click that comes now is only the end of a long press.
    pub fn is_echo(&self) -> bool {
        js_sys::Date::now() < self.0.replace(0.0) + ECHO
    }
}

/// Hears a long press on a node. The click that follows it is not meant: what comes back knows it.
#[hook]
pub fn use_long_press(node: &NodeRef, press: Callback<()>) -> LongPress {
    let was_long = use_mut_ref(LongPress::default).borrow().clone();
    let latest = use_mut_ref(|| press.clone());
    *latest.borrow_mut() = press;
    let (node, heard) = (node.clone(), was_long.clone());
    use_effect_with((), move |()| {
        let listeners = node.cast::<Element>().map(|element| {
            let timer: Rc<RefCell<Option<Timeout>>> = Rc::default();
            let down = {
                let timer = timer.clone();
                Listener::new(&element, "pointerdown", move |event| {
                    if event.unchecked_into::<PointerEvent>().pointer_type() != "touch" {
                        return;
                    }
                    let (heard, latest) = (heard.clone(), latest.clone());
                    let fire = move || {
                        heard.0.set(js_sys::Date::now());
                        latest.borrow().emit(());
                    };
                    timer.borrow_mut().replace(Timeout::new(LONG, fire));
                })
            };
            let ends = ["pointerup", "pointercancel", "pointerleave"].map(|kind| {
                let timer = timer.clone();
                Listener::new(&element, kind, move |_| {
                    timer.borrow_mut().take();
                })
            });
            // A long press must not open the menu of the browser as well.
            let menu = Listener::new(&element, "contextmenu", move |event| {
                let is_touch =
                    event.dyn_ref::<PointerEvent>().is_some_and(|event| event.pointer_type() == "touch");
                if is_touch {
                    event.prevent_default();
                }
            });
            (down, ends, menu)
        });
        move || drop(listeners)
    });
    was_long
}
