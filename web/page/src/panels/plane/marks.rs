//! The marks of the rows: dragged or moved by keys, an event gets another time.

use std::rc::Rc;

use tidemark_protocol::{Fate, PlaneRow};
use yew::prelude::*;

use super::scale::Scale;
use crate::app::use_dispatch;
use crate::browser::{focus, geometry};
use crate::state::Action;
use crate::widgets::Icon;
use tidemark_types::clock::Clock;

/// How far Shift with an arrow moves an event, in milliseconds; a drag goes by the same steps.
const NUDGE: i64 = 60_000;

/// The attribute, the icon and the word of a fate.
pub(super) fn fate(fate: Fate) -> (&'static str, &'static str, &'static str) {
    match fate {
        Fate::Ontime => ("input", "dot", "on time"),
        Fate::Late => ("late", "diamond", "late but kept"),
        Fate::Dropped => ("dropped", "cross", "dropped"),
        Fate::Repeated => ("dup", "ring", "repeated"),
        Fate::Untimed => ("dropped", "dot", "no event time"),
    }
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct MarkProps {
    pub(super) index: usize,
    pub(super) row: PlaneRow,
    pub(super) scale: Rc<Scale>,
    pub(super) clock: Clock,
    /// Its middle, in pixels from the top of the field.
    pub(super) top: i64,
    /// On which side its value stands: `left`, `right`, or `none`.
    pub(super) side: &'static str,
    /// The field in which it lies.
    pub(super) field: NodeRef,
}

/// One row of the input.
#[component]
pub(super) fn Mark(props: &MarkProps) -> Html {
    let dispatch = use_dispatch();
    let node = use_node_ref();
    let dragged = use_state(|| None::<(f64, f64)>);
    let row = &props.row;
    let event = row.event.unwrap_or(0);
    let index = props.index;
    let moved = dragged.as_ref().map_or(0, |(from, to)| {
        let millis = props.scale.span(to - from);
        (millis as f64 / NUDGE as f64).round() as i64 * NUDGE
    });
    let down = {
        let (dragged, field, node) = (dragged.clone(), props.field.clone(), node.clone());
        Callback::from(move |event: PointerEvent| {
            if let Some(share) = geometry::share_across(&event, &field) {
                geometry::capture(&event, &node);
                dragged.set(Some((share, share)));
            }
        })
    };
    let go = {
        let (dragged, field) = (dragged.clone(), props.field.clone());
        Callback::from(move |event: PointerEvent| {
            if let (Some((from, _)), Some(share)) = (*dragged, geometry::share_across(&event, &field)) {
                dragged.set(Some((from, share)));
            }
        })
    };
    let up = {
        let (dragged, dispatch) = (dragged.clone(), dispatch.clone());
        Callback::from(move |_: PointerEvent| {
            dragged.set(None);
            if moved != 0 {
                dispatch.emit(Action::Shift(index, moved));
            }
        })
    };
    let lost = {
        let dragged = dragged.clone();
        Callback::from(move |_: PointerEvent| dragged.set(None))
    };
    let key = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: KeyboardEvent| {
            let Some((across, 0.0)) = focus::arrow(&event.key()) else { return };
            if event.shift_key() && !event.alt_key() {
                event.prevent_default();
                event.stop_propagation();
                dispatch.emit(Action::Shift(index, across as i64 * NUDGE));
            }
        })
    };
    let open = {
        let path = row.file.clone();
        dispatch.reform(move |_: MouseEvent| Action::Select(path.clone()))
    };
    let (kind, _, word) = fate(row.fate);
    let name =
        format!("row in batch {}, {}, {word}, {}", row.batch, props.clock.text(event + moved), row.reason);
    let letter: String = row.key.chars().take(2).collect();
    html! {
        <button class="plane-dot" type="button" ref={node} data-fate={kind} data-moved={(moved != 0).then_some("")} data-side={props.side}
            data-geo={format!("x:{};y:{}px", props.scale.x(event + moved), props.top)} title={name.clone()}
            onpointerdown={down} onpointermove={go} onpointerup={up} onpointercancel={lost} onkeydown={key} onclick={open}
            aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight">
            <span class="only-read">{format!("{name}: ")}</span><span>{letter}</span>
            <i>{ if moved != 0 { props.clock.text(event + moved) } else { row.value.clone() } }</i>
        </button>
    }
}

/// What the marks mean.
#[component]
pub(super) fn Fates() -> Html {
    let all = [Fate::Ontime, Fate::Late, Fate::Dropped, Fate::Repeated].map(|one| {
        let (kind, icon, word) = fate(one);
        html! { <span key={word} class="mark" data-m={kind}><Icon name={icon} />{word}</span> }
    });
    html! {
        <p class="plane-key">{ for all }<span>{"Drag a row, or Shift with an arrow, to give it another time in a branch of its own."}</span></p>
    }
}
