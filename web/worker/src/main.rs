//! The engine's side of the link: takes a command, drives the sandbox, posts the update.
use wasm_bindgen::JsCast as _;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    scope.post_message(&"ready".into()).expect("a worker may post to its page");
}
