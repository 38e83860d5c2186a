//! The tree, the drop zone, and what only changed.

use tidemark_protocol::Change;
use yew::prelude::*;

use super::row::{Lit, group};
use crate::app::dock::open_mark;
use crate::app::root::action_of;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::{files, focus};
use crate::state::act::deed;
use crate::state::{Action, Deed, Dialog, Dock, World, tree, words};
use crate::widgets::{ActButton, Icon};

const STOPS: &str = "[role=treeitem]";

/// The panel. The tree is one stop for Tab; arrows move, Enter opens, Delete deletes.
#[component]
pub fn StorePanel() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let store = world.view.as_ref().map(|view| view.store.clone()).unwrap_or_default();
    let changed = store.iter().filter(|entry| !entry.folder && entry.change != Change::Same).count();
    let only = dispatch.reform({
        let on = !ui.only_new;
        move |_: MouseEvent| Action::OnlyNew(on)
    });
    let is_empty = !store.iter().any(|entry| !entry.folder);
    html! {
        <section class="panel store" aria-labelledby="h-store" tabindex="-1" data-panel="" data-open={open_mark(ui.dock, Dock::Store)}>
            <div class="panel-head">
                <h2 id="h-store">{"Store"}</h2>
                <SomeoneElse />
                <button class="store-only" type="button" aria-pressed={ui.only_new.to_string()} title="Show only what this step changed" onclick={only}>
                    <b>{"+"}</b><span>{format!("{changed} changed")}</span><span class="only-read">{" in this step"}</span>
                </button>
            </div>
            <div class="panel-body">
                <DropZone over={ui.over} />
                if is_empty { { empty() } } else { <><Tree />{ no_checkpoint(&world) }</> }
            </div>
        </section>
    }
}

/// What is said in the place of a checkpoint that is not there.
fn no_checkpoint(world: &World) -> Html {
    let text = words::no_checkpoint(world);
    text.map(|text| html! { <p class="store-none"><b>{"checkpoint"}</b>{" "}{text}</p> }).unwrap_or_default()
}

/// The way to what a second hand can do.
#[component]
fn SomeoneElse() -> Html {
    let open = use_dispatch().reform(|_: MouseEvent| Action::Open(Dialog::Hand));
    html! {
        <button class="btn btn-quiet btn-small push" type="button" aria-keyshortcuts="E" title="What a second hand can do in the middle  E" onclick={open}>{"Someone else…"}</button>
    }
}

fn empty() -> Html {
    html! {
        <div class="empty" data-m="input">
            <Icon name="drop" />
            <p>{"No files yet. Drop a JSON file, press D for the next sample, or write one."}</p>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct DropZoneProps {
    over: bool,
}

/// The drop zone, which is also the picker. The whole page takes files; this is where it says so.
#[component]
fn DropZone(props: &DropZoneProps) -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let picked = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| {
            let dispatch = dispatch.clone();
            files::take_picked(&event, move |news| dispatch.emit(action_of(news)));
        })
    };
    let off = deed::reason(&world, Deed::Sample).map(AttrValue::from);
    html! {
        <div class="store-bring">
            <label class="store-drop" data-over={props.over.then_some("")}>
                <Icon name="drop" />{"Drop or choose JSON"}
                <input class="only-read" type="file" multiple={true} accept=".json,.jsonl,.txt,.py" onchange={picked} />
            </label>
            <ActButton word="Sample data" icon="file" {off} title="Puts in/a.json and in/b.json" onpress={dispatch.reform(|()| Action::Do(Deed::Sample))} />
        </div>
    }
}

/// The tree itself.
#[component]
fn Tree() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let settle = focus::settling(&node, STOPS);
    let onkeydown = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let steps = match event.key().as_str() {
                "ArrowDown" | "ArrowRight" => 1,
                "ArrowUp" | "ArrowLeft" => -1,
                "Home" => -10_000,
                "End" => 10_000,
                _ => return,
            };
            if !event.shift_key() && !event.alt_key() {
                event.prevent_default();
                event.stop_propagation();
                focus::move_by(&node, STOPS, steps);
            }
        })
    };
    let store = world.view.as_ref().map(|view| view.store.clone()).unwrap_or_default();
    let groups = tree::groups(&store, ui.only_new);
    if groups.is_empty() {
        return html! { <p class="sink-note">{"This step changed no file."}</p> };
    }
    let lit = Lit { selected: ui.selected.as_deref(), way: &world.way };
    html! {
        <>
            <ul role="tree" aria-label="Store" ref={node} {onkeydown} onfocusin={settle}>
                { for groups.iter().map(|found| group(found, words::headline_of(&world, &found.path), lit, &dispatch)) }
            </ul>
            <p class="only-read">{words::count(store.len(), "entry")}</p>
        </>
    }
}
