//! The strip: lines at the left, a way for each row that they became.

use yew::prelude::*;

use super::hop::{hop, input};
use crate::app::{use_dispatch, use_ui, use_world};
use crate::browser::focus;
use crate::state::look::way::OneWay;
use crate::state::tabs::row_of;
use crate::state::{Action, words};
use crate::widgets::Icon;

/// Lines that stand in the strip; the others are counted.
const LINES_SHOWN: usize = 4;
const STOPS: &str = "button";

/// The strip; nothing as long as nothing is followed. One stop for Tab, arrows move, Enter opens, Escape closes.
#[component]
pub fn LineagePanel() -> Html {
    let (world, ui, dispatch) = (use_world(), use_ui(), use_dispatch());
    let node = use_node_ref();
    focus::use_one_stop(&node, STOPS);
    let close = dispatch.reform(|_: MouseEvent| Action::Trace(None));
    let onkeydown = {
        let (node, dispatch) = (node.clone(), dispatch.clone());
        Callback::from(move |event: KeyboardEvent| {
            let steps = match event.key().as_str() {
                "ArrowRight" | "ArrowDown" => 1,
                "ArrowLeft" | "ArrowUp" => -1,
                "Escape" => {
                    dispatch.emit(Action::Trace(None));
                    focus::focus_on(".sink-rows tr[tabindex='0']");
                    0
                }
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            if steps != 0 {
                focus::move_by(&node, STOPS, steps);
            }
        })
    };
    if world.way.of.is_none() || row_of(ui.tab).is_full {
        return Html::default();
    }
    let sentence =
        world.way.found.as_ref().map_or("Asking the engine.", |lineage| lineage.sentence.as_str()).to_owned();
    let unsure = world.way.found.as_ref().is_some_and(|lineage| !lineage.sure && !lineage.hops.is_empty());
    html! {
        <section class="lineage" aria-labelledby="h-lineage" tabindex="-1" data-panel="" ref={node} {onkeydown}>
            <div class="lineage-head">
                <h2 id="h-lineage">{"Lineage"}</h2>
                <p role="status" aria-live="polite">{sentence}</p>
                if unsure { <span class="lineage-unsure" title="The plan does not tell which of these lines it was.">{"one of these"}</span> }
                <button class="btn btn-quiet btn-icon push" type="button" aria-label="Close the lineage" title="Close  Esc" onclick={close}><Icon name="cross" /></button>
            </div>
            { map(&world.way.parts(), &dispatch) }
        </section>
    }
}

fn map((from, ways): &(Vec<&tidemark_protocol::Hop>, Vec<OneWay<'_>>), dispatch: &Callback<Action>) -> Html {
    if from.is_empty() && ways.is_empty() {
        return Html::default();
    }
    let more = from.len().saturating_sub(LINES_SHOWN);
    let is_doubled = ways.len() > 1;
    let names = ["First way", "Second way", "Third way"];
    let drawn = ways.iter().enumerate().map(|(at, way)| {
        let label = names.get(at).map_or_else(|| format!("Way {}", at + 1), |name| (*name).to_owned());
        html! { <ol key={at} class="lineage-way" aria-label={label}>{ for way.iter().map(|found| hop(found, dispatch, is_doubled)) }</ol> }
    });
    html! {
        <div class="lineage-map" data-dup={is_doubled.then_some("")}>
            if !from.is_empty() {
                <ul class="lineage-from" aria-label="Input lines" data-many={(from.len() > 1).then_some("")}>
                    { for from.iter().take(LINES_SHOWN).map(|found| input(found, dispatch)) }
                    if more > 0 { <li class="lineage-more">{format!("and {}", words::count(more, "line"))}</li> }
                </ul>
                { fork(ways.len().max(1)) }
            }
            <div class="lineage-ways">{ for drawn }</div>
        </div>
    }
}

/// The lines that part from the input to each way.
fn fork(ways: usize) -> Html {
    let path: String = (0..ways)
        .map(|at| {
            let y = (at as f64 + 0.5) * 100.0 / ways as f64;
            format!("M0 50 C22 50 18 {y} 40 {y}")
        })
        .collect();
    html! {
        <svg class="lineage-fork" viewBox="0 0 40 100" preserveAspectRatio="none" aria-hidden="true"><path d={path} /></svg>
    }
}
