//! What leaves the page and comes back: work on the shelf, links in the address, files to the downloads, the network.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use yew::prelude::*;

use super::context::Shared;
use crate::browser::carry;
use crate::browser::listener::{Listener, document, window};
use crate::browser::shelf::Shelf;
use crate::browser::timer::Timeout;
use crate::state::save::fragment;
use crate::state::{Action, KeepNews, Kept, Model};

/// A move of the playhead or a letter in the script is saved after so many milliseconds of rest.
const CALM: i32 = 250;
/// The store has so many milliseconds to answer at the start.
const SILENCE: i32 = 10_000;

/// What the work was when it was last given to the shelf, by what is cheap to compare.
#[derive(Clone, PartialEq)]
struct Stamp {
    acts: usize,
    branches: Vec<(String, usize)>,
    branch: usize,
}

impl Stamp {
    fn of(model: &Model) -> Stamp {
        let world = &model.world;
        let branches =
            world.branches.iter().map(|branch| (branch.name.clone(), Rc::as_ptr(&branch.acts) as usize));
        Stamp { acts: Rc::as_ptr(&world.acts) as usize, branches: branches.collect(), branch: world.branch }
    }
}

/// The shelf and what waits to be put on it.
#[derive(Default)]
struct Desk {
    shelf: Option<Shelf>,
    stamp: Option<Stamp>,
    waiting: Option<Kept>,
    timer: Option<Timeout>,
    silence: Option<Timeout>,
}

impl Desk {
    fn flush(&mut self) {
        self.timer = None;
        if let (Some(shelf), Some(kept)) = (&self.shelf, self.waiting.take()) {
            shelf.save(kept);
        }
    }
}

/// Keeps the work, if `keeps` says so, and does what the model asks of the browser.
#[hook]
pub(super) fn use_saving(model: &UseReducerHandle<Model>, dispatch: &Callback<Action>, keeps: bool) {
    let desk = use_mut_ref(Desk::default);
    use_shelf(&desk, dispatch, keeps);
    use_changes(&desk, model);
    let errands = desk.clone();
    use_effect_with(model.ui.keep.errand, move |errand| {
        if let Some((_, errand)) = errand {
            let mut desk = errands.borrow_mut();
            desk.flush();
            if let Some(shelf) = &desk.shelf {
                shelf.run(*errand);
            }
        }
    });
    use_effect_with(model.ui.keep.parcel.clone(), |parcel| {
        if let Some(parcel) = parcel {
            carry::download(&parcel.name, &parcel.mime, &parcel.base64);
        }
    });
}

/// Opens the shelf at the start; then links have their turn, the one that the page was opened with first.
#[hook]
fn use_shelf(desk: &Rc<RefCell<Desk>>, dispatch: &Callback<Action>, keeps: bool) {
    let (desk, tell) = (desk.clone(), dispatch.reform(Action::Keep));
    use_effect_with((), move |()| {
        let links = tell.clone();
        let open_link = move || {
            if let Some(link) = fragment::read(&carry::fragment()) {
                // A reload shows what has become of it, not the link again.
                carry::set_fragment("sandbox");
                links.emit(KeepNews::Link(Box::new(link)));
            }
        };
        if keeps {
            tell.emit(KeepNews::Ask);
            ask_shelf(&desk, &tell, open_link.clone());
        } else {
            open_link();
        }
        let (gone, back, version, hidden) = (tell.clone(), tell.clone(), tell.clone(), desk);
        if !window().navigator().on_line() {
            tell.emit(KeepNews::Offline(true));
        }
        let listeners = [
            Listener::new(&window(), "hashchange", move |_| open_link()),
            Listener::new(&window(), "offline", move |_| gone.emit(KeepNews::Offline(true))),
            Listener::new(&window(), "online", move |_| back.emit(KeepNews::Offline(false))),
            Listener::new(&window(), "tidemark-version", move |_| version.emit(KeepNews::Version)),
            Listener::new(&document(), "visibilitychange", move |_| hidden.borrow_mut().flush()),
        ];
        move || drop(listeners)
    });
}

/// Asks the shelf what it has, then calls `first`. A store that does not answer is let go, so that the page opens without it.
fn ask_shelf(desk: &Rc<RefCell<Desk>>, tell: &Callback<KeepNews>, first: impl Fn() + Clone + 'static) {
    let (is_open, is_deaf) = (Rc::new(Cell::new(false)), Rc::new(Cell::new(false)));
    let (heard, deaf, then) = (tell.clone(), is_deaf.clone(), first.clone());
    let answered = is_open.clone();
    let shelf = Shelf::open(Callback::from(move |news: KeepNews| {
        if deaf.get() {
            return;
        }
        heard.emit(news);
        if !answered.replace(true) {
            then();
        }
    }));
    let (later, tell) = (desk.clone(), tell.clone());
    let silence = Timeout::new(SILENCE, move || {
        if !is_open.get() {
            is_deaf.set(true);
            later.borrow_mut().shelf = None;
            tell.emit(KeepNews::NoStore("its store does not answer".to_owned()));
            first();
        }
    });
    let mut desk = desk.borrow_mut();
    (desk.shelf, desk.silence) = (Some(shelf), Some(silence));
}

/// Gives what has changed to the shelf: new acts at once, the rest when it is calm.
#[hook]
fn use_changes(desk: &Rc<RefCell<Desk>>, model: &UseReducerHandle<Model>) {
    let desk = desk.clone();
    let now: Rc<Model> = Rc::new((**model).clone());
    use_effect_with(Shared(model.world.clone()), move |_| {
        let mut held = desk.borrow_mut();
        if held.shelf.is_none() || !now.is_at_rest() {
            return;
        }
        let stamp = Some(Stamp::of(&now));
        let is_new = held.stamp != stamp;
        held.stamp = stamp;
        held.waiting = Some(now.kept());
        if is_new {
            held.flush();
        } else {
            let later = desk.clone();
            held.timer = Some(Timeout::new(CALM, move || later.borrow_mut().flush()));
        }
    });
}
