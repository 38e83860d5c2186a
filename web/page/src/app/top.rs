//! The top bar: brand, place, theme, keys.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui, use_world};
use super::memo::Offline;
use super::share::ShareButton;
use crate::panels::lesson::{Place, Stages};
use crate::state::{Action, Dialog, Engine};
use crate::widgets::Icon;

/// The bar.
#[component]
pub fn Top() -> Html {
    let world = use_world();
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
            <div class="top-place"><Place /><Here /><Offline /><span class="top-engine">{engine}</span></div>
            <div class="top-tools">{ for TOOLS.iter().map(|tool| tool()) }</div>
        </header>
    }
}

/// The tools at the right, in their order. To add one, add its component.
const TOOLS: &[fn() -> Html] = &[
    || html! { <Stages /> },
    || html! { <Find /> },
    || html! { <ShareButton /> },
    || html! { <ThemeSwitch /> },
    || html! { <AllKeys /> },
];

/// The branch on screen; a press opens the list of all.
#[component]
fn Here() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    if world.branches.len() < 2 {
        return Html::default();
    }
    let name = world.branch_name(world.branch).to_owned();
    let open = dispatch.reform(|_: MouseEvent| Action::Open(Dialog::Branches));
    html! {
        <button class="btn btn-quiet btn-small top-branch" type="button" onclick={open} aria-label={format!("Branch {name}. Change")} title="Switch, compare, rename, drop">
            <Icon name="fork" /><span class="word">{name}</span><Icon name="chev" />
        </button>
    }
}

#[component]
fn Find() -> Html {
    let open = use_dispatch().reform(|_: MouseEvent| Action::Open(Dialog::Palette(String::new())));
    html! {
        <button class="btn top-find" type="button" onclick={open} aria-keyshortcuts="Control+K" title="Find anything  Ctrl K">
            <Icon name="find" /><span class="word">{"Find anything"}</span><kbd class="key wide" aria-hidden="true">{"Ctrl K"}</kbd>
        </button>
    }
}

#[component]
fn ThemeSwitch() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let next = ui.theme.next();
    let theme = dispatch.reform(move |_: MouseEvent| Action::Theme(next));
    let label = format!("Theme: {}. Change", ui.theme.word());
    html! {
        <button class="btn btn-quiet btn-icon" type="button" onclick={theme} aria-label={label} title={format!("Theme: {}", ui.theme.word())}>
            <Icon name="theme" />
        </button>
    }
}

#[component]
fn AllKeys() -> Html {
    let open = use_dispatch().reform(|_: MouseEvent| Action::Open(Dialog::Keys));
    html! {
        <button class="btn btn-quiet btn-icon" type="button" onclick={open} aria-label="All keys" title="All keys  ?"><Icon name="help" /></button>
    }
}

#[component]
fn Brand() -> Html {
    html! { <svg viewBox="0 0 22 22" aria-hidden="true"><use href="#i-brand" /></svg> }
}
