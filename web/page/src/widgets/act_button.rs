//! A button that can be off with a reason.

use yew::prelude::*;

use super::icon::Icon;

/// What the button says and does.
#[derive(Clone, PartialEq, Properties)]
pub struct ActButtonProps {
    /// Its word.
    pub word: AttrValue,
    /// Its icon.
    pub icon: AttrValue,
    /// Its key.
    #[prop_or_default]
    pub hotkey: Option<AttrValue>,
    /// Why it is off, if it is.
    #[prop_or_default]
    pub off: Option<AttrValue>,
    /// Whether it is the one that the screen offers first.
    #[prop_or_default]
    pub strong: bool,
    /// What it does beyond its word.
    #[prop_or_default]
    pub title: AttrValue,
    /// What happens on a press; a button that is off is pressed too and answers with its reason.
    pub onpress: Callback<()>,
}

/// A button with icon, word and key cap. Off is `aria-disabled`: it stays in the order of Tab, and a press says why.
#[component]
pub fn ActButton(props: &ActButtonProps) -> Html {
    let press = props.onpress.reform(|_: MouseEvent| ());
    let class = classes!("btn", props.strong.then_some("btn-strong"));
    let off = props.off.is_some().then_some("true");
    let title = props.off.clone().unwrap_or_else(|| props.title.clone());
    html! {
        <button {class} type="button" onclick={press} aria-disabled={off} aria-keyshortcuts={props.hotkey.clone()} {title}>
            <Icon name={props.icon.clone()} />
            <span class="word">{&props.word}</span>
            if let Some(key) = &props.hotkey { <kbd class="key" aria-hidden="true">{key}</kbd> }
        </button>
    }
}
