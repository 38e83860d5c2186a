//! The story of the three runs in a browser's worker: the same table as native, and the same bytes.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, unreachable_pub, reason = "an integration test")]

#[path = "../../../tests/story/story.rs"]
mod story;

#[path = "../../../tests/story/state.rs"]
mod state;

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn the_table_of_the_story() {
    story::check();
}

#[wasm_bindgen_test]
fn wasm_keeps_the_state_that_native_keeps() {
    assert!(state::trace() == include_str!("../../../tests/parity/state.trace"), "the traces differ");
}

#[wasm_bindgen_test]
fn wasm_writes_the_trace_that_native_writes() {
    assert!(story::trace() == include_str!("../../../tests/parity/story.trace"), "the traces differ");
}
