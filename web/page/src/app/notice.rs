//! What is said to the learner: a short word that goes by itself, and a notice that stays until it is closed.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui};
use crate::state::Action;
use crate::widgets::Icon;

/// A short word: why a button is off, what a deletion means.
#[component]
pub fn Said() -> Html {
    let ui = use_ui();
    let said = ui.said.clone().unwrap_or_default();
    html! {
        <p class="note" role="status" aria-live="polite" data-shown={(!said.is_empty()).then_some("")}>{said}</p>
    }
}

/// Trouble: what happened, what is kept, the next move.
#[component]
pub fn Notices() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let Some(notice) = &ui.notice else { return Html::default() };
    let close = dispatch.reform(|_: MouseEvent| Action::Dismiss);
    html! {
        <div class="notice pop trouble" role="alert" data-m={notice.broken.then_some("crash")}>
            <Icon name="bolt" />
            <div>
                <p><b>{&notice.what}</b>{" "}{&notice.kept}</p>
                if !notice.why.is_empty() {
                    <p class="trouble-why mono">{&notice.why}</p>
                }
                <p><button class="btn" type="button" onclick={close}>{"Close"}</button></p>
            </div>
        </div>
    }
}
