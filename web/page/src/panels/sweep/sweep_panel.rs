//! The picture: what came of the sweep in words, the table, and the crash that is looked at.

use yew::prelude::*;

use super::side::SidePanel;
use super::table::SweepRows;
use crate::app::{use_dispatch, use_world};
use crate::state::look::sweep::{self, SweepMove};
use crate::state::{Action, World};
use crate::widgets::{ActButton, Icon};

/// The picture.
#[component]
pub fn SweepPicture() -> Html {
    let world = use_world();
    let table = world.sweep.table.clone().filter(|table| !table.rows.is_empty());
    html! {
        <>
            <div class="picture-say sweep-say">
                <p class="picture-sentence" role="status" aria-live="polite">{sweep::headline(&world)}</p>
                <p class="picture-meaning">{sweep::meaning(&world)}</p>
                <Controls />
                <Progress />
            </div>
            if let Some(table) = table {
                <div class="sweep">
                    <SweepRows {table} point={world.sweep.row().map(|row| row.point)} />
                    <SidePanel />
                </div>
            } else if world.sweep.asked.is_none() {
                <div class="empty" data-m="crash">
                    <Icon name="bolt" />
                    <p>{"Fourteen places where a driver can stop. Press S to try all that apply to this script."}</p>
                </div>
            }
        </>
    }
}

/// What stands at the right of the bar: how many runs that was.
#[component]
pub fn SweepNote() -> Html {
    let world = use_world();
    html! { <span class="panel-note push">{runs(&world)}</span> }
}

fn runs(world: &World) -> String {
    match &world.sweep.table {
        Some(table) if table.planned > 0 && table.recovery => {
            format!("{} runs, each with a crash or two and a restart", table.planned)
        }
        Some(table) if table.planned > 0 => {
            format!("{} runs, each with one crash and a restart", table.planned)
        }
        _ => String::new(),
    }
}

/// Sweep, stop, and whether a recovery is crashed too.
#[component]
fn Controls() -> Html {
    let (world, dispatch) = (use_world(), use_dispatch());
    let on_way = world.sweep.asked.is_some();
    let off = sweep::off(&world).map(AttrValue::from);
    let recovery = world.sweep.recovery;
    let switch = dispatch.reform(move |_: MouseEvent| Action::Sweep(SweepMove::Recovery(!recovery)));
    html! {
        <div class="sweep-do" role="group" aria-label="Crash sweep">
            if on_way {
                <ActButton word="Stop" icon="stop" hotkey="X" strong=true title="Keep what has been tried" onpress={dispatch.reform(|()| Action::Sweep(SweepMove::Stop))} />
            } else {
                <ActButton word={if world.sweep.table.is_some() { "Sweep again" } else { "Sweep" }} icon="bolt" hotkey="S" strong=true {off}
                    title="Try every crash of the script" onpress={dispatch.reform(|()| Action::Sweep(SweepMove::Begin))} />
            }
            <button class="btn sweep-switch" type="button" role="switch" aria-checked={recovery.to_string()} onclick={switch}
                title="After each crash, crash again at each write of the restart. The next sweep does it.">
                <i aria-hidden="true"></i>{"and again in each recovery"}
            </button>
        </div>
    }
}

/// How far the sweep is.
#[component]
fn Progress() -> Html {
    let world = use_world();
    if world.sweep.asked.is_none() {
        return Html::default();
    }
    let (tried, planned) = world.sweep.table.as_ref().map_or((0, 0), |table| (table.tried, table.planned));
    html! {
        <progress class="sweep-progress" aria-label="Crashes tried" max={planned.max(1).to_string()} value={tried.to_string()}>
            {format!("{tried} of {planned}")}
        </progress>
    }
}
