//! The top bar: brand, place, theme, keys.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui, use_world};
use crate::state::{Action, Engine};
use crate::widgets::Icon;

/// The bar.
#[component]
pub fn Top() -> Html {
    let (ui, world, dispatch) = (use_ui(), use_world(), use_dispatch());
    let next = ui.theme.next();
    let theme = dispatch.reform(move |_: MouseEvent| Action::Theme(next));
    let sheet = dispatch.reform(|_: MouseEvent| Action::Sheet(true));
    let label = format!("Theme: {}. Change", ui.theme.word());
    let engine = match world.engine {
        Engine::Loading => "engine is loading",
        Engine::Opening => "engine is opening",
        Engine::Ready => "",
        Engine::Broken => "engine cannot be started",
    };
    html! {
        <header class="top">
            <a class="top-brand" href="#start" aria-label="Tidemark, first page">
                <Brand /><span class="word">{"tidemark"}</span>
            </a>
            <div class="top-place"><h1>{"Sandbox"}</h1><span class="top-engine">{engine}</span></div>
            <div class="top-tools">
                <button class="btn btn-quiet btn-icon" type="button" onclick={theme} aria-label={label} title={format!("Theme: {}", ui.theme.word())}>
                    <Icon name="theme" />
                </button>
                <button class="btn btn-quiet btn-icon" type="button" onclick={sheet} aria-label="All keys" title="All keys  ?">
                    <Icon name="help" />
                </button>
            </div>
        </header>
    }
}

#[component]
fn Brand() -> Html {
    html! { <svg viewBox="0 0 22 22" aria-hidden="true"><use href="#i-brand" /></svg> }
}
