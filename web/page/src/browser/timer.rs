//! Timers that stop when they are dropped.

use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;

use super::listener::window;

/// A timer that repeats.
pub struct Interval {
    id: i32,
    _closure: Closure<dyn FnMut()>,
}

impl Interval {
    /// Calls every so many milliseconds.
    pub fn new(millis: i32, call: impl FnMut() + 'static) -> Interval {
        let closure = Closure::<dyn FnMut()>::new(call);
        let function = closure.as_ref().unchecked_ref();
        let id = window().set_interval_with_callback_and_timeout_and_arguments_0(function, millis);
        Interval { id: id.expect("a window has timers"), _closure: closure }
    }
}

impl Drop for Interval {
    fn drop(&mut self) {
        window().clear_interval_with_handle(self.id);
    }
}

/// A timer that fires once.
pub struct Timeout {
    id: i32,
    _closure: Closure<dyn FnMut()>,
}

impl Timeout {
    /// Calls after so many milliseconds.
    pub fn new(millis: i32, call: impl FnMut() + 'static) -> Timeout {
        let closure = Closure::<dyn FnMut()>::new(call);
        let function = closure.as_ref().unchecked_ref();
        let id = window().set_timeout_with_callback_and_timeout_and_arguments_0(function, millis);
        Timeout { id: id.expect("a window has timers"), _closure: closure }
    }
}

impl Drop for Timeout {
    fn drop(&mut self) {
        window().clear_timeout_with_handle(self.id);
    }
}
