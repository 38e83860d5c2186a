//! The picture: the tabs, the sentence of the moment, and what is chosen to see.

use yew::prelude::*;

use super::context::{use_dispatch, use_ui, use_world};
use crate::browser::focus;
use crate::panels::compare::Compare;
use crate::panels::lane::Lane;
use crate::panels::modes::Modes;
use crate::panels::numbers::Numbers;
use crate::panels::plane::Plane;
use crate::panels::sweep::{SweepNote, SweepPicture};
use crate::state::act::deed;
use crate::state::look::stale;
use crate::state::tabs::{TABS, row_of};
use crate::state::{Action, Deed, Depth, Tab, World, travel, words};
use crate::widgets::{ActButton, Icon};

/// What a picture draws below the bar. To add one, add a row to `TABS` and a line here.
fn draw(tab: Tab, world: &World) -> Html {
    match tab {
        Tab::Lane => html! { <><Say /><Stale stale={is_stale(world)} /><Lane /></> },
        Tab::Time => html! { <Plane /> },
        Tab::Modes => html! { <Modes /> },
        Tab::Compare => html! { <Compare /> },
        Tab::Sweep => html! { <SweepPicture /> },
        Tab::Numbers => html! { <Numbers /> },
    }
}

/// The picture.
#[component]
pub fn Picture() -> Html {
    let (world, ui) = (use_world(), use_ui());
    html! {
        <section class="picture" id="picture" aria-label="Picture" tabindex="-1" data-panel="" data-tab={row_of(ui.tab).word}>
            <div class="picture-bar"><Tabs />{ bar(ui.tab, &world) }</div>
            <div class="picture-body" id="picture-body" role="tabpanel" data-stale={is_stale(&world).then_some("")} aria-label={row_of(ui.tab).word}>{ draw(ui.tab, &world) }</div>
        </section>
    }
}

/// What stands at the right of the bar.
fn bar(tab: Tab, world: &World) -> Html {
    match tab {
        Tab::Lane => html! { <><Key /><DepthSwitch /></> },
        Tab::Modes => html! { <span class="panel-note push">{"the same input, in the same order"}</span> },
        Tab::Time => html! { <span class="plane-setup push">{ setup(world) }</span> },
        Tab::Compare => html! { <span class="panel-note push">{"only differences are shown"}</span> },
        Tab::Sweep => html! { <SweepNote /> },
        Tab::Numbers => html! { <span class="panel-note push">{"on the axis of the rail"}</span> },
    }
}

/// What the query on the time plane was told.
fn setup(world: &World) -> String {
    world.time.plane.as_ref().map(|plane| plane.setup.clone()).unwrap_or_default()
}

/// The tabs: one stop for Tab, left and right choose; each has its key.
#[component]
fn Tabs() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let node = use_node_ref();
    let chosen = TABS.iter().position(|row| row.tab == ui.tab).unwrap_or(0);
    let onkeydown = {
        let (dispatch, node) = (dispatch.clone(), node.clone());
        Callback::from(move |event: KeyboardEvent| {
            let Some((across, 0.0)) = focus::arrow(&event.key()) else { return };
            if event.shift_key() || event.alt_key() {
                return;
            }
            event.prevent_default();
            event.stop_propagation();
            let next = (chosen as i32 + across as i32).rem_euclid(TABS.len() as i32) as usize;
            dispatch.emit(Action::Tab(TABS[next].tab));
            focus::move_round(&node, "[role=tab]", across as i32);
        })
    };
    let tabs = TABS.iter().map(|row| {
        let on = row.tab == ui.tab;
        let tab = row.tab;
        let choose = dispatch.reform(move |_: MouseEvent| Action::Tab(tab));
        html! {
            <button key={row.word} class="tab" type="button" role="tab" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                aria-controls="picture-body" aria-keyshortcuts={row.key} title={format!("{}  {}", row.word, row.key)} onclick={choose}>{row.word}</button>
        }
    });
    html! { <div class="tabs" role="tablist" aria-label="Pictures" ref={node} {onkeydown}>{ for tabs }</div> }
}

/// The sentence of the moment, what it means, and long work.
#[component]
pub fn Say() -> Html {
    let world = use_world();
    html! {
        <div class="picture-say">
            <p class="picture-sentence" role="status" aria-live="polite" title={words::headline(&world)}>{words::headline(&world)}</p>
            <p class="picture-meaning">{words::meaning(&world)}</p>
            <Jumps />
            if world.is_working() { <span class="work-bar" role="progressbar" aria-label="Run"><i></i></span> }
        </div>
    }
}

/// Places worth going to, as chips: the palette has them too.
#[component]
fn Jumps() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let jumps = travel::jumps(&world);
    if jumps.is_empty() {
        return Html::default();
    }
    let chips = jumps.into_iter().map(|jump| {
        let place = jump.place;
        let go = dispatch.reform(move |_: MouseEvent| Action::Visit(place));
        html! {
            <button key={jump.word} class="btn btn-quiet btn-small picture-jump" type="button" title={words::at(&world, place)} onclick={go}>
                <Icon name={jump.icon} />{jump.word}
            </button>
        }
    });
    html! { <div class="picture-jumps" role="group" aria-label="Go to">{ for chips }</div> }
}

/// How far one move of the transport goes, and how much of a batch is drawn.
#[component]
fn DepthSwitch() -> Html {
    let (ui, dispatch) = (use_ui(), use_dispatch());
    let coarser = dispatch.reform(|_: MouseEvent| Action::Depth(false));
    let finer = dispatch.reform(|_: MouseEvent| Action::Depth(true));
    let off = |end: Depth| (ui.depth == end).then_some("true");
    html! {
        <div class="depth" role="group" aria-label="Depth">
            <span>{"depth"}</span>
            <button class="btn btn-quiet" type="button" aria-label="Coarser" title="Coarser: batch, then run  -" aria-keyshortcuts="-" aria-disabled={off(Depth::Run)} onclick={coarser}><Icon name="minus" /></button>
            <b role="status">{ui.depth.word()}</b>
            <button class="btn btn-quiet" type="button" aria-label="Finer" title="Finer: batch, then step  +" aria-keyshortcuts="+" aria-disabled={off(Depth::Step)} onclick={finer}><Icon name="plus" /></button>
        </div>
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
    let (world, dispatch) = (use_world(), use_dispatch());
    if !props.stale {
        return Html::default();
    }
    let off = deed::reason(&world, Deed::Run).map(AttrValue::from);
    let gone = stale::traces(&world).join(" and ");
    let title = if gone.is_empty() {
        "Run the new text".to_owned()
    } else {
        format!("{gone} go first; step back to undo")
    };
    html! {
        <div class="picture-stale" role="status">
            <p><b>{"Code changed since this run."}</b>{" The picture is the old one."}</p>
            <div class="states-do">
                <ActButton word="Run again from batch 0" icon="restart" off={off.clone()} {title} onpress={dispatch.reform(|()| Action::Afresh)} />
                <ActButton word="Continue from the checkpoint" icon="play" {off} title="Run the new text from the store as it is" onpress={dispatch.reform(|()| Action::Do(Deed::Run))} />
            </div>
        </div>
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
