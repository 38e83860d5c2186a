//! The root: holds the model, posts the outbox, hears the browser.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use tidemark_protocol::Command;
use yew::prelude::*;

use super::context::Shared;
use super::frame::Frame;
use super::saving::use_saving;
use crate::browser::files::{self, FileNews};
use crate::browser::timer::{Interval, Timeout};
use crate::browser::{Heard, Link, keyboard, screen};
use crate::state::offer::keys;
use crate::state::{Action, KeepNews, LessonAction, Model, Screen, Ui, World, reduce, words};

/// How long the engine has to answer to Stop, in milliseconds.
const PATIENCE: i32 = 2_500;
/// How long something said stays on screen.
const SAID: i32 = 6_000;
/// Longer than this is shown as work.
const BLINK: i32 = 300;
/// One step of play.
const PLAY: i32 = 600;

/// Makes the link to the engine.
#[derive(Clone)]
pub struct Connect(Rc<dyn Fn(Callback<Heard>) -> Rc<dyn Link>>);

impl Connect {
    /// A way to make the link; the callback takes what it hears.
    pub fn new(make: impl Fn(Callback<Heard>) -> Rc<dyn Link> + 'static) -> Connect {
        Connect(Rc::new(make))
    }
}

impl PartialEq for Connect {
    fn eq(&self, other: &Connect) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What the application is given.
#[derive(Clone, PartialEq, Properties)]
pub struct AppProps {
    /// The link to the engine.
    pub connect: Connect,
    /// Whether work is kept in this browser.
    #[prop_or_default]
    pub keeps: bool,
}

impl Reducible for Model {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        Rc::new(reduce(&self, action))
    }
}

/// The application.
#[component]
pub fn App(props: &AppProps) -> Html {
    let model = use_reducer(|| {
        let model = Model::fresh(screen::from_address(), screen::stored_theme());
        let model = reduce(&model, Action::Seed(screen::draw_seed()));
        let model = reduce(&model, Action::Lesson(LessonAction::Restore(screen::stored_lessons())));
        match screen::lesson_asked() {
            Some(Some(slug)) => reduce(&model, Action::Lesson(LessonAction::Open(slug))),
            _ => model,
        }
    });
    let dispatcher = model.dispatcher();
    let dispatch = use_callback((), move |action: Action, ()| dispatcher.dispatch(action));
    use_engine(&model, &dispatch, &props.connect);
    use_outside(&model, &dispatch);
    use_clock(&model, &dispatch);
    use_saving(&model, &dispatch, props.keeps);
    html! {
        <ContextProvider<Callback<Action>> context={dispatch}>
            <ContextProvider<Shared<World>> context={Shared(model.world.clone())}>
                <ContextProvider<Shared<Ui>> context={Shared(model.ui.clone())}>
                    <Frame />
                </ContextProvider<Shared<Ui>>>
            </ContextProvider<Shared<World>>>
        </ContextProvider<Callback<Action>>>
    }
}

/// The link: made once, fed from the outbox, replaced when the engine has died.
#[hook]
fn use_engine(model: &UseReducerHandle<Model>, dispatch: &Callback<Action>, connect: &Connect) {
    let link = use_mut_ref(|| None::<Rc<dyn Link>>);
    let deadline = use_mut_ref(|| None::<Timeout>);
    let sent = use_mut_ref(|| Cell::new(0_u64));
    {
        let (link, dispatch) = (link.clone(), dispatch.clone());
        use_effect_with(connect.clone(), move |connect| {
            let hear = Callback::from(move |heard| {
                dispatch.emit(match heard {
                    Heard::Message(message) => Action::Heard(message),
                    Heard::Died(why) => Action::Died(why),
                });
            });
            let made = (connect.0)(hear);
            *link.borrow_mut() = Some(made);
        });
    }
    {
        let link = link.clone();
        use_effect_with(model.deaths, move |deaths| {
            if let Some(link) = link.borrow().as_ref().filter(|_| *deaths > 0) {
                link.begin_again();
            }
        });
    }
    let awaiting = model.world.awaiting;
    let dispatch = dispatch.clone();
    use_effect_with(model.outbox.clone(), move |outbox| {
        let link = link.borrow().clone();
        let sent = sent.borrow();
        for request in outbox.iter().filter(|request| request.number > sent.get()) {
            if let Some(link) = &link {
                link.post(request);
            }
            sent.set(request.number);
            if let (Command::Halt, Some(number)) = (&request.command, awaiting) {
                let dispatch = dispatch.clone();
                let timeout = Timeout::new(PATIENCE, move || dispatch.emit(Action::Overdue(number)));
                *deadline.borrow_mut() = Some(timeout);
            }
        }
    });
}

/// Keys, files, the address and the theme.
#[hook]
fn use_outside(model: &UseReducerHandle<Model>, dispatch: &Callback<Action>) {
    // Listeners are set once; they look at the model of the last render.
    let latest = use_mut_ref(|| model.world.clone());
    *latest.borrow_mut() = model.world.clone();
    let chosen = use_mut_ref(|| model.ui.clone());
    *chosen.borrow_mut() = model.ui.clone();
    let dispatch = dispatch.clone();
    use_effect_with((), move |()| {
        let (to_keys, to_files, to_screen, late) =
            (dispatch.clone(), dispatch.clone(), dispatch.clone(), dispatch);
        let listeners = (
            keyboard::listen(move |key| {
                let ui = chosen.borrow().clone();
                // An open dialog has its own keys.
                if ui.screen != Screen::Sandbox || ui.dialog.is_some() {
                    return false;
                }
                let action = keys::action_for(&key, &latest.borrow(), &ui);
                action.is_some_and(|action| {
                    to_keys.emit(action);
                    true
                })
            }),
            files::listen(move |news| to_files.emit(action_of(news))),
            screen::listen(move |screen| {
                // The first screen has a switch of its own.
                to_screen.emit(Action::Theme(screen::stored_theme()));
                to_screen.emit(Action::Screen(screen));
                if let Some(asked) = screen::lesson_asked() {
                    to_screen.emit(Action::Lesson(LessonAction::Address(asked)));
                }
            }),
        );
        // What the address asked before anyone listened.
        if let Some(Some(slug)) = screen::lesson_asked() {
            late.emit(Action::Lesson(LessonAction::Address(Some(slug))));
        }
        move || drop(listeners)
    });
    let slug = model.ui.lesson.open.as_ref().map(|open| open.lesson.slug.clone());
    let had_lesson = use_mut_ref(|| false);
    use_effect_with(slug, move |slug| {
        // An address that asked before anyone listened is not written over.
        if had_lesson.replace(slug.is_some()) || slug.is_some() {
            screen::say_lesson(slug.as_deref());
        }
    });
    use_effect_with(model.ui.lesson.progress.clone(), |progress| {
        screen::keep_lessons(&progress.text(), |id| progress.of(id).words());
    });
    use_effect_with(model.ui.theme, |theme| screen::put_on(*theme));
    use_effect_with(model.ui.screen, |shown| screen::show(*shown));
    use_effect_with(model.world.engine, |engine| screen::say_on_start(words::engine(*engine)));
}

/// The action for news of files.
pub(crate) fn action_of(news: FileNews) -> Action {
    match news {
        FileNews::Over(over) => Action::Over(over),
        FileNews::Read(files) => Action::Files(files),
        FileNews::Archive { name, base64 } => Action::Keep(KeepNews::Import { name, archive: base64 }),
        FileNews::TooBig { name, bytes } => Action::Keep(KeepNews::TooBig(name, bytes)),
    }
}

/// Play, and what is said goes after a while.
#[hook]
fn use_clock(model: &UseReducerHandle<Model>, dispatch: &Callback<Action>) {
    let tick = dispatch.clone();
    use_effect_with(model.ui.playing, move |playing| {
        let interval = playing.then(|| Interval::new(PLAY, move || tick.emit(Action::Tick)));
        move || drop(interval)
    });
    let slow = dispatch.clone();
    use_effect_with(model.world.awaiting, move |awaiting| {
        let timeout = awaiting.map(|number| Timeout::new(BLINK, move || slow.emit(Action::Slow(number))));
        move || drop(timeout)
    });
    let quiet = dispatch.clone();
    let timer = use_mut_ref(|| RefCell::new(None::<Timeout>));
    use_effect_with(model.ui.said.clone(), move |said| {
        let timeout = said.as_ref().map(|_| Timeout::new(SAID, move || quiet.emit(Action::Quiet)));
        timer.borrow().replace(timeout);
    });
}
