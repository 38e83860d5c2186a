//! Transport, track and acts side by side.

use yew::prelude::*;

use super::acts::Acts;
use super::track::Track;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::state::{Action, Depth, World, words};
use crate::widgets::Icon;

/// The foot of the page.
#[component]
pub fn RailPanel() -> Html {
    let world = use_world();
    let (step, total) = (world.moment + 1, world.seen().max(1));
    html! {
        <footer class="rail" aria-label="Rail and controls" tabindex="-1" data-panel="">
            <div class="rail-transport">
                <Transport />
                <p class="rail-count"><span><b>{step}</b>{format!(" of {total}")}</span><span>{clock(&world)}</span></p>
            </div>
            <Track />
            <span class="rail-phone" aria-hidden="true">{format!("{step} / {total}")}</span>
            <Acts />
        </footer>
    }
}

fn clock(world: &World) -> String {
    world.marks.get(world.moment).map(|mark| words::clock(mark.at)).unwrap_or_default()
}

/// The buttons that move the playhead.
#[component]
fn Transport() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let (at_start, at_end) = (world.moment == 0, world.at_end());
    let first = dispatch.reform(|_: MouseEvent| Action::First);
    let back = dispatch.reform(|_: MouseEvent| Action::Move(-1));
    let play = dispatch.reform(|_: MouseEvent| Action::Play);
    let on = dispatch.reform(|_: MouseEvent| Action::Move(1));
    let last = dispatch.reform(|_: MouseEvent| Action::Last);
    let (play_label, play_icon) =
        if ui.playing { ("Pause", "pause") } else { ("Play what has happened", "play") };
    let (back_label, on_label) = match ui.depth {
        Depth::Run => ("One run back  Alt Left", "One run on  Alt Right"),
        Depth::Batch => ("One batch back  Shift Left", "One batch on  Shift Right"),
        Depth::Step if at_end => ("One step back  Left", "One engine step  Right"),
        Depth::Step => ("One step back  Left", "One step on  Right"),
    };
    html! {
        <div class="rail-buttons" role="group" aria-label="Transport">
            { button("first", "To the start  Home", at_start, first) }
            { button("back", back_label, at_start, back) }
            <button class="btn btn-icon" type="button" data-go="play" data-play={(!at_end || ui.playing).then_some("")} aria-label={play_label} aria-disabled={(at_end && !ui.playing).then_some("true")}
                title={format!("{play_label}  Space")} onclick={play}><Icon name={play_icon} /></button>
            { button("fwd", on_label, at_end && ui.depth != Depth::Step, on) }
            { button("last", "To the end  End", at_end, last) }
        </div>
    }
}

fn button(go: &'static str, title: &'static str, off: bool, press: Callback<MouseEvent>) -> Html {
    let label = title.split("  ").next().unwrap_or(title);
    html! {
        <button class="btn btn-icon" type="button" data-go={go} aria-label={label} {title}
            aria-disabled={off.then_some("true")} onclick={press}><Icon name={go} /></button>
    }
}
