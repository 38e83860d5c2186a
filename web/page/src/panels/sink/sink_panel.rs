//! The last panel: the tables, or Spark's measures.

use yew::prelude::*;

use super::rows::SinkTable;
use crate::app::dock::open_mark;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::panels::numbers::{Bill, Progress};
use crate::panels::state::StateTables;
use crate::state::look::outcome;
use crate::state::tabs::PARTS;
use crate::state::{Action, Dock, Evidence, Tab, World};
use crate::widgets::{ActButton, Icon, Segments};

/// What a part shows. To add one, add a row to `PARTS` and a line here.
fn part(part: Evidence, world: &World, dispatch: &Callback<Action>) -> Html {
    match part {
        Evidence::Sink => tables(world, dispatch),
        Evidence::State => html! { <StateTables /> },
        Evidence::Progress => html! { <Progress /> },
        Evidence::Bill => html! { <Bill /> },
    }
}

/// The panel.
#[component]
pub fn SinkPanel() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let chosen = PARTS.iter().position(|row| row.part == ui.evidence).unwrap_or(0);
    let choose = dispatch.reform(|index: usize| Action::Show(PARTS[index].part));
    let words: Vec<AttrValue> = PARTS.iter().map(|row| AttrValue::from(row.word)).collect();
    html! {
        <section class="panel sink" aria-labelledby="h-sink" tabindex="-1" data-panel="" data-open={open_mark(ui.dock, Dock::Sink)}>
            <div class="panel-head">
                <h2 id="h-sink" class="only-read">{PARTS[chosen].word}</h2>
                <Segments label="Evidence" {words} {chosen} controls="sink-body" onchoose={choose} />
                <span class="panel-note push">{note(&world)}</span>
            </div>
            <div class="panel-body" id="sink-body" tabindex="0" role="tabpanel" aria-label={PARTS[chosen].label}>
                { part(ui.evidence, &world, &dispatch) }
                if ui.evidence == Evidence::Sink { if let Some(note) = ui.lesson.open.as_ref().and_then(|open| open.sink_note()) { <p class="sink-note">{note}</p> } }
            </div>
        </section>
    }
}

fn note(world: &World) -> String {
    let Some(found) = world.view.as_ref().and_then(|view| view.sinks.first()) else { return String::new() };
    match found.version {
        Some(version) => format!("{}, version {version}", found.name),
        None => format!("{}, {}", found.name, found.kind),
    }
}

fn tables(world: &World, dispatch: &Callback<Action>) -> Html {
    let sinks = world.view.as_ref().map(|view| view.sinks.as_slice()).unwrap_or_default();
    if sinks.is_empty() {
        return html! {
            <div class="empty">
                <Icon name="table" />
                <p>{"No table. Version 0 is written by the first batch that has something to commit."}</p>
            </div>
        };
    }
    let named = sinks.len() > 1;
    let see = dispatch.reform(|()| Action::Tab(Tab::Time));
    let view = world.view.as_ref();
    let tables = sinks.iter().map(|found| {
        let waits = view.and_then(|view| outcome::waits(view, found, world.time.plane.as_deref()));
        html! {
            <>
                <SinkTable key={found.name.clone()} sink={found.clone()} {named} />
                if let Some((waits, is_time)) = waits {
                    <p class="sink-note">{waits}</p>
                    if is_time { <p class="sink-note"><ActButton word="Why not yet?" icon="help" hotkey={Some(AttrValue::from("2"))} onpress={see.clone()} /></p> }
                }
            </>
        }
    });
    html! {
        <>
            { for tables }
            if let Some(note) = view.and_then(|view| outcome::note(view.as_ref())) { <p class="sink-note">{note}</p> }
        </>
    }
}
