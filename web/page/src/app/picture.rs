//! The picture: its bar, the sentence of the moment, and the lane.

use yew::prelude::*;

use super::context::use_world;
use crate::panels::lane::Lane;
use crate::state::{World, words};

/// The picture.
#[component]
pub fn Picture() -> Html {
    let world = use_world();
    let busy = world.is_working();
    html! {
        <section class="picture" id="picture" aria-label="Picture" tabindex="-1" data-panel="">
            <div class="picture-bar">
                <h2 class="tab" aria-current="page">{"Lane"}</h2>
                <Key />
            </div>
            <div class="picture-say">
                <p class="picture-sentence" role="status" aria-live="polite" title={words::headline(&world)}>{words::headline(&world)}</p>
                <p class="picture-meaning">{words::meaning(&world)}</p>
                if busy { <span class="work-bar" role="progressbar" aria-label="Run"><i></i></span> }
            </div>
            <Stale stale={is_stale(&world)} />
            <Lane />
        </section>
    }
}

fn is_stale(world: &World) -> bool {
    world.is_stale() && world.awaiting.is_none()
}

#[derive(Clone, PartialEq, Properties)]
struct StaleProps {
    stale: bool,
}

/// The mark that the picture shows a run of an older text.
#[component]
fn Stale(props: &StaleProps) -> Html {
    if !props.stale {
        return Html::default();
    }
    html! {
        <p class="picture-stale"><b>{"Code changed since this run."}</b>{" The picture shows the old one. Run starts the new text from the store."}</p>
    }
}

/// What the boxes mean.
#[component]
fn Key() -> Html {
    const STATES: [(&str, &str); 4] = [
        ("kept", "kept in the store"),
        ("done", "done, in memory"),
        ("lost", "lost with the driver"),
        ("planned", "not yet"),
    ];
    let states = STATES
        .into_iter()
        .map(|(state, words)| html! { <span key={state}><i data-k={state}></i>{words}</span> });
    html! { <div class="lane-key push" aria-label="Key" role="img">{ for states }</div> }
}
