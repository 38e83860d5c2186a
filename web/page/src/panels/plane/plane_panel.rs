//! The picture with its bands, its field and its windows.

use std::rc::Rc;

use tidemark_protocol::{PlaneBand, PlaneReach, PlaneView, PlaneWindow};
use yew::prelude::*;

use super::marks::{Fates, Mark};
use super::scale::{Scale, rows_of, staircase};
use super::twin::Twin;
use super::why::Why;
use crate::app::{use_dispatch, use_world};
use crate::browser::{focus, geometry};
use crate::panels::state::StatePanel;
use crate::state::{Action, World, words};
use crate::widgets::Icon;
use tidemark_types::clock::Clock;

const STOPS: &str = ".plane-dot, .plane-box";

/// The time plane of the query on screen, with its table and its state.
#[component]
pub fn Plane() -> Html {
    let world = use_world();
    let Some(plane) = world.time.plane.clone() else {
        return html! { <div class="empty"><p>{waits(&world)}</p></div> };
    };
    if let Some(absent) = &plane.absent {
        let next = " withWatermark and window make time visible: the lane shows the batches in the order of their arrival.";
        let text = words::unstarted(&world).unwrap_or_else(|| absent.clone() + next);
        return html! { <div class="empty"><Icon name="dot" /><p>{text}</p></div> };
    }
    html! {
        <>
            <div class="picture-say"><p class="picture-sentence" role="status" aria-live="polite">{&plane.sentence}</p></div>
            <Field plane={plane.clone()} why={world.time.why} />
            <div class="evidence evidence-time">
                <Twin plane={plane.clone()} />
                <StatePanel />
            </div>
        </>
    }
}

fn waits(world: &World) -> &'static str {
    if world.view.is_some() { "The engine draws the picture." } else { "The engine is loading." }
}

/// How times are written in a picture.
pub(super) fn clock_of(plane: &PlaneView) -> Clock {
    let rows = plane.rows.iter().filter_map(|row| row.event);
    let lines = plane.bands.iter().flat_map(|band| [band.filter, band.evict, band.sets]).flatten();
    let windows = plane.windows.iter().flat_map(|window| [window.start, window.end]);
    Clock::of(rows.chain(lines).chain(windows))
}

#[derive(Clone, PartialEq, Properties)]
struct FieldProps {
    plane: Rc<PlaneView>,
    why: Option<usize>,
}

/// The plane itself. One stop for Tab; arrows move over rows and windows, Shift with arrows moves the event in time.
#[component]
fn Field(props: &FieldProps) -> Html {
    let dispatch = use_dispatch();
    let node = use_node_ref();
    let field = use_node_ref();
    let plane = props.plane.clone();
    let (scale, clock) = (Rc::new(Scale::of(&plane)), clock_of(&plane));
    focus::use_one_stop(&node, STOPS);
    geometry::use_geometry(&node);
    let onkeydown = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let plain = !event.shift_key() && !event.alt_key() && !event.ctrl_key();
            if let Some(way) = focus::arrow(&event.key()).filter(|_| plain) {
                event.prevent_default();
                event.stop_propagation();
                focus::move_towards(&node, STOPS, way);
            }
        })
    };
    let settle = focus::settling(&node, STOPS);
    let marks = plane.rows.iter().enumerate().filter(|(_, row)| row.event.is_some()).map(|(at, row)| {
        let band = plane.bands.iter().position(|band| band.batch == row.batch && !band.next).unwrap_or(0);
        let crowd = plane.rows[..at].iter().filter(|other| {
            other.batch == row.batch
                && other.event.zip(row.event).is_some_and(|(a, b)| (scale.x(a) - scale.x(b)).abs() < 2.2)
        });
        let lift = crowd.count();
        let top = scale.band(band).0 + 20 + (lift as i64 % 3) * 11;
        // The value stands at the left of a mark that has a neighbour at its right; between two there is no room.
        let has = |side: f64| {
            plane.rows.iter().any(|other| {
                other.batch == row.batch
                    && other.event.zip(row.event).is_some_and(|(a, b)| (0.01..7.0).contains(&((scale.x(a) - scale.x(b)) * side)))
            })
        };
        let side = match (has(1.0), has(-1.0)) {
            (true, true) => "none",
            (true, false) => "left",
            _ => "right",
        };
        html! { <Mark key={at} index={at} row={row.clone()} scale={scale.clone()} {clock} {top} {side} field={field.clone()} /> }
    });
    let why = props.why.filter(|at| plane.windows.get(*at).is_some_and(|window| window.why.is_some()));
    let close = dispatch.reform(|()| Action::Why(None));
    html! {
        <figure class="plane" aria-labelledby="plane-cap" ref={node} {onkeydown} onfocusin={settle} data-geo={format!("H:{}px", scale.height)}>
            <figcaption id="plane-cap" class="only-read">{"Event time across, batches upwards. The same content is in the table below."}</figcaption>
            { heads(plane.windows.is_empty()) }
            { for plane.bands.iter().enumerate().rev().map(|(at, band)| band_row(band, scale.band(at).1, clock, at + 1 == last_run(&plane))) }
            <div class="plane-field" ref={field.clone()}>
                { for scale.ticks.iter().map(|tick| html! { <span key={format!("g{tick}")} class="plane-grid" data-geo={format!("x:{}", scale.x(*tick))}></span> }) }
                { for columns(&plane, &scale) }
                { lines(&plane, &scale) }
                { for outs(&plane, &scale, clock) }
                { for steps(&plane, &scale, clock) }
                { for marks }
            </div>
            <div class="plane-axis" aria-hidden="true">
                { for scale.ticks.iter().map(|tick| html! { <span key={format!("t{tick}")} class="plane-tick" data-geo={format!("x:{}", scale.x(*tick))}>{clock.text(*tick)}</span> }) }
            </div>
            <Windows plane={plane.clone()} scale={scale.clone()} {clock} open={why} />
            if let Some(window) = why.and_then(|at| plane.windows.get(at)) {
                <Why window={window.clone()} {clock} onclose={close} />
            }
            <Fates />
        </figure>
    }
}

/// The number of bands that have run.
fn last_run(plane: &PlaneView) -> usize {
    plane.bands.iter().filter(|band| !band.next).count()
}

fn heads(is_free: bool) -> Html {
    // Without windows rows and keys come and go by their own time.
    let (evict, filter) = if is_free {
        (": what ends here or before leaves the state", ": rows here or before are dropped, one batch behind")
    } else {
        (
            ": a window that ends here or before leaves",
            ": rows for such windows are dropped, one batch behind",
        )
    };
    html! {
        <div class="plane-heads" aria-hidden="true">
            <span>{"processing time"}</span>
            <span class="plane-lines">
                <svg viewBox="0 0 28 8"><path d="M0 4h28" class="evict" /></svg>
                <span>{"evict"}<span class="more">{evict}</span></span>
                <svg viewBox="0 0 28 8"><path d="M0 4h28" class="filter" /></svg>
                <span>{"filter"}<span class="more">{filter}</span></span>
            </span>
            <span class="plane-cols"><span>{"filter"}</span><span>{"evict"}</span><span>{"in one sentence"}</span></span>
        </div>
    }
}

fn band_row(band: &PlaneBand, height: i64, clock: Clock, is_last: bool) -> Html {
    let name = if band.next { "next".to_owned() } else { format!("batch {}", band.batch) };
    let line = |time: Option<i64>| time.map_or_else(|| "none".to_owned(), |time| clock.text(time));
    let files = match band.files.as_slice() {
        [] if band.next => String::new(),
        [] => "no input".to_owned(),
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    let at = if band.next { String::new() } else { band.at.iso().get(11..19).unwrap_or_default().to_owned() };
    html! {
        <div class="plane-band" key={format!("b{}", band.batch)} data-next={band.next.then_some("")} data-last={is_last.then_some("")} data-geo={format!("h:{height}px")}>
            <div class="plane-side"><b>{name}</b><span>{files}</span><span class="num">{at}</span></div>
            <div class="plane-note">
                <span class="plane-v" data-k="filter"><span class="only-read">{"filter "}</span>{line(band.filter)}</span>
                <span class="plane-v" data-k="evict"><span class="only-read">{"evict "}</span>{line(band.evict)}</span>
                <p title={band.sentence.clone()}>{&band.sentence}</p>
            </div>
        </div>
    }
}

/// The windows behind the rows: from the band of their first row up to the one in which they left.
fn columns(plane: &PlaneView, scale: &Scale) -> Vec<Html> {
    let rows = rows_of(&plane.windows);
    let overlap = rows.iter().any(|row| *row > 0);
    if plane.windows.iter().any(|window| !window.grew.is_empty()) {
        return plane.windows.iter().flat_map(|window| reaches(window, plane, scale)).collect();
    }
    let column = |(at, window): (usize, &PlaneWindow)| {
        let index = |batch: i64| plane.bands.iter().position(|band| band.batch == batch && !band.next);
        let first = plane.rows.iter().filter(|row| row.windows.contains(&at)).map(|row| row.batch).min()?;
        let (top, height) = scale.band(index(first)?);
        let bottom = top + height;
        let (upper, kind) = match window.left.and_then(index) {
            Some(left) => (scale.band(left).0 + scale.band(left).1 / 2, "left"),
            None => (scale.band(last_run(plane).saturating_sub(1)).0, "open"),
        };
        let geo = format!(
            "x:{};w:{};y:{upper}px;h:{}px",
            scale.x(window.start),
            scale.x(window.end) - scale.x(window.start),
            (bottom - upper).max(4)
        );
        Some(
            html! { <span key={format!("w{at}")} class="plane-win" data-k={kind} data-thin={overlap.then_some("")} data-geo={geo}></span> },
        )
    };
    plane.windows.iter().enumerate().filter_map(column).collect()
}

/// A session: in each band as far as it reached then, so that it grows and merges upwards.
fn reaches(window: &PlaneWindow, plane: &PlaneView, scale: &Scale) -> Vec<Html> {
    let piece = |(at, reach): (usize, &PlaneReach)| {
        let band = plane.bands.iter().position(|band| band.batch == reach.batch && !band.next)?;
        let (top, height) = scale.band(band);
        // It ends where it leaves, in the middle of a band.
        let upper = if window.left == Some(reach.batch) { top + height / 2 } else { top };
        let is_old = window.grew[..at].iter().any(|before| {
            before.batch + 1 == reach.batch && (before.start, before.end) == (reach.start, reach.end)
        });
        let (x, to) = (scale.x(reach.start), scale.x(reach.end));
        let geo = format!("x:{x};w:{};y:{upper}px;h:{}px", to - x, top + height - upper);
        Some(
            html! { <span key={format!("r{}-{at}-{}", window.start, window.key)} class="plane-win" data-k="grew" data-new={(!is_old).then_some("")} data-geo={geo}></span> },
        )
    };
    window.grew.iter().enumerate().filter_map(piece).collect()
}

/// The two staircases, and from which row each step came.
fn lines(plane: &PlaneView, scale: &Scale) -> Html {
    let evict: Vec<Option<i64>> = plane.bands.iter().map(|band| band.evict).collect();
    let filter: Vec<Option<i64>> = plane.bands.iter().map(|band| band.filter).collect();
    let sets = plane.rows.iter().filter_map(|row| {
        let band = plane.bands.iter().position(|band| band.batch == row.batch && !band.next)?;
        let top = scale.band(band).0;
        let (from, to) = (scale.x(row.event?) * 10.0, scale.x(row.sets?) * 10.0);
        Some(html! { <path d={format!("M{from:.1} {} V{top} H{to:.1}", top + 7)} /> })
    });
    html! {
        <svg class="plane-svg" viewBox={format!("0 0 1000 {}", scale.height.max(1))} preserveAspectRatio="none" aria-hidden="true">
            <g class="set">{ for sets }</g>
            <path class="filter" d={staircase(scale, &filter)} />
            <path class="evict" d={staircase(scale, &evict)} />
        </svg>
    }
}

/// The values that left, in the band of their batch.
fn outs(plane: &PlaneView, scale: &Scale, clock: Clock) -> Vec<Html> {
    let mut out = Vec::new();
    let rows = rows_of(&plane.windows);
    // Windows that overlap have their values one below another.
    let most = rows.iter().max().map_or(1, |row| row + 1).min(3) as i64;
    for (at, window) in plane.windows.iter().enumerate() {
        for value in &window.values {
            let Some(band) = plane.bands.iter().position(|b| b.batch == value.batch && !b.next) else {
                continue;
            };
            let (top, height) = scale.band(band);
            // Beneath the marks, where the band has some.
            let has_marks = plane.rows.iter().any(|row| row.batch == value.batch);
            let room = if has_marks { height - 34 } else { height - 6 };
            let each = (room / most).min(26);
            let middle = top + height - 3 - room / 2 + (2 * (rows[at] as i64 % most) - most + 1) * each / 2;
            let geo = format!(
                "x:{};w:{};y:{middle}px;h:{}px",
                scale.x(window.start),
                scale.x(window.end) - scale.x(window.start),
                each - i64::from(most > 1)
            );
            let title = format!(
                "{}: {} in batch {}",
                clock.window(window.start, window.end),
                value.text,
                value.batch
            );
            let pieces = value.text.split(", ").map(|piece| html! { <span>{piece.to_owned()}</span> });
            out.push(html! {
                <span key={format!("o{at}-{}", value.batch)} class="plane-out" {title} aria-hidden="true" data-low={(each < 26).then_some("")} data-narrow={(scale.x(window.end) - scale.x(window.start) < 7.0).then_some("")} data-geo={geo}>
                    <Icon name="tick" />{ for pieces }
                </span>
            });
        }
    }
    out
}

/// The time of each step of the eviction line.
fn steps(plane: &PlaneView, scale: &Scale, clock: Clock) -> Vec<Html> {
    let mut before = None;
    let mut out = Vec::new();
    for (at, band) in plane.bands.iter().enumerate() {
        if band.evict != before
            && let Some(line) = band.evict
        {
            let (top, height) = scale.band(at);
            // A short step has no room for its time at its left.
            let is_short = before.is_some_and(|before| scale.x(line) - scale.x(before) < 9.0);
            let geo = format!("x:{};y:{}px", scale.x(line), top + height);
            out.push(html! { <span key={format!("s{at}")} class="plane-step" aria-hidden="true" data-right={is_short.then_some("")} data-geo={geo}><b>{clock.text(line)}</b></span> });
        }
        before = band.evict;
    }
    out
}

#[derive(Clone, PartialEq, Properties)]
struct WindowsProps {
    plane: Rc<PlaneView>,
    scale: Rc<Scale>,
    clock: Clock,
    open: Option<usize>,
}

/// The windows below the axis: what each came to, or what it stands at.
#[component]
fn Windows(props: &WindowsProps) -> Html {
    let dispatch = use_dispatch();
    let (plane, scale) = (&props.plane, &props.scale);
    if plane.windows.is_empty() {
        return Html::default();
    }
    let rows = rows_of(&plane.windows);
    let count = rows.iter().max().map_or(1, |row| row + 1);
    let boxes = plane.windows.iter().enumerate().map(|(at, window)| {
        let kind = if window.left.is_some() { "left" } else { "open" };
        let geo = format!(
            "x:{};w:{};row:{}",
            scale.x(window.start),
            scale.x(window.end) - scale.x(window.start),
            rows[at]
        );
        let asks = window.why.is_some();
        let open = props.open == Some(at);
        let press = dispatch.reform(move |_: MouseEvent| if asks { Action::Why((!open).then_some(at)) } else { Action::Why(None) });
        let name = props.clock.window(window.start, window.end);
        let whose = if window.key.is_empty() { String::new() } else { format!(" of {}", window.key) };
        html! {
            <button key={at} class="plane-box" type="button" data-k={kind} data-geo={geo} onclick={press} aria-expanded={asks.then(|| open.to_string())}
                title={format!("{name}{whose}: {}", window.now)}>
                <span class="only-read">{format!("{name}{whose}: ")}</span>
                <b>{&window.now}</b>
                <span>{ match window.left {
                    Some(batch) => html! { {format!("left in batch {batch}")} },
                    None if asks => html! { <>{"open. "}<u>{"Why not yet?"}</u></> },
                    None => html! { {"open"} },
                } }</span>
            </button>
        }
    });
    html! {
        <div class="plane-results">
            <span class="plane-res-name">{"windows"}</span>
            <div class="plane-res" data-geo={format!("rows:{count}")}>{ for boxes }</div>
        </div>
    }
}
