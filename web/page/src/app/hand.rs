//! Someone else: what a second hand can do in the middle, each in words.

use yew::prelude::*;

use super::context::{use_dispatch, use_world};
use crate::state::Action;
use crate::state::act::hand::{Hand, hands};

/// The list.
#[component]
pub fn SecondHand() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let close = dispatch.reform(|_: MouseEvent| Action::Close);
    let rows = hands(&world)
        .into_iter()
        .enumerate()
        .map(|(at, hand)| row(&hand, dispatch.reform(move |_: MouseEvent| Action::Lend(at))));
    html! {
        <div class="branches hand">
            <h2>{"Someone else"}</h2>
            <p class="soft">{"The store is not the query's alone. Each of these is an act on the rail: step back to undo."}</p>
            <ul>{ for rows }</ul>
            <p class="keys-close"><button class="btn" type="button" onclick={close}>{"Close"}</button></p>
        </div>
    }
}

fn row(hand: &Hand, press: Callback<MouseEvent>) -> Html {
    let off = hand.off.is_some().then_some("true");
    let words = hand.off.clone().unwrap_or_else(|| hand.words.clone());
    html! {
        <li class="hand-row" key={hand.name.clone()}>
            <button type="button" aria-disabled={off} onclick={press}>
                <b>{&hand.name}</b><span>{words}</span>
            </button>
        </li>
    }
}
