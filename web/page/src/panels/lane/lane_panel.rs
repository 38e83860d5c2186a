//! All batches of all runs, oldest first.

use tidemark_protocol::{BatchView, QueryView, View};
use yew::prelude::*;

use super::batch::Batch;
use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::{focus, geometry};
use crate::state::{Action, Deed, Dock, World, deed, words};
use crate::widgets::ActButton;

const STOPS: &str = ".lane-box, .lane-file";
/// Spark's keys of `durationMs` above the steps that they measure.
const SPANS: [&str; 4] = ["latestOffset", "walCommit", "addBatch", "commitOffsets"];

/// The lane. One stop for Tab; arrows move over boxes and tiles.
#[component]
pub fn Lane() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let rows = world.view.as_ref().map(|view| rows(view)).unwrap_or_default();
    {
        let node = node.clone();
        use_effect_with(rows.len(), move |_| geometry::scroll_to_end(&node));
    }
    let onkeydown = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let plain = !event.shift_key() && !event.alt_key();
            if let Some(way) = focus::arrow(&event.key()).filter(|_| plain) {
                event.prevent_default();
                event.stop_propagation();
                focus::move_towards(&node, STOPS, way);
            }
        })
    };
    let settle = {
        let node = node.clone();
        Callback::from(move |_: FocusEvent| focus::settle(&node, STOPS))
    };
    let Some(last) = rows.iter().rposition(|row| matches!(row, Row::Batch { .. })) else {
        return empty(&world, &dispatch);
    };
    let select = dispatch.reform(Action::Select);
    let say = dispatch.reform(Action::Say);
    let now = world.marks.get(world.moment);
    let drawn = rows.into_iter().enumerate().map(|(index, row)| match row {
        Row::Batch { key, batch, query } => {
            let small = index != last;
            let now = now.filter(|mark| mark.run == batch.run && mark.batch == Some(batch.batch)).and_then(|mark| mark.phase);
            let on = ui.selected.clone().map(AttrValue::from);
            html! { <Batch {key} {batch} {query} {small} {now} {on} onselect={select.clone()} onsay={say.clone()} /> }
        }
        Row::Idle { key, run } => {
            html! { <p {key} class="lane-idle"><b>{format!("run {run}")}</b>{"found nothing new: no batch, no file"}</p> }
        }
    });
    html! {
        <div class="lane-scroll" ref={node} {onkeydown} onfocusin={settle} data-phone={(ui.dock == Dock::Code).then_some("")}>
            <div class="lane" id="lane">
                <div class="lane-spans" aria-hidden="true">
                    <i class="lane-axis">{"durationMs"}</i>
                    { for SPANS.into_iter().map(|span| html! { <span class="lane-span">{span}</span> }) }
                </div>
                { for drawn }
            </div>
        </div>
    }
}

/// A row of the lane.
enum Row {
    /// A batch of a query.
    Batch { key: String, batch: BatchView, query: AttrValue },
    /// A run whose query had nothing to do.
    Idle { key: String, run: u32 },
}

fn rows(view: &View) -> Vec<Row> {
    let has_several = view.queries.iter().any(|query| query.id != view.queries[0].id);
    let mut rows = Vec::new();
    for (place, query) in view.queries.iter().enumerate() {
        let name = name(query, has_several);
        for batch in &query.batches {
            let key = format!("{place}-{}-{}-{}", batch.run, batch.batch, batch.again);
            rows.push(Row::Batch { key, batch: batch.clone(), query: name.clone() });
        }
        let is_over = query.state == tidemark_protocol::QueryState::Ended;
        if query.batches.is_empty() && is_over && query.exception.is_none() {
            rows.push(Row::Idle { key: format!("{place}-idle"), run: query.run });
        }
    }
    rows
}

/// The name of a query, or the head of its id where there are several.
fn name(query: &QueryView, has_several: bool) -> AttrValue {
    match &query.name {
        Some(name) => name.clone().into(),
        None if has_several => query.id.chars().take(4).collect::<String>().into(),
        None => AttrValue::default(),
    }
}

/// An empty lane: what belongs here, why it is empty, one action.
fn empty(world: &World, dispatch: &Callback<Action>) -> Html {
    let deed = match deed::strong(world) {
        Deed::Drop => Deed::Drop,
        _ => Deed::Run,
    };
    let (word, icon, key, text) = if deed == Deed::Drop {
        (
            "Drop a sample",
            "drop",
            "D",
            "No batch yet, and no file to read. The first batch starts when the script runs.",
        )
    } else {
        ("Run", "play", "R", "No batch yet. The query starts when the script runs.")
    };
    let off = deed::reason(world, deed).map(AttrValue::from);
    html! {
        <div class="lane-empty empty">
            <svg class="empty-lane" viewBox="0 0 236 34" aria-hidden="true"><use href="#i-empty-lane" /></svg>
            <p>{text}</p>
            <ActButton {word} {icon} hotkey={Some(AttrValue::from(key))} {off} onpress={dispatch.reform(move |()| Action::Do(deed))} />
            <p class="only-read">{words::engine(world.engine)}</p>
        </div>
    }
}
