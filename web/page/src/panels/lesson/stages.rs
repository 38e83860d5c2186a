//! Where one is: the number and title of the lesson, and its six stages.

use yew::prelude::*;

use crate::app::use_ui;
use crate::state::Stage;

/// Number and title, in the place of the sandbox's name.
#[component]
pub fn Place() -> Html {
    let ui = use_ui();
    let Some(open) = &ui.lesson.open else { return html! { <h1>{"Sandbox"}</h1> } };
    let (number, all) = (ui.lesson.number(&open.lesson), ui.lesson.all.len());
    html! {
        <>
            <a href="#start" class="lesson-no" aria-label={format!("Lesson {number} of {all}, all lessons")} title="All lessons">{number}</a>
            <h1>{&open.lesson.form.title}</h1>
        </>
    }
}

/// The stages, the present one marked.
#[component]
pub fn Stages() -> Html {
    let ui = use_ui();
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let items = Stage::ALL.into_iter().map(|stage| {
        let (state, current) = match stage.cmp(&open.stage) {
            std::cmp::Ordering::Less => ("done", None),
            std::cmp::Ordering::Equal => ("now", Some("step")),
            std::cmp::Ordering::Greater => ("next", None),
        };
        html! { <li key={stage.word()} data-stage={state} aria-current={current}><span>{stage.number()}</span>{stage.word()}</li> }
    });
    html! { <ol class="lesson-stages" aria-label="Stages">{ for items }</ol> }
}
