//! The page in a real document, with an engine that answers from a list.
#![cfg(target_arch = "wasm32")]

use std::cell::RefCell;
use std::rc::Rc;

use tidemark_page::app::{App, AppProps, Connect};
use tidemark_page::browser::{Heard, Link, listener};
use tidemark_protocol::{Act, Can, Change, Command, FromWorker, MomentMark, Request};
use tidemark_protocol::{ScriptState, ScriptView, StoreEntry, Update, View};
use tidemark_types::SimTime;
use wasm_bindgen::JsCast as _;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// The local end of the link: keeps the requests and answers each act with one more moment.
struct Local {
    hear: yew::Callback<Heard>,
    asked: RefCell<Vec<Request>>,
    files: RefCell<Vec<String>>,
    moments: RefCell<usize>,
}

impl Local {
    fn say(&self, message: FromWorker) {
        self.hear.emit(Heard::Message(Box::new(message)));
    }
}

impl Link for Local {
    fn post(&self, request: &Request) {
        self.asked.borrow_mut().push(request.clone());
        match &request.command {
            Command::Do { act, .. } => {
                *self.moments.borrow_mut() += 1;
                match act {
                    Act::Put { path, .. } => self.files.borrow_mut().push(path.clone()),
                    Act::Delete { path } => self.files.borrow_mut().retain(|file| file != path),
                    _ => {}
                }
            }
            Command::Open { .. } => *self.moments.borrow_mut() = 1,
            _ => return,
        }
        let moments = *self.moments.borrow();
        let view = Rc::new(view(moments - 1, &self.files.borrow()));
        let marks = vec![mark(); moments];
        let update = Update {
            number: request.number,
            view,
            marks,
            first_mark: 0,
            moments,
            branch: 0,
            branches: vec![],
            acts: vec![],
            first_act: 0,
            busy: None,
        };
        self.say(FromWorker::Update { update: Box::new(update) });
    }

    fn begin_again(&self) {
        self.say(FromWorker::Ready { version: "test".to_owned() });
    }
}

fn mark() -> MomentMark {
    MomentMark {
        at: SimTime(0),
        sentence: "A sentence.".to_owned(),
        run: 0,
        batch: None,
        phase: None,
        crash: false,
        act: true,
        output: false,
        duplicate: false,
        dropped: 0,
    }
}

fn view(moment: usize, files: &[String]) -> View {
    let entry = |path: &String| StoreEntry {
        path: path.clone(),
        folder: false,
        bytes: 1,
        modified: SimTime(0),
        change: Change::Same,
        batch: None,
        note: String::new(),
    };
    View {
        moment,
        at: SimTime(0),
        sentence: format!("Moment {moment}."),
        script: ScriptView {
            name: "main.py".to_owned(),
            text: String::new(),
            state: ScriptState::Fresh,
            line: None,
            printed: vec![],
            errors: vec![],
        },
        store: files.iter().map(entry).collect(),
        queries: vec![],
        sinks: vec![],
        armed: vec![],
        can: Can { crash: Some("Nothing runs.".to_owned()), ..Can::default() },
    }
}

/// Mounts the page with a local engine.
async fn mount() -> (Element, Rc<Local>) {
    let document = listener::document();
    listener::window().location().set_hash("#sandbox").expect("a hash can be set");
    let root = document.create_element("div").expect("a plain element");
    document.body().expect("a body").append_child(&root).expect("a body takes children");
    let made: Rc<RefCell<Option<Rc<Local>>>> = Rc::default();
    let keep = made.clone();
    let connect = Connect::new(move |hear| {
        let local = Rc::new(Local {
            hear,
            asked: RefCell::default(),
            files: RefCell::default(),
            moments: RefCell::new(0),
        });
        *keep.borrow_mut() = Some(local.clone());
        local
    });
    yew::Renderer::<App>::with_root_and_props(root.clone(), AppProps { connect, keeps: false }).render();
    settle().await;
    let local = made.borrow().clone().expect("the page makes its link");
    local.begin_again();
    settle().await;
    (root, local)
}

/// Lets renders and effects run until nothing changes any more.
async fn settle() {
    for _ in 0..6 {
        yew::scheduler::flush().await;
    }
}

fn press(root: &Element, selector: &str) {
    let found = root.query_selector(selector).expect("a selector").expect("an element");
    found.unchecked_into::<HtmlElement>().click();
}

fn text(root: &Element, selector: &str) -> String {
    root.query_selector(selector)
        .expect("a selector")
        .and_then(|found| found.text_content())
        .unwrap_or_default()
}

#[wasm_bindgen_test]
async fn a_sample_lands_in_the_store_and_is_deleted_again() {
    let (root, local) = mount().await;
    assert_eq!(text(&root, ".picture-sentence"), "Nothing has happened yet.");
    press(&root, "[title^='Drop the next']");
    settle().await;
    assert_eq!(text(&root, "[role=treeitem] .store-row .name"), "a.json");
    assert_eq!(text(&root, ".picture-sentence"), "Moment 1.");
    press(&root, "[aria-label='Delete in/a.json']");
    settle().await;
    assert!(root.query_selector("[data-path='in/a.json']").expect("a selector").is_none());
    let acts =
        local.asked.borrow().iter().filter(|request| matches!(request.command, Command::Do { .. })).count();
    assert_eq!(acts, 2);
    root.remove();
}

#[wasm_bindgen_test]
async fn a_button_that_is_off_says_why() {
    let (root, local) = mount().await;
    let before = local.asked.borrow().len();
    press(&root, "[aria-keyshortcuts=K]");
    settle().await;
    assert_eq!(text(&root, ".note"), "Nothing runs.");
    assert_eq!(local.asked.borrow().len(), before);
    root.remove();
}

#[wasm_bindgen_test]
async fn a_dead_engine_is_replaced_with_a_notice() {
    let (root, local) = mount().await;
    local.hear.emit(Heard::Died("panicked".to_owned()));
    settle().await;
    assert!(text(&root, "[role=alert]").contains("The engine stopped and was started again."));
    let opened =
        local.asked.borrow().iter().filter(|request| matches!(request.command, Command::Open { .. })).count();
    assert_eq!(opened, 2);
    root.remove();
}
