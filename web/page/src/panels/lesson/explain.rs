//! The cause, and the file that proves it.

use yew::prelude::*;

use super::prose;
use crate::app::{use_dispatch, use_ui};
use crate::state::lesson::Open;
use crate::state::{Action, LessonAction};
use crate::widgets::Icon;

/// The stage.
#[component]
pub(super) fn Explain() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let explain = &open.lesson.form.explain;
    let chosen = open.cause.and_then(|at| explain.choices.get(at));
    let next = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Next));
    html! {
        <div class="lesson-ask" data-first="">
            <fieldset>
                <legend>{&explain.question}</legend>
                { for (0..explain.choices.len()).map(|at| html! { <Cause key={at} {at} /> }) }
            </fieldset>
            if let Some(choice) = chosen { <div class="lesson-answer" role="status">{ prose::paragraph(&choice.says) }</div> }
            if chosen.is_some_and(|choice| choice.right) { <Evidence /> }
            if open.explained {
                <button class="btn btn-strong lesson-go" type="button" onclick={next}>{"Try it"}<Icon name="fwd" /></button>
            }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CauseProps {
    at: usize,
}

/// One cause.
#[component]
fn Cause(props: &CauseProps) -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let at = props.at;
    let choose = dispatch.reform(move |_: Event| Action::Lesson(LessonAction::Cause(at)));
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let checked = open.cause == Some(at);
    html! {
        <label class="lesson-option">
            <input type="radio" name="cause" {checked} onchange={choose} />
            <span class="lesson-radio"></span><span>{ prose::inline(&open.lesson.form.explain.choices[at].text) }</span>
        </label>
    }
}

/// Which file proves it.
#[component]
fn Evidence() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let point = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Point));
    let selected = ui.selected.as_ref().filter(|_| !ui.follow);
    let strong = (!open.explained).then_some("btn-strong");
    html! {
        <>
            <p class="lesson-question" id="evidence-q">{&open.lesson.form.explain.ask}</p>
            <p class="lesson-selected" role="status">
                if let Some(path) = selected { <code>{path}</code>{" is selected."} } else { {"Nothing is selected yet."} }
            </p>
            <button class={classes!("btn", strong)} type="button" aria-describedby="evidence-q" aria-disabled={selected.is_none().then_some("true")} onclick={point}>{"This file proves it"}</button>
            { answer(open) }
        </>
    }
}

fn answer(open: &Open) -> Html {
    match open.evidence() {
        Some((_, says)) => {
            html! { <div class="lesson-answer" role="status">{ prose::paragraph(says) }</div> }
        }
        None => Html::default(),
    }
}
