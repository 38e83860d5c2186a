//! The engine's side of the link: takes a request, drives the sandbox in slices, posts what came of it.

use std::cell::RefCell;
use std::rc::Rc;

use tidemark_protocol::{Command, FromWorker, Request};
use tidemark_sandbox::{Sandbox, Work};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Ticks between two looks at the messages: Stop answers within a few of these.
const SLICE: usize = 200;

/// The sandbox and the request it works on.
#[derive(Default)]
struct Engine {
    sandbox: Sandbox,
    busy: Option<u64>,
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn post(message: &FromWorker) {
    let text = serde_json::to_string(message).expect("protocol types are plain data");
    scope().post_message(&text.into()).expect("a worker may post to its page");
}

fn update(engine: &mut Engine, number: u64, moment: usize) {
    let update = Box::new(engine.sandbox.update(number, moment));
    post(&FromWorker::Update { update });
}

fn receive(engine: &Rc<RefCell<Engine>>, text: &str) {
    let request: Request = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(error) => {
            return post(&FromWorker::Refused { number: 0, message: format!("no request: {error}") });
        }
    };
    let number = request.number;
    let mut held = engine.borrow_mut();
    match request.command {
        Command::Open { work } => {
            *held = Engine::default();
            if let Err(error) = held.sandbox.replay(&work.acts(work.current)) {
                post(&FromWorker::Refused { number, message: error.to_string() });
            }
            let last = held.sandbox.moments();
            update(&mut held, number, last);
        }
        Command::Do { act, at } => {
            held.sandbox.go_back(at);
            match held.sandbox.apply(&act) {
                Err(error) => {
                    post(&FromWorker::Refused { number, message: error.to_string() });
                    // The sandbox may have gone back to where the act was to be done.
                    let last = held.sandbox.moments();
                    update(&mut held, number, last);
                }
                Ok(()) => {
                    held.busy = Some(number);
                    drop(held);
                    slice(engine);
                }
            }
        }
        Command::Begin { .. }
        | Command::Switch { .. }
        | Command::Rename { .. }
        | Command::Discard { .. }
        | Command::Compare { .. }
        | Command::Sweep { .. }
        | Command::Plane { .. }
        | Command::State { .. }
        | Command::Check { .. }
        | Command::Follow { .. } => {
            post(&FromWorker::Refused { number, message: "The engine does not do this yet.".to_owned() });
        }
        Command::Export { moment, form } => match held.sandbox.export(moment, form) {
            Ok(file) => {
                let (base64, mime) = (file.base64(), file.mime.to_owned());
                post(&FromWorker::File { number, name: file.name, mime, base64 });
            }
            Err(error) => post(&FromWorker::Refused { number, message: error.to_string() }),
        },
        Command::Look { moment } => update(&mut held, number, moment),
        Command::Read { moment, path } => {
            let object = Box::new(held.sandbox.object_at(moment, &path));
            post(&FromWorker::Object { number, object });
        }
        Command::Halt => {
            held.sandbox.halt();
            held.busy = None;
            let last = held.sandbox.moments();
            update(&mut held, number, last);
        }
    }
}

/// Works for one slice; goes on after the messages that wait.
fn slice(engine: &Rc<RefCell<Engine>>) {
    let mut held = engine.borrow_mut();
    let Some(number) = held.busy else { return };
    let work = held.sandbox.work(SLICE);
    let last = held.sandbox.moments();
    update(&mut held, number, last);
    match work {
        Work::Rest => held.busy = None,
        Work::Busy(_) => {
            let engine = engine.clone();
            let again = Closure::once_into_js(move || slice(&engine));
            scope()
                .set_timeout_with_callback_and_timeout_and_arguments_0(again.unchecked_ref(), 0)
                .expect("a worker has timers");
        }
    }
}

fn main() {
    let engine = Rc::new(RefCell::new(Engine::default()));
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        if let Some(text) = event.data().as_string() {
            receive(&engine, &text);
        }
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(&FromWorker::Ready { version: env!("CARGO_PKG_VERSION").to_owned() });
}
