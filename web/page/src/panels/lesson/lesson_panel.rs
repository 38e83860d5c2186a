//! The column: heading, what the stage says, what it asks, and the one strong button.

use yew::prelude::*;

use super::compare::Compare;
use super::exercise::{Exercise, Tasks};
use super::explain::Explain;
use super::guess::{Guess, Run};
use super::prose;
use crate::app::dock::open_mark;
use crate::app::{use_dispatch, use_ui};
use crate::browser::focus;
use crate::state::lesson::{Open, text};
use crate::state::{Action, Dock, LessonAction, Stage};
use crate::widgets::Icon;

/// The panel. Each stage gives the focus to its text, so that keys and screen readers go on there.
#[component]
pub fn LessonPanel() -> Html {
    let ui = use_ui();
    let node = use_node_ref();
    let stage = ui.lesson.open.as_ref().map(|open| (open.lesson.slug.clone(), open.stage, open.exercise));
    {
        let node = node.clone();
        use_effect_with(stage, move |stage| {
            if stage.is_some() {
                focus::take(&node);
            }
        });
    }
    let Some(open) = &ui.lesson.open else { return Html::default() };
    html! {
        <aside class="lesson" aria-label="Lesson" tabindex="-1" data-panel="" data-open={open_mark(ui.dock, Dock::Lesson)}>
            <div class="lesson-text" tabindex="-1" ref={node}>{ content(open) }<Leave /></div>
        </aside>
    }
}

fn content(open: &Open) -> Html {
    let (heading, paragraphs) = text::read(&open.lesson.text);
    let head = html! { <h2>{heading}</h2> };
    match open.stage {
        Stage::Read => html! { <>{head}{ prose::paragraphs(&paragraphs) }<ToGuess /></> },
        Stage::Guess => html! { <>{head}{ prose::paragraphs(&paragraphs) }<Guess /></> },
        Stage::Run => html! { <>{head}<Run /></> },
        Stage::Compare => html! { <>{head}<Compare /></> },
        Stage::Explain => html! { <>{head}<Explain /></> },
        Stage::Try if open.exercise => html! { <Exercise /> },
        Stage::Try => html! { <Tasks /> },
    }
}

/// The end of reading.
#[component]
fn ToGuess() -> Html {
    let next = use_dispatch().reform(|_: MouseEvent| Action::Lesson(LessonAction::Next));
    html! {
        <div class="lesson-ask">
            <button class="btn btn-strong lesson-go" type="button" onclick={next}>{"To the guess"}<Icon name="fwd" /></button>
        </div>
    }
}

/// The ways out: back to the own sandbox, or on with this world.
#[component]
fn Leave() -> Html {
    let dispatch = use_dispatch();
    let leave = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Leave));
    let stay = dispatch.reform(|_: MouseEvent| Action::Lesson(LessonAction::Stay));
    html! {
        <p class="lesson-out">
            <button class="lesson-link" type="button" onclick={stay} title="Leave the lesson and keep this world beside your own work">{"Continue in the sandbox"}</button>
            <button class="lesson-link" type="button" onclick={leave} title="Leave the lesson; your sandbox comes back as it was">{"Leave the lesson"}</button>
        </p>
    }
}
