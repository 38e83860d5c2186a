//! The sheet of all keys.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui};
use crate::browser::dialog::use_modal;
use crate::state::{Action, keys};

/// The sheet.
#[component]
pub fn Sheet() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let node = use_node_ref();
    use_modal(&node, ui.sheet, dispatch.reform(|()| Action::Sheet(false)));
    let close = dispatch.reform(|_: MouseEvent| Action::Sheet(false));
    html! {
        <dialog class="dialog" ref={node} aria-labelledby="keys-h">
            <div class="keys">
                <h2 id="keys-h">{"All keys"}</h2>
                <div>{ for keys::SHEET.into_iter().map(|(name, rows)| group(name, rows)) }</div>
                <p class="keys-close"><button class="btn" type="button" onclick={close}>{"Close"}</button></p>
            </div>
        </dialog>
    }
}

fn group(name: &'static str, rows: &'static [(&'static [&'static str], &'static str)]) -> Html {
    let row = |(caps, what): &(&'static [&'static str], &'static str)| {
        let caps = caps.iter().map(|cap| html! { <><kbd class="key">{*cap}</kbd>{" "}</> });
        html! { <><dt>{ for caps }</dt><dd>{*what}</dd></> }
    };
    html! { <><h3>{name}</h3><dl>{ for rows.iter().map(row) }</dl></> }
}
