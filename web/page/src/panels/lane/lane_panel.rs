//! All batches of all runs, oldest first, and the one that has not begun.

use tidemark_protocol::{BatchView, StepState, View};
use yew::prelude::*;

use super::batch::Batch;
use super::next::NextBatch;
use super::row::{Row, rows};
use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::{focus, geometry};
use crate::state::act::crash::{self, Gaps};
use crate::state::act::deed;
use crate::state::{Action, Deed, Depth, Dialog, Dock, World, words};
use crate::widgets::{ActButton, Icon};

const STOPS: &str = ".lane-box, .lane-gap, .lane-file, .lane-run";
/// Spark's keys of `durationMs` above the steps that they measure.
const SPANS: [&str; 4] = ["latestOffset", "walCommit", "addBatch", "commitOffsets"];

/// The lane. One stop for Tab; arrows move over boxes, gaps and tiles.
#[component]
pub fn Lane() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let view = world.view.clone();
    let rows = view.as_ref().map(|view| rows(view)).unwrap_or_default();
    {
        let node = node.clone();
        use_effect_with((rows.len(), ui.depth), move |_| geometry::scroll_to_end(&node));
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
    let settle = focus::settling(&node, STOPS);
    let Some(view) = view.as_deref() else { return empty(&world, &dispatch) };
    let last = rows.iter().rposition(|row| matches!(row, Row::Batch { .. }));
    let next = crash::next(view).filter(|_| ui.depth == Depth::Step && !world.has_no_file());
    if last.is_none() && ui.depth == Depth::Step && next.is_none() {
        return empty(&world, &dispatch);
    }
    let has_list = ui.depth == Depth::Step && !world.has_no_file();
    let drawn = if ui.depth == Depth::Run {
        runs(&world, view, &dispatch)
    } else {
        let on = ui.selected.clone().map(AttrValue::from);
        let all = rows.into_iter().enumerate();
        all.map(|(index, row)| {
            let is_big = Some(index) == last && ui.depth == Depth::Step;
            draw(row, is_big, &world, view, on.clone())
        })
        .collect()
    };
    html! {
        <div class="lane-scroll" ref={node} {onkeydown} onfocusin={settle} data-phone={matches!(ui.dock, Dock::Code | Dock::Lesson).then_some("")}>
            <div class="lane" id="lane" data-depth={ui.depth.word()}>
                if ui.depth != Depth::Run {
                    <div class="lane-spans" aria-hidden="true">
                        <i class="lane-axis">{"durationMs"}</i>
                        { for SPANS.into_iter().map(|span| html! { <span class="lane-span">{span}</span> }) }
                    </div>
                }
                { for drawn }
                if last.is_none() && ui.depth == Depth::Step { { begin(&world, &dispatch) } }
                if let Some(next) = next { <NextBatch {next} is_only={last.is_none()} /> }
                if has_list { { arm(&dispatch) } }
                { armed(view, &dispatch) }
            </div>
        </div>
    }
}

fn draw(row: Row<'_>, is_big: bool, world: &World, view: &View, on: Option<AttrValue>) -> Html {
    match row {
        Row::Head { id, name, from, joined } => html! {
            <p key={id.to_owned()} class="lane-head"><b>{format!("query {name}")}</b><span class="mono">{from}</span>
                if let Some(joined) = joined { <span>{format!("reads what query {joined} writes")}</span> }
            </p>
        },
        Row::Batch { key, query, batch, name } => {
            let mark = world.marks.get(world.moment);
            let now = mark.filter(|mark| mark.run == batch.run && mark.batch == Some(batch.batch));
            let now = now.and_then(|mark| mark.phase);
            let gaps = if is_big { crash::of_batch(world, view, query, batch) } else { Gaps::default() };
            let way = world.way.touches_batch(batch.run, batch.batch);
            html! { <Batch {key} batch={batch.clone()} query={name} small={!is_big} {now} {on} {way} {gaps} /> }
        }
        Row::Idle { key, run } => {
            html! { <p {key} class="lane-idle"><b>{format!("run {run}")}</b>{"found nothing new: no batch, no file"}</p> }
        }
    }
}

/// The coarsest depth: a line for each run, a chip for each batch.
fn runs(world: &World, view: &View, dispatch: &Callback<Action>) -> Vec<Html> {
    let now = world.marks.get(world.moment).map(|mark| mark.run);
    let lines = view.queries.iter().enumerate().map(|(place, query)| {
        let rows: i64 = query.batches.iter().map(|batch| batch.input_rows).sum();
        let what = match query.batches.len() {
            0 => "nothing new: no batch, no file".to_owned(),
            batches => format!("{}, {}", words::count(batches, "batch"), words::count(rows.max(0) as usize, "row")),
        };
        let first = world.marks.iter().position(|mark| mark.run == query.run);
        let go = first.map(|moment| dispatch.reform(move |_: MouseEvent| Action::Look(moment)));
        let chips = query.batches.iter().map(chip);
        html! {
            <button key={place} class="lane-run" type="button" data-now={(now == Some(query.run)).then_some("")} onclick={go} title="To the start of this run">
                <b>{format!("run {}", query.run)}</b><span>{what}</span><span class="lane-chips">{ for chips }</span>
                <span class="quiet mono">{query.id.chars().take(4).collect::<String>()}</span>
            </button>
        }
    });
    lines.collect()
}

fn chip(batch: &BatchView) -> Html {
    let is_done =
        batch.steps.last().is_some_and(|step| matches!(step.state, StepState::Kept | StepState::Now));
    let (state, word) = match (batch.crashed, is_done) {
        (true, _) => ("crash", "stopped"),
        (false, true) => ("done", "done"),
        (false, false) => ("open", "open"),
    };
    let again = if batch.again { " again" } else { "" };
    html! {
        <span class="lane-chip" data-k={state} data-m={batch.crashed.then_some("crash")}>
            if batch.crashed { <Icon name="bolt" /> }
            {format!("b{}{again}, {word}", batch.batch)}
        </span>
    }
}

/// The crashes that are armed, those without a place on the lane among them; each can be taken away.
fn armed(view: &View, dispatch: &Callback<Action>) -> Html {
    if view.armed.is_empty() {
        return Html::default();
    }
    let places = view.armed.iter().map(|place| {
        let words = crash::in_words(place);
        let place = place.clone();
        let away = dispatch.reform(move |_: MouseEvent| Action::Arm(place.clone()));
        html! {
            <button class="btn btn-quiet btn-small" type="button" aria-label={format!("{words}: take this crash away")} title="Take this crash away" onclick={away}>{words.clone()}<Icon name="cross" /></button>
        }
    });
    html! {
        <p class="lane-armed mark" data-m="crash"><Icon name="bolt" />{"Armed: "}{ for places }{" The driver dies when the run comes there."}</p>
    }
}

/// Where there is no room for gaps: all points, phases and writes as a list.
fn arm(dispatch: &Callback<Action>) -> Html {
    let open = dispatch.reform(|_: MouseEvent| Action::Open(Dialog::Palette("arm ".to_owned())));
    html! {
        <p class="lane-arm"><button class="btn btn-quiet btn-small" type="button" onclick={open}><Icon name="bolt" />{"Arm a crash"}</button></p>
    }
}

/// What an empty lane offers.
fn first_move(world: &World) -> (Deed, &'static str, &'static str, &'static str, &'static str) {
    if deed::strong(world) == Deed::Drop {
        let text = "No batch yet, and no file to read. The first batch starts when the script runs.";
        (Deed::Drop, "Drop a sample", "drop", "D", text)
    } else {
        (Deed::Run, "Run", "play", "R", "No batch yet. The query starts when the script runs.")
    }
}

/// Above a first batch that has not begun.
fn begin(world: &World, dispatch: &Callback<Action>) -> Html {
    let (deed, word, icon, key, text) = first_move(world);
    let off = deed::reason(world, deed).map(AttrValue::from);
    html! {
        <div class="lane-begin">
            <p>{text}</p>
            <ActButton {word} {icon} hotkey={Some(AttrValue::from(key))} {off} onpress={dispatch.reform(move |()| Action::Do(deed))} />
        </div>
    }
}

/// An empty lane: what belongs here, why it is empty, one action.
fn empty(world: &World, dispatch: &Callback<Action>) -> Html {
    let (deed, word, icon, key, text) = first_move(world);
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
