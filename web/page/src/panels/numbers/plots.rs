//! The plots: a row for each measure, a bar for each batch, as wide as the batch is on the rail and where it is there.

use std::rc::Rc;

use yew::prelude::*;

use crate::app::use_dispatch;
use crate::browser::{focus, geometry};
use crate::panels::rail::runs;
use crate::state::Action;
use crate::state::look::rail::Line;

/// The rows: one stop for Tab; up and down move between them, left and right over the batches, Enter goes to one.
const ROWS: &str = ".numbers-field";
/// More batches than this have no value written on them.
const VALUES_MAX: usize = 16;

/// A batch.
#[derive(PartialEq)]
pub(super) struct Batch {
    /// Its first moment.
    pub(super) at: usize,
    /// Its last moment.
    pub(super) last: usize,
    pub(super) name: String,
    /// Why it has no measures, as an attribute.
    pub(super) lack: Option<&'static str>,
}

/// A measure, with as many entries as there are batches.
#[derive(PartialEq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    /// How high each bar is, from 0 to 1.
    pub(super) shares: Vec<f64>,
    /// What stands on each bar.
    pub(super) values: Vec<Option<String>>,
    /// What is told of each.
    pub(super) told: Vec<String>,
    /// The largest value, in words.
    pub(super) most: String,
}

#[derive(PartialEq, Properties)]
pub(super) struct PlotsProps {
    /// The branch on screen as the rail draws it.
    pub(super) line: Line,
    /// The moment at the right end of the rail.
    pub(super) of: usize,
    /// The playhead.
    pub(super) moment: usize,
    pub(super) batches: Vec<Batch>,
    pub(super) rows: Vec<Row>,
}

/// Where each batch begins on the axis.
struct Axis {
    node: NodeRef,
    starts: Vec<usize>,
    of: usize,
}

impl Axis {
    /// The batch under a pointer.
    fn under(&self, event: &MouseEvent) -> Option<usize> {
        let moment = geometry::share_across(event, &self.node)? * self.of as f64;
        Some(self.starts.iter().rposition(|start| *start as f64 <= moment).unwrap_or(0))
    }
}

/// What is looked at: a row and a batch.
type Look = UseStateHandle<Option<(usize, usize)>>;

/// The plots.
#[component]
pub(super) fn Plots(props: &PlotsProps) -> Html {
    let dispatch = use_dispatch();
    let (node, field) = (use_node_ref(), use_node_ref());
    let look: Look = use_state_eq(|| None);
    geometry::use_geometry(&node);
    geometry::use_rail(&node);
    focus::use_one_stop(&node, ROWS);
    let now = props.batches.iter().rposition(|batch| batch.at <= props.moment).unwrap_or(0);
    let here = look.map_or(now, |(_, at)| at).min(props.batches.len().saturating_sub(1));
    let go = {
        let ends: Vec<usize> = props.batches.iter().map(|batch| batch.last).collect();
        Callback::from(move |at: usize| dispatch.emit(Action::Look(ends[at])))
    };
    let starts = props.batches.iter().map(|batch| batch.at).collect();
    let axis = Rc::new(Axis { node: field.clone(), starts, of: props.of });
    let rows = (0..props.rows.len()).map(|row| one(props, row, (now, here), &look, &axis, &go));
    let leave = {
        let look = look.clone();
        Callback::from(move |_: PointerEvent| look.set(None))
    };
    let blur = {
        let look = look.clone();
        Callback::from(move |_: FocusEvent| look.set(None))
    };
    html! {
        <figure class="numbers-plots" id="numbers-plots" ref={node.clone()} aria-labelledby="numbers-cap" data-many={(props.batches.len() > VALUES_MAX).then_some("")}
            data-geo={format!("of:{};now:{}", props.of, props.moment)} onkeydown={focus::up_and_down(&node, ROWS)} onfocusin={focus::settling(&node, ROWS)} onfocusout={blur} onpointerleave={leave}>
            <figcaption id="numbers-cap" class="only-read">{"Spark's measures over the batches of the rail. The same content is in the table below."}</figcaption>
            <div class="numbers-row numbers-heads" aria-hidden="true">
                <span class="numbers-side">{"Spark's field"}</span>
                <div class="numbers-axis" ref={field}>{ runs(&props.line) }{ for names(props) }</div>
                <span class="numbers-told">{"in the batch"}</span>
            </div>
            { for rows }
        </figure>
    }
}

/// A row: what it is, its plot, and what the batch that is looked at has there.
fn one(
    props: &PlotsProps,
    at: usize,
    (now, here): (usize, usize),
    look: &Look,
    axis: &Rc<Axis>,
    go: &Callback<usize>,
) -> Html {
    let row = &props.rows[at];
    let Some(batch) = props.batches.get(here) else { return Html::default() };
    let onpointermove = {
        let (look, axis) = (look.clone(), axis.clone());
        Callback::from(move |event: PointerEvent| {
            look.set(axis.under(&event).map(|batch| (at, batch)));
        })
    };
    let onclick = {
        let (go, axis) = (go.clone(), axis.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some(batch) = axis.under(&event) {
                go.emit(batch);
            }
        })
    };
    let onfocus = {
        let look = look.clone();
        Callback::from(move |_: FocusEvent| look.set(Some((at, here))))
    };
    let onkeydown = {
        let (look, go, count) = (look.clone(), go.clone(), props.batches.len());
        Callback::from(move |event: KeyboardEvent| {
            match (event.key().as_str(), focus::arrow(&event.key())) {
                _ if event.shift_key() || event.alt_key() || event.ctrl_key() => return,
                ("Enter", _) => go.emit(here),
                (_, Some((across, 0.0))) => {
                    look.set(Some((at, here.saturating_add_signed(across as isize).min(count - 1))));
                }
                _ => return,
            }
            event.prevent_default();
            event.stop_propagation();
        })
    };
    let value = &row.told[here];
    let is_here = look.is_some_and(|(looked, _)| looked == at);
    // Near the ends the tip stays on the plot.
    let tip = format!("at:{}", batch.at.clamp(props.of / 6, props.of - props.of / 6));
    html! {
        <div key={row.name} class="numbers-row">
            <span class="numbers-side"><b>{row.name}</b>{row.unit}</span>
            <div class="numbers-field" role="slider" tabindex="-1" aria-label={row.name} aria-valuemin="1" aria-valuemax={props.batches.len().to_string()}
                aria-valuenow={(here + 1).to_string()} aria-valuetext={format!("{}: {value}", batch.name)} {onpointermove} {onclick} {onfocus} {onkeydown}>
                { for (0..props.batches.len()).map(|batch| bar(props, row, batch, (now, here))) }
                <span class="numbers-now" data-geo={format!("at:{}", props.moment)}></span>
                if is_here { <span class="tip numbers-tip" data-geo={tip}><b>{&batch.name}</b>{row.name}{" "}{value}</span> }
            </div>
            <span class="numbers-told"><span class="batch">{&batch.name}</span><b>{value}</b>{&row.most}</span>
        </div>
    }
}

fn bar(props: &PlotsProps, row: &Row, at: usize, (now, here): (usize, usize)) -> Html {
    let batch = &props.batches[at];
    let geo = format!("at:{};len:{};v:{:.3}", batch.at, batch.last - batch.at, row.shares[at]);
    html! {
        <span key={at} class="numbers-bar" data-lack={batch.lack.or(row.values[at].is_none().then_some("none"))} data-now={(at == now).then_some("")} data-look={(at == here).then_some("")} data-geo={geo}><i>{row.values[at].clone()}</i></span>
    }
}

/// The names of the batches, as many as there is room for; fewer on a phone.
fn names(props: &PlotsProps) -> Vec<Html> {
    let (mut free, mut free_on_phone) = (0, 0);
    let mut all = Vec::new();
    for batch in &props.batches {
        if batch.at < free {
            continue;
        }
        free = batch.at + props.of / 24;
        let is_extra = batch.at < free_on_phone;
        if !is_extra {
            free_on_phone = batch.at + props.of / 8;
        }
        all.push(html! { <span key={batch.at} class="rail-b" data-extra={is_extra.then_some("")} data-geo={format!("at:{}", batch.at)}>{&batch.name}</span> });
    }
    all
}
