//! The engine's wasm runs where the page will run it: in a dedicated worker, without a document.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn the_global_is_a_dedicated_worker() {
    let global = js_sys::global();
    assert!(global.is_instance_of::<web_sys::DedicatedWorkerGlobalScope>());
    assert!(web_sys::window().is_none());
}
