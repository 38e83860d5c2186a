//! The link to the engine: requests go down as numbered JSON texts, messages come up.

use std::cell::RefCell;
use std::rc::Rc;

use tidemark_protocol::{FromWorker, Request};
use wasm_bindgen::JsCast as _;
use web_sys::{ErrorEvent, MessageEvent, WorkerOptions, WorkerType};

use super::listener::Listener;

/// What comes up the link.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The engine said something.
    Message(Box<FromWorker>),
    /// The engine is dead, and what the machine says of it.
    Died(String),
}

/// One end of the link. In the product it is a worker, in tests something that answers from a list.
pub trait Link {
    /// Sends a request down.
    fn post(&self, request: &Request);
    /// Replaces a dead engine by a fresh one, which says when it is ready.
    fn begin_again(&self);
}

/// The engine in its worker.
pub struct Worker {
    hear: Rc<dyn Fn(Heard)>,
    running: RefCell<Option<Running>>,
}

struct Running {
    worker: web_sys::Worker,
    _listeners: [Listener; 3],
}

impl Worker {
    const SCRIPT: &'static str = "./worker_loader.js";

    /// Starts the worker; `hear` gets all that it says.
    pub fn start(hear: impl Fn(Heard) + 'static) -> Worker {
        let link = Worker { hear: Rc::new(hear), running: RefCell::new(None) };
        link.begin_again();
        link
    }
}

impl Link for Worker {
    fn post(&self, request: &Request) {
        let text = serde_json::to_string(request).expect("a request is plain data");
        let running = self.running.borrow();
        let Some(running) = running.as_ref() else { return };
        if let Err(error) = running.worker.post_message(&text.into()) {
            (self.hear)(Heard::Died(format!("{error:?}")));
        }
    }

    fn begin_again(&self) {
        if let Some(old) = self.running.borrow_mut().take() {
            old.worker.terminate();
        }
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        match web_sys::Worker::new_with_options(Worker::SCRIPT, &options) {
            Ok(worker) => *self.running.borrow_mut() = Some(attend(worker, &self.hear)),
            Err(error) => (self.hear)(Heard::Died(format!("{error:?}"))),
        }
    }
}

fn attend(worker: web_sys::Worker, hear: &Rc<dyn Fn(Heard)>) -> Running {
    let (messages, errors, garbled) = (hear.clone(), hear.clone(), hear.clone());
    let on_message = Listener::new(&worker, "message", move |event| {
        let text = event.unchecked_into::<MessageEvent>().data().as_string().unwrap_or_default();
        match serde_json::from_str(&text) {
            Ok(message) => messages(Heard::Message(Box::new(message))),
            Err(error) => messages(Heard::Died(format!("It said what the page does not know: {error}"))),
        }
    });
    let on_error = Listener::new(&worker, "error", move |event| {
        event.prevent_default();
        // A script that cannot be loaded gives a plain event without a message.
        let text = event.dyn_into::<ErrorEvent>().map(|event| event.message()).unwrap_or_default();
        errors(Heard::Died(if text.is_empty() {
            "The engine could not be loaded.".to_owned()
        } else {
            text
        }));
    });
    let on_garbled = Listener::new(&worker, "messageerror", move |_| {
        garbled(Heard::Died("A message could not be read.".to_owned()));
    });
    Running { worker, _listeners: [on_message, on_error, on_garbled] }
}
