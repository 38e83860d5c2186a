//! The branches: where each left, and what can be done with it.

use tidemark_protocol::Place;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::context::{use_dispatch, use_world};
use crate::browser::focus;
use crate::state::{Action, Branch, World, words};

/// The list.
#[component]
pub fn Branches() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let naming = use_state_eq(|| None::<usize>);
    let close = dispatch.reform(|_: MouseEvent| Action::Close);
    let rows = world.branches.iter().enumerate().map(|(at, branch)| {
        let is_named = *naming == Some(at);
        let onname = {
            let naming = naming.setter();
            Callback::from(move |on: bool| naming.set(on.then_some(at)))
        };
        html! { <Row key={at} {at} branch={branch.clone()} {is_named} {onname} /> }
    });
    html! {
        <div class="branches">
            <h2>{"Branches"}</h2>
            <p class="soft">{"An act in the past starts a branch. Six are kept; the one that was looked at longest ago makes room."}</p>
            <ul>{ for rows }</ul>
            <p class="keys-close"><button class="btn" type="button" onclick={close}>{"Close"}</button></p>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    at: usize,
    branch: Branch,
    is_named: bool,
    onname: Callback<bool>,
}

#[component]
fn Row(props: &RowProps) -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let RowProps { at, branch, is_named, onname } = props.clone();
    let is_here = at == world.branch;
    let go = then_close(&dispatch, Action::Switch(at));
    let compare = compare(&world, at).map(|action| then_close(&dispatch, action));
    let drop = dispatch.reform(move |_: MouseEvent| Action::Discard(at));
    let name = onname.reform(|_: MouseEvent| true);
    html! {
        <li class="branches-row" aria-current={is_here.then_some("true")}>
            <div class="branches-say">
                if is_named { <Name {at} name={branch.name.clone()} {onname} /> } else { <b>{&branch.name}</b> }
                <span class="quiet">{left(&world, &branch)}</span>
            </div>
            <div class="branches-do">
                if !is_here { <button class="btn btn-small" type="button" onclick={go} aria-label={format!("Go to {}", branch.name)}>{"Go"}</button> }
                if let Some(compare) = compare { <button class="btn btn-small" type="button" onclick={compare} aria-label={format!("Compare with {}", branch.name)}>{"Compare"}</button> }
                if !is_named { <button class="btn btn-quiet btn-small" type="button" onclick={name} aria-label={format!("Rename {}", branch.name)}>{"Rename"}</button> }
                if at > 0 { <button class="btn btn-quiet btn-small" type="button" onclick={drop} aria-label={format!("Drop {}", branch.name)}>{"Drop"}</button> }
            </div>
        </li>
    }
}

/// Where a branch left, and how long it is.
fn left(world: &World, branch: &Branch) -> String {
    let moments = words::count(branch.moments, "moment");
    match branch.fork {
        Some(fork) => {
            format!("left {} after moment {}, {moments}", world.branch_name(fork.branch), fork.moment + 1)
        }
        None => format!("begins by itself, {moments}"),
    }
}

/// The newest moment of a branch beside the one on screen.
fn compare(world: &World, at: usize) -> Option<Action> {
    let branch = world.branches.get(at).filter(|_| at != world.branch)?;
    let there = Place { branch: at, moment: branch.moments.saturating_sub(1) };
    let here = Place { branch: world.branch, moment: world.moment };
    // The older branch stands on the left.
    Some(if at < world.branch { Action::Compare(there, here) } else { Action::Compare(here, there) })
}

fn then_close(dispatch: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |_: MouseEvent| {
        dispatch.emit(Action::Close);
        dispatch.emit(action.clone());
    })
}

#[derive(Clone, PartialEq, Properties)]
struct NameProps {
    at: usize,
    name: String,
    onname: Callback<bool>,
}

/// The field for another name: Enter takes it, Escape leaves it.
#[component]
fn Name(props: &NameProps) -> Html {
    let dispatch = use_dispatch();
    let field = use_node_ref();
    {
        let field = field.clone();
        use_effect_with((), move |()| focus::take(&field));
    }
    let onkeydown = {
        let (field, onname, at) = (field.clone(), props.onname.clone(), props.at);
        Callback::from(move |event: KeyboardEvent| {
            match event.key().as_str() {
                "Enter" => {
                    let name =
                        field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
                    dispatch.emit(Action::Rename(at, name));
                    onname.emit(false);
                }
                "Escape" => onname.emit(false),
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        })
    };
    html! { <input class="branches-name" aria-label="New name" value={props.name.clone()} maxlength="40" ref={field} {onkeydown} /> }
}
