//! A component mounts into a document and renders what its state says.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::prelude::*;

wasm_bindgen_test_configure!(run_in_browser);

#[function_component]
fn Sample() -> Html {
    html! { <p>{"rows: "}{2}</p> }
}

#[wasm_bindgen_test]
async fn a_component_mounts() {
    let document = web_sys::window().and_then(|window| window.document()).expect("a browser");
    let root = document.create_element("div").expect("a plain element");
    yew::Renderer::<Sample>::with_root(root.clone()).render();
    yew::scheduler::flush().await;
    assert_eq!(root.inner_html(), "<p>rows: 2</p>");
}
