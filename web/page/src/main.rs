//! The page: puts the application into the shell and starts the engine's worker.
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::Closure;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::prelude::*;

#[function_component]
fn App() -> Html {
    let ready = use_state(|| false);
    {
        let ready = ready.clone();
        use_effect_with((), move |()| start_worker(move || ready.set(true)));
    }
    let state = if *ready { "The engine is ready." } else { "The engine is loading." };
    html! { <><h1>{"Tidemark"}</h1><p role="status">{state}</p></> }
}

/// Starts the engine's worker; its first message says that it listens.
fn start_worker(ready: impl Fn() + 'static) {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options("./worker_loader.js", &options)
        .expect("a browser that runs wasm has workers");
    let listener = Closure::<dyn Fn(MessageEvent)>::new(move |_| ready());
    worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
}

fn main() {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element #app");
    root.set_inner_html("");
    yew::Renderer::<App>::with_root(root).render();
}
