//! The sheet of all keys.

use yew::prelude::*;

use super::context::use_dispatch;
use crate::state::Action;
use crate::state::offer::offers;

/// The sheet.
#[component]
pub fn Sheet() -> Html {
    let close = use_dispatch().reform(|_: MouseEvent| Action::Close);
    html! {
        <div class="keys">
            <header><h2>{"All keys"}</h2><button class="btn btn-small" type="button" onclick={close}>{"Close"}</button></header>
            <div>{ for offers::sheet().into_iter().map(group) }</div>
        </div>
    }
}

fn group((name, rows): (&'static str, Vec<(Vec<&'static str>, String)>)) -> Html {
    let row = |(caps, what): (Vec<&'static str>, String)| {
        let caps = caps.into_iter().map(|cap| html! { <><kbd class="key">{cap}</kbd>{" "}</> });
        html! { <><dt>{ for caps }</dt><dd>{what}</dd></> }
    };
    html! { <section class="keys-group"><h3>{name}</h3><dl>{ for rows.into_iter().map(row) }</dl></section> }
}
