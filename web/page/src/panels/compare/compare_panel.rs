//! The two sides and what differs between them.

use std::rc::Rc;

use tidemark_protocol::{Comparison, Place};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::differences::Differences;
use super::side::SidePanel;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::look::sides::{self, Side};
use crate::state::{Action, World};
use crate::widgets::Icon;

/// The picture.
#[component]
pub fn Compare() -> Html {
    let (world, ui) = (use_world(), use_ui());
    let Some((left, right)) = sides::sides(&world, &ui) else { return empty() };
    let found =
        world.comparison.clone().filter(|found| (found.left.place, found.right.place) == (left, right));
    let shown = found.clone().or_else(|| world.comparison.clone());
    let follower = sides::follower(&world, (left, right));
    html! {
        <>
            <div class="picture-say compare-say">
                <p class="picture-sentence" role="status" aria-live="polite">{sentence(found.as_ref())}</p>
                <p class="picture-meaning">{meaning(shown.as_ref())}</p>
                <div class="compare-pick">
                    <Pick tag="A" side={Side::Left} place={left} follows={follower == Some(Side::Left)} />
                    <Pick tag="B" side={Side::Right} place={right} follows={follower == Some(Side::Right)} />
                </div>
            </div>
            if let Some(found) = shown {
                <div class="compare" tabindex="0" role="region" aria-label="Differences">
                    <SidePanel tag="A" found={found.clone()} side={Side::Left} />
                    <Differences found={found.clone()} />
                    <SidePanel tag="B" {found} side={Side::Right} />
                </div>
            }
        </>
    }
}

fn sentence(found: Option<&Rc<Comparison>>) -> String {
    found.map_or_else(|| "Comparing.".to_owned(), |found| found.sentence.clone())
}

fn meaning(found: Option<&Rc<Comparison>>) -> String {
    found.map_or_else(String::new, |found| format!("A: {} B: {}", found.left.sentence, found.right.sentence))
}

fn empty() -> Html {
    html! {
        <div class="empty">
            <Icon name="fork" />
            <p>{"Nothing to compare yet. Run the script; then go back on the rail and act there: that starts a second branch."}</p>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PickProps {
    tag: AttrValue,
    side: Side,
    place: Place,
    follows: bool,
}

/// The branch and the moment of a side.
#[component]
fn Pick(props: &PickProps) -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let PickProps { tag, side, place, follows } = props.clone();
    let onchange = {
        let (dispatch, world) = (dispatch.clone(), world.clone());
        Callback::from(move |event: Event| {
            let chosen = event
                .target_dyn_into::<HtmlSelectElement>()
                .and_then(|list| list.value().parse::<usize>().ok());
            if let Some(branch) = chosen {
                dispatch.emit(Action::Side(side, Place { branch, moment: end(&world, branch) }));
            }
        })
    };
    let step = |by: i64| {
        let last = end(&world, place.branch) as i64;
        let moment = (place.moment as i64 + by).clamp(0, last) as usize;
        // The side on the branch on screen is where the playhead is.
        dispatch.reform(move |_: MouseEvent| {
            if follows {
                Action::Look(moment)
            } else {
                Action::Side(side, Place { branch: place.branch, moment })
            }
        })
    };
    let options = world.branches.iter().enumerate().map(|(at, branch)| {
        html! { <option value={at.to_string()} selected={at == place.branch}>{&branch.name}</option> }
    });
    html! {
        <div class="compare-side-pick" role="group" aria-label={format!("Side {tag}")}>
            <span class="compare-tag" aria-hidden="true">{&tag}</span>
            <select class="compare-select" aria-label={format!("Branch of {tag}")} {onchange}>{ for options }</select>
            <button class="btn btn-quiet btn-icon btn-small" type="button" aria-label={format!("{tag}: one moment back")} onclick={step(-1)}><Icon name="back" /></button>
            <span class="compare-at num">{format!("step {} of {}", place.moment + 1, end(&world, place.branch) + 1)}</span>
            <button class="btn btn-quiet btn-icon btn-small" type="button" aria-label={format!("{tag}: one moment on")} onclick={step(1)}><Icon name="fwd" /></button>
        </div>
    }
}

fn end(world: &World, branch: usize) -> usize {
    world.branches.get(branch).map_or(0, |branch| branch.moments.saturating_sub(1))
}
