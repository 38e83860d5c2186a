//! Why a window is not out yet, with numbers and the event that would close it.

use tidemark_protocol::PlaneWindow;
use yew::prelude::*;

use crate::app::use_dispatch;
use crate::browser::geometry;
use crate::state::Action;
use crate::widgets::Icon;
use tidemark_types::clock::{Clock, length};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct WhyProps {
    pub(super) window: PlaneWindow,
    pub(super) clock: Clock,
    pub(super) onclose: Callback<()>,
}

/// The answer. Esc closes it.
#[component]
pub(super) fn Why(props: &WhyProps) -> Html {
    let dispatch = use_dispatch();
    let node = use_node_ref();
    geometry::use_geometry(&node);
    let Some(why) = &props.window.why else { return Html::default() };
    let (clock, window) = (props.clock, &props.window);
    let close = props.onclose.reform(|_: MouseEvent| ());
    let onkeydown = {
        let onclose = props.onclose.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                onclose.emit(());
            }
        })
    };
    let at = why.closes;
    let add = dispatch.reform(move |_: MouseEvent| Action::AddEvent(at));
    let stands = why.next.or(why.line);
    let short = stands.map(|line| window.end - line).filter(|short| *short > 0);
    html! {
        <div class="plane-pop pop" role="dialog" aria-labelledby="why" ref={node} {onkeydown}>
            <h2 id="why">{format!("Why is {} not out yet?", clock.window(window.start, window.end))}</h2>
            <div class="plane-ruler" aria-hidden="true">
                <span class="now">{ match stands {
                    Some(line) => html! { <><b>{clock.text(line)}</b>{" the line"}</> },
                    None => html! { {"no line yet"} },
                } }</span>
                if let Some(short) = short { <span class="miss">{format!("{} short", length(short / 1000 * 1000))}</span> }
                <span class="end"><b>{clock.text(window.end)}</b>{" window ends"}</span>
            </div>
            <p role="status">{&why.sentence}</p>
            <div class="plane-do">
                <button class="btn" type="button" onclick={add}><Icon name="plus" />{format!("Add an event at {}", clock.text(why.closes))}</button>
                <button class="btn btn-quiet" type="button" onclick={close}>{"Close"}</button>
            </div>
        </div>
    }
}
