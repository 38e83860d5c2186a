//! The engine's side of the link: takes requests, drives the sandbox in slices, posts what came of it.
//!
//! Everything that the learner has done is also with the page, as acts: when this worker dies, nothing but time is lost.

mod engine;
mod job;

use std::cell::RefCell;
use std::rc::Rc;

use engine::Engine;
use tidemark_protocol::{Act, FromWorker, Request};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Posts a message to the page.
fn post(message: &FromWorker) {
    let mut text = Vec::with_capacity(about(message));
    serde_json::to_writer(&mut text, message).expect("protocol types are plain data");
    let text = std::str::from_utf8(&text).expect("JSON is text");
    scope().post_message(&text.into()).expect("a worker may post to its page");
}

/// About how many bytes a message takes: a large file comes back among the acts, and is not to be copied as the text grows.
fn about(message: &FromWorker) -> usize {
    let FromWorker::Update { update } = message else { return 0 };
    let files = update.acts.iter().map(|act| if let Act::Put { text, .. } = act { text.len() } else { 0 });
    files.sum::<usize>() / 4 * 5
}

fn receive(engine: &Rc<RefCell<Engine>>, text: String) {
    let request = serde_json::from_str::<Request>(&text);
    // It may be large, and the work is long.
    drop(text);
    match request {
        Ok(request) => engine.borrow_mut().receive(request),
        Err(error) => post(&FromWorker::Refused { number: 0, message: format!("no request: {error}") }),
    }
    go_on(engine);
}

/// Works for a slice and comes back after the messages that wait, as long as there is something to do.
fn go_on(engine: &Rc<RefCell<Engine>>) {
    let mut held = engine.borrow_mut();
    if held.is_waiting || !held.work() {
        return;
    }
    held.is_waiting = true;
    let engine = engine.clone();
    let again = Closure::once_into_js(move || {
        engine.borrow_mut().is_waiting = false;
        go_on(&engine);
    });
    scope()
        .set_timeout_with_callback_and_timeout_and_arguments_0(again.unchecked_ref(), 0)
        .expect("a worker has timers");
}

fn main() {
    let engine = Rc::new(RefCell::new(Engine::default()));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(text) = event.data().as_string() {
            receive(&engine, text);
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(&FromWorker::Ready { version: env!("CARGO_PKG_VERSION").to_owned() });
}
