//! The guess over the result: two columns of boxes, what is said, and where to look.

use yew::prelude::*;

use super::prose;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::{Action, LessonAction};
use crate::widgets::Icon;

/// The stage.
#[component]
pub(super) fn Compare() -> Html {
    let (ui, world, dispatch) = (use_ui(), use_world(), use_dispatch());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let next = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Next));
    let decider = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Decider));
    let end = dispatch.reform(|_: MouseEvent| Action::Last);
    let is_there = open.decider == Some(world.moment);
    let step = open.decider.unwrap_or_default() + 1;
    html! {
        <>
            <Versus />
            <p class="lesson-say" role="status">{open.verdict()}</p>
            <p>{"Look at "}
                if is_there { <button class="lesson-link" type="button" onclick={end}>{"the end of the run"}</button> }
                else { <button class="lesson-link" type="button" onclick={decider}>{format!("step {step}")}</button>{", the one that decided"} }
                {"."}
            </p>
            { for open.reasons().into_iter().map(prose::paragraph) }
            <div class="lesson-ask">
                <button class="btn btn-strong lesson-go" type="button" onclick={next}>{"Explain"}<Icon name="fwd" /></button>
            </div>
        </>
    }
}

/// Guess and result side by side: dashed is the guess, solid is real, hatched is what the guess had and nobody else.
#[component]
fn Versus() -> Html {
    let (ui, world) = (use_ui(), use_world());
    let Some(open) = &ui.lesson.open else { return Html::default() };
    let Some(guess) = open.guessed() else { return Html::default() };
    let right = open.right();
    // What is compared is the end of the run, wherever the playhead stands.
    let real = match &world.view {
        Some(view) if world.at_end() => open.real(view),
        _ => right.boxes.clone(),
    };
    let rows = guess.boxes.len().max(real.len()).max(1);
    let ghost = |at: usize, label: &String| (real.get(at) != Some(label)).then_some("");
    let left = guess
        .boxes
        .iter()
        .enumerate()
        .map(|(at, label)| html! { <li data-ghost={ghost(at, label)}>{label}</li> });
    let there = real.iter().map(|label| html! { <li data-real="">{label}</li> });
    let label = open.verdict();
    html! {
        <div class="lesson-versus" role="img" aria-label={label} data-rows={rows.to_string()}>
            <div><span>{"your guess"}</span><ol>{ for left }</ol><b>{&guess.short}</b></div>
            <div><span>{"what happened"}</span><ol>{ for there }</ol><b>{&right.short}</b></div>
        </div>
    }
}
