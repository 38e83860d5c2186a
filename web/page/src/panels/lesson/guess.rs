//! The guess, and the run up to the step that decides.

use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::prose;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::lesson::{Open, Pick};
use crate::state::{Action, LessonAction};
use crate::widgets::Icon;

/// The question: one choice, and how sure.
#[component]
pub(super) fn Guess() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let go = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Go));
    let off = open.pick.is_none().then_some("true");
    html! {
        <div class="lesson-ask">
            <Choices />
            <Sure />
            <button class="btn btn-strong lesson-go" type="button" aria-disabled={off} aria-keyshortcuts="R" title={off.map(|_| "Choose an answer first")} onclick={go}>
                <Icon name="play" />{&open.lesson.form.guess.go}<kbd class="key" aria-hidden="true">{"R"}</kbd>
            </button>
        </div>
    }
}

/// The choices; `I do not know` is the last one.
#[component]
fn Choices() -> Html {
    let ui = use_ui();
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let guess = &open.lesson.form.guess;
    let options =
        guess.options.iter().enumerate().map(|(at, option)| choice(open, Pick::Option(at), &option.text));
    html! {
        <fieldset>
            <legend>{&guess.question}</legend>
            { for options }
            { choice(open, Pick::Unknown, "I do not know") }
        </fieldset>
    }
}

fn choice(open: &Open, pick: Pick, words: &str) -> Html {
    html! { <Choice key={words.to_owned()} {pick} chosen={open.pick == Some(pick)} words={words.to_owned()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ChoiceProps {
    pick: Pick,
    chosen: bool,
    words: String,
}

#[component]
fn Choice(props: &ChoiceProps) -> Html {
    let pick = props.pick;
    let choose = use_dispatch().reform(move |_: Event| Action::Lesson(LessonAction::Pick(pick)));
    html! {
        <label class="lesson-option">
            <input type="radio" name="guess" checked={props.chosen} onchange={choose} />
            <span class="lesson-radio"></span><span>{ prose::inline(&props.words) }</span>
        </label>
    }
}

/// How sure, on five steps.
#[component]
fn Sure() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let choose = Callback::from(move |event: InputEvent| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        if let Some(sure) = input.and_then(|input| input.value().parse().ok()) {
            dispatch.emit(Action::Lesson(LessonAction::Sure(sure)));
        }
    });
    html! {
        <div class="lesson-sure">
            <label for="sure">{"How sure?"}</label>
            <input id="sure" type="range" min="0" max="4" value={open.sure.to_string()} aria-valuetext={open.sure_words()} oninput={choose} />
            <span aria-hidden="true">{"a hunch"}</span><span aria-hidden="true">{"certain"}</span>
        </div>
    }
}

/// The run: the way to the step that decides, and the last chance to change one's mind.
#[component]
pub(super) fn Run() -> Html {
    let (ui, world, dispatch) = (use_ui(), use_world(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let skip = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Skip));
    let see = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::See));
    let guess = open.guessed().map_or("open", |guess| guess.text.as_str());
    if !open.is_at_the_stop(world.moment) {
        return html! {
            <>
                <p class="lesson-say" role="status">{"The script runs up to the step that decides."}</p>
                <p>{"Your guess: "}<b>{guess}</b>{". Watch the lane, or go one step at a time with the arrows; Space pauses."}</p>
                <div class="lesson-ask">
                    <button class="btn btn-strong lesson-go" type="button" onclick={skip}>{"To the step that decides"}<Icon name="last" /></button>
                </div>
            </>
        };
    }
    html! {
        <>
            <p class="lesson-say" role="status">{"The next step decides. Last chance to change your mind."}</p>
            <div class="lesson-ask">
                <Choices />
                <button class="btn btn-strong lesson-go" type="button" onclick={see}>{"See what happens"}<Icon name="fwd" /></button>
            </div>
        </>
    }
}
