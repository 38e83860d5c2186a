//! The reducer over whole conversations with an engine that answers from a list.

use std::rc::Rc;

use tidemark_protocol::{
    Act, Busy, Can, Change, Command, FromWorker, MomentMark, ObjectBody, ObjectView, Request, ScriptState,
    ScriptView, StoreEntry, Update, View, Work,
};
use tidemark_types::SimTime;

use crate::state::act::sample;
use crate::state::{Action, Deed, Dropped, Engine, Model, Screen, Theme, reduce};

/// A page and what it asked, in order.
pub(in crate::state) struct Page {
    pub(in crate::state) model: Model,
    pub(in crate::state) asked: Vec<Request>,
}

impl Page {
    fn new() -> Page {
        let model = reduce(&Model::fresh(Screen::Sandbox, Theme::System), Action::Seed(7));
        Page { model, asked: Vec::new() }
    }

    /// A page whose sandbox is open at moment 0.
    pub(in crate::state) fn open() -> Page {
        let mut page = Page::new();
        page.hear(FromWorker::Ready { version: "0".to_owned() });
        page.answer(view(0, "", ScriptState::Fresh), 1);
        page
    }

    pub(in crate::state) fn act(&mut self, action: Action) {
        self.model = reduce(&self.model, action);
        let last = self.asked.last().map_or(0, |request| request.number);
        self.asked.extend(self.model.outbox.iter().filter(|request| request.number > last).cloned());
    }

    pub(in crate::state) fn hear(&mut self, message: FromWorker) {
        self.act(Action::Heard(Box::new(message)));
    }

    /// Answers the last request with a view; there are `moments` moments then.
    pub(in crate::state) fn answer(&mut self, view: View, moments: usize) {
        let number = self.last().number;
        self.update(number, view, moments, None);
    }

    fn update(&mut self, number: u64, view: View, moments: usize, busy: Option<&str>) {
        let acts = self.model.world.acts.to_vec();
        let update = Update {
            number,
            view: Rc::new(view),
            marks: vec![mark(); moments],
            first_mark: 0,
            branch: 0,
            branches: vec![],
            moments,
            acts,
            first_act: 0,
            busy: busy.map(|what| Busy { what: what.to_owned() }),
        };
        self.hear(FromWorker::Update { update: Box::new(update) });
    }

    pub(in crate::state) fn last(&self) -> &Request {
        self.asked.last().expect("the page has asked something")
    }

    pub(in crate::state) fn command(&self) -> &Command {
        &self.last().command
    }
}

pub(in crate::state) fn mark() -> MomentMark {
    MomentMark {
        at: SimTime(0),
        sentence: String::new(),
        run: 1,
        batch: None,
        phase: None,
        crash: false,
        act: false,
        output: false,
        duplicate: false,
        dropped: 0,
    }
}

pub(in crate::state) fn view(moment: usize, text: &str, state: ScriptState) -> View {
    View {
        moment,
        at: SimTime(0),
        sentence: format!("moment {moment}"),
        script: ScriptView {
            name: sample::NAME.to_owned(),
            text: text.to_owned(),
            state,
            line: None,
            printed: Vec::new(),
            errors: Vec::new(),
        },
        store: Vec::new(),
        queries: Vec::new(),
        sinks: Vec::new(),
        armed: vec![],
        can: Can { crash: Some("Nothing runs.".to_owned()), ..Can::default() },
    }
}

pub(in crate::state) fn with_file(mut view: View, path: &str, change: Change) -> View {
    view.store.push(StoreEntry {
        path: path.to_owned(),
        folder: false,
        bytes: 3,
        modified: SimTime(9),
        change,
        batch: None,
        note: String::new(),
    });
    view
}

#[test]
fn a_ready_engine_is_asked_for_a_sandbox_from_the_acts() {
    let mut page = Page::new();
    page.hear(FromWorker::Ready { version: "0".to_owned() });
    assert_eq!(*page.command(), Command::Open { work: Work::of_acts(vec![Act::Seed { seed: 7 }]) });
    assert_eq!(page.model.world.engine, Engine::Opening);
    page.answer(view(0, "", ScriptState::Fresh), 1);
    assert_eq!(page.model.world.engine, Engine::Ready);
}

#[test]
fn run_brings_the_edited_text_first_and_waits_for_it() {
    let mut page = Page::open();
    page.act(Action::Draft("x = 1".to_owned()));
    page.act(Action::Do(Deed::Run));
    let edit = Act::Edit { script: "main.py".to_owned(), text: "x = 1".to_owned() };
    assert_eq!(*page.command(), Command::Do { act: edit, at: 0 });
    page.answer(view(1, "x = 1", ScriptState::Fresh), 2);
    assert_eq!(*page.command(), Command::Do { act: Act::Run { script: "main.py".to_owned() }, at: 1 });
    page.answer(view(4, "x = 1", ScriptState::Ended), 5);
    assert_eq!((page.model.world.moment, page.model.world.awaiting), (4, None));
    // The same text again is not sent again.
    page.act(Action::Do(Deed::Run));
    assert_eq!(*page.command(), Command::Do { act: Act::Run { script: "main.py".to_owned() }, at: 4 });
}

#[test]
fn edits_make_the_picture_stale() {
    let mut page = Page::open();
    page.act(Action::Draft("x = 1".to_owned()));
    page.act(Action::Do(Deed::Run));
    page.answer(view(1, "x = 1", ScriptState::Fresh), 2);
    page.answer(view(2, "x = 1", ScriptState::Ended), 3);
    assert!(!page.model.world.is_stale());
    page.act(Action::Draft("x = 2".to_owned()));
    assert!(page.model.world.is_stale());
    page.act(Action::Draft("x = 1".to_owned()));
    assert!(!page.model.world.is_stale());
}

#[test]
fn looking_back_asks_once_and_ends_where_the_playhead_is() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Drop));
    page.answer(view(5, "", ScriptState::Ended), 6);
    let before = page.asked.len();
    page.act(Action::By(-1));
    page.act(Action::By(-1));
    page.act(Action::By(-1));
    // One question is in flight, the others wait for its answer.
    assert_eq!(page.asked.len(), before + 1);
    assert_eq!(*page.command(), Command::Look { moment: 4 });
    page.answer(view(4, "", ScriptState::Ended), 6);
    assert_eq!(*page.command(), Command::Look { moment: 2 });
    page.answer(view(2, "", ScriptState::Ended), 6);
    assert_eq!(page.model.world.moment, 2);
    assert_eq!(page.model.world.view.as_ref().map(|view| view.moment), Some(2));
    // Acting here is acting in the past.
    page.act(Action::Do(Deed::Run));
    assert!(matches!(page.command(), Command::Do { at: 2, .. }));
}

#[test]
fn a_deed_that_is_off_says_why() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Crash));
    assert_eq!(page.model.ui.said.as_deref(), Some("Nothing runs."));
    page.act(Action::Do(Deed::Run));
    let run = page.last().number;
    page.act(Action::Slow(run));
    page.act(Action::Do(Deed::Step));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.starts_with("The engine is at work")));
    page.act(Action::By(-1));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.starts_with("The engine is at work")));
}

#[test]
fn a_quick_second_deed_waits_for_the_first() {
    let mut page = Page::open();
    page.act(Action::Draft(String::new()));
    page.act(Action::Do(Deed::Step));
    page.act(Action::Do(Deed::Step));
    let first = page.last().number;
    page.answer(view(1, "", ScriptState::Running), 2);
    assert_eq!(*page.command(), Command::Do { act: Act::Step, at: 1 });
    assert_eq!(page.last().number, first + 1);
    page.answer(view(2, "", ScriptState::Running), 3);
    assert_eq!(page.last().number, first + 1);
}

#[test]
fn samples_and_files_are_put_one_after_the_other() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Sample));
    assert!(
        matches!(page.command(), Command::Do { act: Act::Put { path, .. }, at: 0 } if path == "in/a.json")
    );
    page.answer(with_file(view(1, "", ScriptState::Fresh), "in/a.json", Change::New), 2);
    assert!(page.asked.iter().any(
        |request| matches!(&request.command, Command::Do { act: Act::Put { path, .. }, at: 1 } if path == "in/b.json")
    ));
    let mut page = Page::open();
    let file = |name: &str| Dropped { name: name.to_owned(), text: "{}".to_owned() };
    page.act(Action::Files(vec![file("z.json"), file("new.py"), file("b.json")]));
    assert!(
        matches!(page.command(), Command::Do { act: Act::Put { path, .. }, at: 0 } if path == "in/b.json")
    );
    assert_eq!(page.model.world.draft, "{}");
}

#[test]
fn stop_interrupts_a_long_run() {
    let mut page = Page::open();
    page.act(Action::Draft(String::new()));
    page.act(Action::Do(Deed::Run));
    let run = page.last().number;
    page.update(run, view(3, "", ScriptState::Running), 4, Some("batch 2"));
    assert_eq!(page.model.world.awaiting, Some(run));
    page.act(Action::Do(Deed::Stop));
    assert_eq!(*page.command(), Command::Halt);
    page.answer(view(3, "", ScriptState::Stopped), 4);
    assert_eq!(page.model.world.awaiting, None);
}

#[test]
fn an_engine_that_does_not_stop_is_replaced() {
    let mut page = Page::open();
    page.act(Action::Draft(String::new()));
    page.act(Action::Do(Deed::Run));
    let run = page.last().number;
    page.act(Action::Overdue(run + 9));
    assert_eq!(page.model.deaths, 0);
    page.act(Action::Overdue(run));
    assert_eq!((page.model.deaths, page.model.world.engine), (1, Engine::Loading));
    assert!(page.model.ui.notice.as_ref().is_some_and(|notice| notice.broken));
    page.hear(FromWorker::Ready { version: "0".to_owned() });
    assert_eq!(*page.command(), Command::Open { work: Work::of_acts(vec![Act::Seed { seed: 7 }]) });
}

#[test]
fn an_act_that_kills_every_engine_is_left_out() {
    let mut page = Page::open();
    let acts = vec![Act::Seed { seed: 7 }, Act::Step];
    Rc::make_mut(&mut page.model.world).acts = Rc::new(acts);
    page.act(Action::Died("panicked".to_owned()));
    page.hear(FromWorker::Ready { version: "0".to_owned() });
    page.act(Action::Died("panicked".to_owned()));
    page.hear(FromWorker::Ready { version: "0".to_owned() });
    assert_eq!(*page.command(), Command::Open { work: Work::of_acts(vec![Act::Seed { seed: 7 }]) });
    assert_eq!(page.model.deaths, 2);
}

#[test]
fn an_engine_that_never_answers_is_given_up() {
    let mut page = Page::new();
    for _ in 0..9 {
        page.hear(FromWorker::Ready { version: "0".to_owned() });
        page.act(Action::Died("panicked".to_owned()));
    }
    assert_eq!((page.model.deaths, page.model.world.engine), (3, Engine::Broken));
    page.act(Action::Do(Deed::Run));
    assert!(page.model.ui.said.as_deref().is_some_and(|said| said.contains("Load the page again")));
}

#[test]
fn the_object_that_a_step_wrote_is_opened_and_read_once() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Drop));
    let written = with_file(view(1, "", ScriptState::Fresh), "in/a.json", Change::New);
    page.answer(written.clone(), 2);
    assert_eq!(*page.command(), Command::Read { moment: 1, path: "in/a.json".to_owned() });
    let object = ObjectView {
        path: "in/a.json".to_owned(),
        bytes: 3,
        modified: SimTime(9),
        kind: String::new(),
        words: String::new(),
        raw: String::new(),
        body: ObjectBody::Text,
    };
    let number = page.last().number;
    page.hear(FromWorker::Object { number: number + 1, object: Box::new(object.clone()) });
    assert_eq!(page.model.world.object, None);
    page.hear(FromWorker::Object { number, object: Box::new(object) });
    assert!(page.model.world.object.is_some());
    let before = page.asked.len();
    page.act(Action::Select("in/a.json".to_owned()));
    assert_eq!(page.asked.len(), before);
    assert!(!page.model.ui.follow);
}

#[test]
fn a_refusal_is_said_and_the_page_goes_on() {
    let mut page = Page::open();
    page.act(Action::Delete("nowhere".to_owned()));
    let number = page.last().number;
    page.hear(FromWorker::Refused { number, message: "There is no nowhere.".to_owned() });
    assert_eq!(page.model.ui.said.as_deref(), Some("There is no nowhere."));
    assert_eq!((page.model.world.awaiting, page.model.deaths), (None, 0));
}

#[test]
fn play_pauses_at_a_crash_and_at_the_end() {
    let mut page = Page::open();
    page.act(Action::Do(Deed::Drop));
    page.answer(view(5, "", ScriptState::Ended), 6);
    Rc::make_mut(&mut Rc::make_mut(&mut page.model.world).marks)[2].crash = true;
    page.act(Action::Play);
    assert!(!page.model.ui.playing);
    page.act(Action::First);
    page.answer(view(0, "", ScriptState::Fresh), 6);
    Rc::make_mut(&mut Rc::make_mut(&mut page.model.world).marks)[2].crash = true;
    page.act(Action::Play);
    page.act(Action::Tick);
    assert!(page.model.ui.playing);
    page.act(Action::Tick);
    assert!(!page.model.ui.playing);
}
